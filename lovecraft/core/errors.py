"""Errors are sentences for people: what is wrong, where, and which rule says so."""

from __future__ import annotations

from collections.abc import Sequence

from lovecraft.i18n import Message, text


class LovecraftError(Exception):
    """Base of everything the engine refuses.

    ``message`` is a catalogue message; ``place`` names the spot in the input (``players[1].name``)
    or is empty.
    """

    def __init__(self, message: Message, place: str = "") -> None:
        super().__init__(message, place)
        self.message = message
        self.place = place

    def text(self, lang: str = "en", names: Sequence[str] = ()) -> str:
        """One sentence in ``lang``, led by the place where there is one."""
        words = text(self.message, lang, names)
        return f"{self.place}: {words}" if self.place else words

    def __str__(self) -> str:
        return self.text()


class IllegalAction(LovecraftError):
    """An action the rules forbid now; ``rule`` is the id of the rule that does."""

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(message)
        self.rule = rule


class InvalidOption(LovecraftError):
    """A number of players or an option outside what the game allows."""


class InvalidRecord(LovecraftError):
    """A record that is damaged, edited, or does not replay."""


class InvalidSheet(LovecraftError):
    """A score sheet that cannot be: not of the right form, or impossible at a real table."""


class UnknownName(LovecraftError):
    """A game, bot, rule or language that does not exist."""
