"""How values show themselves in a notebook.

The engine draws nothing. It only lets its values answer to ``_repr_html_`` and ``_repr_svg_``,
and passes the question on to a module that it is told the name of, and that is imported when
somebody looks for the first time.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_drawer = ""


def drawn_by(module: str) -> None:
    """Name the module that draws; it has ``html(value, game)`` and ``svg(value, game)``."""
    global _drawer
    _drawer = module


def html(value: object, game: type[Any] | None = None) -> str | None:
    """The value as HTML; None (show it as plain text) when nobody draws."""
    drawn: str | None = import_module(_drawer).html(value, game) if _drawer else None
    return drawn


def svg(value: object, game: type[Any] | None = None) -> str | None:
    """The value as an SVG image; None when nobody draws."""
    drawn: str | None = import_module(_drawer).svg(value, game) if _drawer else None
    return drawn


def let_show(kind: Any, game: type[Any]) -> None:
    """Let all values of a game's own type show themselves."""
    kind._repr_html_ = lambda value: html(value, game)
    kind._repr_svg_ = lambda value: svg(value, game)
