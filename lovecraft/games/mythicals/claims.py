"""What can I claim with these cards? Every distinct payment for every token, as pure functions.

A payment is a bundle of exactly the cards that are given up. Two ways to read the same cards (a
joker as a 1 or as a 4) are one payment; other cards for the same token are another payment.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from lovecraft.games.mythicals.cards import (
    BITS,
    COLOUR_MASK,
    COLOUR_MASKS,
    COLOURS,
    JOKER,
    TOKEN,
    TOKEN_IDS,
    VALUE_MASKS,
    VALUES,
    Bundle,
    cards,
    count,
    pack,
    size,
)

_VALUES_OF_COLOUR = range(len(VALUES))


def _unit(colour: int, value: int) -> Bundle:
    return 1 << BITS * (len(VALUES) * colour + value)


def claimable(
    held: Iterable[str], tokens: Iterable[str] = TOKEN_IDS
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """All payments per token (of those given) with these creature cards, at most two of each.

    A token that these cards cannot pay has no payments. KeyError for a card or token that does not
    exist.

    >>> claimable(["blue1", "bluejoker", "red1"])["blue-2"]
    (('blue1', 'bluejoker'),)
    >>> claimable(["blue1", "bluejoker", "red1"])["any-2"]
    (('blue1', 'red1'), ('bluejoker', 'red1'))
    """
    hand = pack(held)
    return {token: tuple(map(cards, payments(token, hand))) for token in tokens}


def payments(token: str, hand: Bundle) -> tuple[Bundle, ...]:
    """All payments for one token out of a hand, those with fewer jokers first."""
    _, colour, _, cost, length = TOKEN[token]
    if cost == "run":
        return runs(COLOURS.index(colour), hand & COLOUR_MASK[colour], length)
    if cost == "thirteen":
        found = [p for c, mask in enumerate(COLOUR_MASKS) for p in thirteens(c, hand & mask)]
    else:
        jokers = hand & VALUE_MASKS[JOKER]
        found = [
            payment
            for value in _VALUES_OF_COLOUR
            for payment in sets(value, hand & VALUE_MASKS[value] | jokers, length)
        ]
    return tuple(sorted(found, key=lambda payment: size(payment & VALUE_MASKS[JOKER])))


@cache
def runs(colour: int, held: Bundle, length: int) -> tuple[Bundle, ...]:
    """Runs of successive values out of the cards of one colour; jokers stand for any value.

    Natural cards and jokers make a run if and only if the natural values differ and lie within a
    stretch of the run's length.
    """
    natural = [v for v in range(JOKER) if held & 3 * _unit(colour, v)]
    joker = _unit(colour, JOKER)
    return tuple(
        sum(_unit(colour, v) for v in chosen) + joker * jokers
        for jokers in range(min(count(held, joker), length) + 1)
        for chosen in combinations(natural, length - jokers)
        if not chosen or chosen[-1] - chosen[0] < length
    )


@cache
def sets(value: int, held: Bundle, number: int) -> tuple[Bundle, ...]:
    """Sets of one value, each card in another colour, at least one of them no joker.

    ``held`` are the cards of that value and the jokers. For the value JOKER: sets of jokers alone.
    """
    there = [[c for c in range(len(COLOURS)) if held & 3 * _unit(c, v)] for v in (value, JOKER)]
    natural, jokers = there if value != JOKER else (there[0], [])
    return tuple(
        sum(_unit(c, value) for c in own) + sum(_unit(c, JOKER) for c in stand_ins)
        for wild in range(number)
        for own in combinations(natural, number - wild)
        for stand_ins in combinations([c for c in jokers if c not in own], wild)
    )


@cache
def thirteens(colour: int, held: Bundle) -> tuple[Bundle, ...]:
    """The five values and the joker of one colour, if all are there; here no joker stands in."""
    whole = [_unit(colour, v) for v in _VALUES_OF_COLOUR]
    return (sum(whole),) if all(held & 3 * unit for unit in whole) else ()


def missing(token: str, hand: Bundle) -> int:
    """How many more cards, the best ones, a hand needs before it can pay for a token."""
    _, colour, _, cost, length = TOKEN[token]
    if cost == "run":
        return _missing_in_run(colour, hand & COLOUR_MASK[colour], length)
    if cost == "set":
        jokers = hand & VALUE_MASKS[JOKER]
        return min(_missing_in_set(hand & mask | jokers, length) for mask in VALUE_MASKS)
    return min(_missing_in_thirteen(c, hand & mask) for c, mask in enumerate(COLOUR_MASKS))


@cache
def _missing_in_run(colour: str, held: Bundle, length: int) -> int:
    c = COLOURS.index(colour)
    there = [bool(held & 3 * _unit(c, v)) for v in range(JOKER)]
    best = max(sum(there[low : low + length]) for low in range(JOKER - length + 1))
    return max(length - best - count(held, _unit(c, JOKER)), 0)


@cache
def _missing_in_set(held: Bundle, number: int) -> int:
    return max(number - sum(bool(held & mask) for mask in COLOUR_MASKS), 0)


@cache
def _missing_in_thirteen(colour: int, held: Bundle) -> int:
    return sum(not held & 3 * _unit(colour, v) for v in _VALUES_OF_COLOUR)
