"""``arena``: bots against each other, seats swapped, win rates with intervals."""

from __future__ import annotations

import argparse

from lovecraft.arena import contest
from lovecraft.cli.common import Help, add_game, add_options, find_game, parse_options, print_json
from lovecraft.i18n import text

NAME = "arena"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game, the bots, how many games, the seed."""
    add_game(sub, words)
    sub.add_argument("--bots", default="greedy,random", metavar="A,B,…", help=words("bots"))
    sub.add_argument("--games", type=int, default=200, metavar="N", help=words("games"))
    sub.add_argument("--seed", default="0", help=words("seed"))
    add_options(sub, words)


def run(args: argparse.Namespace) -> int:
    """Play the games and print the rates."""
    game = find_game(args.game)
    levels = [level.strip() for level in args.bots.split(",")]
    report = contest(game, levels, args.games, args.seed, parse_options(game, args.options))
    if args.json:
        print_json(report)
        return 0
    print(text("cli.arena", args.lang, n=report["games"], game=game.name))
    for bot in report["bots"]:
        print(
            f"  {bot['bot']:10} {bot['win_rate']:6.1%}  [{bot['low']:.1%}, {bot['high']:.1%}]"
            f"  ⌀ {bot['mean_points']:.2f}"
        )
    return 0
