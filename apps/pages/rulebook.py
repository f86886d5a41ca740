"""A game's registered rules as a page; every rule can be linked to, and shows its example."""

from __future__ import annotations

from apps.explorer.examples import Chip, chip, laid_pair
from apps.shell import Page, Shell
from lovecraft import games
from lovecraft.core.rules import SECTIONS
from lovecraft.explain.desks import desk
from lovecraft.explain.examples import rules_with_examples
from lovecraft.i18n import msg


class Rulebook(Page):
    """``#/<game>/rules/<game>/<rule>`` lights one rule."""

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        super().__init__(shell)
        self.game = games.get(game)
        self.title = self.game.name
        wanted = "/".join(rest)
        self.lit = wanted if wanted in self.game.rules else ""
        if rest and not self.lit:
            shell.notice = msg("explore.no-rule")

    def html(self) -> str:
        sections = [
            (section, [rule for rule in self.game.rules if rule.section == section])
            for section in SECTIONS
        ]
        shown = rules_with_examples(self.game.id)
        return self.shell.render(
            "rulebook.html",
            game=self.game,
            sections=sections,
            lit=self.lit,
            with_example=shown,
            example=laid_pair(self.lit) if self.lit in shown else None,
            cards=self._cards(),
        )

    def _cards(self) -> list[Chip]:
        """The cards that the lit rule is about, unless it is about nearly all."""
        about = [c.id for c in self.game.cards if self.lit in self.game.card_rules(c.id)]
        few = 2 * len(about) <= len(self.game.cards)
        return [chip(desk(self.game.id), card) for card in about] if few else []
