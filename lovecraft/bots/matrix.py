"""Finite zero-sum games of two players who choose at the same time: value and optimal mixtures.

The first player chooses a row and gets the entry, the second a column and pays it. By the minimax
theorem (von Neumann 1928) both have mixtures that guarantee the same value; they are the solutions
of a pair of dual linear programs (Dantzig 1951), solved here by the simplex method on a dense
table of floats, which is exact to rounding for the few rows and columns that a hand of cards has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Matrix = Sequence[Sequence[float]]
Mixture = tuple[float, ...]

_EPSILON = 1e-12
_BLAND_AFTER = 40
"""Pivots after which Bland's rule (1977) takes over, which cannot cycle."""


class Equilibrium(NamedTuple):
    """The value for the row player, and an optimal mixture of each."""

    value: float
    rows: Mixture
    columns: Mixture


def solve(matrix: Matrix) -> Equilibrium:
    """Solve a matrix game.

    >>> [round(x, 3) for x in solve([[0, 2, -1], [-1, 0, 1], [1, -1, 0]]).rows]
    [0.25, 0.333, 0.417]
    >>> solve([[3, 5], [1, 9]])
    Equilibrium(value=3, rows=(1.0, 0.0), columns=(1.0, 0.0))
    """
    lows = [min(row) for row in matrix]
    best: float = max(lows)
    highs = [max(column) for column in zip(*matrix, strict=True)]
    least = min(highs)
    if best >= least:  # a saddle point: both may play one choice only
        return Equilibrium(
            best, _pure(lows.index(best), len(lows)), _pure(highs.index(least), len(highs))
        )
    if len(lows) == len(highs) == 2:
        (a, b), (c, d) = matrix
        whole = a - b - c + d  # not 0, or there would be a saddle point
        row, column = (d - c) / whole, (d - b) / whole
        return Equilibrium((a * d - b * c) / whole, (row, 1 - row), (column, 1 - column))
    return _simplex(matrix)


def exploitability(matrix: Matrix, rows: Mixture, columns: Mixture) -> float:
    """What best responses gain against a pair of mixtures, both sides together (NashConv)."""
    against = [sum(x * y for x, y in zip(row, columns, strict=True)) for row in matrix]
    facing = [
        sum(x * y for x, y in zip(column, rows, strict=True))
        for column in zip(*matrix, strict=True)
    ]
    gained: float = max(against) - min(facing)
    return gained


def _pure(at: int, size: int) -> Mixture:
    return tuple(1.0 if i == at else 0.0 for i in range(size))


def _simplex(matrix: Matrix) -> Equilibrium:
    """Maximise the sum of y with ``(matrix + shift) y <= 1``: y is the column mixture, scaled.

    The shift makes every entry at least 1, so the value is positive; the dual solution, the row
    mixture, stands in the last row under the slack variables.
    """
    m, n = len(matrix), len(matrix[0])
    shift = 1 - min(map(min, matrix))
    table = [
        [entry + shift for entry in row] + [1.0 if i == k else 0.0 for k in range(m)] + [1.0]
        for i, row in enumerate(matrix)
    ]
    goal = [-1.0] * n + [0.0] * (m + 1)
    basis = list(range(n, n + m))
    for pivots in range(1000):
        if pivots < _BLAND_AFTER:
            entering = min(range(n + m), key=goal.__getitem__)
            if goal[entering] >= -_EPSILON:
                break
        else:
            entering = next((j for j in range(n + m) if goal[j] < -_EPSILON), -1)
            if entering < 0:
                break
        leaving, least = -1, float("inf")
        for i, row in enumerate(table):
            if row[entering] > _EPSILON:
                ratio = row[-1] / row[entering]
                if ratio < least or (ratio == least and basis[i] < basis[leaving]):
                    leaving, least = i, ratio
        pivot = table[leaving]
        scale = 1 / pivot[entering]
        table[leaving] = pivot = [entry * scale for entry in pivot]
        for i, row in enumerate(table):
            if i != leaving and (factor := row[entering]):
                table[i] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
        factor = goal[entering]
        goal = [x - factor * y for x, y in zip(goal, pivot, strict=True)]
        basis[leaving] = entering
    scaled = [0.0] * (n + m)
    for i, variable in enumerate(basis):
        scaled[variable] = max(0.0, table[i][-1])
    columns = _normal(scaled[:n])
    rows = _normal([max(0.0, price) for price in goal[n : n + m]])
    value = sum(
        x * y * entry
        for x, row in zip(rows, matrix, strict=True)
        if x
        for y, entry in zip(columns, row, strict=True)
    )
    return Equilibrium(value, rows, columns)


def _normal(weights: Sequence[float]) -> Mixture:
    total = sum(weights)
    return tuple(weight / total for weight in weights)
