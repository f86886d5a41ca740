"""What a search knows of Ancient Cards: quick picks, and how a round's result decides the game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from lovecraft.bots.greedy import ancient_cards as greedy
from lovecraft.bots.search import Guide, Payoffs, softmax
from lovecraft.games.ancient_cards.cards import ROUNDS, RUNES, Bundle, counts
from lovecraft.games.ancient_cards.game import Observation, Rune, State
from lovecraft.games.ancient_cards.scoring import final_standings, identical_points

ROUND_POINTS: dict[int, tuple[float, ...]] = {
    2: (0.0, 0.140, 0.484, 0.323, 0.040, 0.013),
    3: (0.0, 0.041, 0.347, 0.447, 0.125, 0.039, 0.001),
    4: (0.0, 0.018, 0.245, 0.473, 0.190, 0.067, 0.007),
    5: (0.0, 0.011, 0.160, 0.444, 0.244, 0.121, 0.020),
    6: (0.0, 0.005, 0.131, 0.387, 0.282, 0.151, 0.044),
    7: (0.0, 0.0, 0.022, 0.235, 0.442, 0.203, 0.084, 0.014),
}
"""How likely 0, 1, 2 … points are in a round, per number of players, among greedy bots.

Counted in 100 to 400 games each; they stand for the rounds that a search does not play out.
"""

ATTENTION = 0.3
"""Greedy points that make a pick deserve e times the attention."""

ERRATIC = 0.15
"""How often a pick in a playout is any of the hand, so that playouts differ."""


@lru_cache(1 << 14)
def standing(totals: tuple[int, ...], rounds: int) -> Payoffs:
    """Shares of the victory with these totals and so many rounds to come.

    Round scores count as independent, ties at the end as shared.
    """
    ends = [_sums(len(totals), rounds, total) for total in totals]
    span = range(min(totals), max(totals) + rounds * 8 + 1)
    shares = []
    for seat in range(len(totals)):
        rivals = [end for other, end in enumerate(ends) if other != seat]
        share = 0.0
        for points in span:
            likely = ends[seat].get(points, 0.0)
            if likely:
                share += likely * _best_with(rivals, points)
        shares.append(share)
    whole = sum(shares)
    return tuple(share / whole for share in shares)


def _best_with(rivals: Sequence[dict[int, float]], points: int) -> float:
    """The expected share of who ends with these points, given the rivals' totals."""
    level = [1.0]  # how likely so many rivals are level and none is ahead
    for end in rivals:
        same = end.get(points, 0.0)
        below = sum(likely for total, likely in end.items() if total < points)
        level = [
            (level[k] * below if k < len(level) else 0.0) + (level[k - 1] * same if k else 0.0)
            for k in range(len(level) + 1)
        ]
    return sum(likely / (k + 1) for k, likely in enumerate(level))


@lru_cache(1 << 10)
def _sums(seats: int, rounds: int, total: int) -> dict[int, float]:
    ends = {total: 1.0}
    for _ in range(rounds):
        further: dict[int, float] = {}
        for points, likely in ends.items():
            for more, chance in enumerate(ROUND_POINTS[seats]):
                if chance:
                    further[points + more] = further.get(points + more, 0.0) + likely * chance
        ends = further
    return ends


def judge(state: State) -> Payoffs | None:
    """At the end of a round: the shares that its points promise."""
    setup, rnd, _, hands, _, _, points = state
    if hands or not points:
        return None
    if rnd < ROUNDS and setup.keep_play_area:
        return None
    return after_rounds(points)


@lru_cache(1 << 14)
def after_rounds(points: tuple[tuple[int, ...], ...]) -> Payoffs:
    """The shares of the victory after some rounds; exact after the last."""
    if len(points) == ROUNDS:
        return final_standings(tuple(zip(*points, strict=True))).payoffs
    return standing(tuple(map(sum, zip(*points, strict=True))), ROUNDS - len(points))


def policy(state: State, player: int, actions: Sequence[Rune], rng: random.Random) -> Rune:
    """The rune that grows the play area most, now and then any."""
    if rng.random() < ERRATIC:
        return actions[int(rng.random() * len(actions))]
    best = _best(state[4][player], state[3][player])
    return best[int(rng.random() * len(best))]


@lru_cache(1 << 16)
def _best(area: Bundle, hand: Bundle) -> tuple[Rune, ...]:
    lying, held = counts(area), counts(hand)
    different = sum(n > 0 for n in lying)
    left = sum(held)
    worth = {}
    for rune, n, there in zip(RUNES, lying, held, strict=True):
        if there:
            gain = identical_points(n + 1) - identical_points(n) + 0.35 * min(n, 2)
            if not n and different + left >= len(RUNES):
                gain += 0.2 * different  # towards seven different runes
            worth[rune] = gain
    most = max(worth.values())
    return tuple(rune for rune, gain in worth.items() if gain == most)


def apart(o: Observation) -> Observation:
    """The observation without what others have laid face down already."""
    if not any(o.chosen):
        return o
    return o._replace(chosen=(False,) * len(o.chosen))


def prior(o: Observation) -> dict[Rune, float] | None:
    """With three and more players: what looks good one step ahead deserves most attention.

    Their results scatter more, so that few visits tell little; for two it made no difference.
    """
    return softmax(greedy.values(o), ATTENTION) if len(o.areas) > 2 else None


GUIDE = Guide(policy=policy, judge=judge, prior=prior, apart=apart, trust=1.0)
