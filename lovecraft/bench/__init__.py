"""Engine speed: random games per CPU second, beside a lean baseline measured in the same run."""

from __future__ import annotations

import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from lovecraft.bench.baseline import random_game
from lovecraft.core.codec import Json
from lovecraft.core.game import CHANCE_MOVES, AnyGame
from lovecraft.core.playout import playout

REPEATS = 5
SECONDS = 0.5
SAMPLE = 30


def measure(run: Callable[[], object]) -> float:
    """How often per CPU second of this thread ``run`` can be called."""
    clock = getattr(time, "thread_time", time.process_time)
    calls, begun = 0, clock()
    while (spent := clock() - begun) < SECONDS:
        run()
        calls += 1
    return calls / spent


def report(games: Iterable[AnyGame]) -> Json:
    """Measure each game at its smallest number of players, interleaved with the baseline.

    Per game: ``games_per_s``, ``decisions_per_s`` (actions of players, chance apart),
    ``decisions_per_game``, ``round_playouts_per_s`` (random playouts from the start of the last
    round; null for games without rounds) and ``ratio_to_baseline``, decisions per second over the
    baseline's. The medians of five interleaved measurements.
    """
    rng = random.Random(1)
    subjects = [(game, _start(game)) for game in games]
    last_rounds = [_last_round(game, start) for game, start in subjects]
    speeds: list[list[float]] = [[] for _ in subjects]
    rounds: list[list[float]] = [[] for _ in subjects]
    lean: list[float] = []
    for _ in range(REPEATS):
        lean.append(measure(lambda: random_game(2, rng)))
        for i, (game, start) in enumerate(subjects):
            speeds[i].append(measure(lambda g=game, s=start: playout(g, s, rng)))  # type: ignore[misc]
            if (last := last_rounds[i]) is not None:
                rounds[i].append(measure(lambda g=game, s=last: playout(g, s, rng)))  # type: ignore[misc]
    lean_games = statistics.median(lean)
    lean_decisions = lean_games * 42
    measured = {}
    for i, (game, start) in enumerate(subjects):
        each = decisions_per_game(game, start)
        per_s = statistics.median(speeds[i])
        measured[game.id] = {
            "players": start.setup.players,
            "games_per_s": round(per_s, 1),
            "decisions_per_game": round(each, 1),
            "decisions_per_s": round(per_s * each),
            "round_playouts_per_s": round(statistics.median(rounds[i])) if rounds[i] else None,
            "ratio_to_baseline": round(per_s * each / lean_decisions, 3),
        }
    return {
        "python": platform.python_version(),
        "implementation": sys.platform + " " + platform.python_implementation(),
        "baseline": {
            "name": "lean mutable rune draft, 2 players",
            "games_per_s": round(lean_games, 1),
            "decisions_per_s": round(lean_decisions),
        },
        "games": measured,
    }


def _start(game: AnyGame) -> Any:
    return game.start(game.setup(game.min_players))


def _last_round(game: AnyGame, start: Any) -> Any:
    """A position at the start of the last round of a random game, or None without rounds."""
    if "round" not in start._fields:
        return None
    rng, state, last = random.Random(2), start, start
    while movers := game.to_move(state):
        if state.round > last.round and movers != CHANCE_MOVES:
            last = state
        state = _step(game, state, rng)
    return last


def _step(game: AnyGame, state: Any, rng: random.Random) -> Any:
    """One random action of whoever is first to move."""
    player = game.to_move(state)[0]
    if player < 0:
        return game.advance(state, player, game.draw(state, rng))
    return game.advance(state, player, rng.choice(game.legal_actions(state, player)))


def decisions_per_game(game: AnyGame, start: Any) -> float:
    """The mean number of players' actions in random games."""
    rng, decisions = random.Random(3), 0
    for _ in range(SAMPLE):
        state = start
        while movers := game.to_move(state):
            decisions += movers != CHANCE_MOVES
            state = _step(game, state, rng)
    return decisions / SAMPLE
