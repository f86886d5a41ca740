"""What can be a position of Mythicals."""

from __future__ import annotations

from lovecraft.core.position import CARDS, expect
from lovecraft.games.mythicals.cards import (
    ALL_TOKENS,
    COLOUR_MASKS,
    COPIES,
    DAWN_DEPTH,
    DEAL_SIZE,
    DOUBLES,
    MARKERS,
    MAX_MARKERS,
    PILE_SIZE,
    REVEAL_SIZE,
    TOKEN,
    TOKEN_UNIT,
    UNIT,
    count,
    is_creatures,
    size,
)
from lovecraft.games.mythicals.rulebook import AFTER_CLAIM
from lovecraft.games.mythicals.state import (
    CLAIM,
    DEAL,
    DRAW,
    MODIFY,
    OVER,
    REVEAL,
    TAKE,
    State,
    discarded,
)

_WITH_DAWN = (TAKE, CLAIM, OVER)


def check(state: State, start: State) -> None:
    """Refuse what cannot be a position; ``start`` is where a whole game begins.

    Raises InvalidRecord with the field.
    """
    if state.phase == DEAL:
        for name, value, right in zip(State._fields, state, start, strict=True):
            expect(value == right, name)
        return
    expect(state.player in (0, 1), "player")
    _cards(state)
    _tokens(state)
    if state.phase == MODIFY:
        claimed = bool(state.stacks[state.player])
        expect(claimed or state.setup.modify != AFTER_CLAIM, "phase")


def _cards(state: State) -> None:
    bundles = {
        "hands[0]": state.hands[0],
        "hands[1]": state.hands[1],
        "reserve": state.reserve,
        "revealed": state.revealed,
        "unseen": state.unseen,
    }
    for place, bundle in bundles.items():
        expect(is_creatures(bundle), place, CARDS)
    for unit in UNIT.values():
        there = sum(count(bundle, unit) for bundle in bundles.values())
        expect(there <= COPIES, "hands", CARDS)
    if state.setup.gift_duplicates:
        for p, hand in enumerate(state.hands):
            expect(not hand & DOUBLES, f"hands[{p}]")

    expect(not state.dawn or state.phase in _WITH_DAWN, "dawn")
    expect(state.dawn or state.phase != OVER, "dawn")
    shown = REVEAL_SIZE - state.dawn if state.phase == TAKE else 0
    expect(size(state.revealed) == shown, "revealed", CARDS)
    most = DAWN_DEPTH - REVEAL_SIZE if state.dawn else PILE_SIZE
    least = 0 if state.dawn else REVEAL_SIZE
    expect(least <= state.pile <= most and state.pile % REVEAL_SIZE == 0, "pile")
    expect(size(state.unseen) == state.pile - (not state.dawn), "unseen", CARDS)
    if state.pile == PILE_SIZE and state.phase in (DRAW, REVEAL):
        for p, hand in enumerate(state.hands):
            colours = sum(bool(hand & mask) for mask in COLOUR_MASKS)
            expect(size(hand) == colours == DEAL_SIZE, f"hands[{p}]", CARDS)


def _tokens(state: State) -> None:
    expect(0 <= state.board <= ALL_TOKENS and not state.board & ~ALL_TOKENS, "board")
    there, cost = state.board, 0
    for p, stack in enumerate(state.stacks):
        for i, token in enumerate(stack):
            fits = token in TOKEN_UNIT and not there & TOKEN_UNIT[token]
            expect(fits, f"stacks[{p}][{i}]")
            there |= TOKEN_UNIT[token]
            cost += TOKEN[token].size
    expect(there == ALL_TOKENS, "board")
    expect(size(discarded(state)) == cost, "stacks", CARDS)
    locked, markers = state.locked, state.markers
    expect(locked >= 0 and not locked & ~ALL_TOKENS, "locked")
    fits = 0 <= markers <= ALL_TOKENS * MAX_MARKERS and not markers & markers >> 1 & ALL_TOKENS
    expect(fits and size(markers) <= MARKERS, "markers")
    expect(not markers & locked * 3, "locked")
