"""The drawings: one sprite of sigils for the pages and the notebooks, and a hue for each.

A sigil is a decoration: what it means stands beside it in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from lovecraft.core.game import AnyGame


class Drawing(NamedTuple):
    """A symbol of the sprite: its ``viewBox``, and the elements in it."""

    box: str
    body: str


# Each stands out against white and against black (contrast 3 : 1 and more), so one does for both.
_GOLD, _BLUE, _PURPLE, _GREEN = "#a07612", "#3f7fc9", "#9a62bd", "#2f8f5f"
_TEAL, _PINK, _RED, _GREY = "#1f8a99", "#c0558f", "#c65a34", "#80786c"
HUES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("ia", "manuscripts", "pnakotic", "yellow-sign", "dawn"), _GOLD),
        **dict.fromkeys(("phnglui", "locations", "blue", "miskatonic"), _BLUE),
        **dict.fromkeys(("mglwnafh", "outer-gods", "purple"), _PURPLE),
        **dict.fromkeys(("cthulhu", "races", "green", "elder-sign"), _GREEN),
        **dict.fromkeys(("rlyeh", "great-old-ones"), _TEAL),
        **dict.fromkeys(("wgahnagl",), _PINK),
        **dict.fromkeys(("fhtagn", "madness", "red", "necronomicon"), _RED),
    }
)


def hue(name: str) -> str:
    """The colour of a sigil as CSS writes it; grey for those that have none of their own."""
    return HUES.get(name, _GREY)


@cache
def sprite() -> str:
    """The SVG sprite of all sigils (``s-…``) and signs (``i-…``), to be put into a page once."""
    return resources.files(__name__).joinpath("sigils.svg").read_text("utf-8")


@cache
def _drawings() -> Mapping[str, Drawing]:
    symbols = re.findall(r'<symbol id="s-([\w-]+)" viewBox="([^"]+)">(.*?)</symbol>', sprite())
    return {name: Drawing(box, body) for name, box, body in symbols}


def drawing(name: str) -> Drawing:
    """A sigil by its name.

    >>> drawing("dawn").box
    '0 0 48 48'
    """
    return _drawings()[name]


def sigil_of(game: AnyGame, card: str) -> str:
    """The name of the sigil that a card or token bears, or "" when it bears none.

    A rune has its own; other cards have that of their suit, symbol or colour.
    """
    known = _drawings()
    group = next((face.group for face in game.cards if face.id == card), "")
    for name in (group, card, re.split(r"[-\d]", card)[0]):
        if name in known:
            return name
    return "no-suit" if any(face.id == card for face in game.cards) else ""
