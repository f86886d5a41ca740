"""A new build beside the old one: offered, taken on consent, nothing lost or fetched again."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from playwright.sync_api import Browser, expect

from .checks import tap_on
from .conftest import BOOT_TIMEOUT, PHONE, Host, Visitor
from .test_ancient_cards import TABLE, begin, pick

NEXT = "0123456789ab"


def deploy_next(root: Path) -> None:
    """Another build in the place of the first: of its files, only index.html and sw.js differ."""
    index, worker = root / "index.html", root / "sw.js"
    source = worker.read_text("utf-8")
    begins = source.index("MANIFEST = ") + len("MANIFEST = ")
    manifest, ends = json.JSONDecoder().raw_decode(source, begins)
    page = index.read_text("utf-8").replace(manifest["build"], NEXT)
    index.write_text(page, "utf-8")
    manifest["build"] = NEXT
    manifest["files"]["./"] = hashlib.sha256(page.encode()).hexdigest()
    worker.write_text(source[:begins] + json.dumps(manifest) + source[ends:], "utf-8")


def test_a_new_build_waits_for_consent_and_fetches_only_what_changed(
    chromium: Browser, built: Path, tmp_path: Path
) -> None:
    shutil.copytree(built, tmp_path / "site")
    host = Host(tmp_path / "site")
    context = chromium.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        has_touch=True,
        locale="en-GB",
    )
    visitor = Visitor(context, host, guarded=False, copies=True)  # with the browser's own cache
    page = visitor.open(TABLE)
    old = page.locator("#build").inner_text()
    begin(page)
    pick(page)
    visitor.offline_ready(page)
    host.sent.clear()
    deploy_next(host.root)
    page.evaluate("navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => 0)")
    page.locator("#update").wait_for(timeout=BOOT_TIMEOUT)
    expect(page.locator("#build")).to_have_text(old)  # a running game keeps its build
    expect(page.locator(".phase")).to_have_text("Round 1, pick 2 of 7")
    pick(page)
    assert "/sw.js" in host.sent
    assert not [path for path in host.sent if "/assets/" in path]
    tap_on(page.locator("#update-now"))
    expect(page.locator("#build")).to_have_text(NEXT, timeout=BOOT_TIMEOUT)
    visitor.linked(page)
    expect(page.locator(".phase")).to_have_text("Round 1, pick 3 of 7")
    visitor.offline_ready(page)
    kept = set(page.evaluate("caches.keys()"))
    assert kept - {"lovecraft-memory:/"} == {f"lovecraft:/:{NEXT}"}  # nothing of the old build
    visitor.cut_network()
    page.reload()
    visitor.linked(page)
    expect(page.locator(".phase")).to_have_text("Round 1, pick 3 of 7")
    context.close()
    host.stop()
    visitor.watch.check()
