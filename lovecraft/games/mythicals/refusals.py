"""Why an action is not allowed: the rule that forbids it, and the reason in words."""

from __future__ import annotations

from typing import TypeGuard

from lovecraft.core.errors import IllegalAction
from lovecraft.games.mythicals import actions
from lovecraft.games.mythicals import rulebook as rule
from lovecraft.games.mythicals.actions import Action, Deal, colour_word, piece
from lovecraft.games.mythicals.cards import (
    COLOUR_MASK,
    COLOURS,
    DAWN_DEPTH,
    DAWN_UNIT,
    DEAL_SIZE,
    MAX_MARKERS,
    REVEAL_SIZE,
    TOKEN,
    TOKEN_UNIT,
    UNIT,
    Bundle,
    cards,
    count,
    is_creatures,
    size,
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
    State,
    marker_supply,
)
from lovecraft.i18n import Message, msg

_PHASE_RULE = {
    DRAW: rule.DRAW.id,
    TAKE: rule.REVEAL.id,
    CLAIM: rule.CLAIM.id,
    MODIFY: rule.MODIFY.id,
}
_WAITING_RULE = {DEAL: rule.DEAL.id, REVEAL: rule.REVEAL.id, OVER: rule.END.id}
_COST_RULE = {"run": rule.RUN.id, "set": rule.SET.id, "thirteen": rule.THIRTEEN.id}


def well_formed(action: object) -> TypeGuard[Action]:
    """Whether any object is an action in form, its fields of the right types."""
    return (
        type(action) is Action
        and len(action) == 3
        and type(action.kind) is str
        and type(action.target) is str
        and type(action.amount) is int
    )


def of_chance(state: State, action: object) -> IllegalAction | None:
    """Why chance cannot do this, or None."""
    if state.phase == DEAL:
        return _of_deal(action)
    if state.phase == REVEAL:
        return _of_reveal(state, action)
    if state.phase == OVER:
        return IllegalAction(rule.END.id, msg("error.game-over"))
    return IllegalAction(rule.REVEAL.id, msg("mythicals.error.no-reveal-due"))


def _of_deal(action: object) -> IllegalAction | None:
    if (
        type(action) is not Deal
        or len(action) != 2
        or type(action.first) is not int
        or action.first not in (0, 1)
        or type(action.hands) is not tuple
        or len(action.hands) != 2
        or not all(is_creatures(hand) and size(hand) == DEAL_SIZE for hand in action.hands)
    ):
        return IllegalAction(rule.DEAL.id, msg("mythicals.error.deal-shape"))
    for hand in action.hands:
        if sum(bool(hand & mask) for mask in COLOUR_MASK.values()) < DEAL_SIZE:
            return IllegalAction(rule.DEAL.id, msg("mythicals.error.deal-colours"))
    return None


def _of_reveal(state: State, action: object) -> IllegalAction | None:
    shown = _revealed(action)
    if shown is None:
        return IllegalAction(rule.REVEAL.id, msg("mythicals.error.reveal-shape"))
    creatures = shown & ~DAWN_UNIT
    for card in cards(creatures):
        unit = UNIT[card]
        if count(creatures, unit) > count(state.unseen, unit):
            return IllegalAction(
                rule.CREATURES.id,
                msg(
                    "mythicals.error.reveal-too-many",
                    n=count(state.unseen, unit),
                    card=piece(card),
                ),
            )
    dawn = shown != creatures
    if dawn and state.pile > DAWN_DEPTH:
        return IllegalAction(rule.PILE.id, msg("mythicals.error.dawn-early", n=DAWN_DEPTH))
    if not dawn and state.pile == REVEAL_SIZE:
        return IllegalAction(rule.PILE.id, msg("mythicals.error.dawn-missing"))
    return None


def _revealed(action: object) -> Bundle | None:
    """The three cards of a reveal, if the action is one at all."""
    if not well_formed(action):
        return None
    kind, target, shown = action
    if kind != actions.REVEAL or target or shown < 0 or not is_creatures(shown & ~DAWN_UNIT):
        return None
    return shown if size(shown) == REVEAL_SIZE else None


def of_waiting(state: State, why: Message) -> IllegalAction:
    """The refusal of a seat that is not to move, for the general reason given."""
    if state.phase == REVEAL:
        why = msg("mythicals.error.reveal-first")
    return IllegalAction(_WAITING_RULE.get(state.phase, rule.DRAW.id), why)


def of_player(state: State, action: object) -> IllegalAction:
    """Why an action that is not legal is not, for the seat that is to move."""
    if not well_formed(action):
        return IllegalAction(_PHASE_RULE[state.phase], msg("mythicals.error.unknown-action"))
    phase = state.phase
    kind, target, _ = action
    if phase == DRAW:
        if kind == "draw" and target in COLOURS:
            return IllegalAction(
                rule.RESERVE.id, msg("mythicals.error.not-in-reserve", colour=colour_word(target))
            )
        return IllegalAction(rule.DRAW.id, msg("mythicals.error.draw-first"))
    if phase == TAKE:
        if kind == "take" and target in COLOURS:
            return IllegalAction(
                rule.REVEAL.id, msg("mythicals.error.not-revealed", colour=colour_word(target))
            )
        return IllegalAction(rule.REVEAL.id, msg("mythicals.error.take-first"))
    if kind in ("draw", "take"):
        return IllegalAction(rule.DRAW.id, msg("mythicals.error.drawn-already"))
    if kind not in ("claim", "reinforce", "lock"):
        return IllegalAction(_PHASE_RULE[phase], msg("mythicals.error.unknown-action"))
    if phase == CLAIM and kind != "claim":
        if state.dawn:
            return IllegalAction(rule.LAST_CLAIM.id, msg("mythicals.error.no-modify-at-dawn"))
        every_turn = state.setup.modify == EVERY_TURN
        return IllegalAction(
            rule.MODIFY_OPTION.id if every_turn else rule.MODIFY.id,
            msg("mythicals.error.claim-or-pass" if every_turn else "mythicals.error.claim-first"),
        )
    if phase == MODIFY and kind == "claim":
        return IllegalAction(rule.CLAIM.id, msg("mythicals.error.claim-over"))
    if target not in TOKEN:
        return IllegalAction(rule.TOKENS.id, msg("mythicals.error.unknown-token"))
    if not state.board & TOKEN_UNIT[target]:
        return IllegalAction(
            rule.CLAIM.id if kind == "claim" else rule.MODIFY.id,
            msg("mythicals.error.token-gone", token=piece(target)),
        )
    if kind == "claim":
        return _of_claim(state, action)
    return _of_modify(state, action)


def _of_claim(state: State, action: Action) -> IllegalAction:
    _, token_id, payment = action
    token = TOKEN[token_id]
    if not is_creatures(payment):
        return IllegalAction(rule.CREATURES.id, msg("mythicals.error.unknown-card"))
    hand = state.hands[state.player]
    for card in cards(payment):
        unit = UNIT[card]
        if count(payment, unit) > count(hand, unit):
            return IllegalAction(rule.CLAIM.id, msg("mythicals.error.not-held", card=piece(card)))
    # held, but not what the token costs
    text = msg(f"mythicals.cost.{token.cost}", n=token.size, colour=colour_word(token.colour))
    return IllegalAction(
        _COST_RULE[token.cost],
        msg("mythicals.error.wrong-payment", token=piece(token_id), cost=text),
    )


def _of_modify(state: State, action: Action) -> IllegalAction:
    kind, target, number = action
    unit, name = TOKEN_UNIT[target], piece(target)
    there = count(state.markers, unit)
    if kind == "lock":
        if state.locked & unit:
            return IllegalAction(rule.LOCK.id, msg("mythicals.error.locked", token=name))
        if there:
            return IllegalAction(rule.LOCK.id, msg("mythicals.error.lock-marked", token=name))
        return IllegalAction(rule.LOCK.id, msg("mythicals.error.unknown-action"))
    if state.locked & unit:
        return IllegalAction(rule.LOCK.id, msg("mythicals.error.locked", token=name))
    if not 1 <= number <= MAX_MARKERS:
        return IllegalAction(rule.REINFORCE.id, msg("mythicals.error.marker-number"))
    if there + number > MAX_MARKERS:
        return IllegalAction(
            rule.MARKERS.id, msg("mythicals.error.markers-full", n=there, token=name)
        )
    return IllegalAction(
        rule.MARKERS.id, msg("mythicals.error.markers-short", n=marker_supply(state.markers))
    )
