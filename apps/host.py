"""What the apps may ask of the device they run on."""

from __future__ import annotations

import json
from typing import Protocol


class Host(Protocol):
    """The device: in the site it is the worker's host object, elsewhere memory."""

    boot: str
    """JSON: route, languages, lang, theme, build, storage, base (the site's own address)."""

    async def load(self) -> str:
        """JSON of all entries kept: key → {"rev", "text"}."""

    async def put(self, key: str, text: str, rev: int) -> str:
        """Write over rev - 1: ``ok``, ``conflict:<entry>`` or ``failed:<reason>``."""

    async def remove(self, key: str, rev: int) -> str:
        """Remove the entry of this revision; answers like ``put``."""

    def notify(self, text: str) -> object:
        """Tell the other tabs."""

    def page(self, text: str) -> object:
        """Ask the page around the apps for something (title, hash, language, download …)."""


class MemoryHost:
    """A device that forgets: for `panel serve`, notebooks and tests."""

    def __init__(self, entries: dict[str, str] | None = None, **boot: object) -> None:
        self.boot = json.dumps({"route": "", "languages": ["en"], "storage": "memory", **boot})
        self.entries = {key: (1, text) for key, text in (entries or {}).items()}
        self.asked: list[dict[str, object]] = []
        self.told: list[str] = []

    async def load(self) -> str:
        return json.dumps({k: {"rev": r, "text": t} for k, (r, t) in self.entries.items()})

    async def put(self, key: str, text: str, rev: int) -> str:
        if answer := self._conflict(key, rev - 1):
            return answer
        self.entries[key] = (rev, text)
        return "ok"

    async def remove(self, key: str, rev: int) -> str:
        if answer := self._conflict(key, rev):
            return answer
        self.entries.pop(key, None)
        return "ok"

    def _conflict(self, key: str, expected: int) -> str:
        rev, text = self.entries.get(key, (0, ""))
        if rev == expected:
            return ""
        return "conflict:" + json.dumps({"rev": rev, "text": text} if rev else None)

    def notify(self, text: str) -> None:
        self.told.append(text)

    def page(self, text: str) -> None:
        self.asked.append(json.loads(text))
