"""Puts `dist/site` together: hashed names, the page's data, the service worker's list.

Everything but the entry points lies in `assets/` under a name with its content's hash, so a file
may be cached for ever and a half-deployed site never mixes two builds.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

from tools.pipeline import fetch, lab, licences, pack, panel_js, snapshot
from tools.pipeline.paths import DIST, NPM, PYODIDE, ROOT, SITE, VENV_PYTHON, WORK
from tools.pipeline.steps import BuildError, run, sha256, step

LANGUAGES = ("en", "pt", "es", "ro")
TEXT = {
    ".js",
    ".mjs",
    ".css",
    ".html",
    ".json",
    ".wasm",
    ".svg",
    ".webmanifest",
}  # hosts gzip these
PREPAINT = WORK / "prepaint.json"

# Files of wheels that the page loads itself.
_FROM_WHEELS = {
    "bokeh.min.js": ("bokeh", "bokeh/server/static/js/bokeh.min.js"),
    "bokeh-widgets.min.js": ("bokeh", "bokeh/server/static/js/bokeh-widgets.min.js"),
    "panel.min.js": ("panel", "panel/dist/panel.min.js"),
}
# Our own modules, in an order in which each comes after those it names.
_MODULES = (
    "store.js", "memory.js", "runtime.js", "keep.js", "document.js", "offline.js", "start.js",
    "worker.js", "shell.js",
)  # fmt: skip
_NAMED = re.compile(r"""(?P<open>["'(])\./(?P<name>[\w.-]+)(?P<close>["')])""")


class Assets:
    """The files under `assets/`, and the names others call them by."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.table: dict[str, dict[str, Any]] = {}

    def add(self, name: str, data: bytes) -> None:
        digest = sha256(data)
        stem, _, suffix = name.partition(".")
        url = f"assets/{stem}.{digest[:10]}.{suffix}"
        path = self.target / url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        wire = len(gzip.compress(data, 6)) if path.suffix in TEXT else len(data)
        self.table[name] = {"url": url, "size": len(data), "wire": wire}

    def link(self, text: str, prefix: str) -> str:
        """Names like "./store.js" become those of the hashed files, seen from `prefix`."""

        def hashed(match: re.Match[str]) -> str:
            entry = self.table.get(match["name"])
            if not entry:
                return match[0]
            return f"{match['open']}{prefix}{Path(entry['url']).name}{match['close']}"

        return _NAMED.sub(hashed, text)

    def add_text(self, name: str, text: str) -> None:
        self.add(name, self.link(text, "./").encode())


def _words() -> dict[str, dict[str, str]]:
    folder = ROOT / "lovecraft" / "i18n"
    return {
        lang: json.loads((folder / lang / "site.json").read_text(encoding="utf-8"))
        for lang in LANGUAGES
    }


def prepaint() -> None:
    """The launcher's HTML in each language, as the apps themselves write it."""
    code = (
        "import json, sys, apps.main\n"
        "json.dump({lang: apps.main.prepaint(lang) for lang in sys.argv[1:]}, sys.stdout)"
    )

    def make() -> None:
        text = run(VENV_PYTHON, "-c", code, *LANGUAGES, what="Painting the launcher beforehand")
        PREPAINT.write_text(text, encoding="utf-8")

    step("prepaint", [ROOT / "apps", ROOT / "lovecraft", Path(__file__)], [PREPAINT], make)


def _libraries(assets: Assets) -> None:
    for name, (package, member) in _FROM_WHEELS.items():
        with zipfile.ZipFile(fetch.archive("wheels", package)) as wheel:
            text = wheel.read(member).decode("utf-8")
        if name == "panel.min.js":
            document = (snapshot.FOLDER / "document.json").read_text(encoding="utf-8")
            text = panel_js.trim(text, panel_js.named(document))
        # The maps are not shipped: a browser's tools would ask for them in vain.
        assets.add(name, re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", text).encode())
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        text = (PYODIDE / name).read_text(encoding="utf-8")
        assets.add(name, re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", text).encode())
    for name in ("pyodide.asm.wasm", "python_stdlib.zip"):
        assets.add(name, (PYODIDE / name).read_bytes())
    assets.add("zstd.wasm", _decoder())
    assets.add("idiomorph.esm.js", (NPM / "idiomorph" / "dist" / "idiomorph.esm.js").read_bytes())


def _decoder() -> bytes:
    """zstddec's WebAssembly alone: its module fetches it from a data: address, which the page's
    policy forbids."""
    module = (NPM / "zstddec" / "dist" / "zstddec-stream.mjs").read_text(encoding="utf-8")
    found = re.search(r'const wasm = "([\w+/=]+)"', module)
    if not found:
        raise BuildError("zstddec's module has no WebAssembly where the build looks for it.")
    return base64.b64decode(found[1])


def _own(assets: Assets) -> None:
    """The apps' static files, then the shell's own: leaves before those that name them."""
    static = sorted(
        (ROOT / "apps" / "static").glob("*"), key=lambda path: (path.suffix in TEXT, path.name)
    )
    frame = [SITE / "icon.svg", *sorted(SITE.glob("*.png")), *sorted(SITE.glob("*.css"))]
    for path in [*frame, *static]:
        if path.suffix in {".js", ".css"}:
            assets.add_text(path.name, path.read_text(encoding="utf-8"))
        else:
            assets.add(path.name, path.read_bytes())
    for name in _MODULES:
        assets.add_text(name, (SITE / name).read_text(encoding="utf-8"))


def _python() -> dict[str, Any]:
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    info = lock["info"] | {"version": fetch.lock()["npm"]["pyodide"]["version"]}
    env = json.loads((SITE / "runtime.env.json").read_text(encoding="utf-8"))
    return {"env": env, "info": info, "packs": snapshot.packs()}


def _json_in_html(value: object) -> str:
    """JSON for a data block: nothing in it can end the block."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def _index(assets: Assets, build: str) -> str:
    painted = json.loads(PREPAINT.read_text(encoding="utf-8"))
    document = (snapshot.FOLDER / "document.json").read_text(encoding="utf-8")
    data = {
        "build": build,
        "assets": assets.table,
        "python": _python(),
        "words": _words(),
        "document": document,
    }
    parts = {
        "data": _json_in_html(data),
        "prepaint": painted["en"],
        "templates": "\n".join(
            f'<template data-lang="{html.escape(lang)}">{painted[lang]}</template>'
            for lang in LANGUAGES
        ),
    }
    page = (SITE / "index.html").read_text(encoding="utf-8")
    page = assets.link(page, "./assets/")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def assemble(target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    assets = Assets(target)
    _libraries(assets)
    for name in snapshot.packs():
        assets.add(name, (WORK / name).read_bytes())
    for name in (snapshot.PACKED, "snapshot.json"):
        assets.add(name, (snapshot.FOLDER / name).read_bytes())
    _own(assets)

    manifest = (SITE / "manifest.webmanifest").read_text(encoding="utf-8")
    (target / "manifest.webmanifest").write_text(
        assets.link(manifest, "./assets/"), encoding="utf-8"
    )
    unnamed = [
        _index(assets, ""),
        assets.link(licences.page(_words(), ""), "./assets/"),
        (SITE / "sw.js").read_text(encoding="utf-8"),
    ]
    build = sha256("".join(unnamed).encode())[:12]
    (target / "index.html").write_text(_index(assets, build), encoding="utf-8")
    (target / "licences.html").write_text(
        assets.link(licences.page(_words(), build), "./assets/"), encoding="utf-8"
    )

    files = {
        path.relative_to(target).as_posix(): sha256(path.read_bytes())
        for path in sorted(target.rglob("*"))
        if path.is_file()
    }
    files["./"] = files.pop("index.html")  # the address people open
    worker = (SITE / "sw.js").read_text(encoding="utf-8")
    manifest_json = json.dumps({"build": build, "files": files}, sort_keys=True)
    listed = re.sub(r"/\*\{\{manifest\}\}\*/ \{.*?\};", lambda _: manifest_json + ";", worker)
    if listed == worker:
        raise BuildError("site/sw.js has lost the place where the file list goes.")
    (target / "sw.js").write_text(listed, encoding="utf-8")
    lab.install(target, assets.table, _python())  # apart: no visitor of the tables fetches it


def build() -> None:
    """Every step, each only when its inputs have changed."""
    fetch.ensure()
    pack.vendor()
    pack.engine()
    pack.apps()
    snapshot.make()
    prepaint()
    lab.build()
    made = [WORK / name for name in snapshot.packs()]
    inputs = [
        Path(__file__), Path(licences.__file__), Path(panel_js.__file__), *licences.inputs(),
        SITE, ROOT / "apps" / "static", PREPAINT, snapshot.FOLDER, *made,
        *(ROOT / "lovecraft" / "i18n" / lang / "site.json" for lang in LANGUAGES),
        *lab.inputs(),
    ]  # fmt: skip
    step("site", inputs, [DIST], lambda: assemble(DIST))
