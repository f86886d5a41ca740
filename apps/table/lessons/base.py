"""What a lesson is made of."""

from __future__ import annotations

from typing import Any, NamedTuple

from lovecraft.i18n import Message


class Other(NamedTuple):
    """What chance (-1), an opponent, or the table for the learner does, without being asked."""

    seat: int
    action: Any


class Mine(NamedTuple):
    """What the learner is to do, why, and the rule it follows."""

    text: Message
    rule: str
    action: Any


class Read(NamedTuple):
    """Something to be read before it goes on."""

    text: Message
    rule: str


Step = Other | Mine | Read


class Lesson(NamedTuple):
    """A guided game for the learner in seat 0: opponents by name, and all that is done, in order.

    Actions are JSON values as in a record. The last step is one to be read.
    """

    opponents: tuple[str, ...]
    steps: tuple[Step, ...]
