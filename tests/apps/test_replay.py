"""Replays: every position from every seat that may be looked through, and from no other."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import pytest
from app_support import run
from driving import Driver
from test_library import a_record, kept, library, running

from apps.table.boards import BOARDS
from apps.table.replay import ReplayPage
from lovecraft.bots import Budget
from lovecraft.core import CHANCE
from lovecraft.i18n import LANGUAGES, text


def replaying(driver: Driver, at: int | str = 0) -> ReplayPage:
    """The replay of the only game on the device."""
    (one,) = kept(driver)
    driver.open(f"#/{one.game.id}/replay/{one.id}/{at}")
    page = driver.page
    assert isinstance(page, ReplayPage)
    page.budget = Budget(iterations=30)
    return page


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_every_position_is_shown_from_every_seat_in_every_language(game: str) -> None:
    driver = library(a_record(game))
    page = replaying(driver)
    for number, lang in enumerate(LANGUAGES):
        driver.act("lang", value=lang)
        driver.act("seat", value=str(number % 2))
        assert page.seat == number % 2
        driver.act("jump", value="0")
        assert text("replay.beginning", lang) in driver.words
        for at in sorted(random.Random(number).sample(range(1, len(page.steps) + 1), 15)):
            page.on_jump(at)
            html = page.html()
            assert page.at == at
            for event in page.steps[at - 1].events:
                words = text(event.seen_by(page.seat).text, lang, page.names)
                assert words in re.sub(r"&#39;", "'", html).replace("&amp;", "&")
                assert f'href="#/{game}/rules/{event.rule}"' in html
        page.on_jump(len(page.steps))
        page.on_step(1)
        assert page.at == len(page.steps)
    driver.act("step", -1)
    assert page.at == len(page.steps) - 1
    assert driver.shell.hash.endswith(f"/{page.at}")


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_choice_is_explained_and_marked_on_the_board(game: str) -> None:
    driver = library(a_record(game))
    page = replaying(driver)
    explained = 0
    for at in random.Random(2).sample(range(len(page.steps)), 10):
        driver.act("jump", at)
        decision = page.decision
        if decision is None:
            assert 'id="ask"' not in driver.html
            continue
        driver.act("ask")
        assert page.seat == decision.player
        assert text(page.game.describe(decision.action), "en", page.names) in page_words(driver)
        assert driver.html.count('data-mark="chosen"') == 1
        assert driver.html.count('class="worth"') >= 1
        whys = re.findall(r'<p class="why">.*?</p>', driver.html)
        assert whys and len(set(whys)) == len(whys)
        explained += 1
    assert explained > 3


def page_words(driver: Driver) -> str:
    return driver.words.replace("&#39;", "'").replace("&amp;", "&")


def test_a_link_to_a_choice_opens_it_explained() -> None:
    driver = library(a_record())
    page = replaying(driver)
    at = next(s.at for s in page.steps if s.move.player == 1)
    replaying(driver, f"{at}-why")
    page = driver.page
    assert page.at == at
    assert page.seat == 1
    assert page.asked_why
    for broken in ("999999-why", "x", "-1", "1e3", "٣"):
        assert 0 <= replaying(driver, broken).at <= len(page.steps)


def test_it_plays_by_itself_to_the_end_and_begins_anew() -> None:
    driver = library(a_record())
    page = replaying(driver)
    seen: list[int] = []

    async def at_once(milliseconds: int) -> None:
        seen.append(milliseconds)

    driver.shell.pause = at_once  # type: ignore[method-assign]
    driver.act("pace", value="quick")
    driver.act("play-on")
    assert page.at == len(page.steps) == len(seen)
    assert not page.playing
    assert set(seen) == {400}
    driver.act("play-on")
    assert len(seen) == 2 * len(page.steps)


def test_anything_that_is_done_stops_the_playing() -> None:
    driver = library(a_record())
    page = replaying(driver)

    async def somebody_taps(milliseconds: int) -> None:
        if page.at == 3:
            driver.shell.act("pause", [])

    driver.shell.pause = somebody_taps  # type: ignore[method-assign]
    driver.act("play-on")
    assert page.at == 3
    assert not page.playing


def test_what_comes_by_itself_neither_stops_nor_hurries_the_playing() -> None:
    driver = library(a_record())
    page = replaying(driver)

    async def story() -> None:
        driver.shell.act("play-on", [])
        for bring in (driver.shell.library_came, lambda: driver.shell.news("g:other")):
            await asyncio.sleep(0.01)
            bring()
        await asyncio.sleep(0.02)
        assert (page.playing, page.at) == (True, 0)
        driver.shell.act("pause", [])
        await driver.shell.idle()
        assert (page.playing, page.at) == (False, 0)

    run(story())


def test_thinking_ends_when_the_person_goes_on() -> None:
    driver = library(a_record())
    page = replaying(driver)
    page.budget = Budget(seconds=30)
    at = next(s.at for s in page.steps if s.move.player != CHANCE)
    driver.act("jump", at)

    async def hurry() -> None:
        driver.shell.act("ask", [])
        driver.shell.act("enough", [])
        await driver.shell.idle()

    run(hurry())
    assert not page.thinking
    assert not page.hints
    assert 'data-act="ask"' in driver.html  # it can be asked again


# -- a game that still runs -----------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_the_replay_of_a_running_game_shows_what_its_person_saw(game: str) -> None:
    driver = running(game)
    mine = driver.page.session.me
    log = [event.text for event in driver.page.session.log]
    page = replaying(driver)
    assert page.seats == [mine]
    assert 'id="seat"' not in driver.html
    driver.act("seat", value=str(1 - mine))
    assert page.seat == mine
    rng = random.Random(1)
    told = []
    for at in range(len(page.steps) + 1):
        driver.act("jump", at)
        if at:
            told += [event.text for event in page._told(page.steps[at - 1])]
        if not BOARDS[game].open:
            decision = page.decision
            assert decision is None or decision.player == mine
            if decision is None:
                driver.act("ask")
                assert not page.hints
        driver.act("jump", at)
        if page.game.to_move(page.state) == (CHANCE,):
            continue
        # the same screen for every position that the seat cannot tell from the real one
        shown, real = page.html(), page.steps
        imagined = page.game.resample(page.game.observe(page.state, mine), rng)
        page.steps = tuple(
            replace_after(step, imagined) if step.at == at - 1 else step for step in real
        )
        if at:
            assert page.html() == shown
        page.steps = real
    assert told == log


def replace_after(step: Any, state: Any) -> Any:
    return step._replace(after=state)


@pytest.mark.parametrize("game", sorted(game for game in BOARDS if not BOARDS[game].open))
def test_between_two_people_there_is_a_curtain(game: str) -> None:
    driver = running(game, people=2)
    page = replaying(driver)
    at = page.at
    names = [text(page.game.card_name(card.id)) for card in page.game.cards]
    for seat in (0, 1):
        driver.act("seat", value=str(seat))
        assert page.veiled or seat == 0
        page.veiled = True
        hidden = page.html()
        assert not [name for name in names if name in hidden]
        driver.act("step", 1)
        driver.act("ask")
        assert page.at == at
        assert page.html() == hidden
        driver.act("lift")
        assert 'id="jump"' in driver.html
        assert page.game.observe(page.state, page.seat).player == seat


def test_the_others_cards_are_opened_when_all_is_over_and_not_before() -> None:
    driver = running()
    page = replaying(driver, 1)
    assert 'id="besides"' not in driver.html
    driver = library(a_record())
    page = replaying(driver, 1)
    assert 'id="besides"' in driver.html
    assert page.seats == [0, 1]


def test_another_tab_goes_on_and_the_replay_grows() -> None:
    driver = running()
    page = replaying(driver, 3)
    number = len(page.steps)
    entry = driver.entry(page.key)
    longer = page.record
    while len(longer.moves) == number:
        state = longer.final()
        seat = page.game.to_move(state)[0]
        actions = page.game.legal_actions(state, seat)
        move = actions[0] if seat != CHANCE else page.game.draw(state, random.Random(1))
        longer = longer.with_move(seat, move)
    entry["record"] = longer.to_json()
    driver.shell.store.put(page.key, entry)
    page.reload()
    assert page.at == 3
    assert len(page.steps) == number + 1


def test_a_game_that_is_not_here_leads_to_the_list() -> None:
    driver = Driver(route="#/mythicals/replay/nothing")
    assert 'id="import"' in driver.html
    assert "not on this device" in driver.said
    driver = library(a_record())
    (one,) = kept(driver)
    driver.open(f"#/mythicals/replay/{one.id}")  # of another game
    assert 'id="import"' in driver.html
