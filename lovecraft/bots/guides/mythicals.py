"""What a search knows of Mythicals: what a position promises, and plain moves until a turn ends."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import exp

from lovecraft.bots.greedy import mythicals as greedy
from lovecraft.bots.search import Guide, Payoffs, softmax
from lovecraft.games.mythicals.actions import Action
from lovecraft.games.mythicals.cards import TOKEN, TOKEN_UNIT, count
from lovecraft.games.mythicals.game import Mythicals
from lovecraft.games.mythicals.state import CLAIM, DRAW, TAKE, Observation, State

SCALE, GROWTH = 2.5, 200.0
"""Points of an appraisal that make odds of e to 1: few when the pile is short (SCALE), more with
the square of its cards over GROWTH. Fitted to the results of 120 games of greedy bots."""

TEMPO = 1.0
"""What it is worth to be the one to draw, in points."""

ATTENTION = 1.5
"""Greedy points that make an action deserve e times the attention."""

_GAME = Mythicals()


def rate(state: State) -> Payoffs | None:
    """When a turn begins: the shares that points and prospects promise."""
    if state[1] != DRAW:
        return None
    lead = (greedy.appraise(state, 0) - greedy.appraise(state, 1)) / 2
    lead += -TEMPO if state[2] else TEMPO
    share = 1 / (1 + exp(-max(-30.0, min(30.0, lead / (SCALE + state[7] * state[7] / GROWTH)))))
    return (share, 1 - share)


def policy(state: State, player: int, actions: Sequence[Action], rng: random.Random) -> Action:
    """To the end of a turn: the colour of most use, the dearest token, seldom a change."""
    phase = state[1]
    if phase == TAKE:
        board, markers = state[9], state[11]
        promised = [
            greedy.prospects(_GAME.advance(state, player, action)[3][player], board, markers)
            for action in actions
        ]
        return actions[promised.index(max(promised))]
    if phase == CLAIM:
        worth = [
            TOKEN[a.target].points + count(state[11], TOKEN_UNIT[a.target]) if a.target else 0
            for a in actions
        ]
        return actions[max(range(len(actions)), key=worth.__getitem__)]
    return actions[int(rng.random() * len(actions))]


def prior(o: Observation) -> Mapping[Action, float]:
    """What looks good one step ahead deserves most attention."""
    return softmax(greedy.values(o), ATTENTION)


GUIDE = Guide(policy=policy, rate=rate, prior=prior, exploration=0.1, widen=1.0)
