"""Scoring Mythicals beside real cards: who has which token with how many markers.

The sheet has ``tokens`` (token → ``{"player": 0 or 1, "markers": 0–2}``, in the order entered),
``hands`` (the creature cards of both, as far as they were entered), ``over`` once dawn has come,
and ``gifts`` (false: equal cards need not be given away).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.companion import picture
from apps.companion.page import PointSource, Result, Sheet, SheetPage
from apps.companion.session import Path
from lovecraft import games
from lovecraft.core import ScoreLine
from lovecraft.explain import changes
from lovecraft.explain.changes import WhatIf
from lovecraft.games.mythicals import rulebook
from lovecraft.games.mythicals.cards import (
    COLOURS,
    COPIES,
    CREATURES,
    MARKERS,
    MAX_MARKERS,
    TOKEN,
    TOKENS,
    VALUES,
    Token,
    pack,
)
from lovecraft.games.mythicals.claims import claimable, missing
from lovecraft.games.mythicals.scoring import final_standings, score
from lovecraft.i18n import Message, Seat, msg

SHOWN_WAYS = 3
"""Payments that are offered for one token; other ways are counted."""


COLOUR_OF = {
    "blue": "suit-locations",
    "green": "suit-races",
    "purple": "suit-outer-gods",
    "red": "mad",
    "any": "faint",
    "black": "ink",
}
"""The CSS variable with the colour of a token."""


class Place(NamedTuple):
    """A token on the drawn board: whose it is, if anybody's, and its markers."""

    token: Token
    owner: int | None
    markers: int
    lit: bool


class Claim(NamedTuple):
    """A token still on the board, and what of the entered cards would pay for it."""

    token: Token
    cost: Message
    ways: tuple[tuple[str, ...], ...]
    more: int


class MythicalsSheet(SheetPage):
    """Tokens and markers on a drawn board."""

    game = games.get("mythicals")
    template = "companion/mythicals.html"
    looking = frozenset({"player"})
    player = 0
    """For whom tapped tokens and cards are entered."""
    chosen = ""
    """The token whose markers are being entered."""

    # -- the sheet --------------------------------------------------------------------------------

    @classmethod
    def blank(cls, names: Sequence[str]) -> Sheet:
        return {"players": [{"name": name} for name in names], "tokens": {}, "hands": [[], []]}

    @classmethod
    def check(cls, sheet: Sheet) -> None:
        tokens, hands = sheet.get("tokens"), sheet.get("hands")
        if not isinstance(tokens, dict) or not tokens.keys() <= TOKEN.keys():
            raise ValueError("tokens")
        for place in tokens.values():
            if not isinstance(place, dict) or place.keys() != {"player", "markers"}:
                raise ValueError("token")
            if type(place["player"]) is not int or place["player"] not in (0, 1):
                raise ValueError("player")
            if type(place["markers"]) is not int or not 0 <= place["markers"] <= MAX_MARKERS:
                raise ValueError("markers")
        if sum(place["markers"] for place in tokens.values()) > MARKERS:
            raise ValueError("markers")
        if not isinstance(hands, list) or len(hands) != 2:
            raise ValueError("hands")
        if not all(isinstance(hand, list) for hand in hands):
            raise ValueError("hand")
        held = hands[0] + hands[1]
        if not all(isinstance(card, str) and card in CREATURES for card in held):
            raise ValueError("card")
        if any(held.count(card) > COPIES for card in held):
            raise ValueError("copies")
        if any(type(sheet.get(name, False)) is not bool for name in ("over", "gifts")):
            raise ValueError("options")

    @classmethod
    def claimed(cls, sheet: Sheet, player: int) -> list[tuple[str, int]]:
        """The tokens of a player with their markers."""
        return [
            (token, place["markers"])
            for token, place in sheet["tokens"].items()
            if place["player"] == player
        ]

    @classmethod
    def result(cls, sheet: Sheet) -> Result:
        totals = [score(cls.claimed(sheet, p)).points for p in (0, 1)]
        finished = sheet.get("over", False) or len(sheet["tokens"]) == len(TOKENS)
        return Result(final_standings(totals), finished)

    @classmethod
    def sources(cls, sheet: Sheet) -> list[list[tuple[PointSource, int]]]:
        markers = PointSource(msg("score.mythicals.markers"), "gold")

        def source(line: ScoreLine) -> PointSource:
            if line.rule != rulebook.POINTS.id:
                return markers
            colour = TOKEN[line.cards[0]].colour
            return PointSource(msg(f"mythicals.colour.{colour}"), COLOUR_OF[colour])

        return [
            [(source(line), line.points) for line in score(cls.claimed(sheet, p)).lines]
            for p in (0, 1)
        ]

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def tokens(self) -> dict[str, dict[str, int]]:
        tokens: dict[str, dict[str, int]] = self.sheet["tokens"]
        return tokens

    @property
    def hands(self) -> list[list[str]]:
        hands: list[list[str]] = self.sheet["hands"]
        return hands

    def markers_left(self) -> int:
        """Markers that lie on no claimed token."""
        return MARKERS - sum(place["markers"] for place in self.tokens.values())

    def context(self) -> dict[str, Any]:
        outcome, _ = self.result(self.sheet)
        lines = [
            [(f"{p}-{i}", line) for i, line in enumerate(score(self.claimed(self.sheet, p)).lines)]
            for p in (0, 1)
        ]
        lit = [card for own in lines for key, line in own if key == self.lit for card in line.cards]
        places = [
            Place(
                token,
                self.tokens[token.id]["player"] if token.id in self.tokens else None,
                self.tokens[token.id]["markers"] if token.id in self.tokens else 0,
                token.id in lit,
            )
            for token in TOKENS
        ]
        hand = self.hands[self.player]
        return {
            "board": places,
            "chosen": next((one for one in places if one.token.id == self.chosen), None),
            "lines": lines,
            "rows": [
                (
                    p,
                    name,
                    len(self.claimed(self.sheet, p)),
                    sum(markers for _, markers in self.claimed(self.sheet, p)),
                    outcome.totals[p],
                    outcome.ranks[p],
                )
                for p, name in enumerate(self.names)
            ],
            "markers_left": self.markers_left(),
            "max_markers": MAX_MARKERS,
            "over": self.sheet.get("over", False),
            "colours": COLOURS,
            "values": VALUES,
            "hand": hand,
            "other_hand": self.hands[1 - self.player],
            "claims": self.claims(hand),
            "nearly": self.nearly(hand),
            "cost": self.cost,
            "dawn_rule": self.game.rules["mythicals/dawn"],
        }

    def lying(self, player: int) -> list[picture.Row]:
        return [
            picture.Row(
                "",
                tuple(
                    picture.Item(
                        TOKEN[token].colour,
                        f"{TOKEN[token].points} +{markers}"
                        if markers
                        else str(TOKEN[token].points),
                    )
                    for token, markers in self.claimed(self.sheet, player)
                ),
            )
        ]

    def what_if(self) -> WhatIf | None:
        places = {token: (at["player"], at["markers"]) for token, at in self.tokens.items()}
        for p in (0, 1):
            for i, line in enumerate(score(self.claimed(self.sheet, p)).lines):
                if self.lit == f"{p}-{i}":
                    of_markers = line.rule != rulebook.POINTS.id
                    finished = self.result(self.sheet).finished
                    return changes.mythicals(places, line.cards[0], of_markers, finished)
        return None

    def cost(self, token: Token) -> Message:
        """What a token costs, in words."""
        colour = msg(f"mythicals.colour.{token.colour}")
        return msg(f"mythicals.cost.{token.cost}", n=token.size, colour=colour)

    def claims(self, hand: list[str]) -> list[Claim]:
        """What these cards can claim, the most valuable first."""
        free = [token.id for token in TOKENS if token.id not in self.tokens]
        found = [
            Claim(
                TOKEN[token],
                self.cost(TOKEN[token]),
                ways[:SHOWN_WAYS],
                max(len(ways) - SHOWN_WAYS, 0),
            )
            for token, ways in claimable(hand, free).items()
            if ways
        ]
        return sorted(found, key=lambda claim: -claim.token.points)

    def nearly(self, hand: list[str]) -> list[Token]:
        """The tokens for which one more card would do."""
        if not hand:
            return []
        bundle = pack(hand)
        near = [
            token
            for token in TOKENS
            if token.id not in self.tokens and missing(token.id, bundle) == 1
        ]
        return sorted(near, key=lambda token: -token.points)

    def aim(self) -> None:
        self.player, self.chosen = 0, ""

    def edited(self, path: Path) -> None:
        self.chosen = ""
        if len(path) > 1 and path[0] == "tokens" and path[1] in self.tokens:
            self.chosen = str(path[1])

    # -- what people do ---------------------------------------------------------------------------

    def on_player(self, player: int) -> None:
        """Enter tokens and cards for this player."""
        if player in (0, 1):
            self.player, self.chosen = int(player), ""

    def on_token(self, token: str) -> None:
        """A free token goes to the player who is entered; any other shows whose it is."""
        if token not in TOKEN:
            return
        self.lit = ""
        if token in self.tokens:
            self.chosen = "" if token == self.chosen else token
            return
        self.chosen = token
        self.change(["tokens", token], {"player": self.player, "markers": 0})

    def on_give(self, player: int) -> None:
        """The chosen token is the other player's after all."""
        if self.chosen in self.tokens and player in (0, 1):
            self.lit = ""
            self.change(["tokens", self.chosen, "player"], player)

    def on_back(self) -> None:
        """The chosen token lies on the board after all."""
        if self.chosen in self.tokens:
            token, self.chosen, self.lit = self.chosen, "", ""
            self.change(["tokens", token], None)

    def on_markers(self, number: int) -> None:
        """How many markers came with the chosen token."""
        if self.chosen not in self.tokens or not 0 <= number <= MAX_MARKERS:
            return
        most = self.markers_left() + self.tokens[self.chosen]["markers"]
        if number > most:
            n = MARKERS - most + number
            self.shell.notice = msg("mythicals.error.sheet-markers", n=n, most=MARKERS)
            return
        self.lit = ""
        self.change(["tokens", self.chosen, "markers"], number)

    def on_over(self) -> None:
        """Dawn has come, or has not."""
        self.change(["over"], None if self.sheet.get("over") else True)

    def on_gifts(self, kept: bool) -> None:
        """Whether equal cards stay with their player."""
        self.change(["gifts"], False if kept else None)

    def on_card(self, card: str) -> None:
        """One creature card more in the hand, as often as it can be there; then none again."""
        if card not in CREATURES:
            return
        hand, other = self.hands[self.player], self.hands[1 - self.player]
        number = hand.count(card) + 1
        most = COPIES if self.sheet.get("gifts") is False else 1
        if number > most or number + other.count(card) > COPIES:
            number = 0
            if card not in hand:
                name = self.game.card_name(card)
                self.shell.notice = msg(
                    "score.mythicals.both-there", card=name, player=Seat(1 - self.player)
                )
                return
        rest = [c for c in hand if c != card] + [card] * number
        self.change(["hands", self.player], sorted(rest, key=CREATURES.index))

    def on_claim(self, token: str, way: int) -> None:
        """Pay for a token with the entered cards: they leave the hand, the token is claimed."""
        hand = self.hands[self.player]
        if token not in TOKEN or token in self.tokens:
            return
        ways = claimable(hand, [token])[token]
        if not 0 <= way < len(ways):
            return
        sheet = copy.deepcopy(self.sheet)
        for card in ways[way]:
            sheet["hands"][self.player].remove(card)
        sheet["tokens"][token] = {"player": self.player, "markers": 0}
        self.lit, self.chosen = "", token
        self.change([], sheet)
