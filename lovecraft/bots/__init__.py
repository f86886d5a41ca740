"""Players: an observation and a random stream in, one of the observation's actions out.

Nothing else reaches a bot, so it cannot know what its seat does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from lovecraft.bots import greedy
from lovecraft.core.errors import UnknownName
from lovecraft.core.game import AnyGame
from lovecraft.core.match import Agent
from lovecraft.i18n import msg


def uniform(observation: Any, rng: random.Random) -> Any:
    """Any legal action, each as likely."""
    return rng.choice(observation.actions)


LEVELS: Mapping[str, Callable[[AnyGame], Agent]] = {
    "random": lambda game: uniform,
    "greedy": greedy.agent,
}
"""Levels of play, weakest first; every game has all of them."""


def make(level: str, game: AnyGame) -> Agent:
    """The bot of a level for a game. Raises UnknownName, listing the levels there are."""
    try:
        return LEVELS[level](game)
    except KeyError:
        raise UnknownName(
            msg("error.unknown-bot", bot=level[:40], bots=("human", *LEVELS))
        ) from None
