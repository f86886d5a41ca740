"""The 18 cards of Tides of Madness, and sets of them.

A set of cards (a hand, what lies in front of a player) is a bitmask, one bit per card in the order
of CARDS. The three cards of a suit are neighbours, so the suits of a set can be counted by bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

Suit = str
CardId = str
Cards = int
"""A set of cards as a bitmask."""

SUITS: tuple[Suit, ...] = ("races", "locations", "outer-gods", "great-old-ones", "manuscripts")

Formula = Literal[
    "each", "sets", "majority", "missing", "madness", "majorities", "doubles", "any-suit"
]
"""What a card's points are counted by.

``each`` card of a suit, ``sets`` of one card of several suits, ``majority`` in a suit, suits that
are ``missing``, own ``madness``, ``majorities`` in any suits; ``doubles`` and ``any-suit`` score
nothing of their own.
"""


class Face(NamedTuple):
    """One card: its suit (None: without), whether it bears a madness icon, and what it scores.

    It scores ``worth`` points as often as ``formula`` says about ``suits``.
    """

    id: CardId
    suit: Suit | None
    madness: bool
    worth: int
    formula: Formula
    suits: tuple[Suit, ...] = ()


FACES: tuple[Face, ...] = (
    Face("elder-things", "races", False, 3, "each", ("outer-gods",)),
    Face("deep-ones", "races", True, 6, "sets", ("great-old-ones", "manuscripts")),
    Face("great-race-of-yith", "races", True, 7, "majority", ("manuscripts",)),
    Face("innsmouth", "locations", False, 3, "missing", SUITS),
    Face("mountains-of-madness", "locations", False, 3, "each", ("races",)),
    Face("rlyeh", "locations", True, 7, "majority", ("great-old-ones",)),
    Face("azathoth", "outer-gods", False, 3, "each", ("great-old-ones",)),
    Face("nyarlathotep", "outer-gods", False, 13, "sets", SUITS),
    Face("yog-sothoth", "outer-gods", True, 7, "majority", ("locations",)),
    Face("cthulhu", "great-old-ones", False, 9, "sets", ("outer-gods", "races", "locations")),
    Face("dagon", "great-old-ones", True, 7, "majority", ("races",)),
    Face("hastur", "great-old-ones", False, 3, "each", ("manuscripts",)),
    Face("necronomicon", "manuscripts", True, 1, "madness"),
    Face("pnakotic-manuscripts", "manuscripts", True, 7, "majority", ("outer-gods",)),
    Face("unaussprechlichen-kulten", "manuscripts", False, 3, "each", ("locations",)),
    Face("miskatonic-university", None, True, 4, "majorities", SUITS),
    Face("shub-niggurath", None, False, 0, "doubles"),
    Face("dreamlands", None, False, 0, "any-suit"),
)

CARDS: tuple[CardId, ...] = tuple(face.id for face in FACES)
INDEX: Mapping[CardId, int] = {card: i for i, card in enumerate(CARDS)}
BIT: Mapping[CardId, Cards] = {card: 1 << i for i, card in enumerate(CARDS)}
"""The set of one card, per card."""

ALL: Cards = (1 << len(CARDS)) - 1
NONE: Cards = 0
ICONS: Cards = sum(BIT[face.id] for face in FACES if face.madness)
"""The cards with a madness icon."""

NECRONOMICON = BIT["necronomicon"]
SHUB_NIGGURATH = BIT["shub-niggurath"]
DREAMLANDS = BIT["dreamlands"]

HAND_SIZE = 5
NEW_CARDS = 2
"""Cards dealt to each player in a refresh."""

ROUNDS = 3
LOST_AT = 9
"""With so much madness a player has lost."""


def pack(cards: Iterable[CardId]) -> Cards:
    """The set of some different cards.

    >>> ids(pack(["dagon", "innsmouth"]))
    ('innsmouth', 'dagon')
    """
    mask = NONE
    for card in cards:
        mask |= BIT[card]
    return mask


Item = TypeVar("Item")
HALF = len(CARDS) // 2
LOW = (1 << HALF) - 1


def by_halves(items: Sequence[Item]) -> tuple[tuple[tuple[Item, ...], ...], ...]:
    """One thing per card, listed for every set of the first nine cards and of the last nine.

    With ``low, high = by_halves(things)`` the things of a set are ``low[cards & LOW] + high[cards
    >> HALF]``: two small tables in place of one for each of 262,144 sets.
    """
    halves = []
    for half in (items[:HALF], items[HALF:]):
        sets: list[tuple[Item, ...]] = [()]
        for item in half:  # each new card doubles the sets: all of them without it, then with it
            sets += [(*others, item) for others in sets]
        halves.append(tuple(sets))
    return tuple(halves)


_BITS_LOW, _BITS_HIGH = by_halves(tuple(BIT.values()))
_IDS_LOW, _IDS_HIGH = by_halves(CARDS)


def bits(cards: Cards) -> tuple[Cards, ...]:
    """The sets of one card that make up a set, in the order of CARDS."""
    return _BITS_LOW[cards & LOW] + _BITS_HIGH[cards >> HALF]


def ids(cards: Cards) -> tuple[CardId, ...]:
    """The cards of a set by name, in the order of CARDS."""
    return _IDS_LOW[cards & LOW] + _IDS_HIGH[cards >> HALF]


def card_id(bit: Cards) -> CardId:
    """The name of the only card of a set."""
    return CARDS[bit.bit_length() - 1]
