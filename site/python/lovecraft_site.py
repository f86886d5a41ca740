"""Ties the apps' Bokeh document to the page; runs in the browser's interpreter only.

Patches travel as JSON text in both directions: Panel's own link converts them object by object
and leans on JavaScript functions that a memory snapshot cannot hold.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import pkgutil
import random
import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import panel.io.pyodide as panel_pyodide
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.json import PatchJson
from bokeh.embed.util import standalone_docs_json_and_render_items
from bokeh.events import DocumentReady
from bokeh.io.doc import set_curdoc
from bokeh.settings import settings
from bokeh.util import serialization
from panel.io.state import state
from panel.models.esm import ReactiveESM

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement, so it may be changed
# Used in terminals and notebooks; should a page ever ask for one, it comes with the library.
_ELSEWHERE = re.compile(r"lovecraft\.(arena|balance|bench|cli|ladder|notebook)(\.|$)")
_FROM_PAGE = "js"  # the setter's name on changes the page made itself: they are not sent back


def build() -> str:
    """Build the document and keep it; return what the page needs to render it, as JSON."""
    import apps.main

    # Counted ids, not random ones: the plain path builds the very document the page has rendered.
    settings.simple_ids.set_value(True)
    serialization._simple_id = 999
    doc = state.curdoc = Document()
    set_curdoc(doc)
    doc.hold()
    root = apps.main.build().get_root(doc)
    doc.add_root(root)
    for model in doc.models:
        if isinstance(model, ReactiveESM):
            # It paints outside Panel's shadow roots: theme sheets would be fetched for nothing.
            model.stylesheets = []
    docs, _ = standalone_docs_json_and_render_items(doc.roots, suppress_callback_warning=True)
    return json.dumps({"doc": next(iter(docs.values())), "roots": [root.id]})


def document() -> Document:
    doc = state.curdoc
    if doc is None:
        raise RuntimeError("no document has been built")
    return doc


def link(send: Callable[[str], None]) -> None:
    """From now on every change made in Python goes to the page."""
    doc = document()

    def changed(event: Any) -> None:
        if getattr(event, "setter", None) == _FROM_PAGE:
            return
        serializer = Serializer(references=doc.models.synced_references)
        patch = PatchJson(events=serializer.encode([event]))
        doc.models.flush_synced(lambda model: not serializer.has_ref(model))
        send(json.dumps(panel_pyodide._serialize_buffers(patch)))

    doc.on_change(changed)
    doc.unhold()
    state._loaded[doc] = state._connected[doc] = True
    doc.callbacks.trigger_event(DocumentReady())


def receive(patch: str) -> None:
    """Apply a change made in the page."""
    document().apply_json_patch(json.loads(patch), setter=_FROM_PAGE)


def _import_all(package: str) -> None:
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__, package + "."):
        if found.name.endswith("__main__") or _ELSEWHERE.match(found.name):
            continue  # without a look at what is inside, which would import the package
        if found.ispkg:
            _import_all(found.name)
        else:
            importlib.import_module(found.name)


def warm() -> None:
    """Import every module a page uses and rehearse what the apps want rehearsed."""
    for package in ("lovecraft", "apps"):
        _import_all(package)
    rehearse = getattr(sys.modules["apps.main"], "warm", None)
    if rehearse:
        rehearse()


class _Later(types.ModuleType):
    """In the place of a module that is imported by others and used by nobody: comes when asked."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name)


# Encrypted sockets, archives, addresses of networks, calendars, profilers: nothing of a page.
_PUT_OFF = (
    "ssl", "asyncio.sslproto", "asyncio.staggered", "calendar", "cProfile", "dis", "gzip",
    "ipaddress", "pickle", "profile", "shutil",
)  # fmt: skip


def _put_off() -> None:
    for name in _PUT_OFF:
        module = sys.modules.pop(name, None)
        if module is None:
            continue
        later = _Later(name)
        for other in list(sys.modules.values()):
            for key, value in list(getattr(other, "__dict__", {}).items()):
                if value is module:
                    setattr(other, key, later)


def slim() -> None:
    """Let go of what a running page never looks at, before the snapshot is taken."""
    import linecache
    import zipimport

    _put_off()
    # Holds a JavaScript function, which a snapshot could only bring back through eval.
    panel_pyodide._dict_converter = None
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType | types.ModuleType):
            thing.__doc__ = None
        elif isinstance(thing, type) and thing.__flags__ & _HEAP_TYPE and thing.__doc__:
            with contextlib.suppress(AttributeError, TypeError):
                thing.__doc__ = None
    linecache.clearcache()
    zipimport._zip_directory_cache.clear()
    sys.path_importer_cache.clear()
    sys._clear_internal_caches()
    for _ in range(3):
        gc.collect()


def awake() -> None:
    """After a snapshot: what must differ from device to device, and from visit to visit."""
    random.seed()


def library_arrived(archives: Iterable[str]) -> None:
    """The archives that the snapshot left out are in place: look again where imports had failed."""
    for archive in archives:
        if archive not in sys.path:
            sys.path.append(archive)
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
