"""Scoring Ritos Ancestrais beside real cards: rituals on a track to 21, cults, end bonuses.

Each player has ``rituals`` (``{"ritual": id, "bonus": what the cult added}``), ``cult``, ``cards``
(those of the hand, as far as they were entered) and ``hand`` (how many there are at the end).
``edition`` is a whole edition as JSON, or absent for the house edition; ``over`` is true once all
have had their last turn.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.companion import picture
from apps.companion.page import PointSource, Result, Sheet, SheetPage
from apps.companion.session import Path
from lovecraft import games
from lovecraft.core import ScoreLine, ScoreSheet
from lovecraft.explain import changes
from lovecraft.explain.changes import WhatIf
from lovecraft.games.ritos_ancestrais import payments, rulebook
from lovecraft.games.ritos_ancestrais.cards import DRAWS, GOAL, MAX_PLAYERS, MIN_PLAYERS, SYMBOLS
from lovecraft.games.ritos_ancestrais.edition import (
    HOUSE_EDITION,
    MAX_HAND,
    MAX_POINTS,
    CultCard,
    Edition,
    InvalidEdition,
    Ritual,
    effect_text,
    load_edition,
    needs_text,
    read_edition,
    register,
    symbol_name,
)
from lovecraft.games.ritos_ancestrais.game import hand_limit
from lovecraft.games.ritos_ancestrais.scoring import (
    Performed,
    end_sheet,
    final_standings,
    ritual_sheet,
)
from lovecraft.games.ritos_ancestrais.sheet import MOST_RITUALS
from lovecraft.games.ritos_ancestrais.tables import Payment, Tables, tables
from lovecraft.i18n import Message, Seat, msg, text

SHOWN_WAYS = 3
"""Payments that are offered for one ritual; other ways are counted."""


class Offer(NamedTuple):
    """A ritual of the edition, as the player who is entered could perform it now."""

    ritual: Ritual
    name: Message
    needs: Message
    least: int
    most: int
    ways: tuple[Payment, ...]
    more: int


class Done(NamedTuple):
    """A ritual performed: its line, the line of its bonus if any, and how much that may be."""

    at: int
    key: str
    line: ScoreLine
    added: ScoreLine | None
    bonus: int
    most: int


class RitosSheet(SheetPage):
    """Rituals, cults and hands on the way to 21."""

    game = games.get("ritos-ancestrais")
    template = "companion/ritos_ancestrais.html"
    seats = (MIN_PLAYERS, MAX_PLAYERS)
    looking = frozenset({"player"})
    player = 0

    # -- the sheet --------------------------------------------------------------------------------

    @classmethod
    def blank(cls, names: Sequence[str]) -> Sheet:
        return {"players": [_player(name) for name in names]}

    @classmethod
    def edition_of(cls, sheet: Sheet) -> Edition:
        """The edition that a sheet is played with."""
        return register(read_edition(sheet["edition"])) if "edition" in sheet else HOUSE_EDITION

    @classmethod
    def check(cls, sheet: Sheet) -> None:
        t = tables(cls.edition_of(sheet).key)
        if type(sheet.get("over", False)) is not bool:
            raise ValueError("over")
        left = {card.id: card.copies for card in t.edition.cards}
        for player in sheet["players"]:
            if player.keys() != {"name", "rituals", "cult", "cards", "hand"}:
                raise ValueError("player")
            rituals, cult, cards = player["rituals"], player["cult"], player["cards"]
            if not all(isinstance(some, list) for some in (rituals, cult, cards)):
                raise ValueError("lists")
            if len(rituals) > MOST_RITUALS or len(cards) > MAX_HAND:
                raise ValueError("too many")
            for done in rituals:
                if not isinstance(done, dict) or done.keys() != {"ritual", "bonus"}:
                    raise ValueError("ritual")
                if not isinstance(done["ritual"], str) or done["ritual"] not in t.ritual_index:
                    raise ValueError("ritual")
                if type(done["bonus"]) is not int or not 0 <= done["bonus"] <= MAX_POINTS:
                    raise ValueError("bonus")
            for card in cult + cards:
                if not isinstance(card, str) or card not in left:
                    raise ValueError("card")
                left[card] -= 1
                if left[card] < 0:
                    raise ValueError("copies")
            if len(set(cult)) < len(cult):
                raise ValueError("cult")
            if type(player["hand"]) is not int or not len(cards) <= player["hand"] <= MAX_HAND:
                raise ValueError("hand")

    @classmethod
    def scored(cls, sheet: Sheet) -> list[tuple[ScoreSheet, ScoreSheet]]:
        """Per player the points of the rituals, and the end bonuses of a game that ended now."""
        edition = cls.edition_of(sheet)
        found = []
        for player in sheet["players"]:
            performed = [Performed(d["ritual"], d["bonus"]) for d in player["rituals"]]
            names = [one.ritual for one in performed]
            end = end_sheet(edition, names, player["cult"], player["hand"])
            found.append((ritual_sheet(edition, performed), end))
        return found

    @classmethod
    def result(cls, sheet: Sheet) -> Result:
        totals = [rituals.points + end.points for rituals, end in cls.scored(sheet)]
        hands = [player["hand"] for player in sheet["players"]]
        return Result(final_standings(totals, hands), sheet.get("over", False))

    @classmethod
    def sources(cls, sheet: Sheet) -> list[list[tuple[PointSource, int]]]:
        colours = {
            rulebook.RITUAL_POINTS.id: "suit-races",
            rulebook.EFFECT_RITUAL_BONUS.id: "suit-outer-gods",
            rulebook.END_BONUS.id: "suit-manuscripts",
        }
        return [
            [
                (PointSource(cls.game.rules[line.rule].title, colours[line.rule]), line.points)
                for line in rituals.lines + end.lines
            ]
            for rituals, end in cls.scored(sheet)
        ]

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def tables(self) -> Tables:
        return tables(self.edition_of(self.sheet).key)

    @property
    def own(self) -> dict[str, Any]:
        """The player who is entered."""
        return self.players[self.player]

    def context(self) -> dict[str, Any]:
        t = self.tables
        scored = self.scored(self.sheet)
        outcome, _ = self.result(self.sheet)
        reached = [p for p, (rituals, _) in enumerate(scored) if rituals.points >= GOAL]
        rituals, end = scored[self.player]
        return {
            "edition": t.edition,
            "goal": GOAL,
            "rows": [
                (
                    p,
                    name,
                    scored[p][0].points,
                    scored[p][1].points,
                    self.players[p]["hand"],
                    outcome.totals[p],
                    outcome.ranks[p],
                )
                for p, name in enumerate(self.names)
            ],
            # whoever sits after the first to reach the goal has one more turn
            "reached": reached[0] if reached else None,
            "last_turns": tuple(self.names[reached[0] + 1 :]) if reached else (),
            "trigger_rule": self.game.rules["ritos-ancestrais/trigger"],
            "offers": self.offers(t),
            "done": self.done(rituals),
            "end_lines": [(f"e{i}", line) for i, line in enumerate(end.lines)],
            "end_points": end.points,
            "cards": t.edition.cards,
            "effects": {
                card.id: [effect_text(t.edition, effect) for effect in card.effects]
                for card in t.edition.cards
            },
            "own": self.own,
            "counts": {card: self.own["cards"].count(card) for card in set(self.own["cards"])},
            "lit_cards": self._lit(rituals, end),
            "hand_limit": hand_limit(
                t, [t.cult(player["cult"]) for player in self.players], self.player
            ),
            "symbol_name": symbol_name,
            "symbols": SYMBOLS,
            "over": self.sheet.get("over", False),
        }

    def offers(self, t: Tables) -> list[Offer]:
        """Every ritual, what it would bring with this cult, and which entered cards pay for it."""
        cult = t.cult(self.own["cult"])
        ways: dict[str, list[Payment]] = {}
        for way in payments(t.edition, self.own["cards"], self.own["cult"]):
            ways.setdefault(way.ritual, []).append(way)
        found = []
        for i, ritual in enumerate(t.edition.rituals):
            paid = t.standing(i, cult & t.pay_mask)
            points = [t.ritual_points(i, counts, cult) for counts in paid]
            own = sorted(ways.get(ritual.id, ()), key=lambda way: (-way.points, len(way.cards)))
            found.append(
                Offer(
                    ritual,
                    t.edition.ritual_name(ritual.id),
                    needs_text(ritual),
                    min(points),
                    max(points),
                    tuple(own[:SHOWN_WAYS]),
                    max(len(own) - SHOWN_WAYS, 0),
                )
            )
        return found

    def done(self, rituals: ScoreSheet) -> list[Done]:
        """The rituals performed, with what the cult may have added to each."""
        t = self.tables
        lines = iter(rituals.lines)
        found = []
        for at, entry in enumerate(self.own["rituals"]):
            line = next(lines)
            added = next(lines) if entry["bonus"] else None
            found.append(Done(at, f"r{at}", line, added, entry["bonus"], self._most(t, entry)))
        return found

    def _most(self, t: Tables, entry: dict[str, Any]) -> int:
        """The most that a cult of this edition can have added to a ritual.

        The cult may have been another when it was performed, so all cards that add count.
        """
        whole = t.cult(card.id for card in t.edition.cards)
        return t.most_bonus(t.ritual_index[entry["ritual"]], whole)

    def lying(self, player: int) -> list[picture.Row]:
        lang, edition, own = self.shell.lang, self.tables.edition, self.players[player]
        rituals = [
            picture.Item("", text(edition.ritual_name(done["ritual"]), lang))
            for done in own["rituals"]
        ]
        symbols = {card.id: card.symbol for card in edition.cards}
        cult = [
            picture.Item(symbols[card], text(edition.card_name(card), lang)) for card in own["cult"]
        ]
        return [picture.Row("", tuple(some)) for some in (rituals, cult) if some]

    def what_if(self) -> WhatIf | None:
        rituals, end = self.scored(self.sheet)[self.player]
        keys = []
        for one in self.done(rituals):
            keys.append(one.key)
            if one.added:
                keys.append(f"{one.key}b")
        of_end = self.lit.startswith("e")
        keys = [f"e{i}" for i in range(len(end.lines))] if of_end else keys
        if self.lit not in keys:
            return None
        number = keys.index(self.lit)
        followers = [
            changes.Follower(
                tuple(Performed(done["ritual"], done["bonus"]) for done in player["rituals"]),
                tuple(player["cult"]),
                player["hand"],
            )
            for player in self.players
        ]
        finished = self.result(self.sheet).finished
        return changes.ritos_ancestrais(
            self.tables.edition, followers, self.player, number, of_end, finished
        )

    def _lit(self, rituals: ScoreSheet, end: ScoreSheet) -> tuple[str, ...]:
        """The cards or the ritual that made the points of the line being explained."""
        lines = {f"e{i}": line for i, line in enumerate(end.lines)}
        lines |= {one.key: one.line for one in self.done(rituals)}
        if self.lit in lines:
            return lines[self.lit].cards
        if not self.lit:
            return ()
        # what the cult added: by the cards that can
        return tuple(
            card.id
            for card in self.tables.edition.cards
            if card.id in self.own["cult"] and any(e.kind == "ritual_bonus" for e in card.effects)
        )

    def next_sheet(self) -> Sheet:
        sheet = super().next_sheet()
        return {**sheet, "edition": self.sheet["edition"]} if "edition" in self.sheet else sheet

    def aim(self) -> None:
        self.player = 0

    def edited(self, path: Path) -> None:
        self.player = min(self.player, len(self.players) - 1)
        if len(path) > 2 and path[0] == "players":
            self.player = int(path[1])

    # -- what people do ---------------------------------------------------------------------------

    def on_player(self, player: int) -> None:
        """Enter what this player does."""
        if 0 <= player < len(self.players):
            self.player, self.lit = player, ""

    def on_place(self, player: int) -> None:
        """The same, from the table of results."""
        self.on_player(player)

    def _may_perform(self) -> bool:
        """Whether the player has a turn left; says so if not."""
        rituals, _ = self.scored(self.sheet)[self.player]
        if rituals.points >= GOAL:
            self.shell.notice = msg("score.ritos.reached", player=Seat(self.player), goal=GOAL)
            return False
        return len(self.own["rituals"]) < MOST_RITUALS

    def on_ritual(self, ritual: str) -> None:
        """A ritual performed with cards that were not entered; the least the cult adds counts."""
        offer = next((o for o in self.offers(self.tables) if o.ritual.id == ritual), None)
        if offer is None or not self._may_perform():
            return
        entry = {"ritual": ritual, "bonus": offer.least - offer.ritual.points}
        self.lit = ""
        self.change(["players", self.player, "rituals"], [*self.own["rituals"], entry])

    def on_pay(self, ritual: str, way: int) -> None:
        """A ritual performed with entered cards: they leave the hand."""
        offer = next((o for o in self.offers(self.tables) if o.ritual.id == ritual), None)
        if offer is None or not 0 <= way < len(offer.ways) or not self._may_perform():
            return
        chosen = offer.ways[way]
        player = copy.deepcopy(self.own)
        for card in chosen.cards:
            player["cards"].remove(card)
        player["hand"] -= len(chosen.cards)
        player["rituals"].append({"ritual": ritual, "bonus": chosen.points - offer.ritual.points})
        self.lit = ""
        self.change(["players", self.player], player)

    def on_bonus(self, at: int, step: int) -> None:
        """Correct what the cult added to a ritual."""
        if not 0 <= at < len(self.own["rituals"]):
            return
        entry = self.own["rituals"][at]
        bonus = entry["bonus"] + (1 if step > 0 else -1)
        most = self._most(self.tables, entry)
        if not 0 <= bonus <= most:
            name = self.tables.edition.ritual_name(entry["ritual"])
            self.shell.notice = msg("score.ritos.bonus", ritual=name, n=most)
            return
        self.change(["players", self.player, "rituals", at, "bonus"], bonus)

    def on_away(self, at: int) -> None:
        """Take a ritual off the sheet."""
        if 0 <= at < len(self.own["rituals"]):
            rest = [entry for i, entry in enumerate(self.own["rituals"]) if i != at]
            self.lit = ""
            self.change(["players", self.player, "rituals"], rest)

    def _copies_left(self, card: CultCard) -> int:
        """How many of a card are neither in a cult nor in an entered hand."""
        seen: int = sum((p["cult"] + p["cards"]).count(card.id) for p in self.players)
        return card.copies - seen

    def _none_left(self, card: CultCard) -> None:
        name = self.tables.edition.card_name(card.id)
        self.shell.notice = msg("ritos-ancestrais.error.sheet-copies", card=name, n=card.copies)

    def on_cult(self, card_id: str) -> None:
        """A card is laid into the cult, from the entered hand if it is there; or taken out."""
        card = self._card(card_id)
        if card is None:
            return
        player = copy.deepcopy(self.own)
        if card_id in player["cult"]:
            player["cult"].remove(card_id)
        else:
            if card_id in player["cards"]:
                player["cards"].remove(card_id)
                player["hand"] -= 1
            elif self._copies_left(card) < 1:
                self._none_left(card)
                return
            player["cult"].append(card_id)
        self.lit = ""
        self.change(["players", self.player], player)

    def on_card(self, card_id: str, step: int) -> None:
        """A card of the hand more or less."""
        card = self._card(card_id)
        player = copy.deepcopy(self.own)
        if card is None or (step < 0 and card_id not in player["cards"]):
            return
        if step < 0:
            player["cards"].remove(card_id)
            player["hand"] -= 1
        else:
            if self._copies_left(card) < 1:
                self._none_left(card)
                return
            if not self._room(len(player["cards"])):
                return
            player["cards"].append(card_id)
            player["hand"] = max(player["hand"], len(player["cards"]))
        self.change(["players", self.player], player)

    def _room(self, number: int) -> bool:
        """Whether a hand of so many cards may grow; says so if not.

        A turn may hold the drawn cards on top of the hand limit until its end.
        """
        t = self.tables
        cults = [t.cult(player["cult"]) for player in self.players]
        most = (
            hand_limit(t, cults, self.player) + DRAWS + t.amount("draw_extra", cults[self.player])
        )
        if number < min(most, MAX_HAND):
            return True
        self.shell.notice = msg("score.ritos.hand-full", player=Seat(self.player), n=most)
        return False

    def on_hand(self, step: int) -> None:
        """A card in hand more or less, whichever it is: for the tie-break and some bonuses."""
        number = self.own["hand"] + (1 if step > 0 else -1)
        if number < len(self.own["cards"]):
            if self.own["cards"]:
                self.shell.notice = msg("score.ritos.hand-entered", n=len(self.own["cards"]))
            return
        if step < 0 or self._room(number - 1):
            self.change(["players", self.player, "hand"], number)

    def on_over(self) -> None:
        """All have had their last turn, or not."""
        self.change(["over"], None if self.sheet.get("over") else True)

    def on_edition(self, words: str) -> None:
        """Begin a sheet with the edition of a file."""
        edition = register(load(words))
        self.on_new()
        self.sheet["edition"] = edition.to_json()
        self.save()

    def on_house(self) -> None:
        """Begin a sheet with the house edition."""
        self.on_new()
        self.sheet.pop("edition", None)
        self.save()

    def _card(self, card_id: str) -> CultCard | None:
        return next((card for card in self.tables.edition.cards if card.id == card_id), None)


def load(words: str) -> Edition:
    """The edition of a file. Raises InvalidEdition that says in its words where it is wrong."""
    try:
        return load_edition(words)
    except InvalidEdition as wrong:
        if not wrong.place:
            raise
        told = msg("editions.problem", place=wrong.place, why=wrong.message)
        raise InvalidEdition(told, wrong.place) from None


def _player(name: str) -> dict[str, Any]:
    return {"name": name, "rituals": [], "cult": [], "cards": [], "hand": 0}
