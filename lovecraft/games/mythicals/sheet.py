"""Scoring sheets of Mythicals played with real cards, and the question what can be claimed.

A sheet is ``{"game": "mythicals", "players": [{"name": …, "tokens": [{"token": …, "markers": 0–2},
…]}, …]}`` with two players.
"""

from __future__ import annotations

from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidSheet
from lovecraft.core.names import clean_name
from lovecraft.core.sheets import expect_fields, expect_list, lines_json, same_name_twice
from lovecraft.games.mythicals import rulebook
from lovecraft.games.mythicals.cards import (
    COPIES,
    CREATURES,
    MARKERS,
    MAX_MARKERS,
    TOKEN,
    TOKEN_IDS,
)
from lovecraft.games.mythicals.claims import claimable
from lovecraft.games.mythicals.scoring import final_standings, score
from lovecraft.i18n import msg

PLAYERS = 2


def score_sheet(sheet: Json, lang: str = "en") -> Json:
    """Score a whole sheet.

    Returns ``game``, ``players`` (``name``, ``lines``, ``total``, ``rank``), ``winners`` (names)
    and ``tiebreak`` (always null: players who are level share the victory). Raises InvalidSheet
    naming the place: of a token claimed twice, the second one; of too many markers, those of the
    first token that bring them above sixteen.
    """
    fields = expect_fields(sheet, "", required=("game", "players"))
    if fields["game"] != rulebook.GAME:
        raise InvalidSheet(msg("error.sheet-game", game=rulebook.GAME), "game")
    players = expect_list(fields["players"], "players", PLAYERS, PLAYERS)
    names: list[str] = []
    claimed: dict[str, str] = {}
    markers = 0
    sheets = []
    for i, player in enumerate(players):
        place = f"players[{i}]"
        player = expect_fields(player, place, required=("name", "tokens"))
        names.append(clean_name(player["name"], f"{place}.name", InvalidSheet))
        same_name_twice(names, f"{place}.name")
        tokens = expect_list(player["tokens"], f"{place}.tokens", 0, len(TOKEN))
        own = []
        for k, entry in enumerate(tokens):
            at = f"{place}.tokens[{k}]"
            token, number = check_token(entry, at)
            if token in claimed:
                name = msg(f"card.mythicals.{token}")
                raise InvalidSheet(
                    msg("mythicals.error.sheet-token-twice", token=name, first=claimed[token]),
                    f"{at}.token",
                )
            claimed[token] = names[-1]
            markers += number
            if markers > MARKERS:
                raise InvalidSheet(
                    msg("mythicals.error.sheet-markers", n=markers, most=MARKERS), f"{at}.markers"
                )
            own.append((token, number))
        sheets.append(score(own))
    outcome = final_standings([one.points for one in sheets])
    return {
        "game": rulebook.GAME,
        "players": [
            {
                "name": name,
                "lines": lines_json(one, lang, cards="tokens"),
                "total": outcome.totals[p],
                "rank": outcome.ranks[p],
            }
            for p, (name, one) in enumerate(zip(names, sheets, strict=True))
        ],
        "winners": [names[p] for p in outcome.winners],
        "tiebreak": outcome.tiebreak,
    }


def check_token(entry: Json, place: str) -> tuple[str, int]:
    """One entry of a sheet: a token that exists and its 0 to 2 markers, else InvalidSheet."""
    fields = expect_fields(entry, place, required=("token", "markers"))
    token, number = fields["token"], fields["markers"]
    if not isinstance(token, str) or token not in TOKEN:
        raise InvalidSheet(msg("mythicals.error.sheet-token", tokens=TOKEN_IDS), f"{place}.token")
    if type(number) is not int:
        raise InvalidSheet(msg("error.whole-number"), f"{place}.markers")
    if not 0 <= number <= MAX_MARKERS:
        raise InvalidSheet(msg("error.number-range", least=0, most=MAX_MARKERS), f"{place}.markers")
    return token, number


def claims_sheet(sheet: Json) -> Json:
    """Answer ``{"game": "mythicals", "cards": [card, …]}``: what can be claimed with these cards.

    Returns ``game`` and ``claims``: per token (all twenty, in order) ``token`` and ``payments``,
    each a list of cards. Raises InvalidSheet naming the place of a card that does not exist, or
    that is there more than twice.
    """
    fields = expect_fields(sheet, "", required=("game", "cards"))
    if fields["game"] != rulebook.GAME:
        raise InvalidSheet(msg("error.sheet-game", game=rulebook.GAME), "game")
    held = expect_list(fields["cards"], "cards", 0, len(CREATURES) * COPIES)
    for i, card in enumerate(held):
        if not isinstance(card, str) or card not in CREATURES:
            raise InvalidSheet(msg("mythicals.error.sheet-card", cards=CREATURES), f"cards[{i}]")
        if held[: i + 1].count(card) > COPIES:
            raise InvalidSheet(msg("mythicals.error.card-too-often"), f"cards[{i}]")
    return {
        "game": rulebook.GAME,
        "claims": [
            {"token": token, "payments": [list(payment) for payment in found]}
            for token, found in claimable(held).items()
        ],
    }
