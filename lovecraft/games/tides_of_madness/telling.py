"""What happened between two positions, as events; and a position in words."""

from __future__ import annotations

from collections.abc import Mapping

from lovecraft.core.events import Event, ended
from lovecraft.core.game import CHANCE
from lovecraft.core.rules import Rule
from lovecraft.games.tides_of_madness import rulebook as rule
from lovecraft.games.tides_of_madness import scoring
from lovecraft.games.tides_of_madness.cards import BIT, Cards, bits, card_id, ids
from lovecraft.games.tides_of_madness.state import (
    CHOOSING,
    DEALING,
    DREAMING,
    KEEPING,
    OVER,
    PICKING,
    REMOVING,
    Act,
    Action,
    Deal,
    Observation,
    State,
    outcome,
    round_sheets,
)
from lovecraft.games.tides_of_madness.steps import laid_down, with_choice, with_madness
from lovecraft.i18n import Message, Seat, msg

RULE_OF: Mapping[str, Rule] = {
    DEALING: rule.DEAL,
    PICKING: rule.PICK,
    CHOOSING: rule.MOST_MADNESS,
    DREAMING: rule.DREAMLANDS_SUIT,
    KEEPING: rule.KEEP,
    REMOVING: rule.REMOVE,
    OVER: rule.END,
}
"""The rule by which something is to be done in a phase."""


def events(before: State, player: int, action: Action, after: State) -> tuple[Event, ...]:
    """What followed from one action, in order; only its own seat sees a card laid face down."""
    if not isinstance(action, Act):
        return _deal_events(before, action)
    what = action.what
    if before.phase == CHOOSING:
        return (
            Event(
                "chosen",
                player,
                rule.MOST_MADNESS.id,
                msg(f"{rule.GAME}.event.chosen-{what}", player=Seat(player)),
                {"choice": what},
            ),
            *_dreamlands_events(with_choice(before, player, what), after),
        )
    if before.phase == DREAMING:
        suit = scoring.suit_name(what)
        return (
            Event(
                "suit",
                player,
                rule.DREAMLANDS_SUIT.id,
                msg(f"{rule.GAME}.event.suit", player=Seat(player), suit=suit),
                {"suit": what},
            ),
            *_score_events(before._replace(suit=what), after),
        )
    laid = Event(
        {"pick": "picked", "keep": "kept-face-down", "remove": "remove-chosen"}[action.kind],
        player,
        RULE_OF[before.phase].id,
        msg(f"{rule.GAME}.event.{action.kind}", player=Seat(player)),
        {},
        {"card": what},
        msg(f"{rule.GAME}.event.you-{action.kind}", card=scoring.card_name(what)),
    )
    if len(before.movers) == 2 or before.phase == KEEPING:
        return (laid,)
    mine, theirs = BIT[what], before.picks[1 - player]
    both = (mine, theirs) if player == 0 else (theirs, mine)
    if before.phase == PICKING:
        return (laid, *_pick_events(before, both, after))
    return (
        laid,
        *_card_events("removed", rule.REMOVE, both),
        *_card_events("kept", rule.REVEAL_KEPT, before.keeps),
    )


def _pick_events(before: State, picks: tuple[Cards, Cards], after: State) -> list[Event]:
    events = _card_events("revealed", rule.REVEAL, picks)
    if after.phase == PICKING:
        passed = msg(f"{rule.GAME}.event.passed")
        return [*events, Event("passed", CHANCE, rule.PASS.id, passed)]
    full = laid_down(before, *picks)
    a, b = map(sum, full.tableaus)
    for p, taken in enumerate(map(scoring.icons, (a, b))):
        total = before.madness[p] + taken
        events.append(
            Event(
                "madness",
                p,
                rule.TAKE_MADNESS.id,
                msg(f"{rule.GAME}.event.madness", player=Seat(p), n=taken, total=total),
                {"taken": taken, "total": total},
            )
        )
    most = scoring.most_madness(a, b)
    text = (
        msg(f"{rule.GAME}.event.most-level")
        if most is None
        else msg(f"{rule.GAME}.event.most", player=Seat(most))
    )
    events.append(
        Event("most-madness", CHANCE if most is None else most, rule.MOST_MADNESS.id, text)
    )
    if most is None:
        events += _dreamlands_events(with_madness(full), after)
    return events


def _dreamlands_events(before: State, after: State) -> list[Event]:
    """From the Dreamlands step on; ``before`` has the madness from just before it."""
    a, b = map(sum, before.tableaus)
    owner = scoring.dreamlands_owner(a, b)
    if owner is None:
        return _score_events(before, after)
    if not before.madness[1 - owner]:
        return []
    text = msg(f"{rule.GAME}.event.dreamlands-madness", player=Seat(owner), other=Seat(1 - owner))
    facts = {"from": 1 - owner}
    return [Event("dreamlands-madness", owner, rule.DREAMLANDS_MADNESS.id, text, facts)]


def _score_events(before: State, after: State) -> list[Event]:
    """From the scoring of cards on; ``before`` has all that counts for it."""
    events = []
    for p, scored in enumerate(round_sheets(before)):
        for line in scored.lines:
            facts = {"points": line.points, "cards": list(line.cards)}
            text = msg(f"{rule.GAME}.event.line", points=line.points, formula=line.text)
            events.append(Event("line", p, line.rule, text, facts))
        text = msg(f"{rule.GAME}.event.scored", player=Seat(p), n=scored.points)
        facts = {"points": scored.points, "round": before.round}
        events.append(Event("scored", p, rule.SCORE.id, text, facts))
    for p in scoring.lost(after.madness):
        text = msg(f"{rule.GAME}.event.lost", player=Seat(p), n=after.madness[p])
        events.append(Event("lost", p, rule.MADNESS.id, text, {"madness": after.madness[p]}))
    if result := outcome(after):
        events.append(ended(result, rule.END.id))
    else:
        text = msg(f"{rule.GAME}.event.taken-back")
        events.append(Event("taken-back", CHANCE, rule.TAKE_BACK.id, text))
    return events


def _card_events(kind: str, source: Rule, cards: tuple[Cards, Cards]) -> list[Event]:
    """An event per seat about the card it shows."""
    events = []
    for p, bit in enumerate(cards):
        card = card_id(bit)
        text = msg(f"{rule.GAME}.event.{kind}", player=Seat(p), card=scoring.card_name(card))
        events.append(Event(kind, p, source.id, text, {"card": card}))
    return events


def _deal_events(before: State, deal: Deal) -> tuple[Event, ...]:
    source = rule.REFILL if before.round else rule.DEAL
    return tuple(
        Event(
            "dealt",
            p,
            source.id,
            msg(f"{rule.GAME}.event.dealt", player=Seat(p), n=cards.bit_count()),
            {"number": cards.bit_count()},
            {"cards": list(ids(cards))},
            msg(
                f"{rule.GAME}.event.you-dealt",
                cards=tuple(map(scoring.card_name, ids(cards))),
            ),
        )
        for p, cards in enumerate(deal)
    )


# -- a position in words --------------------------------------------------------------------------


def in_words(o: Observation) -> tuple[Message, ...]:
    """A position line by line: what is to be done, both fronts, hands, what is out or unseen."""
    words = f"{rule.GAME}.words"
    lines = [msg(f"{words}.round", round=o.round + 1, todo=msg(f"{words}.{o.phase}"))]
    for p, row in enumerate(o.tableaus):
        lines.append(
            msg(
                f"{words}.front",
                player=Seat(p),
                points=sum(points[p] for points in o.points),
                madness=o.madness[p],
                kept=_listed(sum(row[: o.round])),
                played=_names(row[o.round :]),
            )
        )
    for p, hand in enumerate(o.hands):
        if p == o.player:
            lines.append(msg(f"{words}.hand", cards=_listed(hand)))
        elif o.hidden:
            lines.append(msg(f"{words}.partly", player=Seat(p), cards=_listed(hand), n=o.hidden))
        elif hand:
            lines.append(msg(f"{words}.known", player=Seat(p), cards=_listed(hand)))
    for key, cards in (
        ("keep-down", o.own_keep),
        ("pick-down", o.own_pick),
        ("removed", o.removed),
        ("unseen", o.unseen),
    ):
        if cards:
            lines.append(msg(f"{words}.{key}", cards=_listed(cards)))
    return tuple(lines)


def _listed(cards: Cards) -> tuple[Message, ...]:
    return _names(bits(cards))


def _names(row: tuple[Cards, ...]) -> tuple[Message, ...]:
    if not row:
        return (msg("core.nothing"),)
    return tuple(scoring.card_name(card_id(bit)) for bit in row)
