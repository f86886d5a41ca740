"""Hints during a game and a review after it, from the same thinking as the bots'.

>>> from lovecraft import games
>>> from lovecraft.core import Match, Player, Record
>>> game = games.get("ancient-cards")
>>> match = Match(Record.begin(game, (Player("A"), Player("B"))), seed=1)
>>> events = match.play_chance()
>>> hints = advise(game, game.observe(match.state, 0), Budget(iterations=60))
>>> {hint.action for hint in hints} == set(game.legal_actions(match.state, 0))
True
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lovecraft.bots import reasons
from lovecraft.bots.budget import Budget
from lovecraft.bots.thinking import SLICE, Assessment, Thought
from lovecraft.core.game import CHANCE, AnyGame
from lovecraft.core.record import Record
from lovecraft.i18n import Message

HINT = Budget(seconds=1.5)
"""Default budget of a hint, and of each decision in a review."""

DOUBT = 8
"""Visits at which an action's own mean counts as much as what actions are worth on average."""

SEED = "advice"
"""Hints are the same each time they are asked for (on a budget of iterations)."""


class Hint(NamedTuple):
    """What is thought of one legal action.

    ``value`` is the expected share of the victory (0 to 1), ``spread`` its standard error (0 where
    solved), ``visits`` how often the search tried it (0 where solved), ``weight`` how often a
    master would play it, ``lead`` the expected lead in points at the end where known, ``why`` what
    the action gains and denies, in words. ``exact``: by the rules alone, without any estimate.
    """

    action: Any
    value: float
    spread: float
    visits: int
    weight: float
    lead: float | None
    exact: bool
    why: Message


class Advising:
    """Advice in progress, to be driven in slices like a :class:`Thought`."""

    def __init__(
        self, game: AnyGame, observation: Any, budget: Budget = HINT, also: Any = None
    ) -> None:
        """``also`` is an action that is judged however little it promises, such as one played."""
        self._game = game
        self._observation = observation
        self._thought = Thought(game, observation, random.Random(SEED), budget, also=also)

    def step(self, milliseconds: float = SLICE) -> bool:
        """Think for one slice; whether the advice is ready."""
        return self._thought.step(milliseconds)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The advice once it is ready, the best action first."""
        thought = self._thought
        found = settled(thought.assessments)
        best = max(a.value for a in found)
        hints = [
            Hint(
                a.action,
                a.value,
                a.spread,
                a.visits,
                a.weight,
                a.lead,
                thought.exact,
                reasons.why(self._game, self._observation, a, best),
            )
            for a in found
        ]
        # what was never tried is only thought to be as bad as the worst that was: it comes after
        return tuple(sorted(hints, key=lambda hint: (-hint.value, -hint.weight, -hint.visits)))

    def finish(self) -> tuple[Hint, ...]:
        """Think to the end; the hints."""
        self._thought.finish()
        return self.hints


def settled(found: Sequence[Assessment]) -> tuple[Assessment, ...]:
    """Assessments with values that do not mislead where an action was hardly looked at.

    A mean of few visits is drawn to what the actions are worth on average, as if :data:`DOUBT`
    visits had brought that; what was never tried counts as the worst of what was. Where all were
    looked at alike, in the same deals of the hidden cards, they compare as they are.
    """
    if len({a.visits for a in found}) == 1:
        return tuple(found)
    weights = [min(a.visits, DOUBT) for a in found]
    average = sum(w * a.value for w, a in zip(weights, found, strict=True)) / sum(weights)
    values = [(a.value * a.visits + average * DOUBT) / (a.visits + DOUBT) for a in found]
    worst = min(value for value, a in zip(values, found, strict=True) if a.visits)
    return tuple(
        a._replace(value=value if a.visits else worst)
        for value, a in zip(values, found, strict=True)
    )


def advise(game: AnyGame, observation: Any, budget: Budget = HINT) -> tuple[Hint, ...]:
    """Each legal action of an observation with its value and why, the best first.

    Only the observation is used: a hint knows no more than the player who asks.
    """
    return Advising(game, observation, budget).finish()


class Judgement(NamedTuple):
    """One decision of a finished (or running) game.

    ``at`` is the number of the move, ``regret`` the share of the victory that the best action was
    expected to bring more than the ``chosen`` one (never below 0), ``spread`` the standard error
    of that difference; ``hints`` are all actions as advised, the best first.
    """

    at: int
    player: int
    chosen: Hint
    regret: float
    spread: float
    hints: tuple[Hint, ...]


def reviewing(
    record: Record, budget: Budget = HINT, seat: int | None = None, since: int = 0
) -> Iterator[Judgement | None]:
    """Walk a record decision by decision; None after each slice of thought in between.

    Judged by what the player could know at the time, never by what came to light later. Choices
    made at the same time are judged as such, whoever laid a card down first. Only decisions with
    more than one legal action count; ``seat`` picks those of one player, ``since`` those from one
    move on (to go on with a review that was broken off).
    """
    game = record.game
    for step in record.steps():
        player = step.move.player
        if player == CHANCE or step.at < since or (seat is not None and player != seat):
            continue
        observation = game.observe(step.before, player)
        if len(observation.actions) < 2:
            continue
        advising = Advising(game, observation, budget, step.move.action)
        while not advising.step():
            yield None
        hints = advising.hints
        best = hints[0]
        chosen = next(hint for hint in hints if hint.action == step.move.action)
        regret = best.value - chosen.value
        spread = (best.spread**2 + chosen.spread**2) ** 0.5 if regret else 0.0
        yield Judgement(step.at, player, chosen, regret, spread, hints)


def review(record: Record, budget: Budget = HINT, seat: int | None = None) -> tuple[Judgement, ...]:
    """Every decision of a record with its regret, see :func:`reviewing`."""
    return tuple(j for j in reviewing(record, budget, seat) if j is not None)
