"""What the table of each game looks like: from an observation to a template's context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from apps.table.boards import ancient_cards
from lovecraft.core import Event


class Step(Protocol):
    """One step of a turn as it is shown: its name, what is seen, and for how long."""

    @property
    def name(self) -> str: ...

    @property
    def seen(self) -> Any: ...

    @property
    def milliseconds(self) -> int: ...


class Board(Protocol):
    """A game's table."""

    template: str

    def stages(self, before: Any, after: Any, events: Sequence[Event]) -> Sequence[Step]:
        """The steps that lead from one observation of the person's seat to the next."""

    def stage(self, seen: Any) -> str:
        """The name of the step at which an observation is at rest."""

    def waits(self, seen: Any) -> bool:
        """Whether the table waits for the person before chance acts (between rounds)."""

    def context(
        self, seen: Any, stage: str, fresh: Sequence[Event], names: Sequence[str]
    ) -> dict[str, Any]:
        """What the template needs to show an observation; ``fresh`` has just happened."""

    def forced(self, seen: Any) -> Any:
        """The action that the table takes for the person because there is no other, or None."""


BOARDS: Mapping[str, Board] = {"ancient-cards": ancient_cards.BOARD}
"""The tables there are, by game."""
