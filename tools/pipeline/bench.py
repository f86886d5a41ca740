"""Measures the boot in headless Chromium, a bare `loadPyodide()` page beside it in the same run.

    python3 build.py bench --json [--runs 5] [--tap SELECTOR] [--route HASH] [--throttle N]

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
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tools.pipeline import browser, server
from tools.pipeline.paths import DIST, PYODIDE, ROOT
from tools.pipeline.steps import say

BARE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">
import { loadPyodide } from "./pyodide.mjs";
const py = await loadPyodide();
py.runPython("1 + 1");
document.documentElement.dataset.ready = String(performance.now());
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
  const observer = new MutationObserver(() => {
    if (!tapped) return;
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


@contextmanager
def bare_site() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
            shutil.copy(PYODIDE / file, folder / file)
        shutil.copy(PYODIDE / "pyodide-lock.json", folder / "pyodide-lock.json")
        (folder / "index.html").write_text(BARE, encoding="utf-8")
        yield folder


class CountingServer:
    """Bodies sent, counted at the host: what the network really carries."""

    def __init__(self, root: Path) -> None:
        self.running = server.make(root)
        self.sent = 0
        handler = self.running.RequestHandlerClass
        send_header = handler.send_header
        outer = self

        def counted(handling: Any, keyword: str, value: str) -> None:
            if keyword == "Content-Length":
                outer.sent += int(value)
            send_header(handling, keyword, value)

        handler.send_header = counted  # type: ignore[method-assign]

    @property
    def url(self) -> str:
        return f"http://localhost:{self.running.server_address[1]}/"


@contextmanager
def counting(root: Path) -> Iterator[CountingServer]:
    host = CountingServer(root)
    threading.Thread(target=host.running.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield host
    finally:
        host.running.shutdown()
        host.running.server_close()


def fresh(chromium: Browser) -> BrowserContext:
    return chromium.new_context(viewport={"width": 390, "height": 844})


def throttle(page: Page, rate: float) -> None:
    if rate > 1:
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})


def bare_boot(context: BrowserContext, url: str, rate: float) -> float:
    page = context.new_page()
    throttle(page, rate)
    page.goto(url)
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    took = float(page.evaluate("Number(document.documentElement.dataset.ready)"))
    page.close()
    return took


def visit(
    context: BrowserContext, url: str, arguments: argparse.Namespace, query: str = ""
) -> tuple[Page, dict[str, float]]:
    """Open the site, tap until Python answers."""
    page = context.new_page()
    throttle(page, arguments.throttle)
    page.goto(url + query + arguments.route, wait_until="commit")
    page.wait_for_selector("#screen")
    tap = page.evaluate(FIRST_TAP, arguments.tap)
    painted = page.evaluate(
        "(performance.getEntriesByName('first-contentful-paint')[0] ?? {}).startTime ?? null"
    )
    page.wait_for_selector("html[data-ready]", timeout=120_000)
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


def measure(chromium: Browser, arguments: argparse.Namespace) -> dict[str, Any]:
    series: dict[str, list[float]] = {}
    marks: dict[str, dict[str, list[float]]] = {}

    def note(name: str, value: float | None) -> None:
        if value is not None:
            series.setdefault(name, []).append(value)

    with bare_site() as bare, counting(bare) as plain_host, counting(DIST) as host:
        for turn in range(arguments.runs):
            say(f"  run {turn + 1} of {arguments.runs}")
            context = fresh(chromium)
            note("bare_cold_ms", bare_boot(context, plain_host.url, arguments.throttle))
            note("bare_reload_ms", bare_boot(context, plain_host.url, arguments.throttle))
            context.close()

            context = fresh(chromium)
            sent = host.sent
            page, first = visit(context, host.url, arguments)
            note("first_visit_ms", first["first_tap"])
            note("first_paint_ms", first["painted"])
            note("first_visit_bytes", host.sent - sent)
            page.wait_for_selector("#offline[data-state=ready]", timeout=120_000)
            page.wait_for_timeout(3500)  # the standard library's late arrival included
            note("later_bytes", host.sent - sent - series["first_visit_bytes"][-1])
            for took in taps(page, arguments.tap):
                note("tap_ms", took)
            page.close()
            page, second = visit(context, host.url, arguments)
            note("second_visit_ms", second["first_tap"])
            note("second_paint_ms", second["painted"])
            for name, seen in (("first", first), ("second", second)):
                for mark, at in seen["marks"].items():
                    marks.setdefault(name, {}).setdefault(mark, []).append(at)
            page.close()
            context.close()

            if turn < arguments.plain_runs:
                context = fresh(chromium)
                page, seen = visit(context, host.url, arguments, "?boot=plain")
                note("plain_first_visit_ms", seen["first_tap"])
                page.wait_for_selector("#offline[data-state=ready]", timeout=120_000)
                page.close()
                page, seen = visit(context, host.url, arguments, "?boot=plain")
                note("plain_second_visit_ms", seen["first_tap"])
                context.close()

    medians = {name: round(statistics.median(values), 1) for name, values in series.items()}
    return {
        "runs": arguments.runs,
        "throttle": arguments.throttle,
        "route": arguments.route,
        "tap": arguments.tap,
        **medians,
        "first_ratio": round(medians["first_visit_ms"] / medians["bare_cold_ms"], 3),
        "second_ratio": round(medians["second_visit_ms"] / medians["bare_reload_ms"], 3),
        "marks": {
            visit_: {mark: statistics.median(values) for mark, values in seen.items()}
            for visit_, seen in marks.items()
        },
        "browser": chromium.version,
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
    parser.add_argument("--plain-runs", type=int, default=3, help="the plain path is slow")
    parser.add_argument("--throttle", type=float, default=1, help="slow the page's CPU down")
    parser.add_argument("--route", default="#/ancient-cards/score")
    parser.add_argument("--tap", default='[data-act="rune"]')
    parser.add_argument("--no-engine", action="store_true", help="the boot alone")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=str(browser.find()), args=list(browser.FLAGS)
        )
        report: dict[str, Any] = {"boot": measure(chromium, arguments)}
        chromium.close()
    if not arguments.no_engine:
        report["engine"] = engine_bench()
    if arguments.json:
        print(json.dumps(report, indent=2))
    else:
        for name, value in report["boot"].items():
            print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
