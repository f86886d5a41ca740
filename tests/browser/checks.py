"""What holds on every screen: accessible by axe, big enough to touch, no sideways scroll."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from playwright.sync_api import Error, Locator, Page

from tools.pipeline.paths import CACHE

SMALL = """() => [...document.querySelectorAll("#screen button, #screen select, #screen summary,"
    + "#screen input, #screen a.button, #screen a.icon")]
  .filter((e) => e.checkVisibility() && !e.closest("details:not([open]) > :not(summary)"))
  .map((e) => [e, e.matches("[type=checkbox], [type=file]") ? e.closest("label") : e])
  .map(([e, box]) => [e.id || e.outerHTML.slice(0, 90), box.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
  .map(([name, box]) => `${name}: ${box.width}x${box.height}`)"""

SMALL_INPUTS = """() => [...document.querySelectorAll("#screen input, #screen select")]
  .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML)"""


@cache
def _axe() -> str:
    return (CACHE / "npm" / "axe-core" / "axe.min.js").read_text("utf-8")


def accessible(page: Page) -> None:
    """No axe-core violation on the screen as it is."""
    page.evaluate(_axe())
    found = page.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.map((v) =>"
        " v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')))"
    )
    assert found == []


def touchable(page: Page) -> None:
    """Every control is at least 44 px high and wide, and no input makes a phone zoom in."""
    for script in (SMALL, SMALL_INPUTS):
        for _ in range(20):
            small = page.evaluate(script)
            if not small:
                break
            page.wait_for_timeout(100)  # what comes in with a movement grows for a moment
        assert not small, small


def fits(page: Page) -> None:
    """Nothing scrolls sideways."""
    width, shown = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert width <= shown


def painted(page: Page) -> str:
    """How often the screen has been painted, to be waited on with :func:`after`."""
    return str(page.locator("#screen").get_attribute("data-painted"))


def after(page: Page, before: str) -> None:
    """Wait until the screen has been painted anew."""
    page.wait_for_selector(f'#screen:not([data-painted="{before}"])')


HEARD = "performance.timeOrigin + ':' + (globalThis.clicks ?? 0)"
COUNT_CLICKS = """
addEventListener("click", () => { globalThis.clicks = (globalThis.clicks ?? 0) + 1; }, true);
"""
"""For a page's beginning: what :func:`tap_on` looks at."""


def quiet(page: Page) -> None:
    """Wait, as a person would, until the screen has answered; one that goes on by itself may."""
    with suppress(Error):
        page.wait_for_selector("html:not(:has(#screen[data-busy]))", timeout=3000)


def tap_on(target: Locator, *, at_once: bool = False, force: bool = False) -> None:
    """A tap on a screen that has come to rest, or `at_once`, while it is still at something.

    A machine that is busy elsewhere may let so much time pass between touch and release that the
    browser takes it for a long press: then nobody hears it, and it is done again.
    """
    page = target.page
    if not at_once:
        quiet(page)
    before = page.evaluate(HEARD)
    for _ in range(3):
        target.tap(force=force)
        for _ in range(100):
            try:
                if page.evaluate(HEARD) != before:
                    return
            except Error:
                return  # it has led to another document
            page.wait_for_timeout(50)
    raise AssertionError(f"no tap on {target} was heard")


def sound(page: Page) -> None:
    """All of it."""
    accessible(page)
    touchable(page)
    fits(page)
