"""Editions of Ritos Ancestrais written in a form: checked, kept, handed on, played."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from driving import Driver

from apps.companion.ritos_ancestrais import RitosSheet
from apps.editions import PREFIX
from apps.store import DAMAGED
from apps.table.page import TablePage
from lovecraft.games.ritos_ancestrais.edition import (
    HOUSE_EDITION,
    VOCABULARY,
    editions,
    read_edition,
)
from lovecraft.i18n import LANGUAGES

ROUTE = "#/ritos-ancestrais/editions"


def begun(like: str = "house", lang: str = "en") -> Driver:
    driver = Driver(route=ROUTE, lang=lang)
    driver.act("begin", like)
    assert driver.shell.hash.startswith(ROUTE + "/")
    return driver


def draft(driver: Driver) -> dict[str, Any]:
    value: dict[str, Any] = driver.entry(driver.page.key)["edition"]
    return value


def asked(driver: Driver, wish: str) -> Any:
    return next(a[wish] for a in reversed(driver.host.asked) if wish in a)


def test_a_copy_of_the_house_edition_becomes_an_own_one() -> None:
    driver = begun()
    assert "1 thing to mend" in driver.words and "New sheet" not in driver.words
    driver.act("title", value="Minha caixa, 2ª ed. <b>")
    assert draft(driver)["id"] == "minha-caixa-2a-ed-b"
    assert "This edition can be played" in driver.words and "<b>&lt;" not in driver.html
    driver.act("field", "rituals", 0, "points", value="2")
    driver.act("name", "rituals", 0, value="Sopro")
    edition = read_edition(draft(driver))
    assert (edition.rituals[0].id, edition.rituals[0].points) == ("whisper", 2)
    assert draft(driver)["rituals"][0]["name"]["en"] == "Sopro"
    assert draft(driver)["rituals"][0]["name"]["pt"] == "Sussurro"
    again = driver.again()
    assert draft(again) == draft(driver) and "Sopro" in again.words


def test_an_edition_is_written_from_nothing() -> None:
    driver = begun("")
    driver.act("title", value="Mine")
    assert "thing to mend" in driver.words
    driver.act("add", "rituals")
    driver.act("name", "rituals", 0, value="Open the Gate")
    driver.act("need", 0, 2, value="cthulhu")
    driver.act("need", 0, 0, value="")
    for i in range(12):
        driver.act("add", "cards")
        driver.act("name", "cards", i, value=f"Card {i // 2}")
    assert "This edition can be played" in driver.words, driver.words
    value = draft(driver)
    assert value["rituals"] == [
        {"id": "open-the-gate", "name": "Open the Gate", "needs": ["a", "cthulhu"], "points": 1}
    ]
    assert [card["id"] for card in value["cards"]][:4] == [
        "card-0",
        "card-0-2",
        "card-1",
        "card-1-2",
    ]
    driver.act("away", "cards", 0)
    assert "33 cards" in driver.words and "1 thing to mend" in driver.words


@pytest.mark.parametrize("kind", VOCABULARY)
def test_every_effect_can_be_written(kind: str) -> None:
    driver = begun(lang=LANGUAGES[list(VOCABULARY).index(kind) % len(LANGUAGES)])
    driver.act("title", value="Mine")
    value = draft(driver)
    plain = next(i for i, c in enumerate(value["cards"]) if len(c.get("effects", ())) < 3)
    driver.act("open", "cards", plain)
    driver.act("add-effect", plain, value=kind)
    k = len(draft(driver)["cards"][plain]["effects"]) - 1
    assert draft(driver)["cards"][plain]["effects"][k]["effect"] == kind
    read_edition(draft(driver))
    for field in VOCABULARY[kind]:
        for choice, _ in driver.page.choices(field):
            driver.act("effect", plain, k, field.name, value=choice)
            kept = draft(driver)["cards"][plain]["effects"][k].get(field.name, "")
            assert str(kept) == choice
    driver.act("effect-away", plain, k)
    assert len(draft(driver)["cards"][plain].get("effects", ())) == k


def test_what_is_wrong_stands_at_its_entry() -> None:
    driver = begun()
    driver.act("title", value="Mine")
    driver.act("away", "rituals", 1)  # vigil, which several cards name
    assert "to mend" in driver.words
    i = next(
        i
        for i, card in enumerate(draft(driver)["cards"])
        if any(e.get("ritual") == "vigil" for e in card.get("effects", ()))
    )
    driver.act("open", "cards", i)
    assert "Only the ritual:" in driver.words and "Effect" in driver.words
    driver.act("score", driver.page.ident)
    driver.act("play", driver.page.ident)
    assert driver.shell.hash.startswith(ROUTE)


def test_a_sheet_and_a_table_are_begun_with_it() -> None:
    driver = begun()
    driver.act("title", value="Mine")
    driver.act("name", "rituals", 0, value="Sopro")
    ident, key = driver.page.ident, read_edition(draft(driver)).key
    driver.act("score", ident)
    assert isinstance(driver.page, RitosSheet) and "Sopro" in driver.words
    assert driver.page.edition_of(driver.page.sheet).key == key
    driver.act("ritual", "whisper")
    again = driver.again()
    assert "Sopro" in again.words and again.page.sheet == driver.page.sheet
    again.open(ROUTE)
    again.act("play", ident)
    assert isinstance(again.page, TablePage) and again.page.session is not None
    assert again.page.session.match.state.setup.edition == key and "Sopro" in again.words
    again.open("#/ritos-ancestrais/table/new")
    assert key in editions() and "Mine" in again.words


def test_files_go_out_and_come_in() -> None:
    driver = begun()
    driver.act("title", value="Mine")
    driver.act("export", driver.page.ident)
    file = asked(driver, "download")
    assert file["name"] == "mine.json"
    assert read_edition(json.loads(file["text"])) == read_edition(draft(driver))
    other = Driver(route=ROUTE)
    other.act("import", value=file["text"])
    assert other.said == "The edition has been taken in." and "Mine" in other.words
    broken = json.loads(file["text"])
    broken["cards"][4]["copies"] = 99
    other.act("import", value=json.dumps(broken))
    assert "at cards[4]" in other.said and "from 1 to 12" in other.said
    other.act("import", value="{")
    assert other.said and len([k for k in other.host.entries if k.startswith(PREFIX)]) == 1


def test_the_house_edition_itself_may_come_in_but_is_no_other() -> None:
    driver = Driver(route=ROUTE)
    driver.act("import", value=json.dumps(HOUSE_EDITION.to_json()))
    driver.open("#/ritos-ancestrais/score")
    assert (
        "app.error" not in driver.html and driver.page.edition_of(driver.page.sheet).key == "house"
    )


@pytest.mark.parametrize(
    "damaged",
    [
        '{"v": 1}',
        '{"v": 1, "edition": []}',
        '{"v": 1, "edition": {"id": "x", "name": "y", "rituals": [3], "cards": []}}',
        '{"v": 1, "edition": {"id": "x", "name": {"en": 1}, "rituals": [], "cards": []}}',
        '{"v": 1, "edition": {"id": "x", "name": "", "rituals": [], "cards": [{"effects": 1}]}}',
    ],
)
def test_a_damaged_edition_is_set_aside(damaged: str) -> None:
    driver = Driver({PREFIX + "abc": damaged}, ROUTE + "/abc")
    assert "not on this device" in driver.said
    assert any(key.startswith(DAMAGED) for key in driver.host.entries)
    for route in ("score", "table/new", "editions"):
        driver.open(f"#/ritos-ancestrais/{route}")
        assert "unexpected" not in driver.said


def test_half_an_edition_is_shown_whatever_its_words() -> None:
    odd = {
        "id": "", "name": {}, "extra": 1,
        "rituals": [{"id": "a b", "name": {"en": "<i>"}, "needs": ["?", "zz"], "points": "x"}],
        "cards": [
            {"id": "", "name": "", "copies": None, "symbol": 4, "effects": [{"effect": "protect"}]}
        ],
    }  # fmt: skip
    driver = Driver({PREFIX + "abc": json.dumps({"v": 1, "edition": odd})}, ROUTE + "/abc")
    for kind in ("rituals", "cards"):
        driver.act("open", kind, 0)
        assert "<i>" not in driver.html
    driver.act("open", "cards", 7)
    driver.act("need", 0, 99, value="a")
    driver.act("effect", 0, 0, "no-such-field", value="1")
    driver.act("begin", "abc")
    driver.open(ROUTE)


def test_removing_is_asked_about() -> None:
    driver = begun()
    key = driver.page.key
    driver.open(ROUTE)
    ident = key.removeprefix(PREFIX)
    driver.act("really-remove", ident)
    assert key in driver.host.entries
    driver.act("remove", ident)
    driver.act("keep")
    driver.act("really-remove", ident)
    assert key in driver.host.entries
    driver.act("remove", ident)
    driver.act("really-remove", ident)
    assert key not in driver.host.entries


def test_a_table_offers_an_edition_as_it_is_now_and_no_other() -> None:
    driver = begun()
    editor = driver.shell.hash
    keys = []
    for name, points in (("Mine", "2"), ("Mine", "3"), ("Renamed", "3")):
        driver.open(editor)
        driver.act("title", value=name)
        driver.act("field", "rituals", 0, "points", value=points)
        keys.append(read_edition(draft(driver)).key)
        driver.open(ROUTE)
        driver.act("play", editor.split("/")[-1])
        assert driver.page.session.match.record.options["edition"] == keys[-1]
        driver.open("#/ritos-ancestrais/table/new")
        shown = re.findall(r'<option value="&#34;(.+?)&#34;"', driver.html)
        assert shown == ["house", keys[-1]]
        driver.act("option", "edition", value=f'"{keys[-1]}"')  # as the browser reads it
        assert driver.page.form["options"]["edition"] == keys[-1]
    assert len(set(keys)) == 3
    # a game with what the edition was goes on all the same, and the explorer knows what is shown
    before = next(key for key in driver.shell.store.keys("table/"))
    driver.open(f"#/ritos-ancestrais/table/{before.split('/')[1]}")
    assert driver.page.session.match.record.options["edition"] in keys
    driver.open("#/ritos-ancestrais/what-if")
    driver.act("edition", value=keys[0])
    assert driver.page.desk.edition == "house"
    driver.act("edition", value=keys[-1])
    assert driver.page.desk.edition == keys[-1]
