"""The rules of Ancient Cards, each with its source (see shared/rules/ancient-cards.md)."""

from lovecraft.core.options import Option
from lovecraft.core.phases import Phase
from lovecraft.core.rules import Rule, RuleBook
from lovecraft.games.ancient_cards.cards import COPIES

GAME = "ancient-cards"

DECK = Rule(f"{GAME}/deck", "house", "components")
RUNES = Rule(f"{GAME}/runes", "seed", "components")
PLAYERS = Rule(f"{GAME}/players", "house", "setup")
DEAL = Rule(f"{GAME}/deal", "house", "setup")
PICK = Rule(f"{GAME}/pick", "seed")
PASS = Rule(f"{GAME}/pass", "seed")
REVEAL = Rule(f"{GAME}/reveal", "seed")
LAST_CARD = Rule(f"{GAME}/last-card", "seed")
CLEAR = Rule(f"{GAME}/clear", "house")
IDENTICAL = Rule(f"{GAME}/identical", "seed", "scoring")
DIFFERENT = Rule(f"{GAME}/different", "seed", "scoring")
SUM = Rule(f"{GAME}/sum", "seed", "scoring")
END = Rule(f"{GAME}/end", "seed", "end")
TIE_THIRD_ROUND = Rule(f"{GAME}/tie-third-round", "seed", "end")
TIE_SHARED = Rule(f"{GAME}/tie-shared", "seed", "end")
COPIES_OPTION = Rule(f"{GAME}/copies", "house", "options")
KEEP_PLAY_AREA = Rule(f"{GAME}/keep-play-area", "house", "options")

BOOK = RuleBook(
    GAME,
    RUNES,
    DECK,
    PLAYERS,
    DEAL,
    PICK,
    PASS,
    REVEAL,
    LAST_CARD,
    CLEAR,
    IDENTICAL,
    DIFFERENT,
    SUM,
    END,
    TIE_THIRD_ROUND,
    TIE_SHARED,
    COPIES_OPTION,
    KEEP_PLAY_AREA,
)

PHASES = (
    Phase("deal", "chance", (DEAL.id, DECK.id, CLEAR.id), ("pick",)),
    Phase(
        "pick",
        "all",
        (PICK.id, PASS.id, REVEAL.id, LAST_CARD.id, SUM.id),
        ("pick", "deal", "over"),
    ),
    Phase("over", "nobody", (END.id, TIE_THIRD_ROUND.id, TIE_SHARED.id)),
)

OPTIONS = (
    Option("copies", COPIES[0], COPIES, COPIES_OPTION.id),
    Option("keep_play_area", False, (False, True), KEEP_PLAY_AREA.id),
)
