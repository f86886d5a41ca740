"""The README does what it says: its examples run, its commands work, its paths exist."""

from __future__ import annotations

import doctest
import importlib
import io
import json
import pkgutil
import re
import shlex
import sys
from pathlib import Path

import pytest

import lovecraft
from lovecraft import bench, cli, games

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
MODULES = [
    module.name
    for module in pkgutil.walk_packages(lovecraft.__path__, "lovecraft.")
    if not module.name.endswith("__main__")
]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def run_doctest(test: doctest.DocTest) -> doctest.TestResults:
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert not result.failed, "".join(told)
    return result


def test_the_examples_of_the_readme_run() -> None:
    test = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert run_doctest(test).attempted > 20
    shown = "".join(blocks("pycon"))
    assert len(test.examples) == shown.count("\n>>> ") + shown.startswith(">>> ")


@pytest.mark.parametrize("name", ["lovecraft", *MODULES])
def test_the_examples_of_the_modules_run(name: str) -> None:
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        if test.examples:
            run_doctest(test)


def test_there_are_examples_in_the_modules() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [t for name in MODULES for t in finder.find(importlib.import_module(name))]
    assert sum(bool(test.examples) for test in found) >= 5


def test_the_commands_of_the_readme_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 100))
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    sheet = ROOT / "tests" / "golden" / "scores" / "ancient-cards.json"
    Path("sheet.json").write_bytes(sheet.read_bytes())
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("python -m lovecraft ")]
    assert {shlex.split(line)[3] for line in commands} == {c.NAME for c in cli.COMMANDS}
    for line in commands:
        arguments = shlex.split(line)[3:]
        # a balance report over a handful of games may well miss its figures, and says so by 1
        assert cli.main(arguments) in ((0, 1) if arguments[0] == "balance" else (0,)), line
        told = capsys.readouterr()
        assert told.out and not told.err, line
        if "--json" in arguments:
            json.loads(told.out)


def test_the_refusal_in_the_readme_is_the_real_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = blocks("console")
    sheet, command, told = re.fullmatch(  # type: ignore[union-attr]
        r"\$ echo '(.*?)' \| python -m (.*?)\n(.*)", block, re.S
    ).groups()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sheet.encode())))
    assert cli.main(shlex.split(command)[1:]) == 2
    assert capsys.readouterr().err == told


def test_what_the_readme_names_is_there() -> None:
    names = re.findall(r"`((?:lovecraft|apps|site|tests|tools|docs|build\.py)[\w./-]*)`", README)
    assert len(names) > 20
    missing = [name for name in names if not (ROOT / name).exists()]
    assert not missing
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture


def test_the_readme_names_every_game() -> None:
    from lovecraft.i18n import text

    for game in games.GAMES.values():
        assert f"*{text(game.name)}*" in README
