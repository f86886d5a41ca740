"""Tides of Madness: three rounds of drafting for two, with madness as the price."""

from lovecraft.games.tides_of_madness.game import TidesOfMadness
from lovecraft.games.tides_of_madness.state import Act, Observation, Setup, State

__all__ = ["Act", "Observation", "Setup", "State", "TidesOfMadness"]
