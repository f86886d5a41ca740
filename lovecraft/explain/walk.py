"""A game as steps: at each one who may do what, why nothing else, what changes and by which rule.

All of it is asked of the game (``legal_actions``, ``candidates``, ``why_not``, ``apply``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lovecraft.core import CHANCE, CHANCE_MOVES, AnyGame, Event, Move, Phase, Record
from lovecraft.i18n import Message


class Choice(NamedTuple):
    """A legal action, in words."""

    action: Any
    text: Message


class Refusal(NamedTuple):
    """Why some actions are not allowed: the rule, the reason in words, and the actions.

    Refusals for one rule and of one kind stand together; ``why`` is that of the first of them.
    """

    rule: str
    why: Message
    choices: tuple[Choice, ...]


class Mover(NamedTuple):
    """A seat that may act: what it may do, and what else it might think of."""

    seat: int
    legal: tuple[Choice, ...]
    refused: tuple[Refusal, ...]


class Waiting(NamedTuple):
    """A seat that may not act at all now, the rule that says so and why."""

    seat: int
    rule: str
    why: Message


class Scene(NamedTuple):
    """One position of a game and what is done next.

    ``at`` counts the moves made before. ``move`` is the next one (None at the end), ``told`` the
    same in words (None when it is secret chance), ``events`` what follows from it, ``after`` the
    position then.
    """

    at: int
    state: Any
    phase: Phase
    movers: tuple[Mover, ...]
    waiting: tuple[Waiting, ...]
    move: Move | None
    told: Message | None
    events: tuple[Event, ...]
    after: Any

    @property
    def by_chance(self) -> bool:
        """Whether chance acts here: nobody has a choice."""
        return self.phase.who == "chance"


def phase_of(game: AnyGame, state: Any) -> Phase:
    """The phase that a position is in."""
    return next(phase for phase in game.phases if phase.id == game.phase(state))


def may(game: AnyGame, state: Any, seat: int) -> Mover:
    """What a seat that is to move may do, and why each other thing is not allowed."""
    legal = game.legal_actions(state, seat)
    allowed = set(legal)
    refused: dict[tuple[str, str], Refusal] = {}
    for action in dict.fromkeys(game.candidates(state, seat)):
        if action in allowed:
            continue
        why = game.why_not(state, seat, action)
        if why is None:
            continue
        key = (why.rule, why.message.key)
        choice = Choice(action, game.describe(action))
        there = refused.get(key)
        refused[key] = (
            there._replace(choices=(*there.choices, choice))
            if there
            else Refusal(why.rule, why.message, (choice,))
        )
    chosen = tuple(Choice(action, game.describe(action)) for action in legal)
    return Mover(seat, chosen, tuple(refused.values()))


def may_not(game: AnyGame, state: Any, players: int) -> tuple[Waiting, ...]:
    """The seats that may not act now, each with the reason."""
    found = []
    movers = game.to_move(state)
    for seat in range(players):
        if seat not in movers and (why := game.why_not(state, seat, None)):
            found.append(Waiting(seat, why.rule, why.message))
    return tuple(found)


class Walk:
    """A record that can be walked forwards and back; positions are replayed once.

    >>> from lovecraft import explain, games
    >>> from lovecraft.core import Player, Record
    >>> walk = Walk(Record.begin(games.get("tides-of-madness"), (Player("A"), Player("B"))))
    >>> len(walk), walk[0].phase.id
    (1, 'deal')
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record.game
        self._steps = tuple(record.steps())

    def __len__(self) -> int:
        """How many positions there are: one more than moves."""
        return len(self._steps) + 1

    def state(self, at: int) -> Any:
        """The position after so many moves."""
        if not self._steps:
            return self.record.start()
        return self._steps[at].before if at < len(self._steps) else self._steps[-1].after

    def __getitem__(self, at: int) -> Scene:
        """The scene after so many moves. Raises IndexError outside 0 … len - 1."""
        if not 0 <= at < len(self):
            raise IndexError(at)
        game, state = self.game, self.state(at)
        movers = game.to_move(state)
        players = len(self.record.players)
        step = self._steps[at] if at < len(self._steps) else None
        return Scene(
            at,
            state,
            phase_of(game, state),
            () if movers == CHANCE_MOVES else tuple(may(game, state, seat) for seat in movers),
            may_not(game, state, players),
            step.move if step else None,
            game.describe(step.move.action) if step and step.move.player != CHANCE else None,
            step.events if step else (),
            step.after if step else state,
        )

    def phases(self) -> tuple[str, ...]:
        """The phase of every position, in order."""
        return tuple(self.game.phase(self.state(at)) for at in range(len(self)))

    def first(self, phase: str) -> int:
        """The first position in a phase. Raises ValueError if the game never came to it."""
        return self.phases().index(phase)


def seats_in_words(game: AnyGame, state: Any, seats: Sequence[int]) -> tuple[Message, ...]:
    """A position as these seats together see it: the lines of each, no line twice."""
    lines = (line for seat in seats for line in game.in_words(game.observe(state, seat)))
    return tuple(dict.fromkeys(lines))
