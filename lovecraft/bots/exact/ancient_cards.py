"""A round of Ancient Cards with two players solved exactly, once both hands are known.

From the second pick on both players have seen both hands. What is left is a finite game of
simultaneous picks: backward induction over matrix games, positions met once are remembered.

The payoff is the first seat's share of the victory: in the third round by the rules, tie-break
included, so the solution is exact; in the first two the round is solved exactly for an ESTIMATED
share after it (``lovecraft.bots.guides.ancient_cards.after_rounds``). The expected lead in points
is reported second; where no pick changes the share any more, mixtures are optimal for the lead.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from lovecraft.bots.exact.node import Node, Result, Task, node, value
from lovecraft.bots.guides.ancient_cards import after_rounds, apart
from lovecraft.core.game import AnyGame
from lovecraft.games.ancient_cards.cards import ROUNDS, UNIT, Bundle, kinds, size
from lovecraft.games.ancient_cards.game import Observation, State
from lovecraft.games.ancient_cards.scoring import area_points

Worth = Callable[[tuple[tuple[int, ...], ...]], tuple[float, ...]]
"""From the points of all rounds so far to the share of each seat."""


class RoundSolver:
    """One round of two players from a position on."""

    def __init__(self, state: State, worth: Worth) -> None:
        if state.setup.players != 2:
            raise ValueError("a matrix game has two players")
        self._points = state.points
        self._worth = worth
        self._before = sum(a - b for a, b in state.points)
        self._ends: dict[tuple[int, int], Result] = {}
        self._known: dict[tuple[Bundle, ...], Result] = {}

    def node(self, state: State) -> Node:
        """The solution at a picking position of this round."""
        position = _position(state)
        grid = [
            [self._result(_after(position, UNIT[x], UNIT[y])) for y in kinds(state.hands[1])]
            for x in kinds(state.hands[0])
        ]
        return node((kinds(state.hands[0]), kinds(state.hands[1])), grid)

    def solving(self, state: State) -> Iterator[None]:
        """Solve bit by bit: pauses after each small part of the work."""
        position = _position(state)
        yield from self._descend(position, 2)

    def _descend(self, position: tuple[Bundle, ...], depth: int) -> Iterator[None]:
        for x in kinds(position[2]):
            for y in kinds(position[3]):
                after = _after(position, UNIT[x], UNIT[y])
                if depth > 1 and size(after[2]) > 3:
                    yield from self._descend(after, depth - 1)
                self._result(after)
                yield

    def _result(self, position: tuple[Bundle, ...]) -> Result:
        known = self._known.get(position)
        if known is None:
            a, b, own, other = position
            result = self._result
            if not own:
                known = self._end(area_points(a), area_points(b))
            elif size(own) == 1:
                known = self._end(area_points(a + own), area_points(b + other))
            else:
                columns = [UNIT[y] for y in kinds(other)]
                known = value(
                    [
                        [result((a + x, b + y, other - y, own - x)) for y in columns]
                        for x in [UNIT[x] for x in kinds(own)]
                    ]
                )
            self._known[position] = known
        return known

    def _end(self, first: int, second: int) -> Result:
        key = (first, second)
        known = self._ends.get(key)
        if known is None:
            share = self._worth((*self._points, key))[0]
            known = self._ends[key] = (share, self._before + first - second)
        return known


def nodes(state: State) -> float:
    """About how many positions a solution visits."""
    picks = [len(kinds(hand)) for hand in state.hands]
    visited = float(picks[0] * picks[1])
    for left in range(size(state.hands[0]) - 1, 1, -1):
        # a hand loses a kind now and then as it shrinks; equal positions meet
        visited *= min(picks[0], left) * min(picks[1], left) * (MEET if left < 4 else MEET_EARLY)
    return visited


MEET, MEET_EARLY = 0.62, 0.3
"""The part of the positions a step further on that have not been met on another way, measured."""


def _position(state: State) -> tuple[Bundle, ...]:
    return (*state.areas, *state.hands)


def _after(position: tuple[Bundle, ...], x: Bundle, y: Bundle) -> tuple[Bundle, ...]:
    a, b, own, other = position
    return (a + x, b + y, other - y, own - x)


def task(game: AnyGame, o: Observation, rng: random.Random) -> Task | None:
    """The solution of an observation, if two play and both hands are known."""
    o = apart(o)
    if o.setup.players != 2 or None in o.hands:
        return None
    last = o.round == ROUNDS - 1
    if o.setup.keep_play_area and not last:
        return None
    state = game.resample(o, rng)
    solver = RoundSolver(state, after_rounds)
    return Task(
        o.player,
        nodes(state),
        last,
        False,
        lambda: solver.solving(state),
        lambda: solver.node(state).solution(o.player),
    )
