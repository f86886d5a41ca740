"""What can be a position of Ritos Ancestrais.

The history is part of it: who has seen which cards. It is checked to be one that can have led to
the hands, or imagining what a seat does not know would find no answer.
"""

from __future__ import annotations

from lovecraft.core.position import CARDS, KNOWN, expect
from lovecraft.games.ritos_ancestrais.cards import DEAD_ROUNDS, DRAWS, GOAL, ROW
from lovecraft.games.ritos_ancestrais.state import (
    DEAL,
    DISCARD,
    DRAW,
    OVER,
    RETURN,
    SHUFFLE,
    State,
)
from lovecraft.games.ritos_ancestrais.tables import Bundle, Tables, size


def check(t: Tables, state: State, start: State, hand_limit: int) -> None:
    """Refuse what cannot be a position; ``start`` is where a whole game begins.

    ``hand_limit`` is that of the seat in turn. Raises InvalidRecord with the field.
    """
    expect(DEAL <= state.phase <= OVER, "phase")
    if state.phase == DEAL:
        for name, value, right in zip(State._fields, state, start, strict=True):
            expect(value == right, name)
        return
    _lengths(state)
    _cards(t, state)
    _turn(t, state, hand_limit)
    _points(t, state)
    for p in range(state.setup.players):
        _memory(t, state, p)
    _piles(t, state)


def _lengths(state: State) -> None:
    n, history = state.setup.players, state.history
    for name in ("hands", "cults", "points", "done", "gains"):
        expect(len(getattr(state, name)) == n, name)
    for name in ("unseen", "layers", "secrets", "peeks"):
        expect(len(getattr(history, name)) == n, f"history.{name}")
    expect(0 <= state.seat < n, "seat")
    expect(state.turn >= 1, "turn")
    expect(0 <= state.passes <= DEAD_ROUNDS * n, "passes")


def _bundle(t: Tables, bundle: Bundle, place: str) -> Bundle:
    """Refuse an int that is no bundle of this edition's cards, or one of more than there are."""
    fits = 0 <= bundle < t.bit[-1] << 4
    expect(fits and t.pack(t.cards(bundle)) == bundle, place, CARDS)
    for i in range(len(t.kinds)):
        expect(t.count(bundle, i) <= t.count(t.deck, i), place, CARDS)
    return bundle


def _cards(t: Tables, state: State) -> None:
    """Every card of the edition is in exactly one place."""
    known = range(len(t.kinds))
    for name, numbers in (("row", state.row), ("deck", state.deck)):
        for i, number in enumerate(numbers):
            expect(number in known, f"{name}[{i}]", CARDS)
    expect(0 <= state.at <= len(state.deck), "at")
    there = [*state.row, *state.deck[state.at :]]
    for p, hand in enumerate(state.hands):
        there += t.indices(_bundle(t, hand, f"hands[{p}]"))
    for name in ("open", "closed"):
        there += t.indices(_bundle(t, getattr(state, name), name))
    for p, cult in enumerate(state.cults):
        expect(cult >= 0 and not cult & ~t.ones, f"cults[{p}]", CARDS)
        there += [i for i, bit in enumerate(t.bit) if cult & bit]
    expect(sorted(there) == list(t.indices(t.deck)), "deck", CARDS)

    used = _bundle(t, state.used, "used")
    expect(used == 0 or state.phase == RETURN, "used")
    within = all(t.count(used, i) <= t.count(state.open, i) for i in known)
    expect(within, "used")

    empty = state.at == len(state.deck)
    expect(len(state.row) == ROW or (len(state.row) < ROW and empty), "row", CARDS)
    discards = bool(state.open or state.closed)
    if state.phase == SHUFFLE:
        expect(len(state.row) < ROW and discards, "phase")
    if state.phase == DRAW:
        expect(bool(state.row) and (len(state.row) == ROW or not discards), "row", CARDS)


def _turn(t: Tables, state: State, hand_limit: int) -> None:
    """What is due in the turn of the seat."""
    cult, phase = state.cults[state.seat], state.phase
    draws = DRAWS + t.amount("draw_extra", cult & t.draw_mask)
    least = {DRAW: 1, SHUFFLE: 0}.get(phase, 0)
    most = draws if phase in (DRAW, SHUFFLE) else 0
    expect(least <= state.left <= most, "left")
    expect(not state.refreshed or bool(cult & t.refresh_mask), "refreshed")
    if phase == DISCARD:
        expect(size(state.hands[state.seat]) > hand_limit, "phase")
    if phase == RETURN:
        done = state.done[state.seat]
        known = bool(done) and done[-1].ritual in t.ritual_index
        expect(known, f"done[{state.seat}]")
        number = t.returned(done[-1].ritual, cult)
        expect(len(t.returns(state.used, number)) > 1, "used")


def _points(t: Tables, state: State) -> None:
    for p, done in enumerate(state.done):
        total = 0
        for i, performed in enumerate(done):
            expect(performed.ritual in t.ritual_index, f"done[{p}][{i}]")
            total += t.base_points[t.ritual_index[performed.ritual]] + performed.bonus
        expect(state.points[p] == total, f"points[{p}]")
    expect(state.last == any(points >= GOAL for points in state.points), "last")
    over = state.last or state.passes == DEAD_ROUNDS * state.setup.players
    expect(state.phase != OVER or over, "phase")
    expect(state.phase == OVER or state.passes < DEAD_ROUNDS * state.setup.players, "passes")


def _memory(t: Tables, state: State, p: int) -> None:
    """What all have seen of a hand: its cards, and those put away, come from what joined it."""
    history = state.history
    layers, secrets = history.layers[p], history.secrets[p]
    place = f"history.layers[{p}]"
    expect(len(layers) == len(secrets), place, KNOWN)
    gained = _bundle(t, state.gains[p], f"gains[{p}]")
    hand = state.hands[p]
    # the first cards that nobody has seen: what is in the hand or was put away, and came not openly
    first = [t.count(hand, i) - t.count(gained, i) for i in range(len(t.kinds))]
    pile = 0
    for k, (layer, secret) in enumerate(zip(layers, secrets, strict=True)):
        _bundle(t, layer.gained, f"{place}[{k}].gained")
        _bundle(t, secret, f"history.secrets[{p}][{k}]")
        expect(layer.number == size(secret) > 0, f"{place}[{k}].number", KNOWN)
        expect(pile <= layer.pile <= history.shuffles, f"{place}[{k}].pile", KNOWN)
        pile = layer.pile
        for i in range(len(first)):
            first[i] += t.count(secret, i) - t.count(layer.gained, i)
    held = list(first)
    expect(sum(first) == history.unseen[p], f"history.unseen[{p}]", KNOWN)
    expect(all(n >= 0 for n in held), f"gains[{p}]", KNOWN)
    for k, (layer, secret) in enumerate(zip(layers, secrets, strict=True)):
        for i in range(len(held)):
            held[i] += t.count(layer.gained, i) - t.count(secret, i)
        expect(all(n >= 0 for n in held), f"history.secrets[{p}][{k}]", KNOWN)


def _piles(t: Tables, state: State) -> None:
    """The piles hold what went into them."""
    history = state.history
    expect(history.shuffles >= 0, "history.shuffles")

    def put_away(pile: int) -> Bundle:
        return sum(
            secret
            for layers, secrets in zip(history.layers, history.secrets, strict=True)
            for layer, secret in zip(layers, secrets, strict=True)
            if layer.pile == pile
        )

    expect(state.closed == put_away(history.shuffles), "closed", KNOWN)
    expect(len(history.past) == max(0, history.shuffles - 1), "history.past", KNOWN)
    for pile, bundle in enumerate(history.past):
        expect(bundle == put_away(pile), f"history.past[{pile}]", KNOWN)
    if history.shuffles:
        base = _bundle(t, history.base, "history.base")
        whole = sum(t.unit[i] for i in state.deck)
        expect(whole == base + put_away(history.shuffles - 1), "history.base", KNOWN)
    else:
        expect(history.base == 0, "history.base", KNOWN)
    left = len(state.deck) - state.at
    for p, number in enumerate(history.peeks):
        expect(0 <= number <= left, f"history.peeks[{p}]", KNOWN)
