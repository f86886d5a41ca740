"""The end of Mythicals solved exactly, when the pile is short: expectimax over the unseen cards.

Nothing is hidden but the order of the pile. With three cards left it is no secret either: all three
will be revealed, dawn among them. With six, dawn comes now or next time, and the few creatures that
are left come in few ways. What lies between two reveals is short as well, since only the pile
brings cards to the reserve.

The payoff is the first seat's share of the victory, so values lie between 0 and 1: alpha-beta
pruning (Knuth & Moore 1975), through chance nodes by Star1 (Ballard 1983), with a transposition
table. Tokens that nobody can pay for any more are left out, as long as there are markers enough:
then to reinforce or lock one is to pass.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

from lovecraft.bots.exact.node import Solution, Task
from lovecraft.bots.greedy import mythicals as greedy
from lovecraft.core.game import CHANCE, AnyGame
from lovecraft.games.mythicals.actions import PILE, REVEAL, Action
from lovecraft.games.mythicals.cards import (
    COLOUR_MASKS,
    DAWN_UNIT,
    REVEAL_SIZE,
    TOKEN,
    TOKEN_UNIT,
    TOKENS,
    Bundle,
    count,
    units,
)
from lovecraft.games.mythicals.claims import missing
from lovecraft.games.mythicals.game import Mythicals
from lovecraft.games.mythicals.state import (
    CLAIM,
    DRAW,
    MODIFY,
    OVER,
    TAKE,
    Observation,
    State,
    dawn_chance,
    marker_supply,
)
from lovecraft.games.mythicals.state import REVEAL as REVEALING

SHORT = 6
"""A pile of at most so many cards is tried to be solved."""

LEVEL = 1e-9
"""Shares that differ by less are the same, but for rounding."""

BURST = 300
"""New positions between two pauses."""

_GAME = Mythicals()
_Bounds = tuple[float, float]
_Key = tuple[object, ...]


class _Pause(Exception):
    """Enough positions for now; what is known is kept."""


class EndSolver:
    """The rest of a game from one position on; positions met once are remembered."""

    def __init__(self, state: State) -> None:
        self.root = pruned(state)
        self.positions = 0
        self._known: dict[_Key, _Bounds] = {}
        self._quota = 0

    def value(self, state: State, low: float = 0.0, high: float = 1.0) -> float:
        """The first seat's share of the victory; outside of ``low`` to ``high`` only a bound."""
        self._quota = -1
        return self._value(state, low, high)

    def shares(self) -> dict[Action, float]:
        """The first seat's share after each action at the root."""
        return {action: self.value(after) for action, after in self._after_root()}

    def solving(self) -> Iterator[None]:
        """Solve the root bit by bit; afterwards :meth:`shares` answers at once.

        A part of the work that is cut off begins again, but what it has found is known by then.
        """
        for _, after in self._after_root():
            while True:
                self._quota = BURST
                try:
                    self._value(after, 0.0, 1.0)
                except _Pause:
                    yield
                else:
                    break

    def _after_root(self) -> Iterator[tuple[Action, State]]:
        root = self.root
        for action in _GAME.legal_actions(root, root.player):
            yield action, _GAME.advance(root, root.player, action)

    def _value(self, state: State, low: float, high: float) -> float:
        phase = state[1]
        if phase == OVER:
            return _share(_lead(state))
        if state[8] and phase == CLAIM:  # the last claim: what is worth most
            lead = _lead(state)
            worth = _best_claim(state[3][state[2]], state[9], state[11])
            return _share(lead - worth if state[2] else lead + worth)
        if phase == DRAW:
            state = pruned(state)
        key = (*state[1:-1], _lead(state))
        least, most = self._known.get(key, (0.0, 1.0))
        if least == most or least >= high:
            return least
        if most <= low:
            return most
        if self._quota == 0:
            raise _Pause
        self._quota -= 1
        self.positions += 1
        low, high = max(low, least), min(high, most)
        if phase == REVEALING:
            found = self._expected(state, low, high)
        else:
            found = self._best(state, low, high)
        if found <= low:
            most = min(most, found)
        elif found >= high:
            least = max(least, found)
        else:
            least = most = found
        self._known[key] = (least, most)
        return found

    def _best(self, state: State, low: float, high: float) -> float:
        """Over the actions of the seat to move: the first one's highest, the second's lowest."""
        seat = state[2]
        best = 1.0 if seat else 0.0
        for action in _ordered(state, seat):
            found = self._value(_GAME.advance(state, seat, action), low, high)
            if seat:
                best = min(best, found)
                high = min(high, best)
            else:
                best = max(best, found)
                low = max(low, best)
            if low >= high or best == 1 - seat:
                break
        return best

    def _expected(self, state: State, low: float, high: float) -> float:
        """Over the reveals, each with its likelihood."""
        sure, left = 0.0, 1.0
        for reveal, likely in reveals(state[6], state[7]):
            left = max(0.0, left - likely)
            # outside of these this reveal settles on which side of the window the mean lies
            least, most = (low - sure - left) / likely, (high - sure) / likely
            if least >= 1:
                return sure + likely + left
            if most <= 0:
                return sure
            after = _GAME.advance(state, CHANCE, reveal)
            found = self._value(after, max(0.0, least), min(1.0, most))
            sure += likely * found
            if found <= least:
                return sure + left
            if found >= most:
                return sure
        return sure


def pruned(state: State) -> State:
    """The position without the tokens that nobody can pay for any more.

    Left as it is where markers may run out: then one on such a token is one less for others.
    """
    _, _, _, hands, reserve, revealed, unseen, pile, _, board, locked, markers, _ = state
    turns = pile // REVEAL_SIZE + 1 + sum(bool((reserve + revealed) & m) for m in COLOUR_MASKS)
    turns += 2 * (pile // REVEAL_SIZE)  # two colours at most are left of a reveal
    if marker_supply(markers) < 2 * turns:
        return state
    more = reserve + revealed + unseen
    kept = _payable(hands[0] + more, board) | _payable(hands[1] + more, board)
    if kept == board:
        return state
    return state._replace(board=kept, locked=locked & ~(board & ~kept))


@lru_cache(1 << 12)
def _payable(cards: Bundle, board: Bundle) -> Bundle:
    """The tokens on the board that these cards can pay for."""
    return sum(
        unit for token, unit in TOKEN_UNIT.items() if board & unit and not missing(token, cards)
    )


@lru_cache(1 << 10)
def reveals(unseen: Bundle, pile: int) -> tuple[tuple[Action, float], ...]:
    """Every reveal that differs, with its likelihood, the likeliest first."""
    found: dict[Bundle, float] = {}
    creatures = units(unseen)
    dawn = dawn_chance(pile)
    for number, mark, chance in ((REVEAL_SIZE - 1, DAWN_UNIT, dawn), (REVEAL_SIZE, 0, 1 - dawn)):
        if chance > 0:
            each = chance / comb(len(creatures), number)
            for cards in combinations(creatures, number):
                shown = sum(cards) + mark
                found[shown] = found.get(shown, 0.0) + each
    ordered = sorted(found.items(), key=lambda item: -item[1])
    return tuple((Action(REVEAL, "", shown), likely) for shown, likely in ordered)


def _lead(state: State) -> int:
    """The first seat's lead in points."""
    markers, (first, second) = state[11], state[12]
    lead = 0
    for token in first:
        lead += TOKEN[token].points + count(markers, TOKEN_UNIT[token])
    for token in second:
        lead -= TOKEN[token].points + count(markers, TOKEN_UNIT[token])
    return lead


def _share(lead: int) -> float:
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@lru_cache(1 << 14)
def _best_claim(hand: Bundle, board: Bundle, markers: Bundle) -> int:
    return max(
        (
            token.points + count(markers, TOKEN_UNIT[token.id])
            for token in TOKENS
            if board & TOKEN_UNIT[token.id] and not missing(token.id, hand)
        ),
        default=0,
    )


def _ordered(state: State, seat: int) -> list[Action]:
    """The actions, what is likely to be good first: pruning lives on it."""
    actions = list(_GAME.legal_actions(state, seat))
    phase = state[1]
    if phase == CLAIM:
        markers = state[11]
        actions.sort(
            key=lambda a: (
                -TOKEN[a.target].points - count(markers, TOKEN_UNIT[a.target]) if a.target else 0
            )
        )
    elif phase == DRAW and len(actions) > 1:
        lead = -_lead(state) if seat else _lead(state)
        if lead <= 0 and actions[0].target == PILE:  # who is behind is in no hurry
            actions.append(actions.pop(0))
    return actions


def task(game: AnyGame, o: Observation, rng: random.Random) -> Task | None:
    """The end of the game, tried to be solved once the pile is short."""
    if o.pile > SHORT or o.phase not in (DRAW, TAKE, CLAIM, MODIFY):
        return None
    state: State = game.resample(o, rng)
    solver = EndSolver(state)

    def solution() -> Solution:
        shares = solver.shares()
        # what the board was pruned of is as good as to pass
        passing = shares.get(o.actions[0])
        found: dict[Action, tuple[float, float | None]] = {}
        for action in o.actions:
            share = shares.get(action, passing)
            assert share is not None  # noqa: S101
            found[action] = (1 - share if o.player else share, None)
        most = max(share for share, _ in found.values())
        # among equals the one that looks best, so that a decided game is still played well
        looks = greedy.values(o)
        best = [action for action, (share, _) in found.items() if share > most - LEVEL]
        return Solution(found, {max(best, key=looks.__getitem__): 1.0})

    return Task(o.player, 0.0, True, False, solver.solving, solution, BURST)
