"""The desk of Ancient Cards: one play area."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lovecraft import games
from lovecraft.core import Record, ScoreSheet
from lovecraft.explain.desks.base import Area, Desk, Layout, Showing, victory_shares
from lovecraft.games.ancient_cards import Observation, rulebook, scoring
from lovecraft.games.ancient_cards.cards import COPIES, HAND_SIZE, RUNES, cards


class AncientCardsDesk(Desk):
    """Up to seven runes before one player."""

    game = games.get(rulebook.GAME)
    areas = (Area("area", RUNES, HAND_SIZE, HAND_SIZE),)
    stock = dict.fromkeys(RUNES, COPIES[0])

    def scores(self, layout: Layout) -> tuple[ScoreSheet, ...]:
        (area,) = layout.areas
        return (scoring.score({rune: area.count(rune) for rune in area}),)

    def measures(self, layout: Layout) -> dict[str, int]:
        found = super().measures(layout)
        groups = [scoring.identical_points(n) for n in Counter(layout.areas[0]).values()]
        return {**found, rulebook.SUM.id: sum(groups) - max(groups, default=0)}

    def _seen(self, observation: Observation) -> Layout:
        return Layout((cards(observation.areas[observation.player]),))

    def showings(self, record: Record) -> Iterator[Showing]:
        won = victory_shares(record)
        for step in record.steps():
            if step.after.round > step.before.round:
                for seat, area in enumerate(step.after.areas):
                    lines = scoring.area_sheet(area).lines
                    groups = {
                        line.cards[0]: float(line.points)
                        for line in lines
                        if line.rule == rulebook.IDENTICAL.id
                    }
                    yield Showing(seat, cards(area), groups, won[seat])
