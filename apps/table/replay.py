"""A game gone through move by move, from the seats that may be looked through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.shell import Page, Shell
from apps.store import Entry
from apps.table import archive, links
from apps.table.boards import BOARDS, Around
from apps.table.boards.base import mark
from apps.table.levels import level_words
from apps.table.session import HUMAN
from lovecraft import games
from lovecraft.bots.advice import HINT, Advising, Hint
from lovecraft.core import CHANCE, CHANCE_MOVES, NOBODY, Event, LovecraftError, Record
from lovecraft.core.record import Step
from lovecraft.i18n import Message, msg

PACES = {"slow": 2400, "even": 1200, "quick": 400}
"""Milliseconds that a step is shown for while the replay plays by itself."""

ACTS_BEHIND_THE_CURTAIN = ("lift", "seat")
WHY = "why"


class Decision(NamedTuple):
    """The choice that follows the position shown: who chose, what, and among how many."""

    player: int
    action: Any
    number: int


def find(shell: Shell, game: str, ident: str) -> tuple[str, Record, Entry] | None:
    """Key, record and entry of a kept game; what is damaged is set aside, and that is said."""
    found = archive.find(shell.store, ident)
    if found is None or found[1].get("game") != game:
        shell.notice = msg("app.error.no-game")
        return None
    key, entry = found
    try:
        return key, Record.from_json(entry.get("record"), games.get), entry
    except LovecraftError:
        shell.store.set_aside(key)
        shell.notice = msg("app.error.damaged")
        return None


class ReplayPage(Page):
    """``#/<game>/replay/<id>``; ``…/<step>`` opens a position, ``…/<step>-why`` asks there.

    While a game runs, only the seats of people at this device may be looked through, with a
    curtain where there are several; a finished game is open to all.
    """

    kind = msg("replay.kind")
    layout = "table/replay.html"

    def __init__(self, shell: Shell, record: Record, entry: Entry, key: str = "") -> None:
        super().__init__(shell)
        self.key = key
        self.game = record.game
        self.title = self.game.name
        self.board = BOARDS[self.game.id]
        self.budget = HINT
        self.playing = False
        self.thinking = False
        self.asked_why = False
        self.opened = ""
        self.hints: tuple[Hint, ...] = ()
        self.at = 0
        self._lay_out(record, entry)

    # -- what is looked at ------------------------------------------------------------------------

    def _lay_out(self, record: Record, entry: Entry) -> None:
        self.record = record
        self.steps = tuple(record.steps())
        self.final = self.steps[-1].after if self.steps else record.start()
        self.finished = not self.game.to_move(self.final)
        self.seats = self._seats(record, entry.get("here"))
        self.seat = self.seats[0]
        self._veil()

    def _seats(self, record: Record, here: Any) -> list[int]:
        """The seats to be looked through, people's first; ``here`` are those at the device."""
        people = [p for p, player in enumerate(record.players) if player.kind == HUMAN]
        if not self.finished and people:
            seated = [p for p in people if isinstance(here, list) and p in here]
            return seated or people
        return people + [p for p in range(len(record.players)) if p not in people]

    def _veil(self) -> None:
        people = [p for p in self.seats if self.record.players[p].kind == HUMAN]
        self.veiled = not self.finished and len(people) > 1 and not self.board.open

    def go_to(self, place: str) -> None:
        """Open a position as an address names it."""
        number, _, why = place.partition("-")
        if number.isascii() and number.isdigit() and len(number) < 6:
            self.at = min(int(number), len(self.steps))
        if why == WHY and self.decision is not None:
            self._sit(self.decision.player)
            self.asked_why = True

    def reload(self) -> None:
        found = find(self.shell, self.game.id, self.ident)
        if found is not None:
            at, seat = self.at, self.seat
            self._lay_out(*found[1:])
            self.at = min(at, len(self.steps))
            self.seat = seat if seat in self.seats else self.seats[0]

    async def resumed(self) -> None:
        if self.asked_why and not self.veiled:
            await self._ask()

    @property
    def ident(self) -> str:
        """What the game is called on this device."""
        return self.key.partition("/")[2]

    @property
    def state(self) -> Any:
        """The position shown."""
        if self.at:
            return self.steps[self.at - 1].after
        return self.steps[0].before if self.steps else self.final

    @property
    def names(self) -> tuple[str, ...]:
        return self.record.names

    @property
    def decision(self) -> Decision | None:
        """The choice to come, where there was one and the seat may be looked through."""
        if self.at >= len(self.steps):
            return None
        move = self.steps[self.at].move
        if move.player == CHANCE or not (move.player in self.seats or self.board.open):
            return None
        actions = self.game.legal_actions(self.state, move.player)
        return Decision(*move, len(actions)) if len(actions) > 1 else None

    # -- what people do ---------------------------------------------------------------------------

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        if not self.veiled or name in ACTS_BEHIND_THE_CURTAIN:
            await super().act(name, args, value)

    async def on_lift(self) -> None:
        """The person through whose seat the game is looked at has the device."""
        self.veiled = False
        if self.asked_why:
            await self._ask()

    def on_seat(self, seat: str) -> None:
        """Look through another seat."""
        if seat.isascii() and seat.isdigit() and int(seat) in self.seats:
            self._sit(int(seat))

    def _sit(self, seat: int) -> None:
        if seat in self.seats and seat != self.seat:
            self.seat = seat
            self.opened = ""
            self._veil()

    def on_jump(self, at: int | str) -> None:
        """Go to a position."""
        if isinstance(at, str):
            at = int(at) if at.isascii() and at.isdigit() and len(at) < 6 else self.at
        if type(at) is int:
            self._step_to(at)

    def on_step(self, by: int) -> None:
        """Some moves on or back."""
        if type(by) is int:
            self._step_to(self.at + by)

    def _step_to(self, at: int) -> None:
        self.at = max(0, min(at, len(self.steps)))
        self.opened = ""
        self.asked_why = False
        self.hints = ()
        self._named()

    def _named(self) -> None:
        if self.key:
            self.shell.go(f"#/{self.game.id}/replay/{self.ident}/{self.at}")

    async def on_play_on(self) -> None:
        """Go on by itself until the end, or until the person does something."""
        if self.at == len(self.steps):
            self._step_to(0)
        self.playing = True
        while self.at < len(self.steps):
            await self.shell.show()
            await self.shell.pause(PACES[self.pace])
            if self.shell.asked:
                break
            self._step_to(self.at + 1)
        self.playing = False

    def on_pause(self) -> None:
        """Stop: whatever arrives has stopped it already."""

    def on_pace(self, pace: str) -> None:
        """How quickly it goes on by itself."""
        if pace in PACES:
            self.shell.set(**{"replay-pace": pace})

    def on_share(self) -> None:
        """A finished game as a link."""
        if self.finished and self.key:
            links.share(self.shell, links.Linked(self.ident, self.ident, self.record))

    def on_skip(self) -> None:
        """Nothing can be done in a game that has been played."""

    def on_touch(self, piece: str, at: int) -> None:
        """A card lying open is looked at."""
        if isinstance(piece, str) and piece.startswith("see:"):
            self.opened = "" if self.opened == piece else piece

    async def on_ask(self) -> None:
        """What the seat to choose knew, and what else it could have done."""
        if self.decision is not None:
            self._sit(self.decision.player)
            self.asked_why = True
            if not self.veiled:
                await self._ask()

    async def _ask(self) -> None:
        if self.decision is None:
            return
        seen = self.game.observe(self.state, self.decision.player)
        advising = Advising(self.game, seen, self.budget, self.decision.action)
        self.thinking = True
        await self.shell.show()
        done = await self.shell.think(advising.step)
        self.thinking = False
        if done:
            self.hints = advising.hints

    def on_enough(self) -> None:
        """Stop thinking: whatever arrives has stopped it already."""

    # -- what is shown ----------------------------------------------------------------------------

    def outcome_words(self) -> Message | None:
        """How the game ended, if it has."""
        last = self.steps[-1].events if self.steps else ()
        return next((event.text for event in last if event.kind == "ended"), None)

    @property
    def pace(self) -> str:
        """How quickly it goes on by itself."""
        pace = self.shell.settings.get("replay-pace")
        return pace if isinstance(pace, str) and pace in PACES else "even"

    @property
    def banner(self) -> str:
        """The template of what stands above the game, if anything does."""
        return ""

    def context(self) -> dict[str, Any]:
        """What else the layout shows."""
        return {}

    def _told(self, step: Step) -> list[Event]:
        return [event.seen_by(self.seat) for event in step.events]

    def html(self) -> str:
        if self.veiled:
            return self.shell.render(
                "table/replay_curtain.html",
                names=self.names,
                player=self.names[self.seat],
                seats_open=self.seats,
                seat=self.seat,
            )
        seen = self.game.observe(self.state, self.seat)
        stage = self.board.stage(seen)
        log = [(step.at + 1, self._told(step)) for step in self.steps[: self.at]]
        news = log[-1][1] if log else []
        held = self.board.holds(seen) and not self.asked_why
        every = [event for _, events in log for event in events]
        around = Around(self.names, news, every, self.opened, held)
        outcome = self.game.outcome(self.state)
        html = self.shell.render(
            self.board.template,
            layout=self.layout,
            game=self.game,
            names=self.names,
            whose=self.names[self.seat],
            kinds=[level_words(player.kind) for player in self.record.players],
            stage=stage,
            outcome=outcome,
            verdict=self.outcome_words() if outcome else None,
            at=self.at,
            act="skip",
            held=held,
            opened=self.opened,
            number=len(self.steps),
            happened=news,
            log=log,
            seats_open=self.seats,
            seat=self.seat,
            paces=list(PACES),
            decision=self.decision,
            resting=held or self.game.to_move(self.state) in self._at_rest(seen),
            knew=self._knew(),
            besides=self._besides(seen),
            **self.context(),
            **self.board.context(seen, stage, around),
        )
        if self.asked_why and self.decision and self.decision.player == self.seat:
            html = mark(html, self.board.piece(seen, self.decision.action), "chosen", "chosen")
        return html

    def _at_rest(self, seen: Any) -> tuple[tuple[int, ...], ...]:
        """Who is to move where there is nothing to be done in the seat's hand."""
        return (NOBODY, CHANCE_MOVES) if self.board.waits(seen) else (NOBODY,)

    def _knew(self) -> dict[str, Any] | None:
        """The panel about the choice to come."""
        decision = self.decision
        if decision is None or not self.asked_why:
            return None
        seen = self.game.observe(self.state, decision.player)
        chosen = [hint for hint in self.hints if hint.action == decision.action]
        return {
            "words": self.game.in_words(seen),
            "chose": self.game.describe(decision.action),
            "hints": [
                (self.game.describe(hint.action), round(100 * hint.value), hint in chosen)
                for hint in self.hints
                if hint.visits or not hint.spread
            ],
            "whys": list(dict.fromkeys(hint.why for hint in (*self.hints[:1], *chosen))),
        }

    def _besides(self, seen: Any) -> list[tuple[int, Sequence[Message]]]:
        """What the other seats saw that this one did not; only when all is over."""
        if not self.finished:
            return []
        own = set(self.game.in_words(seen))
        found = []
        for p in range(len(self.names)):
            if p != self.seat:
                theirs = self.game.in_words(self.game.observe(self.state, p))
                found.append((p, [line for line in theirs if line not in own]))
        return [(p, lines) for p, lines in found if lines]
