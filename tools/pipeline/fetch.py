"""The external files we ship: fetched by name and version, accepted by hash alone.

`site/runtime.lock.json` names no host: pip and npm know where their registries are. Run
`python3 -m tools.pipeline.fetch` to write the hashes anew after changing a version in it.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from tools.pipeline.paths import DOWNLOADS, NPM, PYODIDE, RUNTIME_LOCK, VENV_PYTHON
from tools.pipeline.steps import BuildError, run, say, sha256, step

_PIP = (
    VENV_PYTHON, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
    "--no-deps", "--only-binary", ":all:", "--python-version", "3.14",
)  # fmt: skip
_PURE = ("--implementation", "py", "--abi", "none", "--platform", "any")
_NATIVE = ("--implementation", "cp", "--abi", "cp314", "--platform", "manylinux2014_x86_64")


class Entry(TypedDict, total=False):
    """One package of the lock."""

    version: str
    sha256: str
    native: bool  # no pure wheel exists: take one for a fixed platform and drop its binaries


def lock() -> dict[str, dict[str, Entry]]:
    data: dict[str, dict[str, Entry]] = json.loads(RUNTIME_LOCK.read_text(encoding="utf-8"))
    return data


def archive(group: str, name: str) -> Path:
    """Where a package's file is kept; by hash, so that a new lock never meets old bytes."""
    entry = lock()[group][name]
    return DOWNLOADS / f"{group}-{name}-{entry['version']}-{entry['sha256'][:12]}"


def _download(group: str, name: str, entry: Entry, folder: Path) -> Path:
    wanted = f"{name}@{entry['version']}" if group == "npm" else f"{name}=={entry['version']}"
    say(f"  fetching {wanted}")
    try:
        if group == "npm":
            npm = shutil.which("npm")
            if not npm:
                raise BuildError("npm is missing: install it together with Node 20 or newer.")
            run(npm, "pack", "--silent", wanted, "--pack-destination", folder, cwd=folder)
        else:
            run(*_PIP, *(_NATIVE if entry.get("native") else _PURE), "-d", folder, wanted)
    except (BuildError, subprocess.SubprocessError) as error:
        raise BuildError(
            f"{wanted} could not be fetched from its package registry; "
            f"connect and try again. ({str(error).splitlines()[-1]})"
        ) from error
    return next(path for path in folder.iterdir() if path.is_file())


def fetch(group: str, name: str) -> Path:
    """The package's file in the cache, fetched when missing, checked always."""
    entry, target = lock()[group][name], archive(group, name)
    if not target.exists():
        DOWNLOADS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=DOWNLOADS) as folder:
            _download(group, name, entry, Path(folder)).rename(target)
    if sha256(target.read_bytes()) != entry["sha256"]:
        target.unlink()
        raise BuildError(
            f"{name} {entry['version']} does not have the hash written in {RUNTIME_LOCK.name}."
        )
    return target


def _ahead(groups: Mapping[str, Mapping[str, Entry]]) -> None:
    """The pure wheels that are missing, in one call of pip: starting it takes longer than a wheel.

    What it cannot bring is left to :func:`fetch`, which says so.
    """
    missing = {
        archive(group, name): f"{name}=={entry['version']}"
        for group, entries in groups.items()
        for name, entry in entries.items()
        if group != "npm" and not entry.get("native") and not archive(group, name).exists()
    }
    if len(missing) < 2:
        return
    say(f"  fetching {len(missing)} wheels")
    DOWNLOADS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DOWNLOADS) as folder:
        with contextlib.suppress(BuildError):
            run(*_PIP, *_PURE, "-d", folder, *sorted(set(missing.values())))
        for target, wanted in missing.items():
            start = wanted.replace("==", "-").replace("-", "_").lower()
            for path in Path(folder).iterdir():
                if path.name.replace("-", "_").lower().startswith(start + "_"):
                    shutil.copy(path, target)


def _unpack(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    with tarfile.open(source) as tar, tempfile.TemporaryDirectory(dir=DOWNLOADS) as folder:
        tar.extractall(folder, filter="data")
        target.parent.mkdir(parents=True, exist_ok=True)
        (Path(folder) / "package").rename(target)


def ensure() -> None:
    """Everything of the lock in the cache, npm's packages unpacked."""
    groups = lock()

    def everything() -> None:
        _ahead(groups)
        for group, entries in groups.items():
            for name in entries:
                fetch(group, name)
        for name in groups["npm"]:
            _unpack(archive("npm", name), PYODIDE if name == "pyodide" else NPM / name)

    kept = [archive(group, name) for group, entries in groups.items() for name in entries]
    unpacked = [
        PYODIDE / "pyodide.mjs",
        PYODIDE / "pyodide.asm.wasm",
        PYODIDE / "python_stdlib.zip",
    ]
    unpacked += [NPM / name / "package.json" for name in groups["npm"] if name != "pyodide"]
    step("runtime", [RUNTIME_LOCK], [*kept, *unpacked], everything)


def relock() -> None:
    """Write the hash of what the registries serve for the versions in the lock."""
    groups = lock()
    for group, entries in groups.items():
        for name, entry in entries.items():
            with tempfile.TemporaryDirectory() as folder:
                entry["sha256"] = sha256(_download(group, name, entry, Path(folder)).read_bytes())
    RUNTIME_LOCK.write_text(json.dumps(groups, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    relock()
