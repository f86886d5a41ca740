"""``list``: the games there are."""

from __future__ import annotations

import argparse

from lovecraft import bots, games
from lovecraft.cli.common import Help, print_json
from lovecraft.core.game import AnyGame
from lovecraft.core.options import label
from lovecraft.i18n import Message, msg, text

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
            print(f"{game.id:18} {text(game.name, args.lang)} ({text(_seats(game), args.lang)})")
    return 0


def _seats(game: AnyGame) -> Message:
    least, most = game.min_players, game.max_players
    if least == most:
        return msg("cli.players-exact", n=least)
    return msg("cli.players", least=least, most=most)
