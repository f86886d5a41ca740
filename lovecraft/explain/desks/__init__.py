"""Desks: one per game, on which hands, play areas and tokens are laid out and scored."""

from __future__ import annotations

from functools import cache

from lovecraft import games
from lovecraft.explain.desks.ancient_cards import AncientCardsDesk
from lovecraft.explain.desks.base import Area, Desk, Knob, Layout, NotOnDesk, Showing
from lovecraft.explain.desks.mythicals import MythicalsDesk
from lovecraft.explain.desks.ritos_ancestrais import RitosDesk
from lovecraft.explain.desks.tides_of_madness import TidesDesk
from lovecraft.games.ritos_ancestrais import find_edition

__all__ = ["Area", "Desk", "Knob", "Layout", "NotOnDesk", "RitosDesk", "Showing", "desk"]

_DESKS: dict[str, type[Desk]] = {
    kind.game.id: kind for kind in (AncientCardsDesk, MythicalsDesk, RitosDesk, TidesDesk)
}


@cache
def desk(game_id: str, edition: str = "") -> Desk:
    """The desk of a game; of Ritos Ancestrais in a registered edition, else in that of the house.

    Raises UnknownName for a game, InvalidEdition for an edition that there is not.
    """
    kind = _DESKS[games.get(game_id).id]
    if edition and kind is RitosDesk:
        return RitosDesk(find_edition(edition))
    return kind()
