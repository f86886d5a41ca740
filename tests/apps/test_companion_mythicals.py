"""Scoring Mythicals: tokens and markers tapped on a drawn board, checked against the engine."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from driving import Driver

from lovecraft.games.mythicals.cards import CREATURES, TOKEN_IDS
from lovecraft.games.mythicals.sheet import claims_sheet, score_sheet
from lovecraft.i18n import LANGUAGES

ROUTE = "#/mythicals/score"


def open_page(**boot: Any) -> Driver:
    return Driver(route=ROUTE, **boot)


def engine_sheet(driver: Driver) -> Any:
    page = driver.page
    return {
        "game": "mythicals",
        "players": [
            {
                "name": name,
                "tokens": [{"token": t, "markers": m} for t, m in page.claimed(page.sheet, p)],
            }
            for p, name in enumerate(page.names)
        ],
    }


def totals(driver: Driver) -> tuple[int, ...]:
    page = driver.page
    found: tuple[int, ...] = page.result(page.sheet).outcome.totals
    return found


def test_tokens_go_to_the_player_who_is_entered() -> None:
    driver = open_page()
    driver.act("token", "blue-10")
    driver.act("markers", 2)
    driver.act("player", 1)
    driver.act("token", "black-13")
    assert totals(driver) == (12, 13)
    driver.act("token", "blue-10")  # chosen, not taken over
    assert totals(driver) == (12, 13)
    driver.act("give", 1)
    assert totals(driver) == (0, 25)
    driver.act("back")
    assert totals(driver) == (0, 13)
    for _ in range(5):
        driver.act("undo")
    assert totals(driver) == (0, 0)
    for _ in range(5):
        driver.act("redo")
    assert totals(driver) == (0, 13)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_seventeenth_marker_is_refused_in_words(lang: str) -> None:
    driver = open_page(lang=lang)
    for token in TOKEN_IDS[:9]:
        driver.act("token", token)
        driver.act("markers", 2)
    assert "16" in driver.said
    assert driver.page.markers_left() == 0
    assert driver.page.tokens[TOKEN_IDS[8]]["markers"] == 0
    driver.act("markers", 3)
    assert driver.page.tokens[TOKEN_IDS[8]]["markers"] == 0


def test_random_taps_make_only_sheets_that_the_engine_accepts() -> None:
    rng = random.Random(3)
    for _ in range(6):
        driver = open_page()
        for _ in range(60):
            name, *args = rng.choice(
                [
                    ("token", rng.choice(TOKEN_IDS)),
                    ("token", rng.choice(TOKEN_IDS)),
                    ("markers", rng.randrange(-1, 4)),
                    ("markers", 2),
                    ("give", rng.randrange(-1, 3)),
                    ("back",),
                    ("player", rng.randrange(2)),
                    ("card", rng.choice(CREATURES)),
                    ("undo",),
                    ("redo",),
                ]
            )
            driver.act(name, *args)
        result = score_sheet(engine_sheet(driver))
        assert [player["total"] for player in result["players"]] == list(totals(driver))
        assert driver.again().page.sheet == driver.page.sheet


def test_dawn_ends_the_game_and_names_the_winner() -> None:
    driver = open_page()
    driver.act("name", 0, value="Ana")
    driver.act("token", "red-7")
    assert "wins" not in driver.words
    driver.act("over")
    assert "Ana wins the game." in driver.words
    assert driver.entry(driver.page.key)["finished"] is True
    driver.act("player", 1)
    driver.act("token", "blue-7")
    assert "share the victory" in driver.words
    driver.act("over")
    assert "share the victory" not in driver.words


def test_what_the_cards_can_claim() -> None:
    driver = open_page()
    held = ["blue1", "bluejoker", "blue3", "red1", "green5"]
    for card in held:
        driver.act("card", card)
    expected = {
        claim["token"]: [tuple(way) for way in claim["payments"]]
        for claim in claims_sheet({"game": "mythicals", "cards": held})["claims"]
        if claim["payments"]
    }
    shown = {claim.token.id: claim for claim in driver.page.claims(driver.page.hands[0])}
    assert shown.keys() == expected.keys()
    for token, claim in shown.items():
        assert list(claim.ways) == expected[token][:3]
        assert claim.more == max(len(expected[token]) - 3, 0)
    points = [claim.token.points for claim in shown.values()]
    assert points == sorted(points, reverse=True)
    # what is claimed already is offered no more
    driver.act("player", 1)
    driver.act("token", "blue-4")
    assert "blue-4" not in {c.token.id for c in driver.page.claims(driver.page.hands[0])}


def test_claiming_pays_with_the_entered_cards() -> None:
    driver = open_page()
    for card in ("blue1", "blue2", "red1"):
        driver.act("card", card)
    driver.act("claim", "blue-2", 0)
    assert driver.page.hands[0] == ["red1"] and totals(driver) == (2, 0)
    driver.act("undo")
    assert driver.page.hands[0] == ["blue1", "blue2", "red1"] and totals(driver) == (0, 0)
    driver.act("claim", "blue-10", 0)
    assert totals(driver) == (0, 0)


def test_a_card_is_there_twice_at_most() -> None:
    driver = open_page()
    driver.act("card", "red1")
    driver.act("card", "red1")  # equal cards are given away: it goes back
    assert driver.page.hands[0] == []
    driver.act("gifts", value=True)
    driver.act("card", "red1")
    driver.act("card", "red1")
    assert driver.page.hands[0] == ["red1", "red1"]
    driver.act("player", 1)
    driver.act("card", "red1")
    assert driver.said and driver.page.hands[1] == []


@pytest.mark.parametrize(
    "damage",
    [
        {"tokens": []},
        {"tokens": {"pink-2": {"player": 0, "markers": 0}}},
        {"tokens": {"red-2": {"player": 2, "markers": 0}}},
        {"tokens": {"red-2": {"player": True, "markers": 0}}},
        {"tokens": {"red-2": {"player": 0, "markers": 3}}},
        {"tokens": {t: {"player": 0, "markers": 2} for t in TOKEN_IDS[:9]}},
        {"tokens": {"red-2": 1}},
        {"hands": [["dawn"], []]},
        {"hands": [["red1", "red1"], ["red1"]]},
        {"hands": [[], [{}]]},
        {"over": "yes"},
    ],
)
def test_a_damaged_sheet_is_set_aside_and_blocks_nothing(damage: dict[str, Any]) -> None:
    sheet = {"players": [{"name": ""}] * 2, "tokens": {}, "hands": [[], []]} | damage
    entry = {"v": 1, "game": "mythicals", "created": 1, "updated": 1, "sheet": sheet}
    driver = Driver({"score/x": json.dumps(entry)}, route=ROUTE)
    assert driver.said
    driver.act("token", "red-2")
    assert any(key.startswith("damaged/score/x") for key in driver.host.entries)
    assert totals(driver) == (2, 0)


def test_a_line_lights_its_token_and_shows_its_rule() -> None:
    driver = open_page()
    driver.act("token", "red-7")
    driver.act("markers", 1)
    driver.act("light", "0-1")
    assert 'owner-0 lit"' in driver.html
    assert "rules/mythicals/marker-points" in driver.html
