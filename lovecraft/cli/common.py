"""What several commands share: arguments, input, output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lovecraft import games
from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidOption, LovecraftError
from lovecraft.core.game import AnyGame
from lovecraft.i18n import msg


class InvalidFile(LovecraftError):
    """A file that holds no text."""


Help = Callable[[str], str]


def add_game(sub: argparse.ArgumentParser, words: Help, optional: bool = False) -> None:
    """The GAME argument."""
    sub.add_argument("game", metavar="GAME", nargs="?" if optional else None, help=words("game"))


def add_options(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game's own options, each as ``--option name=value``."""
    sub.add_argument(
        "--option",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help=words("option"),
    )


def parse_options(game: AnyGame, given: list[str]) -> dict[str, Any]:
    """Options as the game takes them: each value is matched to one the option allows."""
    allowed = {option.name: option.values for option in game.options}
    options: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise InvalidOption(msg("cli.error.option", option=item[:40]))
        spelled = {str(v).lower(): v for v in allowed.get(name, ())}
        options[name] = spelled.get(value.lower(), value)
    return options


def find_game(game_id: str) -> AnyGame:
    """The game of this id, or UnknownName."""
    return games.get(game_id)


def read(file: str) -> str:
    """The text of a file, or of standard input for ``-``. Raises InvalidFile if it is not UTF-8."""
    if file == "-" and not sys.stdin:  # closed by the caller
        return ""
    raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidFile(msg("cli.error.not-text", file=file)) from None


def print_json(value: Json) -> None:
    """One JSON value on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
