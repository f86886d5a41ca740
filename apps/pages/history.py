"""All score sheets on the device: list, filters, statistics in text, files out and in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from apps.companion import exchange
from apps.companion.page import SheetPage
from apps.companion.session import PREFIX, Session
from apps.shell import Page, Shell
from lovecraft.core import LovecraftError, Outcome
from lovecraft.core.game import AnyGame
from lovecraft.i18n import msg

SHOWN = 100
"""Sheets listed at once; the others can be found by a filter."""


class Kept(NamedTuple):
    """One sheet as it is listed."""

    session: Session
    game: AnyGame
    names: tuple[str, ...]
    outcome: Outcome
    finished: bool


class Record(NamedTuple):
    """What a player has done in the finished games of one kind."""

    name: str
    plays: int
    wins: int
    average: float
    best: int
    margin: float | None
    """By how much the player was ahead of the next when winning alone, on average."""


class History(Page):
    """Sheets, filtered by game and player, and what they add up to."""

    title = msg("score.history")

    def __init__(self, shell: Shell, companions: Mapping[str, type[SheetPage]]) -> None:
        super().__init__(shell)
        self.companions = companions
        self.only_game = ""
        self.only_player = ""
        self.removing = ""

    def html(self) -> str:
        every = self.kept()
        shown = self.filtered(every)
        return self.shell.render(
            "history.html",
            kept=shown[:SHOWN],
            number=len(shown),
            more=max(len(shown) - SHOWN, 0),
            any=bool(every),
            games=[(page.game.id, page.game.name) for page in self.companions.values()],
            players=sorted(
                {p["name"] for one in every for p in one.session.sheet["players"]} - {""}
            ),
            statistics=[
                (page.game, records)
                for page in self.companions.values()
                if (records := statistics(o for o in shown if o.game is page.game))
            ],
            removing=self.removing,
        )

    def kept(self) -> list[Kept]:
        """Every sheet that can be read, the latest game first."""
        store = self.shell.store
        found = []
        for key in store.keys(PREFIX):
            entry = store.get(key)
            page = self.companions.get(str((entry or {}).get("game")))
            if entry is None or page is None:
                continue
            try:
                session = Session.read(entry, key.removeprefix(PREFIX))
                page.accept(session.sheet)
            except (ValueError, LovecraftError):
                continue  # opening it will set it aside and say so
            names = page.shown_names(session.sheet, self.shell.lang)
            found.append(Kept(session, page.game, names, *page.result(session.sheet)))
        return sorted(found, key=lambda one: (one.session.date, one.session.created), reverse=True)

    def filtered(self, every: list[Kept]) -> list[Kept]:
        """The sheets of the chosen game and player."""
        return [
            one
            for one in every
            if (not self.only_game or one.game.id == self.only_game)
            and (
                not self.only_player
                or any(p["name"] == self.only_player for p in one.session.sheet["players"])
            )
        ]

    # -- what people do ---------------------------------------------------------------------------

    def on_game(self, game: str) -> None:
        """Only sheets of one game, or of all."""
        self.only_game = game if game in self.companions else ""

    def on_player(self, name: str) -> None:
        """Only sheets on which somebody stands, or all."""
        self.only_player = name

    def on_export(self) -> None:
        """The sheets that are shown, as a file."""
        sessions = [one.session for one in self.filtered(self.kept())]
        self._download("json", exchange.to_file(sessions))

    def on_export_csv(self) -> None:
        """The sheets that are shown, as a table for other programs."""
        sessions = [one.session for one in self.filtered(self.kept())]
        self._download("csv", exchange.to_csv(sessions, self.companions, self.shell.lang))

    def _download(self, kind: str, words: str) -> None:
        self.shell.tell(
            download={
                "name": f"lovecraft-scores.{kind}",
                "text": words,
                "type": exchange.TYPES[kind],
            }
        )

    def on_import(self, words: str) -> None:
        """Take in the sheets of a file; those that are here already stay as they are."""
        sessions, refused = exchange.from_file(words, self.companions)
        here = {_mark(one.session) for one in self.kept()}
        taken = 0
        for session in sessions:
            if (mark := _mark(session)) not in here:
                here.add(mark)
                page = self.companions[session.game]
                names = list(page.shown_names(session.sheet, self.shell.lang))
                finished = page.result(session.sheet).finished
                session.save(self.shell.store, names, finished=finished)
                taken += 1
        known = len(sessions) - taken
        if known or refused:
            self.shell.notice = msg("score.file.part", taken=taken, known=known, refused=refused)
        else:
            self.shell.notice = msg("score.file.taken", n=taken)

    def on_remove(self, ident: str) -> None:
        """Ask whether to throw a sheet away."""
        self.removing = ident

    def on_keep(self) -> None:
        """Rather not."""
        self.removing = ""

    def on_really_remove(self, ident: str) -> None:
        """Throw away what was asked about."""
        if ident == self.removing:
            self.shell.store.remove(PREFIX + ident)
        self.removing = ""


def _mark(session: Session) -> str:
    return repr((session.game, session.created, session.date, session.note, session.sheet))


def statistics(kept: Iterable[Kept]) -> list[Record]:
    """What each named player has done in finished games, most wins first."""
    points: dict[str, list[int]] = {}
    wins: dict[str, int] = {}
    margins: dict[str, list[int]] = {}
    for one in kept:
        if not one.finished:
            continue
        for p, player in enumerate(one.session.sheet["players"]):
            if not (name := player["name"]):
                continue
            points.setdefault(name, []).append(one.outcome.totals[p])
            if p in one.outcome.winners:
                wins[name] = wins.get(name, 0) + 1
                if one.outcome.winners == (p,):
                    others = [t for q, t in enumerate(one.outcome.totals) if q != p]
                    margins.setdefault(name, []).append(one.outcome.totals[p] - max(others))
    records = [
        Record(
            name,
            len(own),
            wins.get(name, 0),
            round(sum(own) / len(own), 1),
            max(own),
            round(sum(m) / len(m), 1) if (m := margins.get(name)) else None,
        )
        for name, own in points.items()
    ]
    return sorted(records, key=lambda r: (-r.wins, -r.average, r.name))
