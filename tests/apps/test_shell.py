"""Routes, languages, notices, and input that no page of ours sends."""

from __future__ import annotations

import json

import pytest
from app_support import Device, run

from apps.host import MemoryHost
from apps.main import prepaint
from apps.pages import ROUTES
from lovecraft import games
from lovecraft.i18n import LANGUAGES, text

OF_ONE_GAME = [route for route in ROUTES if route.endswith(("/replay", "/review", "/*"))]
"""Pages that show one kept or linked game."""


@pytest.mark.parametrize("route", OF_ONE_GAME)
def test_a_page_of_one_game_without_that_game_leads_to_the_list(route: str) -> None:
    async def story() -> None:
        device = await Device().open(f"#/{route}")
        assert device.shell.hash == "#/games"
        assert device.shell.notice is not None
        assert 'id="import"' in device.html

    run(story())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("route", sorted(ROUTES.keys() - set(OF_ONE_GAME)))
def test_every_page_opens_in_every_language(lang: str, route: str) -> None:
    async def story() -> None:
        device = Device(MemoryHost(lang=lang, build="test"))
        await device.open(f"#/{route}")
        assert "<h1" in device.html
        if route.endswith("/replay"):  # of which game? The list of them lets one choose
            assert device.shell.hash == "#/games"
            return
        assert device.shell.hash.startswith(f"#/{route}")
        assert device.shell.notice is None

    run(story())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_prepared_launcher_is_the_one_python_paints(lang: str) -> None:
    async def story() -> None:
        device = await Device(MemoryHost(lang=lang)).open()
        assert device.html == prepaint(lang)

    run(story())


@pytest.mark.parametrize(
    "route",
    ["#/nowhere", "#/ancient-cards", "#/ancient-cards/nothing", "#//", "#/%00/<script>", "#x"],
)
def test_unknown_routes_lead_home(route: str) -> None:
    async def story() -> None:
        device = await Device().open(route)
        assert device.shell.hash == "#/"
        assert text(games.get("ancient-cards").name) in device.words
        assert "<script>" not in device.html

    run(story())


@pytest.mark.parametrize("kind", ["score", "table"])
def test_ids_that_are_not_there_are_told(kind: str) -> None:
    async def story() -> None:
        device = await Device().open(f"#/ancient-cards/{kind}/no-such-id")
        assert device.shell.notice is not None

    run(story())


def test_language_and_theme_are_remembered() -> None:
    async def story() -> None:
        device = await Device().open()
        await device.do("lang", value="ro")
        await device.do("theme", value="dark")
        assert text("app.lede", "ro") in device.words
        again = await Device(device.host).open()
        assert (again.shell.lang, again.shell.theme) == ("ro", "dark")

    run(story())


@pytest.mark.parametrize(
    "wanted, got", [(["pt-PT", "en"], "pt"), (["fr", "es-MX"], "es"), ([], "en")]
)
def test_the_first_language_known_is_taken(wanted: list[str], got: str) -> None:
    async def story() -> None:
        device = await Device(MemoryHost(languages=wanted)).open()
        assert device.shell.lang == got

    run(story())


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "act",
    [
        ("no-such-act", []),
        ("rune", []),
        ("rune", [[], {}]),
        ("rune", ["nothing", 1]),
        ("place", [99, 99]),
        ("remove_player", [99]),
        ("name", [0]),
        ("play", ["no-such-card", 0]),
        ("play", [{"a": 1}, 0]),
        ("level", ["x"]),
        ("__init__", []),
        ("html", []),
        ("really-remove", ["settings"]),
    ],
)
def test_acts_that_no_page_sends_do_no_harm(route: str, act: tuple[str, list[object]]) -> None:
    async def story() -> None:
        device = await Device().open(f"#/{route}")
        before = json.dumps(device.host.entries)
        await device.do(act[0], *act[1])
        assert "<h1" in device.html
        assert json.dumps(device.host.entries) == before

    run(story())


def test_what_another_tab_did_is_shown() -> None:
    async def story() -> None:
        one = await Device().open("#/ancient-cards/score")
        await one.do("rune", "ia", 1)
        two = await Device(one.host).open(one.shell.hash)
        await two.do("rune", "fhtagn", 1)
        await one.do("rune", "ia", 1)  # over what it has not seen: refused and shown
        assert one.shell.page.counts(0, 0) == {"ia": 1, "fhtagn": 1}  # type: ignore[attr-defined]
        assert one.shell.notice is not None
        one.shell.news(one.shell.page.key)
        await one.shell.idle()
        assert one.shell.notice is not None  # nobody has done anything since
        await one.do("rune", "ia", 1)
        assert one.shell.page.counts(0, 0) == {"ia": 2, "fhtagn": 1}  # type: ignore[attr-defined]

    run(story())
