"""Random games: the engine's fast path, and the generator of test material."""

from __future__ import annotations

import random
from typing import Any

from lovecraft.core.game import CHANCE_MOVES, AnyGame


def playout(game: AnyGame, state: Any, rng: random.Random) -> Any:
    """Play uniformly random legal actions until the game is over; the final state."""
    to_move, legal, draw = game.to_move, game.legal_actions, game.draw
    advance, together, uniform = game.advance, game.advance_together, rng.random
    while movers := to_move(state):
        if len(movers) == 1:
            player = movers[0]
            if movers == CHANCE_MOVES:
                state = advance(state, player, draw(state, rng))
            else:
                actions = legal(state, player)
                state = advance(state, player, actions[int(uniform() * len(actions))])
        else:
            joint = []
            for player in movers:
                actions = legal(state, player)
                joint.append(actions[int(uniform() * len(actions))])
            state = together(state, tuple(joint))
    return state
