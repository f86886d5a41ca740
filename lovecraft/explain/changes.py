"""What would have changed a score: sheets one step away, scored by the games' own functions.

For each game a function takes the plain data of a sheet and one of its score lines, tries every
single step that could have been otherwise (a rune, a card, a marker, a choice), and keeps those
that change the line or the winner. No rule stands here: a step is judged by scoring it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lovecraft.core.scoring import Outcome, ScoreSheet
from lovecraft.games.ancient_cards import scoring as ancient
from lovecraft.games.ancient_cards.cards import HAND_SIZE, RUNES
from lovecraft.games.mythicals import scoring as mythical
from lovecraft.games.mythicals.cards import MARKERS, MAX_MARKERS
from lovecraft.games.ritos_ancestrais import scoring as ritual
from lovecraft.games.ritos_ancestrais.edition import Edition
from lovecraft.games.tides_of_madness import scoring as tide
from lovecraft.games.tides_of_madness.cards import CARDS, SUITS, CardId
from lovecraft.games.tides_of_madness.sheet import Round, Side, running_round
from lovecraft.i18n import Message, Seat, msg

SHOWN = 4
"""Steps that are told of one line."""

FURTHEST = 100
"""So many points away the game is called decided."""


class Change(NamedTuple):
    """One step that might have been: what the line and its player's total would be, who would win.

    ``winners`` is None where they stay the same, or while the game goes on.
    """

    step: Message
    line: int
    total: int
    winners: tuple[Seat, ...] | None = None


class WhatIf(NamedTuple):
    """What would have changed a line, and how far the game was from ending otherwise."""

    line: int
    total: int
    changes: tuple[Change, ...]
    margin: Message | None = None


class Scored(NamedTuple):
    """A sheet as far as it matters here: the points of the line, and the standing."""

    line: int
    outcome: Outcome


Step = tuple[Message, Scored]


def compare(
    now: Scored, seat: int, steps: Iterable[Step], finished: bool, margin: Message | None = None
) -> WhatIf:
    """The steps worth telling: those that change the line most, and the least that decides.

    Of steps with the same effect on the line one is kept, the one that serves the player best.
    """
    before = now.outcome
    by_line: dict[int, Change] = {}
    deciding: Change | None = None
    for step, then in steps:
        total = then.outcome.totals[seat]
        other = finished and then.outcome.winners != before.winners
        winners = tuple(map(Seat, then.outcome.winners)) if other else None
        change = Change(step, then.line, total, winners)
        if then.line != now.line:
            kept = by_line.get(then.line)
            if kept is None or total > kept.total:
                by_line[then.line] = change
        if other and (
            deciding is None
            or _gap(change.total, before.totals[seat]) < _gap(deciding.total, before.totals[seat])
        ):
            deciding = change
    ordered = sorted(by_line.values(), key=lambda change: -change.line)
    if len(ordered) > SHOWN:
        ordered = ordered[: SHOWN // 2] + ordered[-SHOWN // 2 :]
    if deciding and not any(change.winners is not None for change in ordered):
        ordered.append(deciding)
    return WhatIf(now.line, before.totals[seat], tuple(ordered), margin)


def _gap(total: int, before: int) -> int:
    return abs(total - before)


def margin(seat: int, standing: Callable[[int], Outcome]) -> Message | None:
    """How many points more would have made a player win, or how many less not win alone.

    ``standing`` gives the outcome with so many points more for the player. None when no number of
    points would have helped.
    """
    now = standing(0).winners
    if seat in now:
        for n in range(1, FURTHEST):
            if standing(-n).winners != now:
                return msg("changes.less-points", n=n, player=Seat(seat))
        return None
    for n in range(1, FURTHEST):
        winners = standing(n).winners
        if seat in winners:
            key = "changes.share-points" if len(winners) > 1 else "changes.more-points"
            return msg(key, n=n, player=Seat(seat))
    return None


# -- Ancient Cards --------------------------------------------------------------------------------

Counts = Mapping[str, int]


def ancient_cards(
    rounds: Sequence[Sequence[Counts]], player: int, rnd: int, rune: str | None
) -> WhatIf:
    """The line of ``rune`` (None: that of seven different runes) in ``rounds[player][rnd]``."""
    finished = all(sum(counts.values()) == HAND_SIZE for own in rounds for counts in own)
    points = [[ancient.score(counts).points for counts in own] for own in rounds]
    own = rounds[player][rnd]

    def scored(counts: Counts) -> Scored:
        sheet = ancient.score(counts)
        return Scored(_rune_points(sheet, rune), standing(sheet.points - points[player][rnd]))

    def standing(more: int) -> Outcome:
        changed = [list(row) for row in points]
        changed[player][rnd] += more
        return ancient.final_standings(changed, finished)

    steps = ((step, scored(counts)) for step, counts in _rune_steps(own))
    told = margin(player, standing) if finished else None
    return compare(scored(own), player, steps, finished, told)


def _rune_points(sheet: ScoreSheet, rune: str | None) -> int:
    wanted = RUNES if rune is None else (rune,)
    return sum(line.points for line in sheet.lines if tuple(dict.fromkeys(line.cards)) == wanted)


def _rune_steps(own: Counts) -> Iterator[tuple[Message, Counts]]:
    name = {rune: msg(f"card.ancient-cards.{rune}") for rune in RUNES}
    there = [rune for rune in RUNES if own.get(rune, 0)]
    room = sum(own.values()) < HAND_SIZE
    for new in RUNES if room else ():
        yield msg("changes.more", card=name[new]), {**own, new: own.get(new, 0) + 1}
    for old in there:
        fewer = {**own, old: own[old] - 1}
        if room:
            yield msg("changes.less", card=name[old]), fewer
            continue
        for new in RUNES:
            if new != old:
                step = msg("changes.instead", card=name[new], other=name[old])
                yield step, {**fewer, new: fewer.get(new, 0) + 1}


# -- Tides of Madness -----------------------------------------------------------------------------

Sides = tuple[Side, Side]


def tides_of_madness(
    rounds: Sequence[Sides],
    rnd: int,
    seat: int,
    card: CardId | None,
    *,
    gone: Iterable[CardId] = (),
    shub_stays: bool = False,
    finished: bool = False,
) -> WhatIf:
    """The line of ``card`` (None: of most madness) of a seat in ``rounds[rnd]``.

    ``gone`` are the cards that were out of the game in that round.
    """

    def scored(changed: Sequence[Sides]) -> Scored:
        played = _tide_rounds(changed, shub_stays)
        line = 0
        if rnd < len(played):
            lines = played[rnd].scores[seat].lines
            shown = len(played[rnd].tableaus[seat].cards)
            own = lines[shown:] if card is None else lines[:shown]
            line = sum(one.points for one in own if card is None or one.cards[0] == card)
        return Scored(line, _tide_outcome(played, finished))

    played = _tide_rounds(rounds, shub_stays)

    def standing(more: int) -> Outcome:
        points = [[side.points for side in one.scores] for one in played]
        points[rnd][seat] += more
        return tide.final_standings(points, played[-1].madness)

    steps = (
        (step, scored([*rounds[:rnd], sides, *rounds[rnd + 1 :]]))
        for step, sides in _tide_steps(rounds, rnd, seat, card, frozenset(gone), played[rnd])
    )
    told = margin(seat, standing) if finished else None
    return compare(scored(rounds), seat, steps, finished, told)


def _tide_rounds(rounds: Sequence[Sides], shub_stays: bool) -> list[Round]:
    played: list[Round] = []
    for sides in rounds:
        played.append(running_round(sides, played[-1] if played else None, shub_stays))
        if tide.lost(played[-1].madness):
            break
    return played


def _tide_outcome(played: Sequence[Round], finished: bool) -> Outcome:
    points = [[side.points for side in one.scores] for one in played]
    return tide.final_standings(points, played[-1].madness if finished else (0, 0))


def _tide_steps(
    rounds: Sequence[Sides],
    rnd: int,
    seat: int,
    card: CardId | None,
    gone: frozenset[CardId],
    now: Round,
) -> Iterator[tuple[Message, Sides]]:
    own, other = rounds[rnd][seat], rounds[rnd][1 - seat]
    kept_later = {c for sides in rounds[rnd + 1 :] for side in sides for c in side.kept}
    there = {c for side in rounds[rnd] for c in side.kept + side.played}

    def sides(mine: Side, theirs: Side = other) -> Sides:
        return (mine, theirs) if seat == 0 else (theirs, mine)

    for old in own.played:
        if old == card or old in kept_later:
            continue
        for new in CARDS:
            if new not in there and new not in gone:
                step = msg("changes.instead", card=tide.card_name(new), other=tide.card_name(old))
                yield step, sides(own._replace(played=_put(own.played, old, new)))
        for new in other.played:
            if new not in kept_later:
                step = msg(
                    "changes.exchanged",
                    card=tide.card_name(new),
                    other=tide.card_name(old),
                    player=Seat(1 - seat),
                )
                mine = own._replace(played=_put(own.played, old, new))
                yield step, sides(mine, other._replace(played=_put(other.played, new, old)))
    if now.most is not None and now.choice is not None:
        what = tide.HEAL if now.choice == tide.POINTS else tide.POINTS
        changed = [
            side._replace(choice=what if p == now.most else None)
            for p, side in enumerate(rounds[rnd])
        ]
        yield msg(f"changes.chose-{what}", player=Seat(now.most)), (changed[0], changed[1])
    for suit in SUITS if now.owner is not None else ():
        if suit != now.suit:
            step = msg("changes.suit", suit=tide.suit_name(suit))
            changed = [
                side._replace(suit=suit if p == now.owner else None)
                for p, side in enumerate(rounds[rnd])
            ]
            yield step, (changed[0], changed[1])
    shub = "shub-niggurath"
    if card == shub and shub in own.played:
        rest = [c for c in own.played if c != shub]
        for at, before in enumerate(rest):
            step = msg("changes.after", card=tide.card_name(shub), other=tide.card_name(before))
            order = (*rest[: at + 1], shub, *rest[at + 1 :])
            if order != own.played:
                yield step, sides(own._replace(played=order))


def _put(cards: tuple[CardId, ...], old: CardId, new: CardId) -> tuple[CardId, ...]:
    return tuple(new if card == old else card for card in cards)


# -- Mythicals ------------------------------------------------------------------------------------

Places = Mapping[str, tuple[int, int]]
"""Claimed tokens: whose, and with how many markers."""


def mythicals(places: Places, token: str, of_markers: bool, finished: bool) -> WhatIf:
    """The line of a claimed token, or that of its markers."""
    seat = places[token][0]

    def scored(changed: Places) -> Scored:
        totals = [0, 0]
        for name, (owner, markers) in changed.items():
            totals[owner] += mythical.score([(name, markers)]).points
        line = 0
        if token in changed and changed[token][0] == seat:
            sheet = mythical.score([(token, changed[token][1])])
            line = sum(one.points for one in sheet.lines[1 if of_markers else 0 :][:1])
        return Scored(line, mythical.final_standings(totals))

    now = scored(places)

    def standing(more: int) -> Outcome:
        totals = list(now.outcome.totals)
        totals[seat] += more
        return mythical.final_standings(totals)

    steps = ((step, scored(changed)) for step, changed in _token_steps(places, token))
    return compare(now, seat, steps, finished, margin(seat, standing) if finished else None)


def _token_steps(places: Places, token: str) -> Iterator[tuple[Message, Places]]:
    left = MARKERS - sum(markers for _, markers in places.values())
    owner, markers = places[token]
    name = msg(f"card.mythicals.{token}")
    if markers < MAX_MARKERS and left:
        yield msg("changes.marker-more", token=name), {**places, token: (owner, markers + 1)}
    if markers:
        yield msg("changes.marker-less", token=name), {**places, token: (owner, markers - 1)}
    yield msg("changes.without", card=name), {k: v for k, v in places.items() if k != token}
    for other, (whose, lying) in places.items():
        step = msg("changes.token-to", token=msg(f"card.mythicals.{other}"), player=Seat(1 - whose))
        yield step, {**places, other: (1 - whose, lying)}


# -- Ritos Ancestrais -----------------------------------------------------------------------------


class Follower(NamedTuple):
    """What a Ritos sheet says of one player."""

    rituals: tuple[ritual.Performed, ...]
    cult: tuple[str, ...]
    hand: int


def ritos_ancestrais(
    edition: Edition, players: Sequence[Follower], seat: int, at: int, of_end: bool, finished: bool
) -> WhatIf:
    """The ``at``-th line of a player's rituals, or (``of_end``) of the end bonuses."""

    def parts(player: Follower) -> tuple[ScoreSheet, ScoreSheet]:
        names = [done.ritual for done in player.rituals]
        return (
            ritual.ritual_sheet(edition, player.rituals),
            ritual.end_sheet(edition, names, player.cult, player.hand),
        )

    wanted = parts(players[seat])[of_end].lines[at]
    nth = parts(players[seat])[of_end].lines[: at + 1].count(wanted)

    def scored(changed: Follower) -> Scored:
        every = [changed if p == seat else player for p, player in enumerate(players)]
        sheets = [parts(player) for player in every]
        same = [
            line
            for line in sheets[seat][of_end].lines
            if (line.rule, line.cards) == (wanted.rule, wanted.cards)
        ]
        totals = [done.points + end.points for done, end in sheets]
        outcome = ritual.final_standings(totals, [player.hand for player in every])
        return Scored(same[nth - 1].points if len(same) >= nth else 0, outcome)

    own = players[seat]
    now = scored(own)

    def standing(more: int) -> Outcome:
        totals = [total + more * (p == seat) for p, total in enumerate(now.outcome.totals)]
        return ritual.final_standings(totals, [player.hand for player in players])

    steps = ((step, scored(changed)) for step, changed in _ritual_steps(edition, players, seat))
    return compare(now, seat, steps, finished, margin(seat, standing) if finished else None)


def _ritual_steps(
    edition: Edition, players: Sequence[Follower], seat: int
) -> Iterator[tuple[Message, Follower]]:
    own = players[seat]
    for at, done in enumerate(own.rituals):
        name = edition.ritual_name(done.ritual)
        rest = (*own.rituals[:at], *own.rituals[at + 1 :])
        yield msg("changes.without", card=name), own._replace(rituals=rest)
    for each in edition.rituals:
        more = (*own.rituals, ritual.Performed(each.id))
        name = edition.ritual_name(each.id)
        yield msg("changes.more", card=name), own._replace(rituals=more)
    for card in edition.cards:
        name = edition.card_name(card.id)
        if card.id in own.cult:
            rest_of_cult = tuple(c for c in own.cult if c != card.id)
            yield msg("changes.without", card=name), own._replace(cult=rest_of_cult)
        elif sum(player.cult.count(card.id) for player in players) < card.copies:
            step = msg("changes.in-cult", card=name)
            yield step, own._replace(cult=(*own.cult, card.id))
    yield msg("changes.hand-more"), own._replace(hand=own.hand + 1)
    if own.hand:
        yield msg("changes.hand-less"), own._replace(hand=own.hand - 1)
