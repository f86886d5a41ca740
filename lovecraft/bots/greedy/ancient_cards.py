"""Greedy play of the rune draft: grow what can still grow, and deny the next player a bit."""

from __future__ import annotations

from collections.abc import Sequence

from lovecraft.games.ancient_cards.cards import HAND_SIZE, RUNES, counts
from lovecraft.games.ancient_cards.game import Observation
from lovecraft.games.ancient_cards.scoring import identical_points

SHARE = 0.7
"""The part of the cards of a rune, in hands still to come round, that one can hope to get."""

BEST_HOPE, SECOND_HOPE = 0.6, 0.3
"""Weights of what the most promising group and the next one can still gain."""

TOGETHER = 0.05
"""A slight liking for cards on one heap: scoring is convex."""

DENIAL = 0.5
"""How much a point kept from the next player weighs against an own one."""


def values(observation: Observation) -> dict[str, float]:
    """Worth of each pick: the own prospects with it and what the next player loses by it."""
    o = observation
    seats = len(o.areas)
    area = counts(o.areas[o.player])
    target = counts(o.areas[(o.player + 1) % seats])
    hand = counts(o.hands[o.player] or 0)
    left = HAND_SIZE - 1 - o.pick
    worth = {}
    for i, rune in enumerate(RUNES):
        if not hand[i]:
            continue
        grown = [n + (k == i) for k, n in enumerate(area)]
        worth[rune] = prospects(grown, _reachable(o, i, left), left) + DENIAL * (
            identical_points(target[i] + 1) - identical_points(target[i]) + 0.1 * target[i]
            if hand[i] == 1
            else 0.05 * target[i]
        )
    return worth


def prospects(area: Sequence[int], reachable: Sequence[float], left: int) -> float:
    """Points of a play area and, weighted, what its two best groups may still gain."""
    gains = sorted(
        identical_points(int(n + min(left, more))) - identical_points(n)
        for n, more in zip(area, reachable, strict=True)
    )
    return (
        sum(identical_points(n) + TOGETHER * n * n for n in area)
        + BEST_HOPE * gains[-1]
        + SECOND_HOPE * gains[-2]
    )


def _reachable(o: Observation, picked: int, left: int) -> list[float]:
    """How many cards of each rune may still come to the player from the hands that are known."""
    seats = len(o.areas)
    reachable = [0.0] * len(RUNES)
    for p, bundle in enumerate(o.hands):
        away = (o.player - p) % seats or seats  # passes until this hand is here (again)
        if bundle is None or away > left:
            continue
        visits = 1 + (left - away) // seats
        for i, n in enumerate(counts(bundle)):
            there = n - (p == o.player and i == picked)
            reachable[i] += min(visits, there * SHARE)
    return reachable
