"""Placeholder: a counter, until the games move in."""

from __future__ import annotations

import json
from typing import Any

from apps.screen import Screen

_screen: Screen | None = None


def _html(count: int) -> str:
    return (
        f'<main><p id="count">{count}</p>'
        '<button type="button" data-act="add" style="font-size:2rem">+1</button></main>'
    )


def build() -> Screen:
    global _screen
    screen = _screen = Screen(view={"html": _html(0), "count": 0})

    def tapped(event: Any) -> None:
        count = screen.view["count"] + 1
        screen.view = {"html": _html(count), "count": count}

    screen.param.watch(tapped, "tap")
    return screen


def prepaint(lang: str) -> str:
    return _html(0)


async def start(host: Any) -> None:
    json.loads(host.boot)
    await host.load()


def route(fragment: str) -> None: ...


def visible(shown: bool) -> None: ...


def on_notify(text: str) -> None: ...
