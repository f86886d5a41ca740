"""Golden records of every game: whole games that must replay to the same end, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lovecraft import games
from lovecraft.core import Record

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = [
    file
    for file in sorted(GOLDEN.glob("*/*.json"))
    if '"lovecraft-record"' in file.read_text("utf-8")
]


def test_there_are_golden_records() -> None:
    assert {file.parent.name for file in RECORDS} == set(games.GAMES)


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_golden_record_replays_to_the_same_end(file: Path) -> None:
    source = file.read_bytes().decode("utf-8")
    record = Record.loads(source, games.get)
    assert record.game.id == file.parent.name
    outcome = record.outcome()
    assert outcome is not None
    written = json.loads(source)["outcome"]
    assert list(outcome.totals) == written["totals"]
    assert list(outcome.ranks) == written["ranks"]
    assert list(outcome.winners) == written["winners"]
    assert outcome.tiebreak == written["tiebreak"]
    assert record.dumps().encode("utf-8") == file.read_bytes()
