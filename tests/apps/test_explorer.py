"""The explorer's pages: every rule and card by link, walks, readings, cards and the laboratory."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from typing import Any

import pytest
from app_support import run
from driving import Driver
from test_library import a_record, kept, library

from apps.editions import keep
from apps.explorer import cards as card_pages
from apps.explorer.explore import arcs
from apps.explorer.layouts import read, spelled
from apps.explorer.walk import WalkPage, sample
from lovecraft import games
from lovecraft.core import AnyGame
from lovecraft.explain.desks import desk
from lovecraft.explain.examples import example, rules_with_examples
from lovecraft.explain.readings import readings
from lovecraft.explain.walk import Walk
from lovecraft.games.ritos_ancestrais import edition, read_edition
from lovecraft.i18n import LANGUAGES, text

every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.id)


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """A device on which simulations are short."""
    monkeypatch.setattr(card_pages, "GAMES", 3)
    monkeypatch.setattr(card_pages, "FIRST", 2)
    monkeypatch.setattr(card_pages, "_STUDIES", {})
    return Driver()


def plain(html: str) -> str:
    """The words of a screen as a reader sees them."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@every_game
def test_every_rule_and_every_card_can_be_reached_by_link(driver: Driver, game: AnyGame) -> None:
    driver.open(f"#/{game.id}/rules")
    linked = set(re.findall(rf'href="#/{game.id}/rules/([^"]+)"', driver.html))
    assert linked == {rule.id for rule in game.rules}
    driver.open(f"#/{game.id}/cards")
    cards = set(re.findall(rf'href="#/{game.id}/cards/([^"]+)"', driver.html))
    assert cards == {card.id for card in game.cards}
    for rule in game.rules:
        driver.open(f"#/{game.id}/rules/{rule.id}")
        assert f'class="rule lit" id="rule-{rule.id.replace("/", "-")}"' in driver.html
        assert ('class="laid hit"' in driver.html) == (rule.id in rules_with_examples(game.id))
    driver.open(f"#/{game.id}/rules/{game.id}/no-such-rule")
    assert "no such rule" in driver.said


@every_game
def test_the_pages_speak_four_languages(driver: Driver, game: AnyGame) -> None:
    for lang in LANGUAGES:
        driver.act("lang", value=lang)
        for page, words in (
            (f"explore/{game.phases[0].id}", "explore.readings.help" if readings(game) else ""),
            ("walk", "explore.walk.rules"),
            ("cards", "explore.kind"),
            ("what-if", "explore.lab.lede"),
        ):
            driver.open(f"#/{game.id}/{page}")
            assert not driver.said
            assert text(words or "explore.map.help", lang) in plain(driver.html)


@every_game
def test_the_map_opens_phases_and_leads_into_the_game(driver: Driver, game: AnyGame) -> None:
    driver.open(f"#/{game.id}/explore")
    assert len(arcs(game.phases)) == sum(len(phase.then) for phase in game.phases)
    for phase in game.phases:
        driver.act("phase", phase.id)
        assert driver.shell.hash == f"#/{game.id}/explore/{phase.id}"
        for rule in phase.rules:
            assert f'href="#/{game.id}/rules/{rule}"' in driver.html
        driver.open(f"#/{game.id}/walk/sample/phase-{phase.id}")
        assert isinstance(driver.page, WalkPage)
        assert game.phase(driver.page.state) == phase.id
        driver.open(f"#/{game.id}/explore/{phase.id}")
        driver.act("phase", phase.id)
        assert driver.shell.hash == f"#/{game.id}/explore"


@every_game
def test_the_sample_is_walked_forwards_and_back_with_reasons(driver: Driver, game: AnyGame) -> None:
    driver.open(f"#/{game.id}/walk")
    walk = Walk(sample(game.id))
    assert set(walk.phases()) == {phase.id for phase in game.phases}, "run tools.pipeline.samples"
    driver.open(f"#/{game.id}/walk")
    page = driver.page
    assert page.finished and len(page.steps) == len(walk) - 1
    names = page.names
    for at in (1, 2, len(walk) // 2, len(walk) - 1, 1):
        driver.act("jump", at)
        assert driver.shell.hash == f"#/{game.id}/walk/sample/{at}"
        words = plain(driver.html)
        scene = walk[at]
        assert f'id="strip-{scene.phase.id}"' in driver.html
        for mover in scene.movers:
            for refusal in mover.refused:
                assert text(refusal.why, "en", names) in words
                assert f'href="#/{game.id}/rules/{refusal.rule}"' in driver.html
            for choice in mover.legal:
                assert text(choice.text, "en", names) in words
        for waiting in scene.waiting if scene.movers else ():
            assert text(waiting.why, "en", names) in words
        for event in scene.events:
            assert f'href="#/{game.id}/rules/{event.rule}"' in driver.html
    driver.act("step", -1)
    assert page.at == 0


def test_a_kept_game_can_be_walked_and_a_running_one_hides_the_other_hand() -> None:
    driver = library(a_record("tides-of-madness"))
    (one,) = kept(driver)
    driver.open(f"#/tides-of-madness/replay/{one.id}/3")
    assert f'href="#/tides-of-madness/walk/{one.id}/3"' in driver.html
    driver.open(f"#/tides-of-madness/walk/{one.id}/3")
    assert isinstance(driver.page, WalkPage) and driver.page.at == 3
    driver.act("step", 1)
    assert driver.shell.hash == f"#/tides-of-madness/walk/{one.id}/4"

    running = Driver()
    running.open("#/tides-of-madness/table/new")
    running.act("start")
    session = running.page.session
    running.open(f"#/tides-of-madness/walk/{session.id}/1")
    me = session.people[0]
    explained = running.page.explained()
    assert [mover.seat for mover in explained["movers"]] == [me]
    theirs = running.page.game.legal_actions(running.page.state, 1 - me)
    spoken = {text(running.page.game.describe(action)) for action in theirs}
    mine = {text(choice.text) for mover in explained["movers"] for choice in mover.legal}
    assert not spoken & mine


def test_an_unknown_game_or_phase_still_shows_the_sample(driver: Driver) -> None:
    driver.open("#/mythicals/walk/nothing/12")
    assert isinstance(driver.page, WalkPage) and driver.said
    driver.open("#/mythicals/walk/sample/phase-<b>")
    assert driver.page.at == 0
    driver.open("#/mythicals/walk/sample/99999")
    assert driver.page.at == len(driver.page.steps)


@every_game
def test_search_finds_as_one_types_and_escapes_what_is_typed(driver: Driver, game: AnyGame) -> None:
    driver.open(f"#/{game.id}/explore")
    rule = next(iter(game.rules))
    driver.act("search", value=text(rule.title, "pt").upper())
    assert f'href="#/{game.id}/rules/{rule.id}"' in driver.html
    driver.act("search", value='<img src=x onerror="alert(1)">')
    assert "<img" not in driver.html
    assert text("explore.nothing") in driver.words
    driver.act("search", value="")
    assert 'class="hits"' not in driver.html


@pytest.mark.parametrize(
    "reading",
    [one for game in games.GAMES.values() for one in readings(game)],
    ids=lambda one: one.id,
)
def test_switching_a_reading_shows_what_it_changes(driver: Driver, reading: Any) -> None:
    driver.open(f"#/{reading.game.id}/explore")
    driver.act("switch", reading.id, False)
    default = driver.html
    (shown,) = (one for one in driver.page._shown_all() if one.reading == reading)
    assert shown.differences and not shown.other
    driver.act("switch", reading.id, True)
    assert driver.html.count('aria-pressed="true"') == default.count('aria-pressed="true"')
    words = plain(driver.html)
    for difference in shown.differences:
        for line in difference.right[:8]:
            assert text(line, "en", tuple("ABCDEFG")) in words
    driver.act("switch", "nonsense", True)


@every_game
def test_a_card_has_its_words_its_rules_and_figures(driver: Driver, game: AnyGame) -> None:
    for card in (game.cards[0], game.cards[-1]):
        driver.open(f"#/{game.id}/cards/{card.id}")
        words = plain(driver.html)
        for line in game.card_words(card.id):
            assert text(line) in words
        for rule in game.card_rules(card.id):
            assert f'href="#/{game.id}/rules/{rule}"' in driver.html
    assert card_pages.study(desk(game.id)).played == 3
    driver.act("simulate")
    assert card_pages.study(desk(game.id)).played == 6
    driver.open(f"#/{game.id}/cards/no-such-card")
    assert driver.said and driver.shell.hash == f"#/{game.id}/cards"


# -- the laboratory -------------------------------------------------------------------------------


@every_game
def test_layouts_travel_in_the_address(game: AnyGame) -> None:
    table = desk(game.id)
    for rule in rules_with_examples(game.id):
        pair = example(rule)
        assert pair is not None
        for one in (pair.example, pair.miss):
            assert "/" not in spelled(table, one.layout)
            assert read(table, spelled(table, one.layout)) == one.layout or not any(
                one.layout.areas
            )
    for nonsense in ("x", "own:<b>", "x:y", ";;", "area:" + "ia." * 300 + "ia"):
        assert read(table, nonsense) is None


@every_game
def test_every_button_of_the_laboratory_keeps_the_score_true(driver: Driver, game: AnyGame) -> None:
    driver.open(f"#/{game.id}/what-if")
    page, table = driver.page, desk(game.id)
    for number in range(40):
        acts = [a for a in driver.device.acts() if a[0] in ("put", "take", "best", "area", "undo")]
        name, args = acts[(number * 37) % len(acts)]
        driver.act(name, *args)
        assert not driver.said
        assert table.problem(page.layout) is None
        points = table.scores(page.layout)[0].points
        assert f'id="points">{points}<' in driver.html
        assert read(table, driver.shell.hash.partition("/what-if/")[2] or "x") in (
            page.layout,
            None,
        )
        if page.swap is not None:
            worth = table.worth(page.layout)
            gain = page.swap.gain
            driver.act("do-swap")
            assert table.worth(page.layout) == worth + gain
    for at in range(len(table.knobs)):
        driver.act("turn", at, value=str(table.knobs[at].values[-1]))
        assert page.layout.knobs[at] == table.knobs[at].values[-1]
    driver.act("clear")
    assert page.layout == table.empty()
    driver.act("undo")
    assert page.layout != table.empty()
    again = driver.again()
    assert again.page.layout == page.layout


def test_odds_are_shown_as_a_chart_and_a_table(driver: Driver) -> None:
    driver.open("#/ancient-cards/what-if/area:ia.ia.rlyeh")
    driver.act("number", value="2")
    assert driver.page.future.exact
    assert "28 different draws" in driver.words
    assert 'id="coming-points-plot"' in driver.html and 'id="coming-pieces"' in driver.html
    driver.act("number", value="0")
    assert "coming-points" not in driver.html
    driver.open("#/mythicals/what-if")
    driver.act("clear")
    driver.act("number", value="1")
    assert text("explore.lab.alike", n=1, chance="4.2%") in driver.words  # one of 24
    assert 'id="coming-pieces"' not in driver.html
    driver.open("#/ancient-cards/what-if/area:ia.ia.rlyeh")
    for nonsense in ("-1", "٣", "99", "x"):
        driver.act("number", value=nonsense)
        assert driver.page.number == 0


def test_what_does_not_fit_is_refused_in_words(driver: Driver) -> None:
    driver.open("#/tides-of-madness/what-if/own:dagon;other:azathoth")
    driver.act("put", 0, "azathoth")
    assert driver.said == "The game has only 1 × Azathoth."
    for act, args in (("put", [9, "dagon"]), ("put", [0, "x"]), ("take", [0, 7]), ("best", ["a"])):
        driver.act(act, *args)
    assert spelled(driver.page.desk, driver.page.layout) == "own:dagon;other:azathoth"
    driver.open("#/tides-of-madness/what-if/own:<img>")
    assert driver.said == text("explore.lab.unreadable")


def test_counting_is_taken_up_again_after_an_interruption(driver: Driver) -> None:
    driver.open("#/tides-of-madness/what-if/own:dagon")
    shell, page = driver.shell, driver.page

    async def interrupted() -> None:
        shell.act("number", [], "3")
        await asyncio.sleep(0)
        shell.act("area", [1])
        await shell.idle()

    run(interrupted())
    assert page.area == 1 and not page.counting
    assert page.future.done == page.future.total
    assert 'id="coming-points"' in driver.html


@every_game
def test_a_table_leads_to_what_if_with_what_the_person_has(driver: Driver, game: AnyGame) -> None:
    driver.shell.set(pace="instant")
    driver.open(f"#/{game.id}/table/new")
    driver.act("start")
    page, found = driver.page, ""
    for _ in range(12):
        link = re.search(r'id="to-lab" href="#/[^"]*/what-if/([^"]+)"', driver.html)
        if link:
            found = unescape(link[1])
            break
        if not page.seen.actions:
            break
        driver.act("play", game.action_to_json(page.seen.actions[0]), page.session.at)
    layout = desk(game.id).seen(page.seen)
    assert layout is not None and found == spelled(desk(game.id), layout)
    driver.open(f"#/{game.id}/what-if/{found}")
    assert driver.page.layout == layout


def test_cards_and_what_if_follow_the_edition_that_is_chosen(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edition, "_EDITIONS", dict(edition._EDITIONS))  # for this test alone
    house = desk("ritos-ancestrais").box.to_json()
    own = {**house, "id": "mine", "name": "My own box"}
    own["cards"] = [dict(card) for card in house["cards"]]
    own["cards"][0] |= {"id": "shoggoth", "name": "Shoggoth <b>", "effects": []}
    own["rituals"] = [dict(ritual) for ritual in house["rituals"]]
    rite = {"id": "my-rite", "name": "My own rite", "needs": ["x", "y"], "points": 2}
    own["rituals"].append(rite)
    key = read_edition(own).key
    keep(driver.shell.store, own)
    driver.open("#/ritos-ancestrais/cards")
    assert "shoggoth" not in driver.html
    driver.act("edition", value=key)
    assert 'href="#/ritos-ancestrais/cards/shoggoth"' in driver.html
    driver.open("#/ritos-ancestrais/cards/shoggoth")
    assert "Shoggoth &lt;b&gt;" in driver.html and not driver.said
    driver.open("#/ritos-ancestrais/explore")
    driver.act("search", value="shoggoth")
    assert 'href="#/ritos-ancestrais/cards/shoggoth"' in driver.html
    assert "<b>Shoggoth &lt;b&gt;</b>" in driver.html
    driver.act("search", value="my own rite")
    assert f'href="#/ritos-ancestrais/what-if/edition:{key};rituals:my-rite"' in driver.html
    driver.act("edition", value="house")
    assert "my-rite" not in driver.html
    driver.act("edition", value=key)
    driver.open(f"#/ritos-ancestrais/what-if/edition:{key};rituals:my-rite")
    assert driver.page.layout.areas[2] == ("my-rite",) and not driver.said
    driver.open("#/ritos-ancestrais/what-if")
    assert driver.page.desk.edition == key
    driver.act("clear")
    driver.act("put", 0, "shoggoth")
    assert "edition:mine@" in driver.shell.hash
    again = driver.again()
    assert again.page.desk.edition == key and again.page.layout.areas[0] == ("shoggoth",)
    driver.act("edition", value="no-such-edition")
    assert driver.page.desk.edition == key
    driver.open("#/ritos-ancestrais/what-if/hand:azathoth")
    assert driver.page.desk.edition == "house" and driver.page.layout.areas[0] == ("azathoth",)
    driver.open("#/ritos-ancestrais/what-if/edition:gone@0;hand:azathoth")
    assert driver.said == text("explore.lab.unreadable")
