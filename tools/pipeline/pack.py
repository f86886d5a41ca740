"""Deterministic archives of what runs in the browser: sources first, byte code after."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.pipeline import fetch, lazy, slim
from tools.pipeline.paths import NODE_TOOLS, PYODIDE, ROOT, SITE, VENV_PYTHON, WORK
from tools.pipeline.steps import node, run, step

VENDOR = WORK / "vendor.zip"
APPS = WORK / "apps.zip"
WHEELS = WORK / "wheels"  # the engine's wheel, as it would be published
ENGINE = WORK / "lovecraft.zip"
ENGINE_WHOLE = WORK / "lovecraft-whole.zip"  # with what only notebooks use

EPOCH = (2020, 1, 1, 0, 0, 0)  # every file's date: the same input gives the same bytes
FIXED = {"SOURCE_DATE_EPOCH": "1577836800", "PYTHONHASHSEED": "0"}

# What a page never opens: tests, browser bundles (shipped as files of the site), other front ends.
_SKIP = re.compile(
    r"""(^|/)(tests?|__pycache__|node_modules|sampledata|sphinxext|typings)/
      | ^panel/(dist|models/.*\.ts|command|template/(?!.*\.py$|base/)) | ^bokeh/server/static/
      | ^segno/(cli|helpers)\.py
      | ^panel/eslint | ^bokeh/(command|_sri/(?!3\.9\.2\.json)) | ^markdown/__main__
      | ^pyviz_comms/labextension/(?!package\.json) | ^[^/]+\.data/
      | \.dist-info/(?!METADATA$) | package-lock\.json$
      | \.(map|tsx?|pyi|png|svg|ico|woff2?|so|c|less|rst|md)$""",
    re.VERBOSE,
)

# What only notebooks use: no page of the site loads it.
_FOR_NOTEBOOKS = re.compile(r"lovecraft/(notebook/|i18n/\w+/notebook\.json$)")

# In the place of `importlib.metadata` for packages that ask for their own version.
VERSIONS = '''"""The versions of the packages in this build."""

_VERSIONS = {table!r}


class PackageNotFoundError(ModuleNotFoundError):
    """No such package."""


def version(name):
    found = _VERSIONS.get(name.replace("_", "-"))
    if found is None:
        raise PackageNotFoundError(name)
    return found
'''


def write(target: Path, members: Mapping[str, bytes]) -> None:
    """A zip of fixed dates and order."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as out:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            out.writestr(info, members[name], compresslevel=9)


def read(source: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(source) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


def tree(folder: Path, base: Path, suffixes: Iterable[str] | None = None) -> dict[str, bytes]:
    return {
        path.relative_to(base).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and (suffixes is None or path.suffix in suffixes)
    }


def vendor_sources() -> dict[str, bytes]:
    """The wheels of the lock without what a page never opens, and the shims in their place."""
    members: dict[str, bytes] = {}
    for name in fetch.lock()["wheels"]:
        wheel = read(fetch.archive("wheels", name))
        members |= {path: data for path, data in wheel.items() if not _SKIP.search(path)}
    lazy.apply(members)
    slim.apply(members)
    versions = {name: entry["version"] for name, entry in fetch.lock()["wheels"].items()}
    members["lovecraft_versions.py"] = VERSIONS.format(table=versions).encode()
    return members | tree(SITE / "shims", SITE / "shims")


def byte_compile(jobs: Mapping[Path, Path]) -> None:
    """pyodide-build's py-compile, run by the interpreter that will load the byte code."""
    arguments = [str(part) for job in jobs.items() for part in job]
    run(
        node(), NODE_TOOLS / "compile.mjs", PYODIDE, fetch.archive("tools", "pyodide-build"),
        fetch.archive("wheels", "packaging"), *arguments, env=FIXED, what="Byte-compiling",
    )  # fmt: skip
    for target in jobs.values():
        write(target, read(target))


def vendor() -> None:
    def make() -> None:
        source = WORK / "source-vendor.zip"
        write(source, vendor_sources())
        byte_compile({source: VENDOR})

    tools = [Path(__file__), Path(lazy.__file__), Path(slim.__file__), NODE_TOOLS / "compile.mjs"]
    kept = [fetch.archive("wheels", name) for name in fetch.lock()["wheels"]]
    step("vendor", [*tools, *kept, SITE / "shims", PYODIDE / "pyodide.asm.wasm"], [VENDOR], make)


def engine() -> None:
    """The pure wheel, then its byte code."""

    def make() -> None:
        for old in WHEELS.glob("*"):
            old.unlink()
        run(
            VENV_PYTHON, "-m", "hatchling", "build", "-t", "wheel", "-d", WHEELS,
            env=FIXED, what="Building the wheel",
        )  # fmt: skip
        source = WORK / "source-lovecraft.zip"
        write(source, {k: v for k, v in read(wheel()).items() if not _FOR_NOTEBOOKS.match(k)})
        byte_compile({source: ENGINE, wheel(): ENGINE_WHOLE})

    tools = [Path(__file__), NODE_TOOLS / "compile.mjs", NODE_TOOLS / "runtime.mjs"]
    inputs = [*tools, ROOT / "pyproject.toml", ROOT / "lovecraft"]
    step("engine", inputs, [ENGINE, ENGINE_WHOLE], make)


def wheel() -> Path:
    return next(WHEELS.glob("lovecraft-*.whl"))


def apps() -> None:
    def make() -> None:
        source = WORK / "source-apps.zip"
        write(source, tree(ROOT / "apps", ROOT, {".py", ".json", ".js", ".css", ".svg", ".html"}))
        byte_compile({source: APPS})

    tools = [Path(__file__), NODE_TOOLS / "compile.mjs", NODE_TOOLS / "runtime.mjs"]
    step("apps", [*tools, ROOT / "apps"], [APPS], make)
