"""What an edition means to the engine: packed cards, and look-up tables for every effect.

A bundle is a multiset of cards packed into an int: four bits per card (its number of copies) from
bit KIND_BASE up, and below them running totals, one field per symbol and one for the size. Adding
or removing a card is one addition, and the totals keep themselves. A set of cards with different
names (a cult) is an int with one bit per card, at the lowest bit of the card's four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, permutations
from operator import or_
from typing import Any, NamedTuple

from lovecraft.games.ritos_ancestrais.cards import (
    HAND_LIMIT,
    LEAST_HAND_LIMIT,
    MAX_PLAYERS,
    SYMBOLS,
)
from lovecraft.games.ritos_ancestrais.edition import ANY, Edition, Ritual, find_edition

Bundle = int
Cult = int
Counts = int
"""A number per symbol, packed like the totals of a bundle."""

FIELD = 10
"""Bits per total: room for every deck."""

SIZE_BASE = FIELD * len(SYMBOLS)
KIND_BASE = SIZE_BASE + FIELD + 2
COUNTS = (1 << SIZE_BASE) - 1
TOTAL = (1 << FIELD) - 1
SIZE = (1 << KIND_BASE - SIZE_BASE) - 1
CACHE = 1 << 16
"""Entries after which a table that depends on hands is emptied."""

CHUNK = 8
"""Cards looked up at once when a set of cards is turned into actions."""


class Action(NamedTuple):
    """What a seat does, or chance (``shuffle``, with the order of the new pile, top first).

    ``do`` is ``draw``, ``refresh``, ``play``, ``ritual``, ``pass``, ``return``, ``discard`` or
    ``shuffle``; ``what`` the card or the ritual; ``cards`` those used, returned or shuffled.
    """

    do: str
    what: str = ""
    cards: tuple[str, ...] = ()


_new = tuple.__new__


class Payment(NamedTuple):
    """One way to perform a ritual: the cards used, and the points it brings with the cult."""

    ritual: str
    cards: tuple[str, ...]
    points: int


Vector = tuple[int, ...]
"""A number per symbol."""


def size(bundle: Bundle) -> int:
    """How many cards a bundle has."""
    return bundle >> SIZE_BASE & SIZE


def unpack(counts: Counts) -> Vector:
    """The numbers per symbol of packed counts."""
    return tuple([counts >> FIELD * s & TOTAL for s in range(len(SYMBOLS))])


def pack_vector(vector: Vector) -> Counts:
    """The inverse of :func:`unpack`."""
    return sum(n << FIELD * s for s, n in enumerate(vector))


class Way(dict[Bundle, tuple[Action, ...]]):
    """A number of cards of each symbol that pays for a ritual.

    Also the look-up from a hand's cards of those symbols (``hand & mask``) to the performances
    they allow; filled as needed.
    """

    __slots__ = ("actions", "counts", "mask", "ritual", "symbols")

    def __init__(self, table: Tables, ritual: int, counts: Counts) -> None:
        super().__init__()
        self.ritual, self.counts = ritual, counts
        self.actions = table.performing[table.rituals[ritual]]
        self.symbols = [
            (table.symbol_mask[s], table.choices(n)) for s, n in enumerate(unpack(counts)) if n
        ]
        self.mask = sum(mask for mask, _ in self.symbols)

    def __missing__(self, part: Bundle) -> tuple[Action, ...]:
        _bounded(self, CACHE >> 4)
        uses: Sequence[Bundle] = _NOTHING
        for mask, choices in self.symbols:
            some = choices[part & mask]
            uses = some if uses is _NOTHING else [use + more for use in uses for more in some]
        actions = self.actions
        self[part] = made = tuple([actions[use] for use in uses])
        return made


_NOTHING = (0,)


class _Choices(dict[Bundle, tuple[Bundle, ...]]):
    """From some cards (without the totals of a bundle) to every selection of a number of them."""

    def __init__(self, table: Tables, number: int) -> None:
        super().__init__()
        self._table, self._number = table, number

    def __missing__(self, part: Bundle) -> tuple[Bundle, ...]:
        _bounded(self)
        t = self._table
        some = _selections(t.cards(part), self._number)
        self[part] = made = tuple([sum(map(t.bit_of.__getitem__, cards)) for cards in some])
        return made


class _Performing(dict[Bundle, Action]):
    """From the cards used (without the totals of a bundle) to the performance of a ritual."""

    def __init__(self, table: Tables, ritual: str) -> None:
        super().__init__()
        self._table, self._ritual = table, ritual

    def __missing__(self, used: Bundle) -> Action:
        _bounded(self)
        made = Action("ritual", self._ritual, tuple(sorted(self._table.cards(used))))
        self[used] = made
        return made


Ways = tuple[tuple[tuple[Way, Bundle], ...], tuple[tuple[int, ...], ...]]
"""Ways with their masks; and per symbol, which of them so many cards allow (a bit for each way)."""


class Tables:
    """The tables of one edition; get them with :func:`tables`."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.kinds = tuple(card.id for card in edition.cards)
        self.index = {kind: i for i, kind in enumerate(self.kinds)}
        self.symbol = tuple(SYMBOLS.index(card.symbol) for card in edition.cards)
        self.bit = tuple(1 << KIND_BASE + 4 * i for i in range(len(self.kinds)))
        self.unit = tuple(
            (1 << FIELD * s) + (1 << SIZE_BASE) + bit
            for s, bit in zip(self.symbol, self.bit, strict=True)
        )
        self.unit_of = dict(zip(self.kinds, self.unit, strict=True))
        self.bit_of = dict(zip(self.kinds, self.bit, strict=True))
        self.ones = sum(self.bit)
        self.deck = sum(
            unit * card.copies for unit, card in zip(self.unit, edition.cards, strict=True)
        )
        self.deck_cards = self.cards(self.deck)
        self.rituals = tuple(ritual.id for ritual in edition.rituals)
        self.ritual_index = {ritual: i for i, ritual in enumerate(self.rituals)}
        self.base_points = tuple(ritual.points for ritual in edition.rituals)
        self.performing = {ritual: _Performing(self, ritual) for ritual in self.rituals}
        self.draw_of = tuple(Action("draw", kind) for kind in self.kinds)
        self.draw: Callable[[int], Action] = self.draw_of.__getitem__
        self._amounts: dict[tuple[str, Cult], int] = {}

        def having(*effects: str) -> Cult:
            return sum(
                self.bit[i]
                for i, card in enumerate(edition.cards)
                if any(e.kind in effects for e in card.effects)
            )

        self.pay_mask = having("symbol_wild", "ritual_discount")
        self.points_mask = self.pay_mask | having("ritual_bonus")
        self.matters = tuple(
            self.pay_mask
            | sum(
                bit
                for card, bit in zip(edition.cards, self.bit, strict=True)
                if any(e.kind == "ritual_bonus" and e.ritual in (None, r) for e in card.effects)
            )
            for r in self.rituals
        )
        """Per ritual: the cards that in a cult change its cost or its points."""
        self.draw_mask = having("draw_extra")
        self.refresh_mask = having("row_refresh")
        self.peek_mask = having("row_peek")
        self.return_mask = having("return_used")
        self.limit_mask = having("hand_limit")
        self.rival_mask = having("rival_hand_limit")
        lowered = self.amount("rival_hand_limit", self.ones)
        self.certain_limit = tuple(
            max(LEAST_HAND_LIMIT, HAND_LIMIT - rivals * lowered)
            for rivals in (0, *range(MAX_PLAYERS))
        )
        """By number of players: so many cards a seat may keep, whatever lies in the cults."""
        self.protect_mask = having("protect")
        self.end_mask = having("end_bonus")
        self.end_effects = tuple(
            (bit, tuple(e for e in card.effects if e.kind == "end_bonus"))
            for card, bit in zip(edition.cards, self.bit, strict=True)
            if bit & self.end_mask
        )
        self.symbol_mask = [
            sum(15 * bit for bit, s in zip(self.bit, self.symbol, strict=True) if s == symbol)
            for symbol in range(len(SYMBOLS))
        ]
        chunks = [(1 << 4 * CHUNK) - 1 << at for at in self._chunk_starts()]
        self._play_chunks = tuple((mask, _Singles(self, "play")) for mask in chunks)
        self._discard_chunks = tuple((mask, _Singles(self, "discard")) for mask in chunks)
        self._ways: dict[Cult, Ways] = {}
        self._way: dict[tuple[int, Counts], Way] = {}
        self._choices: dict[int, _Choices] = {}
        self._standing: dict[tuple[int, Cult], dict[Counts, tuple[frozenset[int], ...]]] = {}
        self._payable: dict[tuple[Cult, Counts], tuple[tuple[Way, Bundle], ...]] = {}
        self._returned: dict[tuple[str, Cult], int] = {}
        self._worths: dict[tuple[int, Cult], dict[Counts, int]] = {}
        self._returns: dict[tuple[Bundle, int], tuple[Action, ...]] = {}

    def _chunk_starts(self) -> range:
        return range(KIND_BASE, KIND_BASE + 4 * len(self.kinds), 4 * CHUNK)

    # -- cards ----------------------------------------------------------------------------------

    def pack(self, kinds: Iterable[str]) -> Bundle:
        """The bundle of some cards. Raises KeyError for one that the edition lacks."""
        return sum(map(self.unit_of.__getitem__, kinds))

    def cards(self, bundle: Bundle) -> tuple[str, ...]:
        """The cards of a bundle, in the order of the edition."""
        kinds = self.kinds
        return tuple([kinds[i] for i in self.indices(bundle)])

    def indices(self, bundle: Bundle) -> Iterator[int]:
        """The cards of a bundle by number, in the order of the edition."""
        rest = bundle >> KIND_BASE
        while rest:
            i = (rest & -rest).bit_length() - 1 >> 2
            number = rest >> 4 * i & 15
            rest ^= number << 4 * i
            for _ in range(number):
                yield i

    def count(self, bundle: Bundle, kind: int) -> int:
        """How many of one card a bundle has."""
        return bundle >> KIND_BASE + 4 * kind & 15

    def present(self, bundle: Bundle) -> Cult:
        """The different cards of a bundle, as a set."""
        return (bundle | bundle >> 1 | bundle >> 2 | bundle >> 3) & self.ones

    def cult(self, kinds: Iterable[str]) -> Cult:
        """The set of some cards with different names."""
        return sum(map(self.bit_of.__getitem__, kinds))

    def cult_cards(self, cult: Cult) -> tuple[str, ...]:
        """The cards of a cult, in the order of the edition."""
        return tuple(kind for kind, bit in zip(self.kinds, self.bit, strict=True) if cult & bit)

    # -- actions --------------------------------------------------------------------------------

    def plays(self, hand: Bundle, cult: Cult) -> tuple[Action, ...]:
        """Every card that can go from the hand to the cult."""
        there = self.present(hand) & ~cult
        found: tuple[Action, ...] = ()
        for mask, singles in self._play_chunks:
            found += singles[there & mask]
        return found

    def discards(self, hand: Bundle) -> tuple[Action, ...]:
        """Every card that can be put away from the hand."""
        there = self.present(hand)
        found: tuple[Action, ...] = ()
        for mask, singles in self._discard_chunks:
            found += singles[there & mask]
        return found

    def performances(self, hand: Bundle, cult: Cult) -> list[Action]:
        """Every ritual that the hand can pay for, once per different payment."""
        found: list[Action] = []
        for way, mask in self.payable(hand & COUNTS, cult & self.pay_mask):
            found += way[hand & mask]
        return found

    def returns(self, used: Bundle, number: int) -> tuple[Action, ...]:
        """Every choice of so many of the used cards."""
        key = (used, number)
        if key not in self._returns:
            _bounded(self._returns)
            options = _selections(self.cards(used), number)
            self._returns[key] = tuple(
                Action("return", "", tuple(sorted(some))) for some in options
            )
        return self._returns[key]

    # -- rituals --------------------------------------------------------------------------------

    def payable(self, counts: Counts, effects: Cult) -> tuple[tuple[Way, Bundle], ...]:
        """The ways to pay for rituals that so many cards of each symbol allow, with their masks.

        ``effects`` are the cult cards with wild symbols and discounts.
        """
        key = (effects, counts)
        try:
            return self._payable[key]
        except KeyError:
            _bounded(self._payable)
            ways, allowed = self._ways.get(effects) or self._make_ways(effects)
            left = -1
            for s, row in enumerate(allowed):
                number = counts >> FIELD * s & TOTAL
                left &= row[number] if number < len(row) else row[-1]
            found = []
            while left:
                lowest = left & -left
                found.append(ways[lowest.bit_length() - 1])
                left ^= lowest
            self._payable[key] = entries = tuple(found)
            return entries

    def ritual_points(self, ritual: int, counts: Counts, cult: Cult) -> int:
        """The points of a ritual paid with so many cards of each symbol.

        Used cards may stand for different symbols in several ways; the best one counts.
        """
        return self.worths(ritual, cult)[counts]

    def worths(self, ritual: int, cult: Cult) -> dict[Counts, int]:
        """The points of a ritual for every way to pay for it with a cult."""
        key = (ritual, cult & self.matters[ritual])
        try:
            return self._worths[key]
        except KeyError:
            _bounded(self._worths, CACHE >> 6)
            bonuses = self._bonuses(ritual, cult)
            plain = self.base_points[ritual] + sum(n for symbol, n in bonuses if symbol is None)
            special = [(symbol, n) for symbol, n in bonuses if symbol is not None]
            found = {
                counts: plain
                + max(sum(n for symbol, n in special if symbol in symbols) for symbols in standing)
                for counts, standing in self.standing(ritual, cult & self.pay_mask).items()
            }
            self._worths[key] = found
            return found

    def _bonuses(self, ritual: int, cult: Cult) -> list[tuple[int | None, int]]:
        """The bonuses of a cult for a ritual: a symbol that a used card must stand for, points."""
        return [
            (SYMBOLS.index(e.symbol) if e.symbol else None, e.amount)
            for card, bit in zip(self.edition.cards, self.bit, strict=True)
            if cult & bit
            for e in card.effects
            if e.kind == "ritual_bonus" and e.ritual in (None, self.rituals[ritual])
        ]

    def most_bonus(self, ritual: int, cult: Cult) -> int:
        """The most that a cult can add to a ritual, whatever cards it is paid with."""
        return max(self.worths(ritual, cult).values()) - self.base_points[ritual]

    def standing(self, ritual: int, effects: Cult) -> dict[Counts, tuple[frozenset[int], ...]]:
        """What pays for a ritual: cards by printed symbol → sets of symbols they may stand for."""
        key = (ritual, effects)
        if key not in self._standing:
            self._standing[key] = self._pay(self.edition.rituals[ritual], effects)
        return self._standing[key]

    def _make_ways(self, effects: Cult) -> Ways:
        ways: list[tuple[Way, Bundle]] = []
        asking = [[0] for _ in SYMBOLS]  # per symbol and number asked for: which ways, as bits
        for r in range(len(self.rituals)):
            for counts in sorted(self.standing(r, effects)):
                way = self._way.get((r, counts))
                if way is None:  # ways are shared by all cults that allow them
                    way = self._way[r, counts] = Way(self, r, counts)
                bit = 1 << len(ways)
                for row, number in zip(asking, unpack(counts), strict=True):
                    row += [0] * (number + 1 - len(row))
                    row[number] |= bit
                ways.append((way, way.mask))
        allowed = tuple(tuple(accumulate(row, or_)) for row in asking)
        self._ways[effects] = made = (tuple(ways), allowed)
        return made

    def choices(self, number: int) -> _Choices:
        """The look-up of every selection of so many of some cards."""
        if number not in self._choices:
            self._choices[number] = _Choices(self, number)
        return self._choices[number]

    def _pay(self, ritual: Ritual, effects: Cult) -> dict[Counts, tuple[frozenset[int], ...]]:
        asked = len(ritual.needs)
        free, of_symbol = 0, [0] * len(SYMBOLS)
        payers = [{s} for s in range(len(SYMBOLS))]
        for card, bit in zip(self.edition.cards, self.bit, strict=True):
            for e in card.effects if effects & bit else ():
                if e.kind == "ritual_discount" and e.symbol:
                    of_symbol[SYMBOLS.index(e.symbol)] += e.amount
                elif e.kind == "ritual_discount" and e.ritual in (None, ritual.id):
                    free += e.amount
                elif e.kind == "symbol_wild" and e.symbol:
                    for s in range(len(SYMBOLS)) if e.to == ANY else (SYMBOLS.index(e.to or ""),):
                        payers[s].add(SYMBOLS.index(e.symbol))
        # many cults come to the same: more than all that is asked for cannot be left out
        return _paying(
            ritual.needs,
            min(free, asked),
            tuple(min(number, asked) for number in of_symbol),
            tuple(map(frozenset, payers)),
        )

    def returned(self, ritual: str, cult: Cult) -> int:
        """How many used cards a cult lets take back after a ritual (if so many were used)."""
        key = (ritual, cult & self.return_mask)
        if key not in self._returned:
            _bounded(self._returned)
            self._returned[key] = sum(
                e.amount
                for card, bit in zip(self.edition.cards, self.bit, strict=True)
                if cult & bit
                for e in card.effects
                if e.kind == "return_used" and e.ritual in (None, ritual)
            )
        return self._returned[key]

    # -- effects that are a number --------------------------------------------------------------

    def amount(self, effect: str, cult: Cult) -> int:
        """The sum of an effect over a cult (for effects with a number of cards)."""
        key = (effect, cult)
        try:
            return self._amounts[key]
        except KeyError:
            _bounded(self._amounts)
            total = sum(
                e.amount
                for card, bit in zip(self.edition.cards, self.bit, strict=True)
                if cult & bit
                for e in card.effects
                if e.kind == effect
            )
            self._amounts[key] = total
            return total


class _Singles(dict[int, tuple[Action, ...]]):
    """From a set of cards to one action for each; filled as needed."""

    def __init__(self, table: Tables, do: str) -> None:
        super().__init__()
        self._actions = [(bit, Action(do, k)) for k, bit in table.bit_of.items()]

    def __missing__(self, there: int) -> tuple[Action, ...]:
        self[there] = found = tuple(action for bit, action in self._actions if there & bit)
        return found


def _bounded(table: dict[Any, Any], most: int = CACHE) -> None:
    if len(table) >= most:
        table.clear()


def _selections(cards: tuple[str, ...], number: int) -> list[tuple[str, ...]]:
    """Every different selection of so many of some sorted cards."""
    kinds = dict.fromkeys(cards)
    chosen: list[tuple[str, ...]] = [()]
    left = len(cards)
    for kind in kinds:
        there = cards.count(kind)
        left -= there
        chosen = [
            (*some, *(kind,) * n)
            for some in chosen
            for n in range(min(there, number - len(some)), -1, -1)
            if number - len(some) - n <= left
        ]
    return chosen


@lru_cache(maxsize=CACHE >> 6)
def _paying(
    needs: tuple[str, ...], free: int, of_symbol: Vector, payers: tuple[frozenset[int], ...]
) -> dict[Counts, tuple[frozenset[int], ...]]:
    """What :meth:`Tables.standing` says, for so many cards left out (of any symbol, of each), and
    the symbols that may stand for each one."""
    found: dict[Counts, set[frozenset[int]]] = {}
    asked = {left for full in _concrete(needs) for left in _left(full, free, of_symbol)}
    for vector in asked:
        stands = frozenset(s for s, n in enumerate(vector) if n)
        for counts in _paid(vector, payers):
            found.setdefault(counts, set()).add(stands)
    return {counts: tuple(sets) for counts, sets in found.items()}


@cache
def _concrete(needs: tuple[str, ...]) -> frozenset[Vector]:
    """The numbers per symbol a ritual can ask for, once its letters are given symbols."""
    letters = tuple(dict.fromkeys(n for n in needs if n not in SYMBOLS))
    found = set()
    for chosen in permutations(range(len(SYMBOLS)), len(letters)):
        meaning = dict(zip(letters, chosen, strict=True))
        vector = [0] * len(SYMBOLS)
        for need in needs:
            vector[meaning[need] if need in meaning else SYMBOLS.index(need)] += 1
        found.add(tuple(vector))
    return frozenset(found)


def _left(full: Vector, free: int, of_symbol: Vector) -> Iterator[Vector]:
    """What is still asked for after discounts: as many places left out as may be, never all."""
    most = min(sum(full) - 1, free + sum(map(min, full, of_symbol)))
    places = [s for s, n in enumerate(full) for _ in range(n)]
    for out in set(_selections_of(places, most)):
        gone = [out.count(s) for s in range(len(SYMBOLS))]
        if sum(max(0, g - d) for g, d in zip(gone, of_symbol, strict=True)) <= free:
            yield tuple(n - g for n, g in zip(full, gone, strict=True))


def _selections_of(places: list[int], number: int) -> list[tuple[int, ...]]:
    named = _selections(tuple(str(p) for p in places), number)
    return [tuple(map(int, some)) for some in named]


def _paid(vector: Vector, payers: Sequence[frozenset[int]]) -> set[Counts]:
    """The numbers of cards by printed symbol that can stand for the symbols asked for."""
    totals = {0}
    for symbol, number in enumerate(vector):
        if number:
            some = {
                sum(1 << FIELD * s for s in chosen)
                for chosen in combinations_with_replacement(sorted(payers[symbol]), number)
            }
            totals = {total + more for total in totals for more in some}
    return totals


@cache
def tables(key: str) -> Tables:
    """The tables of a registered edition. Raises InvalidEdition for an unknown one."""
    return Tables(find_edition(key))


# -- for companions, tables and bots ------------------------------------------------------------


def payments(
    edition: Edition, hand: Iterable[str], cult: Iterable[str] = ()
) -> tuple[Payment, ...]:
    """What these cards can pay for with this cult: every ritual with every different payment.

    Points include what the cult adds. Raises KeyError for a card that the edition lacks.
    """
    t = tables(edition.key)
    lying = t.cult(set(cult))
    return tuple(
        Payment(
            action.what,
            action.cards,
            t.ritual_points(t.ritual_index[action.what], t.pack(action.cards) & COUNTS, lying),
        )
        for action in t.performances(t.pack(hand), lying)
    )
