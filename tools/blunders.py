"""Counts blunders in many games of a bot against itself.

    python -m tools.blunders mythicals --bot master@100 [--games 1000] [--seed S]

Prints a line every hundred games and one for each blunder with the seed that brings it back.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter

from lovecraft import bots, games
from lovecraft.bots.blunders import blunders
from lovecraft.core import play


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.blunders")
    parser.add_argument("game", choices=("mythicals", "tides-of-madness"))
    parser.add_argument("--bot", default="master@100")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", default="blunders")
    arguments = parser.parse_args()
    game = games.get(arguments.game)
    bot = bots.make(arguments.bot, game)
    found: Counter[str] = Counter()
    for number in range(1, arguments.games + 1):
        seed = f"{arguments.seed}/{number}"
        for blunder in blunders(play(game, [bot, bot], seed)):
            found[blunder.kind] += 1
            print(json.dumps({"seed": seed, **blunder._asdict()}), flush=True)
        if number % 100 == 0 or number == arguments.games:
            print(json.dumps({"games": number, "blunders": found}), flush=True)


if __name__ == "__main__":
    main()
