"""Information-set Monte-Carlo tree search for every game, with choices made at the same time.

The method is multiple-observer information-set MCTS (Cowling, Powley & Whitehouse, "Information
Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012). Each iteration draws a full state that is
consistent with the observation (a determinization, ``game.resample``), walks down, plays the rest,
and adds the payoffs on the way back. Statistics belong to information sets: a node is what ONE
seat knows at one point (``game.observe`` is its key), whatever determinization led there. So no
seat, the rivals included, plays by cards that it cannot see, and chance needs no nodes.

Where several seats choose at the same time, each selects at its own node without knowing what the
others select: decoupled UCT (Finnsson & Björnsson 2008; Tak, Lanctot & Winands 2014), here the
natural case of the same scheme, since a choice that lies face down is in nobody else's observation.

Payoffs are shares of the victory, one per seat (max^n, Luckhardt & Irani 1986), never points: a
seat with no chance of points but of winning plays for that. Selection is UCB1 (Auer, Cesa-Bianchi
& Fischer 2002); at the root of a game with a prior it is PUCT (Rosin 2011; Silver et al. 2017).
Nodes with very many actions may be widened step by step (Coulom 2007; Chaslot et al. 2008).

What a game adds to its rules, a :class:`Guide`, is optional: how to play the rest of a game
quickly, and how to judge a position without playing it to the end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lovecraft.bots.budget import Budget
from lovecraft.core.game import CHANCE, CHANCE_MOVES, AnyGame

Payoffs = tuple[float, ...]
"""One share of the victory per seat."""

Policy = Callable[[Any, int, Sequence[Any], random.Random], Any]
"""State, seat, its legal actions and a random stream in, one of the actions out."""

Judge = Callable[[Any], Payoffs | None]
"""A state's payoffs, or None where it should be played on."""


class Guide(NamedTuple):
    """What a search knows of a game besides its rules; everything may be left out.

    ``policy`` plays the rest of a game (default: any legal action, each as likely). ``judge`` ends
    an iteration wherever it has an answer; ``rate`` only beyond the tree, in place of playing on.
    ``prior`` gives weights for the root's actions, which need not add up to 1, or None for a root
    without; ``trust`` is how much they count. With ``widen`` a node tries a new action only once
    it has been visited often: about the square of the number tried, over ``widen`` squared (0: all
    actions first). ``apart`` takes from an observation that others have already chosen in the
    current simultaneous choice: what they chose is still to be found.
    """

    policy: Policy | None = None
    judge: Judge | None = None
    rate: Judge | None = None
    prior: Callable[[Any], Mapping[Any, float] | None] | None = None
    apart: Callable[[Any], Any] | None = None
    exploration: float = 0.7
    trust: float = 0.3
    widen: float = 0.0


class Node:
    """Statistics of one seat's information set."""

    __slots__ = ("actions", "prior", "sums", "total", "visits")

    def __init__(self, actions: Sequence[Any], prior: Sequence[float] | None = None) -> None:
        self.actions = actions
        self.prior = prior
        self.visits = [0] * len(actions)
        self.sums = [0.0] * len(actions)
        self.total = 0


class Estimate(NamedTuple):
    """What a search found about one action: mean payoff, its standard error, visits."""

    action: Any
    value: float
    spread: float
    visits: int

    @classmethod
    def of(cls, action: Any, number: int, total: float, squares: float) -> Estimate:
        """From the number of payoffs, their sum and the sum of their squares."""
        if not number:
            return cls(action, 0.0, math.inf, 0)
        mean = total / number
        variance = max(0.0, squares / number - mean * mean)
        # one more observation at the far end keeps a lucky first visit from looking certain
        spread = math.sqrt((variance * number + 0.25) / (number + 1) / number)
        return cls(action, mean, spread, number)


CHECK = 16
"""After so many iterations each it is checked whether the choice is decided."""


class Search:
    """One decision: an observation being searched, iteration by iteration."""

    def __init__(
        self, game: AnyGame, observation: Any, rng: random.Random, guide: Guide | None = None
    ) -> None:
        self._game = game
        self._guide = guide or Guide()
        self._observation = observation
        if self._guide.apart:
            self._observation = self._guide.apart(observation)
        self._rng = rng
        self._squares = [0.0] * len(observation.actions)
        prior = None
        weights = self._guide.prior(observation) if self._guide.prior else None
        if weights:
            whole = sum(weights.values()) or 1.0
            prior = [weights[action] / whole for action in observation.actions]
        self.root = Node(observation.actions, prior)
        self._nodes: dict[Hashable, Node] = {}
        self.iterations = 0

    @property
    def visits(self) -> list[int]:
        """How often each legal action has been tried."""
        return self.root.visits

    # -- running ----------------------------------------------------------------------------------

    def running(self, budget: Budget) -> Iterator[None]:
        """Search until the budget is spent or cannot change the choice; pauses all the time."""
        clock = budget.clock
        start = clock()
        seconds = math.inf if budget.seconds is None else budget.seconds
        most = math.inf if budget.iterations is None else budget.iterations
        if seconds == most == math.inf:
            raise ValueError("a search needs a limit")
        while self.iterations < most:
            self.iterate()
            left = most - self.iterations
            if seconds < math.inf:
                passed = clock() - start
                if passed >= seconds:
                    return
                left = min(left, self.iterations * (seconds - passed) / max(passed, 1e-9))
            if self.iterations % CHECK == 0 and self._decided(left):
                return
            yield

    def _decided(self, left: float) -> bool:
        """Whether the most visited action stays so, whatever so many iterations more find."""
        visits = sorted(self.root.visits)
        return len(visits) > 1 and visits[-1] - visits[-2] > left

    def iterate(self, forced: int | None = None) -> None:
        """One iteration: determinize, select, expand, play out, back up.

        ``forced``, the number of an action, makes the root choose that one.
        """
        game, rng, nodes = self._game, self._rng, self._nodes
        judge, policy = self._guide.judge, self._guide.policy
        me = self._observation.player
        state = game.resample(self._observation, rng)
        path: list[tuple[Node, int, int]] = []
        payoffs: Payoffs | None = None
        at_root = True
        while movers := game.to_move(state):
            if movers == CHANCE_MOVES:
                state = game.advance(state, CHANCE, game.draw(state, rng))
                continue
            fresh = False
            joint = []
            for seat in movers:
                if at_root and seat == me:
                    node: Node | None = self.root
                else:
                    name = game.observe(state, seat)
                    node = nodes.get(name)
                    if node is None:
                        node = nodes[name] = Node(game.legal_actions(state, seat))
                        fresh = True
                assert node is not None  # noqa: S101
                if forced is not None and node is self.root:
                    chosen = forced
                elif fresh and policy and not node.total:
                    chosen = node.actions.index(policy(state, seat, node.actions, rng))
                else:
                    chosen = self._select(node)
                path.append((node, chosen, seat))
                joint.append(node.actions[chosen])
            if len(joint) == 1:
                state = game.advance(state, movers[0], joint[0])
            else:
                state = game.advance_together(state, tuple(joint))
            if judge and (payoffs := judge(state)):
                break
            if fresh and not at_root:
                payoffs = self._play_out(state)
                break
            at_root = False
        if payoffs is None:
            payoffs = shares(game, state)
        for node, chosen, seat in path:
            node.visits[chosen] += 1
            node.total += 1
            node.sums[chosen] += payoffs[seat]
            if node is self.root:
                self._squares[chosen] += payoffs[seat] * payoffs[seat]
        self.iterations += 1

    def _select(self, node: Node) -> int:
        """By PUCT where there is a prior, else UCB1; actions without visits first, by chance."""
        visits = node.visits
        number = len(visits)
        if number == 1:
            return 0
        if node.prior:
            return self._select_by_prior(node, node.prior)
        tried = number
        if node.total < number or 0 in visits:
            new = [i for i, n in enumerate(visits) if not n]
            tried -= len(new)
            widen = self._guide.widen
            if new and (not widen or tried < 1 + widen * math.sqrt(node.total)):
                return new[int(self._rng.random() * len(new))]
        sums = node.sums
        width = self._guide.exploration * math.sqrt(math.log(node.total))
        best, bound = 0, -1.0
        for i in range(number):
            if n := visits[i]:
                worth = sums[i] / n + width / math.sqrt(n)
                if worth > bound:
                    best, bound = i, worth
        return best

    def _select_by_prior(self, node: Node, prior: Sequence[float]) -> int:
        """PUCT: an action without visits counts as the average of those with."""
        visits, sums = node.visits, node.sums
        mean = sum(sums) / node.total if node.total else 0.5
        width = self._guide.trust * math.sqrt(node.total + 1)
        return max(
            range(len(visits)),
            key=lambda i: (
                (sums[i] / visits[i] if visits[i] else mean) + width * prior[i] / (1 + visits[i])
            ),
        )

    def _play_out(self, state: Any) -> Payoffs:
        """Play on by the guide's policy until the judge speaks or the game is over."""
        game, rng = self._game, self._rng
        judge, rate, policy = self._guide.judge, self._guide.rate, self._guide.policy
        to_move, legal = game.to_move, game.legal_actions
        uniform = rng.random
        while movers := to_move(state):
            if rate and (payoffs := rate(state)):
                return payoffs
            if movers == CHANCE_MOVES:
                state = game.advance(state, CHANCE, game.draw(state, rng))
                continue
            joint = []
            for seat in movers:
                actions = legal(state, seat)
                if len(actions) == 1:
                    joint.append(actions[0])
                elif policy:
                    joint.append(policy(state, seat, actions, rng))
                else:
                    joint.append(actions[int(uniform() * len(actions))])
            if len(joint) == 1:
                state = game.advance(state, movers[0], joint[0])
            else:
                state = game.advance_together(state, tuple(joint))
            if judge and (payoffs := judge(state)):
                return payoffs
        return shares(game, state)

    # -- results ----------------------------------------------------------------------------------

    def estimates(self) -> tuple[Estimate, ...]:
        """What was found about each legal action, in their order."""
        root = self.root
        return tuple(map(Estimate.of, root.actions, root.visits, root.sums, self._squares))

    def choice(self) -> Any:
        """The action with most visits (the robust child), among equals the one of higher mean."""
        root = self.root
        best = max(
            range(len(root.actions)),
            key=lambda i: (root.visits[i], root.sums[i], root.prior[i] if root.prior else 0),
        )
        return root.actions[best]


def softmax(values: Mapping[Any, float], scale: float) -> dict[Any, float]:
    """Weights that add up to 1: ``scale`` more in value is e times the weight.

    >>> softmax({"a": 3, "b": 3}, 1)
    {'a': 0.5, 'b': 0.5}
    """
    most = max(values.values())
    weights = {action: math.exp((value - most) / scale) for action, value in values.items()}
    whole = sum(weights.values())
    return {action: weight / whole for action, weight in weights.items()}


def shares(game: AnyGame, state: Any) -> Payoffs:
    """The payoffs of a finished game; where nobody wins, as for a draw of all."""
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError(f"{game.id}: nobody is to move in an unfinished game")
    if not outcome.winners:
        return (1 / len(outcome.totals),) * len(outcome.totals)
    return outcome.payoffs
