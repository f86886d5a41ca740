"""Each special case of the rules reached through the screen, from prepared positions."""

from __future__ import annotations

from typing import Any

import pytest
from driving import Driver
from positions import (
    MINE,
    RICH,
    THEIRS,
    TIDES,
    TWENTY,
    last_pick,
    mythicals_state,
    ritos_state,
    tides_state,
)

from apps.table.session import HUMAN, TableSession
from lovecraft import games
from lovecraft.core import Player
from lovecraft.games.ancient_cards import cards as runes
from lovecraft.games.mythicals import cards as creatures
from lovecraft.games.ritos_ancestrais.edition import HOUSE_EDITION
from lovecraft.games.ritos_ancestrais.state import DRAW
from lovecraft.games.tides_of_madness import cards as tides
from lovecraft.i18n import msg, text


class Table(Driver):
    """A table, played by what its screen offers."""

    @property
    def state(self) -> Any:
        return self.page.session.match.state

    def play(self, spelled: Any) -> None:
        """Tap what plays this; it must be on the screen and enabled."""
        offered = [args[0] for act, args in self.device.acts() if act == "play"]
        assert spelled in offered, (spelled, offered)
        self.act("play", spelled, self.page.session.at)

    def touch(self, piece: str) -> None:
        """Touch a piece that is on the screen and enabled."""
        assert piece in [args[0] for act, args in self.device.acts() if act == "touch"]
        self.act("touch", piece, self.page.session.at)

    def shows(self, key: str, **params: Any) -> bool:
        """Whether some words are on the screen, or said of something on it."""
        return text(msg(key, **params), "en") in self.html.replace("&#39;", "'")

    def reloaded(self) -> Table:
        """The same device after the page was closed and opened again: it shows the same."""
        kept = {key: kept for key, (_, kept) in self.host.entries.items()}
        again = Table(kept, self.shell.hash)
        assert again.page.stage == self.page.stage
        assert again.page.seen == self.page.seen
        return again


class At(Table):
    """A table that begins at a position; the person sits in the first seat unless told."""

    def __init__(self, game: str, state: Any, *people: int) -> None:
        super().__init__()
        names = ("Ana", "Ion", "Rui", "Eva")[: state.setup.players]
        options = state.setup._asdict()
        del options["players"]
        seats = [
            Player(name, HUMAN if p in (people or (0,)) else "greedy")
            for p, name in enumerate(names)
        ]
        session = TableSession.begin(games.get(game), seats, options, state)
        session.save(self.shell.store)
        self.shell.set(pace="instant")
        self.open(f"#/{game}/table/{session.id}")
        assert self.page.session.at == 0


# -- Tides of Madness -----------------------------------------------------------------------------


def test_tides_four_points_or_one_madness_less() -> None:
    state = tides_state(MINE, THEIRS, phase="choose", movers=(0,), madness=(2, 0))
    points, heal = At("tides-of-madness", state), At("tides-of-madness", state)
    assert points.shows("app.tides.say.choose")
    points.play({"choose": "points"})
    heal.play({"choose": "heal"})
    assert (points.state.madness, heal.state.madness) == ((2, 0), (1, 0))
    points.play({"dreamlands": "races"})
    heal.play({"dreamlands": "races"})
    assert points.state.points[0][0] == heal.state.points[0][0] + 4


def test_tides_dreamlands_becomes_the_suit_that_is_tapped() -> None:
    scores = {}
    for suit in tides.SUITS:
        state = tides_state(
            MINE, THEIRS, phase="dreamlands", movers=(0,), madness=(3, 0), choice="points"
        )
        driver: Table = At("tides-of-madness", state)
        driver.play({"dreamlands": suit})
        assert driver.page.held and 'id="go-on"' in driver.html
        scores[suit] = driver.state.points[0][0]
        driver = driver.reloaded()
        assert driver.page.held
    assert scores["races"] == max(scores.values()) > scores["manuscripts"]


@pytest.mark.parametrize(("choice", "lost"), [("points", True), ("heal", False)])
def test_tides_the_ninth_madness_ends_the_game_unless_it_is_healed(choice: str, lost: bool) -> None:
    mine = ("rlyeh", "dagon", "cthulhu", "azathoth", "shub-niggurath")
    state = tides_state(
        mine,
        THEIRS,
        phase="choose",
        movers=(0,),
        madness=(9, 0),
        doubled=tides.BIT["azathoth"],
    )
    driver: Table = At("tides-of-madness", state)
    driver.play({"choose": choice})
    assert driver.page.session.finished == lost
    if lost:
        assert driver.page.session.match.record.outcome().winners == (1,)
        assert 'id="rematch"' in driver.html and "Ion" in driver.words
        assert 'class="lost"' in driver.html
    else:
        assert driver.state.madness == (8, 0) and driver.page.held
    assert driver.shows("app.table.over") == lost


def test_tides_shub_niggurath_doubles_the_card_before_it() -> None:
    state = tides_state(MINE[:3], ("elder-things", "innsmouth", "unaussprechlichen-kulten"))
    state = state._replace(
        phase="pick",
        movers=(0, 1),
        hands=(tides.pack(["shub-niggurath", "azathoth"]), tides.pack(["hastur", "nyarlathotep"])),
    )
    driver: Table = At("tides-of-madness", state)
    assert not driver.shows("app.tides.doubled")
    driver.play({"pick": "shub-niggurath"})
    assert driver.state.doubled == tides.BIT["cthulhu"]
    while driver.page.session.movers == (0,) and driver.page.stage in ("choose", "dreamlands"):
        driver.act(
            "play", TIDES.action_to_json(driver.page.seen.actions[0]), driver.page.session.at
        )
    lines = [e for e in driver.page.session.log if e.kind == "line" and e.player == 0]
    assert any(line.rule == "tides-of-madness/shub-niggurath" for line in lines)


def test_tides_refresh_keeps_one_and_removes_one_and_deals_two() -> None:
    state = tides_state(
        MINE, THEIRS, phase="dreamlands", movers=(0,), madness=(3, 0), choice="heal"
    )
    driver: Table = At("tides-of-madness", state)
    driver.play({"dreamlands": "races"})
    assert driver.state.hands == (tides.pack(MINE), tides.pack(THEIRS))  # back in the hands
    driver.act("go-on")
    driver.play({"keep": "cthulhu"})
    assert driver.shows("app.tides.kept-now")
    driver = driver.reloaded()
    assert driver.shows("app.tides.kept-now")  # also after a reload between the two steps
    driver.play({"remove": "dagon"})
    assert driver.page.stage == "pick" and driver.state.round == 1
    assert 'id="front-0-cthulhu"' in driver.html and 'id="card-dagon"' not in driver.html
    assert tides.BIT["dagon"] & driver.state.removed
    assert driver.state.hands[0].bit_count() == 5


# -- Mythicals ------------------------------------------------------------------------------------


def test_mythicals_the_thirteen_and_several_payments() -> None:
    driver: Table = At("mythicals", mythicals_state())
    driver.play({"draw": "red"})
    assert driver.page.stage == "claim"
    driver.touch("blue-2")
    payments = [a[0] for act, a in driver.device.acts() if act == "play" and "claim" in str(a[0])]
    assert len(payments) > 5 and all(one["claim"] == "blue-2" for one in payments)
    assert any("bluejoker" in one["pay"] for one in payments)
    driver.act("touch", "red-10", driver.page.session.at)
    assert driver.said and driver.state.board == mythicals_state().board
    driver.touch("black-13")
    driver.play({"claim": "black-13", "pay": list(RICH[:6])})
    assert driver.state.stacks[0] == ("black-13",)
    assert driver.page.stage == "modify"


def test_mythicals_markers_and_locks() -> None:
    driver: Table = At("mythicals", mythicals_state(), 0, 1)
    driver.play({"draw": "red"})
    driver.act("confirm")
    driver.touch("blue-2")
    driver.play({"claim": "blue-2", "pay": ["blue1", "blue2"]})
    driver.act("confirm")
    driver.touch("green-2")
    driver.play({"lock": "green-2"})
    assert driver.page.pending is not None  # several people: what is final is asked
    driver.act("rather-not")
    assert driver.page.pending is None and driver.page.stage == "modify"
    assert driver.page.opened == "green-2"
    driver.play({"lock": "green-2"})
    driver.act("confirm")
    assert driver.state.locked == creatures.TOKEN_UNIT["green-2"]
    assert driver.page.session.me == 1
    refused = driver.page.game.why_not(
        driver.state._replace(phase="modify", player=0),
        0,
        driver.page.game.action_from_json({"reinforce": "green-2", "markers": 1}),
    )
    assert refused is not None and refused.rule in driver.page.game.rules
    assert driver.shows("app.mythicals.locked")


def test_mythicals_dawn_ends_the_game_after_one_last_claim() -> None:
    driver: Table = At("mythicals", mythicals_state(pile=3))
    driver.play({"draw": "pile"})
    assert driver.state.dawn and driver.shows("app.mythicals.dawn")
    driver = driver.reloaded()
    assert driver.shows("app.mythicals.dawn")
    takes = [a[0] for act, a in driver.device.acts() if act == "play" and "take" in str(a[0])]
    driver.play(takes[0])
    driver.touch("blue-10")
    driver.play({"claim": "blue-10", "pay": list(RICH[:5])})
    assert driver.page.session.finished  # neither markers nor locks any more
    assert driver.page.session.match.record.outcome().winners == (0,)


def test_mythicals_option_every_turn_changes_tokens_without_a_claim() -> None:
    driver: Table = At("mythicals", mythicals_state(modify="every-turn"))
    driver.play({"draw": "red"})
    driver.play("pass")
    assert driver.page.stage == "modify"
    driver.touch("blue-7")
    driver.play({"reinforce": "blue-7", "markers": 2})
    assert driver.state.markers // creatures.TOKEN_UNIT["blue-7"] & 3 == 2


# -- Ritos Ancestrais -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_ritos_twenty_one_points_start_the_last_turns(players: int) -> None:
    state = ritos_state(("dagon", "dagon", "nodens"), done=(TWENTY,), players=players)
    driver: Table = At("ritos-ancestrais", state, *range(players))
    driver.act("lift")
    driver.touch("ritual:whisper")
    driver.play({"ritual": "whisper", "cards": ["dagon", "dagon"]})
    driver.act("confirm")
    assert driver.state.points[0] == 21 and driver.state.last
    for seat in range(1, players):  # all others have one more turn, in order
        assert driver.page.session.me == seat
        driver.act("lift")
        assert driver.shows("ritos-ancestrais.words.last")
        for _ in range(2):
            drawn = next(a[0] for act, a in driver.device.acts() if act == "play")
            driver.play(drawn)
            driver.act("confirm")
        driver.play("pass")
        driver.act("confirm")
    assert driver.page.session.finished
    assert driver.page.session.match.record.outcome().winners == (0,)


def test_ritos_cards_over_the_limit_are_put_away_unseen() -> None:
    hand = ("azathoth", "azathoth", "dagon", "dagon", "nodens", "nodens", "hastur", "hastur")
    driver: Table = At("ritos-ancestrais", ritos_state((*hand, "carcosa")))
    driver.play("pass")
    assert driver.page.stage == "discard" and driver.shows("app.ritos.say.discard")
    driver.play({"discard": "carcosa"})
    driver = driver.reloaded()
    assert driver.page.stage == "discard"
    driver.play({"discard": "hastur"})
    assert driver.page.stage != "discard"
    assert driver.page.seen.discards >= 2 and "carcosa" not in driver.page.seen.open_discards


def test_ritos_a_wild_symbol_a_discount_and_a_bonus_show_what_a_ritual_costs_and_gives() -> None:
    points = {ritual.id: ritual.points for ritual in HOUSE_EDITION.rituals}
    plain = At("ritos-ancestrais", ritos_state(("azathoth", "dagon", "dagon")))
    assert 'id="do-chant"' not in plain.html
    wild = At("ritos-ancestrais", ritos_state(("azathoth", "dagon", "dagon"), ("yog-sothoth",)))
    wild.touch("ritual:chant")
    wild.play({"ritual": "chant", "cards": ["azathoth", "dagon", "dagon"]})
    assert wild.state.points[0] == points["chant"]

    cheap = ritos_state(("hastur", "hastur", "dagon"), ("miskatonic-expedition",))
    dear = At("ritos-ancestrais", ritos_state(("hastur", "hastur", "dagon")))
    assert 'id="do-pact"' not in dear.html
    driver: Table = At("ritos-ancestrais", cheap)
    driver.touch("ritual:pact")
    driver.play({"ritual": "pact", "cards": ["dagon", "hastur", "hastur"]})
    assert driver.state.points[0] == points["pact"]

    bonus = At("ritos-ancestrais", ritos_state(("hastur", "hastur"), ("hastur",)))
    bonus.touch("ritual:whisper")
    bonus.play({"ritual": "whisper", "cards": ["hastur", "hastur"]})
    assert bonus.state.points[0] == points["whisper"] + 1


def test_ritos_protection_keeps_the_own_hand_limit() -> None:
    hand = ("azathoth", "azathoth", "dagon", "dagon", "carcosa", "carcosa", "mi-go")
    bare = At("ritos-ancestrais", ritos_state(hand, (), ("hastur",)))
    bare.play("pass")
    assert bare.page.stage == "discard"
    safe = At("ritos-ancestrais", ritos_state(hand, ("nodens",), ("hastur",)))
    safe.play("pass")
    assert safe.page.stage != "discard"


def test_ritos_a_card_takes_used_cards_back_and_the_row_can_be_changed() -> None:
    driver: Table = At(
        "ritos-ancestrais",
        ritos_state(("dagon", "city-of-innsmouth", "ancient-idol"), ("herbert-west",)),
    )
    driver.touch("ritual:chant")
    driver.play({"ritual": "chant", "cards": ["ancient-idol", "city-of-innsmouth", "dagon"]})
    assert driver.page.stage == "return"
    driver = driver.reloaded()
    driver.play({"return": ["dagon"]})
    assert "dagon" in driver.page.seen.hand

    state = ritos_state(("dagon", "mi-go"), ("great-race-of-yith",), phase=DRAW, left=2)
    driver: Table = At("ritos-ancestrais", state)
    row = driver.page.seen.row
    driver.play("refresh")
    assert driver.page.seen.row != row and driver.page.stage == "draw"
    assert not any(args == ["refresh"] for _, args in driver.device.acts())


@pytest.mark.parametrize("players", [3, 4])
def test_ritos_is_played_to_its_end_by_more_than_two(players: int) -> None:
    driver = Table(route="#/ritos-ancestrais/table/new")
    driver.act("pace", value="instant")
    for _ in range(players - 2):
        driver.act("seats", 1)
    driver.act("start")
    assert len(driver.page.session.names) == players
    for number in range(400):
        if driver.page.session.finished:
            break
        actions = driver.page.seen.actions
        action = actions[number % len(actions)]
        driver.act("play", driver.page.game.action_to_json(action), driver.page.session.at)
    assert driver.page.session.finished and 'id="rematch"' in driver.html
    for seat in range(players):
        assert f'id="sheet-{seat}"' in driver.html


# -- Ancient Cards --------------------------------------------------------------------------------


def play_last(driver: At, first: str) -> None:
    driver.play(first)
    assert driver.page.session.finished, driver.page.stage


def test_ancient_seven_different_runes_and_a_shared_victory() -> None:
    different = ["ia", "phnglui", "mglwnafh", "cthulhu", "wgahnagl"]
    state = last_pick(different, ["cthulhu"] * 4 + ["phnglui"], (0, 0), (0, 0))
    state = state._replace(hands=(runes.pack(["fhtagn", "rlyeh"]), runes.pack(["rlyeh", "rlyeh"])))
    driver: Table = At("ancient-cards", state)
    play_last(driver, "fhtagn")
    assert driver.state.points[2] == (5, 5)
    assert driver.shows("ancient-cards.different")
    assert driver.page.session.match.record.outcome().winners == (0, 1)
    assert driver.shows("rule.ancient-cards/tie-shared.text")


def test_ancient_the_third_round_breaks_a_tie() -> None:
    state = last_pick(["cthulhu"] * 4 + ["ia"], ["phnglui"] * 3 + ["mglwnafh"] * 2, (0, 1), (0, 0))
    hands = (runes.pack(["fhtagn", "ia"]), runes.pack(["wgahnagl", "rlyeh"]))
    state = state._replace(hands=hands)
    driver: Table = At("ancient-cards", state)
    play_last(driver, "fhtagn")
    assert driver.state.points == ((0, 1), (0, 0), (4, 3))  # equal totals
    outcome = driver.page.session.match.record.outcome()
    assert outcome.winners == (0,) and outcome.tiebreak
    assert driver.shows("rule.ancient-cards/tie-third-round.text")
