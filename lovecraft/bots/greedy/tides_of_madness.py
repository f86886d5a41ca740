"""Greedy play of Tides of Madness: the best lead one step ahead, and no ninth madness."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import exp, sqrt

from lovecraft.games.tides_of_madness import scoring
from lovecraft.games.tides_of_madness.cards import (
    BIT,
    HAND_SIZE,
    ICONS,
    LOST_AT,
    NONE,
    ROUNDS,
    SHUB_NIGGURATH,
    CardId,
    Cards,
)
from lovecraft.games.tides_of_madness.state import Act, Observation

TYPICAL: Mapping[CardId, float] = {
    "elder-things": 3.0,
    "deep-ones": 4.2,
    "great-race-of-yith": 2.5,
    "innsmouth": 3.3,
    "mountains-of-madness": 3.2,
    "rlyeh": 2.5,
    "azathoth": 3.3,
    "nyarlathotep": 4.4,
    "yog-sothoth": 2.7,
    "cthulhu": 4.1,
    "dagon": 2.2,
    "hastur": 3.4,
    "necronomicon": 5.7,
    "pnakotic-manuscripts": 2.5,
    "unaussprechlichen-kulten": 3.0,
    "miskatonic-university": 5.7,
    "shub-niggurath": 2.0,
    "dreamlands": 3.0,
}
"""Points that a card brings in a round on average; Dreamlands by what it does for others."""

ICON_COST = 5.0
"""What a madness icon costs in points, before anything else is known."""

DENIAL = 0.5
"""How much a point kept from the opponent weighs against an own one."""

LOSS = 1000.0
"""More than any points: madness loses the game."""


GAME = 150.0
"""What the whole game is worth in points, beside the chance to lose it to madness."""

PER_ROUND = 2.2
"""Madness that a round to come will bring."""

SPREAD = 0.6
"""How much that varies."""


def values(observation: Observation) -> dict[Act, float]:
    """Worth of each action, from what the seat knows."""
    o = observation
    return {act: _VALUE[o.phase](o, act.what) for act in o.actions}


def _fronts(o: Observation) -> tuple[Cards, Cards]:
    """The cards in front of the seat and of the other."""
    return sum(o.tableaus[o.player]), sum(o.tableaus[1 - o.player])


def _pick(o: Observation, card: CardId) -> float:
    mine, theirs = _fronts(o)
    bit = BIT[card]
    row = o.tableaus[o.player][o.round :]
    before = _lead(o, mine, theirs, _doubled(o, mine | theirs, row, NONE))
    with_it = _lead(o, mine | bit, theirs, _doubled(o, mine | theirs, row, bit))
    without = _lead(o, mine, theirs | bit, o.doubled)
    now = with_it - before
    denied = before - without if len(row) < HAND_SIZE - 1 else 0.0
    # early in the round the cards in front say little about what a card will bring
    early = 1 - len(row) / HAND_SIZE
    return now + DENIAL * denied + early * (1 + DENIAL) * _promise(card)


def _promise(card: CardId) -> float:
    """What a card is worth as long as nothing else is known."""
    return TYPICAL[card] - (ICON_COST if BIT[card] & ICONS else 0.0)


def _doubled(o: Observation, front: Cards, row: tuple[Cards, ...], bit: Cards) -> Cards:
    """The card under Shub-Niggurath once ``bit`` is played too."""
    if bit == SHUB_NIGGURATH:
        return row[-1] if row else NONE
    return o.doubled if front & SHUB_NIGGURATH else NONE


def _lead(o: Observation, mine: Cards, theirs: Cards, doubled: Cards) -> float:
    """Points ahead if the round ended with these cards, madness weighed in."""
    me = o.player
    a, b = (theirs, mine) if me else (mine, theirs)
    laid = min(map(len, o.tableaus)) - o.round
    more = PER_ROUND * (
        ROUNDS - 1 - o.round + (1 - (laid + 1) / HAND_SIZE if o.phase == "pick" else 0)
    )
    return _balance(a, b, o.madness, more, doubled) * (-1 if me else 1)


@cache
def _risk(madness: int, more: float) -> float:
    """What madness costs in points when about ``more`` is still to come: the chance of nine."""
    if madness >= LOST_AT:
        return LOSS
    if more <= 0:
        return 0.0
    return GAME / (1 + exp((LOST_AT - 0.5 - madness - more) / (SPREAD * sqrt(more))))


def _balance(a: Cards, b: Cards, madness: tuple[int, int], more: float, doubled: Cards) -> float:
    """Points of the first seat less those of the second, as :func:`_lead`."""
    total = (madness[0] + scoring.icons(a), madness[1] + scoring.icons(b))
    most = scoring.most_madness(a, b)
    extra = 0.0
    if most is not None:
        sign = -1 if most else 1
        paid = scoring.CHOICE_POINTS - _risk(total[most], more)
        spared = -_risk(total[most] - 1, more)
        extra = sign * max(paid, spared) + sign * _risk(total[most], more)
    total = scoring.after_dreamlands(total, scoring.dreamlands_owner(a, b))
    suit = scoring.best_suit(a, b, total, doubled)
    first, second = scoring.card_points(a, b, total, suit, doubled)
    return first - second + extra - _risk(total[0], more) + _risk(total[1], more)


def _choose(o: Observation, choice: str) -> float:
    mine = o.madness[o.player]
    if choice == scoring.HEAL:
        mine -= 1
    # Dreamlands moves one madness before the count
    fronts = _fronts(o)
    owner = scoring.dreamlands_owner(*fronts)
    if owner == 0 and o.madness[1 - o.player]:
        mine += 1
    elif owner == 1:
        mine -= 1
    return (scoring.CHOICE_POINTS if choice == scoring.POINTS else 0) - _risk(mine, _later(o))


def _dream(o: Observation, suit: str) -> float:
    mine, theirs = _fronts(o)
    a, b = (theirs, mine) if o.player else (mine, theirs)
    points = scoring.card_points(a, b, o.madness, suit, o.doubled)
    return float(points[o.player] - points[1 - o.player])


def _later(o: Observation) -> float:
    """Madness that the rounds to come will bring."""
    return PER_ROUND * (ROUNDS - 1 - o.round)


def _future(o: Observation, card: CardId) -> float:
    """What a card may bring this seat in the rounds to come; the least of it is removed."""
    return _promise(card)


_VALUE = {
    "pick": _pick,
    "choose": _choose,
    "dreamlands": _dream,
    "keep": _future,
    "remove": _future,
}
