"""How strong the levels are: everybody against everybody, and Elo ratings with intervals.

Ratings follow the Bradley–Terry model (1952) in Elo's scale: 400 points are odds of 10 to 1 of
ending before the other. They are fitted by maximum likelihood with one virtual draw per pair (as in
Coulom's BayesElo), which keeps a rating finite for a level that wins every game; 95 % intervals
come from the curvature of the likelihood. At a table of more than two every two seats count as one
comparison, so those intervals are somewhat too narrow.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lovecraft import bots
from lovecraft.arena import Z_95, wilson
from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidOption
from lovecraft.core.game import AnyGame
from lovecraft.core.match import Agent, play
from lovecraft.i18n import msg

ELO = 400 / math.log(10)

_clock: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""Processor time: a busy machine must not weaken a bot."""


def ladder(
    game: AnyGame,
    levels: Sequence[str],
    number: int,
    seed: object,
    players: int = 2,
    options: Mapping[str, object] | None = None,
    log: Path | None = None,
) -> Json:
    """A round robin: ``number`` games at each table of ``players`` of the levels.

    Levels may have a budget in their name (see :func:`lovecraft.bots.named`); seconds are processor
    time here. Each deal is played once in every rotation of the seats; with more than two players
    the order round the table changes from deal to deal. With ``log``, a file, every
    game is written down as soon as it is over, and those that stand there already are not played
    again.

    Returns ``game``, ``games``, ``seed``, ``players``, ``options``, ``levels`` (``bot``, ``elo``,
    ``low``, ``high``, ``win_rate``, ``decisions``, ``seconds`` per decision and ``slowest``; the
    first one is rated 0) and ``pairs`` (``bots``, ``games``, ``rate`` of the first ending before
    the second, a tie counting half, ``low``, ``high``). Raises InvalidOption for a number of games
    below one or fewer than two different levels, UnknownName for a level.
    """
    if number < 1:
        raise InvalidOption(msg("error.games-number"), "games")
    if len(set(levels)) < max(2, len(levels)):
        raise InvalidOption(msg("error.ladder-levels"), "bots")
    timed = [_Timed(game, level) for level in levels]
    game.setup(players, options)
    done = _read(log)
    results = []
    for table, n in _schedule(len(levels), players, number):
        name = f"{game.id}/{players}/{'+'.join(levels[b] for b in table)}/{seed}/{n}"
        if (row := done.get(name)) is None:
            order = _order(table, n)
            before = [(t.decisions, t.seconds) for t in timed]
            record = play(
                game, [timed[b].agent for b in order], f"{seed}/{n // players}", options=options
            )
            outcome = record.outcome()
            if outcome is None:  # a match is played to its end
                raise RuntimeError(f"{game.id}: an unfinished game")
            row = {
                "game": name,
                "bots": [levels[b] for b in order],
                "ranks": list(outcome.ranks),
                "shares": list(outcome.payoffs),
                "totals": list(outcome.totals),
                "decisions": [
                    timed[b].decisions - before[b][0] if order.count(b) == 1 else None
                    for b in order
                ],
                "seconds": [
                    round(timed[b].seconds - before[b][1], 4) if order.count(b) == 1 else None
                    for b in order
                ],
                "slowest": [round(timed[b].slowest, 4) for b in order],
            }
            if log:
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
        results.append(row)
    return {
        "game": game.id,
        "games": len(results),
        "seed": str(seed),
        "players": players,
        "options": dict(options or {}),
        **_report(levels, results),
    }


class _Timed:
    """An agent with the time it takes."""

    def __init__(self, game: AnyGame, level: str) -> None:
        budget = bots.named(level).budget
        self._agent = bots.make(level, game, budget and budget._replace(clock=_clock))
        self.decisions = 0
        self.seconds = 0.0
        self.slowest = 0.0

    @property
    def agent(self) -> Agent:
        return self._decide

    def _decide(self, observation: Any, rng: random.Random) -> Any:
        start = _clock()
        choice = self._agent(observation, rng)
        took = _clock() - start
        if len(observation.actions) > 1:
            self.decisions += 1
            self.seconds += took
            self.slowest = max(self.slowest, took)
        return choice


def _schedule(entrants: int, players: int, number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Tables with the number of the game there, so that all tables grow together.

    Every choice of different levels; where there are fewer levels than seats, some sit twice.
    """
    if entrants >= players:
        tables = list(itertools.combinations(range(entrants), players))
    else:
        tables = [tuple(seat % entrants for seat in range(players))]
    for n in range(number):
        for table in tables:
            yield table, n


def _order(table: Sequence[int], n: int) -> list[int]:
    """Who sits where in the n-th game of a table.

    Every rotation once per deal; who follows whom changes from deal to deal, since at a draft of
    more than two it matters whose cards one is passed.
    """
    players = len(table)
    rounds = tuple(itertools.permutations(table[1:]))
    circle = (table[0], *rounds[n // players % len(rounds)])
    return [circle[(seat + n) % players] for seat in range(players)]


def _read(log: Path | None) -> dict[str, Json]:
    if log is None or not log.exists():
        return {}
    rows = (json.loads(line) for line in log.read_text("utf-8").splitlines() if line)
    return {row["game"]: row for row in rows}


def _report(levels: Sequence[str], results: Sequence[Json]) -> dict[str, Json]:
    number = len(levels)
    scores = [[0.0] * number for _ in range(number)]
    games = [[0] * number for _ in range(number)]
    shares, seats = [0.0] * number, [0] * number
    decisions, seconds, slowest = [0] * number, [0.0] * number, [0.0] * number
    index = {level: i for i, level in enumerate(levels)}
    for row in results:
        order = [index[bot] for bot in row["bots"]]
        ranks = row["ranks"]
        for seat, b in enumerate(order):
            shares[b] += row["shares"][seat]
            seats[b] += 1
            if row["decisions"][seat] is not None:
                decisions[b] += row["decisions"][seat]
                seconds[b] += row["seconds"][seat]
            slowest[b] = max(slowest[b], row["slowest"][seat])
            for other, c in enumerate(order):
                if b != c:
                    ahead = (ranks[seat] < ranks[other]) + (ranks[seat] <= ranks[other])
                    scores[b][c] += ahead / 2
                    games[b][c] += 1
    rated = elo(scores, games)
    pairs = []
    for b, c in itertools.combinations(range(number), 2):
        if games[b][c]:
            low, high = wilson(scores[c][b], games[c][b])
            pairs.append(
                {
                    "bots": [levels[c], levels[b]],
                    "games": games[c][b],
                    "rate": scores[c][b] / games[c][b],
                    "low": low,
                    "high": high,
                }
            )
    return {
        "levels": [
            {
                "bot": level,
                "elo": round(rated[b][0], 1),
                "low": round(rated[b][0] - rated[b][1], 1),
                "high": round(rated[b][0] + rated[b][1], 1),
                "win_rate": shares[b] / seats[b] if seats[b] else None,
                "decisions": decisions[b],
                "seconds": seconds[b] / decisions[b] if decisions[b] else None,
                "slowest": slowest[b],
            }
            for b, level in enumerate(levels)
        ],
        "pairs": pairs,
    }


def elo(
    scores: Sequence[Sequence[float]], games: Sequence[Sequence[int]]
) -> list[tuple[float, float]]:
    """Rating and half width of its 95 % interval for each, the first being 0.

    ``scores[i][j]`` is how often i was ahead of j (ties half) in ``games[i][j]`` comparisons.

    >>> [round(rating) for rating, _ in elo([[0, 100], [900, 0]], [[0, 1000], [1000, 0]])]
    [0, 381]
    """
    number = len(scores)
    won = [
        [scores[i][j] + (0.5 if games[i][j] else 0) for j in range(number)] for i in range(number)
    ]
    strength = [0.0] * number
    free = range(1, number)
    curvature: list[list[float]] = []
    for _ in range(100):
        slope = [0.0] * number
        curvature = [[0.0] * number for _ in range(number)]
        for i, j in itertools.permutations(range(number), 2):
            both = won[i][j] + won[j][i]
            expected = 1 / (1 + math.exp(strength[j] - strength[i]))
            slope[i] += won[i][j] - both * expected
            weight = both * expected * (1 - expected)
            curvature[i][i] += weight
            curvature[i][j] -= weight
        inverse = _inverse([[curvature[i][j] for j in free] for i in free])
        step = [sum(inverse[i - 1][j - 1] * slope[j] for j in free) for i in free]
        for i in free:
            strength[i] += max(-1.0, min(1.0, step[i - 1]))
        if all(abs(s) < 1e-9 for s in step):
            break
    errors = [0.0, *(math.sqrt(inverse[i - 1][i - 1]) for i in free)]
    return [(ELO * s, ELO * Z_95 * e) for s, e in zip(strength, errors, strict=True)]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Gauss–Jordan elimination with pivoting; a level that never played keeps a zero row."""
    n = len(matrix)
    wide = [[*row, *(float(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for at in range(n):
        pivot = max(range(at, n), key=lambda i: abs(wide[i][at]))
        wide[at], wide[pivot] = wide[pivot], wide[at]
        scale = wide[at][at]
        if abs(scale) < 1e-12:
            continue
        wide[at] = [x / scale for x in wide[at]]
        for i in range(n):
            if i != at and wide[i][at]:
                factor = wide[i][at]
                wide[i] = [x - factor * y for x, y in zip(wide[i], wide[at], strict=True)]
    return [row[n:] for row in wide]
