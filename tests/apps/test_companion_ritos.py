"""Scoring Ritos Ancestrais: the track, cults and hands, checked against the engine's sheets."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from driving import Driver

from lovecraft.games.ritos_ancestrais.cards import GOAL
from lovecraft.games.ritos_ancestrais.edition import HOUSE_EDITION
from lovecraft.games.ritos_ancestrais.scoring import end_sheet
from lovecraft.games.ritos_ancestrais.sheet import score_sheet
from lovecraft.games.ritos_ancestrais.tables import payments
from lovecraft.i18n import LANGUAGES

ROUTE = "#/ritos-ancestrais/score"
CARDS = [card.id for card in HOUSE_EDITION.cards]
RITUALS = [ritual.id for ritual in HOUSE_EDITION.rituals]
POINTS = {ritual.id: ritual.points for ritual in HOUSE_EDITION.rituals}


def open_page(**boot: Any) -> Driver:
    return Driver(route=ROUTE, **boot)


def totals(driver: Driver) -> tuple[int, ...]:
    page = driver.page
    found: tuple[int, ...] = page.result(page.sheet).outcome.totals
    return found


def engine_sheet(driver: Driver) -> Any:
    page = driver.page
    return {
        "game": "ritos-ancestrais",
        "players": [
            {
                "name": name,
                "rituals": [{"ritual": d["ritual"], "bonus": 0} for d in player["rituals"]],
                "cult": player["cult"],
                "hand": min(player["hand"], 7),
            }
            for name, player in zip(page.names, page.players, strict=True)
        ],
    }


def test_a_session_to_the_winner_with_its_reminder() -> None:
    driver = open_page()
    driver.act("name", 0, value="Ana")
    driver.act("name", 1, value="Ion")
    driver.act("add-player")
    before = (GOAL - 1) // POINTS["conjunction"]
    for _ in range(before):
        driver.act("ritual", "conjunction")
    assert "last-turns" not in driver.html
    reached = before * POINTS["conjunction"]
    while reached < GOAL:
        driver.act("ritual", "offering")
        reached += POINTS["offering"]
    assert "Ana has reached 21." in driver.words
    assert "One last turn each for Ion, Player 3." in driver.words
    assert "rules/ritos-ancestrais/trigger" in driver.html
    driver.act("ritual", "whisper")
    assert driver.said and totals(driver) == (reached, 0, 0)
    driver.act("player", 1)
    driver.act("ritual", "chant")
    driver.act("over")
    assert "Ana wins the game." in driver.words and "last-turns" not in driver.html
    assert driver.entry(driver.page.key)["finished"] is True


def test_nobody_is_left_when_the_last_seat_reaches_the_goal() -> None:
    driver = open_page()
    driver.act("player", 1)
    for _ in range(-(-GOAL // POINTS["conjunction"])):
        driver.act("ritual", "conjunction")
    assert "Nobody has a turn left" in driver.words


def test_a_tie_is_decided_by_the_cards_in_hand() -> None:
    driver = open_page()
    for player in (0, 1):
        driver.act("player", player)
        driver.act("ritual", "chant")
    driver.act("hand", 1)
    driver.act("over")
    assert "Player 2 wins the game. On a tie" in driver.words
    driver.act("hand", -1)
    assert "share the victory" in driver.words


def test_end_bonuses_of_the_cult_count() -> None:
    driver = open_page()
    driver.act("cult", "azathoth")
    rituals = ("whisper", "whisper", "vigil")
    for ritual in rituals:
        driver.act("ritual", ritual)
    added = sum(done["bonus"] for done in driver.page.own["rituals"])
    performed = sum(POINTS[ritual] for ritual in rituals) + added
    bonus = end_sheet(HOUSE_EDITION, rituals, ("azathoth",), 0).points
    assert bonus > 0 and totals(driver)[0] == performed + bonus
    driver.act("light", "e0")
    assert 'class="pick symbol-necronomicon lit" id="cult-azathoth"' in driver.html
    driver.act("light", "r2")
    assert 'id="rite-vigil" class="rite lit"' in driver.html
    driver.act("cult", "azathoth")
    assert totals(driver)[0] == performed


def test_entered_cards_are_offered_what_they_pay_for_and_pay() -> None:
    driver = open_page()
    held = ["azathoth", "azathoth", "yog-sothoth", "nodens"]
    for card in held:
        driver.act("card", card, 1)
    offers = {o.ritual.id: o for o in driver.page.offers(driver.page.tables)}
    expected = payments(HOUSE_EDITION, held)
    assert {r for r, o in offers.items() if o.ways} == {way.ritual for way in expected}
    driver.act("pay", "whisper", 0)
    own = driver.page.own
    assert len(own["cards"]) == own["hand"] == 2 and totals(driver)[0] == POINTS["whisper"]
    driver.act("undo")
    assert sorted(driver.page.own["cards"]) == sorted(held) and totals(driver)[0] == 0
    driver.act("pay", "conjunction", 0)
    assert totals(driver)[0] == 0


def test_what_the_cult_adds_is_counted_and_can_be_corrected() -> None:
    driver = open_page()
    card, ritual, bonus = next(
        (card.id, effect.ritual, effect.amount)
        for card in HOUSE_EDITION.cards
        for effect in card.effects
        if effect.kind == "ritual_bonus" and effect.ritual
    )
    driver.act("cult", card)
    driver.act("ritual", ritual)
    assert totals(driver)[0] == POINTS[ritual] + bonus
    for _ in range(bonus):
        driver.act("bonus", 0, -1)
    assert totals(driver)[0] == POINTS[ritual]
    for _ in range(9):
        driver.act("bonus", 0, 1)
    assert driver.said
    most = driver.page.done(driver.page.scored(driver.page.sheet)[0][0])[0].most
    assert totals(driver)[0] == POINTS[ritual] + most


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_cannot_be_is_refused_in_words(lang: str) -> None:
    driver = open_page(lang=lang)
    for _ in range(3):
        driver.act("card", "mi-go", 1)
    assert not driver.said
    driver.act("card", "mi-go", 1)
    assert driver.said and driver.page.own["cards"].count("mi-go") == 3
    driver.act("hand", -1)
    assert driver.said and driver.page.own["hand"] == 3
    driver.act("player", 1)
    driver.act("cult", "mi-go")
    assert driver.said and driver.page.own["cult"] == []
    for _ in range(15):
        driver.act("hand", 1)
    assert driver.said and driver.page.own["hand"] == 9  # seven, and two drawn


def test_random_taps_make_only_sheets_that_can_be_stored_and_scored() -> None:
    rng = random.Random(8)
    for _ in range(5):
        driver = open_page()
        driver.act("add-player")
        for _ in range(60):
            name, *args = rng.choice(
                [
                    ("player", rng.randrange(4)),
                    ("ritual", rng.choice(RITUALS)),
                    ("pay", rng.choice(RITUALS), rng.randrange(3)),
                    ("cult", rng.choice(CARDS)),
                    ("card", rng.choice(CARDS), 1),
                    ("card", rng.choice(CARDS), 1),
                    ("card", rng.choice(CARDS), -1),
                    ("hand", rng.choice((1, -1))),
                    ("bonus", rng.randrange(3), rng.choice((1, -1))),
                    ("away", rng.randrange(3)),
                    ("undo",),
                    ("redo",),
                ]
            )
            driver.act(name, *args)
        driver.page.accept(driver.page.sheet)
        result = score_sheet(engine_sheet(driver))
        for p, player in enumerate(result["players"]):
            added = sum(done["bonus"] for done in driver.page.players[p]["rituals"])
            rituals = driver.page.scored(driver.page.sheet)[p][0].points
            assert rituals == player["rituals"]["points"] + added
        assert driver.again().page.sheet == driver.page.sheet


def test_an_edition_of_ones_own_goes_with_the_sheet() -> None:
    value = HOUSE_EDITION.to_json() | {"id": "printed", "name": "<i>Printed</i>"}
    value["rituals"][0] |= {"points": 9, "name": "Whisper & <b>"}
    driver = open_page()
    driver.act("edition", value=json.dumps(value))
    driver.act("ritual", "whisper")
    assert totals(driver)[0] == 9 and "<i>Printed" not in driver.html
    again = driver.again()
    assert totals(again)[0] == 9
    driver.act("share")
    link = next(a["share"]["hash"] for a in driver.host.asked if "share" in a)
    assert totals(Driver(route=link))[0] == 9
    driver.act("new")
    driver.act("ritual", "whisper")
    assert totals(driver)[0] == 9
    driver.act("house")
    driver.act("ritual", "whisper")
    assert totals(driver)[0] == POINTS["whisper"]


@pytest.mark.parametrize("words", ["", "{}", "[", '{"format":"lovecraft-edition"}'])
def test_what_is_no_edition_is_refused_in_a_sentence(words: str) -> None:
    driver = open_page()
    driver.act("ritual", "whisper")
    driver.act("edition", value=words)
    assert driver.said and totals(driver)[0] == POINTS["whisper"]


@pytest.mark.parametrize(
    "damage",
    [
        {"rituals": [{"ritual": "nothing", "bonus": 0}]},
        {"rituals": [{"ritual": "pact", "bonus": -1}]},
        {"rituals": ["pact"]},
        {"rituals": 3},
        {"cult": ["nodens", "nodens"]},
        {"cult": [[]]},
        {"cards": ["mi-go"] * 4, "hand": 4},
        {"cards": ["mi-go"], "hand": 0},
        {"hand": True},
        {"hand": 99},
    ],
)
def test_a_damaged_sheet_is_set_aside_and_blocks_nothing(damage: dict[str, Any]) -> None:
    player = {"name": "", "rituals": [], "cult": [], "cards": [], "hand": 0}
    sheet = {"players": [player | damage, player]}
    entry = {"v": 1, "game": "ritos-ancestrais", "created": 1, "updated": 1, "sheet": sheet}
    driver = Driver({"score/x": json.dumps(entry)}, route=ROUTE)
    assert driver.said
    driver.act("ritual", "whisper")
    assert any(key.startswith("damaged/score/x") for key in driver.host.entries)
    assert totals(driver)[0] == POINTS["whisper"]
