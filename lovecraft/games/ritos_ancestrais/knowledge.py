"""What a seat knows, and full states drawn from it.

``resample`` deals the cards that the seat cannot place: first cards of the others, what they put
away face down, and the order of the pile. Where nobody else's face-down discards have been shuffled
into a pile, every deal of the unknown cards (and every choice of discards from it) is equally
likely. Otherwise cards that came out of a pile, but that nobody saw go in, must have been put away
by somebody; they are placed first, at random among all that can be, by a search that always ends in
a consistent state.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from lovecraft.games.ritos_ancestrais.state import (
    PHASES,
    History,
    Layer,
    Observation,
    SeenHand,
    SeenLayer,
    State,
)
from lovecraft.games.ritos_ancestrais.tables import Action, Bundle, Tables, size, tables


def observe(state: State, player: int, actions: tuple[Action, ...]) -> Observation:
    """All that a seat knows."""
    t = tables(state.setup.edition)
    history = state.history
    cards = t.cards
    hands = tuple(
        SeenHand(
            size(hand),
            history.unseen[p],
            cards(state.gains[p]),
            tuple(
                SeenLayer(cards(layer.gained), layer.number, layer.pile)
                for layer in history.layers[p]
            ),
        )
        for p, hand in enumerate(state.hands)
    )
    if state.phase == 0:  # not dealt yet: there are no first hands
        hands = tuple(hand._replace(unseen=0) for hand in hands)
    inside, extra = _pile_knowledge(t, state)
    return Observation(
        state.setup,
        player,
        PHASES[state.phase],
        state.seat,
        state.turn,
        state.left,
        cards(state.hands[player]),
        hands,
        tuple(cards(bundle) for bundle in history.secrets[player]),
        tuple(t.cult_cards(cult) for cult in state.cults),
        state.points,
        state.done,
        tuple(t.kinds[i] for i in state.row),
        len(state.deck) - state.at,
        tuple(t.kinds[i] for i in state.deck[state.at : state.at + history.peeks[player]]),
        history.peeks,
        size(state.open + state.closed),
        cards(state.open),
        cards(state.used),
        state.passes,
        state.last,
        state.refreshed,
        cards(inside),
        cards(extra),
        tuple(cards(bundle) for bundle in history.past),
        history.shuffles,
        actions,
    )


def _pile_knowledge(t: Tables, state: State) -> tuple[Bundle, Bundle]:
    """Of a reshuffled pile: what all know to be in it still, and what came out unexpectedly."""
    if not state.history.shuffles:
        return 0, 0
    return _take_out(t, state.history.base, state.deck[: state.at])


def _take_out(t: Tables, inside: Bundle, kinds: Any) -> tuple[Bundle, Bundle]:
    extra = 0
    for i in kinds:
        if t.count(inside, i):
            inside -= t.unit[i]
        else:
            extra += t.unit[i]
    return inside, extra


def shuffle(items: list[Any], rng: random.Random) -> None:
    """Every order as likely; as ``rng.shuffle``, but faster."""
    uniform = rng.random
    for left in range(len(items), 1, -1):
        at = int(uniform() * left)
        items[left - 1], items[at] = items[at], items[left - 1]


# -- from an observation back to a state --------------------------------------------------------


class _Puzzle(NamedTuple):
    """What an observation leaves open, worked out once.

    ``pool``: the cards that the unseen first cards of the others (and the first pile) consist of.
    ``needed``: cards that the others must have put away, each with its pile. ``base`` and ``drawn``
    describe a present pile that looks like the real one; ``inside`` are the cards surely in it
    besides those that the others put away.
    """

    table: Tables
    pool: tuple[int, ...]
    peeked: tuple[int, ...]
    needed: tuple[tuple[int, int], ...]
    base: Bundle
    drawn: Bundle
    inside: Bundle
    gains: tuple[Bundle, ...]
    layers: tuple[tuple[Layer, ...], ...]
    own: tuple[Bundle, ...]


@lru_cache(maxsize=64)
def _puzzle(o: Observation) -> _Puzzle:
    t = tables(o.setup.edition)
    pack = t.pack
    gains = tuple(pack(hand.gained) for hand in o.hands)
    layers = tuple(
        tuple(Layer(pack(s.gained), s.discarded, s.pile) for s in hand.earlier) for hand in o.hands
    )
    own = tuple(pack(cards) for cards in o.put_away)
    base, extra = pack(o.pile_open), pack(o.pile_extra)
    peeked = tuple(t.index[card] for card in o.peeked)
    past = tuple(pack(cards) for cards in o.past)

    known = pack(o.row) + pack(o.hand) + sum(own) + pack(o.open_discards) + base
    for cult in o.cults:
        known += pack(cult)
    for p in range(o.setup.players):
        if p != o.player:
            known += gains[p] + sum(layer.gained for layer in layers[p])
    pool = t.deck - known + sum(past) + extra
    inside, needed = base, []
    if o.shuffles:
        inside, ahead = _take_out(t, base, peeked)
        came_out = (*past, extra + ahead)
        for pile, bundle in enumerate(came_out):
            mine = sum(
                cards
                for cards, layer in zip(own, layers[o.player], strict=True)
                if layer.pile == pile
            )
            mine_left, others = _take_out(t, mine, t.indices(bundle))
            needed += [(pile, i) for i in t.indices(others)]
            if pile == o.shuffles - 1:
                inside += mine_left
    else:
        for i in peeked:
            pool -= t.unit[i]
    return _Puzzle(
        t, tuple(t.indices(pool)), peeked, tuple(needed), base, extra, inside, gains, layers, own
    )


def resample(o: Observation, rng: random.Random) -> State:
    """A state consistent with the observation (of a game in which cards have been dealt)."""
    puzzle = _puzzle(o)
    t = puzzle.table
    deal = _Deal(o, puzzle, rng)
    deal.put_away_needed()
    deal.put_away_rest()
    rest = deal.hand_out()
    players = range(o.setup.players)
    secrets = tuple(
        puzzle.own
        if p == o.player
        else tuple(sum(t.unit[i] for i in cards) for cards in deal.away[p])
        for p in players
    )
    hands = tuple(
        t.pack(o.hand) if p == o.player else puzzle.gains[p] + sum(t.unit[i] for i in deal.kept(p))
        for p in players
    )
    closed = sum(
        secret
        for p in players
        for secret, layer in zip(secrets[p], puzzle.layers[p], strict=True)
        if layer.pile == o.shuffles
    )
    if o.shuffles:
        others = sum(
            secrets[p][k]
            for p in players
            if p != o.player
            for k, layer in enumerate(puzzle.layers[p])
            if layer.pile == o.shuffles - 1
        )
        came_out = sum(t.unit[i] for pile, i in puzzle.needed if pile == o.shuffles - 1)
        rest = list(t.indices(puzzle.inside + others - came_out))
    shuffle(rest, rng)
    deck = (*t.indices(puzzle.drawn), *puzzle.peeked, *rest)
    history = History(
        tuple(hand.unseen for hand in o.hands),
        puzzle.layers,
        secrets,
        puzzle.base,
        tuple(t.pack(cards) for cards in o.past),
        o.shuffles,
        o.peeks,
    )
    return State(
        setup=o.setup,
        phase=PHASES.index(o.phase),
        seat=o.seat,
        turn=o.turn,
        left=o.left,
        hands=hands,
        cults=tuple(t.cult(cult) for cult in o.cults),
        points=o.points,
        row=tuple(t.index[card] for card in o.row),
        deck=deck,
        at=size(puzzle.drawn),
        open=t.pack(o.open_discards),
        closed=closed,
        used=t.pack(o.used),
        passes=o.passes,
        last=o.last,
        refreshed=o.refreshed,
        done=o.rituals,
        gains=puzzle.gains,
        history=history,
    )


class _Deal:
    """The cards of the other seats while they are being placed.

    ``items[p][k]`` are the cards that joined a hand before its layer ``k`` was closed and are not
    put away yet (``k`` 0 with them the unseen ones that have been given a face); ``blank[p]`` is
    the number of unseen cards without a face; ``room[p][k]`` the cards still to be put away.
    """

    def __init__(self, o: Observation, puzzle: _Puzzle, rng: random.Random) -> None:
        self.rng = rng
        self.layers = puzzle.layers
        self.others = [p for p in range(o.setup.players) if p != o.player]
        self.pool = list(puzzle.pool)
        shuffle(self.pool, rng)
        self.needed = list(puzzle.needed)
        shuffle(self.needed, rng)
        t = puzzle.table
        players = range(o.setup.players)
        self.items = [[list(t.indices(layer.gained)) for layer in self.layers[p]] for p in players]
        self.blank = [o.hands[p].unseen if p != o.player else 0 for p in players]
        self.room = [[layer.number for layer in self.layers[p]] for p in players]
        self.away: list[list[list[int]]] = [[[] for _ in self.layers[p]] for p in players]
        self.faces: list[list[int]] = [[] for _ in players]

    # a card with a face that goes away comes from the youngest layer that has it: older ones can
    # serve more places

    def put_away_needed(self, number: int = 0) -> bool:
        """Place the needed cards from ``number`` on; False if that cannot be."""
        if number == len(self.needed):
            return True
        pile, kind = self.needed[number]
        for p, k, source in self._places(pile, kind):
            self.room[p][k] -= 1
            self.away[p][k].append(kind)
            if source is None:
                self.blank[p] -= 1
                self.pool.remove(kind)
            else:
                self.items[p][source].remove(kind)
            if self._fits(p) and self.put_away_needed(number + 1):
                return True
            self.room[p][k] += 1
            self.away[p][k].pop()
            if source is None:
                self.blank[p] += 1
                self.pool.append(kind)
            else:
                self.items[p][source].append(kind)
        return False

    def _places(self, pile: int, kind: int) -> Iterator[tuple[int, int, int | None]]:
        """Where a needed card can have gone away from, in random order by likelihood."""
        found: list[tuple[float, tuple[int, int, int | None]]] = []
        share = self.pool.count(kind) / len(self.pool) if self.pool else 0.0
        for p in self.others:
            for k, layer in enumerate(self.layers[p]):
                if layer.pile != pile or not self.room[p][k]:
                    continue
                number = 0
                youngest = -1
                for j in range(k + 1):
                    there = self.items[p][j].count(kind)
                    number += there
                    if there:
                        youngest = j
                if number:
                    found.append((number * self.room[p][k], (p, k, youngest)))
                if self.blank[p] and share:
                    found.append((share * self.blank[p] * self.room[p][k], (p, k, None)))
        # weighted order (Efraimidis and Spirakis 2006)
        found.sort(key=lambda place: math.log(1.0 - self.rng.random()) / place[0], reverse=True)
        return (place for _, place in found)

    def _fits(self, p: int) -> bool:
        """Whether every layer can still be filled from what was there when it was closed."""
        there = self.blank[p]
        for k, room in enumerate(self.room[p]):
            there += len(self.items[p][k]) - room
            if there < 0:
                return False
        return True

    def put_away_rest(self) -> None:
        """Fill the remaining places of every layer with any cards that were there."""
        for p in self.others:
            if not any(self.room[p]):
                continue
            stock: list[tuple[int, int] | None] = [None] * self.blank[p]
            for k, room in enumerate(self.room[p]):
                stock += [(k, kind) for kind in self.items[p][k]]
                for _ in range(room):
                    at = int(self.rng.random() * len(stock))
                    stock[at], stock[-1] = stock[-1], stock[at]
                    item = stock.pop()
                    if item is None:
                        self.blank[p] -= 1
                        self.away[p][k].append(self.pool.pop())
                    else:
                        self.items[p][item[0]].remove(item[1])
                        self.away[p][k].append(item[1])

    def hand_out(self) -> list[int]:
        """Give every blank card a face; what is left over (the first pile, if it lasts)."""
        for p in self.others:
            for _ in range(self.blank[p]):
                self.faces[p].append(self.pool.pop())
        return self.pool

    def kept(self, p: int) -> list[int]:
        """The cards of a hand besides those that joined it since it last put cards away."""
        return self.faces[p] + [kind for layer in self.items[p] for kind in layer]
