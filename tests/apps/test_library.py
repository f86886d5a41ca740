"""The games on the device: listed, deleted, saved as files, and taken in from files."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from driving import Driver

from apps.table import archive
from apps.table.boards import BOARDS
from lovecraft import bots, games
from lovecraft.core import Player, Record, play
from lovecraft.i18n import LANGUAGES


def a_record(game: str = "tides-of-madness", kind: str = "human", seed: int = 1) -> Record:
    """A finished game in which ``kind`` plays against a bot."""
    rules = games.get(game)
    agents = [bots.make("random", rules) for _ in range(2)]
    return play(rules, agents, seed, [Player("Ana", kind), Player("Ion", "greedy")])


def a_file(*records: Record) -> str:
    return archive.to_file(records)


def library(*records: Record) -> Driver:
    """A device with these games, at its list of games."""
    driver = Driver(route="#/games")
    if records:
        driver.act("import", value=a_file(*records))
    return driver


def running(game: str = "tides-of-madness", people: int = 1) -> Driver:
    """A device on which a game has been begun and gone on with."""
    driver = Driver(route=f"#/{game}/table/new")
    driver.shell.set(pace="instant")
    if people > 1:
        driver.act("level", 0, value="human")
        driver.act("seat-name", 0, value="Ion")
    driver.act("start")
    rng = random.Random(4)
    for _ in range(6):
        offers = [
            (act, args)
            for act, args in driver.device.acts()
            if act in ("play", "touch", "go-on", "deal", "lift", "confirm")
        ]
        act, args = rng.choice(offers)
        driver.act(act, *args)
    return driver


def downloads(driver: Driver) -> list[dict[str, Any]]:
    return [asked["download"] for asked in driver.host.asked if "download" in asked]  # type: ignore[misc]


def kept(driver: Driver) -> list[archive.Kept]:
    return archive.kept(driver.shell.store)


def test_an_empty_device_says_so() -> None:
    driver = library()
    assert "No games here yet." in driver.words
    driver.act("export-all")
    assert not downloads(driver)


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_game_goes_out_as_a_file_and_comes_in_on_another_device(game: str) -> None:
    driver = running(game)
    driver.open("#/games")
    (one,) = kept(driver)
    driver.act("export", one.key)
    (file,) = downloads(driver)
    assert file["name"].startswith(game)
    other = library()
    other.act("import", value=file["text"])
    assert other.said == "1 game was taken in."
    (came,) = kept(other)
    assert came.plays
    assert other.entry(came.key)["record"] == driver.entry(one.key)["record"]
    other.open(f"#/{game}/table/{came.id}")
    driver.open(f"#/{game}/table/{one.id}")
    assert other.page.seen == driver.page.seen


def test_all_games_go_out_and_in_together_and_none_comes_twice() -> None:
    driver = library(*(a_record(game) for game in sorted(BOARDS)))
    assert len(kept(driver)) == len(BOARDS)
    driver.act("export-all")
    (file,) = downloads(driver)
    other = library()
    other.act("import", value=file["text"])
    assert other.said == "4 games were taken in."
    other.act("import", value=file["text"])
    assert other.said == "Taken in: 0. 4 games were here already."
    assert len(kept(other)) == len(BOARDS)


def test_the_filter_rules_list_and_file() -> None:
    driver = library(a_record("mythicals"), a_record("ancient-cards"))
    driver.act("game", value="mythicals")
    assert driver.html.count('id="kept-') == 1
    driver.act("export-all")
    (file,) = downloads(driver)
    assert [one["game"] for one in json.loads(file["text"])["games"]] == ["mythicals"]
    driver.act("game", value="no-such-game")
    assert driver.html.count('id="kept-') == 2


def test_points_and_winner_are_shown_of_a_finished_game() -> None:
    record = a_record()
    driver = library(record)
    outcome = record.outcome()
    assert outcome is not None
    for total in outcome.totals:
        assert f"<b>{total}</b>" in driver.html
    assert driver.html.count('href="#i-cup"') == len(outcome.winners)


def test_deleting_asks_first_and_takes_the_review_along() -> None:
    driver = library(a_record())
    (one,) = kept(driver)
    driver.shell.store.put(archive.REVIEWS + one.id, {"judged": []})
    driver.act("really-remove", one.key)
    assert kept(driver)
    driver.act("remove", one.key)
    driver.act("keep")
    assert kept(driver)
    driver.act("remove", one.key)
    driver.act("really-remove", one.key)
    assert not kept(driver)
    assert not driver.host.entries
    driver.shell.store.put("settings", {"lang": "en"})
    driver.act("remove", "settings")
    driver.act("really-remove", "settings")
    assert driver.shell.store.get("settings")


def test_a_game_that_people_hide_from_each_other_is_no_file_while_it_runs() -> None:
    driver = running(people=2)
    driver.open("#/games")
    (one,) = kept(driver)
    assert f'id="export-{one.id}"' not in driver.html
    driver.act("export", one.key)
    assert not downloads(driver)


def test_what_cannot_be_played_on_is_kept_to_be_looked_at() -> None:
    half = a_record(kind="somebody-else")
    driver = library(half.upto(len(half.moves) // 2))
    (one,) = kept(driver)
    assert not one.plays
    assert one.key.startswith(archive.RECORDS)
    driver.open(f"#/tides-of-madness/table/{one.id}")
    assert "app.error.no-game" in str(driver.shell.notice)
    assert kept(driver) == [one]
    driver.open(f"#/tides-of-madness/replay/{one.id}")
    assert 'id="jump"' in driver.html


def test_an_unknown_bot_stays_a_record_although_a_person_plays() -> None:
    half = a_record()
    half = half.upto(10)
    strange = json.loads(half.dumps().replace('"greedy"', '"oracle"'))
    rebuilt = Record.begin(half.game, (Player("Ana"), Player("Ion", "oracle")), half.options)
    for move in half.moves:
        rebuilt = rebuilt.with_move(*move)
    assert strange["players"] == rebuilt.to_json()["players"]
    driver = library(rebuilt)
    (one,) = kept(driver)
    assert not one.plays
    driver.open(f"#/tides-of-madness/replay/{one.id}")
    assert "oracle" in driver.words


# -- damage ---------------------------------------------------------------------------------------


def damaged() -> dict[str, tuple[str, str]]:
    """Files that must be refused, with what has to be said."""
    text = a_record().dumps()
    value = json.loads(text)
    return {
        "empty": ("", "empty, or larger"),
        "large": (" " * (archive.MOST_CHARACTERS + 1), "empty, or larger"),
        "cut off": (text[:-40], "line"),
        "no record": ("[1, 2]", "record"),
        "a sheet": (json.dumps({"format": "lovecraft-scores"}), "record"),
        "another name": (text.replace("Ana", "Eva"), "players: "),
        "another outcome": (json.dumps({**value, "outcome": None}), "outcome: "),
        "a move less": (json.dumps({**value, "moves": value["moves"][:-1]}), "trace: "),
        "an illegal move": (
            json.dumps({**value, "moves": [value["moves"][0], *value["moves"]]}),
            "moves[1]: ",
        ),
        "another game": (json.dumps({**value, "game": "chess"}), "game: "),
        "deep": ("[" * 5000, "deep"),
        "other version": (json.dumps({"format": archive.FORMAT, "version": 9}), "version: "),
        "no list": (json.dumps({"format": archive.FORMAT, "version": 1, "games": 3}), "games: "),
    }


@pytest.mark.parametrize("kind", sorted(damaged()))
def test_a_damaged_file_is_refused_with_place_and_reason(kind: str) -> None:
    text, reason = damaged()[kind]
    driver = library()
    driver.act("import", value=text)
    assert driver.said.startswith("Nothing was taken in. ")
    assert reason in driver.said
    assert not kept(driver)


def test_the_good_games_of_a_file_come_in_and_the_bad_one_is_named() -> None:
    whole = json.loads(a_file(a_record(seed=1), a_record(seed=2), a_record(seed=3)))
    whole["games"][1]["players"][0]["name"] = "Eva"
    driver = library()
    driver.act("import", value=json.dumps(whole))
    assert "Taken in: 2. 1 game was refused. games[1].players: " in driver.said
    assert len(kept(driver)) == 2


def test_a_damaged_game_on_the_device_is_set_aside_when_it_is_saved_or_opened() -> None:
    driver = library(a_record(), a_record("mythicals"))
    for one, act in zip(kept(driver), ("export", "open"), strict=True):
        entry = driver.shell.store.get(one.key)
        assert entry is not None
        entry["record"]["trace"] = "00"
        driver.shell.store.put(one.key, entry)
        if act == "export":
            driver.act("export", one.key)
        else:
            driver.open(f"#/{one.game.id}/replay/{one.id}")
        assert "app.error.damaged" in str(driver.shell.notice)
        assert 'id="import"' in driver.html
    assert not kept(driver)
    assert len(driver.shell.store.keys("damaged/")) == 2


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"names": 3, "record": [], "updated": "x"},
        {"record": {"outcome": {"totals": 1}, "players": 7}},
    ],
)
def test_an_entry_of_any_shape_is_listed(lang: str, entry: dict[str, Any]) -> None:
    text = json.dumps({"v": 1, "game": "mythicals", **entry})
    driver = Driver({"table/a": text, "record/b": text}, "#/games", lang=lang)
    assert len(kept(driver)) == 2
    driver.act("export-all")
    assert not kept(driver)


def test_a_name_is_shown_as_it_was_typed() -> None:
    rules = games.get("mythicals")
    agents = [bots.make("random", rules) for _ in range(2)]
    players = [Player("<img onerror=alert(1)>"), Player("Ion", "greedy")]
    driver = library(play(rules, agents, 1, players))
    assert "<img" not in driver.html
    assert "&lt;img" in driver.html
