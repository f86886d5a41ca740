"""Points of rituals and of the end of the game: pure functions on an edition's data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lovecraft.core.scoring import Key, Outcome, ScoreLine, ScoreSheet, standings
from lovecraft.games.ritos_ancestrais import rulebook
from lovecraft.games.ritos_ancestrais.edition import Edition, Effect
from lovecraft.i18n import msg


class Performed(NamedTuple):
    """A ritual performed, and what the cult added to its points at that time."""

    ritual: str
    bonus: int = 0


def ritual_sheet(edition: Edition, performed: Iterable[Performed]) -> ScoreSheet:
    """A line per ritual performed, and one more where the cult added points."""
    base = {ritual.id: ritual.points for ritual in edition.rituals}
    lines = []
    for ritual, bonus in performed:
        name = edition.ritual_name(ritual)
        text = msg("ritos-ancestrais.line.ritual", ritual=name)
        lines.append(ScoreLine(base[ritual], rulebook.RITUAL_POINTS.id, text, (ritual,)))
        if bonus:
            text = msg("ritos-ancestrais.line.bonus", ritual=name)
            lines.append(ScoreLine(bonus, rulebook.EFFECT_RITUAL_BONUS.id, text, (ritual,)))
    return ScoreSheet(tuple(lines))


def end_sheet(
    edition: Edition, rituals: Sequence[str], cult: Sequence[str], hand: int
) -> ScoreSheet:
    """A line per end bonus in a cult, given the rituals performed and the number of hand cards."""
    lines = []
    for card in edition.cards:
        for effect in card.effects if card.id in cult else ():
            if effect.kind == "end_bonus":
                number = counted(edition, effect, rituals, cult, hand)
                text = msg(
                    f"ritos-ancestrais.line.end.{effect.per}",
                    card=edition.card_name(card.id),
                    n=number,
                    each=effect.amount,
                    cap=effect.cap,
                )
                points = min(effect.cap, effect.amount * number)
                lines.append(ScoreLine(points, rulebook.END_BONUS.id, text, (card.id,)))
    return ScoreSheet(tuple(lines))


def counted(
    edition: Edition, effect: Effect, rituals: Sequence[str], cult: Sequence[str], hand: int
) -> int:
    """How many of what an end bonus counts a player has."""
    if effect.per == "ritual":
        return len(rituals) if effect.ritual is None else rituals.count(effect.ritual)
    if effect.per == "different-ritual":
        return len(set(rituals))
    if effect.per == "hand-card":
        return hand
    symbols = [card.symbol for card in edition.cards if card.id in cult]
    if effect.per == "cult-symbol":
        return len(set(symbols))
    return len(symbols) if effect.symbol is None else symbols.count(effect.symbol)


def final_standings(totals: Sequence[int], hands: Sequence[int]) -> Outcome:
    """Rank players by points, then by cards in hand."""
    return standings(
        [
            Key("total", rulebook.VICTORY.id, tuple(totals)),
            Key("hand", rulebook.TIE_HAND.id, tuple(hands)),
        ]
    )
