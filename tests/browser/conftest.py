"""A browser, a static host and a page on which nothing may go wrong unseen.

Every request to another origin is blocked and fails the test, and so does every warning or error
in the console. `faults` on the page's `Watch` says what a test expects to go wrong.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    Request,
    Route,
    expect,
    sync_playwright,
)

from tools.pipeline import browser as finder
from tools.pipeline import server, site
from tools.pipeline.paths import DIST

from .checks import COUNT_CLICKS

PHONE = {"width": 390, "height": 844}
BOOT_TIMEOUT = 60_000  # milliseconds; generous, for machines that do other things besides
NO_COPY = """
if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});
"""
QUICKLY = "--js-flags=--liftoff-only"
"""WebAssembly by the quick compiler alone: no test lives long enough to earn the thorough one."""
expect.set_options(timeout=15_000)  # what is slow is measured by the bench, not failed here


class Host:
    """The site behind an address; can go away and come back on the same port."""

    def __init__(self, root: Path = DIST, base: str = "/") -> None:
        self.root, self.base = root, base
        self.sent: list[str] = []  # the path of every body that went out
        self._port = 0
        self._server: server.Server | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self._port}{self.base}"

    def start(self) -> None:
        if self._server:
            return
        self._server = server.make(
            self.root, base=self.base, port=self._port, sent=lambda path, _: self.sent.append(path)
        )
        self._port = self._server.server_address[1]
        serve = functools.partial(self._server.serve_forever, 0.05)
        threading.Thread(target=serve, daemon=True).start()

    def stop(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@dataclass
class Watch:
    """What went over the wire and into the console."""

    origin: str
    foreign: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # console.info and console.log
    faults: list[str] = field(default_factory=list)  # patterns of troubles a test brings about

    def route(self, route: Route, request: Request) -> None:
        parts = urlsplit(request.url)
        if f"{parts.scheme}://{parts.netloc}" == self.origin or parts.scheme in ("blob", "data"):
            route.continue_()
        else:
            self.foreign.append(request.url)
            route.abort()

    def follow(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.troubles.append(f"pageerror: {error}"))
        page.on(
            "console",
            lambda message: (
                self.troubles if message.type in ("error", "warning") else self.notes
            ).append(f"{message.type}: {message.text}"),
        )

    def check(self) -> None:
        unexpected = [
            text for text in self.troubles if not any(re.search(f, text) for f in self.faults)
        ]
        assert not self.foreign, f"requests to other origins: {self.foreign}"
        assert not unexpected, f"trouble in the console: {unexpected}"


class Visitor:
    """One person's browser profile: a context whose pages are all watched."""

    def __init__(
        self, context: BrowserContext, host: Host, *, guarded: bool = True, copies: bool = False
    ) -> None:
        """`guarded=False` leaves requests alone: Playwright's routes switch the cache off.

        Only with `copies` does the page make its offline copy, which takes a third of a visit's
        work; otherwise it stays in its first moment, when the copy is on its way.
        """
        self.context, self.host = context, host
        parts = urlsplit(host.url)
        self.watch = Watch(f"{parts.scheme}://{parts.netloc}")
        if guarded:
            context.route("**/*", self.watch.route)
        context.on("page", self.watch.follow)
        context.add_init_script(COUNT_CLICKS)
        if not copies:
            context.add_init_script(NO_COPY)

    def open(self, fragment: str = "", query: str = "", *, linked: bool = True) -> Page:
        page = self.context.new_page()
        page.goto(self.host.url + query + fragment)
        if linked:
            self.linked(page)
        return page

    def linked(self, page: Page) -> str:
        """Wait for Python; says how it booted: snapshot or plain."""
        page.wait_for_selector("html[data-ready]", timeout=BOOT_TIMEOUT)
        return str(page.evaluate("lovecraft.how"))

    def offline_ready(self, page: Page) -> None:
        page.wait_for_selector("#offline[data-state=ready]", timeout=BOOT_TIMEOUT)

    def cut_network(self) -> None:
        self.host.stop()
        self.context.set_offline(True)

    def restore_network(self) -> None:
        self.host.start()
        self.context.set_offline(False)


@pytest.fixture(scope="session")
def built() -> Path:
    """The site, built when anything has changed since the last time."""
    site.build()
    return DIST


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(
        executable_path=str(finder.find()), args=[*finder.FLAGS, QUICKLY]
    )
    yield browser
    browser.close()


@pytest.fixture
def host(built: Path, request: pytest.FixtureRequest) -> Iterator[Host]:
    """A host at the root, or under the base that the test gives as its parameter."""
    running = Host(built, getattr(request, "param", "/"))
    yield running
    running.stop()


@pytest.fixture
def site_url(host: Host) -> str:
    return host.url


def _visit(chromium: Browser, host: Host, *, copies: bool) -> Iterator[Visitor]:
    context = chromium.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        has_touch=True,
        locale="en-GB",
    )
    visiting = Visitor(context, host, copies=copies)
    yield visiting
    context.close()
    visiting.watch.check()


@pytest.fixture
def visitor(chromium: Browser, host: Host) -> Iterator[Visitor]:
    """Somebody with a phone."""
    yield from _visit(chromium, host, copies=False)


@pytest.fixture
def traveller(chromium: Browser, host: Host) -> Iterator[Visitor]:
    """Somebody with a phone, who will be without a network: the page makes its offline copy."""
    yield from _visit(chromium, host, copies=True)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """The site, open and linked."""
    return visitor.open()
