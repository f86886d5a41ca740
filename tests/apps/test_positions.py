"""Games that begin at a position: opened by another page, kept, taken back, played again."""

from __future__ import annotations

import json

from app_support import run
from driving import Driver

from apps.store import DAMAGED
from apps.table.page import TablePage, sit_down
from apps.table.session import HUMAN, TableSession
from lovecraft import games
from lovecraft.core import Player
from lovecraft.games.ancient_cards.cards import pack
from lovecraft.games.ancient_cards.game import State

GAME = games.get("ancient-cards")
SEATS = (Player("Ana", HUMAN), Player("Keziah", "random"))


def third_round() -> State:
    """Both hands of the last round are known: what would have been the best?"""
    setup = GAME.setup(2)
    empty = GAME.start(setup)
    hands = (
        pack(["ia", "ia", "cthulhu", "cthulhu", "rlyeh", "rlyeh", "fhtagn"]),
        pack(["ia", "phnglui", "mglwnafh", "cthulhu", "rlyeh", "wgahnagl", "fhtagn"]),
    )
    state: State = empty._replace(round=2, hands=hands, points=((3, 4), (5, 5)))
    return state


def opened(driver: Driver, session: TableSession) -> None:
    """Another page sends the person to this table."""

    async def go() -> None:
        sit_down(driver.shell, session)
        await driver.shell.idle()

    run(go())
    assert driver.shell.hash == f"#/ancient-cards/table/{session.id}"


def test_another_page_opens_a_position_and_it_is_kept() -> None:
    driver = Driver()
    session = TableSession.begin(GAME, SEATS, {}, third_round())
    opened(driver, session)
    assert {"hash": driver.shell.hash} in driver.host.asked
    page = driver.page
    assert isinstance(page, TablePage) and page.session is not None
    assert page.session.observation() == GAME.observe(third_round(), 0)
    assert not page.session.log and not page.session.may_take_back
    assert "cthulhu" in driver.html

    driver.act("pace", value="instant")
    driver.act("play", "cthulhu", 0)
    assert page.session.at == 2 and page.session.may_take_back
    again = driver.again()
    assert again.page.session.match.record == page.session.match.record
    again.act("take-back")
    assert again.page.session.match.state == third_round()
    kept = again.entry(again.page.key)["record"]
    assert kept["position"]["points"] == [[3, 4], [5, 5]]


def test_a_position_is_played_again_from_where_it_began() -> None:
    driver = Driver()
    session = TableSession.begin(GAME, SEATS, {}, third_round())
    opened(driver, session)
    driver.act("pace", value="instant")
    while driver.page.session.movers:
        seen = driver.page.session.observation()
        driver.act("play", seen.actions[0], driver.page.session.at)
    driver.act("rematch")
    assert driver.page.session.match.state == third_round()
    assert driver.page.session.names == ("Ana", "Keziah")


def test_a_kept_position_that_was_damaged_is_set_aside() -> None:
    driver = Driver()
    session = TableSession.begin(GAME, SEATS, {}, third_round())
    session.save(driver.shell.store)
    whole = json.loads(driver.shell.store.text(session.key) or "")
    whole["record"]["position"]["hands"][0] += 1
    damaged = Driver({session.key: json.dumps(whole)})
    damaged.open(f"#/ancient-cards/table/{session.id}")
    assert damaged.page.session is None
    assert damaged.shell.store.keys(DAMAGED)
