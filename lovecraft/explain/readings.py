"""Disputed readings as switches: what an option changes, shown where it first makes a difference.

The same game is played under two values of an option at once. The first position at which one of
them allows another move, tells of another event, shows something else or scores otherwise is what
the option means; the search keeps the shortest game that shows it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from lovecraft.core import CHANCE, AnyGame, Event, InvalidOption, Option, Phase
from lovecraft.core.options import Value, label
from lovecraft.explain.walk import phase_of
from lovecraft.i18n import Message, Seat, msg

Kind = Literal["deal", "moves", "events", "points", "seen"]
"""What differs: what can be dealt, what may be done, what happens, what scores, what is seen."""

KINDS: tuple[Kind, ...] = ("deal", "moves", "events", "points", "seen")


FEW = 5
"""So many actions are told of a seat whose turn it is instead."""


class Reading(NamedTuple):
    """One option with another value than the default."""

    game: AnyGame
    option: Option
    value: Value

    @property
    def rule(self) -> str:
        """The id of the rule that the option belongs to."""
        return self.option.rule

    @property
    def id(self) -> str:
        """A name for links: the option and the value."""
        return f"{self.option.name}={self.value}"


class Difference(NamedTuple):
    """Where a reading first matters.

    ``moves`` lead to ``state`` (under the default) and ``other`` (under the reading); then ``seat``
    (or CHANCE) does ``told`` (None where the difference is in what may be done). ``left`` says what
    is so under the default, ``right`` under the reading; ``rules`` are those of the two sides.
    """

    kind: Kind
    moves: int
    players: int
    state: Any
    other: Any
    phase: Phase
    seat: int
    told: Message | None
    left: tuple[Message, ...]
    right: tuple[Message, ...]
    rules: tuple[str, ...]


def readings(game: AnyGame) -> tuple[Reading, ...]:
    """Every option that can be read otherwise; of a row of numbers only the last."""
    found = []
    for option in game.options:
        others = [value for value in option.values if value != option.default]
        numbers = [value for value in others if type(value) is int]
        for value in numbers[-1:] or others:
            if not option.data:
                found.append(Reading(game, option, value))
    return tuple(found)


def name(reading: Reading) -> Message:
    """The option in words."""
    return label(reading.game.id, reading.option.name)


def value_name(reading: Reading, value: Value) -> Message:
    """One of the option's values in words."""
    if isinstance(value, bool):
        return msg(f"explain.{'yes' if value else 'no'}")
    if isinstance(value, int):
        return msg("explain.number", number=value)
    return label(reading.game.id, reading.option.name, value)


class Search:
    """Looks for where a reading matters, one pair of games a step; keeps the shortest of a kind."""

    def __init__(self, reading: Reading, seed: int = 0, games: int = 400) -> None:
        self.reading = reading
        self.seed = seed
        self.games = games
        self.played = 0
        self.found: dict[Kind, Difference] = {}

    def step(self) -> bool:
        """Play one more pair of games; whether the search is over."""
        game = self.reading.game
        spread = game.max_players - game.min_players + 1
        players = game.min_players + self.played % spread
        rng = random.Random(f"{self.seed}/{self.played}")
        self.played += 1
        for difference in _twins(self.reading, players, rng):
            best = self.found.get(difference.kind)
            if best is None or difference.moves < best.moves:
                self.found[difference.kind] = difference
        return self.played >= self.games

    def finish(self) -> tuple[Difference, ...]:
        """All of it at once."""
        while not self.step():
            pass
        return self.differences

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What has been found so far, in the order of KINDS."""
        return tuple(self.found[kind] for kind in KINDS if kind in self.found)


class _Spot(NamedTuple):
    """Where the twins are: the fields that all differences there have."""

    moves: int
    players: int
    state: Any
    other: Any
    phase: Phase
    seat: int

    def differs(
        self,
        kind: Kind,
        told: Message | None,
        left: tuple[Message, ...],
        right: tuple[Message, ...],
        rules: tuple[str, ...] = (),
    ) -> Difference:
        return Difference(kind, *self, told, left, right, rules)


def _twins(reading: Reading, players: int, rng: random.Random) -> Iterator[Difference]:
    """One game under both values, as long as what is done in one may be done in the other.

    The first difference of each kind; it ends when nothing more is to be expected.
    """
    game, option = reading.game, reading.option
    try:
        setups = [
            game.setup(players, {option.name: value}) for value in (option.default, reading.value)
        ]
    except InvalidOption:
        return  # not with so many players
    left, right = map(game.start, setups)
    seen: set[Kind] = set()
    moves = 0
    while movers := game.to_move(left):
        seat = rng.choice(movers)
        spot = _Spot(moves, players, left, right, phase_of(game, left), seat)
        if seat == CHANCE:
            if game.to_move(right) != movers:
                return
            action, other = game.draw(left, rng), game.draw(right, rng)
            found = _deals_apart(game, spot, action, other)
        else:
            mine, theirs = game.legal_actions(left, seat), game.legal_actions(right, seat)
            common = [action for action in mine if action in set(theirs)]
            action = rng.choice(common) if common else None
            found = _positions_apart(game, spot)
        for difference in found:
            if difference.kind not in seen:
                seen.add(difference.kind)
                yield difference
        if action is None or game.why_not(right, seat, action):
            return
        left, events = game.apply(left, seat, action)
        right, others = game.apply(right, seat, action)
        if events != others:
            kind: Kind = "points" if _points(events) != _points(others) else "events"
            if kind not in seen:
                seen.add(kind)
                told = None if seat == CHANCE else game.describe(action)
                yield spot.differs(kind, told, *_events_apart(events, others))
        if seen >= {"events", "points"} or seen >= {"moves", "seen"}:
            return
        moves += 1


def _deals_apart(game: AnyGame, spot: _Spot, action: Any, other: Any) -> Iterator[Difference]:
    """What chance can do in one of two positions only."""
    allowed = (msg("explain.allowed"),)
    if refused := game.why_not(spot.other, CHANCE, action):
        yield spot.differs("deal", None, allowed, (refused.message,), (refused.rule,))
    if refused := game.why_not(spot.state, CHANCE, other):
        yield spot.differs("deal", None, (refused.message,), allowed, (refused.rule,))


def _positions_apart(game: AnyGame, spot: _Spot) -> Iterator[Difference]:
    """What a seat may do, or the first seat sees, in one of two positions only."""
    left, right, seat = spot.state, spot.other, spot.seat
    if game.legal_actions(left, seat) != game.legal_actions(right, seat):
        yield spot.differs("moves", None, *_only(game, left, right, seat))
        return
    here = game.in_words(game.observe(left, 0))
    there = game.in_words(game.observe(right, 0))
    if here != there:
        only_here = tuple(line for line in here if line not in there)
        only_there = tuple(line for line in there if line not in here)
        yield spot.differs("seen", None, only_here, only_there)


def _only(
    game: AnyGame, left: Any, right: Any, seat: int
) -> tuple[tuple[Message, ...], tuple[Message, ...], tuple[str, ...]]:
    """What may be done in one position only; or what is due there instead, or why it is not."""
    mine, theirs = game.legal_actions(left, seat), game.legal_actions(right, seat)
    sides: list[tuple[Message, ...]] = []
    rules: list[str] = []
    for own, others, state in ((mine, theirs, left), (theirs, mine, right)):
        only = tuple(game.describe(action) for action in own if action not in others)
        lost = [action for action in others if action not in own]
        if lost and not only and (why := game.why_not(state, seat, lost[0])):
            rules.append(why.rule)
            only = (why.message, *_due(game, state, seat))
        sides.append(only)
    return sides[0], sides[1], tuple(dict.fromkeys(rules))


def _due(game: AnyGame, state: Any, but: int) -> Iterator[Message]:
    """What other seats may do."""
    for seat in game.to_move(state):
        if seat not in (but, CHANCE):
            actions = game.legal_actions(state, seat)[:FEW]
            yield msg("explain.may", player=Seat(seat), acts=tuple(map(game.describe, actions)))


def _points(events: tuple[Event, ...]) -> list[object]:
    return [event.data["points"] for event in events if "points" in event.data]


def _events_apart(
    events: tuple[Event, ...], others: tuple[Event, ...]
) -> tuple[tuple[Message, ...], tuple[Message, ...], tuple[str, ...]]:
    here = tuple(event for event in events if event not in others)
    there = tuple(event for event in others if event not in events)
    rules = tuple(dict.fromkeys(event.rule for event in (*here, *there)))
    return tuple(e.text for e in here), tuple(e.text for e in there), rules
