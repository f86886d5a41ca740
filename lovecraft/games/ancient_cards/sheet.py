"""Scoring sheets of Ancient Cards played with real cards.

A sheet is ``{"game": "ancient-cards", "players": [{"name": …, "rounds": [{rune: number, …}]}]}``
with 2 to 7 players and 1 to 3 rounds of seven cards each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidSheet
from lovecraft.core.names import clean_name
from lovecraft.core.scoring import Outcome, ScoreSheet
from lovecraft.core.sheets import expect_fields, expect_list, lines_json, same_name_twice
from lovecraft.games.ancient_cards import rulebook
from lovecraft.games.ancient_cards.cards import HAND_SIZE, ROUNDS, RUNES
from lovecraft.games.ancient_cards.scoring import final_standings, score
from lovecraft.i18n import msg

MIN_PLAYERS, MAX_PLAYERS = 2, 7


def score_sheet(sheet: Json, lang: str = "en") -> Json:
    """Score a whole sheet.

    Returns ``game``, ``finished``, ``players`` (``name``, ``rounds`` with ``points`` and ``lines``,
    ``total``, ``rank``), ``winners`` (names; the leaders while rounds are missing) and
    ``tiebreak`` (the key that decided, or null). Raises InvalidSheet naming the place.
    """
    fields = expect_fields(sheet, "", required=("game", "players"))
    if fields["game"] != rulebook.GAME:
        raise InvalidSheet(msg("error.sheet-game", game=rulebook.GAME), "game")
    players = expect_list(fields["players"], "players", MIN_PLAYERS, MAX_PLAYERS)
    names: list[str] = []
    sheets: list[list[ScoreSheet]] = []
    for i, player in enumerate(players):
        place = f"players[{i}]"
        player = expect_fields(player, place, required=("name", "rounds"))
        names.append(clean_name(player["name"], f"{place}.name", InvalidSheet))
        same_name_twice(names, f"{place}.name")
        rounds = expect_list(player["rounds"], f"{place}.rounds", 1, ROUNDS)
        if sheets and len(rounds) != len(sheets[0]):
            raise InvalidSheet(
                msg("ancient-cards.error.sheet-rounds", n=len(rounds), first=len(sheets[0])),
                f"{place}.rounds",
            )
        sheets.append([_round(r, f"{place}.rounds[{k}]") for k, r in enumerate(rounds)])
    outcome = standing(sheets)
    return {
        "game": rulebook.GAME,
        "finished": len(sheets[0]) == ROUNDS,
        "players": [
            {
                "name": name,
                "rounds": [
                    {"points": one.points, "lines": lines_json(one, lang, cards="runes")}
                    for one in rounds
                ],
                "total": outcome.totals[p],
                "rank": outcome.ranks[p],
            }
            for p, (name, rounds) in enumerate(zip(names, sheets, strict=True))
        ],
        "winners": [names[p] for p in outcome.winners],
        "tiebreak": outcome.tiebreak,
    }


def standing(sheets: list[list[ScoreSheet]]) -> Outcome:
    """Who leads or has won, given the score sheets per player and round."""
    points = [[one.points for one in rounds] for rounds in sheets]
    return final_standings(points, finished=all(len(rounds) == ROUNDS for rounds in sheets))


def check_counts(counts: Mapping[str, Any], place: str) -> int:
    """Check rune numbers of a play area, complete or not; how many cards there are.

    Raises InvalidSheet for an unknown rune, a number that is none, or more than seven cards.
    """
    for rune, number in counts.items():
        at = f"{place}.{str(rune)[:40]}"
        if rune not in RUNES:
            raise InvalidSheet(msg("ancient-cards.error.sheet-rune", runes=RUNES), at)
        if type(number) is not int:
            raise InvalidSheet(msg("error.whole-number"), at)
        if not 0 <= number <= HAND_SIZE:
            raise InvalidSheet(msg("error.number-range", least=0, most=HAND_SIZE), at)
    return sum(counts.values())


def _round(value: Json, place: str) -> ScoreSheet:
    if not isinstance(value, dict):
        raise InvalidSheet(msg("error.json-kind", expected="{…}"), place)
    total = check_counts(value, place)
    if total != HAND_SIZE:
        raise InvalidSheet(msg("ancient-cards.error.sheet-sum", n=total), place)
    return score(value)
