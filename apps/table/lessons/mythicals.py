"""Mythicals: two turns with every step of one, and a gift."""

from __future__ import annotations

from apps.table.lessons.base import Lesson, Mine, Other, Read
from lovecraft.core import CHANCE
from lovecraft.i18n import Message, msg

THEY = 1


def _name(piece: str) -> Message:
    return msg(f"card.mythicals.{piece}")


LESSON = Lesson(
    ("Wilmarth",),
    (
        Other(CHANCE, {"first": 0, "hands": [["blue1", "green3"], ["purple4", "red2"]]}),
        Mine(msg("lesson.mythicals.draw"), "mythicals/draw", {"draw": "pile"}),
        Other(CHANCE, {"reveal": ["blue2", "blue3", "red5"]}),
        Mine(msg("lesson.mythicals.take"), "mythicals/reveal", {"take": "blue"}),
        Mine(
            msg("lesson.mythicals.claim", token=_name("blue-4")),
            "mythicals/claim",
            {"claim": "blue-4", "pay": ["blue1", "blue2", "blue3"]},
        ),
        Mine(
            msg("lesson.mythicals.reinforce", token=_name("green-2")),
            "mythicals/reinforce",
            {"reinforce": "green-2", "markers": 2},
        ),
        Other(THEY, {"draw": "red"}),
        Read(msg("lesson.mythicals.theirs"), "mythicals/reserve"),
        Mine(msg("lesson.mythicals.again"), "mythicals/draw", {"draw": "pile"}),
        Other(CHANCE, {"reveal": ["green3", "green4", "purple1"]}),
        Mine(
            msg("lesson.mythicals.gift", card=_name("green3")),
            "mythicals/duplicates",
            {"take": "green"},
        ),
        Mine(
            msg("lesson.mythicals.runs", token=_name("green-2")),
            "mythicals/claim",
            {"claim": "green-2", "pay": ["green3", "green4"]},
        ),
        Mine(
            msg("lesson.mythicals.lock", token=_name("red-2")),
            "mythicals/lock",
            {"lock": "red-2"},
        ),
        Other(THEY, {"draw": "purple"}),
        Read(msg("lesson.mythicals.end"), "mythicals/dawn"),
    ),
)
