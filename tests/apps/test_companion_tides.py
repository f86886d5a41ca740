"""Scoring Tides of Madness: entered card by card, checked against the engine's own sheets."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from driving import Driver

from lovecraft.games.tides_of_madness.cards import CARDS
from lovecraft.games.tides_of_madness.scoring import CHOICES
from lovecraft.games.tides_of_madness.sheet import score_sheet
from lovecraft.i18n import LANGUAGES

ROUTE = "#/tides-of-madness/score"
A = ("nyarlathotep", "azathoth", "dagon", "pnakotic-manuscripts", "elder-things")
B = ("yog-sothoth", "cthulhu", "hastur", "mountains-of-madness", "shub-niggurath")


def open_page(**boot: Any) -> Driver:
    return Driver(route=ROUTE, **boot)


def tap(driver: Driver, *cards: str) -> None:
    for card in cards:
        driver.act("card", card)


def engine_sheet(driver: Driver) -> Any:
    """The page's sheet in the form that the engine scores."""
    page = driver.page
    rounds = []
    for r in range(3):
        if not page.begun(page.sheet, r):
            break
        scored = page.scored(page.sheet)[r]
        sides = []
        for p, side in enumerate(page.sides(page.sheet, r)):
            sides.append(
                {
                    "kept": list(side.kept),
                    "played": list(side.played),
                    "choice": side.choice if scored.most == p else None,
                    "dreamlands": side.suit if scored.owner == p else None,
                }
            )
        rounds.append(sides)
    return {"game": "tides-of-madness", "players": list(page.names), "rounds": rounds}


def test_the_worked_example_in_eleven_taps() -> None:
    driver = open_page()
    tap(driver, *A, *B)
    assert not driver.page.result(driver.page.sheet).finished
    driver.act("choice", "points")
    assert driver.page.result(driver.page.sheet).outcome.totals == (27, 7)
    assert driver.page.next_round() == 1
    assert 'id="total-0">27<' in driver.html and 'id="total-1">7<' in driver.html


def test_a_later_round_in_fourteen_taps() -> None:
    driver = open_page()
    tap(driver, *A, *B)
    driver.act("choice", "points")
    acts = [("place", 0, 1), ("card", "nyarlathotep"), ("card", "hastur")]
    acts += [("card", c) for c in ("dagon", "azathoth", "elder-things", "dreamlands", "innsmouth")]
    acts += [("card", c) for c in ("necronomicon", "yog-sothoth", "cthulhu", "rlyeh")]
    acts += [("card", "shub-niggurath"), ("choice", "heal")]
    assert len(acts) <= 14
    for act in acts:
        driver.act(*act)
        assert not driver.said
    page = driver.page
    assert page.whole(page.sheet, 1, page.scored(page.sheet)[1])
    removed = [column.removed for column in page.context()["columns"]]
    assert removed == [("pnakotic-manuscripts",), ("mountains-of-madness",)]
    result = score_sheet(engine_sheet(driver))
    assert result["removed"] == [["pnakotic-manuscripts", "mountains-of-madness"]]
    assert [p["total"] for p in result["players"]] == list(page.result(page.sheet).outcome.totals)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_cannot_be_there_is_refused_in_words(lang: str) -> None:
    driver = open_page(lang=lang)
    tap(driver, "dagon", "dagon")
    assert "Dagon" in driver.said and driver.page.entry(0, 0)["played"] == ["dagon"]
    driver.act("away", 0, "dagon")
    tap(driver, *A, *B)
    driver.act("place", 0, 1)
    tap(driver, "hastur")  # the other player's card cannot be kept
    assert "Hastur" in driver.said and "keep" not in driver.page.entry(0, 0)
    tap(driver, "nyarlathotep", "hastur")
    tap(driver, "nyarlathotep")
    assert driver.said and driver.page.entry(1, 0)["played"] == []
    tap(driver, "dagon", "azathoth", "elder-things", "pnakotic-manuscripts")
    assert driver.said, "one of the four must have been removed"
    tap(driver, "dreamlands", "innsmouth", "necronomicon", "rlyeh")
    tap(driver, "deep-ones")
    assert "4" in driver.said, "only four new cards are dealt"


def test_a_choice_is_offered_only_when_due() -> None:
    driver = open_page()
    driver.act("choice", "points")
    tap(driver, *A)
    driver.act("choice", "points")
    assert "choice" not in driver.page.entry(0, 0)
    assert "choice-points" not in driver.html
    tap(driver, *B)
    assert "choice-points" in driver.html
    driver.act("choice", "heal")
    assert driver.page.scored(driver.page.sheet)[0].madness == (1, 1)
    # level: nobody chooses, and the round is whole without it
    driver.act("away", 0, "dagon")
    tap(driver, "innsmouth")
    assert "choice-points" not in driver.html and driver.page.next_round() == 1


def test_dreamlands_counts_as_the_best_suit_until_another_is_tapped() -> None:
    driver = open_page()
    tap(driver, *A[:4], "dreamlands", *B)
    scored = driver.page.scored(driver.page.sheet)[0]
    gains = {suit: points[0] - points[1] for suit, points in scored.options}
    assert gains[scored.suit] == max(gains.values()) and not scored.by_owner
    other = min(gains, key=lambda suit: gains[suit])
    driver.act("suit", other)
    assert driver.page.scored(driver.page.sheet)[0].suit == other
    driver.act("suit", other)
    assert driver.page.scored(driver.page.sheet)[0].suit == scored.suit


def test_an_earlier_round_edited_until_it_does_not_fit_says_so_and_undo_mends_it() -> None:
    driver = open_page()
    tap(driver, *A, *B)
    driver.act("choice", "points")
    driver.act("place", 0, 1)
    tap(driver, "nyarlathotep", "hastur", "dagon", "azathoth", "elder-things", "dreamlands")
    tap(driver, "innsmouth", "necronomicon", "yog-sothoth", "cthulhu", "shub-niggurath", "rlyeh")
    assert driver.page.contradictions(1) is None
    driver.act("place", 0, 0)
    driver.act("away", 0, "dagon")
    driver.act("side", 0)
    tap(driver, "deep-ones")
    assert driver.page.contradictions(1) is not None and "wrong" in driver.html
    driver.act("undo")
    driver.act("undo")
    assert driver.page.contradictions(1) is None


def test_taking_a_kept_card_away_lets_go_of_it() -> None:
    driver = open_page()
    tap(driver, *A, *B)
    driver.act("place", 0, 1)
    tap(driver, "dagon", "hastur")
    driver.act("place", 0, 0)
    driver.act("away", 0, "dagon")
    assert "keep" not in driver.page.entry(0, 0)
    driver.act("undo")
    assert driver.page.entry(0, 0)["keep"] == "dagon"


def test_nine_madness_ends_the_game() -> None:
    driver = open_page()
    mad = ("deep-ones", "rlyeh", "yog-sothoth", "dagon", "necronomicon")
    tap(driver, *mad, "elder-things", "azathoth", "cthulhu", "hastur", "innsmouth")
    driver.act("choice", "points")
    driver.act("place", 0, 1)
    tap(driver, "dagon", "hastur", "deep-ones", "rlyeh", "yog-sothoth")
    tap(driver, "great-race-of-yith", "miskatonic-university")
    tap(driver, "elder-things", "azathoth", "cthulhu", "dreamlands", "nyarlathotep")
    driver.act("choice", "points")
    result = driver.page.result(driver.page.sheet)
    assert result.finished and result.outcome.winners == (1,)
    assert driver.page.scored(driver.page.sheet)[1].madness[0] >= 9
    assert driver.page.next_round() is None
    driver.act("place", 0, 2)
    assert driver.said and driver.page.round == 1
    # with fewer icons in the first round the same second round is survived
    driver.act("place", 0, 0)
    for card in ("rlyeh", "yog-sothoth", "necronomicon"):
        driver.act("away", 0, card)
    tap(driver, "unaussprechlichen-kulten", "shub-niggurath", "pnakotic-manuscripts")
    assert driver.page.over is None and not driver.page.result(driver.page.sheet).finished


def test_random_taps_make_only_sheets_that_the_engine_accepts() -> None:
    """Whatever the picker lets through is possible at a real table, and scores the same."""
    rng = random.Random(5)
    finished = 0
    for _ in range(25):
        driver = open_page()
        page = driver.page
        for rnd in range(3):
            page.on_place(0, rnd)
            while target := page.target():
                absent = page.absent(target)
                page.on_card(rng.choice([card for card in CARDS if card not in absent]))
            page.on_choice(rng.choice(CHOICES))
            assert page.contradictions(rnd) is None
            if page.over is not None:
                break
        driver.act("side", 0)
        result = score_sheet(engine_sheet(driver))
        outcome, done = page.result(page.sheet)
        assert done == result["finished"]
        finished += done
        assert [p["total"] for p in result["players"]] == list(outcome.totals)
        assert result["winners"] == [page.names[p] for p in outcome.winners]
        again = driver.again()
        assert again.page.sheet == page.sheet and not again.said
    assert finished == 25


def test_a_line_lights_its_cards_and_shows_its_rule() -> None:
    driver = open_page()
    tap(driver, *A)
    driver.act("light", "0-4")  # Elder Things: 3 for each Outer God
    assert driver.html.count("slot lit") == 3
    assert "published" in driver.html and "rules/tides-of-madness/elder-things" in driver.html
    driver.act("light", "0-4")
    assert "slot lit" not in driver.html


def test_the_order_of_play_can_be_mended() -> None:
    driver = open_page()
    tap(driver, "shub-niggurath", "azathoth", "cthulhu")
    driver.act("earlier", 0, "azathoth")
    assert driver.page.entry(0, 0)["played"] == ["azathoth", "shub-niggurath", "cthulhu"]
    assert [line.points for line in driver.page.scored(driver.page.sheet)[0].scores[0].lines] == [
        3,
        3,
        0,
    ]


@pytest.mark.parametrize(
    "damage",
    [
        {"rounds": []},
        {"players": [{"name": ""}]},
        {"players": [{"name": "a\u0000"}, {"name": ""}]},
        {"rounds": [[{"played": ["dagon"]}, {"played": ["dagon"]}]] * 3},
        {"rounds": [[{"played": ["nobody"]}, {"played": []}]] * 3},
        {"rounds": [[{"played": [7]}, {"played": []}]] * 3},
        {"rounds": [[{"played": [[]]}, {"played": []}]] * 3},
        {"rounds": [[{"played": ["dagon"], "keep": "hastur"}, {"played": []}]] * 3},
        {"rounds": [[{"played": [], "suit": ["races"]}, {"played": []}]] * 3},
        {"rounds": None},
        {"shub_stays": "yes"},
    ],
)
def test_a_damaged_sheet_is_set_aside_and_blocks_nothing(damage: dict[str, Any]) -> None:
    sheet = {"players": [{"name": ""}] * 2, "rounds": [[{"played": []}] * 2] * 3} | damage
    entry = {"v": 1, "game": "tides-of-madness", "created": 1, "updated": 1, "sheet": sheet}
    driver = Driver({"score/x": json.dumps(entry)}, route=ROUTE)
    assert driver.said
    tap(driver, *A)
    assert any(key.startswith("damaged/score/x") for key in driver.host.entries)
    assert driver.page.entry(0, 0)["played"] == list(A)


def test_a_history_that_does_not_belong_to_the_sheet_is_dropped() -> None:
    driver = open_page()
    tap(driver, *A)
    key = driver.page.key
    entry = driver.entry(key)
    entry["done"] = [[["rounds", 9, "x"], 1, 2], [["rounds"], 7, None]]
    again = Driver({key: json.dumps(entry)}, route=ROUTE)
    again.act("undo")
    assert again.page.entry(0, 0)["played"] == list(A)
    assert not again.page.session.done
