"""Ancient Cards of H.P. Lovecraft: simultaneous drafting of runes, 2 to 7 players."""

from lovecraft.games.ancient_cards.game import AncientCards, Observation, Setup, State

__all__ = ["AncientCards", "Observation", "Setup", "State"]
