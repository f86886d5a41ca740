"""Rules as data: an id, where the rule comes from, and its words in the catalogues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from lovecraft.core.errors import UnknownName
from lovecraft.i18n import Message, msg

Source = Literal["seed", "published", "house"]
"""seed: the project's source text; published: the published game; house: our own reading."""


class Rule(NamedTuple):
    """One rule. Its title and text are catalogue entries ``rule.<id>.title`` and ``.text``."""

    id: str
    source: Source
    section: str = "play"

    @property
    def title(self) -> Message:
        return msg(f"rule.{self.id}.title")

    @property
    def text(self) -> Message:
        return msg(f"rule.{self.id}.text")


SECTIONS = ("components", "setup", "play", "scoring", "end", "options")


class RuleBook:
    """The registered rules of one game, in reading order.

    >>> book = RuleBook("demo", Rule("demo/deal", "seed", "setup"))
    >>> book["demo/deal"].source
    'seed'
    """

    def __init__(self, game: str, *rules: Rule) -> None:
        self.game = game
        self._rules: dict[str, Rule] = {}
        for rule in rules:
            if not rule.id.startswith(f"{game}/") or rule.id in self._rules:
                raise ValueError(f"bad or repeated rule id {rule.id!r} in {game}")
            if rule.section not in SECTIONS:
                raise ValueError(f"{rule.id}: unknown section {rule.section!r}")
            self._rules[rule.id] = rule

    def __getitem__(self, rule_id: str) -> Rule:
        try:
            return self._rules[rule_id]
        except KeyError:
            raise UnknownName(msg("error.unknown-rule", rule=rule_id)) from None

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._rules

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())

    def __len__(self) -> int:
        return len(self._rules)
