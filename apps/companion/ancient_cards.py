"""Scoring Ancient Cards beside real cards: runes per player and round, the score as it grows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.companion import picture
from apps.companion.page import PointSource, Replay, Result, Sheet, SheetPage
from apps.companion.session import Path
from lovecraft import games
from lovecraft.core import InvalidSheet, ScoreSheet
from lovecraft.explain import changes
from lovecraft.explain.changes import WhatIf
from lovecraft.games.ancient_cards import replay, rulebook
from lovecraft.games.ancient_cards.cards import HAND_SIZE, ROUNDS, RUNES
from lovecraft.games.ancient_cards.scoring import final_standings, score
from lovecraft.games.ancient_cards.sheet import MAX_PLAYERS, MIN_PLAYERS, check_counts
from lovecraft.i18n import msg, text


class Row(NamedTuple):
    """One player in the table of results: per round the points and whether it has all cards."""

    player: int
    name: str
    rounds: tuple[tuple[int, bool, bool], ...]
    total: int
    rank: int


class AncientCardsSheet(SheetPage):
    """Runes per player and round."""

    game = games.get("ancient-cards")
    template = "companion/ancient_cards.html"
    seats = (MIN_PLAYERS, MAX_PLAYERS)
    player = 0
    round = 0

    # -- the sheet --------------------------------------------------------------------------------

    @classmethod
    def blank(cls, names: Sequence[str]) -> Sheet:
        return {"players": [_player(name) for name in names]}

    @classmethod
    def check(cls, sheet: Sheet) -> None:
        for p, player in enumerate(sheet["players"]):
            if player.keys() != {"name", "rounds"}:
                raise ValueError("player")
            if not isinstance(player["rounds"], list) or len(player["rounds"]) != ROUNDS:
                raise ValueError("rounds")
            for r, counts in enumerate(player["rounds"]):
                if not isinstance(counts, dict):
                    raise ValueError("round")
                place = f"players[{p}].rounds[{r}]"
                if check_counts(counts, place) > HAND_SIZE:
                    raise InvalidSheet(msg("ancient-cards.error.sheet-sum", n=0), place)

    @classmethod
    def result(cls, sheet: Sheet) -> Result:
        rounds = [player["rounds"] for player in sheet["players"]]
        finished = all(sum(counts.values()) == HAND_SIZE for own in rounds for counts in own)
        points = [[score(counts).points for counts in own] for own in rounds]
        return Result(final_standings(points, finished=finished), finished)

    @classmethod
    def rounds(cls, sheet: Sheet) -> list[list[int]]:
        rounds = [[player["rounds"][r] for player in sheet["players"]] for r in range(ROUNDS)]
        return [[score(own).points for own in counts] for counts in rounds if any(counts)]

    @classmethod
    def sources(cls, sheet: Sheet) -> list[list[tuple[PointSource, int]]]:
        found = {rune: PointSource(cls.game.card_name(rune), f"rune-{rune}") for rune in RUNES}
        different = PointSource(cls.game.rules[rulebook.DIFFERENT.id].title, "gold")
        return [
            [
                (
                    found[line.cards[0]] if line.rule == rulebook.IDENTICAL.id else different,
                    line.points,
                )
                for counts in player["rounds"]
                for line in score(counts).lines
            ]
            for player in sheet["players"]
        ]

    def counts(self, player: int, rnd: int) -> dict[str, int]:
        """The runes entered for a player's round."""
        counts: dict[str, int] = self.players[player]["rounds"][rnd]
        return counts

    def number(self, player: int, rnd: int) -> int:
        """How many cards are entered for a player's round."""
        return sum(self.counts(player, rnd).values())

    # -- what is shown ----------------------------------------------------------------------------

    def context(self) -> dict[str, Any]:
        sheets = [
            [score(self.counts(p, r)) for r in range(ROUNDS)] for p in range(len(self.players))
        ]
        outcome, _ = self.result(self.sheet)
        rows = [
            Row(
                p,
                name,
                tuple(
                    (sheets[p][r].points, self.number(p, r) == HAND_SIZE, self.number(p, r) > 0)
                    for r in range(ROUNDS)
                ),
                outcome.totals[p],
                outcome.ranks[p],
            )
            for p, name in enumerate(self.names)
        ]
        shown: ScoreSheet = sheets[self.player][self.round]
        number = self.number(self.player, self.round)
        return {
            "runes": RUNES,
            "hand_size": HAND_SIZE,
            "rounds": range(ROUNDS),
            "rows": rows,
            "counts": self.counts(self.player, self.round),
            "number": number,
            "points": shown.points,
            "lines": [
                (str(i), line)
                for i, line in enumerate(shown.lines)
                if line.points or number < HAND_SIZE or not shown.points
            ],
            "lit_cards": next(
                (line.cards for i, line in enumerate(shown.lines) if str(i) == self.lit), ()
            ),
            "next": self.next_place(),
        }

    def replay(self) -> Replay | None:
        rounds = [player["rounds"] for player in self.players]
        done = [own[r] for own in rounds for r in range(self.round + 1)]
        if any(sum(counts.values()) < HAND_SIZE for counts in done):
            return None
        rng = random.Random(f"{self.session.id}/{self.round}")
        position = replay.start_of_round(rounds, self.round, rng)
        return Replay(msg("score.replay.runes"), position, {"copies": position.setup.copies})

    def lying(self, player: int) -> list[picture.Row]:
        return [
            picture.Row(
                text("app.score.round-short", self.shell.lang, number=r + 1),
                tuple(picture.Item(rune, f"×{n}") for rune in RUNES if (n := counts.get(rune))),
            )
            for r, counts in enumerate(self.players[player]["rounds"])
        ]

    def what_if(self) -> WhatIf | None:
        lines = score(self.counts(self.player, self.round)).lines
        if not self.lit.isdecimal() or int(self.lit) >= len(lines):
            return None
        line = lines[int(self.lit)]
        rune = line.cards[0] if line.rule == rulebook.IDENTICAL.id else None
        rounds = [player["rounds"] for player in self.players]
        return changes.ancient_cards(rounds, self.player, self.round, rune)

    def next_place(self) -> tuple[int, int] | None:
        """The next player and round still without seven cards, going round the table."""
        n = len(self.players)
        order = [(p, r) for r in range(ROUNDS) for p in range(n)]
        here = order.index((self.player, self.round))
        for p, r in order[here + 1 :] + order[:here]:
            if self.number(p, r) < HAND_SIZE:
                return p, r
        return None

    def aim(self) -> None:
        self.player = self.round = 0
        if self.number(0, 0) == HAND_SIZE and (place := self.next_place()):
            self.player, self.round = place

    def edited(self, path: Path) -> None:
        self.player = min(self.player, len(self.players) - 1)
        if len(path) > 3:
            self.player, self.round = int(path[1]), int(path[3])

    # -- what people do ---------------------------------------------------------------------------

    def on_rune(self, rune: str, step: int) -> None:
        """One card of a rune more or less."""
        counts = self.counts(self.player, self.round)
        number = counts.get(rune, 0) + (1 if step > 0 else -1)
        if rune not in RUNES or number < 0:
            return
        if step > 0 and self.number(self.player, self.round) >= HAND_SIZE:
            self.shell.notice = msg("app.score.seven", player=self.names[self.player])
            return
        self.lit = ""
        self.change(["players", self.player, "rounds", self.round, rune], number or None)

    def on_place(self, player: int, rnd: int) -> None:
        """Show another player's round."""
        if 0 <= player < len(self.players) and 0 <= rnd < ROUNDS:
            self.player, self.round, self.lit = player, rnd, ""


def _player(name: str) -> dict[str, Any]:
    return {"name": name, "rounds": [{} for _ in range(ROUNDS)]}
