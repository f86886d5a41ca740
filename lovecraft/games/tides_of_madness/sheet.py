"""Scoring sheets of Tides of Madness played with real cards.

A sheet is ``{"game": "tides-of-madness", "players": [name, name], "rounds": [[side, side], …]}``
with 1 to 3 rounds and one side per player: ``{"kept": […], "played": […], "choice": …,
"dreamlands": …}``. ``kept`` are the cards from earlier rounds (one more each round, may be left out
in the first), ``played`` the five of this round in order; ``choice`` is ``"points"`` or ``"heal"``
for the one with most madness of the round, else null or absent; ``dreamlands`` the suit that
Dreamlands counts as, for its owner (null or absent: the best one is taken). ``"options":
{"shub_stays": true}`` is allowed beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidOption, InvalidSheet
from lovecraft.core.names import clean_name
from lovecraft.core.options import resolve
from lovecraft.core.scoring import ScoreSheet
from lovecraft.core.sheets import expect_fields, expect_list, lines_json, same_name_twice
from lovecraft.games.tides_of_madness import rulebook, scoring
from lovecraft.games.tides_of_madness.cards import (
    BIT,
    CARDS,
    HAND_SIZE,
    NEW_CARDS,
    ROUNDS,
    SUITS,
    CardId,
    Suit,
    pack,
)
from lovecraft.games.tides_of_madness.scoring import Tableau, card_name
from lovecraft.i18n import Message, Seat, msg

PLAYERS = 2
_ERROR = f"{rulebook.GAME}.error"

Pair = tuple[int, int]


class Side(NamedTuple):
    """One player's entries of one round, checked each for itself."""

    kept: tuple[CardId, ...]
    played: tuple[CardId, ...]
    choice: str | None = None
    suit: Suit | None = None


class Round(NamedTuple):
    """A scored round: per seat the tableau, icons taken, total madness and score.

    ``most`` is the seat with most madness of the round, ``owner`` that of Dreamlands; ``suit`` is
    what it counts as, chosen by its owner or (``by_owner`` false) the best; ``options`` has the
    points of both players' cards for every suit.
    """

    tableaus: tuple[Tableau, Tableau]
    taken: Pair
    most: int | None
    choice: str | None
    owner: int | None
    suit: Suit | None
    by_owner: bool
    options: tuple[tuple[Suit, Pair], ...]
    madness: Pair
    scores: tuple[ScoreSheet, ScoreSheet]

    @property
    def best(self) -> Suit | None:
        """The suit that serves the owner of Dreamlands best, whatever the owner has chosen."""
        return None if self.owner is None else scoring.best_option(self.options, self.owner)


def score_sheet(sheet: Json, lang: str = "en") -> Json:
    """Score a whole sheet.

    Returns ``game``, ``finished``, ``rounds`` (per round and player ``points``, ``lines``, total
    ``madness``, ``taken`` in the round, ``choice``, and ``dreamlands``: null, or ``suit``, whether
    it was ``chosen``, and ``options`` with the points per suit for ``own`` and ``other``),
    ``players`` (``name``, ``total``, ``madness``, ``rank``), ``removed`` (per refresh the card that
    each player must have removed), ``winners`` (names; the leaders while the game goes on) and
    ``lost_to_madness`` (names). Raises InvalidSheet naming the place.
    """
    fields = expect_fields(sheet, "", ("game", "players", "rounds"), ("options",))
    if fields["game"] != rulebook.GAME:
        raise InvalidSheet(msg("error.sheet-game", game=rulebook.GAME), "game")
    names: list[str] = []
    for i, name in enumerate(expect_list(fields["players"], "players", PLAYERS, PLAYERS)):
        names.append(clean_name(name, f"players[{i}]", InvalidSheet))
        same_name_twice(names, f"players[{i}]")
    shub_stays = _options(fields.get("options"))
    entries = [
        read_round(value, f"rounds[{r}]", r)
        for r, value in enumerate(expect_list(fields["rounds"], "rounds", 1, ROUNDS))
    ]
    removed = [
        check_refresh(entries[: r + 1], names, f"rounds[{r}]") for r in range(1, len(entries))
    ]
    rounds: list[Round] = []
    for r, sides in enumerate(entries):
        before = rounds[-1] if rounds else None
        if before and scoring.lost(before.madness):
            raise InvalidSheet(msg(f"{_ERROR}.sheet-ended", n=r), f"rounds[{r}]")
        rounds.append(score_round(sides, before, shub_stays, f"rounds[{r}]"))
    return _result(names, rounds, removed, lang)


# -- reading ----------------------------------------------------------------------------------


def read_round(value: Json, place: str, number: int) -> tuple[Side, Side]:
    """Both sides of one round (``number`` from 0), each card there once. Raises InvalidSheet."""
    there: set[CardId] = set()
    sides = [
        _side(side, f"{place}[{p}]", number, there)
        for p, side in enumerate(expect_list(value, place, PLAYERS, PLAYERS))
    ]
    return sides[0], sides[1]


def _side(value: Json, place: str, number: int, there: set[CardId]) -> Side:
    fields = expect_fields(value, place, ("played",), ("kept", "choice", "dreamlands"))
    kept = _cards(fields.get("kept", []), f"{place}.kept", number, there)
    played = _cards(fields["played"], f"{place}.played", HAND_SIZE, there)
    choice, suit = fields.get("choice"), fields.get("dreamlands")
    if choice is not None and choice not in scoring.CHOICES:
        raise InvalidSheet(msg(f"{_ERROR}.unknown-choose"), f"{place}.choice")
    if suit is not None and suit not in SUITS:
        raise InvalidSheet(
            msg(f"{_ERROR}.sheet-suit", suits=SUITS),
            f"{place}.dreamlands",
        )
    return Side(kept, played, choice, suit)


def _cards(value: Json, place: str, number: int, there: set[CardId]) -> tuple[CardId, ...]:
    cards = expect_list(value, place, number, number)
    for i, card in enumerate(cards):
        if not isinstance(card, str) or card not in BIT:
            raise InvalidSheet(msg(f"{_ERROR}.sheet-card", cards=CARDS), f"{place}[{i}]")
        if card in there:
            raise InvalidSheet(msg(f"{_ERROR}.card-twice", card=card_name(card)), f"{place}[{i}]")
        there.add(card)
    return tuple(cards)


def _options(value: Json) -> bool:
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise InvalidSheet(msg("error.json-kind", expected="{…}"), "options")
    try:
        return bool(resolve(rulebook.OPTIONS, value)["shub_stays"])
    except InvalidOption as refused:
        raise InvalidSheet(refused.message, refused.place) from refused


# -- what is possible -------------------------------------------------------------------------


def possible_cards(
    history: list[tuple[Side, Side]], kept: tuple[tuple[CardId, ...], tuple[CardId, ...]] = ((), ())
) -> tuple[CardId, ...]:
    """The cards that can be played in the round after those given, with ``kept`` lying in front.

    All five cards of every hand are played, so they are the ones that were played last and come
    back to the hands, and those that nobody has seen yet.
    """
    seen = {card for sides in history for side in sides for card in side.kept + side.played}
    back = {card for side in history[-1] for card in side.played} if history else set()
    return tuple(
        card
        for card in CARDS
        if (card not in seen or card in back) and card not in kept[0] + kept[1]
    )


def absent_cards(
    history: Sequence[tuple[Side, Side]],
    now: tuple[Side, Side],
    removed: Mapping[CardId, int],
) -> dict[CardId, Message]:
    """The cards that cannot be played next in a round entered as far as ``now``, and why.

    ``history`` are the whole rounds before (empty in the first, or while one of them is not whole:
    then they rule nothing out); ``removed`` has the seat of each card known to have left the game.
    """
    why: dict[CardId, Message] = {}
    for p, side in enumerate(now):
        for key, cards in (("sheet-lies", side.played), ("sheet-kept", side.kept)):
            why |= {c: msg(f"{_ERROR}.{key}", card=card_name(c), player=Seat(p)) for c in cards}
    gone = dict(removed)
    if history:
        for p, card in enumerate(removed_cards(history[-1], now)):
            if card is not None:
                gone.setdefault(card, p)
    for card, p in gone.items():
        why.setdefault(card, msg(f"{_ERROR}.sheet-gone", card=card_name(card), player=Seat(p)))
    if not history:
        return why
    possible = possible_cards(list(history), (now[0].kept, now[1].kept))
    before = set(history[-1][0].played + history[-1][1].played)
    dealt = sum(card not in before for side in now for card in side.played)
    for card in CARDS:
        if card not in possible:
            why.setdefault(card, msg(f"{_ERROR}.sheet-removed", card=card_name(card)))
        elif dealt >= 2 * NEW_CARDS and card not in before:
            why.setdefault(card, msg(f"{_ERROR}.sheet-dealt", n=2 * NEW_CARDS))
    for side in history[-1]:
        back = [c for c in side.played if c in now[0].played + now[1].played]
        if len(back) >= HAND_SIZE - 2:
            for card in side.played:
                why.setdefault(card, msg(f"{_ERROR}.sheet-not-back", card=card_name(card)))
    return why


def removed_cards(
    before: tuple[Side, Side], now: tuple[Side, Side]
) -> tuple[CardId | None, CardId | None]:
    """The card that each player must have removed before the round entered as far as ``now``.

    None while that is still open: a player's card is known once one of the five is kept and three
    are back.
    """
    back = now[0].played + now[1].played
    found = []
    for p, side in enumerate(before):
        gone = [card for card in side.played if card not in now[p].kept and card not in back]
        found.append(gone[0] if len(gone) == 1 and len(side.played) == HAND_SIZE else None)
    return found[0], found[1]


def check_refresh(
    rounds: list[tuple[Side, Side]], names: list[str], place: str
) -> tuple[CardId, CardId]:
    """Check that the last of some rounds can follow the others; the cards that were removed.

    Each player keeps one of the own five cards of the round before, besides those kept earlier,
    and removes another; the other six come back. Raises InvalidSheet at what does not fit.
    """
    before, now = rounds[-2], rounds[-1]
    kept_now = []
    for p, side in enumerate(now):
        for card in before[p].kept:
            if card not in side.kept:
                raise InvalidSheet(
                    msg(f"{_ERROR}.sheet-not-kept", card=card_name(card)), f"{place}[{p}].kept"
                )
        for i, card in enumerate(side.kept):
            if card not in before[p].kept + before[p].played:
                raise InvalidSheet(
                    msg(f"{_ERROR}.sheet-not-played", card=card_name(card), player=names[p]),
                    f"{place}[{p}].kept[{i}]",
                )
            if card not in before[p].kept:
                kept_now.append(card)
    possible = possible_cards(rounds[:-1])
    for p, side in enumerate(now):
        for i, card in enumerate(side.played):
            if card not in possible:
                raise InvalidSheet(
                    msg(f"{_ERROR}.sheet-removed", card=card_name(card)),
                    f"{place}[{p}].played[{i}]",
                )
    back = now[0].played + now[1].played
    removed = []
    for p, side in enumerate(before):
        gone = [card for card in side.played if card not in kept_now and card not in back]
        if not gone:
            left = tuple(card_name(card) for card in side.played if card not in kept_now)
            raise InvalidSheet(
                msg(f"{_ERROR}.sheet-none-removed", player=names[p], cards=left), place
            )
        if len(gone) > 1:
            lost = tuple(card_name(card) for card in gone)
            raise InvalidSheet(
                msg(f"{_ERROR}.sheet-many-removed", player=names[p], cards=lost), place
            )
        removed.append(gone[0])
    return removed[0], removed[1]


# -- scoring ----------------------------------------------------------------------------------


def score_round(
    sides: tuple[Side, Side],
    before: Round | None,
    shub_stays: bool = False,
    place: str = "rounds[0]",
) -> Round:
    """Steps a to d of scoring for a round that follows ``before``.

    Raises InvalidSheet for a choice or suit that is missing or may not be made.
    """
    scored = running_round(sides, before, shub_stays)
    for p, side in enumerate(sides):
        if p == scored.most and side.choice is None:
            raise InvalidSheet(
                msg(f"{_ERROR}.sheet-choice-due", n=scored.taken[p], other=scored.taken[1 - p]),
                f"{place}[{p}].choice",
            )
        if p != scored.most and side.choice is not None:
            raise InvalidSheet(
                msg(f"{_ERROR}.sheet-no-choice", n=scored.taken[p], other=scored.taken[1 - p]),
                f"{place}[{p}].choice",
            )
    for p, side in enumerate(sides):
        if p != scored.owner and side.suit is not None:
            raise InvalidSheet(msg(f"{_ERROR}.sheet-no-dreamlands"), f"{place}[{p}].dreamlands")
    return scored


def running_round(
    sides: tuple[Side, Side], before: Round | None, shub_stays: bool = False
) -> Round:
    """The score of a round as far as it is entered, cards and choices still missing or not.

    A choice or a suit that is not due is passed over.
    """
    tableaus = (
        _tableau(sides[0], before.tableaus[0] if before else None, shub_stays),
        _tableau(sides[1], before.tableaus[1] if before else None, shub_stays),
    )
    a, b = pack(tableaus[0].cards), pack(tableaus[1].cards)
    taken = (scoring.icons(a), scoring.icons(b))
    most = scoring.most_madness(a, b)
    owner = scoring.dreamlands_owner(a, b)
    had = before.madness if before else (0, 0)
    madness = (had[0] + taken[0], had[1] + taken[1])
    choice = None if most is None else sides[most].choice
    if most is not None and choice == scoring.HEAL:
        madness = scoring.healed(madness, most)
    madness = scoring.after_dreamlands(madness, owner)
    doubled = pack(filter(None, map(scoring.doubled_card, tableaus)))
    given = None if owner is None else sides[owner].suit
    suit = given or scoring.best_suit(a, b, madness, doubled)
    paid = most if choice == scoring.POINTS else None
    return Round(
        tableaus,
        taken,
        most,
        choice,
        owner,
        suit,
        given is not None,
        () if owner is None else scoring.dreamlands_points(a, b, madness, doubled),
        madness,
        (
            scoring.score(tableaus[0], tableaus[1], madness[0], suit, paid == 0),
            scoring.score(tableaus[1], tableaus[0], madness[1], suit, paid == 1),
        ),
    )


def _tableau(side: Side, before: Tableau | None, shub_stays: bool) -> Tableau:
    """A side's tableau, with the card on which a kept Shub-Niggurath lies if that counts."""
    if not shub_stays or before is None or "shub-niggurath" not in side.kept:
        return Tableau(side.kept, side.played)
    return Tableau(side.kept, side.played, before.doubled or scoring.doubled_card(before))


def _result(
    names: list[str], rounds: list[Round], removed: list[tuple[CardId, CardId]], lang: str
) -> Json:
    madness = rounds[-1].madness
    outcome = scoring.final_standings(
        [[one.points for one in played.scores] for played in rounds], madness
    )
    mad = scoring.lost(madness)
    return {
        "game": rulebook.GAME,
        "finished": bool(mad) or len(rounds) == ROUNDS,
        "rounds": [[_side_json(played, p, lang) for p in range(PLAYERS)] for played in rounds],
        "players": [
            {
                "name": name,
                "total": outcome.totals[p],
                "madness": madness[p],
                "rank": outcome.ranks[p],
            }
            for p, name in enumerate(names)
        ],
        "removed": [list(cards) for cards in removed],
        "winners": [names[p] for p in outcome.winners],
        "lost_to_madness": [names[p] for p in mad],
    }


def _side_json(played: Round, p: int, lang: str) -> Mapping[str, Json]:
    dreamlands = None
    if played.owner == p:
        dreamlands = {
            "suit": played.suit,
            "chosen": played.by_owner,
            "options": {
                suit: {"own": points[p], "other": points[1 - p]} for suit, points in played.options
            },
        }
    return {
        "points": played.scores[p].points,
        "lines": lines_json(played.scores[p], lang),
        "madness": played.madness[p],
        "taken": played.taken[p],
        "choice": played.choice if played.most == p else None,
        "dreamlands": dreamlands,
    }
