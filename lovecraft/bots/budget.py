"""How long a bot may think about one decision."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

NODES_PER_SECOND = 20_000
"""How many positions an exact solver surely visits in a second (in a browser too)."""

NODES_PER_ITERATION = 10
"""What one iteration of a search is worth in positions of an exact solver."""


class Budget(NamedTuple):
    """A limit on time, on iterations, or on both: whichever is reached first ends the search.

    With iterations alone a search does the same work everywhere, so that the same observation and
    random stream give the same choice. ``clock`` counts seconds: the wall's by default;
    measurements on a busy machine use ``time.thread_time``.
    """

    seconds: float | None = None
    iterations: int | None = None
    clock: Callable[[], float] = time.perf_counter

    @property
    def nodes(self) -> float:
        """How many positions an exact solver may visit for one decision."""
        limits = []
        if self.seconds is not None:
            limits.append(self.seconds * NODES_PER_SECOND)
        if self.iterations is not None:
            limits.append(float(self.iterations * NODES_PER_ITERATION))
        return min(limits, default=float("inf"))

    def times(self, factor: float) -> Budget:
        """The budget so many times as large."""
        seconds = None if self.seconds is None else self.seconds * factor
        iterations = None if self.iterations is None else round(self.iterations * factor)
        return Budget(seconds, iterations, self.clock)
