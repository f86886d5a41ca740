"""Rounds of a sheet as positions: whoever plays the same cards ends where the sheet says."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft import games
from lovecraft.core import CHANCE, InvalidSheet, Player, Record
from lovecraft.games.ancient_cards import replay as ancient
from lovecraft.games.ancient_cards.cards import HAND_SIZE, RUNES, counts
from lovecraft.games.tides_of_madness import replay as tides
from lovecraft.games.tides_of_madness.cards import ids
from lovecraft.games.tides_of_madness.sheet import Side
from lovecraft.games.tides_of_madness.state import PICKING, State

RUNES_GAME = games.get("ancient-cards")
TIDES = games.get("tides-of-madness")
PLAYERS = (Player("Ana", "human"), Player("Ion", "random"))
Sides = tuple[Side, Side]


class Unshuffled(random.Random):
    """Leaves cards in the order of RUNES."""

    def shuffle(self, x: object) -> None:
        """Nothing."""


def tides_game(seed: int, shub_stays: bool) -> tuple[list[Sides], list[State]]:
    """A random game: its rounds as a sheet has them, and the state after each deal."""
    rng = random.Random(seed)
    state = TIDES.start(TIDES.setup(2, {"shub_stays": shub_stays}))
    sheet: list[Sides] = []
    dealt: list[State] = []
    while movers := TIDES.to_move(state):
        if movers[0] == CHANCE:
            state = TIDES.advance(state, CHANCE, TIDES.draw(state, rng))
            dealt.append(state)
            continue
        before = state
        player = rng.choice(movers)
        action = rng.choice(TIDES.legal_actions(state, player))
        state = TIDES.advance(state, player, action)
        if before.phase == PICKING and state.phase != PICKING:
            sheet.append(_sides(before, player, action))
        choice = getattr(action, "kind", "")
        if choice in ("choose", "dreamlands"):
            field = "choice" if choice == "choose" else "suit"
            last = list(sheet[-1])
            last[player] = last[player]._replace(**{field: action.what})
            sheet[-1] = (last[0], last[1])
    return sheet, dealt


def _sides(before: State, player: int, action: object) -> Sides:
    rnd = before.round
    joint = [ids(pick) for pick in before.picks]
    joint[player] = (action.what,)  # type: ignore[attr-defined]
    found = []
    for p in (0, 1):
        row = [*(ids(card)[0] for card in before.tableaus[p]), joint[p][0]]
        found.append(Side(tuple(row[:rnd]), tuple(row[rnd:])))
    return found[0], found[1]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_a_round_of_tides_begins_where_it_began(seed: int, shub_stays: bool) -> None:
    sheet, dealt = tides_game(seed, shub_stays)
    for r in range(len(sheet)):
        state = tides.start_of_round(sheet[: r + 1], ("Ana", "Ion"), shub_stays)
        assert state == dealt[r]._replace(doubled=state.doubled)
        assert not shub_stays or state.doubled == dealt[r].doubled
        Record.begin(TIDES, PLAYERS, {"shub_stays": shub_stays}, state)


def test_an_order_entered_otherwise_still_gives_possible_hands() -> None:
    for seed in range(12):
        sheet, _ = tides_game(seed, False)
        if len(sheet) < 2:
            continue
        mixed = [
            tuple(side._replace(played=tuple(sorted(side.played))) for side in sides)
            for sides in sheet
        ]
        state = tides.start_of_round(mixed[:2], ("Ana", "Ion"))  # type: ignore[arg-type]
        for p in (0, 1):
            back = set(sheet[0][p].played) & set(sheet[1][0].played + sheet[1][1].played)
            assert back <= set(ids(state.hands[p])) and len(ids(state.hands[p])) == 5
        Record.begin(TIDES, PLAYERS, {}, state)


def test_a_round_that_is_not_whole_or_does_not_follow_is_refused() -> None:
    sheet, _ = next(g for s in range(50) if len((g := tides_game(s, False))[0]) == 3)
    short = (sheet[1][0]._replace(played=sheet[1][0].played[:4]), sheet[1][1])
    with pytest.raises(InvalidSheet, match="5 entries") as refused:
        tides.start_of_round([sheet[0], short], ("Ana", "Ion"))
    assert refused.value.place == "rounds[1][0].played"
    with pytest.raises(InvalidSheet):
        tides.start_of_round([sheet[0], sheet[0]], ("Ana", "Ion"))


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 7), st.integers(0, 2), st.randoms(use_true_random=False))
def test_a_round_of_runes_can_be_played_to_its_end(n: int, rnd: int, rng: random.Random) -> None:
    def area() -> dict[str, int]:
        cards = [rng.choice(RUNES) for _ in range(HAND_SIZE)]
        return {rune: cards.count(rune) for rune in set(cards)}

    rounds = [[area() for _ in range(3)] for _ in range(n)]
    if max(sum(own[rnd].get(rune, 0) for own in rounds) for rune in RUNES) > 12:
        with pytest.raises(InvalidSheet):
            ancient.start_of_round(rounds, rnd, rng)
        return
    state = ancient.start_of_round(rounds, rnd, Unshuffled())
    seats = tuple(Player(f"P{p}", "random") for p in range(n))
    Record.begin(RUNES_GAME, seats, {"copies": state.setup.copies}, state)
    for k in range(HAND_SIZE):
        for p in range(n):
            order = [rune for rune in RUNES for _ in range(rounds[p][rnd].get(rune, 0))]
            assert RUNES_GAME.why_not(state, p, order[k]) is None
            state = RUNES_GAME.advance(state, p, order[k])
    for p in range(n):
        wanted = tuple(rounds[p][rnd].get(rune, 0) for rune in RUNES)
        assert counts(state.areas[p]) == wanted
    assert state.round == rnd + 1


def test_runes_that_are_missing_are_told() -> None:
    with pytest.raises(InvalidSheet) as refused:
        ancient.start_of_round([[{"ia": 7}], [{"ia": 6}]], 0, random.Random(1))
    assert refused.value.place == "players[1].rounds[0]"
