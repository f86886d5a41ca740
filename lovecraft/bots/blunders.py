"""Moves that no strong player makes, found in records of finished games.

Three kinds, each only where it decides:

``thirteen``
    Mythicals: the black 13 could be claimed at once, or the draw at hand would have made it
    payable; the seat did something else, never got the 13 afterwards, did not win, was behind at
    the end by no more than the 13 was worth, and a long search finds the 13 better, too.
``nyarlathotep``
    Tides of Madness: Nyarlathotep was let go by, although playing it was the best pick.
``ninth``
    Tides of Madness: a card was played whose icon brings the ninth madness (those in front and
    those taken before counted), although another one was better.

"Better" is by at least ``DECIDES`` of the victory, with what the seat could know, not with what
came to light later. In Tides of Madness the solved round says it (``lovecraft.bots.exact``), both
hands being known; in the last round that is exact, before it the promise of the round's end is an
estimate. A pick that belongs to an optimal mixture never counts. In Mythicals it is what ``master``
finds with ``THOROUGH`` iterations.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from lovecraft.bots import exact
from lovecraft.bots.advice import settled
from lovecraft.bots.budget import Budget
from lovecraft.bots.thinking import Thought
from lovecraft.core.game import AnyGame
from lovecraft.core.record import Record, Step
from lovecraft.core.scoring import Outcome
from lovecraft.games.mythicals.actions import Action
from lovecraft.games.mythicals.cards import COLOUR_MASK, DOUBLES, TOKEN, TOKEN_UNIT, count
from lovecraft.games.mythicals.claims import missing
from lovecraft.games.mythicals.state import CLAIM, DRAW, TAKE
from lovecraft.games.mythicals.state import State as MythicalsState
from lovecraft.games.tides_of_madness import scoring as tides
from lovecraft.games.tides_of_madness.cards import BIT, ICONS, LOST_AT
from lovecraft.games.tides_of_madness.state import PICKING, Act
from lovecraft.games.tides_of_madness.state import State as TidesState

DECIDES = 0.25
"""A share of the victory that must be lost for a pick to count."""

THOROUGH = 5000
"""About what ``master`` has in the browser."""

THIRTEEN = "black-13"
NYARLATHOTEP = "nyarlathotep"


class Blunder(NamedTuple):
    """The number of the move, the seat, the kind, and the share of the victory it cost."""

    at: int
    player: int
    kind: str
    cost: float


def blunders(record: Record) -> tuple[Blunder, ...]:
    """All blunders of a finished game; none in an unfinished one or in other games."""
    find = FINDERS.get(record.game.id)
    outcome = record.outcome()
    if find is None or outcome is None:
        return ()
    steps = tuple(record.steps())
    return tuple(
        blunder
        for step in steps
        if step.move.player >= 0
        for blunder in find(record.game, step, outcome, steps)
    )


def _mythicals(
    game: AnyGame, step: Step, outcome: Outcome, steps: tuple[Step, ...]
) -> Iterator[Blunder]:
    state: MythicalsState = step.before
    seat = step.move.player
    unit = TOKEN_UNIT[THIRTEEN]
    if not state.board & unit:
        return
    worth = TOKEN[THIRTEEN].points + count(state.markers, unit)
    good = [a for a in game.legal_actions(state, seat) if _gets_thirteen(state, seat, a)]
    behind = max(outcome.totals) - outcome.totals[seat]
    if not good or step.move.action in good or outcome.ranks[seat] == 1 < outcome.ranks[1 - seat]:
        return
    if behind > worth or THIRTEEN in steps[-1].after.stacks[seat]:
        return
    budget, seen = Budget(iterations=THOROUGH), game.observe(state, seat)
    thought = Thought(game, seen, random.Random(0), budget, also=step.move.action).finish()
    found = {a.action: a.value for a in settled(thought.assessments)}
    cost = max(map(found.__getitem__, good)) - found[step.move.action]
    if cost >= DECIDES:
        yield Blunder(step.at, seat, "thirteen", cost)


def _gets_thirteen(state: MythicalsState, seat: int, action: Action) -> bool:
    """Whether an action claims the 13, or brings the cards with which it can be claimed at once."""
    if state.phase == CLAIM:
        return action.target == THIRTEEN
    if state.phase not in (DRAW, TAKE) or action.target not in COLOUR_MASK:
        return False
    source = state.revealed if state.phase == TAKE else state.reserve
    hand = state.hands[seat] + (source & COLOUR_MASK[action.target])
    if state.setup.gift_duplicates:
        hand -= (hand & DOUBLES) >> 1
    return not missing(THIRTEEN, hand)


def _tides(
    game: AnyGame, step: Step, outcome: Outcome, steps: tuple[Step, ...]
) -> Iterator[Blunder]:
    state: TidesState = step.before
    seat, act = step.move.player, step.move.action
    if state.phase != PICKING:
        return
    card = BIT[act.what]
    left = state.hands[seat] & BIT[NYARLATHOTEP] and card != BIT[NYARLATHOTEP]
    before = state.madness[seat] + tides.icons(sum(state.tableaus[seat]))
    ninth = card & ICONS and before + 1 >= LOST_AT
    if not left and not ninth:
        return
    task = exact.task(game, game.observe(state, seat), random.Random(0))
    if task is None or task.sampled:
        return
    for _ in task.solving():
        pass
    found = {action: share for action, (share, _) in task.solution().found.items()}
    best = max(found.values())
    cost = best - found[act]
    if cost < DECIDES:
        return
    if left and found[Act("pick", NYARLATHOTEP)] == best:
        yield Blunder(step.at, seat, "nyarlathotep", cost)
    if ninth:
        yield Blunder(step.at, seat, "ninth", cost)


FINDERS: Mapping[str, Callable[[AnyGame, Step, Outcome, tuple[Step, ...]], Iterator[Blunder]]] = {
    "mythicals": _mythicals,
    "tides-of-madness": _tides,
}
"""The games that have blunders worth counting."""
