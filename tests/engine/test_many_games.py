"""Thousands of random games over all setups, each written down and replayed to the same end."""

from __future__ import annotations

import pytest
from support import random_game, sample_setup, setups

from lovecraft import games
from lovecraft.core import AnyGame

EVERY_RUN, LONG_RUN = 2_000, 100_000

every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=games.GAMES.keys())


def play_many(game: AnyGame, number: int) -> None:
    """Play, and replay with all checks; every setup gets its share."""
    for seed in range(number):
        record, final = random_game(game, seed)
        assert game.outcome(final) is not None, (game.id, seed)
        assert record.final() == final, (game.id, seed)


@every_game
@pytest.mark.host  # two thousand games are for a quick interpreter; the rules are the same
def test_two_thousand_games(game: AnyGame) -> None:
    assert len({str(sample_setup(game, seed)) for seed in range(EVERY_RUN)}) == len(setups(game))
    play_many(game, EVERY_RUN)


@every_game
@pytest.mark.host
@pytest.mark.long
def test_a_hundred_thousand_games(game: AnyGame) -> None:
    play_many(game, LONG_RUN)
