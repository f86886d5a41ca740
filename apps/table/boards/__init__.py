"""What the table of each game looks like: from an observation to a template's context."""

from __future__ import annotations

from collections.abc import Mapping

from apps.table.boards import ancient_cards, mythicals, ritos_ancestrais, tides_of_madness
from apps.table.boards.base import Around, Board, Step

BOARDS: Mapping[str, Board] = {
    "ancient-cards": ancient_cards.BOARD,
    "mythicals": mythicals.BOARD,
    "ritos-ancestrais": ritos_ancestrais.BOARD,
    "tides-of-madness": tides_of_madness.BOARD,
}
"""The tables there are, by game."""

__all__ = ["BOARDS", "Around", "Board", "Step"]
