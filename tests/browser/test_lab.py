"""The lab: JupyterLite under lab/, on the site's own runtime, also without a network."""

from __future__ import annotations

import hashlib
import json
import re
import time
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from lovecraft import games

from .conftest import Visitor

LONG = 120_000  # milliseconds
NOTEBOOK = "lab/notebooks/index.html?path=mythicals.ipynb"
COMPLETE = """() => new Promise((resolve) => {
  const worker = navigator.serviceWorker.controller;
  if (!worker) return resolve(false);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => resolve(data === true);
  setTimeout(() => resolve(false), 5000);
  worker.postMessage({ type: "complete" }, [port2]);
})"""


def files_of(worker: Path, opening: str) -> dict[str, str]:
    """The files that a service worker keeps, by path, with the hashes it expects."""
    found = re.search(rf"const MANIFEST = ({opening}.*?}}}})", worker.read_text(encoding="utf-8"))
    assert found, worker
    listed: dict[str, str] = json.loads(found[1])["files"]
    return listed


def test_the_tables_fetch_nothing_of_the_lab(built: Path) -> None:
    tables = files_of(built / "sw.js", "{")
    assert len(tables) > 20
    assert not [path for path in tables if path.startswith("lab/")]
    (engine,) = (built / "assets").glob("lovecraft.*.zip")
    with zipfile.ZipFile(engine) as archive:
        assert not [name for name in archive.namelist() if "notebook" in name]


def test_the_lab_is_whole_and_ships_no_second_runtime(built: Path) -> None:
    kept = files_of(built / "lab" / "service-worker.js", "{")
    for path, begun in kept.items():
        assert hashlib.sha256((built / path).read_bytes()).hexdigest().startswith(begun), path
    assert not [path for path in kept if path.startswith("lab/") and path.endswith(".wasm")]
    assert [path for path in kept if re.match(r"assets/pyodide\.\w+\.asm\.wasm", path)]
    listed = json.loads((built / "lab" / "api" / "contents" / "all.json").read_text())["content"]
    assert {Path(entry["name"]).stem for entry in listed} == {*games.GAMES, "engine-and-bots"}
    for entry in listed:
        assert (built / "lab" / "files" / entry["path"]).stat().st_size == entry["size"]


def kernel(page: Page) -> None:
    """Wait until the notebook is shown and its session has a kernel."""
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=LONG)
    end = time.monotonic() + LONG / 1000
    while not page.evaluate("[...jupyterapp.serviceManager.sessions.running()].length"):
        assert time.monotonic() < end, "no kernel"
        page.wait_for_timeout(100)


PLAINLY = """(kernel) => import(kernel)
  .then(({ loadPyodide }) => loadPyodide({ stdout() {}, stderr() {} }))
  .then((py) => py.runPython(`
    import sys, lovecraft.notebook
    "pyodide_kernel" in sys.modules and lovecraft.notebook.language()
  `))
"""


def test_the_kernel_begins_plainly_where_its_memory_does_not_serve(visitor: Visitor) -> None:
    visitor.watch.faults = ["^warning: Python is begun once more"]

    def other(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "header": "AAAAAAAAAAA="})

    visitor.context.route("**/lab/static/kernel/kernel.*.json", other)
    visitor.context.route("**/lab/nothing", lambda route: route.fulfill(content_type="text/html"))
    page = visitor.open("lab/nothing", linked=False)
    spoken = page.evaluate(PLAINLY, f"{visitor.host.url}lab/static/kernel/pyodide.mjs")
    assert spoken == "en"
    assert len(visitor.watch.troubles) == 1


@pytest.mark.parametrize("host", ["/repo/"], indirect=True)
def test_a_notebook_runs_shows_reacts_and_runs_again_offline(traveller: Visitor) -> None:
    traveller.watch.faults = [r"^warning: "]  # JupyterLab's own, about its menus and shortcuts
    page = traveller.open(linked=False)  # the tables' service worker is there first
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(traveller.host.url + NOTEBOOK)
    kernel(page)
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")

    shown = page.locator(".jp-RenderedHTMLCommon .lc-chip svg").first
    shown.wait_for(state="attached", timeout=LONG)
    assert not [text for text in traveller.watch.troubles if "begun once more" in text]
    forward = page.get_by_role("button", name="Forward ▶")
    forward.wait_for(timeout=LONG)
    told = page.get_by_text(re.compile(r"^Move \d+: what happened$"))
    told.wait_for(timeout=LONG)
    before = int(re.sub(r"\D", "", told.inner_text()))
    assert before > 0, "the last cell moves the stepper"
    forward.click()
    page.get_by_text(f"Move {before + 1}: what happened").wait_for(timeout=LONG)
    question = page.get_by_label("May this be done now?")
    refused = [name for name in question.locator("option").all_inner_texts() if name[0] == "✗"]
    question.select_option(label=refused[-1])
    page.get_by_text(re.compile(r"^No: .* Rule: ")).wait_for(timeout=LONG)
    for kind in ("error", "stderr"):
        assert page.locator(f'[data-mime-type="application/vnd.jupyter.{kind}"]').count() == 0

    end = time.monotonic() + LONG / 1000
    while not page.evaluate(COMPLETE):
        assert time.monotonic() < end, "the lab's files do not arrive"
        page.wait_for_timeout(500)
    caches = page.evaluate("caches.keys()")
    assert len([name for name in caches if name.startswith("lovecraft-lab:/repo/lab/:")]) == 1
    tables = [name for name in caches if not name.startswith("lovecraft-lab:")]
    assert len([name for name in tables if name.startswith("lovecraft:/repo/:")]) == 1
    assert {name for name in tables if not name.startswith("lovecraft:")} <= {
        "lovecraft-memory:/repo/"
    }

    traveller.cut_network()
    page.reload()
    kernel(page)
    page.evaluate("jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    shown.wait_for(state="detached", timeout=LONG)
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    shown.wait_for(state="attached", timeout=LONG)
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    kept = page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")
    assert kept == 2, "JupyterLite has thrown the service workers away"
