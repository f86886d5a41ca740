"""The creature cards, the dawn card, the mastery tokens, and bundles of them.

A bundle is a multiset packed into an int, two bits per piece: adding or removing is arithmetic, and
masks pick out a colour, a value, or what is there twice. Cards and tokens have bundles of their
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, NamedTuple

COLOURS = ("blue", "green", "purple", "red")
VALUES = ("1", "2", "3", "4", "5", "joker")
JOKER = VALUES.index("joker")
COPIES = 2

CREATURES = tuple(f"{colour}{value}" for colour in COLOURS for value in VALUES)
"""The different creature cards (``blue1`` … ``redjoker``), by colour; each is there twice."""

DAWN = "dawn"

DEAL_SIZE = 2
"""Creature cards that each player starts with."""

REVEAL_SIZE = 3
PILE_SIZE = len(CREATURES) * COPIES - 2 * DEAL_SIZE + 1
"""Cards in the pile after dealing, dawn among them; a multiple of three, so the pile always has
three cards to reveal until dawn has come."""

DAWN_DEPTH = 9
"""Dawn is among this many cards at the bottom of the pile."""

MARKERS = 16
MAX_MARKERS = 2
"""Bonus markers there are, and how many a token can hold."""

Bundle = int
EMPTY: Bundle = 0

BITS = 2
UNIT: Mapping[str, Bundle] = {card: 1 << BITS * i for i, card in enumerate((*CREATURES, DAWN))}
"""The bundle of one card, per card."""

DAWN_UNIT = UNIT[DAWN]
ONE_OF_EACH: Bundle = DAWN_UNIT // 3
"""One of every creature card."""

ALL_CREATURES: Bundle = ONE_OF_EACH * COPIES
DOUBLES: Bundle = ONE_OF_EACH << 1
"""The bits set for cards that are there twice."""

_COLOUR_BITS = BITS * len(VALUES)
COLOUR_MASKS = tuple(((1 << _COLOUR_BITS) - 1) << _COLOUR_BITS * c for c in range(len(COLOURS)))
COLOUR_MASK: Mapping[str, Bundle] = dict(zip(COLOURS, COLOUR_MASKS, strict=True))
VALUE_MASKS = tuple(
    sum(3 << BITS * (len(VALUES) * c + v) for c in range(len(COLOURS))) for v in range(len(VALUES))
)
"""All bits of the cards of one value (or of all jokers), in the order of VALUES."""


class Token(NamedTuple):
    """A mastery token: what it is worth, and the run, set or thirteen that it costs."""

    id: str
    colour: str
    points: int
    cost: Literal["run", "set", "thirteen"]
    size: int


TOKENS = (
    *(
        Token(f"{colour}-{points}", colour, points, "run", size)
        for colour in COLOURS
        for points, size in ((2, 2), (4, 3), (7, 4), (10, 5))
    ),
    *(
        Token(f"any-{points}", "any", points, "set", size)
        for points, size in ((2, 2), (4, 3), (7, 4))
    ),
    Token("black-13", "black", 13, "thirteen", 6),
)
TOKEN: Mapping[str, Token] = {token.id: token for token in TOKENS}
TOKEN_IDS = tuple(TOKEN)
TOKEN_UNIT: Mapping[str, Bundle] = {token.id: 1 << BITS * i for i, token in enumerate(TOKENS)}
ALL_TOKENS: Bundle = sum(TOKEN_UNIT.values())
TOKEN_ROWS = tuple(255 << 8 * row for row in range(len(TOKENS) // 4))
"""Masks of four tokens each: those of a colour in four rows, the others in the fifth."""


def pack(cards: Iterable[str]) -> Bundle:
    """The bundle of some cards.

    >>> cards(pack(["dawn", "red1", "bluejoker", "red1"]))
    ('bluejoker', 'red1', 'red1', 'dawn')
    """
    return sum(UNIT[card] for card in cards)


@cache
def _colour_units(colour: int, bundle: Bundle) -> tuple[Bundle, ...]:
    units = (1 << BITS * i for i in range(len(VALUES) * colour, len(VALUES) * (colour + 1)))
    return tuple(unit for unit in units for _ in range((bundle // unit) & 3))


_BLUE, _GREEN, _PURPLE, _RED = COLOUR_MASKS


def units(bundle: Bundle) -> list[Bundle]:
    """The single cards of a bundle of creatures, each as a bundle, in the order of CREATURES."""
    return [
        *_colour_units(0, bundle & _BLUE),
        *_colour_units(1, bundle & _GREEN),
        *_colour_units(2, bundle & _PURPLE),
        *_colour_units(3, bundle & _RED),
    ]


_NAME = {unit: card for card, unit in UNIT.items()}


def cards(bundle: Bundle) -> tuple[str, ...]:
    """The cards of a bundle, sorted in the order of CREATURES, dawn last."""
    return tuple(_NAME[unit] for unit in units(bundle)) + (DAWN,) * (bundle // DAWN_UNIT)


_ONES = ONE_OF_EACH | DAWN_UNIT


def size(bundle: Bundle) -> int:
    """How many pieces a bundle of cards or of markers has."""
    return (bundle & _ONES).bit_count() + 2 * (bundle >> 1 & _ONES).bit_count()


def count(bundle: Bundle, unit: Bundle) -> int:
    """How many pieces of one kind (given as its unit) a bundle has."""
    return bundle // unit & 3


def is_creatures(value: object) -> bool:
    """Whether any object is a bundle of creature cards with at most two of each."""
    return type(value) is int and 0 <= value < DAWN_UNIT and not value & value >> 1 & ONE_OF_EACH


def tokens(bundle: Bundle) -> tuple[str, ...]:
    """The tokens of a bundle (a board), in the order of TOKENS."""
    return tuple(token for token, unit in TOKEN_UNIT.items() if bundle & unit)
