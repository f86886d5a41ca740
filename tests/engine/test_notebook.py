"""States, observations, score sheets and records as a notebook shows them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from xml.etree import ElementTree

import pytest

from lovecraft import art, bots, games, notebook
from lovecraft.core import AnyGame, Match, Player, Record, ScoreLine, ScoreSheet, UnknownName, play
from lovecraft.core.showing import html
from lovecraft.games.tides_of_madness import state as tides
from lovecraft.i18n import LANGUAGES, text

EVIL = "<img src=x onerror=alert(1)>"
ODD = "\ue0000\ue001 \ue0007\ue001"  # what marks the place of a chip, as somebody's name

DRAWN_WITH = {"div", "style", "p", "span", "b", "details", "summary"} | {
    "svg", "path", "circle", "rect", "text",
}  # fmt: skip


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = notebook.language()
    notebook.language("en")
    yield
    notebook.language(before)


@pytest.fixture(params=list(games.GAMES))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return games.get(request.param)


def played(game: AnyGame, names: tuple[str, str] = ("Ana", "Ion")) -> Record:
    agents = [bots.make("greedy", game), bots.make("random", game)]
    return play(game, agents, seed=4, players=[Player(name) for name in names])


def whole(drawn: str | None) -> str:
    """The text that is read in a drawing, which must be well-formed and load nothing."""
    assert drawn is not None
    tree = ElementTree.fromstring(f"<div>{drawn}</div>")  # noqa: S314 - our own
    for element in tree.iter():
        assert element.tag.rpartition("}")[2] in DRAWN_WITH
        assert not {"src", "href"} & element.attrib.keys()
        assert not any(name.startswith("on") for name in element.attrib)
        if element.tag.endswith("style"):
            assert "url(" not in (element.text or "")
            element.text = ""
    return " ".join(" ".join(tree.itertext()).split())


def test_every_position_of_a_game_can_be_seen(game: AnyGame) -> None:
    for step in played(game).steps():
        for value in (step.after, *(game.observe(step.after, p) for p in range(2))):
            words = whole(value._repr_html_())
            assert text(game.name) in words
            assert words.replace(" ", "").startswith(text(game.name).replace(" ", ""))


def test_an_observation_shows_its_words_and_its_actions(game: AnyGame) -> None:
    match = Match(Record.begin(game, (Player("Ana"), Player("Ion"))), 1)
    match.play_chance()
    while len(movers := game.to_move(match.state)) > 0:
        seat = movers[0]
        seen = game.observe(match.state, seat)
        if seen.actions and game.in_words(seen):
            break
        match.play(seat, seen.actions[0])
    shown = re.sub(r"[\s,.]", "", whole(seen._repr_html_()))
    for action in seen.actions:
        assert re.sub(r"[\s,.]", "", text(game.describe(action))) in shown
    for message in game.in_words(seen):
        bare = re.sub(r"[\s,.:]|\b1 × ", "", text(message))
        assert bare in shown.replace(":", "")


def test_an_image_stands_alone(game: AnyGame) -> None:
    record = played(game)
    for value in (record, record.upto(5).final(), game.observe(record.final(), 1)):
        drawn = value._repr_svg_()
        tree = ElementTree.fromstring(drawn)  # noqa: S314
        assert tree.tag == "{http://www.w3.org/2000/svg}svg"
        _, _, width, height = map(float, tree.attrib["viewBox"].split())
        for part in tree.iter("{http://www.w3.org/2000/svg}rect"):
            if "x" in part.attrib:
                right = float(part.attrib["x"]) + float(part.attrib["width"])
                assert right <= width and float(part.attrib["y"]) + 25 <= height
        whole(drawn)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_record_tells_the_game_in_every_language(game: AnyGame, lang: str) -> None:
    notebook.language(lang)
    record = played(game)
    words = whole(record._repr_html_())
    outcome = record.outcome()
    assert outcome is not None
    for name, points in zip(record.names, outcome.totals, strict=True):
        assert f"{name}: {points}" in words
    assert text("notebook.moves", lang, n=len(record.moves)) in words


def test_names_are_words_and_nothing_else(game: AnyGame) -> None:
    record = played(game, (EVIL, ODD))
    for drawn in (
        record._repr_html_(),
        record._repr_svg_(),
        notebook.show(record.final(), record.names).html,
        *(notebook.show(step.events, record.names).html for step in list(record.steps())[-9:]),
    ):
        assert "<img" not in drawn
        whole(drawn)
    assert EVIL in unescape(record._repr_html_())


def test_a_score_sheet_adds_up() -> None:
    game = games.get("tides-of-madness")
    final = played(game).final()
    for sheet in tides.round_sheets(final):
        words = whole(sheet._repr_html_())
        assert words.endswith(f"{sheet.points} Total")
        for line in sheet.lines:
            for card in line.cards:
                assert text(game.card_name(card)) in words
    assert ScoreSheet(())._repr_html_() is None  # as plain text, then: no game to draw it for


def test_every_card_has_a_sigil(game: AnyGame) -> None:
    for card in game.cards:
        sigil = art.sigil_of(game, card.id)
        assert art.drawing(sigil).body
        assert f'id="s-{sigil}"' in art.sprite()
    assert art.sigil_of(game, "no-such-card") == ""


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 contrast ratio of two colours."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    a, b = sorted((light(one), light(other)))
    return (b + 0.05) / (a + 0.05)


@pytest.mark.parametrize("hue", sorted({art.hue(""), *art.HUES.values()}))
@pytest.mark.parametrize("ground", ["#ffffff", "#fffaf0", "#111111", "#19222a"])
def test_hues_are_seen_by_day_and_by_night(hue: str, ground: str) -> None:
    assert contrast(hue, ground) >= 3


def test_events_and_rules_are_shown_together() -> None:
    game = games.get("ancient-cards")
    state = game.start(game.setup(2))
    state, events = game.apply(state, -1, game.draw(state, random.Random(1)))
    words = whole(notebook.show(events, ("Ana", "Ion")).html)
    assert text(game.rules["ancient-cards/deal"].title) in words


def test_what_cannot_be_drawn_is_refused() -> None:
    assert html(3) is None
    with pytest.raises(TypeError, match="int"):
        notebook.show(3)
    with pytest.raises(UnknownName, match="“xx”"):
        notebook.language("xx")
    assert notebook.language() == "en"


def test_a_line_of_words_only() -> None:
    sheet = ScoreSheet((ScoreLine(2, "ancient-cards/identical", games.get("mythicals").name),))
    assert whole(sheet._repr_html_()).endswith("2 Mythicals 2 Total")
