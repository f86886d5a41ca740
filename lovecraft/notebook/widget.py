"""A widget that walks through a game, made of Panel's own parts.

Importing this module imports Panel; use :func:`lovecraft.notebook.stepper`.
"""

# mypy: allow-untyped-calls
# (Panel has types for some of its functions only)

from __future__ import annotations

from typing import Any

import panel as pn

from lovecraft.core import Record
from lovecraft.core.errors import UnknownName
from lovecraft.explain.walk import Mover, Scene, Walk
from lovecraft.i18n import Message, Seat, msg
from lovecraft.notebook import drawing, figures
from lovecraft.notebook.figures import Block, Figure
from lovecraft.notebook.pieces import Line, Writer

EVERYBODY = -1
"""The view in which all seats' cards lie open."""

_HEIGHT = 44  # pixels: as much as a finger needs


class Stepper:
    """Walks a record: forward, back, anywhere; in the view of one seat or of all.

    ``at`` is the number of moves made before the position shown, ``seat`` whose view it is
    (EVERYBODY: all). Both can be read and set; ``layout`` is the Panel object that is displayed.
    """

    def __init__(self, record: Record, seat: int | None, lang: str) -> None:
        if seat is not None and not 0 <= seat < len(record.players):
            raise UnknownName(msg("error.record-seat"))
        self.walk = Walk(record)
        self.write = Writer(record.game, lang, record.names)
        words = self.write.words
        last = len(self.walk) - 1
        size: dict[str, Any] = {"height": _HEIGHT}
        self.back = pn.widgets.Button(label=f"◀ {words('notebook.back')}", **size)
        self.forward = pn.widgets.Button(
            label=f"{words('notebook.forward')} ▶", color="primary", **size
        )
        self.slider = pn.widgets.IntSlider(
            label=words("notebook.position"), start=0, end=max(last, 1), value=0,
            disabled=last < 1, sizing_mode="stretch_width",
        )  # fmt: skip
        views = {words("notebook.everybody"): EVERYBODY}
        views |= {
            f"{i + 1} · {name}" if list(record.names).count(name) > 1 else name: i
            for i, name in enumerate(record.names)
        }
        self.view = pn.widgets.Select(
            label=words("notebook.view"), options=views, width=220,
            value=EVERYBODY if seat is None else seat,
        )  # fmt: skip
        self.action = pn.widgets.Select(label=words("notebook.ask"), options={}, width=420)
        self.position = pn.pane.HTML("", sizing_mode="stretch_width")
        self.answer = pn.pane.HTML("", sizing_mode="stretch_width")
        self.layout = pn.Column(
            pn.Row(self.back, self.forward, self.view),
            self.slider,
            self.position,
            self.action,
            self.answer,
            sizing_mode="stretch_width",
            max_width=960,
        )
        self.back.on_click(lambda _: self._go(-1))
        self.forward.on_click(lambda _: self._go(1))
        for widget in (self.slider, self.view):
            widget.param.watch(lambda _: self._paint(), "value")
        self.action.param.watch(lambda _: self._answer(), "value")
        self._paint()

    @property
    def at(self) -> int:
        return int(self.slider.value or 0)

    @at.setter
    def at(self, moves: int) -> None:
        self.slider.value = max(0, min(moves, len(self.walk) - 1))

    @property
    def seat(self) -> int:
        seat: int = self.view.value
        return seat

    @seat.setter
    def seat(self, seat: int) -> None:
        self.view.value = seat

    def _go(self, by: int) -> None:
        self.at += by

    def _seen(self, seat: int) -> bool:
        """Whether a seat's choices may be shown in this view."""
        return self.seat in (EVERYBODY, seat)

    def _paint(self) -> None:
        scene = self.walk[self.at]
        self.back.disabled, self.forward.disabled = self.at == 0, self.at == len(self.walk) - 1
        self.position.object = drawing.html(self._figure(scene))
        options: dict[str, Message | None] = {}
        for mover in scene.movers:
            if self._seen(mover.seat):
                options |= self._options(mover)
        for waiting in scene.waiting:
            if self._seen(waiting.seat):
                asked = self.write.words("notebook.ask-turn", player=Seat(waiting.seat))
                options[asked] = msg(
                    "notebook.refused", why=waiting.why, rule=self._rule(waiting.rule)
                )
        self._reasons = options
        names = list(options)
        self.action.param.update(options=names, value=names[0] if names else None)
        self.action.visible = bool(names)
        self._answer()

    def _options(self, mover: Mover) -> dict[str, Message | None]:
        """What one might do, each with why not (None: it is allowed); the forbidden first."""
        several = self.seat == EVERYBODY and len(self.walk[self.at].movers) > 1
        who = f"{self.write.names[mover.seat]} · " if several else ""
        state = self.walk.state(self.at)
        found: dict[str, Message | None] = {}
        for refusal in mover.refused:
            for choice in refusal.choices:
                why = self.walk.game.why_not(state, mover.seat, choice.action)
                reason = why.message if why else refusal.why
                told = msg("notebook.refused", why=reason, rule=self._rule(refusal.rule))
                found[f"✗ {who}{self.write.words(choice.text)}"] = told
        for choice in mover.legal:
            found[f"✓ {who}{self.write.words(choice.text)}"] = None
        return found

    def _rule(self, rule: str) -> Message:
        title: Message = self.walk.game.rules[rule].title
        return title

    def _answer(self) -> None:
        name = self.action.value
        if name not in self._reasons:
            self.answer.object = ""
            return
        reason = self._reasons[name] or msg("notebook.allowed")
        line = Line("", self.write.pieces(reason))
        self.answer.object = drawing.html(Figure("", (Block("", (line,)),)))

    def _figure(self, scene: Scene) -> Figure:
        """The position, and above it what led to it."""
        game, names, lang = self.walk.game, self.write.names, self.write.lang
        if self.seat == EVERYBODY:
            figure = figures.state(game, scene.state, lang, names)
        else:
            figure = figures.observation(game, game.observe(scene.state, self.seat), lang, names)
            figure = figure._replace(note=figures.whose_turn(self.write, scene.state))
        phase = self.write.words(scene.phase.name)
        figure = figure._replace(note=f"{phase} · {figure.note}")
        blocks = []
        if scene.at:
            told = self.walk[scene.at - 1].events
            if self.seat != EVERYBODY:
                told = tuple(event.seen_by(self.seat) for event in told)
            heading = self.write.words("notebook.happened", number=scene.at)
            lines = figures.events(game, told, lang, names)
            blocks.append(Block(heading, lines))
        return figure._replace(blocks=(*blocks, *figure.blocks))

    def __panel__(self) -> Any:
        return self.layout

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if not pn.extension._loaded:
            # Scripts come with the installed package, so that no network is needed. For all else
            # Panel 1.9 would lose changes to what is displayed.
            with pn.config.set(inline=True):
                pn.extension()
        bundle: Any = self.layout._repr_mimebundle_(include, exclude)
        return bundle
