"""One policy for names, whoever asks for one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft.core.names import MAX_NAME, apart, clean_name, fold_name, tidy_name

TYPED = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from(" \t\u200b\u200d\u202e\u2066\x00🐙é")),
    max_size=60,
)


@given(TYPED)
def test_what_was_tidied_is_a_name_or_nothing(typed: str) -> None:
    tidy = tidy_name(typed)
    assert tidy_name(tidy) == tidy
    if tidy:
        assert clean_name(tidy, "x") == tidy


@pytest.mark.parametrize(
    ("typed", "tidy"),
    [
        (" Ana \n Maria ", "Ana Maria"),
        ("<b>Ana</b> &amp;", "<b>Ana</b> &amp;"),
        ("עומר 🐙", "עומר 🐙"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴\U000e0067\U000e0062\U000e007f"),
        ("A\u202en\u2066a\x1b[2J\x00", "Ana[2J"),
        ("Jose\u0301", "José"),
        ("\u200b\u200d\u0301", ""),
        ("x" * 99, "x" * MAX_NAME),
    ],
)
def test_names_as_people_type_them(typed: str, tidy: str) -> None:
    assert tidy_name(typed) == tidy


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["Ana", "ana", "Ana 2", "Ana 3", "", "Ion", "x" * MAX_NAME])))
def test_names_are_told_apart_and_nobody_else_is_renamed(names: list[str]) -> None:
    told = apart(names)
    folded = [fold_name(name) for name in told if name]
    assert len(set(folded)) == len(folded)
    for i, (name, now) in enumerate(zip(names, told, strict=True)):
        assert bool(name) == bool(now) and len(now) <= MAX_NAME
        if fold_name(name) not in map(fold_name, names[:i]):
            assert now == name or not name
