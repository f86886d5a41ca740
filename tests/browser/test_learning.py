"""Lessons, shortcut keys, positions and long sessions on a phone, in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from apps.table.boards import BOARDS
from lovecraft import games
from lovecraft.core import Player, Record
from tests.apps.positions import LAST_TURNS, SPECIAL

from .checks import after, fits, painted, sound, tap_on
from .conftest import PHONE, Visitor

NOW = "#learn-on, #learn-real, [data-mark=lesson]"


def at_once(page: Page) -> None:
    """Let the table move without pauses."""
    if not page.locator(".more").count():
        return  # a curtain is drawn
    tap_on(page.locator(".more > summary"))
    page.select_option("#pace", "instant")
    tap_on(page.locator(".more > summary"))


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_lesson_by_taps_to_the_door_of_a_real_game(visitor: Visitor, game: str) -> None:
    page = visitor.open(f"#/{game}/learn")
    page.wait_for_selector(NOW)
    at_once(page)
    for number in range(40):
        page.wait_for_selector(NOW)
        if page.locator("#learn-real").count():
            break
        if number == 2:
            sound(page)
            page.set_viewport_size({"width": 360, "height": 640})
            fits(page)
            page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
            words = page.locator("#lesson").inner_text()
            page.reload()
            visitor.linked(page)
            expect(page.locator("#lesson")).to_have_text(words)
            page.wait_for_selector(NOW)
        before = painted(page)
        tap_on(page.locator(NOW).first)
        after(page, before)
    sound(page)
    tap_on(page.locator("#learn-real"))
    expect(page.locator("#start")).to_be_visible()


def test_a_game_by_keys_that_never_act_while_something_is_typed(visitor: Visitor) -> None:
    page = visitor.open("#/tides-of-madness/table/new")
    page.wait_for_selector("#my-name")
    page.focus("#my-name")
    page.keyboard.type("1pn u?")
    page.keyboard.press("Enter")
    page.focus("#start")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tide-card:not([aria-disabled=true])")
    at_once(page)
    expect(page.locator(".tides-seat.me .who")).to_have_text("1pn u?")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_focused()
    sound(page)
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_have_count(0)

    cards = page.locator(".tide-card")
    second = cards.nth(1).get_attribute("id") or ""
    page.keyboard.press("2")
    page.wait_for_selector(f"#front-1-{second[5:]}, #front-0-{second[5:]}")
    page.keyboard.press("u")  # taken back
    page.wait_for_selector(f"#{second}")
    expect(page.locator(".tile.fresh")).to_have_count(0)
    for _ in range(60):
        if page.locator("#rematch").count():
            break
        before = painted(page)
        page.keyboard.press("n" if page.locator("#go-on").count() else "1")
        after(page, before)
        page.wait_for_selector("#rematch, #go-on, [data-numbered] [data-act=play]")
    expect(page.locator("#rematch")).to_be_visible()
    page.keyboard.press("?")
    page.locator("#keys-on").uncheck()
    expect(page.locator("[data-key]")).to_have_count(0)
    page.keyboard.press("n")  # keys are off now
    tap_on(page.locator("#keys-close"))
    expect(page.locator("#rematch")).to_be_visible()


def open_position(page: Page, game: str, position: Any, *kinds: str) -> None:
    """Take in a record that begins at a position, as a file, and sit down at its table."""
    rules = games.get(game)
    options = position.setup._asdict()
    del options["players"]
    seats = tuple(Player(f"P{p}", kind) for p, kind in enumerate(kinds))
    record = Record.begin(rules, seats, options, position)
    file = {"name": "game.json", "mimeType": "application/json", "buffer": record.dumps().encode()}
    page.evaluate("location.hash = '#/games'")
    page.wait_for_selector("#import", state="attached")
    page.set_input_files("#import", file)  # type: ignore[arg-type]
    tap_on(page.locator(f".kept a[href^='#/{game}/table/']").first)
    page.wait_for_selector(".said")
    at_once(page)


def test_special_cases_from_positions_that_were_handed_over(visitor: Visitor) -> None:
    page = visitor.open("#/games")
    for game, (position, taps, shown) in SPECIAL.items():
        open_position(page, game, position, "human", "greedy")
        for tap in taps:
            before = painted(page)
            tap_on(page.locator(tap).first)
            after(page, before)  # a tap meant for an earlier position does nothing
        expect(page.locator(shown).first).to_be_visible()
        sound(page)
        page.reload()
        visitor.linked(page)
        expect(page.locator(shown).first).to_be_visible()


RECORD_MESSAGES = """
  globalThis.heard = [];
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
    }
  };
"""


def test_the_curtain_hides_hands_from_page_readers_and_messages(visitor: Visitor) -> None:
    """Not only what is seen: nothing of a hand is sent to the page while the curtain is drawn."""
    visitor.context.add_init_script(RECORD_MESSAGES)
    page = visitor.open()
    for game in ("tides-of-madness", "ancient-cards"):
        open_position(page, game, LAST_TURNS[game], "human", "human")
        before = painted(page)
        tap_on(page.locator("#lift"))
        after(page, before)
        hand = page.locator("[data-numbered] button")
        names = {name.splitlines()[0].strip() for name in hand.all_inner_texts()}
        names = {name for name in names if name}
        page.evaluate("heard.length = 0")
        tap_on(hand.first)
        tap_on(page.locator("#confirm"))
        page.wait_for_selector("#lift")
        sent = " ".join(page.evaluate("heard"))
        drawn = sent[sent.rindex("curtain") :] if "curtain" in sent else sent
        screen = page.locator("#screen")
        shown = screen.aria_snapshot() + screen.inner_html()
        for name in names:
            assert name not in drawn, name
            assert name not in shown, name


MOVES = 300
SLOPE = 5_000
"""Bytes of JavaScript heap that a move may leave behind; measured: about 1,000."""


@pytest.mark.long
def test_three_hundred_moves_in_one_page_leave_little_behind(visitor: Visitor) -> None:
    page = visitor.open("#/mythicals/table/new")
    page.wait_for_selector("#first")
    page.select_option("#first", "random")
    page.select_option("#level-0", "random")
    tap_on(page.locator("#start"))
    tap_on(page.locator("#run"))
    devtools = visitor.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def heap() -> float:
        devtools.send("HeapProfiler.collectGarbage")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "JSHeapUsedSize"))

    def nodes() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "Nodes"))

    def move() -> None:
        before = painted(page)
        page.locator("#rematch, #next").first.dispatch_event("click")
        after(page, before)

    for _ in range(40):
        move()
    start, first = heap(), nodes()
    for _ in range(MOVES - 40):
        move()
    assert (heap() - start) / (MOVES - 40) < SLOPE
    assert nodes() < 2 * first + 1000
