"""Scoring Ancient Cards beside real cards: runes per player and round, the score as it grows."""

from __future__ import annotations

from typing import Any, NamedTuple

from apps.companion.session import PREFIX, Session
from apps.shell import Page, Shell
from apps.store import now
from lovecraft import games
from lovecraft.core import InvalidSheet, LovecraftError, Outcome, ScoreSheet
from lovecraft.core.record import MAX_NAME
from lovecraft.games.ancient_cards.cards import HAND_SIZE, ROUNDS, RUNES
from lovecraft.games.ancient_cards.scoring import final_standings, score
from lovecraft.games.ancient_cards.sheet import MAX_PLAYERS, MIN_PLAYERS, check_counts
from lovecraft.i18n import Message, msg, text

GAME = games.get("ancient-cards")


class Row(NamedTuple):
    """One player in the table of results: per round the points and whether it has all cards."""

    player: int
    name: str
    rounds: tuple[tuple[int, bool, bool], ...]
    total: int
    rank: int


class AncientCardsSheet(Page):
    """One session; ``#/ancient-cards/score`` opens the latest, or a new one."""

    title = GAME.name

    def __init__(self, shell: Shell, rest: list[str]) -> None:
        super().__init__(shell)
        self.player = 0
        self.round = 0
        self.asking = ""
        self.damaged = False
        self.session = self._find(rest[0] if rest else "")
        self.key = self.session.key
        self._aim()

    # -- the session ------------------------------------------------------------------------------

    def _find(self, wanted: str) -> Session:
        store = self.shell.store
        if wanted == "new":
            return self._fresh()
        keys = [PREFIX + wanted] if wanted else self._latest_first()
        for key in keys:
            entry = store.get(key)
            if entry is None or entry.get("game") != GAME.id:
                continue
            try:
                session = Session.read(entry, key.removeprefix(PREFIX))
                check_sheet(session.sheet)
            except (ValueError, LovecraftError):
                store.set_aside(key)
                self.shell.notice = msg("app.error.damaged")
                continue
            return session
        if wanted and not self.shell.notice:
            self.shell.notice = msg("app.error.no-session")
        return self._fresh()

    def _latest_first(self) -> list[str]:
        store = self.shell.store
        entries = {key: store.get(key) or {} for key in store.keys(PREFIX)}
        ours = [
            key
            for key, entry in entries.items()
            if entry.get("game") == GAME.id and isinstance(entry.get("updated"), int)
        ]
        return sorted(ours, key=lambda key: -entries[key]["updated"])

    def _fresh(self, names: tuple[str, ...] = ("", "")) -> Session:
        return Session(GAME.id, {"players": [_player(name) for name in names]})

    def reload(self) -> None:
        entry = self.shell.store.get(self.key)
        if entry is None:
            return
        try:
            session = Session.read(entry, self.session.id)
            check_sheet(session.sheet)
        except (ValueError, LovecraftError):
            return
        self.session = session
        self.player = min(self.player, len(self.players) - 1)

    def _save(self) -> None:
        self.session.save(self.shell.store, list(self.names), finished=False)
        self.shell.go(f"#/{GAME.id}/score/{self.session.id}")

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def players(self) -> list[dict[str, Any]]:
        players: list[dict[str, Any]] = self.session.sheet["players"]
        return players

    @property
    def names(self) -> tuple[str, ...]:
        """Names as shown: those without one are called by their number."""
        return tuple(
            player["name"] or text("core.seat", self.shell.lang, number=p + 1)
            for p, player in enumerate(self.players)
        )

    def counts(self, player: int, rnd: int) -> dict[str, int]:
        """The runes entered for a player's round."""
        counts: dict[str, int] = self.players[player]["rounds"][rnd]
        return counts

    def number(self, player: int, rnd: int) -> int:
        """How many cards are entered for a player's round."""
        return sum(self.counts(player, rnd).values())

    @property
    def complete(self) -> bool:
        """Whether every player has seven cards in every round."""
        return all(
            self.number(p, r) == HAND_SIZE for p in range(len(self.players)) for r in range(ROUNDS)
        )

    def sheets(self) -> list[list[ScoreSheet]]:
        """The score of every player and round."""
        return [[score(self.counts(p, r)) for r in range(ROUNDS)] for p in range(len(self.players))]

    def outcome(self, sheets: list[list[ScoreSheet]]) -> Outcome:
        """Who leads, or who has won once all cards are entered."""
        points = [[sheet.points for sheet in rounds] for rounds in sheets]
        return final_standings(points, finished=self.complete)

    def html(self) -> str:
        sheets = self.sheets()
        outcome = self.outcome(sheets)
        names = self.names
        rows = [
            Row(
                p,
                names[p],
                tuple(
                    (sheets[p][r].points, self.number(p, r) == HAND_SIZE, self.number(p, r) > 0)
                    for r in range(ROUNDS)
                ),
                outcome.totals[p],
                outcome.ranks[p],
            )
            for p in range(len(names))
        ]
        return self.shell.render(
            "companion/ancient_cards.html",
            game=GAME,
            runes=RUNES,
            hand_size=HAND_SIZE,
            rounds=range(ROUNDS),
            rows=rows,
            names=names,
            raw_names=[player["name"] for player in self.players],
            counts=self.counts(self.player, self.round),
            number=self.number(self.player, self.round),
            sheet=sheets[self.player][self.round],
            verdict=self.verdict(outcome),
            may_add=len(names) < MAX_PLAYERS,
            may_remove=len(names) > MIN_PLAYERS,
            max_name=MAX_NAME,
            next=self.next_place(),
            session=self.session,
        )

    def verdict(self, outcome: Outcome) -> Message | None:
        """Who has won and, only when it decided, by which tie-break; or who leads."""
        winners = tuple(self.names[p] for p in outcome.winners)
        if not any(outcome.totals) and not self.complete:
            return None
        if not self.complete:
            return msg("app.score.leads", n=len(winners), winners=winners)
        if outcome.tiebreak:
            why = msg(f"rule.{outcome.rule}.text")
            return msg("core.won-by", n=len(winners), winners=winners, why=why)
        return msg("core.won", n=len(winners), winners=winners)

    def next_place(self) -> tuple[int, int] | None:
        """The next player and round still without seven cards, going round the table."""
        n = len(self.players)
        order = [(p, r) for r in range(ROUNDS) for p in range(n)]
        here = order.index((self.player, self.round))
        for p, r in order[here + 1 :] + order[:here]:
            if self.number(p, r) < HAND_SIZE:
                return p, r
        return None

    def _aim(self) -> None:
        """Go where the next card is to be entered."""
        if self.number(self.player, self.round) == HAND_SIZE and (place := self.next_place()):
            self.player, self.round = place

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
        self.session.set(["players", self.player, "rounds", self.round, rune], number or None)
        self._save()

    def on_place(self, player: int, rnd: int) -> None:
        """Show another player's round."""
        if 0 <= player < len(self.players) and 0 <= rnd < ROUNDS:
            self.player, self.round = player, rnd

    def on_undo(self) -> None:
        """Take the last change back and show where it was."""
        self._moved_to(self.session.undo())

    def on_redo(self) -> None:
        """Bring back what was undone."""
        self._moved_to(self.session.redo())

    def _moved_to(self, path: list[str | int] | None) -> None:
        if path is None:
            return
        self.player = min(self.player, len(self.players) - 1)
        if len(path) > 3:
            self.player, self.round = int(path[1]), int(path[3])
        self._save()

    def on_name(self, player: int, name: str) -> None:
        """Call a player something; nothing: by number."""
        cleaned = "".join(c for c in " ".join(name.split()) if c.isprintable() or c == "\u200d")
        self.session.set(["players", player, "name"], cleaned[:MAX_NAME])
        self._save()

    def on_add_player(self) -> None:
        """One more player, up to seven."""
        if len(self.players) < MAX_PLAYERS:
            self.session.set(["players"], [*self.players, _player("")])
            self._save()

    def on_remove_player(self, player: int) -> None:
        """One player less, down to two; undo brings the cards back."""
        if len(self.players) > MIN_PLAYERS:
            rest = [p for at, p in enumerate(self.players) if at != player]
            self.session.set(["players"], rest)
            self.player = min(self.player, len(rest) - 1)
            self._save()

    def on_ask(self, what: str) -> None:
        """Something that clears the sheet is confirmed first."""
        self.asking = what if what == "clear" else ""

    def on_clear(self) -> None:
        """Empty the sheet, keep the names; can be undone."""
        self.session.set(["players"], [_player(player["name"]) for player in self.players])
        self.player = self.round = 0
        self.asking = ""
        self._save()

    def on_new(self) -> None:
        """Leave this session as it is and begin another with the same people."""
        self.session = self._fresh(tuple(player["name"] for player in self.players))
        self.key = self.session.key
        self.player = self.round = 0
        self.session.created = now()
        self._save()


def _player(name: str) -> dict[str, Any]:
    return {"name": name, "rounds": [{} for _ in range(ROUNDS)]}


def check_sheet(sheet: Any) -> None:
    """Refuse a stored sheet that the page could not show. Raises InvalidSheet or ValueError."""
    players = sheet.get("players") if isinstance(sheet, dict) else None
    if not isinstance(players, list) or not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise ValueError("players")
    for p, player in enumerate(players):
        if not isinstance(player, dict) or player.keys() != {"name", "rounds"}:
            raise ValueError("player")
        if not isinstance(player["name"], str) or len(player["name"]) > MAX_NAME:
            raise ValueError("name")
        if not isinstance(player["rounds"], list) or len(player["rounds"]) != ROUNDS:
            raise ValueError("rounds")
        for r, counts in enumerate(player["rounds"]):
            if not isinstance(counts, dict):
                raise ValueError("round")
            place = f"players[{p}].rounds[{r}]"
            if check_counts(counts, place) > HAND_SIZE:
                raise InvalidSheet(msg("ancient-cards.error.sheet-sum", n=0), place)
