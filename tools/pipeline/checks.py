"""The checks and the bench, run in the project's environment."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.pipeline import browser
from tools.pipeline.paths import ROOT, VENV_PYTHON
from tools.pipeline.steps import say


def _call(*command: str | Path, env: dict[str, str] | None = None) -> int:
    say("· " + " ".join(str(part) for part in command[2:]))
    return subprocess.run(
        [str(part) for part in command], cwd=ROOT, env={**os.environ, **(env or {})}, check=False
    ).returncode


def _together(first: list[str], second: list[str], env: dict[str, str]) -> list[list[str]]:
    """Run two commands side by side, the second one's output after the first's; which failed."""
    with tempfile.TemporaryFile() as kept:
        say("· " + " ".join(second) + " (beside the next)")
        beside = subprocess.Popen(
            [VENV_PYTHON, "-m", *second], cwd=ROOT, env={**os.environ, **env},
            stdout=kept, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            failed = [first] if _call(VENV_PYTHON, "-m", *first, env=env) else []
            failed += [second] if beside.wait() else []
        finally:
            beside.kill()
        kept.seek(0)
        say("· " + " ".join(second))
        sys.stdout.flush()
        sys.stdout.buffer.write(kept.read())
        sys.stdout.flush()
    return failed


def other_browsers(kinds: str, arguments: list[str]) -> int:
    """Firefox and WebKit, where they are installed."""
    env = {"LOVECRAFT_BROWSERS": kinds}
    return _call(VENV_PYTHON, "-m", "pytest", "-s", "-m", "browsers", *arguments, env=env)


def test(*, long: bool, arguments: list[str]) -> int:
    """Linter, formatter and types first: they are quick to tell; then every test.

    Tests in the browser mostly wait, so the others run beside them; with arguments it is one run.
    """
    env = {"CHROMIUM": str(browser.find()), "LOVECRAFT_LONG": "1" if long else ""}
    marks = ["-m", "not browsers" if long else "not long and not browsers"]
    failed = [
        command
        for command in (
            ["ruff", "check", "."],
            ["ruff", "format", "--check", "."],
            ["mypy"],
        )
        if _call(VENV_PYTHON, "-m", *command, env=env)
    ]
    tests = ["pytest", *marks]
    if arguments:
        failed += [tests] if _call(VENV_PYTHON, "-m", *tests, *arguments, env=env) else []
    else:
        browsing = [*tests, "tests/browser"]
        failed += _together(browsing, [*tests, "--ignore=tests/browser"], env)
    for command in failed:
        say(f"build.py: {' '.join(command)} failed.")
    return 1 if failed else 0


def bench(*, as_json: bool, arguments: list[str]) -> int:
    flags = ["--json"] if as_json else []
    env = {"CHROMIUM": str(browser.find())}
    return _call(VENV_PYTHON, "-m", "tools.pipeline.bench", *flags, *arguments, env=env)
