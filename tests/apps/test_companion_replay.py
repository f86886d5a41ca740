"""A round entered beside real cards, opened at the table and played again."""

from __future__ import annotations

import pytest
from driving import Driver

from apps.table.page import TablePage
from lovecraft.games.ancient_cards.cards import RUNES, counts
from lovecraft.games.tides_of_madness.cards import ids

FIRST = (
    ("dagon", "azathoth", "hastur", "dreamlands", "innsmouth"),
    ("cthulhu", "rlyeh", "deep-ones", "necronomicon", "nyarlathotep"),
)


def tides() -> Driver:
    driver = Driver(route="#/tides-of-madness/score")
    driver.act("name", 0, value="Ana <b>")
    for side in FIRST:
        for card in side:
            assert "Play round" not in driver.words
            driver.act("card", card)
    return driver


def test_a_round_of_tides_is_played_again_with_the_hands_of_the_sheet() -> None:
    driver = tides()
    assert "Play round 1 again" in driver.words and "As Ana &lt;b&gt;" in driver.words
    sheet = driver.page.session.sheet
    driver.act("replay", 0)
    page = driver.page
    assert isinstance(page, TablePage) and page.session is not None
    a, b = FIRST
    assert set(ids(page.session.match.state.hands[0])) == {a[0], b[1], a[2], b[3], a[4]}
    assert page.session.names == ("Ana <b>", "Player 2") and page.session.me == 0
    driver.open("#/tides-of-madness/score")
    assert driver.page.session.sheet == sheet


def test_the_second_round_keeps_what_was_kept() -> None:
    driver = tides()
    driver.act("choice", "points")
    driver.act("place", 0, 1)
    for card in ("dagon", "cthulhu"):  # kept
        driver.act("card", card)
    assert "Play round 2" not in driver.words
    for card in ("azathoth", "hastur", "yog-sothoth", "rlyeh", "elder-things"):
        driver.act("card", card)
    for card in ("dreamlands", "deep-ones", "necronomicon", "pnakotic-manuscripts"):
        driver.act("card", card)
    driver.act("card", "shub-niggurath")
    assert "Play round 2 again" in driver.words, driver.words
    driver.act("replay", 1)
    state = driver.page.session.match.state
    assert state.round == 1 and [ids(row[0]) for row in state.tableaus] == [
        ("dagon",),
        ("cthulhu",),
    ]
    assert {"innsmouth", "nyarlathotep"} == set(ids(state.removed))
    assert driver.page.session.me == 1


@pytest.mark.parametrize("players", [2, 3])
def test_a_round_of_runes_is_dealt_as_it_may_have_been(players: int) -> None:
    driver = Driver(route="#/ancient-cards/score")
    while len(driver.page.players) < players:
        driver.act("add-player")
    for p in range(players):
        driver.act("place", p, 0)
        for k in range(7):
            assert "Play round" not in driver.words
            driver.act("rune", RUNES[(p + k) % 3], 1)
    assert "Play round 1 again" in driver.words
    driver.act("replay", players - 1)
    state = driver.page.session.match.state
    dealt = [sum(row) for row in zip(*map(counts, state.hands), strict=True)]
    assert sum(dealt) == 7 * players and all(not n for n in dealt[3:])
    assert driver.page.session.me == players - 1


def test_somebody_elses_sheet_is_only_looked_at() -> None:
    driver = tides()
    driver.open(f"#/tides-of-madness/score/shared/{driver.page.link}")
    assert driver.page.readonly and "Play round" not in driver.words
    driver.act("replay", 0)
    assert not isinstance(driver.page, TablePage) and "only shown" in driver.said
