"""Records: texts that replay and verify, and damaged texts of every kind that are refused."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft import bots, games
from lovecraft.core import (
    CHANCE,
    InvalidOption,
    InvalidRecord,
    InvalidSheet,
    Match,
    Move,
    Player,
    Record,
    play,
)
from lovecraft.core import record as record_module
from lovecraft.core.names import clean_name
from lovecraft.core.record import MAX_CHARACTERS, MAX_DEPTH, MAX_MOVES, parse_json
from lovecraft.i18n import LANGUAGES

GAME = games.get("ancient-cards")
SEATS = (Player("Ana", "human"), Player("Îon “<b>”", "random"))
few = settings(max_examples=60, deadline=None)


@cache
def finished() -> Record:
    return play(GAME, [bots.make("random", GAME)] * 2, "record", SEATS)


@cache
def small() -> Record:
    """The deal and three picks: one joint choice and half of the next."""
    return finished().upto(4)


def whole() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(finished().dumps())
    return value


def refused(source: str | object) -> InvalidRecord:
    """The refusal of a text or a JSON value; it speaks every language."""
    text = source if isinstance(source, str) else json.dumps(source)
    with pytest.raises(InvalidRecord) as error:
        Record.loads(text, games.get)
    for lang in LANGUAGES:
        sentence = error.value.text(lang)
        assert sentence and len(sentence) < 400
    return error.value


# -- good records ---------------------------------------------------------------------------------


@pytest.mark.parametrize("length", range(0, 46, 5))
def test_records_of_any_length_round_trip(length: int) -> None:
    record = finished().upto(length)
    text = record.dumps()
    assert Record.loads(text, games.get) == record
    assert Record.loads(text, games.get).dumps() == text
    assert Record.from_json(json.loads(text), games.get) == record
    assert record.to_json() == json.loads(text)
    assert (json.loads(text)["outcome"] is None) == (length < 45)


def test_the_text_has_a_move_a_line_and_readable_names() -> None:
    lines = small().dumps().splitlines()
    assert '"name": "Îon “<b>”"' in small().dumps()
    assert [line.strip().rstrip(",") for line in lines if line.startswith("    [")] == [
        json.dumps(["chance" if move.player == CHANCE else move.player, action])
        for move in small().moves
        for action in [GAME.action_to_json(move.action)]
    ]
    assert small().dumps().endswith("}\n")


def test_only_the_meaning_counts_not_the_layout() -> None:
    loose = json.dumps(whole(), indent=7, ensure_ascii=True, sort_keys=True)
    assert Record.loads(loose, games.get) == finished()
    shuffled = whole()
    random.Random(1).shuffle(shuffled["moves"][0][1][0])  # a hand has no order
    shuffled["players"][1]["name"] = "  Îon \t “<b>”"
    shuffled["options"] = {}
    assert Record.loads(json.dumps(shuffled), games.get) == finished()


def test_options_are_kept_with_their_defaults() -> None:
    record = Record.begin(GAME, SEATS, {"copies": 9})
    assert record.options == {"copies": 9, "keep_play_area": False}
    assert Record.loads(record.dumps(), games.get).options == record.options


def test_steps_tell_states_and_events() -> None:
    record = small()
    steps = list(record.steps())
    assert [step.at for step in steps] == [0, 1, 2, 3]
    assert steps[0].before == record.start()
    assert all(a.after == b.before for a, b in itertools.pairwise(steps))
    assert steps[-1].after == record.final()
    assert [step.move for step in steps] == list(record.moves)
    assert [len(step.events) for step in steps] == [2, 1, 4, 1]
    assert record.names == ("Ana", "Îon “<b>”")


def test_moves_that_do_not_fit_are_found_when_replayed() -> None:
    record = small().with_move(0, "ia").with_move(0, "hastur")
    with pytest.raises(InvalidRecord) as error:
        record.final()
    assert error.value.place in ("moves[4]", "moves[5]")
    with pytest.raises(InvalidRecord) as error:
        Match(small().with_move(5, "ia"), 1)
    assert error.value.place == "moves[4]"


def test_a_record_that_begins_at_a_position_says_where_it_was_edited() -> None:
    state = small().final()
    picks = GAME.legal_actions(state, GAME.to_move(state)[0])
    record = Record.begin(GAME, SEATS, {}, state).with_move(GAME.to_move(state)[0], picks[0])
    text = record.dumps()
    assert Record.loads(text, games.get) == record
    whole = json.loads(text)
    changed = copy.deepcopy(whole)
    changed["position"]["points"] = [[1, 2]]
    assert refused(changed).place == "position.points"
    other = next(pick for pick in picks if pick != picks[0])
    changed = copy.deepcopy(whole)
    changed["moves"][0][1] = other
    assert refused(changed).place == "moves[0]"
    swapped = copy.deepcopy(whole)
    swapped["position"]["hands"].reverse()
    swapped["position"]["areas"].reverse()
    swapped["position"]["picks"] = [None, None]
    error = refused(swapped)
    assert error.place in ("position", "moves[0]")
    for value in (None, [], "x", 3):
        assert refused(whole | {"position": value}).place == "position"
    without = copy.deepcopy(whole)
    del without["position"]
    assert refused(without).place in ("moves[0]", "trace", "options")


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ana", "Ana"),
        ("  Ana \t Maria\n", "Ana Maria"),
        ("x" * 40, "x" * 40),
        ("Jose\u0301", "Jos\u00e9"),
        ("<b>&amp;</b> {player} %s", "<b>&amp;</b> {player} %s"),
        ("ქეთი 李 عمر 👩\u200d🚀", "ქეთი 李 عمر 👩\u200d🚀"),
        ("\u00a0Ana\u2028Ion", "Ana Ion"),
        ("?", "?"),
    ],
)
def test_names_are_kept_in_one_spelling(given: str, kept: str) -> None:
    assert clean_name(given, "x") == kept
    assert clean_name(kept, "x") == kept
    record = Record.begin(GAME, (Player(given), Player("Ion2")))
    assert record.names == (kept, "Ion2")
    assert Record.loads(record.dumps(), games.get) == record


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("", "error.name-empty"),
        (" \t\n", "error.name-empty"),
        ("\u200b\u200d", "error.name-empty"),
        ("\u0301", "error.name-empty"),
        (None, "error.name-empty"),
        (7, "error.name-empty"),
        (["Ana"], "error.name-empty"),
        ("x" * 41, "error.name-long"),
        ("x" * 10**6, "error.name-long"),
        ("A\x00", "error.name-characters"),
        ("A\x1b[2Jna", "error.name-characters"),
        ("A\x7f", "error.name-characters"),
        ("A\x9b2J", "error.name-characters"),
        ("A\ud800", "error.name-characters"),
        ("A\u202enA", "error.name-characters"),
        ("A\u2066na", "error.name-characters"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_names_that_are_none_are_refused(name: Any, key: str) -> None:
    with pytest.raises(InvalidSheet) as error:
        clean_name(name, "players[0].name", InvalidSheet)
    assert (error.value.place, error.value.message.key) == ("players[0].name", key)
    if isinstance(name, str):
        with pytest.raises(InvalidOption) as begun:
            Record.begin(GAME, (Player("Ana"), Player(name)))
        assert begun.value.place == "players[1].name"
        value = whole()
        value["players"][1]["name"] = name
        assert refused(value).place == "players[1].name"


@given(st.text(max_size=50))
@few
def test_any_name_that_is_taken_can_be_written_and_read(name: str) -> None:
    try:
        record = Record.begin(GAME, (Player(name), Player("other one")))
    except InvalidOption as error:
        assert error.place == "players[0].name"
        return
    assert Record.loads(record.dumps(), games.get) == record
    record.dumps().encode("utf-8")


# -- damaged texts --------------------------------------------------------------------------------


def test_a_text_cut_anywhere_is_refused() -> None:
    text = small().dumps()
    complete = text.rstrip()
    for length in range(len(complete)):
        error = refused(text[:length])
        assert error.message.key == "error.not-json"
        assert dict(error.message.params)["line"] in range(1, text.count("\n") + 2)


@given(at=st.integers(0, 10**6), piece=st.text(max_size=3))
@few
def test_a_text_with_anything_put_into_it_is_refused_or_the_same(at: int, piece: str) -> None:
    text = small().dumps()
    at %= len(text)
    for damaged in (text[:at] + piece + text[at:], text[:at] + piece + text[at + 1 :]):
        try:
            assert Record.loads(damaged, games.get) == small()
        except InvalidRecord as error:
            assert error.place or error.message.key in ("error.not-json", "error.key-twice")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("nonsense", 1, 1),
        ("{", 1, 2),
        ('{"format" "lovecraft-record"}', 1, 11),
        ("{\n  'format': 1}", 2, 3),
        ("[1,\n 2,\n  NaN]", 3, 3),
        ('["NaN -Infinity",\nInfinity]', 2, 1),
        ('["\\"NaN",  -Infinity]', 1, 12),
        ("[" + "9" * 5000 + "]", 1, 2),
        ('["' + "9" * 5000 + '",\n -' + "9" * 5000 + "]", 2, 3),
        ("\ufeff{}", 1, 1),
        ("{} {}", 1, 4),
        ('"\x00"', 1, 2),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_what_is_not_json_is_refused_with_line_and_column(
    text: str, line: int, column: int
) -> None:
    error = refused(text)
    assert error.message.key == "error.not-json"
    assert dict(error.message.params) == {"line": line, "column": column}


@pytest.mark.parametrize("text", ["null", "true", "0", "1e999", '"x"', "[]", "[{}]", "{}"])
def test_other_json_is_no_record(text: str) -> None:
    assert refused(text).place == "record"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[]," * 100 + "[{" * 50_000,
        '["\\\\", "]]]]", ' + "[" * 100_000,
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    ],
    ids=lambda text: text[:8],
)
def test_endless_nesting_is_refused(text: str) -> None:
    assert refused(text).message.key == "error.too-deep"


def test_brackets_in_strings_and_many_side_by_side_are_no_nesting() -> None:
    for value in (["[" * 1000], [[]] * 1000, {'\\"[{' * 100: [{"]": "["}] * 100}, "\\" * 999):
        assert parse_json(json.dumps(value)) == value
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_json(deepest) == json.loads(deepest)
    assert parse_json(f"[{deepest[1:-1]}]") == json.loads(deepest)


@pytest.mark.parametrize(
    "text",
    ['["' + '\\"' * 400_000, '[[[["' + "\\" * 999_999, "[" * 65 + '"a' * 300_001, '"[' * 400_001],
)
def test_strings_without_an_end_are_refused_at_once(text: str) -> None:
    """In a time that grows with the length only: each of these would take hours otherwise."""
    assert refused(text).message.key in ("error.not-json", "error.too-deep")


@pytest.mark.parametrize("depth", [10, 100, 300, 600, 900, 2000])
def test_nesting_anywhere_in_a_record_is_refused(depth: int) -> None:
    nested = "[" * depth + "]" * depth
    places = {
        '"version": 1': '"version": %s',
        '"copies": 7': '"copies": %s',
        '"name": "Ana"': '"name": %s',
        '"kind": "human"': '"kind": %s',
        '"outcome": null': '"outcome": {"totals": %s}',
        '[0, "': '[%s, "',
        '["chance", [[': '["chance", [%s, [',
    }
    for old, new in places.items():
        text = small().dumps()
        assert old in text
        error = refused(text.replace(old, new % nested, 1))
        assert (error.message.key == "error.too-deep") == (depth > MAX_DEPTH - 5)
        assert error.place or depth > MAX_DEPTH - 5


def test_a_huge_text_is_refused_before_it_is_read() -> None:
    assert refused(" " * (MAX_CHARACTERS + 1)).message.key == "error.too-long"
    value = whole()
    value["moves"] = [[0, "ia"]] * (MAX_MOVES + 1)
    error = refused(value)
    assert (error.place, error.message.key) == ("moves", "error.too-long")


def test_many_players_and_moves_are_refused() -> None:
    value = whole()
    value["players"] = value["players"] * 5000
    assert refused(value).place == "players"
    value = whole()
    value["moves"] += [[0, "ia"]] * (MAX_MOVES - 45)
    error = refused(value)
    assert (error.place, error.message.key) == ("moves[45]", "error.game-over")


def test_a_name_that_stands_twice_is_refused() -> None:
    text = small().dumps()
    error = refused(text.replace('"version": 1', '"version": 2, "version": 1'))
    assert str(error) == "“version” stands twice in the same place."
    twice = text.replace('{"name": "Ana"', '{"name": "Eva", "name": "Ana"')
    assert refused(twice).message.key == "error.key-twice"
    with pytest.raises(InvalidSheet):
        parse_json('{"ia": 1, "ph": {"a": 1, "b": 2, "a": 1}}', InvalidSheet)


# -- edited records -------------------------------------------------------------------------------

Edit = Callable[[dict[str, Any]], object]


def put(*path: Any) -> Edit:
    """An edit that sets the last item at the path of the others."""
    *way, last, value = path

    def edit(whole: dict[str, Any]) -> None:
        at: Any = whole
        for step in way:
            at = at[step]
        at[last] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        *((lambda w, name=name: w.pop(name), "record") for name in json.loads(
            Record.begin(GAME, SEATS).dumps()
        )),
        (put("extra", 1), "extra"),
        (put("", 1), "record"),
        (put("x" * 1000, 1), "x" * 40),
        (put("format", "chess-record"), "format"),
        (put("format", None), "format"),
        (put("version", 0), "version"),
        (put("version", 2), "version"),
        (put("version", True), "version"),
        (put("version", 1.0), "version"),
        (put("version", "1"), "version"),
        (put("version", 10**400), "version"),
        (put("game", "chess"), "game"),
        (put("game", ""), "game"),
        (put("game", None), "game"),
        (put("game", ["ancient-cards"]), "game"),
        (put("options", []), "options"),
        (put("options", None), "options"),
        (put("options", "copies", 8), "options"),
        (put("options", "copies", 13), "options.copies"),
        (put("options", "copies", 7.0), "options.copies"),
        (put("options", "copies", "7"), "options.copies"),
        (put("options", "copies", {"a": [1]}), "options.copies"),
        (put("options", "keep_play_area", True), "moves[30]"),
        (put("options", "keep_play_area", 0), "options.keep_play_area"),
        (put("options", "colour", "red"), "options.colour"),
        (put("players", None), "players"),
        (put("players", []), "players"),
        (put("players", {"0": 1}), "players"),
        (put("players", ["Ana", "Ion"]), "players[0]"),
        (put("players", 1, None), "players[1]"),
        (put("players", 1, {}), "players[1]"),
        (put("players", 1, {"name": "Ion"}), "players[1]"),
        (put("players", 1, {"name": "Ion", "kind": 1}), "players[1].kind"),
        (put("players", 1, {"name": 5, "kind": "human"}), "players[1].name"),
        (put("players", 1, "age", 30), "players[1].age"),
        (put("players", 1, "name", "Ion"), "players"),
        (put("players", 1, "kind", "human"), "players"),
        (put("players", 1, "kind", ""), "players[1].kind"),
        (put("players", 1, "kind", "x" * 41), "players[1].kind"),
        (lambda w: w["players"].reverse(), "players"),
        (lambda w: w["players"].append({"name": "Eva", "kind": "human"}), "moves[0]"),
        (lambda w: w["players"].pop(), "players"),
        (put("moves", None), "moves"),
        (put("moves", {}), "moves"),
        (put("moves", "abc"), "moves"),
        (put("moves", []), "trace"),
        (put("moves", 5, None), "moves[5]"),
        (put("moves", 5, []), "moves[5]"),
        (put("moves", 5, [0]), "moves[5]"),
        (put("moves", 5, [0, "ia", 1]), "moves[5]"),
        (put("moves", 5, {"0": "ia"}), "moves[5]"),
        (put("moves", 5, 0, None), "moves[5][0]"),
        (put("moves", 5, 0, 2), "moves[5]"),
        (put("moves", 5, 0, 7), "moves[5][0]"),
        (put("moves", 5, 0, -1), "moves[5][0]"),
        (put("moves", 5, 0, True), "moves[5][0]"),
        (put("moves", 5, 0, 1.0), "moves[5][0]"),
        (put("moves", 5, 0, "1"), "moves[5][0]"),
        (put("moves", 5, 0, "Chance"), "moves[5][0]"),
        (put("moves", 5, 0, ["chance"]), "moves[5][0]"),
        (put("moves", 5, 0, 10**400), "moves[5][0]"),
        (put("moves", 5, 0, "chance"), "moves[5]"),
        (put("moves", 5, 1, "hastur"), "moves[5][1]"),
        (put("moves", 5, 1, None), "moves[5][1]"),
        (put("moves", 5, 1, [["ia"] * 7] * 2), "moves[5]"),
        (put("moves", 0, 1, "ia"), "moves[0]"),
        (put("moves", 0, 1, []), "moves[0]"),
        (put("moves", 0, 1, 0, 3, "hastur"), "moves[0][1][0][3]"),
        (put("moves", 0, 1, 0, []), "moves[0][1][0]"),
        (put("moves", 0, 1, [["ia"] * 7] * 2), "moves[0]"),
        (lambda w: w["moves"].pop(), "trace"),
        (lambda w: w["moves"].append([0, "ia"]), "moves[45]"),
        (put("outcome", None), "outcome"),
        (put("outcome", {}), "outcome"),
        (put("outcome", []), "outcome"),
        (put("outcome", "totals", [0, 0]), "outcome"),
        (put("outcome", "totals", None), "outcome"),
        (put("outcome", "winners", [0, 1]), "outcome"),
        (put("outcome", "tiebreak", "luck"), "outcome"),
        (put("outcome", "more", 1), "outcome"),
        (lambda w: w["outcome"].pop("ranks"), "outcome"),
        (lambda w: w["outcome"].update(ranks=[float(r) for r in w["outcome"]["ranks"]]), "outcome"),
        (lambda w: w["outcome"].update(ranks=[r == 1 or r for r in w["outcome"]["ranks"]]),
         "outcome"),
        (put("trace", None), "trace"),
        (put("trace", ""), "options"),
        (put("trace", "x" * 1000), "options"),
        (lambda w: w.update(trace=w["trace"][:-1]), "trace"),
        (lambda w: w.update(trace=w["trace"] + "0"), "trace"),
        (lambda w: w.update(trace=w["trace"].upper()), "options"),
    ],
)  # fmt: skip
def test_edits_are_refused_where_they_are(edit: Edit, place: str) -> None:
    value = whole()
    edit(value)
    assert refused(value).place == place


def test_a_changed_choice_is_found_at_its_move() -> None:
    """Every pick of a whole game, replaced by another legal one."""
    found = []
    for step in finished().steps():
        legal = GAME.legal_actions(step.before, step.move.player)
        for other in set(legal) - {step.move.action}:
            value = whole()
            value["moves"][step.at][1] = other
            error = refused(value)
            at = int(error.place.removeprefix("moves[").rstrip("]"))
            assert at >= step.at
            found.append(at == step.at or error.message.key != "error.record-edited")
    assert len(found) > 80
    assert all(found)


def test_a_swapped_order_of_picks_is_an_edit_too() -> None:
    value = whole()
    moves = value["moves"]
    moves[1], moves[2] = moves[2], moves[1]
    error = refused(value)
    assert (error.place, error.message.key) == ("moves[1]", "error.record-edited")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "kind", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(data=st.data(), value=json_values)
@settings(max_examples=150, deadline=None)
def test_anything_put_anywhere_is_refused_or_means_the_same(
    data: st.DataObject, value: object
) -> None:
    edited: Any = json.loads(small().dumps())
    original = copy.deepcopy(edited)
    at = edited
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        inner = at[key]
        if isinstance(inner, (dict, list)) and inner and data.draw(st.booleans()):
            at = inner
        else:
            at[key] = value
            break
    try:
        record = Record.from_json(edited, games.get)
    except InvalidRecord as error:
        assert error.place
    else:
        assert record == small()
        assert edited == original or edited["options"] == {}


def test_a_game_that_is_asked_for_by_a_wrong_name_is_a_refusal() -> None:
    calls: list[str] = []

    def find(name: str) -> Any:
        calls.append(name)
        return games.get(name)

    Record.loads(small().dumps(), find)
    assert calls == ["ancient-cards"]


def test_moves_and_players_are_plain_values() -> None:
    assert Move(0, "ia") == (0, "ia")
    assert Player("Ana") == ("Ana", "human")
    assert Record.begin(GAME, SEATS).moves == ()
    assert record_module.VERSION == 1
