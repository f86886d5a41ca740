"""Layouts as they are drawn: pieces per area, knobs that are turned, lines with their rules."""

from __future__ import annotations

from typing import NamedTuple

from apps.explorer.layouts import spelled
from lovecraft import art
from lovecraft.core import ScoreLine
from lovecraft.explain.desks import Desk, Layout, desk
from lovecraft.explain.examples import example
from lovecraft.i18n import Message


class Chip(NamedTuple):
    """A piece as it is drawn: its name, its sigil, how often it lies there."""

    id: str
    name: Message
    sigil: str
    number: int = 1


class Laid(NamedTuple):
    """A layout as it is drawn, and where it lies in the laboratory."""

    areas: tuple[tuple[Message, tuple[Chip, ...]], ...]
    knobs: tuple[tuple[Message, Message], ...]
    lines: tuple[ScoreLine, ...]
    could: ScoreLine | None
    points: int
    href: str


def chip(table: Desk, piece: str) -> Chip:
    """A piece of a desk."""
    return Chip(piece, table.piece_name(piece), art.sigil_of(table.game, table.mark(piece)))


def laid(table: Desk, layout: Layout) -> Laid:
    """A layout with its score."""
    areas = []
    for area, lying in zip(table.areas, layout.areas, strict=True):
        if lying:
            kinds = dict.fromkeys(lying)
            chips = tuple(chip(table, p)._replace(number=lying.count(p)) for p in kinds)
            areas.append((table.area_name(area), chips))
    knobs = tuple(
        (table.knob_name(knob), table.setting_name(knob, setting))
        for knob, setting in zip(table.knobs, layout.knobs, strict=True)
        if setting != knob.values[0]
    )
    sheet = table.scores(layout)[0]
    could = table.could(layout)
    best = could[0] if could else None
    points = sheet.points + (best.points if best else 0)
    href = f"#/{table.game.id}/what-if/{spelled(table, layout)}"
    return Laid(tuple(areas), knobs, sheet.lines, best, points, href)


def laid_pair(rule: str) -> tuple[Laid, Laid] | None:
    """The smallest example of a rule and its near miss, to be drawn."""
    pair = example(rule)
    if pair is None:
        return None
    table = desk(rule.split("/")[0])
    return laid(table, pair.example.layout), laid(table, pair.miss.layout)
