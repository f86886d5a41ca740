"""What cards bring in play, and beside which others: tallied over seeded games, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from lovecraft.core import Agent, AnyGame, Match, Player, Record
from lovecraft.explain.desks import desk
from lovecraft.explain.desks.base import Desk, Piece
from lovecraft.explain.whatif import Z95

FEWEST = 12
"""A partner is told of only after so many times together (and as many apart)."""


class Partner(NamedTuple):
    """Another card beside this one: how often, and what this one brings more than without it.

    ``low`` and ``high`` are the 95 % interval of the gain.
    """

    card: Piece
    times: int
    gain: float
    low: float
    high: float


class Facts(NamedTuple):
    """What a card has brought.

    ``times`` it lay before somebody when points were scored (or was spent for points); ``mean``
    points per time with the half-width of its 95 % interval; ``won`` the owner's mean share of the
    victory, where ``par`` is what it would be for anybody; ``points`` how often which points.
    """

    card: Piece
    times: int
    mean: float
    half: float
    won: float
    par: float
    points: tuple[tuple[float, int], ...]
    partners: tuple[Partner, ...]


class _Sum:
    """A running number, sum and sum of squares."""

    __slots__ = ("n", "squares", "total")

    def __init__(self) -> None:
        self.n, self.total, self.squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.n += 1
        self.total += value
        self.squares += value * value

    def without(self, other: _Sum) -> _Sum:
        """What is left when a part is taken out."""
        rest = _Sum()
        rest.n = self.n - other.n
        rest.total = self.total - other.total
        rest.squares = self.squares - other.squares
        return rest

    @property
    def mean(self) -> float:
        return self.total / self.n if self.n else 0.0

    @property
    def error(self) -> float:
        """The variance of the mean."""
        if self.n < 2:
            return 0.0
        spread = max(0.0, self.squares - self.n * self.mean**2) / (self.n - 1)
        return spread / self.n


class Study:
    """Plays games and tallies every card at once; the same seed gives the same figures.

    ``agents`` sit at the table, one per seat (see :class:`lovecraft.core.Agent`).
    """

    def __init__(
        self,
        game: AnyGame,
        agents: Sequence[Agent],
        seed: object = 0,
        games: int = 200,
        table: Desk | None = None,
    ) -> None:
        self.game, self.agents, self.seed = game, tuple(agents), seed
        self.games, self.played = games, 0
        self.desk = table or desk(game.id)
        self._match: Match | None = None
        self._points: dict[Piece, _Sum] = {}
        self._won: dict[Piece, _Sum] = {}
        self._often: dict[Piece, dict[float, int]] = {}
        self._together: dict[tuple[Piece, Piece], _Sum] = {}

    def step(self) -> bool:
        """Play one more game; whether all are played."""
        played = self.played
        while self.played == played:
            self.move()
        return self.played >= self.games

    def move(self) -> bool:
        """Let those who are to move in the present game act; whether all games are played."""
        match = self._match or self._begin()
        match.play_chance()
        movers = self.game.to_move(match.state)
        for seat, action in [(seat, match.ask(seat, self.agents[seat])) for seat in movers]:
            match.play(seat, action)
        if not self.game.to_move(match.state):
            self._tally(match.record)
            self._match = None
            self.played += 1
        return self.played >= self.games

    def _begin(self) -> Match:
        players = tuple(Player(f"{i + 1}", "bot") for i in range(len(self.agents)))
        options = {"edition": self.desk.edition} if self.desk.edition else {}
        record = Record.begin(self.game, players, options)
        self._match = match = Match(record, f"{self.seed}/{self.played}")
        return match

    def _tally(self, record: Record) -> None:
        for showing in self.desk.showings(record):
            kinds = dict.fromkeys(showing.pieces)
            for piece in kinds:
                points = showing.points.get(piece, 0.0)
                self._points.setdefault(piece, _Sum()).add(points)
                self._won.setdefault(piece, _Sum()).add(showing.won)
                often = self._often.setdefault(piece, {})
                often[points] = often.get(points, 0) + 1
                for other in kinds:
                    if other != piece:
                        self._together.setdefault((piece, other), _Sum()).add(points)

    def facts(self, card: Piece) -> Facts | None:
        """What is known of a card so far; None if it has not been seen."""
        whole = self._points.get(card)
        if whole is None:
            return None
        partners = []
        for (piece, other), beside in self._together.items():
            if piece != card:
                continue
            apart = whole.without(beside)
            if min(beside.n, apart.n) >= FEWEST:
                gain, half = beside.mean - apart.mean, Z95 * sqrt(beside.error + apart.error)
                partners.append(Partner(other, beside.n, gain, gain - half, gain + half))
        partners.sort(key=lambda partner: -partner.gain)
        return Facts(
            card,
            whole.n,
            whole.mean,
            Z95 * sqrt(whole.error),
            self._won[card].mean,
            1 / len(self.agents),
            tuple(sorted(self._often[card].items())),
            tuple(partners),
        )
