"""The yardstick: the rune draft as one would write it by hand for speed alone.

A lean mutable class with nothing but ``legal`` and ``apply``: no checks, no observations, no
records, no events, no options. The engine's speed is reported as a ratio to it, measured in the
same run, so that figures from different machines can be compared.
"""

from __future__ import annotations

import random

POINTS = (0, 0, 1, 2, 4, 5, 7, 10)
DECK = [rune for rune in range(7) for _ in range(7)]


class LeanDraft:
    """Three rounds of seven picks. ``hands`` are lists of rune numbers, ``areas`` counts."""

    __slots__ = ("areas", "hands", "left", "rng", "round", "totals")

    def __init__(self, players: int, rng: random.Random) -> None:
        self.rng = rng
        self.round = 0
        self.totals = [0] * players
        self.deal()

    def deal(self) -> None:
        uniform, deck, left = self.rng.random, DECK.copy(), len(DECK)
        self.hands = []
        for _ in self.totals:
            hand = []
            for _ in range(7):
                at = int(uniform() * left)
                left -= 1
                hand.append(deck[at])
                deck[at] = deck[left]
            self.hands.append(hand)
        self.areas = [[0] * 7 for _ in self.totals]
        self.left = 7

    def legal(self, player: int) -> list[int]:
        return list(set(self.hands[player]))

    def apply(self, picks: list[int]) -> None:
        hands = self.hands
        for hand, area, rune in zip(hands, self.areas, picks):  # noqa: B905
            hand.remove(rune)
            area[rune] += 1
        hands.insert(0, hands.pop())
        self.left -= 1
        if not self.left:
            for player, area in enumerate(self.areas):
                points = 0 if min(area) == 0 else 5
                for number in area:
                    points += POINTS[number]
                self.totals[player] += points
            self.round += 1
            if self.round < 3:
                self.deal()


def random_game(players: int, rng: random.Random) -> list[int]:
    """One uniformly random game; the totals."""
    game, uniform = LeanDraft(players, rng), rng.random
    seats = range(players)
    while game.round < 3:
        picks = []
        for player in seats:
            legal = game.legal(player)
            picks.append(legal[int(uniform() * len(legal))])
        game.apply(picks)
    return game.totals
