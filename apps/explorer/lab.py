"""The what-if laboratory: lay something out, change one thing, see the score lines move."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from apps.chart import Chart
from apps.explorer import editions
from apps.explorer.examples import chip
from apps.explorer.layouts import desk_of, read, spelled
from apps.shell import Page, Shell
from lovecraft import games
from lovecraft.core import ScoreLine
from lovecraft.explain.desks import Layout, NotOnDesk, desk
from lovecraft.explain.whatif import Future, Moved, Odds, Swap, at_least_one, best_swap, moved
from lovecraft.i18n import Message, msg

FIRST = "what if"
MOST_DRAWN = 7
MOST_STEPS = 100
DRAWS = 60
"""Draws that are looked at between two breaths of the page."""

KINDS_SHOWN = 8
COLUMNS = 9
"""So many columns a chart of points has at most; more values are put together."""


class Coming(NamedTuple):
    """What may still come: the chances of points, and of single pieces.

    ``pieces`` is a sentence where each is as likely as any other.
    """

    odds: Odds
    points: Chart
    pieces: Chart | Message
    total: int

    @property
    def alike(self) -> bool:
        """Whether there is nothing to draw of the pieces."""
        return not isinstance(self.pieces, Chart)


class Lab(Page):
    """``#/<game>/what-if``; ``…/<layout>`` opens a layout."""

    kind = msg("explore.lab")

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        super().__init__(shell)
        self.game = games.get(game)
        self.title = self.game.name
        self.number = 0
        self.area = 0
        self.past: list[Layout] = []
        self.future: Future | None = None
        self.swap: Swap | None = None
        self.swapped_for = -1
        """The area for which the best swap was asked; -1: for none."""
        wanted = rest[0] if rest else str(shell.settings.get(f"lab-{game}", ""))
        self.desk = desk_of(game, wanted, editions.chosen(shell, self.game))
        layout = read(self.desk, wanted) if wanted else None
        if rest and layout is None:
            shell.notice = msg("explore.lab.unreadable")
        self.layout = layout or self._first()

    def _first(self) -> Layout:
        return self.desk.random(random.Random(FIRST))

    # -- what people do ---------------------------------------------------------------------------

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        """As every page; then on with what was being counted."""
        await super().act(name, args, value)
        await self._count()

    async def _become(self, layout: Layout) -> None:
        if wrong := self.desk.problem(layout):
            raise NotOnDesk(wrong)
        if layout == self.layout:
            return
        self.past = [*self.past, self.layout][-MOST_STEPS:]
        await self._be(layout)

    async def _be(self, layout: Layout) -> None:
        self.layout = layout
        self.swap, self.swapped_for = None, -1
        name = spelled(self.desk, layout)
        self.shell.set(**{f"lab-{self.game.id}": name})
        self.shell.go(f"#/{self.game.id}/what-if" + (f"/{name}" if name else ""))
        await self._look_ahead()

    async def on_edition(self, key: str) -> None:
        """Cards and rituals of another edition."""
        if editions.choose(self.shell, self.game, key) and key != self.desk.edition:
            self.desk = desk(self.game.id, key)
            self.past = []
            await self._be(self._first())

    async def on_area(self, area: int) -> None:
        """Which area pieces are added to."""
        if type(area) is int and 0 <= area < len(self.desk.areas):
            self.area = area

    async def on_put(self, area: int, piece: str) -> None:
        """One more piece."""
        if self._is_area(area) and piece in self.desk.areas[area].pieces:
            await self._become(self.desk.put(self.layout, area, piece))

    async def on_take(self, area: int, at: int) -> None:
        """A piece away."""
        if self._is_area(area) and type(at) is int and 0 <= at < len(self.layout.areas[area]):
            await self._become(self.desk.take(self.layout, area, at))

    async def on_turn(self, knob: int, value: Any) -> None:
        """A knob set otherwise, as its select spells the value."""
        if type(knob) is int and 0 <= knob < len(self.desk.knobs):
            known = {str(v): v for v in self.desk.knobs[knob].values}
            if str(value) in known:
                await self._become(self.desk.turn(self.layout, knob, known[str(value)]))

    async def on_undo(self) -> None:
        """Back to the layout before."""
        if self.past:
            layout = self.past.pop()
            await self._be(layout)

    async def on_clear(self) -> None:
        """Nothing laid out."""
        await self._become(self.desk.empty())

    async def on_random(self) -> None:
        """Something else at random."""
        await self._become(self.desk.random(random.Random()))

    def on_best(self, area: int) -> None:
        """What exchange of one piece gains most?"""
        if self._is_area(area):
            self.swap = best_swap(self.desk, self.layout, area)
            self.swapped_for = area

    async def on_do_swap(self) -> None:
        """Make the exchange."""
        if self.swap is not None:
            await self._become(self.swap.layout)

    async def on_number(self, number: Any) -> None:
        """How many more pieces come by chance."""
        if str(number).isascii() and str(number).isdigit() and int(number) <= MOST_DRAWN:
            self.number = int(number)
            await self._look_ahead()

    async def resumed(self) -> None:
        await self._look_ahead()

    def _is_area(self, area: object) -> bool:
        return type(area) is int and 0 <= area < len(self.desk.areas)

    async def _look_ahead(self) -> None:
        """Count or sample what may come, in slices."""
        self.future = None
        room = self.desk.areas[0].most - len(self.layout.areas[0])
        if not self.number or room <= 0:
            return
        self.future = Future(self.desk, self.layout, min(self.number, room))
        await self._count()

    @property
    def counting(self) -> bool:
        """Whether what may come is still being counted."""
        return self.future is not None and self.future.done < self.future.total

    async def _count(self) -> None:
        future = self.future
        if future is not None and self.counting:
            await self.shell.show()
            await self.shell.think(lambda: future.step(DRAWS))

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def before(self) -> Layout:
        """The layout that the present one is compared with."""
        return self.past[-1] if self.past else self.layout

    def lines(self) -> list[tuple[Moved, bool]]:
        """The score lines beside those of the layout before; whether a line is new or changed."""
        was, now = (self.desk.scores(one)[0] for one in (self.before, self.layout))
        return [(line, line.change != 0) for line in moved(was, now)]

    def html(self) -> str:
        table, layout = self.desk, self.layout
        sheets = table.scores(layout)
        unseen = table.unseen(layout)
        area = table.areas[self.area]
        return self.shell.render(
            "explorer/lab.html",
            game=self.game,
            desk=table,
            layout=layout,
            lying=[[chip(table, p) for p in lying] for lying in layout.areas],
            area=area,
            tray=[
                (chip(table, p), table.problem(table.put(layout, self.area, p)) is None)
                for p in area.pieces
            ],
            lines=self.lines(),
            points=sheets[0].points,
            change=table.worth(layout) - table.worth(self.before),
            other=sheets[1] if len(sheets) > 1 else None,
            could=self._could(),
            coming=self._coming(unseen),
            most_drawn=MOST_DRAWN,
            editions=editions.choices(self.shell, self.game, self.desk.edition),
            swap_names=self._swap_names(),
        )

    def _could(self) -> list[ScoreLine]:
        return list(self.desk.could(self.layout)[:6])

    def _swap_names(self) -> tuple[Any, Any] | None:
        if self.swap is None:
            return None
        return self.desk.piece_name(self.swap.out), self.desk.piece_name(self.swap.into)

    def _coming(self, unseen: dict[str, int]) -> Coming | None:
        future = self.future
        if future is None or self.counting:
            return None
        odds = future.odds
        columns = _columns(odds)
        if odds.exact:
            told = msg("explore.lab.counted", n=future.done, mean=round(odds.mean, 1))
        else:
            widest = max(h - low for low, h in zip(odds.low, odds.high, strict=True)) / 2
            told = msg(
                "explore.lab.sampled",
                n=future.done,
                mean=round(odds.mean, 1),
                half=round(100 * widest, 1),
            )
        points = Chart(
            "columns",
            msg("explore.lab.points", n=future.number),
            msg("explore.points"),
            tuple(name for name, _ in columns),
            ((msg("explore.chance"), tuple(round(100 * chance) for _, chance in columns)),),
            "chart.percent",
            told,
        )
        return Coming(odds, points, self._pieces(unseen, future.number), future.total)

    def _pieces(self, unseen: dict[str, int], number: int) -> Chart | Message:
        whole = sum(unseen.values())
        chances = sorted(
            (
                (round(100 * float(at_least_one(copies, whole, number)), 1), piece)
                for piece, copies in unseen.items()
            ),
            key=lambda one: -one[0],
        )
        if len({chance for chance, _ in chances}) == 1:
            return msg(
                "explore.lab.alike", n=number, chance=msg("chart.percent", figure=chances[0][0])
            )
        return Chart(
            "bars",
            msg("explore.lab.pieces", n=number),
            msg("explore.card"),
            tuple(self.desk.piece_name(piece) for _, piece in chances[:KINDS_SHOWN]),
            ((msg("explore.chance"), tuple(chance for chance, _ in chances[:KINDS_SHOWN])),),
            "chart.percent",
            most=100,
        )


def _columns(odds: Odds) -> list[tuple[str, float]]:
    """The chances by value, neighbouring values put together where there are too many."""
    low, high = odds.chances[0][0], odds.chances[-1][0]
    step = -(-(high - low + 1) // COLUMNS)
    columns = []
    for start in range(low, high + 1, step):
        chance = sum(c for value, c in odds.chances if start <= value < start + step)
        columns.append((f"{start}" if step == 1 else f"{start}–{start + step - 1}", chance))
    return columns
