"""Packages that import everything at once, rewritten to import what is asked for.

`import panel` loads every widget, pane and template there is: most of the memory snapshot would
be classes that no page of ours ever names. The rewritten `__init__` offers the same names through
a module `__getattr__` (PEP 562) and leaves the rest of the file alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

# Rewritten files; what they import and is needed at import time is found by whoever needs it.
PACKAGES = (
    "panel",
    "panel/chat",
    "panel/layout",
    "panel/pane",
    "panel/template",
    "panel/theme",
    "panel/widgets",
    "bokeh/models",
    "bokeh/models/annotations",
    "bokeh/models/annotations/html",
    "bokeh/models/widgets",
)
# What a package must hold from the start, in this order: Panel's modules import in circles.
EAGER = {
    "panel": (".io", ".config", ".reactive", ".depends"),
    "panel/pane": (".base",),
    "panel/layout": (".base",),
    "panel/theme": (".base",),
    "panel/widgets": (".base",),
    "bokeh/models": ("..model",),
}

_GETATTR = """
_LAZY = {table!r}


def __getattr__(name):
    import importlib
    found = _LAZY.get(name)
    if found is None:
        raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
    module = importlib.import_module(found[0], __name__)
    value = globals()[name] = getattr(module, found[1]) if found[1] else module
    return value
"""


def _source(files: Mapping[str, bytes], module: str) -> tuple[str, ast.Module]:
    """A module's path without suffix, and its tree."""
    path = f"{module}/__init__.py" if f"{module}/__init__.py" in files else f"{module}.py"
    return path, ast.parse(files[path])


def _exported(files: Mapping[str, bytes], module: str) -> list[str]:
    """`__all__`, written out: Bokeh's packages add up those of their modules."""
    _, tree = _source(files, module)
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == "__all__"
            and isinstance(node.value, ast.Tuple | ast.List)
        ):
            names: list[str] = []
            for item in node.value.elts:
                if isinstance(item, ast.Starred) and isinstance(item.value, ast.Attribute):
                    names += _exported(files, f"{module}/{ast.unparse(item.value.value)}")
                elif isinstance(item, ast.Constant):
                    names.append(str(item.value))
            return names
    return []


def rewrite(files: Mapping[str, bytes], package: str) -> bytes:
    """The package's `__init__`, its own imports made lazy."""
    _, tree = _source(files, package)
    table: dict[str, tuple[str, str]] = {}
    kept: list[ast.stmt] = []
    eager: dict[str, ast.stmt] = {}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or not node.level:
            kept.append(node)
            continue
        module = "." * node.level + (node.module or "")
        source = module if node.module else module + node.names[0].name
        if source in EAGER.get(package, ()):
            eager[source] = node
            continue
        for alias in node.names:
            if alias.name == "*":
                for name in _exported(files, f"{package}/{node.module}"):
                    table[name] = (module, name)
            elif node.module:
                table[alias.asname or alias.name] = (module, alias.name)
            else:
                table[alias.asname or alias.name] = (module + alias.name, "")
    if exported := _exported(files, package):
        # Its own spelling would import every module to add up their lists.
        kept = [
            node
            for node in kept
            if not (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
        ]
        kept.append(ast.parse(f"__all__ = {tuple(exported)!r}").body[0])
    ordered = [eager[module] for module in EAGER.get(package, ())]
    first = [node for node in kept if ast.unparse(node).startswith("from __future__")]
    rest = [node for node in kept if node not in first]
    text = (
        ast.unparse(ast.Module([*first, *ordered, *rest], [])) + "\n" + _GETATTR.format(table=table)
    )
    return text.encode()


def apply(files: dict[str, bytes]) -> None:
    """Rewrite the packages in place."""
    for name, text in [(package, rewrite(files, package)) for package in PACKAGES]:
        files[f"{name}/__init__.py"] = text
