"""Firefox and WebKit: boot, score a round, play a turn, all again without a network.

Run by `build.py test --browsers firefox,webkit` alone: it needs browsers that a machine may lack,
and then fails with a sentence that names the package.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from tools.pipeline.other_browsers import BROWSERS

from .conftest import Host

WAIT = 60.0  # seconds
KINDS = [kind for kind in os.environ.get("LOVECRAFT_BROWSERS", "").split(",") if kind]


def until(page: Any, code: str, what: str) -> Any:
    """Ask the page until the answer is true."""
    end = time.monotonic() + WAIT
    while not (found := page.run("return " + code)):
        failed = page.run(
            "const f = document.getElementById('failed');"
            "return f && !f.hidden ? f.innerText : document.getElementById('boot-step')?.innerText"
        )
        assert time.monotonic() < end, f"{what}: not within {WAIT:.0f} s; the page says: {failed}"
        time.sleep(0.1)
    return found


def click(page: Any, selector: str) -> None:
    until(page, f"!!document.querySelector('{selector}')", selector)
    page.run(f"[...document.querySelectorAll('{selector}')].at(-1).click()")


def ready(page: Any) -> str:
    return str(until(page, "document.documentElement.dataset.ready", "Python is there"))


def pick(page: Any) -> None:
    """Lay a card and see that the game went on."""
    phase = "document.querySelector('.phase')?.innerText"
    before = until(page, phase, "a game")
    click(page, ".hand:not(.waiting) .card")
    until(page, f"{phase} && {phase} !== {before!r} && {phase}", "the next pick")


@pytest.mark.browsers
@pytest.mark.parametrize("kind", KINDS or list(BROWSERS))
def test_boot_score_play_and_reload_offline(built: Path, kind: str) -> None:
    host = Host(built)
    with BROWSERS[kind]() as page:
        page.go(host.url + "#/ancient-cards/score")
        how = ready(page)
        for _ in range(7):
            click(page, "#row-ia .step")
        until(page, "document.querySelector('.sum.full')", "seven cards are counted")
        page.run("location.hash = '#/ancient-cards/table/new'")
        click(page, "#start")
        pick(page)
        until(page, "document.querySelector('#offline[data-state=ready]')", "the offline copy")
        host.stop()
        page.run("location.reload()")
        time.sleep(1)
        again = ready(page)
        pick(page)
        agent = page.run("return navigator.userAgent")
    print(f"\n{kind}: first boot {how}, offline {again}, {agent}")
    assert (how, again) == ("snapshot", "snapshot")
