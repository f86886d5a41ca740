"""Games that only bots play: watched at a pace, move by move, through any seat."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc

import pytest
from app_support import Device, run
from driving import Driver

from apps.host import MemoryHost
from apps.table.page import TablePage
from lovecraft import games
from lovecraft.core import Record
from lovecraft.i18n import LANGUAGES, msg, text

every_game = pytest.mark.parametrize("game_id", games.GAMES)


def begun(game_id: str, running: bool = True) -> Driver:
    driver = Driver(route=f"#/{game_id}/table/new")
    driver.act("pace", value="instant")
    driver.act("first", value="random")
    for seat in range(len(driver.page.form["bots"])):
        driver.act("level", seat, value="random")
    driver.act("start")
    assert not driver.page.session.finished  # at this pace nothing would be left to be seen
    if running:
        driver.act("run", True)
    return driver


@every_game
def test_a_game_of_bots_goes_on_to_its_end_by_itself(game_id: str) -> None:
    driver = begun(game_id)
    page = driver.page
    assert isinstance(page, TablePage) and page.session is not None
    assert page.session.watching and page.session.finished
    assert not page.session.may_take_back
    assert 'id="rematch"' in driver.html
    kept = driver.entry(page.session.key)
    record = Record.from_json(kept["record"], games.get)
    assert all(player.kind == "random" for player in record.players)
    assert record.outcome() is not None
    again = driver.again()
    assert again.page.session.finished
    again.act("rematch")
    assert again.page.session.watching and again.page.session.id != page.session.id


@every_game
def test_it_stands_still_and_goes_on_move_by_move(game_id: str) -> None:
    driver = begun(game_id, running=False)
    page = driver.page
    at = page.session.at
    assert 'id="run"' in driver.html and 'id="next"' in driver.html
    for number in range(1, 60):
        if page.session.finished:
            break
        driver.act("next")
        assert page.session.at > at, number
        at = page.session.at
    # nothing that a person could do moves a game that is only watched
    for action in page.game.legal_actions(page.session.match.state, 0)[:3]:
        driver.act("play", page.game.action_to_json(action), at)
    assert page.session.at == at
    again = driver.again()
    assert again.page.session.at >= at


@every_game
def test_it_is_seen_through_any_seat(game_id: str) -> None:
    driver = begun(game_id, running=False)
    driver.act("next")
    page = driver.page
    for seat in ("1", "0", "7", "x", "-1"):
        me = page.session.me
        driver.act("see", value=seat)
        known = seat.isdigit() and int(seat) < len(page.session.names)
        assert page.session.me == (int(seat) if known else me)
        assert page.seen.player == page.session.me and not page.seen.actions


def test_a_person_at_the_table_cannot_look_through_other_seats() -> None:
    driver = Driver(route="#/tides-of-madness/table/new")
    driver.act("pace", value="instant")
    driver.act("start")
    for name, args in (("see", ()), ("next", ()), ("run", (False,))):
        at = driver.page.session.at
        driver.act(name, *args, value="1" if name == "see" else None)
        assert driver.page.session.me == 0 and driver.page.session.at == at


def test_a_change_of_language_does_not_stop_what_is_watched() -> None:
    """Whatever interrupts the bots, they go on afterwards; only a pause stops them."""
    driver = begun("mythicals", running=False)
    driver.page.running = True
    driver.act("lang", value="ro")
    assert driver.page.session.finished
    driver.act("rematch")
    driver.again()
    assert driver.page.session.finished  # what goes on by itself still does


def test_a_watched_game_that_is_opened_is_shown_and_stopped_while_it_runs() -> None:
    driver = begun("mythicals", running=False)
    driver.act("pace", value="calm")
    kept = {key: text for key, (_, text) in driver.host.entries.items()}

    async def story() -> None:
        device = Device(MemoryHost(kept, lang="en", route=driver.shell.hash))
        await asyncio.wait_for(device.shell.start(device.host), 20)
        page = device.shell.page
        assert isinstance(page, TablePage) and page.session is not None
        assert page.running and 'id="run"' in device.html
        await asyncio.wait_for(device.do("run", False), 20)
        assert not page.running and not page.session.finished

    run(story())


MOVES = 120
PER_MOVE = 6_000
"""Bytes that a move may leave behind: it stands in the record, the log and the store."""


def test_a_long_session_leaves_little_behind() -> None:
    driver = begun("mythicals", running=False)

    def move() -> None:
        driver.act("rematch" if driver.page.session.finished else "next")
        del driver.device.views[:-1]

    def kept() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    for _ in range(20):
        move()
    tracemalloc.start()
    try:
        before = kept()
        for _ in range(MOVES - 20):
            move()
        assert (kept() - before) / (MOVES - 20) < PER_MOVE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("game_id", ["ancient-cards", "tides-of-madness", "ritos-ancestrais"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_that_is_only_looked_at_bears_its_owners_name(game_id: str, lang: str) -> None:
    driver = begun(game_id, running=False)
    driver.act("lang", value=lang)
    page = driver.page
    for _ in range(30):
        if "hand-heading" in driver.html:
            break
        driver.act("next")
    for seat in ("0", "1"):
        driver.act("see", value=seat)
        owner = page.session.names[int(seat)]
        assert text(msg("app.table.hand-of", player=owner), lang) in driver.words
        assert text("app.ancient.hand", lang) not in driver.words
    driver.open(f"#/{game_id}/replay/{page.session.id}/{page.session.at}")
    owner = driver.page.names[driver.page.seat]
    assert text(msg("app.table.hand-of", player=owner), lang) in driver.words
