"""The desk of Ritos Ancestrais: hand, cult and performed rituals, in one edition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lovecraft import games
from lovecraft.core import Card, Record, ScoreLine, ScoreSheet
from lovecraft.explain.desks.base import Area, Desk, Layout, Piece, Showing, victory_shares
from lovecraft.games.ritos_ancestrais import Observation, RitosAncestrais, rulebook, scoring
from lovecraft.games.ritos_ancestrais import edition as editions
from lovecraft.games.ritos_ancestrais.cards import GAME, GOAL
from lovecraft.games.ritos_ancestrais.edition import MAX_HAND, Edition
from lovecraft.games.ritos_ancestrais.scoring import Performed
from lovecraft.games.ritos_ancestrais.tables import payments
from lovecraft.i18n import Message, msg

HAND, CULT, RITUALS = range(3)
RULES = cast(RitosAncestrais, games.get(GAME))


class RitosDesk(Desk):
    """What the hand can pay for with the cult, what has been performed, what the end would add."""

    game = RULES
    shared = (HAND, CULT)
    dealt = (6, 2)

    def __init__(self, edition: Edition = editions.HOUSE_EDITION) -> None:
        self.box = edition
        self.edition = edition.key
        kinds = tuple(card.id for card in edition.cards)
        rituals = tuple(ritual.id for ritual in edition.rituals)
        copies = max(card.copies for card in edition.cards)
        self.areas = (
            Area("hand", kinds, MAX_HAND, copies),
            Area("cult", kinds, len(kinds)),
            Area("rituals", rituals, GOAL, GOAL),
        )
        self.stock = {card.id: card.copies for card in edition.cards}
        self.base = {ritual.id: ritual.points for ritual in edition.rituals}

    def starts(self, rule: str) -> list[Layout]:
        return self.starts_with_a_card(rule, CULT)

    def slots(self, rule: str) -> list[tuple[int, Piece]]:
        """In the hand only symbols count: one card of each is enough."""
        first = {card.symbol: card.id for card in reversed(self.box.cards)}
        hand = [(HAND, card) for card in first.values()]
        if rule in (rulebook.END_BONUS.id, rulebook.EFFECT_END_BONUS.id):
            return [*((RITUALS, ritual) for ritual in self.base), *hand[:1]]
        return hand

    def piece_name(self, piece: Piece) -> Message:
        if piece in self.base and piece not in self.stock:
            return self.box.ritual_name(piece)
        return self.box.card_name(piece)

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(Card(card.id, card.symbol) for card in self.box.cards)

    def words(self, card: Piece) -> tuple[Message, ...]:
        return RULES.card_words(card, self.edition)

    def rules(self, card: Piece) -> tuple[str, ...]:
        return RULES.card_rules(card, self.edition)

    def mark(self, piece: Piece) -> str:
        symbols = {card.id: card.symbol for card in self.box.cards}
        return symbols.get(piece, "")

    def scores(self, layout: Layout) -> tuple[ScoreSheet, ...]:
        hand, cult, rituals = layout.areas
        done = scoring.ritual_sheet(self.box, (Performed(ritual) for ritual in rituals))
        end = scoring.end_sheet(self.box, rituals, cult, len(hand))
        return (ScoreSheet(done.lines + end.lines),)

    def could(self, layout: Layout) -> tuple[ScoreLine, ...]:
        """The rituals that the hand pays for, each with its best payment of fewest cards."""
        hand, cult, _ = layout.areas
        best: dict[str, ScoreLine] = {}
        for ritual, used, points in payments(self.box, hand, cult):
            there = best.get(ritual)
            if there and (there.points, -len(there.cards)) >= (points, -len(used)):
                continue
            text = msg(
                "ritos-ancestrais.action.ritual",
                ritual=self.box.ritual_name(ritual),
                cards=tuple(map(self.box.card_name, used)),
            )
            best[ritual] = ScoreLine(points, rulebook.RITUAL_POINTS.id, text, used)
        return tuple(sorted(best.values(), key=lambda line: -line.points))

    def measures(self, layout: Layout) -> dict[str, int]:
        hand, cult, _ = layout.areas
        bonus = max((p - self.base[r] for r, _, p in payments(self.box, hand, cult)), default=0)
        plain = super().measures(layout)
        end = plain.get(rulebook.END_BONUS.id, 0)
        return {
            **plain,
            rulebook.EFFECT_RITUAL_BONUS.id: bonus,
            rulebook.EFFECT_END_BONUS.id: end,
        }

    def _seen(self, observation: Observation) -> Layout:
        o = observation
        layout = self.with_area(self.empty(), CULT, o.cults[o.player])
        layout = self.with_area(layout, RITUALS, [done.ritual for done in o.rituals[o.player]])
        return self.with_area(layout, HAND, o.hand)

    def seen(self, observation: Observation) -> Layout | None:
        """Only cards of this desk's edition have a place on it."""
        if observation.setup.edition != self.box.key:
            return None
        return super().seen(observation)

    def showings(self, record: Record) -> Iterator[Showing]:
        won = victory_shares(record)
        ended: dict[int, dict[str, float]] = {}
        final = record.start()
        for step in record.steps():
            final = step.after
            for event in step.events:
                points = event.data.get("points")
                if event.kind == "performed" and isinstance(points, int):
                    used = event.data["cards"]
                    assert isinstance(used, list)  # noqa: S101
                    share = dict.fromkeys(used, points / len(used))
                    yield Showing(event.player, tuple(used), share, won[event.player])
                elif event.kind == "end-bonus" and isinstance(points, int):
                    ended.setdefault(event.player, {})[str(event.data["card"])] = float(points)
        for seat in range(len(record.players)):
            cult = self.game.observe(final, seat).cults[seat]
            yield Showing(seat, tuple(cult), ended.get(seat, {}), won[seat])
