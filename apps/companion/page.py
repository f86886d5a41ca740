"""What the scoring pages of all games share: the session, its names, undo, and asking first."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from apps.companion.session import PREFIX, Path, Session
from apps.shell import Page, Shell
from lovecraft.core import LovecraftError, Outcome
from lovecraft.core.game import AnyGame
from lovecraft.core.record import MAX_NAME
from lovecraft.i18n import Message, msg, text

Sheet = dict[str, Any]


class Result(NamedTuple):
    """What a sheet comes to: the standing, and whether all that decides it is entered."""

    outcome: Outcome
    finished: bool


class SheetPage(Page):
    """One session; ``#/<game>/score`` opens the latest of the game, or a new one."""

    kind = msg("app.score")
    game: ClassVar[AnyGame]
    template: ClassVar[str]
    seats: ClassVar[tuple[int, int]] = (2, 2)
    """The least and the most players there can be."""

    def __init__(self, shell: Shell, rest: list[str]) -> None:
        super().__init__(shell)
        self.title = self.game.name
        self.asking = ""
        self.lit = ""
        """The score line that is being explained."""
        self.session = self._find(rest[0] if rest else "")
        self.key = self.session.key
        self.aim()

    # -- what each game says ----------------------------------------------------------------------

    @classmethod
    def blank(cls, names: Sequence[str]) -> Sheet:
        """An empty sheet; its ``players`` are objects with a ``name``."""
        raise NotImplementedError

    @classmethod
    def check(cls, sheet: Sheet) -> None:
        """Refuse a stored sheet that the page could not show. Raises InvalidSheet or ValueError."""
        raise NotImplementedError

    @classmethod
    def result(cls, sheet: Sheet) -> Result:
        """The standing of a checked sheet."""
        raise NotImplementedError

    def aim(self) -> None:
        """Go where the next entry is to be made, in a session just opened."""

    def edited(self, path: Path) -> None:
        """An edit at ``path`` was undone or redone: show the place."""

    def context(self) -> dict[str, Any]:
        """What the game's template needs."""
        raise NotImplementedError

    # -- the session ------------------------------------------------------------------------------

    def _find(self, wanted: str) -> Session:
        store = self.shell.store
        if wanted == "new":
            return self._fresh(self._last_names())
        for key in [PREFIX + wanted] if wanted else self._latest_first():
            entry = store.get(key)
            if entry is None or entry.get("game") != self.game.id:
                continue
            session = self._read(entry, key.removeprefix(PREFIX))
            if session is not None:
                return session
            store.set_aside(key)
            self.shell.notice = msg("app.error.damaged")
        if wanted and not self.shell.notice:
            self.shell.notice = msg("app.error.no-session")
        return self._fresh()

    def _read(self, entry: dict[str, Any], ident: str) -> Session | None:
        """The session of an entry if it is one that the page can show."""
        try:
            session = Session.read(entry, ident)
            self.accept(session.sheet)
        except (ValueError, LovecraftError):
            return None
        return session

    @classmethod
    def accept(cls, sheet: Any) -> None:
        """Refuse what is no sheet of this game. Raises InvalidSheet or ValueError."""
        players = sheet.get("players") if isinstance(sheet, dict) else None
        if not isinstance(players, list) or not cls.seats[0] <= len(players) <= cls.seats[1]:
            raise ValueError("players")
        for player in players:
            name = player.get("name") if isinstance(player, dict) else None
            if not isinstance(name, str) or clean(name) != name:
                raise ValueError("name")
        cls.check(sheet)

    def _latest_first(self) -> list[str]:
        store = self.shell.store
        entries = {key: store.get(key) or {} for key in store.keys(PREFIX)}
        ours = [
            key
            for key, entry in entries.items()
            if entry.get("game") == self.game.id and isinstance(entry.get("updated"), int)
        ]
        return sorted(ours, key=lambda key: -entries[key]["updated"])

    def _last_names(self) -> list[str]:
        """The people of the latest session of this game."""
        for key in self._latest_first():
            session = self._read(self.shell.store.get(key) or {}, key.removeprefix(PREFIX))
            if session is not None:
                return [player["name"] for player in session.sheet["players"]]
        return []

    def _fresh(self, names: Sequence[str] = ()) -> Session:
        named = list(names) or [""] * self.seats[0]
        return Session(self.game.id, self.blank(named))

    def reload(self) -> None:
        session = self._read(self.shell.store.get(self.key) or {}, self.session.id)
        if session is not None:
            self.session = session
            self.lit = ""
            self.edited([])

    def save(self) -> None:
        """Keep the session; every change of it ends here."""
        finished = self.result(self.session.sheet).finished
        self.session.save(self.shell.store, list(self.names), finished=finished)
        self.shell.go(f"#/{self.game.id}/score/{self.session.id}")

    def change(self, path: Path, value: Any) -> None:
        """One edit, which can be undone, and which is kept."""
        self.session.set(path, value)
        self.save()

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def sheet(self) -> Sheet:
        return self.session.sheet

    @property
    def players(self) -> list[dict[str, Any]]:
        players: list[dict[str, Any]] = self.session.sheet["players"]
        return players

    @property
    def names(self) -> tuple[str, ...]:
        """Names as shown: those without one are called by their number."""
        return tuple(
            player["name"] or text("core.seat", self.shell.lang, number=p + 1)
            for p, player in enumerate(self.players)
        )

    def html(self) -> str:
        least, most = self.seats
        outcome, finished = self.result(self.sheet)
        return self.shell.render(
            self.template,
            names=self.names,
            game=self.game,
            session=self.session,
            sheet=self.sheet,
            outcome=outcome,
            finished=finished,
            verdict=self.verdict(outcome, finished),
            raw_names=[player["name"] for player in self.players],
            known_names=self.known_names(),
            may_add=len(self.players) < most,
            may_remove=len(self.players) > least,
            max_name=MAX_NAME,
            lit=self.lit,
            **self.context(),
        )

    def known_names(self) -> list[str]:
        """Names used on this device, to choose from; the latest first."""
        store = self.shell.store
        entries = [store.get(key) or {} for key in store.keys(PREFIX)]
        found: dict[str, None] = {}
        for entry in sorted(entries, key=lambda e: -_number(e.get("updated"))):
            sheet = entry.get("sheet")
            players = sheet.get("players") if isinstance(sheet, dict) else None
            for player in players if isinstance(players, list) else ():
                name = player.get("name") if isinstance(player, dict) else None
                if isinstance(name, str) and name and clean(name) == name:
                    found[name] = None
        return list(found)[:50]

    def verdict(self, outcome: Outcome, finished: bool) -> Message | None:
        """Who has won and, only when it decided, by which tie-break; or who leads."""
        winners = tuple(self.names[p] for p in outcome.winners)
        if not finished:
            if not any(outcome.totals):
                return None
            return msg("app.score.leads", n=len(winners), winners=winners)
        if not winners:
            return msg("core.nobody-won")
        if outcome.tiebreak:
            why = msg(f"rule.{outcome.rule}.text")
            return msg("core.won-by", n=len(winners), winners=winners, why=why)
        return msg("core.won", n=len(winners), winners=winners)

    # -- what people do ---------------------------------------------------------------------------

    def on_light(self, line: str) -> None:
        """Explain a score line, or stop doing so."""
        self.lit = "" if line == self.lit else line

    def on_undo(self) -> None:
        """Take the last change back and show where it was."""
        self._step(self.session.undo)

    def on_redo(self) -> None:
        """Bring back what was undone."""
        self._step(self.session.redo)

    def _step(self, step: Callable[[], Path | None]) -> None:
        before = copy.deepcopy(self.sheet)
        try:
            path = step()
            self.accept(self.sheet)
        except (ValueError, TypeError, LookupError, AttributeError, LovecraftError):
            # the stored history does not belong to this sheet: keep the sheet, drop the history
            self.session.sheet, path = before, None
            self.session.done, self.session.undone = [], []
        if path is not None:
            self.lit = ""
            self.edited(path)
            self.save()

    def on_name(self, player: int, name: str) -> None:
        """Call a player something; nothing: by number."""
        if 0 <= player < len(self.players):
            self.change(["players", player, "name"], clean(name))

    def on_ask(self, what: str) -> None:
        """Something that clears the sheet is confirmed first."""
        self.asking = what if what == "clear" else ""

    def on_clear(self) -> None:
        """Empty the sheet, keep the names; can be undone."""
        self.asking = ""
        blank = self.blank([player["name"] for player in self.players])
        self.session.replace(blank)
        self.lit = ""
        self.aim()
        self.save()

    def on_new(self) -> None:
        """Leave this session as it is and begin another with the same people."""
        self.session = self._fresh([player["name"] for player in self.players])
        self.key = self.session.key
        self.lit = ""
        self.aim()
        self.save()


def clean(name: str) -> str:
    """A name as it is kept: single blanks, nothing that cannot be seen, not too long."""
    joined = " ".join(name.split())
    return "".join(c for c in joined if c.isprintable() or c == "\u200d")[:MAX_NAME].strip()


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
