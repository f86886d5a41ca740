"""At a notebook: values show themselves, and a stepper walks through a game.

States, observations, score sheets and records show themselves wherever IPython does; this module
is where their ``_repr_html_`` and ``_repr_svg_`` lead. It draws with the standard library alone;
only :func:`stepper` needs Panel.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lovecraft import games
from lovecraft.core import AnyGame, Event, LovecraftError, Record, ScoreSheet, UnknownName
from lovecraft.i18n import LANGUAGES, msg
from lovecraft.notebook import drawing, figures

if TYPE_CHECKING:
    from lovecraft.notebook.widget import Stepper

_lang = os.environ.get("LOVECRAFT_LANG", "")[:2]
_lang = _lang if _lang in LANGUAGES else "en"


class Missing(LovecraftError):
    """Something has to be installed before this works."""


class Shown:
    """A drawing that a notebook displays: ``html``, and ``svg`` where it is an image too."""

    def __init__(self, html: str, svg: str | None = None) -> None:
        self.html, self.svg = html, svg

    def _repr_html_(self) -> str:
        return self.html

    def _repr_svg_(self) -> str | None:
        return self.svg


def language(lang: str = "") -> str:
    """The language things are shown in; with an argument, from now on that one.

    Before the first call it is that of the environment variable ``LOVECRAFT_LANG``, else English.
    Raises UnknownName for a language that no catalogue has.
    """
    global _lang
    if lang:
        if lang not in LANGUAGES:
            raise UnknownName(msg("notebook.error.language", lang=lang[:20], known=LANGUAGES))
        _lang = lang
    return _lang


def html(value: object, game: type[Any] | None = None) -> str | None:
    """HTML for a State or Observation of ``game``, a ScoreSheet or a Record; else None."""
    figure = _figure(value, game)
    return drawing.html(figure) if figure else None


def svg(value: object, game: type[Any] | None = None) -> str | None:
    """The same as an SVG image."""
    figure = _figure(value, game)
    return drawing.svg(figure) if figure else None


def show(value: Any, names: Sequence[str] = ()) -> Shown:
    """A state or observation with the players' names, or the events that ``apply`` gave.

    Raises TypeError for what cannot be drawn.
    """
    if isinstance(value, tuple) and value and all(isinstance(one, Event) for one in value):
        game = games.get(value[0].rule.partition("/")[0])
        figure = figures.Figure("", (figures.Block("", figures.events(game, value, _lang, names)),))
        return Shown(drawing.html(figure))
    found = _figure(value, None, names)
    if not found:
        raise TypeError(f"{type(value).__name__}: there is no drawing of this")
    return Shown(drawing.html(found), drawing.svg(found))


def stepper(record: Record, seat: int | None = None, lang: str = "") -> Stepper:
    """A widget that walks through a game, as ``seat`` sees it (None: as an onlooker of all).

    Raises Missing where Panel is not installed.
    """
    try:
        from lovecraft.notebook.widget import Stepper
    except ModuleNotFoundError as missing:
        raise Missing(msg("notebook.error.panel", package=missing.name or "panel")) from missing
    return Stepper(record, seat, lang or _lang)


def _game_of(kind: type) -> tuple[AnyGame, str] | None:
    for game in games.GAMES.values():
        if kind is game.state_type:
            return game, "state"
        if kind is game.observation_type:
            return game, "observation"
    return None


def _figure(
    value: object, kind: type[Any] | None, names: Sequence[str] = ()
) -> figures.Figure | None:
    if isinstance(value, Record):
        return figures.record(value, _lang)
    if isinstance(value, ScoreSheet):
        if not value.lines:
            return None
        game = games.get(value.lines[0].rule.partition("/")[0])
        return figures.sheet(game, value, _lang, names)
    if kind is not None:
        rules = kind()
        drawn = figures.state if isinstance(value, rules.state_type) else figures.observation
        return drawn(rules, value, _lang, names)
    if found := _game_of(type(value)):
        game, name = found
        drawn = figures.state if name == "state" else figures.observation
        return drawn(game, value, _lang, names)
    return None
