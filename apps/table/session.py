"""A game at the table: a match with people and bots, kept after every move."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from apps.companion.session import new_id
from apps.store import Entry, Store, now
from lovecraft import bots, games
from lovecraft.core import CHANCE_MOVES, AnyGame, Event, IllegalAction, Match, Player, Record

PREFIX = "table/"
HUMAN = "human"


class Turn(NamedTuple):
    """One action as the person saw it: the observations around it, and what happened."""

    before: Any
    after: Any
    events: tuple[Event, ...]


class TableSession:
    """One game with its match; ``me`` is the seat of the person who looks at this device now.

    Where bots play all seats, ``me`` is the seat through which the game is watched.

    Take-back policy: against bots any decision may be taken back, back to the first, unless that
    was ruled out before the game (``free``); the number of times is kept and shown. Chance and
    bots repeat themselves after it (their random streams belong to their turn), so nothing can be
    rerolled. Several people take nothing back, at one device or by links: the others may have
    seen what followed.
    """

    def __init__(
        self,
        match: Match,
        ident: str = "",
        taken_back: int = 0,
        here: Sequence[int] | None = None,
        free: bool = True,
    ) -> None:
        self.match = match
        self.id = ident or new_id()
        self.taken_back = taken_back
        self.free = free
        """Whether choices may be taken back against bots."""
        self.created = now()
        self.looked_at = -1
        """The position whose result the person has looked at."""
        self.hinted: list[int] = []
        """The positions at which a hint was asked for."""
        kinds = [player.kind for player in match.record.players]
        self.people = [seat for seat, kind in enumerate(kinds) if kind == HUMAN]
        self.here = [seat for seat in self.people if here is None or seat in here] or self.people
        """The people at this device; the others play elsewhere, by links."""
        self.me = self.here[0] if self.here else 0
        self._events: list[Event] = []
        self._choices: list[int] = []
        self._news_from = 0
        self._look_back()
        self._agents = {
            seat: bots.make(kind, match.game) for seat, kind in enumerate(kinds) if kind != HUMAN
        }

    @classmethod
    def begin(
        cls,
        game: AnyGame,
        players: Sequence[Player],
        options: Mapping[str, Any],
        position: Any = None,
        here: Sequence[int] | None = None,
        free: bool = True,
    ) -> TableSession:
        """A new game, dealt; or one that begins at a position, as in a hand to be played again.

        Raises InvalidOption, UnknownName; InvalidRecord for what cannot be a position.
        """
        record = Record.begin(game, tuple(players), options, position)
        session = cls(Match(record, secrets.token_hex(16)), here=here, free=free)
        if session.movers == CHANCE_MOVES:
            session.play_other()
        return session

    @property
    def key(self) -> str:
        return PREFIX + self.id

    @property
    def game(self) -> AnyGame:
        return self.match.game

    @property
    def names(self) -> tuple[str, ...]:
        return self.match.record.names

    @property
    def shared(self) -> bool:
        """Whether several people pass this device round."""
        return len(self.here) > 1

    @property
    def alone(self) -> bool:
        """Whether one person plays against bots, or watches them."""
        return len(self.people) < 2

    @property
    def apart(self) -> bool:
        """Whether some people play elsewhere, by links."""
        return len(self.here) < len(self.people)

    @property
    def waited_for(self) -> list[int]:
        """The people elsewhere who are to move while nobody here is."""
        if self.person_to_move is not None:
            return []
        return [seat for seat in self.movers if seat in self.people]

    def continues(self, earlier: TableSession) -> None:
        """This is the same game some moves later: same people here, same counts."""
        self.here = earlier.here
        self.created, self.taken_back = earlier.created, earlier.taken_back
        self.free = earlier.free
        self.hinted = earlier.hinted
        self.sit(earlier.me)

    @property
    def watching(self) -> bool:
        """Whether nobody at this device plays."""
        return not self.people

    def sit(self, seat: int) -> None:
        """Another person looks at the device."""
        self.me = seat
        self._look_back()

    @property
    def person_to_move(self) -> int | None:
        """The person who is to act: whoever looks at the device, if they may."""
        waiting = [seat for seat in self.movers if seat in self.here]
        if self.me in waiting:
            return self.me
        return waiting[0] if waiting else None

    @property
    def finished(self) -> bool:
        return not self.movers

    def observation(self) -> Any:
        """What the person sees: all that may reach the screen. Onlookers have nothing to choose."""
        seen = self.game.observe(self.match.state, self.me)
        return seen._replace(actions=()) if self.watching else seen

    @property
    def movers(self) -> tuple[int, ...]:
        """Who is to move: seats, chance, or nobody."""
        return self.game.to_move(self.match.state)

    @property
    def mine(self) -> bool:
        """Whether the person may act now."""
        return self.me in self.movers

    def play_forced(self, seat: int, action: Any) -> Turn:
        """The only action that another person has, without handing the device over for it."""
        return self._turn(lambda: self.match.play(seat, action))

    def play(self, action: Any) -> Turn:
        """The person's action. Raises IllegalAction, and then nothing has changed."""
        had_choice = len(self.game.legal_actions(self.match.state, self.me)) > 1
        at = len(self.match.record.moves)
        happened = len(self._events)
        turn = self._turn(lambda: self.match.play(self.me, action))
        if had_choice:
            self._choices.append(at)
            self._news_from = happened
        return turn

    def thought(self) -> tuple[int, bots.Thought] | None:
        """The seat of the bot to act next and its thinking, if its level does not act at once.

        It is to be driven to its end in slices; its choice then goes to :meth:`play_other`.
        """
        movers = self.movers
        if not movers or movers == CHANCE_MOVES or any(seat in self.people for seat in movers):
            return None
        seat = movers[0]
        level = self.match.record.players[seat].kind
        if bots.named(level).budget is None:
            return None
        seen = self.game.observe(self.match.state, seat)
        return seat, bots.think(level, self.game, seen, self.match.stream(seat))

    def play_other(self, choice: Any = None) -> Turn | None:
        """The next bot's action, or chance's; None when it is the person's turn or the end.

        ``choice`` is what the bot has thought out; without it the bot is asked. Bots that are to
        move together with people wait for them.
        """
        movers = self.movers
        if not movers or any(seat in self.people for seat in movers):
            return None
        if movers == CHANCE_MOVES:
            return self._turn(self.match.play_chance)
        seat = movers[0]
        if choice is None:
            choice = self.match.ask(seat, self._agents[seat])
        return self._turn(lambda: self.match.play(seat, choice))

    def _turn(self, move: Callable[[], tuple[Event, ...]]) -> Turn:
        before = self.observation()
        events = self._happened(move())
        return Turn(before, self.observation(), events)

    def _happened(self, events: Sequence[Event]) -> tuple[Event, ...]:
        seen = tuple(event.seen_by(self.me) for event in events)
        self._events.extend(seen)
        return seen

    def _look_back(self) -> None:
        """Go through the record for what has happened and where the person had a choice."""
        self._events.clear()
        self._choices.clear()
        self._news_from = 0
        for step in self.match.record.steps():
            happened = len(self._events)
            self._happened(step.events)
            choice = step.move.player == self.me and self.game.legal_actions(step.before, self.me)
            if choice and len(choice) > 1:
                self._choices.append(step.at)
                self._news_from = happened

    @property
    def log(self) -> Sequence[Event]:
        """Everything that has happened, as the person saw it."""
        return self._events

    @property
    def news(self) -> Sequence[Event]:
        """What has happened since the person's last choice, that one included."""
        return self._events[self._news_from :]

    def read_news(self) -> None:
        """The person has seen what there was."""
        self._news_from = len(self._events)

    @property
    def at(self) -> int:
        """How many moves have been made."""
        return len(self.match.record.moves)

    def why_not(self, action: Any) -> IllegalAction | None:
        """Why the person may not do this now, or None."""
        return self.game.why_not(self.match.state, self.me, action)

    def give_hint(self) -> None:
        """A hint has been given here: that is counted once a position, and kept."""
        if self.at not in self.hinted:
            self.hinted.append(self.at)

    # -- taking back ------------------------------------------------------------------------------

    @property
    def may_take_back(self) -> bool:
        """Whether the person has made a choice yet that nobody else has seen."""
        return bool(self._choices) and self.alone and self.free

    def take_back(self) -> None:
        """Go back to before the person's last choice, if there is one."""
        if self.may_take_back:
            self.match = Match(self.match.record.upto(self._choices[-1]), self.match.seed)
            self.taken_back += 1
            self._look_back()

    # -- keeping ----------------------------------------------------------------------------------

    def save(self, store: Store) -> None:
        """Keep the game on the device."""
        store.put(
            self.key,
            {
                "game": self.game.id,
                "names": list(self.names),
                "created": self.created,
                "updated": now(),
                "finished": self.finished,
                "taken_back": self.taken_back,
                "free": self.free,
                "looked_at": self.looked_at,
                "hinted": self.hinted,
                "here": self.here,
                "seed": self.match.seed,
                "record": self.match.record.to_json(self.match.state),
            },
        )

    @classmethod
    def read(cls, entry: Entry, ident: str) -> TableSession:
        """A kept game. Raises LovecraftError or ValueError for what is damaged."""
        record = Record.from_json(entry.get("record"), games.get)
        seed, taken, created = entry.get("seed"), entry.get("taken_back"), entry.get("created")
        if not isinstance(seed, str) or type(taken) is not int or type(created) is not int:
            raise ValueError("not a game")
        here = entry.get("here")
        seats = [seat for seat in here if type(seat) is int] if isinstance(here, list) else None
        free = entry.get("free") is not False
        session = cls(Match(record, seed), ident, taken, seats, free)
        session.created = created
        looked = entry.get("looked_at")
        session.looked_at = looked if type(looked) is int else -1
        hinted = entry.get("hinted")
        if isinstance(hinted, list):
            session.hinted = [at for at in hinted if type(at) is int]
        return session
