"""The checks and the bench, run in the project's environment."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.pipeline import browser
from tools.pipeline.paths import ROOT, VENV_PYTHON
from tools.pipeline.steps import say

NOTHING_CHOSEN = 5  # pytest's way to say that a file has no test of the kind asked for


def _call(*command: str | Path, env: dict[str, str] | None = None) -> int:
    say("· " + " ".join(str(part) for part in command[1:]))
    return subprocess.run(
        [str(part) for part in command], cwd=ROOT, env={**os.environ, **(env or {})}, check=False
    ).returncode


class Job(NamedTuple):
    """One command of the check, run by the environment's Python."""

    command: tuple[str, ...]
    needs_site: bool = False


BUILD = Job(("build.py", "site"))
LINT = tuple(
    Job(("-m", *command.split())) for command in ("ruff check .", "ruff format --check .", "mypy")
)
PYTEST = ("-m", "pytest", "-m")
ON_THE_SITE = ("tests/pyodide", "tests/test_panel_js.py", "tests/test_publishing.py")
"""Tests outside tests/browser that look at what was built."""


def _counting(marks: str) -> list[Job]:
    """All that needs no browser."""
    apart = [f"--ignore={path}" for path in ("tests/browser", *ON_THE_SITE)]
    return [*LINT, Job((*PYTEST, marks, *apart)), Job((*PYTEST, marks, *ON_THE_SITE), True)]


def _browsing(marks: str) -> list[Job]:
    """A job for each file of tests in the browser, the longer ones first."""
    paths = (ROOT / "tests" / "browser").glob("test_*.py")
    longest = sorted(paths, key=lambda path: (-path.stat().st_size, path.name))
    return [Job((*PYTEST, marks, f"tests/browser/{path.name}"), True) for path in longest]


def _side_by_side(first: list[Job], second: list[Job], env: dict[str, str]) -> list[Job]:
    """Build the site and do the jobs, two at a time, each one's output when it has ended.

    Each hand has its own jobs, and when none is left takes the other's last. What needs the site
    waits for it, and is not tried without it. Gives the jobs that failed.
    """
    printing = threading.Lock()
    built: Future[bool] = Future()

    def do(job: Job) -> bool:
        if job.needs_site and not built.result():
            return False
        began = time.monotonic()
        done = subprocess.run(
            [VENV_PYTHON, *job.command], cwd=ROOT, env={**os.environ, **env},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        with printing:
            say(f"· {' '.join(job.command)}: {time.monotonic() - began:.0f} s")
            sys.stdout.buffer.write(done.stdout)
            sys.stdout.flush()
        well = done.returncode in (0, NOTHING_CHOSEN if job.needs_site else 0)
        if job is BUILD:
            built.set_result(well)
        return well

    def work(own: deque[Job], others: deque[Job]) -> list[Job]:
        failed: list[Job] = []
        while True:
            try:
                job = own.popleft() if own else others.pop()
            except IndexError:
                return failed
            if not do(job):
                failed.append(job)

    queues = deque([BUILD, *first]), deque(second)
    with ThreadPoolExecutor(2) as hands:
        both = [hands.submit(work, *queues), hands.submit(work, *reversed(queues))]
        return [job for one in both for job in one.result()]


def other_browsers(kinds: str, arguments: list[str]) -> int:
    """Firefox and WebKit, where they are installed."""
    env = {"LOVECRAFT_BROWSERS": kinds}
    return _call(VENV_PYTHON, "-m", "pytest", "-s", "-m", "browsers", *arguments, env=env)


def test(*, long: bool, arguments: list[str]) -> int:
    """Linter, formatter, types and every test; with arguments, one run of pytest with these."""
    env = {"CHROMIUM": str(browser.find()), "LOVECRAFT_LONG": "1" if long else ""}
    marks = "not browsers" if long else "not long and not browsers"
    if arguments:
        jobs = [BUILD, *LINT, Job((*PYTEST, marks, *arguments))]
        failed = [job for job in jobs if _call(VENV_PYTHON, *job.command, env=env)]
    else:
        failed = _side_by_side(_browsing(marks), _counting(marks), env)
    for job in failed:
        say(f"build.py: {' '.join(job.command)} failed.")
    return 1 if failed else 0


def bench(*, as_json: bool, arguments: list[str]) -> int:
    flags = ["--json"] if as_json else []
    env = {"CHROMIUM": str(browser.find())}
    return _call(VENV_PYTHON, "-m", "tools.pipeline.bench", *flags, *arguments, env=env)
