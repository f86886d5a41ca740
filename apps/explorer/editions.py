"""Which edition the explorer is about, for games whose cards come from one."""

from __future__ import annotations

from apps.editions import offered
from apps.shell import Shell
from lovecraft.core import AnyGame
from lovecraft.core.options import label
from lovecraft.i18n import Message

SETTING = "explore-edition"


def choices(shell: Shell, game: AnyGame, now_shown: str = "") -> list[tuple[str, Message]]:
    """The editions offered by key, with their names; none where there is nothing to choose."""
    found = [
        (str(value), label(game.id, option.name, value))
        for option in game.options
        if option.data
        for value in offered(shell.store, option, now_shown)
    ]
    return found if len(found) > 1 else []


def chosen(shell: Shell, game: AnyGame) -> str:
    """The key of the edition that was chosen last, or an empty text."""
    wanted = shell.settings.get(SETTING)
    return str(wanted) if any(key == wanted for key, _ in choices(shell, game)) else ""


def choose(shell: Shell, game: AnyGame, key: str) -> bool:
    """Remember a choice; whether it is one."""
    if not any(key == one for one, _ in choices(shell, game)):
        return False
    shell.set(**{SETTING: key})
    return True
