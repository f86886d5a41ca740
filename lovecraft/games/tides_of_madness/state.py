"""Positions of Tides of Madness, what a seat knows of one, and what players can do."""

from __future__ import annotations

from typing import Literal, NamedTuple

from lovecraft.core.scoring import Outcome, ScoreSheet
from lovecraft.games.tides_of_madness import scoring
from lovecraft.games.tides_of_madness.cards import (
    ALL,
    CARDS,
    SHUB_NIGGURATH,
    SUITS,
    Cards,
    Suit,
    by_halves,
    card_id,
    pack,
)
from lovecraft.games.tides_of_madness.scoring import Tableau

Phase = Literal["deal", "pick", "choose", "dreamlands", "keep", "remove", "over"]
"""What is to be done: chance deals; both pick; one chooses points or healing; one names the suit of
Dreamlands; both keep a card; both remove one; nothing any more."""

Kind = Literal["pick", "choose", "dreamlands", "keep", "remove"]

DEALING: Phase = "deal"
PICKING: Phase = "pick"
CHOOSING: Phase = "choose"
DREAMING: Phase = "dreamlands"
KEEPING: Phase = "keep"
REMOVING: Phase = "remove"
OVER: Phase = "over"

TOGETHER = (PICKING, KEEPING, REMOVING)
"""Phases in which both act at the same time, each laying a card face down first."""


class Act(NamedTuple):
    """What a player does: ``kind`` is the phase it belongs to, ``what`` a card, choice or suit."""

    kind: Kind
    what: str


Deal = tuple[Cards, ...]
"""Chance's action: the cards that each seat is dealt."""

Action = Act | Deal
Row = tuple[Cards, ...]
"""Cards in the order in which they were laid down, each as a set of one card."""

CHOICES = tuple(Act("choose", choice) for choice in scoring.CHOICES)
DREAMS = tuple(Act("dreamlands", suit) for suit in SUITS)
PICKS = by_halves([Act("pick", card) for card in CARDS])
KEEPS = by_halves([Act("keep", card) for card in CARDS])
REMOVALS = by_halves([Act("remove", card) for card in CARDS])


class Setup(NamedTuple):
    """Two players; whether a kept Shub-Niggurath goes on doubling the card it was laid on."""

    players: int
    shub_stays: bool = False


class State(NamedTuple):
    """A position.

    ``movers`` may act now. ``tableaus`` hold the cards in front of each player in order: first
    those kept (one per earlier round), then those played. ``picks`` are the cards that lie face
    down for the current simultaneous choice, ``keeps`` those kept but not yet revealed; both are
    still in ``hands``, and NONE where there is none. ``fresh`` are the cards in each hand that the
    other player cannot know. What is in no hand, tableau or ``removed`` is the draw pile.
    ``doubled`` is the card on which Shub-Niggurath lies. ``choice`` and ``suit`` are this round's
    decisions. ``points`` has a row per scored round.
    """

    setup: Setup
    round: int
    phase: Phase
    movers: tuple[int, ...]
    hands: tuple[Cards, Cards]
    tableaus: tuple[Row, Row]
    picks: tuple[Cards, Cards]
    keeps: tuple[Cards, Cards]
    fresh: tuple[Cards, Cards]
    removed: Cards
    madness: tuple[int, int]
    doubled: Cards
    choice: str | None
    suit: Suit | None
    points: tuple[tuple[int, int], ...]


class Observation(NamedTuple):
    """What one seat knows.

    ``hands`` has the own hand and the known part of the other; ``hidden`` more cards are in that
    one, each of them among ``unseen``: the cards that lie there or in the draw pile. ``fresh`` are
    the own cards that the other player cannot know. ``chosen`` tells who has laid a card face
    down, ``own_pick`` and ``own_keep`` are the own ones (NONE: none). The rest is as in State.
    """

    setup: Setup
    player: int
    round: int
    phase: Phase
    movers: tuple[int, ...]
    hands: tuple[Cards, Cards]
    hidden: int
    unseen: Cards
    fresh: Cards
    tableaus: tuple[Row, Row]
    chosen: tuple[bool, bool]
    own_pick: Cards
    own_keep: Cards
    removed: Cards
    madness: tuple[int, int]
    doubled: Cards
    choice: str | None
    suit: Suit | None
    points: tuple[tuple[int, int], ...]
    actions: tuple[Act, ...]


def pile(state: State) -> Cards:
    """The cards of the draw pile."""
    hands, rows = state[4], state[5]
    return ALL ^ (hands[0] | hands[1] | sum(rows[0]) | sum(rows[1]) | state[9])


def tableau(state: State | Observation, seat: int) -> Tableau:
    """The cards in front of a seat by name, for scoring with reasons."""
    row = tuple(map(card_id, state.tableaus[seat]))
    doubled = card_id(state.doubled) if state.doubled else None
    kept = min(state.round, len(row))
    shub = card_id(SHUB_NIGGURATH)
    return Tableau(row[:kept], row[kept:], doubled if shub in row[:kept] else None)


def round_sheets(state: State | Observation) -> tuple[ScoreSheet, ScoreSheet]:
    """What the cards in front of both score as things stand, with the reasons.

    For the time from the first pick until the cards go back to the hands, and for a finished game.
    """
    tableaus = (tableau(state, 0), tableau(state, 1))
    most = None
    if state.choice == scoring.POINTS:
        most = scoring.most_madness(*(pack(side.cards) for side in tableaus))
    return (
        scoring.score(tableaus[0], tableaus[1], state.madness[0], state.suit, most == 0),
        scoring.score(tableaus[1], tableaus[0], state.madness[1], state.suit, most == 1),
    )


def outcome(state: State) -> Outcome | None:
    """The result of a finished game."""
    if state.phase != OVER:
        return None
    return scoring.final_standings(state.points, state.madness)
