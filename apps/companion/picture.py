"""A picture of a finished sheet, as one SVG: drawn on the device, to be shared as an image.

Sizes are in the units of the SVG, ``WIDTH`` across; letters are about ``EM`` of their size wide,
which is close enough to put one thing beside another. All that people typed is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from lovecraft import art

WIDTH = 1080
MARGIN = 60
EM = 0.56
LINE = 62
PAPER, SHEET, INK, FAINT, EDGE, GOLD = (
    "#f4ead5", "#fffaf0", "#2b2117", "#6a5a45", "#d8c6a3", "#85600f",
)  # fmt: skip
SERIF, SANS = "Georgia, serif", "system-ui, Roboto, 'Noto Sans', sans-serif"


class Item(NamedTuple):
    """A card, token or rune as it is shown: its sigil (or none), and what stands beside it."""

    sigil: str
    words: str


class Row(NamedTuple):
    """What lies before a player in one part of the game."""

    head: str
    items: tuple[Item, ...]


class Seat(NamedTuple):
    """One player's part of the picture."""

    name: str
    total: int
    won: bool
    rows: tuple[Row, ...]


def draw(title: str, day: str, verdict: str, seats: Sequence[Seat]) -> str:
    """The picture as the text of an SVG file with its own colours and drawings."""
    parts: list[Markup] = [
        _text(MARGIN, 108, title, 56, INK, SERIF, bold=True),
        _text(WIDTH - MARGIN, 108, day, 32, FAINT, anchor="end"),
    ]
    y = 140
    for line in _wrapped(verdict, 36, WIDTH - 2 * MARGIN):
        y += 46
        parts.append(_text(MARGIN, y, line, 36, INK))
    y += 40
    for seat in seats:
        drawn, y = _seat(seat, y)
        parts += drawn
    height = y + MARGIN // 2
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}"'
            ' height="{h}"><path fill="{paper}" d="M0 0h{w}v{h}H0z"/>{parts}</svg>'
        ).format(w=WIDTH, h=height, paper=PAPER, parts=Markup("").join(parts))
    )


def _seat(seat: Seat, top: int) -> tuple[list[Markup], int]:
    inner = MARGIN + 30
    y = top + 76
    parts = [
        _text(inner, y, _cut(seat.name, 44, 720), 44, INK, SANS, bold=True),
        _text(WIDTH - inner, y + 6, str(seat.total), 64, INK, SANS, bold=True, anchor="end"),
    ]
    y += 24
    for row in seat.rows:
        x = inner
        y += LINE
        if row.head:
            parts.append(_text(x, y, row.head, 30, FAINT))
            x += _wide(row.head, 30) + 20
        first = x
        for item in row.items:
            wide = (44 if item.sigil else 0) + _wide(item.words, 32) + 26
            if x > first and x + wide > WIDTH - inner:
                x, y = first, y + LINE
            if item.sigil:
                parts.append(_sigil(item.sigil, x, y - 32))
                x += 44
            parts.append(_text(x, y, item.words, 32, INK))
            x += _wide(item.words, 32) + 26
    height = y + 36 - top
    frame = Markup(
        '<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="24" fill="{sheet}" stroke="{edge}"'
        ' stroke-width="{line}"/>'
    ).format(
        x=MARGIN, y=top, w=WIDTH - 2 * MARGIN, h=height, sheet=SHEET,
        edge=GOLD if seat.won else EDGE, line=7 if seat.won else 2,
    )  # fmt: skip
    return [frame, *parts], top + height + 28


def _text(
    x: int, y: int, words: str, size: int, fill: str, font: str = SANS, *, bold: bool = False,
    anchor: str = "start",
) -> Markup:  # fmt: skip
    return Markup(
        '<text x="{}" y="{}" font-family="{}" font-size="{}" font-weight="{}" fill="{}"'
        ' text-anchor="{}">{}</text>'
    ).format(x, y, font, size, 700 if bold else 400, fill, anchor, words)


def _sigil(name: str, x: int, y: int) -> Markup:
    drawing = art.drawing(name)
    style = "fill:none;stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round;stroke:"
    body = drawing.body.replace('class="f"', f'style="fill:{art.hue(name)};stroke:none"')
    return Markup(
        '<svg x="{}" y="{}" width="38" height="38" viewBox="{}" style="{}">{}</svg>'
    ).format(x, y, drawing.box, style + art.hue(name), Markup(body))  # noqa: S704 - our own art


def _wide(words: str, size: int) -> int:
    return round(len(words) * EM * size)


def _cut(words: str, size: int, room: int) -> str:
    most = int(room / (EM * size))
    return words if len(words) <= most else words[: most - 1] + "…"


def _wrapped(words: str, size: int, room: int) -> Iterator[str]:
    line = ""
    for word in words.split():
        if line and _wide(f"{line} {word}", size) > room:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line
