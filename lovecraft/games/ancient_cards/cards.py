"""The runes of R'lyeh and bundles of them.

A bundle (a hand, a play area) is a multiset of runes packed into an int, four bits per rune: adding
or removing a card is an addition, and everything that depends on a bundle alone can be looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

RUNES = ("ia", "phnglui", "mglwnafh", "cthulhu", "rlyeh", "wgahnagl", "fhtagn")
"""The seven runes, in the order of the chant."""

HAND_SIZE = 7
ROUNDS = 3
COPIES = tuple(range(7, 13))
"""How many cards of each rune a deck may have; the first is the default."""

Bundle = int
UNIT: Mapping[str, Bundle] = {rune: 1 << 4 * i for i, rune in enumerate(RUNES)}
"""The bundle of one card, per rune."""

ONE_OF_EACH: Bundle = sum(UNIT.values())
EMPTY: Bundle = 0


def pack(runes: Iterable[str]) -> Bundle:
    """The bundle of some cards.

    >>> cards(pack(["fhtagn", "ia", "fhtagn"]))
    ('ia', 'fhtagn', 'fhtagn')
    """
    return sum(UNIT[rune] for rune in runes)


@cache
def counts(bundle: Bundle) -> tuple[int, ...]:
    """How many of each rune, in the order of RUNES."""
    return tuple(bundle >> 4 * i & 15 for i in range(len(RUNES)))


@cache
def cards(bundle: Bundle) -> tuple[str, ...]:
    """The cards of a bundle, sorted in the order of RUNES."""
    return tuple(r for r, n in zip(RUNES, counts(bundle), strict=True) for _ in range(n))


@cache
def kinds(bundle: Bundle) -> tuple[str, ...]:
    """The different runes in a bundle: what can be picked from a hand."""
    return tuple(r for r, n in zip(RUNES, counts(bundle), strict=True) if n)


@cache
def size(bundle: Bundle) -> int:
    """How many cards a bundle has."""
    return sum(counts(bundle))
