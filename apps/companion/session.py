"""A scoring session: a JSON document that is edited step by step, with undo and redo."""

from __future__ import annotations

import copy
import secrets
import time
from datetime import date
from typing import Any

from apps.store import Entry, Store, now

PREFIX = "score/"
REMEMBERED = 200
"""How many edits can be undone."""

MAX_NOTE = 2000
"""Characters of a note."""

Path = list[str | int]
Edit = list[Any]
"""[path, value before, value after]; None stands for absent."""


def new_id() -> str:
    """An id for a session or a game, unlike any other."""
    return secrets.token_hex(6)


class Session:
    """The sheet of one session (a JSON object) and the edits that led to it."""

    def __init__(self, game: str, sheet: dict[str, Any], ident: str = "") -> None:
        self.game = game
        self.id = ident or new_id()
        self.sheet = sheet
        self.done: list[Edit] = []
        self.undone: list[Edit] = []
        self.created = now()
        self.note = ""
        self.date = today(self.created)
        """The day of the game, as in 2026-11-30."""

    @property
    def key(self) -> str:
        return PREFIX + self.id

    def set(self, path: Path, value: Any) -> None:
        """Change the value at ``path`` (None: take it away); can be undone."""
        before = self._swap(path, value)
        if before != value:
            self.done = [*self.done[1 - REMEMBERED :], [path, before, copy.deepcopy(value)]]
            self.undone = []

    def replace(self, sheet: dict[str, Any]) -> None:
        """Change the whole sheet; can be undone."""
        self.set([], sheet)

    def undo(self) -> Path | None:
        """Take the last edit back; where it was."""
        if not self.done:
            return None
        edit = self.done.pop()
        self._swap(edit[0], copy.deepcopy(edit[1]))
        self.undone.append(edit)
        return list(edit[0])

    def redo(self) -> Path | None:
        """Do again what was undone; where it is."""
        if not self.undone:
            return None
        edit = self.undone.pop()
        self._swap(edit[0], copy.deepcopy(edit[2]))
        self.done.append(edit)
        return list(edit[0])

    def _swap(self, path: Path, value: Any) -> Any:
        if not path:
            whole = self.sheet
            self.sheet = copy.deepcopy(value)
            return whole
        *way, last = path
        at: Any = self.sheet
        for part in way:
            at = at[part]
        before = copy.deepcopy(at.get(last) if isinstance(at, dict) else at[last])
        if value is None and isinstance(at, dict):
            at.pop(last, None)
        else:
            at[last] = value
        return before

    def save(self, store: Store, names: list[str], **more: Any) -> None:
        """Keep the session on the device."""
        store.put(
            self.key,
            {
                "game": self.game,
                "names": names,
                "created": self.created,
                "updated": now(),
                "date": self.date,
                "note": self.note,
                "sheet": self.sheet,
                "done": self.done,
                "undone": self.undone,
                **more,
            },
        )

    @classmethod
    def read(cls, entry: Entry, ident: str) -> Session:
        """A session from its entry (the sheet itself unchecked). ValueError if it is none."""
        sheet, done, undone = entry.get("sheet"), entry.get("done"), entry.get("undone")
        created = entry.get("created")
        if not isinstance(sheet, dict) or type(created) is not int:
            raise ValueError("not a session")
        session = cls(str(entry.get("game")), sheet, ident)
        session.created = created
        session.date = entry["date"] if is_date(entry.get("date")) else today(created)
        note = entry.get("note")
        session.note = note[:MAX_NOTE] if isinstance(note, str) else ""
        # a history that does not fit is dropped rather than the sheet refused
        if isinstance(done, list) and isinstance(undone, list) and _is_history(done + undone):
            session.done, session.undone = done, undone
        return session


def _is_history(edits: list[Any]) -> bool:
    return all(
        isinstance(edit, list) and len(edit) == 3 and isinstance(edit[0], list) for edit in edits
    )


def today(milliseconds: int) -> str:
    """The day of a moment, where the device is."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(milliseconds / 1000))
    except (OverflowError, ValueError, OSError):
        return "2026-01-01"  # a clock that cannot be


def is_date(value: object) -> bool:
    """Whether something is a day as in 2026-11-30."""
    if not isinstance(value, str) or len(value) != 10:
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True
