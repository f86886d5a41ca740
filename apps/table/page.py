"""The table's page: setting up a game, playing it, and what stands around the board."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from apps.editions import offered
from apps.explorer.layouts import href
from apps.shell import Page, Shell
from apps.table import links
from apps.table.boards import BOARDS, Around
from apps.table.boards.base import mark
from apps.table.levels import level_words
from apps.table.session import HUMAN, PREFIX, TableSession, Turn
from lovecraft import bots, games
from lovecraft.bots.advice import HINT, Advising, Hint
from lovecraft.core import CHANCE_MOVES, Event, InvalidOption, LovecraftError, Player
from lovecraft.core.names import MAX_NAME, tidy_name
from lovecraft.i18n import Message, msg

MY_NAME = "Carter"
"""What a person is called who gives no name: a name, so that sentences about it read well."""

BOT_NAMES = ("Armitage", "Lavinia", "Wilmarth", "Asenath", "Akeley", "Keziah")
"""Bots are called after people of the stories."""

PACES = {"calm": 1.0, "brisk": 0.4, "instant": 0.0}
DEFAULT_PACE = "calm"
LOG_SHOWN = 60
WATCHED_RESULT = 4000
"""Milliseconds for which the result of a round is shown while bots play on."""

HINTS_SHOWN = 3
BY_LINK = "link"
LEVELS = (*bots.LEVELS, HUMAN, BY_LINK)
"""Who may sit in a seat: a bot of a level, a person at this device, a person elsewhere."""

ACTS_BEHIND_THE_CURTAIN = ("lift", "new")


class TablePage(Page):
    """One game, or the form that begins one.

    ``#/<game>/table`` goes on with the latest unfinished game; ``…/new`` shows the form; ``…/<id>``
    opens one game.
    """

    kind = msg("app.table")
    layout = "table/frame.html"
    """The template around the board."""

    def __init__(self, shell: Shell, game: str, rest: list[str]) -> None:
        super().__init__(shell)
        self.game = games.get(game)
        self.title = self.game.name
        self.board = BOARDS[game]
        self.asking = ""
        self.thinking: int | None = None
        self.stage = ""
        self.seen: Any = None
        self.untold = 0
        self.opened = ""
        self.pending: Any = None
        self.veiled = False
        self.running = self._unhurried
        """Whether a game that is only watched goes on by itself."""
        self.budget = HINT
        self.advising = False
        self.hints: tuple[Hint, ...] = ()
        self.form = self._first_form()
        self.session = self._find(rest[0] if rest else "")
        self._rest()

    # -- finding and keeping ------------------------------------------------------------------

    def _find(self, wanted: str) -> TableSession | None:
        store = self.shell.store
        if wanted == "new":
            return None
        keys = [PREFIX + wanted] if wanted else self._unfinished()
        for key in keys:
            entry = store.get(key)
            if entry is None or entry.get("game") != self.game.id:
                continue
            try:
                return TableSession.read(entry, key.removeprefix(PREFIX))
            except (LovecraftError, ValueError):
                store.set_aside(key)
                self.shell.notice = msg("app.error.damaged")
        if wanted and not self.shell.notice:
            self.shell.notice = msg("app.error.no-game")
        return None

    def _unfinished(self) -> list[str]:
        store = self.shell.store
        entries = {key: store.get(key) or {} for key in store.keys(PREFIX)}
        ours = [
            key
            for key, entry in entries.items()
            if entry.get("game") == self.game.id
            and not entry.get("finished")
            and isinstance(entry.get("updated"), int)
        ]
        return sorted(ours, key=lambda key: -entries[key]["updated"])

    def _rest(self) -> None:
        """Show the game as it stands."""
        self.pending = None
        self.hints = ()
        self.untold = 0
        if self.session is None:
            self.key = ""
            return
        self.key = self.session.key
        self.seen = self.session.observation()
        self.stage = self.board.stage(self.seen)

    def reload(self) -> None:
        if self.session is not None and (entry := self.shell.store.get(self.key)):
            try:
                self.session = TableSession.read(entry, self.session.id)
            except (LovecraftError, ValueError):
                return
            self._rest()
            self._veil()  # another seat's turn may have come meanwhile

    def _save(self) -> None:
        if self.session is not None:
            self.session.save(self.shell.store)
            self.shell.go(f"#/{self.game.id}/table/{self.session.id}")

    async def resumed(self) -> None:
        """A game left while others were to move goes on by itself."""
        self._veil()
        await self._go_on()

    async def act(self, name: str, args: list[Any], value: Any) -> None:
        if not self.veiled or name in ACTS_BEHIND_THE_CURTAIN:
            await super().act(name, args, value)

    async def carry_on(self) -> None:
        if self.session is not None and self.session.watching and self.running:
            await self._go_on()

    # -- several people at one device ---------------------------------------------------------

    def _veil(self) -> None:
        """Draw the curtain: nothing of the game is on the screen until somebody lifts it."""
        if self.session is not None and self.session.shared and not self.session.finished:
            wanted = self.session.person_to_move
            self.session.sit(self.session.me if wanted is None else wanted)
            self.opened = ""
            self._rest()
            self.veiled = not self.board.open

    async def on_lift(self) -> None:
        """The person who is to act has the device."""
        self.veiled = False
        await self._go_on()

    async def on_confirm(self) -> None:
        """The choice is final."""
        if self.pending is not None:
            await self._play(self.pending, sure=True)

    def on_rather_not(self) -> None:
        """The choice is not made after all."""
        self.pending = None

    # -- the form -----------------------------------------------------------------------------

    def _first_form(self) -> dict[str, Any]:
        kept = self.shell.settings.get(f"table-{self.game.id}")
        form: dict[str, Any] = {
            "name": "",
            "first": HUMAN,
            "names": list(BOT_NAMES),
            "bots": ["greedy"] * (self.game.min_players - 1),
            "free": True,
            "options": {option.name: option.default for option in self.game.options},
        }
        if isinstance(kept, dict) and isinstance(kept.get("bots"), list):
            levels = [b for b in kept["bots"] if b in LEVELS]
            if self.game.min_players <= len(levels) + 1 <= self.game.max_players:
                form["bots"] = levels
            form["name"] = tidy_name(str(kept.get("name", "")))
            form["free"] = kept.get("free") is not False
        return form

    def on_seats(self, step: int) -> None:
        """One bot more or less."""
        levels = self.form["bots"]
        if step > 0 and len(levels) + 1 < self.game.max_players:
            levels.append(levels[-1])
        elif step < 0 and len(levels) + 1 > self.game.min_players:
            levels.pop()

    def on_level(self, seat: int, level: str) -> None:
        """How strong the bot of a seat plays, or that a person sits there."""
        if level in LEVELS and 0 <= seat < len(self.form["bots"]):
            self.form["bots"][seat] = level

    def on_first(self, level: str) -> None:
        """Who has the first seat: the person, or a bot, and then the person may watch."""
        if level in (*bots.LEVELS, HUMAN):
            self.form["first"] = level

    def on_my_name(self, name: str) -> None:
        """What the person is called."""
        self.form["name"] = tidy_name(name)

    def on_seat_name(self, seat: int, name: str) -> None:
        """What another person at this device is called."""
        if 0 <= seat < len(BOT_NAMES):
            self.form["names"][seat] = tidy_name(name) or BOT_NAMES[seat]

    def on_option(self, name: str, value: Any) -> None:
        """An option of the game, as the form's control gives it."""
        for option in self.game.options:
            if option.name == name:
                spelled = {json.dumps(v): v for v in option.values}
                given = value if isinstance(value, str) else json.dumps(value)
                self.form["options"][name] = spelled.get(given, option.default)

    def on_free(self, free: bool) -> None:
        """Whether choices may be taken back."""
        self.form["free"] = free is not False

    @property
    def may_be_free(self) -> bool:
        """Whether the form describes a game in which choices can be taken back at all."""
        people = {HUMAN, BY_LINK}
        return self.form["first"] == HUMAN and not people.intersection(self.form["bots"])

    async def on_start(self) -> None:
        """Deal; a second tap on the button does nothing. Raises InvalidOption."""
        if self.session is not None:
            return
        at_device = [self.form["first"], *self.form["bots"]]
        if BY_LINK in at_device and HUMAN not in at_device:
            raise InvalidOption(msg("link.nobody-here"))
        me = self.form["name"] or MY_NAME
        seats = [Player(me, self.form["first"])]
        seats += [
            Player(self.form["names"][i], HUMAN)
            if level in (HUMAN, BY_LINK)
            else Player(BOT_NAMES[i], level)
            for i, level in enumerate(self.form["bots"])
        ]
        self.running = self._unhurried
        here = [0, *(i + 1 for i, level in enumerate(self.form["bots"]) if level == HUMAN)]
        seats = told_apart(seats)
        self.session = TableSession.begin(
            self.game, seats, self.form["options"], here=here, free=self.form["free"]
        )
        kept = {name: self.form[name] for name in ("name", "bots", "free")}
        self.shell.set(**{f"table-{self.game.id}": kept})
        self._save()
        self._rest()
        self._veil()
        await self._go_on()

    # -- playing ------------------------------------------------------------------------------

    async def on_play(self, spelled: Any, at: int) -> None:
        """The person's action; one meant for an earlier position (``at``) does nothing."""
        if self.session is not None and at == self.session.at:
            await self._play(self.game.action_from_json(spelled, ""))

    async def on_touch(self, piece: str, at: int) -> None:
        """A piece of the table: there may be one thing to do with it, several, or none."""
        if self.session is None or at != self.session.at:
            return
        self.pending = None
        action = self.board.touched(self.seen, piece)
        if action is not None:
            await self._play(action)
        else:
            self.opened = "" if self.opened == piece else piece

    async def _play(self, action: Any, *, sure: bool = False) -> None:
        if self.session is None or self.session.watching:
            return
        self.pending = None
        if refused := self.session.why_not(action):
            raise refused  # the shell tells it, with its rule
        if not self.session.alone and not sure:
            self.pending = action
            return
        self.opened = ""
        self.hints = ()
        await self._show(self.session.play(action))
        await self._go_on()

    def on_skip(self) -> None:
        """A tap while something is being shown: on to what comes next."""

    @property
    def _watched(self) -> bool:
        return self.session is not None and self.session.watching

    def on_go_on(self) -> None:
        """The result has been looked at."""
        if self.session is not None:
            self.session.looked_at = self.session.at
            self._save()

    async def on_deal(self) -> None:
        """On to the next round."""
        if self.session is not None and self.session.movers == CHANCE_MOVES:
            self.session.read_news()
            turn = self.session.play_other()
            if turn is not None:
                await self._show(turn)
            await self._go_on()

    async def _go_on(self) -> None:
        """Let the others act, and the person where there is no choice, until there is one.

        Wherever the screen is shown, another tab's game may take the place of this one.
        """
        while self.session is not None and not self.veiled:
            if self.session.watching and not await self._may_watch_on():
                return
            session = self.session
            seen = self.session.observation()
            wanted = self.session.person_to_move
            if (action := self.board.forced(seen)) is not None:
                await self._wait(900)
                if self.session is session:
                    await self._show(session.play(action))
            elif wanted is not None and wanted != self.session.me:
                theirs = self.game.observe(self.session.match.state, wanted)
                if (action := self.board.forced(theirs)) is not None:
                    await self._show(self.session.play_forced(wanted, action))
                else:
                    self._veil()
            elif waited_for := self.session.waited_for:
                theirs = self.game.observe(self.session.match.state, waited_for[0])
                if (action := self.board.forced(theirs)) is None:
                    return
                await self._show(self.session.play_forced(waited_for[0], action))
            elif (
                self.session.movers == CHANCE_MOVES
                and self.board.waits(seen)
                and not self.session.watching
            ):
                return
            elif (thinking := self.session.thought()) is not None:
                if not await self._think(*thinking):
                    return
                if self.session is session and (turn := session.play_other(thinking[1].choice)):
                    await self._show(turn)
            elif (turn := self.session.play_other()) is not None:
                await self._show(turn)
            else:
                return

    # -- watching bots ------------------------------------------------------------------------

    @property
    def _unhurried(self) -> bool:
        """Whether a watched game may begin to go on by itself: not if all were over at once."""
        return bool(PACES[self.pace])

    async def _may_watch_on(self) -> bool:
        """Whether a watched game goes on now; results stay a while on the screen."""
        if self.session is None or not self.running or self.shell.asked:
            return False
        result = self.held or (self.session.movers == CHANCE_MOVES and self.board.waits(self.seen))
        if not result:
            return True
        undisturbed = await self._linger()
        if undisturbed:
            self._past_result()
        return undisturbed

    async def _linger(self) -> bool:
        """Show a result for a while; False when the person does something meanwhile."""
        await self._wait(WATCHED_RESULT)
        return not self.shell.asked

    def _past_result(self) -> None:
        if self.session is not None and self.held:
            self.session.looked_at = self.session.at

    def on_run(self, running: bool) -> None:
        """Let a watched game go on by itself, or stop it."""
        self.running = bool(running)

    async def on_next(self) -> None:
        """One move of a watched game; then it stands still."""
        session = self.session
        if session is None or not session.watching:
            return
        self.running = False
        self._past_result()
        if (thinking := session.thought()) is None:
            self._shown(session.play_other())
        elif await self._think(*thinking) and self.session is session:
            self._shown(session.play_other(thinking[1].choice))

    def _shown(self, turn: Turn | None) -> None:
        """What has happened, without the steps that lead there."""
        if turn is not None:
            self._save()
            self._rest()

    def on_see(self, seat: str) -> None:
        """Watch through another seat."""
        if self.session is not None and self.session.watching:
            seats = {str(number): number for number in range(len(self.session.names))}
            self.session.sit(seats.get(seat, self.session.me))
            self.opened = ""
            self._rest()

    async def _think(self, seat: int, thought: bots.Thought) -> bool:
        """Let a bot think in slices, so that the page can be left meanwhile (then: False).

        A game that is left goes on with the same thought when it is opened again.
        """
        self.thinking = seat
        await self.shell.show()
        try:
            while not thought.step():
                await asyncio.sleep(0)
                if self.shell.leaving or (self._watched and self.shell.asked):
                    return False
        finally:
            self.thinking = None
        return True

    async def _show(self, turn: Turn) -> None:
        """Keep what has happened, then show it step by step, unless another tab was first."""
        self._save()
        session = self.session
        self.untold = len(turn.events)  # the log must not run ahead of what is shown
        for step in self.board.stages(turn.before, turn.after, turn.events):
            self.stage, self.seen = step.name, step.seen
            await self._wait(step.milliseconds)
            if self.session is not session:
                return
        self.untold = 0
        self.stage, self.seen = self.board.stage(turn.after), turn.after

    async def _wait(self, milliseconds: int) -> None:
        if milliseconds and PACES[self.pace]:
            await self.shell.show()
            await self.shell.pause(int(milliseconds * PACES[self.pace]))

    @property
    def may_ask(self) -> bool:
        """Whether there is a choice to be advised on."""
        plays = self.session is not None and not self.session.watching
        return plays and self.seen_all and not self.held and len(self.seen.actions) > 1

    async def on_hint(self) -> None:
        """What is best here, from what the person sees; once more puts it away."""
        if self.session is None or not self.may_ask:
            return
        if self.hints:
            self.hints = ()
            return
        advising = Advising(self.game, self.seen, self.budget)
        self.advising = True
        await self.shell.show()
        done = await self.shell.think(advising.step)
        self.advising = False
        if done:
            self.hints = advising.hints
            self.session.give_hint()
            self._save()

    def on_enough(self) -> None:
        """Stop thinking about a hint: whatever arrives has stopped it already."""

    def on_take_back(self) -> None:
        """Undo the last choice."""
        if self.session is not None:
            self.session.take_back()
            self.opened = ""
            self._save()
            self._rest()

    def on_pace(self, pace: str) -> None:
        """How quickly the table moves."""
        if pace in PACES:
            self.shell.set(pace=pace)

    def on_ask(self, what: str) -> None:
        """Leaving a running game for a new one is confirmed first; the game stays kept."""
        self.asking = what

    def on_new(self) -> None:
        """Back to the form; what was played stays on the device."""
        self.asking = ""
        self.session = None
        self.opened = ""
        self.veiled = False
        self._rest()
        self.shell.go(f"#/{self.game.id}/table/new")

    async def on_rematch(self) -> None:
        """The same people again, everybody one seat further round the table.

        A game that began at a position begins there again, in the same seats.
        """
        if self.session is None or not self.session.finished:
            return
        players, here = self.session.match.record.players, self.session.here
        options, free = self.session.match.record.options, self.session.free
        position = self.session.match.record.position
        if position is None:
            players = (players[-1], *players[:-1])
            here = [(seat + 1) % len(players) for seat in here]
        self.session = TableSession.begin(self.game, players, options, position, here, free)
        self._save()
        self._rest()
        self._veil()
        await self._go_on()

    def on_export(self) -> None:
        """The game as a record file: it holds all that was hidden, so not while others play."""
        if self.session is not None and (self.session.finished or self.session.alone):
            self.shell.tell(
                download={
                    "name": f"{self.game.id}-{self.session.id}.json",
                    "text": self.session.match.record.dumps(),
                    "type": "application/json",
                }
            )

    def on_share(self) -> None:
        """The whole game as a link; it holds all that was hidden, so not while others play here."""
        if self.session is not None and self.may_share:
            links.share(self.shell, links.linked(self.session))

    @property
    def may_share(self) -> bool:
        """Whether the game may leave the device as a link."""
        session = self.session
        return session is not None and (session.finished or not session.shared)

    # -- what is shown ------------------------------------------------------------------------

    @property
    def pace(self) -> str:
        """How quickly steps follow each other."""
        pace = self.shell.settings.get("pace")
        return pace if isinstance(pace, str) and pace in PACES else DEFAULT_PACE

    @property
    def seen_all(self) -> bool:
        """Whether what is shown is how the game stands (and not a step on the way)."""
        return self.session is not None and self.seen == self.session.observation()

    @property
    def held(self) -> bool:
        """Whether a result waits to be looked at."""
        return (
            self.session is not None
            and self.board.holds(self.seen)
            and self.session.looked_at != self.session.at
        )

    def html(self) -> str:
        if self.session is None:
            return self.shell.render(
                "table/new.html",
                game=self.game,
                form=self.form,
                values={o.name: offered(self.shell.store, o) for o in self.game.options},
                levels=LEVELS,
                bot_names=BOT_NAMES,
                max_name=MAX_NAME,
                my_name=MY_NAME,
            )
        names = self.session.names
        if self.veiled:
            return self.shell.render("table/curtain.html", player=names[self.session.me])
        around = Around(
            names, self.session.news, self._told(), self.opened, self.held and self.seen_all
        )
        outcome = self.game.outcome(self.session.match.state) if self.seen_all else None
        html = self.shell.render(
            self.board.template,
            game=self.game,
            session=self.session,
            names=names,
            whose=names[self.session.me] if self.session.watching else None,
            layout=self.layout,
            kinds=self._kinds(),
            stage=self.stage,
            log=[event.text for event in self._told()[-LOG_SHOWN:]],
            outcome=outcome,
            verdict=self._verdict(),
            may_take_back=self.session.may_take_back,
            paces=list(PACES),
            lab=href(self.game.id, self.seen),
            at=self.session.at,
            act="play" if self.seen_all else "skip",
            held=around.held,
            opened=self.opened,
            pending=self.game.describe(self.pending) if self.pending is not None else None,
            may_ask=self.may_ask,
            waiting=links.whose_turn(names, self.session.waited_for)
            if self.seen_all and self.session.waited_for
            else None,
            hints=[
                (self.game.describe(hint.action), round(100 * hint.value))
                for hint in self.hints[:HINTS_SHOWN]
                if hint.visits or not hint.spread
            ],
            why=self.hints[0].why if self.hints else None,
            **self.board.context(self.seen, self.stage, around),
        )
        if self.hints:
            html = mark(html, self.board.piece(self.seen, self.hints[0].action), "best", "advice")
        return html

    def _kinds(self) -> list[Message]:
        """What stands beside each name."""
        players = self.session.match.record.players if self.session else ()
        return [level_words(player.kind) for player in players]

    def _told(self) -> Sequence[Event]:
        log = self.session.log if self.session else ()
        return log[: len(log) - self.untold]

    def _verdict(self) -> Message | None:
        if self.session is None or not self.session.finished:
            return None
        ended = [event for event in self.session.log if event.kind == "ended"]
        return ended[-1].text if ended else None


def sit_down(shell: Shell, session: TableSession) -> None:
    """Keep a game that another page has begun (``TableSession.begin``), and go to its table."""
    session.save(shell.store)
    shell.leave_for(f"#/{session.game.id}/table/{session.id}")


def told_apart(seats: Sequence[Player]) -> list[Player]:
    """The players with bots called otherwise that bear another player's name.

    Raises InvalidOption when two people are called the same.
    """
    people = [player.name for player in seats if player.kind == HUMAN]
    for number, name in enumerate(people):
        if name in people[:number]:
            raise InvalidOption(msg("error.name-twice", name=name))
    spare = [name for name in BOT_NAMES if name not in people]
    named = []
    for player in seats:
        if player.kind != HUMAN:
            name = player.name if player.name in spare else spare[0]
            spare.remove(name)
            player = player._replace(name=name)
        named.append(player)
    return named
