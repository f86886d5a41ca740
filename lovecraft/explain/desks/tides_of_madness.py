"""The desk of Tides of Madness: the cards before both players in one round."""

from __future__ import annotations

from collections.abc import Iterator

from lovecraft import games
from lovecraft.core import Record, ScoreSheet
from lovecraft.explain.desks.base import (
    Area,
    Desk,
    Knob,
    Layout,
    Piece,
    Setting,
    Showing,
    victory_shares,
)
from lovecraft.games.tides_of_madness import Observation, rulebook, scoring, sheet
from lovecraft.games.tides_of_madness.cards import (
    CARDS,
    HAND_SIZE,
    LOST_AT,
    ROUNDS,
    SUITS,
    card_id,
)
from lovecraft.games.tides_of_madness.scoring import Tableau
from lovecraft.games.tides_of_madness.state import CHOOSING, DREAMING, OVER
from lovecraft.i18n import Message

BEST = "best"
_NOTHING = ScoreSheet(())


class TidesDesk(Desk):
    """Both rows in the order played; the own madness before, kept cards, choice and suit."""

    game = games.get(rulebook.GAME)
    areas = (
        Area("own", CARDS, HAND_SIZE + ROUNDS - 1, ordered=True),
        Area("other", CARDS, HAND_SIZE + ROUNDS - 1, ordered=True),
    )
    knobs = (
        Knob("kept", tuple(range(ROUNDS))),
        Knob("madness", tuple(range(LOST_AT))),
        Knob("choice", scoring.CHOICES),
        Knob("suit", (BEST, *SUITS)),
    )
    stock = dict.fromkeys(CARDS, 1)
    shared = (0, 1)
    dealt = (HAND_SIZE, HAND_SIZE)
    paying = tuple(rule.id for rule in rulebook.CARD.values())

    def starts(self, rule: str) -> list[Layout]:
        return self.starts_with_a_card(rule, 0)

    def slots(self, rule: str) -> list[tuple[int, Piece]]:
        own = super().slots(rule)
        if rule in (rulebook.DREAMLANDS_MADNESS.id, *self.game.card_rules("dreamlands")):
            return [*own, *((1, card) for card in CARDS)]
        return own

    def turned(self, rule: str) -> tuple[str, ...]:
        return ("kept",) if rule == rulebook.SHUB_KEPT.id else ()

    def setting_name(self, knob: Knob, setting: Setting) -> Message:
        if setting in SUITS:
            return scoring.suit_name(str(setting))
        return super().setting_name(knob, setting)

    def round(self, layout: Layout) -> sheet.Round:
        """The scored round of a layout: madness, choices, and both scores."""
        own, other = layout.areas
        kept = self.setting(layout, "kept")
        choice, suit = self.setting(layout, "choice"), self.setting(layout, "suit")
        chosen = None if suit == BEST else suit
        sides = (
            sheet.Side(own[:kept], own[kept:], choice, chosen),
            sheet.Side((), other, scoring.POINTS),
        )
        before = sheet.Round(
            (Tableau(), Tableau()), (0, 0), None, None, None, None, False, (),
            (self.setting(layout, "madness"), 0), (_NOTHING, _NOTHING),
        )  # fmt: skip
        return sheet.running_round(sides, before)

    def scores(self, layout: Layout) -> tuple[ScoreSheet, ...]:
        return self.round(layout).scores

    def measures(self, layout: Layout) -> dict[str, int]:
        played = self.round(layout)
        (own, other), lines = played.tableaus, played.scores[0].lines
        most = played.most == 0 and played.choice == scoring.POINTS
        unsuited = scoring.score(own, other, played.madness[0], None, most)
        takes = played.owner == 0 and played.taken[1] > 0
        rules = self.game.card_rules
        by_suit = played.scores[0].points - unsuited.points if played.owner == 0 else 0
        return {
            **super().measures(layout),
            rulebook.CARD["dreamlands"].id: by_suit,
            rulebook.DREAMLANDS_SUIT.id: by_suit,
            rulebook.TAKE_MADNESS.id: played.taken[0],
            rulebook.DREAMLANDS_MADNESS.id: int(takes),
            rulebook.SCORE.id: sum(
                line.points for line in lines if line.rule != rulebook.MOST_MADNESS.id
            ),
            rulebook.MAJORITY.id: sum(
                line.points
                for line in lines
                if line.cards
                and line.rule in rules(line.cards[0])
                and rulebook.MAJORITY.id in rules(line.cards[0])
            ),
            rulebook.SHUB_KEPT.id: self._not_doubled(layout),
        }

    def _not_doubled(self, layout: Layout) -> int:
        """What Shub-Niggurath would double, were the cards not kept from earlier rounds."""
        if not self.setting(layout, "kept") or "shub-niggurath" not in layout.areas[0]:
            return 0
        fresh = self.turn(layout, 0, 0)
        return self.scores(fresh)[0].points - self.scores(layout)[0].points

    def _seen(self, observation: Observation) -> Layout:
        o = observation
        own, other = (tuple(map(card_id, o.tableaus[p])) for p in (o.player, 1 - o.player))
        kept = min(o.round, len(own))
        return Layout((own, other), (kept, o.madness[o.player], scoring.POINTS, BEST))

    def seen(self, observation: Observation) -> Layout | None:
        """Not while a round is being scored: its madness has been taken, the desk takes it too."""
        if observation.phase in (CHOOSING, DREAMING, OVER):
            return None
        return super().seen(observation)

    def showings(self, record: Record) -> Iterator[Showing]:
        won = victory_shares(record)
        for step in record.steps():
            for seat in range(len(record.players)):
                points: dict[str, float] = {}
                lying: list[str] = []
                for event in step.events:
                    if event.kind == "line" and event.player == seat:
                        shown = event.data["cards"]
                        card = shown[0] if isinstance(shown, list) and shown else ""
                        if card and event.rule != rulebook.MOST_MADNESS.id:
                            worth = event.data["points"]
                            points[card] = float(worth) if isinstance(worth, int) else 0.0
                            lying.append(card)
                if lying:
                    yield Showing(seat, tuple(lying), points, won[seat])
