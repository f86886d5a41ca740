"""Play the games that the explorer walks through: ``python -m tools.pipeline.samples``.

To be run again when the rules or the house edition have changed so that an old one is refused
(``tests/apps/test_explorer.py`` says so).
"""

from __future__ import annotations

from lovecraft import bots
from lovecraft.core import AnyGame, Player, Record, play
from lovecraft.explain.walk import Walk
from lovecraft.games import GAMES
from tools.pipeline.paths import ROOT

FOLDER = ROOT / "apps" / "explorer" / "samples"
PLAYERS = tuple(Player(name, "greedy") for name in ("Armitage", "Lavinia"))


def played(game: AnyGame) -> Record:
    """The first game between greedy bots that comes to every phase."""
    seed = 0
    while True:
        agents = [bots.make("greedy", game) for _ in PLAYERS]
        record = play(game, agents, seed=seed, players=PLAYERS)
        if set(Walk(record).phases()) == {phase.id for phase in game.phases}:
            return record
        seed += 1


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES.values():
        (FOLDER / f"{game.id}.json").write_text(played(game).dumps() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
