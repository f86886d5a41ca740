"""What the scoring pages of all games share: the session, its names, undo, and asking first."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple
from unicodedata import normalize

from markupsafe import Markup

from apps.companion import colours, exchange, picture, qr
from apps.companion.session import MAX_NOTE, PREFIX, Path, Session, is_date
from apps.shell import Page, Shell
from apps.table.page import sit_down
from apps.table.session import HUMAN, TableSession
from lovecraft import bots
from lovecraft.core import LovecraftError, Outcome, Player
from lovecraft.core.game import AnyGame
from lovecraft.core.names import MAX_NAME, apart, fold_name, numbered, tidy_name
from lovecraft.explain.changes import WhatIf
from lovecraft.i18n import Message, msg, text

Sheet = dict[str, Any]


SHARED = "shared"
"""The part of a route before the letters of a whole session."""

OTHERS = 6
"""Other sheets of the same game that are listed."""

REPLAY_LEVEL = "greedy"
"""The bots of a replay where nobody has chosen others at a table of the game."""

LOOKING = {"light", "keep-copy", "place", "big", "awake", "share", "export", "export-csv"} | {
    "qr",
    "picture",
}
"""What can be done with somebody else's sheet."""


class Result(NamedTuple):
    """What a sheet comes to: the standing, and whether all that decides it is entered."""

    outcome: Outcome
    finished: bool


class PointSource(NamedTuple):
    """A kind of thing that brings points, and the CSS variable of its colour."""

    name: Message
    colour: str


class Replay(NamedTuple):
    """A round that can be played again at the table: what there is to know, and where it begins."""

    told: Message
    position: Any
    options: dict[str, Any]


class SheetPage(Page):
    """One session; ``#/<game>/score`` opens the latest of the game, or a new one."""

    kind = msg("app.score")
    game: ClassVar[AnyGame]
    template: ClassVar[str]
    seats: ClassVar[tuple[int, int]] = (2, 2)
    """The least and the most players there can be."""
    looking: ClassVar[frozenset[str]] = frozenset()
    """Further acts that only look."""

    def __init__(self, shell: Shell, rest: list[str]) -> None:
        super().__init__(shell)
        self.title = self.game.name
        self.asking = ""
        self.lit = ""
        """The score line that is being explained."""
        self.readonly = False
        """Whether this is somebody else's sheet, opened by a link."""
        self.qr: Markup | None = None
        """The link as a QR code, while it is shown."""
        self.qr_awaited = False
        """Whether the code is to be shown as soon as it can be drawn."""
        self.big = False
        """Whether the totals fill the screen."""
        shared = rest[1] if len(rest) > 1 and rest[0] == SHARED else ""
        self.session = self._shared(shared) or self._find("" if shared else "".join(rest[:1]))
        self.key = "" if self.readonly else self.session.key
        self._look_around()
        self.aim()

    @property
    def awake(self) -> bool:
        """Beside real cards the screen stays on, unless that was switched off."""
        return self.shell.settings.get("awake", True) is not False

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

    @classmethod
    def rounds(cls, sheet: Sheet) -> list[list[int]]:
        """Points per round and player, as far as rounds are begun; none in games without rounds."""
        return []

    @classmethod
    def sources(cls, sheet: Sheet) -> list[list[tuple[PointSource, int]]]:
        """Where the points of each player came from: kinds of sources, each as often as it paid."""
        raise NotImplementedError

    def replay(self) -> Replay | None:
        """The round that is shown, to be played again; None where its hands are not known.

        Raises LovecraftError when it cannot have been played.
        """
        return None

    @property
    def may_replay(self) -> Message | None:
        """What there is to know before the shown round is played again, if it can be."""
        try:
            found = None if self.readonly else self.replay()
        except LovecraftError:
            return None  # what does not fit together is told where it is entered
        return found.told if found else None

    def lying(self, player: int) -> list[picture.Row]:
        """What lies before a player, for the picture of the sheet."""
        raise NotImplementedError

    def next_sheet(self) -> Sheet:
        """An empty sheet for the same people."""
        return self.blank([player["name"] for player in self.players])

    def aim(self) -> None:
        """Go where the next entry is to be made, in a session just opened."""

    def edited(self, path: Path) -> None:
        """An edit at ``path`` was undone or redone: show the place."""

    def what_if(self) -> WhatIf | None:
        """What would have changed the line that is being explained; None when none is."""
        raise NotImplementedError

    def context(self) -> dict[str, Any]:
        """What the game's template needs."""
        raise NotImplementedError

    # -- the session ------------------------------------------------------------------------------

    def _shared(self, letters: str) -> Session | None:
        """The sheet of a link, to look at; None (and why) if there is none."""
        if not letters:
            return None
        try:
            session = exchange.from_link(letters, {self.game.id: type(self)}, self.game.id)
        except exchange.NotRead as damaged:
            self.shell.notice = damaged.message
            return None
        self.readonly = True
        return session

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
            if not isinstance(name, str) or tidy_name(name) != normalize("NFC", name):
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
        self.qr = None
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
        return self.shown_names(self.sheet, self.shell.lang)

    @classmethod
    def shown_names(cls, sheet: Sheet, lang: str) -> tuple[str, ...]:
        """Names as shown: those without one are called by their number."""
        return tuple(
            player["name"] or text("core.seat", lang, number=p + 1)
            for p, player in enumerate(sheet["players"])
        )

    @property
    def colours(self) -> list[int]:
        """The colour of every player."""
        names = [player["name"] for player in self.players]
        return colours.of_seats(names, colours.chosen(self.shell.settings))

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
            shades=self.colours,
            raw_names=[player["name"] for player in self.players],
            known_names=self._known_names,
            may_add=len(self.players) < most,
            may_remove=len(self.players) > least,
            max_name=MAX_NAME,
            max_note=MAX_NOTE,
            lit=self.lit,
            what_if=self.what_if() if self.lit else None,
            others=self._others,
            bg_stats=exchange.to_bg_stats(self.session, type(self), self.shell.lang)
            if finished
            else "",
            link="" if self.readonly else f"#/{self.game.id}/score/{SHARED}/{self.link}",
            **self.context(),
        )

    @property
    def link(self) -> str:
        """The whole session in letters."""
        return exchange.to_link(self.session)

    def _look_around(self) -> None:
        """What other sheets say; looked up once, not at every tap."""
        self._others = self.others()
        self._known_names = self.known_names()

    def others(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Other sheets of this game on the device: id, day, names; the latest first."""
        found: list[tuple[str, str, tuple[str, ...]]] = []
        for key in self._latest_first():
            if key != self.key and len(found) < OTHERS:
                ident = key.removeprefix(PREFIX)
                session = self._read(self.shell.store.get(key) or {}, ident)
                if session is not None:
                    names = self.shown_names(session.sheet, self.shell.lang)
                    found.append((ident, session.date, names))
        return found

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
                if isinstance(name, str) and name and tidy_name(name) == name:
                    found[name] = None
        return list(found)[:50]

    def verdict(self, outcome: Outcome, finished: bool) -> Message | None:
        """Who has won and, only when it decided, by which tie-break; or who leads."""
        winners = tuple(self.names[p] for p in outcome.winners)
        if not finished:
            if not any(outcome.totals):
                return None
            return msg("core.ahead", n=len(winners), winners=winners)
        if not winners:
            return msg("core.nobody-won")
        if outcome.tiebreak:
            why = msg(f"rule.{outcome.rule}.text")
            return msg("core.won-by", n=len(winners), winners=winners, why=why)
        return msg("core.won", n=len(winners), winners=winners)

    # -- what people do ---------------------------------------------------------------------------

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        if self.readonly and name not in LOOKING and name not in self.looking:
            self.shell.notice = msg("score.link.read-only")
            return
        await super().act(name, args, value)

    def on_keep_copy(self) -> None:
        """Make a sheet out of the one that a link has brought."""
        if self.readonly:
            self.readonly = False
            self.key = self.session.key
            self._look_around()
            self.save()

    def on_colour(self, player: int, colour: str) -> None:
        """The colour that a player takes, here and in other sheets."""
        name = self.players[player]["name"] if 0 <= player < len(self.players) else ""
        if name and colour in map(str, range(len(colours.COLOURS))):
            self.shell.set(colours=colours.remember(self.shell.settings, name, int(colour)))

    def on_date(self, day: str) -> None:
        """The day of the game."""
        if is_date(day):
            self.session.date = day
            self.save()

    def on_note(self, note: str) -> None:
        """What people want to remember about the game."""
        self.session.note = note[:MAX_NOTE]
        self.save()

    def on_big(self) -> None:
        """Show the totals so that all at the table can read them, or the sheet again."""
        self.big = not self.big

    def on_awake(self, on: bool) -> None:
        """Whether the screen stays on while a sheet is open."""
        self.shell.set(awake=on)

    def on_share(self) -> None:
        """Hand the link over to whatever the device shares with."""
        title = text(self.game.name, self.shell.lang)
        hash_ = f"#/{self.game.id}/score/{SHARED}/{self.link}"
        self.shell.tell(share={"hash": hash_, "title": title})
        self.shell.notice = msg("score.link.whole")

    def on_replay(self, player: int) -> None:
        """Play the shown round again in the place of a player, against bots."""
        found = self.replay()
        if found is None or not 0 <= player < len(self.players):
            return
        kept = self.shell.settings.get(f"table-{self.game.id}")
        levels = kept.get("bots") if isinstance(kept, dict) else None
        level = next((b for b in levels or () if b in bots.LEVELS), REPLAY_LEVEL)
        seats = [
            Player(name, HUMAN if p == player else level)
            for p, name in enumerate(apart(self.names))
        ]
        position, options = found.position, found.options
        sit_down(self.shell, TableSession.begin(self.game, seats, options, position))

    def on_add_player(self) -> None:
        """One more player, as far as the game takes them."""
        if len(self.players) < self.seats[1]:
            self.change(["players"], [*self.players, *self.blank([""])["players"]])

    def on_remove_player(self, player: int) -> None:
        """One player less, down to the least there can be; undo brings all of theirs back."""
        if len(self.players) > self.seats[0]:
            rest = [p for at, p in enumerate(self.players) if at != player]
            self.change(["players"], rest)
            self.edited(["players"])

    def on_qr(self) -> None:
        """Show the link as a QR code, or hide it."""
        if self.qr is not None:
            self.qr = None
            return
        self.qr_awaited = not qr.ready()
        if self.qr_awaited:
            self.shell.notice = msg("score.qr.later")
        else:
            self.qr = qr.svg(f"{self.shell.base}#/{self.game.id}/score/{SHARED}/{self.link}")

    def library_came(self) -> None:
        """Draw the code that was asked for too early."""
        if self.qr_awaited:
            self.shell.notice = None
            self.on_qr()

    def on_picture(self) -> None:
        """Hand over a picture of the sheet."""
        lang = self.shell.lang
        outcome, finished = self.result(self.sheet)
        verdict = self.verdict(outcome, finished)
        title = text(self.game.name, lang)
        seats = [
            picture.Seat(
                name, outcome.totals[p], finished and p in outcome.winners, tuple(self.lying(p))
            )
            for p, name in enumerate(self.names)
        ]
        told = text(verdict, lang, self.names) if verdict else ""
        svg = picture.draw(title, self.session.date, told, seats)
        name = f"{self.game.id}-{self.session.date}.png"
        self.shell.tell(picture={"name": name, "svg": svg, "title": title})

    def on_export(self) -> None:
        """This sheet as a file."""
        self._download("json", exchange.to_file([self.session]))

    def on_export_csv(self) -> None:
        """This sheet as a table for other programs."""
        pages = {self.game.id: type(self)}
        self._download("csv", exchange.to_csv([self.session], pages, self.shell.lang))

    def _download(self, kind: str, words: str) -> None:
        self.shell.tell(
            download={
                "name": f"{self.game.id}-{self.session.date}.{kind}",
                "text": words,
                "type": exchange.TYPES[kind],
            }
        )

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
        """Call a player something; nothing: by number. Two of one name are told apart."""
        if not 0 <= player < len(self.players):
            return
        tidy = told = tidy_name(name)
        others = {fold_name(p["name"]) for at, p in enumerate(self.players) if at != player}
        number = 2
        while tidy and fold_name(told) in others:
            told, number = numbered(tidy, number), number + 1
        self.change(["players", player, "name"], told)
        if told != tidy:
            self.shell.notice = msg("score.name-twice", name=tidy, told=told)

    def on_ask(self, what: str) -> None:
        """Something that clears the sheet is confirmed first."""
        self.asking = what if what == "clear" else ""

    def on_clear(self) -> None:
        """Empty the sheet, keep the names; can be undone."""
        self.asking = ""
        self.session.replace(self.next_sheet())
        self.lit = ""
        self.aim()
        self.save()

    def on_new(self) -> None:
        """Leave this session as it is and begin another with the same people."""
        self.session = Session(self.game.id, self.next_sheet())
        self.big = False
        self.key = self.session.key
        self._look_around()
        self.lit = ""
        self.aim()
        self.save()


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
