"""``ladder``: all levels against each other, Elo ratings with intervals."""

from __future__ import annotations

import argparse
from pathlib import Path

from lovecraft import bots
from lovecraft.cli.common import Help, add_game, add_options, find_game, parse_options, print_json
from lovecraft.i18n import text
from lovecraft.ladder import ladder

NAME = "ladder"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game, the levels with their budgets, how many games, the seats, the seed, the log."""
    add_game(sub, words)
    sub.add_argument("--bots", default=",".join(bots.LEVELS), metavar="A,B,…", help=words("levels"))
    sub.add_argument("--games", type=int, default=20, metavar="N", help=words("table-games"))
    sub.add_argument("--seats", type=int, default=2, metavar="N", help=words("ladder-seats"))
    sub.add_argument("--seed", default="0", help=words("seed"))
    sub.add_argument("--log", type=Path, metavar="FILE", help=words("log"))
    add_options(sub, words)


def run(args: argparse.Namespace) -> int:
    """Play the games and print the ratings."""
    game = find_game(args.game)
    levels = [level.strip() for level in args.bots.split(",")]
    options = parse_options(game, args.options)
    report = ladder(game, levels, args.games, args.seed, args.seats, options, args.log)
    if args.json:
        print_json(report)
        return 0
    print(text("cli.ladder", args.lang, n=report["games"], game=game.name))
    for row in report["levels"]:
        print(f"  {row['bot']:14} {row['elo']:7.0f}  [{row['low']:.0f}, {row['high']:.0f}]")
    for pair in report["pairs"]:
        one, other = pair["bots"]
        print(
            f"  {one} – {other}: {pair['rate']:.1%}  [{pair['low']:.1%}, {pair['high']:.1%}]"
            f"  ({pair['games']})"
        )
    return 0
