"""A position of Mythicals, and how to read it.

Nothing in a position is hidden. Cards held, the reserve and the board lie open, and everybody saw
what was paid. The order of the pile is no part of it: chance draws cards when they are revealed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from lovecraft.core.scoring import ScoreSheet
from lovecraft.games.mythicals import rulebook as rule
from lovecraft.games.mythicals import scoring
from lovecraft.games.mythicals.actions import Action
from lovecraft.games.mythicals.cards import (
    ALL_CREATURES,
    DAWN_DEPTH,
    MARKERS,
    REVEAL_SIZE,
    TOKEN_UNIT,
    Bundle,
    count,
    size,
)

Phase = Literal["deal", "draw", "reveal", "take", "claim", "modify", "over"]

DEAL: Phase = "deal"
DRAW: Phase = "draw"
REVEAL: Phase = "reveal"
TAKE: Phase = "take"
CLAIM: Phase = "claim"
MODIFY: Phase = "modify"
OVER: Phase = "over"


class Setup(NamedTuple):
    """Two players; the options of the rulebook."""

    players: int
    gift_duplicates: bool = True
    modify: str = rule.AFTER_CLAIM
    open_tokens: bool = True


class State(NamedTuple):
    """A position.

    ``player`` is the seat whose turn it is. Bundles of cards: ``hands`` (lying open), ``reserve``,
    ``revealed`` (by the pile, not yet taken), ``unseen`` (the creatures in the pile); ``pile`` is
    the number of cards in the pile, dawn included, and ``dawn`` tells that it has been revealed.
    Bundles of tokens: ``board``, ``locked`` (on the board or claimed), and ``markers`` with the
    number of markers per token. ``stacks`` are the tokens of each seat, the last claimed on top,
    that is at the end.
    """

    setup: Setup
    phase: Phase
    player: int
    hands: tuple[Bundle, Bundle]
    reserve: Bundle
    revealed: Bundle
    unseen: Bundle
    pile: int
    dawn: bool
    board: Bundle
    locked: Bundle
    markers: Bundle
    stacks: tuple[tuple[str, ...], tuple[str, ...]]


class Observation(NamedTuple):
    """What one seat knows: all of :class:`State`; ``turn`` is whose turn it is.

    The tokens under the top ones of ``stacks`` are remembered by whoever saw them claimed; use
    :func:`shown_stacks` for what can be seen on the table.
    """

    setup: Setup
    phase: Phase
    turn: int
    hands: tuple[Bundle, Bundle]
    reserve: Bundle
    revealed: Bundle
    unseen: Bundle
    pile: int
    dawn: bool
    board: Bundle
    locked: Bundle
    markers: Bundle
    stacks: tuple[tuple[str, ...], tuple[str, ...]]
    player: int
    actions: tuple[Action, ...]


def dawn_chance(pile: int) -> float:
    """How likely dawn is among the next three cards of a pile of this size (dawn still in it).

    >>> [dawn_chance(pile) for pile in (45, 12, 6, 3)]
    [0.0, 0.0, 0.5, 1.0]
    """
    return REVEAL_SIZE / pile if pile <= DAWN_DEPTH else 0.0


def marker_supply(markers: Bundle) -> int:
    """How many markers still lie beside the board."""
    return MARKERS - size(markers)


def stack_sheet(position: State | Observation, seat: int) -> ScoreSheet:
    """The score of a seat's claimed tokens, in the order they were claimed."""
    markers = position.markers
    return scoring.score(
        (token, count(markers, TOKEN_UNIT[token])) for token in position.stacks[seat]
    )


def shown_stacks(position: State | Observation) -> tuple[tuple[str | None, ...], ...]:
    """The stacks as they lie on the table: None for a token that is covered by the one on top.

    With the option ``open_tokens`` all tokens lie open.
    """
    if position.setup.open_tokens:
        return position.stacks
    return tuple((None,) * (len(stack) - 1) + stack[-1:] for stack in position.stacks)


def discarded(position: State | Observation) -> Bundle:
    """The creature cards that were paid for tokens."""
    there = sum(position.hands) + position.reserve + position.revealed + position.unseen
    return ALL_CREATURES - there
