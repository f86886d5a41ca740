"""``score``: score a game that was played with real cards."""

from __future__ import annotations

import argparse

from lovecraft.cli.common import Help, add_game, find_game, print_json, read
from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidSheet
from lovecraft.core.record import parse_json
from lovecraft.i18n import msg, text

NAME = "score"
MAX_CHARACTERS = 200_000


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game and the sheet."""
    add_game(sub, words)
    sub.add_argument("file", metavar="FILE", help=words("sheet"))


def run(args: argparse.Namespace) -> int:
    """Print the score with its lines, or refuse the sheet naming the place."""
    game = find_game(args.game)
    source = read(args.file)
    if len(source) > MAX_CHARACTERS:
        raise InvalidSheet(msg("error.too-long", most=MAX_CHARACTERS))
    result = game.score(parse_json(source, InvalidSheet), args.lang)
    if args.json:
        print_json(result)
    else:
        _tell(result, args.lang)
    return 0


def _tell(result: Json, lang: str) -> None:
    """A whole result: the lines of every score, then who has won or leads."""
    names = [player["name"] for player in result["players"]]
    for number, scores in enumerate(result.get("rounds", ()), 1):
        print(text("cli.score.round", lang, number=number))
        for name, score in zip(names, scores, strict=True):
            print(f"  {name}")
            _show(score, lang, 2)
    _show(result["players"], lang, 0)
    if winners := tuple(result["winners"]):
        key = "core.won" if result.get("finished", True) else "core.ahead"
        print(text(key, lang, n=len(winners), winners=winners))


def _show(value: Json, lang: str, depth: int) -> None:
    """A score in lines: names as headings, points with what made them."""
    pad = "  " * depth
    if isinstance(value, list):
        for item in value:
            _show(item, lang, depth)
    elif isinstance(value, dict):
        inner = depth
        if "name" in value:
            print(f"{pad}{value['name']}" + (f": {value['total']}" if "total" in value else ""))
            inner += 1
        elif "points" in value and "lines" in value:
            print(f"{pad}{text('core.points', lang, n=value['points'])}")
            inner += 1
        elif "text" in value:
            print(f"{pad}{value['points']:+3}  {value['text']}")
        for part in value.values():
            if isinstance(part, (list, dict)):
                _show(part, lang, inner)
