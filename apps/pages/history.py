"""All score sheets on the device: list, filters, statistics in text, files out and in."""

from __future__ import annotations

import time
from collections.abc import Mapping

from apps.companion import colours, exchange
from apps.companion.page import SheetPage
from apps.companion.session import PREFIX, Session, today
from apps.pages.statistics import Kept, charts, statistics
from apps.shell import RemovingPage, Shell
from lovecraft.core import LovecraftError
from lovecraft.i18n import msg

SHOWN = 100
"""Sheets listed at once; the others can be found by a filter."""

PERIODS = ("30", "365")
"""Days back that can be chosen."""


class History(RemovingPage):
    """Sheets, filtered by game and player, and what they add up to."""

    title = msg("score.history")

    def __init__(self, shell: Shell, companions: Mapping[str, type[SheetPage]]) -> None:
        super().__init__(shell)
        self.companions = companions
        self.only_game = ""
        self.only_player = ""
        self.days = 0
        """Only sheets of so many days back; 0: all."""
        self._known: dict[str, tuple[str, Kept | None]] = {}
        """What was read of each entry, by its text: most stay as they are from tap to tap."""

    def html(self) -> str:
        every = self.kept()
        shown = self.filtered(every)
        return self.shell.render(
            "history.html",
            kept=shown[:SHOWN],
            number=len(shown),
            more=max(len(shown) - SHOWN, 0),
            any=bool(every),
            finished=any(one.finished for one in shown),
            games=[(page.game.id, page.game.name) for page in self.companions.values()],
            players=sorted(
                {p["name"] for one in every for p in one.session.sheet["players"]} - {""}
            ),
            statistics=[
                (page.game, records, charts(records, finished, colours.chosen(self.shell.settings)))
                for page in self.companions.values()
                if (finished := [o for o in shown if o.game is page.game and o.finished])
                and (records := statistics(finished))
            ],
            removing=self.removing,
            periods=PERIODS,
        )

    def kept(self) -> list[Kept]:
        """Every sheet that can be read, the latest game first."""
        store = self.shell.store
        found = []
        for key in store.keys(PREFIX):
            text = f"{self.shell.lang} {store.text(key)}"
            if self._known.get(key, ("", None))[0] != text:
                self._known[key] = text, self._read(key)
            if (one := self._known[key][1]) is not None:
                found.append(one)
        return sorted(found, key=lambda one: (one.session.date, one.session.created), reverse=True)

    def _read(self, key: str) -> Kept | None:
        """One sheet; None when it cannot be shown: opening it will set it aside and say so."""
        entry = self.shell.store.get(key)
        page = self.companions.get(str((entry or {}).get("game")))
        if entry is None or page is None:
            return None
        try:
            session = Session.read(entry, key.removeprefix(PREFIX))
            page.accept(session.sheet)
        except (ValueError, LovecraftError):
            return None
        sheet = session.sheet
        names = page.shown_names(sheet, self.shell.lang)
        outcome, finished = page.result(sheet)
        rounds, sources = (page.rounds(sheet), page.sources(sheet)) if finished else ([], [])
        return Kept(session, page.game, names, outcome, finished, rounds, sources)

    def filtered(self, every: list[Kept]) -> list[Kept]:
        """The sheets of the chosen game, player and time."""
        since = today(int((time.time() - 86400 * self.days) * 1000)) if self.days else ""
        return [
            one
            for one in every
            if one.session.date >= since
            and (not self.only_game or one.game.id == self.only_game)
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

    def on_days(self, days: str) -> None:
        """Only sheets of the last days, or all."""
        self.days = int(days) if days in PERIODS else 0

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

    def remove(self, key: str) -> None:
        self.shell.store.remove(PREFIX + key)


def _mark(session: Session) -> str:
    return repr((session.game, session.created, session.date, session.note, session.sheet))
