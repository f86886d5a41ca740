"""What is kept on the device: versioned JSON entries, written after every change.

An entry is ``{"v": 1, …}``. Writes go over an expected revision, so a second tab can never
overwrite what this one has not seen: the newer entry wins and is shown. What cannot be read is
set aside under ``damaged/…`` and can be exported; it never keeps the rest from opening.
"""

from __future__ import annotations

import json
import time
from typing import Any

from apps.host import Host
from lovecraft.core import LovecraftError
from lovecraft.core.record import parse_json

VERSION = 1
DAMAGED = "damaged/"
Entry = dict[str, Any]


def now() -> int:
    """Milliseconds since the epoch."""
    return int(time.time() * 1000)


class Store:
    """Entries by key, in memory and on the device."""

    def __init__(self) -> None:
        self._host: Host | None = None
        self._texts: dict[str, tuple[int, str]] = {}
        self._dirty: dict[str, str | None] = {}
        self.trouble = ""
        """Why the last write failed, empty when it did not."""
        self.overtaken: set[str] = set()
        """Keys that another tab had changed when this one wanted to write."""

    async def open(self, host: Host) -> None:
        """Read everything there is; entries that are no entries are set aside."""
        self._host = host
        await self.refresh()
        for key in list(self._texts):
            if not key.startswith(DAMAGED) and self.get(key) is None:
                self.set_aside(key)
        await self.flush()

    async def refresh(self) -> set[str]:
        """Read again what other tabs wrote; the keys that changed."""
        if self._host is None:
            return set()
        found: dict[str, Any] = json.loads(await self._host.load())
        texts = {key: (e["rev"], e["text"]) for key, e in found.items()}
        known = self._texts
        changed = {k for k in texts.keys() | known.keys() if texts.get(k) != known.get(k)}
        self._texts = texts
        return changed - self._dirty.keys()

    def keys(self, prefix: str = "") -> list[str]:
        """Keys that begin with ``prefix``, those about to be written among them."""
        every = (self._texts.keys() | self._dirty.keys()) - {
            k for k, text in self._dirty.items() if text is None
        }
        return sorted(key for key in every if key.startswith(prefix))

    def text(self, key: str) -> str | None:
        """The raw text of an entry."""
        if key in self._dirty:
            return self._dirty[key]
        return self._texts[key][1] if key in self._texts else None

    def get(self, key: str) -> Entry | None:
        """An entry of the version that this build reads, or None."""
        text = self.text(key)
        try:
            entry = parse_json(text) if text is not None else None
        except LovecraftError:
            return None
        return entry if isinstance(entry, dict) and entry.get("v") == VERSION else None

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry; it reaches the device with the next :meth:`flush`."""
        self._dirty[key] = json.dumps({"v": VERSION, **entry}, ensure_ascii=False)

    def remove(self, key: str) -> None:
        """Forget an entry."""
        self._dirty[key] = None

    def set_aside(self, key: str) -> None:
        """Move an entry that cannot be read out of the way, keeping its text."""
        text = self.text(key)
        if text is not None:
            self._dirty[f"{DAMAGED}{key}/{now()}"] = text
            self._dirty[key] = None

    async def flush(self) -> None:
        """Write what changed. Never raises: see ``trouble`` and ``overtaken``."""
        if self._host is None:
            return
        while self._dirty:
            key, text = next(iter(self._dirty.items()))
            rev = self._texts[key][0] if key in self._texts else 0
            if text is None:
                answer = await self._host.remove(key, rev) if rev else "ok"
            else:
                answer = await self._host.put(key, text, rev + 1)
            if self._dirty.get(key, "") == text:
                del self._dirty[key]
            self._settle(key, text, rev, answer)

    def _settle(self, key: str, text: str | None, rev: int, answer: str) -> None:
        kind, _, rest = answer.partition(":")
        if kind == "conflict":
            self.overtaken.add(key)
            entry = json.loads(rest)
            if entry is None:
                self._texts.pop(key, None)
            else:
                self._texts[key] = (entry["rev"], entry["text"])
            return
        self.trouble = rest if kind == "failed" else ""
        # after a failed write the page goes on with what it has; the device keeps what it had
        if text is None:
            self._texts.pop(key, None)
        else:
            self._texts[key] = (rev + (kind == "ok"), text)
        if kind == "ok" and self._host is not None:
            self._host.notify(json.dumps({"key": key}))
