"""Scoring sheets of Ritos Ancestrais played with real cards.

A sheet is ``{"game": "ritos-ancestrais", "edition": "house", "players": [{"name": …, "rituals":
[…], "cult": […], "hand": 3}]}`` with 2 to 4 players, of a finished game or a running one. The
edition is the key or id of a registered one, or a whole edition as JSON. A ritual is its id, or
``{"ritual": id, "bonus": n}`` where the cult added ``n`` points when it was performed: a sheet
cannot tell which cards lay in the cult at that time, so it says what they added, and that is
checked against the most that the cult could add.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidSheet
from lovecraft.core.names import clean_name
from lovecraft.core.sheets import expect_fields, expect_list, lines_json, same_name_twice
from lovecraft.games.ritos_ancestrais import edition as editions
from lovecraft.games.ritos_ancestrais.cards import (
    GAME,
    GOAL,
    HAND_LIMIT,
    MAX_PLAYERS,
    MIN_PLAYERS,
)
from lovecraft.games.ritos_ancestrais.edition import Edition
from lovecraft.games.ritos_ancestrais.scoring import (
    Performed,
    end_sheet,
    final_standings,
    ritual_sheet,
)
from lovecraft.games.ritos_ancestrais.tables import Tables, tables
from lovecraft.i18n import msg

MOST_RITUALS = 60


class Entered(NamedTuple):
    """What a sheet says of one player."""

    name: str
    rituals: tuple[Performed, ...]
    cult: tuple[str, ...]
    hand: int


def score_sheet(sheet: Json, lang: str = "en") -> Json:
    """Score a whole sheet.

    Returns ``game``, ``edition`` (its key), ``goal``, ``finished`` (whether somebody has reached
    the goal, so that this round is the last), ``players`` (``name``, ``rituals`` and ``end``, each
    with ``points`` and ``lines``, ``hand``, ``total``, ``rank``), ``winners`` (names; the leaders
    while the game runs) and ``tiebreak``. End bonuses are those of a game that ended now. Raises
    InvalidSheet naming the place.
    """
    fields = expect_fields(sheet, "", required=("game", "players"), optional=("edition",))
    if fields["game"] != GAME:
        raise InvalidSheet(msg("error.sheet-game", game=GAME), "game")
    edition = _edition(fields.get("edition", editions.HOUSE))
    t = tables(edition.key)
    entries = expect_list(fields["players"], "players", MIN_PLAYERS, MAX_PLAYERS)
    players: list[Entered] = []
    for i, entry in enumerate(entries):
        players.append(_player(t, entry, f"players[{i}]"))
        same_name_twice([player.name for player in players], f"players[{i}].name")
    _check_deck(t, players)
    rituals = [ritual_sheet(edition, player.rituals) for player in players]
    ends = [
        end_sheet(edition, [r.ritual for r in player.rituals], player.cult, player.hand)
        for player in players
    ]
    totals = [done.points + end.points for done, end in zip(rituals, ends, strict=True)]
    outcome = final_standings(totals, [player.hand for player in players])
    return {
        "game": GAME,
        "edition": edition.key,
        "goal": GOAL,
        "finished": any(done.points >= GOAL for done in rituals),
        "players": [
            {
                "name": player.name,
                "rituals": {
                    "points": rituals[p].points,
                    "lines": lines_json(rituals[p], lang, cards="rituals"),
                },
                "end": {"points": ends[p].points, "lines": lines_json(ends[p], lang)},
                "hand": player.hand,
                "total": outcome.totals[p],
                "rank": outcome.ranks[p],
            }
            for p, player in enumerate(players)
        ],
        "winners": [players[p].name for p in outcome.winners],
        "tiebreak": outcome.tiebreak,
    }


def _edition(value: Json) -> Edition:
    try:
        if isinstance(value, dict):
            return editions.register(editions.read_edition(value))
        if not isinstance(value, str):
            raise InvalidSheet(msg("error.json-kind", expected="text"), "edition")
        return editions.find_edition(value)
    except editions.InvalidEdition as wrong:
        place = f"edition.{wrong.place}" if wrong.place else "edition"
        raise InvalidSheet(wrong.message, place) from None


def _player(t: Tables, value: Json, place: str) -> Entered:
    fields = expect_fields(value, place, required=("name", "rituals", "cult", "hand"))
    name = clean_name(fields["name"], f"{place}.name", InvalidSheet)
    cult = _cult(t, fields["cult"], f"{place}.cult")
    entries = expect_list(fields["rituals"], f"{place}.rituals", 0, MOST_RITUALS)
    rituals = tuple(
        _ritual(t, entry, cult, f"{place}.rituals[{i}]") for i, entry in enumerate(entries)
    )
    points = [t.base_points[t.ritual_index[r.ritual]] + r.bonus for r in rituals]
    if points and sum(points) - max(points) >= GOAL:
        # whoever reaches the goal has no further turn
        raise InvalidSheet(msg("ritos-ancestrais.error.sheet-goal", goal=GOAL), f"{place}.rituals")
    lying = t.cult(cult)
    most = HAND_LIMIT + t.amount("hand_limit", lying)
    return Entered(name, rituals, cult, _number(fields["hand"], f"{place}.hand", most))


def _cult(t: Tables, value: Json, place: str) -> tuple[str, ...]:
    cards: list[str] = []
    for i, card in enumerate(expect_list(value, place, 0, len(t.kinds))):
        at = f"{place}[{i}]"
        if not isinstance(card, str) or card not in t.index:
            raise InvalidSheet(msg("ritos-ancestrais.error.sheet-card", cards=t.kinds), at)
        if card in cards:
            raise InvalidSheet(
                msg("ritos-ancestrais.error.same-name", card=t.edition.card_name(card)), at
            )
        cards.append(card)
    return tuple(cards)


def _ritual(t: Tables, value: Json, cult: tuple[str, ...], place: str) -> Performed:
    bonus: Any = 0
    if isinstance(value, dict):
        fields = expect_fields(value, place, required=("ritual", "bonus"))
        value, bonus, place_of = fields["ritual"], fields["bonus"], f"{place}.ritual"
    else:
        place_of = place
    if not isinstance(value, str) or value not in t.ritual_index:
        raise InvalidSheet(msg("ritos-ancestrais.error.sheet-ritual", rituals=t.rituals), place_of)
    if type(bonus) is not int:
        raise InvalidSheet(msg("error.whole-number"), f"{place}.bonus")
    most = t.most_bonus(t.ritual_index[value], t.cult(cult))
    if not 0 <= bonus <= most:
        name = t.edition.ritual_name(value)
        raise InvalidSheet(
            msg("ritos-ancestrais.error.sheet-bonus", ritual=name, n=most), f"{place}.bonus"
        )
    return Performed(value, bonus)


def _check_deck(t: Tables, players: list[Entered]) -> None:
    """Refuse more copies of a card than there are, and more cards than the deck has."""
    left = {card.id: card.copies for card in t.edition.cards}
    cards = sum(left.values())
    for i, player in enumerate(players):
        for k, card in enumerate(player.cult):
            left[card] -= 1
            if left[card] < 0:
                there = next(c.copies for c in t.edition.cards if c.id == card)
                raise InvalidSheet(
                    msg(
                        "ritos-ancestrais.error.sheet-copies",
                        card=t.edition.card_name(card),
                        n=there,
                    ),
                    f"players[{i}].cult[{k}]",
                )
        cards -= len(player.cult) + player.hand
        if cards < 0:
            raise InvalidSheet(
                msg("ritos-ancestrais.error.sheet-deck", n=sum(c.copies for c in t.edition.cards)),
                f"players[{i}].hand",
            )


def _number(value: Json, place: str, most: int) -> int:
    if type(value) is not int:
        raise InvalidSheet(msg("error.whole-number"), place)
    if not 0 <= value <= most:
        raise InvalidSheet(msg("error.number-range", least=0, most=most), place)
    return value
