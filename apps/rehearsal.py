"""What people will do first, done once before the memory snapshot is taken.

Templates are compiled, catalogues read and caches filled, so that the first tap finds them warm.
Nothing of it stays: the shells used here are thrown away.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from apps.explorer.walk import sample_text
from apps.host import MemoryHost
from apps.pages import ROUTES
from apps.shell import Shell
from apps.table.boards import BOARDS
from apps.table.page import TablePage
from apps.view import environment
from lovecraft.core import AnyGame
from lovecraft.explain.examples import rules_with_examples
from lovecraft.games import GAMES
from lovecraft.i18n import LANGUAGES

SCORING: dict[str, tuple[tuple[str, list[Any]], ...]] = {
    "ancient-cards": (
        ("rune", ["ia", 1]),
        ("rune", ["ia", -1]),
        ("undo", []),
        ("place", [1, 0]),
    ),
    "mythicals": (
        ("token", ["blue-2"]),
        ("markers", [1]),
        *(("card", [card]) for card in ("red1", "red2", "blue2")),
        ("claim", ["red-2", 0]),
        ("light", ["0-0"]),
    ),
    "ritos-ancestrais": (
        ("ritual", ["whisper"]),
        ("cult", ["azathoth"]),
        *(("card", [card, 1]) for card in ("nodens", "nodens", "mi-go")),
        ("pay", ["whisper", 0]),
        ("light", ["r0"]),
    ),
    "tides-of-madness": (
        *(("card", [card]) for card in ("dagon", "azathoth", "hastur", "dreamlands", "innsmouth")),
        *(("card", [card]) for card in ("cthulhu", "rlyeh", "deep-ones", "necronomicon")),
        ("card", ["nyarlathotep"]),
        ("choice", ["points"]),
        ("light", ["0-0"]),
        ("place", [0, 1]),
        ("card", ["dagon"]),
    ),
}


WALKED = ("ancient-cards", "tides-of-madness")
"""The games whose sample is walked beforehand: it leaves no large tables behind."""

PLAYED = 3
"""So many choices of each game are gone through."""


async def _visit(lang: str) -> None:
    shell = Shell(ROUTES, lambda view: None)
    await shell.wake(MemoryHost(lang=lang, languages=[lang], build="rehearsal"))
    await shell.show()
    shell.set(pace="instant")
    for route in ROUTES:
        shell.open(f"#/{route}")
        await shell.show()
    for game, taps in SCORING.items():
        shell.open(f"#/{game}/score")
        for name, args in taps:
            await shell._do(name, args, None)
            await shell.show()
    for game in BOARDS:
        shell.open(f"#/{game}/table/new")
        await shell._do("start", [], None)
        await shell.show()
        page = shell.page
        for _ in range(PLAYED):
            if isinstance(page, TablePage) and page.session and page.seen.actions:
                spelled = page.game.action_to_json(page.seen.actions[0])
                await shell._do("play", [spelled, page.session.at], None)
                await shell.show()
        if isinstance(page, TablePage) and page.session:
            shell.open(f"#/{game}/replay/{page.session.id}")
            await shell._do("step", [1], None)
            await shell.show()
    shell.open("#/games")
    await shell.show()
    for rules in GAMES.values():
        await _explore(shell, rules)


async def _explore(shell: Shell, game: AnyGame) -> None:
    """The explorer's pages, with the examples found by search.

    What fills large tables is left for the device: readings, simulated games, the search's index.
    """
    shell.open(f"#/{game.id}/explore/{game.phases[0].id}")
    await shell.show()
    for rule in rules_with_examples(game.id):
        shell.open(f"#/{game.id}/rules/{rule}")
        await shell.show()
    shell.open(f"#/{game.id}/cards/{game.cards[0].id}")
    await shell.show()
    sample_text(game.id)
    if game.id in WALKED:
        shell.open(f"#/{game.id}/walk/sample/1")
        await shell.show()
    shell.open(f"#/{game.id}/what-if")
    for name, args in (("take", [0, 0]), ("best", [0])):
        await shell._do(name, args, None)
        await shell.show()


def rehearse() -> None:
    """Visit every page in every language; compile what no visit shows."""
    for template in environment().list_templates(extensions=["html"]):
        environment().get_template(template)
    for lang in LANGUAGES:
        _run(_visit(lang))


def _run(rehearsal: Coroutine[Any, Any, None]) -> None:
    """Drive a coroutine that never really waits: there is no event loop before the snapshot."""
    try:
        while True:
            rehearsal.send(None)
    except StopIteration:
        return
