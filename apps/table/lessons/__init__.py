"""A guided first game for each table, as data."""

from __future__ import annotations

from collections.abc import Mapping

from apps.table.lessons import ancient_cards, mythicals, ritos_ancestrais, tides_of_madness
from apps.table.lessons.base import Lesson, Mine, Other, Read, Step

LESSONS: Mapping[str, Lesson] = {
    "ancient-cards": ancient_cards.LESSON,
    "mythicals": mythicals.LESSON,
    "ritos-ancestrais": ritos_ancestrais.LESSON,
    "tides-of-madness": tides_of_madness.LESSON,
}
"""The lessons there are, by game."""

__all__ = ["LESSONS", "Lesson", "Mine", "Other", "Read", "Step"]
