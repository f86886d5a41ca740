"""JupyterLite under `lab/`: the notebooks in the browser, on the site's own runtime.

The front end comes from jupyterlite-core's build. Its kernel does not load packages one by one: it
goes on from a memory snapshot of its own and gets one archive of byte code (IPython and what ties
it to the page) beside the archives that the tables boot from, see `site/lab/kernel.mjs`. Nothing
is fetched from elsewhere.
"""

from __future__ import annotations

import json
import re
import shutil
import struct
from pathlib import Path
from typing import Any

from tools.pipeline import fetch, pack
from tools.pipeline.paths import NODE_TOOLS, PYODIDE, ROOT, SITE, VENV_PYTHON, WORK
from tools.pipeline.steps import BuildError, files, node, run, say, sha256, step

SOURCES = SITE / "lab"
NOTEBOOKS = ROOT / "notebooks"
FOLDER = WORK / "lab"
TOOLS = FOLDER / "tools"  # JupyterLite's build, unpacked: no environment of its own to install
FRONT = FOLDER / "front"  # what it builds
KERNEL = FOLDER / "kernel.zip"  # byte code of the kernel's packages
MEMORY = FOLDER / "memory"  # the interpreter's, with the kernel made: kernel.bin.zst, kernel.json
LIBRARY = FOLDER / "library.zip"  # the engine: sources to read, byte code to run

# The extension's own wheels for the kernel's side.
_INSIDE = ("ipykernel", "pyodide_kernel")
_EXTENSION = "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"
_EXTENSION_IN_SITE = "extensions/@jupyterlite/pyodide-kernel-extension/static"
_APPS = ("lab", "notebooks", "tree")

# Where Panel and Bokeh find their files for the page, as seen from the page; the same seed for all,
# since a memory has it frozen in.
_ENV = {
    "PYTHONHASHSEED": "0",
    "HOME": "/home/pyodide",
    "PANEL_CDN_ROOT": "../static/cdn/panel/",
    "PANEL_NPM_CDN": "../static/cdn/npm",
    "BOKEH_CDN_ROOT": "../static/cdn",
}

# Of Pygments' lexers a notebook shows Python, and IPython's magics name a few others.
_LEXERS = "(__init__|_mapping|python|shell|html|javascript|perl|ruby|markup|css|data|special)"
_SKIP = re.compile(
    rf"""(^|/)(tests?|__pycache__)/ | ^[^/]+\.data/ | \.dist-info/(?!METADATA$)
      | ^pygments/(styles/(?!__init__|_mapping|default|monokai)|formatters/(?!__init__|_mapping
      |html|terminal)|lexers/(?!{_LEXERS}\.py))
      | ^IPython/(sphinxext/|terminal/(?!__init__|pt_inputhooks/__init__))
      | \.(pyi|so|c|png|svg|rst|md|txt|ipynb|typed|map)$""",
    re.VERBOSE,
)

# Bokeh has no setting for where its scripts lie; Panel leans on tornado, which no browser has, to
# send what changed before the page has opened its end; the kernel asks a function of the page's,
# which no snapshot can hold, for packages to fetch (there are none), and takes Jedi for granted.
_PATCHES = {
    "bokeh/resources.py": (
        '    return "https://cdn.bokeh.org"',
        '    import os\n    return os.environ["BOKEH_CDN_ROOT"]',
    ),
    "panel/io/notebook.py": (
        "from tornado.ioloop import IOLoop\n            IOLoop.current().call_later(0.1, partial(",
        "import asyncio\n            asyncio.get_running_loop().call_later(0.1, partial(",
    ),
    "pyodide_kernel/kernel.py": (
        "from pyodide_js import loadPackagesFromImports as _load_packages_from_imports",
        "async def _load_packages_from_imports(_code): pass",
    ),
    "pyodide_kernel/interpreter.py": ("Completer.use_jedi = True", "Completer.use_jedi = False"),
}

# The site's own files that the kernel uses, too.
_SHARED = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "vendor.zip",
    "memory.js", "runtime.js", "zstd.wasm",
)  # fmt: skip

# What a page of the lab loads for Bokeh and Panel, out of the same wheels as the site's own.
_SCRIPTS = ("", "-gl", "-widgets", "-tables")


def _unpack(group: str, name: str, target: Path) -> None:
    """A wheel as an installer would lay it out, its data beside the packages."""
    for path, data in pack.read(fetch.archive(group, name)).items():
        place = re.sub(r"^[^/]+\.data/data/", "", path)
        file = target / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _front() -> None:
    shutil.rmtree(TOOLS, ignore_errors=True)
    shutil.rmtree(FRONT, ignore_errors=True)
    for name in fetch.lock()["labtools"]:
        _unpack("labtools", name, TOOLS)
    _unpack("wheels", "pyviz-comms", TOOLS)
    project = FOLDER / "project"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir()
    config = {
        "LiteBuildConfig": {
            "output_dir": str(FRONT),
            "cache_dir": str(FOLDER / "cache"),
            "apps": list(_APPS),
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "no_libarchive": True,
            "ignore_sys_prefix": True,
            "source_date_epoch": int(pack.FIXED["SOURCE_DATE_EPOCH"]),
        },
        "FederatedExtensionAddon": {
            "extra_labextensions_path": [str(TOOLS / "share" / "jupyter" / "labextensions")]
        },
    }
    (project / "jupyter_lite_config.json").write_text(json.dumps(config))
    shutil.copy(SOURCES / "jupyter-lite.json", project)
    run(
        VENV_PYTHON, "-c", "from jupyterlite_core.app import main; main()", "build",
        cwd=project, env={**pack.FIXED, "PYTHONPATH": str(TOOLS), "HOME": str(FOLDER)},
        what="Building JupyterLite",
    )  # fmt: skip
    for name in ("package.json", "rspack*.js", "doc", "*/package.json"):
        for path in FRONT.glob(name):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _kernel_sources() -> dict[str, bytes]:
    members: dict[str, bytes] = {}
    for name in fetch.lock()["lab"]:
        members |= pack.read(fetch.archive("lab", name))
    extension = TOOLS / _EXTENSION / "static" / "pypi"
    for name in _INSIDE:
        members |= pack.read(next(extension.glob(f"{name}-*.whl")))
    members = {path: data for path, data in members.items() if not _SKIP.search(path)}
    for path, (old, new) in _PATCHES.items():
        package = path.partition("/")[0]
        if path not in members:  # it goes over the one in the site's own archive
            members[path] = pack.read(fetch.archive("wheels", package))[path]
        text = members[path].decode()
        if old not in text:
            raise BuildError(f"{path} has changed: the lab's patch for it finds no place.")
        members[path] = text.replace(old, new).encode()
    return members | pack.tree(SOURCES / "python", SOURCES / "python")


def _kernel() -> None:
    source = FOLDER / "source-kernel.zip"
    pack.write(source, _kernel_sources())
    pack.byte_compile({source: KERNEL})


def _library() -> None:
    """The engine's wheel with its byte code where Python looks for it, so that ?? finds sources."""
    members = pack.read(pack.wheel())
    for path, data in pack.read(pack.ENGINE_WHOLE).items():
        if path.endswith(".pyc"):
            folder, _, stem = path.removesuffix(".pyc").rpartition("/")
            members[f"{folder}/__pycache__/{stem}.cpython-314.pyc"] = data
    pack.write(LIBRARY, members)


def _memory() -> None:
    """The interpreter's memory with the kernel made, as the site has one with its apps."""
    told = run(
        node(), NODE_TOOLS / "kernel.mjs", PYODIDE, json.dumps(_ENV), MEMORY, pack.VENDOR,
        KERNEL, LIBRARY, what="Making the kernel's snapshot",
    )  # fmt: skip
    sizes = json.loads(told.strip().splitlines()[-1])
    say(f"  kernel: {sizes['packed'] / 1e6:.2f} MB packed, {sizes['raw'] / 1e6:.1f} MB raw")


def build() -> None:
    """The parts that take time, each only when its inputs have changed."""
    tools = [Path(__file__), Path(pack.__file__), NODE_TOOLS / "compile.mjs"]
    locked = [fetch.archive(g, n) for g in ("lab", "labtools") for n in fetch.lock()[g]]
    wheels = [fetch.archive("wheels", name) for name in ("panel", "bokeh", "pyviz-comms")]
    wasm = PYODIDE / "pyodide.asm.wasm"
    step(
        "lab front",
        [Path(__file__), SOURCES / "jupyter-lite.json", *locked, *wheels],
        [FRONT],
        _front,
    )
    step("lab kernel", [*tools, *locked, *wheels, SOURCES / "python", wasm], [KERNEL], _kernel)
    step("lab library", [Path(__file__), pack.wheel(), pack.ENGINE_WHOLE], [LIBRARY], _library)
    snapping = [NODE_TOOLS / f"{name}.mjs" for name in ("kernel", "memory", "runtime")]
    inputs = [Path(__file__), *snapping, KERNEL, LIBRARY, pack.VENDOR, wasm]
    step("lab memory", inputs, [MEMORY], _memory)


def inputs() -> list[Path]:
    """What :func:`install` puts together."""
    return [Path(__file__), SOURCES, NOTEBOOKS, FRONT, KERNEL, LIBRARY, MEMORY]


# -- putting it into the site ---------------------------------------------------------------------


def _contents(target: Path) -> None:
    """The notebooks, and the list of them as a Jupyter server's contents API gives it."""
    (target / "files").mkdir(exist_ok=True)
    day = "2026-11-30T00:00:00Z"  # a date of its own would change the site without a change
    common: dict[str, Any] = {
        "content": None, "created": day, "last_modified": day, "format": None, "hash": None,
        "hash_algorithm": None, "mimetype": None, "writable": True,
    }  # fmt: skip
    listed = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        shutil.copy(path, target / "files" / path.name)
        size = path.stat().st_size
        listed.append(
            common | {"name": path.name, "path": path.name, "size": size, "type": "notebook"}
        )
    root = common | {"name": "", "path": "", "size": None, "type": "directory", "format": "json"}
    folder = target / "api" / "contents"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all.json").write_text(json.dumps(root | {"content": listed}, indent=1))


def _scripts(target: Path) -> None:
    """Bokeh's and Panel's files for the page, laid out as on their own hosts."""
    lock = fetch.lock()["wheels"]
    bokeh = pack.read(fetch.archive("wheels", "bokeh"))
    panel = pack.read(fetch.archive("wheels", "panel"))
    wanted: dict[str, bytes] = {}
    for part in _SCRIPTS:
        name = f"bokeh/release/bokeh{part}-{lock['bokeh']['version']}.min.js"
        wanted[name] = bokeh[f"bokeh/server/static/js/bokeh{part}.min.js"]
    home, modules = f"panel/{lock['panel']['version']}", "panel/dist/bundled/reactiveesm/"
    for path, data in panel.items():
        if re.match(r"panel/dist/(panel\.min\.js|css/|images/|bundled/theme/)", path):
            wanted[f"{home}/{path.removeprefix('panel/')}"] = data
        elif path.startswith(modules):
            wanted[f"npm/{path.removeprefix(modules)}"] = data
    for name, data in wanted.items():
        file = target / "static" / "cdn" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".js":
            data = re.sub(rb"\n//# sourceMappingURL=\S+\s*$", b"\n", data)
        file.write_bytes(data)


def install(site: Path, assets: dict[str, dict[str, Any]], python: dict[str, Any]) -> None:
    """Write `lab/` into a site whose other files stand already; `assets` names its hashed ones."""
    target = site / "lab"
    shutil.copytree(FRONT, target)
    _contents(target)
    _scripts(target)
    home = target / "static" / "kernel"
    home.mkdir(parents=True)
    listed = {name: {"url": assets[name]["url"]} for name in _SHARED}
    for path in (KERNEL, LIBRARY, *sorted(MEMORY.iterdir())):
        stem, _, suffix = path.name.partition(".")
        name = f"{stem}.{sha256(path.read_bytes())[:10]}.{suffix}"
        shutil.copy(path, home / name)
        listed[path.name] = {"url": f"lab/static/kernel/{name}"}
    parts = {
        "env": _ENV, "info": python["info"], "files": listed,
        "packs": [KERNEL.name, LIBRARY.name],
    }  # fmt: skip
    (worker,) = (target / _EXTENSION_IN_SITE).glob("comlink.worker.*.js")
    version = json.loads((target / "jupyter-lite.json").read_text(encoding="utf-8"))
    filled = {
        "/*{{parts}}*/ {}": json.dumps(parts, sort_keys=True),
        "{{worker}}": f"../../{worker.relative_to(target).as_posix()}",
        "{{memory}}": f"../../../{assets['memory.js']['url']}",
        "{{runtime}}": f"../../../{assets['runtime.js']['url']}",
        "{{version}}": version["jupyter-config-data"]["appVersion"],
    }
    for source, name in (
        ("kernel.mjs", "pyodide.mjs"), ("worker.mjs", "worker.mjs"), ("early.js", "early.js")
    ):  # fmt: skip
        text = (SOURCES / source).read_text(encoding="utf-8")
        for mark, value in filled.items():
            text = text.replace(mark, value)
        (home / name).write_text(text, encoding="utf-8")
    icon = _icon((target / "icon-120x120.png").read_bytes())
    for name in ("", "-busy-1", "-busy-2", "-busy-3", "-file", "-notebook", "-terminal"):
        (target / "static" / "favicons").mkdir(exist_ok=True)
        (target / "static" / "favicons" / f"favicon{name}.ico").write_bytes(icon)
    for app in _APPS:
        (target / app / "favicon.ico").write_bytes(icon)
    (target / "licences.txt").write_text(_licences(), encoding="utf-8")
    for app in _APPS:
        page = target / app / "index.html"
        page.write_text(_page(page), encoding="utf-8")
    _service_worker(site, target, [assets[name]["url"] for name in _SHARED])


def _licences() -> str:
    """The licences of the kernel's packages and of JupyterLite itself."""
    shipped = [("lab", name) for name in fetch.lock()["lab"]]
    shipped += [("labtools", f"jupyterlite-{part}") for part in ("core", "pyodide-kernel")]
    texts = []
    for group, name in shipped:
        members = pack.read(fetch.archive(group, name))
        found = [
            path for path in sorted(members) if re.search(r"dist-info/.*(LICEN|COPYING)", path)
        ]
        if not found:
            raise BuildError(f"{name} does not tell its licence.")
        text = "\n\n".join(members[path].decode() for path in found)
        texts.append(f"{name} {fetch.lock()[group][name]['version']}\n\n{text}")
    return ("\n\n" + "-" * 80 + "\n\n").join(texts)


def _icon(png: bytes) -> bytes:
    """A PNG image of 120 pixels as an icon file, as browsers take it."""
    head = struct.pack("<HHH", 0, 1, 1)
    return head + struct.pack("<BBBBHHII", 120, 120, 0, 0, 1, 32, len(png), 22) + png


def _page(page: Path) -> str:
    """A page of JupyterLite's with our title and icon, and where it wants a kernel, that begun."""
    text, head = page.read_text(encoding="utf-8"), '<meta charset="utf-8">'
    if head not in text:
        raise BuildError(f"{page}: there is no place for the lab's own lines.")
    # Without it a browser asks the host's root, which is not ours and not there without a network.
    ours = [head, '<link rel="icon" type="image/x-icon" href="favicon.ico">']
    if page.parent.name == "notebooks":
        ours.append('<script src="../static/kernel/early.js"></script>')
    text = re.sub("<title>.*?</title>", "<title>Lovecraft tables: lab</title>", text)
    return text.replace(head, "\n    ".join(ours), 1)


def _service_worker(site: Path, target: Path, shared: list[str]) -> None:
    """Ours in front of JupyterLite's own, which goes on answering for the notebooks' files."""
    (target / "service-worker.js").rename(target / "service-worker-drive.js")
    kept = [path.relative_to(site).as_posix() for path in files(target)]
    listed = {
        path: sha256((site / path).read_bytes())[:20]
        for path in sorted([*kept, *shared])
        if not re.search("LICENSE|licen[cs]es", path)  # to be read, never loaded
    }
    build = sha256(json.dumps(listed).encode())[:12]
    worker = (SOURCES / "service-worker.js").read_text(encoding="utf-8")
    manifest = json.dumps({"build": build, "files": listed}, sort_keys=True)
    (target / "service-worker.js").write_text(
        worker.replace('/*{{manifest}}*/ { build: "", files: {} }', manifest), encoding="utf-8"
    )
