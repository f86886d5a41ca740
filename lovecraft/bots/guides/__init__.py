"""How each game is searched: with what a search knows of it, or by rollouts of a base policy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from lovecraft.bots.guides import ancient_cards, mythicals, ritos_ancestrais, tides_of_madness
from lovecraft.bots.rollouts import Base, Rollouts
from lovecraft.bots.search import Guide, Search
from lovecraft.core.game import AnyGame

GUIDES: Mapping[str, Guide | Base] = {
    "ancient-cards": ancient_cards.GUIDE,
    "mythicals": mythicals.GUIDE,
    "ritos-ancestrais": ritos_ancestrais.BASE,
    "tides-of-madness": tides_of_madness.GUIDE,
}


def searching(game: AnyGame, observation: Any, rng: random.Random) -> Search | Rollouts:
    """The search of one decision; a plain one for a game that nothing is known of."""
    known = GUIDES.get(game.id)
    if isinstance(known, Base):
        return Rollouts(game, observation, rng, known)
    return Search(game, observation, rng, known)
