"""Measures the bots' thinking under Pyodide in headless Chromium: iterations, slices, budgets.

    .cache/venv/bin/python -m tools.pipeline.thinking [--json] [--decisions 12] [--games ID …]

The engine runs in a module worker, driven from JavaScript in slices as at the table. Each decision
of a greedy game of two is thought about with the default budget of every level that thinks. Clocks
are the wall's: on a busy machine the figures are too low, so the load is reported beside them, and
`rate_best`, the ninth decile of the iterations per second of single decisions.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tools.pipeline import browser, server
from tools.pipeline.bench import profile
from tools.pipeline.paths import PYODIDE, ROOT

PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
const ask = new URLSearchParams(location.search);
const worker = new Worker("./worker.mjs", { type: "module" });
worker.onmessage = ({ data }) => {
  window.report = data;
  document.documentElement.dataset.ready = "";
};
worker.postMessage({ game: ask.get("game"), decisions: Number(ask.get("decisions")) });
</script>"""

WORKER = """
import { loadPyodide } from "./pyodide.mjs";
const breathe = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(0);
});
onmessage = async ({ data }) => {
  try {
    const py = await loadPyodide();
    py.FS.writeFile("/engine.zip", new Uint8Array(await (await fetch("engine.zip")).arrayBuffer()));
    py.FS.writeFile("/bench.py", new Uint8Array(await (await fetch("bench.py")).arrayBuffer()));
    py.runPython("import sys; sys.path[:0] = ['/', '/engine.zip']");
    const bench = py.pyimport("bench").Bench(data.game, data.decisions);
    const rows = [];
    while (bench.next()) {
      const slices = [];
      const start = performance.now();
      for (let done = false; !done; ) {
        const begun = performance.now();
        done = bench.step();
        slices.push(performance.now() - begun);
        await breathe();
      }
      rows.push({ ms: performance.now() - start, slices, ...JSON.parse(bench.result()) });
    }
    postMessage(rows);
  } catch (error) {
    postMessage(String(error.stack ?? error));
  }
};
"""

BENCH = '''
"""Runs inside the worker: a greedy game, and thoughts about its decisions."""

import json
import random

from lovecraft import bots, games
from lovecraft.core import CHANCE_MOVES

LEVELS = [name for name, level in bots.LEVELS.items() if level.budget]


class Bench:
    def __init__(self, game_id, decisions):
        self.game = game = games.get(game_id)
        rng = random.Random(7)
        greedy = bots.make("greedy", game)
        state, seen = game.start(game.setup(2)), []
        while movers := game.to_move(state):
            if movers == CHANCE_MOVES:
                state = game.advance(state, -1, game.draw(state, rng))
                continue
            asked = [game.observe(state, seat) for seat in movers]
            seen += [o for o in asked if len(o.actions) > 1]
            joint = [greedy(o, rng) for o in asked]
            for seat, action in zip(movers, joint):
                state = game.advance(state, seat, action)
        number = min(decisions, len(seen))
        spread = [seen[i * len(seen) // number] for i in range(number)]
        # the first is thought about twice, to warm the interpreter up
        self.work = [(level, o) for level in LEVELS for o in spread[:1] + spread]
        self.at = -1

    def next(self):
        self.at += 1
        if self.at == len(self.work):
            return False
        self.level, seen = self.work[self.at]
        self.thought = bots.think(self.level, self.game, seen, random.Random(self.at))
        return True

    def step(self):
        return self.thought.step()

    def result(self):
        visits = sum(a.visits for a in self.thought.assessments)
        warm = self.at % (len(self.work) // len(LEVELS)) > 0
        return json.dumps({"level": self.level, "iterations": visits, "warm": warm})
'''


@contextmanager
def bare_site() -> Iterator[Path]:
    """Pyodide, the engine's sources, and a page that lets it think."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
            shutil.copy(PYODIDE / file, folder / file)
        shutil.copy(PYODIDE / "pyodide-lock.json", folder / "pyodide-lock.json")
        with zipfile.ZipFile(folder / "engine.zip", "w") as packed:
            for file_ in sorted((ROOT / "lovecraft").rglob("*")):
                if file_.suffix in (".py", ".json"):
                    packed.write(file_, file_.relative_to(ROOT))
        (folder / "bench.py").write_text(BENCH, encoding="utf-8")
        (folder / "worker.mjs").write_text(WORKER, encoding="utf-8")
        (folder / "index.html").write_text(PAGE, encoding="utf-8")
        yield folder


def _quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Per level: iterations per second, the time of decisions and the length of slices, in ms."""
    told: dict[str, Any] = {}
    for level in dict.fromkeys(row["level"] for row in rows):
        there = [row for row in rows if row["level"] == level and row["warm"]]
        searched = [row for row in there if row["iterations"]]
        rates = [1000 * row["iterations"] / row["ms"] for row in searched]
        slices = [ms for row in there for ms in row["slices"]]
        times = [row["ms"] for row in there]
        told[level] = {
            "decisions": len(there),
            "solved": len(there) - len(searched),
            "rate": _quantile(rates, 0.5) if rates else None,
            "rate_best": _quantile(rates, 0.9) if rates else None,
            "decision_median": _quantile(times, 0.5),
            "decision_longest": _quantile(times, 1),
            "slice_median": _quantile(slices, 0.5),
            "slice_99": _quantile(slices, 0.99),
            "slice_longest": _quantile(slices, 1),
        }
    return told


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.pipeline.thinking")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("--decisions", type=int, default=12)
    parser.add_argument(
        "--games", nargs="+",
        default=["ancient-cards", "tides-of-madness", "mythicals", "ritos-ancestrais"],
    )  # fmt: skip
    arguments = parser.parse_args()
    report: dict[str, Any] = {"load": os.getloadavg(), "games": {}}
    with (
        sync_playwright() as playwright,
        bare_site() as site,
        server.serving(site) as url,
        profile(playwright) as context,
    ):
        report["browser"] = context.browser.version if context.browser else browser.find().name
        for game in arguments.games:
            page = context.new_page()
            page.goto(f"{url}?game={game}&decisions={arguments.decisions}")
            page.wait_for_selector("html[data-ready]", timeout=600_000, state="attached")
            rows = page.evaluate("report")
            page.close()
            if isinstance(rows, str):
                raise SystemExit(rows)
            report["games"][game] = summary(rows)
    if arguments.json:
        print(json.dumps(report, indent=2))
        return
    print(f"load {report['load'][0]:.1f}, {report['browser']}")
    for game, levels in report["games"].items():
        for level, figures in levels.items():
            print(f"{game:18} {level:7}", *(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
