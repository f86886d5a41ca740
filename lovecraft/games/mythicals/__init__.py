"""Mythicals: press your luck for creatures, pay runs and sets for tokens, 2 players."""

from lovecraft.games.mythicals.actions import Action, Deal
from lovecraft.games.mythicals.game import Mythicals
from lovecraft.games.mythicals.state import Observation, Setup, State

__all__ = ["Action", "Deal", "Mythicals", "Observation", "Setup", "State"]
