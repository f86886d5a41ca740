"""Records: a whole game as one self-contained JSON text that replays and verifies.

A record holds the options, the players, and every action in order, chance's results among them,
so it replays without the seed. Each move adds one byte to a running digest (``trace``), so a record
edited by hand is refused, naming the move, also where the edited game would be a legal one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from lovecraft.core import showing
from lovecraft.core.codec import Json, to_json
from lovecraft.core.errors import IllegalAction, InvalidOption, InvalidRecord, LovecraftError
from lovecraft.core.events import Event
from lovecraft.core.game import CHANCE, AnyGame
from lovecraft.core.names import MAX_NAME, clean_name
from lovecraft.core.options import Value
from lovecraft.core.position import IMPOSSIBLE
from lovecraft.core.scoring import Outcome
from lovecraft.i18n import msg

FORMAT = "lovecraft-record"
VERSION = 1
MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 64
MAX_MOVES = 20_000


class Player(NamedTuple):
    """Who sat in a seat: a name for people, and ``human`` or a bot's level."""

    name: str
    kind: str = "human"


class Move(NamedTuple):
    """One action and the seat (or CHANCE) that took it."""

    player: int
    action: Any


class Step(NamedTuple):
    """One move of a replay with the states around it and what happened."""

    at: int
    before: Any
    move: Move
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A game as played so far; finished or not.

    ``position`` is the state it began at, None for the start of a game.
    """

    game: AnyGame
    players: tuple[Player, ...]
    options: Mapping[str, Value] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    position: Any = None

    @classmethod
    def begin(
        cls,
        game: AnyGame,
        players: tuple[Player, ...],
        options: Mapping[str, object] | None = None,
        position: Any = None,
    ) -> Record:
        """A record without moves, names without surrounding blanks.

        It begins at ``position`` (a state of the game) if there is one. Raises InvalidOption for
        what the game does not allow, and for names that are none; InvalidRecord for a state that
        is no position of a game with these options.
        """
        setup = game.setup(len(players), options)
        seated = tuple(
            Player(
                clean_name(player.name, f"players[{i}].name", InvalidOption),
                clean_name(player.kind, f"players[{i}].kind", InvalidOption),
            )
            for i, player in enumerate(players)
        )
        if position is not None:
            _check_position(game, position, setup)
        return cls(game, seated, game.option_values(setup), (), position)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def start(self) -> Any:
        """The state before the first move."""
        if self.position is not None:
            return self.position
        return self.game.start(self._setup())

    def with_move(self, player: int, action: Any) -> Record:
        """The record with one more move (not checked; apply it to the state first)."""
        return replace(self, moves=(*self.moves, Move(player, action)))

    def upto(self, length: int) -> Record:
        """The record of the first ``length`` moves."""
        return replace(self, moves=self.moves[:length])

    def steps(self) -> Iterator[Step]:
        """Replay move by move. Raises InvalidRecord at the first move that is not legal."""
        state = self.start()
        for at, move in enumerate(self.moves):
            try:
                after, events = self.game.apply(state, move.player, move.action)
            except IllegalAction as refused:
                raise InvalidRecord(refused.message, f"moves[{at}]") from refused
            yield Step(at, state, move, after, events)
            state = after

    def final(self) -> Any:
        """The state after the last move, replayed with all checks."""
        state = self.start()
        for step in self.steps():
            state = step.after
        return state

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.final())

    def _repr_html_(self) -> str | None:
        return showing.html(self)

    def _repr_svg_(self) -> str | None:
        return showing.svg(self)

    # -- text -----------------------------------------------------------------------------------

    def to_json(self, final: Any = None, brief: bool = False) -> Json:
        """The record as a JSON value; ``outcome`` is null while the game runs.

        ``final`` is the state after the last move, where the caller has it: saves the replay. A
        ``brief`` one only names an attachment that the program brings itself; it is for a program
        of the same version.
        """
        outcome = self.outcome() if final is None else self.game.outcome(final)
        head, moves = self._head(), self._moves()
        trace = _trace(head, moves)
        if brief and "attachment" in head:
            head["attachment"] = self.game.attachment(self._setup(), brief=True)
        return {**head, "moves": moves, "outcome": _outcome_json(outcome), "trace": trace}

    def _setup(self) -> Any:
        return self.game.setup(len(self.players), self.options)

    def _head(self) -> Json:
        options = dict(self.game.options_to_json(self.options))
        head: dict[str, Json] = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game.id,
            "options": options,
            "players": [{"name": p.name, "kind": p.kind} for p in self.players],
        }
        attached = self.game.attachment(self._setup())
        if attached is not None:
            head["attachment"] = attached
        if self.position is not None:
            position = self.game.state_to_json(self.position)
            head["position"] = _renamed(position, self.options, options)
        return head

    def _moves(self) -> Json:
        return [
            ["chance" if m.player == CHANCE else m.player, self.game.action_to_json(m.action)]
            for m in self.moves
        ]

    def dumps(self) -> str:
        """One JSON text, one move a line, readable and diffable."""
        whole = self.to_json()
        moves = whole.pop("moves")
        parts = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in whole.items()]
        lines = ",\n".join("    " + json.dumps(m, ensure_ascii=False) for m in moves)
        parts.insert(len(parts) - 2, '"moves": [\n' + lines + "\n  ]" if moves else '"moves": []')
        return "{\n  " + ",\n  ".join(parts) + "\n}\n"

    @classmethod
    def loads(cls, source: str, find_game: Callable[[str], AnyGame]) -> Record:
        """Read, check and replay a record. Raises InvalidRecord with the place and the reason."""
        if len(source) > MAX_CHARACTERS:
            raise InvalidRecord(msg("error.too-long", most=MAX_CHARACTERS))
        return cls.from_json(parse_json(source), find_game)

    @classmethod
    def from_json(cls, value: Json, find_game: Callable[[str], AnyGame]) -> Record:
        """Check and replay a record given as a JSON value."""
        attached = isinstance(value, dict) and "attachment" in value
        placed = isinstance(value, dict) and "position" in value
        whole = _fields(
            value,
            "",
            {
                **({"attachment": (dict, str)} if attached else {}),
                **({"position": dict} if placed else {}),
                "format": str,
                "version": int,
                "game": str,
                "options": dict,
                "players": list,
                "moves": list,
                "outcome": (dict, type(None)),
                "trace": str,
            },
        )
        if whole["format"] != FORMAT:
            raise InvalidRecord(msg("error.record-format"), "format")
        if whole["version"] != VERSION:
            raise InvalidRecord(msg("error.record-version", version=VERSION), "version")
        try:
            game = find_game(whole["game"])
        except LovecraftError as unknown:
            raise InvalidRecord(unknown.message, "game") from unknown
        players = tuple(_player(p, f"players[{i}]") for i, p in enumerate(whole["players"]))
        options = whole["options"]
        if attached:
            try:
                options = game.attach(whole["attachment"], options)
            except LovecraftError as wrong:
                place = ".".join(filter(None, ("attachment", wrong.place)))
                raise InvalidRecord(wrong.message, place) from wrong
        try:
            position = None
            if placed:
                renamed = _renamed(whole["position"], whole["options"], options)
                position = game.state_from_json(renamed, "position")
            record = cls.begin(game, players, options, position)
        except InvalidOption as refused:
            raise InvalidRecord(refused.message, refused.place) from refused
        if len(whole["moves"]) > MAX_MOVES:
            raise InvalidRecord(msg("error.too-long", most=MAX_MOVES), "moves")
        head = record._head()
        if not attached:  # from before the game's records had one
            head.pop("attachment", None)
        elif whole["attachment"] not in (
            head.get("attachment"),
            game.attachment(record._setup(), brief=True),
        ):
            raise InvalidRecord(msg("error.record-edited"), "attachment")
        moves = tuple(_move(game, m, f"moves[{i}]") for i, m in enumerate(whole["moves"]))
        record = replace(record, moves=moves)
        outcome = record.outcome()
        trace = _trace(head, record._moves())
        if whole["trace"] != trace:
            raise _edited(whole["trace"], trace, placed)
        if not _same(whole["outcome"], _outcome_json(outcome)):
            raise InvalidRecord(msg("error.record-outcome"), "outcome")
        return record


def _renamed(position: Json, old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """A state as JSON whose setup names options as ``new`` does instead of ``old``."""
    setup = position.get("setup")
    if not isinstance(setup, dict):
        return position
    changed = {
        name: value
        for name, value in new.items()
        if name in old and name in setup and setup[name] == old[name] != value
    }
    return {**position, "setup": {**setup, **changed}} if changed else position


def _check_position(game: AnyGame, state: Any, setup: Any) -> None:
    if not isinstance(state, game.state_type):
        raise InvalidRecord(msg(IMPOSSIBLE), "position")
    if state.setup != setup:
        raise InvalidRecord(msg("error.position-setup"), "position.setup")
    try:
        game.check_position(state)
    except InvalidRecord as wrong:
        raise InvalidRecord(wrong.message, f"position.{wrong.place}") from wrong


def parse_json(source: str, error: type[LovecraftError] = InvalidRecord) -> Json:
    """A JSON value, or ``error`` with line and column; never any other exception."""
    if not _is_shallow(source):
        raise error(msg("error.too-deep"))
    try:
        return json.loads(source, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as wrong:
        raise error(msg("error.not-json", line=wrong.lineno, column=wrong.colno)) from None
    except _Twice as twice:
        raise error(msg("error.key-twice", name=str(twice)[:MAX_NAME])) from None
    except ValueError:  # one of the tokens that Python's reader takes, or tries to, beyond JSON
        token = next(m for m in _TOKEN.finditer(source) if m[1])
        before = source[: token.start()]
        column = token.start() - before.rfind("\n")
        place = msg("error.not-json", line=before.count("\n") + 1, column=column)
        raise error(place) from None


def _is_shallow(source: str) -> bool:
    """Whether a JSON text nests no deeper than MAX_DEPTH.

    Checked before it is read: in the browser, Python's reader would not raise RecursionError but
    take the whole interpreter with it.
    """
    if source.count("[") + source.count("{") <= MAX_DEPTH:
        return True
    depth = 0
    for bracket in _NO_BRACKETS.sub("", source):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return False
    return True


_STRING = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'  # to the end of the text if it is not closed
_NO_BRACKETS = re.compile(_STRING + r"|[^][{}\"]+", re.S)
_TOKEN = re.compile(_STRING + "|(NaN|-?Infinity|[0-9]{4000,})", re.S)


class _Twice(ValueError):
    """A name that an object has twice; JSON readers silently keep the last."""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return value


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _same(given: Json, right: Json) -> bool:
    """Equal in value and type: here 1, 1.0 and true differ."""
    if type(given) is not type(right):
        return False
    if isinstance(right, dict):
        return given.keys() == right.keys() and all(_same(given[k], right[k]) for k in right)
    if isinstance(right, list):
        return len(given) == len(right) and all(map(_same, given, right))
    return bool(given == right)


def _outcome_json(outcome: Outcome | None) -> Json:
    if outcome is None:
        return None
    kept = outcome._asdict()
    del kept["rule"]
    return {name: to_json(v) for name, v in kept.items()}


def _canonical(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def _trace(head: Json, moves: Json) -> str:
    """Marks of a running SHA-256: two hex digits each, then 16 of the whole.

    The first mark is for game and options, the second for the players, one for the position if
    there is one, then one for each move.
    """
    running = hashlib.sha256()
    marks = []
    table = {name: value for name, value in head.items() if name not in ("players", "position")}
    position = (head["position"],) if "position" in head else ()
    for part in (table, head["players"], *position, *moves):
        running.update(_canonical(part))
        marks.append(running.hexdigest()[:2])
    return "".join(marks) + "." + running.hexdigest()[:16]


def _edited(given: str, right: str, placed: bool) -> InvalidRecord:
    """Where the given trace first leaves the one that the record's contents have."""
    head = ("options", "players", "position") if placed else ("options", "players")
    for at in range(0, right.index("."), 2):
        if given[at : at + 2] != right[at : at + 2]:
            part = at // 2
            place = head[part] if part < len(head) else f"moves[{part - len(head)}]"
            return InvalidRecord(msg("error.record-edited"), place)
    return InvalidRecord(msg("error.record-edited"), "trace")


def _fields(value: Json, place: str, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """An object with exactly these fields of these kinds."""
    if not isinstance(value, dict):
        raise InvalidRecord(msg("error.json-kind", expected="{…}"), place or "record")
    at = f"{place}." if place else ""
    for name, kind in kinds.items():
        if name not in value:
            raise InvalidRecord(msg("error.missing", name=name), place or "record")
        if not isinstance(value[name], kind) or (kind is int and isinstance(value[name], bool)):
            first = kind[0] if isinstance(kind, tuple) else kind
            raise InvalidRecord(msg("error.json-kind", expected=_KIND_NAMES[first]), at + name)
    for name in value:
        if name not in kinds:
            raise InvalidRecord(msg("error.unexpected"), at + name[:MAX_NAME] or "record")
    return value


_KIND_NAMES = {str: '"…"', int: "0", dict: "{…}", list: "[…]"}


def _player(value: Json, place: str) -> Player:
    fields = _fields(value, place, {"name": str, "kind": str})
    return Player(*(clean_name(fields[part], f"{place}.{part}") for part in ("name", "kind")))


def _move(game: AnyGame, value: Json, place: str) -> Move:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidRecord(msg("error.record-move"), place)
    who, action = value
    if who == "chance":
        return Move(CHANCE, game.action_from_json(action, f"{place}[1]"))
    if type(who) is not int or not 0 <= who < game.max_players:
        raise InvalidRecord(msg("error.record-seat"), f"{place}[0]")
    return Move(who, game.action_from_json(action, f"{place}[1]"))
