"""What happened: facts that follow an action, each with the rule it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lovecraft.core.scoring import Outcome
from lovecraft.i18n import Message, Seat, msg

Facts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    ``player`` is the seat it concerns (or CHANCE); ``data`` holds JSON-like facts that everybody
    sees, ``secret`` those that only ``player`` sees, with ``secret_text`` in place of ``text``.
    """

    kind: str
    player: int
    rule: str
    text: Message
    data: Facts = field(default_factory=dict)
    secret: Facts = field(default_factory=dict)
    secret_text: Message | None = None

    def seen_by(self, player: int | None) -> Event:
        """The event as one seat (or an onlooker, None) sees it; nothing secret of others stays."""
        if not self.secret and self.secret_text is None:
            return self
        if player == self.player:
            return replace(
                self,
                text=self.secret_text or self.text,
                data={**self.data, **self.secret},
                secret={},
                secret_text=None,
            )
        return replace(self, secret={}, secret_text=None)


def ended(outcome: Outcome, rule: str) -> Event:
    """The event of a finished game: who won, by the rule that decided (else by ``rule``)."""
    winners = tuple(Seat(p) for p in outcome.winners)
    if not winners:
        text = msg("core.nobody-won")
    elif outcome.tiebreak:
        why = msg(f"rule.{outcome.rule}.text")
        text = msg("core.won-by", n=len(winners), winners=winners, why=why)
    else:
        text = msg("core.won", n=len(winners), winners=winners)
    return Event(
        "ended",
        -1,
        outcome.rule or rule,
        text,
        {"winners": list(outcome.winners), "totals": list(outcome.totals)},
    )
