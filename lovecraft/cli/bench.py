"""``bench``: how fast the engine is here, as ratios to a baseline of the same run."""

from __future__ import annotations

import argparse

from lovecraft import bench, games
from lovecraft.cli.common import Help, add_game, find_game, print_json
from lovecraft.i18n import text

NAME = "bench"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """One game, or all of them."""
    add_game(sub, words, optional=True)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    chosen = [find_game(args.game)] if args.game else list(games.GAMES.values())
    report = bench.report(chosen)
    if args.json:
        print_json(report)
        return 0
    print(f"Python {report['python']} ({report['implementation']})")
    print(text("cli.bench.baseline", args.lang, speed=report["baseline"]["decisions_per_s"]))
    for game_id, row in report["games"].items():
        print(
            text(
                "cli.bench.game",
                args.lang,
                game=game_id,
                games=row["games_per_s"],
                speed=row["decisions_per_s"],
                ratio=row["ratio_to_baseline"],
            )
        )
    return 0
