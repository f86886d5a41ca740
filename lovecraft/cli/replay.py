"""``replay``: check a record and tell the game again."""

from __future__ import annotations

import argparse

from lovecraft import games
from lovecraft.cli.common import Help, print_json, read
from lovecraft.cli.play import summary
from lovecraft.core.record import Record
from lovecraft.i18n import text

NAME = "replay"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The record."""
    sub.add_argument("file", metavar="FILE", help=words("record-file"))


def run(args: argparse.Namespace) -> int:
    """Replay with all checks; a record that does not replay is refused with place and reason."""
    record = Record.loads(read(args.file), games.get)
    if args.json:
        print_json(summary(record))
        return 0
    for step in record.steps():
        for event in step.events:
            print(text(event.seen_by(event.player).text, args.lang, record.names))
    return 0
