"""Tides of Madness: the state machine of drafting, scoring and refreshing."""

from __future__ import annotations

import random
from collections.abc import Mapping

from lovecraft.core.codec import Json
from lovecraft.core.errors import IllegalAction, InvalidRecord
from lovecraft.core.events import Event
from lovecraft.core.game import CHANCE, CHANCE_MOVES, Card, Game, not_to_move
from lovecraft.core.scoring import Outcome
from lovecraft.games.tides_of_madness import position, scoring, sheet, steps, telling
from lovecraft.games.tides_of_madness import rulebook as rule
from lovecraft.games.tides_of_madness.cards import (
    ALL,
    BIT,
    CARDS,
    DREAMLANDS,
    FACES,
    HALF,
    HAND_SIZE,
    INDEX,
    LOW,
    NEW_CARDS,
    NONE,
    SHUB_NIGGURATH,
    SUITS,
    Cards,
    bits,
    ids,
    pack,
)
from lovecraft.games.tides_of_madness.state import (
    CHOICES,
    CHOOSING,
    DEALING,
    DREAMING,
    DREAMS,
    KEEPING,
    KEEPS,
    PICKING,
    PICKS,
    REMOVALS,
    REMOVING,
    TOGETHER,
    Act,
    Action,
    Deal,
    Observation,
    Setup,
    State,
    outcome,
    pile,
)
from lovecraft.i18n import Message, msg

_ERROR = f"{rule.GAME}.error"
_CANDIDATES: tuple[Act, ...] = (
    *(Act(kind, card) for kind in ("pick", "keep", "remove") for card in CARDS),
    *CHOICES,
    *DREAMS,
)


class TidesOfMadness(Game[Setup, State, Action, Observation]):
    """Three rounds of: draft five cards, take madness, score, keep one card and remove one."""

    id = rule.GAME
    options = rule.OPTIONS
    rules = rule.BOOK
    cards = tuple(Card(face.id, face.suit or "") for face in FACES)
    phases = rule.PHASES
    setup_type = Setup
    state_type = State
    observation_type = Observation

    def start(self, setup: Setup) -> State:
        return State(
            setup=setup,
            round=0,
            phase=DEALING,
            movers=CHANCE_MOVES,
            hands=steps.NOTHING,
            tableaus=((), ()),
            picks=steps.NOTHING,
            keeps=steps.NOTHING,
            fresh=steps.NOTHING,
            removed=NONE,
            madness=(0, 0),
            doubled=NONE,
            choice=None,
            suit=None,
            points=(),
        )

    def card_words(self, card: str) -> tuple[Message, ...]:
        face = FACES[INDEX[card]]
        words = [scoring.suit_name(face.suit)] if face.suit else []
        if face.madness:
            words.append(msg(f"rule.{rule.ICON.id}.title"))
        return (*words, msg(f"{rule.GAME}.scores.{card}"))

    def card_rules(self, card: str) -> tuple[str, ...]:
        face = FACES[INDEX[card]]
        rules = [rule.CARD[card].id]
        if face.formula in ("majority", "majorities"):
            rules.append(rule.MAJORITY.id)
        if BIT[card] == SHUB_NIGGURATH:
            rules += [rule.SHUB_KEPT.id, rule.SHUB_STAYS.id]
        if BIT[card] == DREAMLANDS:
            rules += [rule.DREAMLANDS_MADNESS.id, rule.DREAMLANDS_SUIT.id]
        if face.madness:
            rules += [rule.ICON.id, rule.TAKE_MADNESS.id]
        return tuple(rules)

    def phase(self, state: State) -> str:
        return state.phase

    def candidates(self, state: State, player: int) -> tuple[Act, ...]:
        return _CANDIDATES

    def to_move(self, state: State) -> tuple[int, ...]:
        return state[3]

    def legal_actions(self, state: State, player: int) -> tuple[Act, ...]:
        if player not in state[3]:
            return ()
        phase = state[2]
        if phase == PICKING:
            cards, (low, high) = state[4][player], PICKS
        elif phase == KEEPING:
            cards, (low, high) = state[4][player], KEEPS
        elif phase == REMOVING:
            cards, (low, high) = state[4][player] ^ state[7][player], REMOVALS
        elif phase == CHOOSING:
            return CHOICES
        else:
            return DREAMS if phase == DREAMING else ()
        return low[cards & LOW] + high[cards >> HALF]

    def draw(self, state: State, rng: random.Random) -> Deal:
        cards = list(bits(pile(state)))
        left = len(cards)
        uniform = rng.random
        dealt = []
        for _ in steps.BOTH:
            new = NONE
            for _ in range(NEW_CARDS if state.round else HAND_SIZE):
                at = int(uniform() * left)
                left -= 1
                new |= cards[at]
                cards[at] = cards[left]
            dealt.append(new)
        return tuple(dealt)

    def advance(self, state: State, player: int, action: Action) -> State:
        phase, movers = state[2], state[3]
        if phase in TOGETHER:
            if len(movers) == 1:
                return self.advance_together(state, (action,))
            bit = BIT[action[1]]  # type: ignore[index]
            picks = (NONE, bit) if player else (bit, NONE)
            return state._replace(movers=steps.ALONE[1 - player], picks=picks)
        if phase == DEALING:
            return steps.dealt(state, action)  # type: ignore[arg-type]
        if phase == CHOOSING:
            return steps.chosen(state, player, action[1])  # type: ignore[arg-type]
        return steps.scored(state._replace(suit=action[1]))  # type: ignore[arg-type]

    def advance_together(self, state: State, joint: tuple[Action, ...]) -> State:
        phase = state[2]
        if len(joint) == 2:
            a, b = BIT[joint[0][1]], BIT[joint[1][1]]  # type: ignore[index]
        elif phase in TOGETHER:  # the other has laid a card down before
            a, b = state[6]
            if a:
                b = BIT[joint[0][1]]  # type: ignore[index]
            else:
                a = BIT[joint[0][1]]  # type: ignore[index]
        else:
            return self.advance(state, state[3][0], joint[0])
        if phase == PICKING:
            return steps.picked(state, a, b)
        if phase == KEEPING:
            return steps.kept(state, a, b)
        return steps.removed(state, a, b)

    def why_not(self, state: State, player: int, action: object) -> IllegalAction | None:
        if player == CHANCE:
            return _why_not_deal(state, action)
        if player not in steps.BOTH:
            return IllegalAction(rule.PLAYERS.id, msg("error.record-seat"))
        phase = state.phase
        broken = telling.RULE_OF[phase].id
        if player not in state.movers:
            if phase in TOGETHER:
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
        return telling.events(before, player, action, after)

    def outcome(self, state: State) -> Outcome | None:
        return outcome(state)

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
            pile(state) | fresh,
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
            self.legal_actions(state, player),
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

    def in_words(self, observation: Observation) -> tuple[Message, ...]:
        return telling.in_words(observation)

    def check_position(self, state: State) -> None:
        position.check(state)

    def score(self, sheet_json: Json, lang: str = "en") -> Json:
        return sheet.score_sheet(sheet_json, lang)


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
    left = pile(state)
    for cards in action:
        if gone := cards & ~left:
            name = scoring.card_name(ids(gone)[0])
            return IllegalAction(broken, msg(f"{_ERROR}.not-in-pile", card=name))
        left ^= cards
    return None


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
