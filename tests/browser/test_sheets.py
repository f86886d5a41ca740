"""Sheets in a browser: charts, pictures and codes, keyboard alone, zoom, what was damaged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from apps.companion.exchange import to_file
from apps.companion.session import Session
from lovecraft.games.ancient_cards.cards import RUNES

from .checks import fits, sound, tap_on
from .conftest import BOOT_TIMEOUT, Host, Visitor
from .test_companion import A, B, first_round

TIDES = "#/tides-of-madness/score"
CHARTS = 4
DOCUMENTS = "Bokeh.documents.length"
NAMES = ('<img src=x onerror="x">', "עומר 🐙 " + "ש" * 30)


def finished(turn: int) -> Session:
    """A whole game of Ancient Cards between people with awkward names."""
    rounds = [{rune: 7} for rune in RUNES[turn : turn + 3]]
    different = [dict.fromkeys(RUNES, 1) for _ in range(3)]
    sheet: dict[str, Any] = {
        "players": [
            {"name": NAMES[0], "rounds": rounds if turn % 2 else different},
            {"name": NAMES[1], "rounds": different if turn % 2 else rounds},
        ]
    }
    return Session("ancient-cards", sheet)


def with_history(page: Page, tmp_path: Path) -> None:
    """Take in five finished games."""
    file = tmp_path / "scores.json"
    file.write_text(to_file(finished(turn) for turn in range(5)), "utf-8")
    page.set_input_files("#import", file)
    expect(page.locator("#notice")).to_contain_text("5 sheets")


def settled(page: Page, what: str, value: object) -> None:
    """Until something in the page has a value."""
    for _ in range(100):
        if page.evaluate(what) == value:
            return
        page.wait_for_timeout(100)
    assert page.evaluate(what) == value


def test_charts_follow_the_page_and_leave_nothing_behind(
    chromium: Browser, host: Host, tmp_path: Path
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, color_scheme="light"
    )
    visitor = Visitor(context, host)
    page = visitor.open("#/history")
    bare = page.evaluate(DOCUMENTS)
    with_history(page, tmp_path)
    settled(page, DOCUMENTS, bare + CHARTS)
    drawn = "document.querySelectorAll('.chart-plot > div > *').length"
    settled(page, drawn, CHARTS)
    tap_on(page.locator("#chart-ancient-cards-2 summary"))
    # who won three of five games stands first: (3 × 10 + 2 × 5) / 5 points in each round
    expect(page.locator("#chart-ancient-cards-2 td").first).to_have_text("8")
    sound(page)
    page.emulate_media(color_scheme="dark")
    settled(page, drawn, CHARTS)
    settled(page, DOCUMENTS, bare + CHARTS)
    painted = "Number(document.getElementById('screen').dataset.painted)"
    times = page.evaluate(painted)
    page.select_option("#days", "30")  # painted anew, the same charts
    settled(page, painted, times + 1)
    assert page.evaluate(DOCUMENTS) == bare + CHARTS
    sound(page)
    tap_on(page.locator("#charts-ancient-cards > summary"))
    page.goto(f"{host.url}#/")
    page.locator(".games").wait_for()
    settled(page, DOCUMENTS, bare)
    context.close()
    visitor.watch.check()


def test_a_sheet_hands_on_a_picture_and_a_code(
    chromium: Browser, host: Host, tmp_path: Path
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, color_scheme="dark"
    )
    visitor = Visitor(context, host)
    page = visitor.open("#/mythicals/score")
    tap_on(page.locator("#token-red-10"))
    tap_on(page.locator("#over"))
    # the rule that comes with it moves what stands below
    expect(page.locator("#over")).to_have_attribute("aria-pressed", "true")
    tap_on(page.locator(".people > summary"))
    page.fill("#name-0", NAMES[0])
    page.press("#name-0", "Enter")
    with page.expect_download() as download:
        tap_on(page.locator("#picture"))
    image = tmp_path / "sheet.png"
    download.value.save_as(image)
    data = image.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(data[16:20]) == 1080
    tap_on(page.locator("#qr"))
    # what draws codes comes with the library, a moment after the boot: then the code is shown
    expect(page.locator("#qr-code svg")).to_be_visible(timeout=BOOT_TIMEOUT)
    link = page.locator("#bg-stats").get_attribute("href")
    assert link and link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    sound(page)
    context.close()
    visitor.watch.check()  # nothing was asked of any other origin


def test_a_round_is_explained_and_played_again(visitor: Visitor) -> None:
    page = visitor.open(TIDES)
    first_round(page)
    tap_on(page.locator("#slot-0-dagon button"))
    expect(page.locator(".what-if li").first).to_contain_text("instead of")
    sound(page)
    tap_on(page.locator("#replay-0"))
    page.wait_for_url(re.compile("#/tides-of-madness/table/"))
    expect(page.locator("main")).to_contain_text("Nyarlathotep")


def tab_to(page: Page, selector: str) -> None:
    """Walk with the Tab key alone until an element that matches has the focus."""
    for _ in range(90):
        if page.evaluate("(s) => document.activeElement?.matches(s) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


def test_sheets_are_entered_with_the_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open("#/ancient-cards/score")
    page.wait_for_selector("#row-ia")
    tab_to(page, "#row-ia .step:last-child")
    for n in range(7):
        page.keyboard.press("Enter" if n % 2 else "Space")
    expect(page.locator("#count-ia")).to_have_text("7")
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    expect(page.locator("#entry-heading")).to_contain_text("Player 2")
    page.goto(f"{visitor.host.url}#/mythicals/score")
    page.wait_for_selector("#token-red-10")
    tab_to(page, "#token-red-10")
    page.keyboard.press("Enter")
    tab_to(page, "#markers-2")
    page.keyboard.press("Enter")
    expect(page.locator("#total-0")).to_have_text("12")
    page.goto(f"{visitor.host.url}#/ritos-ancestrais/score")
    page.wait_for_selector(".rite-head")
    tab_to(page, "#rite-chant .rite-head")
    page.keyboard.press("Enter")
    expect(page.locator("#total-0")).not_to_have_text("0")
    tab_to(page, "#hand > summary")
    page.keyboard.press("Enter")
    tab_to(page, "#hand-more")
    page.keyboard.press("Space")
    expect(page.locator("#hand-count")).to_have_text("1")
    page.goto(f"{visitor.host.url}{TIDES}")
    page.wait_for_selector("#pick-dagon")
    for card in (*A[:1], *B[:1]):
        tab_to(page, f"#pick-{card}")
        page.keyboard.press("Enter")
        expect(page.locator(f"#slot-0-{card}")).to_be_visible()


@pytest.mark.parametrize("width", [640, 180])
def test_sheets_fit_at_twice_the_size(
    chromium: Browser, host: Host, tmp_path: Path, width: int
) -> None:
    """Zoom of 200 % leaves half the width, of 1280 px or of a phone's 360."""
    context = chromium.new_context(
        viewport={"width": width, "height": 400}, device_scale_factor=2, locale="pt-BR"
    )
    visitor = Visitor(context, host)
    page = visitor.open("#/history")
    file = tmp_path / "scores.json"
    file.write_text(to_file(finished(turn) for turn in range(2)), "utf-8")
    page.set_input_files("#import", file)
    page.locator(".chart").first.wait_for()
    fits(page)
    page.locator(".kept a").first.click()
    page.locator(".lines .line").first.click()
    page.locator(".people > summary").click()
    fits(page)
    page.locator("#big").click()
    fits(page)
    for route in (TIDES, "#/mythicals/score", "#/ritos-ancestrais/score"):
        page.goto(host.url + route)
        page.locator(".score .entry").wait_for()
        fits(page)
    context.close()
    visitor.watch.check()


def test_one_damaged_sheet_keeps_no_other_shut(visitor: Visitor) -> None:
    page = visitor.open("#/mythicals/score")
    tap_on(page.locator("#token-red-10"))
    expect(page.locator("#total-0")).to_have_text("10")
    ident = page.url.rsplit("/", 1)[-1]
    page.evaluate(
        """async () => {
          const [{ name }] = await indexedDB.databases();
          const db = await new Promise((done, fail) => {
            const asked = indexedDB.open(name);
            asked.onsuccess = () => done(asked.result);
            asked.onerror = fail;
          });
          const store = db.transaction("entries", "readwrite").objectStore("entries");
          for (const [key, text] of [
            ["score/broken", "{half of a sh"],
            ["score/other", JSON.stringify({ v: 1, game: "mythicals", created: 1, sheet: [] })],
            ["score/nested", "[".repeat(90000)],
            ["edition/broken", "null"],
          ])
            store.put({ rev: 1, text }, key);
          store.put("no entry at all", "score/worse");
          await new Promise((done) => (store.transaction.oncomplete = done));
          db.close();
        }"""
    )
    page.reload()
    visitor.linked(page)
    expect(page.locator("#total-0")).to_have_text("10")
    assert page.url.endswith(ident)
    page.goto(f"{visitor.host.url}#/mythicals/score/other")
    expect(page.locator("#notice")).to_be_visible()
    page.goto(f"{visitor.host.url}#/history")
    expect(page.locator(".kept a")).to_have_count(1)


def test_an_edition_is_written_on_a_phone(chromium: Browser, host: Host) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, color_scheme="dark", locale="es"
    )
    visitor = Visitor(context, host)
    page = visitor.open("#/ritos-ancestrais/editions")
    tap_on(page.locator("#begin-copy"))
    page.fill("#title", "Mi caja <b>")
    page.press("#title", "Enter")
    page.locator("#score").wait_for()
    tap_on(page.locator("#rituals-0"))
    page.select_option("#rituals-0-need-2", "cthulhu")
    expect(page.locator("#rituals-0-need-3")).to_be_visible()
    sound(page)
    tap_on(page.locator("#cards-1"))
    page.select_option("#cards-1-add", "end_bonus")
    expect(page.locator("[id^=cards-1-][id$=cap]").last).to_have_value("5")
    sound(page)
    page.goto(f"{host.url}#/ritos-ancestrais/editions")
    page.locator(".kept [data-act=score]").wait_for()
    sound(page)
    tap_on(page.locator(".kept [data-act=play]"))
    page.wait_for_url(re.compile("#/ritos-ancestrais/table/"))
    context.close()
    visitor.watch.check()
