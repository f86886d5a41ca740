"""Booting: from the snapshot, plainly, offline, under a sub-path; and what failure looks like."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright

from tools.pipeline import browser as finder
from tools.pipeline.steps import node, run

from .conftest import BOOT_TIMEOUT, Host, Visitor


def alive(page: Page) -> None:
    """Python answers: a change of the route comes back as a change of the page."""
    page.wait_for_selector("#screen > *", state="attached", timeout=BOOT_TIMEOUT)
    assert page.evaluate("lovecraft.linked") is True
    assert page.locator("#failed").is_hidden()


def test_first_visit_boots_from_the_snapshot(visitor: Visitor) -> None:
    page = visitor.open()
    assert visitor.linked(page) == "snapshot"
    alive(page)
    assert page.locator("#boot").is_hidden()
    assert page.locator("#build").inner_text() == page.evaluate("lovecraft.data.build")


def test_the_launcher_stands_before_python(visitor: Visitor) -> None:
    page = visitor.context.new_page()
    page.goto(visitor.host.url, wait_until="commit")
    page.wait_for_selector("#screen > *", state="attached")
    assert page.evaluate("document.documentElement.dataset.ready") is None
    visitor.linked(page)


@pytest.mark.parametrize("locale", ["pt-BR", "es-MX", "ro-RO", "de-DE"])
def test_the_launcher_speaks_the_browsers_language(
    chromium: Browser, host: Host, locale: str
) -> None:
    context = chromium.new_context(locale=locale)
    visitor = Visitor(context, host)
    page = visitor.open(linked=False)
    expected = locale[:2] if locale != "de-DE" else "en"
    assert page.evaluate("document.documentElement.lang") == expected
    context.close()
    visitor.watch.check()


def test_the_plain_path_builds_the_same_document(visitor: Visitor) -> None:
    """So a page may render the prepared one while either is still on its way."""
    visitor.context.add_init_script("""
        const Native = Worker;
        globalThis.Worker = class extends Native {
          constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => {
              if (data.type === "document") globalThis.builtHere = data.document;
            });
          }
        };""")
    page = visitor.open(query="?boot=plain", linked=False)
    assert visitor.linked(page) == "plain"
    alive(page)
    built, prepared = page.evaluate("[builtHere, lovecraft.data.document]")
    assert json.loads(built) == json.loads(prepared)


def test_a_memory_is_unpacked_however_it_is_cut_on_its_way(built: Path, tmp_path: Path) -> None:
    module, assets = tmp_path / "memory.mjs", built / "assets"
    shutil.copy(next(assets.glob("memory.*.js")), module)
    decoder = next(assets.glob("zstd.*.wasm"))
    packed = next((built / "lab" / "static" / "kernel").glob("kernel.*.bin.zst"))
    script = Path(__file__).with_name("pieces.mjs")
    outcomes = run(node(), script, module, decoder, packed).split()
    assert len(outcomes) == 1


def remove(file: Path) -> None:
    file.unlink()


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1000])


def spoil(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


@pytest.fixture
def damaged(built: Path, tmp_path: Path) -> Callable[[str, Callable[[Path], None]], Host]:
    """A copy of the site with one file spoiled."""

    def spoiled(name: str, fault: Callable[[Path], None]) -> Host:
        copy = tmp_path / "site"
        shutil.copytree(built, copy)
        fault(next((copy / "assets").glob(name)))
        return Host(copy)

    return spoiled


@pytest.mark.parametrize("fault", [remove, truncate, spoil])
def test_a_bad_snapshot_means_a_plain_boot(
    chromium: Browser,
    damaged: Callable[[str, Callable[[Path], None]], Host],
    fault: Callable[[Path], None],
) -> None:
    host = damaged("snapshot.*.bin.zst", fault)
    context = chromium.new_context()
    visitor = Visitor(context, host)
    visitor.watch.faults = [r"404 \(Not Found\)"]  # the browser's own line for a missing file
    page = visitor.open()
    assert visitor.linked(page) == "plain"
    alive(page)
    assert any("without the memory snapshot" in note for note in visitor.watch.notes)
    context.close()
    host.stop()
    visitor.watch.check()


def test_a_failed_boot_says_so_and_tries_again(
    chromium: Browser, damaged: Callable[[str, Callable[[Path], None]], Host], built: Path
) -> None:
    host = damaged("pyodide.*.asm.wasm", remove)
    context = chromium.new_context()
    visitor = Visitor(context, host)
    visitor.watch.faults = [r"404 \(Not Found\)"]
    page = visitor.open(linked=False)
    page.wait_for_selector("#failed:not([hidden])", timeout=BOOT_TIMEOUT)
    assert "pyodide.asm.wasm" in page.locator("#failed-text").inner_text()
    wasm = next((built / "assets").glob("pyodide.*.asm.wasm"))
    shutil.copy(wasm, host.root / "assets" / wasm.name)
    page.locator("#retry").click()
    visitor.linked(page)
    alive(page)
    context.close()
    host.stop()
    visitor.watch.check()


@pytest.mark.parametrize("host", ["/", "/repo/"], indirect=True)
def test_offline_after_one_visit(traveller: Visitor) -> None:
    page = traveller.open()
    traveller.offline_ready(page)
    traveller.cut_network()
    page.reload()
    assert traveller.linked(page) == "snapshot"
    alive(page)
    page.close()
    again = traveller.open()  # a cold start: no page was open
    assert traveller.linked(again) == "snapshot"
    alive(again)
    plain = traveller.open(query="?boot=plain")  # the way out is on the device, too
    assert traveller.linked(plain) == "plain"


def test_reload_while_online(traveller: Visitor) -> None:
    page = traveller.open()
    traveller.offline_ready(page)
    for _ in range(3):
        page.reload()
        assert traveller.linked(page) == "snapshot"
    alive(page)


def test_the_first_visit_downloads_nothing_twice(
    playwright: Playwright, built: Path, tmp_path: Path
) -> None:
    """The service worker takes from the browser's own cache what the page has just fetched."""
    host = Host(built)
    # A profile on disk: a private window's cache would refuse the large files.
    context = playwright.chromium.launch_persistent_context(
        tmp_path, executable_path=str(finder.find()), args=list(finder.FLAGS)
    )
    visitor = Visitor(context, host, guarded=False, copies=True)
    page = visitor.open()
    visitor.offline_ready(page)
    page.wait_for_timeout(4000)  # what the snapshot left out arrives late
    assert [
        path for path in set(host.sent) if host.sent.count(path) > 1 and "/assets/" in path
    ] == []
    context.close()
    host.stop()
    visitor.watch.check()


def test_two_bases_on_one_origin_share_nothing(
    chromium: Browser, built: Path, tmp_path: Path
) -> None:
    both = tmp_path / "both"
    shutil.copytree(built, both / "one")
    shutil.copytree(built, both / "two")
    host = Host(both)
    context = chromium.new_context()
    visitor = Visitor(context, host, copies=True)
    for name in ("one", "two"):
        page = visitor.open(query=f"{name}/")
        visitor.offline_ready(page)
    caches, databases = page.evaluate(
        "Promise.all([caches.keys(), indexedDB.databases().then(all => all.map(d => d.name))])"
    )
    copies = sorted(name.rsplit(":", 1)[0] for name in caches if name.startswith("lovecraft:"))
    assert copies == ["lovecraft:/one/", "lovecraft:/two/"]
    others = [name for name in caches if not name.startswith("lovecraft:")]
    assert set(others) <= {"lovecraft-memory:/one/", "lovecraft-memory:/two/"}
    assert sorted(databases) == ["lovecraft:/one/", "lovecraft:/two/"]
    context.close()
    host.stop()
    visitor.watch.check()


def test_no_storage_is_no_hindrance(chromium: Browser, host: Host) -> None:
    """As in some private modes: no IndexedDB, no localStorage."""
    context = chromium.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    visitor = Visitor(context, host)
    page = visitor.open()
    alive(page)
    context.close()
    visitor.watch.check()
