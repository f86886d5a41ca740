"""Choosing by playing on: rollouts of a base policy for a few promising actions.

Each deal draws a full state that is consistent with the observation (``game.resample``) and plays
the game to its end once for every action still in question, all seats choosing by the base policy.
The choice that does best on average is at least as good as the base policy's own, and often far
better: one step of policy improvement (Tesauro & Galperin, "On-line Policy Improvement using
Monte-Carlo Search", NIPS 1996; Bertsekas, Tsitsiklis & Wu 1997). It is the method where a good
policy is known and no good judge of unfinished games. All actions are tried with the same deals and
the same chance to come (common random numbers), which takes most of the luck out of the comparison.

The budget goes to the best: it is divided into rounds, each of which halves the actions in question
(sequential halving, Karnin, Koren & Somekh, ICML 2013), and one that is clearly worse than the best
drops out at once (a race, Maron & Moore, NIPS 1993).

The policy sees a full state but must look only at what its seat may see, as the choice of an action
and the play of the other seats would else rest on cards that nobody knows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NamedTuple

from lovecraft.bots.budget import Budget
from lovecraft.bots.search import Estimate, shares
from lovecraft.core.game import CHANCE, CHANCE_MOVES, AnyGame

MOST, LEAST = 6, 3
"""At most so many actions are tried, and so many whatever the budget."""

PLAYOUTS = 12
"""The budget must allow so many for each further action."""

RACE, CLEAR = 8, 3.0
"""After so many deals each, actions drop out that are behind by so many standard errors."""

PATIENCE = 2.0
"""The first deal of all, without which nothing is known, may take so many times the budget."""

CAUTION = 2
"""Values are told as if so many deals more had brought everybody the same: of a few deals that were
all won, or all lost, nothing is certain."""


class Base(NamedTuple):
    """What rollouts need of a game: which actions to try, and how to play on.

    ``promising`` gives the actions of an observation that differ in what matters, best first;
    ``policy`` a legal action of a seat.
    """

    promising: Callable[[Any], Sequence[Any]]
    policy: Callable[[Any, int], Any]


class Rollouts:
    """One decision; driven like :class:`lovecraft.bots.search.Search`."""

    def __init__(self, game: AnyGame, observation: Any, rng: random.Random, base: Base) -> None:
        self._game, self._observation, self._rng = game, observation, rng
        self._policy = base.policy
        self._chance = random.Random()
        self._deals: list[tuple[Any, int]] = []
        self._results: list[list[float]] = [[] for _ in observation.actions]
        number = {action: i for i, action in enumerate(observation.actions)}
        promising = [number[action] for action in base.promising(observation)]
        self._trying, self._waiting = promising[:LEAST], promising[LEAST:MOST]
        self._even = 0.0
        self.iterations = 0

    @property
    def visits(self) -> list[int]:
        """How often each legal action has been played out."""
        return [len(results) for results in self._results]

    # -- running ----------------------------------------------------------------------------------

    def running(self, budget: Budget) -> Iterator[None]:
        """Play out until the budget is spent or one action is left; pauses within every playout."""
        clock, seconds, most = budget.clock, budget.seconds, budget.iterations
        if seconds is most is None:
            raise ValueError("rollouts need a limit")
        start = clock()

        def by_time() -> float:
            return 0.0 if seconds is None else (clock() - start) / seconds

        def spent() -> float:
            return max(by_time(), 0.0 if most is None else self.iterations / most)

        def late() -> bool:
            return self.iterations > 0 and by_time() >= PATIENCE

        first = self._deal(0)
        for number in self._trying:
            yield from self._play(first, [number], late)
        self._trying = [number for number in self._trying if self._results[number]]
        afford = int(self.iterations / max(spent(), 1e-9) / PLAYOUTS) - len(self._trying)
        more = self._waiting[: max(0, afford)]
        if (yield from self._play(first, more, late)):
            self._trying += more
        tried = len(self._trying)
        rounds = math.ceil(math.log2(tried))
        while (used := spent()) < 1:
            self._drop_out(max(2, math.ceil(tried / 2 ** int(used * rounds))))
            if len(self._trying) < 2:
                return
            deal = self._deal(len(self._deals))
            if not (yield from self._play(deal, self._trying, lambda: spent() >= 1)):
                return

    def _deal(self, number: int) -> tuple[Any, int]:
        """A state that may be, and what chance will bring; the same for every action."""
        if number == len(self._deals):
            state = self._game.resample(self._observation, self._rng)
            self._deals.append((state, self._rng.getrandbits(32)))
        return self._deals[number]

    def _play(
        self, deal: tuple[Any, int], numbers: Sequence[int], ended: Callable[[], bool]
    ) -> Generator[None, None, bool]:
        """One deal for each of some actions; False, and no results, if it is ``ended`` before."""
        found = []
        for number in numbers:
            share = yield from self._play_out(deal, self._observation.actions[number], ended)
            if share is None:
                return False
            found.append(share)
            self.iterations += 1
        for number, share in zip(numbers, found, strict=True):
            self._results[number].append(share)
        return True

    def _drop_out(self, most: int) -> None:
        """Keep the best so many, and of these none that is clearly behind."""
        results = self._results
        ranked = sorted(self._trying, key=lambda i: -sum(results[i]))  # all have the same number
        deals = len(results[ranked[0]])
        self._trying = [
            i
            for place, i in enumerate(ranked[:most])
            if not place or deals % RACE or not _behind(results[ranked[0]], results[i])
        ]

    def iterate(self, number: int) -> None:
        """Play one action out once more, whether it is in question or not."""
        for _ in self._play(self._deal(len(self._results[number])), [number], lambda: False):
            pass

    def _play_out(
        self, deal: tuple[Any, int], action: Any, ended: Callable[[], bool]
    ) -> Generator[None, None, float | None]:
        """The share that an action brings in a deal; None if it is ``ended`` before."""
        game, policy, chance = self._game, self._policy, self._chance
        me = self._observation.player
        if ended():
            return None
        state, seed = deal
        chance.seed(seed)
        state = game.advance(state, me, action)
        while movers := game.to_move(state):
            if movers == CHANCE_MOVES:
                state = game.advance(state, CHANCE, game.draw(state, chance))
            else:
                seat = movers[0]
                state = game.advance(state, seat, policy(state, seat))
            yield
            if ended():
                return None
        payoffs = shares(game, state)
        self._even = 1 / len(payoffs)
        share: float = payoffs[me]
        return share

    # -- results ----------------------------------------------------------------------------------

    def estimates(self) -> tuple[Estimate, ...]:
        """What was found about each legal action, in their order.

        An action that dropped out early is compared with the choice over the deals that both have
        played: its value is that of the choice less the difference there.
        """
        best = self._results[self._best()]
        found = []
        for action, results in zip(self._observation.actions, self._results, strict=True):
            number = len(results)
            mine = Estimate.of(action, number, sum(results), sum(x * x for x in results))
            if number:
                value = mine.value
                if number < len(best):
                    luck = sum(best[:number]) / number - sum(best) / len(best)
                    value = min(1.0, max(0.0, value - luck))
                value = (value * len(best) + self._even * CAUTION) / (len(best) + CAUTION)
                mine = mine._replace(value=value)
            found.append(mine)
        return tuple(found)

    def choice(self) -> Any:
        """The best of those that are left; among equals, and untried, the most promising."""
        return self._observation.actions[self._best()]

    def _best(self) -> int:
        results = self._results
        return max(self._trying, key=lambda i: sum(results[i]) / max(1, len(results[i])))


def _behind(best: Sequence[float], other: Sequence[float]) -> bool:
    """Whether, deal by deal, one action is clearly worse than another."""
    number = len(best)
    ahead = [a - b for a, b in zip(best, other, strict=True)]
    mean = sum(ahead) / number
    # one deal more that says the opposite keeps a few lucky ones from looking certain
    spread = sum((x - mean) ** 2 for x in ahead) + 1
    return mean > CLEAR * math.sqrt(spread) / number
