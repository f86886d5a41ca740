"""The steps of a game of Tides of Madness, from one position to the next; nothing is checked."""

from __future__ import annotations

from lovecraft.core.game import CHANCE_MOVES, NOBODY
from lovecraft.games.tides_of_madness import scoring
from lovecraft.games.tides_of_madness.cards import (
    LOST_AT,
    NONE,
    ROUNDS,
    SHUB_NIGGURATH,
    Cards,
)
from lovecraft.games.tides_of_madness.state import (
    CHOOSING,
    DEALING,
    DREAMING,
    KEEPING,
    OVER,
    PICKING,
    REMOVING,
    Deal,
    State,
)

_new = tuple.__new__
BOTH = (0, 1)
ALONE = ((0,), (1,))
NOTHING = (NONE, NONE)


def dealt(state: State, deal: Deal) -> State:
    """New cards in both hands; the draft begins."""
    setup, rnd, _, _, hands, tableaus, _, _, _, removed, madness, doubled, _, _, points = state
    hands = (hands[0] | deal[0], hands[1] | deal[1])
    # the last deal empties the pile, so both can tell what the other was dealt
    fresh = deal if rnd < ROUNDS - 1 else NOTHING
    return _new(
        State,
        (
            setup,
            rnd,
            PICKING,
            BOTH,
            hands,
            tableaus,
            NOTHING,
            NOTHING,
            fresh,
            removed,
            madness,
            doubled,
            None,
            None,
            points,
        ),
    )


def laid_down(state: State, a: Cards, b: Cards) -> State:
    """Both picks revealed and the rest of the hands passed."""
    setup, rnd, phase, _, hands, rows, _, _, _, removed, madness, doubled, _, _, points = state
    row_a, row_b = rows
    if a == SHUB_NIGGURATH:
        # it lies on the card played just before it; kept ones do not count
        doubled = row_a[-1] if len(row_a) > rnd else NONE
    elif b == SHUB_NIGGURATH:
        doubled = row_b[-1] if len(row_b) > rnd else NONE
    return _new(
        State,
        (
            setup,
            rnd,
            phase,
            BOTH,
            (hands[1] ^ b, hands[0] ^ a),
            ((*row_a, a), (*row_b, b)),
            NOTHING,
            NOTHING,
            NOTHING,
            removed,
            madness,
            doubled,
            None,
            None,
            points,
        ),
    )


def picked(state: State, a: Cards, b: Cards) -> State:
    """Both have picked; after the last card the scoring begins."""
    after = laid_down(state, a, b)
    if after[4][0]:
        return after
    after = with_madness(after)
    rows = after[5]
    most = scoring.most_madness(sum(rows[0]), sum(rows[1]))
    if most is None:
        return dreaming(after)
    return after._replace(phase=CHOOSING, movers=ALONE[most])


def with_madness(state: State) -> State:
    """Step a: madness for the icons in front of each."""
    rows, madness = state[5], state[10]
    return state._replace(
        madness=(
            madness[0] + scoring.icons(sum(rows[0])),
            madness[1] + scoring.icons(sum(rows[1])),
        )
    )


def with_choice(state: State, player: int, choice: str) -> State:
    """Step b: four points (counted when cards score) or one madness less."""
    if choice == scoring.HEAL:
        return state._replace(choice=choice, madness=scoring.healed(state.madness, player))
    return state._replace(choice=choice)


def chosen(state: State, player: int, choice: str) -> State:
    """Step b, and on from there."""
    return dreaming(with_choice(state, player, choice))


def dreaming(state: State) -> State:
    """Step c: Dreamlands takes its madness; then its owner is to name the suit."""
    rows = state[5]
    owner = scoring.dreamlands_owner(sum(rows[0]), sum(rows[1]))
    if owner is None:
        return scored(state)
    return state._replace(
        phase=DREAMING,
        movers=ALONE[owner],
        madness=scoring.after_dreamlands(state[10], owner),
    )


def scored(state: State) -> State:
    """Steps d and e: points, then who has lost; then the cards go back to the hands."""
    setup, rnd, _, _, _, rows, _, _, _, removed, madness, doubled, choice, suit, points = state
    a, b = sum(rows[0]), sum(rows[1])
    points_a, points_b = scoring.card_points(a, b, madness, suit, doubled)
    if choice == scoring.POINTS:
        if scoring.most_madness(a, b):
            points_b += scoring.CHOICE_POINTS
        else:
            points_a += scoring.CHOICE_POINTS
    phase, movers, hands = OVER, NOBODY, NOTHING
    if rnd < ROUNDS - 1 and madness[0] < LOST_AT and madness[1] < LOST_AT:
        phase, movers = KEEPING, BOTH
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
            NOTHING,
            NOTHING,
            NOTHING,
            removed,
            madness,
            doubled,
            choice,
            suit,
            (*points, (points_a, points_b)),
        ),
    )


def kept(state: State, a: Cards, b: Cards) -> State:
    """Both have a card to keep face down."""
    return state._replace(phase=REMOVING, movers=BOTH, picks=NOTHING, keeps=(a, b))


def removed(state: State, a: Cards, b: Cards) -> State:
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
            NOTHING,
            NOTHING,
            NOTHING,
            removed | a | b,
            madness,
            doubled,
            *rest,
        ),
    )
