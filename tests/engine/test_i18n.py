"""The catalogues: complete, parallel, well set; and the functions that show them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import resources
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovecraft import i18n
from lovecraft.i18n import (
    LANGUAGES,
    LOCALES,
    NATIVE_NAMES,
    Message,
    Seat,
    add_words,
    catalogue,
    fold,
    msg,
    plural_category,
    text,
)

CATEGORIES = {
    "en": {"one", "other"},
    "pt": {"one", "other"},
    "es": {"one", "other"},
    "ro": {"one", "few", "other"},
}
OTHERS = [lang for lang in LANGUAGES if lang != "en"]

NAMES = re.compile(r"card\.|game\.[^.]+$|[a-z-]+\.(ritual|symbol)\.")
"""Keys whose texts are names, which may be the same in every language and in any key."""

SAME_WORDS = {
    "pt": {"OK", "Total", "Ritual", "{n} ritual"},
    "es": {"OK", "Total", "Ritual", "no", "{n} ritual"},
    "ro": {"OK", "Total", "Ritual", "Calm", "Cult", "{n} ritual", "violet"},
}
"""Words that are written as in English."""


def files(lang: str) -> dict[str, dict[str, Any]]:
    """The files of a language as they stand, by name."""
    folder = resources.files(i18n).joinpath(lang)
    return {
        file.name: json.loads(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".json")
    }


ENTRIES = {
    lang: {key: entry for part in files(lang).values() for key, entry in part.items()}
    for lang in LANGUAGES
}


def forms(entry: str | dict[str, str]) -> dict[str, str]:
    return {"other": entry} if isinstance(entry, str) else entry


def texts(lang: str) -> Iterator[tuple[str, str]]:
    """Every text of a language with its key."""
    for key, entry in ENTRIES[lang].items():
        for form in forms(entry).values():
            yield key, form


def placeholders(form: str) -> set[str]:
    """The parameters of a text; plain names only, without attributes, formats, conversions."""
    found = set()
    for _, name, spec, conversion in Formatter().parse(form):
        if name is not None:
            assert name.isidentifier() and not spec and not conversion, form
            found.add(name)
    return found


# -- the catalogues -------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_has_the_same_keys_in_the_same_files(lang: str) -> None:
    english, other = files("en"), files(lang)
    assert set(other) == set(english)
    for name in english:
        assert list(other[name]) == list(english[name]), f"{lang}/{name}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_stands_twice(lang: str) -> None:
    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        assert len(set(keys)) == len(keys), sorted({key for key in keys if keys.count(key) > 1})
        return dict(pairs)

    seen: list[str] = []
    for file in resources.files(i18n).joinpath(lang).iterdir():
        if file.name.endswith(".json"):
            seen += json.loads(file.read_text("utf-8"), object_pairs_hook=distinct)
    assert len(seen) == len(set(seen)) == len(ENTRIES[lang])
    assert all(re.fullmatch(r"[a-z0-9_.@/-]+", key) for key in seen)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plurals_are_complete(lang: str) -> None:
    for key, entry in ENTRIES[lang].items():
        if isinstance(entry, str):
            assert isinstance(ENTRIES["en"][key], str), key
        else:
            assert not isinstance(ENTRIES["en"][key], str), key
            assert set(entry) == CATEGORIES[lang], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_uses_the_same_parameters(lang: str) -> None:
    for key, entry in ENTRIES[lang].items():
        right = placeholders(forms(ENTRIES["en"][key])["other"])
        for category, form in forms(entry).items():
            used = placeholders(form)
            # a single one may be told in a word
            assert used == right or (category == "one" and used | {"n"} == right), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_well_set(lang: str) -> None:
    quotes = {"en": "“”", "pt": "“”", "es": "«»", "ro": "„”"}[lang]
    for key, form in texts(lang):
        assert form, key
        assert form == form.strip() or (key.endswith(("prompt", "-prompt")) and form.strip()), key
        assert "  " not in form and "..." not in form, key
        assert not set(form) & set("'\"\t\r\x00\u00a8"), f"{key}: straight quotes or controls"
        assert form.count(quotes[0]) == form.count(quotes[1]), key
        assert not set(form) & set("“”„«»") - set(quotes), f"{key}: quotes of another language"
        assert not re.search(r"\s[,.;:!?](?!\w)", form), f"{key}: a blank before punctuation"


def test_romanian_has_its_own_letters() -> None:
    for key, form in texts("ro"):
        assert not set(form) & set("şţŞŢãõ"), key


@pytest.mark.parametrize("lang", OTHERS)
def test_texts_end_like_the_english_ones(lang: str) -> None:
    """A sentence stays a sentence, a label a label."""
    for key, entry in ENTRIES[lang].items():
        english = forms(ENTRIES["en"][key])["other"]
        for form in forms(entry).values():
            assert (form[-1] in ".?!") == (english[-1] in ".?!"), key


@pytest.mark.parametrize("lang", OTHERS)
def test_nothing_is_left_in_english(lang: str) -> None:
    names = {form for key, form in texts("en") if NAMES.match(key)}
    left = set()
    for key, entry in ENTRIES[lang].items():
        for category, form in forms(entry).items():
            english = forms(ENTRIES["en"][key]).get(category)
            letters = [c for c in re.sub(r"\{\w+\}", "", form) if c.isalpha()]
            if form == english and len(letters) > 1 and form not in names | SAME_WORDS[lang]:
                left.add((key, form))
    assert not left


def test_every_text_can_be_shown() -> None:
    for lang in LANGUAGES:
        for key, entry in ENTRIES[lang].items():
            names = set().union(*(placeholders(form) for form in forms(entry).values())) - {"n"}
            for n in (0, 1, 2, 19, 20, 21, 100, 101, 1.5):
                shown = text(msg(key, n=n, **dict.fromkeys(names, "‹x›")), lang)
                assert shown and "{" not in shown and "}" not in shown


# -- the functions --------------------------------------------------------------------------------


def test_languages() -> None:
    assert LANGUAGES == ("en", "pt", "es", "ro")
    assert set(NATIVE_NAMES) == set(LOCALES) == set(LANGUAGES)
    with pytest.raises(KeyError):
        catalogue("de")
    with pytest.raises(KeyError):
        text("no.such.key")


@pytest.mark.parametrize(
    ("lang", "one", "few", "other"),
    [
        ("en", [1, -1], [], [0, 2, 11, 21, 101, 0.5, 1.5]),
        ("es", [1, -1], [], [0, 2, 11, 21, 101, 0.5, 1.5]),
        ("pt", [0, 1, -1, 0.5, 1.5], [], [2, 11, 21, 101, 2.5]),
        ("ro", [1, -1], [0, 2, 3, 19, 101, 102, 119, 1001, 0.5, 20.5], [20, 21, 99, 100, 120, 200]),
    ],
)
def test_plural_categories(
    lang: str, one: list[float], few: list[float], other: list[float]
) -> None:
    assert {n: plural_category(lang, n) for n in (*one, *few, *other)} == {
        **dict.fromkeys(one, "one"),
        **dict.fromkeys(few, "few"),
        **dict.fromkeys(other, "other"),
    }


def test_points_in_every_language() -> None:
    shown = {
        lang: [text("core.points", lang, n=n) for n in (0, 1, 7, 20, 101)] for lang in LANGUAGES
    }
    assert shown == {
        "en": ["0 points", "1 point", "7 points", "20 points", "101 points"],
        "pt": ["0 ponto", "1 ponto", "7 pontos", "20 pontos", "101 pontos"],
        "es": ["0 puntos", "1 punto", "7 puntos", "20 puntos", "101 puntos"],
        "ro": ["0 puncte", "1 punct", "7 puncte", "20 de puncte", "101 puncte"],
    }


def test_parameters_are_shown_by_what_they_are() -> None:
    def shown(thing: object, lang: str = "en", names: tuple[str, ...] = ()) -> str:
        return text(msg("core.times", n=2, thing=thing), lang, names).removeprefix("2 × ")

    assert shown("x") == "x"
    assert shown(3) == "3"
    assert shown(2.5) == shown(2.50) == "2.5"
    assert [shown(2.5, lang) for lang in OTHERS] == ["2,5"] * 3
    assert shown(2.0) == "2"
    assert shown(msg("core.nothing"), "ro") == "nimic"
    assert shown(Seat(1), names=("Ana", "Ion")) == "Ion"
    assert shown(Seat(1)) == "Player 2"
    assert shown(Seat(2), "pt", ("Ana", "Ion")) == "Jogador 3"
    assert shown((Seat(0), msg("core.nothing"), "x", 1.5), "es", ("Ana",)) == "Ana, nada, x, 1,5"
    assert shown(()) == ""


@given(st.text())
def test_what_people_type_is_shown_as_it_is(name: str) -> None:
    assert text("core.won", "en", n=1, winners=(name,)) == f"{name} wins the game."
    assert text("core.won", "en", (name,), n=1, winners=Seat(0)) == f"{name} wins the game."


def test_messages_are_plain_values() -> None:
    message = msg("core.times", n=2, thing=msg("core.nothing"))
    assert message == Message("core.times", (("n", 2), ("thing", Message("core.nothing"))))
    assert hash(message) == hash(msg("core.times", n=2, thing=msg("core.nothing")))
    assert text(message, thing="x") == "2 × x"
    assert text("core.nothing") == text(msg("core.nothing")) == "nothing"


def test_a_plural_needs_a_number() -> None:
    with pytest.raises(KeyError):
        text("core.points")
    with pytest.raises(TypeError, match=r"core\.points"):
        text("core.points", n="many")


def test_words_can_be_brought_as_data() -> None:
    words = {lang: f"{{x}} {lang} %s" for lang in LANGUAGES}
    add_words("card.test-only.x", words)
    add_words("card.test-only.x", words)
    assert [text("card.test-only.x", lang) for lang in LANGUAGES] == list(words.values())
    assert [text("card.test-only.x", lang, n=1) for lang in LANGUAGES] == list(words.values())
    with pytest.raises(ValueError, match="test-only"):
        add_words("card.test-only.x", {**words, "ro": "other"})
    with pytest.raises(KeyError):
        add_words("card.test-only.y", {"en": "y"})
    with pytest.raises(KeyError):
        text("card.test-only.y")


@pytest.mark.parametrize(
    ("words", "folded"),
    [
        ("Pontuação Mística", "pontuacao mistica"),
        ("Împărțirea și țara", "impartirea si tara"),
        ("Iä! STRASSE ß", "ia! strasse ss"),
        ("", ""),
    ],
)
def test_searches_fold_case_and_accents(words: str, folded: str) -> None:
    assert fold(words) == folded
    assert fold(folded) == folded
