"""Editions: the cards and rituals of the game as data in one file, checked before use.

The format and the exact meaning of every effect are specified in ``docs/editions.md``. An edition
is told by its key: ``house`` for the one that comes with the package, ``<id>@<digest>`` for any
other, so that two versions of an owner's edition never mix.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple

from lovecraft.core.codec import Json
from lovecraft.core.errors import LovecraftError
from lovecraft.core.record import parse_json
from lovecraft.games.ritos_ancestrais.cards import (
    DRAWS,
    GAME,
    HAND_LIMIT,
    MAX_PLAYERS,
    ROW,
    START_HAND,
    SYMBOLS,
)
from lovecraft.i18n import LANGUAGES, Message, add_words, msg

FORMAT = "lovecraft-edition"
VERSION = 1
HOUSE = "house"
ANY = "any"

MAX_CHARACTERS = 200_000
MAX_CARDS = 60
MAX_COPIES = 12
MAX_RITUALS = 40
MAX_NEEDS = 8
MAX_POINTS = 50
MAX_EFFECTS = 6
MAX_WORDS = 60
MAX_HAND = 30
"""The most cards that all effects of an edition together may let into a hand."""

LEAST_DECK = START_HAND * MAX_PLAYERS + ROW + DRAWS * MAX_PLAYERS
MOST_DECK = 300

PER = ("ritual", "different-ritual", "cult-card", "cult-symbol", "hand-card")
"""What an end bonus can count."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_ID = 40
_VARIABLE = re.compile(r"[a-z]")


class InvalidEdition(LovecraftError):
    """An edition that cannot be used; the place is ``file: entry.field``."""


class Effect(NamedTuple):
    """One effect of a card in a cult; which fields count is told by ``kind`` (see VOCABULARY).

    ``symbol`` and ``ritual`` say what it is about (both None: any ritual); ``to`` is the symbol (or
    ``any``) that a wild card may stand for; ``amount`` is points or cards.
    """

    kind: str
    amount: int = 0
    symbol: str | None = None
    ritual: str | None = None
    to: str | None = None
    per: str | None = None
    cap: int = 0


class CultCard(NamedTuple):
    """A card: its symbol for rituals, how many there are, and its effects in a cult."""

    id: str
    symbol: str
    copies: int
    effects: tuple[Effect, ...] = ()


class Ritual(NamedTuple):
    """A ritual: a symbol per card it asks for, and its points.

    An entry of ``needs`` is a symbol's id, or a letter: equal letters stand for the same symbol,
    different letters for different ones.
    """

    id: str
    needs: tuple[str, ...]
    points: int


class Edition(NamedTuple):
    """A checked edition. ``source`` is its canonical JSON text, which names are read from."""

    id: str
    key: str
    cards: tuple[CultCard, ...]
    rituals: tuple[Ritual, ...]
    source: str

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def name(self) -> Message:
        return msg(f"option.{GAME}.edition.{self.key}")

    def card_name(self, card: str) -> Message:
        """The name of a card by its id."""
        return msg(f"card.{GAME}.{self._scope}{card}")

    def ritual_name(self, ritual: str) -> Message:
        """The name of a ritual by its id."""
        return msg(f"{GAME}.ritual.{self._scope}{ritual}")

    @property
    def _scope(self) -> str:
        return "" if self.key == HOUSE else f"{self.key}."

    def to_json(self) -> Json:
        """The edition as the JSON value that :func:`read_edition` takes."""
        return json.loads(self.source)


# -- the closed vocabulary ----------------------------------------------------------------------


class Field(NamedTuple):
    """One field of an effect in the file: whether it must be there, and what it may be.

    ``kind`` is ``number`` (within ``least`` and ``most``) or the name of a list of words.
    """

    name: str
    kind: str
    required: bool = True
    least: int = 1
    most: int = 9


_SYMBOL = Field("symbol", "symbol", required=False)
_RITUAL = Field("ritual", "ritual", required=False)

VOCABULARY: Mapping[str, tuple[Field, ...]] = {
    "ritual_bonus": (_RITUAL, _SYMBOL, Field("points", "number")),
    "symbol_wild": (Field("from", "symbol"), Field("to", "symbol-or-any")),
    "ritual_discount": (_RITUAL, _SYMBOL, Field("cards", "number", most=5)),
    "return_used": (_RITUAL, Field("cards", "number", most=5)),
    "draw_extra": (Field("cards", "number", most=3),),
    "hand_limit": (Field("cards", "number", most=5),),
    "row_refresh": (),
    "row_peek": (Field("cards", "number", most=6),),
    "rival_hand_limit": (Field("cards", "number", most=3),),
    "protect": (),
    "end_bonus": (
        Field("per", "per"),
        Field("points", "number"),
        Field("cap", "number", most=MAX_POINTS),
        _RITUAL,
        _SYMBOL,
    ),
}
"""Every effect there is, with its fields; the rules code knows no other."""


def effect_text(edition: Edition, effect: Effect) -> Message:
    """An effect in words: exactly what it does."""
    variant = effect.kind
    params: dict[str, object] = {"n": effect.amount}
    if effect.kind == "end_bonus":
        variant += f".{effect.per}"
        params["cap"] = effect.cap
    if effect.kind == "symbol_wild":
        params = {"symbol": symbol_name(effect.symbol or "")}
        if effect.to == ANY:
            variant += ".any"
        else:
            params["to"] = symbol_name(effect.to or "")
    elif effect.symbol:
        variant += ".symbol"
        params["symbol"] = symbol_name(effect.symbol)
    elif effect.ritual:
        variant += ".one"
        params["ritual"] = edition.ritual_name(effect.ritual)
    return msg(f"{GAME}.effect.{variant}", **params)


def symbol_name(symbol: str) -> Message:
    """The name of a summoning symbol."""
    return msg(f"{GAME}.symbol.{symbol}")


def needs_text(ritual: Ritual) -> Message:
    """What a ritual asks for, in words: symbols by name, letters as capitals."""
    words = tuple(n.upper() if len(n) == 1 else symbol_name(n) for n in ritual.needs)
    return msg(f"{GAME}.needs", needs=words)


# -- reading and checking -----------------------------------------------------------------------


def load_edition(text: str, file: str = "") -> Edition:
    """An edition from the text of its file. Raises InvalidEdition naming file, entry and field."""
    if len(text) > MAX_CHARACTERS:
        raise InvalidEdition(msg("error.too-long", most=MAX_CHARACTERS), file)
    try:
        value = parse_json(text, InvalidEdition)
    except InvalidEdition as wrong:
        raise InvalidEdition(wrong.message, file) from None
    return read_edition(value, file)


def read_edition(value: Json, file: str = "") -> Edition:
    """An edition from its JSON value. Raises InvalidEdition for the first thing that is wrong."""
    for problem in problems(value, file):
        raise problem
    source = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(source.encode()).hexdigest()
    key = HOUSE if value["id"] == HOUSE else f"{value['id']}@{digest[:12]}"
    return Edition(
        value["id"],
        key,
        tuple(
            CultCard(
                card["id"],
                card["symbol"],
                card["copies"],
                tuple(_effect(e) for e in card.get("effects", ())),
            )
            # cards of one symbol stand together, so that a hand can be looked up symbol by symbol
            for symbol in SYMBOLS
            for card in value["cards"]
            if card["symbol"] == symbol
        ),
        tuple(Ritual(r["id"], tuple(r["needs"]), r["points"]) for r in value["rituals"]),
        source,
    )


def _effect(value: Json) -> Effect:
    return Effect(
        value["effect"],
        value.get("points", value.get("cards", 0)),
        value.get("symbol", value.get("from")),
        value.get("ritual"),
        value.get("to"),
        value.get("per"),
        value.get("cap", 0),
    )


def problems(value: Json, file: str = "") -> Iterator[InvalidEdition]:
    """Everything that is wrong with an edition given as a JSON value, in reading order."""
    for wrong in _problems(value):
        place = ": ".join(part for part in (file, wrong.place) if part)
        yield InvalidEdition(wrong.message, place)


def _problems(value: Json) -> Iterator[InvalidEdition]:
    try:
        _check_head(value)
    except InvalidEdition as wrong:
        yield wrong
        return
    rituals, cards = value["rituals"], value["cards"]
    known = {r["id"] for r in rituals if isinstance(r, dict) and isinstance(r.get("id"), str)}
    yield from _each(rituals, "rituals", _check_ritual)
    faults = list(_each(cards, "cards", lambda card, at: _check_card(card, at, known)))
    yield from faults
    if not faults:
        yield from _deck_problems(cards)


def _each(
    entries: Sequence[Json], place: str, check: Callable[[Json, str], None]
) -> Iterator[InvalidEdition]:
    """Check every entry, and refuse an id that stands twice."""
    first: dict[str, str] = {}
    for i, entry in enumerate(entries):
        name = entry.get("id") if isinstance(entry, dict) else None
        label = f" ({name})" if isinstance(name, str) and _is_id(name) else ""
        at = f"{place}[{i}]{label}"
        try:
            check(entry, at)
        except InvalidEdition as wrong:
            yield wrong
            continue
        if name in first:
            yield InvalidEdition(msg(f"{GAME}.error.edition-twice", entry=first[name]), f"{at}.id")
        first.setdefault(str(name), f"{place}[{i}]")


def _check_head(value: Json) -> None:
    top = _fields(value, "", ("format", "version", "game", "id", "name", "cards", "rituals"))
    for name, right in (("format", FORMAT), ("version", VERSION), ("game", GAME)):
        if type(top[name]) is not type(right) or top[name] != right:
            raise InvalidEdition(msg(f"{GAME}.error.edition-exactly", value=right), name)
    _check_id(top["id"], "id")
    _check_words(top["name"], "name")
    _check_list(top["cards"], "cards", 1, MAX_CARDS)
    _check_list(top["rituals"], "rituals", 1, MAX_RITUALS)


def _check_ritual(value: Json, place: str) -> None:
    _fields(value, place, ("id", "name", "needs", "points"))
    _check_id(value["id"], f"{place}.id")
    _check_words(value["name"], f"{place}.name")
    needs = _check_list(value["needs"], f"{place}.needs", 1, MAX_NEEDS)
    for i, need in enumerate(needs):
        if not isinstance(need, str) or (need not in SYMBOLS and not _VARIABLE.fullmatch(need)):
            raise InvalidEdition(
                msg(f"{GAME}.error.edition-need", symbols=SYMBOLS), f"{place}.needs[{i}]"
            )
    if len({n for n in needs if n not in SYMBOLS}) > len(SYMBOLS):
        raise InvalidEdition(
            msg(f"{GAME}.error.edition-letters", most=len(SYMBOLS)), f"{place}.needs"
        )
    _check_number(value["points"], f"{place}.points", 1, MAX_POINTS)


def _check_card(value: Json, place: str, rituals: Collection[str]) -> None:
    _fields(value, place, ("id", "name", "symbol", "copies"), ("effects",))
    _check_id(value["id"], f"{place}.id")
    _check_words(value["name"], f"{place}.name")
    _check_word(value["symbol"], f"{place}.symbol", SYMBOLS)
    _check_number(value["copies"], f"{place}.copies", 1, MAX_COPIES)
    effects = _check_list(value.get("effects", []), f"{place}.effects", 0, MAX_EFFECTS)
    for i, effect in enumerate(effects):
        _check_effect(effect, f"{place}.effects[{i}]", rituals)


def _check_effect(value: Json, place: str, rituals: Collection[str]) -> None:
    if not isinstance(value, dict):
        raise InvalidEdition(msg("error.json-kind", expected="{…}"), place)
    if "effect" not in value:
        raise InvalidEdition(msg("error.missing", name="effect"), place)
    _check_word(value["effect"], f"{place}.effect", tuple(VOCABULARY))
    spec = VOCABULARY[value["effect"]]
    required = [field.name for field in spec if field.required]
    _fields(value, place, ("effect", *required), [f.name for f in spec if not f.required])
    words = {
        "symbol": SYMBOLS,
        "symbol-or-any": (*SYMBOLS, ANY),
        "ritual": tuple(sorted(rituals)),
        "per": PER,
    }
    for field in spec:
        if field.name in value:
            at = f"{place}.{field.name}"
            if field.kind == "number":
                _check_number(value[field.name], at, field.least, field.most)
            else:
                _check_word(value[field.name], at, words[field.kind])
    if "symbol" in value and "ritual" in value:
        raise InvalidEdition(msg(f"{GAME}.error.edition-either"), f"{place}.symbol")
    if value["effect"] == "symbol_wild" and value["from"] == value["to"]:
        raise InvalidEdition(msg(f"{GAME}.error.edition-same-symbol"), f"{place}.to")
    if value["effect"] == "end_bonus":
        for name, per in (("symbol", "cult-card"), ("ritual", "ritual")):
            if name in value and value["per"] != per:
                raise InvalidEdition(msg(f"{GAME}.error.edition-per", per=per), f"{place}.{name}")


def _deck_problems(cards: Sequence[Json]) -> Iterator[InvalidEdition]:
    """The deck as a whole: enough cards for four players, and hands that stay in bounds."""
    total = sum(card["copies"] for card in cards)
    if not LEAST_DECK <= total <= MOST_DECK:
        yield InvalidEdition(
            msg(f"{GAME}.error.edition-deck", n=total, least=LEAST_DECK, most=MOST_DECK), "cards"
        )
    hand = HAND_LIMIT + DRAWS
    for i, card in enumerate(cards):
        for k, effect in enumerate(card.get("effects", ())):
            if effect["effect"] in ("hand_limit", "draw_extra"):
                hand += effect["cards"]
                if hand > MAX_HAND:
                    place = f"cards[{i}] ({card['id']}).effects[{k}].cards"
                    yield InvalidEdition(msg(f"{GAME}.error.edition-hand", most=MAX_HAND), place)
                    return


def _fields(
    value: Json, place: str, required: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidEdition(msg("error.json-kind", expected="{…}"), place)
    for name in required:
        if name not in value:
            raise InvalidEdition(msg("error.missing", name=name), place)
    for name in value:
        if name not in required and name not in optional:
            at = str(name)[:_MAX_ID]
            raise InvalidEdition(msg("error.unexpected"), f"{place}.{at}" if place else at)
    return value


def _check_list(value: Json, place: str, least: int, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidEdition(msg("error.json-kind", expected="[…]"), place)
    if not least <= len(value) <= most:
        raise InvalidEdition(msg("error.list-size", n=len(value), least=least, most=most), place)
    return value


def _check_number(value: Json, place: str, least: int, most: int) -> None:
    if type(value) is not int:
        raise InvalidEdition(msg("error.whole-number"), place)
    if not least <= value <= most:
        raise InvalidEdition(msg("error.number-range", least=least, most=most), place)


def _check_word(value: Json, place: str, words: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in words:
        raise InvalidEdition(msg(f"{GAME}.error.edition-word", words=tuple(words)), place)


def _is_id(value: str) -> bool:
    return len(value) <= _MAX_ID and bool(_ID.fullmatch(value))


def _check_id(value: Json, place: str) -> None:
    if not isinstance(value, str) or not _is_id(value):
        raise InvalidEdition(msg(f"{GAME}.error.edition-id", most=_MAX_ID), place)


def _check_words(value: Json, place: str) -> None:
    """A name: one text for all languages, or a text per language (at least one)."""
    if isinstance(value, str):
        _check_text(value, place)
        return
    if not isinstance(value, dict) or not value:
        raise InvalidEdition(msg(f"{GAME}.error.edition-name", languages=LANGUAGES), place)
    for lang, words in value.items():
        if lang not in LANGUAGES:
            at = f"{place}.{str(lang)[:_MAX_ID]}"
            raise InvalidEdition(msg(f"{GAME}.error.edition-name", languages=LANGUAGES), at)
        _check_text(words, f"{place}.{lang}")


def _check_text(value: Json, place: str) -> None:
    if not isinstance(value, str) or not value.strip():
        raise InvalidEdition(msg(f"{GAME}.error.edition-text"), place)
    if len(value) > MAX_WORDS:
        raise InvalidEdition(msg("error.too-long", most=MAX_WORDS), place)
    if any(ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) < 0xE000 for c in value):
        raise InvalidEdition(msg("error.name-characters"), place)


# -- the editions there are ---------------------------------------------------------------------

_EDITIONS: dict[str, Edition] = {}


def editions() -> tuple[str, ...]:
    """The keys of all registered editions, the house one first."""
    return tuple(_EDITIONS)


def find_edition(name: str) -> Edition:
    """A registered edition by its key, or by its id (then the one registered last).

    Raises InvalidEdition, listing the keys there are.
    """
    if name in _EDITIONS:
        return _EDITIONS[name]
    for edition in reversed(_EDITIONS.values()):
        if edition.id == name:
            return edition
    raise InvalidEdition(
        msg(f"{GAME}.error.unknown-edition", edition=str(name)[:60], editions=editions())
    )


def register(edition: Edition) -> Edition:
    """Make an edition's key known and bring its names to the catalogues; again is no harm.

    Raises InvalidEdition for another edition that calls itself ``house``.
    """
    there = _EDITIONS.get(edition.key)
    if there is not None:
        if there != edition:
            raise InvalidEdition(msg(f"{GAME}.error.edition-house"), "id")
        return there
    value = edition.to_json()
    add_words(edition.name.key, _in_all_languages(value["name"]))
    for card in value["cards"]:
        add_words(edition.card_name(card["id"]).key, _in_all_languages(card["name"]))
    for ritual in value["rituals"]:
        add_words(edition.ritual_name(ritual["id"]).key, _in_all_languages(ritual["name"]))
    _EDITIONS[edition.key] = edition
    return edition


def _in_all_languages(words: str | Mapping[str, str]) -> dict[str, str]:
    """A language that the file leaves out gets the English words, else the first there are."""
    if isinstance(words, str):
        return dict.fromkeys(LANGUAGES, words)
    spare = words.get("en") or next(iter(words.values()))
    return {lang: words.get(lang, spare) for lang in LANGUAGES}


def _house() -> Edition:
    file = resources.files(__package__).joinpath("editions", "house.json")
    return register(load_edition(file.read_text("utf-8"), "house.json"))


HOUSE_EDITION = _house()
"""The edition that comes with the package."""
