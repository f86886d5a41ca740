"""Games by links: out of one device, into another, and back, each person in an own seat."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from driving import Driver
from test_library import a_record, kept, library, running

from apps.packing import pack, unpack
from apps.table import links
from apps.table.boards import BOARDS
from apps.table.linked import LinkPage
from apps.table.session import TableSession
from lovecraft.core import Match
from lovecraft.i18n import LANGUAGES, text


def begun(game: str, lang: str = "en") -> Driver:
    """A device of Ana's with a game against Ion, who is elsewhere."""
    driver = Driver(route=f"#/{game}/table/new", lang=lang)
    driver.shell.set(pace="instant")
    driver.act("my-name", value="Ana")
    driver.act("level", 0, value="link")
    driver.act("seat-name", 0, value="Ion")
    assert 'id="by-link"' in driver.html
    driver.act("start")
    return driver


def to_the_turn_of_others(driver: Driver, rng: random.Random) -> None:
    """Play what the screen offers until somebody elsewhere is to move, or the game is over."""
    for _ in range(80):
        session = driver.page.session
        if session.waited_for or session.finished:
            return
        offers = [
            (act, args)
            for act, args in driver.device.acts()
            if act in ("play", "touch", "go-on", "deal", "confirm")
        ]
        last = [offer for offer in offers if offer[0] == "confirm"]
        act, args = last[0] if last else rng.choice(offers)
        driver.act(act, *args)
    raise AssertionError("no turn of others")


def shared(driver: Driver) -> str:
    """The address that the table hands over."""
    driver.act("share")
    asked: dict[str, Any] = [one for one in driver.host.asked if "share" in one][-1]
    return str(asked["share"]["hash"])


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_two_people_play_a_whole_game_by_sending_links_in_turn(game: str) -> None:
    rng = random.Random(6)
    here = begun(game)
    there = Driver()
    there.shell.set(pace="instant")
    seats = {here: 0, there: 1}
    for sent in range(120):
        to_the_turn_of_others(here, rng)
        assert here.page.session.me == seats[here]
        assert not here.page.session.may_take_back
        finished, link = here.page.session.finished, shared(here)
        if not finished:
            assert "It is the turn of" in here.words
        assert len(link) < 4000
        there.open(link)
        page = there.page
        assert isinstance(page, LinkPage)
        assert page.known == ("ahead" if sent else "new")
        if finished:
            assert 'id="linked"' in there.html
            assert not page.gate
            assert page.outcome_words() == here.page._verdict()
            there.act("take", seats[there])
            (one,) = kept(there)
            assert one.finished
            assert one.totals == here.page.session.match.record.outcome().totals
            break
        assert page.gate
        there.act("take", seats[there])
        there.open(f"#/{game}/table/{here.page.session.id}")
        assert there.page.session.at == here.page.session.at
        here, there = there, here
    else:
        raise AssertionError("it never ended")
    assert sent > 2


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_the_replay_of_a_game_by_links_shows_the_own_seat_only(game: str) -> None:
    ana = begun(game)
    to_the_turn_of_others(ana, random.Random(1))
    ana.open(ana.shell.hash.replace("/table/", "/replay/"))
    page = ana.page
    assert page.seats == [0]
    assert not page.veiled
    ana.act("seat", "1")
    assert page.seat == 0
    for at in range(len(page.steps) + 1):
        ana.act("jump", at)
        assert BOARDS[game].open or page.decision is None or page.decision.player == 0


def test_behind_the_question_who_one_is_there_is_nothing_of_the_game() -> None:
    for game in sorted(BOARDS):
        ana = begun(game)
        to_the_turn_of_others(ana, random.Random(1))
        names = [text(ana.page.game.card_name(card.id)) for card in ana.page.game.cards]
        link = shared(ana)
        ion = Driver(route=link)
        assert not [name for name in names if name in ion.words]
        before = ion.html
        for act, args in (
            ("step", [-1]),
            ("ask", []),
            ("seat", ["0"]),
            ("jump", [0]),
            ("look", [7]),
        ):
            ion.act(act, *args)
        assert ion.html == before
        ion.act("look", 1)
        assert ion.page.seats == [1]
        ion.act("seat", "0")
        assert ion.page.seat == 1
        if not BOARDS[game].open:
            assert ion.page.decision is None or ion.page.decision.player == 1
        assert not ion.shell.store.keys("table/")  # looking keeps nothing


def test_a_link_that_is_older_or_the_same_leads_to_the_own_game() -> None:
    rng = random.Random(2)
    ana = begun("mythicals")
    to_the_turn_of_others(ana, rng)
    link = shared(ana)
    ana.open(link)
    assert ana.page.known == "behind"
    assert f'href="#/mythicals/table/{ana.page.linked.id}"' in ana.html
    assert 'data-act="take"' not in ana.html
    ana.act("look", 1)
    assert ana.page.gate  # Ion's seat is not Ana's to look through
    at = ana.page.mine.at
    ana.act("take", 1)  # forced all the same: a game beside it, never the own one changed
    assert ana.entry(f"table/{links.from_letters(link.split('/')[2]).id}")["here"] == [0]
    assert len(kept(ana)) == 2
    assert max(len(ana.entry(one.key)["record"]["moves"]) for one in kept(ana)) == at


def test_a_game_that_went_another_way_is_kept_beside() -> None:
    rng = random.Random(2)
    ana = begun("tides-of-madness")
    to_the_turn_of_others(ana, rng)
    link = shared(ana)
    ion, eva = Driver(route=link), Driver(route=link)
    answers = []
    for number, other in enumerate((ion, eva)):
        other.shell.set(pace="instant")
        other.act("take", 1)
        other.open(f"#/tides-of-madness/table/{ana.page.session.id}")
        to_the_turn_of_others(other, random.Random(10 + number))
        answers.append(shared(other))
    ana.open(answers[0])
    assert ana.page.known == "ahead"
    ana.act("take", 0)
    ana.open(answers[1])
    assert ana.page.known == "other"
    assert text("link.other") in ana.words
    ana.act("take", 0)
    assert len(kept(ana)) == 2


def test_a_copy_is_kept_and_can_be_looked_at() -> None:
    record = a_record("ancient-cards")
    session = TableSession(Match(record, "seed"))
    driver = Driver(route=links.to_link(links.linked(session)))
    assert 'id="linked"' in driver.html
    assert driver.page.seats == [0, 1]
    driver.act("take", 0)  # it is over
    assert not kept(driver)
    driver.act("copy")
    (one,) = kept(driver)
    assert one.finished
    assert driver.entry(one.key)["record"] == record.to_json()


def test_a_finished_game_in_the_list_is_shared_from_its_replay() -> None:
    record = a_record("tides-of-madness")
    driver = library(record)
    (one,) = kept(driver)
    driver.open(f"#/tides-of-madness/replay/{one.id}")
    other = Driver(route=shared(driver))
    assert other.page.record == record
    driver.open(shared(driver))
    assert driver.page.record == record
    driver = running()
    driver.open(driver.shell.hash.replace("/table/", "/replay/"))
    asked = len(driver.host.asked)
    driver.act("share")
    assert not [one for one in driver.host.asked[asked:] if "share" in one]


def test_a_game_against_bots_goes_by_link_and_people_at_one_device_keep_theirs() -> None:
    driver = running()
    link = shared(driver)
    other = Driver(route=link)
    other.act("take", 0)
    other.open(f"#/tides-of-madness/table/{driver.page.session.id}")
    assert other.page.seen == driver.page.seen
    assert other.page.session.may_take_back == driver.page.session.may_take_back
    driver = running(people=2)
    driver.page.veiled = False
    asked = len(driver.host.asked)
    driver.act("share")
    assert not [one for one in driver.host.asked[asked:] if "share" in one]


def test_chance_goes_on_the_same_way_whoever_opens_a_link() -> None:
    ana = begun("mythicals")
    to_the_turn_of_others(ana, random.Random(3))
    link = shared(ana)
    states = []
    for _ in range(2):
        ion = Driver(route=link)
        ion.shell.set(pace="instant")
        ion.act("take", 1)
        ion.open(f"#/mythicals/table/{ana.page.session.id}")
        to_the_turn_of_others(ion, random.Random(4))
        states.append(ion.page.session.match.state)
    assert states[0] == states[1]


# -- damage ---------------------------------------------------------------------------------------


def good() -> dict[str, Any]:
    session = TableSession(Match(a_record(), "seed"))
    value: dict[str, Any] = unpack(links.to_link(links.linked(session)).split("/")[2], links.MOST)
    return value


def damaged() -> dict[str, str]:
    value = good()
    record = value["record"]
    letters = pack(value)
    return {
        "nothing": "",
        "no letters": "%20!",
        "cut off": letters[: len(letters) // 2],
        "one letter": letters[:40] + ("A" if letters[40] != "A" else "B") + letters[41:],
        "long": "A" * (links.LONGEST + 1),
        "a bomb": pack("0" * 20_000_000),
        "a number": pack(7),
        "version": pack({**value, "v": 2}),
        "id": pack({**value, "id": "../settings"}),
        "id of another kind": pack({**value, "id": 4}),
        "seed": pack({**value, "seed": "x" * 99}),
        "no seed": pack({**value, "seed": None}),
        "no record": pack({**value, "record": []}),
        "name": pack({**value, "record": {**record, "players": record["players"][::-1]}}),
        "moves": pack({**value, "record": {**record, "moves": record["moves"][:5]}}),
        "illegal": pack({**value, "record": {**record, "moves": record["moves"][1:]}}),
    }


@pytest.mark.parametrize("kind", sorted(damaged()))
def test_a_damaged_link_is_refused_with_its_reason(kind: str) -> None:
    driver = library(a_record("mythicals"))
    driver.open(f"#/play/{damaged()[kind]}")
    if kind == "nothing":
        assert "There is no such page" in driver.said
        return
    assert driver.said.startswith("This link holds no game that could be shown. ")
    if kind in ("name", "moves", "illegal"):
        assert re.search(r"(players|moves\[\d+\]|trace): ", driver.said)
    assert 'id="import"' in driver.html
    assert len(kept(driver)) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_long_link_is_told_of_in_every_language(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = begun("ancient-cards", lang)
    link = shared(driver)
    assert text("link.sent", lang, n=len(link)) == driver.said
    monkeypatch.setattr(links, "WORRYING", 100)
    assert text("link.sent-long", lang, n=len(shared(driver))) == driver.said


def test_a_damaged_list_of_who_is_here_does_not_keep_a_game_shut() -> None:
    driver = begun("mythicals")
    key = driver.page.key
    for wrong in ("x", [9], [], [None], {"a": 1}):
        entry = {**driver.entry(key), "here": wrong}
        session = TableSession.read(entry, key)
        assert session.here == [0, 1]


def test_a_rematch_changes_the_seats_and_who_is_where() -> None:
    record = a_record("tides-of-madness")
    players = tuple(player._replace(kind="human") for player in record.players)
    session = TableSession(Match(replace(record, players=players), "s"), here=[0])
    driver = Driver()
    session.save(driver.shell.store)
    driver.open(f"#/tides-of-madness/table/{session.id}")
    driver.act("rematch")
    again = driver.page.session
    assert again.names == ("Ion", "Ana")
    assert again.here == [1]
    assert again.me == 1


def test_somebody_must_play_at_the_device_that_begins_a_game_by_links() -> None:
    driver = Driver(route="#/ritos-ancestrais/table/new")
    driver.act("first", value="greedy")
    driver.act("level", 0, value="link")
    driver.act("start")
    assert driver.said == text("link.nobody-here") and driver.page.session is None
    driver.act("seats", 1)
    driver.act("level", 1, value="human")
    driver.act("start")
    assert driver.page.session.people == [1, 2] and driver.page.session.here == [2]
