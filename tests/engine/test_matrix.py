"""Matrix games: values that are known, and mixtures that nothing beats."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft.bots.matrix import exploitability, solve


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        ([[3.0]], 3, (1,), (1,)),
        ([[1.0, 2.0], [0.0, 9.0]], 1, (1, 0), (1, 0)),
        ([[1.0, -1.0], [-1.0, 1.0]], 0, (0.5, 0.5), (0.5, 0.5)),
        ([[3.0, -1.0], [-2.0, 1.0]], 1 / 7, (3 / 7, 4 / 7), (2 / 7, 5 / 7)),
        ([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], 0, (1 / 3,) * 3, (1 / 3,) * 3),
        # Colonel Blotto in small: the third row is dominated
        ([[4.0, 0.0], [0.0, 2.0], [1.0, 0.0]], 4 / 3, (1 / 3, 2 / 3, 0), (1 / 3, 2 / 3)),
    ],
)
def test_known_games(
    matrix: list[list[float]], value: float, rows: tuple[float, ...], columns: tuple[float, ...]
) -> None:
    solved = solve(matrix)
    assert solved.value == pytest.approx(value)
    assert solved.rows == pytest.approx(rows)
    assert solved.columns == pytest.approx(columns)


@given(
    seed=st.integers(0, 2**32),
    m=st.integers(1, 7),
    n=st.integers(1, 7),
    values=st.sampled_from([(0.0, 1.0), (0.0, 0.5, 1.0), tuple(map(float, range(-9, 10))), ()]),
)
@settings(max_examples=300, deadline=None)
def test_nothing_beats_the_mixtures(seed: int, m: int, n: int, values: tuple[float, ...]) -> None:
    """Many equal entries are the hard case: degenerate corners, several solutions."""
    rng = random.Random(seed)
    matrix = [[rng.choice(values) if values else rng.random() for _ in range(n)] for _ in range(m)]
    value, rows, columns = solve(matrix)
    assert exploitability(matrix, rows, columns) < 1e-9
    for mixture, size in ((rows, m), (columns, n)):
        assert len(mixture) == size and min(mixture) >= 0
        assert sum(mixture) == pytest.approx(1, abs=1e-12)
    got = sum(
        x * y * entry
        for x, row in zip(rows, matrix, strict=True)
        for y, entry in zip(columns, row, strict=True)
    )
    assert value == pytest.approx(got, abs=1e-9)
    # the other side of the table sees the same game
    flipped = [[-entry for entry in column] for column in zip(*matrix, strict=True)]
    assert solve(flipped).value == pytest.approx(-value, abs=1e-9)
