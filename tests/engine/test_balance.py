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

FAIR_CARD = {"card": "dagon", "played": 0.05, "lift": 0.1}
FAIR_PLANS = [{"plan": "ritual", "rate": 0.6}, {"plan": "cult", "rate": 0.6}]


def verdicts(**changed: Any) -> dict[str, bool]:
    figures: dict[str, Any] = {
        "first_player": 0.5,
        "turns": 9,
        "cards": [FAIR_CARD],
        "plans": FAIR_PLANS,
    }
    return balance.verdicts(**(figures | changed))


@pytest.mark.host  # a few seconds of play, and the same code
def test_a_report_has_all_figures_and_judges_by_them() -> None:
    told: list[tuple[int, int]] = []
    report = balance.report("ritos-ancestrais", "house", 8, 3, lambda *at: told.append(at))
    assert told == [(n + 1, 15) for n in range(15)]  # eight, two of each plan, the cards
    assert (report["game"], report["edition"]) == ("ritos-ancestrais", "house")
    assert (report["games"], report["seed"], report["bots"]) == (8, "3", "greedy")
    first = report["first_player"]
    assert first["low"] <= first["rate"] <= first["high"]
    assert first["rate"] * 16 == int(first["rate"] * 16)  # halves of eight games
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
        first["rate"], turns["median"], report["cards"], report["plans"]
    )
    assert report["passed"] == all(report["checks"].values())
    again = balance.report("ritos-ancestrais", "house", 8, 3)
    assert again == report
    assert balance.report("ritos-ancestrais", "house", 8, 4) != report


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({}, None),
        ({"first_player": 0.47}, None),
        ({"first_player": 0.4699}, "first-player"),
        ({"first_player": 0.5301}, "first-player"),
        ({"turns": 8}, None),
        ({"turns": 7.5}, "turns"),
        ({"turns": 14.5}, "turns"),
        ({"cards": [FAIR_CARD, FAIR_CARD | {"played": 0.0499}]}, "every-card-played"),
        ({"cards": [FAIR_CARD, FAIR_CARD | {"lift": 0.1001}]}, "no-card-decides"),
        ({"cards": [FAIR_CARD | {"lift": -0.4}, FAIR_CARD | {"lift": None}]}, None),
        ({"plans": [FAIR_PLANS[0], {"plan": "cult", "rate": 0.6001}]}, "no-plan-dominates"),
        ({"plans": [{"plan": "ritual", "rate": 0.6001}, FAIR_PLANS[1]]}, "no-plan-dominates"),
        ({"plans": [*FAIR_PLANS, {"plan": "cult-first", "rate": 0.9}]}, None),  # is mixed play
    ],
)
def test_each_figure_is_judged_by_its_bounds(changed: dict[str, Any], missed: str | None) -> None:
    assert [name for name, kept in verdicts(**changed).items() if not kept] == (
        [missed] if missed else []
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
    asked: list[tuple[int, int, str]] = []

    def again(n: int, seat: int, card: str) -> float:
        asked.append((n, seat, card))
        return {"dagon": 0.25, "hastur": 0.5}[card]

    rows = {row["card"]: row for row in balance.card_figures("house", played, again, 2)}
    assert sorted(asked) == [(0, 0, "dagon"), (1, 1, "dagon"), (2, 0, "hastur")]
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
    with pytest.raises((InvalidOption, InvalidEdition)):
        balance.report("ritos-ancestrais", "nothing")
