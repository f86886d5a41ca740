"""What the players of a game are called who are no people."""

from __future__ import annotations

from apps.table.session import HUMAN
from lovecraft import bots
from lovecraft.i18n import Message, msg


def level_words(kind: str) -> Message:
    """The level of a bot, or that a person plays; what is not known here is shown as written."""
    level = kind.partition("@")[0]
    if level in bots.LEVELS or level == HUMAN:
        return msg(f"app.level.{level}")
    return msg("replay.kind-of-player", kind=kind)
