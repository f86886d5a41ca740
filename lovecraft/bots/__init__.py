"""Players: an observation and a random stream in, one of the observation's actions out.

Nothing else reaches a bot, so it cannot know what its seat does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from lovecraft.bots import greedy
from lovecraft.bots.budget import Budget
from lovecraft.bots.thinking import Thought
from lovecraft.core.errors import InvalidOption, UnknownName
from lovecraft.core.game import AnyGame
from lovecraft.core.match import Agent
from lovecraft.i18n import msg

__all__ = ["LEVELS", "Budget", "Level", "Thought", "make", "named", "think", "uniform"]


MOST = 10_000_000
"""The highest budget that may be asked for, in seconds or iterations."""


def uniform(observation: Any, rng: random.Random) -> Any:
    """Any legal action, each as likely."""
    return rng.choice(observation.actions)


class Level(NamedTuple):
    """A level of play: one that decides at once, or one that thinks within a budget."""

    simple: Callable[[AnyGame], Agent] | None = None
    budget: Budget | None = None
    solve: bool = False


LEVELS: Mapping[str, Level] = {
    "random": Level(simple=lambda game: uniform),
    "greedy": Level(simple=greedy.agent),
    "adept": Level(budget=Budget(seconds=0.3)),
    "master": Level(budget=Budget(seconds=1.5), solve=True),
}
"""Levels of play, weakest first, with their budget per decision; every game has all of them.

``adept`` searches; ``master`` searches longer, and solves what is small enough exactly.
"""


def make(level: str, game: AnyGame, budget: Budget | None = None) -> Agent:
    """The bot of a level for a game, with another budget if one is given.

    A budget may also stand in the name, see :func:`named`. With a budget of iterations alone a bot
    plays the same for the same stream and observation; on a clock its choice may differ from run to
    run. Raises UnknownName, listing the levels there are; InvalidOption for a budget that is none.
    """
    wanted = named(level)
    if wanted.simple:
        return wanted.simple(game)

    def choose(observation: Any, rng: random.Random) -> Any:
        return think(level, game, observation, rng, budget).finish().choice

    return choose


def think(
    level: str, game: AnyGame, observation: Any, rng: random.Random, budget: Budget | None = None
) -> Thought:
    """One decision of a level that thinks, to be driven in slices.

    Raises UnknownName for a level that there is not, or that decides at once (see :func:`make`).
    """
    wanted = named(level)
    allowed = budget or wanted.budget
    if allowed is None:
        raise _unknown(level)
    return Thought(game, observation, rng, allowed, wanted.solve)


def named(spec: str) -> Level:
    """The level of a name, with another budget than its own after ``@``.

    ``master`` as it plays in the browser, ``master@15s`` for 15 seconds a decision, ``master@2000``
    for 2000 iterations. Raises UnknownName for a level, InvalidOption for a budget.
    """
    name, at, limit = spec.partition("@")
    if name not in LEVELS:
        raise _unknown(name)
    level = LEVELS[name]
    if not at:
        return level
    try:
        budget = Budget(float(limit[:-1])) if limit.endswith("s") else Budget(None, int(limit))
    except ValueError:
        budget = Budget(0.0)
    amount = budget.iterations or budget.seconds or 0
    if level.budget is None or not 0 < amount <= MOST:
        raise InvalidOption(msg("error.bot-budget", bot=spec[:40]), "bots")
    return level._replace(budget=budget)


def _unknown(level: str) -> UnknownName:
    return UnknownName(msg("error.unknown-bot", bot=level[:40], bots=("human", *LEVELS)))
