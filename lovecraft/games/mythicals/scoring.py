"""What claimed tokens are worth: pure functions on token ids and numbers of markers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lovecraft.core.scoring import Key, Outcome, ScoreLine, ScoreSheet, standings
from lovecraft.games.mythicals import rulebook
from lovecraft.games.mythicals.cards import TOKEN
from lovecraft.i18n import msg


def score(tokens: Iterable[tuple[str, int]]) -> ScoreSheet:
    """Score claimed tokens given with their markers.

    One line per token, and one for its markers if there are any, in the order given.
    """
    lines = []
    for token, markers in tokens:
        name = msg(f"card.mythicals.{token}")
        lines.append(
            ScoreLine(
                TOKEN[token].points,
                rulebook.POINTS.id,
                msg("mythicals.line.token", token=name),
                (token,),
            )
        )
        if markers:
            lines.append(
                ScoreLine(
                    markers,
                    rulebook.MARKER_POINTS.id,
                    msg("mythicals.line.markers", n=markers, token=name),
                    (token,),
                )
            )
    return ScoreSheet(tuple(lines))


def final_standings(totals: Sequence[int]) -> Outcome:
    """Rank players by points; those who are level share the victory."""
    return standings([Key("total", rulebook.END.id, tuple(totals))])
