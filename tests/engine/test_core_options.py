"""Options, rule books and errors."""

from __future__ import annotations

from typing import Any

import pytest

from lovecraft import bots, games
from lovecraft.core import IllegalAction, InvalidOption, Option, Rule, RuleBook, UnknownName
from lovecraft.core.options import label, resolve
from lovecraft.i18n import LANGUAGES, msg, text

OPTIONS = (
    Option("number", 2, (1, 2, 3), "g/number"),
    Option("flag", False, (False, True), "g/flag"),
    Option("word", "long", ("long", "short"), "g/word"),
)


def test_defaults_fill_in() -> None:
    assert resolve(OPTIONS, {}) == {"number": 2, "flag": False, "word": "long"}
    assert resolve(OPTIONS, {"flag": True, "number": 3})["number"] == 3


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("number", 4, "“4” is not possible here; possible are: 1, 2, 3."),
        ("number", True, "“True” is not possible here; possible are: 1, 2, 3."),
        ("number", 2.0, "“2.0” is not possible here; possible are: 1, 2, 3."),
        ("number", "2", "“2” is not possible here; possible are: 1, 2, 3."),
        ("flag", 0, "“0” is not possible here; possible are: false, true."),
        ("word", "x" * 99, f"“{'x' * 39}…” is not possible here; possible are: long, short."),
        ("word", "x" * 40, f"“{'x' * 40}” is not possible here; possible are: long, short."),
        ("word", None, "“None” is not possible here; possible are: long, short."),
    ],
)
def test_values_are_checked_by_type_too(name: str, value: Any, shown: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        resolve(OPTIONS, {name: value})
    assert str(refused.value) == f"options.{name}: {shown}"


@pytest.mark.parametrize("value", [[7], {"a": [7]}, (), object()], ids=lambda v: type(v).__name__)
def test_values_that_cannot_be_shown_are_refused_all_the_same(value: object) -> None:
    with pytest.raises(InvalidOption) as refused:
        resolve(OPTIONS, {"number": value})
    assert str(refused.value) == "options.number: “…” is not possible here; possible are: 1, 2, 3."


def test_a_number_too_long_to_be_shown_is_refused_all_the_same() -> None:
    with pytest.raises(InvalidOption) as refused:
        resolve(OPTIONS, {"number": 10**6000})
    assert refused.value.place == "options.number"
    assert "“…”" in str(refused.value)


def test_unknown_options_are_named() -> None:
    with pytest.raises(InvalidOption) as refused:
        resolve(OPTIONS, {"nummer": 1})
    assert str(refused.value) == (
        "options.nummer: The game has no such option; it has: number, flag, word."
    )
    with pytest.raises(InvalidOption) as refused:
        resolve((), {"x" * 100: 1})
    assert str(refused.value) == (f"options.{'x' * 39}…: The game has no such option; it has: –.")


def test_labels() -> None:
    assert label("g", "word") == msg("option.g.word")
    assert label("g", "word", "short") == msg("option.g.word.short")
    assert label("g", "number", 3) == msg("option.g.number")


def test_a_rule_book_keeps_its_order_and_refuses_mistakes() -> None:
    deal, end = Rule("g/deal", "seed", "setup"), Rule("g/end", "house", "end")
    book = RuleBook("g", deal, end)
    assert list(book) == [deal, end]
    assert len(book) == 2
    assert "g/end" in book and "g/x" not in book and None not in book
    assert book["g/end"] is end
    with pytest.raises(UnknownName) as refused:
        book["g/x"]
    assert str(refused.value) == "There is no rule “g/x”."
    for wrong in (
        (deal, deal),
        (Rule("h/deal", "seed"),),
        (Rule("gdeal", "seed"),),
        (Rule("g/deal", "seed", "no-section"),),
    ):
        with pytest.raises(ValueError, match="g"):
            RuleBook("g", *wrong)


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(UnknownName) as refused:
        games.get("chess" * 20)
    assert str(refused.value).startswith("There is no game “chesschess")
    assert len(str(refused.value)) < 200
    assert "ancient-cards" in str(refused.value)
    with pytest.raises(UnknownName) as refused:
        bots.make("deep-blue", games.get("ancient-cards"))
    assert str(refused.value) == (
        "There is no player of kind “deep-blue”; there are: "
        + ", ".join(("human", *bots.LEVELS))
        + "."
    )


def test_errors_are_sentences_led_by_their_place() -> None:
    plain = IllegalAction("g/turn", msg("error.not-your-turn"))
    assert (plain.rule, plain.place, str(plain)) == ("g/turn", "", "It is not this player’s turn.")
    placed = InvalidOption(msg("error.players-exact", game=msg("core.nothing"), n=2), "players")
    assert [placed.text(lang) for lang in LANGUAGES] == [
        "players: nothing is for exactly 2 players.",
        "players: nada é para exatamente 2 jogadores.",
        "players: nada es para exactamente 2 jugadores.",
        "players: nimic se joacă în exact 2 jucători.",
    ]


def test_player_counts_are_told_as_a_range_or_exactly() -> None:
    for game in games.GAMES.values():
        with pytest.raises(InvalidOption) as refused:
            game.setup(game.max_players + 1)
        sentence = str(refused.value)
        assert text(game.name) in sentence
        assert str(game.max_players) in sentence
        assert ("exactly" in sentence) == (game.min_players == game.max_players)
