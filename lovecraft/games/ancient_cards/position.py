"""What can be a position of Ancient Cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lovecraft.core.position import CARDS, IMPOSSIBLE, expect
from lovecraft.games.ancient_cards import scoring
from lovecraft.games.ancient_cards.cards import (
    HAND_SIZE,
    ROUNDS,
    RUNES,
    UNIT,
    Bundle,
    counts,
    kinds,
    size,
)

if TYPE_CHECKING:
    from lovecraft.games.ancient_cards.game import State

MOST = scoring.IDENTICAL_POINTS[-1]
"""The most that seven cards score."""


def check(state: State) -> None:
    """Refuse what cannot be a position. Raises InvalidRecord with the field."""
    setup, n = state.setup, state.setup.players
    dealt = bool(state.hands)
    expect(0 <= state.round <= ROUNDS and not (dealt and state.round == ROUNDS), "round")
    expect(0 <= state.pick < HAND_SIZE and (dealt or not state.pick), "pick")
    expect(not dealt or len(state.hands) == n, "hands")
    for p, hand in enumerate(state.hands):
        _bundle(hand, HAND_SIZE - state.pick, f"hands[{p}]")
    earlier = state.round if setup.keep_play_area else min(state.round, 0 if dealt else 1)
    expect(len(state.areas) == n, "areas")
    for p, area in enumerate(state.areas):
        _bundle(area, HAND_SIZE * earlier + state.pick, f"areas[{p}]")
    numbers = [counts(bundle) for bundle in (*state.hands, *state.areas)]
    expect(max(map(sum, zip(*numbers, strict=True))) <= setup.copies, "hands", CARDS)

    expect(len(state.picks) == n and (dealt or not any(state.picks)), "picks")
    for p, rune in enumerate(state.picks):
        expect(rune is None or (rune in UNIT and rune in kinds(state.hands[p])), f"picks[{p}]")
    expect(not dealt or None in state.picks, "picks")

    expect(len(state.points) == state.round, "points")
    for r, row in enumerate(state.points):
        most = MOST * (r + 1 if setup.keep_play_area else 1)
        expect(len(row) == n and all(0 <= points <= most for points in row), f"points[{r}]")
    if state.round and not dealt:
        scored = tuple(map(scoring.area_points, state.areas))
        expect(state.points[-1] == scored, f"points[{state.round - 1}]", IMPOSSIBLE)


def _bundle(bundle: Bundle, cards: int, place: str) -> None:
    expect(0 <= bundle < 1 << 4 * len(RUNES) and size(bundle) == cards, place, CARDS)
