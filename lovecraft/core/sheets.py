"""Checks that the scoring sheets of all games share; every refusal names its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidSheet
from lovecraft.core.scoring import ScoreSheet
from lovecraft.i18n import msg, text


def expect_fields(
    value: Json, place: str, required: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Any]:
    """An object that has all required fields and no others than the optional ones."""
    if not isinstance(value, dict):
        raise InvalidSheet(msg("error.json-kind", expected="{…}"), place or "sheet")
    for name in required:
        if name not in value:
            raise InvalidSheet(msg("error.missing", name=name), place or "sheet")
    for name in value:
        if name not in required and name not in optional:
            at = f"{place}.{name[:40]}" if place else name[:40]
            raise InvalidSheet(msg("error.unexpected"), at or "sheet")
    return value


def expect_list(value: Json, place: str, least: int, most: int) -> list[Any]:
    """A list with a number of entries within bounds (both included)."""
    if not isinstance(value, list):
        raise InvalidSheet(msg("error.json-kind", expected="[…]"), place)
    if not least <= len(value) <= most:
        if least == most:
            raise InvalidSheet(msg("error.list-exact", n=len(value), exact=least), place)
        raise InvalidSheet(msg("error.list-size", n=len(value), least=least, most=most), place)
    return value


def same_name_twice(names: Sequence[str], place: str) -> None:
    """Refuse the last name if it was given before: winners are told by name."""
    if names and names[-1] in names[:-1]:
        raise InvalidSheet(msg("error.name-twice", name=names[-1]), place)


def lines_json(sheet: ScoreSheet, lang: str, cards: str = "cards") -> list[Json]:
    """The lines of a score as JSON: points, cards (under the given name), rule id, text."""
    return [
        {
            "points": line.points,
            cards: list(line.cards),
            "rule": line.rule,
            "text": text(line.text, lang),
        }
        for line in sheet.lines
    ]
