"""A game's registered rules as a page; every rule can be linked to."""

from __future__ import annotations

from apps.shell import Page, Shell
from lovecraft import games
from lovecraft.core.rules import SECTIONS


class Rulebook(Page):
    """``#/<game>/rules/<game>/<rule>`` lights one rule."""

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        super().__init__(shell)
        self.game = games.get(game)
        self.title = self.game.name
        wanted = "/".join(rest)
        self.lit = wanted if wanted in self.game.rules else ""

    def html(self) -> str:
        sections = [
            (section, [rule for rule in self.game.rules if rule.section == section])
            for section in SECTIONS
        ]
        return self.shell.render("rulebook.html", game=self.game, sections=sections, lit=self.lit)
