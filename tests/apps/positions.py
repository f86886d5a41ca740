"""Prepared positions in which a special case of the rules is due, for tests that tap."""

from __future__ import annotations

from typing import Any

from lovecraft import games
from lovecraft.games.ancient_cards import cards as runes
from lovecraft.games.mythicals import cards as creatures
from lovecraft.games.ritos_ancestrais.scoring import Performed
from lovecraft.games.ritos_ancestrais.state import ACT, History
from lovecraft.games.ritos_ancestrais.tables import tables
from lovecraft.games.tides_of_madness import cards as tides

TIDES = games.get("tides-of-madness")
MYTHICALS = games.get("mythicals")
RITOS = games.get("ritos-ancestrais")
ANCIENT = games.get("ancient-cards")

MINE = ("rlyeh", "dagon", "cthulhu", "azathoth", "dreamlands")
THEIRS = ("elder-things", "hastur", "innsmouth", "nyarlathotep", "unaussprechlichen-kulten")
RICH = ("blue1", "blue2", "blue3", "blue4", "blue5", "bluejoker", "green1")
TWENTY = ("conjunction",) * 4


def tides_state(mine: tuple[str, ...], theirs: tuple[str, ...], **changes: Any) -> Any:
    """A first round with these cards in front of both."""
    state = TIDES.start(TIDES.setup(2))
    rows = tuple(tuple(tides.BIT[card] for card in side) for side in (mine, theirs))
    return state._replace(tableaus=rows, **changes)


def mythicals_state(pile: int = 30, **options: Any) -> Any:
    """The person holds what pays for nearly all blue tokens and the 13."""
    start = MYTHICALS.start(MYTHICALS.setup(2, options))
    mine, theirs = creatures.pack(RICH), creatures.pack(["green2", "purple1", "red1", "red2"])
    # red and purple first: the reserve brings the person nothing blue
    rest = list(reversed(creatures.cards(creatures.ALL_CREATURES - mine - theirs)))
    number = len(rest) - (pile - 1)
    return start._replace(
        phase="draw",
        hands=(mine, theirs),
        reserve=creatures.pack(rest[:number]),
        unseen=creatures.pack(rest[number:]),
        pile=pile,
    )


def ritos_state(
    hand: tuple[str, ...],
    *cults: tuple[str, ...],
    done: tuple[tuple[str, ...], ...] = (),
    players: int = 2,
    **changes: Any,
) -> Any:
    """The person is to act with this hand; everybody else holds five of what is left."""
    t = tables("house")
    state = RITOS.start(RITOS.setup(players))
    cults += ((),) * (players - len(cults))
    done += ((),) * (players - len(done))
    rest = t.deck - t.pack(hand) - sum(t.cult(cult) for cult in ())
    rest -= sum(t.pack(cult) for cult in cults)
    left = list(t.indices(rest))
    hands = [t.pack(hand)]
    for _ in range(players - 1):
        hands.append(sum(t.unit[i] for i in left[:10:2]))
        left = left[1:10:2] + left[10:]
    rituals = tuple(tuple(Performed(ritual) for ritual in one) for one in done)
    worth = dict(zip(t.rituals, t.base_points, strict=True))
    return state._replace(
        phase=ACT,
        hands=tuple(hands),
        cults=tuple(map(t.cult, cults)),
        row=tuple(left[:6]),
        deck=tuple(left[6:]),
        done=rituals,
        points=tuple(sum(worth[one.ritual] for one in each) for each in rituals),
        history=History(
            tuple(5 if p else len(hand) for p in range(players)),
            ((),) * players,
            ((),) * players,
            0,
            (),
            0,
            (0,) * players,
        ),
    )._replace(**changes)


def last_pick(mine: list[str], theirs: list[str], *points: tuple[int, int]) -> Any:
    """The last round before the last two picks."""
    state = ANCIENT.start(ANCIENT.setup(2))
    return state._replace(
        round=2,
        pick=5,
        hands=(runes.pack(["fhtagn", "rlyeh"]), runes.pack(["ia", "rlyeh"])),
        areas=(runes.pack(mine), runes.pack(theirs)),
        points=points,
    )


SPECIAL: dict[str, tuple[Any, tuple[str, ...], str]] = {
    "tides-of-madness": (
        tides_state(MINE, THEIRS, phase="choose", movers=(0,), madness=(2, 0)),
        ("#choose-heal", "#dream-races", "#go-on", "#card-cthulhu", "#card-dagon"),
        "#front-0-cthulhu, #front-1-cthulhu",
    ),
    "mythicals": (
        mythicals_state(),
        ("#draw-red", "#token-black-13", "#ways [data-act=play]", "#token-green-2", "#ways #way-2"),
        ".stack .my-black",
    ),
    "ritos-ancestrais": (
        ritos_state(("dagon", "dagon", "nodens"), done=(TWENTY,)),
        ("#do-whisper", "#ways [data-act=play]"),
        "#rematch",
    ),
    "ancient-cards": (
        last_pick(["cthulhu"] * 4 + ["ia"], ["phnglui"] * 3 + ["mglwnafh"] * 2, (0, 1), (0, 0)),
        ("#card-fhtagn-0",),
        "#rematch",
    ),
}
"""Per game a position in which the first seat is to act, what to tap, and what is shown then."""

LAST_TURNS: dict[str, Any] = {
    "tides-of-madness": TIDES.start(TIDES.setup(2))._replace(
        phase="pick",
        movers=(0, 1),
        hands=(tides.pack(MINE), tides.pack(THEIRS)),
        fresh=(tides.pack(MINE), tides.pack(THEIRS)),
    ),
    "ancient-cards": ANCIENT.start(ANCIENT.setup(2))._replace(
        round=2,
        hands=(
            runes.pack(["ia", "ia", "ia", "cthulhu", "cthulhu", "cthulhu", "cthulhu"]),
            runes.pack(["rlyeh", "rlyeh", "rlyeh", "fhtagn", "fhtagn", "fhtagn", "fhtagn"]),
        ),
        points=((0, 0), (0, 0)),
    ),
}
"""Per game with hidden hands a position in which two people are to choose in secret."""
