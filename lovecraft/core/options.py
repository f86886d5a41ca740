"""Options of a game as data: names, kinds, defaults, what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lovecraft.core.errors import InvalidOption
from lovecraft.i18n import Message, msg

Value = int | bool | str


class Option(NamedTuple):
    """One option: every value it may take, the default among them, and the rule it belongs to.

    Its words are the catalogue entries ``option.<game>.<name>`` and ``…<name>.help``; a value
    that is a string has ``option.<game>.<name>.<value>``.
    """

    name: str
    default: Value
    values: tuple[Value, ...]
    rule: str
    data: bool = False
    """Whether a value names what the game is played with, so that positions cannot change it."""

    def check(self, value: object) -> Value:
        """The value if it is one of ``values`` (and of the same type), else InvalidOption."""
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return allowed
        shown = tuple(str(v).lower() if isinstance(v, bool) else str(v) for v in self.values)
        raise InvalidOption(
            msg("error.option-value", value=_short(value), allowed=shown), f"options.{self.name}"
        )


def resolve(options: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value, given or default. Unknown names raise InvalidOption."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise InvalidOption(
                msg("error.option-unknown", allowed=tuple(known) or "–"), f"options.{_short(name)}"
            )
    return {name: o.check(given.get(name, o.default)) for name, o in known.items()}


def label(game: str, name: str, value: Value | None = None) -> Message:
    """The words for an option, or for one of its string values."""
    if isinstance(value, str):
        return msg(f"option.{game}.{name}.{value}")
    return msg(f"option.{game}.{name}")


def _short(value: object) -> str:
    if not isinstance(value, (str, int, float)) and value is not None:
        return "…"  # it may be nested without end
    try:
        shown = str(value)
    except ValueError:  # a number with thousands of digits
        return "…"
    return shown if len(shown) <= 40 else shown[:39] + "…"
