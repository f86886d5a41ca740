"""Setups, states and observations of Ritos Ancestrais.

What everybody has seen of a hand is kept in layers. A hand starts with five unseen cards; cards
from the row and used cards taken back join it openly; cards put away for the hand limit leave it
face down, and then nobody else can tell which. A layer is what had joined openly before some cards
were put away. When a card leaves openly, it is taken from the youngest layer that has it, else it
was one of the unseen: what remains is exactly what can be known, no more and no less.
"""

from __future__ import annotations

from typing import NamedTuple

from lovecraft.games.ritos_ancestrais.scoring import Performed
from lovecraft.games.ritos_ancestrais.tables import Action, Bundle, Cult

DEAL, SHUFFLE, DRAW, ACT, RETURN, DISCARD, OVER = range(7)
PHASES = ("deal", "shuffle", "draw", "act", "return", "discard", "over")


class Setup(NamedTuple):
    """2 to 4 players, and the key of the edition."""

    players: int
    edition: str = "house"


class Layer(NamedTuple):
    """What had joined a hand openly, and how many cards then went face down.

    ``pile`` is the number of shuffles before: the discards made then form the pile after the next.
    """

    gained: Bundle
    number: int
    pile: int


class History(NamedTuple):
    """What the past tells about hidden cards.

    Per seat: ``unseen`` cards of the first hand that have not been seen, ``layers``, ``secrets``
    (what went face down, per layer) and ``peeks`` (how many cards on top of the pile it knows).
    ``base``: the cards of the present pile, drawn ones included, that all saw go into it; ``past``:
    for each used-up pile after the first, what else turned out to be in it.
    """

    unseen: tuple[int, ...]
    layers: tuple[tuple[Layer, ...], ...]
    secrets: tuple[tuple[Bundle, ...], ...]
    base: Bundle
    past: tuple[Bundle, ...]
    shuffles: int
    peeks: tuple[int, ...]


class State(NamedTuple):
    """A position. Cards in order (``row``, ``deck``) are numbers in the edition's order.

    ``deck`` is the pile as shuffled, of which the first ``at`` cards are gone; ``left`` counts the
    draws still due this turn. ``open`` and ``closed`` are the discards: seen by all, and put away
    face down. ``used`` are the cards to take back from. ``done`` has each seat's rituals; ``gains``
    what has joined each hand openly since it last put cards away; ``passes`` counts passes in a
    row; ``last`` tells that this is the last round, ``refreshed`` that the row was changed this
    turn.
    """

    setup: Setup
    phase: int
    seat: int
    turn: int
    left: int
    hands: tuple[Bundle, ...]
    cults: tuple[Cult, ...]
    points: tuple[int, ...]
    row: tuple[int, ...]
    deck: tuple[int, ...]
    at: int
    open: Bundle
    closed: Bundle
    used: Bundle
    passes: int
    last: bool
    refreshed: bool
    done: tuple[tuple[Performed, ...], ...]
    gains: tuple[Bundle, ...]
    history: History


class SeenLayer(NamedTuple):
    """A layer as everybody sees it: cards that joined openly, then ``discarded`` went face down.

    ``pile`` is the number of shuffles before that.
    """

    gained: tuple[str, ...]
    discarded: int
    pile: int


class SeenHand(NamedTuple):
    """What everybody knows of a hand.

    It has ``number`` cards: all of ``gained``, and the rest from ``unseen`` never seen first cards
    and the cards of ``earlier`` layers, of which those discarded are gone.
    """

    number: int
    unseen: int
    gained: tuple[str, ...]
    earlier: tuple[SeenLayer, ...]


class Observation(NamedTuple):
    """What one seat knows.

    ``put_away`` are its own face-down discards per layer of its hand; ``peeked`` the next cards of
    the pile that it has looked at, next one first, ``peeks`` how many each seat has. Of the pile of
    ``pile`` cards all know that it holds ``pile_open``; ``pile_extra`` are the cards drawn from it
    (since the last shuffle) that nobody had seen go in, ``past`` the same for earlier piles.
    """

    setup: Setup
    player: int
    phase: str
    seat: int
    turn: int
    left: int
    hand: tuple[str, ...]
    hands: tuple[SeenHand, ...]
    put_away: tuple[tuple[str, ...], ...]
    cults: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]
    rituals: tuple[tuple[Performed, ...], ...]
    row: tuple[str, ...]
    pile: int
    peeked: tuple[str, ...]
    peeks: tuple[int, ...]
    discards: int
    open_discards: tuple[str, ...]
    used: tuple[str, ...]
    passes: int
    last: bool
    refreshed: bool
    pile_open: tuple[str, ...]
    pile_extra: tuple[str, ...]
    past: tuple[tuple[str, ...], ...]
    shuffles: int
    actions: tuple[Action, ...]
