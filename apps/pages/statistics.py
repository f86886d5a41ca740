"""What finished games add up to: a table per game, and charts of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from apps import chart
from apps.companion import colours
from apps.companion.page import PointSource, Sheet
from apps.companion.session import Session
from lovecraft.core import Outcome
from lovecraft.core.game import AnyGame
from lovecraft.core.names import apart
from lovecraft.i18n import msg

MOST_PLAYERS = 5
"""So many players stand in one chart: those who won most."""


class Kept(NamedTuple):
    """One sheet as it is listed."""

    session: Session
    game: AnyGame
    names: tuple[str, ...]
    outcome: Outcome
    finished: bool
    rounds: list[list[int]]
    sources: list[list[tuple[PointSource, int]]]
    """What the companion says of its points, for a finished game."""


class Record(NamedTuple):
    """What a player has done in the finished games of one kind."""

    name: str
    plays: int
    wins: int
    average: float
    best: int
    margin: float | None
    """By how much the player was ahead of the next when winning alone, on average."""


def seated(sheet: Sheet) -> tuple[str, ...]:
    """The names of a sheet, told apart: older sheets may have two people of one name."""
    return apart(tuple(player["name"] for player in sheet["players"]))


def statistics(kept: Iterable[Kept]) -> list[Record]:
    """What each named player has done in these games, most wins first."""
    points: dict[str, list[int]] = {}
    wins: dict[str, int] = {}
    margins: dict[str, list[int]] = {}
    for one in kept:
        for p, name in enumerate(seated(one.session.sheet)):
            if not name:
                continue
            points.setdefault(name, []).append(one.outcome.totals[p])
            if p in one.outcome.winners:
                wins[name] = wins.get(name, 0) + 1
                if one.outcome.winners == (p,):
                    others = [t for q, t in enumerate(one.outcome.totals) if q != p]
                    margins.setdefault(name, []).append(one.outcome.totals[p] - max(others))
    records = [
        Record(
            name,
            len(own),
            wins.get(name, 0),
            round(sum(own) / len(own), 1),
            max(own),
            round(sum(m) / len(m), 1) if (m := margins.get(name)) else None,
        )
        for name, own in points.items()
    ]
    return sorted(records, key=lambda r: (-r.wins, -r.average, r.name))


def charts(
    records: Sequence[Record], finished: Sequence[Kept], chosen: colours.Chosen
) -> list[chart.Chart]:
    """The charts of one game: wins, points by round, all totals, where points came from."""
    names = [one.name for one in records[:MOST_PLAYERS]]
    player = msg("app.score.player")
    drawn = [
        chart.bars(
            msg("score.chart.wins"),
            player,
            [(one.name, round(100 * one.wins / one.plays)) for one in records[:MOST_PLAYERS]],
            value=msg("score.wins"),
            figure="chart.percent",
            most=100,
        )
    ]
    rounds: dict[str, dict[int, list[int]]] = {name: {} for name in names}
    gained: dict[str, Counter[PointSource]] = {name: Counter() for name in names}
    for one in finished:
        for p, name in enumerate(seated(one.session.sheet)):
            if name in rounds:
                for r, points in enumerate(one.rounds):
                    rounds[name].setdefault(r, []).append(points[p])
                for source, worth in one.sources[p]:
                    gained[name][source] += worth
    if last := max((r for own in rounds.values() for r in own), default=0):
        by_name = {
            name: [_average(own[r]) if r in own else None for r in range(last + 1)]
            for name, own in rounds.items()
        }
        heads = [msg("app.score.round-short", number=r + 1) for r in range(last + 1)]
        title = msg("score.chart.rounds")
        own = [colours.variable(c) for c in colours.of_seats(names, chosen)]
        drawn.append(
            chart.compared("lines", title, msg("score.round"), heads, by_name, colours=own)
        )
    totals = [total for one in finished for total in one.outcome.totals]
    drawn.append(
        chart.distribution(
            msg("score.chart.totals"),
            msg("score.results"),
            totals,
            value=msg("score.chart.often"),
        )
    )
    drawn += _sources(names, gained, {one.name: one.plays for one in records})
    return drawn


def _sources(
    names: Sequence[str], gained: dict[str, Counter[PointSource]], plays: dict[str, int]
) -> list[chart.Chart]:
    """Average points of a game by their source; the smaller sources as one."""
    every: Counter[PointSource] = sum(gained.values(), Counter())
    if not every:
        return []
    shown = [source for source, _ in every.most_common()]
    rest: list[PointSource] = []
    if len(shown) > chart.MOST_SERIES:
        shown, rest = shown[: chart.MOST_SERIES - 1], shown[chart.MOST_SERIES - 1 :]
    series: list[tuple[chart.Label, list[float]]] = [
        (one.name, [_average([gained[name][one]], plays[name]) for name in names]) for one in shown
    ]
    tints = [one.colour for one in shown]
    if rest:
        left = [_average([gained[name][one] for one in rest], plays[name]) for name in names]
        series.append((msg("score.chart.rest"), left))
        tints.append("faint")
    title, told = msg("score.chart.sources"), msg("score.chart.sources-told")
    return [
        chart.compared(
            "stacked", title, msg("app.score.player"), names, series, told=told, colours=tints
        )
    ]


def _average(numbers: Sequence[int], among: int = 0) -> float:
    return sum(numbers) / (among or len(numbers))
