"""A whole game in a link: handed on in turn, each takes an own seat; nothing is stored elsewhere.

The letters hold the record, the name that the game has on the devices, and the seed for what chance
and bots do next, so that a game goes on the same way wherever it is gone on with.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from apps.packing import pack, unpack
from apps.shell import Shell
from apps.table import archive
from apps.table.session import TableSession
from lovecraft import games
from lovecraft.core import InvalidRecord, LovecraftError, Record
from lovecraft.i18n import Message, msg, text

ROUTE = "play"
VERSION = 1
LONGEST = 100_000
"""Letters of a link that is still read; usual games take 1,000 to 2,000."""

MOST = 1_000_000
"""Bytes of what a link holds, unpacked."""

WORRYING = 8_000
"""Letters from which on some programs are known to cut links off."""


class Linked(NamedTuple):
    """What a link holds."""

    id: str
    seed: str
    record: Record


def linked(session: TableSession) -> Linked:
    """What a link to a game at the table holds."""
    return Linked(session.id, str(session.match.seed), session.match.record)


def to_link(game: Linked) -> str:
    """The address of a whole game."""
    record = game.record.to_json(brief=True)
    value = {"v": VERSION, "id": game.id, "seed": game.seed, "record": record}
    return f"#/{ROUTE}/{pack(value)}"


def from_letters(letters: str) -> Linked:
    """The game of a link, played through again. Raises InvalidRecord with the place."""
    if len(letters) > LONGEST:
        raise InvalidRecord(msg("link.too-long", most=LONGEST))
    try:
        value = unpack(letters, MOST)
    except ValueError:
        raise InvalidRecord(msg("link.damaged")) from None
    if not isinstance(value, dict) or value.get("v") != VERSION:
        raise InvalidRecord(msg("link.damaged"))
    ident, seed = value.get("id"), value.get("seed")
    if not isinstance(ident, str) or not re.fullmatch("[0-9a-f]{12}", ident):
        raise InvalidRecord(msg("link.damaged"), "id")
    if not isinstance(seed, str) or not 0 < len(seed) <= 64:
        raise InvalidRecord(msg("link.damaged"), "seed")
    return Linked(ident, seed, Record.from_json(value.get("record"), games.get))


def share(shell: Shell, game: Linked) -> None:
    """Hand the link over to whatever the device shares with."""
    link = to_link(game)
    shell.tell(share={"hash": link, "title": text(game.record.game.name, shell.lang)})
    kind = "link.sent-long" if len(link) > WORRYING else "link.sent"
    shell.notice = msg(kind, n=len(link))


def whose_turn(names: tuple[str, ...], seats: list[int]) -> Message:
    """Who is to move, by name."""
    return msg("link.turn", n=len(seats), players=tuple(names[seat] for seat in seats))


def refused(wrong: LovecraftError) -> Message:
    """Why a link is not opened."""
    return msg("link.refused", reason=archive.told(wrong))
