"""What happened between two positions, as events; and a position in words."""

from __future__ import annotations

from lovecraft.core.events import Event
from lovecraft.games.mythicals import actions
from lovecraft.games.mythicals import rulebook as rule
from lovecraft.games.mythicals.actions import PILE, Action, Deal, card_list, piece
from lovecraft.games.mythicals.cards import (
    COLOUR_MASK,
    DAWN_UNIT,
    TOKEN_UNIT,
    Bundle,
    cards,
    count,
    tokens,
)
from lovecraft.games.mythicals.state import (
    CLAIM,
    DEAL,
    Observation,
    State,
    marker_supply,
    shown_stacks,
    stack_sheet,
)
from lovecraft.i18n import Message, Seat, msg


def events(before: State, player: int, action: Action | Deal, after: State) -> tuple[Event, ...]:
    """What followed from one action, but for the end of the game. Nothing of it is secret."""
    if isinstance(action, Deal):
        return _deal_events(action)
    kind, target, amount = action
    if kind == actions.REVEAL:
        return _reveal_events(before, amount)
    if kind == "draw" and target == PILE:
        text = msg("mythicals.event.drew", player=Seat(player))
        return (Event("drew", player, rule.REVEAL.id, text, {"from": PILE}),)
    if kind in ("draw", "take"):
        return _take_events(before, player, action, after)
    if kind == "claim":
        return (_claim_event(before, player, action),)
    if kind == "pass":
        return (_pass_event(before, player),)
    return (_modify_event(player, action),)


def in_words(o: Observation) -> tuple[Message, ...]:
    """A position line by line: whose turn, both seats, the reserve, what is revealed, the board."""
    if o.phase == DEAL:
        return ()
    lines = [msg("mythicals.words.turn", player=Seat(o.turn), n=o.pile)]
    for p, stack in enumerate(shown_stacks(o)):
        lines.append(msg("mythicals.words.holds", player=Seat(p), cards=_listed(o.hands[p])))
        claimed = tuple(_token_words(o, token) for token in stack if token is not None)
        covered = len(stack) - len(claimed)
        lines.append(
            msg("mythicals.words.covered", player=Seat(p), tokens=claimed, n=covered)
            if covered
            else msg(
                "mythicals.words.claimed",
                player=Seat(p),
                tokens=claimed or msg("core.nothing"),
                n=stack_sheet(o, p).points,
            )
        )
    lines.append(msg("mythicals.words.reserve", cards=_listed(o.reserve)))
    if o.revealed:
        lines.append(msg("mythicals.words.revealed", cards=_listed(o.revealed)))
    board = tuple(_token_words(o, token) for token in tokens(o.board))
    lines.append(msg("mythicals.words.board", tokens=board or msg("core.nothing")))
    lines.append(msg("mythicals.words.markers", n=marker_supply(o.markers)))
    return tuple(lines)


def _listed(bundle: Bundle) -> tuple[Message, ...] | Message:
    return card_list(bundle) or msg("core.nothing")


def _token_words(o: Observation, token: str) -> Message:
    unit = TOKEN_UNIT[token]
    if o.locked & unit:
        return msg("mythicals.words.locked", token=piece(token))
    if markers := count(o.markers, unit):
        return msg("mythicals.words.marked", token=piece(token), n=markers)
    return piece(token)


def _deal_events(deal: Deal) -> tuple[Event, ...]:
    return (
        *(
            Event(
                "dealt",
                p,
                rule.DEAL.id,
                msg("mythicals.event.dealt", player=Seat(p), cards=card_list(hand)),
                {"cards": list(cards(hand))},
            )
            for p, hand in enumerate(deal.hands)
        ),
        Event(
            "begins",
            deal.first,
            rule.FIRST.id,
            msg("mythicals.event.begins", player=Seat(deal.first)),
        ),
    )


def _reveal_events(before: State, revealed: Bundle) -> tuple[Event, ...]:
    shown = Event(
        "revealed",
        before.player,
        rule.REVEAL.id,
        msg("mythicals.event.revealed", cards=card_list(revealed)),
        {"cards": list(cards(revealed))},
    )
    if revealed < DAWN_UNIT:
        return (shown,)
    text = msg("mythicals.event.dawn", player=Seat(before.player))
    return (shown, Event("dawn", before.player, rule.DAWN.id, text))


def _take_events(before: State, player: int, action: Action, after: State) -> tuple[Event, ...]:
    mask = COLOUR_MASK[action.target]
    reserve = action.kind == "draw"
    source = before.reserve if reserve else before.revealed
    taken = source & mask
    told = [
        Event(
            "took",
            player,
            rule.RESERVE.id if reserve else rule.REVEAL.id,
            msg(
                f"mythicals.event.took-{'reserve' if reserve else 'pile'}",
                player=Seat(player),
                cards=card_list(taken),
            ),
            {"from": "reserve" if reserve else PILE, "cards": list(cards(taken))},
        )
    ]
    rest = after.reserve - before.reserve
    if not reserve and rest:
        told.append(
            Event(
                "reserved",
                player,
                rule.REVEAL.id,
                msg("mythicals.event.reserved", cards=card_list(rest)),
                {"cards": list(cards(rest))},
            )
        )
    other = 1 - player
    if gift := after.hands[other] - before.hands[other]:
        told.append(
            Event(
                "gift",
                other,
                rule.DUPLICATES.id,
                msg("mythicals.event.gift", player=Seat(other), cards=card_list(gift)),
                {"cards": list(cards(gift)), "giver": player},
            )
        )
    return tuple(told)


def _claim_event(before: State, player: int, action: Action) -> Event:
    _, token, payment = action
    markers = count(before.markers, TOKEN_UNIT[token])
    return Event(
        "claimed",
        player,
        rule.CLAIM.id,
        msg(
            "mythicals.event.claimed-markers" if markers else "mythicals.event.claimed",
            player=Seat(player),
            cards=card_list(payment),
            token=piece(token),
            n=markers,
        ),
        {"token": token, "cards": list(cards(payment)), "markers": markers},
    )


def _pass_event(before: State, player: int) -> Event:
    what = before.phase
    return Event(
        "passed",
        player,
        rule.CLAIM.id if what == CLAIM else rule.MODIFY.id,
        msg(f"mythicals.event.passed-{what}", player=Seat(player)),
        {"phase": what},
    )


def _modify_event(player: int, action: Action) -> Event:
    kind, token, number = action
    if kind == "lock":
        text = msg("mythicals.event.locked", player=Seat(player), token=piece(token))
        return Event("locked", player, rule.LOCK.id, text, {"token": token})
    return Event(
        "reinforced",
        player,
        rule.REINFORCE.id,
        msg("mythicals.event.reinforced", player=Seat(player), n=number, token=piece(token)),
        {"token": token, "markers": number},
    )
