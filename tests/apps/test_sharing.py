"""What a sheet hands on: QR codes, pictures, plays for BG Stats. Nothing leaves by itself."""

from __future__ import annotations

import json
import re
import sys
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
import segno
from driving import Driver

from apps.companion import exchange, qr
from apps.pages import COMPANIONS
from lovecraft.i18n import LANGUAGES, text

BASE = "https://tables.example/repo/"
NAME = '<img onerror="x">&'
TAPS: dict[str, tuple[tuple[str, list[Any]], ...]] = {
    "ancient-cards": tuple(
        tap
        for p in (0, 1)
        for r in (0, 1, 2)
        for tap in (("place", [p, r]), *(("rune", ["ia" if p else "rlyeh", 1]),) * 7)
    ),
    "mythicals": (("token", ["red-7"]), ("markers", [2]), ("over", [])),
    "ritos-ancestrais": (("ritual", ["whisper"]), ("cult", ["azathoth"]), ("over", [])),
    "tides-of-madness": (
        *(("card", [card]) for card in ("dagon", "rlyeh", "deep-ones", "necronomicon")),
        ("card", ["miskatonic-university"]),
        *(("card", [card]) for card in ("hastur", "cthulhu", "azathoth", "innsmouth")),
        ("card", ["nyarlathotep"]),
        ("choice", ["points"]),
    ),
}
GAMES = sorted(COMPANIONS)


def sheet(game: str, lang: str = "en") -> Driver:
    driver = Driver(route=f"#/{game}/score", base=BASE, lang=lang)
    driver.act("name", 0, value=NAME)
    for name, args in TAPS[game]:
        driver.act(name, *args)
    return driver


def asked(driver: Driver, wish: str) -> Any:
    return next(a[wish] for a in reversed(driver.host.asked) if wish in a)


def dark(svg: str) -> set[tuple[int, int]]:
    """The modules that the path of a code fills."""
    found = set()
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1", svg):
        found |= {(int(x) + i - qr.QUIET, int(y) - qr.QUIET) for i in range(int(wide))}
    return found


def test_the_code_is_that_of_the_link() -> None:
    driver = sheet("tides-of-madness")
    driver.act("qr")
    link = f"{BASE}#/tides-of-madness/score/shared/{driver.page.link}"
    code = segno.make(link, error="l", micro=False, boost_error=False)
    wanted = {(x, y) for y, row in enumerate(code.matrix) for x, dot in enumerate(row) if dot}
    assert dark(driver.html.split('id="qr-code"')[1]) == wanted
    driver.act("name", 1, value="Ion")
    assert 'id="qr-code"' not in driver.html  # the code would show another sheet


def test_a_sheet_that_no_phone_could_read_says_so() -> None:
    driver = sheet("mythicals")
    driver.act("note", value="".join(chr(0x4E00 + i * 7) for i in range(1500)))
    driver.act("qr")
    assert "too long for a QR code" in driver.said and 'id="qr-code"' not in driver.html


def test_before_the_library_has_come_the_code_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = sheet("mythicals")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "segno", None)
        driver.act("qr")
        assert "on its way" in driver.said and 'id="qr-code"' not in driver.html
    driver.library_came()
    assert 'id="qr-code"' in driver.html and "on its way" not in driver.html
    driver.act("qr")
    driver.library_came()
    assert 'id="qr-code"' not in driver.html  # it was put away, and comes back by nobody's wish


@pytest.mark.parametrize("game", GAMES)
def test_bg_stats_gets_names_points_and_winners_and_no_notes(game: str) -> None:
    driver = sheet(game)
    driver.act("note", value="a secret")
    link = exchange.to_bg_stats(driver.page.session, type(driver.page), "en")
    found = driver.html.split('id="bg-stats" href="')
    assert (len(found) == 2) == driver.page.result(driver.page.sheet).finished
    if len(found) == 2:
        assert found[1].split('"')[0] == link.replace("&", "&amp;")
    assert link.startswith(exchange.BG_STATS) and not re.search(r'[<>" ]', link)
    play = json.loads(unquote(link.removeprefix(exchange.BG_STATS)))
    outcome, finished = driver.page.result(driver.page.sheet)
    assert "secret" not in str(play)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    assert play["game"]["name"] == text(driver.page.game.name)
    assert [p["name"] for p in play["players"]] == list(driver.page.names)
    assert [p["score"] for p in play["players"]] == [str(total) for total in outcome.totals]
    assert [p["winner"] for p in play["players"]] == [
        finished and p in outcome.winners for p in range(len(outcome.totals))
    ]


def test_a_day_entered_by_hand_is_that_of_the_play() -> None:
    driver = sheet("mythicals")
    driver.act("date", value="2024-02-29")
    link = exchange.to_bg_stats(driver.page.session, type(driver.page), "en")
    play = json.loads(unquote(link.removeprefix(exchange.BG_STATS)))
    assert play["playDate"] == "2024-02-29 12:00:00"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_picture_is_whole_and_escaped(game: str, lang: str) -> None:
    driver = sheet(game, lang)
    driver.act("picture")
    picture = asked(driver, "picture")
    root = ET.fromstring(picture["svg"])  # noqa: S314 - made here
    words = ["".join(part.itertext()) for part in root.iter("{http://www.w3.org/2000/svg}text")]
    assert text(driver.page.game.name, lang) in words and driver.page.session.date in words
    outcome, _ = driver.page.result(driver.page.sheet)
    assert NAME in words and str(outcome.totals[0]) in words
    assert "var(" not in picture["svg"] and "href" not in picture["svg"]
    assert picture["name"].endswith(".png")
    box = [float(n) for n in root.attrib["viewBox"].split()]
    heights = [float(part.attrib["y"]) for part in root.iter() if "y" in part.attrib]
    assert max(heights) < box[3]
