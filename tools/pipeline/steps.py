"""Errors in one sentence, programs run, steps skipped while their inputs stay the same."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from tools.pipeline.paths import ROOT, STAMPS


class BuildError(Exception):
    """Something the person at the keyboard can mend; its text is one sentence."""


def say(text: str) -> None:
    """Progress goes to stderr: `bench --json` keeps stdout for itself."""
    print(text, file=sys.stderr, flush=True)


def run(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    what: str = "",
    cwd: Path = ROOT,
) -> str:
    """Run a program, return its stdout; a failure shows the end of what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-40:])
        raise BuildError(f"{what or Path(str(command[0])).name} failed:\n{tail}")
    return done.stdout


def node() -> str:
    """Node's path, once it is known to be new enough."""
    found = shutil.which("node")
    if not found:
        raise BuildError("Node.js is missing: install Node 20 or newer and put it on PATH.")
    version = run(found, "--version").strip().lstrip("v")
    if int(version.split(".")[0]) < 20:
        raise BuildError(f"Node.js {version} is too old: version 20 or newer is needed.")
    return found


def files(*roots: Path) -> Iterator[Path]:
    """Every source file under the given files and folders, in a fixed order."""
    for root in roots:
        if root.is_file():
            yield root
        elif root.is_dir():
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest(inputs: Iterable[Path], salt: str = "") -> str:
    """One hash over names and contents."""
    total = hashlib.sha256(salt.encode())
    for path in files(*inputs):
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        total.update(f"\0{name.as_posix()}\0{sha256(path.read_bytes())}".encode())
    return total.hexdigest()


def step(
    name: str,
    inputs: Iterable[Path],
    outputs: Iterable[Path],
    action: Callable[[], None],
    salt: str = "",
) -> bool:
    """Do `action` unless the same inputs have already made these outputs; says whether it ran."""
    inputs, outputs = list(inputs), list(outputs)
    stamp = STAMPS / f"{name}.json"
    before = digest(inputs, salt)
    if stamp.exists() and all(path.exists() for path in outputs):
        kept = json.loads(stamp.read_text())
        if kept == {"inputs": before, "outputs": digest(outputs)}:
            return False
    say(f"· {name}")
    began = time.monotonic()
    stamp.unlink(missing_ok=True)
    action()
    missing = [str(path) for path in outputs if not path.exists()]
    if missing:
        raise BuildError(f"Step {name} did not write {', '.join(missing)}.")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(json.dumps({"inputs": before, "outputs": digest(outputs)}))
    say(f"  {name}: {time.monotonic() - began:.1f} s")
    return True
