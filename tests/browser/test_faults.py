"""What goes wrong on trains and old phones: each time a page that works, a line that says why."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, Request, Route, expect

from tools.pipeline import browser as finder
from tools.pipeline import processes
from tools.pipeline.bench import settle

from .checks import tap_on
from .conftest import BOOT_TIMEOUT, PHONE, Host, Visitor
from .test_ancient_cards import SCORE, TABLE, begin, enter, pick

NETWORK = r"Failed to load resource|net::ERR|Failed to fetch|error loading dynamically imported"


@contextmanager
def visiting(
    chromium: Browser, host: Host, *faults: str, copies: bool = False
) -> Iterator[Visitor]:
    """A visitor of whom some troubles are expected."""
    context = chromium.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        has_touch=True,
        locale="en-GB",
    )
    visitor = Visitor(context, host, copies=copies)
    visitor.watch.faults = list(faults)
    yield visitor
    context.close()
    visitor.watch.check()


def in_worker(visitor: Visitor, code: str) -> None:
    """Run `code` in the background worker before anything else does."""

    def changed(route: Route, request: Request) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=f"{{ {code} }}\n{response.text()}")

    visitor.context.route(re.compile(r"/assets/worker\.[0-9a-f]+\.js$"), changed)


def alive(page: Page) -> None:
    """A tap is counted."""
    tap_on(page.locator("#row-ia .step").last)
    expect(page.locator(".sum")).to_contain_text("1 of 7", timeout=BOOT_TIMEOUT)


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Iterator[Host]:
    """The site in a folder of its own, to take files from."""
    shutil.copytree(built, tmp_path / "site")
    running = Host(tmp_path / "site")
    yield running
    running.stop()


# -- the network --------------------------------------------------------------------------------

# Cut off at any of these, the first load cannot go on: it says which part is missing.
STAGES = [
    "start.*.js", "shell.*.js", "document.*.js", "worker.*.js", "store.*.js", "bokeh.*.min.js",
    "panel.*.min.js", "screen.*.js", "pyodide.*.asm.mjs", "app.*.css",
]  # fmt: skip
TRIED_AGAIN = ("start.*.js", "worker.*.js", "screen.*.js")  # one of each way to say it


def test_offline_at_any_stage_of_the_first_load(chromium: Browser, host: Host) -> None:
    for stage in STAGES:
        with visiting(
            chromium, host, NETWORK, "start.js did not run", "screen", "[Bb]okeh", "worker"
        ) as visitor:
            pattern = "**/assets/" + stage
            visitor.context.route(pattern, lambda route: route.abort("internetdisconnected"))
            page = visitor.open(SCORE, linked=False)
            failed = page.locator("#failed")
            expect(failed, stage).to_be_visible(timeout=BOOT_TIMEOUT)
            expect(page.locator("#failed-text")).to_contain_text(re.compile(r"\w+ .*[\w.]{4,}"))
            if stage not in TRIED_AGAIN:
                continue
            visitor.context.unroute(pattern)
            tap_on(page.locator("#retry"))
            visitor.linked(page)
            expect(page.locator("#failed")).to_be_hidden()
            alive(page)


# -- the snapshot -------------------------------------------------------------------------------


def test_a_browser_that_cannot_restore_memory_boots_plainly(chromium: Browser, host: Host) -> None:
    with visiting(chromium, host) as visitor:

        def other(route: Route) -> None:
            response = route.fetch()
            route.fulfill(response=response, json={**response.json(), "header": "AAAAAAAAAAA="})

        visitor.context.route("**/assets/snapshot.*.json", other)
        page = visitor.open(SCORE)
        assert page.evaluate("lovecraft.how") == "plain"
        assert any("without the memory snapshot" in note for note in visitor.watch.notes)
        alive(page)


SPOIL = """async (url) => {
    const cache = await caches.open("lovecraft-memory:/");
    await cache.put(url, new Response("thirty megabytes, once"));
}"""


KEEP = """() => {
    const { assets } = lovecraft.data;
    new Worker(assets["keep.js"].url, { type: "module" }).postMessage(assets);
}"""
KEPT = """caches.open("lovecraft-memory:/").then((cache) => cache.keys()).then((all) => all.length)
"""


def test_kept_memory_that_does_not_serve_is_fetched_anew(chromium: Browser, host: Host) -> None:
    """Neither what was spoiled nor what there was no room for hinders anybody."""
    with visiting(chromium, host) as visitor:
        page = visitor.open(SCORE)
        devtools = visitor.context.new_cdp_session(page)
        room = {"origin": host.url.rstrip("/"), "quotaSize": 10_000_000}  # it needs thirty
        devtools.send("Storage.overrideQuotaForOrigin", room)
        with page.expect_console_message(lambda note: "was not kept unpacked" in note.text):
            page.evaluate(KEEP)
        assert page.evaluate(KEPT) == 0
        packed = page.evaluate(
            "new URL(lovecraft.data.assets['snapshot.bin.zst'].url, location).href"
        )
        page.evaluate(SPOIL, packed)
        page.reload()
        assert visitor.linked(page) == "snapshot"
        assert any("from the packed memory snapshot" in note for note in visitor.watch.notes)
        assert not page.evaluate("caches.has('lovecraft-memory:/')")
        expect(page.locator("#failed, .trouble").filter(visible=True)).to_have_count(0)
        alive(page)


# -- storage ------------------------------------------------------------------------------------

NO_DATABASE = """
const get = () => { throw new DOMException("no", "SecurityError"); };
Object.defineProperty(self, "indexedDB", { get });
"""
FULL = """
IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }
"""


def test_without_a_database_all_works_and_it_is_said_that_nothing_stays(
    chromium: Browser, host: Host
) -> None:
    with visiting(chromium, host) as visitor:
        in_worker(visitor, NO_DATABASE)
        page = visitor.open(SCORE)
        expect(page.locator(".trouble")).to_be_visible()
        enter(page, ia=7)
        page.evaluate("() => { location.hash = '#/ancient-cards/table/new'; }")
        begin(page)
        pick(page)


def test_a_full_device_is_told_and_the_game_goes_on(chromium: Browser, host: Host) -> None:
    with visiting(chromium, host) as visitor:
        in_worker(visitor, FULL)
        page = visitor.open(SCORE)
        enter(page, ia=7)
        trouble = page.locator(".trouble")
        expect(trouble).to_contain_text("QuotaExceededError")
        tap_on(page.locator("#next"))
        enter(page, cthulhu=7)


def test_a_clock_moved_back_loses_nothing(chromium: Browser, host: Host) -> None:
    with visiting(chromium, host) as visitor:
        page = visitor.open(TABLE)
        begin(page)
        pick(page)
        page.close()
        in_worker(visitor, "const now = Date.now; Date.now = () => now() - 4e11")
        page = visitor.open(TABLE)
        expect(page.locator(".phase")).to_have_text("Round 1, pick 2 of 7")
        pick(page)
        page.close()
        visitor.context.unroute_all()
        page = visitor.open(TABLE)
        expect(page.locator(".phase")).to_have_text("Round 1, pick 3 of 7")
        pick(page)


# -- killed, reloaded, twice --------------------------------------------------------------------


def test_a_tab_killed_in_the_middle_of_a_move_has_it_whole_or_not(
    chromium: Browser, host: Host
) -> None:
    with visiting(chromium, host) as visitor:
        page = visitor.open(TABLE)
        begin(page)
        reached = 1
        for delay in (0, 15, 60):
            page.locator(".hand:not(.waiting) .card").first.tap()
            page.wait_for_timeout(delay)
            page.close()
            page = visitor.open(TABLE)
            phase = page.locator(".phase").inner_text()
            found = re.fullmatch(r"Round 1, pick (\d) of 7", phase)
            assert found, phase
            assert int(found[1]) in (reached, reached + 1)
            reached = int(found[1])
            expect(page.locator(".hand .card")).to_have_count(8 - reached)
        pick(page)


def test_ten_reloads_use_no_more_memory(playwright: Playwright, host: Host, tmp_path: Path) -> None:
    context = playwright.chromium.launch_persistent_context(
        tmp_path, executable_path=str(finder.find()), args=list(finder.FLAGS)
    )
    visitor = Visitor(context, host, guarded=False, copies=True)
    page = visitor.open(SCORE)
    settle(page)
    used = []
    devtools = context.new_cdp_session(page)
    for _ in range(10):
        page.reload()
        visitor.linked(page)
        page.wait_for_selector("#row-ia")
        assert "snapshot fetched" not in page.evaluate("lovecraft.marks")  # it lay there unpacked
        devtools.send("HeapProfiler.collectGarbage")  # what the last page left
        used.append(processes.renderer_memory(str(tmp_path)))
    context.close()
    visitor.watch.check()
    early, late = min(used[1:4]), min(used[-3:])
    # All that is in the page's process: worker, Python, service worker, the inspector's copies of
    # responses, and its share of the browser's own code (25 MB more when no other browser is open).
    assert 0 < late < 275e6, used
    assert late < 1.25 * early, used


# -- the offline copy ---------------------------------------------------------------------------


def test_an_install_that_was_cut_short_is_told_and_finished_later(
    chromium: Browser, copy: Host
) -> None:
    missing = next((copy.root / "assets").glob("vendor.*.zip"))
    aside = missing.rename(copy.root.parent / missing.name)
    with visiting(chromium, copy, r"404 \(Not Found\)", copies=True) as visitor:
        page = visitor.open(SCORE)
        offline = page.locator("#offline")
        expect(offline).to_contain_text("could not be made", timeout=BOOT_TIMEOUT)
        enter(page, ia=7)  # the page itself lacks nothing
        aside.rename(missing)
        before = len(copy.sent)
        page.reload()
        visitor.linked(page)
        visitor.offline_ready(page)
        fetched = [path for path in copy.sent[before:] if path.endswith((".zst", ".asm.wasm"))]
        assert len(fetched) <= 2  # what had been kept was not fetched a second time by the install
        visitor.cut_network()
        page.reload()
        visitor.linked(page)
        enter(page, ia=7)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda worker: worker.unlink(),
        lambda worker: worker.write_text("throw new Error('no')", "utf-8"),
    ],
    ids=["missing", "throws"],
)
def test_a_service_worker_that_fails_is_told_and_hinders_nothing(
    chromium: Browser, copy: Host, spoil: Callable[[Path], None]
) -> None:
    spoil(copy.root / "sw.js")
    troubles = (r"404", "ServiceWorker", "Uncaught Error: no")
    with visiting(chromium, copy, *troubles, copies=True) as visitor:
        page = visitor.open(SCORE)
        expect(page.locator("#offline")).to_contain_text("could not be made")
        enter(page, ia=7)


def test_no_room_for_the_offline_copy_is_told(chromium: Browser, copy: Host) -> None:
    worker = copy.root / "sw.js"
    quota = (
        'Cache.prototype.put = async () => { throw new DOMException("", "QuotaExceededError"); };'
    )
    worker.write_text(quota + worker.read_text("utf-8"), "utf-8")
    with visiting(chromium, copy, copies=True) as visitor:
        page: Page = visitor.open(SCORE)
        expect(page.locator("#offline")).to_contain_text("no room", timeout=BOOT_TIMEOUT)
        enter(page, ia=7)
