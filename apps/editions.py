"""The editions that are kept on the device, for all pages.

A kept edition is a draft: the JSON value of an edition, whole or not yet.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeGuard

from apps.companion.session import new_id
from apps.store import Store, now
from lovecraft.core.options import Option, Value
from lovecraft.games.ritos_ancestrais import register_edition
from lovecraft.games.ritos_ancestrais.edition import (
    HOUSE,
    VOCABULARY,
    Edition,
    InvalidEdition,
    read_edition,
)

PREFIX = "edition/"
RITUALS, CARDS = "rituals", "cards"

Draft = dict[str, Any]


class Kept(NamedTuple):
    """A draft on the device, and the edition that it is if nothing is wrong with it."""

    ident: str
    draft: Draft
    edition: Edition | None


def kept(store: Store) -> list[Kept]:
    """The drafts that can be shown; the others are set aside."""
    found = []
    for key in store.keys(PREFIX):
        draft = (store.get(key) or {}).get("edition")
        if not is_draft(draft):
            store.set_aside(key)
            continue
        try:
            edition: Edition | None = read_edition(draft)
        except InvalidEdition:
            edition = None
        found.append(Kept(key.removeprefix(PREFIX), draft, edition))
    return found


def register_kept(store: Store) -> None:
    """Make all whole editions of the device playable: at the table, for bots, on sheets."""
    for one in kept(store):
        if one.edition is not None and one.edition.id != HOUSE:
            register_edition(one.edition)


def keep(store: Store, draft: Draft, ident: str = "") -> str:
    """Write a draft; its id on the device."""
    ident = ident or new_id()
    store.put(PREFIX + ident, {"edition": draft, "updated": now()})
    return ident


def is_draft(value: object) -> TypeGuard[Draft]:
    """Whether the form can show a value: the shape of an edition, whatever its words."""

    def words(name: object) -> bool:
        texts = name.values() if isinstance(name, dict) else (name,)
        return all(isinstance(text, str) for text in texts)

    def entry(one: object, *lists: str) -> bool:
        return (
            isinstance(one, dict)
            and isinstance(one.get("id"), str)
            and words(one.get("name"))
            and all(isinstance(one.get(name), list) for name in lists)
        )

    if not isinstance(value, dict) or not entry(value, RITUALS, CARDS):
        return False
    return (
        all(entry(one, "needs") and all(isinstance(n, str) for n in one["needs"])
            for one in value[RITUALS])
        and all(
            entry(one)
            and isinstance(one.get("effects", []), list)
            and all(isinstance(e, dict) and e.get("effect") in VOCABULARY
                    for e in one.get("effects", []))
            for one in value[CARDS]
        )
    )  # fmt: skip


def offered(store: Store, option: Option, now_shown: Value = "") -> tuple[Value, ...]:
    """The values of an option that a person chooses from.

    Of the editions these are the default, those kept on the device and the one that is shown. In
    the course of a visit there may be many more: what an edition was before it was changed, and
    those with which other people's games were played.
    """
    if not option.data or len(option.values) < 2:
        return option.values
    own = {one.edition.key for one in kept(store) if one.edition is not None}
    wanted = own | {option.default, now_shown}
    return tuple(value for value in option.values if value in wanted)
