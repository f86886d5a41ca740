"""Solved positions of a zero-sum game of two seats, by share of the victory and then by points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lovecraft.bots import matrix

Result = tuple[float, float]
"""The first seat's share of the victory, and its lead in points."""

NOTHING: tuple[Any, ...] = (None,)
"""The choices of a seat that has nothing to choose."""


class Solution(NamedTuple):
    """What each action of one seat brings it (share of the victory, lead in points where known),
    and how often it should be played (never, if it is not named)."""

    found: Mapping[Any, tuple[float, float | None]]
    weights: Mapping[Any, float]


class Node(NamedTuple):
    """A solved position: both seats' choices, the result of each pair, and optimal mixtures."""

    choices: tuple[tuple[Any, ...], tuple[Any, ...]]
    shares: tuple[tuple[float, ...], ...]
    leads: tuple[tuple[float, ...], ...]
    mixtures: tuple[matrix.Mixture, matrix.Mixture]
    share: float
    lead: float

    def against(self, seat: int) -> tuple[Result, ...]:
        """Share and lead OF THIS SEAT for each of its choices, the other playing its mixture."""
        shares, leads = self.shares, self.leads
        mixture = self.mixtures[1 - seat]
        if seat == 0:
            return tuple(
                (_dot(mixture, share), _dot(mixture, lead))
                for share, lead in zip(shares, leads, strict=True)
            )
        return tuple(
            (1 - _dot(mixture, share), -_dot(mixture, lead))
            for share, lead in zip(zip(*shares, strict=True), zip(*leads, strict=True), strict=True)
        )

    def solution(self, seat: int) -> Solution:
        """The solution as it looks for one seat."""
        choices = self.choices[seat]
        return Solution(
            dict(zip(choices, self.against(seat), strict=True)),
            dict(zip(choices, self.mixtures[seat], strict=True)),
        )


class Task(NamedTuple):
    """A position to be solved for one seat.

    ``nodes`` is about how many positions that takes, ``last`` whether the game ends with what is
    solved (else its end is judged by an estimate), ``sampled`` whether hidden cards were drawn at
    random: then several tasks are to be averaged. ``solving`` does the work in small parts, after
    which ``solution`` gives the seat's solution at once. Where nobody knows beforehand how long
    that takes, ``nodes`` is 0, and each part visits ``burst`` positions.
    """

    seat: int
    nodes: float
    last: bool
    sampled: bool
    solving: Callable[[], Iterator[None]]
    solution: Callable[[], Solution]
    burst: int = 0


def value(grid: Sequence[Sequence[Result]]) -> Result:
    """Share and lead under optimal play of a matrix of results."""
    shares = [[share for share, _ in row] for row in grid]
    first = shares[0][0]
    if all(share == first for row in shares for share in row):
        # nothing changes the share: play for points
        return first, matrix.solve([[lead for _, lead in row] for row in grid]).value
    solved = matrix.solve(shares)
    lead = 0.0
    for x, row in zip(solved.rows, grid, strict=True):
        if x:
            for y, result in zip(solved.columns, row, strict=True):
                if y:
                    lead += x * y * result[1]
    return solved.value, lead


def node(
    choices: tuple[tuple[Any, ...], tuple[Any, ...]], grid: Sequence[Sequence[Result]]
) -> Node:
    """The solved position of a matrix of results."""
    shares = tuple(tuple(share for share, _ in row) for row in grid)
    leads = tuple(tuple(lead for _, lead in row) for row in grid)
    first = shares[0][0]
    level = all(share == first for row in shares for share in row)
    solved = matrix.solve(leads if level else shares)
    share, lead = value(grid)
    return Node(choices, shares, leads, (solved.rows, solved.columns), share, lead)


def alone(seat: int, choices: tuple[Any, ...], options: Sequence[Result]) -> Node:
    """A choice of one seat, the best for it by share and then by lead."""
    best = options.index(min(options) if seat else max(options))
    mixture = tuple(1.0 if i == best else 0.0 for i in range(len(options)))
    shares, leads = zip(*options, strict=True)
    if seat:
        return Node((NOTHING, choices), (shares,), (leads,), ((1.0,), mixture), *options[best])
    return Node(
        (choices, NOTHING),
        tuple((share,) for share in shares),
        tuple((lead,) for lead in leads),
        (mixture, (1.0,)),
        *options[best],
    )


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(w * v for w, v in zip(weights, values, strict=True))
