"""The tables' archive (Panel, Bokeh, and what they need), unpacked when it is first asked for.

Most cells never do, and a first cell should not wait for a thousand files.
"""

from __future__ import annotations

import importlib
import sys
import zipfile
from pathlib import Path


class Later:
    """A finder that finds nothing itself, but unpacks the archive before others look."""

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


def later(archive: str, target: str) -> None:
    """Unpack an archive into ``target`` as soon as a package in it is imported."""
    sys.meta_path.insert(0, Later(archive, target))
