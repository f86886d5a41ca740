"""The engine's own tests once more, under the Python that the site ships."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tools.pipeline import fetch, pack
from tools.pipeline.paths import NODE_TOOLS, PYODIDE, ROOT, WORK
from tools.pipeline.steps import node

PARTS = ("tests/engine", "tests/golden")


def bundle(target: Path) -> None:
    """pytest, Hypothesis and the suite; the engine itself comes as the wheel that was built."""
    members: dict[str, bytes] = {}
    for name in fetch.lock()["tests"]:
        members |= pack.read(fetch.archive("tests", name))
    members |= {
        name: data
        for name, data in pack.read(fetch.archive("wheels", "packaging")).items()
        if name.startswith("packaging")
    }
    pack.write(target, members)


def test_engine_suite_under_pyodide() -> None:
    packages, suite = WORK / "pytest.zip", WORK / "suite.zip"
    bundle(packages)
    tests = {name: data for part in PARTS for name, data in pack.tree(ROOT / part, ROOT).items()}
    pack.write(suite, tests | {"pyproject.toml": (ROOT / "pyproject.toml").read_bytes()})
    done = subprocess.run(
        [node(), NODE_TOOLS / "pytest.mjs", PYODIDE, packages, pack.wheel(), suite],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    tail = "\n".join(done.stdout.splitlines()[-60:])
    assert done.returncode == 0, tail + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, tail
    assert int(passed[1]) > 0
