"""The pages there are, by route."""

from __future__ import annotations

from collections.abc import Mapping

from apps.companion.ancient_cards import AncientCardsSheet
from apps.companion.editions import EditionsPage
from apps.companion.mythicals import MythicalsSheet
from apps.companion.page import SheetPage
from apps.companion.ritos_ancestrais import RitosSheet
from apps.companion.tides_of_madness import TidesSheet
from apps.editions import register_kept
from apps.explorer.cards import CardPage
from apps.explorer.explore import Explore
from apps.explorer.lab import Lab
from apps.explorer.walk import WalkPage
from apps.pages.history import History
from apps.pages.launcher import Launcher
from apps.pages.library import Library
from apps.pages.rulebook import Rulebook
from apps.shell import Opener, Page, Shell
from apps.table import links, replay, review
from apps.table.boards import BOARDS
from apps.table.learn import LessonPage
from apps.table.linked import LinkPage
from apps.table.page import TablePage
from lovecraft import games
from lovecraft.core import LovecraftError

COMPANIONS: Mapping[str, type[SheetPage]] = {
    page.game.id: page for page in (AncientCardsSheet, MythicalsSheet, RitosSheet, TidesSheet)
}
"""The scoring companions there are, by game."""


def _replay(shell: Shell, game: str, rest: list[str]) -> Page:
    """A kept game at one of its positions; the list of games when there is no such game."""
    found = replay.find(shell, game, rest[0] if rest else "")
    if found is None:
        shell.go("#/games")
        return Library(shell)
    key, record, entry = found
    page = replay.ReplayPage(shell, record, entry, key)
    page.go_to(rest[1] if len(rest) > 1 else "")
    return page


def _review(shell: Shell, game: str, rest: list[str]) -> Page:
    """The review of a finished game, else the list of games."""
    page = review.open_review(shell, game, rest[0] if rest else "")
    if page is None:
        shell.go("#/games")
    return page or Library(shell)


def _linked(shell: Shell, rest: list[str]) -> Page:
    """The game of a link; one that holds none is refused with the reason."""
    try:
        return LinkPage(shell, links.from_letters(rest[0] if rest else ""))
    except LovecraftError as wrong:
        shell.notice = links.refused(wrong)
        shell.go("#/games")
        return Library(shell)


RITOS = RitosSheet.game.id


def _with_editions(opener: Opener) -> Opener:
    """A page that finds the editions of the device among those there are."""

    def opened(shell: Shell, rest: list[str]) -> Page:
        register_kept(shell.store)
        return opener(shell, rest)

    return opened


_PAGES: Mapping[str, Opener] = {
    "": lambda shell, rest: Launcher(shell, COMPANIONS, BOARDS),
    "history": lambda shell, rest: History(shell, COMPANIONS),
    f"{links.ROUTE}/*": _linked,
    "games": lambda shell, rest: Library(shell),
    **{f"{game}/score": opener for game, opener in COMPANIONS.items()},
    f"{RITOS}/editions": EditionsPage,
    **{
        f"{game}/table": lambda shell, rest, game=game: TablePage(shell, game, rest)  # type: ignore[misc]
        for game in BOARDS
    },
    **{
        f"{game}/learn": lambda shell, rest, game=game: LessonPage(shell, game, rest)  # type: ignore[misc]
        for game in BOARDS
    },
    **{
        f"{game}/replay": lambda shell, rest, game=game: _replay(shell, game, rest)  # type: ignore[misc]
        for game in BOARDS
    },
    **{
        f"{game}/walk": lambda shell, rest, game=game: WalkPage.find(shell, game, rest)  # type: ignore[misc]
        for game in BOARDS
    },
    **{
        f"{game}/{name}": lambda shell, rest, page=page, game=game: page(shell, game, rest)  # type: ignore[misc]
        for name, page in (("explore", Explore), ("cards", CardPage), ("what-if", Lab))
        for game in games.GAMES
    },
    **{
        f"{game}/review": lambda shell, rest, game=game: _review(shell, game, rest)  # type: ignore[misc]
        for game in BOARDS
    },
    **{
        f"{game}/rules": lambda shell, rest, game=game: Rulebook(shell, game, rest)  # type: ignore[misc]
        for game in games.GAMES
    },
}

ROUTES: Mapping[str, Opener] = {
    route: _with_editions(opener) if route.startswith(f"{RITOS}/") else opener
    for route, opener in _PAGES.items()
}
