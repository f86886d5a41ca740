"""Ancient Cards by the book, checked against an independent referee that plays with plain lists."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft import games
from lovecraft.core import (
    CHANCE,
    Event,
    IllegalAction,
    InvalidOption,
    InvalidRecord,
    InvalidSheet,
    Player,
    Record,
    playout,
)
from lovecraft.games.ancient_cards import AncientCards, State
from lovecraft.games.ancient_cards import scoring as rune_scoring
from lovecraft.games.ancient_cards.cards import RUNES, cards, counts, kinds, pack, size
from lovecraft.games.ancient_cards.sheet import check_counts
from lovecraft.i18n import LANGUAGES, text

GAME: AncientCards = games.get("ancient-cards")  # type: ignore[assignment]
GOLDEN = Path(__file__).parents[1] / "golden"
SPLITS: dict[str, int] = json.loads(
    (GOLDEN / "scores" / "ancient-cards-splits.json").read_text("utf-8")
)
IA, PH, MG, CT, RL, WG, FH = RUNES
ALL_SEVEN = pack(RUNES)


def seven(rune: str) -> int:
    return pack([rune] * 7)


def state(hands: Iterable[Iterable[str]], **changes: Any) -> State:
    """A position in the first round with these hands and nothing played yet."""
    packed = tuple(pack(hand) for hand in hands)
    start = GAME.start(GAME.setup(len(packed), changes.pop("options", None)))
    return start._replace(hands=packed, **changes)


def dealt(players: int, seed: int = 1, options: dict[str, Any] | None = None) -> State:
    """The position after a random first deal."""
    start = GAME.start(GAME.setup(players, options))
    return GAME.apply(start, CHANCE, GAME.draw(start, random.Random(seed)))[0]


def pick_all(position: State, picks: Iterable[str]) -> tuple[State, tuple[Event, ...]]:
    """Every seat picks in turn; the position after it and all the events."""
    told: tuple[Event, ...] = ()
    for player, rune in enumerate(picks):
        position, events = GAME.apply(position, player, rune)
        told += events
    return position, told


# -- an independent referee -----------------------------------------------------------------------

TABLE = {1: 0, 2: 1, 3: 2, 4: 4, 5: 5, 6: 7, 7: 10}


def referee_points(area: list[str]) -> int:
    groups = Counter(area)
    return sum(TABLE[min(n, 7)] for n in groups.values()) + (5 if len(groups) == 7 else 0)


def referee(record: Record) -> list[list[int]]:
    """Points per player and round, from the moves alone, played with lists."""
    n = len(record.players)
    moves = iter(record.moves)
    points: list[list[int]] = [[] for _ in range(n)]
    areas: list[list[str]] = [[] for _ in range(n)]
    for _ in range(3):
        deal = next(moves)
        assert deal.player == CHANCE
        hands = [list(cards(hand)) for hand in deal.action]
        if not record.options["keep_play_area"]:
            areas = [[] for _ in range(n)]
        for _ in range(7):
            for _ in range(n):
                move = next(moves)
                hands[move.player].remove(move.action)
                areas[move.player].append(move.action)
            # the left neighbour of seat p is seat p + 1
            hands = [hands[(p - 1) % n] for p in range(n)]
        for p in range(n):
            points[p].append(referee_points(areas[p]))
    assert next(moves, None) is None
    return points


def whole_game(seed: int, players: int, options: dict[str, Any]) -> Record:
    """A random game; those to move act one by one in random order."""
    rng = random.Random(seed)
    record = Record.begin(GAME, tuple(Player(f"P{i}") for i in range(players)), options)
    position = record.start()
    while movers := GAME.to_move(position):
        player = rng.choice(movers)
        action: Any
        if player == CHANCE:
            action = GAME.draw(position, rng)
        else:
            action = rng.choice(GAME.legal_actions(position, player))
        position = GAME.advance(position, player, action)
        record = record.with_move(player, action)
    return record


CONFIGURATIONS = [
    *((n, {"copies": 7, "keep_play_area": False}) for n in range(2, 8)),
    (7, {"copies": 12, "keep_play_area": False}),
    (2, {"copies": 7, "keep_play_area": True}),
    (3, {"copies": 9, "keep_play_area": True}),
    (4, {"copies": 12, "keep_play_area": True}),
]


@pytest.mark.parametrize(("players", "options"), CONFIGURATIONS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_the_referee_agrees(players: int, options: dict[str, Any], seed: int) -> None:
    record = whole_game(seed, players, options)
    assert len(record.moves) == 3 * (1 + 7 * players)
    points = referee(record)
    totals = tuple(sum(row) for row in points)
    outcome = record.outcome()
    assert outcome is not None
    assert outcome.totals == totals
    keys = [(sum(row), row[2]) for row in points]
    assert outcome.ranks == tuple(1 + sum(other > key for other in keys) for key in keys)
    assert outcome.winners == tuple(p for p, key in enumerate(keys) if key == max(keys))


@pytest.mark.parametrize(
    "file", sorted((GOLDEN / "ancient-cards").glob("*.json")), ids=lambda f: f.stem
)
def test_the_referee_agrees_on_golden_games(file: Path) -> None:
    record = Record.loads(file.read_text("utf-8"), games.get)
    points = referee(record)
    assert record.final().points == tuple(zip(*points, strict=True))


def test_the_golden_games_show_every_ending() -> None:
    files = (GOLDEN / "ancient-cards").glob("*.json")
    records = [Record.loads(file.read_text("utf-8"), games.get) for file in files]
    outcomes = [record.outcome() for record in records]
    assert {len(record.players) for record in records} >= {2, 4, 7}
    assert any(record.options["keep_play_area"] for record in records)
    assert {(o.tiebreak, len(o.winners) > 1) for o in outcomes if o} >= {
        (None, False),
        (None, True),
        ("third-round", False),
    }


# -- scoring --------------------------------------------------------------------------------------


def test_the_splits_are_all_there_are() -> None:
    def partitions(n: int, most: int) -> Iterable[tuple[int, ...]]:
        if n == 0:
            yield ()
        for first in range(min(n, most), 0, -1):
            yield from ((first, *rest) for rest in partitions(n - first, first))

    assert set(SPLITS) == {"+".join(map(str, split)) for split in partitions(7, 7)}
    assert len(SPLITS) == 15


@pytest.mark.parametrize(("split", "points"), SPLITS.items())
def test_every_split_scores_its_points(split: str, points: int) -> None:
    groups = [int(n) for n in split.split("+")]
    for runes in itertools.islice(itertools.permutations(RUNES, len(groups)), 300):
        area = dict(zip(runes, groups, strict=True))
        sheet = rune_scoring.score(area)
        assert sheet.points == points
        assert rune_scoring.area_points(pack(r for r, n in area.items() for _ in range(n))) == (
            points
        )
        result = GAME.score(
            {
                "game": "ancient-cards",
                "players": [{"name": name, "rounds": [area]} for name in ("Ana", "Ion")],
            }
        )
        assert result["players"][0]["rounds"][0]["points"] == points


def test_lines_name_group_rule_and_cards() -> None:
    sheet = rune_scoring.score({FH: 1, IA: 4, CT: 2})
    assert [(line.points, line.rule, line.cards) for line in sheet.lines] == [
        (4, "ancient-cards/identical", (IA,) * 4),
        (1, "ancient-cards/identical", (CT,) * 2),
        (0, "ancient-cards/identical", (FH,)),
    ]
    assert [text(line.text) for line in sheet.lines] == ["4 × Iä", "2 × Cthulhu", "a single Fhtagn"]
    every = rune_scoring.score(dict.fromkeys(RUNES, 1))
    assert [line.points for line in every.lines] == [0] * 7 + [5]
    assert every.lines[-1].rule == "ancient-cards/different"
    assert every.lines[-1].cards == RUNES
    assert rune_scoring.score({}).points == 0
    assert rune_scoring.score({IA: 0}).lines == ()


def test_a_kept_area_scores_large_groups_as_seven_and_all_different_once() -> None:
    assert rune_scoring.identical_points(12) == rune_scoring.identical_points(7) == 10
    assert rune_scoring.area_points(pack([IA] * 12)) == 10
    assert rune_scoring.area_points(pack(RUNES * 2)) == 7 * 1 + 5
    assert rune_scoring.area_points(pack(RUNES * 3)) == 7 * 2 + 5


@pytest.mark.parametrize(
    ("rounds", "winners", "ranks", "tiebreak", "rule"),
    [
        ([(1, 2, 3), (2, 2, 1)], (0,), (1, 2), None, "end"),
        ([(3, 2, 1), (1, 2, 3)], (1,), (2, 1), "third-round", "tie-third-round"),
        # the first two rounds decide nothing
        ([(10, 0, 1), (0, 10, 1)], (0, 1), (1, 1), None, "tie-shared"),
        ([(0, 0, 4), (2, 2, 0), (1, 1, 2), (9, 0, 0)], (3,), (2, 4, 3, 1), None, "end"),
        # two of three share after the third round has put the other behind
        ([(0, 0, 4), (4, 0, 0), (0, 0, 4)], (0, 2), (1, 3, 1), "third-round", "tie-shared"),
        # a tie further down is broken too, but has decided nothing
        ([(5, 5, 5), (2, 1, 0), (0, 1, 2)], (0,), (1, 3, 2), None, "end"),
        ([(0, 0, 0)] * 7, tuple(range(7)), (1,) * 7, None, "tie-shared"),
    ],
)
def test_ties(
    rounds: list[tuple[int, ...]],
    winners: tuple[int, ...],
    ranks: tuple[int, ...],
    tiebreak: str | None,
    rule: str,
) -> None:
    outcome = rune_scoring.final_standings(rounds)
    assert outcome.winners == winners
    assert outcome.ranks == ranks
    assert outcome.tiebreak == tiebreak
    assert outcome.rule == f"ancient-cards/{rule}"
    assert outcome.totals == tuple(map(sum, rounds))


def test_the_last_round_breaks_no_tie_before_the_third() -> None:
    outcome = rune_scoring.final_standings([(1, 3), (3, 1)], finished=False)
    assert outcome.winners == (0, 1)
    assert (outcome.tiebreak, outcome.rule) == (None, "ancient-cards/end")


# -- bundles --------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(RUNES), max_size=15))
def test_bundles_are_multisets(runes: list[str]) -> None:
    bundle = pack(runes)
    assert list(cards(bundle)) == sorted(runes, key=RUNES.index)
    assert counts(bundle) == tuple(runes.count(rune) for rune in RUNES)
    assert kinds(bundle) == tuple(rune for rune in RUNES if rune in runes)
    assert size(bundle) == len(runes)


# -- setting up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 8))
def test_two_to_seven_players_get_seven_cards_each_of_one_deck(players: int) -> None:
    position = dealt(players)
    assert [size(hand) for hand in position.hands] == [7] * players
    assert all(n <= 7 for n in map(sum, zip(*map(counts, position.hands), strict=True)))
    assert GAME.to_move(position) == tuple(range(players))
    assert position.areas == (0,) * players


def test_seven_players_are_dealt_the_whole_deck() -> None:
    position = dealt(7)
    assert tuple(map(sum, zip(*map(counts, position.hands), strict=True))) == (7,) * 7


def test_a_deck_of_more_copies_does_not_raise_the_number_of_players() -> None:
    with pytest.raises(InvalidOption) as refused:
        GAME.setup(8, {"copies": 12})
    assert refused.value.place == "players"
    assert str(refused.value) == ("players: Ancient Cards of H.P. Lovecraft is for 2 to 7 players.")


@pytest.mark.parametrize(
    "copies",
    [6, 13, 7.0, True, "7", None, [7], pytest.param(10**5000, id="too-big-to-show")],
)
def test_other_numbers_of_copies_are_refused(copies: Any) -> None:
    with pytest.raises(InvalidOption) as refused:
        GAME.setup(2, {"copies": copies})
    assert refused.value.place == "options.copies"
    for lang in LANGUAGES:
        assert refused.value.text(lang)


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_keeping_is_yes_or_no(value: Any) -> None:
    with pytest.raises(InvalidOption) as refused:
        GAME.setup(2, {"keep_play_area": value})
    assert refused.value.place == "options.keep_play_area"


def test_kept_play_areas_need_21_cards_per_player() -> None:
    possible = set()
    for players, copies in itertools.product(range(2, 8), range(7, 13)):
        try:
            GAME.setup(players, {"copies": copies, "keep_play_area": True})
            possible.add((players, copies))
        except InvalidOption as refused:
            assert refused.place == "options.keep_play_area"
            assert f"{players * 21} cards" in str(refused)
            assert f"has {copies * 7}" in str(refused)
    assert possible == {
        *((2, copies) for copies in range(7, 13)),
        *((3, copies) for copies in range(9, 13)),
        (4, 12),
    }


# -- a round --------------------------------------------------------------------------------------


def test_nothing_can_happen_before_the_deal() -> None:
    start = GAME.start(GAME.setup(2))
    assert GAME.to_move(start) == (CHANCE,)
    assert GAME.legal_actions(start, 0) == ()
    assert GAME.outcome(start) is None


def test_hands_are_passed_to_the_left() -> None:
    """Seat 0 passes to seat 1, and the last seat to seat 0, in all rounds."""
    hands = [[IA] * 7, [PH] * 7, [MG] * 7]
    for round_ in range(3):
        position = state(hands, round=round_)
        after, _ = pick_all(position, [IA, PH, MG])
        assert [cards(hand) for hand in after.hands] == [(MG,) * 6, (IA,) * 6, (PH,) * 6]
        assert [cards(area) for area in after.areas] == [(IA,), (PH,), (MG,)]


def test_a_chosen_card_stays_face_down_until_all_have_chosen() -> None:
    position = dealt(3)
    runes = [GAME.legal_actions(position, p)[0] for p in range(3)]
    one, events = GAME.apply(position, 1, runes[1])
    assert GAME.to_move(one) == (0, 2)
    assert GAME.legal_actions(one, 1) == ()
    assert one.areas == position.areas
    assert one.hands == position.hands
    assert [event.kind for event in events] == ["picked"]
    two, events = GAME.apply(one, 0, runes[0])
    assert two.areas == position.areas
    assert [event.kind for event in events] == ["picked"]
    three, events = GAME.apply(two, 2, runes[2])
    assert [event.kind for event in events] == ["picked", "passed", *["revealed"] * 3]
    assert [cards(area) for area in three.areas] == [(rune,) for rune in runes]
    assert three.pick == 1


def test_reveal_comes_after_the_pass() -> None:
    """The pass is told before the reveal, and both hold when the next choice is made."""
    position = dealt(4)
    after, events = pick_all(position, [GAME.legal_actions(position, p)[0] for p in range(4)])
    told = [event.kind for event in events]
    assert told.index("passed") < told.index("revealed")
    assert all(event.rule == "ancient-cards/reveal" for event in events if event.kind == "revealed")
    assert GAME.to_move(after) == (0, 1, 2, 3)


def test_the_last_card_is_forced_and_no_hand_is_passed_after_it() -> None:
    position = state([[IA], [PH]], pick=6, areas=(pack([IA] * 6), pack([PH] * 5 + [FH])))
    assert GAME.legal_actions(position, 0) == (IA,)
    assert GAME.legal_actions(position, 1) == (PH,)
    after, events = pick_all(position, [IA, PH])
    assert [event.kind for event in events] == [
        "picked", "picked", "revealed", "revealed", "scored", "scored",
    ]  # fmt: skip
    assert after.points == ((10, 7),)
    assert [event.data for event in events if event.kind == "scored"] == [
        {"points": 10, "round": 0},
        {"points": 7, "round": 0},
    ]
    assert after.round == 1 and after.pick == 0 and after.hands == ()
    assert GAME.to_move(after) == (CHANCE,)
    # the played cards lie there until the next deal clears them
    assert [size(area) for area in after.areas] == [7, 7]
    cleared, told = GAME.apply(after, CHANCE, GAME.draw(after, random.Random(0)))
    assert cleared.areas == (0, 0)
    assert [(e.kind, e.rule) for e in told] == [
        ("cleared", "ancient-cards/clear"),
        ("dealt", "ancient-cards/deal"),
        ("dealt", "ancient-cards/deal"),
    ]


def test_kept_areas_stay_and_the_deck_is_what_is_left() -> None:
    options = {"copies": 7, "keep_play_area": True}
    areas = (seven(IA), seven(PH))
    position = State(GAME.setup(2, options), 1, 0, (), areas, (None, None), ((10, 10),))
    after, told = GAME.apply(position, CHANCE, GAME.draw(position, random.Random(3)))
    assert after.areas == areas
    assert [event.kind for event in told] == ["dealt", "dealt"]
    for seed in range(50):
        for hand in GAME.draw(position, random.Random(seed)):
            assert not set(kinds(hand)) & {IA, PH}
    refused = GAME.why_not(position, CHANCE, (pack([IA, *[MG] * 6]), seven(CT)))
    assert refused is not None and refused.rule == "ancient-cards/deck"
    assert refused.text() == "The deck holds only 0 cards of Iä."


def test_the_game_ends_after_three_rounds() -> None:
    last = state(
        [[IA], [PH]],
        round=2,
        pick=6,
        areas=(pack([IA] * 6), pack([PH] * 6)),
        points=((3, 1), (1, 3)),
    )
    assert GAME.outcome(last) is None
    after, events = pick_all(last, [IA, PH])
    assert GAME.to_move(after) == ()
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert (outcome.winners, outcome.totals) == ((0, 1), (14, 14))
    end = events[-1]
    assert (end.kind, end.rule) == ("ended", "ancient-cards/tie-shared")
    assert end.data == {"winners": [0, 1], "totals": [14, 14]}
    assert text(end.text, names=("Ana", "Ion")) == "Ana, Ion share the victory."
    assert text(end.text, "ro", ("Ana", "Ion")) == "Ana, Ion împart victoria."


# -- why not --------------------------------------------------------------------------------------


def refusal(position: State, player: int, action: object) -> tuple[str, str]:
    refused = GAME.why_not(position, player, action)
    assert refused is not None
    with pytest.raises(IllegalAction) as raised:
        GAME.apply(position, player, action)  # type: ignore[arg-type]
    assert (raised.value.rule, raised.value.message) == (refused.rule, refused.message)
    for lang in LANGUAGES:
        assert refused.text(lang)
    return refused.rule.removeprefix("ancient-cards/"), refused.text()


def test_every_reason_why_not() -> None:
    start = GAME.start(GAME.setup(2))
    position = state([[IA] * 7, [PH] * 7])
    picked, _ = GAME.apply(position, 0, IA)
    over = start._replace(round=3, points=((0, 0),) * 3)
    assert refusal(start, 0, IA) == ("deal", "The cards have not been dealt yet.")
    assert refusal(over, 0, IA) == ("end", "The game is over.")
    assert refusal(over, CHANCE, (ALL_SEVEN,) * 2) == ("deal", "No cards are to be dealt now.")
    assert refusal(position, CHANCE, (ALL_SEVEN,) * 2) == ("deal", "No cards are to be dealt now.")
    assert refusal(picked, 0, IA) == ("pick", "You have picked already; wait for the others.")
    assert refusal(position, 0, PH) == ("pick", "Ph’nglui is not in this hand.")
    for nonsense in ("hastur", "", "IA", None, 0, 3.5, (), (IA,), [IA], {"rune": IA}, ALL_SEVEN):
        assert refusal(position, 0, nonsense) == ("runes", "This is not one of the seven runes.")
    for seat in (2, 7, 99, -2):
        for at in (start, position, picked, over):
            assert refusal(at, seat, IA) == ("players", "There is no such seat.")


@pytest.mark.parametrize(
    "deal",
    [
        None,
        IA,
        (),
        (ALL_SEVEN,),
        (ALL_SEVEN,) * 3,
        [ALL_SEVEN, ALL_SEVEN],
        (ALL_SEVEN, ALL_SEVEN - 1),
        (ALL_SEVEN, ALL_SEVEN + 1),
        (ALL_SEVEN, -ALL_SEVEN),
        (ALL_SEVEN, 7 << 28),
        (ALL_SEVEN, 10**400),
        (ALL_SEVEN, True),
        (ALL_SEVEN, float(ALL_SEVEN)),
        (ALL_SEVEN, None),
        ((IA,) * 7, (PH,) * 7),
    ],
    ids=lambda deal: repr(deal)[:30],
)
def test_a_deal_is_seven_cards_for_each(deal: object) -> None:
    start = GAME.start(GAME.setup(2))
    assert refusal(start, CHANCE, deal) == (
        "deal",
        "A deal is a hand of seven runes for each of 2 players.",
    )


def test_a_deal_cannot_hold_more_of_a_rune_than_the_deck() -> None:
    start = GAME.start(GAME.setup(2))
    assert refusal(start, CHANCE, (pack([IA] * 7), pack([IA, *[PH] * 6]))) == (
        "deck",
        "The deck holds only 7 cards of Iä.",
    )
    more = GAME.start(GAME.setup(2, {"copies": 8}))
    assert GAME.why_not(more, CHANCE, (pack([IA] * 7), pack([IA, *[PH] * 6]))) is None


# -- knowing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 8))
def test_a_player_knows_exactly_the_hands_it_has_held(players: int) -> None:
    """Followed through a whole round by tracking every hand as it moves."""
    position = dealt(players, seed=players)
    holders = [{p} for p in range(players)]  # per hand (where it lies now): who has seen it
    rng = random.Random(5)
    for pick in range(7):
        for watcher in range(players):
            seen = GAME.observe(position, watcher)
            for lies, hand in enumerate(position.hands):
                assert seen.hands[lies] == (hand if watcher in holders[lies] else None)
            assert seen.actions == GAME.legal_actions(position, watcher)
            assert seen.pick == pick and seen.round == 0
        position, _ = pick_all(
            position, [rng.choice(GAME.legal_actions(position, p)) for p in range(players)]
        )
        holders = [holders[(p - 1) % players] | {p} for p in range(players)]


def test_a_new_deal_is_unknown_again() -> None:
    record = whole_game(1, 3, {})
    for step in record.steps():
        if step.move.player == CHANCE:
            for watcher in range(3):
                hands = GAME.observe(step.after, watcher).hands
                assert [hand is not None for hand in hands] == [p == watcher for p in range(3)]


def test_an_observation_tells_who_has_picked_but_not_what() -> None:
    position = state([[IA, PH], [MG, CT], [RL, WG]], pick=5, areas=(ALL_SEVEN,) * 3)
    other = GAME.apply(position, 0, PH)[0]
    position = GAME.apply(position, 0, IA)[0]
    assert GAME.observe(position, 0).own_pick == IA
    for watcher in (1, 2):
        seen = GAME.observe(position, watcher)
        assert seen.chosen == (True, False, False)
        assert seen.own_pick is None
        assert seen == GAME.observe(other, watcher)


def test_only_the_owner_sees_a_pick_and_a_dealt_hand() -> None:
    position = dealt(3)
    rune = GAME.legal_actions(position, 1)[0]
    (picked,) = GAME.apply(position, 1, rune)[1]
    assert picked.seen_by(1).data == {"rune": rune}
    assert picked.rule == "ancient-cards/pick"
    name = text(GAME.card_name(rune))
    assert text(picked.seen_by(1).text) == f"You lay {name} face down."
    for watcher in (0, 2, None):
        told = picked.seen_by(watcher)
        assert (told.data, told.secret, told.secret_text) == ({}, {}, None)
        assert text(told.text, names=("A", "B", "C")) == "B lays a card face down."
    start = GAME.start(GAME.setup(3))
    deal = GAME.draw(start, random.Random(1))
    for seat, event in enumerate(GAME.apply(start, CHANCE, deal)[1]):
        assert event.seen_by(seat).data == {"number": 7, "runes": list(cards(deal[seat]))}  # type: ignore[arg-type]
        for watcher in ({0, 1, 2} - {seat}) | {None}:
            assert event.seen_by(watcher).data == {"number": 7}
            assert "runes" not in event.seen_by(watcher).secret


@given(seed=st.integers(0, 2**32), moves=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_an_imagined_state_has_the_cards_of_one_deck(seed: int, moves: int) -> None:
    players, options = CONFIGURATIONS[seed % len(CONFIGURATIONS)]
    position = whole_game(seed, players, options).upto(moves).final()
    for watcher in range(players):
        imagined = GAME.resample(GAME.observe(position, watcher), random.Random(seed))
        assert [size(hand) for hand in imagined.hands] == [size(hand) for hand in position.hands]
        every = [counts(bundle) for bundle in (*imagined.hands, *imagined.areas)]
        assert all(n <= options["copies"] for n in map(sum, zip(*every, strict=True)))
        for hand, pick in zip(imagined.hands, imagined.picks, strict=False):
            assert pick is None or pick in kinds(hand)
        assert imagined.picks[watcher] == position.picks[watcher]


def test_resampling_is_uniform_over_the_cards_not_seen() -> None:
    """An unknown hand of seven out of 42 cards, six copies of each rune: means and variances."""
    position = state([list(RUNES), list(RUNES)])
    seen = GAME.observe(position, 0)
    rng, n = random.Random(20), 4000
    tally = [counts(GAME.resample(seen, rng).hands[1]) for _ in range(n)]
    for k in range(7):
        column = [row[k] for row in tally]
        mean = sum(column) / n
        variance = sum((x - mean) ** 2 for x in column) / n
        # hypergeometric: 7 draws, 6 of 42: mean 1, variance 7 · 1/7 · 6/7 · 35/41
        assert abs(mean - 1) < 0.06
        assert abs(variance - 7 / 7 * 6 / 7 * 35 / 41) < 0.08
    # and where the unseen cards are not level
    lopsided = GAME.observe(state([[IA] * 7, list(RUNES)]), 0)
    drawn = [GAME.resample(lopsided, rng).hands[1] for _ in range(500)]
    assert all(IA not in kinds(hand) for hand in drawn)


def test_face_down_cards_are_imagined_by_their_number_in_the_hand() -> None:
    hands = [[PH] * 3, [IA, IA, FH]]
    position = state(hands, pick=4, areas=(pack([MG] * 4), pack([MG] * 3 + [FH])))
    position = GAME.apply(position, 1, FH)[0]
    seen = GAME.observe(position, 0)
    assert seen.hands == position.hands  # seat 0 has held this hand before
    rng, n = random.Random(21), 3000
    tally = Counter(GAME.resample(seen, rng).picks[1] for _ in range(n))
    assert set(tally) == {IA, FH}
    assert abs(tally[IA] / n - 2 / 3) < 0.04


def test_dealing_is_uniform_over_the_deck() -> None:
    start = GAME.start(GAME.setup(2))
    rng, n = random.Random(22), 4000
    deals = [GAME.draw(start, rng) for _ in range(n)]
    for seat in range(2):
        for k in range(7):
            column = [counts(deal[seat])[k] for deal in deals]  # type: ignore[arg-type]
            mean = sum(column) / n
            variance = sum((x - mean) ** 2 for x in column) / n
            assert abs(mean - 1) < 0.06
            assert abs(variance - 7 * 1 / 7 * 6 / 7 * 42 / 48) < 0.08
    # the hands of one deal come from one deck: they cannot be independent
    both = [counts(deal[0])[0] * counts(deal[1])[0] for deal in deals]  # type: ignore[arg-type]
    assert abs(sum(both) / n - 7 * 7 * (7 * 6) / (49 * 48)) < 0.08


# -- writing down ---------------------------------------------------------------------------------


def test_actions_are_readable_json() -> None:
    assert GAME.action_to_json(CT) == "cthulhu"
    deal = (pack([FH, IA, IA, IA, IA, IA, IA]), ALL_SEVEN)
    assert GAME.action_to_json(deal) == [["ia"] * 6 + ["fhtagn"], list(RUNES)]
    assert GAME.action_from_json([["fhtagn"] + ["ia"] * 6, list(reversed(RUNES))]) == deal


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("hastur", "m"),
        ("", "m"),
        (None, "m"),
        (3, "m"),
        (1.5, "m"),
        (True, "m"),
        ({"ia": 1}, "m"),
        (["ia"], "m"),
        ([["ia"] * 7, "ia"], "m"),
        ([["ia"] * 6], "m[0]"),
        ([["ia"] * 7, ["ia"] * 8], "m[1]"),
        ([["ia"] * 7, []], "m[1]"),
        ([["ia"] * 6 + ["hastur"]], "m[0][6]"),
        ([["ia"] * 6 + [["ia"]]], "m[0][6]"),
        ([[None] * 7], "m[0][0]"),
    ],
    ids=repr,
)
def test_what_is_no_action_is_refused_with_its_place(value: Any, place: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        GAME.action_from_json(value, "m")
    assert refused.value.place == place


def test_the_table_in_words() -> None:
    position = state([[IA] * 6, [PH] * 6], pick=1, areas=(pack([FH]), 0), points=((3, 4),))
    words = [text(line, names=("Ana", "Ion")) for line in GAME.in_words(GAME.observe(position, 0))]
    assert words == [
        "Round 1, pick 2 of 7",
        "Ana (3): 1 × Fhtagn",
        "Ion (4): nothing",
        "Your hand: 6 × Iä",
        "Ion holds: 6 × Ph’nglui",
    ]
    assert text(GAME.describe(IA)) == "Iä"
    assert text(GAME.describe((ALL_SEVEN,) * 2)) == "7 cards are dealt to each."


# -- conservation and speed paths -----------------------------------------------------------------


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_no_card_is_lost_or_made(seed: int) -> None:
    players, options = CONFIGURATIONS[seed % len(CONFIGURATIONS)]
    for step in whole_game(seed, players, options).steps():
        if step.move.player != CHANCE:
            before, after = step.before, step.after
            assert sum(map(sum, (before.hands, before.areas))) == sum(
                map(sum, (after.hands, after.areas))
            )


@pytest.mark.parametrize(("players", "options"), CONFIGURATIONS, ids=str)
def test_playouts_from_anywhere_reach_an_end(players: int, options: dict[str, Any]) -> None:
    record = whole_game(9, players, options)
    for length in range(0, len(record.moves), 5):
        end = playout(GAME, record.upto(length).final(), random.Random(length))
        assert GAME.outcome(end) is not None
        assert len(end.points) == 3


# -- sheets ---------------------------------------------------------------------------------------


def test_counts_of_a_running_round_are_checked_too() -> None:
    assert check_counts({}, "x") == 0
    assert check_counts({IA: 2, FH: 1}, "x") == 3
    for counts_, place in [({"y": 1}, "x.y"), ({IA: -1}, "x.ia"), ({FH: 8}, "x.fhtagn")]:
        with pytest.raises(InvalidSheet) as refused:
            check_counts(counts_, "x")
        assert refused.value.place == place


def test_a_sheet_of_one_or_two_rounds_has_leaders() -> None:
    one = GAME.score(
        {
            "game": "ancient-cards",
            "players": [
                {"name": "Ana", "rounds": [{IA: 7}]},
                {"name": "Ion", "rounds": [{IA: 6, PH: 1}]},
                {"name": "Eva", "rounds": [{FH: 7}]},
            ],
        }
    )
    assert one["finished"] is False
    assert one["winners"] == ["Ana", "Eva"]
    assert [player["rank"] for player in one["players"]] == [1, 3, 1]
    assert one["tiebreak"] is None
