"""The interpreter's memory with the apps imported and their document built."""

from __future__ import annotations

import json

from tools.pipeline import pack
from tools.pipeline.paths import NODE_TOOLS, PYODIDE, SITE, WORK
from tools.pipeline.steps import BuildError, node, run, say, step

FOLDER = WORK / "snapshot"
GLUE = WORK / "glue.zip"
PACKED = "snapshot.bin.zst"
FILES = (PACKED, "snapshot.json", "document.json")


def packs() -> list[str]:
    """What the plain path unpacks, in order."""
    return [path.name for path in (pack.VENDOR, pack.ENGINE, pack.APPS, GLUE)]


def make() -> None:
    def glue() -> None:
        source = WORK / "source-glue.zip"
        pack.write(source, pack.tree(SITE / "python", SITE / "python"))
        pack.byte_compile({source: GLUE})

    tools = [NODE_TOOLS / "runtime.mjs", NODE_TOOLS / "compile.mjs"]
    step("glue", [SITE / "python", *tools], [GLUE], glue)

    env = SITE / "runtime.env.json"
    script = NODE_TOOLS / "snapshot.mjs"
    sources = [WORK / name for name in packs()]

    def shoot() -> None:
        sizes = json.loads(
            run(node(), script, PYODIDE, env, FOLDER, *sources, what="Making the snapshot")
            .strip()
            .splitlines()[-1]
        )
        if "./panel/" in (FOLDER / "document.json").read_text(encoding="utf-8"):
            raise BuildError("The apps' document asks for a style sheet of Panel's own.")
        say(f"  snapshot: {sizes['packed'] / 1e6:.2f} MB packed, {sizes['raw'] / 1e6:.1f} MB raw")

    inputs = [
        script,
        NODE_TOOLS / "memory.mjs",
        env,
        *tools,
        *sources,
        PYODIDE / "pyodide.asm.wasm",
    ]
    step("snapshot", inputs, [FOLDER / name for name in FILES], shoot)
