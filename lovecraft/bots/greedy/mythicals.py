"""Greedy play of Mythicals: claim what pays, collect what is nearly paid for, leave little behind.

One step ahead: each action is played on the position that the observation shows (nothing is hidden
in this game), and what comes out is appraised. Only the cards that the pile would reveal are not
known; they count by their average.
"""

from __future__ import annotations

from functools import lru_cache

from lovecraft.games.mythicals.actions import PILE, Action
from lovecraft.games.mythicals.cards import (
    COLOUR_MASKS,
    COLOURS,
    DOUBLES,
    TOKEN,
    TOKEN_UNIT,
    TOKENS,
    Bundle,
    count,
    units,
)
from lovecraft.games.mythicals.claims import missing
from lovecraft.games.mythicals.game import Mythicals
from lovecraft.games.mythicals.state import DRAW, OVER, Observation, State

HOPE = (0.85, 0.55, 0.3, 0.14, 0.06, 0.02, 0.0)
"""What a point is worth that still needs so many cards."""

LATER = 0.35
"""How much the hopes after the best one count."""

RIVAL = 0.7
"""How much the other player's prospects weigh against the own ones."""

LEFT_BEHIND = 0.35
"""How much the other player's best use of the reserve counts."""

PILE_CARDS = 1.5
"""How many average cards a draw from the pile is worth, choosing among three."""

_GAME = Mythicals()
_SETS = sum(TOKEN_UNIT[token.id] for token in TOKENS if token.cost == "set")
_RUNS = tuple(
    sum(TOKEN_UNIT[token.id] for token in TOKENS if token.colour in (colour, "black"))
    for colour in COLOURS
)
"""Per colour the tokens that its cards alone can pay for."""


def values(observation: Observation) -> dict[Action, float]:
    """Worth of each action: the position after it, as it looks for the seat to move."""
    o = observation
    state = State(*o[:-2])
    worth = {}
    for action in o.actions:
        if action.target == PILE:
            worth[action] = _pile_worth(state, o.player)
        else:
            worth[action] = appraise(_GAME.advance(state, o.player, action), o.player)
    return worth


def appraise(state: State, player: int) -> float:
    """How a position looks for a player: points and prospects, less those of the other."""
    other = 1 - player
    scored = points(state)
    lead = float(scored[player] - scored[other])
    if state.phase == OVER:
        return lead
    board, markers = state.board, state.markers
    own = prospects(state.hands[player], board, markers)
    rival = prospects(state.hands[other], board, markers)
    if state.phase == DRAW and state.player == other:
        rival += LEFT_BEHIND * reserve_gain(state, other, rival)
    return lead + own - RIVAL * rival


def points(state: State) -> list[int]:
    """What each seat's tokens are worth, with their markers."""
    return [
        sum(TOKEN[t].points + count(state.markers, TOKEN_UNIT[t]) for t in stack)
        for stack in state.stacks
    ]


def _pile_worth(state: State, player: int) -> float:
    """The position if the player were given an average card now, for each that may come."""
    hand, other = state.hands[player], state.hands[1 - player]
    board, markers = state.board, state.markers
    own_now = prospects(hand, board, markers)
    rival_now = prospects(other, board, markers)
    pool = units(state.unseen)
    gain = 0.0
    for unit in pool:
        own, gift = _received(state, hand, unit)
        gain += prospects(own, board, markers) - own_now
        if gift:
            gain -= RIVAL * (prospects(other + gift, board, markers) - rival_now)
    return appraise(state, player) + PILE_CARDS * gain / max(len(pool), 1)


def reserve_gain(state: State, player: int, now: float) -> float:
    """What the best colour of the reserve would add to a player's prospects of ``now``."""
    best = 0.0
    for mask in COLOUR_MASKS:
        if taken := state.reserve & mask:
            own, _ = _received(state, state.hands[player], taken)
            best = max(best, prospects(own, state.board, state.markers) - now)
    return best


def _received(state: State, hand: Bundle, taken: Bundle) -> tuple[Bundle, Bundle]:
    """A hand after taking cards, and what of them goes to the other player."""
    hand += taken
    gift = (hand & DOUBLES) >> 1 if state.setup.gift_duplicates else 0
    return hand - gift, gift


def prospects(hand: Bundle, board: Bundle, markers: Bundle) -> float:
    """Points that a hand promises: the best hope of each colour and the best set.

    No card counts for two tokens of a colour; there is a turn for one claim at a time, so all but
    the best hope count in part.
    """
    hopes = [
        _best_hope(hand & mask, board & row, markers & row * 3)
        for mask, row in zip(COLOUR_MASKS, _RUNS, strict=True)
    ]
    hopes.append(_best_hope(hand, board & _SETS, markers & _SETS * 3))
    return (1 - LATER) * max(hopes) + LATER * sum(hopes)


@lru_cache(1 << 14)
def _best_hope(held: Bundle, board: Bundle, markers: Bundle) -> float:
    return max(
        (
            (token.points + count(markers, TOKEN_UNIT[token.id])) * HOPE[missing(token.id, held)]
            for token in TOKENS
            if board & TOKEN_UNIT[token.id]
        ),
        default=0.0,
    )
