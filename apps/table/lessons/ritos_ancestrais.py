"""Ritos Ancestrais: two turns, one for the cult and one for a ritual it makes better."""

from __future__ import annotations

from collections import Counter

from apps.table.lessons.base import Lesson, Mine, Other, Read
from lovecraft.core import CHANCE
from lovecraft.games.ritos_ancestrais.edition import HOUSE_EDITION
from lovecraft.i18n import Message, msg

THEY = 1


def _name(card: str) -> Message:
    return HOUSE_EDITION.card_name(card)


_TOP = (
    # the learner's hand, the other one, the row, and what is turned up after that
    *("azathoth", "yog-sothoth", "abdul-alhazred", "mi-go", "dagon"),
    *("carcosa", "king-in-yellow", "city-of-innsmouth", "herbert-west", "randolph-carter"),
    *("azathoth", "henry-armitage", "hastur", "ancient-idol", "nodens", "elder-things"),
    *("yog-sothoth", "herbert-west", "carcosa", "mi-go", "cats-of-ulthar"),
)


def _deck() -> list[str]:
    """The whole deck with these cards on top."""
    left = Counter({card.id: card.copies for card in HOUSE_EDITION.cards}) - Counter(_TOP)
    return [*_TOP, *left.elements()]


_OFFERING = ["azathoth", "azathoth", "yog-sothoth", "ancient-idol", "dagon"]

LESSON = Lesson(
    ("Asenath",),
    (
        Other(CHANCE, {"shuffle": _deck()}),
        Read(msg("lesson.ritos.hand"), "ritos-ancestrais/symbols"),
        Mine(
            msg("lesson.ritos.draw", card=_name("azathoth")),
            "ritos-ancestrais/draw",
            {"draw": "azathoth"},
        ),
        Mine(
            msg("lesson.ritos.refill", card=_name("yog-sothoth")),
            "ritos-ancestrais/refill",
            {"draw": "yog-sothoth"},
        ),
        Mine(
            msg("lesson.ritos.cult", card=_name("abdul-alhazred")),
            "ritos-ancestrais/cult",
            {"play": "abdul-alhazred"},
        ),
        Other(THEY, {"draw": "nodens"}),
        Other(THEY, {"draw": "hastur"}),
        Other(THEY, {"play": "nodens"}),
        Mine(
            msg("lesson.ritos.second", card=_name("ancient-idol")),
            "ritos-ancestrais/rituals",
            {"draw": "ancient-idol"},
        ),
        Mine(
            msg("lesson.ritos.any", card=_name("elder-things")),
            "ritos-ancestrais/hand-limit",
            {"draw": "elder-things"},
        ),
        Mine(
            msg("lesson.ritos.ritual", ritual=HOUSE_EDITION.ritual_name("offering")),
            "ritos-ancestrais/ritual",
            {"ritual": "offering", "cards": _OFFERING},
        ),
        Other(THEY, {"draw": "herbert-west"}),
        Other(THEY, {"draw": "carcosa"}),
        Other(THEY, "pass"),
        Read(msg("lesson.ritos.end"), "ritos-ancestrais/trigger"),
    ),
)
