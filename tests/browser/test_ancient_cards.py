"""Ancient Cards in a phone's browser: scored beside real cards, and played against bots."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from lovecraft.games.ancient_cards.cards import RUNES

from .checks import accessible, fits, sound, tap_on, touchable
from .conftest import Host, Visitor

SCORE = "#/ancient-cards/score"
TABLE = "#/ancient-cards/table"


def enter(page: Page, **runes: int) -> None:
    """Tap the cards of one round into the calculator."""
    for rune, number in runes.items():
        for _ in range(number):
            tap_on(page.locator(f"#row-{rune} .step").last)
    expect(page.locator(".sum")).to_have_class(re.compile("full"))


def begin(page: Page, opponents: int = 1, pace: str = "instant") -> None:
    """Start a game from the form."""
    page.wait_for_selector("#start")
    place = page.locator("#start").bounding_box()
    for number in range(2, opponents + 1):
        tap_on(page.locator("[data-act=seats]").last)
        expect(page.locator("[id^=level-]")).to_have_count(number)
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("#start").bounding_box() == place  # within reach, however long the form
    tap_on(page.locator("#start"))
    page.wait_for_selector(".hand .card")
    tap_on(page.locator(".more > summary"))
    page.select_option("#pace", pace)
    tap_on(page.locator(".more > summary"))


def pick(page: Page) -> None:
    """Lay the first card of the hand and wait until there is something to do again."""
    before = page.locator(".phase").inner_text()
    tap_on(page.locator(".hand:not(.waiting) .card").first)
    expect(page.locator(".phase")).not_to_have_text(before)
    page.wait_for_selector(".hand:not(.waiting) .card, #deal, #rematch")


def play_round(page: Page) -> None:
    """Six picks; the last card plays itself."""
    for _ in range(6):
        pick(page)
    page.wait_for_selector("#deal, #rematch")


def test_score_from_the_first_tap_to_the_winner(visitor: Visitor) -> None:
    page = visitor.open(SCORE)
    tap_on(page.locator(".people > summary"))
    page.fill("#name-0", "Ana")
    page.press("#name-0", "Enter")
    page.fill("#name-1", "<img src=x onerror=alert(1)>")
    page.press("#name-1", "Enter")
    rounds = [
        ({"ia": 7}, {"ia": 7}),  # 10 10
        ({"ia": 1, "rlyeh": 6}, {"ia": 5, "rlyeh": 1, "fhtagn": 1}),  # 7 5
        ({"ia": 5, "rlyeh": 1, "fhtagn": 1}, {"ia": 1, "rlyeh": 6}),  # 5 7
    ]
    for number, (first, second) in enumerate(rounds):
        for player, runes in enumerate((first, second)):
            enter(page, **runes)
            if (number, player) != (2, 1):
                tap_on(page.locator("#next"))
    totals = page.locator(".results .total").all_inner_texts()
    assert totals == ["22", "22"]
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("<img src=x onerror=alert(1)> wins the game. On a tie")
    assert page.locator("main img").count() == 0
    page.reload()
    visitor.linked(page)
    expect(verdict).to_contain_text("On a tie")
    tap_on(page.locator(".cell").first)  # an earlier round can be changed; the result follows
    tap_on(page.locator("#row-ia .step").first)
    tap_on(page.locator("#row-fhtagn .step").last)
    expect(page.locator(".results .total").first).to_have_text("19")
    expect(verdict).not_to_contain_text("On a tie")


def test_eight_taps_a_second_are_all_counted(visitor: Visitor) -> None:
    page = visitor.open(SCORE)
    plus = page.locator("#row-ia .step").last
    for _ in range(7):
        plus.tap(no_wait_after=True)
    expect(page.locator("#count-ia")).to_have_text("7")
    tap_on(plus, force=True)
    expect(page.locator("#notice")).to_contain_text("seven cards")


@pytest.mark.parametrize("opponents", [1, 3, 6])
def test_a_whole_game_by_taps(visitor: Visitor, opponents: int) -> None:
    page = visitor.open(TABLE)
    begin(page, opponents)
    for number in (1, 2, 3):
        play_round(page)
        assert page.locator(".results thead th").count() == number + 2
        if number < 3:
            tap_on(page.locator("#deal"))
            page.wait_for_selector(".hand .card")
    expect(page.locator(".phase")).to_have_text("The game is over")
    expect(page.locator("#said")).to_contain_text(re.compile("wins the game|share the victory"))
    assert page.locator(".results .ahead").count() >= 1
    tap_on(page.locator("#rematch"))
    page.wait_for_selector(".hand .card")


def test_pick_pass_and_reveal_are_seen_one_after_the_other(visitor: Visitor) -> None:
    page = visitor.open(TABLE)
    begin(page, 2, pace="calm")
    tap_on(page.locator(".hand .card").first)
    said = page.locator("#said")
    expect(said).to_have_text("All have chosen.")
    assert page.locator(".group.down").count() == 3
    expect(said).to_have_text("All pass their hands to the left.")
    assert page.locator(".group.down").count() == 3
    expect(said).to_contain_text("Choose a rune")
    assert page.locator(".group.down").count() == 0
    assert page.locator(".group.fresh").count() == 3


def test_a_reload_at_any_step_finds_the_game(visitor: Visitor) -> None:
    page = visitor.open(TABLE)
    begin(page, 2, pace="calm")
    for wait in (0, 300, 1200):  # while others choose, while cards lie down, when all is open
        tap_on(page.locator(".hand:not(.waiting) .card").first)
        page.locator(".hand.waiting").wait_for()
        page.wait_for_timeout(wait)
        page.reload()
        visitor.linked(page)
        page.wait_for_selector(".hand:not(.waiting) .card")
    expect(page.locator(".phase")).to_have_text("Round 1, pick 4 of 7")


def test_take_back_returns_the_choice(visitor: Visitor) -> None:
    page = visitor.open(TABLE)
    begin(page)
    hand = page.locator(".hand").inner_text()
    pick(page)
    tap_on(page.locator("#take-back"))
    expect(page.locator(".phase")).to_have_text("Round 1, pick 1 of 7")
    assert page.locator(".hand").inner_text() == hand


def test_offline_after_one_visit_score_and_play_from_a_cold_start(traveller: Visitor) -> None:
    page = traveller.open(TABLE)
    begin(page)
    pick(page)
    traveller.offline_ready(page)
    page.close()
    traveller.cut_network()
    page = traveller.open(TABLE)
    expect(page.locator(".phase")).to_have_text("Round 1, pick 2 of 7")
    pick(page)
    page.reload()
    traveller.linked(page)
    expect(page.locator(".phase")).to_have_text("Round 1, pick 3 of 7")
    page.goto(traveller.host.url + SCORE)
    enter(page, fhtagn=7)
    expect(page.locator("#points")).to_have_text("10 points")


def test_two_tabs_on_one_game_never_lose_a_move(visitor: Visitor) -> None:
    one = visitor.open(TABLE)
    begin(one)
    pick(one)
    two = visitor.open(TABLE)
    expect(two.locator(".phase")).to_have_text("Round 1, pick 2 of 7")
    pick(two)
    expect(one.locator(".phase")).to_have_text("Round 1, pick 3 of 7")
    pick(one)
    expect(two.locator(".phase")).to_have_text("Round 1, pick 4 of 7")


def test_every_screen_is_accessible_touchable_and_fits(visitor: Visitor) -> None:
    page = visitor.open()
    page.set_viewport_size({"width": 360, "height": 640})
    sound(page)
    page.goto(visitor.host.url + "#/ancient-cards/rules")
    page.wait_for_selector(".rule")
    sound(page)
    page.goto(visitor.host.url + SCORE)
    page.wait_for_selector(".steppers")
    tap_on(page.locator(".people > summary"))
    sound(page)
    page.goto(visitor.host.url + TABLE)
    page.wait_for_selector("#start")
    tap_on(page.locator(".options > summary"))
    sound(page)
    begin(page, 6)
    sound(page)
    pick(page)
    sound(page)
    for _ in range(5):
        pick(page)
    page.wait_for_selector("#deal")
    sound(page)


@pytest.mark.parametrize("locale", ["pt-BR", "es-ES", "ro-RO"])
def test_other_languages_and_both_themes_hold_up(
    chromium: Browser, host: Host, locale: str
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, locale=locale, color_scheme="dark"
    )
    visitor = Visitor(context, host)
    page = visitor.open(TABLE)
    begin(page, 6)
    pick(page)
    sound(page)
    page.emulate_media(color_scheme="light")
    accessible(page)
    page.goto(host.url + SCORE)
    page.wait_for_selector(".steppers")
    sound(page)
    page.emulate_media(color_scheme="dark")
    accessible(page)
    context.close()
    visitor.watch.check()


def test_a_game_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open(TABLE)
    begin(page)
    for _ in range(6):
        before = page.locator(".phase").inner_text()
        page.locator(".hand .card").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".phase")).not_to_have_text(before)
    page.wait_for_selector("#deal")
    page.locator("#deal").focus()
    page.keyboard.press("Space")
    page.wait_for_selector(".hand .card")


def test_text_twice_as_large_still_fits(visitor: Visitor) -> None:
    page = visitor.open(SCORE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    enter(page, **dict.fromkeys(RUNES, 1))
    expect(page.locator("#points")).to_have_text("5 points")
    touchable(page)
    fits(page)


def test_the_launcher_leads_back_to_what_was_left(visitor: Visitor) -> None:
    page = visitor.open(TABLE)
    begin(page)
    pick(page)
    phase = page.locator(".phase").inner_text()
    tap_on(page.locator(".bar a.icon"))
    tap_on(page.locator(".left a").first)
    expect(page.locator(".phase")).to_have_text(phase)
    page.go_back()
    page.wait_for_selector(".games")


def test_what_was_left_can_be_reached_before_python_is_there(visitor: Visitor) -> None:
    page = visitor.open(TABLE)
    begin(page)
    page.goto("about:blank")
    page.goto(visitor.host.url, wait_until="commit")
    last = page.locator("#last")
    expect(last).to_have_text("Go on: Ancient Cards of H.P. Lovecraft · Play")
    assert page.evaluate("document.documentElement.dataset.ready") is None
    last.click()
    visitor.linked(page)
    page.wait_for_selector(".hand .card")
