"""Madness and points of a round: pure functions on sets of cards and on plain names.

``a`` and ``b`` are always the cards in front of the two seats, those kept from earlier rounds
included. ``suit`` is what Dreamlands counts as, whoever has it. ``doubled`` is the card on which
Shub-Niggurath lies (as a set of one card; no card: no effect).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from lovecraft.core.scoring import Key, Outcome, ScoreLine, ScoreSheet, standings
from lovecraft.games.tides_of_madness import rulebook
from lovecraft.games.tides_of_madness.cards import (
    DREAMLANDS,
    FACES,
    HALF,
    ICONS,
    INDEX,
    LOST_AT,
    LOW,
    NECRONOMICON,
    SHUB_NIGGURATH,
    SUITS,
    CardId,
    Cards,
    Face,
    Suit,
    by_halves,
    card_id,
    pack,
)
from lovecraft.i18n import Message, msg

POINTS = "points"
HEAL = "heal"
CHOICES = (POINTS, HEAL)
"""What the player with most madness of the round may choose."""

CHOICE_POINTS = 4

Counts = int
"""Cards per suit, packed four bits a suit in the order of SUITS."""

SUIT_UNIT: Mapping[Suit | None, Counts] = {None: 0} | {s: 1 << 4 * i for i, s in enumerate(SUITS)}
_HIGH: Counts = sum(8 << 4 * i for i in range(len(SUITS)))
_SEVENS: Counts = sum(7 << 4 * i for i in range(len(SUITS)))


class Tableau(NamedTuple):
    """The cards in front of a player: those kept from earlier rounds, those played in this one.

    Both by name in the order in which they were laid down. ``doubled`` is the card on which a
    KEPT Shub-Niggurath still lies (option ``shub_stays``), else None.
    """

    kept: tuple[CardId, ...] = ()
    played: tuple[CardId, ...] = ()
    doubled: CardId | None = None

    @property
    def cards(self) -> tuple[CardId, ...]:
        return self.kept + self.played


# -- madness ----------------------------------------------------------------------------------


def icons(cards: Cards) -> int:
    """Madness that a player takes for the cards in front: one for each icon."""
    return (cards & ICONS).bit_count()


def most_madness(a: Cards, b: Cards) -> int | None:
    """The seat that takes strictly more madness this round and so may choose; None on a tie."""
    taken_a, taken_b = icons(a), icons(b)
    if taken_a == taken_b:
        return None
    return 0 if taken_a > taken_b else 1


def dreamlands_owner(a: Cards, b: Cards) -> int | None:
    """The seat with Dreamlands in front, if any."""
    if a & DREAMLANDS:
        return 0
    return 1 if b & DREAMLANDS else None


def healed(madness: tuple[int, int], seat: int) -> tuple[int, int]:
    """Madness after a seat has healed one."""
    return (madness[0] - 1, madness[1]) if seat == 0 else (madness[0], madness[1] - 1)


def after_dreamlands(madness: tuple[int, int], owner: int | None) -> tuple[int, int]:
    """Madness after the owner of Dreamlands has taken one from the opponent, if there is one."""
    if owner is None or not madness[1 - owner]:
        return madness
    return (madness[0] + 1, madness[1] - 1) if owner == 0 else (madness[0] - 1, madness[1] + 1)


# -- points -----------------------------------------------------------------------------------


_INDEX_LOW, _INDEX_HIGH = by_halves(range(len(FACES)))
_SUITS_LOW, _SUITS_HIGH = (
    tuple(map(sum, half)) for half in by_halves([SUIT_UNIT[face.suit] for face in FACES])
)


def suit_counts(cards: Cards) -> Counts:
    """Cards per suit, Dreamlands not counted."""
    return _SUITS_LOW[cards & LOW] + _SUITS_HIGH[cards >> HALF]


def count(counts: Counts, suit: Suit) -> int:
    """How many cards of one suit."""
    return counts >> 4 * SUITS.index(suit) & 15


def majorities(own: Counts, other: Counts) -> Counts:
    """The suits in which ``own`` has strictly more cards: the high bit of four per suit."""
    return own + _SEVENS - other & _HIGH


def times(face: Face, counts: Counts, majority: Counts, madness: int) -> int:
    """How often a card scores its worth, given its owner's suits, majorities and madness."""
    match face.formula:
        case "each" | "sets":
            return min(count(counts, suit) for suit in face.suits)
        case "missing":
            return sum(not count(counts, suit) for suit in face.suits)
        case "majority" | "majorities":
            return sum(count(majority, suit) > 0 for suit in face.suits)
        case "madness":
            return madness
    return 0


@cache
def card_values(counts: Counts, majority: Counts) -> tuple[int, ...]:
    """Points of every card, in the order of CARDS, that of the Necronomicon without madness."""
    return tuple(face.worth * times(face, counts, majority, 0) for face in FACES)


def both_counts(a: Cards, b: Cards, suit: Suit | None) -> tuple[Counts, Counts]:
    """Cards per suit of both, Dreamlands counted as ``suit``."""
    wild = SUIT_UNIT[suit]
    counts_a, counts_b = suit_counts(a), suit_counts(b)
    if wild:
        if a & DREAMLANDS:
            counts_a += wild
        elif b & DREAMLANDS:
            counts_b += wild
    return counts_a, counts_b


def card_points(
    a: Cards, b: Cards, madness: tuple[int, int], suit: Suit | None, doubled: Cards
) -> tuple[int, int]:
    """Points that the cards of both score (without the four points for most madness).

    ``madness`` are the totals when cards score, after healing and Dreamlands.
    """
    counts_a, counts_b = both_counts(a, b, suit)
    return (
        _side_points(a, counts_a, counts_b, madness[0], doubled),
        _side_points(b, counts_b, counts_a, madness[1], doubled),
    )


def _side_points(cards: Cards, own: Counts, other: Counts, madness: int, doubled: Cards) -> int:
    values = card_values(own, own + _SEVENS - other & _HIGH)
    total = 0
    for i in _INDEX_LOW[cards & LOW]:
        total += values[i]
    for i in _INDEX_HIGH[cards >> HALF]:
        total += values[i]
    if cards & NECRONOMICON:
        total += madness
    if doubled and cards & SHUB_NIGGURATH and cards & doubled:
        total += madness if doubled == NECRONOMICON else values[doubled.bit_length() - 1]
    return total


def dreamlands_points(
    a: Cards, b: Cards, madness: tuple[int, int], doubled: Cards
) -> tuple[tuple[Suit, tuple[int, int]], ...]:
    """What the cards of both would score for each suit that Dreamlands may count as."""
    return tuple((suit, card_points(a, b, madness, suit, doubled)) for suit in SUITS)


def best_suit(a: Cards, b: Cards, madness: tuple[int, int], doubled: Cards) -> Suit | None:
    """The suit with which the owner of Dreamlands gains most on the opponent; None if unowned.

    Among equals more own points, then the order of SUITS.
    """
    owner = dreamlands_owner(a, b)
    if owner is None:
        return None
    return best_option(dreamlands_points(a, b, madness, doubled), owner)


def best_option(options: Iterable[tuple[Suit, tuple[int, int]]], owner: int) -> Suit:
    """The best of what :func:`dreamlands_points` offers, for the owner of Dreamlands."""
    best = max(
        options,
        key=lambda option: (option[1][owner] - option[1][1 - owner], option[1][owner]),
    )
    return best[0]


# -- points with their reasons ----------------------------------------------------------------


def doubled_card(tableau: Tableau) -> CardId | None:
    """The card whose score Shub-Niggurath doubles: the one played just before it this round."""
    shub = card_id(SHUB_NIGGURATH)
    if shub in tableau.played:
        at = tableau.played.index(shub)
        return tableau.played[at - 1] if at else None
    if shub in tableau.kept and tableau.doubled in tableau.cards:
        return tableau.doubled
    return None


def score(
    own: Tableau,
    other: Tableau,
    madness: int,
    suit: Suit | None = None,
    most: bool = False,
) -> ScoreSheet:
    """The score of one player in one round, finished or not.

    One line per card in the order of the tableau, those worth 0 included (its ``cards`` are the
    card itself, then the others that count), and one for the four points if ``most``: the player
    took most madness and chose points. ``madness`` is the player's total when cards score; ``suit``
    what Dreamlands counts as on either side, None while undecided.
    """
    own_counts, other_counts = both_counts(pack(own.cards), pack(other.cards), suit)
    doubled = doubled_card(own)
    side = _Side(own, own_counts, other_counts, madness, suit)
    lines = []
    for card in own.cards:
        face = FACES[INDEX[card]]
        if face.formula == "doubles":
            lines.append(side.double(face, doubled))
        else:
            lines.append(side.line(face))
    if most:
        lines.append(
            ScoreLine(
                CHOICE_POINTS,
                rulebook.MOST_MADNESS.id,
                msg("tides-of-madness.line.most-madness"),
                tuple(card for card in own.cards if FACES[INDEX[card]].madness),
            )
        )
    return ScoreSheet(tuple(lines))


def card_name(card: CardId) -> Message:
    """The name of a card as a message."""
    return msg(f"card.{rulebook.GAME}.{card}")


def suit_name(suit: Suit) -> Message:
    """The name of a suit as a message."""
    return msg(f"{rulebook.GAME}.suit.{suit}")


class _Side(NamedTuple):
    """One player's side of a round, for writing lines."""

    tableau: Tableau
    counts: Counts
    other: Counts
    madness: int
    suit: Suit | None

    def points(self, face: Face) -> int:
        won = majorities(self.counts, self.other)
        return face.worth * times(face, self.counts, won, self.madness)

    def line(self, face: Face) -> ScoreLine:
        won = majorities(self.counts, self.other)
        n = times(face, self.counts, won, self.madness)
        name = card_name(face.id)
        key = f"tides-of-madness.line.{face.formula}"
        lit: tuple[CardId, ...] = ()
        match face.formula:
            case "each" | "sets":
                suits = tuple(map(suit_name, face.suits))
                text = msg(key, card=name, n=n, worth=face.worth, suits=suits)
                lit = self.of_suits(face.suits) if n else ()
            case "majority":
                (suit,) = face.suits
                text = msg(
                    key if n else "tides-of-madness.line.no-majority",
                    card=name,
                    suits=suit_name(suit),
                    own=count(self.counts, suit),
                    other=count(self.other, suit),
                )
                lit = self.of_suits(face.suits) if n else ()
            case "majorities":
                text = msg(key, card=name, n=n, worth=face.worth)
                lit = self.of_suits([suit for suit in face.suits if count(won, suit)])
            case "missing":
                text = msg(key, card=name, n=n, worth=face.worth)
            case "madness":
                text = msg(key, card=name, n=n)
            case _:
                text = (
                    msg(key, card=name, suit=suit_name(self.suit))
                    if self.suit
                    else msg("tides-of-madness.line.no-suit", card=name)
                )
        return ScoreLine(
            face.worth * n,
            rulebook.CARD[face.id].id,
            text,
            (face.id, *(card for card in lit if card != face.id)),
        )

    def double(self, face: Face, doubled: CardId | None) -> ScoreLine:
        shub = card_name(face.id)
        if doubled is None:
            kept = face.id in self.tableau.kept
            return ScoreLine(
                0,
                rulebook.SHUB_KEPT.id if kept else rulebook.CARD[face.id].id,
                msg(f"tides-of-madness.line.doubles-nothing{'-kept' if kept else ''}", card=shub),
                (face.id,),
            )
        return ScoreLine(
            self.points(FACES[INDEX[doubled]]),
            rulebook.CARD[face.id].id,
            msg("tides-of-madness.line.doubles", card=shub, doubled=card_name(doubled)),
            (face.id, doubled),
        )

    def of_suits(self, suits: Sequence[Suit]) -> tuple[CardId, ...]:
        """The cards in front that count as one of the suits."""
        return tuple(
            card
            for card in self.tableau.cards
            if (self.suit if card == card_id(DREAMLANDS) else FACES[INDEX[card]].suit) in suits
        )


# -- the end ----------------------------------------------------------------------------------


def lost(madness: tuple[int, int]) -> tuple[int, ...]:
    """The seats that have lost to madness."""
    return tuple(seat for seat in (0, 1) if madness[seat] >= LOST_AT)


def final_standings(points: Sequence[Sequence[int]], madness: tuple[int, int]) -> Outcome:
    """The result by points per round (``points[round][seat]``) and final madness.

    Who has lost to madness is last whatever the points; if both have, there is no winner.
    """
    totals = tuple(sum(column) for column in zip(*points, strict=True)) or (0, 0)
    mad = lost(madness)
    if len(mad) == 2:
        return Outcome(totals, (1, 1), (), None, rulebook.MADNESS_BOTH.id)
    if mad:
        winner = 1 - mad[0]
        ranks = (1, 2) if winner == 0 else (2, 1)
        return Outcome(totals, ranks, (winner,), None, rulebook.MADNESS.id)
    outcome = standings([Key("total", rulebook.END.id, totals)])
    if len(outcome.winners) == 2:
        outcome = outcome._replace(rule=rulebook.TIE_SHARED.id)
    return outcome
