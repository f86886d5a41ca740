"""The contract that every game keeps.

A game is a stateless object of rules. A state is an immutable value (a NamedTuple): the same
record in gives the same state out, and equality, hashing and a JSON round trip come for free.
Chance is a player: what it does is an action in the record like any other, so a state holds no
random generator that a search could look into.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from lovecraft.core import showing
from lovecraft.core.codec import Json, from_json, to_json
from lovecraft.core.errors import IllegalAction, InvalidOption, InvalidRecord
from lovecraft.core.events import Event
from lovecraft.core.options import Option, Value, resolve
from lovecraft.core.phases import Phase
from lovecraft.core.rules import RuleBook
from lovecraft.core.scoring import Outcome
from lovecraft.i18n import Message, msg

CHANCE = -1
"""The seat of chance in ``to_move`` and in records."""

NOBODY: tuple[int, ...] = ()
CHANCE_MOVES: tuple[int, ...] = (CHANCE,)


class SetupLike(Protocol):
    """What every game's Setup has: the number of players; its other fields are the options."""

    @property
    def players(self) -> int: ...


class ObservationLike(Protocol):
    """What every observation has, so that a bot can be written against any game."""

    @property
    def player(self) -> int: ...

    @property
    def actions(self) -> tuple[Any, ...]:
        """The observer's own legal actions now."""


class Card(NamedTuple):
    """A face the game shows: its id (catalogue key ``card.<game>.<id>``) and its group."""

    id: str
    group: str = ""


Su = TypeVar("Su", bound=SetupLike)
S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
O = TypeVar("O", bound=ObservationLike)  # noqa: E741


class Game(ABC, Generic[Su, S, A, O]):
    """Rules of one game. Su, S, A, O are its Setup, State, Action and Observation types.

    Seats are numbered from 0 in turn order, each next one sitting to the left.
    """

    id: ClassVar[str]
    min_players: ClassVar[int] = 2
    max_players: ClassVar[int] = 2
    options: ClassVar[tuple[Option, ...]] = ()
    rules: ClassVar[RuleBook]
    cards: ClassVar[tuple[Card, ...]] = ()
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The map of the game: every phase with those that can follow it, the first one first."""
    setup_type: ClassVar[Any]
    state_type: ClassVar[Any]
    observation_type: ClassVar[Any]

    def __init_subclass__(cls, **arguments: Any) -> None:
        """States and observations of every game show themselves in a notebook."""
        super().__init_subclass__(**arguments)
        for name in ("state_type", "observation_type"):
            if name in cls.__dict__:
                showing.let_show(cls.__dict__[name], cls)

    # -- setting up ---------------------------------------------------------------------------

    def setup(self, players: int, options: Mapping[str, object] | None = None) -> Su:
        """A validated setup. Raises InvalidOption naming the player count or the option."""
        if type(players) is not int or not self.min_players <= players <= self.max_players:
            least, most = self.min_players, self.max_players
            raise InvalidOption(
                msg("error.players-exact", game=self.name, n=least)
                if least == most
                else msg("error.players", game=self.name, least=least, most=most),
                "players",
            )
        setup: Su = self.setup_type(players=players, **resolve(self.options, options or {}))
        self.check_setup(setup)
        return setup

    def check_setup(self, setup: Su) -> None:
        """Refuse combinations of options that each are allowed alone. Raises InvalidOption."""

    def option_values(self, setup: Su) -> dict[str, Value]:
        """The options of a setup by name, as :meth:`setup` takes them."""
        return {option.name: getattr(setup, option.name) for option in self.options}

    @property
    def name(self) -> Message:
        return msg(f"game.{self.id}")

    def card_name(self, card: str) -> Message:
        """The name of a card, token or other named piece by its id."""
        return msg(f"card.{self.id}.{card}")

    def card_words(self, card: str) -> tuple[Message, ...]:
        """What a card (or other piece) is and does, in words; empty where its name says all."""
        return ()

    def card_rules(self, card: str) -> tuple[str, ...]:
        """The ids of the rules that are about this card."""
        return ()

    # -- playing --------------------------------------------------------------------------------

    @abstractmethod
    def phase(self, state: S) -> str:
        """The id of the phase (one of ``phases``) that a position is in."""

    @abstractmethod
    def start(self, setup: Su) -> S:
        """The state before anything has happened (usually chance is to move)."""

    @abstractmethod
    def to_move(self, state: S) -> tuple[int, ...]:
        """Who may act: one seat, several at once, ``(CHANCE,)``, or nobody when it is over."""

    @abstractmethod
    def legal_actions(self, state: S, player: int) -> tuple[A, ...]:
        """All legal actions of a seat that is to move, in a fixed order; empty for any other.

        Not for chance: its outcomes may be too many to list, see :meth:`draw`.
        """

    @abstractmethod
    def draw(self, state: S, rng: random.Random) -> A:
        """Chance's action, drawn with its right probability. Only when chance is to move."""

    @abstractmethod
    def advance(self, state: S, player: int, action: A) -> S:
        """The next state for an action KNOWN to be legal: no checks, no events; for playouts."""

    def advance_together(self, state: S, joint: tuple[A, ...]) -> S:
        """The next state once all of ``to_move(state)`` have acted, in that order; legal only."""
        for player, action in zip(self.to_move(state), joint, strict=True):
            state = self.advance(state, player, action)
        return state

    @abstractmethod
    def why_not(self, state: S, player: int, action: object) -> IllegalAction | None:
        """Why this action (any object at all) is not allowed now, or None when it is legal.

        Also for chance: an outcome that the pile cannot give is refused.
        """

    def candidates(self, state: S, player: int) -> tuple[A, ...]:
        """Everything a person might think of doing now, legal or not, one action for each thing.

        Together with :meth:`why_not` it tells what else is forbidden, and why.
        """
        return self.legal_actions(state, player)

    def apply(self, state: S, player: int, action: A) -> tuple[S, tuple[Event, ...]]:
        """Check, then play: the next state and what happened. Raises IllegalAction."""
        if refused := self.why_not(state, player, action):
            raise refused
        after = self.advance(state, player, action)
        return after, self.events(state, player, action, after)

    @abstractmethod
    def events(self, before: S, player: int, action: A, after: S) -> tuple[Event, ...]:
        """What happened between two states, in order, each with its rule."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result of a finished game, None while it runs."""

    # -- knowing --------------------------------------------------------------------------------

    @abstractmethod
    def observe(self, state: S, player: int) -> O:
        """All that a seat may know, with perfect memory of what it has seen; data only."""

    @abstractmethod
    def resample(self, observation: O, rng: random.Random) -> S:
        """A state drawn from those consistent with the observation (a determinization).

        ``observe(resample(o, rng), o.player) == o`` for every generator.
        """

    # -- writing down ---------------------------------------------------------------------------

    def action_to_json(self, action: A) -> Json:
        """An action as a readable JSON value."""
        return to_json(action)

    @abstractmethod
    def action_from_json(self, value: Json, place: str = "") -> A:
        """The inverse; InvalidRecord with the place for what is no action of this game."""

    @abstractmethod
    def describe(self, action: A) -> Message:
        """An action in words, as a player would call it."""

    def in_words(self, observation: O) -> tuple[Message, ...]:
        """What a seat sees, line by line in words: for terminals and screen readers."""
        return ()

    def attachment(self, setup: Su, brief: bool = False) -> Json | None:
        """What a record must carry besides the options to be self-contained, or None.

        For data that the options only name, such as an edition. ``brief``: its digest, a string,
        if it comes with the program.
        """
        return None

    def options_to_json(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """The options as a record writes them beside its attachment."""
        return options

    def attach(self, value: Json, options: Mapping[str, Json]) -> Mapping[str, Json]:
        """Take in what a record carries (or a digest of it), before its options are checked.

        Returns the options, naming what was attached as this program does: the inverse of
        :meth:`options_to_json`. Raises LovecraftError with the place for what is not an attachment
        of this game.
        """
        raise InvalidRecord(msg("error.unexpected"))

    def state_to_json(self, state: S) -> Json:
        return to_json(state)

    def state_from_json(self, value: Json, place: str = "state") -> S:
        state: S = from_json(self.state_type, value, place)
        return state

    def observation_to_json(self, observation: O) -> Json:
        return to_json(observation)

    def observation_from_json(self, value: Json, place: str = "observation") -> O:
        observation: O = from_json(self.observation_type, value, place)
        return observation

    @abstractmethod
    def check_position(self, state: S) -> None:
        """Refuse what cannot be a position of this game, whatever its numbers and names are.

        Raises InvalidRecord with the field. A state that passes can be observed, resampled and
        played to its end, and has no more cards than the game.
        """

    # -- scoring games played with real cards -----------------------------------------------------

    @abstractmethod
    def score(self, sheet: Json, lang: str = "en") -> Json:
        """Score a sheet of a game played with real cards (a JSON value, see the game's ``sheet``).

        Raises InvalidSheet naming the place of anything that cannot be.
        """


AnyGame = Game[Any, Any, Any, Any]


def not_to_move(game: AnyGame, state: Any, player: int) -> Message | None:
    """Why a seat may not act at all now (the game is over, it is another's turn), or None."""
    movers = game.to_move(state)
    if player in movers:
        return None
    if not movers:
        return msg("error.game-over")
    if movers == CHANCE_MOVES:
        return msg("error.chance-first")
    return msg("error.not-your-turn")
