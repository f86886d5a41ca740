"""The tables, driven as the screen drives them: acts in, HTML out."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from app_support import Device, run
from driving import Driver

from apps.host import MemoryHost
from apps.table.boards import BOARDS, Around
from apps.table.page import TablePage
from apps.table.session import TableSession
from lovecraft.core import CHANCE_MOVES
from lovecraft.games import GAMES
from lovecraft.games.mythicals.cards import TOKEN, TOKEN_UNIT
from lovecraft.games.tides_of_madness.cards import ids
from lovecraft.i18n import LANGUAGES, text


class Table(Device):
    """A device with the table of one game."""

    def __init__(self, game: str, *, lang: str = "en", host: MemoryHost | None = None) -> None:
        super().__init__(host or MemoryHost(lang=lang, build="test"))
        self.game = game

    async def begin(self) -> None:
        """A new game against bots of the level that comes first in the form."""
        await self.open(f"#/{self.game}/table/new")
        self.shell.set(pace="instant")
        await self.do("start")

    async def again(self) -> Table:
        """The same game opened anew from what is kept on the device."""
        table = Table(self.game, host=MemoryHost({k: t for k, (_, t) in self.host.entries.items()}))
        await table.open(f"#/{self.game}/table/{self.session.id}")
        return table

    @property
    def page(self) -> TablePage:
        assert isinstance(self.shell.page, TablePage)
        return self.shell.page

    @property
    def session(self) -> TableSession:
        assert self.page.session is not None
        return self.page.session

    def offered(self, act: str) -> list[list[Any]]:
        """The arguments of every enabled element that does an act."""
        return [args for name, args in self.acts() if name == act]

    async def step(self, rng: random.Random, *, alone: bool = True) -> None:
        """Do one thing that the screen offers; where one is `alone`, nothing is said against it."""
        if self.offered("go-on"):
            await self.do("go-on")
        elif self.session.movers == CHANCE_MOVES:
            await self.do("deal")
        else:
            offers = [(act, args) for act, args in self.acts() if act in ("play", "touch")]
            assert offers, self.html
            act, args = rng.choice(offers)
            await self.do(act, *args)
        assert not alone or self.shell.notice is None, self.shell.notice


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_game_is_played_to_its_end_by_what_the_screen_offers(game: str) -> None:
    async def play() -> None:
        for seed, lang in enumerate(LANGUAGES):
            table = Table(game, lang=lang)
            await table.begin()
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
def test_a_tab_that_comes_second_shows_and_plays_on_what_the_first_has_done(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(milliseconds: int) -> None:
        """Every step is painted, and saved, without waiting for anybody to see it."""

    async def story() -> None:
        rng = random.Random(5)
        one = Table(game)
        await one.begin()
        two = Table(game, host=one.host)
        await two.open(one.shell.hash)
        two.shell.set(pace="calm")
        monkeypatch.setattr(two.shell, "pause", at_once)
        for _ in range(2):
            kept = one.host.entries[one.session.key]
            while (first := one.host.entries[one.session.key]) == kept:
                await one.step(rng)
            while two.shell.notice is None:
                await two.step(rng, alone=False)  # without having heard of it
            assert one.host.entries[one.session.key] == first
            assert two.page.seen_all and two.page.seen == one.page.seen
            await two.step(rng)
            one.shell.news(one.page.key)
            await one.shell.idle()
            assert one.page.seen == two.page.seen

    run(story())


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_reload_shows_what_was_there(game: str) -> None:
    async def play() -> None:
        table = Table(game)
        await table.begin()
        rng = random.Random(7)
        reloads = 0
        for _ in range(80):
            if table.session.finished:
                break
            again = await table.again()
            assert again.page.seen == table.page.seen
            assert again.page.stage == table.page.stage
            assert again.session.at == table.session.at
            assert list(again.session.log) == list(table.session.log)
            reloads += 1
            await table.step(rng)
        assert reloads > 5

    run(play())


def test_a_tap_meant_for_an_earlier_position_does_nothing() -> None:
    async def play() -> None:
        table = Table("tides-of-madness")
        await table.begin()
        first, second = table.offered("play")[:2]
        await table.do("play", *first)
        at = table.session.at
        await table.do("play", *second)
        assert table.session.at == at
        assert table.shell.notice is None

    run(play())


def test_what_is_not_allowed_says_why_with_its_rule() -> None:
    async def play() -> None:
        table = Table("tides-of-madness")
        await table.begin()
        rng = random.Random(1)
        while table.page.stage != "keep" or table.page.held:
            await table.step(rng)
        kept = table.offered("play")[0]
        await table.do("play", *kept)
        card = kept[0]["keep"]
        assert re.search(rf'id="card-{card}"[^>]*aria-disabled', table.html)
        await table.do("play", {"remove": card}, table.session.at)
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
            await table.begin()
            rng = random.Random(seed)
            while not table.session.finished:
                seen, stage = table.page.seen, table.page.stage
                if stage == "dreamlands":
                    me = seen.player
                    context = table.page.board.context(seen, stage, _around(table))
                    choice = rng.choice(context["choices"])
                    await table.do("play", {stage: choice.what}, table.session.at)
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
    return Around(table.session.names, table.session.news, table.session.log)


def test_tides_never_shows_what_the_seat_does_not_know() -> None:
    async def play() -> None:
        table = Table("tides-of-madness")
        await table.begin()
        state = table.session.match.state
        me = table.session.me
        for card in ids(state.hands[1 - me]):
            # of the first hand nothing is known: only in the list of what has not been seen
            assert f'id="card-{card}"' not in table.html
        known = table.html.split('id="known-hand"')[1].split("</details>")[0]
        assert "tile-name" not in known

    run(play())


def test_mythicals_shows_every_payment_and_refuses_with_the_cost() -> None:
    async def play() -> None:
        several = False
        for seed in range(30):
            table = Table("mythicals")
            await table.begin()
            rng = random.Random(seed)
            while not table.session.finished:
                if table.page.stage != "claim":
                    await table.step(rng)
                    continue
                seen = table.page.seen
                payments = Counter(a.target for a in seen.actions if a.kind == "claim")
                token, number = payments.most_common()[0]
                lit = {args[0] for args in table.offered("touch")}
                assert lit == set(payments)
                await table.do("touch", token, table.session.at)
                assert table.html.count('id="way-') == number
                dark = next(t for t in TOKEN if t not in lit and seen.board & TOKEN_UNIT[t])
                await table.do("touch", dark, table.session.at)
                assert table.shell.notice is not None
                assert table.shell.notice.key == "mythicals.error.wrong-payment"
                assert "mythicals/rules/mythicals/" in table.html.split('id="notice"')[1]
                several = several or number > 1
                await table.do("play", "pass", table.session.at)
            if several:
                return
        raise AssertionError("never several payments")

    run(play())


def test_mythicals_marks_the_cards_that_would_be_given_away() -> None:
    async def play() -> None:
        rng = random.Random(3)
        checked = 0
        while checked < 5:
            table = Table("mythicals")
            await table.begin()
            while not table.session.finished:
                if table.page.stage in ("take", "draw"):
                    given = Counter(re.findall(r"goes to the other player", table.html))
                    taken = [args for args in table.offered("play") if args[0] != {"draw": "pile"}]
                    if given and len(taken) == 1:
                        other = 1 - table.session.me
                        turn, told = table.session.at, len(table.session.log)
                        await table.do("play", *taken[0])
                        gift = next(e for e in table.session.log[told:] if e.kind == "gift")
                        assert gift.player == other
                        assert len(gift.data["cards"]) == given.total()
                        assert table.session.at > turn
                        checked += 1
                        continue
                await table.step(rng)

    run(play())


# -- several people at one device -----------------------------------------------------------------


async def with_people(game: str, lang: str = "en") -> Table:
    table = Table(game, lang=lang)
    await table.open(f"#/{game}/table/new")
    table.shell.set(pace="instant")
    await table.do("level", 0, value="human")
    await table.do("seat-name", 0, value="Ana")
    await table.do("start")
    return table


def card_names(game: str) -> list[str]:
    return [text(GAMES[game].card_name(card.id)) for card in GAMES[game].cards]


@pytest.mark.parametrize("game", sorted(game for game in BOARDS if not BOARDS[game].open))
def test_behind_the_curtain_there_is_nothing_of_the_game(game: str) -> None:
    async def play() -> None:
        rng = random.Random(11)
        table = await with_people(game)
        veils = moves = 0
        while not table.session.finished and moves < 120:
            moves += 1
            if table.offered("lift"):
                veils += 1
                assert not [name for name in card_names(game) if name in table.words]
                assert {act for act, _ in table.acts()} <= {"lift", "new", "dismiss"}
                before = table.html
                await table.do("play", table.game, table.session.at)
                await table.do("take-back")
                assert table.html == before
                reloaded = await table.again()
                assert reloaded.offered("lift")
                await table.do("lift")
                continue
            assert table.page.seen.player == table.session.me
            if table.offered("confirm"):
                await table.do(rng.choice(("confirm", "confirm", "rather-not")))
                continue
            await table.step(rng)
        assert veils > 3

    run(play())


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_the_screen_depends_on_nothing_that_its_seat_does_not_know(game: str) -> None:
    """The same screen for every position that the seat cannot tell from the real one."""

    async def play() -> None:
        rng = random.Random(5)
        table = await with_people(game)
        compared = 0
        for _ in range(60):
            if table.session.finished:
                break
            if table.offered("lift"):
                await table.do("lift")
            elif table.offered("confirm"):
                await table.do("confirm")
            else:
                session = table.session
                if session.movers != CHANCE_MOVES:
                    real, shown = session.match.state, table.page.html()
                    session.match.state = session.game.resample(table.page.seen, rng)
                    assert table.page.html() == shown
                    session.match.state = real
                    compared += 1
                await table.step(rng)
        assert compared > 10

    run(play())


def test_taking_back_can_be_ruled_out_before_a_game() -> None:
    driver = Driver(route="#/ancient-cards/table/new")
    driver.act("pace", value="instant")
    driver.act("level", 0, value="human")
    assert 'id="free"' not in driver.html  # people at one device take nothing back anyway
    driver.act("level", 0, value="random")
    driver.act("free", value=False)
    driver.act("start")
    page = driver.page
    driver.act("play", page.game.action_to_json(page.seen.actions[0]), page.session.at)
    at = page.session.at
    for again in (driver, driver.again()):
        assert not again.page.session.may_take_back
        again.act("take-back")
        assert again.page.session.at == at and not again.page.session.taken_back
    driver.open("#/ancient-cards/table/new")
    assert 'id="free" data-act="free">' in driver.html  # as it was chosen last
    driver.act("free", value=True)
    driver.act("start")
    page = driver.page
    driver.act("play", page.game.action_to_json(page.seen.actions[0]), page.session.at)
    assert page.session.may_take_back


def test_a_round_of_tides_tells_each_number_once() -> None:
    driver = Driver(route="#/tides-of-madness/table/new")
    driver.act("pace", value="instant")
    driver.act("level", 0, value="random")
    driver.act("start")
    page = driver.page
    for _ in range(12):
        if page.held:
            break
        driver.act("play", page.game.action_to_json(page.seen.actions[0]), page.session.at)
    sheets = re.findall(r'class="line-text".*?</li>', driver.html, re.S)
    assert len(sheets) >= 10 and not any("+" in words for words in sheets)


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        (("Carter", "Armitage"), ["C", "A"]),
        (("Ana", "armitage"), ["An", "ar"]),
        (("Marina", "Marius"), ["1", "2"]),
    ],
)
def test_claimed_tokens_bear_signs_that_tell_the_players_apart(
    names: tuple[str, str], signs: list[str]
) -> None:
    game = GAMES["mythicals"]
    seen = game.observe(game.start(game.setup(2)), 0)
    context = BOARDS["mythicals"].context(seen, "others", Around(names))
    assert context["signs"] == signs
