"""Measures the boot in headless Chromium, a bare `loadPyodide()` page beside it in the same run.

    python3 build.py bench --json [--runs 5] [--slow-runs 5] [--slow 4] [--plain-runs 5]

A tap is accepted when the screen has changed because of it: Python has answered. Times are in
milliseconds from the start of the navigation; every figure is a median. Runs of the bench, in the
project's environment (it needs Playwright).
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from tools.pipeline import browser, memory, processes, server
from tools.pipeline.paths import CACHE, DIST, PYODIDE, ROOT
from tools.pipeline.steps import BuildError, run, say, sha256

BARE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">
import { loadPyodide } from "./pyodide.mjs";
const py = await loadPyodide();
py.runPython("1 + 1");
document.documentElement.dataset.ready = String(performance.now());
</script>"""

# PyScript's smallest page: its library, our runtime, one line of Python. Never shipped.
PYSCRIPT = ("@pyscript/core", "0.7.31")
PYSCRIPT_SHA256 = "b2ca1a0c0956aebd990a7c8524cca1eb061444a8319a7264d2f31ef30bea276a"
PYSCRIPT_PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module" src="./pyscript/core.js"></script>
<script type="py" config='{"interpreter": "./pyodide.mjs"}'>
from js import document, performance
document.documentElement.dataset.ready = str(performance.now())
</script>"""

# Tries the tap until it has an effect: how a person finds out that the page is alive. Resolves to
# the moment at which the first tap that had an effect was made, and how long its effect took.
FIRST_TAP = """
(selector) => new Promise((resolve) => {
  const screen = document.getElementById("screen");
  let tapped = 0;
  const tap = () => {
    const target = document.querySelector(selector);
    if (!target || tapped) return;
    tapped = performance.now();
    target.click();
  };
  const observer = new MutationObserver((changes) => {
    // That it waits for Python's answer is a change, too.
    if (!tapped || changes.every(({ attributeName }) => attributeName === "data-busy")) return;
    const now = performance.now();
    observer.disconnect();
    clearInterval(timer);
    resolve({ tapped, changed: now });
  });
  const timer = setInterval(() => {
    if (!tapped && document.querySelector(selector)) {
      observer.observe(screen, { subtree: true, childList: true, attributes: true,
                                 characterData: true });
      tap();
    }
  }, 4);
})
"""


TIMEOUT = 180_000


@dataclass(frozen=True)
class Options:
    runs: int
    plain_runs: int  # in so many of them the plain path and PyScript's page, too
    lab_runs: int  # notebooks opened cold
    throttle: float
    route: str
    tap: str


@contextmanager
def bare_site() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
            shutil.copy(PYODIDE / file, folder / file)
        shutil.copy(PYODIDE / "pyodide-lock.json", folder / "pyodide-lock.json")
        (folder / "index.html").write_text(BARE, encoding="utf-8")
        yield folder


@contextmanager
def pyscript_site() -> Iterator[Path]:
    """A folder with PyScript's page, fetched into the bench's own cache by its pinned hash."""
    name, version = PYSCRIPT
    kept = CACHE / "bench" / f"pyscript-{version}.tgz"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            run("npm", "pack", "--silent", f"{name}@{version}", "--pack-destination", folder)
            shutil.move(next(Path(folder).iterdir()), kept)
    if sha256(kept.read_bytes()) != PYSCRIPT_SHA256:
        kept.unlink()
        raise BuildError(f"{name} {version} does not have the hash written in the bench.")
    with bare_site() as folder:
        with tarfile.open(kept) as archive:
            archive.extractall(folder, filter="data")
        (folder / "package" / "dist").rename(folder / "pyscript")
        (folder / "index.html").write_text(PYSCRIPT_PAGE, encoding="utf-8")
        yield folder


@contextmanager
def profile(playwright: Playwright, slow: float = 1) -> Iterator[BrowserContext]:
    """A browser with a profile on disk: a private window's cache would refuse the large files."""
    with tempfile.TemporaryDirectory() as folder:
        context = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=str(browser.find()),
            args=list(browser.FLAGS),
            viewport={"width": 390, "height": 844},
        )
        with processes.slowed(folder, slow):
            yield context
        context.close()


def bare_boot(context: BrowserContext, url: str) -> float:
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("html[data-ready]", timeout=TIMEOUT)
    took = float(page.evaluate("Number(document.documentElement.dataset.ready)"))
    page.close()
    return took


def visit(
    context: BrowserContext, url: str, options: Options, query: str = ""
) -> tuple[Page, dict[str, Any]]:
    """Open the site, tap until Python answers."""
    page = context.new_page()
    page.goto(url + query + options.route, wait_until="commit")
    page.wait_for_selector("#screen")
    tap = page.evaluate(FIRST_TAP, options.tap)
    painted = page.evaluate(
        "(performance.getEntriesByName('first-contentful-paint')[0] ?? {}).startTime ?? null"
    )
    page.wait_for_selector("html[data-ready]", timeout=TIMEOUT)
    return page, {
        "first_tap": tap["changed"],
        "painted": painted,
        "how": page.evaluate("lovecraft.how"),
        "marks": page.evaluate("lovecraft.marks"),
    }


def taps(page: Page, selector: str, number: int = 15) -> list[float]:
    """Tap to changed screen, with Python warm."""
    took = []
    for _ in range(number):
        tap = page.evaluate(FIRST_TAP, selector)
        took.append(tap["changed"] - tap["tapped"])
    return took


SHEETS = {
    "ancient-cards": ('[data-act="rune"]:not([aria-disabled="true"])', 15),
    "mythicals": (".sc-token:not(.owned)", 12),
    "ritos-ancestrais": (".rite-head", 6),
    "tides-of-madness": ('.pick:not([aria-disabled="true"])', 10),
}
"""What is tapped on a new score sheet of each game, and how often."""


def sheet_taps(page: Page) -> list[tuple[str, list[float]]]:
    """Tap to changed screen on the score sheet of every game."""
    found = []
    for game, (selector, number) in SHEETS.items():
        page.evaluate("(hash) => { location.hash = hash; }", f"#/{game}/score/new")
        page.wait_for_selector(f".score-{game} {selector}")
        found.append((game, taps(page, f".score-{game} {selector}", number)))
    return found


class Series:
    """Figures by name; each is told as its median."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {}

    def note(self, name: str, *values: float | None) -> None:
        self.values.setdefault(name, []).extend(value for value in values if value is not None)

    def medians(self) -> dict[str, float]:
        return {k: round(statistics.median(v), 1) for k, v in self.values.items() if v}


# Whether Python's memory lies unpacked for the next visit.
KEPT = """
caches.keys().then((names) => names.filter((name) => name.startsWith("lovecraft-memory:")))
  .then((names) => Promise.all(names.map((name) => caches.open(name).then((c) => c.keys()))))
  .then((found) => found.flat().length > 0)
"""


def settle(page: Page) -> None:
    """Wait for what comes after the first taps: offline copy, library, the memory kept."""
    page.wait_for_selector("#offline[data-state=ready]", timeout=TIMEOUT)
    page.wait_for_timeout(4000)
    for _ in range(120):
        if page.evaluate(KEPT):
            return
        page.wait_for_timeout(500)
    raise BuildError("The memory was not kept for the second visit.")


def snapshot_run(context: BrowserContext, url: str, sent: list[int], options: Options) -> Series:
    """One person's first and second visit."""
    series = Series()
    page, first = visit(context, url, options)
    series.note("first_visit_ms", first["first_tap"])
    series.note("first_paint_ms", first["painted"])
    series.note("first_visit_bytes", sum(sent))
    before = len(sent)
    settle(page)
    series.note("later_bytes", sum(sent[before:]))
    series.note("tap_ms", *taps(page, options.tap))
    page.close()
    page, second = visit(context, url, options)
    series.note("second_visit_ms", second["first_tap"])
    series.note("second_paint_ms", second["painted"])
    for game, took in sheet_taps(page):
        series.note(f"tap_ms: {game}", *took)
    for name, seen in (("first", first), ("second", second)):
        for mark, at in seen["marks"].items():
            series.note(f"{name}: {mark}", at)
    page.close()
    return series


def plain_run(context: BrowserContext, url: str, options: Options) -> Series:
    series = Series()
    for name in ("plain_first_visit_ms", "plain_second_visit_ms"):
        page, seen = visit(context, url, options, "?boot=plain")
        series.note(name, seen["first_tap"])
        page.wait_for_selector("#offline[data-state=ready]", timeout=TIMEOUT)
        page.close()
    return series


def lab_run(context: BrowserContext, url: str) -> float:
    """A notebook opened cold: milliseconds until its first cell has shown what it is worth."""
    page = context.new_page()
    began = time.monotonic()
    page.goto(f"{url}lab/notebooks/index.html?path=ancient-cards.ipynb", wait_until="commit")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=TIMEOUT)
    while not page.evaluate("[...jupyterapp.serviceManager.sessions.running()].length"):
        page.wait_for_timeout(20)
    # Not waited for: its promise is kept when the last cell is done.
    page.evaluate("void jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_selector(".jp-CodeCell .jp-OutputArea-output", timeout=TIMEOUT)
    took = (time.monotonic() - began) * 1000
    page.close()
    return took


def _count(sent: list[int], _path: str, size: int) -> None:
    sent.append(size)


def pyscript_run(playwright: Playwright) -> Series:
    """PyScript's page, the first and the second time, and what it fetched."""
    series, sent = Series(), list[int]()
    with (
        pyscript_site() as folder,
        server.serving(folder, sent=partial(_count, sent)) as url,
        profile(playwright) as context,
    ):
        series.note("pyscript_cold_ms", bare_boot(context, url))
        series.note("pyscript_bytes", sum(sent))
        series.note("pyscript_reload_ms", bare_boot(context, url))
    return series


def measure(playwright: Playwright, options: Options) -> dict[str, Any]:
    total = Series()
    version = ""
    slow_profile = partial(profile, playwright, options.throttle)
    for turn in range(options.runs):
        say(f"  run {turn + 1} of {options.runs}")
        sent: list[int] = []
        with bare_site() as bare, server.serving(bare) as url, slow_profile() as context:
            total.note("bare_cold_ms", bare_boot(context, url))
            total.note("bare_reload_ms", bare_boot(context, url))
            version = context.browser.version if context.browser else version
        with (
            server.serving(DIST, sent=partial(_count, sent)) as url,
            slow_profile() as context,
        ):
            for name, values in snapshot_run(context, url, sent, options).values.items():
                total.note(name, *values)
        if turn < options.plain_runs:
            for name, values in pyscript_run(playwright).values.items():
                total.note(name, *values)
            with server.serving(DIST) as url, slow_profile() as context:
                for name, values in plain_run(context, url, options).values.items():
                    total.note(name, *values)
        if turn < options.lab_runs:
            lab_sent: list[int] = []
            with (
                server.serving(DIST, sent=partial(_count, lab_sent)) as url,
                profile(playwright) as context,
            ):
                total.note("lab_first_cell_ms", lab_run(context, url))
                total.note("lab_first_cell_bytes", sum(lab_sent))
    medians = total.medians()
    return {
        "runs": options.runs,
        "throttle": options.throttle,
        "route": options.route,
        "tap": options.tap,
        **medians,
        "first_ratio": round(medians["first_visit_ms"] / medians["bare_cold_ms"], 3),
        "second_ratio": round(medians["second_visit_ms"] / medians["bare_reload_ms"], 3),
        "browser": version,
        "python": platform.python_version(),
    }


def engine_bench() -> Any:
    """The engine's own figures, when it has some."""
    done = subprocess.run(
        [sys.executable, "-m", "lovecraft", "bench", "--json"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(prog="build.py bench")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--plain-runs", type=int, default=5, help="plain path, PyScript")
    parser.add_argument("--slow-runs", type=int, default=5, help="on a browser slowed down")
    parser.add_argument("--slow", type=float, default=4, help="how many times slower")
    parser.add_argument("--lab-runs", type=int, default=5, help="notebooks opened cold")
    parser.add_argument("--route", default="#/ancient-cards/score")
    parser.add_argument("--tap", default='[data-act="rune"]:not([aria-disabled="true"])')
    parser.add_argument("--no-engine", action="store_true", help="the boot alone")
    arguments = parser.parse_args()
    where = (arguments.route, arguments.tap)
    options = Options(arguments.runs, arguments.plain_runs, arguments.lab_runs, 1, *where)
    slow = Options(arguments.slow_runs, 0, 0, arguments.slow, *where)
    with sync_playwright() as playwright:
        report: dict[str, Any] = {"boot": measure(playwright, options)}
        if slow.runs:
            report["slow"] = measure(playwright, slow)
        report["boot"] |= memory.measure()
    if not arguments.no_engine:
        report["engine"] = engine_bench()
    if arguments.json:
        print(json.dumps(report, indent=2))
    else:
        for name, value in report["boot"].items():
            print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
