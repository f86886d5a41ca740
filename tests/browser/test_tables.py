"""The tables in a phone's browser: whole games by taps, left and taken up again on the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from apps.table.boards import BOARDS

from .checks import after, fits, painted, sound, tap_on, touchable
from .conftest import PHONE, Visitor

GAMES = sorted(BOARDS.keys() - {"ancient-cards"})  # that one has a file of its own

OFFERED = "#go-on, #deal, [data-act=touch].lit, [data-act=play]:not([aria-disabled=true])"
MOST_TAPS = 200

COVERED = """() => {
  const hand = document.querySelector(".hand-dock:has(> .tide-hand)")?.getBoundingClientRect().top;
  return [...document.querySelectorAll(".fronts .tile")]
    .filter((tile) => tile.getBoundingClientRect().bottom > hand).map((tile) => tile.innerText);
}"""
"""Cards before the players that lie under the hand."""


def begin(page: Page) -> None:
    """Start a game that moves at once."""
    page.wait_for_selector("#start")
    tap_on(page.locator("#start"))
    page.wait_for_selector("#pace", state="attached")
    tap_on(page.locator(".more > summary"))
    page.select_option("#pace", "instant")
    tap_on(page.locator(".more > summary"))


def tap(page: Page, number: int) -> None:
    """Tap one of the things that are offered, and wait for the screen to be painted."""
    opened = page.locator("#ways [data-act=play]:not([aria-disabled=true])")
    offered = opened if opened.count() else page.locator(OFFERED)
    before = painted(page)
    chosen = offered.nth(number % offered.count()).get_attribute("id")
    tap_on(page.locator(f"#{chosen}"))
    after(page, before)


def step(page: Page) -> str:
    """What is to be done now, in words, without what changes with every card."""
    return page.locator("#said").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_taps_with_reloads_at_every_kind_of_step(visitor: Visitor, game: str) -> None:
    page = visitor.open(f"#/{game}/table/new")
    begin(page)
    page.wait_for_selector(OFFERED)
    page.set_viewport_size({"width": 360, "height": 640})
    seen: set[str] = set()
    for number in range(MOST_TAPS):
        if page.locator("#rematch").count():
            break
        page.wait_for_selector(OFFERED)
        assert page.evaluate(COVERED) == []
        if (words := step(page)) not in seen:
            seen.add(words)
            fits(page)
            touchable(page)
            page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
            sound(page)
            page.set_viewport_size({"width": 360, "height": 640})
            page.reload()
            visitor.linked(page)
            page.wait_for_selector(OFFERED)
            expect(page.locator("#said")).to_have_text(words)
        tap(page, number * 7)
    expect(page.locator("#rematch")).to_be_visible()
    assert page.evaluate("scrollY") == 0  # a result is read from its beginning
    assert len(seen) > 2
    end = step(page)
    sound(page)
    page.reload()
    visitor.linked(page)
    expect(page.locator("#said")).to_have_text(end)
    tap_on(page.locator("#rematch"))
    page.wait_for_selector(OFFERED)


@pytest.mark.parametrize("game", GAMES)
def test_a_calm_game_shows_its_steps_and_a_tap_goes_on(visitor: Visitor, game: str) -> None:
    page = visitor.open(f"#/{game}/table/new")
    tap_on(page.locator("#start"))
    page.wait_for_selector(OFFERED)
    for number in range(3):
        tap(page, number)
        page.wait_for_selector(OFFERED, timeout=15_000)


def test_a_refusal_leads_to_its_rule_and_back_to_the_game(visitor: Visitor) -> None:
    page = visitor.open("#/mythicals/table/new")
    begin(page)
    page.wait_for_selector("#draw-pile:not([aria-disabled=true])")
    tap_on(page.locator("#token-black-13"), force=True)  # it says that it is disabled, and why
    expect(page.locator("#notice p")).to_contain_text("A turn starts with drawing cards.")
    tap_on(page.locator("#notice a"))
    expect(page.locator(".rule.lit h3")).to_contain_text("Draw")
    page.go_back()
    page.wait_for_selector("#draw-pile:not([aria-disabled=true])")


def test_two_people_pass_the_device_and_the_curtain_hides_the_hands(visitor: Visitor) -> None:
    page = visitor.open("#/tides-of-madness/table/new")
    page.wait_for_selector("#level-0")
    page.select_option("#level-0", "human")
    page.fill("#seat-name-0", "Ana")
    page.press("#seat-name-0", "Enter")
    tap_on(page.locator("#start"))
    hands: list[set[str]] = []
    for name in ("Carter", "Ana"):
        expect(page.locator("#lift")).to_have_text(f"I am {name}")
        expect(page.locator(".tide-card, .tile, .log")).to_have_count(0)
        sound(page)
        tap_on(page.locator("#lift"))
        page.wait_for_selector(".tide-card")
        cards = page.locator(".tide-card").evaluate_all("all => all.map((card) => card.id)")
        hands.append(set(cards))
        tap_on(page.locator(".tide-card").first)
        expect(page.locator("#final")).to_be_visible()
        tap_on(page.locator("#confirm"))
    assert len(hands[0]) == len(hands[1]) == 5
    assert not hands[0] & hands[1]
    page.wait_for_selector(".tile.fresh")  # both have chosen: turned up, and Ana goes on
    page.reload()
    visitor.linked(page)
    expect(page.locator("#lift")).to_be_visible()
    expect(page.locator(".tide-card, .tile")).to_have_count(0)
