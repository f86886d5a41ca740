"""The table of Ritos Ancestrais, drawn from one seat's observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.table.boards.base import Around, Board, Step
from lovecraft.core import Event, ScoreLine
from lovecraft.games.ritos_ancestrais.cards import GOAL, SYMBOLS
from lovecraft.games.ritos_ancestrais.edition import (
    CultCard,
    Edition,
    Ritual,
    effect_text,
    find_edition,
)
from lovecraft.games.ritos_ancestrais.scoring import end_sheet, ritual_sheet
from lovecraft.games.ritos_ancestrais.state import Observation
from lovecraft.games.ritos_ancestrais.tables import Action, Payment, payments
from lovecraft.i18n import Message

OTHERS = "others"
CARD, RITUAL = "card:", "ritual:"
"""What pieces of the table are called when they are touched."""


class CardView(NamedTuple):
    """A card with what it does in a cult; ``place`` tells equal cards apart."""

    card: CultCard
    name: Message
    effects: tuple[Message, ...]
    place: int
    fresh: bool
    lit: bool


class SeatView(NamedTuple):
    """A player as all see them; ``known`` are cards that are surely in the hand."""

    number: int
    name: str
    me: bool
    turn: bool
    points: int
    hand: int
    cult: tuple[CardView, ...]
    known: tuple[CardView, ...]


class RitualView(NamedTuple):
    """A ritual: what it asks for, its points, and what it would give at most now (None: unpaid)."""

    ritual: Ritual
    name: Message
    now: int | None


class Way(NamedTuple):
    """One choice: its action, the cards it takes, and the points it gives (None: none)."""

    spelled: Any
    cards: tuple[CardView, ...]
    points: int | None


class RitosBoard(Board):
    """The track, then what is to be done, then all the rest."""

    template = "table/ritos_ancestrais.html"

    def stages(
        self, before: Observation, after: Observation, events: Sequence[Event]
    ) -> list[Step]:
        """Every action of another player is seen by itself."""
        kind = events[0].kind if events else ""
        own = bool(events) and events[0].player == after.player
        if kind == "dealt" or own or after.actions:
            return [Step(self.stage(after), after, 0)]
        milliseconds = {"played": 1500, "performed": 1800, "drew": 900}.get(kind, 500)
        return [Step(self.stage(after), after, milliseconds)]

    def stage(self, seen: Observation) -> str:
        return seen.phase if seen.actions or seen.phase == "over" else OTHERS

    def touched(self, seen: Observation, piece: str) -> Action | None:
        """Cards and rituals are opened where there is a choice; else the touch is refused."""
        if piece.startswith(RITUAL):
            ritual = piece.removeprefix(RITUAL)
            if any(a.do == "ritual" and a.what == ritual for a in seen.actions):
                return None
            return Action("ritual", ritual)
        if piece.startswith(CARD):
            card = piece.removeprefix(CARD)
            return None if seen.phase == "act" else Action("play", card)
        return None

    def context(self, seen: Observation, stage: str, around: Around) -> dict[str, Any]:
        edition = find_edition(seen.setup.edition)
        me, n = seen.player, seen.setup.players
        turned = _facts(around.news, "turned")
        if len(turned) >= len(seen.row):  # all of them: nothing stands out
            turned = []
        pays = payments(edition, seen.hand, seen.cults[me]) if seen.phase == "act" else ()
        opened = around.opened if seen.actions else ""
        return {
            "edition": edition,
            "goal": GOAL,
            "symbols": SYMBOLS,
            "seats": [self._seat(seen, edition, p % n, around) for p in range(me + 1, me + n + 1)],
            "row": _views(edition, seen.row, fresh=turned, lit=seen.phase == "draw"),
            "hand": _views(
                edition,
                seen.hand,
                fresh=_facts([e for e in around.news if e.player == me], "drew", "returned"),
                lit=stage in ("act", "discard"),
            ),
            "held_symbols": _symbols(edition, seen.hand),
            "rituals": self._rituals(seen, edition, pays),
            "turn": seen.turn,
            "left": seen.left,
            "last": seen.last,
            "pile": seen.pile,
            "discards": seen.discards,
            "peeked": _views(edition, seen.peeked),
            "refreshes": any(a.do == "refresh" for a in seen.actions),
            "opened_ritual": opened.removeprefix(RITUAL) if opened.startswith(RITUAL) else "",
            "opened_card": self._opened(edition, seen, opened),
            "ways": self._ways(seen, edition, pays, opened),
            "told": [event.text for event in around.news if _telling(event, me)][-5:],
            "sheets": self._sheets(seen, edition) if stage == "over" else (),
        }

    def piece(self, seen: Observation, action: Action) -> str:
        """A card of the row or the hand, a ritual, or a button."""
        if action.do == "return":
            return f"way-{seen.actions.index(action)}"
        place = {"draw": "row", "play": "hand", "discard": "hand"}.get(action.do)
        if place:
            return f"{place}-{action.what}-0"
        return f"ritual-{action.what}" if action.do == "ritual" else action.do

    def points(self, seen: Observation) -> int:
        """Those of the track."""
        return seen.points[seen.player]

    def chapter_ends(self, before: Observation, after: Observation) -> bool:
        """When all have had a turn."""
        return after.turn > before.turn

    def _seat(self, seen: Observation, edition: Edition, p: int, around: Around) -> SeatView:
        played = _facts([e for e in around.news if e.player == p], "played")
        return SeatView(
            p,
            around.names[p],
            p == seen.player,
            p == seen.seat and seen.phase != "over",
            seen.points[p],
            seen.hands[p].number,
            _views(edition, seen.cults[p], fresh=played),
            () if p == seen.player else _views(edition, seen.hands[p].gained),
        )

    def _rituals(
        self, seen: Observation, edition: Edition, pays: Sequence[Payment]
    ) -> list[RitualView]:
        best: dict[str, int] = {}
        if seen.actions:
            for one in pays:
                best[one.ritual] = max(one.points, best.get(one.ritual, 0))
        return [RitualView(r, edition.ritual_name(r.id), best.get(r.id)) for r in edition.rituals]

    def _opened(self, edition: Edition, seen: Observation, opened: str) -> CardView | None:
        card = opened.removeprefix(CARD)
        if not opened.startswith(CARD) or card not in seen.hand:
            return None
        (view,) = _views(edition, (card,))
        return view._replace(lit=Action("play", card) in seen.actions)

    def _ways(
        self, seen: Observation, edition: Edition, pays: Sequence[Payment], opened: str
    ) -> list[Way]:
        if seen.phase == "return":
            return [
                Way({"return": list(a.cards)}, _views(edition, a.cards), None) for a in seen.actions
            ]
        ritual = opened.removeprefix(RITUAL)
        found = [
            Way(
                {"ritual": ritual, "cards": list(one.cards)},
                _views(edition, one.cards),
                one.points,
            )
            for one in pays
            if opened.startswith(RITUAL) and one.ritual == ritual
        ]
        return sorted(found, key=lambda way: -(way.points or 0))

    def _sheets(
        self, seen: Observation, edition: Edition
    ) -> list[tuple[int, int, int, tuple[ScoreLine, ...]]]:
        """Per seat: number, points, cards in hand (the tie-break), lines."""
        sheets = []
        for p in range(seen.setup.players):
            done = ritual_sheet(edition, seen.rituals[p])
            rituals = [performed.ritual for performed in seen.rituals[p]]
            end = end_sheet(edition, rituals, seen.cults[p], seen.hands[p].number)
            sheets.append(
                (p, done.points + end.points, seen.hands[p].number, done.lines + end.lines)
            )
        return sorted(sheets, key=lambda sheet: (-sheet[1], -sheet[2]))


def _views(
    edition: Edition, cards: Sequence[str], fresh: Sequence[str] = (), lit: bool = False
) -> tuple[CardView, ...]:
    by_id = {card.id: card for card in edition.cards}
    new, views, places = Counter(fresh), [], Counter[str]()
    for name in reversed(cards):  # the last of equal cards are the new ones
        card = by_id[name]
        effects = tuple(effect_text(edition, effect) for effect in card.effects)
        views.append(
            CardView(card, edition.card_name(name), effects, places[name], new[name] > 0, lit)
        )
        new[name] -= 1
        places[name] += 1
    return tuple(reversed(views))


def _symbols(edition: Edition, cards: Sequence[str]) -> list[tuple[str, int]]:
    """How often each symbol is among cards, in the game's order: what rituals are paid with."""
    of = {card.id: card.symbol for card in edition.cards}
    number = Counter(of[name] for name in cards)
    return [(symbol, number[symbol]) for symbol in SYMBOLS if number[symbol]]


def _facts(news: Sequence[Event], *kinds: str) -> list[str]:
    """The cards that events of some kinds are about."""
    found: list[str] = []
    for event in news:
        if event.kind in kinds:
            facts: Any = event.data.get("cards") or [event.data.get("card")]
            found.extend(facts)
    return found


def _telling(event: Event, me: int) -> bool:
    """Whether the person needs to be told: what others did, and what followed by chance."""
    if event.player == me:
        return event.kind in ("peeked", "triggered")
    return event.kind not in ("dealt", "turned", "peeked", "discarded", "end-bonus", "ended")


BOARD = RitosBoard()
