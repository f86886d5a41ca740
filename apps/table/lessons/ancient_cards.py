"""Ancient Cards: one round, from the deal to the score."""

from __future__ import annotations

from apps.table.lessons.base import Lesson, Mine, Other, Read
from lovecraft.core import CHANCE
from lovecraft.i18n import Message, msg

THEY = 1


def _name(rune: str) -> Message:
    return msg(f"card.ancient-cards.{rune}")


LESSON = Lesson(
    ("Lavinia",),
    (
        Other(
            CHANCE,
            [
                ["ia", "ia", "cthulhu", "cthulhu", "rlyeh", "wgahnagl", "fhtagn"],
                ["ia", "phnglui", "mglwnafh", "cthulhu", "cthulhu", "rlyeh", "fhtagn"],
            ],
        ),
        Mine(msg("lesson.ancient.first", rune=_name("cthulhu")), "ancient-cards/pick", "cthulhu"),
        Other(THEY, "mglwnafh"),
        Read(msg("lesson.ancient.passed"), "ancient-cards/pass"),
        Mine(
            msg("lesson.ancient.pair", rune=_name("cthulhu")), "ancient-cards/identical", "cthulhu"
        ),
        Other(THEY, "ia"),
        Mine(msg("lesson.ancient.third", rune=_name("cthulhu")), "ancient-cards/sum", "cthulhu"),
        Other(THEY, "cthulhu"),
        Mine(msg("lesson.ancient.deny", rune=_name("ia")), "ancient-cards/reveal", "ia"),
        Other(THEY, "rlyeh"),
        Mine(msg("lesson.ancient.second", rune=_name("ia")), "ancient-cards/identical", "ia"),
        Other(THEY, "rlyeh"),
        Mine(msg("lesson.ancient.last", rune=_name("fhtagn")), "ancient-cards/last-card", "fhtagn"),
        Other(THEY, "fhtagn"),
        Other(0, "wgahnagl"),
        Other(THEY, "phnglui"),
        Read(msg("lesson.ancient.scored"), "ancient-cards/different"),
        Read(msg("lesson.ancient.end"), "ancient-cards/end"),
    ),
)
