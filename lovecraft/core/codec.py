"""NamedTuples to JSON values and back, driven by their type hints; strict about every value."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from lovecraft.core.errors import InvalidRecord
from lovecraft.i18n import msg

Json = Any
"""A JSON value: None, bool, int, float, str, or lists and string-keyed dicts of them."""


def to_json(value: object) -> Json:
    """A value made of NamedTuples, tuples, dicts and scalars as a JSON value."""
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is None:
            return [to_json(v) for v in value]
        return {name: to_json(v) for name, v in zip(fields, value, strict=True)}
    if isinstance(value, dict):
        return {k: to_json(v) for k, v in value.items()}
    if isinstance(value, (frozenset, set)):
        return sorted(to_json(v) for v in value)
    return value


def from_json(kind: Any, value: Json, place: str = "") -> Any:
    """The inverse of :func:`to_json` for a type made of NamedTuple, tuple, Optional and scalars.

    Anything that does not fit raises InvalidRecord with the place.
    """
    return _decoder(kind)(value, place)


def _refuse(expected: str, place: str) -> InvalidRecord:
    return InvalidRecord(msg("error.json-kind", expected=expected), place)


@cache
def _decoder(kind: Any) -> Callable[[Json, str], Any]:
    if kind in (int, str, bool, float, type(None)):
        return _scalar(kind)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _named(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _tuple(args)
    if origin in (Union, types.UnionType):
        return _union(args)
    if origin is typing.Literal:
        return _literal(args)
    if origin is frozenset:
        (item,) = args
        many = _tuple((item, ...))
        return lambda value, place: frozenset(many(value, place))
    raise TypeError(f"cannot decode {kind!r} from JSON")


_SHAPES: Mapping[Any, str] = {int: "0", str: '"…"', bool: "true | false", float: "0.0"}
"""What a JSON value should look like, readable in any language."""


def _finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _scalar(kind: type) -> Callable[[Json, str], Any]:
    name = _SHAPES.get(kind, "null")

    def decode(value: Json, place: str) -> Any:
        if kind is float and type(value) is int and abs(value) < 2**53:
            return float(value)
        if type(value) is not kind or not _finite(value):
            raise _refuse(name, place)
        return value

    return decode


def _named(kind: Any) -> Callable[[Json, str], Any]:
    hints = get_type_hints(kind)
    fields = [(name, hints[name]) for name in kind._fields]

    def decode(value: Json, place: str) -> Any:
        if not isinstance(value, dict) or value.keys() != {name for name, _ in fields}:
            raise _refuse("{" + ", ".join(name for name, _ in fields) + "}", place)
        return kind(*(_decoder(hint)(value[name], f"{place}.{name}") for name, hint in fields))

    return decode


def _tuple(args: tuple[Any, ...]) -> Callable[[Json, str], Any]:
    def decode(value: Json, place: str) -> Any:
        if not isinstance(value, list):
            raise _refuse("[…]", place)
        if len(args) == 2 and args[1] is Ellipsis:
            item = _decoder(args[0])
            return tuple(item(v, f"{place}[{i}]") for i, v in enumerate(value))
        if len(value) != len(args):
            raise _refuse(f"[… × {len(args)}]", place)
        return tuple(
            _decoder(a)(v, f"{place}[{i}]")
            for i, (a, v) in enumerate(zip(args, value, strict=True))
        )

    return decode


def _union(args: tuple[Any, ...]) -> Callable[[Json, str], Any]:
    def decode(value: Json, place: str) -> Any:
        error: InvalidRecord | None = None
        for arg in args:
            try:
                return _decoder(arg)(value, place)
            except InvalidRecord as refused:
                error = error or refused
        raise error or _refuse("…", place)

    return decode


def _literal(args: tuple[Any, ...]) -> Callable[[Json, str], Any]:
    def decode(value: Json, place: str) -> Any:
        if any(type(value) is type(allowed) and value == allowed for allowed in args):
            return value
        raise _refuse(" | ".join(map(str, args)), place)

    return decode
