"""Hints at the table and reviews after the game."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest
from app_support import run
from driving import Driver
from test_library import a_record, kept, library, running

from apps.table import archive
from apps.table.boards import BOARDS
from apps.table.review import ReviewPage, course
from lovecraft.bots import Budget
from lovecraft.bots.advice import review
from lovecraft.i18n import LANGUAGES, text

QUICK = Budget(iterations=30)


def seated(game: str, lang: str = "en") -> Driver:
    """A device with a new game in which the person is to choose."""
    driver = Driver(route=f"#/{game}/table/new", lang=lang)
    driver.shell.set(pace="instant")
    driver.act("start")
    driver.page.budget = QUICK
    return driver


def one_step(driver: Driver, rng: random.Random) -> None:
    offers = [
        (act, args)
        for act, args in driver.device.acts()
        if act in ("play", "touch", "go-on", "deal")
    ]
    act, args = rng.choice(offers)
    driver.act(act, *args)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_hint_names_its_best_action_and_marks_it_on_the_board(game: str, lang: str) -> None:
    driver = seated(game, lang)
    rng = random.Random(3)
    stages = set()
    for _ in range(40):
        page = driver.page
        if page.session.finished:
            break
        if page.may_ask and page.stage not in stages and not page.opened:
            stages.add(page.stage)
            driver.act("hint")
            best = page.hints[0]
            assert best.action in page.seen.actions
            assert best.value == max(hint.value for hint in page.hints)
            assert driver.html.count('data-mark="best"') == 1
            assert 'aria-describedby="advice"' in driver.html
            assert driver.html.count('class="worth"') <= 3
            told = text(page.game.describe(best.action), lang, page.session.names)
            assert told.replace("'", "&#39;") in driver.html
            driver.act("hint")
            assert "data-mark" not in driver.html
        one_step(driver, rng)
    assert stages


def test_a_hint_goes_away_with_the_next_choice_and_is_counted_once_a_position() -> None:
    driver = seated("ancient-cards")
    page = driver.page
    for _ in range(2):
        driver.act("hint")
        driver.act("hint")
    driver.act("hint")
    first = page.session.at
    assert page.session.hinted == [first]
    act, args = next((a, x) for a, x in driver.device.acts() if a == "play")
    driver.act(act, *args)
    assert not page.hints
    assert "data-mark" not in driver.html
    driver.act("hint")
    assert page.session.hinted == [first, page.session.at]
    assert "Hints asked for in this game: 2." in driver.words
    again = driver.again()
    assert again.page.session.hinted == page.session.hinted
    again.act("take-back")
    assert again.page.session.hinted == page.session.hinted  # what has been said stays said


def test_a_damaged_count_of_hints_does_not_keep_a_game_shut() -> None:
    driver = seated("mythicals")
    for wrong in ("x", [None, "3"], {"a": 1}, 7):
        entry = driver.entry(driver.page.key)
        entry["hinted"] = wrong
        key = driver.page.key
        other = Driver({key: json.dumps(entry)}, f"#/mythicals/{key}")
        assert other.page.session.hinted == []


def test_a_hint_can_be_stopped_and_gives_way_to_a_choice() -> None:
    driver = seated("ancient-cards")
    page = driver.page
    page.budget = Budget(seconds=60)
    args = next(args for act, args in driver.device.acts() if act == "play")

    async def asks_and(act: str, given: list[Any]) -> None:
        driver.shell.act("hint", [])
        driver.shell.act(act, given)
        await driver.shell.idle()

    run(asks_and("enough", []))
    assert not page.advising
    assert not page.hints
    assert not page.session.hinted
    at = page.session.at
    run(asks_and("play", args))
    assert page.session.at > at
    assert not page.hints


def test_where_there_is_no_choice_there_is_no_hint() -> None:
    driver = Driver(route="#/ancient-cards/table/new")
    driver.act("hint")
    driver = running("tides-of-madness", people=2)
    for _ in range(10):
        if not driver.page.veiled:
            one_step_of_people(driver)
    assert driver.page.veiled
    driver.act("hint")  # behind the curtain
    assert not driver.page.hints
    assert not driver.page.session.hinted


def one_step_of_people(driver: Driver) -> None:
    offered = dict(driver.device.acts())
    act = next(act for act in ("confirm", "play", "go-on", "deal") if act in offered)
    driver.act(act, *offered[act])


def test_a_hint_knows_only_what_its_seat_knows() -> None:
    """The same advice, whatever the others really hold."""
    driver = seated("tides-of-madness")
    page = driver.page
    driver.act("hint")
    said = [(hint.action, hint.value) for hint in page.hints]
    driver.act("hint")
    session = page.session
    imagined = page.game.resample(page.seen, random.Random(9))
    assert imagined != session.match.state
    session.match.state = imagined
    driver.act("hint")
    assert [(hint.action, hint.value) for hint in page.hints] == said


# -- reviews --------------------------------------------------------------------------------------


def reviewed(driver: Driver) -> ReviewPage:
    """The review page of the only game on the device."""
    (one,) = kept(driver)
    driver.open(f"#/{one.game.id}/review/{one.id}")
    page = driver.page
    assert isinstance(page, ReviewPage)
    page.budget = QUICK
    return page


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_review_finds_what_the_engine_finds_and_leads_to_it(game: str) -> None:
    record = a_record(game)
    driver = library(record)
    page = reviewed(driver)
    driver.act("begin")
    assert page.done
    expected = review(record, QUICK, seat=0)
    assert [(one.at, one.best.action) for one in page.judged] == [
        (one.at, one.hints[0].action) for one in expected
    ]
    for one in page._costliest(page.judged):
        assert one.could > one.had
        assert f'href="#/{game}/replay/{page.ident}/{one.at}-why"' in driver.html
    driver.open("#/games")
    again = reviewed(driver)
    assert again.judged == page.judged  # kept with the game
    assert again.done


def test_the_two_costliest_decisions_are_those_with_the_largest_regret() -> None:
    record = a_record("tides-of-madness")
    driver = library(record)
    page = reviewed(driver)
    page.budget = Budget(iterations=200)
    driver.act("begin")
    shown = page._costliest(page.judged)
    assert len(shown) == 2
    costs = {one.at: one.cost for one in page.judged}
    least = min(costs[one.at] for one in shown)
    rest = [cost for at, cost in costs.items() if at not in {one.at for one in shown}]
    assert least >= max(rest)
    assert driver.html.count('id="costly-0-') == 2


def test_a_review_is_broken_off_kept_and_gone_on_with() -> None:
    driver = library(a_record())
    page = reviewed(driver)

    async def begins_and_stops() -> None:
        driver.shell.act("begin", [])
        while len(page.judged) < 3:
            await asyncio.sleep(0)
        driver.shell.act("stop", [])
        await driver.shell.idle()

    run(begins_and_stops())
    number = len(page.judged)
    assert 3 <= number < len(page.decisions)
    assert not page.working
    assert text("review.go-on") in driver.words
    driver.open("#/games")
    page = reviewed(driver)
    assert len(page.judged) == number
    driver.act("begin")
    assert page.done
    assert [(one.at, one.player) for one in page.judged] == page.decisions


def test_every_person_is_judged() -> None:
    from lovecraft import bots, games
    from lovecraft.core import Player, play

    rules = games.get("ancient-cards")
    agents = [bots.make("random", rules) for _ in range(3)]
    players = [Player("Ana"), Player("Ion", "greedy"), Player("Eva")]
    driver = library(play(rules, agents, 5, players))
    page = reviewed(driver)
    driver.act("begin")
    assert {one.player for one in page.judged} == {0, 2}
    assert 'id="judged-0"' in driver.html
    assert 'id="judged-2"' in driver.html


@pytest.mark.parametrize(
    "wrong",
    [
        {"judged": 3},
        {"judged": [{"at": 1}]},
        {"judged": [{"at": 1, "chosen": ["x", 2, 0, 1], "best": ["x", 2, 0, 1]}]},
        {"judged": [None]},
        {"trace": "00"},
    ],
)
def test_a_damaged_or_foreign_review_is_begun_anew(wrong: dict[str, Any]) -> None:
    driver = library(a_record("ancient-cards"))
    page = reviewed(driver)
    driver.act("begin")
    key = archive.REVIEWS + page.ident
    entry = driver.shell.store.get(key)
    assert entry is not None
    driver.shell.store.put(key, {**entry, **wrong})
    driver.open("#/games")
    page = reviewed(driver)
    assert page.judged == []
    driver.act("begin")
    assert page.done


def test_a_running_game_is_not_reviewed() -> None:
    driver = running()
    (one,) = kept(driver)
    driver.open(f"#/{one.game.id}/review/{one.id}")
    assert text("review.not-yet") in driver.said
    assert 'id="import"' in driver.html


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_the_course_of_points_ends_with_the_result(game: str) -> None:
    record = a_record(game)
    outcome = record.outcome()
    drawn = course(record)
    assert drawn is not None
    assert outcome is not None
    assert tuple(values[-1] for _, values in drawn.series) == outcome.totals
    assert [name for name, _ in drawn.series] == ["Ana", "Ion"]
    if game in ("ancient-cards", "tides-of-madness"):
        assert drawn.categories == (1, 2, 3)
    else:
        assert len(drawn.categories) > 5
