"""The balance report of Ritos Ancestrais: its shape, and verdicts that come from its figures."""

from __future__ import annotations

from typing import Any

import pytest

from lovecraft import balance, games
from lovecraft.core import InvalidOption, UnknownName
from lovecraft.games.ritos_ancestrais import InvalidEdition
from lovecraft.games.ritos_ancestrais.edition import HOUSE_EDITION
from lovecraft.games.ritos_ancestrais.scoring import final_standings
from lovecraft.games.ritos_ancestrais.state import OVER
from lovecraft.games.ritos_ancestrais.tables import tables

GAME = games.get("ritos-ancestrais")
TABLES = tables("house")

FAIR_CARD = {"card": "dagon", "played": 0.05, "lift": 0.1, "low": 0.05, "high": 0.15}
RITUAL = {"plan": "ritual", "rate": 0.6, "low": 0.55, "high": 0.65}
FAIR_PLANS = [RITUAL, RITUAL | {"plan": "cult"}]


def first(rate: float, low: float = 0.0, high: float = 1.0) -> dict[str, float]:
    return {"rate": rate, "low": low, "high": high}


def verdicts(**changed: Any) -> dict[str, bool | None]:
    figures: dict[str, Any] = {
        "first_player": first(0.5),
        "turns": 9,
        "cards": [FAIR_CARD],
        "plans": FAIR_PLANS,
    }
    return balance.verdicts(**(figures | changed))


@pytest.mark.host  # a few seconds of play, and the same code
def test_a_report_has_all_figures_and_judges_by_them() -> None:
    told: list[tuple[int, int]] = []
    report = balance.report("ritos-ancestrais", "house", 8, 3, lambda *at: told.append(at), 1)
    assert told == [(n + 1, 15) for n in range(15)]  # eight, two of each plan, the cards
    assert (report["game"], report["edition"]) == ("ritos-ancestrais", "house")
    assert (report["games"], report["rounds"], report["seed"]) == (8, 1, "3")
    assert report["bots"] == "greedy"
    player = report["first_player"]
    assert player["low"] <= player["rate"] <= player["high"]
    assert player["rate"] * 16 == int(player["rate"] * 16)  # halves of eight games
    turns = report["turns"]
    assert 1 <= turns["low"] <= turns["median"] <= turns["high"]
    assert [row["card"] for row in report["cards"]] == [card.id for card in HOUSE_EDITION.cards]
    for row in report["cards"]:
        assert 0 <= row["drawn"] <= 8 and row["pairs"] <= 1  # a fifth of eight
        assert (row["lift"] is None) == (row["pairs"] == 0) == (row["played"] == 0)
        if row["pairs"]:
            assert row["low"] <= row["lift"] <= row["high"]
            assert row["played"] > 0
    assert list(report["rituals"]) == [ritual.id for ritual in HOUSE_EDITION.rituals]
    assert [row["plan"] for row in report["plans"]] == list(balance.PLANS)
    assert all(row["games"] == 2 and 0 <= row["rate"] <= 1 for row in report["plans"])
    assert report["checks"] == balance.verdicts(
        player, turns["median"], report["cards"], report["plans"]
    )
    kept = set(report["checks"].values())
    assert report["passed"] is (False if False in kept else None if None in kept else True)
    assert balance.report("ritos-ancestrais", "house", 4, 3, rounds=1) != report


@pytest.mark.host  # a few seconds of play, and the same code
def test_there_are_more_rounds_while_a_figure_is_not_settled() -> None:
    told: list[tuple[int, int]] = []
    report = balance.report("ritos-ancestrais", "house", 2, 3, lambda *at: told.append(at), 2)
    assert (report["games"], report["rounds"]) == (4, 2)  # four games settle nothing
    assert told[:9] == [(n + 1, 9) for n in range(9)] and told[-1][0] == told[-1][1]
    assert 1 < max(row["pairs"] for row in report["cards"]) <= 4
    assert {row["plan"]: row["games"] for row in report["plans"]}["cult-first"] == 2
    assert report == balance.report("ritos-ancestrais", "house", 2, 3, rounds=2)


@pytest.mark.parametrize(
    ("row", "settled"),
    [
        ({"low": 0.02, "high": 0.09}, True),
        ({"low": 0.11, "high": 0.2}, True),
        ({"low": 0.02, "high": 0.11}, False),
        ({"low": 0.0, "high": 0.0, "pairs": 29}, False),
        ({"low": None, "high": None, "pairs": 0, "played": 0.0}, True),
    ],
)
def test_a_lift_is_settled_when_its_interval_is_on_one_side(
    row: dict[str, Any], settled: bool
) -> None:
    assert balance._lift_settled({"played": 0.5, "pairs": 30} | row) is settled


LOPSIDED = FAIR_CARD | {"lift": 0.1001}


@pytest.mark.parametrize(
    ("changed", "missed", "verdict"),
    [
        ({}, None, True),
        ({"first_player": first(0.47)}, None, True),
        ({"first_player": first(0.4699)}, "first-player", None),
        ({"first_player": first(0.44, 0.41, 0.4699)}, "first-player", False),
        ({"first_player": first(0.5301, 0.5299, 0.54)}, "first-player", None),
        ({"first_player": first(0.56, 0.5301, 0.6)}, "first-player", False),
        ({"turns": 8}, None, True),
        ({"turns": 7.5}, "turns", False),
        ({"turns": 14.5}, "turns", False),
        ({"cards": [FAIR_CARD, FAIR_CARD | {"played": 0.0499}]}, "every-card-played", False),
        ({"cards": [FAIR_CARD, LOPSIDED]}, "no-card-decides", None),
        ({"cards": [LOPSIDED, LOPSIDED | {"low": 0.1001}]}, "no-card-decides", False),
        ({"cards": [FAIR_CARD | {"lift": -0.4}, FAIR_CARD | {"lift": None}]}, None, True),
        ({"plans": [RITUAL, RITUAL | {"rate": 0.6001}]}, "no-plan-dominates", None),
        ({"plans": [RITUAL | {"rate": 0.7, "low": 0.6001}]}, "no-plan-dominates", False),
        ({"plans": [*FAIR_PLANS, RITUAL | {"plan": "cult-first", "rate": 0.9}]}, None, True),
    ],
)
def test_each_figure_is_judged_by_its_bounds(
    changed: dict[str, Any], missed: str | None, verdict: bool | None
) -> None:
    judged = verdicts(**changed)
    assert {name: kept for name, kept in judged.items() if kept is not True} == (
        {missed: verdict} if missed else {}
    )


def finished(cults: tuple[str, str], totals: tuple[int, int], drawn: str) -> balance.Played:
    state = GAME.start(GAME.setup(2))._replace(
        phase=OVER, cults=tuple(TABLES.cult(cult.split()) for cult in cults), points=totals
    )
    return balance.Played(state, final_standings(totals, (0, 0)), frozenset(drawn.split()))


def test_a_lift_compares_an_owner_with_the_same_seat_without_the_card() -> None:
    played = [
        finished(("dagon", ""), (21, 3), "dagon hastur"),
        finished(("", "dagon"), (21, 3), "dagon"),
        finished(("hastur", "dagon"), (9, 9), "dagon hastur"),
        finished(("", ""), (3, 21), "dagon carcosa"),
    ]
    assert balance.owners("house", played, "dagon") == [(0, 0), (1, 1), (2, 1)]
    gained = dict.fromkeys(TABLES.kinds, ()) | {"dagon": (0.75, -0.25), "hastur": (0.0,)}
    rows = {row["card"]: row for row in balance.card_figures("house", played, gained)}
    dagon, hastur, carcosa = rows["dagon"], rows["hastur"], rows["carcosa"]
    assert (dagon["drawn"], dagon["played"], dagon["pairs"]) == (4, 0.75, 2)
    assert dagon["lift"] == 0.25 == (0.75 - 0.25) / 2  # won one, lost one
    assert dagon["low"] < dagon["lift"] < dagon["high"]
    assert (hastur["drawn"], hastur["played"], hastur["lift"]) == (2, 0.5, 0.0)
    assert (carcosa["played"], carcosa["pairs"], carcosa["lift"]) == (0.0, 0, None)
    assert (rows["mi-go"]["drawn"], rows["mi-go"]["played"]) == (0, 0.0)


@pytest.mark.host  # plays a few games
def test_who_refuses_a_card_never_plays_it_and_changes_nothing_else() -> None:
    mixed, without = balance.player(), balance.player(balance.refusing("dagon"))
    bit = TABLES.bit_of["dagon"]
    same = other = 0
    for n in range(12):
        free = balance._play("house", (mixed, mixed), f"r/{n}")
        bound = balance._play("house", (without, mixed), f"r/{n}")
        assert not bound.final.cults[0] & bit
        if free.final.cults[0] & bit:
            other += 1
        else:
            same += 1
            assert bound.final.cults == free.final.cults
    assert same and other


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(UnknownName):
        balance.report("mythicals")
    with pytest.raises(InvalidOption):
        balance.report("ritos-ancestrais", games=0)
    with pytest.raises(InvalidOption):
        balance.report("ritos-ancestrais", rounds=0)
    with pytest.raises((InvalidOption, InvalidEdition)):
        balance.report("ritos-ancestrais", "nothing")
