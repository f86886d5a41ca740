"""A scored round as a position to be played again."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from lovecraft.core.errors import InvalidSheet
from lovecraft.games.ancient_cards.cards import COPIES, EMPTY, HAND_SIZE, RUNES, pack
from lovecraft.games.ancient_cards.game import Setup, State
from lovecraft.games.ancient_cards.scoring import score
from lovecraft.i18n import msg


def start_of_round(
    rounds: Sequence[Sequence[Mapping[str, int]]], rnd: int, rng: random.Random
) -> State:
    """The beginning of round ``rnd`` of a sheet (``rounds[player][round]``), hands dealt.

    A sheet knows the cards that everybody ended with, not who was dealt them. They are dealt as
    they may have lain: each player's cards are put into some order, and the card picked k-th came
    from the hand that was dealt k places to the right. Raises InvalidSheet when this round or an
    earlier one is not whole, or when there are more runes of a kind than any deck has.
    """
    n = len(rounds)
    for p, own in enumerate(rounds):
        for r in range(rnd + 1):
            if sum(own[r].values()) != HAND_SIZE:
                place = f"players[{p}].rounds[{r}]"
                raise InvalidSheet(
                    msg("ancient-cards.error.sheet-sum", n=sum(own[r].values())), place
                )
    hands: list[list[str]] = [[] for _ in range(n)]
    for p, own in enumerate(rounds):
        picked = [rune for rune in RUNES for _ in range(own[rnd].get(rune, 0))]
        rng.shuffle(picked)
        for k, rune in enumerate(picked):
            hands[(p - k) % n].append(rune)
    most = max(sum(own[rnd].get(rune, 0) for own in rounds) for rune in RUNES)
    copies = next((number for number in COPIES if number >= most), None)
    if copies is None:
        raise InvalidSheet(msg("ancient-cards.error.replay-deck", n=COPIES[-1]), "players")
    return State(
        Setup(n, copies),
        rnd,
        0,
        tuple(map(pack, hands)),
        (EMPTY,) * n,
        (None,) * n,
        tuple(tuple(score(own[r]).points for own in rounds) for r in range(rnd)),
    )
