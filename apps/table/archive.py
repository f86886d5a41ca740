"""The games that are kept: what there is, what leaves the device, and what is let in.

A game that is played here stands under ``table/``; one that is only looked at (finished elsewhere,
or with players that are not known here) under ``record/``; what a review has found about it under
``review/``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from apps.companion.session import new_id
from apps.store import Entry, Store, now
from apps.table.session import HUMAN, PREFIX, TableSession
from lovecraft import bots, games
from lovecraft.core import AnyGame, InvalidRecord, LovecraftError, Match, Record
from lovecraft.core.record import parse_json
from lovecraft.i18n import Message, msg

RECORDS = "record/"
REVIEWS = "review/"

FORMAT = "lovecraft-games"
VERSION = 1
MOST_CHARACTERS = 4_000_000


class Kept(NamedTuple):
    """A kept game as it is listed; ``totals`` and ``winners`` are empty while it runs."""

    id: str
    key: str
    game: AnyGame
    names: tuple[str, ...]
    updated: int
    finished: bool
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    people: int

    @property
    def secret(self) -> bool:
        """Whether its file would show what people at this device still hide from each other."""
        return self.people > 1 and not self.finished

    @property
    def plays(self) -> bool:
        """Whether it can be gone on with at the table."""
        return self.key.startswith(PREFIX) and not self.finished


def kept(store: Store) -> list[Kept]:
    """Every game on the device, the latest first. Nothing is replayed: opening one checks it."""
    found = []
    for prefix in (PREFIX, RECORDS):
        for key in store.keys(prefix):
            entry = store.get(key) or {}
            game, updated = str(entry.get("game")), entry.get("updated")
            if game not in games.GAMES:
                continue
            names = _list(entry.get("names"), str)
            totals, winners = _result(entry, len(names))
            found.append(
                Kept(
                    key.removeprefix(prefix),
                    key,
                    games.get(game),
                    names,
                    updated if type(updated) is int else 0,
                    bool(entry.get("finished")),
                    totals,
                    winners,
                    _people(entry),
                )
            )
    return sorted(found, key=lambda one: -one.updated)


def _list(value: Any, kind: type) -> tuple[Any, ...]:
    every = value if isinstance(value, list) else []
    return tuple(one for one in every if type(one) is kind)


def _result(entry: Entry, players: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Totals and winners as the record states them."""
    record = entry.get("record")
    outcome = record.get("outcome") if isinstance(record, dict) else None
    if not isinstance(outcome, dict):
        return (), ()
    totals, winners = _list(outcome.get("totals"), int), _list(outcome.get("winners"), int)
    return (totals, winners) if len(totals) == players else ((), ())


def _people(entry: Entry) -> int:
    record = entry.get("record")
    players = record.get("players") if isinstance(record, dict) else None
    seats = players if isinstance(players, list) else []
    return sum(isinstance(seat, dict) and seat.get("kind") == HUMAN for seat in seats)


def find(store: Store, ident: str) -> tuple[str, Entry] | None:
    """Key and entry of a kept game, or None."""
    for prefix in (PREFIX, RECORDS):
        if (entry := store.get(prefix + ident)) is not None:
            return prefix + ident, entry
    return None


def remove(store: Store, key: str) -> None:
    """Forget a game and what is known about it."""
    store.remove(key)
    review = REVIEWS + key.partition("/")[2]
    if store.text(review) is not None:
        store.remove(review)


# -- in and out -----------------------------------------------------------------------------------


def to_file(records: Iterable[Record]) -> str:
    """Games as the text of one file."""
    found = [record.to_json() for record in records]
    whole = {"format": FORMAT, "version": VERSION, "games": found}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def from_file(words: str) -> tuple[list[Record], list[InvalidRecord]]:
    """The games of a file: one record, or many as :func:`to_file` writes them; and what is wrong
    with the others, with its place. Raises InvalidRecord when nothing in it can be a game.
    """
    if not words or len(words) > MOST_CHARACTERS:
        raise InvalidRecord(msg("games.file.length", most=MOST_CHARACTERS // 1_000_000))
    whole = parse_json(words)
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        return [Record.from_json(whole, games.get)], []
    if whole.get("version") != VERSION:
        raise InvalidRecord(msg("error.record-version", version=VERSION), "version")
    entries = whole.get("games")
    if not isinstance(entries, list):
        raise InvalidRecord(msg("error.json-kind", expected="[…]"), "games")
    records, refused = [], []
    for number, entry in enumerate(entries):
        try:
            records.append(Record.from_json(entry, games.get))
        except InvalidRecord as wrong:
            refused.append(InvalidRecord(wrong.message, f"games[{number}].{wrong.place}"))
    return records, refused


def told(wrong: LovecraftError) -> Message:
    """A refusal with its place, as a notice."""
    if not wrong.place:
        return wrong.message
    return msg("games.at", place=wrong.place, reason=wrong.message)


def playable(record: Record) -> bool:
    """Whether a game can be gone on with here: by people, and by bots that there are."""
    if record.outcome() is not None:
        return False
    try:
        for player in record.players:
            if player.kind != HUMAN:
                bots.named(player.kind)
    except LovecraftError:
        return False
    return True


def take_in(store: Store, record: Record, seed: str = "") -> str:
    """Keep a game that has come from elsewhere; its key."""
    if playable(record):
        session = TableSession(Match(record, seed or new_id()))
        session.save(store)
        return session.key
    final = record.final()
    key = RECORDS + new_id()
    store.put(
        key,
        {
            "game": record.game.id,
            "names": list(record.names),
            "created": now(),
            "updated": now(),
            "finished": record.game.outcome(final) is not None,
            "record": record.to_json(final),
        },
    )
    return key


def marks(store: Store) -> dict[str, str]:
    """The keys of the games on the device by what marks a record out among others."""
    entries = (
        (key, store.get(key) or {}) for prefix in (PREFIX, RECORDS) for key in store.keys(prefix)
    )
    return {mark(entry.get("record")): key for key, entry in entries}


def mark(record: Any) -> str:
    """What marks out a record given as JSON: its running digest covers all of it."""
    return str(record.get("trace")) if isinstance(record, dict) else ""
