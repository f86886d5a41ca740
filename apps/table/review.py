"""A finished game looked back on: how the points came, and which decisions cost most."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from apps import chart
from apps.chart import Chart
from apps.shell import Page, Shell
from apps.store import Entry
from apps.table import archive, replay
from apps.table.boards import BOARDS
from apps.table.session import HUMAN
from lovecraft.bots import Budget, reasons
from lovecraft.bots.advice import Hint, Judgement, reviewing
from lovecraft.bots.thinking import Assessment
from lovecraft.core import CHANCE, Event, LovecraftError, Record
from lovecraft.i18n import Message, msg

BUDGET = Budget(seconds=1.0)
"""For each decision of a review."""

COSTLIEST = 2
"""So many decisions of each player are shown."""

NOTABLE = 0.03
"""A share of the victory that is worth talking about."""


class Weighed(NamedTuple):
    """An action as a review has valued it: share of the victory, standard error, visits."""

    action: Any
    value: float
    spread: float
    visits: int


class Judged(NamedTuple):
    """One decision: the move, who decided, what was chosen and what would have been best.

    ``chosen`` is None where the search never tried what was chosen.
    """

    at: int
    player: int
    chosen: Weighed | None
    best: Weighed

    @property
    def cost(self) -> float:
        """What the choice is thought to have cost, for certain by one standard error."""
        if self.chosen is None or self.chosen.action == self.best.action:
            return 0.0
        spread = math.hypot(self.chosen.spread, self.best.spread)
        return self.best.value - self.chosen.value - spread

    @property
    def good(self) -> bool:
        """Whether nothing notably better was found."""
        return self.chosen is not None and self.best.value - self.chosen.value < NOTABLE


class Costly(NamedTuple):
    """A decision as it is shown, with chances in per cent."""

    at: int
    chose: Message
    better: Message
    had: int
    could: int
    why: Message


class ReviewPage(Page):
    """``#/<game>/review/<id>``, once the game is over; what it finds is kept with the game."""

    kind = msg("review.kind")

    def __init__(self, shell: Shell, record: Record, key: str) -> None:
        super().__init__(shell)
        self.key = key
        self.game = record.game
        self.title = self.game.name
        self.board = BOARDS[self.game.id]
        self.budget = BUDGET
        self.record = record
        self.steps = tuple(record.steps())
        self.outcome = self.game.outcome(self.steps[-1].after if self.steps else record.start())
        people = [p for p, player in enumerate(record.players) if player.kind == HUMAN]
        self.seats = people or list(range(len(record.players)))
        self.decisions = [
            (step.at, step.move.player)
            for seat in self.seats
            for step in self.steps
            if step.move.player == seat and len(self.game.legal_actions(step.before, seat)) > 1
        ]
        """Every decision to be judged, in the order in which that is done."""
        self.working = False
        self.judged = self._kept()
        self.chart = course(record)

    @property
    def ident(self) -> str:
        """What the game is called on this device."""
        return self.key.partition("/")[2]

    @property
    def done(self) -> bool:
        """Whether every decision has been judged."""
        return len(self.judged) == len(self.decisions)

    # -- keeping ----------------------------------------------------------------------------------

    def _kept(self) -> list[Judged]:
        """What was found before; nothing if it is of another game or cannot be read."""
        entry = self.shell.store.get(archive.REVIEWS + self.ident) or {}
        found = entry.get("judged")
        if entry.get("trace") != archive.mark(self.record.to_json()) or not isinstance(found, list):
            return []
        try:
            judged = [self._read(one) for one in found]
        except (LovecraftError, TypeError, ValueError, LookupError, AttributeError):
            return []
        places = [(one.at, one.player) for one in judged]
        return judged if places == self.decisions[: len(places)] else []

    def _read(self, kept: Entry) -> Judged:
        at = kept["at"]
        chosen, best = kept["chosen"], self._weighed(kept["best"])
        return Judged(
            at, self.steps[at].move.player, self._weighed(chosen) if chosen else None, best
        )

    def _weighed(self, kept: list[Any]) -> Weighed:
        spelled, value, spread, visits = kept
        if not 0 <= value <= 1 or not 0 <= spread < math.inf or type(visits) is not int:
            raise ValueError("no value")
        return Weighed(self.game.action_from_json(spelled, ""), value, spread, visits)

    def _keep(self) -> None:
        spell = self.game.action_to_json
        self.shell.store.put(
            archive.REVIEWS + self.ident,
            {
                "trace": archive.mark(self.record.to_json()),
                "judged": [
                    {
                        "at": one.at,
                        "chosen": [spell(one.chosen.action), *one.chosen[1:]]
                        if one.chosen
                        else None,
                        "best": [spell(one.best.action), *one.best[1:]],
                    }
                    for one in self.judged
                ],
            },
        )

    # -- thinking ---------------------------------------------------------------------------------

    async def on_begin(self) -> None:
        """Go through the decisions that have not been judged yet, until the person does something.

        What has been judged is kept, so that it can be broken off and gone on with.
        """
        self.working = True
        for judgement in self._judging():
            if judgement is not None:
                self.judged.append(_judged(judgement))
                self._keep()
                await self.shell.show()
            await asyncio.sleep(0)
            if self.shell.asked:
                break
        self.working = False

    def on_stop(self) -> None:
        """Break it off: whatever arrives has done so already."""

    def _judging(self) -> Iterator[Judgement | None]:
        for seat in self.seats:
            since = max((one.at + 1 for one in self.judged if one.player == seat), default=0)
            yield from reviewing(self.record, self.budget, seat, since)

    # -- what is shown ----------------------------------------------------------------------------

    def html(self) -> str:
        return self.shell.render(
            "table/review.html",
            names=self.record.names,
            game=self.game,
            outcome=self.outcome,
            chart=self.chart,
            number=len(self.decisions),
            found=[
                (seat, len(own), sum(one.good for one in own), self._costliest(own))
                for seat in self.seats
                if (own := [one for one in self.judged if one.player == seat])
            ]
            if self.done
            else [],
        )

    def _costliest(self, own: list[Judged]) -> list[Costly]:
        worst = sorted((one for one in own if not one.good), key=lambda one: -one.cost)
        return [self._costly(one) for one in worst[:COSTLIEST] if one.cost > 0]

    def _costly(self, one: Judged) -> Costly:
        assert one.chosen is not None  # noqa: S101
        seen = self.game.observe(self.steps[one.at].before, one.player)
        best = one.best
        assessed = Assessment(best.action, best.value, best.spread, best.visits, 1.0)
        return Costly(
            one.at,
            self.game.describe(one.chosen.action),
            self.game.describe(best.action),
            round(100 * one.chosen.value),
            round(100 * best.value),
            reasons.why(self.game, seen, assessed, best.value),
        )


def _judged(judgement: Judgement) -> Judged:
    best, chosen = judgement.hints[0], judgement.chosen
    tried = chosen.visits or not chosen.spread
    return Judged(
        judgement.at, judgement.player, _weighed(chosen) if tried else None, _weighed(best)
    )


def _weighed(hint: Hint) -> Weighed:
    return Weighed(hint.action, hint.value, hint.spread, hint.visits)


def course(record: Record) -> Chart | None:
    """The points of all after each round, and at the end; None where nothing has happened."""
    game, board = record.game, BOARDS[record.game.id]
    seats = range(len(record.players))
    rounds: list[tuple[int, ...]] = []
    state = record.start()
    ended: tuple[Event, ...] = ()
    for step in record.steps():
        state, ended = step.after, step.events
        if step.move.player == CHANCE and not step.at:
            continue
        if board.chapter_ends(game.observe(step.before, 0), game.observe(state, 0)):
            rounds.append(tuple(board.points(game.observe(state, p)) for p in seats))
    outcome = game.outcome(state)
    heads: list[chart.Label] = [number + 1 for number in range(len(rounds))]
    if outcome is not None and outcome.totals not in rounds[-1:]:
        rounds.append(outcome.totals)
        heads.append(msg("review.end"))
    if not rounds:
        return None
    return chart.compared(
        "lines",
        msg("review.course"),
        msg("score.round"),
        heads,
        [(record.players[p].name, [points[p] for points in rounds]) for p in seats],
        told=next((event.text for event in ended if event.kind == "ended"), None),
    )


def open_review(shell: Shell, game: str, ident: str) -> ReviewPage | None:
    """The review of a kept game; None (and why) when there is none or it still runs."""
    found = replay.find(shell, game, ident)
    if found is None:
        return None
    key, record, _ = found
    if record.outcome() is None:
        shell.notice = msg("review.not-yet")
        return None
    return ReviewPage(shell, record, key)
