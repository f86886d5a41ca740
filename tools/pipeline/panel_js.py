"""Panel's bundle for the page, without the models that the apps' document does not name.

The bundle is a table of small modules under hashes, one a line, and an index that registers every
model. What is kept: the named models and what they ask for; Bokeh's bundle for tables need then
not be loaded.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from tools.pipeline.steps import BuildError

_MODULE = re.compile(r'^"(?P<hash>[0-9a-f]{10})": ?function _\(', re.MULTILINE)
_ASKED = re.compile(r'\("([0-9a-f]{10})"\)')
_REGISTERED = re.compile(r'\w+\("(?P<name>\w+)",\w+\("(?P<hash>[0-9a-f]{10})"\)\.(?P=name)\)')
_PASSED_ON = re.compile(r'\w+\.__exportStar\(\w+\("[0-9a-f]{10}"\),\w+\)')  # VTK's, as a whole
_NAMED = re.compile(r'"name": ?"panel\.models\.[\w.]*?(\w+)"')


def named(document: str) -> set[str]:
    """The models of Panel's in a document's JSON."""
    return set(_NAMED.findall(document))


def trim(bundle: str, names: set[str]) -> str:
    """The bundle with these models alone. Raises BuildError when it is not built as expected."""
    starts = list(_MODULE.finditer(bundle))
    modules: dict[str, tuple[int, int]] = {}
    for one, after in zip_longest(starts, starts[1:]):
        end = after.start() if after else bundle.index("\n}, ", one.start()) + 1
        modules[one["hash"]] = (one.start(), end)

    def text(key: str) -> str:
        return bundle[slice(*modules[key])]

    index = next((key for key in modules if len(_REGISTERED.findall(text(key))) > 20), "")
    if not index:
        raise BuildError("Panel's bundle has no index of its models where the build looks for it.")
    missing = names - {found["name"] for found in _REGISTERED.finditer(text(index))}
    if missing:
        raise BuildError(f"Panel's bundle lacks {', '.join(sorted(missing))}.")
    short = _REGISTERED.sub(lambda found: found[0] if found["name"] in names else "0", text(index))
    short = _PASSED_ON.sub("0", short)
    wanted, kept = list(modules)[:1], set[str]()
    while wanted:
        key = wanted.pop()
        if key in kept or key not in modules:
            continue
        kept.add(key)
        wanted += _ASKED.findall(short if key == index else text(key))
    parts, at = [], 0
    for key, (begin, end) in modules.items():
        parts.append(bundle[at:begin])
        if key in kept:
            parts.append(short if key == index else text(key))
        at = end
    return "".join(parts) + bundle[at:]
