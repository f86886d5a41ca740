"""The scoring companion in a phone's browser: whole sessions, files, links, the screen kept on."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lovecraft.games.ritos_ancestrais.cards import GOAL
from lovecraft.games.ritos_ancestrais.edition import HOUSE_EDITION

from .checks import fits, sound, tap_on
from .conftest import Host, Visitor

TIDES = "#/tides-of-madness/score"
MYTHICALS = "#/mythicals/score"
RITOS = "#/ritos-ancestrais/score"
RITES = {ritual.id: ritual.points for ritual in HOUSE_EDITION.rituals}
A = ("nyarlathotep", "azathoth", "dagon", "pnakotic-manuscripts", "elder-things")
B = ("yog-sothoth", "cthulhu", "hastur", "mountains-of-madness", "shub-niggurath")
SECOND = (
    *("dagon", "azathoth", "elder-things", "dreamlands", "innsmouth"),
    *("necronomicon", "yog-sothoth", "cthulhu", "shub-niggurath", "rlyeh"),
)


class Taps:
    """Counts what a person must tap."""

    def __init__(self, page: Page) -> None:
        self.page, self.number = page, 0

    def __call__(self, *selectors: str) -> None:
        for selector in selectors:
            tap_on(self.page.locator(selector))
            self.number += 1


def first_round(page: Page) -> Taps:
    taps = Taps(page)
    taps(*(f"#pick-{card}" for card in A + B), "#choice-points")
    return taps


def test_a_session_of_tides_of_madness(visitor: Visitor) -> None:
    page = visitor.open(TIDES)
    assert first_round(page).number <= 14
    expect(page.locator("#total-0")).to_have_text("27")
    expect(page.locator("#total-1")).to_have_text("7")
    taps = Taps(page)
    taps("#next", "#pick-nyarlathotep", "#pick-hastur")
    taps(*(f"#pick-{card}" for card in SECOND), "#choice-heal")
    assert taps.number <= 14
    expect(page.locator("#gone-0")).to_contain_text("Pnakotic Manuscripts")
    expect(page.locator("#suit-manuscripts")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#suit-manuscripts")).to_contain_text("best")
    total = page.locator("#total-0").inner_text()
    page.reload()
    visitor.linked(page)
    expect(page.locator("#total-0")).to_have_text(total)
    # an earlier round is changed: the later one says that it does not fit any more
    tap_on(page.locator(".cell").first)
    tap_on(page.locator("#slot-0-dagon button"))
    expect(page.locator("#told")).to_contain_text("majority in Races")
    tap_on(page.locator("#told [data-act=away]"))
    tap_on(page.locator("#pick-deep-ones"))
    expect(page.locator(".cell.wrong")).to_have_count(2)
    tap_on(page.locator("#undo"))
    tap_on(page.locator("#undo"))
    expect(page.locator(".cell.wrong")).to_have_count(0)


def test_what_cannot_be_is_said_when_tapped(visitor: Visitor) -> None:
    page = visitor.open(TIDES)
    tap_on(page.locator("#pick-dagon"))
    expect(page.locator("#pick-dagon")).to_have_attribute("aria-disabled", "true")
    tap_on(page.locator("#pick-dagon"), force=True)
    expect(page.locator("#notice")).to_contain_text("Dagon lies in front of Player 1 already.")


def test_a_session_of_mythicals(visitor: Visitor) -> None:
    page = visitor.open(MYTHICALS)
    tap_on(page.locator("#token-red-10"))
    tap_on(page.locator("#markers-2"))
    tap_on(page.locator(".sc-dock .whose button").nth(1))
    tap_on(page.locator("#token-black-13"))
    expect(page.locator("#total-0")).to_have_text("12")
    expect(page.locator("#total-1")).to_have_text("13")
    tap_on(page.locator("#claims > summary"))
    for card in ("blue1", "bluejoker", "green1"):
        tap_on(page.locator(f"#card-{card}"))
    tap_on(page.locator("#claim-blue-2 .sc-way"))
    expect(page.locator("#total-1")).to_have_text("15")
    tap_on(page.locator("#over"))
    expect(page.locator("#verdict")).to_have_text("Player 2 wins the game.")
    page.reload()
    visitor.linked(page)
    expect(page.locator("#verdict")).to_have_text("Player 2 wins the game.")


def test_a_session_of_ritos_ancestrais(visitor: Visitor) -> None:
    page = visitor.open(RITOS)
    for ritual in ("conjunction", "conjunction"):
        tap_on(page.locator(f"#rite-{ritual} .rite-head"))
    tap_on(page.locator("#hand > summary"))
    for card in ("azathoth", "azathoth"):
        tap_on(page.locator(f"#card-{card}"))
    tap_on(page.locator("#rite-whisper .sc-way"))
    points = 2 * RITES["conjunction"] + RITES["whisper"]
    expect(page.locator("#total-0")).to_have_text(str(points))
    expect(page.locator("#hand-count")).to_have_text("0")
    while points < GOAL:
        tap_on(page.locator("#rite-chant .rite-head"))
        points += RITES["chant"]
        expect(page.locator("#total-0")).to_have_text(str(points))
    expect(page.locator("#last-turns")).to_contain_text("One last turn for Player 2.")
    tap_on(page.locator("#track-1"))
    tap_on(page.locator("#rite-pact .rite-head"))
    tap_on(page.locator("#over"))
    expect(page.locator("#verdict")).to_have_text("Player 1 wins the game.")
    page.reload()
    visitor.linked(page)
    expect(page.locator("#total-0")).to_have_text(str(points))
    expect(page.locator("#total-1")).to_have_text(str(RITES["pact"]))


def test_a_whole_round_by_keyboard(visitor: Visitor) -> None:
    page = visitor.open(TIDES)
    for card in A + B:
        page.locator(f"#pick-{card}").focus()
        page.keyboard.press("Enter")
    page.locator("#choice-points").focus()
    page.keyboard.press("Space")
    expect(page.locator("#total-0")).to_have_text("27")


def test_a_link_brings_a_sheet_to_another_device(
    visitor: Visitor, chromium: Browser, host: Host
) -> None:
    page = visitor.open(TIDES)
    first_round(page)
    tap_on(page.locator(".people > summary"))
    page.fill("#name-0", "Zoë <b>🐙")
    page.press("#name-0", "Enter")
    expect(page.locator(".results .who").first).to_have_text("Zoë <b>🐙")
    link = page.locator("#link").get_attribute("href")
    assert link
    other = Visitor(chromium.new_context(viewport={"width": 390, "height": 844}), host)
    there = other.open(link)
    expect(there.locator("#total-0")).to_have_text("27")
    expect(there.locator(".results .who").first).to_have_text("Zoë <b>🐙")
    there.locator(".cell").first.click()
    there.locator("#choice-heal").click()
    expect(there.locator("#notice")).to_contain_text("keep a copy")
    expect(there.locator("#total-0")).to_have_text("27")
    there.locator("#keep-copy").click()
    there.locator("#choice-heal").click()
    expect(there.locator("#total-0")).to_have_text("23")
    assert "/shared/" not in there.url
    there.reload()
    other.linked(there)
    expect(there.locator("#total-0")).to_have_text("23")
    cut = other.open(link[:-7])
    expect(cut.locator("#notice")).to_contain_text("does not hold a whole sheet")
    other.context.close()
    other.watch.check()


def test_a_file_goes_out_and_comes_back(
    visitor: Visitor, chromium: Browser, host: Host, tmp_path: Path
) -> None:
    page = visitor.open(MYTHICALS)
    tap_on(page.locator("#token-red-10"))
    tap_on(page.locator("#over"))
    page.goto(f"{host.url}#/history")
    with page.expect_download() as download:
        tap_on(page.locator("#export"))
    file = tmp_path / "scores.json"
    download.value.save_as(file)
    other = Visitor(chromium.new_context(viewport={"width": 390, "height": 844}), host)
    there = other.open("#/history")
    there.set_input_files("#import", file)
    expect(there.locator("#notice")).to_contain_text("1 sheet has been taken in.")
    there.locator(".kept a").click()
    expect(there.locator("#total-0")).to_have_text("10")
    there.goto(f"{host.url}#/history")
    file.write_text("no sheets at all")
    there.set_input_files("#import", file)
    expect(there.locator("#notice")).to_contain_text("could not be read")
    other.context.close()
    other.watch.check()


def test_the_screen_stays_on_and_is_asked_for_again_on_return(
    chromium: Browser, host: Host
) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    context.add_init_script(
        """globalThis.locks = [];
        Object.defineProperty(navigator, "wakeLock", { value: { async request() {
          const lock = new EventTarget();
          lock.release = async () => {
            lock.over = true;
            lock.dispatchEvent(new Event("release"));
          };
          locks.push(lock);
          return lock;
        } } });"""
    )
    visitor = Visitor(context, host)
    page = visitor.open(TIDES)
    held = "locks.map((lock) => !lock.over)"
    expect(page.locator("#pick-dagon")).to_be_visible()
    assert page.evaluate(held) == [True]
    # the browser lets go when the page is hidden; coming back asks again
    page.evaluate("locks[0].release()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate(held) == [False, True]
    page.locator(".people > summary").click()
    page.locator("#awake").click()
    for _ in range(50):  # until Python has answered
        if page.evaluate(held) == [False, False]:
            break
        page.wait_for_timeout(100)
    assert page.evaluate(held) == [False, False]
    context.close()
    visitor.watch.check()


def test_scoring_goes_on_without_a_network(traveller: Visitor) -> None:
    page = traveller.open(TIDES)
    traveller.offline_ready(page)
    traveller.cut_network()
    first_round(page)
    expect(page.locator("#total-0")).to_have_text("27")
    page.reload()
    traveller.linked(page)
    expect(page.locator("#total-0")).to_have_text("27")
    traveller.restore_network()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_screen_is_accessible_and_fits(chromium: Browser, host: Host, theme: str) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, color_scheme=theme, has_touch=True, locale="ro"
    )
    visitor = Visitor(context, host)
    page = visitor.open(TIDES)
    tap_on(page.locator("#pick-dagon"))
    sound(page)
    for card in (*A[:2], *A[3:], *B):
        tap_on(page.locator(f"#pick-{card}"))
    tap_on(page.locator("#choice-points"))
    tap_on(page.locator("#slot-0-dagon button"))
    tap_on(page.locator(".people > summary"))
    expect(page.locator("#told")).to_be_visible()
    sound(page)
    tap_on(page.locator("#big"))
    expect(page.locator(".big-total").first).to_have_text("27")
    sound(page)
    page.goto(f"{host.url}{MYTHICALS}")
    tap_on(page.locator("#token-red-10"))
    tap_on(page.locator("#claims > summary"))
    for card in ("blue1", "bluejoker", "green1"):
        tap_on(page.locator(f"#card-{card}"))
    tap_on(page.locator("#line-0-0 .line"))
    expect(page.locator(".rule-note")).to_be_visible()
    sound(page)
    tap_on(page.locator("#over"))
    page.goto(f"{host.url}{RITOS}")
    for _ in range(3):
        tap_on(page.locator("#rite-conjunction .rite-head"))
    for fold in ("#hand", "#cult"):
        tap_on(page.locator(f"{fold} > summary"))
    tap_on(page.locator("#card-mi-go"))
    tap_on(page.locator("#cult-azathoth"))
    tap_on(page.locator("#line-e0 .line"))
    expect(page.locator("#line-e0 .rule-note")).to_be_visible()
    sound(page)
    page.goto(f"{host.url}#/history")
    page.locator(".kept").wait_for()
    sound(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    for route in ("#/history", MYTHICALS, RITOS, TIDES):
        page.goto(host.url + route)
        fits(page)
    context.close()
    visitor.watch.check()


def test_named_players_survive_a_walk_through_other_sheets(visitor: Visitor) -> None:
    """Chromium died here when a datalist moved while an input pointed at it."""
    page = visitor.open("#/ancient-cards/score/new")
    tap_on(page.locator("#row-ia .step").last)
    tap_on(page.locator(".people > summary"))
    page.fill("#name-0", "Zoë")
    page.press("#name-0", "Enter")
    page.goto(visitor.host.url + "#/tides-of-madness/score/new")
    page.wait_for_selector("#pick-dagon")
    page.goto(visitor.host.url + "#/ancient-cards/score/new")
    page.wait_for_selector(".steppers")


def test_a_note_is_kept_although_the_field_was_never_left(visitor: Visitor) -> None:
    page = visitor.open("#/ancient-cards/score/new")
    tap_on(page.locator("#row-ia .step").last)
    page.wait_for_selector("#note", state="attached")
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    page.locator("#note").press_sequentially("At Zoë’s")
    page.wait_for_timeout(1000)
    page.reload()
    visitor.linked(page)
    expect(page.locator("#note")).to_have_value("At Zoë’s")
