"""A match: seats filled with agents that see observations only, written down as a record."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lovecraft.core.game import CHANCE, CHANCE_MOVES, AnyGame
from lovecraft.core.record import Player, Record

Agent = Callable[[Any, random.Random], Any]
"""A player: observation and random stream in, one of ``observation.actions`` out."""


def stream(seed: object, who: int, turn: int) -> random.Random:
    """The random stream of one decision: of a seat (or CHANCE) at its own n-th turn.

    Streams do not depend on who else has drawn numbers, so a game that is resumed, or taken back
    and played again, goes on exactly as it would have.
    """
    return random.Random(f"{seed}/{who}/{turn}".encode("utf-8", "surrogatepass"))


class Match:
    """A game in progress: its record, its state, and the seed for what chance and bots do next."""

    def __init__(self, record: Record, seed: object) -> None:
        self.seed = seed
        self.record = record
        self.state = record.final()
        self._turns = dict.fromkeys((CHANCE, *range(len(record.players))), 0)
        for move in record.moves:
            self._turns[move.player] += 1

    @property
    def game(self) -> AnyGame:
        return self.record.game

    def stream(self, who: int) -> random.Random:
        """The random stream for the next decision of a seat or of chance."""
        return stream(self.seed, who, self._turns[who])

    def play(self, player: int, action: Any) -> tuple[Any, ...]:
        """One action with all checks; the events. On IllegalAction nothing changes."""
        self.state, events = self.game.apply(self.state, player, action)
        self.record = self.record.with_move(player, action)
        self._turns[player] += 1
        return events

    def play_chance(self) -> tuple[Any, ...]:
        """Let chance act while it is to move; all the events."""
        events: tuple[Any, ...] = ()
        while self.game.to_move(self.state) == CHANCE_MOVES:
            events += self.play(CHANCE, self.game.draw(self.state, self.stream(CHANCE)))
        return events

    def ask(self, player: int, agent: Agent) -> Any:
        """What an agent would do in this seat now; it gets the observation and its stream only."""
        return agent(self.game.observe(self.state, player), self.stream(player))


def play(
    game: AnyGame,
    agents: Sequence[Agent],
    seed: object,
    players: Sequence[Player] | None = None,
    options: Mapping[str, object] | None = None,
    position: Any = None,
) -> Record:
    """Play a whole game, or one on from a position; one agent per seat."""
    seats = players or tuple(Player(f"{i + 1}", "bot") for i in range(len(agents)))
    match = Match(Record.begin(game, tuple(seats), options, position), seed)
    while True:
        match.play_chance()
        movers = game.to_move(match.state)
        if not movers:
            return match.record
        # all who are to move decide before any of them acts
        chosen = [(seat, match.ask(seat, agents[seat])) for seat in movers]
        for seat, action in chosen:
            match.play(seat, action)
