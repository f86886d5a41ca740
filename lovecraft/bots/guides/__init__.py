"""What a search knows of each game besides its rules; without a guide it searches plainly."""

from __future__ import annotations

from collections.abc import Mapping

from lovecraft.bots.guides import ancient_cards, mythicals, ritos_ancestrais, tides_of_madness
from lovecraft.bots.search import Guide

GUIDES: Mapping[str, Guide] = {
    "ancient-cards": ancient_cards.GUIDE,
    "mythicals": mythicals.GUIDE,
    "ritos-ancestrais": ritos_ancestrais.GUIDE,
    "tides-of-madness": tides_of_madness.GUIDE,
}


def guide(game_id: str) -> Guide:
    """The guide of a game, an empty one if it has none."""
    return GUIDES.get(game_id, Guide())
