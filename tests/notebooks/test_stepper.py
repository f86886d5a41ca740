"""The widget that walks through a game."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lovecraft import bots, games, notebook
from lovecraft.core import AnyGame, Player, Record, UnknownName, play
from lovecraft.i18n import LANGUAGES, text
from lovecraft.notebook.widget import EVERYBODY, Stepper

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(params=list(games.GAMES))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return games.get(request.param)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = notebook.language()
    notebook.language("en")
    yield
    notebook.language(before)


def record(game: AnyGame, *names: str) -> Record:
    seats = [Player(name) for name in names or ("Ana", "Ion")]
    agents = [bots.make("greedy", game), bots.make("random", game)]
    return play(game, agents, seed=11, players=seats)


def test_forward_back_and_no_further(game: AnyGame) -> None:
    stepper = notebook.stepper(record(game))
    last = len(stepper.walk) - 1
    assert stepper.back.disabled and not stepper.forward.disabled
    stepper.forward.clicks += 1
    assert stepper.at == 1 and not stepper.back.disabled
    assert text("notebook.happened", number=1) in stepper.position.object
    stepper.back.clicks += 1
    assert stepper.at == 0
    stepper.at = last + 5
    assert stepper.at == last and stepper.forward.disabled
    stepper.at = -3
    assert stepper.at == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_has_an_answer(game: AnyGame, lang: str) -> None:
    stepper = notebook.stepper(record(game), lang=lang)
    asked = {"✓": 0, "✗": 0}
    for at in range(0, len(stepper.walk), 7):
        stepper.at = at
        scene = stepper.walk[at]
        for option in stepper.action.options:
            stepper.action.value = option
            allowed = text("notebook.allowed", lang) in stepper.answer.object
            assert allowed == (option[0] == "✓")
            asked[option[0]] += 1
        legal = sum(len(mover.legal) for mover in scene.movers)
        assert sum(option[0] == "✓" for option in stepper.action.options) == legal
    assert min(asked.values()) > 3


def test_a_seat_sees_what_it_may_see() -> None:
    """The other's hand, choices and secret events stay out of a seat's view."""
    game = games.get("tides-of-madness")
    played = record(game)
    stepper = notebook.stepper(played, seat=0)
    for at in range(1, len(stepper.walk)):
        stepper.at = at
        state = stepper.walk.state(at)
        hidden = set(game.observe(state, 1).actions) - set(game.observe(state, 0).actions)
        listed = " ".join(stepper.action.options)
        known = " ".join(map(text, game.in_words(game.observe(state, 0))))
        for action in hidden:
            words = text(game.describe(action))
            assert f"✓ {words}" not in stepper.action.options, (at, words)
        for event in stepper.walk[at - 1].events:
            if event.secret_text and event.player == 1:
                assert text(event.secret_text, names=played.names) not in stepper.position.object
        assert listed or known


def test_all_cards_open_shows_both_hands() -> None:
    game = games.get("tides-of-madness")
    stepper = notebook.stepper(record(game))
    stepper.at = 1
    assert stepper.seat == EVERYBODY
    for name in ("Ana", "Ion"):
        assert f"{name} · " in " ".join(stepper.action.options)
        assert text("notebook.knows", player=name) in stepper.position.object


def test_names_are_escaped_and_may_be_alike(game: AnyGame) -> None:
    stepper = notebook.stepper(record(game, EVIL, EVIL))
    for seat in (EVERYBODY, 0, 1):
        stepper.seat = seat
        for at in (0, 3, len(stepper.walk) - 1):
            stepper.at = at
            assert "<img" not in stepper.position.object + stepper.answer.object
    assert len(stepper.view.options) == 3


def test_a_game_not_begun_can_be_looked_at(game: AnyGame) -> None:
    stepper = notebook.stepper(Record.begin(game, (Player("Ana"), Player("Ion"))))
    assert stepper.at == 0 and stepper.forward.disabled and stepper.slider.disabled


def test_it_displays_itself() -> None:
    stepper = notebook.stepper(record(games.get("mythicals")))
    assert isinstance(stepper, Stepper)
    assert stepper.__panel__() is stepper.layout


def test_what_is_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    played = record(games.get("mythicals"))
    with pytest.raises(UnknownName, match="no such seat"):
        notebook.stepper(played, seat=2)
    real = builtins.__import__

    def without_panel(name: str, *rest: Any) -> Any:
        if name == "panel":
            raise ModuleNotFoundError("No module named 'panel'", name="panel")
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "lovecraft.notebook.widget")
    monkeypatch.setattr(builtins, "__import__", without_panel)
    with pytest.raises(notebook.Missing, match=r"needs panel: install lovecraft\[notebooks\]"):
        notebook.stepper(played)
