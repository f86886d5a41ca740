"""``play``: a game between bots, or with people at the terminal."""

from __future__ import annotations

import argparse
import errno
import random
import secrets
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from lovecraft import bots
from lovecraft.cli.common import Help, add_game, add_options, find_game, parse_options, print_json
from lovecraft.core.codec import Json
from lovecraft.core.events import Event
from lovecraft.core.game import AnyGame
from lovecraft.core.match import Agent, Match
from lovecraft.core.record import Player, Record
from lovecraft.i18n import text

NAME = "play"
HUMAN = "human"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game, who plays, and what to write down."""
    add_game(sub, words)
    sub.add_argument("--players", default="greedy,random", metavar="A,B,…", help=words("seats"))
    sub.add_argument("--seed", help=words("seed"))
    sub.add_argument("--record", metavar="FILE", help=words("record"))
    add_options(sub, words)


def run(args: argparse.Namespace) -> int:
    """Play to the end (or until the person at the terminal leaves)."""
    game = find_game(args.game)
    kinds = [kind.strip() for kind in args.players.split(",")]
    agents = [None if kind == HUMAN else bots.make(kind, game) for kind in kinds]
    players = tuple(
        Player(text("core.seat", args.lang, number=i + 1), kind) for i, kind in enumerate(kinds)
    )
    seed = args.seed if args.seed is not None else secrets.token_hex(8)
    record = Record.begin(game, players, parse_options(game, args.options))
    if args.record and not Path(args.record).parent.is_dir():  # told before a game is played
        raise FileNotFoundError(errno.ENOENT, "", args.record)
    match = Match(record, seed)
    left = False
    try:
        # standard output is for the JSON alone, so people are asked on the other one
        with redirect_stdout(sys.stderr if args.json else sys.stdout):
            for seat, events in _turns(match, agents, args.lang):
                if not args.json:
                    _tell(events, seat, match, args.lang)
    except (_Leaves, EOFError):
        left = True
    finally:  # what was played is kept, whatever ends it
        if args.record:
            Path(args.record).write_text(match.record.dumps(), encoding="utf-8")
    if args.json:
        print_json({"seed": seed, **summary(match.record)})
    elif left:
        print(text("cli.left", args.lang))
    return 0


class _Leaves(Exception):
    """The person at the terminal has had enough."""


def _turns(match: Match, agents: list[Agent | None], lang: str) -> Any:
    """Play on; yields after each action the watching seat (the only human's) and the events."""
    humans = [seat for seat, agent in enumerate(agents) if agent is None]
    watcher = humans[0] if len(humans) == 1 else None
    while True:
        if events := match.play_chance():
            yield watcher, events
        movers = match.game.to_move(match.state)
        if not movers:
            return
        chosen = [
            (seat, match.ask(seat, agents[seat] or _person(match.game, match, lang)))
            for seat in movers
        ]
        for seat, action in chosen:
            yield watcher, match.play(seat, action)


def _tell(events: tuple[Event, ...], seat: int | None, match: Match, lang: str) -> None:
    for event in events:
        print(text(event.seen_by(seat).text, lang, match.record.names))


def _person(game: AnyGame, match: Match, lang: str) -> Agent:
    """An agent that shows what the seat sees and asks at the terminal."""

    def ask(observation: Any, rng: random.Random) -> Any:
        names = match.record.names
        print(f"\n{text('cli.your-turn', lang, player=names[observation.player])}")
        for line in game.in_words(observation):
            print(f"  {text(line, lang, names)}")
        choices = {str(action): action for action in observation.actions}
        for number, action in enumerate(observation.actions, 1):
            choices[str(number)] = action
            print(f"  {number:3}  {text(game.describe(action), lang, names)}")
        while True:
            if not sys.stdin:  # closed by the caller
                raise EOFError
            answer = input(text("cli.prompt", lang)).strip()
            if answer.casefold() in ("q", "quit", "exit"):
                raise _Leaves
            if answer in choices:
                return choices[answer]
            refused = game.why_not(match.state, observation.player, answer)
            print(text("cli.choose", lang, n=len(observation.actions)))
            if refused and not answer.isdecimal():
                print(refused.text(lang, names))

    return ask


def summary(record: Record) -> Json:
    """A record's players with totals and ranks, and who has won, as JSON."""
    outcome = record.outcome()
    return {
        "game": record.game.id,
        "options": dict(record.options),
        "moves": len(record.moves),
        "finished": outcome is not None,
        "players": [
            {
                "name": player.name,
                "kind": player.kind,
                "total": outcome.totals[p] if outcome else None,
                "rank": outcome.ranks[p] if outcome else None,
            }
            for p, player in enumerate(record.players)
        ],
        "winners": [record.names[p] for p in outcome.winners] if outcome else [],
        "tiebreak": outcome.tiebreak if outcome else None,
    }
