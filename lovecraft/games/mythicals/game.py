"""Mythicals: the state machine.

Chance deals, names who begins, and draws the three revealed cards when they are due, with the odds
of a shuffled pile that has dawn among its last nine cards.
"""

from __future__ import annotations

import random
from typing import Any

from lovecraft.core.codec import Json
from lovecraft.core.errors import IllegalAction
from lovecraft.core.events import Event, ended
from lovecraft.core.game import CHANCE, CHANCE_MOVES, NOBODY, Card, Game, not_to_move
from lovecraft.core.position import expect
from lovecraft.core.scoring import Outcome
from lovecraft.games.mythicals import actions, position, refusals, scoring, sheet, telling
from lovecraft.games.mythicals import rulebook as rule
from lovecraft.games.mythicals.actions import (
    PILE,
    Action,
    Deal,
    claims,
    draws,
    modifications,
    takes,
)
from lovecraft.games.mythicals.cards import (
    ALL_CREATURES,
    ALL_TOKENS,
    COLOUR_MASK,
    COLOURS,
    DAWN,
    DAWN_DEPTH,
    DAWN_UNIT,
    DEAL_SIZE,
    DOUBLES,
    EMPTY,
    JOKER,
    MARKERS,
    PILE_SIZE,
    REVEAL_SIZE,
    TOKEN,
    TOKEN_IDS,
    TOKEN_UNIT,
    VALUES,
    Bundle,
    size,
    units,
)
from lovecraft.games.mythicals.rulebook import EVERY_TURN
from lovecraft.games.mythicals.state import (
    CLAIM,
    DEAL,
    DRAW,
    MODIFY,
    OVER,
    REVEAL,
    TAKE,
    Observation,
    Setup,
    State,
    stack_sheet,
)
from lovecraft.i18n import Message, msg

_new = tuple.__new__
_SEATS = ((0,), (1,))
_DRAWING = (DRAW, TAKE)
_TO_MOVE: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    DEAL: (CHANCE_MOVES, CHANCE_MOVES),
    REVEAL: (CHANCE_MOVES, CHANCE_MOVES),
    OVER: (NOBODY, NOBODY),
    DRAW: _SEATS,
    TAKE: _SEATS,
    CLAIM: _SEATS,
    MODIFY: _SEATS,
}


class Mythicals(Game[Setup, State, Action | Deal, Observation]):
    """Turns of: draw one colour, perhaps claim a token, then perhaps change another; until dawn.

    A seat is only asked when it has a choice to make: claiming and modifying are left out when
    there is nothing that could be claimed or modified.
    """

    id = rule.GAME
    min_players = 2
    max_players = 2
    options = rule.OPTIONS
    rules = rule.BOOK
    cards = (
        *(Card(f"{colour}{value}", colour) for colour in COLOURS for value in VALUES),
        Card(DAWN, DAWN),
        *(Card(token, "token") for token in TOKEN_IDS),
    )
    phases = rule.PHASES
    setup_type = Setup
    state_type = State
    observation_type = Observation

    def start(self, setup: Setup) -> State:
        return State(
            setup,
            DEAL,
            0,
            (EMPTY, EMPTY),
            EMPTY,
            EMPTY,
            ALL_CREATURES,
            size(ALL_CREATURES) + 1,
            False,
            ALL_TOKENS,
            EMPTY,
            EMPTY,
            ((), ()),
        )

    def card_words(self, card: str) -> tuple[Message, ...]:
        return actions.card_words(card)

    def card_rules(self, card: str) -> tuple[str, ...]:
        if card == DAWN:
            return (rule.DAWN_CARD.id, rule.DAWN.id, rule.PILE.id)
        if card not in TOKEN:
            joker = (rule.JOKER.id,) if card.endswith(VALUES[JOKER]) else ()
            return (*joker, rule.CREATURES.id, rule.DUPLICATES.id, rule.RUN.id, rule.SET.id)
        cost = {"run": rule.RUN, "set": rule.SET, "thirteen": rule.THIRTEEN}[TOKEN[card].cost]
        return (cost.id, rule.CLAIM.id, rule.POINTS.id, rule.MARKER_POINTS.id)

    def phase(self, state: State) -> str:
        return state.phase

    def candidates(self, state: State, player: int) -> tuple[Action, ...]:
        return actions.candidates(state.hands[player])

    def to_move(self, state: State) -> tuple[int, ...]:
        return _TO_MOVE[state[1]][state[2]]

    def legal_actions(self, state: State, player: int) -> tuple[Action, ...]:
        phase = state[1]
        if player != state[2]:
            return ()
        if phase == DRAW:
            return draws(state[4])
        if phase == TAKE:
            return takes(state[5])
        if phase == CLAIM:
            return claims(state[3][player], state[9])
        if phase == MODIFY:
            return _modifications(state[9], state[10], state[11])
        return ()

    # -- chance ---------------------------------------------------------------------------------

    def draw(self, state: State, rng: random.Random) -> Action | Deal:
        if state[1] == DEAL:
            return _deal(rng)
        uniform = rng.random
        unseen, pile = state[6:8]
        # dawn is as likely in each place that is left of the last nine
        revealed = DAWN_UNIT if pile <= DAWN_DEPTH and uniform() * pile < REVEAL_SIZE else EMPTY
        left = 2 if revealed else REVEAL_SIZE
        while left:
            # any copy of any card; drawn again if it is not in the pile
            at = int(uniform() * _COPIES)
            if unseen & _THERE[at]:
                unseen -= _UNITS[at]
                revealed += _UNITS[at]
                left -= 1
        return _new(Action, (actions.REVEAL, "", revealed))

    # -- moving on --------------------------------------------------------------------------------

    def advance(self, state: State, player: int, action: Action | Deal) -> State:
        (
            setup,
            phase,
            active,
            hands,
            reserve,
            revealed,
            unseen,
            pile,
            dawn,
            board,
            locked,
            markers,
            stacks,
        ) = state
        act: Any = action  # a Deal only in the phase DEAL, an Action in all others
        if phase in _DRAWING:
            target = act[1]
            if target == PILE:
                return _new(State, (setup, REVEAL, *state[2:]))
            mask = COLOUR_MASK[target]
            if phase == TAKE:
                taken = revealed & mask
                reserve += revealed - taken
                revealed = EMPTY
            else:
                taken = reserve & mask
                reserve -= taken
            own, other = hands[active] + taken, hands[1 - active]
            if setup[1] and own & DOUBLES:  # the opponent has none of these: each exists twice
                gift = (own & DOUBLES) >> 1
                own -= gift
                other += gift
            hands = (other, own) if active else (own, other)
            if len(claims(own, board)) > 1:
                phase = CLAIM
            elif dawn:
                phase = OVER
            elif setup[2] == EVERY_TURN and _can_modify(board, locked, markers):
                phase = MODIFY
            else:
                phase = DRAW
                active = 1 - active
        elif phase == CLAIM:
            kind, token, payment = act
            claimed = kind == "claim"
            if claimed:
                hands = (hands[0], hands[1] - payment) if active else (hands[0] - payment, hands[1])
                board -= TOKEN_UNIT[token]
                mine = (*stacks[active], token)
                stacks = (stacks[0], mine) if active else (mine, stacks[1])
            if dawn:
                phase = OVER
            elif (claimed or setup[2] == EVERY_TURN) and _can_modify(board, locked, markers):
                phase = MODIFY
            else:
                phase = DRAW
                active = 1 - active
        elif phase == MODIFY:
            kind, token, number = act
            if kind == "lock":
                locked += TOKEN_UNIT[token]
            elif kind == "reinforce":
                markers += TOKEN_UNIT[token] * number
            phase = DRAW
            active = 1 - active
        elif phase == REVEAL:
            shown = act[2]
            phase = TAKE
            pile -= REVEAL_SIZE
            if shown >= DAWN_UNIT:
                dawn = True
                shown -= DAWN_UNIT
            revealed = shown
            unseen -= shown
        else:  # the deal
            active, hands = act
            phase = DRAW
            unseen -= hands[0] + hands[1]
            pile = PILE_SIZE
        return _new(
            State,
            (
                setup,
                phase,
                active,
                hands,
                reserve,
                revealed,
                unseen,
                pile,
                dawn,
                board,
                locked,
                markers,
                stacks,
            ),
        )

    # -- what is not allowed, and what happened ---------------------------------------------------

    def why_not(self, state: State, player: int, action: object) -> IllegalAction | None:
        if player == CHANCE:
            return refusals.of_chance(state, action)
        if player not in (0, 1):
            return IllegalAction(rule.PLAYERS.id, msg("error.record-seat"))
        if why := not_to_move(self, state, player):
            return refusals.of_waiting(state, why)
        if refusals.well_formed(action) and action in self.legal_actions(state, player):
            return None
        return refusals.of_player(state, action)

    def events(
        self, before: State, player: int, action: Action | Deal, after: State
    ) -> tuple[Event, ...]:
        told = telling.events(before, player, action, after)
        if result := self.outcome(after):
            return (*told, ended(result, rule.END.id))
        return told

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != OVER:
            return None
        return scoring.final_standings([stack_sheet(state, p).points for p in range(2)])

    # -- knowing --------------------------------------------------------------------------------

    def observe(self, state: State, player: int) -> Observation:
        return _new(Observation, (*state, player, self.legal_actions(state, player)))

    def resample(self, observation: Observation, rng: random.Random) -> State:
        return _new(State, observation[:-2])

    # -- writing down ---------------------------------------------------------------------------

    def action_to_json(self, action: Action | Deal) -> Json:
        return actions.to_json(action)

    def action_from_json(self, value: Json, place: str = "") -> Action | Deal:
        return actions.from_json(value, place)

    def describe(self, action: Action | Deal) -> Message:
        return actions.describe(action)

    def in_words(self, observation: Observation) -> tuple[Message, ...]:
        return telling.in_words(observation)

    def check_position(self, state: State) -> None:
        position.check(state, self.start(state.setup))
        if state.phase in (CLAIM, MODIFY):  # nobody is asked who has no choice
            expect(len(self.legal_actions(state, state.player)) > 1, "phase")

    def score(self, sheet_json: Json, lang: str = "en") -> Json:
        return sheet.score_sheet(sheet_json, lang)


# -- parts of the rules ---------------------------------------------------------------------------


def _modifications(board: Bundle, locked: Bundle, markers: Bundle) -> tuple[Action, ...]:
    unlocked = board & ~locked
    supply = MARKERS - size(markers)
    return modifications(unlocked, markers & unlocked * 3, supply if supply < 2 else 2)


def _can_modify(board: Bundle, locked: Bundle, markers: Bundle) -> bool:
    unlocked = board & ~locked
    if unlocked & ~(markers | markers >> 1):  # one without markers can be locked
        return True
    return bool(unlocked & ~(markers >> 1)) and size(markers) < MARKERS


_UNITS = tuple(units(ALL_CREATURES))
_THERE = tuple(unit * (2 if i % 2 else 3) for i, unit in enumerate(_UNITS))
"""Per copy, the bits that tell whether a bundle has it: the first if any, the second if both."""
_COPIES = len(_UNITS)
_PER_COLOUR = _COPIES // len(COLOURS)


def _deal(rng: random.Random) -> Deal:
    """A first player, and two cards of different colours for each seat.

    Cards are drawn one by one; one that has been drawn, or has the colour of the seat's first card,
    is put back and another drawn.
    """
    uniform = rng.random
    first = int(uniform() * 2)
    drawn: list[int] = []
    while len(drawn) < 2 * DEAL_SIZE:
        at = int(uniform() * _COPIES)
        second = len(drawn) % 2
        if at in drawn or (second and at // _PER_COLOUR == drawn[-1] // _PER_COLOUR):
            continue
        drawn.append(at)
    one, two, three, four = (_UNITS[at] for at in drawn)
    return Deal(first, (one + two, three + four))
