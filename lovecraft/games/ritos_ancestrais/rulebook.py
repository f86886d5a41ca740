"""The rules of Ritos Ancestrais, each with its source (see shared/rules/ritos-ancestrais.md)."""

from lovecraft.core.options import Option
from lovecraft.core.phases import Phase
from lovecraft.core.rules import Rule, RuleBook
from lovecraft.games.ritos_ancestrais.cards import GAME

SYMBOLS = Rule(f"{GAME}/symbols", "seed", "components")
CARDS = Rule(f"{GAME}/cards", "house", "components")
RITUALS = Rule(f"{GAME}/rituals", "house", "components")
PLAYERS = Rule(f"{GAME}/players", "house", "setup")
FIRST_PLAYER = Rule(f"{GAME}/first-player", "seed", "setup")
DEAL = Rule(f"{GAME}/deal", "seed", "setup")
ROW_SETUP = Rule(f"{GAME}/row", "seed", "setup")
TURN = Rule(f"{GAME}/turn", "seed")
DRAW = Rule(f"{GAME}/draw", "seed")
REFILL = Rule(f"{GAME}/refill", "seed")
RESHUFFLE = Rule(f"{GAME}/reshuffle", "seed")
NOTHING_LEFT = Rule(f"{GAME}/nothing-left", "house")
ACTION = Rule(f"{GAME}/action", "seed")
CULT = Rule(f"{GAME}/cult", "seed")
SAME_NAME = Rule(f"{GAME}/same-name", "seed")
CULT_SYMBOL = Rule(f"{GAME}/cult-symbol", "seed")
RITUAL = Rule(f"{GAME}/ritual", "seed")
PAYMENT = Rule(f"{GAME}/payment", "house")
PASS = Rule(f"{GAME}/pass", "seed")
HAND_LIMIT = Rule(f"{GAME}/hand-limit", "seed")
DISCARDS = Rule(f"{GAME}/discards", "house")
EFFECT_RITUAL_BONUS = Rule(f"{GAME}/effect-ritual-bonus", "house", "scoring")
EFFECT_SYMBOL_WILD = Rule(f"{GAME}/effect-symbol-wild", "house")
EFFECT_RITUAL_DISCOUNT = Rule(f"{GAME}/effect-ritual-discount", "house")
EFFECT_RETURN_USED = Rule(f"{GAME}/effect-return-used", "house")
EFFECT_DRAW_EXTRA = Rule(f"{GAME}/effect-draw-extra", "house")
EFFECT_HAND_LIMIT = Rule(f"{GAME}/effect-hand-limit", "house")
EFFECT_ROW_REFRESH = Rule(f"{GAME}/effect-row-refresh", "house")
EFFECT_ROW_PEEK = Rule(f"{GAME}/effect-row-peek", "house")
EFFECT_RIVAL_HAND_LIMIT = Rule(f"{GAME}/effect-rival-hand-limit", "house")
EFFECT_PROTECT = Rule(f"{GAME}/effect-protect", "house")
EFFECT_END_BONUS = Rule(f"{GAME}/effect-end-bonus", "house", "scoring")
RITUAL_POINTS = Rule(f"{GAME}/ritual-points", "seed", "scoring")
END_BONUS = Rule(f"{GAME}/end-bonus", "seed", "scoring")
TRIGGER = Rule(f"{GAME}/trigger", "seed", "end")
EQUAL_TURNS = Rule(f"{GAME}/equal-turns", "house", "end")
DEAD_END = Rule(f"{GAME}/dead-end", "house", "end")
VICTORY = Rule(f"{GAME}/victory", "seed", "end")
TIE_HAND = Rule(f"{GAME}/tie-hand", "seed", "end")
TIE_SHARED = Rule(f"{GAME}/tie-shared", "seed", "end")
EDITION = Rule(f"{GAME}/edition", "house", "options")

BOOK = RuleBook(
    GAME,
    SYMBOLS,
    CARDS,
    RITUALS,
    PLAYERS,
    FIRST_PLAYER,
    DEAL,
    ROW_SETUP,
    TURN,
    DRAW,
    REFILL,
    RESHUFFLE,
    NOTHING_LEFT,
    ACTION,
    CULT,
    SAME_NAME,
    CULT_SYMBOL,
    RITUAL,
    PAYMENT,
    PASS,
    HAND_LIMIT,
    DISCARDS,
    EFFECT_SYMBOL_WILD,
    EFFECT_RITUAL_DISCOUNT,
    EFFECT_RETURN_USED,
    EFFECT_DRAW_EXTRA,
    EFFECT_HAND_LIMIT,
    EFFECT_ROW_REFRESH,
    EFFECT_ROW_PEEK,
    EFFECT_RIVAL_HAND_LIMIT,
    EFFECT_PROTECT,
    RITUAL_POINTS,
    EFFECT_RITUAL_BONUS,
    END_BONUS,
    EFFECT_END_BONUS,
    TRIGGER,
    EQUAL_TURNS,
    DEAD_END,
    VICTORY,
    TIE_HAND,
    TIE_SHARED,
    EDITION,
)


PHASES = (
    Phase("deal", "chance", (DEAL.id, ROW_SETUP.id), ("draw",)),
    Phase("draw", "one", (DRAW.id, REFILL.id, TURN.id), ("draw", "act", "shuffle")),
    Phase("shuffle", "chance", (RESHUFFLE.id, REFILL.id), ("draw", "act")),
    Phase(
        "act",
        "one",
        (ACTION.id, CULT.id, RITUAL.id, PASS.id),
        ("draw", "return", "discard", "shuffle", "act", "over"),
    ),
    Phase(
        "return",
        "one",
        (EFFECT_RETURN_USED.id, RITUAL.id),
        ("draw", "discard", "shuffle", "act", "over"),
    ),
    Phase(
        "discard",
        "one",
        (HAND_LIMIT.id, DISCARDS.id),
        ("draw", "discard", "shuffle", "act", "over"),
    ),
    Phase("over", "nobody", (VICTORY.id, EQUAL_TURNS.id, END_BONUS.id, TIE_HAND.id)),
)


def options(editions: tuple[str, ...]) -> tuple[Option, ...]:
    """The options of the game, given the keys of the editions there are (the default first)."""
    return (Option("edition", editions[0], editions, EDITION.id, data=True),)
