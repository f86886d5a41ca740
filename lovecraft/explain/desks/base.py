"""A desk: hands, play areas and tokens laid out freely, scored by the game's own functions."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from lovecraft.core import AnyGame, Card, LovecraftError, Record, ScoreLine, ScoreSheet
from lovecraft.i18n import Message, msg

Piece = str
Setting = int | str


class Area(NamedTuple):
    """Somewhere pieces lie: which ones can, how many in all, how many of one.

    ``ordered``: the order in which they lie counts. Named by ``explain.area.<game>.<id>``.
    """

    id: str
    pieces: tuple[Piece, ...]
    most: int
    copies: int = 1
    ordered: bool = False


class Knob(NamedTuple):
    """Something else that the score depends on, with its values; the first is the default.

    Named by ``explain.knob.<game>.<id>``, its string values by ``….<value>``.
    """

    id: str
    values: tuple[Setting, ...]


class Layout(NamedTuple):
    """What lies on a desk: pieces per area, and a setting per knob, both in the desk's order."""

    areas: tuple[tuple[Piece, ...], ...]
    knobs: tuple[Setting, ...] = ()


class Showing(NamedTuple):
    """What one seat had before it when points were scored in a finished game.

    ``points`` are what each kind of piece brought; ``won`` is the seat's share of the victory.
    """

    seat: int
    pieces: tuple[Piece, ...]
    points: Mapping[Piece, float]
    won: float


class NotOnDesk(LovecraftError):
    """A piece or setting that the desk has no place for."""


class Desk(ABC):
    """The desk of one game. Layouts are values; every change makes a new one."""

    game: ClassVar[AnyGame]
    areas: tuple[Area, ...]
    knobs: tuple[Knob, ...] = ()
    stock: Mapping[Piece, int]
    """How many of each piece there are in the game."""
    shared: tuple[int, ...] = (0,)
    """The areas among which the stock is divided."""
    dealt: tuple[int, ...] = (5,)
    """So many pieces of each area make a layout to begin with."""

    # -- layouts --------------------------------------------------------------------------------

    def empty(self) -> Layout:
        """Nothing laid out, every knob at its default."""
        return Layout(tuple(() for _ in self.areas), tuple(knob.values[0] for knob in self.knobs))

    def lay(self, *areas: Iterable[Piece], **knobs: Setting) -> Layout:
        """A layout from pieces per area and settings by name. Raises NotOnDesk."""
        given = [*map(tuple, areas), *(() for _ in self.areas[len(areas) :])]
        settings = tuple(knobs.get(knob.id, knob.values[0]) for knob in self.knobs)
        layout = Layout(tuple(given), settings)
        if wrong := self.problem(layout):
            raise NotOnDesk(wrong)
        return layout

    def random(self, rng: random.Random) -> Layout:
        """Something to begin with: pieces laid out at random."""
        layout = self.empty()
        for at, number in enumerate(self.dealt):
            pieces = list(self.areas[at].pieces) * self.areas[at].copies
            rng.shuffle(pieces)
            for piece in pieces:
                more = self.put(layout, at, piece)
                if len(layout.areas[at]) < number and self.problem(more) is None:
                    layout = more
        return layout

    def problem(self, layout: Layout) -> Message | None:
        """What is wrong with a layout, or None."""
        if len(layout.areas) != len(self.areas) or len(layout.knobs) != len(self.knobs):
            return msg("explain.error.shape")
        for area, lying in zip(self.areas, layout.areas, strict=True):
            if len(lying) > area.most:
                return msg("explain.error.full", n=area.most, area=self.area_name(area))
            for piece, number in Counter(lying).items():
                if piece not in area.pieces:
                    return msg("explain.error.piece", area=self.area_name(area))
                if number > area.copies:
                    return msg("explain.error.copies", n=area.copies, piece=self.piece_name(piece))
        together = Counter(piece for at in self.shared for piece in layout.areas[at])
        for piece, number in together.items():
            if number > self.stock[piece]:
                return msg("explain.error.stock", n=self.stock[piece], piece=self.piece_name(piece))
        for knob, setting in zip(self.knobs, layout.knobs, strict=True):
            if setting not in knob.values:
                return msg("explain.error.knob", knob=self.knob_name(knob))
        return None

    def put(self, layout: Layout, area: int, *pieces: Piece) -> Layout:
        """With more pieces at the end of an area."""
        return self.with_area(layout, area, (*layout.areas[area], *pieces))

    def take(self, layout: Layout, area: int, at: int) -> Layout:
        """Without the piece at a place of an area."""
        lying = layout.areas[area]
        return self.with_area(layout, area, lying[:at] + lying[at + 1 :])

    def swap(self, layout: Layout, area: int, at: int, piece: Piece) -> Layout:
        """With another piece in a place of an area."""
        lying = layout.areas[area]
        return self.with_area(layout, area, (*lying[:at], piece, *lying[at + 1 :]))

    def with_area(self, layout: Layout, area: int, pieces: Sequence[Piece]) -> Layout:
        """With these pieces in an area (sorted, where their order does not count)."""
        spec = self.areas[area]
        lying = tuple(pieces)
        if not spec.ordered:
            lying = tuple(sorted(lying, key=spec.pieces.index))
        return layout._replace(areas=(*layout.areas[:area], lying, *layout.areas[area + 1 :]))

    def turn(self, layout: Layout, knob: int, setting: Setting) -> Layout:
        """With a knob set otherwise."""
        knobs = (*layout.knobs[:knob], setting, *layout.knobs[knob + 1 :])
        return layout._replace(knobs=knobs)

    def setting(self, layout: Layout, knob: str) -> Any:
        """How a knob is set."""
        return next(s for k, s in zip(self.knobs, layout.knobs, strict=True) if k.id == knob)

    def unseen(self, layout: Layout) -> dict[Piece, int]:
        """The pieces of the stock that do not lie on the desk."""
        lying = Counter(piece for at in self.shared for piece in layout.areas[at])
        return {p: n - lying[p] for p, n in self.stock.items() if n > lying[p]}

    # -- names ----------------------------------------------------------------------------------

    def area_name(self, area: Area) -> Message:
        return msg(f"explain.area.{self.game.id}.{area.id}")

    def knob_name(self, knob: Knob) -> Message:
        return msg(f"explain.knob.{self.game.id}.{knob.id}")

    def setting_name(self, knob: Knob, setting: Setting) -> Message:
        """A knob's value in words."""
        if isinstance(setting, int):
            return msg("explain.number", number=setting)
        return msg(f"explain.knob.{self.game.id}.{knob.id}.{setting}")

    def piece_name(self, piece: Piece) -> Message:
        return self.game.card_name(piece)

    # -- cards ----------------------------------------------------------------------------------

    edition = ""
    """The value of the game's option ``edition`` that the desk is laid for, if it has that."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, with their groups."""
        return self.game.cards

    def words(self, card: Piece) -> tuple[Message, ...]:
        """What a card is and does."""
        return self.game.card_words(card)

    def rules(self, card: Piece) -> tuple[str, ...]:
        """The ids of the rules that are about a card."""
        return self.game.card_rules(card)

    def mark(self, piece: Piece) -> str:
        """What a piece bears as its sign: its own id, or that of its group."""
        return piece

    # -- what it is worth -----------------------------------------------------------------------

    @abstractmethod
    def scores(self, layout: Layout) -> tuple[ScoreSheet, ...]:
        """The score of what lies there; a second sheet where the opponent's lies there too."""

    def could(self, layout: Layout) -> tuple[ScoreLine, ...]:
        """What these cards could be spent on now, the best first; one of it at a time."""
        return ()

    def worth(self, layout: Layout) -> int:
        """The points of what lies there, and of the best that it could be spent on."""
        could = self.could(layout)
        return self.scores(layout)[0].points + (could[0].points if could else 0)

    def measures(self, layout: Layout) -> dict[str, int]:
        """What each rule brings here: by rule id, the points of its lines (or what it counts)."""
        found: Counter[str] = Counter()
        for line in self.scores(layout)[0].lines:
            found[line.rule] += line.points
        best: dict[str, int] = {}
        for line in self.could(layout):
            best[line.rule] = max(best.get(line.rule, 0), line.points)
        found.update(best)
        return dict(found)

    # -- examples ---------------------------------------------------------------------------------

    paying: tuple[str, ...] = ()
    """Rules outside the rulebook's section on scoring by which something is paid all the same."""

    def starts(self, rule: str) -> list[Layout]:
        """What an example of a rule begins with."""
        return [self.empty()]

    def starts_with_a_card(self, rule: str, area: int) -> list[Layout]:
        """An area with one of the cards that a rule is about, if there are such cards."""
        cards = [c.id for c in self.cards if rule in self.rules(c.id)]
        return [self.put(self.empty(), area, card) for card in cards] or [self.empty()]

    def slots(self, rule: str) -> list[tuple[int, Piece]]:
        """Where an example of a rule is looked for: areas and pieces (alike ones once)."""
        return [(0, piece) for piece in self.areas[0].pieces]

    def turned(self, rule: str) -> tuple[str, ...]:
        """The knobs that an example of a rule may turn."""
        return ()

    def drawn(self, layout: Layout, pieces: Sequence[Piece]) -> Layout:
        """After these pieces have come, in the best way they can be taken."""
        return self.put(layout, 0, *pieces)

    # -- games ----------------------------------------------------------------------------------

    def seen(self, observation: Any) -> Layout | None:
        """What lies before an observing seat, to be laid out; None where it has no place here."""
        layout = self._seen(observation)
        return layout if self.problem(layout) is None else None

    @abstractmethod
    def _seen(self, observation: Any) -> Layout:
        """The pieces of an observation, area by area."""

    @abstractmethod
    def showings(self, record: Record) -> Iterator[Showing]:
        """What lay before whom when a finished game scored."""


def victory_shares(record: Record) -> tuple[float, ...]:
    """Each seat's share of the victory in a finished game."""
    outcome = record.outcome()
    return outcome.payoffs if outcome else (0.0,) * len(record.players)
