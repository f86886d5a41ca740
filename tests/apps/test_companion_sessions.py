"""Sheets that leave the device and come back: files, tables, links, history, statistics."""

from __future__ import annotations

import base64
import csv
import io
import json
import zlib
from typing import Any

import pytest
from driving import Driver
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.companion import exchange
from apps.companion.session import Session
from apps.pages import COMPANIONS
from lovecraft.i18n import LANGUAGES

GAMES = sorted(COMPANIONS)


def asked(driver: Driver, wish: str) -> Any:
    """The last wish of a kind that was sent to the page around the apps."""
    return next(a[wish] for a in reversed(driver.host.asked) if wish in a)


def played() -> Driver:
    """Two finished games of Mythicals and an open one of Ancient Cards."""
    driver = Driver(route="#/mythicals/score")
    for player, claimed in enumerate(("red-7", "blue-10")):
        driver.act("new")
        driver.act("name", 0, value="Ana")
        driver.act("name", 1, value='=Zoë, "the" <b>')
        driver.act("player", player)
        driver.act("token", claimed)
        driver.act("over")
    driver.act("note", value="by night,\nat sea")
    driver.open("#/ancient-cards/score")
    driver.act("rune", "ia", 1)
    return driver


def sessions(driver: Driver) -> list[Any]:
    return sorted(
        (e["game"], e["date"], e["note"], json.dumps(e["sheet"]))
        for key in driver.host.entries
        if key.startswith("score/") and (e := driver.entry(key))
    )


def test_what_was_saved_as_a_file_comes_back_whole() -> None:
    driver = played()
    driver.open("#/history")
    driver.act("export")
    file = asked(driver, "download")
    assert file["name"] == "lovecraft-scores.json"
    other = Driver(route="#/history")
    other.act("import", value=file["text"])
    assert other.said == "3 sheets have been taken in."
    assert sessions(other) == sessions(driver)
    other.act("import", value=file["text"])
    assert "here already: 3" in other.said and sessions(other) == sessions(driver)


@pytest.mark.parametrize("game", GAMES)
def test_one_sheet_is_saved_and_comes_back(game: str) -> None:
    driver = Driver(route=f"#/{game}/score")
    driver.act("name", 0, value="Ana")
    driver.act("export")
    other = Driver(route="#/history")
    other.act("import", value=asked(driver, "download")["text"])
    assert sessions(other) == sessions(driver)


def test_a_file_with_damaged_sheets_gives_the_others() -> None:
    driver = played()
    driver.open("#/history")
    driver.act("export")
    value = json.loads(asked(driver, "download")["text"])
    value["sessions"][0]["sheet"]["players"] = "nobody"
    value["sessions"] += [7, None, {"game": "chess"}, {"game": ["x"]}]
    other = Driver(route="#/history")
    other.act("import", value=json.dumps(value))
    assert other.said == "New sheets: 2; here already: 0; not readable: 5."


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    ["", "{", "[]", "7", '{"format":"x"}', '{"format":"lovecraft-scores","version":9}', "[" * 9999,
     '{"format":"lovecraft-scores","version":1}', "x" * (exchange.MOST_CHARACTERS + 1)],
)  # fmt: skip
def test_what_is_no_file_of_sheets_is_refused_in_a_sentence(words: str, lang: str) -> None:
    driver = Driver(route="#/history", lang=lang)
    driver.act("import", value=words)
    assert driver.said.endswith(".")
    assert not [key for key in driver.host.entries if key.startswith("score/")]


def test_the_table_for_other_programs() -> None:
    driver = played()
    driver.open("#/history")
    driver.act("export-csv")
    rows = list(csv.DictReader(io.StringIO(asked(driver, "download")["text"], newline="")))
    assert len(rows) == 6
    zoe = [row for row in rows if "Zoë" in row["player"]]
    assert {row["player"] for row in zoe} == {'\'=Zoë, "the" <b>'}, "no formula for a spreadsheet"
    assert sorted((r["total"], r["won"]) for r in zoe) == [("0", "0"), ("10", "1")]
    assert any(row["note"] == "by night, at sea" or "\n" in row["note"] for row in rows)
    assert {r["finished"] for r in rows if r["game"] != "Mythicals"} == {"0"}


# -- links ----------------------------------------------------------------------------------------


def test_a_link_carries_a_whole_sheet_which_is_shown_and_can_be_kept() -> None:
    driver = Driver(route="#/mythicals/score")
    driver.act("name", 0, value="Ana & <i>")
    driver.act("token", "black-13")
    driver.act("note", value="ünï 🐙")
    driver.act("share")
    link = asked(driver, "share")["hash"]
    assert (
        set(link) <= set("#/-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        and len(link) < 2000
    )
    other = Driver(route=link)
    assert "keep-copy" in other.html and not other.host.entries
    before = json.dumps(other.page.sheet)
    for act in (("token", "red-7"), ("over",), ("name", 0), ("undo",), ("clear",), ("note",)):
        other.act(*act, value="x" if act[0] in ("name", "note") else None)
        assert other.said and json.dumps(other.page.sheet) == before
    assert not [key for key in other.host.entries if key.startswith("score/")]
    other.act("keep-copy")
    assert sessions(other) == sessions(driver)
    other.act("token", "red-7")
    assert other.page.result(other.page.sheet).outcome.totals == (20, 0)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("damage", ["cut", "flip", "other-game", "bomb", "not-base64", "list"])
def test_a_damaged_link_is_refused_in_a_sentence(damage: str, lang: str) -> None:
    session = Session("mythicals", COMPANIONS["mythicals"].blank(["Ana", "Ion"]))
    letters = exchange.to_link(session)
    game = "mythicals"
    if damage == "cut":
        letters = letters[:-9]
    elif damage == "flip":
        letters = letters[:30] + ("A" if letters[30] != "A" else "B") + letters[31:]
    elif damage == "other-game":
        game = "tides-of-madness"
    elif damage == "bomb":
        packed = zlib.compress(b'{"game":"' + b"x" * 50_000_000)
        letters = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    elif damage == "not-base64":
        letters = "%3Cimg%20src=x%3E"
    else:
        letters = base64.urlsafe_b64encode(zlib.compress(b"[]")).decode().rstrip("=")
    driver = Driver(route=f"#/{game}/score/shared/{letters}", lang=lang)
    assert driver.said.endswith(".")
    assert "keep-copy" not in driver.html
    assert not [key for key in driver.host.entries if key.startswith("score/")]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.binary(max_size=200).map(zlib.compress)))
def test_no_letters_break_a_link(data: bytes) -> None:
    letters = base64.urlsafe_b64encode(data).decode().rstrip("=")
    with pytest.raises(exchange.NotRead):
        exchange.from_link(letters, COMPANIONS, "mythicals")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "players",
                    "name",
                    "rounds",
                    "tokens",
                    "hands",
                    "played",
                    "keep",
                    "red-2",
                    "player",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(game=st.sampled_from(GAMES), sheet=JSON, created=JSON, note=JSON)
def test_no_entry_of_a_file_breaks_the_reading(
    game: str, sheet: Any, created: Any, note: Any
) -> None:
    entry = {"game": game, "sheet": sheet, "created": created, "note": note, "date": note}
    try:
        session = exchange.session_of(entry, COMPANIONS)
    except exchange.NotRead:
        return
    COMPANIONS[game].result(session.sheet)


# -- history --------------------------------------------------------------------------------------


def test_history_lists_filters_and_adds_up() -> None:
    driver = played()
    driver.open("#/history")
    assert "3 sheets" in driver.words
    assert "Ana 2 1 50 % 3.5 7 7" in driver.words  # games, wins, average, best, lead
    driver.act("game", value="ancient-cards")
    assert "1 sheet " in driver.words and "50 %" not in driver.words
    driver.act("game", value="")
    driver.act("player", value="Ana")
    assert "2 sheets" in driver.words
    assert "<b>," not in driver.html, "names are escaped"


def test_history_says_why_there_is_no_statistic_of_people_without_names() -> None:
    driver = Driver(route="#/mythicals/score")
    driver.act("token", "red-7")
    driver.open("#/history")
    assert 'id="no-statistics"' not in driver.html  # nothing is finished yet
    driver.open("#/mythicals/score")
    driver.act("over")
    driver.open("#/history")
    assert 'id="no-statistics"' in driver.html
    driver.open("#/mythicals/score")
    driver.act("name", 0, value="Ana")
    driver.open("#/history")
    assert 'id="no-statistics"' not in driver.html and "Ana 1" in driver.words


def test_a_sheet_is_thrown_away_only_after_asking() -> None:
    driver = played()
    driver.open("#/history")
    ident = driver.page.kept()[0].session.id
    driver.act("really-remove", ident)
    assert len(sessions(driver)) == 3
    driver.act("remove", ident)
    driver.act("keep")
    assert len(sessions(driver)) == 3
    driver.act("remove", ident)
    driver.act("really-remove", ident)
    assert len(sessions(driver)) == 2


def test_a_damaged_sheet_does_not_keep_history_from_opening() -> None:
    driver = played()
    entries = {key: text for key, (_, text) in driver.host.entries.items()}
    entries["score/bad"] = '{"v": 1, "game": "mythicals", "created": 1, "sheet": {"players": 3}}'
    again = Driver(entries, route="#/history")
    assert "3 sheets" in again.words


# -- at the table ---------------------------------------------------------------------------------


def test_the_screen_stays_on_while_a_sheet_is_open_unless_switched_off() -> None:
    driver = Driver(route="#/ancient-cards/score")
    assert asked(driver, "awake") is True
    driver.open("#/")
    assert asked(driver, "awake") is False
    driver.open("#/ancient-cards/score")
    driver.act("awake", value=False)
    assert asked(driver, "awake") is False
    assert asked(driver.again(), "awake") is False


def test_large_totals_and_back() -> None:
    driver = Driver(route="#/mythicals/score")
    driver.act("token", "red-7")
    driver.act("big")
    assert "big-total" in driver.html and "sc-board" not in driver.html
    driver.act("big")
    assert "big-total" not in driver.html and "sc-board" in driver.html


def test_day_and_note_are_kept() -> None:
    driver = Driver(route="#/mythicals/score")
    driver.act("date", value="2025-12-24")
    driver.act("date", value="2025-13-24")
    driver.act("note", value="<script>" + "x" * 3000)
    again = driver.again()
    assert again.page.session.date == "2025-12-24"
    assert len(again.page.session.note) == 2000 and "<script>xx" not in again.html


def test_other_sheets_of_the_game_are_at_hand() -> None:
    driver = played()
    driver.open("#/mythicals/score")
    here = driver.page.session.id
    others = [ident for ident, _, _ in driver.page.others()]
    assert len(others) == 1 and here not in others
    driver.open(f"#/mythicals/score/{others[0]}")
    assert driver.page.session.id == others[0]
    assert "Ana" in driver.page.known_names()


@pytest.mark.parametrize(
    ("game", "taps", "words"),
    [
        (
            "ancient-cards",
            (("rune", ["ia", 1]), ("rune", ["ia", 1]), ("light", ["0"])),
            "One Iä more 2 instead of 1",
        ),
        (
            "mythicals",
            (("token", ["red-7"]), ("over", []), ("light", ["0-0"])),
            "Without red token 7 0 instead of 7 · Player 1, Player 2 would share",
        ),
        (
            "ritos-ancestrais",
            (("ritual", ["whisper"]), ("light", ["r0"])),
            "0 instead of",
        ),
        (
            "tides-of-madness",
            (("card", ["hastur"]), ("card", ["dagon"]), ("light", ["0-0"])),
            "instead of",
        ),
    ],
)
def test_a_tapped_number_says_what_would_have_changed_it(
    game: str, taps: tuple[tuple[str, list[Any]], ...], words: str
) -> None:
    driver = Driver(route=f"#/{game}/score")
    for name, args in taps:
        driver.act(name, *args)
    assert "What would have changed it" in driver.words and words in driver.words
    driver.act("light", "no such line")
    assert "What would have changed it" not in driver.words


@pytest.mark.parametrize("game", GAMES)
def test_two_of_one_name_are_told_apart(game: str) -> None:
    driver = Driver(route=f"#/{game}/score")
    driver.act("name", 0, value="Ana")
    driver.act("name", 1, value=" ANA ")
    assert driver.page.names == ("Ana", "ANA 2")
    assert driver.said == "There is a ANA here already; this one is now ANA 2."
    driver.act("name", 1, value="ANA 2")
    assert driver.page.names == ("Ana", "ANA 2") and not driver.said
    driver.act("name", 0, value="")
    driver.act("name", 1, value="")
    assert driver.page.names == ("Player 1", "Player 2")


def test_an_older_sheet_with_two_of_one_name_counts_each_once() -> None:
    driver = Driver(route="#/mythicals/score")
    driver.act("token", "red-7")
    driver.act("over")
    entry = driver.entry(driver.page.key)
    for player in entry["sheet"]["players"]:
        player["name"] = "Jose\u0301"
    other = Driver({driver.page.key: json.dumps(entry)}, "#/history")
    assert "José 1 1 100 %" in other.words.replace("e\u0301", "é")
    assert "José 2 1 0 0 %" in other.words.replace("e\u0301", "é")


def test_names_with_markup_emoji_and_other_directions_are_only_text() -> None:
    names = ('<img src=x onerror="x">', "עומר \u202e🐙")
    for game in GAMES:
        driver = Driver(route=f"#/{game}/score")
        for p, name in enumerate(names):
            driver.act("name", p, value=name)
        assert driver.page.names == (names[0], "עומר 🐙")
        again = driver.again()
        assert again.page.names == driver.page.names
        for html in (driver.html, again.html):
            assert "<img" not in html and "\u202e" not in html and "&lt;img" in html


def test_people_keep_their_colours_from_sheet_to_sheet() -> None:
    driver = Driver(route="#/ancient-cards/score")
    driver.act("colour", 0, value="5")
    assert driver.page.colours == [0, 1]  # nobody whose colour it could be
    driver.act("name", 0, value="Ana")
    driver.act("name", 1, value="Ion")
    driver.act("colour", 1, value="0")
    assert driver.page.colours == [1, 0]
    driver.act("colour", 0, value="0")  # taken: the first at the table has it
    assert driver.page.colours == [0, 1]
    for nonsense in ("7", "-1", "x", ""):
        driver.act("colour", 0, value=nonsense)
    driver.act("colour", 9, value="1")
    assert driver.page.colours == [0, 1]
    again = driver.again("#/tides-of-madness/score")
    again.act("name", 1, value="ANA")
    assert again.page.colours == [1, 0]


@pytest.mark.parametrize("kept", [3, {"ana": "x", "ion": 99, "zoë": True}, []])
def test_nonsense_in_the_kept_colours_is_passed_over(kept: object) -> None:
    settings_entry = json.dumps({"v": 1, "colours": kept})
    driver = Driver({"settings": settings_entry}, "#/ancient-cards/score")
    driver.act("name", 0, value="Ana")
    assert driver.page.colours == [0, 1]
    driver.act("colour", 0, value="3")
    assert driver.again().page.colours == [3, 1]
