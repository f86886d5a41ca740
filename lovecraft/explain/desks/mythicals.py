"""The desk of Mythicals: creature cards before a player, claimed tokens, markers on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lovecraft import games
from lovecraft.core import Record, ScoreLine, ScoreSheet
from lovecraft.explain.desks.base import Area, Desk, Layout, Piece, Showing, victory_shares
from lovecraft.games.mythicals import Observation, rulebook, scoring
from lovecraft.games.mythicals.cards import (
    COLOURS,
    COPIES,
    CREATURES,
    MARKERS,
    MAX_MARKERS,
    TOKEN,
    TOKEN_IDS,
    TOKEN_UNIT,
    cards,
    count,
)
from lovecraft.games.mythicals.claims import claimable
from lovecraft.i18n import Message, msg

HAND, TOKENS, MARKED = range(3)


class MythicalsDesk(Desk):
    """No card twice in front of a player: it would have gone to the other one."""

    game = games.get(rulebook.GAME)
    areas = (
        Area("hand", CREATURES, len(CREATURES)),
        Area("tokens", TOKEN_IDS, len(TOKEN_IDS)),
        Area("markers", TOKEN_IDS, MARKERS, MAX_MARKERS),
    )
    stock = dict.fromkeys(CREATURES, COPIES)
    dealt = (8, 1)
    paying = (rulebook.RUN.id, rulebook.SET.id, rulebook.THIRTEEN.id, rulebook.JOKER.id)

    def slots(self, rule: str) -> list[tuple[int, Piece]]:
        """All colours are alike: one is enough, but for sets."""
        if rule == rulebook.POINTS.id:
            return [(TOKENS, token) for token in TOKEN_IDS]
        if rule == rulebook.MARKER_POINTS.id:
            return [(area, TOKEN_IDS[0]) for area in (TOKENS, MARKED)]
        colours = COLOURS if rule == rulebook.SET.id else COLOURS[:1]
        return [(HAND, card) for card in CREATURES if card.startswith(colours)]

    def problem(self, layout: Layout) -> Message | None:
        wrong = super().problem(layout)
        if wrong is None:
            for token in layout.areas[MARKED]:
                if token not in layout.areas[TOKENS]:
                    return msg("explain.error.marker", token=self.piece_name(token))
        return wrong

    def take(self, layout: Layout, area: int, at: int) -> Layout:
        """A token that goes takes its markers along."""
        gone = layout.areas[area][at]
        left = super().take(layout, area, at)
        if area != TOKENS:
            return left
        return self.with_area(left, MARKED, [t for t in left.areas[MARKED] if t != gone])

    def scores(self, layout: Layout) -> tuple[ScoreSheet, ...]:
        _, tokens, markers = layout.areas
        return (scoring.score((token, markers.count(token)) for token in tokens),)

    def could(self, layout: Layout) -> tuple[ScoreLine, ...]:
        """The tokens that the hand pays for, each with its payment of fewest jokers."""
        hand, tokens, _ = layout.areas
        left = [token for token in TOKEN_IDS if token not in tokens]
        lines = [
            ScoreLine(
                TOKEN[token].points,
                self.game.card_rules(token)[0],
                msg(
                    "mythicals.action.claim",
                    token=self.piece_name(token),
                    cards=tuple(map(self.piece_name, payments[0])),
                ),
                (token, *payments[0]),
            )
            for token, payments in claimable(hand, left).items()
            if payments
        ]
        return tuple(sorted(lines, key=lambda line: -line.points))

    def measures(self, layout: Layout) -> dict[str, int]:
        with_joker = [
            line.points
            for line in self.could(layout)
            if line.rule != rulebook.THIRTEEN.id and any("joker" in c for c in line.cards)
        ]
        return {**super().measures(layout), rulebook.JOKER.id: max(with_joker, default=0)}

    def drawn(self, layout: Layout, pieces: Sequence[Piece]) -> Layout:
        """One colour of what is revealed, the best; what is held already goes to the opponent."""
        hand = layout.areas[HAND]
        colours = (
            dict.fromkeys(p for p in pieces if p.startswith(colour) and p not in hand)
            for colour in COLOURS
        )
        return max((self.put(layout, HAND, *taken) for taken in colours), key=self.worth)

    def _seen(self, observation: Observation) -> Layout:
        o = observation
        tokens = o.stacks[o.player]
        markers = (t for t in tokens for _ in range(count(o.markers, TOKEN_UNIT[t])))
        layout = self.with_area(self.empty(), HAND, cards(o.hands[o.player]))
        layout = self.with_area(layout, TOKENS, tokens)
        return self.with_area(layout, MARKED, tuple(markers))

    def showings(self, record: Record) -> Iterator[Showing]:
        won = victory_shares(record)
        for step in record.steps():
            for event in step.events:
                if event.kind == "claimed":
                    token, paid = str(event.data["token"]), event.data["cards"]
                    markers = event.data["markers"]
                    assert isinstance(paid, list) and isinstance(markers, int)  # noqa: S101
                    worth = TOKEN[token].points + markers
                    shares = dict.fromkeys(paid, worth / len(paid))
                    yield Showing(
                        event.player,
                        (token, *paid),
                        {token: float(worth), **shares},
                        won[event.player],
                    )
