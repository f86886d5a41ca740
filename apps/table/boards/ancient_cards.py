"""The table of Ancient Cards, drawn from one seat's observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.table.boards.base import Around, Board, Step
from lovecraft.core import Event
from lovecraft.games.ancient_cards.cards import RUNES, Bundle, cards, counts, size
from lovecraft.games.ancient_cards.game import LAST_PICK, Observation
from lovecraft.games.ancient_cards.scoring import area_sheet, final_standings

CHOOSING, CHOSEN, PASSED, OPEN = "choosing", "chosen", "passed", "open"
"""The steps of a pick: others still choose; all cards lie face down; the hands have moved on; the
cards are turned."""


class Group(NamedTuple):
    """Equal runes in a play area; ``fresh`` when the last card of it was just revealed."""

    rune: str
    number: int
    fresh: bool = False


class SeatView(NamedTuple):
    """A seat as everybody sees it, with what the observer knows of its hand (None: unknown)."""

    number: int
    name: str
    me: bool
    total: int
    points: int
    groups: tuple[Group, ...]
    face_down: bool
    known: tuple[Group, ...] | None


class AncientCardsBoard(Board):
    """Play areas above, the own hand below."""

    template = "table/ancient_cards.html"

    def stages(
        self, before: Observation, after: Observation, events: Sequence[Event]
    ) -> list[Step]:
        """A pick is one more card face down; the last one is followed by pass and reveal."""
        if not any(event.kind == "revealed" for event in events):
            return [Step(self.stage(after), after, 0 if events[0].player == after.player else 150)]
        chosen = before._replace(chosen=(True,) * len(before.areas), actions=())
        steps = [Step(CHOSEN, chosen, 600)]
        if before.pick < LAST_PICK:
            steps.append(Step(PASSED, chosen._replace(hands=after.hands, own_pick=None), 800))
        return steps

    def stage(self, seen: Observation) -> str:
        """Open for a choice or between rounds; choosing while others still pick."""
        return OPEN if seen.actions or not seen.hands else CHOOSING

    def waits(self, seen: Observation) -> bool:
        """Between rounds, so that the score can be looked at."""
        return seen.round > 0

    def context(self, seen: Observation, stage: str, around: Around) -> dict[str, Any]:
        """Seats in turn order from the left neighbour, the own one last; hand; score lines."""
        revealed = {e.player: e.data["rune"] for e in around.news if e.kind == "revealed"}
        n = len(seen.areas)
        order = [(seen.player + k) % n for k in range(1, n + 1)]
        return {
            "seats": [self._seat(seen, p, around.names, revealed.get(p), stage) for p in order],
            "hand": self._hand(seen, stage),
            "round": seen.round,
            "pick": seen.pick,
            "between": not seen.hands,
            "rounds": self._rounds(seen),
            "sheets": [(p, area_sheet(seen.areas[p])) for p in range(n)] if not seen.hands else [],
        }

    def forced(self, seen: Observation) -> str | None:
        """The last card of a hand."""
        return seen.actions[0] if seen.pick == LAST_PICK and len(seen.actions) == 1 else None

    def piece(self, seen: Observation, action: str) -> str:
        """The first of the equal cards in the hand."""
        return f"card-{action}-0"

    def points(self, seen: Observation) -> int:
        """Those of the rounds that have been scored."""
        return sum(points[seen.player] for points in seen.points)

    def chapter_ends(self, before: Observation, after: Observation) -> bool:
        """When a round is scored."""
        return len(after.points) > len(before.points)

    def _seat(
        self,
        seen: Observation,
        p: int,
        names: Sequence[str],
        revealed: Any,
        stage: str,
    ) -> SeatView:
        area = seen.areas[p]
        hand = seen.hands[p] if seen.hands else None
        knows = p != seen.player and hand is not None and stage == OPEN
        return SeatView(
            p,
            names[p],
            p == seen.player,
            sum(points[p] for points in seen.points),
            area_sheet(area).points,
            groups(area, revealed if stage == OPEN else None),
            seen.chosen[p],
            groups(hand) if knows and hand is not None else None,
        )

    def _hand(self, seen: Observation, stage: str) -> list[tuple[str, int]]:
        """The cards of the own hand, each with its place among its equals."""
        if not seen.hands:
            return []
        bundle = seen.hands[seen.player] or 0
        held = list(cards(bundle))
        if stage in (CHOOSING, CHOSEN) and seen.own_pick in held:
            held.remove(str(seen.own_pick))
        return [(rune, held[:at].count(rune)) for at, rune in enumerate(held)]

    def _rounds(self, seen: Observation) -> list[tuple[int, tuple[int, ...], int, int]]:
        """Per seat: number, points per round, total, rank (by total while the game runs)."""
        if not seen.points:
            return []
        rows = tuple(zip(*seen.points, strict=True))
        ranks = final_standings(rows, finished=len(seen.points) == 3).ranks
        return [(p, row, sum(row), ranks[p]) for p, row in enumerate(rows)]


def groups(bundle: Bundle, fresh: Any = None) -> tuple[Group, ...]:
    """The groups of equal runes in a bundle, largest first, ties in the order of the chant."""
    if not size(bundle):
        return ()
    found = [
        Group(rune, n, rune == fresh) for rune, n in zip(RUNES, counts(bundle), strict=True) if n
    ]
    return tuple(sorted(found, key=lambda group: -group.number))


BOARD = AncientCardsBoard()
