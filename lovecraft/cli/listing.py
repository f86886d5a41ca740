"""``list``: the games there are."""

from __future__ import annotations

import argparse

from lovecraft import bots, games
from lovecraft.cli.common import Help, print_json
from lovecraft.core.options import label
from lovecraft.i18n import text

NAME = "list"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace) -> int:
    """Print every game with its players, options and bots."""
    listed = [
        {
            "id": game.id,
            "name": text(game.name, args.lang),
            "players": {"min": game.min_players, "max": game.max_players},
            "options": [
                {
                    "name": o.name,
                    "label": text(label(game.id, o.name), args.lang),
                    "default": o.default,
                    "values": list(o.values),
                }
                for o in game.options
            ],
            "bots": list(bots.LEVELS),
        }
        for game in games.GAMES.values()
    ]
    if args.json:
        print_json(listed)
    else:
        for game in games.GAMES.values():
            print(
                f"{game.id:18} {text(game.name, args.lang)} "
                f"({text('cli.players', args.lang, least=game.min_players, most=game.max_players)})"
            )
    return 0
