"""Every word a person sees: catalogues in four languages and the messages that refer to them.

Code never builds sentences. It makes a :class:`Message` (a catalogue key with parameters), and
whoever shows it turns it into text with :func:`text`. Catalogues are flat JSON files under
``<language>/``; an entry is a format string, or one form per plural category chosen by ``n``.
"""

from __future__ import annotations

import json
import unicodedata
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

LANGUAGES = ("en", "pt", "es", "ro")
"""Catalogue languages: English, Portuguese (Brazil), Spanish, Romanian."""

NATIVE_NAMES = {"en": "English", "pt": "Português", "es": "Español", "ro": "Română"}
LOCALES = {"en": "en", "pt": "pt-BR", "es": "es", "ro": "ro"}

Entry = str | Mapping[str, str]


class Seat(NamedTuple):
    """A seat at the table as a message parameter; shown as the player's name."""

    number: int


class Message(NamedTuple):
    """A catalogue key with its parameters; the language is chosen when it is shown.

    Parameters may be strings, numbers, seats, other messages, or tuples of those (shown as a list).
    """

    key: str
    params: tuple[tuple[str, object], ...] = ()


def msg(key: str, **params: object) -> Message:
    """Make a :class:`Message`.

    >>> text(msg("core.points", n=1))
    '1 point'
    """
    return Message(key, tuple(params.items()))


_brought: dict[str, dict[str, Entry]] = {lang: {} for lang in LANGUAGES}


def add_words(key: str, words: Mapping[str, str]) -> None:
    """Bring names into the catalogues at run time, one text per language, taken literally.

    For what comes as data, such as the card names of an edition. Raises KeyError when a language
    is missing, ValueError when other words were brought under the key before.
    """
    literal = {lang: words[lang].replace("{", "{{").replace("}", "}}") for lang in LANGUAGES}
    for lang, entry in literal.items():
        if _brought[lang].setdefault(key, entry) != entry:
            raise ValueError(f"{key}: other words stand here already")


@cache
def catalogue(lang: str) -> Mapping[str, Entry]:
    """All entries of one language: its files merged, and what :func:`add_words` has brought.

    Raises KeyError for other languages.
    """
    if lang not in LANGUAGES:
        raise KeyError(lang)
    entries: dict[str, Entry] = {}
    folder = resources.files(__name__).joinpath(lang)
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".json"):
            part: dict[str, Entry] = json.loads(file.read_text("utf-8"))
            if twice := entries.keys() & part.keys():
                raise ValueError(f"{lang}/{file.name}: keys stand twice: {sorted(twice)}")
            entries.update(part)
    return ChainMap(_brought[lang], entries)


def plural_category(lang: str, n: float) -> str:
    """CLDR plural category of ``n`` in the four languages, for whole numbers and fractions.

    >>> [plural_category("ro", n) for n in (1, 2, 19, 20, 101, 120)]
    ['one', 'few', 'few', 'other', 'few', 'other']
    """
    if lang == "pt":
        return "one" if 0 <= abs(n) < 2 else "other"
    if abs(n) == 1:
        return "one"
    if lang == "ro" and (n != int(n) or n == 0 or 1 <= abs(n) % 100 <= 19):
        return "few"
    return "other"


def text(
    message: Message | str, lang: str = "en", names: Sequence[str] = (), **params: object
) -> str:
    """The words of a message (or bare key) in ``lang``; seats are shown by ``names``.

    A key that no catalogue has is a programming error and raises KeyError (a test keeps all
    four catalogues complete).
    """
    if isinstance(message, str):
        message = Message(message)
    values = dict(message.params) | params
    entry = catalogue(lang)[message.key]
    if not isinstance(entry, str):
        n = values["n"]
        if not isinstance(n, (int, float)):
            raise TypeError(f"{message.key}: n must be a number, not {n!r}")
        entry = entry.get(plural_category(lang, n)) or entry["other"]
    if not values:
        return entry.format() if "{" in entry or "}" in entry else entry
    return entry.format(**{k: _show(v, lang, names) for k, v in values.items()})


def _show(value: object, lang: str, names: Sequence[str]) -> str:
    if isinstance(value, Message):
        return text(value, lang, names)
    if isinstance(value, Seat):
        if value.number < len(names):
            return names[value.number]
        return text("core.seat", lang, number=value.number + 1)
    if isinstance(value, tuple):
        return ", ".join(_show(v, lang, names) for v in value)
    if isinstance(value, float):
        shown = f"{value:g}"
        return shown if lang == "en" else shown.replace(".", ",")
    return str(value)


def fold(words: str) -> str:
    """Words as a search compares them: lower case, accents removed.

    >>> fold("Pontuação Mística")
    'pontuacao mistica'
    """
    split = unicodedata.normalize("NFKD", words.casefold())
    return "".join(c for c in split if not unicodedata.combining(c))
