"""The phases of a game as data: a map that can be drawn, and checked against play."""

from __future__ import annotations

from typing import Literal, NamedTuple

from lovecraft.i18n import Message, msg

Who = Literal["chance", "one", "all", "nobody"]
"""Who is to move in a phase: chance, one seat, all seats at once, or nobody (the game is over)."""


class Phase(NamedTuple):
    """One phase: who is to move, by which rules, and the phases that can come next.

    Its name is the catalogue entry ``phase.<game>.<id>``. ``rules`` are rule ids, the one that
    says what is to be done first.
    """

    id: str
    who: Who
    rules: tuple[str, ...]
    then: tuple[str, ...] = ()

    @property
    def name(self) -> Message:
        return msg(f"phase.{self.rules[0].split('/')[0]}.{self.id}")
