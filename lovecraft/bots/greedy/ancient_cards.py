"""Greedy play of the rune draft: grow what pays, and do not pass on what the next player wants."""

from __future__ import annotations

from functools import cache

from lovecraft.games.ancient_cards.cards import HAND_SIZE, RUNES, UNIT, Bundle, counts
from lovecraft.games.ancient_cards.game import Observation
from lovecraft.games.ancient_cards.scoring import DIFFERENT_POINTS, area_points, identical_points

DENIAL = 0.4
"""How much a point kept from the next player weighs against an own one."""


def values(observation: Observation) -> dict[str, float]:
    """Worth of each pick: own prospects with it, less what the next player loses without it."""
    o = observation
    left = HAND_SIZE - 1 - o.pick
    area = o.areas[o.player]
    target = o.areas[(o.player + 1) % len(o.areas)]
    hand = o.hands[o.player] or 0
    several = {rune for rune, n in zip(RUNES, counts(hand), strict=True) if n > 1}
    worth = {}
    for rune in o.actions:
        own = prospect(area + UNIT[rune], left) - prospect(area, left)
        # taking one of several equal cards keeps nothing from the next player
        denied = 0.0
        if left and rune not in several:
            denied = prospect(target + UNIT[rune], left - 1) - prospect(target, left - 1)
        worth[rune] = own + DENIAL * denied
    return worth


@cache
def prospect(area: Bundle, left: int) -> float:
    """Points of a play area, and a share of what its groups could still grow to."""
    groups = counts(area)
    hope = sum(
        (identical_points(n + min(left, 2)) - identical_points(n)) * n / (2.0 * HAND_SIZE)
        for n in groups
        if n
    )
    missing = groups.count(0)
    if 0 < missing <= left and max(groups) == 1:
        hope += DIFFERENT_POINTS / 2 ** (missing + 1)
    return area_points(area) + hope
