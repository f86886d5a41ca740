"""The registered games."""

from __future__ import annotations

from collections.abc import Mapping

from lovecraft.core.errors import UnknownName
from lovecraft.core.game import AnyGame
from lovecraft.games.ancient_cards import AncientCards
from lovecraft.games.mythicals import Mythicals
from lovecraft.games.ritos_ancestrais import RitosAncestrais
from lovecraft.games.tides_of_madness import TidesOfMadness
from lovecraft.i18n import msg

GAMES: Mapping[str, AnyGame] = {
    game.id: game for game in (AncientCards(), Mythicals(), RitosAncestrais(), TidesOfMadness())
}


def get(game_id: str) -> AnyGame:
    """The game of this id. Raises UnknownName, listing the ids there are."""
    try:
        return GAMES[game_id]
    except KeyError:
        raise UnknownName(
            msg("error.unknown-game", game=str(game_id)[:40], games=tuple(GAMES))
        ) from None
