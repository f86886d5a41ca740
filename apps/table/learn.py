"""A guided first game: the learner makes the moves on the real table, the others are scripted."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import escape

from apps.shell import Shell
from apps.table.boards.base import mark
from apps.table.lessons import LESSONS, Mine, Other, Read
from apps.table.page import MY_NAME, TablePage, told_apart
from apps.table.session import HUMAN, TableSession
from apps.view import args
from lovecraft.core import Match, Player, Record
from lovecraft.i18n import Message, msg

ACTS = frozenset(
    [
        "play",
        "touch",
        "skip",
        "deal",
        "go-on",
        "take-back",
        "learn-on",
        "learn-back",
        "learn-again",
        "pace",
    ]
)
"""What can be done in a lesson: begun games, rematches and files belong to the real table."""


class LessonPage(TablePage):
    """``#/<game>/learn``. Where the learner has come to is remembered on the device."""

    kind = msg("learn.kind")
    layout = "table/learn.html"

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        self.lesson = LESSONS[game]
        self.reached = 0
        """How many steps of the lesson have been done."""
        super().__init__(shell, game, rest)

    # -- where the learner is ---------------------------------------------------------------------

    @property
    def _setting(self) -> str:
        return f"lesson-{self.game.id}"

    def _find(self, wanted: str) -> TableSession | None:
        kept = self.shell.settings.get(self._setting)
        inside = type(kept) is int and 0 <= kept < len(self.lesson.steps)
        return self._at(kept if type(kept) is int and inside else 0)

    def _at(self, reached: int) -> TableSession:
        """The game after so many steps of the lesson."""
        players = [Player(self.form["name"] or MY_NAME, HUMAN)]
        players += [Player(name, "random") for name in self.lesson.opponents]
        record = Record.begin(self.game, tuple(told_apart(players)))
        session = TableSession(Match(record, self._setting))
        self.reached = reached
        for step in self.lesson.steps[:reached]:
            if isinstance(step, Other):
                session.play_forced(step.seat, self.game.action_from_json(step.action))
            elif isinstance(step, Mine):
                session.play(self.game.action_from_json(step.action))
        return session

    def _rest(self) -> None:
        super()._rest()
        self.key = ""  # a lesson is no game among those left open

    def _save(self) -> None:
        self.shell.set(**{self._setting: self.reached})

    @property
    def step(self) -> Mine | Read | None:
        """What the learner is asked to do or to read; None while the others move."""
        step = self.lesson.steps[self.reached]
        return None if isinstance(step, Other) else step

    @property
    def told(self) -> Mine | Read | None:
        """The step as it is shown: not before what it speaks of has been seen."""
        return self.step if self.seen_all else None

    @property
    def asked(self) -> list[int]:
        """The numbers of the steps that the learner takes part in."""
        return [n for n, one in enumerate(self.lesson.steps) if not isinstance(one, Other)]

    @property
    def last(self) -> bool:
        """Whether this is the end of the lesson."""
        return self.reached == len(self.lesson.steps) - 1

    # -- what the learner does --------------------------------------------------------------------

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        if name in ACTS:
            await super().act(name, args, value)

    async def _play(self, action: Any, *, sure: bool = False) -> None:
        if self.session is None:
            return
        step = self.step
        if isinstance(step, Read):
            self.shell.notice = msg("learn.read-first", on=msg("learn.on"))
            return
        if refused := self.session.why_not(action):
            raise refused  # the shell tells it, with its rule
        if step is None or action != self.game.action_from_json(step.action):
            wanted = self.game.action_from_json(step.action) if step else None
            self.shell.notice = (
                msg("learn.rather", what=self.game.describe(wanted)) if step else msg("learn.wait")
            )
            return
        self.opened = ""
        self.reached += 1
        await self._show(self.session.play(action))
        await self._go_on()

    async def _go_on(self) -> None:
        """The others move as it is written, until the learner is asked again."""
        while self.session is not None:
            step = self.lesson.steps[self.reached]
            if not isinstance(step, Other):
                break
            self.reached += 1
            action = self.game.action_from_json(step.action)
            await self._show(self.session.play_forced(step.seat, action))
        self._save()

    async def on_learn_on(self) -> None:
        """It has been read."""
        if isinstance(self.step, Read) and not self.last:
            self._seen_result()
            self.reached += 1
            await self._go_on()

    async def on_go_on(self) -> None:  # type: ignore[override]
        """A result has been looked at: in a lesson that is something read."""
        self._seen_result()
        await self.on_learn_on()

    async def on_deal(self) -> None:
        """The next round would be dealt: in a lesson there is something to be read first."""
        await self.on_learn_on()

    def _seen_result(self) -> None:
        if self.session is not None:
            self.session.looked_at = self.session.at

    async def on_learn_back(self) -> None:
        """To the step before, with the game as it was."""
        before = [number for number in self.asked if number < self.reached]
        await self._jump(before[-1] if before else 0)

    async def on_take_back(self) -> None:  # type: ignore[override]
        await self.on_learn_back()

    async def on_learn_again(self) -> None:
        """From the beginning."""
        await self._jump(0)

    async def _jump(self, reached: int) -> None:
        self.opened = ""
        self.session = self._at(reached)
        self._rest()
        await self._go_on()

    # -- what is shown ----------------------------------------------------------------------------

    def html(self) -> str:
        html = super().html()
        step = self.told
        if isinstance(step, Mine) and self.session is not None and not self.held:
            piece = self._piece(html, step, self.session.at)
            html = mark(html, piece, "lesson", "lesson")
        return html

    def _kinds(self) -> list[Message]:
        return [msg("learn.partner")] * (1 + len(self.lesson.opponents))

    def _piece(self, html: str, step: Mine, at: int) -> str:
        """The id of the element that does what is asked, or leads there."""
        action = self.game.action_from_json(step.action)
        spelled = escape(args(self.game.action_to_json(action), at))
        does = re.search(rf'id="([^"]+)" data-act="play" data-args="{re.escape(spelled)}"', html)
        if does:
            return does[1]
        piece = self.board.piece(self.seen, action)
        nearer = piece.replace("ritual-", "do-", 1)  # the same thing once more, under the thumb
        return nearer if f'id="{nearer}"' in html else piece
