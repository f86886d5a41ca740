"""What a search knows of Ritos Ancestrais: what a position promises, and plain turns."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import cache, lru_cache
from math import exp

from lovecraft.bots.greedy import ritos_ancestrais as greedy
from lovecraft.bots.search import Guide, Payoffs, softmax
from lovecraft.games.ritos_ancestrais.cards import DRAWS, GOAL
from lovecraft.games.ritos_ancestrais.edition import ANY, Edition, Effect
from lovecraft.games.ritos_ancestrais.scoring import Performed, counted
from lovecraft.games.ritos_ancestrais.state import ACT, DRAW, Observation, State
from lovecraft.games.ritos_ancestrais.tables import COUNTS, SIZE, SIZE_BASE, Action, Cult, tables

SCALE, GROWTH = 2.0, 0.5
"""Points that make odds of e to 1: SCALE at the end, GROWTH more per turn still to come."""

ATTENTION = 1.0
"""Greedy points that make an action deserve e times the attention."""

PACE = 2.5
"""Points that a player makes per turn, to guess how long the game will last."""

RITUALS_PER_TURN = 0.5
PER_TURN = {
    "draw_extra": 0.6,
    "hand_limit": 0.08,
    "row_refresh": 0.15,
    "row_peek": 0.02,
    "rival_hand_limit": 0.06,
}
"""What other effects bring per turn, in points."""

WORTH_PLAYING = 1.0
"""What a card must promise to be played in a playout rather than kept for a ritual."""


def key(state: State, player: int) -> Hashable:
    """What matters of what a seat knows: not the way by which the cards came where they are."""
    return (player, state[1:5], state[5][player], state[6:9], state[13], state[15:17])


@lru_cache(1 << 15)
def _cult_points(
    edition: str, cult: Cult, done: tuple[Performed, ...], hand: int
) -> tuple[float, float]:
    """What a cult adds at the end as things stand, and what it brings per turn to come."""
    t = tables(edition)
    lying = t.cult_cards(cult)
    rituals = [performed.ritual for performed in done]
    end = turn = 0.0
    for card in lying:
        for effect in t.edition.cards[t.index[card]].effects:
            if effect.kind == "end_bonus":
                number = counted(t.edition, effect, rituals, lying, hand)
                end += min(effect.cap, effect.amount * number)
            elif effect.kind != "protect":
                turn += effect_worth(t.edition, effect)
    return end, turn


@cache
def effect_worth(edition: Edition, effect: Effect) -> float:
    """What an effect of a card in the cult brings per turn, in points."""
    if effect.kind == "ritual_bonus":
        if effect.ritual is not None:  # who has the bonus will perform it often
            cards = next(len(r.needs) for r in edition.rituals if r.id == effect.ritual)
            return effect.amount * 0.5 * min(1.0, DRAWS / cards)
        return effect.amount * RITUALS_PER_TURN * (1.0 if effect.symbol is None else 0.5)
    if effect.kind == "symbol_wild":
        return RITUALS_PER_TURN * (0.9 if effect.to == ANY else 0.35)
    if effect.kind == "ritual_discount":
        often = 1.0 if not (effect.ritual or effect.symbol) else 0.25 if effect.ritual else 0.4
        return effect.amount * RITUALS_PER_TURN * often * 1.2
    if effect.kind == "return_used":
        return effect.amount * RITUALS_PER_TURN * 0.9
    return PER_TURN.get(effect.kind, 0.0) * max(1, effect.amount)


def rate(state: State) -> Payoffs | None:
    """When cards are drawn: the shares that points, cults and hands promise."""
    setup, phase, seat, _, _, hands, cults, points, *_ = state
    if phase != DRAW:
        return None
    last, done = state[15], state[17]
    t = tables(setup[1])
    turns = 0.0 if last else max(1.0, (GOAL - max(points)) / PACE)
    promised = []
    for p, hand in enumerate(hands):
        end, turn = _cult_points(setup[1], cults[p], done[p], hand >> SIZE_BASE & SIZE)
        worth = points[p] + end + turn * turns
        if not last or p >= seat:  # has a turn to come
            worth += greedy.hand_worth(setup[1], hand & COUNTS, cults[p] & t.points_mask, last)
        promised.append(worth)
    scale = SCALE + GROWTH * turns
    most = max(promised)
    weights = [exp((worth - most) / scale) for worth in promised]
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


def policy(state: State, player: int, actions: Sequence[Action], rng: random.Random) -> Action:
    """The ritual with most points, else the card that brings most, else pass."""
    if state[1] != ACT:
        return actions[int(rng.random() * len(actions))]
    t = tables(state[0][1])
    cult = state[6][player]
    best, most = actions[-1], WORTH_PLAYING
    turns = 0.0 if state[15] else max(1.0, (GOAL - max(state[7])) / PACE)
    for action in actions:
        if action.do == "ritual":
            spent = t.pack(action.cards) & COUNTS
            worth = 10.0 + t.ritual_points(t.ritual_index[action.what], spent, cult)
        elif action.do == "play":
            done, hand = state[17][player], (state[5][player] >> SIZE_BASE & SIZE) - 1
            end, turn = _cult_points(state[0][1], t.bit_of[action.what], done, hand)
            worth = end + turn * turns
        else:
            continue
        if worth > most:
            best, most = action, worth
    return best


def prior(o: Observation) -> Mapping[Action, float]:
    """What looks good one step ahead deserves most attention."""
    return softmax(greedy.values(o), ATTENTION)


GUIDE = Guide(
    policy=policy, rate=rate, prior=prior, key=key, exploration=0.15, trust=0.3, widen=0.7
)
