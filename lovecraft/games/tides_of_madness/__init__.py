"""Tides of Madness: three rounds of drafting for two, with madness as the price."""

from lovecraft.games.tides_of_madness.game import Act, Observation, Setup, State, TidesOfMadness

__all__ = ["Act", "Observation", "Setup", "State", "TidesOfMadness"]
