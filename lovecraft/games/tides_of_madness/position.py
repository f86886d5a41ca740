"""What can be a position of Tides of Madness."""

from __future__ import annotations

from lovecraft.core.game import CHANCE_MOVES, NOBODY
from lovecraft.core.position import CARDS, KNOWN, expect
from lovecraft.games.tides_of_madness import scoring, steps
from lovecraft.games.tides_of_madness.cards import (
    ALL,
    HAND_SIZE,
    LOST_AT,
    NEW_CARDS,
    NONE,
    ROUNDS,
    SHUB_NIGGURATH,
    SUITS,
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
    TOGETHER,
    Row,
    State,
    pile,
)

_SCORING = (CHOOSING, DREAMING, OVER)
_SCORED = (KEEPING, REMOVING, OVER)
_MOST_POINTS = 200
"""More than a round can bring."""


def check(state: State) -> None:
    """Refuse what cannot be a position. Raises InvalidRecord with the field."""
    last = ROUNDS - 1 if state.phase not in (KEEPING, REMOVING) else ROUNDS - 2
    expect(0 <= state.round <= last, "round")
    _cards(state)
    _lying(state)
    _madness(state)
    _movers(state)
    _points(state)


def _cards(state: State) -> None:
    """Where the cards are: each in one place, as many as the phase has in each."""
    expect(0 <= state.removed <= ALL, "removed")
    expect(state.removed.bit_count() == 2 * state.round, "removed", CARDS)
    seen = state.removed
    for p in steps.BOTH:
        hand, row = state.hands[p], state.tableaus[p]
        expect(0 <= hand <= ALL and not hand & seen, f"hands[{p}]", CARDS)
        seen |= hand
        for i, card in enumerate(row):
            place = f"tableaus[{p}][{i}]"
            expect(0 < card <= ALL and card.bit_count() == 1 and not card & seen, place, CARDS)
            seen |= card
    held, lying = state.hands[0].bit_count(), len(state.tableaus[0])
    expect(len(state.tableaus[1]) == lying, "tableaus", CARDS)
    played = lying - state.round
    match state.phase:
        case "deal":
            expect(played == 0, "tableaus", CARDS)
            number = HAND_SIZE - NEW_CARDS if state.round else 0
        case "pick":
            expect(0 <= played < HAND_SIZE, "tableaus", CARDS)
            number = HAND_SIZE - played
        case "keep" | "remove":
            expect(played == 0, "tableaus", CARDS)
            number = HAND_SIZE
        case _:
            expect(played == HAND_SIZE, "tableaus", CARDS)
            number = 0
    expect(held == number, "hands[0]", CARDS)
    expect(state.hands[1].bit_count() == number, "hands[1]", CARDS)
    undealt = state.phase == PICKING and not played and bool(pile(state))
    for p in steps.BOTH:
        fresh = state.fresh[p]
        # after the first pick both hands have been seen; the last deal leaves nothing to guess
        expect(fresh == NONE or (undealt and fresh >= 0), f"fresh[{p}]", KNOWN)
        expect(fresh & state.hands[p] == fresh, f"fresh[{p}]", KNOWN)


def _lying(state: State) -> None:
    """What lies face down, and under Shub-Niggurath."""
    for p in steps.BOTH:
        keep, pick, hand = state.keeps[p], state.picks[p], state.hands[p]
        if state.phase == REMOVING:
            expect(_one(keep) and keep & hand == keep, f"keeps[{p}]")
        else:
            expect(keep == NONE, f"keeps[{p}]")
        may = hand & ~keep
        expect(pick == NONE or (_one(pick) and pick & may == pick), f"picks[{p}]")
        expect(pick == NONE or state.phase in TOGETHER, f"picks[{p}]")
    expect(not (state.picks[0] and state.picks[1]), "picks")

    doubled, r = state.doubled, state.round
    expect(doubled == NONE or (_one(doubled) and doubled != SHUB_NIGGURATH), "doubled")
    before = _before_shub(state.tableaus[0][r:]) or _before_shub(state.tableaus[1][r:])
    kept = (sum(state.tableaus[0][:r]) | sum(state.tableaus[1][:r])) & SHUB_NIGGURATH
    if before:
        expect((doubled,) == before, "doubled")
    elif kept:
        expect(doubled == NONE or state.setup.shub_stays, "doubled")
    elif state.phase in (KEEPING, REMOVING):
        hand = next((hand for hand in state.hands if hand & SHUB_NIGGURATH), NONE)
        expect(doubled & hand == doubled, "doubled")
    else:
        expect(doubled == NONE, "doubled")


def _before_shub(played: Row) -> tuple[Cards, ...]:
    """The card under a Shub-Niggurath played this round, NONE for none; empty if it was not."""
    if SHUB_NIGGURATH not in played:
        return ()
    at = played.index(SHUB_NIGGURATH)
    return (played[at - 1] if at else NONE,)


def _one(cards: Cards) -> bool:
    return 0 < cards <= ALL and cards.bit_count() == 1


def _fronts(state: State) -> tuple[Cards, Cards]:
    """The cards in front of both in the last scoring."""
    a, b = (sum(row) for row in state.tableaus)
    if state.phase in (KEEPING, REMOVING):  # they are back in the hands
        return a | state.hands[0], b | state.hands[1]
    return a, b


def _madness(state: State) -> None:
    for p, number in enumerate(state.madness):
        place = f"madness[{p}]"
        if state.phase not in _SCORING:
            expect(0 <= number < LOST_AT, place)
            continue
        taken = scoring.icons(sum(state.tableaus[p]))
        # whoever was not lost before; Dreamlands moves one and one may have been healed
        least = taken if state.phase == CHOOSING else max(0, taken - 2)
        most = LOST_AT - 1 + taken + (0 if state.phase == CHOOSING else 1)
        expect(least <= number <= most, place)
    lost = any(number >= LOST_AT for number in state.madness)
    expect(state.phase != OVER or state.round == ROUNDS - 1 or lost, "phase")


def _movers(state: State) -> None:
    a, b = _fronts(state)
    most, owner = scoring.most_madness(a, b), scoring.dreamlands_owner(a, b)
    movers = state.movers
    if state.phase in TOGETHER:
        waiting = tuple(p for p in steps.BOTH if not state.picks[p])
        expect(movers == waiting, "movers")
    elif state.phase == CHOOSING:
        expect(most is not None and movers == (most,), "movers")
    elif state.phase == DREAMING:
        expect(owner is not None and movers == (owner,), "movers")
    else:
        expect(movers == (CHANCE_MOVES if state.phase == DEALING else NOBODY), "movers")
    choice, suit = state.choice, state.suit
    if state.phase == DEALING and state.round:  # still that of the round before
        expect(choice in (None, *scoring.CHOICES), "choice")
        expect(suit in (None, *SUITS), "suit")
        return
    chosen = most is not None and state.phase in (DREAMING, *_SCORED)
    expect(choice in (scoring.CHOICES if chosen else (None,)), "choice")
    named = owner is not None and state.phase in _SCORED
    expect(suit in (SUITS if named else (None,)), "suit")


def _points(state: State) -> None:
    expect(len(state.points) == state.round + (state.phase in _SCORED), "points")
    for r, row in enumerate(state.points):
        expect(all(0 <= points <= _MOST_POINTS for points in row), f"points[{r}]")
    if state.phase in _SCORED:
        a, b = _fronts(state)
        scores = list(scoring.card_points(a, b, state.madness, state.suit, state.doubled))
        if state.choice == scoring.POINTS:
            scores[scoring.most_madness(a, b) or 0] += scoring.CHOICE_POINTS
        expect(tuple(scores) == state.points[-1], f"points[{state.round}]")
