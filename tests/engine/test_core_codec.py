"""Values to JSON and back, strict about every one."""

from __future__ import annotations

import json
import math
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovecraft.core import InvalidRecord
from lovecraft.core.codec import from_json, to_json
from lovecraft.i18n import LANGUAGES


class Leaf(NamedTuple):
    name: str
    number: int
    flag: bool


class Tree(NamedTuple):
    leaves: tuple[Leaf, ...]
    pair: tuple[int, str | None]
    colour: Literal["red", "blue"]
    chosen: frozenset[str]
    weight: float
    best: Leaf | None


leaves = st.builds(Leaf, st.text(), st.integers(), st.booleans())
trees = st.builds(
    Tree,
    st.lists(leaves, max_size=3).map(tuple),
    st.tuples(st.integers(), st.none() | st.text()),
    st.sampled_from(["red", "blue"]),
    st.frozensets(st.text(max_size=3), max_size=3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none() | leaves,
)


@given(trees)
def test_values_round_trip(tree: Tree) -> None:
    plain = json.loads(json.dumps(to_json(tree), allow_nan=False))
    assert from_json(Tree, plain) == tree
    assert type(from_json(Tree, plain).leaves) is tuple


@pytest.mark.parametrize(
    ("kind", "value", "place"),
    [
        (int, True, "x"),
        (int, 1.0, "x"),
        (int, "1", "x"),
        (int, None, "x"),
        (bool, 1, "x"),
        (str, 1, "x"),
        (str, ["a"], "x"),
        (float, "1", "x"),
        (float, True, "x"),
        (float, math.nan, "x"),
        (float, math.inf, "x"),
        (float, 10**400, "x"),
        (type(None), 0, "x"),
        (tuple[int, ...], "ab", "x"),
        (tuple[int, ...], {"0": 1}, "x"),
        (tuple[int, ...], [1, "2"], "x[1]"),
        (tuple[int, int], [1], "x"),
        (tuple[int, int], [1, 2, 3], "x"),
        (tuple[int, str], [1, 2], "x[1]"),
        (int | None, "a", "x"),
        (tuple[int, ...] | None, [1, None], "x[1]"),
        (Literal["a", "b"], "c", "x"),
        (Literal[1, 2], True, "x"),
        (Literal[1, 2], 1.0, "x"),
        (Literal["a"], ["a"], "x"),
        (frozenset[int], [1, "a"], "x[1]"),
        (frozenset[int], 1, "x"),
        (Leaf, [], "x"),
        (Leaf, {"name": "a", "number": 1}, "x"),
        (Leaf, {"name": "a", "number": 1, "flag": True, "more": 0}, "x"),
        (Leaf, {"name": "a", "number": "1", "flag": True}, "x.number"),
        (tuple[Leaf, ...], [{"name": "a", "number": 1, "flag": 0}], "x[0].flag"),
    ],
    ids=repr,
)
def test_what_does_not_fit_is_refused_with_its_place(kind: Any, value: Any, place: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        from_json(kind, value, "x")
    assert refused.value.place == place
    for lang in LANGUAGES:
        assert refused.value.text(lang).startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("kind", "value", "result"),
    [
        (float, 2, 2.0),
        (tuple[()], [], ()),
        (Literal[1, "a"], 1, 1),
        (int | str, "a", "a"),
        (frozenset[int], [2, 1, 2], frozenset({1, 2})),
    ],
    ids=repr,
)
def test_what_fits(kind: Any, value: Any, result: Any) -> None:
    assert from_json(kind, value) == result
    assert type(from_json(kind, value)) is type(result)


def test_other_types_are_a_programming_error() -> None:
    with pytest.raises(TypeError):
        from_json(complex, 1)
    assert to_json({"b": frozenset({"z", "a"}), "c": (1, None)}) == {
        "b": ["a", "z"],
        "c": [1, None],
    }
