"""A shell on a device made of memory, driven as the page would drive it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from html.parser import HTMLParser
from typing import Any, TypeVar

from apps.host import MemoryHost
from apps.pages import ROUTES
from apps.shell import Shell

T = TypeVar("T")


def run(story: Coroutine[Any, Any, T]) -> T:
    """Run one test's coroutine."""
    return asyncio.run(story)


class Device:
    """A device with a shell on it. Two devices on one host are two tabs."""

    def __init__(self, host: MemoryHost | None = None) -> None:
        self.host = host or MemoryHost(lang="en", build="test")
        self.views: list[dict[str, Any]] = []
        self.shell = Shell(ROUTES, self.views.append)

    async def open(self, route: str = "") -> Device:
        """Boot on this route."""
        self.host.boot = json.dumps({**json.loads(self.host.boot), "route": route})
        await self.shell.start(self.host)
        await self.shell.idle()
        return self

    async def do(self, name: str, *args: Any, value: Any = None) -> str:
        """One act; the screen after it."""
        self.shell.act(name, list(args), value)
        await self.shell.idle()
        return self.html

    async def visit(self, route: str) -> str:
        """The address changes."""
        self.shell.visit(route)
        await self.shell.idle()
        return self.html

    @property
    def html(self) -> str:
        """The screen now."""
        html: str = self.views[-1]["html"]
        return html

    @property
    def words(self) -> str:
        """The words on the screen."""
        return " ".join(re.sub(r"<[^>]*>", " ", self.html).split())

    def acts(self) -> list[tuple[str, list[Any]]]:
        """Every act that an element of the screen offers, unless it is disabled."""
        finder = _Acts()
        finder.feed(self.html)
        return finder.found


class _Acts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[Any]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (act := given.get("data-act")) and given.get("aria-disabled") != "true":
            self.found.append((act, json.loads(given.get("data-args") or "[]")))
