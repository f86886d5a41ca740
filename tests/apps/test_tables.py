"""The tables, driven as the screen drives them: acts in, HTML out."""

from __future__ import annotations

import asyncio
import html as html_module
import json
import random
import re
from collections.abc import Coroutine
from typing import Any

import pytest

from apps.host import MemoryHost
from apps.pages import ROUTES
from apps.shell import Shell
from apps.table.boards import BOARDS
from apps.table.page import TablePage
from lovecraft.core import CHANCE_MOVES
from lovecraft.i18n import LANGUAGES


class Table:
    """One device with the table of one game."""

    def __init__(self, game: str, *, lang: str = "en", host: MemoryHost | None = None) -> None:
        self.game = game
        self.views: list[str] = []
        self.shell = Shell(ROUTES, lambda view: self.views.append(view["html"]))
        self.host = host or MemoryHost()
        self.host.boot = json.dumps({"route": "", "lang": lang, "languages": [lang], "build": "t"})

    async def open(self, rest: str = "/new") -> None:
        await self.shell.start(self.host)
        self.shell.set(pace="instant")
        await self.visit(f"#/{self.game}/table{rest}")

    async def visit(self, fragment: str) -> None:
        self.shell.visit(fragment)
        await self.shell.idle()

    async def act(self, name: str, *args: Any, value: Any = None) -> None:
        self.shell.act(name, list(args), value)
        await self.shell.idle()

    @property
    def page(self) -> TablePage:
        assert isinstance(self.shell.page, TablePage)
        return self.shell.page

    @property
    def session(self) -> Any:
        return self.page.session

    @property
    def html(self) -> str:
        return self.views[-1]

    def buttons(self, act: str) -> list[list[Any]]:
        """The arguments of every enabled element that does an act."""
        found = []
        for tag in re.findall(rf'<[^>]*data-act="{act}"[^>]*>', self.html):
            if "aria-disabled" not in tag:
                given = re.search(r'data-args="([^"]*)"', tag)
                found.append(json.loads(html_module.unescape(given[1])) if given else [])
        return found

    async def step(self, rng: random.Random) -> None:
        """Do one thing that the screen offers."""
        if self.buttons("go-on"):
            await self.act("go-on")
        elif self.session.movers == CHANCE_MOVES:
            await self.act("deal")
        else:
            choices = self.buttons("play")
            touches = self.buttons("touch")
            assert choices or touches, self.html
            if choices:
                await self.act("play", *rng.choice(choices))
            else:
                await self.act("touch", *rng.choice(touches))
        assert self.shell.notice is None, self.shell.notice


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_game_is_played_to_its_end_by_what_the_screen_offers(game: str) -> None:
    async def play() -> None:
        for seed, lang in enumerate(LANGUAGES):
            table = Table(game, lang=lang)
            await table.open()
            await table.act("start")
            rng = random.Random(seed)
            for _ in range(600):
                if table.session.finished:
                    break
                await table.step(rng)
            assert table.session.finished
            assert 'id="rematch"' in table.html
            assert table.page._verdict() is not None

    run(play())


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_reload_shows_what_was_there(game: str) -> None:
    async def play() -> None:
        table = Table(game)
        await table.open()
        await table.act("start")
        rng = random.Random(7)
        stages = set()
        for _ in range(80):
            if table.session.finished:
                break
            again = Table(game, host=MemoryHost({k: t for k, (_, t) in table.host.entries.items()}))
            await again.open(f"/{table.session.id}")
            assert again.page.seen == table.page.seen
            assert again.page.stage == table.page.stage
            assert again.session.news == table.session.news
            assert again.session.at == table.session.at
            stages.add(table.page.stage)
            await table.step(rng)
        assert len(stages) > 1

    run(play())


def test_a_tap_meant_for_an_earlier_position_does_nothing() -> None:
    async def play() -> None:
        table = Table("tides-of-madness")
        await table.open()
        await table.act("start")
        first, second = table.buttons("play")[:2]
        await table.act("play", *first)
        at = table.session.at
        await table.act("play", *second)
        assert table.session.at == at
        assert table.shell.notice is None

    run(play())


def test_what_is_not_allowed_says_why_with_its_rule() -> None:
    async def play() -> None:
        table = Table("tides-of-madness")
        await table.open()
        await table.act("start")
        rng = random.Random(1)
        while table.page.stage != "keep" or table.page.held:
            await table.step(rng)
        kept = table.buttons("play")[0]
        await table.act("play", *kept)
        card = kept[0]["keep"]
        assert re.search(rf'id="card-{card}"[^>]*aria-disabled', table.html)
        await table.act("play", {"remove": card}, table.session.at)
        assert table.shell.notice is not None
        assert table.shell.notice.key == "tides-of-madness.error.kept-already"
        assert 'href="#/tides-of-madness/rules/tides-of-madness/remove"' in table.html
        assert table.page.stage == "remove"

    run(play())


def test_tides_says_what_each_choice_gives() -> None:
    """The numbers beside the choices are those that the round then has."""

    async def play() -> None:
        checked = set()
        for seed in range(40):
            table = Table("tides-of-madness")
            await table.open()
            await table.act("start")
            rng = random.Random(seed)
            while not table.session.finished:
                seen, stage = table.page.seen, table.page.stage
                if stage == "dreamlands":
                    me = seen.player
                    context = table.page.board.context(seen, stage, _around(table))
                    choice = rng.choice(context["choices"])
                    await table.act("play", {stage: choice.what}, table.session.at)
                    assert table.page.seen.points[-1] == choice.points
                    assert table.page.seen.madness[me] == choice.madness[me]
                    checked.add(stage)
                else:
                    await table.step(rng)
            if checked:
                return
        raise AssertionError("Dreamlands never came")

    run(play())


def _around(table: Table) -> Any:
    from apps.table.boards import Around

    return Around(table.session.names, table.session.news, table.session.log)


def test_tides_never_shows_what_the_seat_does_not_know() -> None:
    async def play() -> None:
        table = Table("tides-of-madness")
        await table.open()
        await table.act("start")
        state = table.session.match.state
        me = table.session.me
        from lovecraft.games.tides_of_madness.cards import ids

        for card in ids(state.hands[1 - me]):
            # of the first hand nothing is known: only in the list of what has not been seen
            assert f'id="card-{card}"' not in table.html
        known = table.html.split('id="known-hand"')[1].split("</details>")[0]
        assert "tile-name" not in known

    run(play())
