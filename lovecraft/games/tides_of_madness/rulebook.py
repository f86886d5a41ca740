"""The rules of Tides of Madness, each with its source (see shared/rules/tides-of-madness.md)."""

from collections.abc import Mapping

from lovecraft.core.options import Option
from lovecraft.core.phases import Phase
from lovecraft.core.rules import Rule, RuleBook
from lovecraft.games.tides_of_madness.cards import CARDS

GAME = "tides-of-madness"

IN_SEED = ("miskatonic-university", "shub-niggurath", "dreamlands")
"""Cards whose effect the source text explains; the others' comes from the published game."""

DECK = Rule(f"{GAME}/deck", "seed", "components")
ICON = Rule(f"{GAME}/icon", "seed", "components")
TOKENS = Rule(f"{GAME}/tokens", "house", "components")
CARD: Mapping[str, Rule] = {
    card: Rule(f"{GAME}/{card}", "seed" if card in IN_SEED else "published", "components")
    for card in CARDS
}
"""The rule of each card: what it scores."""

PLAYERS = Rule(f"{GAME}/players", "seed", "setup")
DEAL = Rule(f"{GAME}/deal", "seed", "setup")
PICK = Rule(f"{GAME}/pick", "seed")
REVEAL = Rule(f"{GAME}/reveal", "seed")
PASS = Rule(f"{GAME}/pass", "seed")
TAKE_BACK = Rule(f"{GAME}/take-back", "seed")
KEEP = Rule(f"{GAME}/keep", "seed")
REMOVE = Rule(f"{GAME}/remove", "seed")
REVEAL_KEPT = Rule(f"{GAME}/reveal-kept", "seed")
REFILL = Rule(f"{GAME}/refill", "seed")
TAKE_MADNESS = Rule(f"{GAME}/take-madness", "seed", "scoring")
MOST_MADNESS = Rule(f"{GAME}/most-madness", "seed", "scoring")
DREAMLANDS_MADNESS = Rule(f"{GAME}/dreamlands-madness", "seed", "scoring")
DREAMLANDS_SUIT = Rule(f"{GAME}/dreamlands-suit", "seed", "scoring")
SCORE = Rule(f"{GAME}/score", "seed", "scoring")
MAJORITY = Rule(f"{GAME}/majority", "seed", "scoring")
SHUB_KEPT = Rule(f"{GAME}/shub-kept", "house", "scoring")
MADNESS = Rule(f"{GAME}/madness", "seed", "end")
MADNESS_BOTH = Rule(f"{GAME}/madness-both", "seed", "end")
END = Rule(f"{GAME}/end", "seed", "end")
TIE_SHARED = Rule(f"{GAME}/tie-shared", "seed", "end")
SHUB_STAYS = Rule(f"{GAME}/shub-stays", "house", "options")

BOOK = RuleBook(
    GAME,
    DECK,
    ICON,
    TOKENS,
    *CARD.values(),
    PLAYERS,
    DEAL,
    PICK,
    REVEAL,
    PASS,
    TAKE_BACK,
    KEEP,
    REMOVE,
    REVEAL_KEPT,
    REFILL,
    TAKE_MADNESS,
    MOST_MADNESS,
    DREAMLANDS_MADNESS,
    DREAMLANDS_SUIT,
    SCORE,
    MAJORITY,
    SHUB_KEPT,
    MADNESS,
    MADNESS_BOTH,
    END,
    TIE_SHARED,
    SHUB_STAYS,
)

PHASES = (
    Phase("deal", "chance", (DEAL.id, REFILL.id), ("pick",)),
    Phase(
        "pick",
        "all",
        (PICK.id, REVEAL.id, PASS.id, TAKE_MADNESS.id),
        ("pick", "choose", "dreamlands", "keep", "over"),
    ),
    Phase("choose", "one", (MOST_MADNESS.id,), ("dreamlands", "keep", "over")),
    Phase(
        "dreamlands", "one", (DREAMLANDS_SUIT.id, DREAMLANDS_MADNESS.id, SCORE.id), ("keep", "over")
    ),
    Phase("keep", "all", (KEEP.id, TAKE_BACK.id), ("keep", "remove")),
    Phase("remove", "all", (REMOVE.id, REVEAL_KEPT.id), ("remove", "deal")),
    Phase("over", "nobody", (END.id, MADNESS.id, MADNESS_BOTH.id, TIE_SHARED.id)),
)

OPTIONS = (Option("shub_stays", False, (False, True), SHUB_STAYS.id),)
