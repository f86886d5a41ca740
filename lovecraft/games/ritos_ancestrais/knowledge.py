"""What a seat knows, and full states drawn from it.

``resample`` deals the cards that the seat cannot place: first cards of the others, what they put
away face down, and the order of the pile. Where nobody else's face-down discards have come out of a
new pile yet, every deal of the unknown cards (and every choice of discards from it) is equally
likely. Otherwise cards that came out of a pile, but that nobody saw go in, must have been put away
by somebody: a random deal is repaired by exchanges until it agrees.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
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


RESTLESS = 0.5
"""How often a repair takes any step rather than the best."""


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
    deal, patience = _Deal(o, puzzle, rng), 20 * len(puzzle.needed)
    while not deal.repair(patience):
        deal, patience = _Deal(o, puzzle, rng), patience + patience // 4
    players = range(o.setup.players)
    secrets = tuple(
        puzzle.own if p == o.player else deal.secrets(t, p, len(puzzle.layers[p])) for p in players
    )
    hands = tuple(
        t.pack(o.hand) if p == o.player else puzzle.gains[p] + deal.kept(t, p) for p in players
    )

    def put_away(pile: int, by: Iterable[int]) -> Bundle:
        return sum(
            secret
            for p in by
            for secret, layer in zip(secrets[p], puzzle.layers[p], strict=True)
            if layer.pile == pile
        )

    rest = deal.pool
    if o.shuffles:
        latest = o.shuffles - 1
        came_out = sum(t.unit[i] for pile, i in puzzle.needed if pile == latest)
        others = put_away(latest, (p for p in players if p != o.player))
        rest = list(t.indices(puzzle.inside + others - came_out))
    shuffle(rest, rng)
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
        deck=(*t.indices(puzzle.drawn), *puzzle.peeked, *rest),
        at=size(puzzle.drawn),
        open=t.pack(o.open_discards),
        closed=put_away(o.shuffles, players),
        used=t.pack(o.used),
        passes=o.passes,
        last=o.last,
        refreshed=o.refreshed,
        done=o.rituals,
        gains=puzzle.gains,
        history=history,
    )


IN_HAND = -1
NOWHERE = -1


class _Deal:
    """The cards of the other seats while they are being placed.

    Cards are told by number: ``face`` is what they show, ``owner`` whose they are, ``since`` the
    first layer that was closed when they were there, ``place`` the layer in which they went away
    face down, or IN_HAND. The first deal of faces and the first choice of what went away are
    random; then :meth:`repair` exchanges cards until all needed ones lie where they came out.
    """

    def __init__(self, o: Observation, puzzle: _Puzzle, rng: random.Random) -> None:
        self.rng = rng
        self.pool = list(puzzle.pool)
        shuffle(self.pool, rng)
        self.face: list[int] = []
        self.owner: list[int] = []
        self.since: list[int] = []
        self.place: list[int] = []
        self.unseen: list[int] = []
        self.layers = puzzle.layers
        self.inside: dict[tuple[int, int], list[int]] = {}
        for p, hand in enumerate(o.hands):
            if p == o.player:
                continue
            stock = []
            for _ in range(hand.unseen):
                stock.append(self._add(self.pool.pop(), p, 0))
            self.unseen += stock
            for k, layer in enumerate(puzzle.layers[p]):
                stock += [self._add(i, p, k) for i in puzzle.table.indices(layer.gained)]
                self.inside[p, k] = gone = []
                for _ in range(layer.number):
                    at = int(rng.random() * len(stock))
                    stock[at], stock[-1] = stock[-1], stock[at]
                    card = stock.pop()
                    self.place[card] = k
                    gone.append(card)
        self.missing = Counter(puzzle.needed)
        if self.missing:  # what is missing (above zero) or to spare (below) in each pile
            for card in range(len(self.face)):
                if self._pile(card) != NOWHERE:
                    self.missing[self._pile(card), self.face[card]] -= 1

    def _add(self, face: int, owner: int, since: int) -> int:
        self.face.append(face)
        self.owner.append(owner)
        self.since.append(since)
        self.place.append(IN_HAND)
        return len(self.face) - 1

    def _pile(self, card: int) -> int:
        """The pile that a card went into face down."""
        place = self.place[card]
        return NOWHERE if place == IN_HAND else self.layers[self.owner[card]][place].pile

    # -- what is needed, and not there yet -------------------------------------------------------

    def repair(self, patience: int) -> bool:
        """Exchange cards until no needed one is missing; False if that takes too many steps.

        Each step brings a card that is missing in a pile there, by the exchange that leaves fewest
        missing, or as often by any (as in WalkSAT, Selman, Kautz and Cohen 1994). There is a
        solution, what really happened, so new deals and more patience find one.
        """
        uniform = self.rng.random
        while missing := [spot for spot, number in self.missing.items() if number > 0]:
            patience -= 1
            if patience < 0:
                return False
            pile, face = missing[int(uniform() * len(missing))]
            exchanges = self._exchanges(pile, face)
            if uniform() < RESTLESS:
                best = exchanges
            else:
                costs = [self._cost(*exchange) for exchange in exchanges]
                least = min(costs, default=0)
                best = [e for e, cost in zip(exchanges, costs, strict=True) if cost == least]
            if best:
                self._exchange(*best[int(uniform() * len(best))])
        return True

    def _exchanges(self, pile: int, face: int) -> list[tuple[int, int, bool]]:
        """Pairs of a card and one in the pile, and whether they exchange faces (else places)."""
        found = []
        elsewhere = [
            card
            for card, shown in enumerate(self.face)
            if shown == face and self._pile(card) != pile
        ]
        for card in elsewhere:
            p, place, since = self.owner[card], self.place[card], self.since[card]
            for k in range(since, len(self.layers[p])):
                if self.layers[p][k].pile == pile:
                    for other in self.inside[p, k]:
                        if self.face[other] != face and (
                            place == IN_HAND or place >= self.since[other]
                        ):
                            found.append((card, other, False))
        # any two cards that nobody has seen may have each other's faces
        there = [c for c in self.unseen if self._pile(c) == pile and self.face[c] != face]
        if there:
            unseen = set(self.unseen)
            found += [(card, c, True) for card in elsewhere if card in unseen for c in there]
        return found

    def _cost(self, card: int, other: int, faces: bool) -> int:
        """How many more needed cards would be missing after an exchange."""
        mine, theirs = self._pile(card), self._pile(other)
        return self._lacks(theirs, self.face[other], self.face[card]) + self._lacks(
            mine, self.face[card], self.face[other]
        )

    def _lacks(self, pile: int, without: int, with_: int) -> int:
        if pile == NOWHERE:
            return 0
        return (self.missing[pile, without] >= 0) - (self.missing[pile, with_] > 0)

    def _exchange(self, card: int, other: int, faces: bool) -> None:
        for one, two in ((card, other), (other, card)):
            if (pile := self._pile(one)) != NOWHERE:
                self.missing[pile, self.face[one]] += 1
                self.missing[pile, self.face[two]] -= 1
        if faces:
            self.face[card], self.face[other] = self.face[other], self.face[card]
            return
        p = self.owner[card]
        for one, two in ((card, other), (other, card)):
            if self.place[one] != IN_HAND:
                gone = self.inside[p, self.place[one]]
                gone[gone.index(one)] = two
        self.place[card], self.place[other] = self.place[other], self.place[card]

    # -- the result ------------------------------------------------------------------------------

    def secrets(self, t: Tables, p: int, layers: int) -> tuple[Bundle, ...]:
        """What a seat put away, per layer."""
        return tuple(sum(t.unit[self.face[c]] for c in self.inside[p, k]) for k in range(layers))

    def kept(self, t: Tables, p: int) -> Bundle:
        """The cards of a hand besides those that joined it since it last put cards away."""
        return sum(
            t.unit[face]
            for face, owner, place in zip(self.face, self.owner, self.place, strict=True)
            if owner == p and place == IN_HAND
        )
