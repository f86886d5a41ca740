"""A game of Ancient Cards at the table, against bots."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from app_support import Device, run

from apps.host import MemoryHost
from lovecraft import bots, games
from lovecraft.core import Player, Record, play

ROUTE = "#/ancient-cards/table"


async def _begin(seats: int = 2, device: Device | None = None) -> Device:
    device = device or await Device().open(ROUTE)
    device.shell.set(pace="instant")
    for _ in range(seats - 2):
        await device.do("seats", 1)
    await device.do("start")
    return device


def _choices(device: Device) -> list[Any]:
    return [args[0] for act, args in device.acts() if act == "play"]


async def _play(device: Device, rune: str) -> str:
    page: Any = device.shell.page
    return await device.do("play", rune, page.session.at)


async def _play_out(device: Device, rng: random.Random) -> None:
    for _ in range(40):
        offered = [act for act, _ in device.acts()]
        if "play" in offered:
            await _play(device, rng.choice(_choices(device)))
        elif "deal" in offered:
            await device.do("deal")
        else:
            return


@pytest.mark.parametrize("seats", [2, 3, 4, 7])
def test_a_whole_game_by_what_the_screen_offers(seats: int) -> None:
    async def story() -> None:
        device = await _begin(seats)
        await _play_out(device, random.Random(seats))
        session = device.shell.page.session  # type: ignore[attr-defined]
        outcome = session.match.record.outcome()
        assert outcome is not None
        assert "The game is over" in device.words
        for p in outcome.winners:
            assert session.names[p] in device.words
        (key,) = [k for k in device.host.entries if k.startswith("table/")]
        kept = json.loads(device.host.entries[key][1])
        assert Record.from_json(kept["record"], games.get).outcome() == outcome
        assert kept["finished"] is True
        assert 'data-act="rematch"' in device.html

    run(story())


def test_a_reload_after_any_move_finds_the_game_where_it_was() -> None:
    async def story() -> None:
        device = await _begin(3)
        rng = random.Random(5)
        for _ in range(9):
            offered = [act for act, _ in device.acts()]
            if "deal" in offered:
                await device.do("deal")
            else:
                await _play(device, rng.choice(_choices(device)))
            again = await Device(device.host).open(ROUTE)
            assert again.shell.page.seen == device.shell.page.seen  # type: ignore[attr-defined]
            assert _choices(again) == _choices(device)
            device = again

    run(story())


def test_a_tab_killed_while_others_choose_goes_on_from_there() -> None:
    """Only the person's pick has been kept: the bots answer after the reload."""

    async def story() -> None:
        device = await _begin(4)
        session = device.shell.page.session  # type: ignore[attr-defined]
        before = session.observation()
        session.play(_choices(device)[0])
        session.save(device.shell.store)
        await device.shell.store.flush()
        again = await Device(device.host).open(ROUTE)
        after = again.shell.page.session.observation()  # type: ignore[attr-defined]
        assert after.pick == before.pick + 1
        assert _choices(again)

    run(story())


def test_taking_back_returns_to_the_choice_and_nothing_is_rerolled() -> None:
    async def story() -> None:
        device = await _begin(3)
        page: Any = device.shell.page
        before = page.session.observation()
        choice = _choices(device)[0]
        await _play(device, choice)
        after = page.session.observation()
        await device.do("take-back")
        assert page.session.observation() == before
        assert "Taken back 1 time" in device.words
        await _play(device, choice)
        assert page.session.observation() == after

    run(story())


def test_nothing_can_be_taken_back_before_the_first_choice() -> None:
    async def story() -> None:
        device = await _begin()
        page: Any = device.shell.page
        before = page.session.observation()
        await device.do("take-back")
        assert page.session.observation() == before and page.session.taken_back == 0

    run(story())


def test_the_screen_never_tells_a_hand_the_person_has_not_seen() -> None:
    """Two deals that look alike to the person give the same screens, to the letter."""

    async def story() -> None:
        device = await _begin(4)
        page: Any = device.shell.page
        session = page.session
        for number in range(20):
            other = session.game.resample(session.observation(), random.Random(number))
            state, session.match.state = session.match.state, other
            html = page.html()
            session.match.state = state
            assert html == page.html()

    run(story())


def test_an_illegal_card_is_explained_by_its_rule() -> None:
    async def story() -> None:
        device = await _begin()
        page: Any = device.shell.page
        missing = [c.id for c in page.game.cards if c.id not in _choices(device)]
        if missing:
            await _play(device, missing[0])
            assert "is not in this hand" in device.words

    run(story())


def test_steps_of_a_pick_are_shown_one_after_the_other() -> None:
    async def story() -> None:
        device = await _begin(3)
        device.shell.set(pace="brisk")
        start = len(device.views)
        await _play(device, _choices(device)[0])
        shown = [view["html"] for view in device.views[start:]]
        said = ["others are choosing", "All have chosen", "pass their hands", "Choose a rune"]
        at = [next(i for i, html in enumerate(shown) if words in html) for words in said]
        assert at == sorted(at) and len(set(at)) == len(said)

    run(story())


def test_options_and_bots_of_the_form_reach_the_game() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        device.shell.set(pace="instant")
        await device.do("my-name", value="<b>Ana</b>")
        await device.do("option", "copies", value="9")
        await device.do("option", "keep_play_area", value=True)
        await device.do("seats", 1)
        await device.do("level", 1, value="random")
        await device.do("start")
        record = device.shell.page.session.match.record  # type: ignore[attr-defined]
        assert dict(record.options) == {"copies": 9, "keep_play_area": True}
        assert [p.kind for p in record.players] == ["human", "greedy", "random"]
        assert "<b>Ana" not in device.html

    run(story())


def test_options_that_do_not_go_together_are_told_in_the_form() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await device.do("option", "keep_play_area", value=True)
        await device.do("seats", 1)
        await device.do("start")
        assert "needs 63 cards" in device.words
        assert 'data-act="start"' in device.html

    run(story())


@pytest.mark.parametrize("field", ["record", "seed", "taken_back", "created"])
def test_a_damaged_game_is_set_aside_and_a_new_one_can_begin(field: str) -> None:
    async def story() -> None:
        device = await _begin()
        (key,) = [k for k in device.host.entries if k.startswith("table/")]
        entry = json.loads(device.host.entries[key][1])
        entry[field] = {"no": "such"}
        host = MemoryHost({key: json.dumps(entry)}, lang="en")
        again = await Device(host).open(ROUTE)
        assert again.shell.notice is not None
        assert 'data-act="start"' in again.html
        await again.visit("#/")
        assert 'data-act="export-damaged"' in again.html
        await again.do("export-damaged")
        assert any("download" in asked for asked in host.asked)

    run(story())


def test_the_record_can_be_saved_and_read() -> None:
    async def story() -> None:
        device = await _begin()
        await _play(device, _choices(device)[0])
        await device.do("export")
        (wish,) = [a["download"] for a in device.host.asked if "download" in a]
        record = Record.loads(wish["text"], games.get)  # type: ignore[index]
        assert record == device.shell.page.session.match.record  # type: ignore[attr-defined]

    run(story())


def test_bots_that_think_show_it_answer_and_can_be_left_thinking() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        device.shell.set(pace="instant")
        await device.do("level", 0, value="adept")
        await device.do("start")
        start = len(device.views)
        await _play(device, _choices(device)[0])
        assert any("Armitage is thinking" in view["html"] for view in device.views[start:])
        assert "Armitage is thinking" not in device.html
        page: Any = device.shell.page
        assert page.session.observation().pick == 1
        device.shell.act("play", [_choices(device)[0], page.session.at])
        device.shell.visit("#/")
        await device.shell.idle()
        assert device.shell.hash == "#/"
        await device.visit(ROUTE)
        again: Any = device.shell.page
        assert again.session.observation().pick == 2

    run(story())


def test_a_second_tap_on_the_same_thing_does_nothing() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        device.shell.set(pace="instant")
        for _ in range(2):
            device.shell.act("start", [])
        await device.shell.idle()
        assert len([key for key in device.host.entries if key.startswith("table/")]) == 1
        page: Any = device.shell.page
        for _ in range(2):
            device.shell.act("play", [_choices(device)[0], page.session.at])
        await device.shell.idle()
        assert page.session.observation().pick == 1
        await _play_out(device, random.Random(1))
        for _ in range(2):
            device.shell.act("rematch", [])
        await device.shell.idle()
        assert len([key for key in device.host.entries if key.startswith("table/")]) == 2

    run(story())


def test_nobody_plays_against_a_namesake() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await device.do("my-name", value="Armitage")
        device.shell.set(pace="instant")
        await device.do("start")
        names = device.shell.page.session.names  # type: ignore[attr-defined]
        assert len(set(names)) == 2 and names[0] == "Armitage"

    run(story())


@pytest.mark.parametrize("settings", [{"pace": []}, {"lang": 5, "theme": {}}, {"table-x": 1}])
def test_damaged_settings_change_nothing(settings: dict[str, Any]) -> None:
    async def story() -> None:
        host = MemoryHost({"settings": json.dumps({"v": 1, **settings})}, lang="en")
        device = await Device(host).open(ROUTE)
        await device.do("start")
        assert _choices(device)

    run(story())


def test_a_game_of_bots_alone_is_watched() -> None:
    async def story() -> None:
        device = await _begin()
        (key,) = [k for k in device.host.entries if k.startswith("table/")]
        game = games.get("ancient-cards")
        agents = [bots.make("random", game)] * 2
        seats = [Player("Ana", "random"), Player("Ion", "random")]
        entry = json.loads(device.host.entries[key][1])
        entry["record"] = play(game, agents, 1, seats).to_json()
        again = await Device(MemoryHost({key: json.dumps(entry)}, lang="en")).open(ROUTE)
        assert again.shell.notice is None and again.shell.page.session.watching  # type: ignore[attr-defined]
        assert 'data-act="play"' not in again.html

    run(story())


def test_news_from_another_tab_draw_the_curtain() -> None:
    async def story() -> None:
        one = await Device().open(ROUTE)
        one.shell.set(pace="instant")
        await one.do("level", 0, value="human")
        await one.do("start")
        await one.do("lift")
        two = await Device(one.host).open(one.shell.hash)
        await two.do("lift")
        await _play(two, _choices(two)[0])
        await two.do("confirm")
        one.shell.news(one.shell.page.key)
        await one.shell.idle()
        assert one.shell.page.veiled  # type: ignore[attr-defined]
        assert not _choices(one)
        await one.do("lift")
        assert one.shell.page.session.me == 1  # type: ignore[attr-defined]
        assert _choices(one)

    run(story())
