"""Pictures of the pages for docs/screens: every table and companion, both themes, two sizes.

A game is played a few moves first, by taking what is offered, so that there is something to see.
"""

from __future__ import annotations

import threading
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tools.pipeline import browser, server
from tools.pipeline.paths import DIST, ROOT

SCREENS = ROOT / "docs" / "screens"
SIZES = {"phone": (390, 844), "wide": (1280, 800)}
GAMES = ("ancient-cards", "tides-of-madness", "mythicals", "ritos-ancestrais")
OFFERED = "#go-on, #deal, [data-act=touch].lit, [data-act=play]:not([aria-disabled=true])"
MOVES = 7
SETTLED = 700  # milliseconds for the last animation


def play(page: Page) -> None:
    """Begin a game at once and take a few of the first things offered."""
    page.click("#start")
    page.wait_for_selector("#pace", state="attached")
    page.locator(".more > summary").click()
    page.select_option("#pace", "instant")
    page.locator(".more > summary").click()
    for _ in range(MOVES):
        page.wait_for_selector(OFFERED)
        painted = page.locator("#screen").get_attribute("data-painted")
        opened = page.locator("#ways [data-act=play]:not([aria-disabled=true])")
        (opened if opened.count() else page.locator(OFFERED)).first.click()
        page.wait_for_selector(f'#screen:not([data-painted="{painted}"])')
    page.wait_for_selector(OFFERED)
    page.evaluate("scrollTo(0, 0)")


def score(page: Page) -> None:
    """A round of runes, entered."""
    for rune, number in (("ia", 3), ("cthulhu", 2), ("fhtagn", 2)):
        for _ in range(number):
            page.locator(f"#row-{rune} .step").last.click()
    page.wait_for_selector(".sum.full")


def take(chromium: Browser, url: str, folder: Path) -> None:
    """All pictures, from the site at ``url``."""
    for theme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            context = chromium.new_context(
                viewport={"width": width, "height": height},
                color_scheme=theme,
                locale="en-GB",
                has_touch=size == "phone",  # without the numbers for the keyboard
                is_mobile=size == "phone",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(url)
            page.wait_for_selector("html[data-ready]", timeout=120_000)

            def shoot(name: str, page: Page = page, kind: str = f"{size}-{theme}") -> None:
                page.wait_for_timeout(SETTLED)
                page.screenshot(path=folder / f"{name}-{kind}.png")

            shoot("launcher")
            for game in GAMES:
                page.goto(f"{url}#/{game}/table/new")
                page.wait_for_selector("#start")
                play(page)
                shoot(f"table-{game}")
            page.goto(f"{url}#/tides-of-madness/learn")
            page.wait_for_selector("[data-mark=lesson]")
            shoot("learn-tides-of-madness")
            page.goto(f"{url}#/ancient-cards/score")
            page.wait_for_selector(".steppers")
            score(page)
            shoot("score-ancient-cards")
            context.close()


def main() -> None:
    """Write docs/screens anew from dist/site."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    with server.make(DIST) as running, sync_playwright() as playwright:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        chromium = playwright.chromium.launch(
            executable_path=str(browser.find()), args=list(browser.FLAGS)
        )
        take(chromium, f"http://localhost:{running.server_address[1]}/", SCREENS)
        chromium.close()
        running.shutdown()


if __name__ == "__main__":
    main()
