"""The cards of a game, each with its rules, its example, and what it brings in simulated play."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from apps.chart import Chart
from apps.explorer import editions
from apps.explorer.examples import Laid, laid_pair
from apps.shell import Page, Shell
from lovecraft import art, bots, games
from lovecraft.core import Rule
from lovecraft.explain.cards import Facts, Partner, Study
from lovecraft.explain.desks import Desk, desk
from lovecraft.explain.examples import rules_with_examples
from lovecraft.i18n import Message, msg

GAMES = 120
"""Games that are simulated for the figures, and once more each time more are wanted."""

FIRST = 24
"""Figures are shown after so many games."""

SECONDS = 3.0
"""But for no longer than this, twice."""

SLICE = 0.04
PARTNERS = 6

_STUDIES: dict[str, Study] = {}
"""What has been simulated, by game: the same on every device, so done once."""


def study(table: Desk) -> Study:
    """The simulated games of a game (in the edition of a desk), as far as they have been played."""
    key = f"{table.game.id}/{table.edition}"
    if key not in _STUDIES:
        agents = [bots.make("greedy", table.game)] * table.game.min_players
        _STUDIES[key] = Study(table.game, agents, "cards", 0, table)
    return _STUDIES[key]


class Figure(NamedTuple):
    """A card as it is drawn: its id, its name, its sigil."""

    id: str
    name: Message
    sigil: str


class CardPage(Page):
    """``#/<game>/cards`` shows all cards, ``…/<card>`` one of them."""

    kind = msg("explore.cards")

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        super().__init__(shell)
        self.game = games.get(game)
        self.title = self.game.name
        self.desk = desk(game, editions.chosen(shell, self.game))
        cards = [card.id for card in self.desk.cards]
        self.card = rest[0] if rest and rest[0] in cards else ""
        if self.card:
            self.title = self.desk.piece_name(self.card)
        elif rest:
            shell.notice = msg("explore.no-card")
            shell.go(f"#/{game}/cards")
        self.simulating = False

    async def resumed(self) -> None:
        """The figures of a card are worked out while it is looked at."""
        if self.card and study(self.desk).played < GAMES:
            await self.on_simulate()

    async def on_simulate(self) -> None:
        """Play some more games, the figures growing meanwhile."""
        if not self.card:
            return
        self.simulating = True
        games_played = study(self.desk)
        games_played.games = games_played.played - games_played.played % GAMES + GAMES
        for least in (FIRST, GAMES):
            await self.shell.show()
            until = time.monotonic() + SECONDS
            wanted = min(games_played.played + least, games_played.games)
            if not await self.shell.think(lambda: self._slice(wanted, until)):  # noqa: B023
                break
        self.simulating = False

    def on_edition(self, key: str) -> None:
        """The cards of another edition."""
        if editions.choose(self.shell, self.game, key):
            self.desk = desk(self.game.id, key)
            self.card = ""
            self.title = self.game.name
            self.shell.go(f"#/{self.game.id}/cards")

    def on_enough(self) -> None:
        """Stop: whatever arrives has stopped it already."""

    def _slice(self, wanted: int, until: float) -> bool:
        """Play for a moment; whether enough games have been played, or enough time has passed."""
        games_played = study(self.desk)
        pause = time.monotonic() + SLICE
        while games_played.played < wanted:
            games_played.move()
            if time.monotonic() > pause:
                return time.monotonic() > until and games_played.played > 0
        return True

    def html(self) -> str:
        if not self.card:
            return self.shell.render(
                "explorer/cards.html",
                game=self.game,
                groups=self._groups(),
                editions=editions.choices(self.shell, self.game, self.desk.edition),
                edition=self.desk.edition,
            )
        played = study(self.desk)
        facts = played.facts(self.card) if played.played else None
        return self.shell.render(
            "explorer/card.html",
            game=self.game,
            figure=figure(self.desk, self.card),
            words=self.desk.words(self.card),
            rules=self._rules(),
            example=self._example(),
            facts=facts,
            played=played.played,
            charts_of=self._charts(facts) if facts else [],
            worst=[
                (figure(self.desk, one.card), one)
                for one in (facts.partners[-3:][::-1] if facts else ())
                if one.high < 0
            ],
        )

    def _rules(self) -> list[Rule]:
        return [self.game.rules[rule] for rule in self.desk.rules(self.card)]

    def _example(self) -> tuple[Laid, Laid] | None:
        with_example = rules_with_examples(self.game.id)
        own = f"{self.game.id}/{self.card}"
        return laid_pair(own) if own in with_example else None

    def _groups(self) -> list[list[Figure]]:
        groups: dict[str, list[Figure]] = {}
        for card in self.desk.cards:
            groups.setdefault(card.group, []).append(figure(self.desk, card.id))
        return list(groups.values())

    def _charts(self, facts: Facts) -> list[Chart]:
        found = []
        if len(facts.points) > 1:
            whole = sum(n for _, n in facts.points)
            found.append(
                Chart(
                    "columns",
                    msg("explore.card.points"),
                    msg("explore.points"),
                    tuple(_label(points) for points, _ in _binned(facts.points)),
                    (
                        (
                            msg("explore.share"),
                            tuple(round(100 * n / whole) for _, n in _binned(facts.points)),
                        ),
                    ),
                    "chart.percent",
                )
            )
        best = _best(facts.partners)
        if best:
            found.append(
                Chart(
                    "bars",
                    msg("explore.card.partners"),
                    msg("explore.card.beside"),
                    tuple(self.desk.piece_name(one.card) for one in best),
                    ((msg("explore.card.gain"), tuple(round(one.gain, 1) for one in best)),),
                    "chart.figure",
                    msg(
                        "explore.card.best",
                        card=self.desk.piece_name(best[0].card),
                        low=round(best[0].low, 1),
                        high=round(best[0].high, 1),
                    ),
                )
            )
        return found


def figure(table: Desk, piece: str) -> Figure:
    """A card or other piece of a desk, to be drawn."""
    sigil = art.sigil_of(table.game, table.mark(piece))
    return Figure(piece, table.piece_name(piece), sigil)


def _best(partners: Sequence[Partner]) -> list[Partner]:
    """The partners beside which a card surely brings more, the best first."""
    return [one for one in partners if one.low > 0][:PARTNERS]


def _binned(points: Sequence[tuple[float, int]]) -> list[tuple[int, int]]:
    """How often how many whole points, fractions rounded."""
    whole: dict[int, int] = {}
    for value, n in points:
        whole[round(value)] = whole.get(round(value), 0) + n
    return sorted(whole.items())


def _label(points: int) -> str:
    return f"{points}"
