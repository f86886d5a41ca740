"""The table of Tides of Madness, drawn from one seat's observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.table.boards.base import Around, Board, Step
from lovecraft.core import Event
from lovecraft.games.tides_of_madness import scoring
from lovecraft.games.tides_of_madness.cards import (
    BIT,
    DREAMLANDS,
    FACES,
    HAND_SIZE,
    INDEX,
    LOST_AT,
    NONE,
    SHUB_NIGGURATH,
    Cards,
    Face,
    Suit,
    bits,
    card_id,
)
from lovecraft.games.tides_of_madness.state import (
    CHOOSING,
    DEALING,
    DREAMING,
    KEEPING,
    OVER,
    PICKING,
    REMOVING,
    TOGETHER,
    Act,
    Observation,
    round_sheets,
)
from lovecraft.i18n import Message

CHOSEN, REVEALED, PASSED, MAD, SWAPPED, OTHERS = (
    "chosen",
    "revealed",
    "passed",
    "mad",
    "swapped",
    "others",
)
"""Steps on the way: both cards lie face down; they are turned; hands have changed; madness is
taken; kept and removed cards are shown. And the rest while the other player has to act."""


class CardView(NamedTuple):
    """A card as it lies on the table."""

    face: Face
    fresh: bool = False
    kept: bool = False
    doubled: bool = False
    suit: Suit | None = None
    """What Dreamlands counts as this round."""


class SeatView(NamedTuple):
    """A player as both see them, with what the observer knows of the hand."""

    number: int
    name: str
    me: bool
    points: int
    now: int
    madness: int
    cards: tuple[CardView, ...]
    face_down: bool
    keeps: Face | None
    known: tuple[Face, ...]
    hidden: int


class LineView(NamedTuple):
    """A line of a score with the card that it is about (None: the most madness)."""

    face: Face | None
    event: Event

    @property
    def text(self) -> object:
        """How the points come about; the points themselves stand beside it."""
        return dict(self.event.text.params)["formula"]


class Choice(NamedTuple):
    """Something to choose, and what it would give: points of both, madness of both."""

    what: str
    points: tuple[int, int]
    madness: tuple[int, int]


class TidesBoard(Board):
    """The other player's cards above, the own ones below, then the hand or what is to be chosen."""

    template = "table/tides_of_madness.html"

    def stages(
        self, before: Observation, after: Observation, events: Sequence[Event]
    ) -> list[Step]:
        kinds = {event.kind for event in events}
        if "revealed" in kinds:
            return self._revealed(before, after, events)
        if "removed" in kinds:
            return [Step(SWAPPED, after, 1800)]
        if after.phase == DEALING:
            return [Step(SWAPPED, after, 0)]
        own = events[0].player == after.player
        if kinds & {"chosen", "suit"} and not own:
            return [Step(self.stage(after), after, 900)]
        return [Step(self.stage(after), after, 0 if own else 200)]

    def _revealed(
        self, before: Observation, after: Observation, events: Sequence[Event]
    ) -> list[Step]:
        shown = {e.player: BIT[str(e.data["card"])] for e in events if e.kind == "revealed"}
        mine = shown[before.player]
        down = before._replace(chosen=(True, True), own_pick=mine, actions=())
        rows = tuple((*row, shown[p]) for p, row in enumerate(before.tableaus))
        hands = tuple(hand & ~shown[p] for p, hand in enumerate(before.hands))
        turned = down._replace(
            chosen=(False, False),
            own_pick=NONE,
            tableaus=(rows[0], rows[1]),
            hands=(hands[0], hands[1]),
            doubled=_doubled(before, rows, shown),
        )
        steps = [Step(CHOSEN, down, 500), Step(REVEALED, turned, 1100)]
        if after.phase != PICKING:
            taken = [e for e in events if e.kind == "madness"]
            madness = tuple(int(str(e.data["total"])) for e in taken)
            steps.append(Step(MAD, turned._replace(madness=(madness[0], madness[1])), 1300))
        else:
            steps.append(Step(PASSED, after._replace(actions=()), 400))
        return steps

    def stage(self, seen: Observation) -> str:
        """The phase, or that the other player has to act."""
        return seen.phase if seen.actions or seen.phase in (OVER, DEALING) else OTHERS

    def holds(self, seen: Observation) -> bool:
        """After a round has been scored."""
        return seen.phase == KEEPING and not seen.own_pick

    def forced(self, seen: Observation) -> Act | None:
        """The last card of the hand."""
        if seen.phase == PICKING and len(seen.actions) == 1:
            return seen.actions[0]
        return None

    def context(self, seen: Observation, stage: str, around: Around) -> dict[str, Any]:
        me = seen.player
        fresh = {str(e.data["card"]) for e in around.news if e.kind in ("revealed", "kept")}
        ended = seen.phase == OVER
        return {
            "seats": [self._seat(seen, p, around, stage, fresh) for p in (1 - me, me)],
            "hand": [FACES[INDEX[card_id(b)]] for b in bits(self._hand(seen))],
            "hand_act": {KEEPING: "keep", REMOVING: "remove"}.get(seen.phase, "pick"),
            "keeps": self._face(seen.own_keep),
            "picked": self._face(seen.own_pick),
            "round": seen.round,
            "card": min(len(seen.tableaus[me]) - seen.round + 1, HAND_SIZE),
            "lost_at": LOST_AT,
            "all_faces": FACES,
            "rounds": _rounds(seen),
            "scored": _scored(around.log) if around.held or ended else (),
            "choices": self._choices(seen) if seen.actions else (),
            "removed": _faces(seen.removed),
            "unseen": _faces(seen.unseen),
            "told": _told(around.news, me, stage),
        }

    def piece(self, seen: Observation, action: Act) -> str:
        """The card, or the button of a choice."""
        kind = {CHOOSING: "choose", DREAMING: "dream"}.get(seen.phase, "card")
        return f"{kind}-{action.what}"

    def points(self, seen: Observation) -> int:
        """Those of the rounds that have been scored."""
        return sum(points[seen.player] for points in seen.points)

    def chapter_ends(self, before: Observation, after: Observation) -> bool:
        """When a round is scored."""
        return len(after.points) > len(before.points)

    def _hand(self, seen: Observation) -> Cards:
        hand = seen.hands[seen.player]
        return hand & ~seen.own_pick if seen.phase in TOGETHER else NONE

    def _face(self, card: Cards) -> Face | None:
        return FACES[INDEX[card_id(card)]] if card else None

    def _seat(
        self, seen: Observation, p: int, around: Around, stage: str, fresh: set[str]
    ) -> SeatView:
        me = p == seen.player
        row = seen.tableaus[p]
        return SeatView(
            p,
            around.names[p],
            me,
            sum(points[p] for points in seen.points),
            round_sheets(seen)[p].points if row else 0,
            seen.madness[p],
            tuple(
                CardView(
                    FACES[INDEX[card_id(card)]],
                    card_id(card) in fresh and stage != CHOSEN,
                    at < seen.round,
                    bool(card & seen.doubled) and bool(sum(row) & SHUB_NIGGURATH),
                    seen.suit if card == DREAMLANDS else None,
                )
                for at, card in enumerate(row)
            ),
            seen.chosen[p],
            self._face(seen.own_keep) if me else None,
            () if me else _faces(seen.hands[p]),
            0 if me else seen.hidden,
        )

    def _choices(self, seen: Observation) -> tuple[Choice, ...]:
        """Each way to choose, with the points and the madness that it leads to."""
        a, b = sum(seen.tableaus[0]), sum(seen.tableaus[1])
        me, choices = seen.player, []
        if seen.phase == CHOOSING:
            for what in scoring.CHOICES:
                heals = what == scoring.HEAL
                madness = scoring.healed(seen.madness, me) if heals else seen.madness
                madness = scoring.after_dreamlands(madness, scoring.dreamlands_owner(a, b))
                suit = scoring.best_suit(a, b, madness, seen.doubled)
                points = scoring.card_points(a, b, madness, suit, seen.doubled)
                more = 0 if heals else scoring.CHOICE_POINTS
                gains = (points[0] + (0 if me else more), points[1] + (more if me else 0))
                choices.append(Choice(what, gains, madness))
        elif seen.phase == DREAMING:
            extra = scoring.CHOICE_POINTS if seen.choice == scoring.POINTS else 0
            most = scoring.most_madness(a, b)
            for suit, points in scoring.dreamlands_points(a, b, seen.madness, seen.doubled):
                gains = (
                    points[0] + (extra if most == 0 else 0),
                    points[1] + (extra if most == 1 else 0),
                )
                choices.append(Choice(suit, gains, seen.madness))
        return tuple(choices)


def _doubled(before: Observation, rows: tuple[Any, ...], shown: dict[int, Cards]) -> Cards:
    """The card on which Shub-Niggurath lies once the picks are turned."""
    for p, card in shown.items():
        if card == SHUB_NIGGURATH:
            played = rows[p][before.round : -1]
            return int(played[-1]) if played else NONE
    return before.doubled


def _faces(cards: Cards) -> tuple[Face, ...]:
    return tuple(FACES[INDEX[card_id(bit)]] for bit in bits(cards))


def _rounds(seen: Observation) -> list[tuple[int, tuple[int, ...], int, int]]:
    """Per seat: number, points per round, total, madness."""
    return [
        (p, row, sum(row), seen.madness[p]) for p, row in enumerate(zip(*seen.points, strict=True))
    ]


def _scored(log: Sequence[Event]) -> tuple[tuple[int, int, tuple[LineView, ...]], ...]:
    """The last scored round per seat: seat, points, lines."""
    found: list[tuple[int, int, tuple[LineView, ...]]] = []
    lines: list[LineView] = []
    for event in log:
        if event.kind == "line":
            cards: Any = event.data["cards"]
            about = None if "most-madness" in event.text.key else FACES[INDEX[cards[0]]]
            lines.append(LineView(about, event))
        elif event.kind == "scored":
            points: Any = event.data["points"]
            found = [*found, (event.player, points, tuple(lines))][-2:]
            lines = []
    return tuple(found)


_WORTH_TELLING = ("madness", "most-madness", "chosen", "suit", "dreamlands-madness", "removed")


def _told(news: Sequence[Event], me: int, stage: str) -> list[Message]:
    """What is said above the board beside what is to be done."""
    kinds = {
        CHOSEN: (),
        REVEALED: ("revealed",),
        PASSED: ("revealed",),
        MAD: ("madness", "most-madness"),
        SWAPPED: ("removed", "kept"),
        PICKING: ("revealed", "removed", "kept"),
    }.get(stage, _WORTH_TELLING)
    told = [event for event in news if event.kind in kinds]
    if stage in (PICKING, SWAPPED, REVEALED, PASSED):
        told = [event for event in told if event.player != me]
    return [event.text for event in told[-4:]]


BOARD = TidesBoard()
