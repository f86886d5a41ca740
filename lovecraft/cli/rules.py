"""``rules``: the whole rulebook of a game from its registered rules."""

from __future__ import annotations

import argparse

from lovecraft.cli.common import Help, add_game, find_game, print_json
from lovecraft.core.rules import SECTIONS
from lovecraft.i18n import text

NAME = "rules"


def arguments(sub: argparse.ArgumentParser, words: Help) -> None:
    """The game."""
    add_game(sub, words)


def run(args: argparse.Namespace) -> int:
    """Print the rules by section, each with its source."""
    game = find_game(args.game)
    lang = args.lang
    if args.json:
        print_json(
            {
                "game": game.id,
                "name": text(game.name, lang),
                "rules": [
                    {
                        "id": rule.id,
                        "section": rule.section,
                        "source": rule.source,
                        "title": text(rule.title, lang),
                        "text": text(rule.text, lang),
                    }
                    for rule in game.rules
                ],
            }
        )
        return 0
    title = text(game.name, lang)
    print(f"{title}\n{'=' * len(title)}")
    for section in SECTIONS:
        rules = [rule for rule in game.rules if rule.section == section]
        if rules:
            heading = text(f"section.{section}", lang)
            print(f"\n{heading}\n{'-' * len(heading)}")
        for rule in rules:
            print(f"\n{text(rule.title, lang)} [{text(f'source.{rule.source}', lang)}] ({rule.id})")
            print(f"  {text(rule.text, lang)}")
    return 0
