"""Charts as data: what is drawn and what is read are the same figures, in every language."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial

import pytest
from driving import Driver
from hypothesis import given
from hypothesis import strategies as st

from apps import chart
from apps.view import render
from lovecraft.i18n import LANGUAGES, msg, text

T = partial(text, lang="pt")
TITLE = msg("score.chart.rounds")


def test_the_drawing_and_the_table_hold_the_same() -> None:
    made = chart.compared("lines", TITLE, "Round", (1, 2), {"Ana": (4, 2.25), "<b>": (0, None)})
    spec = json.loads(made.spec(T))
    assert [(one["name"], one["values"]) for one in spec["series"]] == [
        ("Ana", [4, 2.25]),
        ("<b>", [0, None]),
    ]
    head, rows = made.table(T)
    assert head == ["Round", "Ana", "<b>"]
    assert rows == [["1", "4", "0"], ["2", "2,2", "–"]]
    assert [one["shown"] for one in spec["series"]] == [[r[1] for r in rows], [r[2] for r in rows]]


def test_chances_are_shown_as_percent() -> None:
    made = chart.bars(
        TITLE, "Move", [("a", 12.34), ("b", 100)], value="chance", figure="chart.percent", most=100
    )
    assert [row[1] for row in made.table(partial(text, lang="es"))[1]] == ["12,3 %", "100 %"]


@pytest.mark.parametrize("bad", [{}, {"a": (1,)}, {str(n): (1, 2) for n in range(8)}])
def test_what_cannot_be_drawn_is_refused(bad: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ValueError):
        chart.compared("stacked", TITLE, "x", ("one", "two"), bad)


@given(st.lists(st.integers(0, 500), min_size=1), st.integers(1, 12))
def test_a_distribution_counts_every_number_once(numbers: list[int], bins: int) -> None:
    made = chart.distribution(TITLE, "Points", numbers, value="often", bins=bins)
    ((_, counts),) = made.series
    assert len(counts) <= bins and sum(filter(None, counts)) == len(numbers)
    found: Counter[str] = Counter()
    for number in numbers:
        for name in map(str, made.categories):
            low, _, high = name.partition("–")
            found[name] += int(low) <= number <= int(high or low)
    assert tuple(found[str(name)] for name in made.categories) == counts


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_figure_escapes_what_people_are_called(lang: str) -> None:
    made = chart.bars(TITLE, "x", [('<img onerror="x">', 3)], value="v", told=msg("score.charts"))
    words = partial(text, lang=lang)
    html = render("charts.html", lang) + _figure(made, words)
    assert "<img" not in html and "&lt;img" in html and text("chart.table", lang) in html


def _figure(made: chart.Chart, words: chart.Words) -> str:
    from apps.view import environment

    module = environment().get_template("charts.html").make_module()
    return str(module.figure(words, made, "f"))  # type: ignore[attr-defined]


def test_the_charts_of_finished_games() -> None:
    driver = Driver(route="#/mythicals/score")
    for player, claimed in enumerate(("red-7", "blue-10", "blue-2")):
        driver.act("new")
        driver.act("name", 0, value="Ana")
        driver.act("name", 1, value="Ion")
        driver.act("player", player % 2)
        driver.act("token", claimed)
        driver.act("over")
    driver.open("#/history")
    assert "Games won" in driver.words and "Points by round" not in driver.words
    assert "Player blue red Ana 0.7 2.3 Ion 3.3 0" in driver.words
    driver.act("days", value="30")
    assert "3 sheets" in driver.words
    driver.act("days", value="nonsense")
    assert driver.page.days == 0
