"""The mystic score of a play area: pure functions on rune counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from lovecraft.core.scoring import Key, Outcome, ScoreLine, ScoreSheet, standings
from lovecraft.games.ancient_cards import rulebook
from lovecraft.games.ancient_cards.cards import RUNES, Bundle, counts
from lovecraft.i18n import msg

IDENTICAL_POINTS = (0, 0, 1, 2, 4, 5, 7, 10)
"""Points for 0 to 7 identical runes (seed); more than seven, only possible when play areas are
kept, score as seven (house)."""

DIFFERENT_POINTS = 5
"""Points for all seven different runes (seed), once (house: in a kept play area too)."""


def identical_points(number: int) -> int:
    """Points for a group of ``number`` identical runes."""
    return IDENTICAL_POINTS[min(number, len(IDENTICAL_POINTS) - 1)]


def score(area: Mapping[str, int]) -> ScoreSheet:
    """Score a play area given as rune → number (absent: none), finished or not.

    One line per group of a rune, those of a single card included (worth 0), and one for seven
    different runes.
    """
    lines = [
        ScoreLine(
            identical_points(n),
            rulebook.IDENTICAL.id,
            msg("ancient-cards.identical", n=n, rune=msg(f"card.ancient-cards.{rune}")),
            (rune,) * n,
        )
        for rune in RUNES
        if (n := area.get(rune, 0))
    ]
    if len(lines) == len(RUNES):
        lines.append(
            ScoreLine(
                DIFFERENT_POINTS, rulebook.DIFFERENT.id, msg("ancient-cards.different"), RUNES
            )
        )
    return ScoreSheet(tuple(lines))


def area_sheet(area: Bundle) -> ScoreSheet:
    """The score of a packed play area."""
    return score(dict(zip(RUNES, counts(area), strict=True)))


@cache
def area_points(area: Bundle) -> int:
    """The points of a packed play area."""
    return area_sheet(area).points


def final_standings(rounds: Sequence[Sequence[int]], finished: bool = True) -> Outcome:
    """Rank players by points per round (``rounds[player][round]``).

    The third round breaks ties only in a finished game; before that the highest total leads.
    """
    keys = [Key("total", rulebook.END.id, tuple(sum(points) for points in rounds))]
    if finished:
        last = tuple(points[-1] for points in rounds)
        keys.append(Key("third-round", rulebook.TIE_THIRD_ROUND.id, last))
    outcome = standings(keys)
    if finished and len(outcome.winners) > 1:
        return outcome._replace(rule=rulebook.TIE_SHARED.id)
    return outcome
