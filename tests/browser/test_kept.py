"""Games that are kept, in a phone's browser: files, replays, hints, reviews, links."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from apps.packing import pack, unpack
from apps.table import archive, links
from apps.table.session import TableSession
from lovecraft import bots, games
from lovecraft.core import Match, Player, Record, play

from .checks import after, fits, painted, sound, tap_on
from .conftest import Host, Visitor

OFFERED = "#go-on, #deal, #confirm, [data-act=touch].lit, [data-act=play]:not([aria-disabled=true])"
PIECES = ".card, .tide-card, .tile, .token, .creature, .log"


def played(game: str, seed: int = 1) -> Record:
    rules = games.get(game)
    agents = [bots.make("random", rules) for _ in range(2)]
    return play(rules, agents, seed, [Player("Ana"), Player("Ion", "greedy")])


def bring(page: Page, folder: Path, *records: Record) -> None:
    """Take in these games on the page that lists them."""
    file = folder / "games.json"
    file.write_text(archive.to_file(records), encoding="utf-8")
    page.locator("#import").set_input_files(file)
    page.wait_for_selector("[id^=kept-]")


def choose(page: Page) -> None:
    """Do the first thing that is offered, and wait for the screen to be painted."""
    before = painted(page)
    confirm = page.locator("#confirm")
    opened = page.locator("#ways [data-act=play]:not([aria-disabled=true])")
    offered = confirm if confirm.count() else opened if opened.count() else page.locator(OFFERED)
    tap_on(offered.first)
    after(page, before)


def test_games_go_out_and_in_and_a_damaged_one_is_refused(
    visitor: Visitor, chromium: Browser, tmp_path: Path
) -> None:
    page = visitor.open("#/games")
    bring(page, tmp_path, played("tides-of-madness"), played("mythicals"))
    sound(page)
    with page.expect_download() as begun:
        tap_on(page.locator("#export-all"))
    file = tmp_path / "out.json"
    begun.value.save_as(file)
    whole = json.loads(file.read_text("utf-8"))
    assert [one["game"] for one in whole["games"]] == ["mythicals", "tides-of-madness"]

    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    other = Visitor(context, visitor.host)
    page = other.open("#/games")
    whole["games"][0]["players"][0]["name"] = "<img src=x onerror=alert(1)>"
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(whole), encoding="utf-8")
    page.locator("#import").set_input_files(broken)
    expect(page.locator("#notice p")).to_contain_text("Taken in: 1. 1 game was refused.")
    expect(page.locator("#notice p")).to_contain_text("games[0].players: ")
    page.locator("#import").set_input_files(file)
    expect(page.locator("#notice p")).to_contain_text("Taken in: 1. 1 game was here already.")
    expect(page.locator("[id^=kept-]")).to_have_count(2)
    tap_on(page.locator(".kept .icon").first)
    tap_on(page.locator(".kept .danger"))
    expect(page.locator("[id^=kept-]")).to_have_count(1)
    page.reload()
    other.linked(page)
    expect(page.locator("[id^=kept-]")).to_have_count(1)
    context.close()
    other.watch.check()


def test_a_finished_game_is_replayed_from_both_seats_without_a_network(
    traveller: Visitor, tmp_path: Path
) -> None:
    page = traveller.open("#/games")
    bring(page, tmp_path, played("tides-of-madness"))
    traveller.offline_ready(page)
    traveller.cut_network()
    tap_on(page.locator(".kept-ways a").first)
    page.wait_for_selector("#jump")
    expect(page.locator("#happened-heading")).to_contain_text("0 of ")
    for _ in range(3):
        tap_on(page.locator("#step-on"))
    expect(page.locator("#happened-heading")).to_contain_text("3 of ")
    expect(page.locator(".tide-card")).to_have_count(4)
    hand = page.locator(".tide-card").evaluate_all("all => all.map((card) => card.id)")
    page.select_option("#seat", "1")
    expect(page.locator(f"#{hand[0]}")).to_have_count(0)
    tap_on(page.locator("#ask"))
    page.wait_for_selector(".candidates", timeout=20_000)
    expect(page.locator('[data-mark="chosen"]')).to_have_count(1)
    sound(page)
    page.set_viewport_size({"width": 360, "height": 640})
    fits(page)
    tap_on(page.locator("#step-back"))
    expect(page.locator("#knew")).to_have_count(0)
    page.locator("#jump").focus()
    page.keyboard.press("End")
    expect(page.locator("#step-on")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".results .ahead")).to_have_count(1)
    sound(page)
    page.reload()
    traveller.linked(page)
    expect(page.locator("#step-on")).to_have_attribute("aria-disabled", "true")
    tap_on(page.locator("#more > summary"))
    page.select_option("#pace", "slow")  # however seldom a busy machine looks, it sees it move
    page.keyboard.press("Tab")
    tap_on(page.locator("#play-on"))
    expect(page.locator("#happened-heading")).to_contain_text(re.compile(r"\b[1-9]\d* of "))
    tap_on(page.locator("#play-on"), at_once=True)
    expect(page.locator("#play-on")).to_have_attribute("data-act", "play-on")
    expect(page.locator("#step-on")).not_to_have_attribute("aria-disabled", "true")
    traveller.restore_network()


def test_the_replay_of_a_running_game_holds_no_card_of_another_seat(visitor: Visitor) -> None:
    """Neither in the document nor in what Python sends to it."""
    page = visitor.open("#/ancient-cards/table/new")
    tap_on(page.locator("#start"))
    page.wait_for_selector(".card")
    choose(page)
    page.wait_for_selector(OFFERED, timeout=15_000)
    page.wait_for_selector('#lift, .card:not([aria-disabled="true"])', timeout=15_000)
    page.goto(page.url.replace("/table/", "/replay/") + "/1")
    page.wait_for_selector("#jump")
    expect(page.locator("#seat")).to_have_count(0)
    own = page.locator(".card").count()
    assert own == 7
    # at the first deal the rival's hand is unknown: no card lies anywhere but in the own hand
    expect(page.locator(".rune:not(.rune-back)")).to_have_count(0)
    expect(page.locator("#besides, [id^=known-]")).to_have_count(0)
    tap_on(page.locator("#step-on"))
    expect(page.locator("#happened-heading")).to_contain_text("2 of ")
    expect(page.locator("#ask")).to_have_count(0)  # the bot's choice is its own while the game runs
    page.goto(page.url.rsplit("/", 1)[0] + "/2-why")
    expect(page.locator("#knew")).to_have_count(0)
    sound(page)


def test_a_hint_is_thought_out_shown_and_marked(visitor: Visitor) -> None:
    page = visitor.open("#/tides-of-madness/table/new")
    tap_on(page.locator("#start"))
    page.wait_for_selector(OFFERED, timeout=15_000)
    tap_on(page.locator("#hint"))
    expect(page.locator("#enough")).to_be_visible()
    page.wait_for_selector("#advice", timeout=20_000)
    expect(page.locator("#advice .candidates li").first).to_contain_text("%")
    expect(page.locator('.tide-card[data-mark="best"]')).to_have_count(1)
    sound(page)
    tap_on(page.locator('[data-mark="best"]'))
    expect(page.locator("#advice")).to_have_count(0)


def test_a_review_shows_its_course_and_leads_to_the_costly_choice(
    visitor: Visitor, tmp_path: Path
) -> None:
    page = visitor.open("#/games")
    bring(page, tmp_path, played("tides-of-madness"), played("ritos-ancestrais"))
    tap_on(page.locator("a[href*='ritos-ancestrais/review/']"))
    tap_on(page.locator("#work"))
    page.wait_for_selector("#progress:not([value='0'])", timeout=20_000)
    tap_on(page.locator("#work"), at_once=True)
    expect(page.locator("#work")).to_have_text("Go on thinking", timeout=15_000)
    page.reload()
    visitor.linked(page)
    expect(page.locator("#work")).to_have_text("Go on thinking")
    page.goto(f"{visitor.host.url}#/games")
    tap_on(page.locator("a[href*='tides-of-madness/review/']"))
    page.wait_for_selector("#course-plot > *")
    expect(page.locator("#course tbody tr")).to_have_count(3)
    tap_on(page.locator("#work"))
    page.wait_for_selector(".judged", timeout=60_000)
    sound(page)
    tap_on(page.locator("#costly-0-0 a"))
    page.wait_for_selector("#knew .candidates", timeout=20_000)
    expect(page.locator('[data-mark="chosen"]')).to_have_count(1)


def test_a_game_goes_to_another_device_by_link_and_comes_back(
    visitor: Visitor, chromium: Browser
) -> None:
    page = visitor.open("#/mythicals/table/new")
    page.wait_for_selector("#level-0")
    page.fill("#my-name", "Ana")
    page.select_option("#level-0", "link")
    page.fill("#seat-name-0", "Ion")
    page.press("#seat-name-0", "Enter")
    sound(page)
    tap_on(page.locator("#start"))
    page.wait_for_selector(f"{OFFERED}, #waiting")
    link = hop(page)

    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    ion = Visitor(context, visitor.host)
    there = ion.open(f"#{link}")
    expect(there.locator(PIECES)).to_have_count(0)
    expect(there.locator(".said")).to_have_text("It is the turn of Ion.")
    sound(there)
    tap_on(there.locator("#take-1"))
    there.wait_for_selector(OFFERED, timeout=15_000)
    back = hop(there)
    context.close()
    ion.watch.check()

    page.goto(f"{visitor.host.url}#{back}")
    expect(page.locator("#take-own")).to_have_text("I am Ana: go on")
    tap_on(page.locator("#take-own"))
    page.wait_for_selector(OFFERED, timeout=15_000)
    page.goto(f"{visitor.host.url}#{back[:-30]}")
    expect(page.locator("#notice p")).to_contain_text("This link holds no game")
    letters = back.split("/")[2]
    changed = unpack(letters, links.MOST)
    changed["record"]["players"][0]["name"] = "Eva"
    page.goto(f"{visitor.host.url}#/play/{pack(changed)}")
    expect(page.locator("#notice p")).to_contain_text("players: ")


CATCH = "void (navigator.share = async ({ url }) => { document.body.dataset.shared = url; })"


def hop(page: Page) -> str:
    """Play until the other person is to move, and share the link: what follows its ``#``."""
    page.evaluate(CATCH)
    for _ in range(12):
        page.wait_for_selector(f"{OFFERED}, #waiting", timeout=15_000)
        if page.locator("#waiting").count():
            break
        choose(page)
    tap_on(page.locator("#share"))
    expect(page.locator("#notice p")).to_contain_text("The link holds the whole game")
    return str(page.evaluate("document.body.dataset.shared")).split("#", 1)[1]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_game_from_a_link_fits_in_another_language(
    chromium: Browser, host: Host, theme: str
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, color_scheme=theme, has_touch=True, locale="ro"
    )
    visitor = Visitor(context, host)
    session = TableSession(Match(played("ritos-ancestrais"), "seed"))
    page = visitor.open(links.to_link(links.linked(session)))
    page.wait_for_selector("#linked")
    sound(page)
    tap_on(page.locator("#copy"))
    expect(page.locator("#copy")).to_have_count(0)
    page.goto(f"{host.url}#/games")
    page.wait_for_selector("[id^=kept-]")
    sound(page)
    context.close()
    visitor.watch.check()
