"""The shell: one screen, one store, and the route that decides which page is shown."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from apps.host import Host
from apps.store import Store
from apps.view import render
from lovecraft.core import LovecraftError
from lovecraft.i18n import LANGUAGES, Message, msg, text

Act = tuple[str, list[Any], Any, int]
"""What a person did: the action's name, its arguments, the input's value, the tap's number or 0."""

BY_ITSELF = ("!resumed", "!news", "!library")
"""Acts that nobody has done: they wait until what is under way is over, and leave notices alone."""

Settings = dict[str, Any]
THEMES = ("auto", "light", "dark")


class Page:
    """One page of the shell. Subclasses give ``html`` and ``on_<action>`` methods."""

    title: Message = msg("app.title")
    kind: Message = msg("app.rules")
    """What the page is for: the table, the scoring companion …"""
    key = ""
    """The stored entry that the page shows, if any."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell

    @property
    def awake(self) -> bool:
        """Whether the screen should stay on while this page is open."""
        return False

    def html(self) -> str:
        raise NotImplementedError

    def reload(self) -> None:
        """The stored entry has changed elsewhere: show what it is now."""

    def library_came(self) -> None:
        """What comes a moment after the boot has arrived: what waited for it can be done."""

    async def resumed(self) -> None:
        """The page has just been opened, and will be painted next."""

    async def carry_on(self) -> None:
        """Something was done, here or to the settings: what goes on by itself may go on."""

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        """Do what the person asked for; nonsense from outside is ignored."""
        method = getattr(self, "on_" + name.replace("-", "_"), None)
        if method is None:
            return
        given = args if value is None else [*args, value]
        try:
            inspect.signature(method).bind(*given)
        except TypeError:
            return  # no element of ours sends this
        done = method(*given)
        if asyncio.iscoroutine(done):
            await done


class RemovingPage(Page):
    """A page on which kept things are thrown away, each after one question."""

    removing = ""
    """The key that is asked about."""

    def remove(self, key: str) -> None:
        """Throw away what was asked about; what is not of this page is left alone."""
        raise NotImplementedError

    def on_remove(self, key: str) -> None:
        """Ask whether to throw something away."""
        self.removing = key

    def on_keep(self) -> None:
        """Rather not."""
        self.removing = ""

    def on_really_remove(self, key: str) -> None:
        """Throw away what was asked about."""
        if key == self.removing:
            self.remove(key)
        self.removing = ""


Opener = Callable[["Shell", list[str]], Page]


class Shell:
    """Holds what all pages share. ``paint`` is called with each new view of the screen."""

    def __init__(
        self, routes: Mapping[str, Opener], paint: Callable[[dict[str, Any]], None]
    ) -> None:
        self._routes = routes
        self._paint = paint
        self._host: Host | None = None
        self._inbox: deque[Act] = deque()
        self._arrived: asyncio.Event | None = None
        self._worker: asyncio.Task[None] | None = None
        self._painted: asyncio.Event | None = None
        self.store = Store()
        self.lang = "en"
        self.theme = "auto"
        self.build = ""
        self.storage = "memory"
        self.base = ""
        """The address of the site, where it is known."""
        self.hash = ""
        self.answered = 0
        """The number of the last tap of which all that followed has been done."""
        self.opened = 0
        """How many pages have been opened: a new one takes the reader to its top."""
        self.notice: Message | None = None
        self.notice_rule = ""
        """The rule that the notice is about, to be linked to."""
        self.page: Page = routes[""](self, [])

    # -- life -----------------------------------------------------------------------------------

    async def start(self, host: Host) -> None:
        """Python has arrived on a device: returns with the first painting.

        What the opened page then goes on with by itself may take its time.
        """
        await self.wake(host)
        self.act("!resumed", [])
        self._painted = asyncio.Event()
        painting = asyncio.ensure_future(self._painted.wait())
        if self._worker is not None:
            await asyncio.wait((painting, self._worker), return_when=asyncio.FIRST_COMPLETED)
            if self._worker.done():
                await self._worker  # what kept it from painting anything is not to be passed over
        painting.cancel()

    async def wake(self, host: Host) -> None:
        """Read what is kept and open the route."""
        boot = json.loads(host.boot)
        self._host = host
        self.build = str(boot.get("build") or "")
        self.storage = str(boot.get("storage") or "memory")
        self.base = str(boot.get("base") or "")
        await self.store.open(host)
        settings = self.settings
        wanted = [settings.get("lang"), boot.get("lang"), *(boot.get("languages") or [])]
        known = [str(w).lower().split("-")[0] for w in wanted if w]
        self.lang = next((w for w in known if w in LANGUAGES), "en")
        theme = settings.get("theme") or boot.get("theme")
        self.theme = theme if theme in THEMES else "auto"
        self.tell(lang=self.lang, theme=self.theme)
        try:
            self.open(str(boot.get("route") or ""))
        except Exception as unexpected:  # one broken page must not keep all the others shut
            self._go_home(unexpected)

    def tell(self, **wishes: Any) -> None:
        """Ask the page around the apps for something."""
        if self._host is not None:
            self._host.page(json.dumps(wishes))

    # -- settings -------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        return self.store.get("settings") or {}

    def set(self, **changes: Any) -> None:
        """Remember a setting."""
        self.store.put("settings", {**self.settings, **changes})

    # -- routes ---------------------------------------------------------------------------------

    def open(self, fragment: str) -> None:
        """Open the page of a route such as ``#/ancient-cards/score``; unknown ones go home.

        A route that ends with ``*`` opens whatever stands in its place.
        """
        parts = [part for part in fragment.lstrip("#").split("/") if part][:4]
        self.hash = "#/" + "/".join(parts)
        name, rest = "/".join(parts[:2]), parts[2:]
        if name not in self._routes and len(parts) > 1:
            name, rest = f"{parts[0]}/*", parts[1:]
        opener = self._routes.get(name)
        if opener is None:
            opener = self._routes[""]
            if parts:
                self.notice = msg("app.error.no-page")
                self.go("#/")
        self.opened += 1
        self.page = opener(self, rest)

    def go(self, fragment: str) -> None:
        """Name the present page in the address bar without opening it anew."""
        if fragment != self.hash:
            self.hash = fragment
            self.tell(hash=fragment, replace=True)

    def leave_for(self, fragment: str) -> None:
        """Go to another page, as if a link to it had been followed."""
        self.tell(hash=fragment)
        self.visit(fragment)

    # -- acts -----------------------------------------------------------------------------------

    def act(self, name: str, args: list[Any], value: Any = None, number: int = 0) -> None:
        """Queue what a person did; acts are done one after the other."""
        self._inbox.append((name, args, value, number))
        if self._arrived is not None and name not in BY_ITSELF:
            self._arrived.set()
        if self._worker is None or self._worker.done():
            self._worker = asyncio.ensure_future(self._work())

    def visit(self, fragment: str) -> None:
        """Queue the opening of a route."""
        self.act("!open", [fragment])

    def news(self, key: str) -> None:
        """Queue the news that another tab has written an entry."""
        self.act("!news", [key])

    def library_came(self) -> None:
        """Queue the news that everything can be imported."""
        self.act("!library", [])

    @property
    def leaving(self) -> bool:
        """Whether the person has asked for another page."""
        return any(name == "!open" and args[0] != self.hash for name, args, *_ in self._inbox)

    @property
    def asked(self) -> bool:
        """Whether the person has done something since, which is to be done next."""
        return any(name not in BY_ITSELF for name, *_ in self._inbox)

    async def think(self, step: Callable[[], bool]) -> bool:
        """Call ``step`` until it says that it is done, the page breathing in between.

        Anything that the person does meanwhile ends it (then: False).
        """
        while not step():
            await asyncio.sleep(0)
            if self.asked:
                return False
        return True

    async def idle(self) -> None:
        """Until everything asked for is done."""
        while self._worker is not None and not self._worker.done():
            await asyncio.shield(self._worker)

    async def _work(self) -> None:
        while self._inbox:
            name, args, value, number = self._inbox.popleft()
            try:
                await self._do(name, args, value)
            except LovecraftError as refused:
                self.notice = refused.message
                self.notice_rule = getattr(refused, "rule", "")
            except Exception as unexpected:  # the page must stay usable; the console gets the rest
                self.notice = msg("app.error.unexpected", reason=repr(unexpected)[:200])
                print(f"unexpected in {name}: {unexpected!r}")
            self.answered = number or self.answered
            await self._show_something()

    async def _show_something(self) -> None:
        """Show the page; one that cannot be painted gives way to the first."""
        try:
            await self.show()
        except Exception as unexpected:
            self._go_home(unexpected)
            await self.show()

    def _go_home(self, unexpected: Exception) -> None:
        print(f"unexpected on {self.hash}: {unexpected!r}")
        self.notice = msg("app.error.unexpected", reason=repr(unexpected)[:200])
        self.page = self._routes[""](self, [])
        self.go("#/")

    async def _do(self, name: str, args: list[Any], value: Any) -> None:
        if name == "!library":
            self.page.library_came()
            return
        if name == "!resumed":
            await self.page.resumed()
            return
        if name not in BY_ITSELF:
            self.notice, self.notice_rule = None, ""
        if name == "!open":
            if args[0] != self.hash:
                self.open(args[0])
                await self.page.resumed()
        elif name == "!news":
            if self.page.key in await self.store.refresh():
                self.page.reload()
        elif name == "lang" and value in LANGUAGES:
            self.lang = value
            self.set(lang=value)
            self.tell(lang=value)
        elif name == "theme" and value in THEMES:
            self.theme = value
            self.set(theme=value)
            self.tell(theme=value)
        elif name == "keys" and isinstance(value, bool):
            self.set(keys=value)
        elif name != "dismiss":
            await self.page.act(name, args, value)
        if name != "!open":
            await self.page.carry_on()

    # -- the screen -----------------------------------------------------------------------------

    async def show(self) -> None:
        """Save, then paint: what is on the screen has been kept."""
        await self.store.flush()
        if self.store.overtaken:
            if self.page.key in self.store.overtaken:
                self.page.reload()
                self.notice = msg("app.overtaken")
            self.store.overtaken.clear()
        names = text(self.page.title, self.lang), text("app.title", self.lang)
        self.tell(title=" · ".join(dict.fromkeys(names)), awake=self.page.awake)
        if self.page.key:
            label = msg("app.go-on", game=self.page.title, kind=self.page.kind)
            self.tell(last={"href": self.hash, "label": text(label, self.lang)})
        self._paint({"html": self.html(), "page": self.opened, "answered": self.answered})
        if self._painted is not None:
            self._painted.set()

    async def pause(self, milliseconds: int) -> None:
        """Let a step be seen; ends early when the person acts."""
        if self.asked:
            return
        self._arrived = asyncio.Event()
        try:
            await asyncio.wait_for(self._arrived.wait(), milliseconds / 1000)
        except TimeoutError:
            pass
        finally:
            self._arrived = None

    def html(self) -> str:
        """The whole screen."""
        return self.page.html()

    @property
    def keys(self) -> bool:
        """Whether single keys are shortcuts on this device."""
        return self.settings.get("keys") is not False

    def key_mark(self, key: str) -> Markup:
        """The attributes of an element that a key stands for."""
        marked = Markup(' data-key="{0}" aria-keyshortcuts="{0}"').format(key)
        return marked if self.keys else Markup()

    def render(self, template: str, *, names: tuple[str, ...] = (), **context: Any) -> str:
        """A page's template in the frame that all pages share."""
        return render(
            template,
            self.lang,
            names,
            shell=self,
            page=self.page,
            key=self.key_mark,
            notice=self.notice,
            notice_rule=self.notice_rule,
            trouble=self.store.trouble,
            **context,
        )
