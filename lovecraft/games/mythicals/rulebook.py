"""The rules of Mythicals, each with its source (see shared/rules/mythicals.md)."""

from lovecraft.core.options import Option
from lovecraft.core.phases import Phase
from lovecraft.core.rules import Rule, RuleBook

GAME = "mythicals"

CREATURES = Rule(f"{GAME}/creatures", "published", "components")
DAWN_CARD = Rule(f"{GAME}/dawn-card", "seed", "components")
TOKENS = Rule(f"{GAME}/tokens", "seed", "components")
TOKEN_VALUES = Rule(f"{GAME}/token-values", "published", "components")
MARKERS = Rule(f"{GAME}/markers", "seed", "components")
PLAYERS = Rule(f"{GAME}/players", "published", "setup")
BOARD = Rule(f"{GAME}/board", "seed", "setup")
DEAL = Rule(f"{GAME}/deal", "seed", "setup")
PILE = Rule(f"{GAME}/pile", "seed", "setup")
FIRST = Rule(f"{GAME}/first-player", "seed", "setup")
OPEN_CARDS = Rule(f"{GAME}/open-cards", "published", "setup")
DRAW = Rule(f"{GAME}/draw", "seed")
REVEAL = Rule(f"{GAME}/reveal", "seed")
RESERVE = Rule(f"{GAME}/reserve", "seed")
DUPLICATES = Rule(f"{GAME}/duplicates", "published")
CLAIM = Rule(f"{GAME}/claim", "seed")
RUN = Rule(f"{GAME}/run", "seed")
SET = Rule(f"{GAME}/set", "seed")
THIRTEEN = Rule(f"{GAME}/thirteen", "seed")
JOKER = Rule(f"{GAME}/joker", "published")
STACK = Rule(f"{GAME}/stack", "published")
MODIFY = Rule(f"{GAME}/modify", "published")
REINFORCE = Rule(f"{GAME}/reinforce", "seed")
LOCK = Rule(f"{GAME}/lock", "seed")
POINTS = Rule(f"{GAME}/points", "seed", "scoring")
MARKER_POINTS = Rule(f"{GAME}/marker-points", "seed", "scoring")
DAWN = Rule(f"{GAME}/dawn", "seed", "end")
LAST_CLAIM = Rule(f"{GAME}/last-claim", "seed", "end")
END = Rule(f"{GAME}/end", "seed", "end")
TIE_SHARED = Rule(f"{GAME}/tie-shared", "house", "end")
GIFT_DUPLICATES = Rule(f"{GAME}/gift-duplicates", "house", "options")
MODIFY_OPTION = Rule(f"{GAME}/modify-every-turn", "seed", "options")
OPEN_TOKENS = Rule(f"{GAME}/open-tokens", "house", "options")

BOOK = RuleBook(
    GAME,
    CREATURES,
    DAWN_CARD,
    TOKENS,
    TOKEN_VALUES,
    MARKERS,
    PLAYERS,
    BOARD,
    DEAL,
    PILE,
    FIRST,
    OPEN_CARDS,
    DRAW,
    REVEAL,
    RESERVE,
    DUPLICATES,
    CLAIM,
    RUN,
    SET,
    THIRTEEN,
    JOKER,
    STACK,
    MODIFY,
    REINFORCE,
    LOCK,
    POINTS,
    MARKER_POINTS,
    DAWN,
    LAST_CLAIM,
    END,
    TIE_SHARED,
    GIFT_DUPLICATES,
    MODIFY_OPTION,
    OPEN_TOKENS,
)

PHASES = (
    Phase("deal", "chance", (DEAL.id, FIRST.id, PILE.id), ("draw",)),
    Phase(
        "draw", "one", (DRAW.id, RESERVE.id, DUPLICATES.id), ("reveal", "claim", "modify", "draw")
    ),
    Phase("reveal", "chance", (REVEAL.id, DAWN.id), ("take",)),
    Phase("take", "one", (REVEAL.id, DUPLICATES.id), ("claim", "modify", "draw", "over")),
    Phase(
        "claim",
        "one",
        (CLAIM.id, RUN.id, SET.id, THIRTEEN.id, JOKER.id),
        ("modify", "draw", "over"),
    ),
    Phase("modify", "one", (MODIFY.id, REINFORCE.id, LOCK.id), ("draw",)),
    Phase("over", "nobody", (END.id, LAST_CLAIM.id, TIE_SHARED.id)),
)

AFTER_CLAIM, EVERY_TURN = "after-claim", "every-turn"

OPTIONS = (
    Option("gift_duplicates", True, (True, False), GIFT_DUPLICATES.id),
    Option("modify", AFTER_CLAIM, (AFTER_CLAIM, EVERY_TURN), MODIFY_OPTION.id),
    Option("open_tokens", True, (True, False), OPEN_TOKENS.id),
)
