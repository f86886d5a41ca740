"""Scoring Ancient Cards beside real cards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from app_support import Device, run
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.companion.ancient_cards import AncientCardsSheet
from apps.host import MemoryHost
from lovecraft import games
from lovecraft.core import LovecraftError
from lovecraft.games.ancient_cards.cards import RUNES

ROUTE = "#/ancient-cards/score"


async def _enter(device: Device, **runes: int) -> None:
    for rune, number in runes.items():
        for _ in range(number):
            await device.do("rune", rune, 1)


def test_a_whole_session_to_the_winner() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await device.do("name", 0, value="Ana")
        await device.do("name", 1, value="Bo")
        await _enter(device, ia=3, cthulhu=2, fhtagn=2)  # 4
        await device.do("place", 1, 0)
        await _enter(device, ia=7)  # 10
        await device.do("place", 0, 1)
        await _enter(device, ia=5, rlyeh=2)  # 6
        await device.do("place", 1, 1)
        await _enter(device, ia=4, rlyeh=3)  # 6
        assert "Bo is ahead." in device.words
        await device.do("place", 0, 2)
        await _enter(device, ia=5, rlyeh=2)  # 6: 16 in all
        await device.do("place", 1, 2)
        await _enter(device, **dict.fromkeys(RUNES, 1))  # 5: 21 in all
        assert "Bo wins the game." in device.words
        for _ in range(7):
            await device.do("undo")
        await _enter(device, ia=1, rlyeh=6)  # 7: 23
        assert "Bo wins the game." in device.words

    run(story())


def test_a_tie_names_the_rule_that_decides_and_only_then() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        first = [{"ia": 7}, {"ia": 1, "rlyeh": 6}, {"ia": 5, "rlyeh": 1, "fhtagn": 1}]  # 10 7 5
        second = [{"ia": 7}, {"ia": 5, "rlyeh": 1, "fhtagn": 1}, {"ia": 1, "rlyeh": 6}]  # 10 5 7
        for p, rounds in enumerate((first, second)):
            for r, runes in enumerate(rounds):
                await device.do("place", p, r)
                await _enter(device, **runes)
        assert "Player 2 wins the game. On a tie" in device.words
        await device.do("place", 0, 2)
        for _ in range(2):
            await device.do("rune", "ia", -1)
            await device.do("rune", "fhtagn", 1)
        assert "On a tie" not in device.words

    run(story())


def test_the_page_and_the_command_line_agree() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        page: Any = device.shell.page
        for p in range(2):
            for r in range(3):
                await device.do("place", p, r)
                await _enter(device, ia=3 + p, cthulhu=2 - p, fhtagn=2)
        sheet = {
            "game": "ancient-cards",
            "players": [
                {"name": name, "rounds": player["rounds"]}
                for name, player in zip(page.names, page.players, strict=True)
            ],
        }
        scored = games.get("ancient-cards").score(sheet)
        shown = page.result(page.sheet).outcome
        assert [p["total"] for p in scored["players"]] == list(shown.totals)
        assert [p["rank"] for p in scored["players"]] == list(shown.ranks)

    run(story())


def test_an_eighth_card_is_explained_and_not_taken() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await _enter(device, ia=7)
        html = await device.do("rune", "fhtagn", 1)
        assert "seven cards in this round already" in html
        page: Any = device.shell.page
        assert page.counts(0, 0) == {"ia": 7}
        await device.do("rune", "fhtagn", -1)
        assert page.counts(0, 0) == {"ia": 7}

    run(story())


def test_everything_is_there_after_a_reload_and_can_still_be_undone() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await device.do("name", 0, value="Zoë")
        await device.do("add-player")
        await _enter(device, ia=2)
        again = await Device(device.host).open(ROUTE)
        page: Any = again.shell.page
        assert page.names == ("Zoë", "Player 2", "Player 3")
        assert page.counts(0, 0) == {"ia": 2}
        for _ in range(4):
            await again.do("undo")
        assert page.names == ("Player 1", "Player 2")
        for _ in range(4):
            await again.do("redo")
        assert page.names == ("Zoë", "Player 2", "Player 3")
        assert page.counts(0, 0) == {"ia": 2}

    run(story())


def test_two_to_seven_players_and_removal_can_be_undone() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        page: Any = device.shell.page
        for _ in range(9):
            await device.do("add-player")
        assert len(page.players) == 7
        await device.do("place", 6, 0)
        await _enter(device, ia=1)
        await device.do("remove-player", 6)
        assert len(page.players) == 6
        await device.do("undo")
        assert page.counts(6, 0) == {"ia": 1}
        for _ in range(9):
            await device.do("remove-player", 0)
        assert len(page.players) == 2

    run(story())


def test_clearing_asks_first_and_can_be_undone() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await _enter(device, ia=2)
        html = await device.do("ask", "clear")
        assert "alertdialog" in html
        page: Any = device.shell.page
        assert page.counts(0, 0) == {"ia": 2}
        await device.do("clear")
        assert page.counts(0, 0) == {}
        await device.do("undo")
        assert page.counts(0, 0) == {"ia": 2}

    run(story())


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "{{ 7*7 }}", "{n}", "\u202eevil", "Zoë 🐙", "' \" &"]
)
def test_names_are_shown_as_typed_and_never_run(name: str) -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        html = await device.do("name", 0, value=name)
        assert "<img" not in html and "49" not in device.words
        await device.visit("#/")
        assert "<img" not in device.html

    run(story())


def test_several_sheets_live_side_by_side() -> None:
    async def story() -> None:
        device = await Device().open(ROUTE)
        await _enter(device, ia=1)
        first = device.shell.hash
        await device.do("new")
        await _enter(device, fhtagn=1)
        assert device.shell.hash != first
        await device.visit(first)
        page: Any = device.shell.page
        assert page.counts(0, 0) == {"ia": 1}
        await device.visit("#/")
        assert device.html.count('href="#/ancient-cards/score/') == 2

    run(story())


@settings(max_examples=60, deadline=None)
@given(
    sheet=st.recursive(
        st.one_of(st.none(), st.integers(), st.text(max_size=5), st.sampled_from(RUNES)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(
                st.sampled_from(["players", "name", "rounds", *RUNES]), inner, max_size=3
            ),
        ),
        max_leaves=12,
    )
)
def test_a_damaged_sheet_is_set_aside_and_the_page_still_opens(sheet: Any) -> None:
    try:
        AncientCardsSheet.accept(sheet)
    except (ValueError, LovecraftError):
        pass
    else:
        return
    entry = {"v": 1, "game": "ancient-cards", "created": 1, "updated": 1, "sheet": sheet}

    async def story() -> None:
        host = MemoryHost({"score/bad": json.dumps(entry)}, lang="en")
        device = await Device(host).open(f"{ROUTE}/bad")
        assert device.shell.notice is not None
        await _enter(device, ia=1)
        assert any(key.startswith("damaged/score/bad/") for key in host.entries)
        assert "score/bad" not in host.entries

    run(story())
