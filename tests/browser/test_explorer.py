"""The explorer in a phone's browser: every page fits, can be touched and read, and answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from lovecraft import games

from .checks import accessible, after, fits, painted, sound, tap_on, touchable
from .conftest import PHONE, Visitor

GAMES = list(games.GAMES)
READ = ("tides-of-madness", "mythicals")
"""Between them these have everything that a page of the explorer can show."""


def checked(page: Page, game: str) -> None:
    """The page fits and can be touched; axe reads it where there is most to read."""
    touchable(page)
    fits(page)
    if game in READ:
        accessible(page)


def go(page: Page, route: str) -> None:
    """Another page by its address, as a link would."""
    before = painted(page)
    page.evaluate("(route) => { location.hash = route; }", route)
    after(page, before)


def narrow(page: Page) -> None:
    """The narrowest phone, and back."""
    page.set_viewport_size({"width": 360, "height": 640})
    fits(page)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_the_explorer_is_sound(visitor: Visitor, game: str) -> None:
    page = visitor.open(f"#/{game}/explore")
    page.wait_for_selector(".map")
    tap_on(page.locator(".phase-node").nth(1))
    expect(page.locator("#phase-note")).to_be_visible()
    checked(page, game)
    narrow(page)
    card = games.GAMES[game].cards[0].id
    for route, ready in (
        (f"#/{game}/walk/sample/5", ".explained"),
        (f"#/{game}/what-if", "#tray"),
        (f"#/{game}/cards", ".gallery"),
        (f"#/{game}/cards/{card}", "#simulate"),
    ):
        go(page, route)
        page.wait_for_selector(ready, timeout=20_000)
        checked(page, game)
        narrow(page)
    if game in READ:
        page.emulate_media(color_scheme="dark")
        accessible(page)


def test_search_leads_to_a_rule_with_its_example_and_on_to_the_laboratory(
    visitor: Visitor,
) -> None:
    page = visitor.open("#/tides-of-madness/explore")
    page.locator("#find").fill("loucura")  # Portuguese words are found in an English page
    expect(page.locator(".hits a").first).to_contain_text("madness")
    page.locator("#find").fill("rlyeh")
    tap_on(page.locator(".hits a[href$='/rules/tides-of-madness/rlyeh']"))
    expect(page.locator(".rule.lit .laid.hit")).to_be_visible()
    sound(page)
    tap_on(page.locator(".laid.miss a[href*='what-if']"))
    expect(page.locator("#points")).to_be_visible()
    page.go_back()
    expect(page.locator(".rule.lit .laid.hit")).to_be_visible()


def test_a_reading_is_switched_and_shows_the_other_side(visitor: Visitor) -> None:
    page = visitor.open("#/mythicals/explore")
    tap_on(page.locator("#reads-1-default"))
    page.wait_for_selector(".differences .so", timeout=20_000)
    before = page.locator(".differences").inner_text()
    tap_on(page.locator("#reads-1-other"))
    expect(page.locator("#reads-1-other")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".differences").inner_text() != before
    sound(page)


def test_the_laboratory_moves_lines_draws_odds_and_is_still_there_after_a_reload(
    visitor: Visitor,
) -> None:
    page = visitor.open("#/ancient-cards/what-if/area:ia.ia.rlyeh")
    expect(page.locator("#points")).to_have_text("1")
    tap_on(page.locator("#put-ia"))
    expect(page.locator("#points")).to_have_text("2")
    expect(page.locator(".moved")).to_contain_text("+1")
    tap_on(page.locator("#best-0"))
    tap_on(page.locator("#do-swap"))
    expect(page.locator("#points")).to_have_text("4")
    page.select_option("#number", "2")
    page.wait_for_selector("#coming-points-plot canvas")
    sound(page)
    page.reload()
    visitor.linked(page)
    expect(page.locator("#points")).to_have_text("4")


def test_a_game_is_walked_by_keyboard(visitor: Visitor) -> None:
    page = visitor.open("#/mythicals/walk")
    page.wait_for_selector(".explained")
    for step in range(1, 5):
        page.locator("#step-on").press("Enter")
        expect(page.locator("#happened-heading")).to_contain_text(f"{step} of ")
    expect(page.locator("#step-on")).to_be_focused()
    expect(page.locator("#happened-heading")).to_contain_text("4")
    refusal = page.locator(".refusals summary").first
    refusal.press("Enter")
    expect(page.locator(".refusals details[open] .rule-link").first).to_be_visible()
    page.locator("#step-back").press("Enter")
    expect(page.locator("#happened-heading")).to_contain_text("3")
