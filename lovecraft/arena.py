"""Contests between bots: every deal is played once in each rotation of the seats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from lovecraft import bots
from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidOption
from lovecraft.core.game import AnyGame
from lovecraft.core.match import play
from lovecraft.i18n import msg

Z_95 = 1.959963984540054


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % score interval of a rate (Wilson 1927); shared wins count as fractions.

    >>> [round(bound, 3) for bound in wilson(50, 100)]
    [0.404, 0.596]
    """
    if not trials:
        return 0.0, 1.0
    rate, z2 = successes / trials, Z_95**2
    middle = rate + z2 / (2 * trials)
    spread = Z_95 * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2))
    scale = 1 + z2 / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def contest(
    game: AnyGame,
    levels: Sequence[str],
    number: int,
    seed: object,
    options: Mapping[str, object] | None = None,
) -> Json:
    """Play ``number`` games between bots of these levels, one per seat.

    Returns ``game``, ``games``, ``seed``, ``players`` and per bot its ``win_rate`` (shares of
    victories per game), the 95 % interval ``low``–``high``, ``wins`` and ``mean_points``. Games
    with the same deal are played once per rotation of the seats. Raises InvalidOption for a number
    of games below one, UnknownName for a level.
    """
    if number < 1:
        raise InvalidOption(msg("error.games-number"), "games")
    agents = [bots.make(level, game) for level in levels]
    game.setup(len(agents), options)
    seats = len(agents)
    shares, wins, points = [0.0] * seats, [0] * seats, [0] * seats
    for n in range(number):
        shift = n % seats
        order = [(seat + shift) % seats for seat in range(seats)]
        record = play(game, [agents[b] for b in order], f"{seed}/{n // seats}", options=options)
        outcome = record.outcome()
        if outcome is None:  # a match is played to its end
            raise RuntimeError(f"{game.id}: an unfinished game")
        for seat, b in enumerate(order):
            shares[b] += outcome.payoffs[seat]
            wins[b] += outcome.winners == (seat,)
            points[b] += outcome.totals[seat]
    report = []
    for b, level in enumerate(levels):
        low, high = wilson(shares[b], number)
        report.append(
            {
                "bot": level,
                "win_rate": shares[b] / number,
                "low": low,
                "high": high,
                "wins": wins[b],
                "mean_points": points[b] / number,
            }
        )
    return {
        "game": game.id,
        "games": number,
        "seed": str(seed),
        "players": seats,
        "options": dict(options or {}),
        "bots": report,
    }
