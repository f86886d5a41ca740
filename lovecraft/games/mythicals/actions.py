"""What players and chance can do: the actions, their tables per position, JSON and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidRecord
from lovecraft.games.mythicals.cards import (
    ALL_TOKENS,
    COLOUR_MASK,
    COLOUR_MASKS,
    COLOURS,
    COPIES,
    DAWN,
    JOKER,
    TOKEN,
    TOKEN_ROWS,
    TOKEN_UNIT,
    TOKENS,
    UNIT,
    VALUE_MASKS,
    VALUES,
    Bundle,
    Token,
    cards,
    count,
    pack,
)
from lovecraft.games.mythicals.claims import runs, sets, thirteens
from lovecraft.i18n import Message, Seat, msg

PILE = "pile"

_Find = Callable[[Token, Bundle], tuple[Bundle, ...]]


class Action(NamedTuple):
    """An action of a player, or the reveal of three cards by chance.

    ==========  ================  =========================================================
    kind        target            amount
    ==========  ================  =========================================================
    draw        pile or a colour  – (a colour is taken from the reserve)
    take        a colour          – (from the revealed cards)
    claim       a token           the payment, a bundle
    reinforce   a token           1 or 2 markers
    lock        a token           –
    pass        –                 – (claim nothing, or neither reinforce nor lock)
    reveal      –                 the three cards, a bundle in which dawn may be (by chance)
    ==========  ================  =========================================================
    """

    kind: str
    target: str = ""
    amount: int = 0


class Deal(NamedTuple):
    """Chance's first action: who begins, and the two cards of each seat."""

    first: int
    hands: tuple[Bundle, Bundle]


PASS = Action("pass")
_PASS = (PASS,)
REVEAL = "reveal"

_DRAWS = {source: Action("draw", source) for source in (PILE, *COLOURS)}
_TAKES = {colour: Action("take", colour) for colour in COLOURS}
_LOCKS = {token: Action("lock", token) for token in TOKEN}
_REINFORCE = {
    token: (Action("reinforce", token, 1), Action("reinforce", token, 2)) for token in TOKEN
}

_BLUE, _GREEN, _PURPLE, _RED = COLOUR_MASKS
_ROW_0, _ROW_1, _ROW_2, _ROW_3, _ROW_4 = TOKEN_ROWS

_DRAW_TABLE = tuple(
    (_DRAWS[PILE], *(_DRAWS[c] for i, c in enumerate(COLOURS) if there >> i & 1))
    for there in range(1 << len(COLOURS))
)


def draws(reserve: Bundle) -> tuple[Action, ...]:
    """Where cards can be drawn from: the pile, and each colour in the reserve."""
    there = 0
    if reserve & _BLUE:
        there = 1
    if reserve & _GREEN:
        there |= 2
    if reserve & _PURPLE:
        there |= 4
    if reserve & _RED:
        there |= 8
    return _DRAW_TABLE[there]


@cache
def takes(revealed: Bundle) -> tuple[Action, ...]:
    """The colours among the revealed cards."""
    return tuple(_TAKES[colour] for colour in COLOURS if revealed & COLOUR_MASK[colour])


_BOARD = 64
"""Where the board's bits begin in a key, above those of the hand."""


class _Claims(dict[int, tuple[Action, ...]]):
    """The claims that depend on some cards and tokens only; each case is worked out once.

    A key is a position (hand and board, see :func:`claims`) without the bits that do not matter.
    """

    def __init__(self, key: int, tokens: Iterable[Token], find: _Find) -> None:
        super().__init__()
        self.key = key
        self._tokens = tuple(tokens)
        self._find = find

    def __missing__(self, key: int) -> tuple[Action, ...]:
        hand, board = key & (1 << _BOARD) - 1, key >> _BOARD
        self[key] = found = tuple(
            Action("claim", token.id, payment)
            for token in self._tokens
            if board & TOKEN_UNIT[token.id]
            for payment in self._find(token, hand)
        )
        return found


_THIRTEEN = TOKEN["black-13"]
_SETS = tuple(token for token in TOKENS if token.cost == "set")
_ANY = sum(TOKEN_UNIT[token.id] for token in _SETS)


def _claims_of_colour(colour: int) -> _Claims:
    tokens = [token for token in TOKENS if token.colour == COLOURS[colour]] + [_THIRTEEN]
    board = sum(TOKEN_UNIT[token.id] for token in tokens)

    def find(token: Token, hand: Bundle) -> tuple[Bundle, ...]:
        if token.cost == "run":
            return runs(colour, hand, token.size)
        return thirteens(colour, hand)

    return _Claims(COLOUR_MASKS[colour] | board << _BOARD, tokens, find)


def _claims_of_value(value: int) -> _Claims:
    def find(token: Token, hand: Bundle) -> tuple[Bundle, ...]:
        return sets(value, hand, token.size)

    return _Claims(VALUE_MASKS[value] | VALUE_MASKS[JOKER] | _ANY << _BOARD, _SETS, find)


_C0, _C1, _C2, _C3 = map(_claims_of_colour, range(len(COLOURS)))
_K0, _K1, _K2, _K3 = (table.key for table in (_C0, _C1, _C2, _C3))
_V0, _V1, _V2, _V3, _V4, _V5 = map(_claims_of_value, range(len(VALUES)))
_W0, _W1, _W2, _W3, _W4, _W5 = (table.key for table in (_V0, _V1, _V2, _V3, _V4, _V5))


@lru_cache(1 << 12)
def claims(hand: Bundle, board: Bundle) -> tuple[Action, ...]:
    """To pass, and every payment for every token on the board."""
    at = hand | board << _BOARD
    found = _PASS + _C0[at & _K0] + _C1[at & _K1] + _C2[at & _K2] + _C3[at & _K3]
    if board & _ANY:
        found += _V0[at & _W0] + _V1[at & _W1] + _V2[at & _W2] + _V3[at & _W3] + _V4[at & _W4]
        found += _V5[at & _W5]
    return found


@lru_cache(1 << 12)
def modifications(unlocked: Bundle, markers: Bundle, supply: int) -> tuple[Action, ...]:
    """To pass, and all ways to reinforce or lock.

    ``unlocked`` are the tokens that are on the board and not locked; ``supply`` counts the markers
    beside the board, 2 standing for more.
    """
    return (
        PASS,
        *_row_modifications(unlocked & _ROW_0, markers & _ROW_0, supply),
        *_row_modifications(unlocked & _ROW_1, markers & _ROW_1, supply),
        *_row_modifications(unlocked & _ROW_2, markers & _ROW_2, supply),
        *_row_modifications(unlocked & _ROW_3, markers & _ROW_3, supply),
        *_row_modifications(unlocked & _ROW_4, markers & _ROW_4, supply),
    )


@cache
def _row_modifications(unlocked: Bundle, markers: Bundle, supply: int) -> tuple[Action, ...]:
    found: list[Action] = []
    for token, unit in TOKEN_UNIT.items():
        if unlocked & unit:
            there = count(markers, unit)
            found += _REINFORCE[token][: min(2 - there, supply)]
            if not there:
                found.append(_LOCKS[token])
    return tuple(found)


def candidates(hand: Bundle) -> tuple[Action, ...]:
    """Every kind of action once: draw, take, claim, reinforce and lock each thing, or pass.

    A token that the hand cannot pay for is claimed with nothing, to be refused with its cost.
    """
    claimed = claims(hand, ALL_TOKENS)[1:]
    payable = {action.target for action in claimed}
    return (
        *_DRAWS.values(),
        *_TAKES.values(),
        *claimed,
        *(Action("claim", token) for token in TOKEN if token not in payable),
        *(action for both in _REINFORCE.values() for action in both),
        *_LOCKS.values(),
        PASS,
    )


# -- writing down ---------------------------------------------------------------------------------


def to_json(action: Action | Deal) -> Json:
    """An action as a readable JSON value.

    ``"pass"``, ``{"draw": "pile" | colour}``, ``{"take": colour}``, ``{"claim": token, "pay":
    [card, …]}``, ``{"reinforce": token, "markers": 1 | 2}``, ``{"lock": token}``; for chance
    ``{"first": seat, "hands": [[card, card], [card, card]]}`` and ``{"reveal": [card, …]}``.
    """
    if isinstance(action, Deal):
        return {"first": action.first, "hands": [list(cards(hand)) for hand in action.hands]}
    kind, target, amount = action
    if kind == "pass":
        return kind
    if kind == REVEAL:
        return {REVEAL: list(cards(amount))}
    if kind == "claim":
        return {kind: target, "pay": list(cards(amount))}
    if kind == "reinforce":
        return {kind: target, "markers": amount}
    return {kind: target}


def from_json(value: Json, place: str = "") -> Action | Deal:
    """The inverse of :func:`to_json`; InvalidRecord with the place for what is no action."""
    if value == "pass":
        return PASS
    if isinstance(value, dict):
        names = frozenset(value)
        if names == {"draw"}:
            return Action("draw", _name(value, "draw", (PILE, *COLOURS), place))
        if names == {"take"}:
            return Action("take", _name(value, "take", COLOURS, place))
        if names == {"lock"}:
            return Action("lock", _name(value, "lock", TOKEN, place))
        if names == {"claim", "pay"}:
            token = _name(value, "claim", TOKEN, place)
            return Action("claim", token, _cards(value["pay"], f"{place}.pay"))
        if names == {"reinforce", "markers"}:
            number = value["markers"]
            if type(number) is not int or not 1 <= number <= 2:
                raise InvalidRecord(msg("error.number-range", least=1, most=2), f"{place}.markers")
            return Action("reinforce", _name(value, "reinforce", TOKEN, place), number)
        if names == {REVEAL}:
            return Action(REVEAL, "", _cards(value[REVEAL], f"{place}.{REVEAL}", dawn=True))
        if names == {"first", "hands"}:
            return _deal(value, place)
    raise InvalidRecord(msg("mythicals.error.unknown-action"), place)


def _deal(value: dict[str, Any], place: str) -> Deal:
    first, hands = value["first"], value["hands"]
    if type(first) is not int or not 0 <= first <= 1:
        raise InvalidRecord(msg("error.number-range", least=0, most=1), f"{place}.first")
    if not isinstance(hands, list) or len(hands) != 2:
        raise InvalidRecord(msg("error.json-kind", expected="[[…], […]]"), f"{place}.hands")
    one, two = (_cards(hand, f"{place}.hands[{i}]") for i, hand in enumerate(hands))
    return Deal(first, (one, two))


def _name(value: dict[str, Any], field: str, names: Any, place: str) -> str:
    name = value[field]
    if not isinstance(name, str) or name not in names:
        expected = " | ".join(names)
        raise InvalidRecord(msg("error.json-kind", expected=expected), f"{place}.{field}")
    return name


def _cards(value: Json, place: str, dawn: bool = False) -> Bundle:
    if not isinstance(value, list):
        raise InvalidRecord(msg("error.json-kind", expected="[…]"), place)
    for i, card in enumerate(value):
        if not isinstance(card, str) or card not in UNIT or (card == DAWN and not dawn):
            raise InvalidRecord(msg("mythicals.error.unknown-card"), f"{place}[{i}]")
        if value.count(card) > (1 if card == DAWN else COPIES):
            raise InvalidRecord(msg("mythicals.error.card-too-often"), f"{place}[{i}]")
    return pack(value)


# -- words ----------------------------------------------------------------------------------------


def piece(name: str) -> Message:
    """The name of a card or token."""
    return msg(f"card.mythicals.{name}")


def colour_word(colour: str) -> Message:
    """The name of a colour."""
    return msg(f"mythicals.colour.{colour}")


def card_list(bundle: Bundle) -> tuple[Message, ...]:
    """The names of the cards of a bundle, to be shown as a list."""
    return tuple(piece(card) for card in cards(bundle))


def card_words(name: str) -> tuple[Message, ...]:
    """What a card is, or what a token is worth and costs."""
    if name == DAWN:
        return (msg("rule.mythicals/dawn-card.text"),)
    if name in TOKEN:
        token = TOKEN[name]
        colour = colour_word(token.colour)
        cost = msg(f"mythicals.cost.{token.cost}", n=token.size, colour=colour)
        return (msg("core.points", n=token.points), cost)
    colour = colour_word(next(colour for colour in COLOURS if name.startswith(colour)))
    if name.endswith(VALUES[JOKER]):
        return (colour, msg("rule.mythicals/joker.text"))
    return (colour,)


def describe(action: Action | Deal) -> Message:
    """An action in words."""
    if isinstance(action, Deal):
        return msg("mythicals.action.deal", player=Seat(action.first))
    kind, target, amount = action
    if kind == "draw" and target == PILE:
        return msg("mythicals.action.pile")
    if kind in ("draw", "take"):
        return msg(f"mythicals.action.{kind}", colour=colour_word(target))
    if kind == "claim":
        return msg("mythicals.action.claim", token=piece(target), cards=card_list(amount))
    if kind == "reinforce":
        return msg("mythicals.action.reinforce", n=amount, token=piece(target))
    if kind == "lock":
        return msg("mythicals.action.lock", token=piece(target))
    if kind == REVEAL:
        return msg("mythicals.action.reveal", cards=card_list(amount))
    return msg("mythicals.action.pass")
