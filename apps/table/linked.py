"""A game that came by a link: shown, and gone on with once somebody takes a seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from apps.companion.session import new_id
from apps.shell import Shell
from apps.table import archive, links
from apps.table.links import Linked
from apps.table.page import sit_down
from apps.table.replay import ReplayPage
from apps.table.session import HUMAN, PREFIX, TableSession
from lovecraft.core import LovecraftError, Match
from lovecraft.i18n import msg


class LinkPage(ReplayPage):
    """``#/play/<letters>``: a game that came by a link, only shown until somebody takes a seat.

    While it runs, nothing of the cards is shown before the person has said whose seat it is.
    """

    kind = msg("link.kind")

    def __init__(self, shell: Shell, linked: Linked) -> None:
        self.linked = linked
        self.who: int | None = None
        self.copied = False
        super().__init__(shell, linked.record, {})
        self.at = len(self.steps)
        self.mine = self._mine()

    def _veil(self) -> None:
        self.veiled = False  # one asks who is looking instead

    def _mine(self) -> TableSession | None:
        """The game of this name on this device."""
        entry = self.shell.store.get(PREFIX + self.linked.id)
        try:
            return TableSession.read(entry, self.linked.id) if entry else None
        except (LovecraftError, ValueError):
            return None

    @property
    def known(self) -> str:
        """How the link's game stands to the one on this device: new, ahead, behind or other."""
        if self.mine is None:
            return "new"
        own, theirs = self.mine.match.record, self.record
        if replace(own, moves=()) != replace(theirs, moves=()):
            return "other"
        number = min(len(own.moves), len(theirs.moves))
        if own.moves[:number] != theirs.moves[:number]:
            return "other"
        return "ahead" if len(theirs.moves) > len(own.moves) else "behind"

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [p for p, player in enumerate(self.record.players) if player.kind == HUMAN]

    @property
    def own(self) -> list[int]:
        """The seats through which the person may look: those at this device where it is known."""
        mine = self.mine if self.known in ("ahead", "behind") else None
        return mine.here if mine else self.people

    @property
    def to_move(self) -> list[int]:
        """The people who are to move."""
        return [seat for seat in self.game.to_move(self.final) if seat in self.people]

    @property
    def banner(self) -> str:
        return "table/link_banner.html"

    @property
    def gate(self) -> bool:
        """Whether it must be said first who is looking."""
        return not self.finished and bool(self.people) and self.who is None

    @property
    def takes(self) -> bool:
        """Whether a seat can be taken and the game gone on with."""
        return archive.playable(self.record)

    # -- what people do ---------------------------------------------------------------------------

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        if not self.gate or name in ("look", "take", "copy"):
            await super().act(name, args, value)

    def on_look(self, seat: int) -> None:
        """Look at the game from one's own seat, without keeping anything."""
        if seat in self.own and not self.finished:
            self.who = seat
            self.seats = [seat]
            self.seat = seat

    def on_take(self, seat: int) -> None:
        """Sit down and go on: the game is kept, or the one that is here moves on."""
        if seat not in self.people or not (self.takes or self.known == "ahead"):
            return
        ident = self.linked.id if self.known in ("new", "ahead") else new_id()
        session = TableSession(Match(self.record, self.linked.seed), ident, here=[seat])
        if self.mine is not None and self.known == "ahead":
            session.continues(self.mine)
        sit_down(self.shell, session)

    def on_copy(self) -> None:
        """Keep the game as it is, in the list of games."""
        if not self.copied:
            archive.take_in(self.shell.store, self.record, self.linked.seed)
        self.copied = True
        self.shell.notice = msg("link.kept")

    # -- what is shown ----------------------------------------------------------------------------

    def html(self) -> str:
        if self.gate:
            return self.shell.render(
                "table/link.html",
                names=self.names,
                game=self.game,
                number=len(self.steps),
                turn=links.whose_turn(self.names, self.to_move) if self.to_move else None,
            )
        return super().html()
