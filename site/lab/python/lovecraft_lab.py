"""How the kernel begins; what most cells do without is unpacked when it is first asked for."""

from __future__ import annotations

import gc
import importlib
import os
import random
import sys
import zipfile
from pathlib import Path


class Later:
    """A finder that finds nothing itself, but unpacks an archive before others look.

    It is the tables' own (Panel, Bokeh, and what they need): a first cell should not wait for a
    thousand files.
    """

    def __init__(self, archive: str, target: str) -> None:
        self.archive, self.target = archive, Path(target)
        with zipfile.ZipFile(archive) as pack:
            tops = {name.split("/")[0] for name in pack.namelist()}
        self.names = {top.removesuffix(".pyc").removesuffix(".py") for top in tops}

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Called for every import; ours is the first one from the archive."""
        if path is None and name in self.names:
            sys.meta_path.remove(self)
            with zipfile.ZipFile(self.archive) as pack:
                # What lies there already is the lab's own, patched.
                new = [n for n in pack.namelist() if not (self.target / n).exists()]
                pack.extractall(self.target, new)
            importlib.invalidate_caches()


def begin(archive: str, target: str) -> None:
    """Make the kernel, and have what every notebook begins with; ``archive`` is unpacked later."""
    sys.meta_path.insert(0, Later(archive, target))
    import pyodide_kernel  # noqa: F401 - it makes the kernel

    # The working directory will be the notebooks' drive, where every look is a request that the
    # page must answer: it comes after what is installed.
    if "" in sys.path:
        sys.path.append(sys.path.pop(sys.path.index("")))
    import lovecraft.bots
    import lovecraft.notebook  # noqa: F401


def asleep() -> None:
    """Before a snapshot of the memory: let go of what it cannot hold, or need not."""
    import linecache

    sys.modules.pop("pyodide_js", None)  # the page's own functions
    linecache.clearcache()
    sys.path_importer_cache.clear()
    for _ in range(3):
        gc.collect()


def awake(lang: str) -> None:
    """After it: what differs from device to device, and from visit to visit."""
    import lovecraft.notebook
    from lovecraft.i18n import LANGUAGES

    random.seed()
    os.environ["LOVECRAFT_LANG"] = lang
    if lang[:2] in LANGUAGES:
        lovecraft.notebook.language(lang[:2])
    importlib.invalidate_caches()
