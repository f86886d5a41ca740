"""What holds on every screen: accessible by axe, big enough to touch, no sideways scroll."""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Page

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
    assert page.evaluate(SMALL) == []
    assert page.evaluate(SMALL_INPUTS) == []


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


def sound(page: Page) -> None:
    """All of it."""
    accessible(page)
    touchable(page)
    fits(page)
