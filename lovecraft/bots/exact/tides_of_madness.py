"""A round of Tides of Madness solved exactly, once both hands are known.

From then on a round is a finite zero-sum game in which both choose at the same time: at most 5 × 5
pairs of picks, then 4 × 4 and so on, then perhaps a choice between points and healing and one of
Dreamlands' suit. Backward induction over matrix games (Shapley 1953; Buro 2003 for cards) gives
its value and an optimal mixture at every node. Since whatever is not picked by one is picked by
the other in the end, ten cards can lie in only 252 ways, so the leaves fit a small table.

The payoff is the first seat's share of the victory. The game's own payoffs do not always add up
to 1: when BOTH go mad nobody wins. Such an end counts as a draw here (half a victory each), which
makes the game zero-sum: it is how people at a table see it, and how draws count in matches.
Points are reported second: the expected lead at the end under the same play. Where no choice
changes the share any more (a won or lost position), the mixtures are those that are optimal for
the lead, so that a bot still plays sensibly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from lovecraft.bots.exact.node import Node, Result, Task, alone, node, value
from lovecraft.bots.guides.tides_of_madness import apart, promise
from lovecraft.core.game import AnyGame
from lovecraft.games.tides_of_madness import scoring
from lovecraft.games.tides_of_madness.cards import (
    LOST_AT,
    NONE,
    ROUNDS,
    SHUB_NIGGURATH,
    SUITS,
    Cards,
    bits,
    card_id,
)
from lovecraft.games.tides_of_madness.state import (
    CHOICES,
    CHOOSING,
    DREAMING,
    DREAMS,
    PICKING,
    Act,
    Observation,
    State,
)

Madness = tuple[int, int]
Worth = Callable[[int, Madness, Cards, Cards], float]
"""The first seat's share of the victory after the round: from its lead in points, the madness of
both, and the cards in front of both."""

NODES = (1, 1, 6, 60, 700, 6000)
"""About how many positions lie below one with so many cards in each hand."""


def final_share(lead: int, madness: Madness) -> float:
    """The first seat's share of the victory when the game is over."""
    mad, other_mad = madness[0] >= LOST_AT, madness[1] >= LOST_AT
    if mad or other_mad:
        return 0.5 * (1 - mad + other_mad)
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


LARGE = 3
"""With so many cards in each hand a position takes milliseconds to solve."""


class RoundSolver:
    """One round from a position on; positions met once are remembered.

    ``worth`` judges the end of the round. In the last round it is the rules' own result, which
    makes the solution exact; in an earlier one an estimate.
    """

    def __init__(self, state: State, worth: Worth | None = None) -> None:
        if worth is None and state.round < ROUNDS - 1:
            raise ValueError("only the last round ends the game")
        self._worth = worth
        self._madness = state.madness
        self._round = state.round
        self._lead = sum(a - b for a, b in state.points)
        self._ends: dict[tuple[Cards, Cards, Cards], Result] = {}
        self._known: dict[tuple[Cards, ...], Result] = {}

    def node(self, state: State) -> Node:
        """The solution at a position of this round: of a pick, the choice, or Dreamlands' suit."""
        a, b = map(sum, state.tableaus)
        if state.phase == PICKING:
            position = _position(state)
            grid = [
                [self._result(self._after(position, x, y)) for y in bits(position[3])]
                for x in bits(position[2])
            ]
            choices = tuple(
                tuple(Act("pick", card_id(bit)) for bit in bits(hand)) for hand in state.hands
            )
            return node((choices[0], choices[1]), grid)
        if state.phase == CHOOSING:
            doubled, madness, lead = state.doubled, state.madness, self._lead
            (seat,) = state.movers
            options = [
                self._choice(a, b, doubled, madness, lead, seat, act.what == scoring.POINTS)
                for act in CHOICES
            ]
            return alone(seat, CHOICES, options)
        if state.phase == DREAMING:
            (seat,) = state.movers
            lead = self._lead
            if state.choice == scoring.POINTS:
                lead += _paid(scoring.most_madness(a, b))
            options = [self._suit(a, b, state.doubled, state.madness, lead, s) for s in SUITS]
            return alone(seat, DREAMS, options)
        raise ValueError(f"nothing to solve while it is time to {state.phase}")

    def solving(self, state: State) -> Iterator[None]:
        """Solve a picking position bit by bit: pauses after each small part of the work."""
        if state.phase != PICKING:
            return
        for after in self._picked(_position(state)):
            if len(bits(after[2])) >= LARGE:
                for further in self._picked(after):
                    self._result(further)
                    yield
            self._result(after)
            yield

    # -- picks ------------------------------------------------------------------------------------

    def _picked(self, position: tuple[Cards, ...]) -> Iterator[tuple[Cards, ...]]:
        """The positions after each pair of picks."""
        for x in bits(position[2]):
            for y in bits(position[3]):
                yield self._after(position, x, y)

    def _result(self, position: tuple[Cards, ...]) -> Result:
        """The value of a position: cards in front, hands, last cards laid, card doubled."""
        if not position[2]:
            return self._end(position[0], position[1], position[6])
        known = self._known.get(position)
        if known is None:
            own, other = bits(position[2]), bits(position[3])
            after, result = self._after, self._result
            if len(own) == 1:
                known = result(after(position, own[0], other[0]))
            else:
                grid = [[result(after(position, x, y)) for y in other] for x in own]
                known = value(grid)
            self._known[position] = known
        return known

    @staticmethod
    def _after(position: tuple[Cards, ...], x: Cards, y: Cards) -> tuple[Cards, ...]:
        a, b, hand, other, last_a, last_b, doubled = position
        if (hand | other) & SHUB_NIGGURATH:
            if x == SHUB_NIGGURATH:
                doubled, last_a, last_b = last_a, NONE, NONE
            elif y == SHUB_NIGGURATH:
                doubled, last_a, last_b = last_b, NONE, NONE
            else:
                last_a, last_b = x, y
        return (a | x, b | y, other ^ y, hand ^ x, last_a, last_b, doubled)

    # -- the end of the round ---------------------------------------------------------------------

    def _end(self, a: Cards, b: Cards, doubled: Cards) -> Result:
        key = (a, b, doubled)
        known = self._ends.get(key)
        if known is None:
            madness = (
                self._madness[0] + scoring.icons(a),
                self._madness[1] + scoring.icons(b),
            )
            most = scoring.most_madness(a, b)
            if most is None:
                known = self._dream(a, b, doubled, madness, self._lead)
            else:
                options = [
                    self._choice(a, b, doubled, madness, self._lead, most, paid)
                    for paid in (True, False)
                ]
                known = min(options) if most else max(options)
            self._ends[key] = known
        return known

    def _choice(
        self,
        a: Cards,
        b: Cards,
        doubled: Cards,
        madness: Madness,
        lead: int,
        seat: int,
        paid: bool,
    ) -> Result:
        """After the choice of who took most madness: four points, or one madness less."""
        if paid:
            lead += _paid(seat)
        else:
            madness = scoring.healed(madness, seat)
        return self._dream(a, b, doubled, madness, lead)

    def _dream(self, a: Cards, b: Cards, doubled: Cards, madness: Madness, lead: int) -> Result:
        """From the Dreamlands step on."""
        owner = scoring.dreamlands_owner(a, b)
        if owner is None:
            return self._suit(a, b, doubled, madness, lead, None)
        madness = scoring.after_dreamlands(madness, owner)
        options = [self._suit(a, b, doubled, madness, lead, suit) for suit in SUITS]
        return min(options) if owner else max(options)

    def _suit(
        self, a: Cards, b: Cards, doubled: Cards, madness: Madness, lead: int, suit: str | None
    ) -> Result:
        """Cards score, then the round is over."""
        first, second = scoring.card_points(a, b, madness, suit, doubled)
        lead += first - second
        mad = madness[0] >= LOST_AT or madness[1] >= LOST_AT
        if mad or self._worth is None:
            return final_share(lead, madness), lead
        return self._worth(lead, madness, a, b), lead


def _paid(seat: int | None) -> int:
    """The four points for most madness in the first seat's lead."""
    return -scoring.CHOICE_POINTS if seat else scoring.CHOICE_POINTS


def _position(state: State) -> tuple[Cards, ...]:
    a, b = map(sum, state.tableaus)
    last_a = last_b = NONE
    if (state.hands[0] | state.hands[1]) & SHUB_NIGGURATH and len(state.tableaus[0]) > state.round:
        last_a, last_b = state.tableaus[0][-1], state.tableaus[1][-1]
    return (a, b, state.hands[0], state.hands[1], last_a, last_b, state.doubled)


def task(game: AnyGame, o: Observation, rng: random.Random) -> Task | None:
    """The solution of an observation: exact if both hands are known, else of a sampled deal."""
    if o.phase not in (PICKING, CHOOSING, DREAMING):
        return None
    o = apart(o)
    last = o.round == ROUNDS - 1
    state = game.resample(o, rng)
    if last:
        solver = RoundSolver(state)
    else:
        kept = (sum(o.tableaus[0][: o.round]), sum(o.tableaus[1][: o.round]))

        def worth(lead: int, madness: Madness, a: Cards, b: Cards) -> float:
            return promise(o.round, lead, madness, kept, (a ^ kept[0], b ^ kept[1]))

        solver = RoundSolver(state, worth)
    left = o.hands[o.player].bit_count() if o.phase == PICKING else 0
    return Task(
        o.player,
        NODES[left],
        last,
        o.hidden > 0,
        lambda: solver.solving(state),
        lambda: solver.node(state).solution(o.player),
    )
