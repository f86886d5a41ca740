"""Greedy bots: for each game the action that looks best one step ahead, by its rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from lovecraft.bots.greedy import ancient_cards, mythicals, ritos_ancestrais, tides_of_madness
from lovecraft.core.game import AnyGame
from lovecraft.core.match import Agent

Values = Callable[[Any], Mapping[Any, float]]
"""From an observation to a value per legal action; only their order matters."""

VALUES: Mapping[str, Values] = {
    "ancient-cards": ancient_cards.values,
    "mythicals": mythicals.values,
    "ritos-ancestrais": ritos_ancestrais.values,
    "tides-of-madness": tides_of_madness.values,
}


def agent(game: AnyGame) -> Agent:
    """A bot that takes the action of highest value, by chance among equals."""
    values = VALUES[game.id]

    def choose(observation: Any, rng: random.Random) -> Any:
        worth = values(observation)
        best = max(worth.values())
        return rng.choice([action for action, value in worth.items() if value == best])

    return choose
