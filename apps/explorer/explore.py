"""The explorer of a game: its map, a search over rules and cards, and the disputed readings."""

from __future__ import annotations

from typing import Any, NamedTuple

from apps.explorer import editions
from apps.shell import Page, Shell
from lovecraft import games
from lovecraft.core import AnyGame, Phase
from lovecraft.explain import search
from lovecraft.explain.readings import Difference, Reading, Search, name, readings, value_name
from lovecraft.i18n import Message, msg

ROW = 64
"""Height of a row of the map in pixels; the style sheet has the same number."""

LANE = 11
"""Pixels between the arcs of the map."""

PAIRS = 160
"""So many pairs of games are played to find where a reading matters."""

SLICE = 4
MOST_QUERY = 60

SEATS = tuple("ABCDEFG")
"""What players are called in a position that nobody has played."""


class Arc(NamedTuple):
    """A way from one phase of the map to another, as an SVG path with its head; maybe back."""

    path: str
    head: str
    back: bool


def arcs(phases: tuple[Phase, ...]) -> list[Arc]:
    """The arcs of a map whose phases stand below each other."""
    row = {phase.id: at for at, phase in enumerate(phases)}
    found = []
    for phase in phases:
        for then in phase.then:
            here, there = row[phase.id], row[then]
            start, end = ROW * here + ROW // 2 + 8, ROW * there + ROW // 2 - 8
            if here == there:
                start, end = start - 4, end + 4
            out = 10 + LANE * max(1, abs(there - here)) + (4 if there < here else 0)
            found.append(
                Arc(
                    f"M4 {start}C{out} {start} {out} {end} 8 {end}",
                    f"M3 {end}l7 -4v8z",
                    there < here,
                )
            )
    return found


def width(phases: tuple[Phase, ...]) -> int:
    """How wide the arcs are."""
    return 10 + LANE * len(phases)


class Shown(NamedTuple):
    """A reading as it is shown: its words, its two values, and where it matters."""

    reading: Reading
    name: Message
    values: tuple[Message, Message]
    other: bool
    differences: tuple[Difference, ...]
    searching: bool


_SEARCHES: dict[str, Search] = {}
"""Where readings matter, by reading: the same on every device, so looked for once."""


def _enough(search: Search) -> bool:
    """Whether a search need not go on: two differences found, or one in many games, or none."""
    found = len(search.found)
    return found > 1 or search.played >= (PAIRS // 4 if found else PAIRS)


def looking(reading: Reading) -> Search:
    """The search for where a reading matters, as far as it has come."""
    key = f"{reading.game.id}/{reading.id}"
    if key not in _SEARCHES:
        _SEARCHES[key] = Search(reading, games=PAIRS)
    return _SEARCHES[key]


class Explore(Page):
    """``#/<game>/explore``; ``…/<phase>`` opens a phase of the map."""

    kind = msg("explore.kind")

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        super().__init__(shell)
        self.game: AnyGame = games.get(game)
        self.title = self.game.name
        wanted = rest[0] if rest else ""
        self.phase = wanted if any(phase.id == wanted for phase in self.game.phases) else ""
        self.query = ""
        self.open = ""
        self.other: set[str] = set()
        self.readings = {reading.id: reading for reading in readings(self.game)}

    def on_phase(self, phase: str) -> None:
        """Open a phase of the map, or close it."""
        self.phase = "" if self.phase == phase else phase
        self.shell.go(f"#/{self.game.id}/explore" + (f"/{self.phase}" if self.phase else ""))

    def on_edition(self, key: str) -> None:
        """Cards and rituals of another edition are looked for."""
        editions.choose(self.shell, self.game, key)

    def on_search(self, query: str) -> None:
        """Look for rules and cards."""
        self.query = str(query)[:MOST_QUERY]

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        """As every page; then on with looking for where the open reading matters."""
        await super().act(name, args, value)
        if self.open in self.readings:
            search = looking(self.readings[self.open])
            for told in (1, 2):  # the first thing found is shown at once
                if not _enough(search) and not self.shell.asked:
                    await self.shell.show()
                    await self.shell.think(lambda: self._slice(search, told))  # noqa: B023

    def on_switch(self, reading: str, other: bool) -> None:
        """Read an option the one way or the other."""
        if reading in self.readings:
            (self.other.add if other else self.other.discard)(reading)
            self.open = reading

    def _slice(self, search: Search, wanted: int) -> bool:
        """A few pairs of games; whether so much has been found, or enough been tried."""
        for _ in range(SLICE):
            if _enough(search) or len(search.found) >= wanted:
                return True
            search.step()
        return _enough(search)

    def html(self) -> str:
        edition = editions.chosen(self.shell, self.game)
        hits = []
        if self.query:
            hits = search.search(self.query, self.shell.lang, self.game.id, edition=edition)
        return self.shell.render(
            "explorer/explore.html",
            names=SEATS,
            game=self.game,
            phases=self.game.phases,
            arcs=arcs(self.game.phases),
            width=width(self.game.phases),
            height=ROW * len(self.game.phases),
            hits=hits,
            editions=editions.choices(self.shell, self.game),
            edition=edition,
            readings=self._shown_all(),
        )

    def _shown_all(self) -> list[Shown]:
        return [self._shown(reading) for reading in self.readings.values()]

    def _shown(self, reading: Reading) -> Shown:
        search = looking(reading)
        values = value_name(reading, reading.option.default), value_name(reading, reading.value)
        return Shown(
            reading,
            name(reading),
            values,
            reading.id in self.other,
            search.differences if self.open == reading.id else (),
            not _enough(search),
        )
