"""``balance``: how fair an edition of Ritos Ancestrais is, measured between equal bots."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from lovecraft import balance
from lovecraft.cli.common import Help, add_game, find_game, print_json, read
from lovecraft.games.ritos_ancestrais import load_edition, register_edition
from lovecraft.i18n import text

NAME = "balance"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game, the edition (its name, or a file), how many games, the seed."""
    add_game(sub, words)
    sub.add_argument("--edition", default="house", metavar="NAME|FILE", help=words("edition"))
    sub.add_argument("--games", type=int, default=1000, metavar="N", help=words("games"))
    sub.add_argument(
        "--rounds", type=int, default=balance.ROUNDS, metavar="N", help=words("rounds")
    )
    sub.add_argument("--seed", default="0", help=words("seed"))


def run(args: argparse.Namespace) -> int:
    """Play the games and print the figures, and which of them the edition keeps.

    0 if all; 1 if one is missed, or undecided.
    """
    find_game(args.game)
    edition = args.edition
    if edition.endswith(".json") or edition == "-":
        edition = register_edition(load_edition(read(edition), edition))
    tell = _progress(args.json)
    measured = balance.report(args.game, edition, args.games, args.seed, tell, args.rounds)
    if args.json:
        print_json(measured)
        return 0 if measured["passed"] else 1
    first, turns = measured["first_player"], measured["turns"]
    print(
        text(
            "cli.balance",
            args.lang,
            n=measured["games"],
            edition=measured["edition"],
            first=f"{first['rate']:.1%}",
            turns=turns["median"],
        )
    )
    for row in measured["cards"]:
        lift = "–"
        if row["lift"] is not None:
            lift = f"{row['lift']:+6.1%} [{row['low']:+.1%}, {row['high']:+.1%}]"
        print(f"  {row['card']:26} {row['played']:6.1%}  {lift}")
    for row in measured["plans"]:
        print(f"  {row['plan']:26} {row['rate']:6.1%}  [{row['low']:.1%}, {row['high']:.1%}]")
    for name, kept in measured["checks"].items():
        print(f"  {name:26} {text(_KEPT[kept], args.lang)}")
    return 0 if measured["passed"] else 1


_KEPT = {True: "cli.yes", False: "cli.no", None: "cli.undecided"}


def _progress(quiet: bool) -> Callable[[int, int], None] | None:
    """A line that counts the games, where somebody watches."""
    if quiet or not sys.stderr or not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        sys.stderr.write(f"\r{done}/{total}" if done < total else "\r\x1b[K")
        sys.stderr.flush()

    return tell
