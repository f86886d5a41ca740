"""Scores as lines that add up, and ties resolved by a ladder of named keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lovecraft.core import showing
from lovecraft.i18n import Message


class ScoreLine(NamedTuple):
    """One reason for points.

    ``cards`` are the ids of the cards (or tokens) that made them, to be lit; ``text`` is the
    formula in words; ``rule`` the id of the rule it follows.
    """

    points: int
    rule: str
    text: Message
    cards: tuple[str, ...] = ()


class ScoreSheet(NamedTuple):
    """The lines of one score; its points are their sum, never stored beside them."""

    lines: tuple[ScoreLine, ...]

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines)

    def _repr_html_(self) -> str | None:
        return showing.html(self)

    def _repr_svg_(self) -> str | None:
        return showing.svg(self)


class Key(NamedTuple):
    """One rung of the ladder: its name, the rule it follows, and a value per seat (more wins)."""

    name: str
    rule: str
    values: tuple[int, ...]


class Outcome(NamedTuple):
    """How a game ended.

    ``totals`` are points per seat; ``ranks`` start at 1 and ties share a rank; ``winners`` are
    seats (none when everybody lost); ``tiebreak`` is the name of the key that decided between
    players level on points, or None.
    """

    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    tiebreak: str | None = None
    rule: str = ""

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Shares of one victory per seat: the winners split 1."""
        share = 1 / len(self.winners) if self.winners else 0.0
        return tuple(share if p in self.winners else 0.0 for p in range(len(self.totals)))


def standings(keys: Sequence[Key]) -> Outcome:
    """Rank seats by a ladder of keys, the first one being the points.

    >>> standings([Key("points", "", (9, 9, 4)), Key("third-round", "", (2, 3, 9))])
    Outcome(totals=(9, 9, 4), ranks=(2, 1, 3), winners=(1,), tiebreak='third-round', rule='')
    """
    totals = keys[0].values
    ladders = list(zip(*(key.values for key in keys), strict=True))
    ranks = tuple(1 + sum(other > own for other in ladders) for own in ladders)
    winners = tuple(p for p, rank in enumerate(ranks) if rank == 1)
    level = [p for p, total in enumerate(totals) if total == max(totals)]
    deciding = None
    if len(winners) < len(level):
        # the last key that still told somebody level on points from the winners
        rest = level
        for key in keys[1:]:
            best = max(key.values[p] for p in rest)
            kept = [p for p in rest if key.values[p] == best]
            if len(kept) < len(rest):
                deciding = key
            rest = kept
    if deciding:
        return Outcome(totals, ranks, winners, deciding.name, deciding.rule)
    return Outcome(totals, ranks, winners, None, keys[0].rule)
