"""A device driven without waiting in between: every act is done when the call returns."""

from __future__ import annotations

import json
from typing import Any

from app_support import Device, run

from apps.host import MemoryHost
from lovecraft.i18n import text


class Driver:
    """Opens routes and taps."""

    def __init__(self, entries: dict[str, str] | None = None, route: str = "", **boot: Any) -> None:
        self.host = MemoryHost(entries, **{"lang": "en", "build": "test", **boot})
        self.device = Device(self.host)
        self.shell = self.device.shell
        run(self.device.open(route))

    def act(self, name: str, *args: Any, value: Any = None) -> None:
        """What a tap sends; nothing may go wrong unexpectedly."""
        run(self.device.do(name, *args, value=value))
        assert "app.error.unexpected" not in str(self.shell.notice), self.shell.notice

    def open(self, route: str) -> None:
        run(self.device.visit(route))

    def library_came(self) -> None:
        """What the memory snapshot leaves out arrives."""
        run(self.device.do("!library"))

    @property
    def page(self) -> Any:
        return self.shell.page

    @property
    def html(self) -> str:
        """What is on the screen."""
        return self.device.html

    @property
    def words(self) -> str:
        """The words on the screen."""
        return self.device.words

    @property
    def said(self) -> str:
        """The notice in words, empty when there is none."""
        notice = self.shell.notice
        return text(notice, self.shell.lang, getattr(self.page, "names", ())) if notice else ""

    def entry(self, key: str) -> dict[str, Any]:
        """What the device keeps under a key."""
        entry: dict[str, Any] = json.loads(self.host.entries[key][1])
        return entry

    def again(self, route: str | None = None) -> Driver:
        """The same device after the page was closed and opened again."""
        kept = {key: kept for key, (_, kept) in self.host.entries.items()}
        return Driver(kept, self.shell.hash if route is None else route, lang=self.shell.lang)
