"""For every rule that scores: the smallest example, and a near miss, found by search.

Nothing is written down: an example is the first layout (by size) for which the engine pays by the
rule, a near miss is that layout with one thing changed for which it does not (or pays less).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from lovecraft.explain.desks import Desk, Layout, desk

LARGEST = 7
"""Pieces that the largest example has besides the card that the rule is about."""


class Example(NamedTuple):
    """A layout with the points (or the count) that a rule brings there."""

    layout: Layout
    points: int


class Pair(NamedTuple):
    """The smallest example of a rule, and the nearest layout in which it brings less."""

    rule: str
    example: Example
    miss: Example


@cache
def rules_with_examples(game_id: str) -> tuple[str, ...]:
    """The rules of a game by which something scores or is paid, in reading order."""
    table = desk(game_id)
    return tuple(
        rule.id for rule in table.game.rules if rule.section == "scoring" or rule.id in table.paying
    )


@cache
def example(rule_id: str) -> Pair | None:
    """The smallest example of a rule and its near miss; None where no layout shows the rule."""
    table = desk(rule_id.split("/")[0])
    for start, layout in candidates(table, rule_id):
        points = table.measures(layout).get(rule_id, 0)
        if points > 0:
            miss = _nearest_miss(table, rule_id, start, layout, points)
            if miss:
                return Pair(rule_id, Example(layout, points), miss)
    return None


def candidates(table: Desk, rule_id: str) -> Iterator[tuple[Layout, Layout]]:
    """Layouts that may show a rule, smaller ones first, each with what it was made from."""
    starts, slots = table.starts(rule_id), table.slots(rule_id)
    turns = [
        (k, value)
        for k, knob in enumerate(table.knobs)
        if knob.id in table.turned(rule_id)
        for value in knob.values[1:]
    ]
    for size in range(LARGEST + 1):
        for start in starts:
            for chosen in combinations_with_replacement(slots, size):
                layout = start
                for area in {area for area, _ in chosen}:
                    added = (piece for there, piece in chosen if there == area)
                    layout = table.with_area(layout, area, (*added, *layout.areas[area]))
                if not table.problem(layout):
                    yield start, layout
                    yield from ((start, table.turn(layout, k, value)) for k, value in turns)


def neighbours(table: Desk, layout: Layout) -> Iterator[tuple[int, Layout]]:
    """Every layout that differs in one thing, with how unlike it looks.

    0: a piece exchanged; 1: a piece more; 2: a knob turned; 3: one piece less.
    """
    for a, area in enumerate(table.areas):
        for at, there in enumerate(layout.areas[a]):
            for piece in area.pieces:
                if piece != there:
                    yield 0, table.swap(layout, a, at, piece)
        for piece in area.pieces:
            yield 1, table.put(layout, a, piece)
        for at in range(len(layout.areas[a])):
            yield 3, table.take(layout, a, at)
    for k, knob in enumerate(table.knobs):
        for value in knob.values:
            if value != layout.knobs[k]:
                yield 2, table.turn(layout, k, value)


def _nearest_miss(
    table: Desk, rule: str, start: Layout, layout: Layout, points: int
) -> Example | None:
    """Of all layouts one change away in which the rule brings less: the most alike.

    What the example was made from stays. Nothing at all is better than less; then the fewer other
    rules move, the better.
    """
    before = table.measures(layout)
    best: tuple[tuple[int, ...], Example] | None = None
    for unlike, changed in neighbours(table, layout):
        there = zip(start.areas, changed.areas, strict=True)
        if table.problem(changed) or any(set(own) - set(lying) for own, lying in there):
            continue
        after = table.measures(changed)
        left = after.get(rule, 0)
        if left >= points:
            continue
        rules = {*before, *after} - {rule}
        others = sum(before.get(one, 0) != after.get(one, 0) for one in rules)
        key = (int(left > 0), int(unlike == 3), others, unlike)
        if best is None or key < best[0]:
            best = key, Example(changed, left)
    return best[1] if best else None
