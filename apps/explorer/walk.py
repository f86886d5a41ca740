"""A game step by step: the board, who may do what, why nothing else, and by which rule."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from apps.explorer.layouts import href
from apps.shell import Page, Shell
from apps.store import Entry
from apps.table import replay
from lovecraft import games
from lovecraft.core import CHANCE, Record
from lovecraft.explain import walk
from lovecraft.i18n import Message, msg

SAMPLE = "sample"
"""The name of the game that bots have played for the explorer."""


@cache
def sample_text(game_id: str) -> str:
    """The file of a sample; read before the memory snapshot, which holds no files."""
    file = resources.files("apps.explorer") / "samples" / f"{game_id}.json"
    return file.read_text(encoding="utf-8")


@cache
def sample(game_id: str) -> Record:
    """A whole game between two bots in which every phase comes up, the same on every device.

    It comes with the apps, made by ``python -m tools.pipeline.samples``: to play it on a phone
    takes seconds.
    """
    return Record.loads(sample_text(game_id), games.get)


def _first(mover: walk.Mover, told: tuple[int, Message] | None) -> walk.Mover:
    """What a seat may do, with what it then does in front."""
    if told is None or told[0] != mover.seat:
        return mover
    return mover._replace(legal=tuple(sorted(mover.legal, key=lambda c: c.text != told[1])))


class WalkPage(replay.ReplayPage):
    """``#/<game>/walk`` walks the sample; ``…/<id>/<step>`` a kept game.

    For the step a phase may be named (``…/sample/phase-<id>``): where the game first comes to it.
    """

    kind = msg("explore.walk")
    layout = "explorer/walk.html"

    def __init__(self, shell: Shell, record: Record, entry: Entry, key: str = "") -> None:
        super().__init__(shell, record, entry, key)
        self.open = ""

    @classmethod
    def find(cls, shell: Shell, game: str, rest: list[str]) -> Page:
        """The page for a route; the sample where there is no such game."""
        ident = rest[0] if rest else SAMPLE
        found = None if ident == SAMPLE else replay.find(shell, game, ident)
        key, record, entry = found or ("", sample(game), {})
        page = cls(shell, record, entry, key)
        if found is None and ident != SAMPLE:
            shell.go(f"#/{game}/walk")
        page.go_to(rest[1] if len(rest) > 1 else "")
        return page

    def go_to(self, place: str) -> None:
        if place.startswith("phase-"):
            wanted = place.removeprefix("phase-")
            for at, state in enumerate(self._states()):
                if self.game.phase(state) == wanted:
                    self.at = at
                    break
        else:
            super().go_to(place.partition("-")[0])

    def _states(self) -> list[Any]:
        return [step.before for step in self.steps] + [self.final]

    def _named(self) -> None:
        ident = self.key.partition("/")[2] or SAMPLE
        self.shell.go(f"#/{self.game.id}/walk/{ident}/{self.at}")

    def on_refusal(self, seat: int, number: int) -> None:
        """Show what else falls under a refusal."""
        place = f"{seat}-{number}"
        self.open = "" if self.open == place else place

    def on_phase_first(self, phase: str) -> None:
        """Go to where the game first comes to a phase."""
        self.go_to(f"phase-{phase}")
        self._step_to(self.at)

    def explained(self) -> dict[str, Any]:
        """What the rules say of the position shown."""
        state, game = self.state, self.game
        movers = [p for p in game.to_move(state) if p != CHANCE]
        step = self.steps[self.at] if self.at < len(self.steps) else None
        told = None
        if step and step.move.player != CHANCE and self._sees(step.move.player):
            told = step.move.player, game.describe(step.move.action)
        return {
            "lab": href(game.id, game.observe(state, self.seat)),
            "phase": walk.phase_of(game, state),
            "phases": game.phases,
            "movers": [_first(walk.may(game, state, p), told) for p in movers if self._sees(p)],
            "waiting": walk.may_not(game, state, len(self.names)) if movers else (),
            "next": told,
            "follows": self._told(step) if step else (),
        }

    def _sees(self, seat: int) -> bool:
        return seat in self.seats or self.board.open

    def context(self) -> dict[str, Any]:
        return {"explained": self.explained()}
