"""Exact solvers of small endings, per game."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from lovecraft.bots.exact import ancient_cards, mythicals, tides_of_madness
from lovecraft.bots.exact.node import Node, Solution, Task
from lovecraft.core.game import AnyGame

TASKS: Mapping[str, Callable[[AnyGame, Any, random.Random], Task | None]] = {
    "ancient-cards": ancient_cards.task,
    "mythicals": mythicals.task,
    "tides-of-madness": tides_of_madness.task,
}

__all__ = ["TASKS", "Node", "Solution", "Task", "task"]


def task(game: AnyGame, observation: Any, rng: random.Random) -> Task | None:
    """What can be solved in place of a search, or None.

    Where cards are hidden it is one deal of them, drawn from ``rng``: see ``Task.sampled``.
    """
    find = TASKS.get(game.id)
    return find(game, observation, rng) if find else None
