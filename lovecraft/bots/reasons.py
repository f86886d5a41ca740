"""Why an action: what it gains, what it denies, and how good that is, in catalogue words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lovecraft.bots.thinking import Assessment
from lovecraft.core.game import AnyGame
from lovecraft.games.ancient_cards import Observation as RunesObservation
from lovecraft.games.ancient_cards.cards import HAND_SIZE, RUNES, UNIT, counts
from lovecraft.games.ancient_cards.scoring import area_points, identical_points
from lovecraft.games.mythicals.actions import Action
from lovecraft.games.mythicals.cards import COLOUR_MASK, TOKEN, TOKEN_UNIT, TOKENS, count, size
from lovecraft.games.mythicals.claims import missing
from lovecraft.games.mythicals.state import Observation as MythicalsObservation
from lovecraft.games.ritos_ancestrais.cards import GOAL
from lovecraft.games.ritos_ancestrais.state import Observation as RitosObservation
from lovecraft.games.ritos_ancestrais.tables import COUNTS, tables
from lovecraft.games.ritos_ancestrais.tables import Action as RitosAction
from lovecraft.games.tides_of_madness import Observation as TidesObservation
from lovecraft.games.tides_of_madness import scoring as tides
from lovecraft.games.tides_of_madness.cards import BIT, ICONS, LOST_AT, NONE, SHUB_NIGGURATH
from lovecraft.games.tides_of_madness.state import Act
from lovecraft.i18n import Message, Seat, msg

Facts = Callable[[Any, Any], tuple[Message, ...]]
"""From an observation and an action to what it gains and denies, as phrases."""

LEVEL = 0.005
"""Values closer than this are told as equal: they are when rounded to a per cent."""


def why(game: AnyGame, observation: Any, assessed: Assessment, best: float) -> Message:
    """A sentence on an action, given the value of the best one."""
    facts = FACTS.get(game.id)
    found = facts(observation, assessed.action) if facts else ()
    verdict = _verdict(assessed, best)
    if found:
        return msg("bots.why", facts=found, verdict=verdict)
    return msg("bots.why.plain", verdict=verdict)


def _verdict(assessed: Assessment, best: float) -> Message:
    if assessed.value != assessed.value:  # not a number: the only action there is
        return msg("bots.verdict.only")
    if not assessed.visits and assessed.spread:
        return msg("bots.verdict.untried")
    chance = round(100 * assessed.value)
    if assessed.value >= best:
        return msg("bots.verdict.best", chance=chance)
    if best - assessed.value < LEVEL:
        return msg("bots.verdict.level", chance=chance)
    return msg("bots.verdict.worse", chance=chance, best=round(100 * best))


# -- Ancient Cards --------------------------------------------------------------------------------


def _runes(o: RunesObservation, rune: str) -> tuple[Message, ...]:
    at = RUNES.index(rune)
    name = msg(f"card.ancient-cards.{rune}")
    area, next_seat = o.areas[o.player], (o.player + 1) % len(o.areas)
    number = counts(area)[at] + 1
    gained = area_points(area + UNIT[rune]) - area_points(area)
    facts = []
    if gained:
        facts.append(msg("bots.runes.gains", n=gained, number=number, rune=name))
    elif number > 1:
        more = identical_points(number + 1) - identical_points(number)
        facts.append(msg("bots.runes.grows", n=more, number=number, rune=name))
    else:
        facts.append(msg("bots.runes.starts", rune=name))
    if o.pick < HAND_SIZE - 1:
        rival = o.areas[next_seat]
        worth = area_points(rival + UNIT[rune]) - area_points(rival)
        left = counts(o.hands[o.player] or 0)[at] - 1
        if worth and left:
            facts.append(msg("bots.runes.leaves", n=left, rune=name, player=Seat(next_seat)))
        elif worth:
            facts.append(msg("bots.denies", n=worth, player=Seat(next_seat)))
    return tuple(facts)


# -- Tides of Madness -----------------------------------------------------------------------------


def _tides(o: TidesObservation, act: Act) -> tuple[Message, ...]:
    me, other = o.player, 1 - o.player
    fronts = (sum(o.tableaus[0]), sum(o.tableaus[1]))
    if act.kind == "choose":
        if act.what == tides.POINTS:
            return (
                msg("bots.gains", n=tides.CHOICE_POINTS),
                msg("bots.tides.stays", number=o.madness[me]),
            )
        return (msg("bots.tides.heals", number=o.madness[me] - 1),)
    if act.kind == "dreamlands":
        points = tides.card_points(*fronts, o.madness, act.what, o.doubled)
        return (
            msg("bots.gains-round", n=points[me]),
            msg("bots.leaves-round", n=points[other], player=Seat(other)),
        )
    card = BIT[act.what]
    if act.kind == "pick":
        return _tides_pick(o, card)
    # what the card did in the round just played, when all lay in front
    played = tuple(front | hand for front, hand in zip(fronts, o.hands, strict=True))
    worth = _swing(o, (played[0], played[1]), card, o.doubled)
    facts = [msg(f"bots.tides.{act.kind}", n=worth)]
    if card & ICONS and act.kind == "keep":
        facts.append(msg("bots.tides.icon-again"))
    return tuple(facts)


def _swing(o: TidesObservation, fronts: tuple[int, int], card: int, doubled: int) -> int:
    """Points that the seat has more because this card lies in front of it."""
    me = o.player
    without = tuple(front & ~card if p == me else front for p, front in enumerate(fronts))
    kept_double = doubled if doubled != card else NONE
    now = tides.card_points(*fronts, o.madness, o.suit, doubled)[me]
    return now - tides.card_points(without[0], without[1], o.madness, o.suit, kept_double)[me]


def _tides_pick(o: TidesObservation, card: int) -> tuple[Message, ...]:
    me, other = o.player, 1 - o.player
    fronts = [sum(row) for row in o.tableaus]
    row = o.tableaus[me][o.round :]
    doubled = o.doubled
    if card == SHUB_NIGGURATH:
        doubled = row[-1] if row else NONE
    mine = [front | card if p == me else front for p, front in enumerate(fronts)]
    theirs = [front | card if p == other else front for p, front in enumerate(fronts)]
    madness = tuple(o.madness[p] + tides.icons(mine[p]) for p in (0, 1))
    before = tides.card_points(fronts[0], fronts[1], o.madness, None, o.doubled)
    with_it = tides.card_points(mine[0], mine[1], (madness[0], madness[1]), None, doubled)
    given = tides.card_points(theirs[0], theirs[1], o.madness, None, o.doubled)
    facts = []
    if gained := with_it[me] - before[me]:
        facts.append(msg("bots.gains-now", n=gained))
    if (lost := before[other] - with_it[other]) > 0:
        facts.append(msg("bots.takes", n=lost, player=Seat(other)))
    if (denied := given[other] - before[other]) > 0 and o.hands[me] != card:
        facts.append(msg("bots.denies", n=denied, player=Seat(other)))
    if card & ICONS:
        total = madness[me]
        key = "bots.tides.ninth" if total >= LOST_AT else "bots.tides.madness"
        facts.append(msg(key, number=total))
    return tuple(facts)


# -- Mythicals ------------------------------------------------------------------------------------


def _mythicals(o: MythicalsObservation, action: Action) -> tuple[Message, ...]:
    me, other = o.player, 1 - o.player
    if action.kind == "claim":
        unit = TOKEN_UNIT[action.target]
        worth = TOKEN[action.target].points + count(o.markers, unit)
        facts = [msg("bots.gains", n=worth)]
        if not missing(action.target, o.hands[other]):
            facts.append(msg("bots.denies", n=worth, player=Seat(other)))
        return tuple(facts)
    if action.kind in ("draw", "take") and action.target in COLOUR_MASK:
        source = o.reserve if action.kind == "draw" else o.revealed
        taken = source & COLOUR_MASK[action.target]
        facts = [msg("bots.mythicals.cards", n=size(taken))]
        if token := _nearer(o, o.hands[me], taken):
            facts.append(msg("bots.mythicals.nearer", token=msg(f"card.mythicals.{token}")))
        if token := _nearer(o, o.hands[other], taken):
            name = msg(f"card.mythicals.{token}")
            facts.append(msg("bots.mythicals.denies", token=name, player=Seat(other)))
        return tuple(facts)
    if action.kind == "reinforce":
        return (msg("bots.mythicals.reinforces", n=action.amount),)
    return ()


def _nearer(o: MythicalsObservation, hand: int, taken: int) -> str | None:
    """The dearest token that these cards bring to one missing card or none."""
    there = [t for t in TOKENS if o.board & TOKEN_UNIT[t.id]]
    for token in sorted(there, key=lambda t: -t.points):
        before = missing(token.id, hand)
        after = missing(token.id, hand + taken)
        if after < before and after < 2:
            return token.id
    return None


# -- Ritos Ancestrais -----------------------------------------------------------------------------


def _ritos(o: RitosObservation, action: RitosAction) -> tuple[Message, ...]:
    if action.do != "ritual":
        return ()
    t = tables(o.setup.edition)
    spent = t.pack(action.cards) & COUNTS
    worth = t.ritual_points(t.ritual_index[action.what], spent, t.cult(o.cults[o.player]))
    facts = [msg("bots.gains", n=worth)]
    if o.points[o.player] + worth >= GOAL and not o.last:
        facts.append(msg("bots.ritos.ends", goal=GOAL))
    return tuple(facts)


FACTS: Mapping[str, Facts] = {
    "ancient-cards": _runes,
    "mythicals": _mythicals,
    "ritos-ancestrais": _ritos,
    "tides-of-madness": _tides,
}
"""What can be said of an action, per game; of others only how good it is."""
