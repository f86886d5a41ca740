"""Choosing by playing on: a fair and greedy base, budgets that are kept, and choices that win."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from lovecraft import bots, games
from lovecraft.bots import Budget
from lovecraft.bots.advice import advise
from lovecraft.bots.greedy import ritos_ancestrais as greedy
from lovecraft.bots.guides.ritos_ancestrais import BASE
from lovecraft.bots.rollouts import LEAST, MOST, Rollouts
from lovecraft.core import CHANCE, play
from lovecraft.games.ritos_ancestrais.state import Observation, State

RITOS = games.get("ritos-ancestrais")
LITTLE = Budget(iterations=LEAST)
"""For one deal only."""


def choices(seed: int, players: int = 2, bot: str = "greedy") -> Iterator[tuple[State, int]]:
    """States of a game between equal bots in which somebody has a choice, and who."""
    for step in play(RITOS, [bots.make(bot, RITOS)] * players, seed).steps():
        player = step.move.player
        if player != CHANCE and len(RITOS.legal_actions(step.before, player)) > 1:
            yield step.before, player


def deciding(seed: int, number: int, budget: Budget) -> Rollouts:
    """Rollouts of one choice of a game, run to the end of the budget."""
    state, player = list(choices(seed))[number]
    rollouts = Rollouts(RITOS, RITOS.observe(state, player), random.Random(seed), BASE)
    for _ in rollouts.running(budget):
        pass
    return rollouts


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_the_base_is_the_greedy_bot_and_looks_at_nothing_hidden(players: int, bot: str) -> None:
    rng = random.Random(players)
    for state, player in list(choices(7, players, bot))[::3]:
        seen: Observation = RITOS.observe(state, player)
        worth = greedy.values(seen)
        most = max(worth.values())
        promising = BASE.promising(seen)
        assert set(promising) <= set(seen.actions) and len(set(promising)) == len(promising)
        assert worth[promising[0]] == pytest.approx(most)
        action = BASE.policy(state, player)
        assert worth[action] == pytest.approx(most)
        assert BASE.policy(RITOS.resample(seen, rng), player) == action


def share_at_end(state: State, seat: int) -> float:
    """What a seat has won when only cards are left to be put away."""
    while movers := RITOS.to_move(state):
        assert movers == (seat,)
        state = RITOS.advance(state, seat, BASE.policy(state, seat))
    return RITOS.outcome(state).payoffs[seat]  # type: ignore[union-attr]


def test_the_last_action_of_a_game_wins_if_one_can() -> None:
    tried = 0
    for seed in range(3, 15):
        state, player = [(s, p) for s, p in choices(seed) if RITOS.phase(s) == "act"][-1]
        if not state.last or player != state.setup.players - 1:
            continue
        seen = RITOS.observe(state, player)
        shares = {a: share_at_end(RITOS.advance(state, player, a), player) for a in seen.actions}
        chosen = bots.make("adept", RITOS, Budget(iterations=12))(seen, random.Random(0))
        assert shares[chosen] == max(shares.values())
        tried += len(set(shares.values())) > 1
    assert tried


def test_a_budget_of_playouts_is_kept_and_goes_to_the_best() -> None:
    for most, tried in ((10, LEAST), (150, MOST)):
        rollouts = deciding(3, 0, Budget(iterations=most))
        visits = sorted(n for n in rollouts.visits if n)
        assert len(visits) == tried
        assert sum(visits) <= rollouts.iterations <= most
        assert visits[0] < visits[-1]
        best = rollouts.visits[rollouts._observation.actions.index(rollouts.choice())]
        assert best == visits[-1]
        for estimate in rollouts.estimates():
            assert 0 <= estimate.value <= 1
            assert (estimate.visits > 0) == (estimate.spread < 1)


def ticking(ticks: float) -> Budget:
    """A budget of so many looks at the clock."""
    clock = iter(range(10**6))
    return Budget(seconds=ticks, clock=lambda: float(next(clock)))


def test_a_clock_ends_it_in_the_middle_of_a_playout() -> None:
    budget = ticking(400.0)
    rollouts = deciding(3, 0, budget)
    assert budget.clock() < 404
    # what was half done does not count
    assert len({n for n in rollouts.visits if n}) == 1
    assert 0 < sum(rollouts.visits) < rollouts.iterations + LEAST
    seen = rollouts._observation
    assert rollouts.choice() in seen.actions
    with pytest.raises(ValueError, match="limit"):
        next(Rollouts(RITOS, seen, random.Random(0), BASE).running(Budget()))


def test_where_one_playout_takes_too_long_it_is_the_only_one() -> None:
    rollouts = deciding(3, 0, ticking(1.0))
    assert sum(rollouts.visits) == rollouts.iterations == 1
    assert rollouts.choice() == BASE.promising(rollouts._observation)[0]


def test_nothing_is_certain_after_a_few_deals() -> None:
    """However they went: hints say no 100 or 0 per cent then."""
    for number in range(0, 40, 4):
        rollouts = deciding(3, number, LITTLE)
        for estimate in rollouts.estimates():
            assert not estimate.visits or 0.3 < estimate.value < 0.7


def test_hints_begin_with_what_was_tried() -> None:
    for state, player in list(choices(3))[:20:4]:
        hints = advise(RITOS, RITOS.observe(state, player), LITTLE)
        untried = [not hint.visits for hint in hints]
        assert untried == sorted(untried) and not all(untried)


def test_all_actions_meet_the_same_cards() -> None:
    """So of an action played out twice the same is found, also after it has dropped out."""
    state, player = next(choices(5))
    seen = RITOS.observe(state, player)
    one, two = (Rollouts(RITOS, seen, random.Random(1), BASE) for _ in range(2))
    for _ in range(6):
        one.iterate(0)
    for _ in two.running(Budget(iterations=9)):
        pass
    while two.visits[0] < 6:
        two.iterate(0)
    assert one.estimates()[0].spread == two.estimates()[0].spread
    assert one._results[0] == two._results[0][:6]
