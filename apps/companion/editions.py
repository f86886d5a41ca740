"""Editions of Ritos Ancestrais on the device: listed, written in a form, handed on as files.

The engine's loader says what is wrong with a draft (``apps/editions.py``); as soon as nothing is,
sheets and tables can be begun with it.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from apps.companion.ritos_ancestrais import RitosSheet, load
from apps.companion.session import Session
from apps.editions import CARDS, PREFIX, RITUALS, Draft, Kept, is_draft, keep, kept
from apps.shell import RemovingPage, Shell
from apps.table.page import BOT_NAMES, MY_NAME, sit_down
from apps.table.session import HUMAN, TableSession
from lovecraft.core import LovecraftError, Player
from lovecraft.games.ritos_ancestrais import register_edition
from lovecraft.games.ritos_ancestrais.cards import GAME, SYMBOLS
from lovecraft.games.ritos_ancestrais.edition import (
    ANY,
    FORMAT,
    HOUSE,
    HOUSE_EDITION,
    LEAST_DECK,
    MAX_CARDS,
    MAX_COPIES,
    MAX_EFFECTS,
    MAX_NEEDS,
    MAX_POINTS,
    MAX_RITUALS,
    MAX_WORDS,
    MOST_DECK,
    PER,
    VERSION,
    VOCABULARY,
    Field,
    InvalidEdition,
    problems,
    symbol_name,
)
from lovecraft.i18n import LANGUAGES, Message, fold, msg

LETTERS = "abcdef"
OWN_ID = "my-edition"
"""The id of an edition until its name gives it another."""

BOT = "greedy"


class Problem(NamedTuple):
    """What is wrong: the effect (from 1, or 0) and the field of an entry, and why."""

    effect: int
    field: str
    why: Message


def empty() -> Draft:
    """An edition with nothing in it yet."""
    return {
        "format": FORMAT, "version": VERSION, "game": GAME, "id": OWN_ID, "name": "",
        RITUALS: [], CARDS: [],
    }  # fmt: skip


class EditionsPage(RemovingPage):
    """``#/ritos-ancestrais/editions`` lists them; with an id behind, one is written."""

    title = msg("editions.title")
    kind = msg("editions.title")

    def __init__(self, shell: Shell, rest: list[str]) -> None:
        super().__init__(shell)
        self.opened: tuple[str, int] | None = None
        """The entry whose fields are shown."""
        self.ident = "".join(rest[:1])
        self.draft: Draft = {}
        found = next((one for one in kept(shell.store) if one.ident == self.ident), None)
        if found is not None:
            self.draft = found.draft
            self.key = PREFIX + self.ident
        elif self.ident:
            self.ident = ""
            shell.notice = msg("editions.none")
            shell.go(f"#/{GAME}/editions")

    def reload(self) -> None:
        draft = (self.shell.store.get(self.key) or {}).get("edition")
        if is_draft(draft):
            self.draft = draft
            self.opened = None

    # -- what is shown ----------------------------------------------------------------------------

    def html(self) -> str:
        if not self.ident:
            return self.shell.render(
                "companion/editions.html", kept=kept(self.shell.store), removing=self.removing,
                words=self.words, house=HOUSE, game_id=GAME,
            )  # fmt: skip
        wrong = list(problems(self.draft))
        return self.shell.render(
            "companion/edition.html",
            draft=self.draft,
            words=self.words,
            general=[(one.place, one.message) for one in wrong if _entry_of(one.place) is None],
            at_entries=self._by_entry(wrong),
            wrong=len(wrong),
            opened=self.opened,
            deck=sum(_number(card.get("copies")) for card in self.draft[CARDS]),
            least_deck=LEAST_DECK,
            most_deck=MOST_DECK,
            game_id=GAME,
            symbols=SYMBOLS,
            letters=LETTERS,
            symbol_name=symbol_name,
            vocabulary=VOCABULARY,
            effect_title=effect_title,
            choices=self.choices,
            max_words=MAX_WORDS,
            max_needs=MAX_NEEDS,
            max_points=MAX_POINTS,
            max_copies=MAX_COPIES,
            max_effects=MAX_EFFECTS,
            more={RITUALS: len(self.draft[RITUALS]) < MAX_RITUALS,
                  CARDS: len(self.draft[CARDS]) < MAX_CARDS},
        )  # fmt: skip

    def words(self, name: Any) -> str:
        """A name in the language of the page, as the engine chooses it."""
        if not isinstance(name, dict):
            return str(name)
        return str(name.get(self.shell.lang) or name.get("en") or next(iter(name.values()), ""))

    def _by_entry(self, wrong: list[InvalidEdition]) -> dict[tuple[str, int], list[Problem]]:
        found: dict[tuple[str, int], list[Problem]] = {}
        for one in wrong:
            if entry := _entry_of(one.place):
                effect = re.search(r"\.effects\[(\d+)\]", one.place)
                field = re.sub(r"\[\d+\]$", "", one.place.rsplit(".", 1)[-1])
                known = field if field in FIELDS else ""
                number = int(effect[1]) + 1 if effect else 0
                found.setdefault(entry, []).append(Problem(number, known, one.message))
        return found

    def counted(self, most: int) -> list[tuple[str, str]]:
        """The numbers from 1."""
        return [(str(n), str(n)) for n in range(1, most + 1)]

    def named_symbols(self) -> list[tuple[str, Message]]:
        """The symbols and their names."""
        return [(symbol, symbol_name(symbol)) for symbol in SYMBOLS]

    def choices(self, field: Field) -> list[tuple[str, Message | str]]:
        """What a field of an effect may be: the value and its words."""
        symbols: list[tuple[str, Message | str]] = [(s, symbol_name(s)) for s in SYMBOLS]
        match field.kind:
            case "number":
                return [(str(n), str(n)) for n in range(field.least, field.most + 1)]
            case "symbol":
                found = symbols
            case "symbol-or-any":
                return [*symbols, (ANY, msg("editions.any-symbol"))]
            case "per":
                return [(per, msg(f"editions.per.{per}")) for per in PER]
            case _:
                found = [(one["id"], self.words(one["name"])) for one in self.draft[RITUALS]]
        return found if field.required else [("", msg("editions.not-limited")), *found]

    # -- what people do: the list -----------------------------------------------------------------

    def on_begin(self, like: str) -> None:
        """A new edition: an empty one, or a copy of another."""
        draft = empty()
        if like == HOUSE:
            draft = copy.deepcopy(HOUSE_EDITION.to_json())
            draft["id"], draft["name"] = OWN_ID, ""
        for one in kept(self.shell.store):
            if one.ident == like:
                draft = copy.deepcopy(one.draft)
        ident = keep(self.shell.store, draft)
        self.shell.leave_for(f"#/{GAME}/editions/{ident}")

    def on_import(self, words: str) -> None:
        """Take in the edition of a file. Raises InvalidEdition saying where it is wrong."""
        draft = dict(load(words).to_json())
        if draft["id"] == HOUSE:
            draft["id"] = OWN_ID
        keep(self.shell.store, draft)
        self.shell.notice = msg("editions.taken")

    def _found(self, ident: str) -> Kept | None:
        return next((one for one in kept(self.shell.store) if one.ident == ident), None)

    def on_export(self, ident: str) -> None:
        """One edition as a file."""
        if one := self._found(ident):
            words = json.dumps(one.draft, ensure_ascii=False, indent=1) + "\n"
            name = f"{one.draft['id'] or 'edition'}.json"
            self.shell.tell(download={"name": name, "text": words, "type": "application/json"})

    def on_score(self, ident: str) -> None:
        """A new score sheet with an edition."""
        one = self._found(ident)
        if one is None or one.edition is None:
            return
        register_edition(one.edition)
        sheet = {**RitosSheet.blank(("", "")), "edition": one.draft}
        session = Session(GAME, sheet)
        names = RitosSheet.shown_names(sheet, self.shell.lang)
        session.save(self.shell.store, list(names), finished=False)
        self.shell.leave_for(f"#/{GAME}/score/{session.id}")

    def on_play(self, ident: str) -> None:
        """A game against a bot with an edition."""
        one = self._found(ident)
        if one is None or one.edition is None:
            return
        key = register_edition(one.edition)
        seats = (Player(MY_NAME, HUMAN), Player(BOT_NAMES[0], BOT))
        sit_down(self.shell, TableSession.begin(RitosSheet.game, seats, {"edition": key}))

    def remove(self, key: str) -> None:
        self.shell.store.remove(PREFIX + key)

    # -- what people do: the form -----------------------------------------------------------------

    def _save(self) -> None:
        keep(self.shell.store, self.draft, self.ident)

    def _entry(self, kind: str, i: int) -> dict[str, Any]:
        """An entry of the draft. Raises NoEntry when there is none."""
        if not self.ident or kind not in (RITUALS, CARDS) or not 0 <= i < len(self.draft[kind]):
            raise NoEntry(msg("editions.none"))
        entry: dict[str, Any] = self.draft[kind][i]
        return entry

    def on_title(self, name: str) -> None:
        """What the edition is called."""
        if self.ident:
            self.draft["name"] = self._named(self.draft["name"], name)
            slug = _slug(name)
            self.draft["id"] = slug if slug and slug != HOUSE else OWN_ID
            self._save()

    def _named(self, before: Any, name: str) -> Any:
        """A name with the words of this language changed."""
        words = " ".join(name.split())[:MAX_WORDS]
        if not isinstance(before, dict):
            return words
        changed = {**before, self.shell.lang: words}
        return {lang: text for lang, text in changed.items() if text and lang in LANGUAGES} or words

    def on_open(self, kind: str, i: int) -> None:
        """Show the fields of an entry, or fold it again."""
        self._entry(kind, i)
        self.opened = None if self.opened == (kind, i) else (kind, i)

    def on_add(self, kind: str) -> None:
        """One more ritual or card."""
        if not self.ident or kind not in (RITUALS, CARDS):
            return
        used = {one["id"] for one in self.draft[kind]}
        number = next(n for n in range(1, 1000) if f"new-{n}" not in used)
        entry: dict[str, Any] = {"id": f"new-{number}", "name": ""}
        if kind == RITUALS:
            entry |= {"needs": ["a", "a"], "points": 1}
        else:
            entry |= {"symbol": SYMBOLS[0], "copies": 3, "effects": []}
        self.draft[kind].append(entry)
        self.opened = (kind, len(self.draft[kind]) - 1)
        self._save()

    def on_away(self, kind: str, i: int) -> None:
        """Take a ritual or card out."""
        self._entry(kind, i)
        del self.draft[kind][i]
        self.opened = None
        self._save()

    def on_name(self, kind: str, i: int, name: str) -> None:
        """What a ritual or card is called; the first name of a new one gives it its id."""
        entry = self._entry(kind, i)
        entry["name"] = self._named(entry["name"], name)
        if entry["id"].startswith("new-") and (slug := _slug(name)):
            used = {one["id"] for one in self.draft[kind]}
            told = next(s for s in (slug, *(f"{slug}-{n}" for n in range(2, 99))) if s not in used)
            for effect in self._effects() if kind == RITUALS else ():
                if effect.get("ritual") == entry["id"]:
                    effect["ritual"] = told
            entry["id"] = told
        self._save()

    def _effects(self) -> Iterator[dict[str, Any]]:
        for card in self.draft[CARDS]:
            yield from card.get("effects", ())

    def on_field(self, kind: str, i: int, field: str, value: str) -> None:
        """Points, copies or the symbol of an entry."""
        entry = self._entry(kind, i)
        allowed = ("points",) if kind == RITUALS else ("symbol", "copies")
        if field in allowed:
            entry[field] = value if field == "symbol" else int(value) if value.isdecimal() else 0
            self._save()

    def on_need(self, i: int, k: int, need: str) -> None:
        """What a place of a ritual asks for; nothing takes the place away."""
        needs = self._entry(RITUALS, i)["needs"]
        if k == len(needs) and need and k < MAX_NEEDS:
            needs.append(need)
        elif 0 <= k < len(needs):
            needs[k : k + 1] = [need] if need else []
        self._save()

    def on_add_effect(self, i: int, kind: str) -> None:
        """One more effect of a card."""
        effects = self._entry(CARDS, i).setdefault("effects", [])
        if kind in VOCABULARY and len(effects) < MAX_EFFECTS:
            effect: dict[str, Any] = {"effect": kind}
            for field in VOCABULARY[kind]:
                if field.required:
                    first = self.choices(field)[0][0]
                    effect[field.name] = int(first) if field.kind == "number" else first
            if "to" in effect:
                effect["to"] = ANY
            if "cap" in effect:
                effect["cap"] = 5
            effects.append(effect)
            self._save()

    def on_effect(self, i: int, k: int, field: str, value: str) -> None:
        """A field of an effect; nothing takes an optional one away."""
        effects = self._entry(CARDS, i).get("effects", [])
        if not 0 <= k < len(effects):
            return
        spec = next((f for f in VOCABULARY[effects[k]["effect"]] if f.name == field), None)
        if spec is None:
            return
        if value == "" and not spec.required:
            effects[k].pop(field, None)
        elif spec.kind == "number":
            effects[k][field] = int(value) if value.isdecimal() else 0
        else:
            effects[k][field] = value
        self._save()

    def on_effect_away(self, i: int, k: int) -> None:
        """Take an effect of a card away."""
        effects = self._entry(CARDS, i).get("effects", [])
        if 0 <= k < len(effects):
            del effects[k]
            self._save()


class NoEntry(LovecraftError):
    """An entry that is not there (any more)."""


FIELDS = (
    "name", "needs", "points", "symbol", "copies", "cards", "cap", "per", "ritual", "from", "to",
)  # fmt: skip


def effect_title(kind: str) -> Message:
    """What a kind of effect is called."""
    return RitosSheet.game.rules[f"{GAME}/effect-{kind.replace('_', '-')}"].title


def _entry_of(place: str) -> tuple[str, int] | None:
    found = re.match(rf"({RITUALS}|{CARDS})\[(\d+)\]", place)
    return (found[1], int(found[2])) if found else None


def _slug(name: str) -> str:
    """An id made of a name: letters a to z and digits, hyphens between."""
    return re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-")[:36].strip("-")


def _number(value: object) -> int:
    return value if type(value) is int else 0
