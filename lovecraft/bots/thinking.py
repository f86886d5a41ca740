"""One decision in progress: thinking in slices, and what came of it.

>>> from lovecraft import bots, games
>>> from lovecraft.core import Match, Player, Record
>>> game = games.get("ancient-cards")
>>> match = Match(Record.begin(game, (Player("A"), Player("B"))), seed=1)
>>> events = match.play_chance()
>>> observation = game.observe(match.state, 0)
>>> thought = bots.think("adept", game, observation, match.stream(0), Budget(iterations=50))
>>> while not thought.step(milliseconds=50):
...     pass  # the page breathes here
>>> thought.choice in observation.actions
True
"""

from __future__ import annotations

import gc
import math
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from lovecraft.bots import exact
from lovecraft.bots.budget import Budget
from lovecraft.bots.exact import Task
from lovecraft.bots.guides import searching
from lovecraft.core.game import AnyGame

SLICE = 42
"""Milliseconds that a slice may take; it ends before a step of the work (an iteration, some
positions) that may not fit in."""

FORGET = 0.98
"""How much of the longest step so far is still expected after each further step."""

KEPT = 1 / 8
"""The part of a search that is kept for an action that is to be looked at in any case."""

_NEVER = 1e-9
"""Weights of a mixture below this are rounding."""


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Without looking for cyclic garbage: a search leaves none, and in its large tree that takes
    longer than a slice."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Assessment(NamedTuple):
    """What is thought of one action.

    ``value`` is the expected share of the victory, ``spread`` its standard error (0 where solved
    exactly), ``visits`` how often the search tried it (0 where solved), ``weight`` how likely a
    bot plays it, ``lead`` the expected lead in points at the end where known.
    """

    action: Any
    value: float
    spread: float
    visits: int
    weight: float
    lead: float | None = None


class Thought:
    """Thinking about one observation, to be driven by :meth:`step` or :meth:`finish`.

    With ``solve`` small endings are solved exactly where the budget allows it, and everything else
    is searched. ``also`` is an action that is to be looked at even if it is not promising: a part
    of the budget is kept for it.
    """

    def __init__(
        self,
        game: AnyGame,
        observation: Any,
        rng: random.Random,
        budget: Budget,
        solve: bool = True,
        also: Any = None,
    ) -> None:
        self.game = game
        self.observation = observation
        self.exact = False
        """Whether the assessments are exact: no search, no sampling, no estimate."""
        self._rng = rng
        self._budget = budget
        self._also = also
        self._assessments: tuple[Assessment, ...] = ()
        self._choice: Any = None
        self._longest = 0.0
        self._work = self._thinking(solve)
        self.finished = False

    def step(self, milliseconds: float = SLICE) -> bool:
        """Think for one slice; whether the thought is finished."""
        then = time.perf_counter()
        until = then + milliseconds / 1000
        with _without_collecting():
            for _ in self._work:
                now = time.perf_counter()
                self._longest = max(now - then, self._longest * FORGET)
                if now + self._longest >= until:
                    return False
                then = now
        self.finished = True
        return True

    def finish(self) -> Thought:
        """Think to the end of the budget."""
        with _without_collecting():
            for _ in self._work:
                pass
        self.finished = True
        return self

    @property
    def choice(self) -> Any:
        """The action to play; only when finished."""
        if not self.finished:
            raise RuntimeError("this thought is not finished")
        return self._choice

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """What is thought of each legal action, in their order; only when finished."""
        if not self.finished:
            raise RuntimeError("this thought is not finished")
        return self._assessments

    # -- ways of thinking -------------------------------------------------------------------------

    def _thinking(self, solve: bool) -> Iterator[None]:
        task = exact.task(self.game, self.observation, self._rng) if solve else None
        if task is None or task.nodes > self._budget.nodes:
            yield from self._searching(self._budget)
        elif task.burst:
            yield from self._attempting(task)
        elif task.sampled:
            yield from self._sampling(task)
        else:
            yield from task.solving()
            self._solved(task)

    def _solved(self, task: Task) -> None:
        found, weights = task.solution()
        self._assessments = tuple(
            Assessment(
                action, found[action][0], 0.0, 0, _clean(weights.get(action, 0.0)), found[action][1]
            )
            for action in self.observation.actions
        )
        self._choice = self._rng.choices(
            self.observation.actions, [a.weight for a in self._assessments]
        )[0]
        self.exact = task.last

    def _attempting(self, task: Task) -> Iterator[None]:
        """Solve what may prove too large; then half of the budget is left for a search."""
        half = self._budget.times(0.5)
        end = math.inf if half.seconds is None else half.clock() + half.seconds
        left = half.nodes
        for _ in task.solving():
            yield
            left -= task.burst
            if left < 0 or half.clock() >= end:
                yield from self._searching(half)
                return
        self._solved(task)

    def _searching(self, budget: Budget) -> Iterator[None]:
        actions = self.observation.actions
        if len(actions) == 1 and budget.iterations is None:
            self._choice = actions[0]
            self._assessments = (Assessment(actions[0], math.nan, math.inf, 0, 1.0),)
            return
        search = searching(self.game, self.observation, self._rng)
        yield  # a thousand actions take a while to look at once
        if self._also is None:
            yield from search.running(budget)
        else:
            yield from search.running(budget.times(1 - KEPT))
            number = actions.index(self._also)
            while search.visits[number] < search.iterations * KEPT:
                search.iterate(number)
                yield
        self._choice = search.choice()
        self._assessments = tuple(
            Assessment(e.action, e.value, e.spread, e.visits, float(e.action == self._choice))
            for e in search.estimates()
        )

    def _sampling(self, task: Task) -> Iterator[None]:
        """Solve one deal of the hidden cards after another, and average."""
        budget = self._budget
        end = math.inf if budget.seconds is None else budget.clock() + budget.seconds
        left = budget.nodes
        actions = self.observation.actions
        shares = [0.0] * len(actions)
        squares = [0.0] * len(actions)
        leads = [0.0] * len(actions)
        deals = 0
        while True:
            for _ in task.solving():
                yield
                if deals and budget.clock() >= end:
                    break
            if deals and budget.clock() >= end:
                break
            found = task.solution().found
            deals += 1
            for i, action in enumerate(actions):
                share, lead = found[action]
                shares[i] += share
                squares[i] += share * share
                leads[i] += lead or 0.0
            left -= task.nodes
            if left < task.nodes:
                break
            further = exact.task(self.game, self.observation, self._rng)
            if further is None:
                break
            task = further
        means = [(share / deals, lead / deals) for share, lead in zip(shares, leads, strict=True)]
        best = means.index(max(means))
        self._choice = actions[best]
        self._assessments = tuple(
            Assessment(
                action,
                share,
                math.sqrt(max(0.0, squares[i] / deals - share * share) / deals),
                deals,
                float(i == best),
                lead,
            )
            for i, (action, (share, lead)) in enumerate(zip(actions, means, strict=True))
        )


def _clean(weight: float) -> float:
    return weight if weight > _NEVER else 0.0
