"""What the engine tests share: samples of setups, and random games with every step kept."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lovecraft.core import CHANCE_MOVES, AnyGame, InvalidOption, Move, Player, Record


def setups(game: AnyGame) -> list[tuple[int, dict[str, Any]]]:
    """Every allowed player count with every allowed combination of option values."""
    names = [option.name for option in game.options]
    allowed = []
    for players in range(game.min_players, game.max_players + 1):
        for values in itertools.product(*(option.values for option in game.options)):
            options = dict(zip(names, values, strict=True))
            try:
                game.setup(players, options)
            except InvalidOption:
                continue
            allowed.append((players, options))
    return allowed


def sample_setup(game: AnyGame, seed: int) -> tuple[int, dict[str, Any]]:
    """One of the setups, spread evenly over seeds."""
    every = setups(game)
    return every[seed % len(every)]


def random_record(game: AnyGame, seed: int, moves: int | None = None) -> Record:
    """The record of a random game, cut after ``moves`` moves."""
    return random_game(game, seed, moves)[0]


def random_game(game: AnyGame, seed: int, moves: int | None = None) -> tuple[Record, Any]:
    """A game of uniformly random actions on the seed's setup: its record and its last state.

    Those to move act one by one in random order, so positions in between occur too. The states are
    made by ``advance``: replaying the record with ``apply`` is an independent way to the same end.
    """
    rng = random.Random(seed)
    players, options = sample_setup(game, seed)
    record = Record.begin(game, tuple(Player(f"P{i}", "random") for i in range(players)), options)
    state = record.start()
    made: list[Move] = []
    while (movers := game.to_move(state)) and (moves is None or len(made) < moves):
        if movers == CHANCE_MOVES:
            player, action = movers[0], game.draw(state, rng)
        else:
            player = rng.choice(movers)
            action = rng.choice(game.legal_actions(state, player))
        state = game.advance(state, player, action)
        made.append(Move(player, action))
    return replace(record, moves=tuple(made)), state


def positions(game: AnyGame, seed: int) -> Iterator[Any]:
    """Every state of a random game, the last one included."""
    record = random_record(game, seed)
    state = record.start()
    yield state
    for step in record.steps():
        state = step.after
        yield state
