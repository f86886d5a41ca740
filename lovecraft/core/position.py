"""Checks that the positions of all games share; every refusal names its place.

A record may begin at a position. The position is the whole truth: what its state holds of the past
(cards that somebody has seen, points of earlier rounds) is known and counts, and there is nothing
before it.
"""

from __future__ import annotations

from lovecraft.core.errors import InvalidRecord
from lovecraft.i18n import msg

IMPOSSIBLE = "error.position-impossible"
CARDS = "error.position-cards"
KNOWN = "error.position-known"


def expect(fact: bool, place: str, key: str = IMPOSSIBLE) -> None:
    """Refuse a position in which ``fact`` does not hold. Raises InvalidRecord."""
    if not fact:
        raise InvalidRecord(msg(key), place)
