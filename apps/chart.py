"""Charts: what is drawn, as plain data; ``static/chart.js`` lets BokehJS draw it.

How to use one: make it, hand it to a template, and draw it there, with an id unique on the page::

    chart = compared("lines", msg("review.course"), msg("score.round"), (1, 2), {"Ana": (4, 9)})

    {% import "charts.html" as charts %}
    {{ charts.figure(t, chart, "by-round") }}

The figure has the title as its caption and the same figures as a table, which is what a screen
reader reads; the drawing is for eyes only. It follows the theme, the text size and the width, and
takes no touches, so that a page scrolls under the thumb.

Labels are messages (put into the language of the page), or texts and numbers shown as they are.
Nothing of Bokeh's Python is used: its models would cost the memory snapshot about a megabyte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lovecraft.i18n import Message, msg

Label = Message | str | int
"""A message, or a text or number that is shown as it stands."""

Number = int | float

Words = Callable[[Message], str]
"""Puts a message into the language of the page: a template's ``t``."""

Kind = Literal["lines", "bars", "stacked", "columns"]

MOST_SERIES = 7
"""So many series can be told apart, by shape as well as by colour."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart. ``series`` holds, by name, one value per category; None where there is none."""

    kind: Kind
    title: Label
    head: Label
    """What the categories are, such as “Round”."""
    categories: tuple[Label, ...]
    series: tuple[tuple[Label, tuple[Number | None, ...]], ...]
    figure: str
    """The catalogue entry in which a value is shown, with ``figure`` as its parameter."""
    told: Label | None = None
    """A sentence that says what is to be seen."""
    most: Number | None = None
    """The end of the scale, where it should not follow from the values."""
    colours: tuple[str, ...] = ()
    """The CSS variable with each series' colour (without dashes), where it has one of its own."""

    def __post_init__(self) -> None:
        """Raises ValueError when there is nothing to draw or more than can be told apart."""
        if not self.categories or not self.series or len(self.series) > MOST_SERIES:
            raise ValueError(f"{len(self.categories)} categories, {len(self.series)} series")
        if any(len(values) != len(self.categories) for _, values in self.series):
            raise ValueError("each series has one value per category")

    def shown(self, value: Number | None, t: Words) -> str:
        """A value in words; nothing is a dash."""
        if value is None:
            return "–"
        rounded = round(value, 1) if isinstance(value, float) else value
        return t(msg(self.figure, figure=rounded))

    def spec(self, t: Words) -> str:
        """What ``static/chart.js`` draws, as JSON."""
        columns = zip(*(values for _, values in self.series), strict=True)
        value = {
            "kind": self.kind,
            "categories": [label(one, t) for one in self.categories],
            "series": [
                {
                    "name": label(name, t),
                    "values": values,
                    "shown": [self.shown(one, t) for one in values],
                }
                for name, values in self.series
            ],
            "sums": [self.shown(sum(filter(None, column)), t) for column in columns],
            "most": self.most,
            "colours": self.colours,
        }
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def table(self, t: Words) -> tuple[list[str], list[list[str]]]:
        """The same as a table: its head, and one row per category."""
        head = [label(self.head, t), *(label(name, t) for name, _ in self.series)]
        rows = [
            [label(one, t), *(self.shown(values[at], t) for _, values in self.series)]
            for at, one in enumerate(self.categories)
        ]
        return head, rows


def label(value: Label, t: Words) -> str:
    """A label in the language of the page."""
    return t(value) if isinstance(value, Message) else str(value)


Series = Mapping[str, Sequence[Number | None]] | Sequence[tuple[Label, Sequence[Number | None]]]
"""Values by name; as pairs where two may be called alike or a name is a message."""


def compared(
    kind: Kind,
    title: Label,
    head: Label,
    categories: Sequence[Label],
    series: Series,
    *,
    figure: str = "chart.figure",
    told: Label | None = None,
    most: Number | None = None,
    colours: Sequence[str] = (),
) -> Chart:
    """Series over the same categories.

    ``lines``: one line per series over categories in their order, as the score after each round;
    ``stacked``: per category one lying bar made of the series' parts, as where points came from.
    The other kinds are :func:`bars` and :func:`distribution`.
    """
    pairs = series.items() if isinstance(series, Mapping) else series
    named = tuple((name, tuple(values)) for name, values in pairs)
    filled = tuple(categories)
    return Chart(kind, title, head, filled, named, figure, told, most, tuple(colours))


def bars(
    title: Label,
    head: Label,
    values: Sequence[tuple[Label, Number]],
    *,
    value: Label,
    figure: str = "chart.figure",
    told: Label | None = None,
    most: Number | None = None,
) -> Chart:
    """One bar per category, lying, its name above it: long names fit a phone.

    ``value`` says what the bars measure. Chances: ``figure="chart.percent"``, values from 0 to
    100 and ``most=100``.
    """
    categories = [one for one, _ in values]
    series = [(value, [number for _, number in values])]
    return compared("bars", title, head, categories, series, figure=figure, told=told, most=most)


def distribution(
    title: Label,
    head: Label,
    values: Sequence[Number],
    *,
    value: Label,
    bins: int = 8,
    figure: str = "chart.figure",
    told: Label | None = None,
) -> Chart:
    """How often whole numbers fall into ranges of equal width, at most ``bins`` of them."""
    low, high = int(min(values)), int(max(values))
    width = max(1, -(-(high - low + 1) // bins))
    counts = [0] * ((high - low) // width + 1)
    for number in values:
        counts[(int(number) - low) // width] += 1
    starts = [low + width * at for at in range(len(counts))]
    categories = [start if width == 1 else f"{start}–{start + width - 1}" for start in starts]
    series = [(value, counts)]
    return compared("columns", title, head, categories, series, figure=figure, told=told)
