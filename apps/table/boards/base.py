"""What the tables of all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lovecraft.core import Event


class Step(NamedTuple):
    """One step of a turn as it is shown: its name, what is seen, and for how many milliseconds."""

    name: str
    seen: Any
    milliseconds: int


class Around(NamedTuple):
    """What stands around an observation when it is shown.

    ``news`` has happened since the person's last choice, ``log`` from the beginning; ``opened`` is
    the piece that the person has touched to see what can be done with it, ``held`` tells that the
    table waits for the person to have seen a result.
    """

    names: Sequence[str]
    news: Sequence[Event] = ()
    log: Sequence[Event] = ()
    opened: str = ""
    held: bool = False


class Board:
    """A game's table: from observations to steps and to a template's context."""

    template: str
    open = False
    """Whether all see all, so that several people need no curtain between them."""

    def stages(self, before: Any, after: Any, events: Sequence[Event]) -> Sequence[Step]:
        """The steps that lead from one observation of the person's seat to the next."""
        return [Step(self.stage(after), after, 700)]

    def stage(self, seen: Any) -> str:
        """The name of the step at which an observation is at rest."""
        raise NotImplementedError

    def waits(self, seen: Any) -> bool:
        """Whether the table waits for the person before chance acts (between rounds)."""
        return False

    def holds(self, seen: Any) -> bool:
        """Whether a result is to be looked at before the person's next choice is shown."""
        return False

    def forced(self, seen: Any) -> Any:
        """The action that the table takes for the person because there is no other, or None."""
        return None

    def touched(self, seen: Any, piece: str) -> Any:
        """What touching a piece means: an action, legal or to be refused with its reason.

        None when there are several and the piece is to be opened to choose between them.
        """
        return None

    def piece(self, seen: Any, action: Any) -> str:
        """The id of the element that an action is taken with."""
        raise NotImplementedError

    def points(self, seen: Any) -> int:
        """The points that the observing seat has scored so far."""
        raise NotImplementedError

    def chapter_ends(self, before: Any, after: Any) -> bool:
        """Whether a round (or a turn of all) ends between two observations of a seat."""
        raise NotImplementedError

    def context(self, seen: Any, stage: str, around: Around) -> dict[str, Any]:
        """What the template needs to show an observation."""
        raise NotImplementedError


def mark(html: str, piece: str, kind: str, about: str) -> str:
    """A screen with one element marked as ``kind`` and described by the element ``about``."""
    spelled = f'id="{piece}"'
    return html.replace(spelled, f'{spelled} data-mark="{kind}" aria-describedby="{about}"', 1)
