"""Tides of Madness by the book, checked against an independent referee that plays with lists."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import positions, random_record

from lovecraft import bots, games
from lovecraft.core import (
    CHANCE,
    Event,
    IllegalAction,
    InvalidRecord,
    InvalidSheet,
    Record,
    play,
)
from lovecraft.games.tides_of_madness import Act, State, TidesOfMadness, cards, scoring, sheet
from lovecraft.games.tides_of_madness.cards import ALL, BIT, CARDS, FACES, SUITS, bits, ids, pack
from lovecraft.games.tides_of_madness.scoring import Tableau
from lovecraft.games.tides_of_madness.state import pile, round_sheets
from lovecraft.i18n import LANGUAGES, text

GAME: TidesOfMadness = games.get("tides-of-madness")  # type: ignore[assignment]
GOLDEN = Path(__file__).parents[1] / "golden" / "tides-of-madness"
seeds = st.integers(0, 2**32)
few = settings(max_examples=30, deadline=None)

ELDER, DEEP, YITH, INNSMOUTH, MOUNTAINS, RLYEH = CARDS[:6]
AZATHOTH, NYAR, YOG, CTHULHU, DAGON, HASTUR = CARDS[6:12]
NECRO, PNAKOTIC, KULTEN, MISKATONIC, SHUB, DREAMLANDS = CARDS[12:]
RACES, LOCATIONS, OUTER, OLD, MANUSCRIPTS = SUITS


def position(
    phase: str,
    hands: Iterable[Iterable[str]] = ((), ()),
    fronts: Iterable[Iterable[str]] = ((), ()),
    **changes: Any,
) -> State:
    """A position with these hands and cards in front, both to move."""
    start = GAME.start(GAME.setup(2, changes.pop("options", None)))
    rows = tuple(tuple(BIT[card] for card in front) for front in fronts)
    changes.setdefault("movers", (0, 1))
    return start._replace(  # type: ignore[arg-type]
        phase=phase, hands=tuple(map(pack, hands)), tableaus=rows, **changes
    )


def dealt(seed: int = 1, options: dict[str, Any] | None = None) -> State:
    start = GAME.start(GAME.setup(2, options))
    return GAME.apply(start, CHANCE, GAME.draw(start, random.Random(seed)))[0]


def act(state: State, *actions: tuple[int, str, str]) -> tuple[State, tuple[Event, ...]]:
    """Play actions one after the other; the position after them and all events."""
    told: tuple[Event, ...] = ()
    for player, kind, what in actions:
        state, events = GAME.apply(state, player, Act(kind, what))  # type: ignore[arg-type]
        told += events
    return state, told


def last_pick(
    a: Iterable[str], b: Iterable[str], **changes: Any
) -> tuple[State, tuple[Event, ...]]:
    """The last cards of both fronts are played from the hand."""
    a, b = list(a), list(b)
    state = position("pick", (a[-1:], b[-1:]), (a[:-1], b[:-1]), **changes)
    return act(state, (0, "pick", a[-1]), (1, "pick", b[-1]))


def why(state: State, player: int, action: object) -> str:
    """The short rule id and the words of a refusal."""
    refused = GAME.why_not(state, player, action)
    assert refused is not None
    for lang in LANGUAGES:
        assert refused.text(lang)
    return f"{refused.rule.split('/')[1]}: {refused.text()}"


# -- an independent referee -----------------------------------------------------------------------

SUIT_OF = {
    "elder-things": "R", "deep-ones": "R", "great-race-of-yith": "R",
    "innsmouth": "L", "mountains-of-madness": "L", "rlyeh": "L",
    "azathoth": "G", "nyarlathotep": "G", "yog-sothoth": "G",
    "cthulhu": "O", "dagon": "O", "hastur": "O",
    "necronomicon": "M", "pnakotic-manuscripts": "M", "unaussprechlichen-kulten": "M",
}  # fmt: skip
LETTER = {"races": "R", "locations": "L", "outer-gods": "G", "great-old-ones": "O",
          "manuscripts": "M"}  # fmt: skip
MAD = {
    "deep-ones", "great-race-of-yith", "rlyeh", "yog-sothoth", "dagon", "necronomicon",
    "pnakotic-manuscripts", "miskatonic-university",
}  # fmt: skip


def referee_card(card: str, mine: Counter[str], theirs: Counter[str], madness: int) -> int:
    def most(suit: str) -> bool:
        return mine[suit] > theirs[suit]

    return {
        "elder-things": 3 * mine["G"],
        "deep-ones": 6 * min(mine["O"], mine["M"]),
        "great-race-of-yith": 7 * most("M"),
        "innsmouth": 3 * sum(mine[suit] == 0 for suit in "RLGOM"),
        "mountains-of-madness": 3 * mine["R"],
        "rlyeh": 7 * most("O"),
        "azathoth": 3 * mine["O"],
        "nyarlathotep": 13 * min(mine[suit] for suit in "RLGOM"),
        "yog-sothoth": 7 * most("L"),
        "cthulhu": 9 * min(mine["G"], mine["R"], mine["L"]),
        "dagon": 7 * most("R"),
        "hastur": 3 * mine["M"],
        "necronomicon": madness,
        "pnakotic-manuscripts": 7 * most("G"),
        "unaussprechlichen-kulten": 3 * mine["L"],
        "miskatonic-university": 4 * sum(map(most, "RLGOM")),
    }.get(card, 0)


class Referee:
    """Plays a record's moves with plain lists and keeps the books."""

    def __init__(self, record: Record) -> None:
        moves: list[Any] = json.loads(record.dumps())["moves"]
        stays = record.options["shub_stays"]
        self.points: list[tuple[int, int]] = []
        self.madness = [0, 0]
        self.entries: list[list[dict[str, Any]]] = []
        self.removed: list[list[str]] = []
        kept: list[list[str]] = [[], []]
        hands: list[list[str]] = [[], []]
        under_shub = None
        for number in range(3):
            who, deal = moves.pop(0)
            assert who == "chance"
            for p in (0, 1):
                assert len(deal[p]) == (2 if number else 5)
                hands[p] = hands[p] + deal[p]
            played: list[list[str]] = [[], []]
            for _ in range(5):
                for p, action in self.both(moves):
                    hands[p].remove(action["pick"])
                    played[p].append(action["pick"])
                hands = [hands[1], hands[0]]
            taken = [sum(card in MAD for card in kept[p] + played[p]) for p in (0, 1)]
            self.madness = [self.madness[p] + taken[p] for p in (0, 1)]
            bonus, choice, suit = [0, 0], [None, None], [None, None]
            if taken[0] != taken[1]:
                p = 0 if taken[0] > taken[1] else 1
                who, action = moves.pop(0)
                assert who == p
                choice[p] = action["choose"]
                if action["choose"] == "heal":
                    self.madness[p] -= 1
                else:
                    bonus[p] = 4
            counts = [
                Counter(SUIT_OF.get(card, "") for card in kept[p] + played[p]) for p in (0, 1)
            ]
            for p in (0, 1):
                if "dreamlands" in kept[p] + played[p]:
                    if self.madness[1 - p] > 0:
                        self.madness[1 - p] -= 1
                        self.madness[p] += 1
                    who, action = moves.pop(0)
                    assert who == p
                    suit[p] = action["dreamlands"]
                    counts[p][LETTER[action["dreamlands"]]] += 1
            row = []
            for p in (0, 1):
                front = kept[p] + played[p]
                worth = {
                    card: referee_card(card, counts[p], counts[1 - p], self.madness[p])
                    for card in front
                }
                total = sum(worth.values()) + bonus[p]
                if "shub-niggurath" in played[p]:
                    at = played[p].index("shub-niggurath")
                    under_shub = played[p][at - 1] if at > 0 else None
                    total += worth[under_shub] if under_shub else 0
                elif "shub-niggurath" in kept[p] and stays:
                    total += worth.get(under_shub or "", 0)
                row.append(total)
            self.points.append((row[0], row[1]))
            self.entries.append(
                [
                    {
                        "kept": list(kept[p]),
                        "played": played[p],
                        "choice": choice[p],
                        "dreamlands": suit[p],
                    }
                    for p in (0, 1)
                ]
            )
            if max(self.madness) >= 9 or number == 2:
                break
            hands = [list(played[0]), list(played[1])]
            for p, action in self.both(moves):
                hands[p].remove(action["keep"])
                kept[p].append(action["keep"])
            gone = ["", ""]
            for p, action in self.both(moves):
                hands[p].remove(action["remove"])
                gone[p] = action["remove"]
            self.removed.append(gone)
        assert moves == []

    @staticmethod
    def both(moves: list[Any]) -> list[Any]:
        pair = [moves.pop(0), moves.pop(0)]
        assert {who for who, _ in pair} == {0, 1}
        return pair

    @property
    def winners(self) -> list[int]:
        sane = [p for p in (0, 1) if self.madness[p] < 9]
        totals = [sum(column) for column in zip(*self.points, strict=True)]
        if len(sane) < 2:
            return sane
        return [p for p in sane if totals[p] == max(totals)]

    def sheet(self, record: Record) -> dict[str, Any]:
        return {
            "game": "tides-of-madness",
            "players": list(record.names),
            "rounds": self.entries,
            "options": dict(record.options),
        }


@given(seed=seeds)
@settings(max_examples=150, deadline=None)
def test_the_referee_agrees(seed: int) -> None:
    record = random_record(GAME, seed)
    referee = Referee(record)
    final = record.final()
    assert list(final.points) == referee.points
    assert list(final.madness) == referee.madness
    outcome = GAME.outcome(final)
    assert outcome is not None
    assert list(outcome.winners) == referee.winners
    assert outcome.totals == tuple(map(sum, zip(*referee.points, strict=True)))
    assert outcome.tiebreak is None


@given(seed=seeds)
@settings(max_examples=100, deadline=None)
def test_a_game_written_on_a_sheet_scores_the_same(seed: int) -> None:
    record = random_record(GAME, seed)
    referee = Referee(record)
    result = GAME.score(json.loads(json.dumps(referee.sheet(record))))
    assert [tuple(side["points"] for side in pair) for pair in result["rounds"]] == referee.points
    assert [side["madness"] for side in result["rounds"][-1]] == referee.madness
    assert result["finished"] is True
    assert result["winners"] == [record.names[p] for p in referee.winners]
    assert result["lost_to_madness"] == [record.names[p] for p in (0, 1) if referee.madness[p] >= 9]
    assert result["removed"] == referee.removed
    for pair in result["rounds"]:
        for side in pair:
            assert sum(line["points"] for line in side["lines"]) == side["points"]


@given(seed=seeds)
@few
def test_lines_of_the_events_add_up_to_the_points(seed: int) -> None:
    record = random_record(GAME, seed)
    for step in record.steps():
        new = step.after.points[len(step.before.points) :]
        told = [
            sum(int(e.data["points"]) for e in step.events if e.kind == "line" and e.player == p)  # type: ignore[call-overload]
            for p in (0, 1)
        ]
        scored = [e.data["points"] for e in step.events if e.kind == "scored"]
        if new:
            assert told == scored == list(new[0])
        else:
            assert told == [0, 0] and scored == []


@given(seed=seeds)
@few
def test_every_card_is_in_one_place(seed: int) -> None:
    for state in positions(GAME, seed):
        places = [*state.hands, *(bit for row in state.tableaus for bit in row), state.removed]
        places.append(pile(state))
        union = 0
        for there in places:
            assert union & there == 0
            union |= there
        assert union == ALL
        for p in (0, 1):
            assert (
                state.picks[p] | state.keeps[p] | state.fresh[p] | state.hands[p]
                == (state.hands[p])
            )
        assert len(state.points) <= 3 and min(state.madness) >= 0


# -- the cards ------------------------------------------------------------------------------------


def test_eighteen_cards_of_five_suits_eight_with_madness() -> None:
    assert len(CARDS) == len(set(CARDS)) == 18
    assert Counter(face.suit for face in FACES) == {**dict.fromkeys(SUITS, 3), None: 3}
    assert {face.id for face in FACES if face.madness} == MAD
    assert {face.id: LETTER.get(face.suit or "") for face in FACES if face.suit} == SUIT_OF
    assert [card.group for card in GAME.cards] == [face.suit or "" for face in FACES]
    for card in CARDS:
        assert f"tides-of-madness/{card}" in GAME.rules
    assert GAME.rules["tides-of-madness/dreamlands"].source == "seed"
    assert GAME.rules["tides-of-madness/azathoth"].source == "published"
    assert GAME.rules["tides-of-madness/shub-kept"].source == "house"


@given(st.sets(st.sampled_from(CARDS)))
def test_sets_of_cards(some: set[str]) -> None:
    mask = pack(some)
    assert ids(mask) == tuple(card for card in CARDS if card in some)
    assert tuple(map(cards.card_id, bits(mask))) == ids(mask)
    assert scoring.icons(mask) == len(some & MAD)
    counts = scoring.suit_counts(mask)
    for suit in SUITS:
        assert scoring.count(counts, suit) == sum(SUIT_OF.get(c) == LETTER[suit] for c in some)


def points(own: Iterable[str], other: Iterable[str] = (), **rest: Any) -> dict[str, int]:
    """Points per card of one side (the card itself leads each line)."""
    lines = scoring.score(
        Tableau(played=tuple(own)), Tableau(played=tuple(other)), rest.pop("madness", 0), **rest
    ).lines
    return {line.cards[0]: line.points for line in lines}


@pytest.mark.parametrize(
    ("card", "others", "opponent", "worth"),
    [
        (ELDER, [], [], 0),
        (ELDER, [AZATHOTH, NYAR, YOG], [], 9),
        (DEEP, [CTHULHU, HASTUR], [], 0),
        (DEEP, [CTHULHU, HASTUR, NECRO], [], 6),
        (DEEP, [CTHULHU, HASTUR, NECRO, KULTEN], [], 12),
        (YITH, [], [], 0),
        (YITH, [KULTEN], [], 7),
        (YITH, [KULTEN], [NECRO], 0),
        (YITH, [KULTEN, PNAKOTIC], [NECRO], 7),
        (INNSMOUTH, [], [], 12),
        (INNSMOUTH, [MISKATONIC, SHUB, DREAMLANDS], [], 12),
        (INNSMOUTH, [ELDER, AZATHOTH, CTHULHU, KULTEN], [], 0),
        (MOUNTAINS, [ELDER, DEEP], [], 6),
        (RLYEH, [DAGON], [], 7),
        (RLYEH, [DAGON], [HASTUR, CTHULHU], 0),
        (AZATHOTH, [DAGON, HASTUR], [CTHULHU], 6),
        (NYAR, [ELDER, RLYEH, DAGON], [], 0),
        (NYAR, [ELDER, RLYEH, DAGON, KULTEN], [], 13),
        (NYAR, [ELDER, RLYEH, DAGON, KULTEN, AZATHOTH, DEEP, HASTUR, INNSMOUTH, NECRO], [], 26),
        (YOG, [RLYEH], [], 7),
        (YOG, [RLYEH], [INNSMOUTH], 0),
        (CTHULHU, [AZATHOTH, ELDER], [], 0),
        (CTHULHU, [AZATHOTH, ELDER, RLYEH], [], 9),
        (CTHULHU, [AZATHOTH, ELDER, RLYEH, NYAR, DEEP, INNSMOUTH], [], 18),
        (DAGON, [ELDER], [], 7),
        (DAGON, [ELDER], [DEEP], 0),
        (HASTUR, [KULTEN, NECRO], [], 6),
        (PNAKOTIC, [AZATHOTH], [], 7),
        (PNAKOTIC, [AZATHOTH], [NYAR, YOG], 0),
        (KULTEN, [RLYEH, INNSMOUTH], [MOUNTAINS], 6),
        (MISKATONIC, [], [], 0),
        (MISKATONIC, [ELDER, RLYEH, AZATHOTH, DAGON, KULTEN], [], 20),
        (MISKATONIC, [ELDER, RLYEH, AZATHOTH], [DEEP, CTHULHU], 8),
        (DREAMLANDS, [ELDER], [], 0),
    ],
)
def test_every_card(card: str, others: list[str], opponent: list[str], worth: int) -> None:
    assert points([card, *others], opponent)[card] == worth
    # cards count themselves when they bear the suit
    mine = Counter(SUIT_OF.get(c) for c in [card, *others])
    assert referee_card(card, mine, Counter(SUIT_OF.get(c) for c in opponent), 0) == worth  # type: ignore[arg-type]


def test_the_necronomicon_counts_the_total_madness() -> None:
    for madness in range(12):
        assert points([NECRO], madness=madness) == {NECRO: madness}


def test_miskatonic_pays_on_top_of_other_majorities() -> None:
    own = [DAGON, ELDER, MISKATONIC]
    assert points(own, [HASTUR]) == {DAGON: 7, ELDER: 0, MISKATONIC: 4}


@given(
    a=st.lists(st.sampled_from(CARDS), min_size=14, max_size=14, unique=True),
    cut=st.integers(0, 7),
    suit=st.sampled_from([None, *SUITS]),
    madness=st.tuples(st.integers(0, 15), st.integers(0, 15)),
)
def test_packed_and_explained_scores_agree(
    a: list[str], cut: int, suit: str | None, madness: tuple[int, int]
) -> None:
    sides = Tableau(played=tuple(a[:cut])), Tableau(played=tuple(a[7:]))
    doubled = pack(filter(None, map(scoring.doubled_card, sides)))
    fast = scoring.card_points(pack(a[:cut]), pack(a[7:]), madness, suit, doubled)
    sheets = [scoring.score(sides[p], sides[1 - p], madness[p], suit) for p in (0, 1)]
    assert fast == tuple(one.points for one in sheets)
    swapped = scoring.card_points(pack(a[7:]), pack(a[:cut]), madness[::-1], suit, doubled)
    assert swapped == fast[::-1]
    for p in (0, 1):
        lit = {card for line in sheets[p].lines for card in line.cards}
        assert lit <= set(sides[p].cards)
        assert [line.cards[0] for line in sheets[p].lines] == list(sides[p].cards)
        for line in sheets[p].lines:
            assert line.rule in GAME.rules
            for lang in LANGUAGES:
                assert text(line.text, lang)


# -- the seed's worked example --------------------------------------------------------------------

EXAMPLE = {
    "game": "tides-of-madness",
    "players": ["A", "B"],
    "rounds": [
        [
            {
                "kept": [],
                "played": [NYAR, AZATHOTH, DAGON, PNAKOTIC, ELDER],
                "choice": "points",
                "dreamlands": None,
            },
            {
                "kept": [],
                "played": [YOG, CTHULHU, HASTUR, MOUNTAINS, SHUB],
                "choice": None,
                "dreamlands": None,
            },
        ]
    ],
}


def test_the_worked_example_on_a_sheet() -> None:
    result = GAME.score(EXAMPLE)
    a, b = result["rounds"][0]
    assert (a["points"], b["points"]) == (27, 7)
    assert [line["points"] for line in a["lines"]] == [0, 3, 7, 7, 6, 4]
    assert [line["points"] for line in b["lines"]] == [7, 0, 0, 0, 0]
    assert (a["madness"], b["madness"]) == (2, 1)
    assert (a["taken"], b["taken"]) == (2, 1)
    assert [line["text"] for line in a["lines"]][1:] == [
        "Azathoth: 1 × 3 (Great Old Ones)",
        "Dagon: majority in Races, 1 to 0",
        "Pnakotic Manuscripts: majority in Outer Gods, 2 to 1",
        "Elder Things: 2 × 3 (Outer Gods)",
        "most madness of the round",
    ]
    assert a["lines"][3]["cards"] == [PNAKOTIC, NYAR, AZATHOTH]
    assert b["lines"][4]["text"] == "Shub-Niggurath: doubles Mountains of Madness"
    assert result["finished"] is False
    assert result["winners"] == ["A"] and result["lost_to_madness"] == []
    for lang in LANGUAGES:
        assert GAME.score(EXAMPLE, lang)["rounds"][0][0]["points"] == 27


def test_the_worked_example_at_the_table() -> None:
    played = [EXAMPLE["rounds"][0][p]["played"] for p in (0, 1)]  # type: ignore[index]
    state, told = last_pick(*played)
    assert state.madness == (2, 1)
    assert state.phase == "choose" and state.movers == (0,)
    state, more = act(state, (0, "choose", "points"))
    assert state.points == ((27, 7),)
    assert state.madness == (2, 1)
    assert state.phase == "keep" and state.movers == (0, 1)
    assert [ids(hand) for hand in state.hands] == [ids(pack(cards)) for cards in played]
    assert [e.kind for e in told] == [
        "picked", "picked", "revealed", "revealed", "madness", "madness", "most-madness",
    ]  # fmt: skip
    assert [e.data["points"] for e in more if e.kind == "line" and e.player == 0] == [
        0, 3, 7, 7, 6, 4,
    ]  # fmt: skip


# -- drafting -------------------------------------------------------------------------------------


def test_five_cards_each_and_a_pile_of_eight() -> None:
    state = dealt()
    assert [hand.bit_count() for hand in state.hands] == [5, 5]
    assert pile(state).bit_count() == 8
    assert state.movers == GAME.to_move(state) == (0, 1)


def test_the_reveal_comes_before_the_pass() -> None:
    state = dealt()
    cards_0, cards_1 = (ids(hand) for hand in state.hands)
    one, told = act(state, (1, "pick", cards_1[0]))
    assert one.tableaus == ((), ()) and one.hands == state.hands
    assert GAME.to_move(one) == (0,) and GAME.legal_actions(one, 1) == ()
    assert [e.kind for e in told] == ["picked"]
    two, told = act(one, (0, "pick", cards_0[2]))
    assert [e.kind for e in told] == ["picked", "revealed", "revealed", "passed"]
    assert [e.data["card"] for e in told if e.kind == "revealed"] == [cards_0[2], cards_1[0]]
    assert two.tableaus == ((BIT[cards_0[2]],), (BIT[cards_1[0]],))
    assert two.hands == (state.hands[1] ^ BIT[cards_1[0]], state.hands[0] ^ BIT[cards_0[2]])
    assert GAME.to_move(two) == (0, 1)


def test_a_card_laid_down_is_seen_by_its_owner_alone() -> None:
    state = dealt()
    card = ids(state.hands[0])[0]
    after, (event,) = act(state, (0, "pick", card))
    assert event.seen_by(0).data == {"card": card}
    for watcher in (1, None):
        seen = event.seen_by(watcher)
        assert card not in json.dumps([dict(seen.data), text(seen.text)])
    assert GAME.observe(after, 1) == GAME.observe(state, 1)._replace(
        movers=(1,), chosen=(True, False)
    )
    assert GAME.observe(after, 0).own_pick == BIT[card]


def test_the_last_card_is_forced_and_no_hand_is_passed_after_it() -> None:
    state, told = last_pick([ELDER, AZATHOTH, CTHULHU, HASTUR, SHUB], [NYAR, INNSMOUTH, MOUNTAINS,
                            KULTEN, DREAMLANDS])  # fmt: skip
    assert "passed" not in [e.kind for e in told]
    assert state.phase == "dreamlands"  # no madness: nobody chooses


# -- scoring a round ------------------------------------------------------------------------------

PLAIN = [ELDER, AZATHOTH, CTHULHU, HASTUR, KULTEN]


def test_on_a_tie_nobody_chooses() -> None:
    state, told = last_pick([RLYEH, YOG, ELDER, AZATHOTH, HASTUR], [DAGON, NECRO, NYAR, INNSMOUTH,
                            KULTEN])  # fmt: skip
    assert state.phase == "keep" and state.madness == (2, 2)
    assert state.choice is None
    (event,) = (e for e in told if e.kind == "most-madness")
    assert event.player == CHANCE and "nobody" in text(event.text)


def test_most_madness_of_this_round_chooses_whatever_the_totals() -> None:
    state, _ = last_pick([RLYEH, *PLAIN[:4]], [NYAR, INNSMOUTH, MOUNTAINS, KULTEN, SHUB],
                         madness=(0, 7))  # fmt: skip
    assert state.phase == "choose" and state.movers == (0,)


def test_healing_lowers_the_total_and_gives_no_points() -> None:
    before, _ = last_pick([RLYEH, *PLAIN[:4]], [NYAR, INNSMOUTH, MOUNTAINS, KULTEN, SHUB],
                          madness=(5, 0))  # fmt: skip
    healed, told = act(before, (0, "choose", "heal"))
    paid, _ = act(before, (0, "choose", "points"))
    assert healed.madness == (5, 0) and paid.madness == (6, 0)
    assert paid.points[0][0] == healed.points[0][0] + 4
    assert paid.points[0][1] == healed.points[0][1]
    assert [e.rule for e in told if e.kind == "chosen"] == ["tides-of-madness/most-madness"]


def test_kept_cards_give_madness_and_score_again() -> None:
    state, _ = last_pick(
        [RLYEH, DAGON, ELDER, AZATHOTH, HASTUR, KULTEN],
        [CTHULHU, NYAR, INNSMOUTH, MOUNTAINS, SHUB, DEEP],
        round=1,
        madness=(1, 0),
        points=((0, 0),),
    )
    assert state.madness == (1 + 2, 1)
    state, _ = act(state, (0, "choose", "points"))
    # R'lyeh, kept, pays 7 for Great Old Ones, 2 to 1
    assert state.points[1][0] == 7 + 0 + 3 + 6 + 3 + 3 + 4


def test_dreamlands_takes_madness_after_the_choice() -> None:
    """A took more and may choose; only then Dreamlands takes one of what is left."""
    state, _ = last_pick([NYAR, INNSMOUTH, MOUNTAINS, KULTEN, DREAMLANDS], [RLYEH, *PLAIN[:4]])
    assert state.madness == (0, 1) and state.phase == "choose" and state.movers == (1,)
    healed, told = act(state, (1, "choose", "heal"))
    assert healed.madness == (0, 0)
    assert healed.phase == "dreamlands" and healed.movers == (0,)
    assert "dreamlands-madness" not in [e.kind for e in told]
    paid, told = act(state, (1, "choose", "points"))
    assert paid.madness == (1, 0)
    (event,) = (e for e in told if e.kind == "dreamlands-madness")
    assert text(event.text, names=("Ana", "Ion")) == "Ana takes 1 madness from Ion with Dreamlands."


def test_dreamlands_suit_is_its_owners_choice_and_counts_for_everything() -> None:
    state, _ = last_pick([NYAR, INNSMOUTH, ELDER, KULTEN, DREAMLANDS], [AZATHOTH, MOUNTAINS,
                         CTHULHU, HASTUR, SHUB])  # fmt: skip
    assert GAME.legal_actions(state, 0) == tuple(Act("dreamlands", suit) for suit in SUITS)
    assert GAME.legal_actions(state, 1) == ()
    scores = {suit: act(state, (0, "dreamlands", suit))[0].points[0] for suit in SUITS}
    assert scores == {
        RACES: (0 + 3 + 3 + 3, 2 * 0 + 6 + 0 + 0 + 0),
        LOCATIONS: (0 + 3 + 3 + 6, 6),
        OUTER: (0 + 3 + 6 + 3, 6),
        OLD: (13 + 0 + 3 + 3, 6),
        MANUSCRIPTS: (0 + 3 + 3 + 3, 6),
    }
    after, told = act(state, (0, "dreamlands", OLD))
    assert after.suit == OLD and after.phase == "keep"
    assert told[0].rule == "tides-of-madness/dreamlands-suit"


def test_dreamlands_is_named_anew_every_round_and_takes_again_when_kept() -> None:
    state, _ = last_pick(
        [DREAMLANDS, NYAR, INNSMOUTH, MOUNTAINS, KULTEN, SHUB],
        [RLYEH, *PLAIN[:4], DAGON],
        round=1,
        madness=(3, 3),
        points=((0, 0),),
    )
    state, _ = act(state, (1, "choose", "heal"))
    assert state.madness == (4, 3) and state.phase == "dreamlands"


def test_dreamlands_gives_and_takes_majorities() -> None:
    own = (DREAMLANDS, DAGON)
    assert points(own, [ELDER], suit=RACES)[DAGON] == 0
    assert points(own, [], suit=RACES)[DAGON] == 7
    assert points([DAGON, ELDER], [DREAMLANDS], suit=RACES)[DAGON] == 0
    assert points([INNSMOUTH, DREAMLANDS], suit=RACES)[INNSMOUTH] == 9
    assert points([INNSMOUTH, DREAMLANDS])[INNSMOUTH] == 12


@pytest.mark.parametrize(
    ("madness", "choice", "lost", "winners"),
    [
        ((7, 0), "points", [], None),
        ((8, 0), "points", [0], (1,)),
        ((8, 0), "heal", [], None),
        ((8, 9), "heal", [1], (0,)),
        ((8, 9), "points", [0, 1], ()),
        ((20, 20), "heal", [0, 1], ()),
    ],
)
def test_madness_ends_the_game_at_once(
    madness: tuple[int, int], choice: str, lost: list[int], winners: tuple[int, ...] | None
) -> None:
    """Seat 0 takes one more in the first round; nine are too many, whatever the points."""
    state, _ = last_pick([RLYEH, *PLAIN[:4]], [NYAR, INNSMOUTH, MOUNTAINS, KULTEN, SHUB],
                         madness=madness)  # fmt: skip
    state, told = act(state, (0, "choose", choice))
    outcome = GAME.outcome(state)
    assert [e.player for e in told if e.kind == "lost"] == lost
    if winners is None:
        assert outcome is None and state.phase == "keep"
        return
    assert outcome is not None and outcome.winners == winners
    assert state.phase == "over" and GAME.to_move(state) == ()
    assert outcome.totals == state.points[0]
    assert told[-1].kind == "ended" and told[-1].rule == outcome.rule
    assert outcome.rule == f"tides-of-madness/madness{'' if winners else '-both'}"
    assert outcome.ranks == {(0,): (1, 2), (1,): (2, 1), (): (1, 1)}[winners]
    assert sum(outcome.payoffs) == (1 if winners else 0)
    # the cards stay there to be looked at
    assert [len(row) for row in state.tableaus] == [5, 5]


def test_dreamlands_can_save_the_other_and_ruin_its_owner() -> None:
    state, _ = last_pick([NYAR, INNSMOUTH, MOUNTAINS, KULTEN, DREAMLANDS], [RLYEH, *PLAIN[:4]],
                         madness=(8, 8))  # fmt: skip
    state, _ = act(state, (1, "choose", "points"), (0, "dreamlands", RACES))
    assert state.madness == (9, 8)
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.winners == (1,)


# -- Shub-Niggurath -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "madness", "suit", "doubled"),
    [
        ([ELDER, AZATHOTH, SHUB], 0, None, 0),
        ([AZATHOTH, ELDER, SHUB], 0, None, 3),
        ([ELDER, DAGON, SHUB], 0, None, 7),
        ([KULTEN, HASTUR, DEEP, SHUB], 0, None, 6),
        ([NECRO, SHUB], 5, None, 5),
        ([INNSMOUTH, SHUB], 0, None, 12),
        ([ELDER, MISKATONIC, SHUB], 0, None, 4),
        ([DREAMLANDS, SHUB], 0, RACES, 0),
        ([SHUB, INNSMOUTH], 0, None, 0),
        ([ELDER, RLYEH, KULTEN, CTHULHU, NYAR, SHUB], 0, None, 13),
    ],
)
def test_shub_niggurath_doubles_the_card_before_it(
    own: list[str], madness: int, suit: str | None, doubled: int
) -> None:
    worth = points(own, madness=madness, suit=suit)
    assert worth[SHUB] == doubled
    before = own[own.index(SHUB) - 1] if own[0] != SHUB else None
    assert worth[SHUB] == (worth[before] if before else 0)
    rest = [card for card in own if card != SHUB]
    assert points(rest, madness=madness, suit=suit) == {card: worth[card] for card in rest}


def test_shub_niggurath_does_not_reach_kept_cards() -> None:
    tableau = Tableau(kept=(INNSMOUTH,), played=(SHUB, ELDER))
    lines = scoring.score(tableau, Tableau(), 0).lines
    assert [line.points for line in lines] == [9, 0, 0]
    state = position("pick", ([SHUB, ELDER], [NYAR, CTHULHU]), ([INNSMOUTH], [KULTEN]), round=1)
    state, _ = act(state, (0, "pick", SHUB), (1, "pick", NYAR))
    assert state.doubled == 0


def shub_kept(stays: bool) -> State:
    """Seat 0 plays Innsmouth and Shub-Niggurath on it, keeps her, and plays Innsmouth again."""
    state = position(
        "pick",
        ([SHUB, ELDER, KULTEN], [NYAR, CTHULHU, MOUNTAINS]),
        ([AZATHOTH, INNSMOUTH], [DAGON, RLYEH]),
        options={"shub_stays": stays},
    )
    state, _ = act(state, (0, "pick", SHUB), (1, "pick", NYAR), (0, "pick", CTHULHU),
                   (1, "pick", ELDER), (0, "pick", KULTEN), (1, "pick", MOUNTAINS),
                   (1, "choose", "heal"))  # fmt: skip
    assert state.points == ((3 + 3 + 3 + 0 + 3, 7 + 0 + 0 + 3 + 3),)
    state, _ = act(state, (0, "keep", SHUB), (1, "keep", NYAR), (0, "remove", KULTEN),
                   (1, "remove", MOUNTAINS))  # fmt: skip
    assert state.doubled == (BIT[INNSMOUTH] if stays else 0)
    state = GAME.advance(state, CHANCE, (pack([HASTUR, DEEP]), pack([YOG, NECRO])))
    plays = [(INNSMOUTH, YOG), (NECRO, HASTUR), (AZATHOTH, ELDER), (DAGON, DEEP), (CTHULHU, RLYEH)]
    for a, b in plays:
        state, _ = act(state, (0, "pick", a), (1, "pick", b))
    return state


def test_a_kept_shub_niggurath_doubles_nothing_unless_she_stays() -> None:
    before = {stays: shub_kept(stays) for stays in (False, True)}
    scored = {}
    for stays, state in before.items():
        assert state.phase == "choose"
        one, _ = round_sheets(state)
        line = one.lines[0]
        assert line.cards[0] == SHUB
        scored[stays] = one.points
        if stays:
            assert line.points == 0 + 3 and line.cards == (SHUB, INNSMOUTH)
            assert line.rule == "tides-of-madness/shub-niggurath"
        else:
            assert line.points == 0 and line.rule == "tides-of-madness/shub-kept"
        after, _ = act(state, (state.movers[0], "choose", "heal"))
        assert after.points[1][0] == one.points + (after.madness[0] - state.madness[0])
    assert scored[True] == scored[False] + 3


def test_shub_niggurath_stays_on_the_sheet_too() -> None:
    rounds = [
        [
            {"played": [INNSMOUTH, SHUB, ELDER, AZATHOTH, CTHULHU]},
            {"played": [NYAR, MOUNTAINS, HASTUR, KULTEN, DAGON], "choice": "points"},
        ],
        [
            {"kept": [SHUB], "played": [INNSMOUTH, AZATHOTH, CTHULHU, NYAR, RLYEH],
             "choice": None},
            {"kept": [DAGON], "played": [MOUNTAINS, HASTUR, DEEP, YOG, NECRO],
             "choice": "points"},
        ],
    ]  # fmt: skip
    # the elders and the Kulten were removed
    played = {"game": "tides-of-madness", "players": ["A", "B"], "rounds": rounds}
    without = GAME.score(played)["rounds"][1][0]
    with_her = GAME.score({**played, "options": {"shub_stays": True}})["rounds"][1][0]
    assert without["lines"][0]["points"] == 0
    assert with_her["lines"][0]["points"] == with_her["lines"][1]["points"] == 6
    assert with_her["points"] == without["points"] + 6


# -- the refresh ----------------------------------------------------------------------------------


def refreshed() -> State:
    hands = ([RLYEH, *PLAIN[:4]], [NYAR, INNSMOUTH, MOUNTAINS, KULTEN, SHUB])
    return position("keep", hands, points=((1, 2),), madness=(1, 0))


def test_keep_and_remove_are_simultaneous_and_the_kept_card_is_secret() -> None:
    state = refreshed()
    one, (kept,) = act(state, (0, "keep", RLYEH))
    assert kept.seen_by(1).data == {} and kept.seen_by(0).data == {"card": RLYEH}
    assert GAME.to_move(one) == (1,)
    two, (again,) = act(one, (1, "keep", NYAR))
    assert again.seen_by(0).data == {}
    assert two.phase == "remove" and GAME.to_move(two) == (0, 1)
    assert two.hands == state.hands and two.tableaus == ((), ())
    assert Act("remove", RLYEH) not in GAME.legal_actions(two, 0)
    assert len(GAME.legal_actions(two, 0)) == 4
    # all five cards of the other are known, but not which of them is kept
    seen = GAME.observe(two, 0)
    assert seen.hands == two.hands and seen.own_keep == BIT[RLYEH]
    assert NYAR not in json.dumps(seen.own_keep)
    keeps = {GAME.resample(seen, random.Random(n)).keeps[1] for n in range(80)}
    assert keeps == set(bits(two.hands[1]))
    three, (chosen,) = act(two, (1, "remove", SHUB))
    assert chosen.seen_by(0).data == {}
    four, told = act(three, (0, "remove", ELDER))
    assert [(e.kind, e.player, e.data.get("card")) for e in told] == [
        ("remove-chosen", 0, None),
        ("removed", 0, ELDER),
        ("removed", 1, SHUB),
        ("kept", 0, RLYEH),
        ("kept", 1, NYAR),
    ]
    assert four.removed == pack([ELDER, SHUB])
    assert four.tableaus == ((BIT[RLYEH],), (BIT[NYAR],))
    assert [hand.bit_count() for hand in four.hands] == [3, 3]
    assert four.round == 1 and GAME.to_move(four) == (CHANCE,)
    five, told = GAME.apply(four, CHANCE, GAME.draw(four, random.Random(0)))
    assert [hand.bit_count() for hand in five.hands] == [5, 5]
    assert [e.rule for e in told] == ["tides-of-madness/refill"] * 2
    assert [dict(e.seen_by(1 - e.player).data) for e in told] == [{"number": 2}] * 2


@given(seed=seeds)
@few
def test_rounds_score_five_six_and_seven_cards(seed: int) -> None:
    for step in random_record(GAME, seed).steps():
        if len(step.after.points) > len(step.before.points):
            lines = Counter(
                event.player
                for event in step.events
                if event.kind == "line" and event.rule != "tides-of-madness/most-madness"
            )
            assert lines == {0: 5 + step.before.round, 1: 5 + step.before.round}
    # all cards have been dealt when the third round has begun
    final = random_record(GAME, seed).final()
    if final.round == 2:
        assert pile(final) == 0 and final.removed.bit_count() == 4


# -- what is known --------------------------------------------------------------------------------


def picks_until(state: State, picks: int) -> State:
    for _ in range(picks):
        joint = tuple(GAME.legal_actions(state, p)[0] for p in (0, 1))
        state = GAME.advance_together(state, joint)
    return state


def to_round(number: int, seed: int = 5) -> State:
    """The first pick of a round, reached by the first legal action each."""
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(2))
    while not (state.phase == "pick" and state.round == number):
        (player, *_) = GAME.to_move(state)
        action: Any
        if player == CHANCE:
            action = GAME.draw(state, rng)
        else:
            action = GAME.legal_actions(state, player)[-1]
        state = GAME.advance(state, player, action)._replace(madness=(0, 0))
    return state


def test_at_first_the_other_hand_is_any_five_of_thirteen() -> None:
    state = dealt()
    seen = GAME.observe(state, 0)
    assert seen.hands == (state.hands[0], 0)
    assert seen.hidden == 5 and seen.unseen == ALL ^ state.hands[0]
    assert seen.fresh == state.hands[0]


def test_from_the_second_pick_both_hands_and_the_pile_are_known() -> None:
    state = picks_until(dealt(), 1)
    for p in (0, 1):
        seen = GAME.observe(state, p)
        assert seen.hands == state.hands and seen.hidden == 0 and seen.fresh == 0
        assert seen.unseen == pile(state) and seen.unseen.bit_count() == 8


def test_in_the_second_round_two_new_cards_are_unknown() -> None:
    state = to_round(1)
    seen = GAME.observe(state, 1)
    assert seen.hands[1] == state.hands[1] and seen.hands[0] & ~state.hands[0] == 0
    assert seen.hands[0].bit_count() == 3 and seen.hidden == 2
    assert seen.unseen.bit_count() == 6
    assert seen.unseen == ALL ^ (seen.hands[0] | state.hands[1] | state.removed
                                 | sum(sum(row) for row in state.tableaus))  # fmt: skip
    assert seen.fresh.bit_count() == 2


def test_what_may_be_there_is_drawn_evenly() -> None:
    seen = GAME.observe(to_round(1), 1)
    rng = random.Random(3)
    drawn = Counter(GAME.resample(seen, rng).hands[0] ^ seen.hands[0] for _ in range(3000))
    assert set(drawn) == {a | b for a, b in combinations(bits(seen.unseen), 2)}
    assert all(140 < n < 260 for n in drawn.values())  # 200 each are expected


def test_in_the_third_round_all_can_be_counted() -> None:
    """The last deal empties the pile: what one has not seen is what the other was dealt."""
    state = to_round(2)
    assert pile(state) == 0
    for p in (0, 1):
        seen = GAME.observe(state, p)
        assert seen.hands == state.hands
        assert seen.hidden == 0 and seen.unseen == 0 and seen.fresh == 0
        assert GAME.resample(seen, random.Random(0)) == state


@given(seed=seeds)
@few
def test_an_observation_holds_no_more_than_memory_gives(seed: int) -> None:
    """An onlooker who notes what one seat sees knows the same cards as the observation."""
    record = random_record(GAME, seed)
    for p in (0, 1):
        located: set[str] = set()
        for step in record.steps():
            state = step.after
            for event in step.events:
                told = event.seen_by(p).data
                located |= {str(told["card"])} if "card" in told else set()
                located |= (
                    set(told["cards"]) if event.kind == "dealt" and "cards" in told else set()
                )  # type: ignore[call-overload]
            seen = GAME.observe(state, p)
            located |= set(ids(state.hands[p]))  # a hand is looked at when it is taken up
            unknown = set(CARDS) - located
            if not pile(state) and state.phase != "deal":
                unknown = set()
            assert set(ids(seen.unseen)) == unknown
            assert seen.hands[1 - p] == state.hands[1 - p] & ~pack(unknown)


# -- refusals -------------------------------------------------------------------------------------


def test_refusals_name_the_rule() -> None:
    start = GAME.start(GAME.setup(2))
    pick = Act("pick", ELDER)
    assert why(start, 0, pick) == "deal: The cards have not been dealt yet."
    assert why(start, 2, pick) == "players: There is no such seat."
    state = position("pick", ([ELDER, RLYEH], [NYAR, YOG]))
    assert why(state, 0, Act("pick", NYAR)) == "pick: Nyarlathotep is not in this hand."
    assert why(state, 0, Act("pick", "x")) == "deck: This is not one of the 18 cards."
    assert why(state, 0, Act("keep", ELDER)) == "pick: Now a card is to be drafted."
    assert why(state, 0, ELDER) == "pick: This is no action of the game."
    assert why(state, 0, ("pick", ELDER)) == "pick: This is no action of the game."
    assert why(state, 0, Act([], {})) == "pick: This is no action of the game."  # type: ignore[arg-type]
    assert why(state, 0, Act([], "x")) == "pick: Now a card is to be drafted."  # type: ignore[arg-type]
    after, _ = act(state, (0, "pick", ELDER))
    chosen = "You have chosen already; wait for the other player."
    assert why(after, 0, Act("pick", RLYEH)) == f"pick: {chosen}"
    state = refreshed()
    assert why(state, 0, Act("pick", RLYEH)) == "keep: Now a card is to be kept."
    assert why(state, 0, Act("keep", NYAR)) == "keep: Nyarlathotep is not in this hand."
    state, _ = act(state, (0, "keep", RLYEH))
    assert why(state, 0, Act("keep", ELDER)) == f"keep: {chosen}"
    state, _ = act(state, (1, "keep", NYAR))
    assert why(state, 0, Act("remove", RLYEH)) == (
        "remove: You are keeping R’lyeh; remove another card."
    )
    assert why(state, 0, Act("remove", DEEP)) == "remove: Deep Ones is not in this hand."
    assert why(state, 0, Act("keep", ELDER)) == (
        "remove: Now a card is to be removed from the game."
    )
    state = position("choose", movers=(1,), fronts=([ELDER], [RLYEH]))
    assert why(state, 0, Act("choose", "heal")) == "most-madness: It is not this player’s turn."
    assert why(state, 1, Act("pick", ELDER)).startswith("most-madness: Now choose between")
    assert why(state, 1, Act("choose", "both")).startswith("most-madness: The choice is between")
    state = position("dreamlands", movers=(1,), fronts=([ELDER], [DREAMLANDS]))
    assert why(state, 1, Act("dreamlands", "cats")) == "dreamlands-suit: There is no such suit."
    assert why(state, 1, Act("choose", "heal")).startswith("dreamlands-suit: Now choose the suit")
    state = position("over", movers=())
    assert why(state, 0, pick) == "end: The game is over."
    assert why(state, CHANCE, (0, 0)) == "deal: No cards are to be dealt now."


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ((pack(CARDS[:5]),), "Now each of the two players is dealt 5 cards."),
        ([pack(CARDS[:5]), pack(CARDS[5:10])], "Now each of the two players is dealt 5 cards."),
        ((pack(CARDS[:5]), pack(CARDS[5:9])), "Now each of the two players is dealt 5 cards."),
        ((pack(CARDS[:5]), 31 << 14), "Now each of the two players is dealt 5 cards."),
        ((pack(CARDS[:5]), -1), "Now each of the two players is dealt 5 cards."),
        ((pack(CARDS[:5]), 31.0), "Now each of the two players is dealt 5 cards."),
        ((pack(CARDS[:5]), None), "Now each of the two players is dealt 5 cards."),
        (Act("pick", ELDER), "Now each of the two players is dealt 5 cards."),
        ((pack(CARDS[:5]), pack(CARDS[4:9])), "Mountains of Madness is not in the draw pile any"),
    ],
)
def test_impossible_deals(deal: Any, words: str) -> None:
    start = GAME.start(GAME.setup(2))
    assert why(start, CHANCE, deal).startswith(f"deal: {words}")


def test_a_refill_comes_from_the_pile() -> None:
    state = position("deal", ([ELDER, DEEP, YITH], [NYAR, YOG, CTHULHU]), ([RLYEH], [DAGON]),
                     movers=(CHANCE,), round=1, removed=pack([HASTUR, NECRO]))  # fmt: skip
    assert GAME.why_not(state, CHANCE, (pack([SHUB, KULTEN]), pack([PNAKOTIC, AZATHOTH]))) is None
    for gone, name in ((HASTUR, "Hastur"), (RLYEH, "R’lyeh"), (ELDER, "Elder Things")):
        deal = (pack([SHUB, KULTEN]), pack([PNAKOTIC, gone]))
        assert why(state, CHANCE, deal) == f"refill: {name} is not in the draw pile any more."


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({}, "x"),
        ({"pick": ELDER, "keep": ELDER}, "x"),
        ({"fly": ELDER}, "x"),
        ({"pick": "elder"}, "x.pick"),
        ({"pick": 3}, "x.pick"),
        ({"pick": []}, "x.pick"),
        ({"choose": ELDER}, "x.choose"),
        ({"dreamlands": "cats"}, "x.dreamlands"),
        ([], "x"),
        ([[ELDER]], "x"),
        ([[ELDER], [3]], "x[1][0]"),
        ([[ELDER, ELDER], []], "x[0][1]"),
        ([[ELDER], ELDER], "x"),
        (ELDER, "x"),
        (None, "x"),
    ],
)
def test_actions_that_are_none(value: Any, place: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        GAME.action_from_json(value, "x")
    assert refused.value.place == place
    for lang in LANGUAGES:
        assert refused.value.text(lang)


def test_actions_are_readable_json() -> None:
    assert GAME.action_to_json(Act("keep", RLYEH)) == {"keep": "rlyeh"}
    assert GAME.action_to_json(Act("choose", "heal")) == {"choose": "heal"}
    assert GAME.action_to_json((pack([ELDER, DEEP]), pack([NYAR]))) == [[ELDER, DEEP], [NYAR]]
    words = [
        text(GAME.describe(action))
        for action in (
            Act("pick", RLYEH),
            Act("keep", RLYEH),
            Act("remove", RLYEH),
            Act("choose", "points"),
            Act("choose", "heal"),
            Act("dreamlands", RACES),
        )
    ]
    assert words == [
        "draft R’lyeh",
        "keep R’lyeh",
        "remove R’lyeh from the game",
        "take 4 points",
        "heal 1 madness",
        "Dreamlands counts as Races",
    ]


# -- sheets ---------------------------------------------------------------------------------------


def three_rounds() -> dict[str, Any]:
    """A whole game that can be changed in tests; the last pile cards come in the third round."""
    return {
        "game": "tides-of-madness",
        "players": ["Ana", "Ion"],
        "rounds": [
            [
                {"kept": [], "played": [ELDER, INNSMOUTH, AZATHOTH, CTHULHU, KULTEN],
                 "choice": None, "dreamlands": None},
                {"kept": [], "played": [NYAR, MOUNTAINS, HASTUR, SHUB, DREAMLANDS],
                 "choice": None, "dreamlands": OUTER},
            ],
            [
                {"kept": [CTHULHU], "played": [NYAR, AZATHOTH, DEEP, MOUNTAINS, SHUB],
                 "choice": None, "dreamlands": None},
                {"kept": [DREAMLANDS], "played": [INNSMOUTH, ELDER, YOG, RLYEH, DAGON],
                 "choice": "points", "dreamlands": LOCATIONS},
            ],
            [
                {"kept": [CTHULHU, AZATHOTH], "played": [INNSMOUTH, DEEP, NECRO, RLYEH, NYAR],
                 "choice": None, "dreamlands": None},
                {"kept": [DREAMLANDS, DAGON], "played": [YITH, PNAKOTIC, MISKATONIC, ELDER,
                                                         MOUNTAINS],
                 "choice": "heal", "dreamlands": RACES},
            ],
        ],
    }  # fmt: skip


def test_a_whole_sheet() -> None:
    result = GAME.score(three_rounds())
    assert result["finished"] is True
    assert result["removed"] == [[KULTEN, HASTUR], [SHUB, YOG]]
    assert [[side["taken"] for side in pair] for pair in result["rounds"]] == [
        [0, 0], [1, 3], [3, 4],
    ]  # fmt: skip
    # Dreamlands takes one of Ana's in rounds 2 and 3; Ion heals one in round 3
    assert [[side["madness"] for side in pair] for pair in result["rounds"]] == [
        [0, 0], [0, 4], [2, 8],
    ]  # fmt: skip
    totals = [player["total"] for player in result["players"]]
    assert totals == [sum(pair[p]["points"] for pair in result["rounds"]) for p in (0, 1)]
    assert result["winners"] == [["Ana", "Ion"][totals.index(max(totals))]]
    assert sorted(player["rank"] for player in result["players"]) == [1, 2]


def test_a_missing_suit_is_the_best_one() -> None:
    given = three_rounds()
    given["rounds"] = given["rounds"][:1]
    given["rounds"][0][1]["dreamlands"] = None
    ion = GAME.score(given)["rounds"][0][1]
    dream = ion["dreamlands"]
    assert dream["chosen"] is False
    leads = {suit: both["own"] - both["other"] for suit, both in dream["options"].items()}
    assert set(leads) == set(SUITS)
    assert leads[dream["suit"]] == max(leads.values())
    assert dream["options"][dream["suit"]]["own"] == ion["points"]
    del given["rounds"][0][1]["dreamlands"]
    assert GAME.score(given)["rounds"][0][1] == ion
    given["rounds"][0][1]["dreamlands"] = RACES
    named = GAME.score(given)["rounds"][0][1]
    assert named["dreamlands"]["chosen"] is True
    assert named["points"] == dream["options"][RACES]["own"]
    assert GAME.score(given)["rounds"][0][0]["dreamlands"] is None


def test_a_shared_and_a_lost_game() -> None:
    outcome = scoring.final_standings([(3, 4), (2, 1)], (8, 8))
    assert outcome.winners == (0, 1) and outcome.rule == "tides-of-madness/tie-shared"
    assert outcome.ranks == (1, 1) and outcome.payoffs == (0.5, 0.5)
    outcome = scoring.final_standings([(30, 4)], (9, 8))
    assert outcome.winners == (1,) and outcome.ranks == (2, 1)
    assert scoring.final_standings([(1, 2)], (0, 0)).winners == (1,)


BAD: list[tuple[str, str, Any]] = [
    ("rounds[0][0].played[4]", "second time", ("rounds", 0, 0, "played", 4, ELDER)),
    ("rounds[0][1].played[0]", "second time", ("rounds", 0, 1, "played", 0, ELDER)),
    ("rounds[1][0].played[0]", "second time", ("rounds", 1, 0, "played", 0, CTHULHU)),
    ("rounds[1][1].kept[0]", "second time", ("rounds", 1, 1, "kept", 0, SHUB)),
    ("rounds[0][0].played[0]", "no such card", ("rounds", 0, 0, "played", 0, "Elder Things")),
    ("rounds[0][0].played[0]", "no such card", ("rounds", 0, 0, "played", 0, 7)),
    ("rounds[0][0].played[0]", "no such card", ("rounds", 0, 0, "played", 0, [])),
    ("rounds[0][0].played", "5 entries", ("rounds", 0, 0, "played", CARDS[:4])),
    ("rounds[0][0].kept", "0 entries", ("rounds", 0, 0, "kept", [YOG])),
    ("rounds[1][0].kept", "1 entries", ("rounds", 1, 0, "kept", [])),
    ("rounds[2][0].kept", "2 entries", ("rounds", 2, 0, "kept", [CTHULHU])),
    ("rounds[1][0].kept", "of the form", ("rounds", 1, 0, "kept", CTHULHU)),
    ("rounds[1][0].kept[0]", "Ana did not play Hastur", ("rounds", 1, 0, "kept", [HASTUR])),
    ("rounds[2][0].kept", "Cthulhu was kept before", ("rounds", 2, 0, "kept", [AZATHOTH, SHUB])),
    ("rounds[2][1].played[0]", "Hastur had left", ("rounds", 2, 1, "played", 0, HASTUR)),
    ("rounds[2][1].played[0]", "Kulten had left", ("rounds", 2, 1, "played", 0, KULTEN)),
    ("rounds[1]", "these are missing: Innsmouth, Unaussprechlichen Kulten",
     ("rounds", 1, 1, "played", 0, PNAKOTIC)),
    ("rounds[1]", "all are back", ("rounds", 1, 1, "played", 2, KULTEN)),
    ("rounds[1][1].choice", "took more madness this round (3 to 1)",
     ("rounds", 1, 1, "choice", None)),
    ("rounds[1][0].choice", "did not take more madness this round (1 to 3)",
     ("rounds", 1, 0, "choice", "points")),
    ("rounds[0][0].choice", "(0 to 0)", ("rounds", 0, 0, "choice", "heal")),
    ("rounds[0][0].choice", "points and heal", ("rounds", 0, 0, "choice", "both")),
    ("rounds[0][0].choice", "points and heal", ("rounds", 0, 0, "choice", {})),
    ("rounds[0][0].dreamlands", "does not have Dreamlands",
     ("rounds", 0, 0, "dreamlands", RACES)),
    ("rounds[0][1].dreamlands", "one of: races", ("rounds", 0, 1, "dreamlands", "cats")),
    ("rounds[0][1].dreamlands", "one of: races", ("rounds", 0, 1, "dreamlands", 1)),
    ("rounds[0][1].note", "belongs here", ("rounds", 0, 1, "note", "x")),
    ("rounds[0][1]", "of the form", ("rounds", 0, 1, [])),
    ("rounds[0]", "2 entries", ("rounds", 0, [])),
    ("rounds", "1 to 3 entries", ("rounds", [])),
    ("rounds", "1 to 3 entries", ("rounds", [[]] * 4)),
    ("players", "2 entries", ("players", ["Ana"])),
    ("players[1]", "tell them apart", ("players", 1, "Ana")),
    ("players[1]", "needs a name", ("players", 1, " ")),
    ("options.shub_stays", "not possible", ("options", {"shub_stays": 1})),
    ("options.more", "no such option", ("options", {"more": True})),
    ("options", "of the form", ("options", [])),
    ("game", "not for", ("game", "mythicals")),
]  # fmt: skip


@pytest.mark.parametrize(("place", "words", "change"), BAD)
def test_impossible_sheets(place: str, words: str, change: tuple[Any, ...]) -> None:
    *path, last, value = change
    given = three_rounds()
    at: Any = given
    for key in path:
        at = at[key]
    at[last] = list(value) if isinstance(value, tuple) else value
    with pytest.raises(InvalidSheet) as refused:
        GAME.score(given)
    assert refused.value.place == place
    assert words in str(refused.value)
    for lang in LANGUAGES:
        assert refused.value.text(lang)


def test_no_round_follows_the_end_by_madness() -> None:
    mad = [YOG, DAGON, NECRO, PNAKOTIC, MISKATONIC]
    first = [
        {"played": mad, "choice": "points"},
        {"played": [NYAR, MOUNTAINS, HASTUR, SHUB, ELDER]},
    ]
    second = [
        {"kept": [YOG], "played": [DAGON, NECRO, PNAKOTIC, RLYEH, DEEP], "choice": "points"},
        {"kept": [NYAR], "played": [MOUNTAINS, HASTUR, SHUB, CTHULHU, AZATHOTH]},
    ]
    given: dict[str, Any] = {"game": "tides-of-madness", "players": ["A", "B"]}
    result = GAME.score({**given, "rounds": [first, second]})
    assert result["finished"] and result["lost_to_madness"] == ["A"]
    assert result["winners"] == ["B"]
    assert [player["rank"] for player in result["players"]] == [2, 1]
    third = [
        {"kept": [YOG, DAGON], "played": [NECRO, PNAKOTIC, RLYEH, YITH, KULTEN],
         "choice": "points"},
        {"kept": [NYAR, HASTUR], "played": [MOUNTAINS, CTHULHU, AZATHOTH, INNSMOUTH,
                                            DREAMLANDS]},
    ]  # fmt: skip
    with pytest.raises(InvalidSheet) as refused:
        GAME.score({**given, "rounds": [first, second, third]})
    assert refused.value.place == "rounds[2]"
    assert "round 2" in str(refused.value)


def test_the_cards_that_can_still_come() -> None:
    entries = [sheet.read_round(r, "", n) for n, r in enumerate(three_rounds()["rounds"])]
    assert sheet.possible_cards([]) == CARDS
    one = sheet.possible_cards(entries[:1], ((CTHULHU,), (DREAMLANDS,)))
    assert set(CARDS) - set(one) == {CTHULHU, DREAMLANDS}
    two = sheet.possible_cards(entries[:2])
    assert set(CARDS) - set(two) == {CTHULHU, DREAMLANDS, KULTEN, HASTUR}


@given(seed=seeds, data=st.data())
@few
def test_a_sheet_with_any_two_cards_swapped_is_scored_or_refused_in_words(
    seed: int, data: st.DataObject
) -> None:
    record = random_record(GAME, seed)
    given = Referee(record).sheet(record)
    spots = [
        side[part]
        for pair in given["rounds"]
        for side in pair
        for part in ("kept", "played")
        if side[part]
    ]
    one, two = data.draw(st.sampled_from(spots)), data.draw(st.sampled_from(spots))
    i, j = (data.draw(st.integers(0, len(spot) - 1)) for spot in (one, two))
    one[i], two[j] = two[j], one[i]
    try:
        result = GAME.score(given)
    except InvalidSheet as refused:
        assert refused.place.startswith("rounds[")
        assert str(refused)
    else:
        assert len(result["rounds"]) == len(given["rounds"])


# -- words, bots, golden games --------------------------------------------------------------------


def test_the_table_in_words() -> None:
    state = position(
        "pick",
        ([ELDER, RLYEH], [NYAR, YOG]),
        ([CTHULHU, DAGON], [HASTUR, SHUB]),
        round=1,
        points=((5, 6),),
        madness=(1, 0),
        removed=pack([NECRO, KULTEN]),
        fresh=(0, pack([YOG])),
    )
    words = [text(line, names=("Ana", "Ion")) for line in GAME.in_words(GAME.observe(state, 0))]
    assert words[:6] == [
        "Round 2 of 3: draft a card",
        "Ana – points: 5, madness: 1; kept: Cthulhu; played: Dagon",
        "Ion – points: 6, madness: 0; kept: Hastur; played: Shub-Niggurath",
        "Your hand: Elder Things, R’lyeh",
        "Ion holds: Nyarlathotep, and 1 card you do not know",
        "Out of the game: Necronomicon, Unaussprechlichen Kulten",
    ]
    assert words[6].startswith("Not seen yet: ") and "Yog-Sothoth" in words[6]


@given(seed=seeds)
@settings(max_examples=10, deadline=None)
def test_every_position_has_words(seed: int) -> None:
    for state in positions(GAME, seed):
        for p in (0, 1):
            for lang in LANGUAGES:
                assert all(text(line, lang) for line in GAME.in_words(GAME.observe(state, p)))


def greedy(state: State, player: int) -> Act:
    choice: Act = bots.make("greedy", GAME)(GAME.observe(state, player), random.Random(0))
    return choice


def test_greedy_does_not_take_the_ninth_madness() -> None:
    state, _ = last_pick([RLYEH, *PLAIN[:4]], [NYAR, INNSMOUTH, MOUNTAINS, KULTEN, SHUB],
                         madness=(8, 0))  # fmt: skip
    assert greedy(state, 0) == Act("choose", "heal")
    # in the last round only the ninth counts
    state, _ = last_pick(
        [RLYEH, *PLAIN, INNSMOUTH],
        [NYAR, MOUNTAINS, SHUB, DREAMLANDS],
        round=2,
        madness=(5, 0),
        points=((0, 0), (0, 0)),
    )
    assert greedy(state, 0) == Act("choose", "points")


def test_greedy_names_the_best_suit() -> None:
    state, _ = last_pick([NYAR, INNSMOUTH, ELDER, KULTEN, DREAMLANDS], [AZATHOTH, MOUNTAINS,
                         CTHULHU, HASTUR, SHUB])  # fmt: skip
    assert greedy(state, 0) == Act("dreamlands", OLD)


def test_greedy_beats_random() -> None:
    agents = [bots.make("greedy", GAME), bots.make("random", GAME)]
    won = 0.0
    for n in range(100):
        seats = agents if n % 2 == 0 else agents[::-1]
        outcome = play(GAME, seats, n // 2).outcome()
        assert outcome is not None
        won += outcome.payoffs[n % 2] if outcome.winners else 0.5
    assert won >= 85


GOLDENS = sorted(GOLDEN.glob("*.json"))


@pytest.mark.parametrize("file", GOLDENS, ids=lambda file: file.stem)
def test_the_referee_agrees_on_golden_games(file: Path) -> None:
    record = Record.loads(file.read_text("utf-8"), games.get)
    referee = Referee(record)
    final = record.final()
    assert list(final.points) == referee.points
    assert list(final.madness) == referee.madness


def test_the_golden_games_show_every_ending() -> None:
    endings = set()
    for file in GOLDENS:
        record = Record.loads(file.read_text("utf-8"), games.get)
        outcome = record.outcome()
        assert outcome is not None
        endings.add((outcome.rule.split("/")[1], record.options["shub_stays"]))
    assert {rule for rule, _ in endings} == {"end", "tie-shared", "madness", "madness-both"}
    assert {stays for _, stays in endings} == {False, True}


def test_a_finished_game_goes_no_further() -> None:
    final = random_record(GAME, 3).final()
    with pytest.raises(IllegalAction):
        GAME.apply(final, 0, Act("pick", ELDER))
