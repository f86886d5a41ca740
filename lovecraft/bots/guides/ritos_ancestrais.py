"""How Ritos Ancestrais is played on in thought: greedily, which is quick and not foolish."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from lovecraft.bots.greedy.ritos_ancestrais import View
from lovecraft.bots.rollouts import Base
from lovecraft.games.ritos_ancestrais.game import RitosAncestrais
from lovecraft.games.ritos_ancestrais.state import ACT, PHASES, Observation, State
from lovecraft.games.ritos_ancestrais.tables import Action

_GAME = RitosAncestrais()
_worth = itemgetter(0)


def promising(o: Observation) -> Sequence[Action]:
    """What can be done, best first one step ahead; of payments with the same symbols one."""
    view = View.seen(o)
    if o.phase == PHASES[ACT]:
        found = list(view.options())
    else:
        found = [(view.worth(action), action) for action in o.actions]
    return [action for _, action in sorted(found, key=_worth, reverse=True)]


def policy(state: State, player: int) -> Action:
    """The best one step ahead, the first among equals."""
    view = View.of(state, player)
    if state[1] == ACT:
        return max(view.options(), key=_worth)[1]
    actions = _GAME.legal_actions(state, player)
    return actions[0] if len(actions) == 1 else max(actions, key=view.worth)


BASE = Base(promising, policy)
