"""Tides of Madness: the first round, its scoring, and the refresh."""

from __future__ import annotations

from apps.table.lessons.base import Lesson, Mine, Other, Read
from lovecraft.core import CHANCE
from lovecraft.i18n import Message, msg

THEY = 1


def _name(card: str) -> Message:
    return msg(f"card.tides-of-madness.{card}")


LESSON = Lesson(
    ("Keziah",),
    (
        Other(
            CHANCE,
            [
                ["elder-things", "rlyeh", "cthulhu", "dagon", "hastur"],
                ["innsmouth", "mountains-of-madness", "azathoth", "necronomicon", "dreamlands"],
            ],
        ),
        Mine(
            msg("lesson.tides.first", card=_name("rlyeh")),
            "tides-of-madness/rlyeh",
            {"pick": "rlyeh"},
        ),
        Other(THEY, {"pick": "necronomicon"}),
        Mine(
            msg("lesson.tides.dreamlands", card=_name("dreamlands")),
            "tides-of-madness/dreamlands",
            {"pick": "dreamlands"},
        ),
        Other(THEY, {"pick": "hastur"}),
        Mine(
            msg("lesson.tides.majority", card=_name("dagon")),
            "tides-of-madness/majority",
            {"pick": "dagon"},
        ),
        Other(THEY, {"pick": "innsmouth"}),
        Mine(
            msg("lesson.tides.each", card=_name("azathoth"), last=_name("cthulhu")),
            "tides-of-madness/azathoth",
            {"pick": "azathoth"},
        ),
        Other(THEY, {"pick": "elder-things"}),
        Other(0, {"pick": "cthulhu"}),
        Other(THEY, {"pick": "mountains-of-madness"}),
        Mine(msg("lesson.tides.choose"), "tides-of-madness/most-madness", {"choose": "points"}),
        Mine(
            msg("lesson.tides.suit", card=_name("cthulhu")),
            "tides-of-madness/dreamlands-suit",
            {"dreamlands": "races"},
        ),
        Read(msg("lesson.tides.scored"), "tides-of-madness/madness"),
        Mine(
            msg("lesson.tides.keep", card=_name("cthulhu")),
            "tides-of-madness/keep",
            {"keep": "cthulhu"},
        ),
        Other(THEY, {"keep": "necronomicon"}),
        Mine(
            msg("lesson.tides.remove", card=_name("rlyeh")),
            "tides-of-madness/remove",
            {"remove": "rlyeh"},
        ),
        Other(THEY, {"remove": "mountains-of-madness"}),
        Other(
            CHANCE,
            [["unaussprechlichen-kulten", "shub-niggurath"], ["nyarlathotep", "yog-sothoth"]],
        ),
        Read(msg("lesson.tides.end"), "tides-of-madness/end"),
    ),
)
