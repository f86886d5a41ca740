"""Readings and card figures: found by playing, the same each time, and true when replayed."""

from __future__ import annotations

import pytest

from lovecraft import bots, games
from lovecraft.core import CHANCE, AnyGame, play
from lovecraft.explain.cards import Study
from lovecraft.explain.desks import desk
from lovecraft.explain.readings import Search, name, readings, value_name
from lovecraft.i18n import LANGUAGES, text

READINGS = [reading for game in games.GAMES.values() for reading in readings(game)]
NAMES = tuple("ABCDEFG")
every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.id)


def test_every_option_that_can_be_read_otherwise_is_a_reading() -> None:
    assert {(r.game.id, r.option.name) for r in READINGS} == {
        (game.id, option.name)
        for game in games.GAMES.values()
        for option in game.options
        if len(option.values) > 1 and not option.data
    }


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_each_reading_matters_somewhere_and_there_it_does(reading) -> None:  # type: ignore[no-untyped-def]
    search = Search(reading)
    while not search.found:
        assert not search.step()
    for difference in search.differences:
        game, seat = reading.game, difference.seat
        assert difference.left != difference.right
        assert all(rule in game.rules for rule in difference.rules)
        left, right = difference.state, difference.other
        assert left.setup != right.setup
        if difference.kind == "moves":
            assert game.legal_actions(left, seat) != game.legal_actions(right, seat)
        elif difference.kind == "seen":
            assert game.in_words(game.observe(left, 0)) != game.in_words(game.observe(right, 0))
        elif difference.kind == "deal":
            assert seat == CHANCE
        for lang in LANGUAGES:
            for line in (*difference.left, *difference.right):
                assert text(line, lang, NAMES)
            assert text(name(reading), lang)
            assert text(value_name(reading, reading.value), lang)
    again = Search(reading)
    while not again.found:
        again.step()
    assert again.differences == search.differences


@every_game
def test_figures_of_cards_are_those_of_the_games_played(game: AnyGame) -> None:
    agents = [bots.uniform] * game.min_players
    study = Study(game, agents, seed=1, games=6)
    while not study.step():
        pass
    showings = [
        showing
        for number in range(6)
        for showing in desk(game.id).showings(play(game, agents, f"1/{number}"))
    ]
    seen = {piece for showing in showings for piece in showing.pieces}
    assert seen
    for card in seen:
        facts = study.facts(card)
        points = [s.points.get(card, 0) for s in showings if card in s.pieces]
        assert facts is not None
        assert facts.times == len(points) == sum(n for _, n in facts.points)
        assert facts.mean == pytest.approx(sum(points) / len(points))
        assert 0 <= facts.won <= 1 and facts.par == pytest.approx(1 / len(agents))
        for partner in facts.partners:
            beside = [
                s.points.get(card, 0) for s in showings if {card, partner.card} <= {*s.pieces}
            ]
            apart = [
                s.points.get(card, 0)
                for s in showings
                if card in s.pieces and partner.card not in s.pieces
            ]
            gain = sum(beside) / len(beside) - sum(apart) / len(apart)
            assert partner.gain == pytest.approx(gain)
            assert partner.low <= partner.gain <= partner.high
    assert study.facts("no such card") is None
