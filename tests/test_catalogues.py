"""Words and sources fit together: no key is missing, and none stands in a catalogue unused.

The sources are read, not run. A key in them is a string constant, a constant put together with
``+`` or ``~`` or an f-string (then a pattern: what is not known here stands for anything), in
Python, JavaScript, HTML and notebooks alike. The families that follow from registries (rules,
cards, options, sections, sources, games, help of the command line) are listed exactly.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import pytest

from lovecraft import cli, games
from lovecraft.core.rules import SECTIONS
from lovecraft.i18n import catalogue

ROOT = Path(__file__).parents[1]
SOURCES = ("lovecraft", "apps", "site", "tools", "notebooks", "build.py")
SUFFIXES = {".py", ".js", ".mjs", ".html", ".ipynb"}

KEYS = frozenset(catalogue("en"))
SPACES = {key.partition(".")[0] for key in KEYS}
"""The first words of keys; a string that begins otherwise is no key."""

LISTED = re.compile(r"(rule|option|game|section|source|cli\.help|card)\.")
"""Families that are listed exactly; patterns in the sources do not count for them."""

A_KEY = re.compile(r"[a-z0-9_-]+\.[a-z0-9_@-]+([./][a-z0-9_@-]+)*")
A_FILE = re.compile(r".*\.(json|py|m?js|css|html|svg|png|whl|lock|toml|txt|md|webmanifest|ipynb)")
ANYTHING = "\x00"


class Use(NamedTuple):
    """A string in a source that may be a key; ANYTHING stands for what is not known."""

    where: str
    words: str

    @property
    def space(self) -> str:
        return re.split(r"[.\x00]", self.words)[0]

    def is_pattern(self) -> bool:
        return ANYTHING in self.words

    def matches(self, key: str) -> bool:
        parts = (re.escape(part) for part in self.words.split(ANYTHING))
        return re.fullmatch(".+".join(parts), key) is not None

    def is_key(self) -> bool:
        """Whether the string can only be meant as a key (or the pattern of one)."""
        if self.space not in SPACES or A_FILE.fullmatch(self.words):
            return False
        return A_KEY.fullmatch(self.words.replace(ANYTHING, "x")) is not None


@cache
def sources() -> tuple[Path, ...]:
    found: list[Path] = []
    for name in SOURCES:
        path = ROOT / name
        found += [path] if path.is_file() else path.rglob("*")
    return tuple(
        sorted(
            file
            for file in found
            if file.suffix in SUFFIXES and "shims" not in file.parts and file.is_file()
        )
    )


# -- Python ---------------------------------------------------------------------------------------


def module_of(file: Path) -> Any:
    """The imported module of a file of the engine, for its constants; None for any other."""
    if file.is_relative_to(ROOT / "lovecraft") and file.stem != "__main__":
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        return importlib.import_module(name.removesuffix(".__init__"))
    return None


class Python:
    """Strings of one Python source, with the constants it names put in."""

    def __init__(self, file: Path, source: str) -> None:
        self.where = str(file.relative_to(ROOT))
        self.tree = ast.parse(source)
        self.module = module_of(file)
        given = [
            (target.id, node.value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ]
        names = [name for name, _ in given]
        self.constants = {name: value for name, value in given if names.count(name) == 1}

    def words(self, node: ast.expr, depth: int = 0) -> str:
        """A string expression with ANYTHING for what is not known."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else ANYTHING
        if isinstance(node, ast.JoinedStr):
            return "".join(self.words(part, depth) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.words(node.value, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.words(node.left, depth) + self.words(node.right, depth)
        if self.module is not None and isinstance(node, (ast.Name, ast.Attribute)):
            value: Any = self.module
            for name in ast.unparse(node).split("."):
                value = getattr(value, name, None)
            if isinstance(value, str):
                return value
        if isinstance(node, ast.Name) and node.id in self.constants and depth < 5:
            return self.words(self.constants[node.id], depth + 1)
        return ANYTHING

    def uses(self) -> Iterator[Use]:
        inner = {
            id(child)
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.JoinedStr, ast.BinOp))
            for child in ast.iter_child_nodes(node)
            if isinstance(child, (ast.Constant, ast.JoinedStr, ast.BinOp))
        }
        docs = {
            id(node.body[0].value)
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(self.tree):
            if id(node) in inner | docs:
                continue
            if isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                words = self.words(node)
                if words.strip(ANYTHING):
                    yield Use(f"{self.where}:{node.lineno}", words)

    def calls(self) -> Iterator[tuple[str, str, set[str]]]:
        """Messages made with a known key and named parameters: where, key, parameters."""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func).split(".")[-1]
            if name not in ("msg", "text", "t") or any(k.arg is None for k in node.keywords):
                continue
            key = self.words(node.args[0])
            if key in KEYS:
                given = {k.arg for k in node.keywords if k.arg}
                yield f"{self.where}:{node.lineno}", key, given


# -- everything else ------------------------------------------------------------------------------

QUOTED = re.compile(r"""(?<![\w\\])(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""")


def strings_of(source: str) -> Iterator[tuple[int, int, int, str]]:
    """Line, start, end and words of the strings in JavaScript or HTML, in expressions or not."""
    for match in QUOTED.finditer(source):
        words = re.sub(r"\$\{[^}]*\}", ANYTHING, match[2])
        yield source.count("\n", 0, match.start()) + 1, match.start(), match.end(), words


def text_uses(file: Path, source: str) -> Iterator[Use]:
    where = file.relative_to(ROOT)
    jinja = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.S)
    for match in jinja.finditer(source) if file.suffix == ".html" else ():
        line = source.count("\n", 0, match.start()) + 1
        # "a." ~ x ~ ".b" is one string
        chain = r"""(?:"[^"]*"|'[^']*')(?:\s*~\s*(?:"[^"]*"|'[^']*'|[\w.]+(?:\([^()]*\))?))*"""
        for found in re.finditer(chain, match[0]):
            parts = re.findall(r"""("[^"]*"|'[^']*')|~\s*([\w.]+(?:\([^()]*\))?)""", found[0])
            yield Use(f"{where}:{line}", "".join(q[1:-1] if q else ANYTHING for q, _ in parts))
    for line, _, _, words in strings_of(source):
        yield Use(f"{where}:{line}", words)


def template_calls(file: Path, source: str) -> Iterator[tuple[str, str, set[str]]]:
    """``t("key", a=…)`` in templates: where, key, parameters."""
    for match in re.finditer(r"""\bt\(\s*["']([^"'~]+)["']\s*([,)])""", source):
        at, depth = match.end(), 1
        if match[2] == ")":
            depth = 0
        while depth and at < len(source):
            depth += {"(": 1, ")": -1}.get(source[at], 0)
            at += 1
        outer = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", source[match.end() : at - 1]))
        given = set(re.findall(r"(\w+)\s*=(?!=)", outer if match[2] == "," else ""))
        line = source.count("\n", 0, match.start()) + 1
        if match[1] in KEYS:
            yield f"{file.relative_to(ROOT)}:{line}", match[1], given


@cache
def everything() -> tuple[tuple[Use, ...], tuple[tuple[str, str, frozenset[str]], ...]]:
    uses: list[Use] = []
    calls: list[tuple[str, str, frozenset[str]]] = []
    for file in sources():
        source = file.read_text("utf-8")
        if file.suffix == ".py":
            python = Python(file, source)
            uses += python.uses()
            calls += [(where, key, frozenset(given)) for where, key, given in python.calls()]
        else:
            uses += text_uses(file, source)
            if file.suffix == ".html":
                made = template_calls(file, source)
                calls += [(where, key, frozenset(given)) for where, key, given in made]
    return tuple(uses), tuple(calls)


# -- families from registries ---------------------------------------------------------------------


def listed() -> dict[str, str]:
    """Every key that follows from a registry, with what it follows from."""
    keys = {f"section.{section}": "SECTIONS" for section in SECTIONS}
    for game in games.GAMES.values():
        keys |= {f"game.{game.id}{end}": game.id for end in ("", ".tagline")}
        for rule in game.rules:
            keys |= {f"rule.{rule.id}.{end}": rule.id for end in ("title", "text")}
            keys[f"source.{rule.source}"] = rule.id
        for card in game.cards:
            keys[f"card.{game.id}.{card.id}"] = card.id
        for option in game.options:
            name = f"option.{game.id}.{option.name}"
            keys |= {f"{name}{end}": option.name for end in ("", ".help")}
            # an edition of one's own (`id@hash`) brings its name along
            shipped = [v for v in option.values if isinstance(v, str) and "@" not in v]
            keys |= {f"{name}.{value}": option.name for value in shipped}
    for word in ("", ".lang", ".json", *(f".{command.NAME}" for command in cli.COMMANDS)):
        keys[f"cli.help{word}"] = "the parser"
    for file in sorted((ROOT / "lovecraft" / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "words":
                (word,) = node.args
                assert isinstance(word, ast.Constant), f"{file.name}: help without a plain word"
                keys[f"cli.help.{word.value}"] = file.name
    return keys


def constants_of(folder: Path) -> set[str]:
    return {
        node.value
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def other_cards() -> set[str]:
    """Keys of named pieces that are no cards of the game: their ids stand in its package."""
    found = set()
    for game_id in games.GAMES:
        folder = ROOT / "lovecraft" / "games" / game_id.replace("-", "_")
        known = constants_of(folder)
        for key in KEYS:
            prefix = f"card.{game_id}."
            if key.startswith(prefix) and set(key.removeprefix(prefix).split("-")) <= {
                part for word in known for part in (word, *word.split("-"))
            }:
                found.add(key)
    return found


# -- the tests ------------------------------------------------------------------------------------


def test_the_sources_are_found() -> None:
    names = {file.relative_to(ROOT).parts[0] for file in sources()}
    assert {"lovecraft", "apps", "site"} <= names
    uses, calls = everything()
    assert len({use.words for use in uses if use.words in KEYS}) > 100
    assert len(calls) > 100


def test_no_key_is_missing() -> None:
    uses, _ = everything()
    missing = {
        f"{use.where}: {use.words.replace(ANYTHING, '*')}"
        for use in uses
        if use.is_key()
        and not any(map(use.matches, KEYS))
        and not any(key.startswith(f"{use.words}.") for key in KEYS)  # it will be gone on with
    }
    missing |= {f"{key} (of {source})" for key, source in listed().items() if key not in KEYS}
    assert not missing, "\n".join(sorted(missing))


def test_no_key_is_unused() -> None:
    uses, _ = everything()
    literal = {use.words for use in uses if not use.is_pattern()}
    patterns = [use for use in uses if use.is_pattern() and use.is_key()]
    exact = set(listed()) | other_cards()
    unused = []
    for key in sorted(KEYS):
        used = key in exact or key in literal
        if not used and not LISTED.match(key):
            used = any(pattern.matches(key) for pattern in patterns)
        if not used:
            unused.append(key)
    assert not unused, "\n".join(unused)


def placeholders(key: str) -> set[str]:
    entry = catalogue("en")[key]
    forms: Iterable[str] = [entry] if isinstance(entry, str) else entry.values()
    plural = set() if isinstance(entry, str) else {"n"}
    return plural | {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


def test_every_message_gets_its_parameters() -> None:
    _, calls = everything()
    wrong = [
        f"{where}: {key} without {', '.join(sorted(lacking))}"
        for where, key, given in calls
        if (lacking := placeholders(key) - given)
    ]
    assert not wrong, "\n".join(wrong)


# -- the scan itself ------------------------------------------------------------------------------


def test_the_scan_sees_keys_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    python = tmp_path / "x.py"
    source = (
        '"""core.docstring"""\n'
        'HERE = "core"\n'
        'a = msg("core.times", n=1)\n'
        'b = f"{HERE}.seat"\n'
        'c = f"core.{x}-by"\n'
        'd = "core." + x\n'
        'e = {"k": "core.absent"}\n'
    )
    uses = {use.words for use in Python(python, source).uses()}
    assert uses >= {"core.times", "core.seat", f"core.{ANYTHING}-by", f"core.{ANYTHING}"}
    assert "core.absent" in uses and "core.docstring" not in uses
    assert [call[1:] for call in Python(python, source).calls()] == [("core.times", {"n"})]

    html = tmp_path / "x.html"
    source = (
        '{{ t(\'core.times\', n=f(a=1), thing=x) }}<p title="{{ t("core.seat") }}">'
        '{{ t("section." ~ rule.section) }}{% set y = "core." ~ a ~ ".b" %}'
    )
    found = {use.words for use in text_uses(html, source)}
    assert found >= {"core.times", "core.seat", f"section.{ANYTHING}", f"core.{ANYTHING}.b"}
    assert [call[1:] for call in template_calls(html, source)] == [
        ("core.times", {"n", "thing"}),
        ("core.seat", set()),
    ]

    script = tmp_path / "x.js"
    source = "word(`site.step.${step}`); word(\"site.retry\"); it's 'site.title'"
    found = {use.words for use in text_uses(script, source)}
    assert found >= {f"site.step.{ANYTHING}", "site.retry", "site.title"}

    assert Use("", f"core.{ANYTHING}-by").matches("core.x-by")
    assert not Use("", f"core.{ANYTHING}-by").matches("core.x")
    assert not Use("", "site.json").is_key()
    assert not Use("", "players.name").is_key()
    assert json.dumps(sorted(SPACES))
