"""Tides of Madness: the state machine of drafting, scoring and refreshing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from lovecraft.core.codec import Json
from lovecraft.core.errors import IllegalAction, InvalidRecord
from lovecraft.core.events import Event, ended
from lovecraft.core.game import CHANCE, CHANCE_MOVES, NOBODY, Card, Game, not_to_move
from lovecraft.core.rules import Rule
from lovecraft.core.scoring import Outcome, ScoreSheet
from lovecraft.games.tides_of_madness import rulebook as rule
from lovecraft.games.tides_of_madness import scoring, sheet
from lovecraft.games.tides_of_madness.cards import (
    ALL,
    BIT,
    FACES,
    HAND_SIZE,
    LOST_AT,
    NEW_CARDS,
    NONE,
    ROUNDS,
    SHUB_NIGGURATH,
    SUITS,
    Cards,
    Suit,
    bits,
    card_id,
    ids,
    pack,
)
from lovecraft.games.tides_of_madness.scoring import Tableau
from lovecraft.i18n import Message, Seat, msg

Phase = Literal["deal", "pick", "choose", "dreamlands", "keep", "remove", "over"]
"""What is to be done: chance deals; both pick; one chooses points or healing; one names the suit of
Dreamlands; both keep a card; both remove one; nothing any more."""

Kind = Literal["pick", "choose", "dreamlands", "keep", "remove"]

DEALING: Phase = "deal"
PICKING: Phase = "pick"
CHOOSING: Phase = "choose"
DREAMING: Phase = "dreamlands"
KEEPING: Phase = "keep"
REMOVING: Phase = "remove"
OVER: Phase = "over"


class Act(NamedTuple):
    """What a player does: ``kind`` is the phase it belongs to, ``what`` a card, choice or suit."""

    kind: Kind
    what: str


Deal = tuple[Cards, ...]
"""Chance's action: the cards that each seat is dealt."""

Action = Act | Deal
Row = tuple[Cards, ...]
"""Cards in the order in which they were laid down, each as a set of one card."""

CHOICES = tuple(Act("choose", choice) for choice in scoring.CHOICES)
DREAMS = tuple(Act("dreamlands", suit) for suit in SUITS)


@cache
def acts(kind: Kind, cards: Cards) -> tuple[Act, ...]:
    """The actions of one kind with each of these cards."""
    return tuple(Act(kind, card) for card in ids(cards))


class Setup(NamedTuple):
    """Two players; whether a kept Shub-Niggurath goes on doubling the card it was laid on."""

    players: int
    shub_stays: bool = False


class State(NamedTuple):
    """A position.

    ``movers`` may act now. ``tableaus`` hold the cards in front of each player in order: first
    those kept (one per earlier round), then those played. ``picks`` are the cards that lie face
    down for the current simultaneous choice, ``keeps`` those kept but not yet revealed; both are
    still in ``hands``, and NONE where there is none. ``fresh`` are the cards in each hand that the
    other player cannot know. What is in no hand, tableau or ``removed`` is the draw pile.
    ``doubled`` is the card on which Shub-Niggurath lies. ``choice`` and ``suit`` are this round's
    decisions. ``points`` has a row per scored round.
    """

    setup: Setup
    round: int
    phase: Phase
    movers: tuple[int, ...]
    hands: tuple[Cards, Cards]
    tableaus: tuple[Row, Row]
    picks: tuple[Cards, Cards]
    keeps: tuple[Cards, Cards]
    fresh: tuple[Cards, Cards]
    removed: Cards
    madness: tuple[int, int]
    doubled: Cards
    choice: str | None
    suit: Suit | None
    points: tuple[tuple[int, int], ...]


class Observation(NamedTuple):
    """What one seat knows.

    ``hands`` has the own hand and the known part of the other; ``hidden`` more cards are in that
    one, each of them among ``unseen``: the cards that lie there or in the draw pile. ``fresh`` are
    the own cards that the other player cannot know. ``chosen`` tells who has laid a card face
    down, ``own_pick`` and ``own_keep`` are the own ones (NONE: none). The rest is as in State.
    """

    setup: Setup
    player: int
    round: int
    phase: Phase
    movers: tuple[int, ...]
    hands: tuple[Cards, Cards]
    hidden: int
    unseen: Cards
    fresh: Cards
    tableaus: tuple[Row, Row]
    chosen: tuple[bool, bool]
    own_pick: Cards
    own_keep: Cards
    removed: Cards
    madness: tuple[int, int]
    doubled: Cards
    choice: str | None
    suit: Suit | None
    points: tuple[tuple[int, int], ...]
    actions: tuple[Act, ...]


_new = tuple.__new__
_BOTH = (0, 1)
_ALONE = ((0,), (1,))
_NOTHING = (NONE, NONE)
_TOGETHER = (PICKING, KEEPING, REMOVING)
_ERROR = f"{rule.GAME}.error"

_RULE_OF: Mapping[str, Rule] = {
    DEALING: rule.DEAL,
    PICKING: rule.PICK,
    CHOOSING: rule.MOST_MADNESS,
    DREAMING: rule.DREAMLANDS_SUIT,
    KEEPING: rule.KEEP,
    REMOVING: rule.REMOVE,
    OVER: rule.END,
}


class TidesOfMadness(Game[Setup, State, Action, Observation]):
    """Three rounds of: draft five cards, take madness, score, keep one card and remove one."""

    id = rule.GAME
    options = rule.OPTIONS
    rules = rule.BOOK
    cards = tuple(Card(face.id, face.suit or "") for face in FACES)
    setup_type = Setup
    state_type = State
    observation_type = Observation

    def start(self, setup: Setup) -> State:
        return State(
            setup,
            0,
            DEALING,
            CHANCE_MOVES,
            _NOTHING,
            ((), ()),
            _NOTHING,
            _NOTHING,
            _NOTHING,
            NONE,
            (0, 0),
            NONE,
            None,
            None,
            (),
        )

    def to_move(self, state: State) -> tuple[int, ...]:
        return state[3]

    def legal_actions(self, state: State, player: int) -> tuple[Action, ...]:
        if player not in state[3] or player == CHANCE:
            return ()
        phase = state[2]
        if phase == PICKING:
            return acts("pick", state[4][player])
        if phase == REMOVING:
            return acts("remove", state[4][player] ^ state[7][player])
        if phase == KEEPING:
            return acts("keep", state[4][player])
        return CHOICES if phase == CHOOSING else DREAMS

    def draw(self, state: State, rng: random.Random) -> Deal:
        pile = list(bits(_pile(state)))
        number = NEW_CARDS if state.round else HAND_SIZE
        left = len(pile)
        uniform = rng.random
        dealt = []
        for _ in _BOTH:
            cards = NONE
            for _ in range(number):
                at = int(uniform() * left)
                left -= 1
                cards |= pile[at]
                pile[at] = pile[left]
            dealt.append(cards)
        return tuple(dealt)

    def advance(self, state: State, player: int, action: Action) -> State:
        phase, movers = state[2], state[3]
        if phase in _TOGETHER:
            if len(movers) == 1:
                return self.advance_together(state, (action,))
            bit = BIT[action[1]]  # type: ignore[index]
            picks = (NONE, bit) if player else (bit, NONE)
            return state._replace(movers=_ALONE[1 - player], picks=picks)
        if phase == DEALING:
            return _dealt(state, action)  # type: ignore[arg-type]
        if phase == CHOOSING:
            return _chosen(state, player, action[1])  # type: ignore[arg-type]
        return _scored(state._replace(suit=action[1]))  # type: ignore[arg-type]

    def advance_together(self, state: State, joint: tuple[Action, ...]) -> State:
        phase, movers = state[2], state[3]
        if len(joint) == 2:
            a, b = BIT[joint[0][1]], BIT[joint[1][1]]  # type: ignore[index]
        elif phase in _TOGETHER:
            a, b = state[6]
            if a:
                b = BIT[joint[0][1]]  # type: ignore[index]
            else:
                a = BIT[joint[0][1]]  # type: ignore[index]
        else:
            return self.advance(state, movers[0], joint[0])
        if phase == PICKING:
            return _picked(state, a, b)
        if phase == KEEPING:
            return state._replace(phase=REMOVING, movers=_BOTH, picks=_NOTHING, keeps=(a, b))
        return _removed(state, a, b)

    def why_not(self, state: State, player: int, action: object) -> IllegalAction | None:
        if player == CHANCE:
            return _why_not_deal(state, action)
        if player not in _BOTH:
            return IllegalAction(rule.PLAYERS.id, msg("error.record-seat"))
        phase = state.phase
        broken = _RULE_OF[phase].id
        if player not in state.movers:
            if phase in _TOGETHER:
                return IllegalAction(broken, msg(f"{_ERROR}.chosen-already"))
            return IllegalAction(
                broken, not_to_move(self, state, player) or msg("error.not-your-turn")
            )
        if not isinstance(action, Act) or not isinstance(action.what, str):
            return IllegalAction(broken, msg(f"{_ERROR}.no-action"))
        if action.kind != phase:
            return IllegalAction(broken, msg(f"{_ERROR}.now-{phase}"))
        if action in self.legal_actions(state, player):
            return None
        if phase in (CHOOSING, DREAMING):
            return IllegalAction(broken, msg(f"{_ERROR}.unknown-{phase}"))
        if action.what not in BIT:
            return IllegalAction(rule.DECK.id, msg(f"{_ERROR}.unknown-card"))
        name = self.card_name(action.what)
        if BIT[action.what] & state.hands[player]:
            return IllegalAction(rule.REMOVE.id, msg(f"{_ERROR}.kept-already", card=name))
        return IllegalAction(broken, msg(f"{_ERROR}.not-in-hand", card=name))

    # -- what happened --------------------------------------------------------------------------

    def events(self, before: State, player: int, action: Action, after: State) -> tuple[Event, ...]:
        if not isinstance(action, Act):
            return _deal_events(before, action)
        what = action.what
        if before.phase == CHOOSING:
            return (
                Event(
                    "chosen",
                    player,
                    rule.MOST_MADNESS.id,
                    msg(f"{rule.GAME}.event.chosen-{what}", player=Seat(player)),
                    {"choice": what},
                ),
                *self._dreamlands_events(_with_choice(before, player, what), after),
            )
        if before.phase == DREAMING:
            suit = scoring.suit_name(what)
            return (
                Event(
                    "suit",
                    player,
                    rule.DREAMLANDS_SUIT.id,
                    msg(f"{rule.GAME}.event.suit", player=Seat(player), suit=suit),
                    {"suit": what},
                ),
                *self._score_events(before._replace(suit=what), after),
            )
        laid = Event(
            {"pick": "picked", "keep": "kept-face-down", "remove": "remove-chosen"}[action.kind],
            player,
            _RULE_OF[before.phase].id,
            msg(f"{rule.GAME}.event.{action.kind}", player=Seat(player)),
            {},
            {"card": what},
            msg(f"{rule.GAME}.event.you-{action.kind}", card=self.card_name(what)),
        )
        if len(before.movers) == 2 or before.phase == KEEPING:
            return (laid,)
        mine, theirs = BIT[what], before.picks[1 - player]
        both = (mine, theirs) if player == 0 else (theirs, mine)
        if before.phase == PICKING:
            return (laid, *self._pick_events(before, both, after))
        return (
            laid,
            *_card_events("removed", rule.REMOVE, both),
            *_card_events("kept", rule.REVEAL_KEPT, before.keeps),
        )

    def _pick_events(self, before: State, picks: tuple[Cards, Cards], after: State) -> list[Event]:
        events = _card_events("revealed", rule.REVEAL, picks)
        if after.phase == PICKING:
            passed = msg(f"{rule.GAME}.event.passed")
            return [*events, Event("passed", CHANCE, rule.PASS.id, passed)]
        full = _laid_down(before, *picks)
        a, b = map(sum, full.tableaus)
        for p, taken in enumerate(map(scoring.icons, (a, b))):
            total = before.madness[p] + taken
            events.append(
                Event(
                    "madness",
                    p,
                    rule.TAKE_MADNESS.id,
                    msg(f"{rule.GAME}.event.madness", player=Seat(p), n=taken, total=total),
                    {"taken": taken, "total": total},
                )
            )
        most = scoring.most_madness(a, b)
        text = (
            msg(f"{rule.GAME}.event.most-level")
            if most is None
            else msg(f"{rule.GAME}.event.most", player=Seat(most))
        )
        events.append(
            Event("most-madness", CHANCE if most is None else most, rule.MOST_MADNESS.id, text)
        )
        if most is None:
            events += self._dreamlands_events(_with_madness(full), after)
        return events

    def _dreamlands_events(self, before: State, after: State) -> list[Event]:
        """From the Dreamlands step on; ``before`` has the madness from just before it."""
        a, b = map(sum, before.tableaus)
        owner = scoring.dreamlands_owner(a, b)
        events = []
        if owner is not None and before.madness[1 - owner]:
            events.append(
                Event(
                    "dreamlands-madness",
                    owner,
                    rule.DREAMLANDS_MADNESS.id,
                    msg(
                        f"{rule.GAME}.event.dreamlands-madness",
                        player=Seat(owner),
                        other=Seat(1 - owner),
                    ),
                    {"from": 1 - owner},
                )
            )
        if after.phase == DREAMING:
            return events
        taken = before._replace(madness=scoring.after_dreamlands(before.madness, owner))
        return events + self._score_events(taken, after)

    def _score_events(self, before: State, after: State) -> list[Event]:
        """From the scoring of cards on; ``before`` has all that counts for it."""
        events = []
        for p, scored in enumerate(round_sheets(before)):
            for line in scored.lines:
                facts = {"points": line.points, "cards": list(line.cards)}
                events.append(Event("line", p, line.rule, line.text, facts))
            text = msg(f"{rule.GAME}.event.scored", player=Seat(p), n=scored.points)
            facts = {"points": scored.points, "round": before.round}
            events.append(Event("scored", p, rule.SCORE.id, text, facts))
        for p in scoring.lost(after.madness):
            text = msg(f"{rule.GAME}.event.lost", player=Seat(p), n=after.madness[p])
            events.append(Event("lost", p, rule.MADNESS.id, text, {"madness": after.madness[p]}))
        if result := self.outcome(after):
            events.append(ended(result, rule.END.id))
        else:
            text = msg(f"{rule.GAME}.event.taken-back")
            events.append(Event("taken-back", CHANCE, rule.TAKE_BACK.id, text))
        return events

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != OVER:
            return None
        return scoring.final_standings(state.points, state.madness)

    # -- knowing --------------------------------------------------------------------------------

    def observe(self, state: State, player: int) -> Observation:
        other = 1 - player
        fresh = state.fresh[other]
        known = state.hands[other] ^ fresh
        mine = state.hands[player]
        return Observation(
            state.setup,
            player,
            state.round,
            state.phase,
            state.movers,
            (known, mine) if player else (mine, known),
            fresh.bit_count(),
            _pile(state) | fresh,
            state.fresh[player],
            state.tableaus,
            (state.picks[0] != NONE, state.picks[1] != NONE),
            state.picks[player],
            state.keeps[player],
            state.removed,
            state.madness,
            state.doubled,
            state.choice,
            state.suit,
            state.points,
            self.legal_actions(state, player),  # type: ignore[arg-type]
        )

    def resample(self, observation: Observation, rng: random.Random) -> State:
        o = observation
        other = 1 - o.player
        fresh = sum(rng.sample(bits(o.unseen), o.hidden))
        theirs = o.hands[other] | fresh
        keep = pick = NONE
        if o.phase == REMOVING:
            keep = rng.choice(bits(theirs))
        if o.chosen[other]:
            pick = rng.choice(bits(theirs ^ keep))

        def seats(own: Cards, others: Cards) -> tuple[Cards, Cards]:
            return (others, own) if o.player else (own, others)

        return State(
            o.setup,
            o.round,
            o.phase,
            o.movers,
            seats(o.hands[o.player], theirs),
            o.tableaus,
            seats(o.own_pick, pick),
            seats(o.own_keep, keep),
            seats(o.fresh, fresh),
            o.removed,
            o.madness,
            o.doubled,
            o.choice,
            o.suit,
            o.points,
        )

    # -- writing down ---------------------------------------------------------------------------

    def action_to_json(self, action: Action) -> Json:
        if isinstance(action, Act):
            return {action.kind: action.what}
        return [list(ids(cards)) for cards in action]

    def action_from_json(self, value: Json, place: str = "") -> Action:
        if isinstance(value, dict):
            return _act_from_json(value, place)
        if not isinstance(value, list) or not all(isinstance(cards, list) for cards in value):
            raise InvalidRecord(msg("error.json-kind", expected="[[…], […]]"), place)
        if len(value) != 2:
            raise InvalidRecord(msg(f"{_ERROR}.deal-seats"), place)
        for i, cards in enumerate(value):
            for j, card in enumerate(cards):
                if not isinstance(card, str) or card not in BIT:
                    raise InvalidRecord(msg(f"{_ERROR}.unknown-card"), f"{place}[{i}][{j}]")
                if card in cards[:j]:
                    twice = msg(f"{_ERROR}.card-twice", card=self.card_name(card))
                    raise InvalidRecord(twice, f"{place}[{i}][{j}]")
        return tuple(map(pack, value))

    def describe(self, action: Action) -> Message:
        if not isinstance(action, Act):
            return msg(f"{rule.GAME}.act.deal", n=action[0].bit_count())
        if action.kind == "choose":
            return msg(f"{rule.GAME}.act.{action.what}")
        if action.kind == "dreamlands":
            return msg(f"{rule.GAME}.act.dreamlands", suit=scoring.suit_name(action.what))
        return msg(f"{rule.GAME}.act.{action.kind}", card=self.card_name(action.what))

    def score(self, sheet_json: Json, lang: str = "en") -> Json:
        return sheet.score_sheet(sheet_json, lang)


# -- the steps of a round ---------------------------------------------------------------------


def _pile(state: State) -> Cards:
    """The cards of the draw pile."""
    hands, rows = state[4], state[5]
    return ALL ^ (hands[0] | hands[1] | sum(rows[0]) | sum(rows[1]) | state[9])


def _dealt(state: State, deal: Deal) -> State:
    setup, rnd, _, _, hands, tableaus, _, _, _, removed, madness, doubled, _, _, points = state
    hands = (hands[0] | deal[0], hands[1] | deal[1])
    # the last deal empties the pile, so both can tell what the other was dealt
    fresh = deal if rnd < ROUNDS - 1 else _NOTHING
    return _new(
        State,
        (
            setup,
            rnd,
            PICKING,
            _BOTH,
            hands,
            tableaus,
            _NOTHING,
            _NOTHING,
            fresh,
            removed,
            madness,
            doubled,
            None,
            None,
            points,
        ),
    )


def _laid_down(state: State, a: Cards, b: Cards) -> State:
    """Both picks revealed and the rest of the hands passed."""
    setup, rnd, phase, _, hands, (row_a, row_b), _, _, _, removed, madness, doubled, *rest = state
    if (a | b) & SHUB_NIGGURATH:
        row = row_a if a == SHUB_NIGGURATH else row_b
        # it lies on the card played just before it; kept ones do not count
        doubled = row[-1] if len(row) > rnd else NONE
    return _new(
        State,
        (
            setup,
            rnd,
            phase,
            _BOTH,
            (hands[1] ^ b, hands[0] ^ a),
            ((*row_a, a), (*row_b, b)),
            _NOTHING,
            _NOTHING,
            _NOTHING,
            removed,
            madness,
            doubled,
            *rest,
        ),
    )


def _picked(state: State, a: Cards, b: Cards) -> State:
    after = _laid_down(state, a, b)
    if after[4][0]:
        return after
    after = _with_madness(after)
    rows = after[5]
    most = scoring.most_madness(sum(rows[0]), sum(rows[1]))
    if most is None:
        return _dreaming(after)
    return after._replace(phase=CHOOSING, movers=_ALONE[most])


def _with_madness(state: State) -> State:
    """Step a: madness for the icons in front of each."""
    rows, madness = state[5], state[10]
    return state._replace(
        madness=(
            madness[0] + scoring.icons(sum(rows[0])),
            madness[1] + scoring.icons(sum(rows[1])),
        )
    )


def _with_choice(state: State, player: int, choice: str) -> State:
    """Step b: four points (counted when cards score) or one madness less."""
    if choice == scoring.HEAL:
        return state._replace(choice=choice, madness=scoring.healed(state.madness, player))
    return state._replace(choice=choice)


def _chosen(state: State, player: int, choice: str) -> State:
    return _dreaming(_with_choice(state, player, choice))


def _dreaming(state: State) -> State:
    """Step c: Dreamlands takes its madness; then its owner is to name the suit."""
    rows = state[5]
    owner = scoring.dreamlands_owner(sum(rows[0]), sum(rows[1]))
    if owner is None:
        return _scored(state)
    return state._replace(
        phase=DREAMING,
        movers=_ALONE[owner],
        madness=scoring.after_dreamlands(state[10], owner),
    )


def _scored(state: State) -> State:
    """Steps d and e: points, then who has lost; then the cards go back to the hands."""
    setup, rnd, _, _, _, rows, _, _, _, removed, madness, doubled, choice, suit, points = state
    a, b = sum(rows[0]), sum(rows[1])
    points_a, points_b = scoring.card_points(a, b, madness, suit, doubled)
    if choice == scoring.POINTS:
        if scoring.most_madness(a, b):
            points_b += scoring.CHOICE_POINTS
        else:
            points_a += scoring.CHOICE_POINTS
    phase, movers, hands = OVER, NOBODY, _NOTHING
    if rnd < ROUNDS - 1 and madness[0] < LOST_AT and madness[1] < LOST_AT:
        phase, movers = KEEPING, _BOTH
        hands = (sum(rows[0][rnd:]), sum(rows[1][rnd:]))
        rows = (rows[0][:rnd], rows[1][:rnd])
    return _new(
        State,
        (
            setup,
            rnd,
            phase,
            movers,
            hands,
            rows,
            _NOTHING,
            _NOTHING,
            _NOTHING,
            removed,
            madness,
            doubled,
            choice,
            suit,
            (*points, (points_a, points_b)),
        ),
    )


def _removed(state: State, a: Cards, b: Cards) -> State:
    """Both cards out of the game, the kept ones revealed; the deal of the next round is due."""
    setup, rnd, _, _, hands, rows, _, keeps, _, removed, madness, doubled, *rest = state
    rows = ((*rows[0], keeps[0]), (*rows[1], keeps[1]))
    if not (setup.shub_stays and (sum(rows[0]) | sum(rows[1])) & SHUB_NIGGURATH):
        doubled = NONE
    return _new(
        State,
        (
            setup,
            rnd + 1,
            DEALING,
            CHANCE_MOVES,
            (hands[0] ^ keeps[0] ^ a, hands[1] ^ keeps[1] ^ b),
            rows,
            _NOTHING,
            _NOTHING,
            _NOTHING,
            removed | a | b,
            madness,
            doubled,
            *rest,
        ),
    )


def tableau(state: State | Observation, seat: int) -> Tableau:
    """The cards in front of a seat by name, for scoring with reasons."""
    row = tuple(map(card_id, state.tableaus[seat]))
    doubled = card_id(state.doubled) if state.doubled else None
    kept = min(state.round, len(row))
    shub = card_id(SHUB_NIGGURATH)
    return Tableau(row[:kept], row[kept:], doubled if shub in row[:kept] else None)


def round_sheets(state: State | Observation) -> tuple[ScoreSheet, ScoreSheet]:
    """What the cards in front of both score as the state stands, with the reasons."""
    tableaus = (tableau(state, 0), tableau(state, 1))
    most = None
    if state.choice == scoring.POINTS:
        most = scoring.most_madness(*(pack(side.cards) for side in tableaus))
    return (
        scoring.score(tableaus[0], tableaus[1], state.madness[0], state.suit, most == 0),
        scoring.score(tableaus[1], tableaus[0], state.madness[1], state.suit, most == 1),
    )


# -- checks and words -------------------------------------------------------------------------


def _why_not_deal(state: State, action: object) -> IllegalAction | None:
    broken = rule.REFILL.id if state.round else rule.DEAL.id
    if state.movers != CHANCE_MOVES:
        return IllegalAction(broken, msg(f"{_ERROR}.no-deal-due"))
    number = NEW_CARDS if state.round else HAND_SIZE
    if (
        type(action) is not tuple
        or len(action) != 2
        or not all(type(cards) is int and 0 <= cards <= ALL for cards in action)
        or any(cards.bit_count() != number for cards in action)
    ):
        return IllegalAction(broken, msg(f"{_ERROR}.deal-shape", n=number))
    pile = _pile(state)
    for cards in action:
        if gone := cards & ~pile:
            name = scoring.card_name(ids(gone)[0])
            return IllegalAction(broken, msg(f"{_ERROR}.not-in-pile", card=name))
        pile ^= cards
    return None


def _card_events(kind: str, source: Rule, cards: tuple[Cards, Cards]) -> list[Event]:
    """An event per seat about the card it shows."""
    events = []
    for p, bit in enumerate(cards):
        card = card_id(bit)
        text = msg(f"{rule.GAME}.event.{kind}", player=Seat(p), card=scoring.card_name(card))
        events.append(Event(kind, p, source.id, text, {"card": card}))
    return events


def _deal_events(before: State, deal: Deal) -> tuple[Event, ...]:
    source = rule.REFILL if before.round else rule.DEAL
    return tuple(
        Event(
            "dealt",
            p,
            source.id,
            msg(f"{rule.GAME}.event.dealt", player=Seat(p), n=cards.bit_count()),
            {"number": cards.bit_count()},
            {"cards": list(ids(cards))},
            msg(
                f"{rule.GAME}.event.you-dealt",
                cards=tuple(map(scoring.card_name, ids(cards))),
            ),
        )
        for p, cards in enumerate(deal)
    )


_WHATS: Mapping[str, tuple[str, ...]] = {
    "pick": tuple(BIT),
    "keep": tuple(BIT),
    "remove": tuple(BIT),
    "choose": scoring.CHOICES,
    "dreamlands": SUITS,
}


def _act_from_json(value: dict[str, Json], place: str) -> Act:
    if len(value) != 1:
        raise InvalidRecord(msg(f"{_ERROR}.no-action"), place)
    ((kind, what),) = value.items()
    if kind not in _WHATS:
        raise InvalidRecord(msg(f"{_ERROR}.no-action"), place)
    if not isinstance(what, str) or what not in _WHATS[kind]:
        wrong = f"unknown-{kind}" if kind in ("choose", "dreamlands") else "unknown-card"
        raise InvalidRecord(msg(f"{_ERROR}.{wrong}"), f"{place}.{kind}")
    return Act(kind, what)  # type: ignore[arg-type]
