"""The colours of people: one each at a table, remembered by name, with a shape of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lovecraft.core.names import fold_name

COLOURS = ("cthulhu", "phnglui", "fhtagn", "mglwnafh", "ia", "wgahnagl", "rlyeh")
"""The runes whose colours they are: seven that can be told apart by day and by night."""

REMEMBERED = 100
"""People whose colours are remembered."""

Chosen = Mapping[str, int]


def chosen(settings: Mapping[str, Any]) -> dict[str, int]:
    """The colours that people have chosen, by folded name; nonsense left out."""
    kept = settings.get("colours")
    if not isinstance(kept, dict):
        return {}
    return {n: c for n, c in kept.items() if type(c) is int and 0 <= c < len(COLOURS)}


def remember(settings: Mapping[str, Any], name: str, colour: int) -> dict[str, int]:
    """The colours with one more chosen, the latest last."""
    kept = {n: c for n, c in chosen(settings).items() if n != fold_name(name)}
    return {**dict(list(kept.items())[1 - REMEMBERED :]), fold_name(name): colour}


def of_seats(names: Sequence[str], kept: Chosen) -> list[int]:
    """A colour for every seat, all different: the chosen ones first, then the next free."""
    found: dict[int, int] = {}
    for p, name in enumerate(names):
        colour = kept.get(fold_name(name)) if name else None
        if colour is not None and colour not in found.values():
            found[p] = colour
    for p in range(len(names)):
        free = (c % len(COLOURS) for c in range(p, p + len(COLOURS)))
        found.setdefault(p, next((c for c in free if c not in found.values()), p % len(COLOURS)))
    return [found[p] for p in range(len(names))]


def variable(colour: int) -> str:
    """The CSS variable of a colour."""
    return f"rune-{COLOURS[colour]}"
