"""Messages as pieces to draw: words, and chips for the cards that are named in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lovecraft import art
from lovecraft.core import AnyGame
from lovecraft.i18n import Message, Seat, text


class Chip(NamedTuple):
    """A card or token: its sigil ("" for none), its name in words, how many of it (0: one)."""

    sigil: str
    name: str
    number: int = 0


Piece = str | Chip


class Line(NamedTuple):
    """A label (may be empty) and what stands behind it."""

    label: str
    pieces: tuple[Piece, ...]


_OPEN, _CLOSE = "\ue000", "\ue001"  # from Unicode's private use: in no word of ours
_CHIP = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_PRIVATE = {ord(_OPEN): None, ord(_CLOSE): None}
_LABEL = re.compile(r"([^:]{1,60}):\s*")


def _unlisted(before: Piece | None, piece: Piece) -> Piece:
    """Words without the comma that leads from a chip to the next: chips stand apart as they are."""
    if isinstance(piece, Chip) or not isinstance(before, Chip):
        return piece
    return re.sub(r",\s*$", " ", piece)


class Writer:
    """Turns messages of one game into pieces, in one language and with the players' names."""

    def __init__(self, game: AnyGame, lang: str, names: Sequence[str] = ()) -> None:
        self.game, self.lang = game, lang
        self.names = tuple(name.translate(_PRIVATE) for name in names)

    def words(self, message: Message | str, **parameters: object) -> str:
        """The words alone."""
        return text(message, self.lang, self.names, **parameters)

    def pieces(self, message: Message) -> tuple[Piece, ...]:
        """The words of a message with every card in it as a chip."""
        chips: list[Chip] = []

        def mark(value: object) -> object:
            if isinstance(value, Message):
                chip = self._chip(value)
                if chip is None:
                    return Message(value.key, tuple((k, mark(v)) for k, v in value.params))
                chips.append(chip)
                return f"{_OPEN}{len(chips) - 1}{_CLOSE}"
            if isinstance(value, str):
                return value.translate(_PRIVATE)
            if isinstance(value, tuple) and not isinstance(value, Seat):
                return tuple(map(mark, value))
            return value

        marked = mark(message)
        spelled = marked if isinstance(marked, str) else text(marked, self.lang, self.names)  # type: ignore[arg-type]
        parts = _CHIP.split(spelled)  # words and numbers of chips in turn
        found: list[Piece] = [
            chips[int(part)] if i % 2 else part for i, part in enumerate(parts) if part
        ]
        kept = map(_unlisted, (None, *found), found)
        return tuple(piece for piece in kept if piece != " ")

    def line(self, message: Message) -> Line:
        """A message as a line, split where its words say "label: …"."""
        pieces = self.pieces(message)
        if not pieces or isinstance(pieces[0], Chip):
            return Line("", pieces)
        first, rest = pieces[0], pieces[1:]
        found = _LABEL.match(first)
        if not found or (not rest and found.end() == len(first)):
            return Line("", pieces)
        words = first[found.end() :]
        return Line(found[1], (words, *rest) if words else rest)

    def lines(self, messages: Iterable[Message]) -> tuple[Line, ...]:
        return tuple(map(self.line, messages))

    def list(self, label: str, messages: Iterable[Message]) -> Line:
        """Several messages behind one label, each a chip of its own."""
        return Line(label, tuple(self._as_chip(message) for message in messages))

    def _chip(self, message: Message) -> Chip | None:
        """The chip for the name of a card, or for a number of it."""
        if message.key == "core.times":
            of = dict(message.params)
            thing, n = of.get("thing"), of.get("n")
            if isinstance(thing, Message) and isinstance(n, int) and (one := self._chip(thing)):
                return one._replace(number=n if n > 1 else 0)
        if not message.key.startswith(f"card.{self.game.id}."):
            return None
        sigil = art.sigil_of(self.game, message.key.rpartition(".")[2])
        return Chip(sigil, text(message, self.lang))

    def _as_chip(self, message: Message) -> Chip:
        """A whole message as one chip, with the sigil of the first card in it."""
        first = next((p for p in self.pieces(message) if isinstance(p, Chip)), Chip("", ""))
        return Chip(first.sigil, self.words(message))
