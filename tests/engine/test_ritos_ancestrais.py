"""Ritos Ancestrais by the book: flow, every effect, editions, knowledge, score sheets."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft import bots, games
from lovecraft.core import (
    CHANCE,
    CHANCE_MOVES,
    IllegalAction,
    InvalidOption,
    InvalidRecord,
    InvalidSheet,
    Player,
    Record,
    play,
    playout,
)
from lovecraft.core.record import _trace
from lovecraft.games.ritos_ancestrais import (
    Action,
    InvalidEdition,
    RitosAncestrais,
    State,
    load_edition,
    payments,
    read_edition,
    register_edition,
)
from lovecraft.games.ritos_ancestrais import edition as editions
from lovecraft.games.ritos_ancestrais import rulebook as rule
from lovecraft.games.ritos_ancestrais.cards import SYMBOLS
from lovecraft.games.ritos_ancestrais.game import PASS, REFRESH, hand_limit
from lovecraft.games.ritos_ancestrais.scoring import Performed, end_sheet, ritual_sheet
from lovecraft.games.ritos_ancestrais.state import ACT, DISCARD, DRAW, OVER, RETURN, SHUFFLE
from lovecraft.games.ritos_ancestrais.tables import size, tables
from lovecraft.i18n import LANGUAGES, text

GAME: RitosAncestrais = games.get("ritos-ancestrais")  # type: ignore[assignment]
GOLDEN = Path(__file__).parents[1] / "golden" / "ritos-ancestrais"
seeds = st.integers(0, 2**32)
few = settings(max_examples=30, deadline=None)

SHORT = dict(zip(("n", "e", "p", "m", "y", "c"), SYMBOLS, strict=True))
"""One letter per symbol; the cards of the test edition are called n1, n2, n3, e1, …"""

RITUALS = [
    {"id": "pair", "name": "Pair", "needs": ["a", "a"], "points": 2},
    {"id": "three", "name": "Three", "needs": ["a", "b", "c"], "points": 4},
    {"id": "house", "name": "Full House", "needs": ["a", "a", "a", "b", "b"], "points": 8},
    {"id": "deep", "name": "Deep", "needs": ["cthulhu", "cthulhu", "a"], "points": 5},
    {"id": "all", "name": "All", "needs": list(SYMBOLS), "points": 12},
]


def plain(effects: dict[str, list[dict[str, Any]]] | None = None, copies: int = 3) -> Any:
    """An edition of three cards per symbol, with the effects asked for; JSON."""
    return {
        "format": "lovecraft-edition",
        "version": 1,
        "game": "ritos-ancestrais",
        "id": "test",
        "name": {"en": "Test", "pt": "Teste"},
        "rituals": copy.deepcopy(RITUALS),
        "cards": [
            {
                "id": f"{letter}{number}",
                "name": f"{letter.upper()}{number}",
                "symbol": symbol,
                "copies": copies,
                "effects": (effects or {}).get(f"{letter}{number}", []),
            }
            for letter, symbol in SHORT.items()
            for number in (1, 2, 3)
        ],
    }


@pytest.fixture
def use() -> Iterator[Callable[..., str]]:
    """Register editions for one test; gives their keys."""
    before, options = dict(editions._EDITIONS), RitosAncestrais.options

    def register(effects: dict[str, list[dict[str, Any]]] | None = None, **more: Any) -> str:
        return register_edition(read_edition(plain(effects, **more)))

    yield register
    editions._EDITIONS.clear()
    editions._EDITIONS.update(before)
    RitosAncestrais.options = options


def begin(
    key: str, hands: Sequence[str], row: str = "", pile: str = "", cults: Sequence[str] = ()
) -> State:
    """A dealt game; cards named with blanks between, what is not named comes from the deck."""
    t = tables(key)
    rest = Counter(t.cards(t.deck))
    wanted = [hand.split() for hand in hands]
    for cards in (*wanted, row.split(), pile.split(), *(cult.split() for cult in cults)):
        rest -= Counter(cards)
    spare = list(rest.elements())
    order: list[str] = []
    for cards in wanted:
        order += cards + [spare.pop() for _ in range(5 - len(cards))]
    order += row.split() + [spare.pop() for _ in range(6 - len(row.split()))]
    order += pile.split() + spare + [card for cult in cults for card in cult.split()]
    state = GAME.start(GAME.setup(len(hands), {"edition": key}))
    state = GAME.advance(state, CHANCE, Action("shuffle", "", tuple(order)))
    if cults:
        lying = [t.cult(cult.split()) for cult in cults]
        out = sum(len(cult.split()) for cult in cults)
        state = state._replace(
            cults=tuple(lying), deck=state.deck[: len(state.deck) - out], left=state.left
        )
        state = state._replace(left=2 + t.amount("draw_extra", lying[0] & t.draw_mask))
    return state


def do(state: State, *actions: Action | str) -> State:
    """Play actions with all checks; a word is a draw of that card, ``pass`` or ``refresh``."""
    for action in actions:
        if isinstance(action, str):
            action = Action(action) if action in ("pass", "refresh") else Action("draw", action)
        (player,) = GAME.to_move(state)
        state, events = GAME.apply(state, player, action)
        assert events
    return state


def shuffle(state: State, *first: str) -> State:
    """Chance's shuffle with these cards on top."""
    t = tables(state.setup.edition)
    rest = Counter(t.cards(state.open + state.closed)) - Counter(first)
    return do(state, Action("shuffle", "", (*first, *rest.elements())))


def row(state: State) -> tuple[str, ...]:
    return tuple(tables(state.setup.edition).kinds[i] for i in state.row)


def hand(state: State, seat: int) -> tuple[str, ...]:
    return tables(state.setup.edition).cards(state.hands[seat])


def refused(state: State, action: object, by: Any) -> None:
    (player,) = GAME.to_move(state)
    why = GAME.why_not(state, player, action)
    assert why is not None and why.rule == by.id, why
    assert isinstance(action, str) or action not in GAME.legal_actions(state, player)
    for lang in LANGUAGES:
        assert why.text(lang)
    with pytest.raises(IllegalAction):
        GAME.apply(state, player, action)  # type: ignore[arg-type]


def perform(ritual: str, cards: str) -> Action:
    return Action("ritual", ritual, tuple(sorted(cards.split())))


def all_cards(state: State) -> Counter[str]:
    t = tables(state.setup.edition)
    there = Counter(t.kinds[i] for i in (*state.row, *state.deck[state.at :]))
    for bundle in (*state.hands, state.open, state.closed):
        there.update(t.cards(bundle))
    for cult in state.cults:
        there.update(t.cult_cards(cult))
    return there


# -- the flow ------------------------------------------------------------------------------------


def test_the_deal(use: Any) -> None:
    state = begin(use(), ["n1 n2 n3 e1 e2", "p1 p2 p3 m1 m2"], "y1 y2 y3 c1 c2 c3", "e3 m3")
    assert hand(state, 0) == ("n1", "n2", "n3", "e1", "e2")
    assert hand(state, 1) == ("p1", "p2", "p3", "m1", "m2")
    assert row(state) == ("y1", "y2", "y3", "c1", "c2", "c3")
    assert GAME.to_move(state) == (0,)
    assert (state.phase, state.left, len(state.deck) - state.at) == (DRAW, 2, 38)


def test_the_row_is_refilled_after_each_draw_in_the_same_place(use: Any) -> None:
    state = begin(use(), ["", ""], "y1 y2 y3 c1 c2 c3", "e3 m3")
    state = do(state, "y2")
    assert row(state) == ("y1", "e3", "y3", "c1", "c2", "c3")
    state = do(state, "e3")  # the second card may be the new one
    assert row(state) == ("y1", "m3", "y3", "c1", "c2", "c3")
    assert state.phase == ACT


def test_drawing_is_first_and_from_the_row_only(use: Any) -> None:
    state = begin(use(), ["n1 n1 n2", ""], "y1 y1 y1 c1 c1 c1")
    assert GAME.legal_actions(state, 0) == (Action("draw", "y1"), Action("draw", "c1"))
    refused(state, Action("draw", "y2"), rule.DRAW)
    refused(state, Action("draw", "nothing"), rule.CARDS)
    refused(state, PASS, rule.DRAW)
    refused(state, Action("play", "n1"), rule.DRAW)
    refused(state, perform("pair", "n1 n1"), rule.DRAW)
    refused(state, REFRESH, rule.EFFECT_ROW_REFRESH)
    refused(state, Action("shuffle", "", ("n1",)), rule.ACTION)
    refused(state, "pass", rule.ACTION)
    refused(state, Action("draw", "y1", ("c1",)), rule.ACTION)
    refused(state, Action(["draw"], 3), rule.ACTION)  # type: ignore[arg-type]


def test_one_action_then_the_next_player(use: Any) -> None:
    state = do(begin(use(), ["n1 n1 n2", "p1"], "y1 y2 c1 c2 e1 e2"), "y1", "c1")
    played = do(state, Action("play", "n1"))
    assert tables(state.setup.edition).cult_cards(played.cults[0]) == ("n1",)
    assert GAME.to_move(played) == (1,)
    assert (played.phase, played.turn) == (DRAW, 1)
    back = do(played, "y2", "c2", PASS)
    assert (GAME.to_move(back), back.turn) == ((0,), 2)
    with pytest.raises(IllegalAction):
        GAME.apply(played, 0, PASS)
    refused(do(back, "e1", "e2"), Action("draw", "p1"), rule.ACTION)


def test_no_name_twice_and_cult_cards_pay_for_nothing(use: Any) -> None:
    state = begin(use(), ["n1 n1 n2", "p1"], "y1 y2 c1 c2 e1 e2")
    state = do(state, "y1", "c1", Action("play", "n1"), "y2", "c2", PASS, "e1", "e2")
    refused(state, Action("play", "n1"), rule.SAME_NAME)
    refused(state, Action("play", "m3"), rule.CULT)
    lying = tables(state.setup.edition).pack(["n1"])
    held = state._replace(hands=(state.hands[0] - lying, state.hands[1]))
    refused(held, perform("pair", "n1 n2"), rule.RITUAL)  # n1 lies in the cult alone
    assert GAME.why_not(state, 0, perform("pair", "n1 n2")) is None


def test_rituals_discard_what_they_use_and_score_at_once(use: Any) -> None:
    state = do(begin(use(), ["n1 n1 n2 p1 p2", ""], "y1 y2 c1 c2 e1 e2"), "y1", "c1")
    refused(state, perform("pair", "n1 p1"), rule.PAYMENT)
    refused(state, perform("pair", "n1 n1 n2"), rule.PAYMENT)
    refused(state, perform("nothing", "n1 n1"), rule.RITUALS)
    refused(state, perform("pair", "n1 x9"), rule.CARDS)
    refused(state, perform("all", "n1 p1 y1 c1"), rule.PAYMENT)
    after = do(state, perform("house", "n1 n1 n2 p1 p2"))
    assert after.points == (8, 0)
    assert after.done[0] == (Performed("house", 0),)
    assert hand(after, 0) == ("y1", "c1")
    t = tables(after.setup.edition)
    assert Counter(t.cards(after.open)) == Counter(["n1", "n1", "n2", "p1", "p2"])


def test_the_pile_is_made_anew_from_the_discards(use: Any) -> None:
    state = begin(use(), ["n1 n1", "p1 p1"], "y1 y2 y3 c1 c2 c3")
    state = do(state, "y1", "y2", perform("pair", "n1 n1"))
    state = state._replace(at=len(state.deck) - 1)  # one card left on the pile
    state = do(state, row(state)[0])
    assert (state.phase, len(state.row)) == (DRAW, 6)
    state = do(state, row(state)[0])
    assert (state.phase, len(state.row)) == (SHUFFLE, 5)
    assert GAME.to_move(state) == CHANCE_MOVES
    for wrong in (Action("shuffle", "", ("n1",)), Action("shuffle", "", ("n1", "p1")), PASS, 7):
        why = GAME.why_not(state, CHANCE, wrong)
        assert why is not None and why.rule == rule.RESHUFFLE.id
    state = shuffle(state)
    assert (state.phase, len(state.row), state.at, state.open) == (ACT, 6, 1, 0)
    assert GAME.why_not(state, CHANCE, Action("shuffle", "", ("n1",))) is not None


def test_when_nothing_is_left_players_draw_what_there_is(use: Any) -> None:
    state = begin(use(), ["n1 n1", "p1"], "y1 y2 y3 c1 c2 c3")
    state = state._replace(at=len(state.deck), row=state.row[:3])
    state = do(state, "y1", "y2")
    assert (state.phase, row(state)) == (ACT, ("y3",))
    state = do(state, PASS, "y3")  # one card is all there is
    assert (state.phase, state.left, row(state)) == (ACT, 0, ())
    state = do(state, PASS)
    assert (GAME.to_move(state), state.phase) == ((0,), ACT)  # nothing to draw at all
    state = do(state, perform("pair", "n1 n1"))
    assert state.phase == SHUFFLE  # discards make up the row again before the next draws
    state = shuffle(state)
    assert (state.phase, state.left, sorted(row(state))) == (DRAW, 2, ["n1", "n1"])


def test_down_to_the_hand_limit_card_by_card(use: Any) -> None:
    state = begin(use(), ["n1 n2 n3 e1 e2", "p1"], "y1 y2 c1 c2 m1 m2")
    state = state._replace(hands=(state.hands[0] + tables(state.setup.edition).pack(["m3"]), 0))
    state = do(state, "y1", "y2", PASS)
    assert (state.phase, GAME.to_move(state)) == (DISCARD, (0,))
    refused(state, PASS, rule.HAND_LIMIT)
    refused(state, Action("discard", "c1"), rule.HAND_LIMIT)
    state, events = GAME.apply(state, 0, Action("discard", "n2"))
    assert [e.kind for e in events] == ["discarded"]
    assert "card" not in events[0].seen_by(1).data and events[0].seen_by(0).data["card"] == "n2"
    assert (state.phase, GAME.to_move(state)) == (DRAW, (1,))
    assert GAME.observe(state, 1).open_discards == ()
    assert GAME.observe(state, 1).discards == 1
    assert GAME.observe(state, 0).put_away == (("n2",),)


# -- the end -------------------------------------------------------------------------------------


def finish(key: str, points: Sequence[int], seat: int = 0, cults: Sequence[str] = ()) -> State:
    """Seat ``seat`` to act with a pair in hand, seats at these points."""
    state = begin(key, ["n1 n2"] * len(points), cults=cults)
    return state._replace(points=tuple(points), seat=seat, phase=ACT, left=0)


def skip(state: State) -> State:
    """A turn of drawing what comes and passing."""
    while state.phase == DRAW:
        state = do(state, row(state)[0])
    state = do(state, PASS)
    while state.phase == DISCARD:
        state = do(state, GAME.legal_actions(state, state.seat)[0])
    return state


def test_the_round_is_played_out(use: Any) -> None:
    key = use()
    state = do(finish(key, (19, 0, 5)), perform("pair", "n1 n2"))
    assert state.last and GAME.to_move(state) == (1,)
    state = skip(skip(state))
    assert state.phase == OVER and GAME.to_move(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.totals == (21, 0, 5) and outcome.winners == (0,)
    # started by the last player of the round, the end comes at once
    state = do(finish(key, (20, 0, 19), seat=2), perform("pair", "n1 n2"))
    assert state.phase == OVER
    # 20 is not enough
    state = do(finish(key, (18, 0, 5)), perform("pair", "n1 n2"))
    assert not state.last


def test_ties_go_by_hand_then_are_shared(use: Any) -> None:
    state = do(finish(use(), (22, 20), seat=1), perform("pair", "n1 n2"))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.totals, outcome.winners, outcome.tiebreak) == ((22, 22), (0,), "hand")
    assert outcome.rule == rule.TIE_HAND.id
    level = state._replace(hands=(state.hands[1], state.hands[1]))
    outcome = GAME.outcome(level)
    assert outcome is not None and outcome.winners == (0, 1) and outcome.tiebreak is None


def test_three_rounds_of_passing_end_the_game(use: Any) -> None:
    state = begin(use(), ["n1", "p1", "e1"])
    for _ in range(8):
        state = skip(state)
    assert state.phase != OVER and state.passes == 8
    last = skip(state)
    assert last.phase == OVER and not last.last
    outcome = GAME.outcome(last)
    assert outcome is not None and outcome.winners == (0, 1, 2)
    while state.phase == DRAW:
        state = do(state, row(state)[0])
    state, _ = GAME.apply(state, 2, GAME.legal_actions(state, 2)[0])  # a card to the cult
    assert state.passes == 0


@pytest.mark.parametrize(
    ("bonus", "points"),
    [
        ({"per": "ritual", "points": 2, "cap": 9}, 6),
        ({"per": "ritual", "points": 1, "cap": 9, "ritual": "pair"}, 2),
        ({"per": "different-ritual", "points": 2, "cap": 9}, 4),
        ({"per": "cult-card", "points": 1, "cap": 9}, 3),
        ({"per": "cult-card", "points": 2, "cap": 9, "symbol": "necronomicon"}, 4),
        ({"per": "cult-symbol", "points": 3, "cap": 9}, 6),
        ({"per": "cult-symbol", "points": 3, "cap": 5}, 5),
        ({"per": "hand-card", "points": 1, "cap": 9}, 4),
        ({"per": "hand-card", "points": 1, "cap": 3}, 3),
    ],
)
def test_end_bonus(use: Any, bonus: dict[str, Any], points: int) -> None:
    key = use({"n1": [{"effect": "end_bonus", **bonus}]})
    edition = editions.find_edition(key)
    sheet = end_sheet(edition, ["pair", "three", "pair"], ["n1", "n2", "c1"], 4)
    assert sheet.points == points and len(sheet.lines) == 1
    assert sheet.lines[0].cards == ("n1",)
    for lang in LANGUAGES:
        assert text(sheet.lines[0].text, lang)
        effect = edition.cards[0].effects[0]
        assert text(editions.effect_text(edition, effect), lang)


def test_end_bonuses_count_after_the_last_turn_and_never_start_the_end(use: Any) -> None:
    key = use({"c1": [{"effect": "end_bonus", "per": "hand-card", "points": 2, "cap": 6}]})
    state = do(finish(key, (18, 20), cults=("c1", "")), PASS)
    assert not state.last
    state = do(finish(key, (18, 20), seat=1, cults=("c1", "")), perform("pair", "n1 n2"))
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.totals == (24, 22)
    before = finish(key, (18, 20), seat=1, cults=("c1", ""))
    _, events = GAME.apply(before, 1, perform("pair", "n1 n2"))
    assert [e.kind for e in events] == ["performed", "triggered", "end-bonus", "ended"]
    assert events[2].data == {"card": "c1", "points": 6}


# -- effects -------------------------------------------------------------------------------------


def ways(key: str, held: str, cult: str = "") -> dict[tuple[str, tuple[str, ...]], int]:
    """Payments with their points."""
    found = payments(editions.find_edition(key), held.split(), cult.split())
    assert len({(p.ritual, p.cards) for p in found}) == len(found)
    return {(p.ritual, p.cards): p.points for p in found}


def test_ritual_bonus_for_any_one_or_a_symbol(use: Any) -> None:
    key = use(
        {
            "n1": [{"effect": "ritual_bonus", "points": 1}],
            "n2": [{"effect": "ritual_bonus", "ritual": "pair", "points": 2}],
            "n3": [{"effect": "ritual_bonus", "symbol": "cthulhu", "points": 4}],
        }
    )
    held = "c1 c2 p1 p2 e1"
    pair, deep = ("pair", ("p1", "p2")), ("deep", ("c1", "c2", "e1"))
    assert ways(key, held)[pair] == 2 and ways(key, held)[deep] == 5
    assert ways(key, held, "n1")[pair] == 3 and ways(key, held, "n1")[deep] == 6
    assert ways(key, held, "n2")[pair] == 4 and ways(key, held, "n2")[deep] == 5
    assert ways(key, held, "n3")[pair] == 2 and ways(key, held, "n3")[deep] == 9
    assert ways(key, held, "n3")[("pair", ("c1", "c2"))] == 6
    assert ways(key, held, "n1 n2 n3")[("pair", ("c1", "c2"))] == 9  # they add up, once each
    state = begin(key, ["c1 c2", ""], cults=("n1 n2 n3", ""))._replace(phase=ACT, left=0)
    state = do(state, perform("pair", "c1 c2"))
    assert state.points == (9, 0) and state.done[0] == (Performed("pair", 7),)
    sheet = ritual_sheet(editions.find_edition(key), state.done[0])
    assert [line.points for line in sheet.lines] == [2, 7] and sheet.points == 9


def test_symbol_wild(use: Any) -> None:
    key = use(
        {
            "n1": [{"effect": "symbol_wild", "from": "pnakotic", "to": "cthulhu"}],
            "n2": [{"effect": "symbol_wild", "from": "cthulhu", "to": "elder-sign"}],
            "n3": [{"effect": "symbol_wild", "from": "miskatonic", "to": "any"}],
            "e1": [{"effect": "ritual_bonus", "symbol": "cthulhu", "points": 3}],
        }
    )
    pair = ("pair", ("c1", "p1"))
    assert pair not in ways(key, "c1 p1")
    assert ways(key, "c1 p1", "n1")[pair] == 2
    assert ("pair", ("e2", "p1")) not in ways(key, "e2 p1", "n1 n2")  # wild symbols do not chain
    assert ways(key, "e2 c1", "n2") == {("pair", ("c1", "e2")): 2}
    assert ways(key, "m1 y1", "n3") == {("pair", ("m1", "y1")): 2}
    # a bonus for a symbol counts when a card stands for it, whatever is printed
    assert ways(key, "p1 p2", "n1 e1") == {("pair", ("p1", "p2")): 5}
    assert ways(key, "c1 e2", "n2 e1") == {("pair", ("c1", "e2")): 2}


def test_ritual_discount(use: Any) -> None:
    key = use(
        {
            "n1": [{"effect": "ritual_discount", "cards": 1}],
            "n2": [{"effect": "ritual_discount", "ritual": "three", "cards": 2}],
            "n3": [{"effect": "ritual_discount", "symbol": "cthulhu", "cards": 2}],
            "e1": [{"effect": "ritual_discount", "cards": 5}],
        }
    )
    assert ways(key, "p1 m1", "n1") == {
        ("pair", ("p1",)): 2,
        ("pair", ("m1",)): 2,
        ("three", ("m1", "p1")): 4,
    }
    assert ways(key, "p1 m1", "n2") == {("three", ("p1",)): 4, ("three", ("m1",)): 4}
    # a discount for a symbol leaves out only that symbol, and never the last card
    assert ways(key, "y1", "n3") == {("deep", ("y1",)): 5}
    assert ways(key, "c1", "n3") == {("pair", ("c1",)): 2, ("deep", ("c1",)): 5}
    assert ("three", ("m1", "p1")) in ways(key, "p1 m1", "n3")
    assert all(len(cards) == 1 for _, cards in ways(key, "p1 m1 y1 c1", "e1"))
    # it always applies: the full price is no payment any more
    assert ("pair", ("p1", "p2")) not in ways(key, "p1 p2", "n1")
    state = begin(key, ["p1 p2", ""], cults=("n1", ""))._replace(phase=ACT, left=0)
    refused(state, perform("pair", "p1 p2"), rule.PAYMENT)


def test_return_used_is_a_choice_among_the_used_cards(use: Any) -> None:
    key = use(
        {
            "y1": [{"effect": "return_used", "cards": 1}],
            "y2": [{"effect": "return_used", "ritual": "pair", "cards": 1}],
        }
    )
    state = begin(key, ["p1 p1 p2 m1 e1", ""], cults=("y1", ""))._replace(phase=ACT, left=0)
    mixed = do(state, perform("pair", "p1 p2"))
    assert mixed.phase == RETURN and GAME.to_move(mixed) == (0,)
    assert GAME.legal_actions(mixed, 0) == (
        Action("return", "", ("p1",)),
        Action("return", "", ("p2",)),
    )
    refused(mixed, PASS, rule.EFFECT_RETURN_USED)
    refused(mixed, Action("return", "", ("m1",)), rule.EFFECT_RETURN_USED)
    refused(mixed, Action("return", "", ("p1", "p2")), rule.EFFECT_RETURN_USED)
    back = do(mixed, Action("return", "", ("p2",)))
    assert hand(back, 0) == ("e1", "p1", "p2", "m1")
    t = tables(key)
    assert t.cards(back.open) == ("p1",)
    assert GAME.observe(back, 1).hands[0].gained == ("p2",)  # all have seen it go back
    alike, events = GAME.apply(state, 0, perform("pair", "p1 p1"))
    assert alike.phase == DRAW and hand(alike, 0) == ("e1", "p1", "p2", "m1")
    assert [e.kind for e in events] == ["performed", "returned"]
    # both effects together return both cards, so there is nothing to choose
    both = state._replace(cults=(t.cult(["y1", "y2"]), 0))
    assert do(both, perform("pair", "p1 p2")).hands[0] == state.hands[0]
    # one bound to a ritual counts for that ritual only
    other = state._replace(cults=(t.cult(["y2"]), 0))
    assert do(other, perform("three", "p1 m1 e1")).phase == DRAW
    assert do(other, perform("pair", "p1 p2")).phase == RETURN


def test_draw_extra(use: Any) -> None:
    key = use({"y1": [{"effect": "draw_extra", "cards": 2}]})
    state = begin(key, ["y1", ""])
    state = skip(do(state, row(state)[0], row(state)[1], Action("play", "y1")))
    assert GAME.to_move(state) == (0,) and state.left == 4
    for left in (3, 2, 1, 0):
        state = do(state, row(state)[0])
        assert (state.left, len(state.row)) == (left, 6)
    assert state.phase == ACT


def test_hand_limits_and_protection(use: Any) -> None:
    key = use(
        {
            "y1": [{"effect": "hand_limit", "cards": 2}],
            "y2": [{"effect": "rival_hand_limit", "cards": 3}],
            "y3": [{"effect": "protect"}],
            "c1": [{"effect": "rival_hand_limit", "cards": 3}],
        }
    )
    t = tables(key)

    def limits(*cults: str) -> list[int]:
        packed = [t.cult(cult.split()) for cult in cults]
        return [hand_limit(t, packed, seat) for seat in range(len(packed))]

    assert limits("", "") == [7, 7]
    assert limits("y1", "") == [9, 7]
    assert limits("y2", "", "") == [7, 4, 4]
    assert limits("y2", "y1", "y3") == [7, 6, 7]
    assert limits("y2 c1", "") == [7, 1]
    assert limits("y2 c1", "y2 c1", "y1") == [1, 1, 1]  # never below one
    state = begin(key, ["", "p1 p2 p3 m1 m2"], cults=("y2", ""))
    state = state._replace(seat=1)
    while state.phase == DRAW:
        state = do(state, row(state)[0])
    state = do(state, PASS)
    for _ in range(3):
        assert state.phase == DISCARD
        state = do(state, GAME.legal_actions(state, 1)[0])
    assert size(state.hands[1]) == 4 and GAME.to_move(state) == (0,)


def test_row_refresh(use: Any) -> None:
    key = use({"y1": [{"effect": "row_refresh"}]})
    state = begin(key, ["", ""], "e1 e2 e3 p1 p2 p3", "m1 m2 m3 c1 c2 c3 n1", ("y1", ""))
    assert GAME.legal_actions(state, 0)[-1] == REFRESH
    fresh, events = GAME.apply(state, 0, REFRESH)
    assert row(fresh) == ("m1", "m2", "m3", "c1", "c2", "c3")
    assert [e.kind for e in events] == ["refreshed", "turned"]
    assert Counter(tables(key).cards(fresh.open)) == Counter(["e1", "e2", "e3", "p1", "p2", "p3"])
    refused(fresh, REFRESH, rule.EFFECT_ROW_REFRESH)  # once per turn
    refused(do(state, "e1"), REFRESH, rule.EFFECT_ROW_REFRESH)  # not after a draw
    refused(do(state, "e1", "e2"), REFRESH, rule.EFFECT_ROW_REFRESH)
    refused(state._replace(at=len(state.deck)), REFRESH, rule.EFFECT_ROW_REFRESH)
    again = skip(skip(fresh))
    assert REFRESH in GAME.legal_actions(again, 0)
    # with too few cards on the pile the discards, the old row among them, are shuffled
    short = do(state._replace(at=len(state.deck) - 2), REFRESH)
    assert (short.phase, len(short.row)) == (SHUFFLE, 2)
    short = shuffle(short)
    assert (short.phase, len(short.row), short.left, short.refreshed) == (DRAW, 6, 2, True)


def test_row_peek_is_seen_by_its_owner_alone(use: Any) -> None:
    key = use({"y1": [{"effect": "row_peek", "cards": 2}]})
    state = begin(key, ["y1", ""], "e1 e2 e3 p1 p2 p3", "m1 m2 m3 c1 c2 c3 n1")
    state = do(state, "e1", "e2", Action("play", "y1"))
    assert GAME.observe(state, 0).peeked == ()
    state = do(state, "e3", "p1")
    after, events = GAME.apply(state, 1, PASS)
    assert GAME.observe(after, 0).peeked == ("c2", "c3")
    assert GAME.observe(after, 1).peeked == () and GAME.observe(after, 1).peeks == (2, 0)
    assert events[-1].kind == "peeked"
    assert events[-1].seen_by(0).data["cards"] == ["c2", "c3"]
    assert "cards" not in events[-1].seen_by(1).data
    after = do(after, "p2")  # c2 is turned up, and the next one looked at
    assert row(after)[4] == "c2" and GAME.observe(after, 0).peeked == ("c3", "n1")
    after = do(after, "p3")  # no look after the last draw
    assert GAME.observe(after, 0).peeked == ("n1",)
    after = do(after, PASS, Action("discard", "e1"), "m1", "m2")  # others turn up what was known
    assert GAME.observe(after, 0).peeked == ()
    end = do(state._replace(at=len(state.deck) - 1), PASS)
    assert len(GAME.observe(end, 0).peeked) == 1  # no more than there are


def test_every_effect_of_the_vocabulary_is_tested_above() -> None:
    here = {name for name in globals() if name.startswith("test_")}
    for kind in editions.VOCABULARY:
        words = {"hand_limit": "hand_limits", "rival_hand_limit": "hand_limits"}
        assert any(words.get(kind, kind).removesuffix("ect") in name for name in here), kind


# -- payments, checked by trying everything -------------------------------------------------------


def some_effects(rng: random.Random) -> dict[str, list[dict[str, Any]]]:
    """Random effects on rituals for a few cards."""

    def symbol() -> str:
        return rng.choice(SYMBOLS)

    def ritual() -> Any:
        return rng.choice(RITUALS)["id"]

    effects: dict[str, list[dict[str, Any]]] = {}
    for card in ("n1", "e1", "p1", "m1"):
        one: dict[str, Any]
        match rng.randrange(4):
            case 0:
                one = {
                    "effect": "symbol_wild",
                    "from": symbol(),
                    "to": rng.choice([*SYMBOLS, "any"]),
                }
                if one["from"] == one["to"]:
                    one["to"] = "any"
            case 1:
                one = {"effect": "ritual_discount", "cards": rng.randint(1, 2)}
            case _:
                one = {"effect": "ritual_bonus", "points": rng.randint(1, 3)}
        if one["effect"] != "symbol_wild" and rng.random() < 0.7:
            one |= {"symbol": symbol()} if rng.random() < 0.5 else {"ritual": ritual()}
        effects[card] = [one]
    return effects


def brute_force(edition: Any, held: list[str], cult: list[str]) -> dict[Any, int]:
    """All payments, by trying every set of cards, every meaning of letters, every assignment."""
    symbol_of = {card.id: card.symbol for card in edition.cards}
    effects = [e for card in edition.cards if card.id in cult for e in card.effects]
    wild = [(e.symbol, e.to) for e in effects if e.kind == "symbol_wild"]
    found: dict[Any, int] = {}
    for ritual in edition.rituals:
        free = sum(
            e.amount
            for e in effects
            if e.kind == "ritual_discount" and not e.symbol and e.ritual in (None, ritual.id)
        )
        cheaper = Counter[str]()
        for e in effects:
            if e.kind == "ritual_discount" and e.symbol:
                cheaper[e.symbol] += e.amount
        letters = sorted({n for n in ritual.needs if n not in SYMBOLS})
        for meaning in itertools.permutations(SYMBOLS, len(letters)):
            full = [dict(zip(letters, meaning, strict=True)).get(n, n) for n in ritual.needs]
            asked_of = Counter(full)
            most = free + sum(min(asked_of[s], cheaper[s]) for s in asked_of)
            out = min(most, len(full) - 1)
            for kept in set(itertools.combinations(sorted(full), len(full) - out)):
                gone = Counter(full) - Counter(kept)
                if sum(max(0, gone[s] - cheaper[s]) for s in gone) > free:
                    continue
                points = ritual.points + sum(
                    e.amount
                    for e in effects
                    if e.kind == "ritual_bonus"
                    and e.ritual in (None, ritual.id)
                    and (e.symbol is None or e.symbol in kept)
                )
                for cards in set(itertools.combinations(sorted(held), len(kept))):
                    if any(
                        all(
                            symbol_of[c] == s
                            or (symbol_of[c], s) in wild
                            or (symbol_of[c], "any") in wild
                            for c, s in zip(cards, order, strict=True)
                        )
                        for order in set(itertools.permutations(kept))
                    ):
                        spot = (ritual.id, cards)
                        found[spot] = max(found.get(spot, 0), points)
    return found


@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_payments_are_all_there_are(seed: int) -> None:
    rng = random.Random(seed)
    value = plain(some_effects(rng))
    value["rituals"] = [r for r in value["rituals"] if r["id"] != "all"]  # too many orders to try
    for card in value["cards"]:
        for effect in card["effects"]:
            if effect.get("ritual") == "all":
                effect["ritual"] = "pair"
    edition = read_edition(value)
    before, options = dict(editions._EDITIONS), RitosAncestrais.options
    try:
        register_edition(edition)
        deck = [card.id for card in edition.cards for _ in range(card.copies)]
        held = rng.sample(deck, 6)
        cult = [card for card in ("n1", "e1", "p1", "m1") if rng.random() < 0.6]
        listed = payments(edition, held, cult)
        assert {(p.ritual, p.cards): p.points for p in listed} == brute_force(edition, held, cult)
    finally:
        editions._EDITIONS.clear()
        editions._EDITIONS.update(before)
        RitosAncestrais.options = options


# -- invariants ----------------------------------------------------------------------------------


def test_cults_that_come_to_the_same_share_their_ways_to_pay(use: Any) -> None:
    """Else an edition with many such cards has a bot work out millions of them."""
    discount, wild = {"effect": "ritual_discount", "cards": 3}, {"effect": "symbol_wild"}
    from_n, from_e = (wild | {"from": s, "to": "any"} for s in ("necronomicon", "elder-sign"))
    t = tables(use({"n1": [from_n], "n2": [from_n], "e1": [discount], "e2": [discount, from_e]}))
    every = range(len(t.rituals))
    same = [{t.cult(["n1"]), t.cult(["n2"]), t.cult(["n1", "n2"])}]
    same.append({t.cult(["n1", "e1", "e2"]), t.cult(["n1", "n2", "e2", "e1"])})
    for cults in same:
        for r in every:
            assert len({id(t.standing(r, cult)) for cult in cults}) == 1
    assert all(t.standing(r, t.cult(["n1"])) != t.standing(r, 0) for r in every)


EVERYTHING: dict[str, list[dict[str, Any]]] = {
    "n1": [{"effect": "ritual_bonus", "symbol": "cthulhu", "points": 2}],
    "n2": [{"effect": "symbol_wild", "from": "pnakotic", "to": "any"}],
    "n3": [{"effect": "ritual_discount", "ritual": "all", "cards": 2}],
    "e1": [{"effect": "return_used", "cards": 1}],
    "e2": [{"effect": "draw_extra", "cards": 1}],
    "e3": [{"effect": "hand_limit", "cards": 2}],
    "p1": [{"effect": "row_refresh"}],
    "p2": [{"effect": "row_peek", "cards": 3}],
    "p3": [{"effect": "protect"}],
    "m1": [{"effect": "rival_hand_limit", "cards": 2}],
    "m2": [{"effect": "end_bonus", "per": "cult-card", "points": 1, "cap": 5}],
    "m3": [{"effect": "return_used", "ritual": "house", "cards": 2}],
    "y1": [{"effect": "rival_hand_limit", "cards": 3}],
    "y2": [{"effect": "row_peek", "cards": 2}, {"effect": "row_refresh"}],
}


def steps(key: str, players: int, seed: int, sparing: bool) -> Iterator[tuple[State, int, Action]]:
    """A random game, move by move; a sparing one performs few rituals, so it lasts long."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(players, {"edition": key}))
    moves = 0
    while movers := GAME.to_move(state):
        if movers == CHANCE_MOVES:
            action = GAME.draw(state, rng)
        else:
            legal = GAME.legal_actions(state, movers[0])
            if sparing and moves < 400 and rng.random() < 0.9:
                legal = tuple(a for a in legal if a.do not in ("ritual", "play")) or legal
                # passes must not end the game
                if state.passes > 2 * players:
                    legal = tuple(a for a in legal if a.do != "pass") or legal
                    legal = GAME.legal_actions(state, movers[0]) if legal == (PASS,) else legal
            action = rng.choice(legal)
        yield state, movers[0], action
        state = GAME.advance(state, movers[0], action)
        moves += 1
    yield state, CHANCE, PASS


def test_cards_are_conserved_and_points_add_up(use: Any) -> None:
    key = use(EVERYTHING)
    deck = Counter(tables(key).cards(tables(key).deck))
    edition = editions.find_edition(key)
    for seed in range(12):
        for state, player, action in steps(key, 2 + seed % 3, seed, seed % 2 == 0):
            if state.phase == 0:
                continue
            assert all_cards(state) == deck
            for p, done in enumerate(state.done):
                assert ritual_sheet(edition, done).points == state.points[p]
            if state.phase == OVER:
                outcome = GAME.outcome(state)
                assert outcome is not None
                for p, cult in enumerate(state.cults):
                    ends = end_sheet(
                        edition,
                        [d.ritual for d in state.done[p]],
                        tables(key).cult_cards(cult),
                        size(state.hands[p]),
                    )
                    assert outcome.totals[p] == state.points[p] + ends.points
            elif player != CHANCE:
                assert GAME.why_not(state, player, action) is None


class Witness:
    """Somebody at the table who remembers all that could be seen, as plain lists."""

    def __init__(self, key: str, players: int) -> None:
        self.deck = Counter(tables(key).cards(tables(key).deck))
        self.story: list[list[tuple[str, Counter[str]]]] = [[] for _ in range(players)]
        self.piles: list[Counter[str]] = []  # public part of each pile, the first one aside
        self.shown: list[Counter[str]] = [Counter()]  # turned up, per pile
        self.put_away: list[list[int]] = [[0] * players]  # how many cards, per pile to come
        self.open = Counter[str]()

    def see(self, state: State, player: int, action: Action, after: State) -> None:
        t = tables(state.setup.edition)
        if action.do == "shuffle":
            if state.phase != 0:
                self.piles.append(self.open)
                self.open = Counter()
                self.put_away.append([0] * state.setup.players)
                self.shown.append(Counter())
            self.shown[-1].update(t.kinds[i] for i in after.row[len(state.row) :])
            return
        if action.do in ("draw", "refresh"):
            self.shown[-1].update(t.kinds[i] for i in after.deck[state.at : after.at])
        tell = self.story[player].append
        if action.do == "draw":
            tell(("in", Counter([action.what])))
        elif action.do == "play":
            tell(("out", Counter([action.what])))
        elif action.do == "refresh":
            self.open.update(t.kinds[i] for i in state.row)
        elif action.do == "ritual":
            used = Counter(action.cards)
            tell(("out", used))
            self.open.update(used)
            back = Counter(
                t.cards(after.hands[player] - state.hands[player] + t.pack(action.cards))
            )
            if back:
                tell(("in", back))
                self.open.subtract(back)
        elif action.do == "return":
            tell(("in", Counter(action.cards)))
            self.open.subtract(Counter(action.cards))
        elif action.do == "discard":
            tell(("away", Counter()))
            self.put_away[-1][player] += 1

    def believes(self, imagined: State) -> None:
        """Whether all that was seen can have happened on the way to this state."""
        t = tables(imagined.setup.edition)
        hidden = [Counter[str]() for _ in self.put_away]
        firsts = Counter[str]()
        for p, story in enumerate(self.story):
            history = imagined.history
            groups = [Counter(t.cards(bundle)) for bundle in history.secrets[p]]
            for layer, group in zip(history.layers[p], groups, strict=True):
                assert group.total() == layer.number
                hidden[layer.pile] += group
            first = Counter(t.cards(imagined.hands[p]))
            for group in groups:
                first += group
            for kind, cards in story:
                first.update(cards) if kind == "out" else first.subtract(cards)
            assert all(n >= 0 for n in first.values()) and first.total() == 5
            firsts += first
            # forwards: what leaves must be there; cards put away together leave together
            held, waiting, number = Counter(first), 0, 0
            for kind, cards in story:
                if kind == "in":
                    held += cards
                elif kind == "out":
                    held.subtract(cards)
                else:
                    waiting += 1
                    if waiting == history.layers[p][number].number:
                        held.subtract(groups[number])
                        waiting, number = 0, number + 1
                assert all(n >= 0 for n in held.values())
            assert +held == Counter(t.cards(imagined.hands[p]))
            assert number == len(groups)
        counts = [[0] * len(self.story) for _ in self.put_away]
        for p, layers in enumerate(imagined.history.layers):
            for layer in layers:
                counts[layer.pile][p] += layer.number
        assert counts == self.put_away
        pile = Counter(t.kinds[i] for i in imagined.deck[imagined.at :])
        # each pile is made of what went in; the last one is what has not been turned up
        made = [self.deck - firsts, *(o + h for o, h in zip(self.piles, hidden, strict=False))]
        for number, whole in enumerate(made):
            rest = Counter(whole)
            rest.subtract(self.shown[number])
            assert all(n >= 0 for n in rest.values())
            assert +rest == (pile if number == len(made) - 1 else Counter())
        assert Counter(t.cards(imagined.open)) == +self.open
        assert Counter(t.cards(imagined.closed)) == hidden[-1]


@pytest.mark.parametrize(
    "players",
    [2, *(pytest.param(n, marks=pytest.mark.host) for n in (3, 4))],  # half a minute each there
)
def test_imagined_states_can_have_come_about(use: Any, players: int) -> None:
    """Every state drawn from an observation agrees with all that was seen, and looks the same."""
    key = use(EVERYTHING, copies=2 if players == 2 else 3)
    shuffles = away = 0
    for seed in range(6):
        rng = random.Random(seed)
        witness = Witness(key, players)
        before: tuple[State, int, Action] | None = None
        for state, player, action in steps(key, players, seed, seed % 3 != 0):
            if before is not None:
                witness.see(*before, state)
            before = state, player, action
            if state.phase == 0:
                continue
            witness.believes(state)
            if rng.random() < 0.25:
                watcher = rng.randrange(players)
                seen = GAME.observe(state, watcher)
                imagined = GAME.resample(seen, rng)
                witness.believes(imagined)
                assert GAME.observe(imagined, watcher) == seen
                assert imagined.hands[watcher] == state.hands[watcher]
        assert before is not None
        shuffles += before[0].history.shuffles
        away += sum(sum(numbers) for numbers in witness.put_away)
    assert shuffles >= 6 and away >= 20  # the hard cases did occur


def test_what_came_openly_is_known_until_cards_go_away_face_down(use: Any) -> None:
    key = use()
    state = begin(key, ["n1 n2 n3 e1 e2", "p1 p2"], "y1 y2 y3 c1 c2 c3", "m1 m2 m3")
    state = do(state, "y1", "c1", PASS)
    seen = GAME.observe(state, 1).hands[0]
    assert (seen.number, seen.unseen, seen.gained, seen.earlier) == (7, 5, ("y1", "c1"), ())
    state = skip(state)
    state = do(state, "y2", "y3", PASS, Action("discard", "n1"), Action("discard", "y1"))
    seen = GAME.observe(state, 1).hands[0]
    assert (seen.number, seen.unseen, seen.gained) == (7, 5, ())
    assert [(e.gained, e.discarded, e.pile) for e in seen.earlier] == [
        (("y1", "y2", "y3", "c1"), 2, 0)
    ]
    state = skip(state)
    state = do(state, row(state)[0], row(state)[1], Action("play", "y2"))
    seen = GAME.observe(state, 1).hands[0]  # y2 was not put away, then
    assert seen.earlier[0].gained == ("y1", "y3", "c1")
    assert GAME.observe(state, 0).put_away == (("y1", "n1"),) or (
        sorted(GAME.observe(state, 0).put_away[0]) == ["n1", "y1"]
    )


def test_unknown_cards_are_dealt_evenly(use: Any) -> None:
    state = do(begin(use(), ["n1 n1 n1 n2 n2", ""], "y1 y1 y1 c1 c1 c1"), "y1", "y1", PASS)
    seen, rng = GAME.observe(state, 0), random.Random(3)
    where = Counter[str]()
    rounds = 3000
    for _ in range(rounds):
        imagined = GAME.resample(seen, rng)
        where.update(hand(imagined, 1))
    unseen = all_cards(state) - Counter(hand(state, 0)) - Counter(row(state))
    for card, number in unseen.items():
        expected = rounds * 5 * number / unseen.total()
        assert abs(where[card] - expected) < 5 * expected**0.5


def test_a_card_surely_put_away_is_found_there(use: Any) -> None:
    """What comes out of a new pile, and nobody saw go in, somebody had put away."""
    key = use()
    t = tables(key)
    state = begin(key, ["n1 n2 n3 e1 e2", "p1 p2 p3 m1 m2"], "y1 y2 y3 c1 c2 c3", "m3 e3 e3 m3")
    state = do(state, "y1", "c1", perform("pair", "n1 n2"))
    state = do(state, "y2", "c2", PASS, "y3", "c3", PASS, "m3", "m3", PASS)
    assert state.phase == DISCARD
    state = do(state, Action("discard", "p1"), Action("discard", "c2"))
    state = state._replace(at=len(state.deck))
    lost = state.deck[state.history.shuffles :]
    assert lost
    state = do(state, row(state)[0])
    state = shuffle(state, "p1")
    assert "p1" in row(state)
    seen = GAME.observe(state._replace(deck=state.deck), 0)
    assert seen.pile_extra == ("p1",)
    assert t.count(state.history.secrets[1][0], t.index["p1"]) == 1


@given(seed=seeds)
@settings(max_examples=12, deadline=None)
def test_the_house_edition_plays_with_bots(seed: int) -> None:
    levels = ["greedy", "random", "greedy", "random"][: 2 + seed % 3]
    record = play(GAME, [bots.make(level, GAME) for level in levels], seed)
    assert record.outcome() is not None


def test_greedy_beats_random() -> None:
    greedy, chance = bots.make("greedy", GAME), bots.make("random", GAME)
    won = 0.0
    for seed in range(16):
        agents = [greedy, chance] if seed % 2 else [chance, greedy]
        outcome = play(GAME, agents, seed).outcome()
        assert outcome is not None
        won += outcome.payoffs[1 - seed % 2]
    assert won >= 14


def test_the_golden_games_show_every_ending_and_every_action() -> None:
    records = [Record.loads(file.read_text("utf-8"), games.get) for file in GOLDEN.glob("*.json")]
    assert {len(record.players) for record in records} == {2, 3, 4}
    outcomes = [record.outcome() for record in records]
    assert {outcome.tiebreak for outcome in outcomes if outcome} == {None, "hand"}
    assert {len(outcome.winners) for outcome in outcomes if outcome} == {1, 2}
    starters, shuffles, actions = set(), set(), set()
    for record in records:
        last = next(s for s in record.steps() if s.after.last and not s.before.last)
        starters.add(last.move.player == len(record.players) - 1)
        shuffles.add(record.final().history.shuffles > 0)
        actions.update(move.action.do for move in record.moves)
    assert starters == {True, False}  # with and without a last turn for others
    assert shuffles == {True, False}
    assert actions == {
        "shuffle", "draw", "refresh", "play", "ritual", "pass", "return", "discard",
    }  # fmt: skip


def test_the_golden_sheet() -> None:
    file = GOLDEN.parent / "scores" / "ritos-ancestrais.json"
    scored = GAME.score(json.loads(file.read_text("utf-8")))
    assert scored["finished"] and scored["winners"] == ["Ana"]
    assert [player["total"] for player in scored["players"]] == [25, 22]
    ends = [[line["points"] for line in player["end"]["lines"]] for player in scored["players"]]
    assert ends == [[3], [2, 2]]


# -- editions ------------------------------------------------------------------------------------


def test_the_house_edition_is_as_the_rules_say() -> None:
    house = editions.HOUSE_EDITION
    assert house.key == "house" and len(house.cards) == 18
    assert sum(card.copies for card in house.cards) == 54
    for symbol in SYMBOLS:
        assert sum(card.copies for card in house.cards if card.symbol == symbol) == 9
    ends = {c.id for c in house.cards if any(e.kind == "end_bonus" for e in c.effects)}
    assert ends == {"ancient-idol", "azathoth", "city-of-innsmouth"}
    assert all(card.effects for card in house.cards)
    assert GAME.attachment(GAME.setup(2)) == house.to_json()
    assert GAME.attachment(GAME.setup(2), brief=True) == house.digest
    for lang in LANGUAGES:
        assert text(house.name, lang)
        for card in house.cards:
            assert text(house.card_name(card.id), lang)
            for effect in card.effects:
                assert text(editions.effect_text(house, effect), lang)
        for ritual in house.rituals:
            assert text(house.ritual_name(ritual.id), lang)
            assert text(editions.needs_text(ritual), lang)


def spoiled(*path: Any, to: Any = None, drop: bool = False, add: Any = None) -> Any:
    """The plain edition with one spot changed."""
    value = plain({"n1": [{"effect": "ritual_bonus", "ritual": "pair", "points": 1}]})
    spot = value
    for step in path[:-1]:
        spot = spot[step]
    if drop:
        del spot[path[-1]]
    else:
        spot[path[-1]] = to
    return value


EFFECT = ("cards", 0, "effects", 0)
BAD_EDITIONS: list[tuple[Any, str]] = [
    (7, ""),
    ([], ""),
    (spoiled("format", to="x"), "format"),
    (spoiled("version", to=True), "version"),
    (spoiled("game", to="tides-of-madness"), "game"),
    (spoiled("id", to="Not An Id"), "id"),
    (spoiled("id", to="x" * 41), "id"),
    (spoiled("id", to=None), "id"),
    (spoiled("name", drop=True), ""),
    (spoiled("more", to=1), "more"),
    (spoiled("name", to={"fr": "x"}), "name.fr"),
    (spoiled("name", to={}), "name"),
    (spoiled("name", to={"en": " "}), "name.en"),
    (spoiled("name", to="x" * 61), "name"),
    (spoiled("name", to="a\nb"), "name"),
    (spoiled("cards", to=[]), "cards"),
    (spoiled("cards", to={}), "cards"),
    (spoiled("rituals", to=[]), "rituals"),
    (spoiled("rituals", 1, "needs", to=[]), "rituals[1] (three).needs"),
    (spoiled("rituals", 1, "needs", 2, to="dagon"), "rituals[1] (three).needs[2]"),
    (spoiled("rituals", 1, "needs", to=list("abcdefg")), "rituals[1] (three).needs"),
    (spoiled("rituals", 1, "points", to=0), "rituals[1] (three).points"),
    (spoiled("rituals", 1, "points", to=1.5), "rituals[1] (three).points"),
    (spoiled("rituals", 1, "id", to="pair"), "rituals[1] (pair).id"),
    (spoiled("rituals", 1, "id", to=3), "rituals[1].id"),
    (spoiled("rituals", 1, to="three"), "rituals[1]"),
    (spoiled("cards", 4, "symbol", to="dagon"), "cards[4] (e2).symbol"),
    (spoiled("cards", 4, "symbol", to=["cthulhu"]), "cards[4] (e2).symbol"),
    (spoiled("cards", 4, "copies", to=13), "cards[4] (e2).copies"),
    (spoiled("cards", 4, "copies", to=True), "cards[4] (e2).copies"),
    (spoiled("cards", 4, "copies", drop=True), "cards[4] (e2)"),
    (spoiled("cards", 4, "colour", to="red"), "cards[4] (e2).colour"),
    (spoiled("cards", 4, "id", to="n1"), "cards[4] (n1).id"),
    (spoiled("cards", 4, "effects", to="none"), "cards[4] (e2).effects"),
    (spoiled(*EFFECT, to="draw"), "cards[0] (n1).effects[0]"),
    (spoiled(*EFFECT, "effect", to="win"), "cards[0] (n1).effects[0].effect"),
    (spoiled(*EFFECT, "effect", drop=True), "cards[0] (n1).effects[0]"),
    (spoiled(*EFFECT, "points", drop=True), "cards[0] (n1).effects[0]"),
    (spoiled(*EFFECT, "points", to=10), "cards[0] (n1).effects[0].points"),
    (spoiled(*EFFECT, "ritual", to="nothing"), "cards[0] (n1).effects[0].ritual"),
    (spoiled(*EFFECT, "symbol", to="cthulhu"), "cards[0] (n1).effects[0].symbol"),
    (spoiled(*EFFECT, "cards", to=1), "cards[0] (n1).effects[0].cards"),
    (
        spoiled(*EFFECT, to={"effect": "symbol_wild", "from": "cthulhu", "to": "cthulhu"}),
        "cards[0] (n1).effects[0].to",
    ),
    (
        spoiled(*EFFECT, to={"effect": "symbol_wild", "from": "any", "to": "cthulhu"}),
        "cards[0] (n1).effects[0].from",
    ),
    (
        spoiled(*EFFECT, to={"effect": "end_bonus", "per": "moon", "points": 1, "cap": 2}),
        "cards[0] (n1).effects[0].per",
    ),
    (
        spoiled(
            *EFFECT,
            to={
                "effect": "end_bonus",
                "per": "ritual",
                "points": 1,
                "cap": 2,
                "symbol": "cthulhu",
            },
        ),
        "cards[0] (n1).effects[0].symbol",
    ),
    (plain(copies=1), "cards"),
    (
        plain(
            {
                f"{letter}{n}": [{"effect": "hand_limit", "cards": 5}]
                for letter in "nep"
                for n in (1, 2)
            }
        ),
        "cards[6] (p1).effects[0].cards",
    ),
]


@pytest.mark.parametrize(("value", "place"), BAD_EDITIONS)
def test_a_bad_edition_is_refused_by_file_entry_and_field(value: Any, place: str) -> None:
    with pytest.raises(InvalidEdition) as wrong:
        load_edition(json.dumps(value), "mine.json")
    assert wrong.value.place == (f"mine.json: {place}" if place else "mine.json")
    for lang in LANGUAGES:
        assert wrong.value.text(lang).startswith("mine.json")
    with pytest.raises(InvalidEdition) as wrong:
        read_edition(value)
    assert wrong.value.place == place


def test_an_edition_that_is_no_json_is_refused() -> None:
    for source in ("", "{", "[" * 100_000, "NaN", '{"a": 1,}'):
        with pytest.raises(InvalidEdition) as wrong:
            load_edition(source, "mine.json")
        assert wrong.value.place == "mine.json"
    with pytest.raises(InvalidEdition):
        load_edition(" " * 300_000, "mine.json")


def test_all_problems_are_listed() -> None:
    value = spoiled("rituals", 0, "points", to=0)
    value["cards"][3]["symbol"] = "x"
    value["cards"][5]["copies"] = 0
    places = [problem.place for problem in editions.problems(value)]
    assert places == ["rituals[0] (pair).points", "cards[3] (e1).symbol", "cards[5] (e3).copies"]
    assert list(editions.problems(plain())) == []


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists, max_leaves=6))
@few
def test_nonsense_editions_are_refused(value: Any) -> None:
    for nonsense in (value, {"format": value}, spoiled("cards", 0, to=value)):
        with pytest.raises(InvalidEdition) as wrong:
            read_edition(nonsense)
        assert all(wrong.value.text(lang) for lang in LANGUAGES)


def test_names_in_one_language_or_several(use: Any) -> None:
    value = plain()
    value["cards"][0]["name"] = {"pt": "Só {0} assim", "ro": "Așa"}
    edition = read_edition(value)
    key = register_edition(edition)
    name = edition.card_name("n1")
    assert text(name, "pt") == text(name, "en") == text(name, "es") == "Só {0} assim"
    assert text(name, "ro") == "Așa"
    assert text(edition.name, "pt") == "Teste" and text(edition.name, "ro") == "Test"
    assert text(GAME.card_name("n1", key)) == "Só {0} assim"
    setup = GAME.setup(2, {"edition": key})
    assert text(GAME.describe(Action("draw", "n1"), setup)) == "Draw Só {0} assim"
    assert text(GAME.describe(Action("draw", "n1"))) == "Draw Só {0} assim"
    assert text(GAME.describe(Action("draw", "dagon"))) == "Draw Dagon"
    assert register_edition(edition) == key  # again is no harm


def test_editions_are_told_by_id_and_digest(use: Any) -> None:
    key = use()
    assert key.startswith("test@") and key in GAME.options[0].values
    assert GAME.setup(2, {"edition": "test"}) == GAME.setup(2, {"edition": key})
    other = use({"n1": [{"effect": "protect"}]})
    assert other != key and GAME.setup(2, {"edition": "test"}).edition == other
    with pytest.raises(InvalidOption) as wrong:
        GAME.setup(2, {"edition": "nothing"})
    assert wrong.value.place == "options.edition"
    value = plain()
    value["id"] = "house"
    with pytest.raises(InvalidEdition):
        register_edition(read_edition(value))


def test_a_record_carries_its_edition(use: Any) -> None:
    key = use(EVERYTHING)
    agents = [bots.make(level, GAME) for level in ("greedy", "random")]
    record = play(GAME, agents, 5, options={"edition": key})
    source = record.dumps()
    del editions._EDITIONS[key]
    RitosAncestrais.options = rule.options(editions.editions())
    again = Record.loads(source, games.get)
    assert again.final() == record.final() and again.dumps() == source
    whole = json.loads(source)
    assert whole["attachment"] == plain(EVERYTHING) and whole["options"] == {"edition": key}
    changed = copy.deepcopy(whole)
    changed["attachment"]["rituals"][0]["points"] += 1
    with pytest.raises(InvalidRecord):
        Record.from_json(changed, games.get)
    changed["attachment"]["rituals"][0]["points"] = "many"
    with pytest.raises(InvalidRecord) as wrong:
        Record.from_json(changed, games.get)
    assert wrong.value.place == "attachment.rituals[0] (pair).points"
    del editions._EDITIONS[key]
    RitosAncestrais.options = rule.options(editions.editions())
    del whole["attachment"]
    with pytest.raises(InvalidRecord) as wrong:
        Record.from_json(whole, games.get)
    assert wrong.value.place == "options.edition"


def earlier_house() -> editions.Edition:
    """A house edition of another day."""
    value = editions.HOUSE_EDITION.to_json()
    value["rituals"][1]["points"] += 1
    value["cards"][2]["name"] = "Alhazred <b>"
    return editions.read_edition(value)


@pytest.fixture
def earlier_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Any]]:
    """A game played on the day of an earlier house edition, from a move on: whole and in brief."""
    before, options = dict(editions._EDITIONS), RitosAncestrais.options

    def values(at: int) -> Any:
        with monkeypatch.context() as day:
            day.setitem(editions._EDITIONS, "house", earlier_house())
            day.setattr("lovecraft.games.ritos_ancestrais.game.HOUSE_EDITION", earlier_house())
            tables.cache_clear()
            record = play(GAME, [bots.make("random", GAME)] * 2, 7)
            if at:
                position = record.upto(at).final()
                begun = Record.begin(GAME, record.players, record.options, position)
                record = replace(begun, moves=record.moves[at:])
            found = record.to_json(), record.to_json(brief=True)
        tables.cache_clear()
        return found

    yield values
    editions._EDITIONS.clear()
    editions._EDITIONS.update(before)
    RitosAncestrais.options = options


@pytest.mark.parametrize("at", [0, 5])
def test_a_game_of_an_earlier_house_edition_replays_on_it(
    earlier_game: Callable[[int], Any], at: int
) -> None:
    whole, brief = earlier_game(at)
    assert whole["options"] == {"edition": "house"}
    assert whole["attachment"] == earlier_house().to_json()
    record = Record.from_json(whole, games.get)
    key = f"house@{earlier_house().digest[:12]}"
    assert record.options == {"edition": key} and record.start().setup.edition == key
    assert record.to_json() == whole  # to the letter: what marks it out stays
    assert json.loads(record.dumps()) == whole
    gone_on = record.upto(len(record.moves) - 1)
    assert Record.from_json(gone_on.to_json(), games.get).final() == gone_on.final()
    assert text(GAME.card_name("abdul-alhazred", key), "en") == "Alhazred <b>"
    assert GAME.setup(2).edition == "house"  # new games are of today's
    with pytest.raises(InvalidRecord, match="another version"):
        Record.from_json(brief, games.get)
    changed = copy.deepcopy(whole)
    changed["attachment"]["cards"][0]["copies"] += 1
    with pytest.raises(InvalidRecord):
        Record.from_json(changed, games.get)


def test_a_house_record_carries_its_edition_or_in_brief_its_digest() -> None:
    record = Record.begin(GAME, (Player("A"), Player("B")))
    whole, brief = record.to_json(), record.to_json(brief=True)
    assert whole["attachment"] == editions.HOUSE_EDITION.to_json()
    assert brief == whole | {"attachment": editions.HOUSE_EDITION.digest}
    for value in (whole, brief):
        assert Record.from_json(value, games.get).to_json() == whole
    for attachment in ("", editions.HOUSE_EDITION.digest[:12], plain(), plain() | {"id": "house"}):
        with pytest.raises(InvalidRecord):
            Record.from_json(whole | {"attachment": attachment}, games.get)


def test_a_house_record_from_before_it_carried_one_is_of_todays_edition() -> None:
    agents = [bots.make("random", GAME)] * 2
    whole = play(GAME, agents, 7).to_json()
    old = {name: value for name, value in whole.items() if name != "attachment"}
    head = {name: old[name] for name in ("format", "version", "game", "options", "players")}
    old["trace"] = _trace(head, old["moves"])
    record = Record.from_json(old, games.get)
    assert record.options == {"edition": "house"} and record.to_json() == whole
    with pytest.raises(InvalidRecord):  # the digest is of what is there
        Record.from_json(whole | {"trace": old["trace"]}, games.get)


def test_custom_editions_play_out(use: Any) -> None:
    rng = random.Random(4)
    for number in range(6):
        key = use(some_effects(rng) | {"c1": [{"effect": "return_used", "cards": 2}]})
        state = GAME.start(GAME.setup(2 + number % 3, {"edition": key}))
        assert GAME.outcome(playout(GAME, state, rng)) is not None


# -- score sheets ----------------------------------------------------------------------------------


def sheet(key: str, *players: dict[str, Any]) -> Any:
    base = {"rituals": [], "cult": [], "hand": 0}
    return {
        "game": "ritos-ancestrais",
        "edition": key,
        "players": [{"name": f"P{i}", **base, **player} for i, player in enumerate(players)],
    }


def test_a_finished_sheet(use: Any) -> None:
    key = use(
        {
            "n1": [{"effect": "ritual_bonus", "ritual": "pair", "points": 2}],
            "m2": [{"effect": "end_bonus", "per": "cult-card", "points": 2, "cap": 5}],
        }
    )
    scored = GAME.score(
        sheet(
            key,
            {
                "rituals": ["all", {"ritual": "pair", "bonus": 2}, "house"],
                "cult": ["n1"],
                "hand": 3,
            },
            {"rituals": ["all", "deep", "pair"], "cult": ["m2", "n1", "p1"], "hand": 4},
        )
    )
    assert scored["finished"] and scored["edition"] == key and scored["goal"] == 21
    one, two = scored["players"]
    assert [line["points"] for line in one["rituals"]["lines"]] == [12, 2, 2, 8]
    assert (one["rituals"]["points"], one["end"]["points"], one["total"]) == (24, 0, 24)
    assert (two["rituals"]["points"], two["end"]["points"], two["total"]) == (19, 5, 24)
    assert (scored["winners"], scored["tiebreak"]) == (["P1"], "hand")
    assert (one["rank"], two["rank"]) == (2, 1)
    for player in scored["players"]:
        for part in ("rituals", "end"):
            points = sum(line["points"] for line in player[part]["lines"])
            assert points == player[part]["points"]


def test_a_running_sheet_and_shared_leads(use: Any) -> None:
    scored = GAME.score(sheet("house", {"rituals": [], "hand": 5}, {"hand": 5}, {"hand": 4}))
    assert not scored["finished"]
    assert (scored["winners"], scored["tiebreak"]) == (["P0", "P1"], "hand")
    assert GAME.score({k: v for k, v in sheet("house", {}, {}).items() if k != "edition"})


def test_the_order_of_players_does_not_matter(use: Any) -> None:
    key = use(EVERYTHING)
    players = [
        {"name": "A", "rituals": ["all", "house"], "cult": ["n1", "m2"], "hand": 2},
        {"name": "B", "rituals": ["deep"], "cult": ["m2"], "hand": 7},
        {"name": "C", "rituals": ["pair", "pair"], "cult": [], "hand": 0},
    ]
    totals = []
    for order in itertools.permutations(players):
        scored = GAME.score(sheet(key, *order))
        totals.append(sorted((p["name"], p["total"], p["rank"]) for p in scored["players"]))
    assert all(row == totals[0] for row in totals)


def test_a_sheet_may_bring_its_edition(use: Any) -> None:
    value = plain(EVERYTHING)
    scored = GAME.score(sheet(value, {"rituals": ["pair"]}, {}))  # type: ignore[arg-type]
    assert scored["players"][0]["total"] == 2 and scored["edition"].startswith("test@")
    value["cards"][0]["copies"] = "x"
    with pytest.raises(InvalidSheet) as wrong:
        GAME.score(sheet(value, {}, {}))  # type: ignore[arg-type]
    assert wrong.value.place == "edition.cards[0] (n1).copies"


BAD_SHEETS: list[tuple[dict[str, Any], str]] = [
    ({"rituals": ["nothing"]}, "players[0].rituals[0]"),
    ({"rituals": [3]}, "players[0].rituals[0]"),
    ({"rituals": [{"ritual": "pair"}]}, "players[0].rituals[0]"),
    ({"rituals": [{"ritual": "x", "bonus": 0}]}, "players[0].rituals[0].ritual"),
    ({"rituals": [{"ritual": "pair", "bonus": 1}]}, "players[0].rituals[0].bonus"),
    ({"rituals": [{"ritual": "pair", "bonus": -1}]}, "players[0].rituals[0].bonus"),
    ({"rituals": [{"ritual": "pair", "bonus": True}]}, "players[0].rituals[0].bonus"),
    ({"rituals": [{"ritual": "pair", "bonus": 3}], "cult": ["n1"]}, "players[0].rituals[0].bonus"),
    ({"rituals": ["pair"] * 61}, "players[0].rituals"),
    ({"rituals": ["all", "pair", "all", "all"]}, "players[0].rituals"),
    ({"rituals": "pair"}, "players[0].rituals"),
    ({"cult": ["nothing"]}, "players[0].cult[0]"),
    ({"cult": ["n1", "n2", "n1"]}, "players[0].cult[2]"),
    ({"cult": [["n1"]]}, "players[0].cult[0]"),
    ({"hand": 8}, "players[0].hand"),
    ({"hand": -1}, "players[0].hand"),
    ({"hand": 2.0}, "players[0].hand"),
    ({"hand": 10, "cult": ["e3"]}, "players[0].hand"),
    ({"name": " "}, "players[0].name"),
    ({"name": "P1"}, "players[1].name"),
    ({"luck": 1}, "players[0].luck"),
]


@pytest.mark.parametrize(("player", "place"), BAD_SHEETS)
def test_impossible_sheets_are_refused(use: Any, player: dict[str, Any], place: str) -> None:
    key = use(EVERYTHING)
    with pytest.raises(InvalidSheet) as wrong:
        GAME.score(sheet(key, player, {}))
    assert wrong.value.place == place
    assert all(wrong.value.text(lang) for lang in LANGUAGES)


def test_more_cards_than_there_are(use: Any) -> None:
    key = use(copies=2)
    with pytest.raises(InvalidSheet) as wrong:
        GAME.score(sheet(key, *({"cult": ["n1"]} for _ in range(3))))
    assert wrong.value.place == "players[2].cult[0]"
    cards = [card.id for card in editions.find_edition(key).cards]
    with pytest.raises(InvalidSheet) as wrong:
        GAME.score(sheet(key, {"cult": cards}, {"cult": cards, "hand": 1}))
    assert wrong.value.place == "players[1].hand"
    assert GAME.score(sheet(key, {"cult": cards, "hand": 0}, {"cult": cards, "hand": 0}))
    for wrong_sheet, place in (
        (sheet("nothing", {}, {}), "edition"),
        (sheet(7, {}, {}), "edition"),  # type: ignore[arg-type]
        (sheet(key, {}), "players"),
        (sheet(key, {}, {}, {}, {}, {}), "players"),
        (sheet(key, {}, {}) | {"game": "mythicals"}, "game"),
    ):
        with pytest.raises(InvalidSheet) as wrong:
            GAME.score(wrong_sheet)
        assert wrong.value.place == place
