"""Scoring Tides of Madness beside real cards: each side's cards in the order played.

The sheet has three rounds of two sides. A side is ``{"played": […], "choice": …, "suit": …,
"keep": …, "remove": …}``: ``keep`` and ``remove`` are what its player did with two of these cards
after the round. Everything but ``played`` may be missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.companion import picture
from apps.companion.page import PointSource, Replay, Result, Sheet, SheetPage
from apps.companion.session import Path
from lovecraft import games
from lovecraft.core import InvalidSheet, ScoreLine
from lovecraft.explain import changes
from lovecraft.explain.changes import WhatIf
from lovecraft.games.tides_of_madness import replay, rulebook, scoring
from lovecraft.games.tides_of_madness.cards import (
    CARDS,
    FACES,
    HAND_SIZE,
    INDEX,
    LOST_AT,
    ROUNDS,
    SUITS,
    CardId,
    Face,
)
from lovecraft.games.tides_of_madness.sheet import (
    Round,
    Side,
    absent_cards,
    check_refresh,
    removed_cards,
    running_round,
)
from lovecraft.i18n import Message, Seat, msg, text

FIELDS = {"played", "choice", "suit", "keep", "remove"}
KEEP, REMOVE, PLAY = "keep", "remove", "play"


class Slot(NamedTuple):
    """A card in front of a player, with its score line."""

    key: str
    card: CardId
    face: Face
    kept: bool
    line: ScoreLine
    lit: bool


class Column(NamedTuple):
    """One player's side of the round that is shown."""

    player: int
    slots: tuple[Slot, ...]
    most: ScoreLine | None
    open: int
    points: int
    madness: int
    taken: int
    removed: tuple[CardId, ...]


class Target(NamedTuple):
    """Where the next tapped card goes: a card kept before the round, removed, or played in it."""

    kind: str
    player: int
    number: int = 0


class TidesSheet(SheetPage):
    """Both sides' cards, round by round."""

    game = games.get("tides-of-madness")
    template = "companion/tides_of_madness.html"
    looking = frozenset({"side"})
    round = 0
    side = 0
    marking: int | None = None
    """The player whose removed card is being marked."""

    # -- the sheet --------------------------------------------------------------------------------

    @classmethod
    def blank(cls, names: Sequence[str]) -> Sheet:
        return {
            "players": [{"name": name} for name in names],
            "rounds": [[{"played": []}, {"played": []}] for _ in range(ROUNDS)],
        }

    @classmethod
    def check(cls, sheet: Sheet) -> None:
        rounds = sheet.get("rounds")
        if not isinstance(rounds, list) or len(rounds) != ROUNDS:
            raise ValueError("rounds")
        if type(sheet.get("shub_stays", False)) is not bool:
            raise ValueError("shub_stays")
        for sides in rounds:
            if not isinstance(sides, list) or len(sides) != 2:
                raise ValueError("sides")
            played: list[CardId] = []
            for side in sides:
                if not isinstance(side, dict) or not side.keys() <= FIELDS:
                    raise ValueError("side")
                own = side.get("played")
                if not isinstance(own, list) or len(own) > HAND_SIZE:
                    raise ValueError("played")
                played += own
                for name, allowed in (
                    ("choice", scoring.CHOICES),
                    ("suit", SUITS),
                    ("keep", own),
                    ("remove", own),
                ):
                    if name in side and side[name] not in allowed:
                        raise ValueError(name)
                if "keep" in side and side["keep"] == side.get("remove"):
                    raise ValueError("remove")
            if not all(isinstance(card, str) and card in INDEX for card in played):
                raise ValueError("card")
            if len(set(played)) < len(played):
                raise ValueError("twice")

    @classmethod
    def sides(cls, sheet: Sheet, rnd: int) -> tuple[Side, Side]:
        """A round as the engine takes it, the cards kept before with it."""
        rounds = sheet["rounds"]
        found = []
        for p in (0, 1):
            side = rounds[rnd][p]
            kept = tuple(rounds[r][p]["keep"] for r in range(rnd) if "keep" in rounds[r][p])
            found.append(Side(kept, tuple(side["played"]), side.get("choice"), side.get("suit")))
        return found[0], found[1]

    @classmethod
    def scored(cls, sheet: Sheet) -> list[Round]:
        """The rounds as far as they are entered; after one that ends the game none."""
        rounds: list[Round] = []
        for r in range(ROUNDS):
            rounds.append(
                running_round(
                    cls.sides(sheet, r),
                    rounds[-1] if rounds else None,
                    sheet.get("shub_stays", False),
                )
            )
            if cls.whole(sheet, r, rounds[-1]) and scoring.lost(rounds[-1].madness):
                break
        return rounds

    @classmethod
    def dealt(cls, sheet: Sheet, rnd: int) -> bool:
        """Whether both sides of a round have all their cards."""
        return all(len(side["played"]) == HAND_SIZE for side in sheet["rounds"][rnd])

    @classmethod
    def whole(cls, sheet: Sheet, rnd: int, scored: Round) -> bool:
        """Whether a round is complete, the choice that is due included."""
        return cls.dealt(sheet, rnd) and (scored.most is None or scored.choice is not None)

    @classmethod
    def begun(cls, sheet: Sheet, rnd: int) -> bool:
        """Whether any card of a round is entered."""
        return any(side["played"] for side in sheet["rounds"][rnd])

    @classmethod
    def result(cls, sheet: Sheet) -> Result:
        rounds = [scored for r, scored in enumerate(cls.scored(sheet)) if cls.begun(sheet, r)]
        points = [[side.points for side in scored.scores] for scored in rounds]
        every = cls.scored(sheet)
        whole = [cls.whole(sheet, r, scored) for r, scored in enumerate(every)]
        ended = bool(scoring.lost(every[-1].madness)) and whole[-1]
        finished = ended or (len(every) == ROUNDS and all(whole))
        madness = every[-1].madness if ended else (0, 0)
        return Result(scoring.final_standings(points or [[0, 0]], madness), finished)

    @classmethod
    def rounds(cls, sheet: Sheet) -> list[list[int]]:
        return [
            [side.points for side in scored.scores]
            for r, scored in enumerate(cls.scored(sheet))
            if cls.begun(sheet, r)
        ]

    @classmethod
    def sources(cls, sheet: Sheet) -> list[list[tuple[PointSource, int]]]:
        most = cls.game.rules[rulebook.MOST_MADNESS.id].title

        def source(line: ScoreLine) -> PointSource:
            if line.rule == rulebook.MOST_MADNESS.id:
                return PointSource(most, "mad")
            suit = FACES[INDEX[line.cards[0]]].suit
            if suit is None:
                return PointSource(msg("score.tides.no-suit"), "suit-none")
            return PointSource(scoring.suit_name(suit), f"suit-{suit}")

        return [
            [
                (source(line), line.points)
                for scored in cls.scored(sheet)
                for line in scored.scores[p].lines
            ]
            for p in (0, 1)
        ]

    # -- where we are -----------------------------------------------------------------------------

    def entry(self, rnd: int, player: int) -> dict[str, Any]:
        """One side of a round as stored."""
        side: dict[str, Any] = self.sheet["rounds"][rnd][player]
        return side

    @property
    def over(self) -> int | None:
        """The round with which the game was lost to madness, if one was."""
        rounds = self.scored(self.sheet)
        r = len(rounds) - 1
        ended = scoring.lost(rounds[-1].madness) and self.whole(self.sheet, r, rounds[-1])
        return r if ended else None

    def target(self) -> Target | None:
        """Where the next card goes; None when both sides of the round are complete."""
        if self.marking is not None:
            return Target(REMOVE, self.marking)
        if self.round:
            before = self.round - 1
            for p in (0, 1):
                if self.entry(before, p)["played"] and "keep" not in self.entry(before, p):
                    return Target(KEEP, p)
        for p in (self.side, 1 - self.side):
            number = len(self.entry(self.round, p)["played"])
            if number < HAND_SIZE:
                return Target(PLAY, p, number + 1)
        return None

    def history(self) -> list[tuple[Side, Side]]:
        """The rounds before this one, if they are all complete: only then they rule cards out."""
        rounds = range(self.round)
        if not all(self.dealt(self.sheet, r) for r in rounds):
            return []
        return [self.sides(self.sheet, r) for r in rounds]

    def marked(self) -> dict[CardId, int]:
        """Cards that left the game before this round, as far as they were marked."""
        return {
            side["remove"]: p
            for r in range(self.round)
            for p, side in enumerate(self.sheet["rounds"][r])
            if "remove" in side
        }

    def absent(self, target: Target) -> dict[CardId, Message]:
        """The cards that cannot go to the target, and why."""
        if target.kind == PLAY:
            return absent_cards(self.history(), self.sides(self.sheet, self.round), self.marked())
        side = self.entry(self.round - 1, target.player)
        why = {}
        there = self.sides(self.sheet, self.round) if target.kind == REMOVE else ()
        for card in CARDS:
            name = self.game.card_name(card)
            if card not in side["played"]:
                why[card] = msg(
                    "score.tides.not-played",
                    card=name,
                    player=Seat(target.player),
                    round=self.round,
                )
            for p, lying in enumerate(there):
                if card in lying.played:
                    key = "tides-of-madness.error.sheet-lies"
                    why.setdefault(card, msg(key, card=name, player=Seat(p)))
                elif card in lying.kept:
                    key = "tides-of-madness.error.sheet-kept"
                    why.setdefault(card, msg(key, card=name, player=Seat(p)))
        return why

    def contradictions(self, rnd: int) -> Message | None:
        """What does not fit together any more, after an earlier round was changed."""
        rounds = range(rnd + 1)
        if not rnd or not self.begun(self.sheet, rnd):
            return None
        if self.over is not None and self.over < rnd:
            return msg("tides-of-madness.error.sheet-ended", n=self.over + 1)
        sides = [self.sides(self.sheet, r) for r in rounds]
        there = [card for side in sides[-1] for card in side.kept + side.played]
        for card in there:
            if there.count(card) > 1:
                return msg("tides-of-madness.error.card-twice", card=self.game.card_name(card))
        kept = all(len(side.kept) == rnd for side in sides[-1])
        if not kept or not all(self.dealt(self.sheet, r) for r in rounds):
            return None
        try:
            removed = check_refresh(sides, list(self.names), "")
        except InvalidSheet as wrong:
            return wrong.message
        for p, card in enumerate(removed):
            marked = self.entry(rnd - 1, p).get("remove", card)
            if marked != card:
                return msg(
                    "score.tides.marked-other",
                    card=self.game.card_name(marked),
                    other=self.game.card_name(card),
                    player=Seat(p),
                )
        return None

    # -- what is shown ----------------------------------------------------------------------------

    def context(self) -> dict[str, Any]:
        rounds = self.scored(self.sheet)
        shown = rounds[self.round] if self.round < len(rounds) else None
        target = self.target() if shown else None
        outcome, _ = self.result(self.sheet)
        columns = [self.column(shown, p) for p in (0, 1)] if shown else []
        return {
            "rows": [
                (
                    p,
                    name,
                    [
                        (
                            rounds[r].scores[p].points if r < len(rounds) else 0,
                            r < len(rounds) and self.whole(self.sheet, r, rounds[r]),
                            r < len(rounds) and self.begun(self.sheet, r),
                            self.contradictions(r) is not None,
                        )
                        for r in range(ROUNDS)
                    ],
                    self.madness(rounds)[p],
                    outcome.totals[p],
                    outcome.ranks[p],
                )
                for p, name in enumerate(self.names)
            ],
            "lost_at": LOST_AT,
            "columns": columns,
            "lit_line": self.lit_line(columns),
            "target": target,
            "faces": FACES,
            "suits": SUITS,
            "absent": self.absent(target) if target else {},
            "scored": shown,
            "dealt": self.dealt(self.sheet, self.round),
            "hand_size": HAND_SIZE,
            "choices": scoring.CHOICES,
            "contradiction": self.contradictions(self.round),
            "over": self.over,
            "next": self.next_round(),
            "last_round": ROUNDS - 1,
            "suit_name": scoring.suit_name,
            "face": lambda card: FACES[INDEX[card]],
        }

    def madness(self, rounds: list[Round]) -> tuple[int, int]:
        """The madness of both after the last round that is begun."""
        begun = [scored for r, scored in enumerate(rounds) if self.begun(self.sheet, r)]
        return begun[-1].madness if begun else (0, 0)

    def column(self, shown: Round, p: int) -> Column:
        """One side with the score line of each card."""
        tableau = shown.tableaus[p]
        lines = shown.scores[p].lines
        lit = self._lit_cards(shown)
        slots = tuple(
            Slot(
                f"{p}-{i}",
                card,
                FACES[INDEX[card]],
                i < len(tableau.kept),
                lines[i],
                card in lit[p],
            )
            for i, card in enumerate(tableau.cards)
        )
        removed: tuple[CardId, ...] = ()
        if self.round:
            marked = self.entry(self.round - 1, p).get("remove")
            found = None
            if self.history():
                found = removed_cards(self.history()[-1], self.sides(self.sheet, self.round))[p]
            removed = tuple(card for card in [marked or found] if card)
        return Column(
            p,
            slots,
            lines[-1] if len(lines) > len(slots) else None,
            HAND_SIZE - len(tableau.played),
            shown.scores[p].points,
            shown.madness[p],
            shown.taken[p],
            removed,
        )

    def _lit_cards(self, shown: Round) -> tuple[tuple[CardId, ...], tuple[CardId, ...]]:
        """The cards of each side that made the points of the line being explained."""
        for p in (0, 1):
            for i, line in enumerate(shown.scores[p].lines):
                if self.lit == f"{p}-{i}":
                    return (line.cards, ()) if p == 0 else ((), line.cards)
        return (), ()

    def lit_line(self, columns: list[Column]) -> tuple[int, ScoreLine, CardId | None, bool] | None:
        """The line that is explained: whose, the line, its card, and whether it was kept."""
        for column in columns:
            for slot in column.slots:
                if slot.key == self.lit:
                    return column.player, slot.line, slot.card, slot.kept
            if column.most and self.lit == f"{column.player}-{len(column.slots)}":
                return column.player, column.most, None, False
        return None

    def replay(self) -> Replay | None:
        if not all(self.dealt(self.sheet, r) for r in range(self.round + 1)):
            return None
        rounds = [self.sides(self.sheet, r) for r in range(self.round + 1)]
        if any(len(side.kept) != r for r, sides in enumerate(rounds) for side in sides):
            return None
        stays = self.sheet.get("shub_stays", False)
        position = replay.start_of_round(rounds, self.names, stays)
        return Replay(msg("score.replay.tides"), position, {"shub_stays": stays})

    def lying(self, player: int) -> list[picture.Row]:
        lang = self.shell.lang
        return [
            picture.Row(
                text("app.score.round-short", lang, number=r + 1),
                tuple(
                    picture.Item(
                        FACES[INDEX[card]].suit or "no-suit",
                        text(self.game.card_name(card), lang),
                    )
                    for card in scored.tableaus[player].cards
                ),
            )
            for r, scored in enumerate(self.scored(self.sheet))
            if self.begun(self.sheet, r)
        ]

    def what_if(self) -> WhatIf | None:
        rounds = self.scored(self.sheet)
        shown = rounds[self.round] if self.round < len(rounds) else None
        found = self.lit_line([self.column(shown, p) for p in (0, 1)]) if shown else None
        if found is None:
            return None
        player, _, card, _ = found
        begun = [r for r in range(len(rounds)) if self.begun(self.sheet, r)]
        lying = {c for side in self.sides(self.sheet, self.round) for c in side.kept + side.played}
        gone = self.absent(Target(PLAY, player)).keys() - lying if self.history() else ()
        return changes.tides_of_madness(
            [self.sides(self.sheet, r) for r in begun],
            self.round,
            player,
            card,
            gone=(*gone, *self.marked()),
            shub_stays=self.sheet.get("shub_stays", False),
            finished=self.result(self.sheet).finished,
        )

    def next_round(self) -> int | None:
        """The round to enter after this one, once this one is complete."""
        rounds = self.scored(self.sheet)
        if self.round >= len(rounds) or not self.whole(self.sheet, self.round, rounds[self.round]):
            return None
        return self.round + 1 if self.round + 1 < len(rounds) else None

    def aim(self) -> None:
        rounds = self.scored(self.sheet)
        open_rounds = [r for r, s in enumerate(rounds) if not self.whole(self.sheet, r, s)]
        self.round = open_rounds[0] if open_rounds else len(rounds) - 1
        self.side, self.marking = 0, None

    def edited(self, path: Path) -> None:
        self.marking = None
        if path and path[0] == "rounds" and len(path) > 2:
            self.round, self.side = int(path[1]), int(path[2])
            if len(path) > 3 and path[3] in (KEEP, REMOVE):
                self.round = min(self.round + 1, ROUNDS - 1)

    # -- what people do ---------------------------------------------------------------------------

    def on_card(self, card: str) -> None:
        """A card of the picker: it goes where the next one goes."""
        target = self.target()
        if target is None or card not in INDEX or self.round >= len(self.scored(self.sheet)):
            return
        if why := self.absent(target).get(card):
            self.shell.notice = why
            return
        self.lit = ""
        self.marking = None
        if target.kind == PLAY:
            played = [*self.entry(self.round, target.player)["played"], card]
            self.side = target.player if len(played) < HAND_SIZE else 1 - target.player
            self.change(["rounds", self.round, target.player, "played"], played)
            return
        if target.kind == KEEP:
            side = {**self.entry(self.round - 1, target.player), "keep": card}
            if side.get("remove") == card:
                del side["remove"]
            self.change(["rounds", self.round - 1, target.player], side)
            return
        self.change(["rounds", self.round - 1, target.player, "remove"], card)

    def on_away(self, player: int, card: str) -> None:
        """Take a card of the shown round off the sheet again."""
        if player not in (0, 1):
            return
        self.lit = ""
        side = self.entry(self.round, player)
        if card in side["played"]:
            side = {**side, "played": [c for c in side["played"] if c != card]}
            side = {k: v for k, v in side.items() if k not in (KEEP, REMOVE) or v != card}
            self.side = player
            self.change(["rounds", self.round, player], side)
            return
        for r in range(self.round):
            if self.entry(r, player).get("keep") == card:
                self.change(["rounds", r, player, "keep"], None)

    def on_earlier(self, player: int, card: str) -> None:
        """Move a card one place up in the order of play."""
        if player not in (0, 1):
            return
        played = list(self.entry(self.round, player)["played"])
        at = played.index(card) if card in played else 0
        if at:
            played[at - 1], played[at] = played[at], played[at - 1]
            kept = len(self.sides(self.sheet, self.round)[player].kept)
            self.lit = f"{player}-{kept + at - 1}"
            self.change(["rounds", self.round, player, "played"], played)

    def on_mark(self, player: int) -> None:
        """Mark the card that a player removed before this round, or leave it to be found out."""
        if not self.round or player not in (0, 1):
            return
        if "remove" in self.entry(self.round - 1, player):
            self.marking = None
            self.change(["rounds", self.round - 1, player, "remove"], None)
        else:
            self.marking = None if self.marking == player else player

    def on_choice(self, what: str) -> None:
        """Four points or one madness less, for the one who may choose."""
        rounds = self.scored(self.sheet)
        if self.round >= len(rounds) or what not in scoring.CHOICES:
            return
        most = rounds[self.round].most
        if most is not None and self.dealt(self.sheet, self.round):
            self.lit = ""
            self.change(["rounds", self.round, most, "choice"], what)

    def on_suit(self, suit: str) -> None:
        """What Dreamlands counts as this round; tapped again: the best one."""
        rounds = self.scored(self.sheet)
        if self.round >= len(rounds) or suit not in SUITS:
            return
        owner = rounds[self.round].owner
        if owner is not None:
            given = self.entry(self.round, owner).get("suit")
            self.lit = ""
            self.change(["rounds", self.round, owner, "suit"], None if suit == given else suit)

    def on_side(self, player: int) -> None:
        """Enter cards for this player."""
        if player in (0, 1):
            self.side, self.marking = player, None

    def on_place(self, player: int, rnd: int) -> None:
        """Show another round."""
        if player not in (0, 1) or not 0 <= rnd < ROUNDS:
            return
        if self.over is not None and rnd > self.over and not self.begun(self.sheet, rnd):
            self.shell.notice = msg("tides-of-madness.error.sheet-ended", n=self.over + 1)
            return
        self.round, self.side, self.lit, self.marking = rnd, player, "", None

    def on_shub_stays(self, stays: bool) -> None:
        """Whether a kept Shub-Niggurath goes on doubling."""
        self.change(["shub_stays"], True if stays else None)
