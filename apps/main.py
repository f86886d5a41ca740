"""The entry: one Panel document whose only root is the screen, ruled by the shell.

In the site the document is built before the memory snapshot is taken (``build``), and wakes up on a
device with ``start``. ``panel serve apps/main.py`` shows the same in a server.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from apps.host import Host, MemoryHost
from apps.pages import ROUTES
from apps.screen import Screen
from apps.shell import Shell
from lovecraft.i18n import LANGUAGES

_shell: Shell | None = None


def new(host_route: str = "") -> tuple[Screen, Shell]:
    """A screen and the shell that paints it."""
    screen = Screen()  # type: ignore[no-untyped-call]

    def paint(view: dict[str, Any]) -> None:
        screen.view = view

    shell = Shell(ROUTES, paint)

    def tapped(event: Any) -> None:
        name, args, value, number = event.new
        if isinstance(name, str) and not name.startswith("!") and isinstance(args, list):
            shell.act(name, args, value, number)

    screen.param.watch(tapped, "tap")
    return screen, shell


def build() -> Screen:
    """The screen as it is before Python knows its device; the page shows its own copy of it."""
    global _shell
    screen, _shell = new()
    screen.view = {"html": _shell.html(), "page": 0, "prepared": True}
    return screen


def warm() -> None:
    """Go once through what people will do, so that the snapshot holds it ready."""
    from apps.rehearsal import rehearse

    rehearse()


def prepaint(lang: str) -> str:
    """The launcher as the page shows it before Python is there."""
    shell = Shell(ROUTES, lambda view: None)
    shell.lang = lang
    return shell.html()


def _awake() -> Shell:
    if _shell is None:
        raise RuntimeError("build() comes first")
    return _shell


async def start(host: Host) -> None:
    """Wake up on a device."""
    await _awake().start(host)


def route(fragment: str) -> None:
    """The address has changed."""
    _awake().visit(fragment)


def visible(shown: bool) -> None:
    """The page has come to the front or gone: nothing to save, every act is saved at once."""


def library_came() -> None:
    """What the memory snapshot leaves out has arrived: everything can be imported now."""
    _awake().library_came()


def on_notify(text: str) -> None:
    """Another tab has written something."""
    _awake().news(str(json.loads(text).get("key", "")))


def serve() -> None:
    """One session of ``panel serve``."""
    import panel

    screen, shell = new()
    start_session: Callable[[], Any] = lambda: shell.start(MemoryHost())  # noqa: E731
    panel.state.onload(start_session)
    screen.servable()


if __name__.startswith("bokeh"):
    serve()

__all__ = [
    "LANGUAGES",
    "build",
    "library_came",
    "on_notify",
    "prepaint",
    "route",
    "start",
    "visible",
    "warm",
]
