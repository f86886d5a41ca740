"""A scored round as a position to be played again."""

from __future__ import annotations

from collections.abc import Sequence

from lovecraft.core.errors import InvalidSheet
from lovecraft.games.tides_of_madness.cards import (
    BIT,
    HAND_SIZE,
    NEW_CARDS,
    NONE,
    ROUNDS,
    CardId,
    pack,
)
from lovecraft.games.tides_of_madness.sheet import Round, Side, check_refresh, running_round
from lovecraft.games.tides_of_madness.state import PICKING, Setup, State
from lovecraft.games.tides_of_madness.steps import BOTH
from lovecraft.i18n import msg


def start_of_round(
    rounds: Sequence[tuple[Side, Side]], names: Sequence[str], shub_stays: bool = False
) -> State:
    """The beginning of the last of some rounds, with the hands that both held.

    The order of play tells them: the hands change sides after each pick, so a player's first,
    third and fifth card come from the own hand, the others from that of the opponent. Where the
    order was entered otherwise than it was played, the cards that came back to a player decide,
    and new ones as far as the order tells. Raises InvalidSheet when a round is not whole or does
    not follow from those before.
    """
    for r, sides in enumerate(rounds):
        for p, side in enumerate(sides):
            if len(side.played) != HAND_SIZE:
                place = f"rounds[{r}][{p}].played"
                raise InvalidSheet(
                    msg("error.list-exact", exact=HAND_SIZE, n=len(side.played)), place
                )
    removed: list[CardId] = []
    played: list[Round] = []
    for r in range(len(rounds)):
        if r:
            removed += check_refresh(list(rounds[: r + 1]), list(names), f"rounds[{r}]")
        played.append(running_round(rounds[r], played[-1] if played else None, shub_stays))
    rnd, now = len(rounds) - 1, rounds[-1]
    hands = _hands(rounds)
    before = [set(side.played) for side in rounds[-2]] if rnd else [set(), set()]
    fresh = [[card for card in hands[p] if card not in before[p]] for p in BOTH]
    lying = next((t.doubled for t in played[-1].tableaus if t.doubled), None)
    return State(
        Setup(2, shub_stays),
        rnd,
        PICKING,
        BOTH,
        (pack(hands[0]), pack(hands[1])),
        (tuple(BIT[c] for c in now[0].kept), tuple(BIT[c] for c in now[1].kept)),
        (NONE, NONE),
        (NONE, NONE),
        (pack(fresh[0]), pack(fresh[1])) if rnd < ROUNDS - 1 else (NONE, NONE),
        pack(removed),
        played[-2].madness if rnd else (0, 0),
        BIT[lying] if lying else NONE,
        None,
        None,
        tuple((one.scores[0].points, one.scores[1].points) for one in played[:-1]),
    )


def _hands(rounds: Sequence[tuple[Side, Side]]) -> list[list[CardId]]:
    now = rounds[-1]
    told: list[list[CardId]] = [[], []]
    for p, side in enumerate(now):
        for k, card in enumerate(side.played):
            told[(p + k) % 2].append(card)
    if len(rounds) == 1:
        return told
    every = now[0].played + now[1].played
    back = [[card for card in every if card in side.played] for side in rounds[-2]]
    new = [card for card in every if card not in back[0] + back[1]]
    first = sorted(new, key=lambda card: card not in told[0])[:NEW_CARDS]
    return [[*back[0], *first], [*back[1], *(card for card in new if card not in first)]]
