"""What a search knows of Tides of Madness: what the end of a round promises for the game."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from lovecraft.bots.search import Guide, Payoffs
from lovecraft.games.tides_of_madness.cards import HALF, LOW, NONE, Cards, by_halves
from lovecraft.games.tides_of_madness.state import KEEPING, TOGETHER, Observation, State


class Weights(NamedTuple):
    """What decides a game that goes on, in log odds: seat for seat, the other's subtracted.

    ``lead`` per ten points ahead, ``madness`` by its number, ``hand`` per card to be kept, removed
    or played again (in the order of CARDS), ``kept`` per card that stays in front.
    """

    lead: float
    madness: tuple[float, ...]
    hand: tuple[float, ...]
    kept: tuple[float, ...]


# fmt: off
LEARNED = (
    Weights(
        0.322,
        (0.0, 0.2, -0.4, -1.2, -1.6, -2.0, -3.0, -4.0, -5.0),
        (0.116, 0.049, 0.02, 0.151, 0.149, 0.053, 0.048, -0.075, 0.033, 0.065, 0.018, 0.025, 0.009,
         0.0, 0.135, 0.0, 0.0, -0.791),
        (0.0,) * 18,
    ),
    Weights(
        0.595,
        (0.0, 0.691, 0.987, 1.189, 0.999, -0.606, -2.4, -3.4, -5.0),
        (0.057, 0.048, -0.109, 0.309, 0.202, -0.025, 0.18, 0.119, -0.037, -0.01, -0.013, 0.003,
         -0.032, 0.059, 0.026, -0.04, -0.096, -0.641),
        (-0.078, -0.379, -0.785, 0.384, 0.469, -0.292, 0.437, 0.216, -0.417, 0.329, -0.338, 0.187,
         0.131, 0.342, 0.395, 0.126, 0.364, -1.092),
    ),
)
# fmt: on
"""Weights after the first and the second round."""

_Sums = tuple[tuple[float, ...], tuple[float, ...]]


def _sums(weights: Sequence[float]) -> _Sums:
    low, high = by_halves(weights)
    return tuple(map(sum, low)), tuple(map(sum, high))


_HANDS = tuple(_sums(weights.hand) for weights in LEARNED)
_KEPT = tuple(_sums(weights.kept) for weights in LEARNED)


def promise(
    rnd: int,
    lead: int,
    madness: tuple[int, int],
    kept: tuple[Cards, Cards],
    played: tuple[Cards, Cards],
) -> float:
    """The first seat's share of the victory after a round that is not the last.

    ``rnd`` counts from 0; nobody has lost to madness. ``kept`` are the cards of earlier rounds,
    ``played`` those of this one, which go back to the hands.
    """
    weights = LEARNED[rnd]
    (low, high), (kept_low, kept_high) = _HANDS[rnd], _KEPT[rnd]
    odds = (
        weights.lead * lead / 10
        + weights.madness[madness[0]]
        - weights.madness[madness[1]]
        + low[played[0] & LOW]
        + high[played[0] >> HALF]
        - low[played[1] & LOW]
        - high[played[1] >> HALF]
        + kept_low[kept[0] & LOW]
        + kept_high[kept[0] >> HALF]
        - kept_low[kept[1] & LOW]
        - kept_high[kept[1] >> HALF]
    )
    return 1 / (1 + exp(-odds))


def judge(state: State) -> Payoffs | None:
    """When a round has been scored and the game goes on: the shares that this promises."""
    if state[2] != KEEPING or state[6] != (NONE, NONE):
        return None
    rows = state[5]
    share = promise(
        state[1],
        sum(a - b for a, b in state[14]),
        state[10],
        (sum(rows[0]), sum(rows[1])),
        state[4],
    )
    return (share, 1 - share)


def apart(o: Observation) -> Observation:
    """The observation without what the other has laid face down already."""
    if o.phase not in TOGETHER or not any(o.chosen):
        return o
    return o._replace(chosen=(False, False), movers=(0, 1))


GUIDE = Guide(judge=judge, apart=apart)
