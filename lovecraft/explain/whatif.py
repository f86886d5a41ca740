"""Change one thing on a desk: which score lines move, what the best swap is, what may still come.

What is still to come is counted exactly where the draws can all be listed, and sampled with an
interval where not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from typing import NamedTuple

from lovecraft.core import ScoreLine, ScoreSheet
from lovecraft.explain.desks import Desk, Layout
from lovecraft.explain.desks.base import Piece

COUNTED = 12_000
"""The most different draws that are listed one by one; beyond that they are sampled."""

SAMPLES = 3_000
Z95 = 1.959964
"""Standard deviations of a normal distribution around a 95 % interval."""


class Moved(NamedTuple):
    """One line of a score before and after a change; None where there is no such line."""

    before: ScoreLine | None
    after: ScoreLine | None

    @property
    def change(self) -> int:
        """Points gained (or, negative, lost) in this line."""
        return (self.after.points if self.after else 0) - (self.before.points if self.before else 0)


def moved(before: ScoreSheet, after: ScoreSheet) -> tuple[Moved, ...]:
    """The lines of two scores side by side, those about the same thing together."""
    left = _keyed(before)
    right = _keyed(after)
    return tuple(Moved(left.get(key), right.get(key)) for key in dict.fromkeys((*left, *right)))


def _keyed(sheet: ScoreSheet) -> dict[tuple[str, str, int], ScoreLine]:
    keyed: dict[tuple[str, str, int], ScoreLine] = {}
    for line in sheet.lines:
        about = line.cards[0] if line.cards else ""
        again = sum(key[:2] == (line.rule, about) for key in keyed)
        keyed[line.rule, about, again] = line
    return keyed


class Swap(NamedTuple):
    """Exchanging one piece for another: where, what it was, what it becomes, points gained."""

    area: int
    at: int
    out: Piece
    into: Piece
    gain: int
    layout: Layout


def swaps(desk: Desk, layout: Layout, area: int = 0) -> Iterator[Swap]:
    """Every exchange of one piece of an area for one that is not on the desk, and its gain."""
    was = desk.worth(layout)
    lying = layout.areas[area]
    seen = set()
    for at, out in enumerate(lying):
        for into in desk.areas[area].pieces:
            changed = desk.swap(layout, area, at, into)
            if into == out or changed in seen or desk.problem(changed):
                continue
            seen.add(changed)
            yield Swap(area, at, out, into, desk.worth(changed) - was, changed)


def best_swap(desk: Desk, layout: Layout, area: int = 0) -> Swap | None:
    """The exchange that gains most, None when none gains anything."""
    best = max(swaps(desk, layout, area), key=lambda swap: swap.gain, default=None)
    return best if best and best.gain > 0 else None


# -- what is still to come ------------------------------------------------------------------------


def interval(hits: int, samples: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927), 95 % by default.

    >>> [round(x, 3) for x in interval(50, 100)]
    [0.404, 0.596]
    """
    if not samples:
        return (0.0, 1.0)
    share, extra = hits / samples, z * z / samples
    middle = (share + extra / 2) / (1 + extra)
    half = z * sqrt(share * (1 - share) / samples + extra / (4 * samples)) / (1 + extra)
    return (max(0.0, middle - half), min(1.0, middle + half))


def at_least_one(copies: int, unseen: int, number: int) -> Fraction:
    """How likely one of ``copies`` cards is among ``number`` drawn from ``unseen``.

    One minus the hypergeometric probability of none.

    >>> at_least_one(1, 18, 5)
    Fraction(5, 18)
    """
    if number > unseen:
        number = unseen
    return 1 - Fraction(comb(unseen - copies, number), comb(unseen, number))


class Odds(NamedTuple):
    """How likely each value is.

    ``chances`` are pairs of a value and its probability, by value; ``low`` and ``high`` the 95 %
    interval of each probability (the probability itself, twice, where it was counted). ``samples``
    is 0 for what was counted exactly.
    """

    chances: tuple[tuple[int, float], ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    samples: int = 0

    @property
    def exact(self) -> bool:
        return self.samples == 0

    @property
    def mean(self) -> float:
        return sum(value * chance for value, chance in self.chances)

    def at_least(self, least: int) -> float:
        """How likely the value is so much or more."""
        return sum(chance for value, chance in self.chances if value >= least)


class Future:
    """What a layout will be worth once more cards have come from those unseen, by chance alone.

    Driven in slices with :meth:`step`; :attr:`odds` are those of what has been done so far.
    """

    def __init__(
        self,
        desk: Desk,
        layout: Layout,
        number: int,
        pool: Mapping[Piece, int] | None = None,
        *,
        seed: object = 0,
        counted: int = COUNTED,
        samples: int = SAMPLES,
    ) -> None:
        self.desk, self.layout = desk, layout
        self.pool = dict(desk.unseen(layout) if pool is None else pool)
        self.number = min(number, sum(self.pool.values()))
        self._weights: dict[int, int] = {}
        kinds = ways(tuple(sorted(self.pool.values())), self.number)
        self.exact = kinds <= counted
        self.total = kinds if self.exact else samples
        self.done = 0
        self._draws = self._listed() if self.exact else self._sampled(random.Random(f"{seed}"))

    def step(self, draws: int = 200) -> bool:
        """Look at some more draws; whether all is done."""
        for _ in range(min(draws, self.total - self.done)):
            pieces, weight = next(self._draws)
            worth = self.desk.worth(self.desk.drawn(self.layout, pieces))
            self._weights[worth] = self._weights.get(worth, 0) + weight
            self.done += 1
        return self.done >= self.total

    def finish(self) -> Odds:
        """All of it at once."""
        while not self.step():
            pass
        return self.odds

    @property
    def odds(self) -> Odds:
        """The distribution by what has been looked at."""
        whole = sum(self._weights.values())
        values = sorted(self._weights)
        chances = tuple((value, self._weights[value] / whole) for value in values)
        if self.exact:
            same = tuple(chance for _, chance in chances)
            return Odds(chances, same, same)
        both = [interval(self._weights[value], whole) for value in values]
        return Odds(chances, tuple(b[0] for b in both), tuple(b[1] for b in both), self.done)

    def _listed(self) -> Iterator[tuple[tuple[Piece, ...], int]]:
        """Every different draw with the number of ways it can come about."""
        kinds = tuple(self.pool.items())
        stack: list[tuple[int, int, tuple[Piece, ...], int]] = [(0, self.number, (), 1)]
        left = [sum(n for _, n in kinds[at:]) for at in range(len(kinds) + 1)]
        while stack:
            at, due, drawn, weight = stack.pop()
            if not due:
                yield drawn, weight
            elif left[at] >= due:
                piece, there = kinds[at]
                for n in range(min(there, due) + 1):
                    stack.append(
                        (at + 1, due - n, (*drawn, *(piece,) * n), weight * comb(there, n))
                    )

    def _sampled(self, rng: random.Random) -> Iterator[tuple[tuple[Piece, ...], int]]:
        cards = [piece for piece, n in self.pool.items() for _ in range(n)]
        while True:
            yield tuple(rng.sample(cards, self.number)), 1


@cache
def ways(numbers: Sequence[int], draw: int) -> int:
    """How many different draws there are from kinds with so many cards each.

    >>> ways((7,) * 7, 7), ways((1,) * 18, 2)
    (1716, 153)
    """
    counts = [1] + [0] * draw
    for number in numbers:
        counts = [sum(counts[k - i] for i in range(min(number, k) + 1)) for k in range(draw + 1)]
    return counts[draw]
