"""Matches, random streams and playouts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from lovecraft import bots, games
from lovecraft.core import (
    CHANCE,
    CHANCE_MOVES,
    IllegalAction,
    InvalidOption,
    Match,
    Player,
    Record,
    play,
    playout,
    stream,
)

GAME = games.get("ancient-cards")


def new_match(seed: object, players: int = 3) -> Match:
    seats = tuple(Player(f"P{i}", "random") for i in range(players))
    return Match(Record.begin(GAME, seats), seed)


def test_streams_depend_on_seed_seat_and_turn_only() -> None:
    draws = {
        key: stream(*key).random()
        for key in [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("a", CHANCE, 0), ("b", 0, 0), (1, 1, 1)]
    }
    assert len(set(draws.values())) == len(draws)
    for key, value in draws.items():
        assert stream(*key).random() == value
    # pinned: the same seed must give the same game on every platform and in every version
    assert stream("seed", 0, 0).random() == random.Random("seed/0/0").random()
    assert stream("\udcff ä", 0, 0).random() < 1


def test_the_same_seed_is_the_same_game() -> None:
    agents = [bots.make("random", GAME)] * 4
    assert play(GAME, agents, 7) == play(GAME, agents, "7")
    assert play(GAME, agents, 7) != play(GAME, agents, 8)


def test_a_resumed_game_goes_on_as_it_would_have() -> None:
    agents = [bots.make("greedy", GAME), bots.make("random", GAME)]
    seats = (Player("Ana", "greedy"), Player("Ion", "random"))
    whole = play(GAME, agents, "s", seats)
    for length in (0, 1, 2, 3, 4, 15, 16, 30, len(whole.moves)):
        match = Match(whole.upto(length), "s")
        while movers := GAME.to_move(match.state):
            if movers == CHANCE_MOVES:
                match.play_chance()
            else:  # in the middle of a joint choice those still to move go on
                match.play(movers[0], match.ask(movers[0], agents[movers[0]]))
        assert match.record == whole


def test_an_illegal_action_changes_nothing() -> None:
    match = new_match(1)
    match.play_chance()
    before = (match.state, match.record, match.stream(0).random())
    with pytest.raises(IllegalAction):
        match.play(0, "hastur")
    with pytest.raises(IllegalAction):
        match.play(9, "ia")
    assert (match.state, match.record, match.stream(0).random()) == before


def test_chance_plays_only_when_it_is_to_move() -> None:
    match = new_match(1)
    dealt = match.play_chance()
    assert [event.kind for event in dealt] == ["dealt"] * 3
    assert match.play_chance() == ()
    assert len(match.record.moves) == 1


def test_agents_see_their_own_observation_and_decide_before_anyone_acts() -> None:
    asked: list[tuple[int, tuple[bool, ...]]] = []

    def watching(observation: Any, rng: random.Random) -> Any:
        asked.append((observation.player, observation.chosen))
        return observation.actions[0]

    record = play(GAME, [watching] * 3, 1)
    assert record.outcome() is not None
    assert [player for player, _ in asked] == [0, 1, 2] * 21
    assert {chosen for _, chosen in asked} == {(False, False, False)}


def test_a_match_needs_the_right_number_of_seats() -> None:
    with pytest.raises(InvalidOption) as refused:
        play(GAME, [bots.uniform], 1)
    assert refused.value.place == "players"


def test_an_agent_that_cheats_is_stopped() -> None:
    with pytest.raises(IllegalAction):
        play(GAME, [lambda observation, rng: "hastur"] * 2, 1)


def test_playouts_are_uniform_and_leave_the_start_alone() -> None:
    start = GAME.start(GAME.setup(2))
    kept = start
    first: dict[str, int] = {}
    rng = random.Random(3)
    dealt = GAME.advance(start, CHANCE, GAME.draw(start, rng))
    legal = GAME.legal_actions(dealt, 0)

    class Spy:
        """The game, noting the first joint move of each playout."""

        to_move, legal_actions = GAME.to_move, GAME.legal_actions
        draw, advance = GAME.draw, GAME.advance

        def advance_together(self, state: Any, joint: Any) -> Any:
            if state is dealt:
                first[joint[0]] = first.get(joint[0], 0) + 1
            return GAME.advance_together(state, joint)

    n = 600
    for _ in range(n):
        assert GAME.outcome(playout(Spy(), dealt, rng)) is not None  # type: ignore[arg-type]
    assert set(first) == set(legal)
    assert all(abs(count / n - 1 / len(legal)) < 0.07 for count in first.values())
    assert start == kept


def test_a_playout_lets_a_single_seat_choose_uniformly_too() -> None:
    start = GAME.start(GAME.setup(2))
    rng, n = random.Random(4), 600
    dealt = GAME.advance(start, CHANCE, GAME.draw(start, rng))
    alone = GAME.advance(dealt, 0, GAME.legal_actions(dealt, 0)[0])
    assert GAME.to_move(alone) == (1,)
    legal = GAME.legal_actions(alone, 1)
    first: dict[str, int] = {}

    class Spy:
        """The game, noting what the seat that is alone to move does."""

        to_move, legal_actions, draw = GAME.to_move, GAME.legal_actions, GAME.draw
        advance_together = GAME.advance_together

        def advance(self, state: Any, player: int, action: Any) -> Any:
            if state is alone:
                first[action] = first.get(action, 0) + 1
            return GAME.advance(state, player, action)

    for _ in range(n):
        playout(Spy(), alone, rng)  # type: ignore[arg-type]
    assert set(first) == set(legal)
    assert all(abs(count / n - 1 / len(legal)) < 0.07 for count in first.values())


def test_a_seed_gives_the_same_game_on_every_platform() -> None:
    file = Path(__file__).parents[1] / "golden" / "ancient-cards" / "shared-victory.json"
    kept = Record.loads(file.read_text("utf-8"), games.get)
    assert play(GAME, [bots.make("random", GAME)] * 2, "golden 12", kept.players) == kept
