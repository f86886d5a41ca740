"""Damage of every kind, at every door: addresses, files, editions, records, what the device keeps.

Whatever comes in, the answer is a page or a sentence: no crash, nothing that takes a second, no
markup of a stranger's. Inputs are made by damaging real ones, as bytes and as JSON, and by
Hypothesis; the seed of each is its number, so a failure can be had again.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from app_support import Device
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.companion.exchange import session_of
from apps.companion.page import SHARED
from apps.host import MemoryHost
from apps.packing import pack
from apps.pages import COMPANIONS, ROUTES
from lovecraft import games
from lovecraft.core import LovecraftError, Record
from lovecraft.core.record import parse_json
from lovecraft.games.ritos_ancestrais.edition import find_edition, load_edition

FEW, MANY = 40, 4_000  # inputs for each of the doors
SECOND = 1.0
EVIL = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>"
NASTY: list[Any] = [
    None, True, -1, 0, 7, 10**30, -(2**63), 1.5, 1e308, "", "0", EVIL, "\ud800", "\x00", "😀" * 300,
    "a" * 70_000, "__proto__", "../../etc", [], {}, [[]], [None] * 50, {"": {}},
    {"key": "app.title"},
]  # fmt: skip

PIECES = (EVIL.encode(), b"\0", b'"', b"[", b"{" * 90, b"\xff\xfe", b"9" * 40)


class Markup(HTMLParser):
    """Looks for elements and attributes that no template of ours writes."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "object", "embed", "base", "style"):
            self.foreign.append(tag)
        for name, value in attrs:
            address = (value or "").strip().lower() if name in ("href", "src", "action") else ""
            if name.startswith("on") or address.startswith(("javascript:", "data:text", "//")):
                self.foreign.append(f"{tag} {name}={value!r}")


def sound(html: str) -> None:
    """Nothing of a stranger's is on the screen."""
    looked = Markup()
    looked.feed(html)
    looked.close()
    assert looked.foreign == []


class Timed:
    """A second at most, of this process alone: the machine does other things besides."""

    def __enter__(self) -> None:
        self.began = time.process_time()

    def __exit__(self, kind: object, *_rest: object) -> None:
        took = time.process_time() - self.began
        assert kind or took < SECOND, f"took {took:.1f} s"


# -- damage -------------------------------------------------------------------------------------


def bytes_changed(text: str, rng: random.Random) -> str:
    """The text with some of its bytes changed, gone, added or said twice."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.choice((1, 1, 1, 2, 5, 30))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 4, 40, 400)))
        kind = rng.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end]
        elif kind == 3:
            data[at:at] = rng.choice(
                (EVIL.encode(), b"\0", b'"', b"[", b"{" * 90, b"\xff\xfe", b"9" * 40)
            )
        elif kind == 4:
            del data[at:]
        elif at < len(data):
            data[at] = rng.randrange(256)
    return data.decode("utf-8", "replace")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: its container and its key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in list(inner):
        yield value, key
        if isinstance(one, dict | list):
            yield from places(one)


def json_changed(text: str, rng: random.Random) -> str:
    """The JSON with some of its values changed for others of any kind, taken out or doubled."""
    holder = [deepcopy(json.loads(text))]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        every = list(places(holder))
        box, key = rng.choice(every)
        kind = rng.randrange(6)
        if kind == 0 and len(every) > 1 and box is not holder:
            del box[key]
        elif kind == 1 and isinstance(box, list) and box is not holder:
            box.insert(key, deepcopy(box[key]))
        elif kind == 2:
            other, there = rng.choice(every)
            box[key] = deepcopy(other[there])
        elif kind == 3 and isinstance(box[key], int):
            box[key] += rng.choice((-1, 1, 7, 1000))
        elif kind == 4 and isinstance(box, dict):
            box[rng.choice((EVIL, "v", "name", "ia", ""))] = deepcopy(rng.choice(NASTY))
        else:
            box[key] = deepcopy(rng.choice(NASTY))
    return json.dumps(holder[0])


def damaged(text: str, number: int) -> str:
    rng = random.Random(number)
    change = json_changed if text[:1] in "{[" and rng.random() < 0.7 else bytes_changed
    return change(text, rng)


# -- real things to be damaged ------------------------------------------------------------------


async def wander(device: Device, rng: random.Random, steps: int) -> None:
    """Do what the screen offers, whatever it is, but stay on this page."""
    for _ in range(steps):
        offered = [act for act in device.acts() if act[0] not in ("lang", "theme", "remove", "new")]
        if not offered:
            return
        name, args = rng.choice(offered)
        await device.do(name, *args, value=rng.choice((None, "1", "3", "Ana")))


@cache
def real() -> dict[str, list[str]]:
    """Entries, files, records and links, made by using the apps."""
    made: dict[str, list[str]] = {"files": [], "links": []}
    host = MemoryHost(lang="en", build="test")

    async def use() -> None:
        rng = random.Random(5)
        for game in COMPANIONS:
            device = await Device(host).open(f"#/{game}/score")
            await wander(device, rng, 12)
            made["links"].append(f"#/{game}/score/{SHARED}/{device.shell.page.link}")  # type: ignore[attr-defined]
            device = await Device(host).open(f"#/{game}/table/new")
            device.shell.set(pace="instant")
            await device.do("start")
            await wander(device, rng, 6)
        for route, act in (("#/history", "export"), ("#/games", "export-all")):
            device = await Device(host).open(route)
            await device.do(act)
        made["files"] += [
            str(wish["download"]["text"]) for wish in host.asked if "download" in wish
        ]  # type: ignore[index]

    asyncio.run(use())
    entries = {key: text for key, (_, text) in host.entries.items()}
    made["keys"] = list(entries)
    made["texts"] = list(entries.values())
    made["records"] = [
        json.dumps(entry["record"])
        for text in entries.values()
        if "record" in (entry := json.loads(text))
    ]
    return made


def test_there_is_something_to_damage() -> None:
    made = real()
    assert len(made["records"]) >= 4
    assert len(made["links"]) == 4
    assert len(made["files"]) >= 2
    assert len(made["keys"]) >= 8


# -- the doors ----------------------------------------------------------------------------------


def shown(device: Device, came: str) -> None:
    """The page stands, and nothing happened that nobody had thought of."""
    notice = device.shell.notice
    assert notice is None or notice.key != "app.error.unexpected", (notice, came[:2000])
    assert device.html
    sound(device.html)


def address(number: int) -> None:
    rng = random.Random(number)
    known = [f"#/{route}" for route in ROUTES] + real()["links"]
    tails = (
        "",
        "/",
        "/new",
        "/x",
        "/" + EVIL,
        "/0",
        "/%3Cb%3E",
        "/" + "9" * 3000,
        "/../..",
        "/ana/2",
    )
    came = rng.choice(known) + (rng.choice(tails) if rng.random() < 0.5 else "")
    if rng.random() < 0.7:
        came = bytes_changed(came, rng)

    async def visit() -> None:
        device = await Device(MemoryHost(lang="en", build="test")).open(came)
        shown(device, came)
        await device.visit(bytes_changed(came, rng))
        shown(device, came)

    with Timed():
        asyncio.run(visit())


def file(number: int) -> None:
    rng = random.Random(number)
    came = damaged(rng.choice(real()["files"] + real()["records"][:1]), number)

    async def take_in() -> None:
        for route in ("#/history", "#/games"):
            device = await Device(MemoryHost(lang="en", build="test")).open(route)
            await device.do("import", value=came)
            shown(device, came)
            assert device.shell.notice is not None  # what came of it is said

    with Timed():
        asyncio.run(take_in())


def kept(number: int) -> None:
    rng = random.Random(number)
    made = real()
    entries = dict(zip(made["keys"], made["texts"], strict=True))
    key = rng.choice(made["keys"])
    entries[key] = damaged(entries[key], number)
    kind, _, ident = key.partition("/")
    game = next((game for game in games.GAMES if game in entries[key]), "ancient-cards")
    page = "table" if kind == "table" else "score"
    routes = (f"#/{game}/{page}/{ident}", "", "#/history", "#/games", f"#/{game}/replay/{ident}")

    async def look() -> None:
        device = await Device(MemoryHost(entries, lang="en", build="test")).open(routes[0])
        shown(device, entries[key])
        for route in rng.sample(routes, 2):
            await device.visit(route)
            shown(device, entries[key])

    with Timed():
        asyncio.run(look())


def refused_or_read(read: Callable[[str], object], came: str) -> None:
    with Timed():
        try:
            read(came)
        except LovecraftError as refused:
            assert str(refused)
            sound("<p>" + str(refused).replace("&", "&amp;").replace("<", "&lt;") + "</p>")


def read_record(text: str) -> None:
    for _ in Record.loads(text, games.get).steps():
        pass


def record(number: int) -> None:
    refused_or_read(read_record, damaged(random.Random(number).choice(real()["records"]), number))


@cache
def edition_text() -> str:
    from importlib.resources import files

    package = files("lovecraft.games.ritos_ancestrais")
    return (package / "editions" / "house.json").read_text("utf-8")


def edition(number: int) -> None:
    refused_or_read(load_edition, damaged(edition_text(), number))


def sheet(number: int) -> None:
    """A sheet that was taken in can be scored and shown."""
    rng = random.Random(number)
    game = rng.choice(list(COMPANIONS))
    came = damaged(sheet_text(game, COMPANIONS[game].blank(["Ana", EVIL])), number)

    def read(text: str) -> None:
        session = session_of(parse_json(text), COMPANIONS)
        COMPANIONS[session.game].result(session.sheet)

    refused_or_read(read, came)

    async def follow(link: str) -> None:
        shown(await Device(MemoryHost(lang="en", build="test")).open(link), came)

    try:
        link = f"#/{game}/score/{SHARED}/{pack(parse_json(came))}"
    except LovecraftError:
        return
    with Timed():
        asyncio.run(follow(link))


def sheet_text(game: str, sheet: Any) -> str:
    parts = {"game": game, "created": 1_700_000_000_000, "date": "2026-11-30", "note": EVIL}
    return json.dumps({**parts, "sheet": sheet})


DOORS = [address, file, kept, record, edition, sheet]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_damage_is_answered_with_a_sentence(door: Callable[[int], None]) -> None:
    for number in range(FEW):
        door(number)


@pytest.mark.long
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_much_damage_is_answered_with_a_sentence(door: Callable[[int], None]) -> None:
    for number in range(FEW, FEW + MANY):
        door(number)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@quick
@given(ANYTHING)
def test_any_json_at_all(value: Any) -> None:
    text = json.dumps(value)
    refused_or_read(read_record, text)
    refused_or_read(load_edition, text)
    for game in COMPANIONS:
        refused_or_read(
            lambda text: session_of(json.loads(text), COMPANIONS), sheet_text(game, value)
        )


@quick
@given(st.text(max_size=200))
def test_any_text_at_all(text: str) -> None:
    refused_or_read(read_record, text)
    refused_or_read(load_edition, text)

    async def visit() -> None:
        device = await Device(MemoryHost(lang="en", build="test")).open("#" + text)
        shown(device, text)

    asyncio.run(visit())


def test_the_house_edition_itself_is_read() -> None:
    assert load_edition(edition_text()).digest == find_edition("house").digest
