"""The fixed numbers and symbols of the game; cards and rituals come from an edition."""

from __future__ import annotations

GAME = "ritos-ancestrais"

SYMBOLS = ("necronomicon", "elder-sign", "pnakotic", "miskatonic", "yellow-sign", "cthulhu")
"""The six summoning symbols."""

START_HAND = 5
ROW = 6
DRAWS = 2
HAND_LIMIT = 7
GOAL = 21
LEAST_HAND_LIMIT = 1
"""Other players' cards never push a hand limit below this."""

DEAD_ROUNDS = 3
"""After so many rounds in a row in which everybody passed, the game ends."""

MIN_PLAYERS, MAX_PLAYERS = 2, 4
