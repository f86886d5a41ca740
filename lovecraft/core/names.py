"""What people may be called: one policy for records, score sheets, tables and companion.

A name is 1 to 40 characters in NFC with single blanks, of which something shows. Nothing in it
steers a terminal, hides, or turns the text around it; letters of every direction and emoji, also
those joined from several, are welcome.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from lovecraft.core.errors import InvalidRecord, LovecraftError
from lovecraft.i18n import msg

MAX_NAME = 40

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that change the direction of the text after them."""

_JOINERS = frozenset("\u200c\u200d") | {chr(c) for c in range(0xE0020, 0xE0080)}
"""Invisible characters with a use: they join letters, and emoji such as families and flags."""


def clean_name(name: object, place: str, error: type[LovecraftError] = InvalidRecord) -> str:
    """A player's name in one spelling; what breaks the policy is refused with ``error``."""
    if not isinstance(name, str):
        raise error(msg("error.name-empty"), place)
    cleaned = unicodedata.normalize("NFC", " ".join(name.split()))
    kinds = {unicodedata.category(c) for c in cleaned}
    if kinds & {"Cc", "Cs"} or _TURNING.search(cleaned):
        raise error(msg("error.name-characters"), place)
    if not kinds - {"Cf", "Mn", "Me", "Zs"}:
        raise error(msg("error.name-empty"), place)
    if len(cleaned) > MAX_NAME:
        raise error(msg("error.name-long", most=MAX_NAME), place)
    return cleaned


def tidy_name(typed: str) -> str:
    """A name as somebody typed it, made to fit the policy; empty when nothing of it shows.

    >>> tidy_name("  Ana\\t\\u202eMaria ")
    'Ana Maria'
    """
    joined = " ".join(typed.split())
    seen = "".join(c for c in joined if c in _JOINERS or _shows(c))
    cut = unicodedata.normalize("NFC", " ".join(seen.split()))[:MAX_NAME].strip()
    if not {unicodedata.category(c) for c in cut} - {"Cf", "Mn", "Me", "Zs"}:
        return ""
    return cut


def _shows(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names told apart: whoever is called as somebody before gets a number; empty ones stay.

    >>> apart(("Ana", "Ion", "ana", "", ""))
    ('Ana', 'Ion', 'ana 2', '', '')
    """
    given = {fold_name(name) for name in names}
    used: set[str] = set()
    found = []
    for name in names:
        told, number = name, 2
        while name and fold_name(told) in (used if told is name else used | given):
            told, number = numbered(name, number), number + 1
        used.add(fold_name(told))
        found.append(told)
    return tuple(found)


def numbered(name: str, number: int) -> str:
    """A name with a number behind it, within the limit."""
    end = f" {number}"
    return name[: MAX_NAME - len(end)].rstrip() + end


def fold_name(name: str) -> str:
    """What two names that read alike have in common."""
    return unicodedata.normalize("NFKC", name).casefold()
