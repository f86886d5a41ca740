"""The pages there are, by route."""

from __future__ import annotations

from collections.abc import Mapping

from apps.companion.ancient_cards import AncientCardsSheet
from apps.companion.mythicals import MythicalsSheet
from apps.companion.page import SheetPage
from apps.companion.ritos_ancestrais import RitosSheet
from apps.companion.tides_of_madness import TidesSheet
from apps.pages.history import History
from apps.pages.launcher import Launcher
from apps.pages.rulebook import Rulebook
from apps.shell import Opener
from apps.table.boards import BOARDS
from apps.table.page import TablePage
from lovecraft import games

COMPANIONS: Mapping[str, type[SheetPage]] = {
    page.game.id: page for page in (AncientCardsSheet, MythicalsSheet, RitosSheet, TidesSheet)
}
"""The scoring companions there are, by game."""

ROUTES: Mapping[str, Opener] = {
    "": lambda shell, rest: Launcher(shell, COMPANIONS, BOARDS),
    "history": lambda shell, rest: History(shell, COMPANIONS),
    **{f"{game}/score": opener for game, opener in COMPANIONS.items()},
    **{
        f"{game}/table": lambda shell, rest, game=game: TablePage(shell, game, rest)  # type: ignore[misc]
        for game in BOARDS
    },
    **{
        f"{game}/rules": lambda shell, rest, game=game: Rulebook(shell, game, rest)  # type: ignore[misc]
        for game in games.GAMES
    },
}
