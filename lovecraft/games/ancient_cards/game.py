"""Ancient Cards of H.P. Lovecraft: the state machine of the rune draft."""

from __future__ import annotations

import random
from operator import add
from typing import NamedTuple

from lovecraft.core.codec import Json
from lovecraft.core.errors import IllegalAction, InvalidOption, InvalidRecord
from lovecraft.core.events import Event, ended
from lovecraft.core.game import CHANCE, CHANCE_MOVES, NOBODY, Card, Game, not_to_move
from lovecraft.core.scoring import Outcome
from lovecraft.games.ancient_cards import position, scoring, sheet
from lovecraft.games.ancient_cards import rulebook as rule
from lovecraft.games.ancient_cards.cards import (
    EMPTY,
    HAND_SIZE,
    ROUNDS,
    RUNES,
    UNIT,
    Bundle,
    cards,
    counts,
    kinds,
    pack,
    size,
)
from lovecraft.i18n import Message, Seat, msg

Rune = str
Deal = tuple[Bundle, ...]
"""Chance's action: one hand per seat."""

Action = Rune | Deal

LAST_PICK = HAND_SIZE - 1


class Setup(NamedTuple):
    """2 to 7 players; ``copies`` of each rune; whether play areas stay between rounds."""

    players: int
    copies: int = 7
    keep_play_area: bool = False


class State(NamedTuple):
    """A position. ``hands`` is empty while a deal is due; ``picks`` are the cards lying face down.

    A hand still contains the card picked from it until all have picked. ``points`` has a row per
    finished round with the points of each seat.
    """

    setup: Setup
    round: int
    pick: int
    hands: tuple[Bundle, ...]
    areas: tuple[Bundle, ...]
    picks: tuple[Rune | None, ...]
    points: tuple[tuple[int, ...], ...]


class Observation(NamedTuple):
    """What one seat knows.

    ``hands`` has a bundle for every hand whose cards the player knows (the own one, and those it
    has held before and passed on: what was taken out of them has been revealed) and None for the
    others; it is empty while a deal is due. ``chosen`` tells who has picked, ``own_pick`` what.
    """

    setup: Setup
    player: int
    round: int
    pick: int
    hands: tuple[Bundle | None, ...]
    areas: tuple[Bundle, ...]
    chosen: tuple[bool, ...]
    own_pick: Rune | None
    points: tuple[tuple[int, ...], ...]
    actions: tuple[Rune, ...]


_new = tuple.__new__
_EVERYBODY = tuple(tuple(range(n)) for n in range(8))
_NO_PICKS: tuple[tuple[Rune | None, ...], ...] = tuple((None,) * n for n in range(8))
_NO_CARDS = tuple((EMPTY,) * n for n in range(8))


class AncientCards(Game[Setup, State, Action, Observation]):
    """Three rounds of: pick a rune in secret, pass the hand to the left, reveal."""

    id = rule.GAME
    min_players = 2
    max_players = 7
    options = rule.OPTIONS
    rules = rule.BOOK
    cards = tuple(Card(rune) for rune in RUNES)
    phases = rule.PHASES
    setup_type = Setup
    state_type = State
    observation_type = Observation

    def check_setup(self, setup: Setup) -> None:
        """Play areas that stay use up the deck: three rounds of seven cards for everybody."""
        if setup.keep_play_area:
            needed = setup.players * HAND_SIZE * ROUNDS
            if needed > setup.copies * len(RUNES):
                raise InvalidOption(
                    msg(
                        "ancient-cards.error.deck",
                        n=needed,
                        cards=setup.copies * len(RUNES),
                    ),
                    "options.keep_play_area",
                )

    def start(self, setup: Setup) -> State:
        n = setup.players
        return State(setup, 0, 0, (), _NO_CARDS[n], _NO_PICKS[n], ())

    def card_words(self, card: str) -> tuple[Message, ...]:
        points = tuple(map(str, scoring.IDENTICAL_POINTS[1:]))
        return (msg("ancient-cards.card", points=points, n=scoring.DIFFERENT_POINTS),)

    def card_rules(self, card: str) -> tuple[str, ...]:
        return (rule.IDENTICAL.id, rule.DIFFERENT.id)

    def phase(self, state: State) -> str:
        if state.hands:
            return "pick"
        return "deal" if state.round < ROUNDS else "over"

    def candidates(self, state: State, player: int) -> tuple[Rune, ...]:
        return RUNES

    def to_move(self, state: State) -> tuple[int, ...]:
        if not state[3]:
            return CHANCE_MOVES if state[1] < ROUNDS else NOBODY
        picks = state[5]
        n = len(picks)
        if picks == _NO_PICKS[n]:
            return _EVERYBODY[n]
        return tuple(p for p in _EVERYBODY[n] if picks[p] is None)

    def legal_actions(self, state: State, player: int) -> tuple[Rune, ...]:
        hands = state[3]
        if hands and 0 <= player < len(hands) and state[5][player] is None:
            return kinds(hands[player])
        return ()

    def draw(self, state: State, rng: random.Random) -> Deal:
        return _deal(_deck(state), state.setup.players, rng)

    def advance(self, state: State, player: int, action: Action) -> State:
        setup, rnd, pick, hands, areas, picks, points = state
        if player == CHANCE:
            if not setup.keep_play_area:
                areas = _NO_CARDS[setup.players]
            return _new(State, (setup, rnd, 0, action, areas, picks, points))
        picks = (*picks[:player], action, *picks[player + 1 :])  # type: ignore[arg-type]
        if None not in picks:
            return self.advance_together(state, picks)  # type: ignore[arg-type]
        return _new(State, (setup, rnd, pick, hands, areas, picks, points))

    def advance_together(self, state: State, joint: tuple[Action, ...]) -> State:
        setup, rnd, pick, hands, areas, picks, points = state
        n = len(hands)
        if len(joint) < n:  # some had picked before
            waiting = iter(joint)
            joint = tuple(next(waiting) if p is None else p for p in picks)
        units = [UNIT[rune] for rune in joint]  # type: ignore[index]
        areas = tuple(map(add, areas, units))
        picks = _NO_PICKS[n]
        if pick == LAST_PICK:
            points = (*points, tuple(map(scoring.area_points, areas)))
            return _new(State, (setup, rnd + 1, 0, (), areas, picks, points))
        # each passes the rest of the hand to the left
        hands = (hands[-1] - units[-1], *[h - u for h, u in zip(hands[:-1], units, strict=False)])
        return _new(State, (setup, rnd, pick + 1, hands, areas, picks, points))

    def why_not(self, state: State, player: int, action: object) -> IllegalAction | None:
        if player == CHANCE:
            return self._why_not_deal(state, action)
        if not 0 <= player < state.setup.players:
            return IllegalAction(rule.PLAYERS.id, msg("error.record-seat"))
        if player not in self.to_move(state):
            if state.hands:
                return IllegalAction(rule.PICK.id, msg("ancient-cards.error.picked-already"))
            why = not_to_move(self, state, player) or msg("error.not-your-turn")
            over = self.to_move(state) == NOBODY
            return IllegalAction(rule.END.id if over else rule.DEAL.id, why)
        if not isinstance(action, str) or action not in UNIT:
            return IllegalAction(rule.RUNES.id, msg("ancient-cards.error.unknown-rune"))
        if action not in kinds(state.hands[player]):
            return IllegalAction(
                rule.PICK.id,
                msg("ancient-cards.error.not-in-hand", rune=self.card_name(action)),
            )
        return None

    def _why_not_deal(self, state: State, action: object) -> IllegalAction | None:
        if self.to_move(state) != CHANCE_MOVES:
            return IllegalAction(rule.DEAL.id, msg("ancient-cards.error.no-deal-due"))
        if (
            not isinstance(action, tuple)
            or len(action) != state.setup.players
            or not all(type(hand) is int and hand >= 0 for hand in action)
            or any(hand >> 4 * len(RUNES) or size(hand) != HAND_SIZE for hand in action)
        ):
            return IllegalAction(
                rule.DEAL.id, msg("ancient-cards.error.deal-shape", n=state.setup.players)
            )
        dealt = [sum(column) for column in zip(*(counts(hand) for hand in action), strict=True)]
        for rune, number, there in zip(RUNES, dealt, _left(state), strict=True):
            if number > there:
                return IllegalAction(
                    rule.DECK.id,
                    msg("ancient-cards.error.deal-too-many", rune=self.card_name(rune), n=there),
                )
        return None

    # -- what happened --------------------------------------------------------------------------

    def events(self, before: State, player: int, action: Action, after: State) -> tuple[Event, ...]:
        if player == CHANCE:
            return _deal_events(before, after)
        rune = str(action)
        name = self.card_name(rune)
        picked = Event(
            "picked",
            player,
            rule.PICK.id,
            msg("ancient-cards.event.picked", player=Seat(player)),
            {},
            {"rune": rune},
            msg("ancient-cards.event.you-picked", rune=name),
        )
        if after.pick == before.pick and after.round == before.round:
            return (picked,)
        return (picked, *self._resolution(before, player, rune, after))

    def _resolution(self, before: State, player: int, rune: Rune, after: State) -> list[Event]:
        everybody = _EVERYBODY[before.setup.players]
        picks = [rune if p == player else before.picks[p] for p in everybody]
        events = []
        if before.pick < LAST_PICK:
            events.append(Event("passed", CHANCE, rule.PASS.id, msg("ancient-cards.event.passed")))
        for p in everybody:
            events.append(
                Event(
                    "revealed",
                    p,
                    rule.REVEAL.id,
                    msg(
                        "ancient-cards.event.revealed",
                        player=Seat(p),
                        rune=self.card_name(str(picks[p])),
                    ),
                    {"rune": picks[p]},
                )
            )
        if after.round > before.round:
            for p in everybody:
                points = after.points[-1][p]
                events.append(
                    Event(
                        "scored",
                        p,
                        rule.SUM.id,
                        msg("ancient-cards.event.scored", player=Seat(p), n=points),
                        {"points": points, "round": before.round},
                    )
                )
        if result := self.outcome(after):
            events.append(ended(result, rule.END.id))
        return events

    def outcome(self, state: State) -> Outcome | None:
        if state.round < ROUNDS:
            return None
        return scoring.final_standings(tuple(zip(*state.points, strict=True)))

    # -- knowing --------------------------------------------------------------------------------

    def observe(self, state: State, player: int) -> Observation:
        setup, rnd, pick, hands, areas, picks, points = state
        n = setup.players
        # the hands held before now lie with the next `pick` players to the left
        seen = tuple(hand if (p - player) % n <= pick else None for p, hand in enumerate(hands))
        return Observation(
            setup,
            player,
            rnd,
            pick,
            seen,
            areas,
            tuple(rune is not None for rune in picks),
            picks[player],
            points,
            self.legal_actions(state, player),
        )

    def resample(self, observation: Observation, rng: random.Random) -> State:
        o = observation
        hands = list(o.hands)
        unknown = [p for p, hand in enumerate(hands) if hand is None]
        if unknown:
            gone = sum(hand for hand in hands if hand is not None) + sum(o.areas)
            per_hand = HAND_SIZE - o.pick
            unseen = [
                UNIT[rune]
                for rune, n in zip(RUNES, counts(gone), strict=True)
                for _ in range(o.setup.copies - n)
            ]
            rng.shuffle(unseen)
            for i, p in enumerate(unknown):
                hands[p] = sum(unseen[i * per_hand : (i + 1) * per_hand])
        full: tuple[Bundle, ...] = tuple(hand for hand in hands if hand is not None)
        picks = tuple(
            (o.own_pick if p == o.player else rng.choice(cards(full[p]))) if chosen else None
            for p, chosen in enumerate(o.chosen)
        )
        return State(o.setup, o.round, o.pick, full, o.areas, picks, o.points)

    # -- writing down ---------------------------------------------------------------------------

    def action_to_json(self, action: Action) -> Json:
        if isinstance(action, str):
            return action
        return [list(cards(hand)) for hand in action]

    def action_from_json(self, value: Json, place: str = "") -> Action:
        if isinstance(value, str):
            if value in UNIT:
                return value
            raise InvalidRecord(msg("ancient-cards.error.unknown-rune"), place)
        if not isinstance(value, list) or not all(isinstance(hand, list) for hand in value):
            raise InvalidRecord(msg("error.json-kind", expected="[[…], …]"), place)
        for i, hand in enumerate(value):
            for j, rune in enumerate(hand):
                if not isinstance(rune, str) or rune not in UNIT:
                    raise InvalidRecord(
                        msg("ancient-cards.error.unknown-rune"), f"{place}[{i}][{j}]"
                    )
            if len(hand) != HAND_SIZE:
                raise InvalidRecord(
                    msg("ancient-cards.error.deal-shape", n=len(value)), f"{place}[{i}]"
                )
        return tuple(pack(hand) for hand in value)

    def describe(self, action: Action) -> Message:
        if isinstance(action, str):
            return self.card_name(action)
        return msg("ancient-cards.event.dealt", n=HAND_SIZE)

    def in_words(self, observation: Observation) -> tuple[Message, ...]:
        o = observation
        head = msg("ancient-cards.words.round", round=o.round + 1, pick=o.pick + 1)
        lines = []
        for p, area in enumerate(o.areas):
            lying = self._bundle_words(area)
            total = sum(points[p] for points in o.points)
            lines.append(msg("ancient-cards.words.area", player=Seat(p), cards=lying, points=total))
        for p, hand in enumerate(o.hands):
            if hand is not None:
                key = "ancient-cards.words.hand" if p == o.player else "ancient-cards.words.known"
                lines.append(msg(key, player=Seat(p), cards=self._bundle_words(hand)))
        return (head, *lines)

    def _bundle_words(self, bundle: Bundle) -> tuple[Message, ...]:
        if not bundle:
            return (msg("core.nothing"),)
        return tuple(
            msg("core.times", n=n, thing=self.card_name(rune))
            for rune, n in zip(RUNES, counts(bundle), strict=True)
            if n
        )

    def check_position(self, state: State) -> None:
        position.check(state)

    def score(self, sheet_json: Json, lang: str = "en") -> Json:
        return sheet.score_sheet(sheet_json, lang)


def _left(state: State) -> tuple[int, ...]:
    """How many of each rune the deck has for the next deal."""
    copies = state.setup.copies
    if not state.setup.keep_play_area:
        return (copies,) * len(RUNES)
    lying = (sum(column) for column in zip(*map(counts, state.areas), strict=True))
    return tuple(copies - n for n in lying)


def _deck(state: State) -> list[Bundle]:
    return [UNIT[r] for r, n in zip(RUNES, _left(state), strict=True) for _ in range(n)]


def _deal(deck: list[Bundle], players: int, rng: random.Random) -> Deal:
    """Seven random cards each: a partial Fisher-Yates shuffle, only as far as cards are dealt."""
    uniform = rng.random
    left = len(deck)
    hands = []
    for _ in range(players):
        hand = EMPTY
        for _ in range(HAND_SIZE):
            at = int(uniform() * left)
            left -= 1
            hand += deck[at]
            deck[at] = deck[left]
        hands.append(hand)
    return tuple(hands)


def _deal_events(before: State, after: State) -> tuple[Event, ...]:
    cleared = []
    if before.round and not before.setup.keep_play_area:
        cleared = [Event("cleared", CHANCE, rule.CLEAR.id, msg("ancient-cards.event.cleared"))]
    return (
        *cleared,
        *(
            Event(
                "dealt",
                p,
                rule.DEAL.id,
                msg("ancient-cards.event.dealt-to", player=Seat(p), n=HAND_SIZE),
                {"number": HAND_SIZE},
                {"runes": list(cards(hand))},
            )
            for p, hand in enumerate(after.hands)
        ),
    )
