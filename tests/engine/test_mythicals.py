"""Mythicals by the book, checked against an independent referee that plays with plain lists."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
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
    InvalidRecord,
    InvalidSheet,
    Player,
    Record,
    play,
)
from lovecraft.games.mythicals import Action, Deal, Mythicals, State
from lovecraft.games.mythicals import scoring as token_scoring
from lovecraft.games.mythicals.actions import PASS
from lovecraft.games.mythicals.cards import (
    ALL_CREATURES,
    ALL_TOKENS,
    COLOURS,
    CREATURES,
    TOKEN_IDS,
    TOKEN_UNIT,
    TOKENS,
    UNIT,
    cards,
    count,
    is_creatures,
    pack,
    size,
    tokens,
)
from lovecraft.games.mythicals.claims import claimable, missing, payments
from lovecraft.games.mythicals.sheet import claims_sheet
from lovecraft.games.mythicals.state import (
    dawn_chance,
    discarded,
    marker_supply,
    shown_stacks,
    stack_sheet,
)
from lovecraft.i18n import LANGUAGES, text

GAME: Mythicals = games.get("mythicals")  # type: ignore[assignment]
GOLDEN = Path(__file__).parents[1] / "golden" / "mythicals"
EVERY_SETUP: list[dict[str, Any]] = [
    {"gift_duplicates": gift, "modify": modify, "open_tokens": shown}
    for gift in (True, False)
    for modify in ("after-claim", "every-turn")
    for shown in (True, False)
]


def position(
    hands: Sequence[Iterable[str]] = ((), ()),
    reserve: Iterable[str] = (),
    revealed: Iterable[str] = (),
    options: dict[str, Any] | None = None,
    **changes: Any,
) -> State:
    """A position in which seat 0 is to draw; all cards that are nowhere else are in the pile."""
    one, two = (pack(hand) for hand in hands)
    there = one + two + pack(reserve) + pack(revealed)
    unseen = changes.pop("unseen", ALL_CREATURES - there)
    start = GAME.start(GAME.setup(2, options))
    return start._replace(
        **{
            "phase": "draw",
            "hands": (one, two),
            "reserve": pack(reserve),
            "revealed": pack(revealed),
            "unseen": unseen,
            "pile": 45,
            **changes,
        }
    )


def markers(**on: int) -> int:
    return sum(TOKEN_UNIT[token.replace("_", "-")] * n for token, n in on.items())


def board(*gone: str) -> int:
    return ALL_TOKENS - sum(TOKEN_UNIT[token] for token in gone)


def draw(source: str) -> Action:
    return Action("draw", source)


def take(colour: str) -> Action:
    return Action("take", colour)


def claim(token: str, *payment: str) -> Action:
    return Action("claim", token, pack(payment))


def reveal(*three: str) -> Action:
    return Action("reveal", "", pack(three))


def reinforce(token: str, n: int) -> Action:
    return Action("reinforce", token, n)


def lock(token: str) -> Action:
    return Action("lock", token)


def after(state: State, *steps: Action) -> State:
    """Play some actions, by whoever is to move, with all checks."""
    for action in steps:
        (player,) = GAME.to_move(state)
        state, events = GAME.apply(state, player, action)
        assert events
    return state


def kinds(state: State, action: Action) -> list[tuple[str, str]]:
    """What one action makes happen, and by which rules."""
    (player,) = GAME.to_move(state)
    _, events = GAME.apply(state, player, action)
    return [(event.kind, event.rule.removeprefix("mythicals/")) for event in events]


# -- an independent referee -----------------------------------------------------------------------

COST = {2: 2, 4: 3, 7: 4, 10: 5, 13: 6}


def split(card: str) -> tuple[str, str]:
    colour = next(c for c in COLOURS if card.startswith(c))
    return colour, card.removeprefix(colour)


def pays(token: str, payment: Sequence[str]) -> bool:
    """Whether cards are a price of a token, by trying every value for every joker."""
    colour, points = token.split("-")
    pairs = [split(card) for card in payment]
    colours = [c for c, _ in pairs]
    if colour == "black":
        faces = sorted(v for _, v in pairs)
        return len(set(colours)) == 1 and faces == ["1", "2", "3", "4", "5", "joker"]
    if len(payment) != COST[int(points)]:
        return False
    for faces_ in itertools.product(*("12345" if v == "joker" else v for _, v in pairs)):
        values = sorted(map(int, faces_))
        if colour == "any":
            if len(set(values)) == 1 and len(set(colours)) == len(colours):
                return True
        elif set(colours) == {colour} and values == list(range(values[0], values[0] + len(values))):
            return True
    return False


def all_payments(token: str, held: Sequence[str]) -> set[tuple[str, ...]]:
    number = COST[int(token.split("-")[1])]
    tried = {
        tuple(sorted(some, key=CREATURES.index)) for some in itertools.combinations(held, number)
    }
    return {payment for payment in tried if pays(token, payment)}


class Referee:
    """Plays the JSON moves of a record with lists and dicts; refuses what the dossier refuses."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.hands: list[list[str]] = [[], []]
        self.reserve: list[str] = []
        self.revealed: list[str] = []
        self.paid: list[str] = []
        self.left = 45
        self.board: dict[str, int] = dict.fromkeys(TOKEN_IDS, 0)
        self.locked: set[str] = set()
        self.stacks: list[list[tuple[str, int]]] = [[], []]
        self.supply = 16
        self.turn = -1
        self.phase = "deal"
        self.dawn = False

    def legal(self) -> list[Any]:
        """All the legal moves of the seat in turn, as JSON values."""
        if self.phase == "draw":
            colours = {split(card)[0] for card in self.reserve}
            return [{"draw": "pile"}, *({"draw": c} for c in colours)]
        if self.phase == "take":
            return [{"take": c} for c in {split(card)[0] for card in self.revealed}]
        if self.phase == "claim":
            return ["pass", *self.claims()]
        return ["pass", *self.changes()]

    def claims(self) -> list[Any]:
        held = self.hands[self.turn]
        return [
            {"claim": token, "pay": list(payment)}
            for token in self.board
            for payment in all_payments(token, held)
        ]

    def changes(self) -> list[Any]:
        found: list[Any] = []
        for token, there in self.board.items():
            if token not in self.locked:
                found += [
                    {"reinforce": token, "markers": n}
                    for n in (1, 2)
                    if there + n <= 2 and n <= self.supply
                ]
                found += [{"lock": token}] * (there == 0)
        return found

    def play(self, who: object, move: Any) -> None:
        if self.phase == "deal":
            assert who == "chance"
            self.hands = [list(hand) for hand in move["hands"]]
            for hand in self.hands:
                assert len(hand) == len({split(card)[0] for card in hand}) == 2
            self.turn, self.phase = move["first"], "draw"
        elif self.phase == "reveal":
            assert who == "chance"
            three = list(move["reveal"])
            assert len(three) == 3 and self.left >= 3
            if "dawn" in three:
                assert self.left <= 9
                three.remove("dawn")
                self.dawn = True
            self.left -= 3
            assert self.left > 0 or self.dawn
            self.revealed, self.phase = three, "take"
        else:
            assert who == self.turn
            assert move in self.legal(), move
            getattr(self, f"_{self.phase}")(move)
        there = Counter(itertools.chain(*self.hands, self.reserve, self.revealed, self.paid))
        assert not there or max(there.values()) <= 2
        if self.options["gift_duplicates"]:
            assert all(len(set(hand)) == len(hand) for hand in self.hands)

    def _draw(self, move: Any) -> None:
        if move["draw"] == "pile":
            self.phase = "reveal"
        else:
            self._receive(self.reserve, move["draw"])

    def _take(self, move: Any) -> None:
        self._receive(self.revealed, move["take"])
        self.reserve += self.revealed
        self.revealed = []

    def _receive(self, source: list[str], colour: str) -> None:
        for card in [card for card in source if split(card)[0] == colour]:
            source.remove(card)
            twice = self.options["gift_duplicates"] and card in self.hands[self.turn]
            self.hands[1 - self.turn if twice else self.turn].append(card)
        if self.claims():
            self.phase = "claim"
        else:
            self._third_step(claimed=False)

    def _claim(self, move: Any) -> None:
        if move != "pass":
            for card in move["pay"]:
                self.hands[self.turn].remove(card)
                self.paid.append(card)
            self.stacks[self.turn].append((move["claim"], self.board.pop(move["claim"])))
        self._third_step(claimed=move != "pass")

    def _third_step(self, claimed: bool) -> None:
        if self.dawn:
            self.phase = "over"
        elif (claimed or self.options["modify"] == "every-turn") and self.changes():
            self.phase = "modify"
        else:
            self.turn, self.phase = 1 - self.turn, "draw"

    def _modify(self, move: Any) -> None:
        if move != "pass" and "lock" in move:
            self.locked.add(move["lock"])
        elif move != "pass":
            self.board[move["reinforce"]] += move["markers"]
            self.supply -= move["markers"]
        self.turn, self.phase = 1 - self.turn, "draw"

    def totals(self) -> tuple[int, ...]:
        assert self.phase == "over"
        return tuple(
            sum(int(token.split("-")[1]) + n for token, n in stack) for stack in self.stacks
        )


def follow(record: Record) -> None:
    """Play a record beside the referee; both must always agree."""
    referee = Referee(dict(record.options))
    for step in record.steps():
        who = "chance" if step.move.player == CHANCE else step.move.player
        if who != "chance":
            legal = [
                GAME.action_to_json(a) for a in GAME.legal_actions(step.before, step.move.player)
            ]
            theirs = referee.legal()
            assert sorted(map(json.dumps, legal)) == sorted(map(json.dumps, theirs))
        referee.play(who, GAME.action_to_json(step.move.action))
        state = step.after
        assert state.phase == referee.phase
        assert referee.phase == "over" or state.player == referee.turn
        for bundle, held in zip(state.hands, referee.hands, strict=True):
            assert Counter(cards(bundle)) == Counter(held)
        assert Counter(cards(state.reserve)) == Counter(referee.reserve)
        assert Counter(cards(discarded(state))) == Counter(referee.paid)
        assert (state.pile, marker_supply(state.markers)) == (referee.left, referee.supply)
        assert set(tokens(state.board)) == set(referee.board)
        assert [list(stack) for stack in state.stacks] == [
            [t for t, _ in s] for s in referee.stacks
        ]
    outcome = record.outcome()
    assert outcome is not None
    assert outcome.totals == referee.totals()
    best = max(outcome.totals)
    assert outcome.winners == tuple(p for p in range(2) if outcome.totals[p] == best)


@pytest.mark.parametrize("options", EVERY_SETUP, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_the_referee_agrees_on_random_games(options: dict[str, Any], seed: int) -> None:
    # who holds on to cards for long has too many for the referee's patience
    def eager(observation: Any, rng: random.Random) -> Any:
        claims = [a for a in observation.actions if a.kind == "claim"]
        return rng.choice(claims or observation.actions)

    follow(play(GAME, [eager, bots.make("greedy", GAME)], seed, options=options))


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.json")), ids=lambda file: file.stem)
def test_the_referee_agrees_on_golden_games(file: Path) -> None:
    follow(Record.loads(file.read_text("utf-8"), games.get))


def test_the_golden_games_show_every_ending() -> None:
    records = [Record.loads(f.read_text("utf-8"), games.get) for f in GOLDEN.glob("*.json")]
    lengths, last_claims, shares = set(), set(), set()
    for record in records:
        before = [step for step in record.steps() if step.after.dawn]
        lengths.add(before[0].before.pile)
        last_claims.add(any(step.move.action.kind == "claim" for step in before))
        outcome = record.outcome()
        assert outcome is not None
        shares.add(len(outcome.winners))
    assert (lengths, last_claims, shares) == ({9, 6, 3}, {True, False}, {1, 2})
    assert {record.options["modify"] for record in records} == {"after-claim", "every-turn"}
    assert {record.options["gift_duplicates"] for record in records} == {True, False}
    kinds = Counter(move.action.kind for record in records for move in record.moves[1:])
    assert all(kinds[kind] for kind in ("draw", "take", "claim", "pass", "reinforce", "lock"))


# -- what can I claim -----------------------------------------------------------------------------

hands_of_cards = st.lists(st.sampled_from(CREATURES), max_size=11).filter(
    lambda held: max(Counter(held).values(), default=0) <= 2
)


@given(hands_of_cards)
@settings(max_examples=60, deadline=None)
def test_every_payment_is_found_and_none_twice(held: list[str]) -> None:
    found = claimable(held)
    assert tuple(found) == TOKEN_IDS
    for token, ways in found.items():
        assert len(set(ways)) == len(ways)
        assert set(ways) == all_payments(token, held), token


@given(hands_of_cards, st.sampled_from(TOKEN_IDS))
@settings(max_examples=100, deadline=None)
def test_what_is_missing_is_what_it_takes(held: list[str], token: str) -> None:
    hand = pack(held)
    need = missing(token, hand)
    assert (need == 0) == bool(payments(token, hand))
    if need == 0:
        return
    more = [card for card in CREATURES if held.count(card) < 2]
    one_less = [card for card in more if missing(token, hand + UNIT[card]) == need - 1]
    assert one_less
    assert all(missing(token, hand + UNIT[card]) >= need - 1 for card in more)


@pytest.mark.parametrize(
    ("token", "held", "ways"),
    [
        # runs: successive, in the token's own colour, no way round from 5 to 1
        ("blue-2", "blue1 blue2 blue3", ["blue1 blue2", "blue2 blue3"]),
        ("blue-2", "blue1 blue3 blue5", []),
        ("blue-2", "green1 green2 blue1", []),
        ("blue-4", "blue4 blue5 blue1", []),
        ("red-10", "red1 red2 red3 red4 red5", ["red1 red2 red3 red4 red5"]),
        # a joker fills a gap or either end; both readings are one payment
        ("red-4", "red2 red4 redjoker", ["red2 red4 redjoker"]),
        ("red-4", "red2 red3 redjoker", ["red2 red3 redjoker"]),
        ("red-4", "red1 red5 redjoker", []),
        ("red-2", "red1 redjoker", ["red1 redjoker"]),
        ("red-2", "red1 bluejoker", []),
        ("red-2", "redjoker", []),
        # cards of which there are two pay once
        ("red-2", "red1 red1 red2 red2", ["red1 red2"]),
        ("red-4", "red3 redjoker redjoker", ["red3 redjoker redjoker"]),
        ("red-2", "redjoker redjoker", ["redjoker redjoker"]),
        ("red-10", "red1 red5 red3 redjoker redjoker", ["red1 red3 red5 redjoker redjoker"]),
        # sets: one value, different colours; a joker stands for its own colour
        ("any-2", "red1 blue1 green2", ["blue1 red1"]),
        ("any-2", "red1 red1", []),
        ("any-2", "red1 redjoker", []),
        ("any-2", "red1 bluejoker", ["bluejoker red1"]),
        ("any-2", "redjoker bluejoker", ["bluejoker redjoker"]),
        ("any-2", "redjoker redjoker", []),
        (
            "any-4",
            "red1 blue1 greenjoker redjoker",
            ["blue1 greenjoker red1", "blue1 greenjoker redjoker"],
        ),
        (
            "any-7",
            "bluejoker greenjoker purplejoker redjoker red5",
            [
                "bluejoker greenjoker purplejoker red5",
                "bluejoker greenjoker purplejoker redjoker",
            ],
        ),
        # the thirteen: no joker stands in, it is the sixth card
        ("black-13", "red1 red2 red3 red4 red5", []),
        ("black-13", "red1 red2 red3 red4 redjoker redjoker", []),
        (
            "black-13",
            "red1 red2 red3 red4 red5 redjoker blue1",
            ["red1 red2 red3 red4 red5 redjoker"],
        ),
        ("black-13", "red1 red2 red3 red4 red5 bluejoker", []),
    ],
)
def test_payments(token: str, held: str, ways: list[str]) -> None:
    found = claimable(held.split())[token]
    assert [" ".join(way) for way in found] == ways


def test_payments_with_fewer_jokers_come_first() -> None:
    held = [f"{c}{v}" for c in COLOURS for v in ("1", "2", "3", "joker")]
    for ways in claimable(held).values():
        jokers = [sum("joker" in card for card in way) for way in ways]
        assert jokers == sorted(jokers)


@given(hands_of_cards, st.sets(st.sampled_from(TOKEN_IDS)))
@settings(max_examples=60, deadline=None)
def test_claims_are_the_payments_for_what_is_on_the_board(held: list[str], gone: set[str]) -> None:
    state = position([held, ()], phase="claim", board=board(*gone))
    legal = GAME.legal_actions(state, 0)
    assert legal[0] == PASS
    assert set(legal[1:]) == {
        Action("claim", token, pack(way))
        for token, ways in claimable(held).items()
        if token not in gone
        for way in ways
    }


def test_the_question_as_a_sheet() -> None:
    answer = claims_sheet({"game": "mythicals", "cards": ["blue1", "bluejoker", "red1"]})
    assert answer["game"] == "mythicals"
    ways = {entry["token"]: entry["payments"] for entry in answer["claims"]}
    assert tuple(ways) == TOKEN_IDS
    assert {token: way for token, way in ways.items() if way} == {
        "blue-2": [["blue1", "bluejoker"]],
        "any-2": [["blue1", "red1"], ["bluejoker", "red1"]],
    }
    json.dumps(answer)


@pytest.mark.parametrize(
    ("sheet", "place"),
    [
        (None, "sheet"),
        ({"game": "mythicals"}, "sheet"),
        ({"game": "tides-of-madness", "cards": []}, "game"),
        ({"game": "mythicals", "cards": "blue1"}, "cards"),
        ({"game": "mythicals", "cards": ["blue1"] * 49}, "cards"),
        ({"game": "mythicals", "cards": ["blue1", "blue-2"]}, "cards[1]"),
        ({"game": "mythicals", "cards": ["dawn"]}, "cards[0]"),
        ({"game": "mythicals", "cards": [["blue1"]]}, "cards[0]"),
        ({"game": "mythicals", "cards": ["blue1"] * 3}, "cards[2]"),
        ({"game": "mythicals", "cards": [], "board": []}, "board"),
    ],
)
def test_questions_that_cannot_be(sheet: Any, place: str) -> None:
    with pytest.raises(InvalidSheet) as refused:
        claims_sheet(sheet)
    assert refused.value.place == place
    for lang in LANGUAGES:
        assert refused.value.text(lang)


# -- components and bundles -----------------------------------------------------------------------


def test_the_pieces() -> None:
    assert size(ALL_CREATURES) == 48
    assert len(CREATURES) == 24
    assert len(TOKENS) == 20
    assert sum(token.points for token in TOKENS) == 4 * 23 + 13 + 13
    assert set(TOKEN_IDS) == {
        *(f"{c}-{p}" for c in ("blue", "green", "purple", "red") for p in (2, 4, 7, 10)),
        *(f"any-{p}" for p in (2, 4, 7)),
        "black-13",
    }
    ids = [card.id for card in GAME.cards]
    assert len(ids) == len(set(ids)) == 24 + 1 + 20


@given(hands_of_cards)
def test_bundles_are_multisets(held: list[str]) -> None:
    bundle = pack(held)
    assert list(cards(bundle)) == sorted(held, key=CREATURES.index)
    assert size(bundle) == len(held)
    assert is_creatures(bundle)
    assert all(count(bundle, UNIT[card]) == held.count(card) for card in CREATURES)
    assert cards(bundle + UNIT["dawn"]) == (*cards(bundle), "dawn")


@pytest.mark.parametrize(
    "value", [-1, True, 1.0, None, "", 3, UNIT["dawn"], 1 << 400, [1], UNIT["red1"] * 3]
)
def test_what_is_no_bundle_of_creatures(value: object) -> None:
    assert not is_creatures(value)


# -- setting up -----------------------------------------------------------------------------------


def test_chance_deals_two_colours_each_and_names_who_begins() -> None:
    start = GAME.start(GAME.setup(2))
    assert GAME.to_move(start) == CHANCE_MOVES
    assert GAME.outcome(start) is None
    rng = random.Random(3)
    firsts, dealt = Counter[int](), Counter[str]()
    for _ in range(3000):
        deal = GAME.draw(start, rng)
        assert isinstance(deal, Deal)
        assert GAME.why_not(start, CHANCE, deal) is None
        firsts[deal.first] += 1
        for hand in deal.hands:
            assert len({split(card)[0] for card in cards(hand)}) == 2
            dealt.update(cards(hand))
    assert abs(firsts[0] / 3000 - 1 / 2) < 0.04
    assert all(abs(dealt[card] / 12000 - 1 / 24) < 0.008 for card in CREATURES)
    state, events = GAME.apply(start, CHANCE, Deal(1, (pack(["red1", "blue1"]), deal.hands[1])))
    assert [(e.kind, e.player) for e in events] == [("dealt", 0), ("dealt", 1), ("begins", 1)]
    assert GAME.to_move(state) == (1,)
    assert (state.pile, size(state.unseen)) == (45, 44)
    assert GAME.legal_actions(state, 1) == (draw("pile"),)  # the reserve is empty
    assert GAME.legal_actions(state, 0) == ()


def test_dawn_is_equally_likely_in_each_of_the_last_nine_places() -> None:
    assert [dawn_chance(pile) for pile in (45, 12, 9, 6, 3)] == [0, 0, 1 / 3, 1 / 2, 1]
    rng = random.Random(4)
    fourth = Counter[int]()
    for pile in (45, 12, 9, 6, 3):
        unseen = pack(CREATURES[: pile - 1]) if pile < 25 else pack(CREATURES[:-4] + CREATURES)
        state = position(unseen=unseen, pile=pile, phase="reveal")
        for _ in range(3000):
            action = GAME.draw(state, rng)
            assert GAME.why_not(state, CHANCE, action) is None
            fourth[pile] += "dawn" in cards(action.amount)  # type: ignore[union-attr]
    assert (fourth[45], fourth[12], fourth[3]) == (0, 0, 3000)
    assert abs(fourth[9] / 3000 - 1 / 3) < 0.03
    assert abs(fourth[6] / 3000 - 1 / 2) < 0.03


def test_revealed_cards_are_drawn_uniformly_without_putting_back() -> None:
    """Two copies of one card and one of four others: each card by its number of copies."""
    there = ["blue1", "blue1", "green2", "purple3", "red4", "redjoker"]
    state = position(unseen=pack(there), pile=12, phase="reveal")
    rng, n = random.Random(5), 6000
    tally = Counter[str]()
    both = 0
    for _ in range(n):
        shown = cards(GAME.draw(state, rng).amount)  # type: ignore[union-attr]
        assert len(shown) == 3
        tally.update(shown)
        both += shown.count("blue1") == 2
    assert all(abs(tally[c] / n - there.count(c) * 3 / 6) < 0.03 for c in there)
    assert abs(both / n - 1 / 5) < 0.02  # 4 of the 20 choices of three


# -- drawing --------------------------------------------------------------------------------------


def test_from_the_pile_all_of_one_colour_and_the_rest_to_the_reserve() -> None:
    state = after(position(), draw("pile"))
    assert GAME.to_move(state) == CHANCE_MOVES
    assert GAME.legal_actions(state, 0) == ()
    state = after(state, reveal("blue1", "blue5", "red3"))
    assert (state.pile, cards(state.revealed)) == (42, ("blue1", "blue5", "red3"))
    assert GAME.legal_actions(state, 0) == (take("blue"), take("red"))
    assert kinds(state, take("blue")) == [("took", "reveal"), ("reserved", "reveal")]
    state = after(state, take("blue"))
    assert (cards(state.hands[0]), cards(state.reserve)) == (("blue1", "blue5"), ("red3",))
    # nothing can be claimed or modified: the turn is over
    assert GAME.to_move(state) == (1,)
    assert GAME.legal_actions(state, 1) == (draw("pile"), draw("red"))


def test_three_of_one_colour_leave_nothing_for_the_reserve() -> None:
    state = after(position(), draw("pile"), reveal("blue1", "blue3", "blue5"))
    assert GAME.legal_actions(state, 0) == (take("blue"),)
    assert kinds(state, take("blue")) == [("took", "reveal")]


def test_from_the_reserve_all_of_one_colour() -> None:
    state = position(reserve=["blue1", "blue5", "red3"])
    assert GAME.legal_actions(state, 0) == (draw("pile"), draw("blue"), draw("red"))
    assert kinds(state, draw("blue")) == [("took", "reserve")]
    state = after(state, draw("blue"))
    assert (cards(state.hands[0]), cards(state.reserve)) == (("blue1", "blue5"), ("red3",))
    assert state.pile == 45


def test_a_card_you_hold_already_goes_to_the_opponent() -> None:
    state = position([["blue1"], ["green2"]], reserve=["blue1", "blue4"])
    assert kinds(state, draw("blue")) == [("took", "reserve"), ("gift", "duplicates")]
    state = after(state, draw("blue"))
    assert [cards(hand) for hand in state.hands] == [("blue1", "blue4"), ("blue1", "green2")]


def test_of_two_equal_cards_that_come_together_one_goes() -> None:
    state = after(position(), draw("pile"), reveal("blue1", "blue1", "red3"), take("blue"))
    assert [cards(hand) for hand in state.hands] == [("blue1",), ("blue1",)]
    state = after(position(reserve=["red2", "red2", "redjoker", "redjoker"]), draw("red"))
    assert [cards(hand) for hand in state.hands] == [("red2", "redjoker")] * 2


def test_duplicates_stay_when_agreed() -> None:
    options = {"gift_duplicates": False}
    state = position([["blue1"], []], reserve=["blue1"], options=options)
    assert kinds(state, draw("blue")) == [("took", "reserve")]
    state = after(state, draw("blue"))
    assert [cards(hand) for hand in state.hands] == [("blue1", "blue1"), ()]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_pieces_are_conserved(seed: int) -> None:
    options = EVERY_SETUP[seed % len(EVERY_SETUP)]
    record = play(GAME, [bots.make("random", GAME)] * 2, seed, options=options)
    for step in record.steps():
        s = step.after
        everywhere = [*s.hands, s.reserve, s.revealed, s.unseen, discarded(s)]
        assert all(is_creatures(bundle) for bundle in everywhere)
        assert sum(everywhere) == ALL_CREATURES
        # a card is held twice by nobody, and so the opponent can always be given one
        if options["gift_duplicates"] and s.phase != "deal":
            assert all(count(hand, UNIT[card]) < 2 for hand in s.hands for card in CREATURES)
        assert s.phase == "deal" or size(s.unseen) == s.pile - (not s.dawn)
        assert s.phase in ("deal", "over") or s.dawn or s.pile % 3 == 0
        claimed = [*s.stacks[0], *s.stacks[1]]
        assert sorted([*claimed, *tokens(s.board)]) == sorted(TOKEN_IDS)
        on = [count(s.markers, unit) for unit in TOKEN_UNIT.values()]
        assert max(on) <= 2 and sum(on) + marker_supply(s.markers) == 16
        assert marker_supply(s.markers) >= 0
        assert not any(s.locked & unit and count(s.markers, unit) for unit in TOKEN_UNIT.values())
        points = [stack_sheet(s, p).points for p in range(2)]
        assert sum(points) <= 118 + 16
        for watcher in range(2):
            assert GAME.resample(GAME.observe(s, watcher), random.Random(seed)) == s


# -- claiming, reinforcing, locking ---------------------------------------------------------------


def test_a_claim_discards_its_price_and_brings_the_markers() -> None:
    state = position(
        [["blue1", "blue3"], []], reserve=["blue2"], markers=markers(blue_4=2, blue_2=1)
    )
    state = after(state, draw("blue"))
    assert state.phase == "claim"
    action = claim("blue-4", "blue1", "blue2", "blue3")
    assert kinds(state, action) == [("claimed", "claim")]
    (event,) = GAME.apply(state, 0, action)[1]
    assert event.data == {
        "token": "blue-4",
        "cards": ["blue1", "blue2", "blue3"],
        "markers": 2,
    }
    state = after(state, action)
    assert state.hands == (0, 0)
    assert cards(discarded(state)) == ("blue1", "blue2", "blue3")
    assert state.stacks == (("blue-4",), ())
    assert "blue-4" not in tokens(state.board)
    assert [line.points for line in stack_sheet(state, 0).lines] == [4, 2]
    assert GAME.to_move(state) == (0,) and state.phase == "modify"
    # markers on a claimed token are gone from the board for good
    assert marker_supply(state.markers) == 13


def test_one_claim_a_turn_and_it_may_be_declined() -> None:
    state = position([["blue1", "red1", "red2"], []], reserve=["blue2"])
    state = after(state, draw("blue"))
    assert kinds(state, PASS) == [("passed", "claim")]
    declined = after(state, PASS)
    assert GAME.to_move(declined) == (1,) and declined.phase == "draw"
    one = after(state, claim("blue-2", "blue1", "blue2"))
    assert one.phase == "modify"
    assert not [a for a in GAME.legal_actions(one, 0) if a.kind == "claim"]


def test_reinforcing_and_locking_follow_a_claim_only() -> None:
    state = after(position([["blue1"], []], reserve=["blue2", "red5"]), draw("red"))
    assert GAME.to_move(state) == (1,)
    state = after(position([["blue1"], []], reserve=["blue2"]), draw("blue"), PASS)
    assert GAME.to_move(state) == (1,)


def test_reinforcing_and_locking_in_every_turn() -> None:
    options = {"modify": "every-turn"}
    state = after(position([["blue1"], []], reserve=["red1"], options=options), draw("red"))
    assert (state.phase, state.player) == ("claim", 0)
    state = after(position(reserve=["red1"], options=options), draw("red"))
    assert (state.phase, state.player) == ("modify", 0)
    assert kinds(state, PASS) == [("passed", "modify")]
    state = after(state, reinforce("red-4", 2))
    assert (state.phase, state.player) == ("draw", 1)
    assert count(state.markers, TOKEN_UNIT["red-4"]) == 2


def modify_at(**changes: Any) -> State:
    return position(phase="modify", **changes)


def test_what_can_be_reinforced_and_locked() -> None:
    state = modify_at(
        board=TOKEN_UNIT["red-2"] + TOKEN_UNIT["red-4"] + TOKEN_UNIT["red-7"] + TOKEN_UNIT["any-2"],
        markers=markers(red_4=1, red_7=2),
        locked=TOKEN_UNIT["any-2"],
    )
    assert GAME.legal_actions(state, 0) == (
        PASS,
        reinforce("red-2", 1),
        reinforce("red-2", 2),
        lock("red-2"),
        reinforce("red-4", 1),
    )
    locked = after(state, lock("red-2"))
    assert locked.locked == TOKEN_UNIT["any-2"] + TOKEN_UNIT["red-2"]
    assert kinds(state, lock("red-2")) == [("locked", "lock")]
    assert kinds(state, reinforce("red-4", 1)) == [("reinforced", "reinforce")]
    assert after(state, reinforce("red-4", 1)).markers == markers(red_4=2, red_7=2)


def sixteen(but: int = 0) -> int:
    """All markers, without some, on tokens of the first two colours."""
    full = [f"{c}-{p}" for c in ("blue", "green") for p in (2, 4, 7, 10)]
    spread = [2] * 8
    for i in range(but):
        spread[i] -= 1
    return sum(TOKEN_UNIT[token] * n for token, n in zip(full, spread, strict=True))


def test_the_last_markers() -> None:
    one_left = modify_at(markers=sixteen(but=1))
    assert marker_supply(one_left.markers) == 1
    legal = GAME.legal_actions(one_left, 0)
    assert reinforce("red-2", 1) in legal and reinforce("blue-2", 1) in legal
    assert all(a.amount < 2 for a in legal)
    none_left = modify_at(markers=sixteen())
    assert {a.kind for a in GAME.legal_actions(none_left, 0)} == {"pass", "lock"}
    # markers on claimed tokens do not come back
    assert marker_supply(modify_at(markers=sixteen(), board=board("blue-2")).markers) == 0


def test_the_third_step_is_left_out_when_nothing_can_be_modified() -> None:
    hands = [["red1", "red2"], []]
    for changes in (
        {"locked": ALL_TOKENS},
        {"board": board(*TOKEN_IDS[8:-5], "any-2", "any-4", "any-7", "black-13"),
         "markers": sixteen()},
    ):  # fmt: skip
        changes = {**changes}
        changes["board"] = changes.get("board", ALL_TOKENS) | TOKEN_UNIT["red-2"]
        changes["locked"] = changes.get("locked", 0) | TOKEN_UNIT["red-2"]
        changes["board"] &= ~TOKEN_UNIT["red-10"] & ~TOKEN_UNIT["red-7"] & ~TOKEN_UNIT["red-4"]
        state = position(hands, phase="claim", **changes)
        state = after(state, claim("red-2", "red1", "red2"))
        assert (state.phase, state.player) == ("draw", 1)
    # one marker left and one token that holds one already: still a choice
    state = position(
        hands,
        phase="claim",
        board=TOKEN_UNIT["red-2"] + TOKEN_UNIT["blue-2"],
        markers=sixteen(but=1),
    )
    state = after(state, claim("red-2", "red1", "red2"))
    assert state.phase == "modify"
    assert GAME.legal_actions(state, 0) == (PASS, reinforce("blue-2", 1))


def test_a_locked_token_is_claimed_for_its_points() -> None:
    state = position([["red1"], []], reserve=["red2"], locked=TOKEN_UNIT["red-2"])
    state = after(state, draw("red"), claim("red-2", "red1", "red2"))
    assert stack_sheet(state, 0).points == 2


# -- dawn -----------------------------------------------------------------------------------------


def at_dawn(hand: Iterable[str], *three: str, **changes: Any) -> State:
    state = position([hand, []], pile=9, unseen=pack([*three[:2], *CREATURES[:6]]), **changes)
    return after(state, draw("pile"), reveal(*three, "dawn"))


def test_dawn_is_set_aside_and_the_game_ends_after_one_take() -> None:
    state = position(pile=9, phase="reveal", unseen=pack([*CREATURES[:7], "red3"]))
    assert kinds(state, reveal("dawn", "blue1", "red3")) == [
        ("revealed", "reveal"),
        ("dawn", "dawn"),
    ]
    state = after(state, reveal("dawn", "blue1", "red3"))
    assert state.dawn and cards(state.revealed) == ("blue1", "red3")
    assert GAME.legal_actions(state, 0) == (take("blue"), take("red"))
    assert GAME.outcome(state) is None
    assert kinds(state, take("red"))[-1] == ("ended", "end")
    over = after(state, take("red"))
    assert GAME.to_move(over) == () and GAME.outcome(over) is not None
    assert GAME.legal_actions(over, 0) == GAME.legal_actions(over, 1) == ()


def test_dawn_is_the_same_in_any_place_of_the_three() -> None:
    orders = itertools.permutations(["dawn", "blue1", "red3"])
    assert len({reveal(*order) for order in orders}) == 1


def test_two_cards_of_one_colour_at_dawn_are_both_taken() -> None:
    state = at_dawn(["red2"], "red1", "red3")
    assert GAME.legal_actions(state, 0) == (take("red"),)
    assert cards(after(state, take("red")).hands[0]) == ("red1", "red2", "red3")


@pytest.mark.parametrize("modify", ["after-claim", "every-turn"])
def test_one_last_claim_at_dawn_without_modifying(modify: str) -> None:
    state = at_dawn(["red2"], "red1", "blue5", options={"modify": modify})
    state = after(state, take("red"))
    assert (state.phase, GAME.outcome(state)) == ("claim", None)
    assert refusal(state, 0, lock("blue-2")) == (
        "last-claim",
        "After dawn no token is reinforced or locked.",
    )
    assert kinds(state, PASS) == [("passed", "claim"), ("ended", "tie-shared")] or kinds(
        state, PASS
    ) == [("passed", "claim"), ("ended", "end")]
    over = after(state, claim("red-2", "red1", "red2"))
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.totals, outcome.winners, outcome.payoffs) == ((2, 0), (0,), (1.0, 0.0))
    assert GAME.outcome(after(state, PASS)).payoffs == (0.5, 0.5)  # type: ignore[union-attr]


def test_duplicates_go_to_the_opponent_at_dawn_too() -> None:
    state = after(at_dawn(["red1"], "red1", "red5"), take("red"))
    assert [cards(hand) for hand in state.hands] == [("red1", "red5"), ("red1",)]


@pytest.mark.parametrize("seed", range(30))
def test_dawn_comes_with_the_thirteenth_to_fifteenth_reveal(seed: int) -> None:
    record = play(GAME, [bots.make("random", GAME)] * 2, seed)
    reveals = [move for move in record.moves[1:] if move.action.kind == "reveal"]
    assert 13 <= len(reveals) <= 15
    assert [bool(m.action.amount & UNIT["dawn"]) for m in reveals].index(True) == len(reveals) - 1


# -- scoring --------------------------------------------------------------------------------------


def test_lines_name_token_markers_and_rule() -> None:
    sheet = token_scoring.score([("blue-7", 2), ("black-13", 0), ("any-2", 1)])
    assert [(line.points, line.rule, line.cards, text(line.text)) for line in sheet.lines] == [
        (7, "mythicals/points", ("blue-7",), "blue token 7"),
        (2, "mythicals/marker-points", ("blue-7",), "2 markers on blue token 7"),
        (13, "mythicals/points", ("black-13",), "black token 13"),
        (2, "mythicals/points", ("any-2",), "colourless token 2"),
        (1, "mythicals/marker-points", ("any-2",), "1 marker on colourless token 2"),
    ]
    assert sheet.points == 25
    assert token_scoring.score([]).points == 0


@pytest.mark.parametrize(
    ("totals", "winners", "ranks"),
    [((9, 8), (0,), (1, 2)), ((0, 3), (1,), (2, 1)), ((5, 5), (0, 1), (1, 1))],
)
def test_most_points_win_and_equal_points_share(
    totals: tuple[int, ...], winners: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    outcome = token_scoring.final_standings(totals)
    assert (outcome.winners, outcome.ranks, outcome.tiebreak) == (winners, ranks, None)


def entry(token: str, n: int = 0) -> dict[str, Any]:
    return {"token": token, "markers": n}


def sheet_of(one: list[Any], two: list[Any], **changes: Any) -> dict[str, Any]:
    players = [{"name": "Ana", "tokens": one}, {"name": "Ion", "tokens": two}]
    return {"game": "mythicals", "players": players, **changes}


def test_a_sheet_is_scored() -> None:
    result = GAME.score(
        sheet_of([entry("blue-7", 2), entry("any-4")], [entry("black-13", 1), entry("red-2")])
    )
    assert result == {
        "game": "mythicals",
        "players": [
            {
                "name": "Ana",
                "lines": [
                    {
                        "points": 7,
                        "tokens": ["blue-7"],
                        "rule": "mythicals/points",
                        "text": "blue token 7",
                    },
                    {
                        "points": 2,
                        "tokens": ["blue-7"],
                        "rule": "mythicals/marker-points",
                        "text": "2 markers on blue token 7",
                    },
                    {
                        "points": 4,
                        "tokens": ["any-4"],
                        "rule": "mythicals/points",
                        "text": "colourless token 4",
                    },
                ],
                "total": 13,
                "rank": 2,
            },
            {
                "name": "Ion",
                "lines": [
                    {
                        "points": 13,
                        "tokens": ["black-13"],
                        "rule": "mythicals/points",
                        "text": "black token 13",
                    },
                    {
                        "points": 1,
                        "tokens": ["black-13"],
                        "rule": "mythicals/marker-points",
                        "text": "1 marker on black token 13",
                    },
                    {
                        "points": 2,
                        "tokens": ["red-2"],
                        "rule": "mythicals/points",
                        "text": "red token 2",
                    },
                ],
                "total": 16,
                "rank": 1,
            },
        ],
        "winners": ["Ion"],
        "tiebreak": None,
    }
    assert GAME.score(sheet_of([], []))["winners"] == ["Ana", "Ion"]


def test_lines_of_a_sheet_speak_the_language() -> None:
    for lang in LANGUAGES:
        lines = GAME.score(sheet_of([entry("red-7", 1)], []), lang)["players"][0]["lines"]
        assert len({line["text"] for line in lines}) == 2
    assert lines[1]["text"] == "1 marcaj pe jetonul roșu 7"


def test_all_sixteen_markers_can_be_claimed() -> None:
    tokens_ = [entry(token, 2) for token in TOKEN_IDS[:8]]
    assert GAME.score(sheet_of(tokens_, []))["players"][0]["total"] == 46 + 16


SEVENTEEN = [entry(token, 2) for token in TOKEN_IDS[:8]]


@pytest.mark.parametrize(
    ("sheet", "place"),
    [
        (None, "sheet"),
        ([], "sheet"),
        ({"game": "mythicals"}, "sheet"),
        (sheet_of([], [], game="tides-of-madness"), "game"),
        (sheet_of([], [], more=1), "more"),
        (sheet_of([], [], players=[]), "players"),
        (sheet_of([], [], players=[{"name": "A", "tokens": []}]), "players"),
        (sheet_of([], [], players=[{"name": n, "tokens": []} for n in "ABC"]), "players"),
        (sheet_of([], [], players=[{"name": n, "tokens": []} for n in "AA"]), "players[1].name"),
        (sheet_of([], [], players=[{"name": n, "tokens": []} for n in ("A", " ")]),
         "players[1].name"),
        (sheet_of([], [], players=[{"name": "A"}, {"name": "B"}]), "players[0]"),
        (sheet_of({}, []), "players[0].tokens"),  # type: ignore[arg-type]
        (sheet_of(["red-2"], []), "players[0].tokens[0]"),
        (sheet_of([{"token": "red-2"}], []), "players[0].tokens[0]"),
        (sheet_of([{"token": "red-2", "markers": 0, "locked": True}], []),
         "players[0].tokens[0].locked"),
        (sheet_of([entry("red-3")], []), "players[0].tokens[0].token"),
        (sheet_of([entry("red2")], []), "players[0].tokens[0].token"),
        (sheet_of([{"token": ["red-2"], "markers": 0}], []), "players[0].tokens[0].token"),
        (sheet_of([], [entry("red-2", 3)]), "players[1].tokens[0].markers"),
        (sheet_of([], [entry("red-2", -1)]), "players[1].tokens[0].markers"),
        (sheet_of([], [entry("red-2", True)]), "players[1].tokens[0].markers"),
        (sheet_of([], [{"token": "red-2", "markers": 1.0}]), "players[1].tokens[0].markers"),
        (sheet_of([entry("red-2"), entry("red-2")], []), "players[0].tokens[1].token"),
        (sheet_of([entry("red-2")], [entry("any-2"), entry("red-2")]),
         "players[1].tokens[1].token"),
        (sheet_of(SEVENTEEN, [entry("red-2", 1)]), "players[1].tokens[0].markers"),
        (sheet_of([*SEVENTEEN, entry("red-2", 1)], []), "players[0].tokens[8].markers"),
    ],
)  # fmt: skip
def test_impossible_sheets_are_refused_with_the_place(sheet: Any, place: str) -> None:
    with pytest.raises(InvalidSheet) as refused:
        GAME.score(sheet)
    assert refused.value.place == place
    for lang in LANGUAGES:
        assert refused.value.text(lang)


def test_a_token_claimed_twice_and_too_many_markers_in_words() -> None:
    with pytest.raises(InvalidSheet) as refused:
        GAME.score(sheet_of([entry("red-2")], [entry("red-2")]))
    assert str(refused.value) == "players[1].tokens[0].token: Claimed by Ana already: red token 2."
    with pytest.raises(InvalidSheet) as refused:
        GAME.score(sheet_of(SEVENTEEN, [entry("red-2", 1)]))
    assert str(refused.value) == (
        "players[1].tokens[0].markers: There are only 16 markers, but these make 17."
    )


@given(st.lists(st.sampled_from(TOKEN_IDS), unique=True), st.data())
@settings(max_examples=50, deadline=None)
def test_sheets_do_not_depend_on_order(claimed: list[str], data: Any) -> None:
    left, entries = 16, []
    for token in claimed:
        n = data.draw(st.integers(0, min(2, left)))
        left -= n
        entries.append(entry(token, n))
    cut = data.draw(st.integers(0, len(entries)))
    one, two = entries[:cut], entries[cut:]
    result = GAME.score(sheet_of(one, two))
    swapped = GAME.score(sheet_of(two[::-1], one[::-1]))
    totals = [player["total"] for player in result["players"]]
    assert totals == [player["total"] for player in swapped["players"]][::-1]
    for player, own in zip(result["players"], (one, two), strict=True):
        assert player["total"] == sum(line["points"] for line in player["lines"])
        assert player["total"] == sum(
            int(e["token"].split("-")[1]) + int(e["markers"]) for e in own
        )


# -- why not --------------------------------------------------------------------------------------


def refusal(state: State, player: int, action: object) -> tuple[str, str]:
    refused = GAME.why_not(state, player, action)
    assert refused is not None
    with pytest.raises(IllegalAction) as raised:
        GAME.apply(state, player, action)  # type: ignore[arg-type]
    assert (raised.value.rule, raised.value.message) == (refused.rule, refused.message)
    assert refused.rule in GAME.rules
    for lang in LANGUAGES:
        assert refused.text(lang)
    return refused.rule.removeprefix("mythicals/"), refused.text()


def test_every_reason_why_not() -> None:
    start = GAME.start(GAME.setup(2))
    drawing = position(reserve=["red3"])
    revealing = after(drawing, draw("pile"))
    taking = after(revealing, reveal("blue1", "blue2", "red1"))
    claiming = after(taking, take("blue"))
    modifying = after(claiming, claim("blue-2", "blue1", "blue2"))
    over = drawing._replace(phase="over")

    assert refusal(start, 0, draw("pile")) == ("deal", "The cards have not been dealt yet.")
    assert refusal(over, 0, draw("pile")) == ("end", "The game is over.")
    assert refusal(over, CHANCE, reveal("blue1", "blue2", "red1")) == ("end", "The game is over.")
    assert refusal(drawing, 1, draw("pile")) == ("draw", "It is not this player’s turn.")
    assert refusal(revealing, 0, take("red")) == (
        "reveal",
        "Three cards of the pile are to be revealed first.",
    )
    for at in (start, drawing, revealing, taking, claiming, modifying, over):
        for seat in (2, -2, 99):
            assert refusal(at, seat, PASS) == ("players", "There is no such seat.")

    first = "A turn starts with drawing cards."
    for action in (PASS, take("red"), lock("red-2"), claim("red-2"), draw("black")):
        assert refusal(drawing, 0, action) == ("draw", first)
    assert refusal(drawing, 0, draw("blue")) == (
        "reserve",
        "The reserve has no cards of the colour blue.",
    )
    choose = "Choose one colour among the revealed cards first."
    for action in (PASS, draw("red"), draw("pile"), lock("red-2"), take("pile")):
        assert refusal(taking, 0, action) == ("reveal", choose)
    assert refusal(taking, 0, take("green")) == ("reveal", "None of the revealed cards is green.")

    for at in (claiming, modifying):
        assert refusal(at, 0, draw("red")) == ("draw", "You have drawn in this turn already.")
        assert refusal(at, 0, take("red")) == ("draw", "You have drawn in this turn already.")
    assert refusal(claiming, 0, lock("red-2")) == (
        "modify",
        "Only who has claimed a token in this turn may reinforce or lock another.",
    )
    every_turn = claiming._replace(setup=claiming.setup._replace(modify="every-turn"))
    assert refusal(every_turn, 0, reinforce("red-2", 1)) == (
        "modify-every-turn",
        "Claim a token first, or do without one.",
    )
    assert refusal(modifying, 0, claim("red-2", "red1")) == (
        "claim",
        "The time for claiming is over in this turn.",
    )
    assert refusal(claiming, 0, Action("claim", "red-3", 0)) == (
        "tokens",
        "There is no such token.",
    )
    gone = claiming._replace(board=board("blue-2", "any-2"))
    assert refusal(gone, 0, claim("blue-2", "blue1", "blue2")) == (
        "claim",
        "The board no longer has blue token 2.",
    )
    assert refusal(claiming, 0, claim("blue-2", "blue1", "blue3")) == (
        "claim",
        "You do not hold this card often enough: blue 3.",
    )
    assert refusal(claiming, 0, claim("blue-2", "blue1", "blue1")) == (
        "claim",
        "You do not hold this card often enough: blue 1.",
    )
    for amount in (-1, 3, 1 << 300, UNIT["dawn"]):
        assert refusal(claiming, 0, Action("claim", "blue-2", amount)) == (
            "creatures",
            "There is no such creature card here.",
        )
    assert refusal(claiming, 0, claim("blue-2", "blue1")) == (
        "run",
        "These cards do not pay for blue token 2; it costs a run of 2 successive values in blue.",
    )
    assert refusal(claiming, 0, claim("any-2", "blue1", "blue2")) == (
        "set",
        "These cards do not pay for colourless token 2; it costs a set of 2 cards of one value in "
        "different colours.",
    )
    assert refusal(claiming, 0, claim("black-13", "blue1", "blue2")) == (
        "thirteen",
        "These cards do not pay for black token 13; it costs the values 1 to 5 and the joker of "
        "one colour.",
    )

    assert refusal(modifying, 0, lock("blue-2")) == (
        "modify",
        "The board no longer has blue token 2.",
    )
    state = modify_at(locked=TOKEN_UNIT["red-2"], markers=markers(red_4=1, red_7=2))
    for action in (lock("red-2"), reinforce("red-2", 1)):
        assert refusal(state, 0, action) == ("lock", "Locked already: red token 2.")
    assert refusal(state, 0, lock("red-4")) == (
        "lock",
        "A token with markers cannot be locked: red token 4.",
    )
    for n in (0, 3, -1, 10**30):
        assert refusal(state, 0, reinforce("blue-2", n)) == (
            "reinforce",
            "A token is reinforced with 1 or 2 markers.",
        )
    assert refusal(state, 0, reinforce("red-4", 2)) == (
        "markers",
        "A token holds 2 markers at most, and 1 lies there already: red token 4.",
    )
    assert refusal(state, 0, reinforce("red-7", 1))[0] == "markers"
    assert refusal(modify_at(markers=sixteen(but=1)), 0, reinforce("red-2", 2)) == (
        "markers",
        "Only 1 marker is left.",
    )
    assert refusal(modify_at(markers=sixteen()), 0, reinforce("red-2", 1)) == (
        "markers",
        "Only 0 markers are left.",
    )
    assert refusal(state, 0, Action("lock", "red-10", 1))[0] == "lock"


@pytest.mark.parametrize("phase", ["draw", "take", "claim", "modify"])
@pytest.mark.parametrize(
    "nonsense",
    [
        None, 0, 3.5, "pass", "pile", (), [], {}, ("pass", "", 0), ("draw", "pile", 0),
        Action("hum"), Action("pass", "x"), Action("pass", "", 1), Action("draw", "pile", False),
        Action("draw", ["pile"]), Action(None, None, None), Action("reinforce", "red-2", True),
        Action("reinforce", "red-2", 1.0), Action("lock", "red-2", None), Deal(0, (0, 0)),
        Action("reveal", "", 0), Action("take", "blue", 0.0), Action([], {}, ()),
    ],
    ids=repr,
)  # fmt: skip
def test_any_object_is_refused_in_words(phase: Any, nonsense: object) -> None:
    state = position([["blue1", "blue2"], []], ["red1"], ["blue1"], phase=phase)
    assert refusal(state, 0, nonsense)


@pytest.mark.parametrize(
    "deal",
    [
        None, PASS, (), (0, (5, 5)), Deal(2, (pack(["red1", "blue1"]),) * 2),
        Deal(True, (pack(["red1", "blue1"]),) * 2), Deal(0, (pack(["red1", "blue1"]),)),  # type: ignore[arg-type]
        Deal(0, [pack(["red1", "blue1"])] * 2), Deal(0, (pack(["red1", "blue1"]), pack(["red1"]))),  # type: ignore[arg-type]
        Deal(0, (pack(["red1", "blue1"]), pack(["red1", "blue1", "green1"]))),
        Deal(0, (pack(["red1", "blue1"]), pack(["red1", "dawn"]))),
        Deal(0, (pack(["red1", "blue1"]), -5)), Deal(0, (pack(["red1", "blue1"]), 3)),
        Deal(0, (pack(["red1", "blue1"]), "x")), Deal(0, None), Deal([], ([], [])),  # type: ignore[arg-type]
    ],
    ids=lambda deal: repr(deal)[:60],
)  # fmt: skip
def test_a_deal_names_a_seat_and_gives_two_cards_each(deal: object) -> None:
    start = GAME.start(GAME.setup(2))
    assert refusal(start, CHANCE, deal) == (
        "deal",
        "A deal names who begins and gives two creature cards to each player.",
    )


def test_the_two_first_cards_have_different_colours() -> None:
    start = GAME.start(GAME.setup(2))
    fine = pack(["red1", "blue1"])
    for hand in (["red1", "red2"], ["red1", "red1"]):
        assert refusal(start, CHANCE, Deal(0, (fine, pack(hand)))) == (
            "deal",
            "The two cards that a player starts with have different colours.",
        )
    # both players may be dealt the same
    assert GAME.why_not(start, CHANCE, Deal(0, (fine, fine))) is None


@pytest.mark.parametrize(
    "action",
    [
        None, PASS, reveal(), reveal("red1"), reveal("red1", "red2", "red3", "red4"),
        Action("reveal", "red", pack(["red1", "red2", "red3"])), Action("reveal", "", -1),
        Action("reveal", "", 3), Action("reveal", "", UNIT["dawn"] * 2 + 5),
        Action("reveal", "", UNIT["dawn"] * 4 + 5), reveal("dawn", "red1"), Deal(0, (0, 0)),
        Action("reveal", "", True), Action("reveal", "", None), Action("draw", "pile"),  # type: ignore[arg-type]
    ],
    ids=repr,
)  # fmt: skip
def test_a_reveal_is_three_cards(action: object) -> None:
    state = position(phase="reveal", pile=6)
    assert refusal(state, CHANCE, action) == ("reveal", "Exactly three cards are revealed.")


def test_a_reveal_is_of_cards_in_the_pile() -> None:
    state = position([["red1"], []], phase="reveal")
    assert GAME.why_not(state, CHANCE, reveal("red1", "red2", "red2")) is None
    assert refusal(state, CHANCE, reveal("red1", "red1", "red2")) == (
        "creatures",
        "The pile holds only 1 card “red 1”.",
    )
    for pile in (45, 12):
        assert refusal(state._replace(pile=pile), CHANCE, reveal("red1", "red2", "dawn")) == (
            "pile",
            "Dawn is among the last 9 cards of the pile, it cannot come yet.",
        )
    for pile in (9, 6, 3):
        assert GAME.why_not(state._replace(pile=pile), CHANCE, reveal("red1", "red2", "dawn")) is (
            None
        )
    assert refusal(state._replace(pile=3), CHANCE, reveal("red1", "red2", "red3")) == (
        "pile",
        "Dawn must be among the last three cards of the pile.",
    )
    assert refusal(position(), CHANCE, reveal("red1", "red2", "red3")) == (
        "reveal",
        "No cards are to be revealed now.",
    )


# -- knowing --------------------------------------------------------------------------------------


def test_nothing_is_hidden_but_the_order_of_the_pile() -> None:
    """Both seats see the same; the pile is known by its content, dawn by where it can be."""
    record = play(GAME, [bots.make("random", GAME)] * 2, 7)
    for step in record.steps():
        one, two = (GAME.observe(step.after, p) for p in range(2))
        assert one[:-2] == two[:-2]
        assert (one.player, two.player) == (0, 1)
        for event in step.events:
            assert event.secret == {} and event.secret_text is None
            assert event.seen_by(None) == event


def test_covered_tokens_are_remembered_but_not_shown() -> None:
    stacks = (("blue-2", "red-4", "any-2"), ())
    shown = position(board=board(*stacks[0]), stacks=stacks)
    covered = shown._replace(setup=GAME.setup(2, {"open_tokens": False}))
    assert shown_stacks(shown) == stacks
    assert shown_stacks(covered) == ((None, None, "any-2"), ())
    for watcher in range(2):
        assert GAME.observe(covered, watcher).stacks == stacks
        words = [text(line) for line in GAME.in_words(GAME.observe(covered, watcher))]
        assert "Player 1 has claimed colourless token 2, which covers 2 more tokens" in words
        assert not any("red token 4" in line for line in words[:3])


def test_a_position_in_words() -> None:
    state = position(
        [["red1", "blue2"], []],
        ["green3"],
        ["blue5"],
        board=TOKEN_UNIT["any-2"] + TOKEN_UNIT["red-4"] + TOKEN_UNIT["red-7"],
        markers=markers(red_4=2, blue_2=1),
        locked=TOKEN_UNIT["any-2"],
        stacks=(("blue-2",), ()),
    )
    names = ("Ana", "Ion")
    assert [text(line, "en", names) for line in GAME.in_words(GAME.observe(state, 0))] == [
        "Ana is to move; the pile has 45 cards.",
        "Ana holds: blue 2, red 1",
        "Ana has claimed, for 3 points: blue token 2 +1",
        "Ion holds: nothing",
        "Ion has claimed, for 0 points: nothing",
        "Reserve: green 3",
        "Revealed: blue 5",
        "Board: red token 4 +2, red token 7, colourless token 2 (locked)",
        "Markers left: 13",
    ]
    start = GAME.start(GAME.setup(2))
    for lang in LANGUAGES:
        assert GAME.in_words(GAME.observe(start, 0)) == ()
        for line in GAME.in_words(GAME.observe(state, 1)):
            assert text(line, lang, names)


# -- writing down ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "written", "words"),
    [
        (draw("pile"), {"draw": "pile"}, "reveal three cards from the pile"),
        (draw("red"), {"draw": "red"}, "take red from the reserve"),
        (take("red"), {"take": "red"}, "take red"),
        (
            claim("red-2", "redjoker", "red1"),
            {"claim": "red-2", "pay": ["red1", "redjoker"]},
            "red token 2 for red 1, red joker",
        ),
        (
            reinforce("any-7", 2),
            {"reinforce": "any-7", "markers": 2},
            "2 markers on colourless token 7",
        ),
        (lock("black-13"), {"lock": "black-13"}, "lock black token 13"),
        (PASS, "pass", "do nothing"),
        (
            reveal("dawn", "red1", "red1"),
            {"reveal": ["red1", "red1", "dawn"]},
            "the pile shows red 1, red 1, dawn",
        ),
        (
            Deal(1, (pack(["blue1", "red1"]), pack(["blue1", "red2"]))),
            {"first": 1, "hands": [["blue1", "red1"], ["blue1", "red2"]]},
            "deal; Player 2 begins",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_actions_as_json_and_in_words(action: Any, written: Any, words: str) -> None:
    assert GAME.action_to_json(action) == written
    assert GAME.action_from_json(json.loads(json.dumps(written))) == action
    assert text(GAME.describe(action)) == words
    for lang in LANGUAGES:
        assert text(GAME.describe(action), lang)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (None, "m"), (1, "m"), ([], "m"), ({}, "m"), ("draw", "m"), ({"pass": 1}, "m"),
        ({"draw": "pile", "take": "red"}, "m"),
        ({"draw": "black"}, "m.draw"), ({"draw": ["pile"]}, "m.draw"), ({"take": "pile"}, "m.take"),
        ({"lock": "red1"}, "m.lock"), ({"claim": "red-2"}, "m"),
        ({"claim": "red-3", "pay": []}, "m.claim"), ({"claim": "red-2", "pay": "red1"}, "m.pay"),
        ({"claim": "red-2", "pay": ["red1", "red-2"]}, "m.pay[1]"),
        ({"claim": "red-2", "pay": ["dawn"]}, "m.pay[0]"),
        ({"claim": "red-2", "pay": ["red1"] * 3}, "m.pay[0]"),
        ({"claim": "red-2", "pay": [["red1"]]}, "m.pay[0]"),
        ({"reinforce": "red-2", "markers": 3}, "m.markers"),
        ({"reinforce": "red-2", "markers": True}, "m.markers"),
        ({"reinforce": "red", "markers": 1}, "m.reinforce"),
        ({"reveal": ["dawn", "dawn", "red1"]}, "m.reveal[0]"),
        ({"first": 2, "hands": [[], []]}, "m.first"), ({"first": 0, "hands": [[]]}, "m.hands"),
        ({"first": 0, "hands": [["red1"], ["x"]]}, "m.hands[1][0]"),
        ({"first": 0, "hands": [["red1"], 5]}, "m.hands[1]"),
    ],
)  # fmt: skip
def test_json_that_is_no_action(value: Any, place: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        GAME.action_from_json(value, "m")
    assert refused.value.place == place
    for lang in LANGUAGES:
        assert refused.value.text(lang)


def test_a_record_reads_like_a_game() -> None:
    record = Record.begin(GAME, (Player("Ana"), Player("Ion")))
    for player, action in (
        (CHANCE, Deal(1, (pack(["blue1", "red1"]), pack(["green3", "red2"])))),
        (1, draw("pile")),
        (CHANCE, reveal("red4", "red3", "blue5")),
        (1, take("red")),
        (1, claim("red-4", "red2", "red3", "red4")),
        (1, reinforce("blue-10", 2)),
    ):
        record = record.with_move(player, action)
    moves = [line.strip().rstrip(",") for line in record.dumps().splitlines() if '    ["' in line
             or "    [1" in line]  # fmt: skip
    assert moves == [
        '["chance", {"first": 1, "hands": [["blue1", "red1"], ["green3", "red2"]]}]',
        '[1, {"draw": "pile"}]',
        '["chance", {"reveal": ["blue5", "red3", "red4"]}]',
        '[1, {"take": "red"}]',
        '[1, {"claim": "red-4", "pay": ["red2", "red3", "red4"]}]',
        '[1, {"reinforce": "blue-10", "markers": 2}]',
    ]
    assert Record.loads(record.dumps(), games.get) == record


# -- options and bots -----------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_dossier() -> None:
    assert GAME.option_values(GAME.setup(2)) == {
        "gift_duplicates": True,
        "modify": "after-claim",
        "open_tokens": True,
    }
    for option in GAME.options:
        for lang in LANGUAGES:
            assert text(f"option.mythicals.{option.name}", lang)
            assert text(f"option.mythicals.{option.name}.help", lang)
            for value in option.values:
                if isinstance(value, str):
                    assert text(f"option.mythicals.{option.name}.{value}", lang)


def test_greedy_takes_the_thirteen_and_the_ten() -> None:
    greedy = bots.make("greedy", GAME)
    whole = [f"red{v}" for v in "12345"]
    for held, token in (([*whole, "redjoker"], "black-13"), (whole, "red-10")):
        state = position([held, []], phase="claim")
        choice = greedy(GAME.observe(state, 0), random.Random(0))
        assert (choice.kind, choice.target) == ("claim", token)


def test_greedy_beats_random() -> None:
    agents = [bots.make("greedy", GAME), bots.make("random", GAME)]
    won = 0.0
    for seed in range(40):
        seats = agents if seed % 2 else agents[::-1]
        outcome = play(GAME, seats, seed).outcome()
        assert outcome is not None
        won += outcome.payoffs[0 if seed % 2 else 1]
    assert won >= 0.85 * 40
