"""Laying out, changing one thing, odds, examples: every number is the engine's own."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from math import comb, isclose

import pytest

from lovecraft import bots, games
from lovecraft.core import play
from lovecraft.explain.desks import Desk, NotOnDesk, desk
from lovecraft.explain.examples import example, neighbours, rules_with_examples
from lovecraft.explain.whatif import (
    Future,
    at_least_one,
    best_swap,
    interval,
    moved,
    swaps,
    ways,
)
from lovecraft.games.ancient_cards.cards import RUNES
from lovecraft.games.ancient_cards.scoring import score as runes_score
from lovecraft.i18n import LANGUAGES, text

every_desk = pytest.mark.parametrize("table", [*map(desk, games.GAMES)], ids=lambda d: d.game.id)


# -- examples -------------------------------------------------------------------------------------

EXAMPLES = [rule for game in games.GAMES for rule in rules_with_examples(game)]


@pytest.mark.parametrize("rule", EXAMPLES)
def test_every_scoring_rule_has_a_smallest_example_and_a_near_miss(rule: str) -> None:
    table = desk(rule.split("/")[0])
    pair = example(rule)
    assert pair is not None
    for one in (pair.example, pair.miss):
        assert table.problem(one.layout) is None
        assert table.measures(one.layout).get(rule, 0) == one.points
    assert pair.example.points > pair.miss.points
    assert pair.miss.layout in {layout for _, layout in neighbours(table, pair.example.layout)}


@every_desk
def test_examples_leave_no_scoring_rule_out(table: Desk) -> None:
    shown = set(rules_with_examples(table.game.id))
    assert shown >= {rule.id for rule in table.game.rules if rule.section == "scoring"}
    rng = random.Random(3)
    for _ in range(60):
        layout = random_layout(table, rng)
        paid = (*table.scores(layout)[0].lines, *table.could(layout))
        assert {line.rule for line in paid if line.points} <= shown


def random_layout(table: Desk, rng: random.Random, most: int = 5) -> object:
    """Pieces that fit, laid at random."""
    layout = table.empty()
    for _ in range(rng.randrange(1, 3 * most)):
        area = rng.randrange(len(table.areas))
        laid = table.put(layout, area, rng.choice(table.areas[area].pieces))
        if table.problem(laid) is None:
            layout = laid
    for k, knob in enumerate(table.knobs):
        layout = table.turn(layout, k, rng.choice(knob.values))
    return layout


def test_a_smaller_example_does_not_exist() -> None:
    table = desk("ancient-cards")
    for rule, size in (("ancient-cards/identical", 2), ("ancient-cards/different", 7)):
        pair = example(rule)
        assert pair is not None and len(pair.example.layout.areas[0]) == size
        for smaller in range(size):
            for runes in itertools.combinations_with_replacement(RUNES, smaller):
                assert table.measures(table.lay(runes)).get(rule, 0) == 0


# -- laying out -----------------------------------------------------------------------------------


@every_desk
def test_what_cannot_lie_there_is_refused_in_words(table: Desk) -> None:
    piece = table.areas[0].pieces[0]
    too_many = (piece,) * (table.areas[0].copies + 1)
    wrong = [(("no such piece",),), (too_many,)]
    for areas in wrong:
        with pytest.raises(NotOnDesk) as refused:
            table.lay(*areas)
        for lang in LANGUAGES:
            assert refused.value.text(lang)
    for area in table.areas:
        assert all(text(table.area_name(area), lang) for lang in LANGUAGES)
        assert all(text(table.piece_name(p), lang) for p in area.pieces for lang in LANGUAGES)
    for knob in table.knobs:
        for lang in LANGUAGES:
            assert text(table.knob_name(knob), lang)
            assert all(text(table.setting_name(knob, s), lang) for s in knob.values)


def test_the_desk_of_tides_scores_the_worked_example_of_the_source() -> None:
    table = desk("tides-of-madness")
    a = ("nyarlathotep", "azathoth", "dagon", "pnakotic-manuscripts", "elder-things")
    b = ("yog-sothoth", "cthulhu", "hastur", "mountains-of-madness", "shub-niggurath")
    own, other = table.scores(table.lay(a, b))
    assert (own.points, other.points) == (27, 7)


def test_markers_lie_on_claimed_tokens_only_and_go_with_them() -> None:
    table = desk("mythicals")
    with pytest.raises(NotOnDesk):
        table.lay((), (), ("red-7",))
    layout = table.lay((), ("red-7",), ("red-7", "red-7"))
    assert table.worth(layout) == 9
    assert table.take(layout, 1, 0) == table.empty()


@every_desk
def test_random_layouts_move_line_by_line_to_the_new_score(table: Desk) -> None:
    rng = random.Random(11)
    for _ in range(25):
        before, after = random_layout(table, rng), random_layout(table, rng)
        was, now = table.scores(before)[0], table.scores(after)[0]
        lines = moved(was, now)
        assert sum(line.change for line in lines) == now.points - was.points
        assert [m.before for m in lines if m.before] == list(was.lines)
        assert Counter(m.after for m in lines if m.after) == Counter(now.lines)


@every_desk
def test_the_best_swap_is_the_best_of_all(table: Desk) -> None:
    rng = random.Random(2)
    for _ in range(6):
        layout = random_layout(table, rng, 2)
        gains = [swap.gain for swap in swaps(table, layout)]
        best = best_swap(table, layout)
        assert max(gains, default=0) == (best.gain if best else min(0, max(gains, default=0)))
        if best:
            assert table.problem(best.layout) is None
            assert table.worth(best.layout) == table.worth(layout) + best.gain


@every_desk
def test_what_a_seat_has_before_it_is_worth_there_what_it_is_in_the_game(table: Desk) -> None:
    game = table.game
    laid = 0
    for seed in range(8):
        record = play(game, [bots.uniform] * game.min_players, seed)
        for step in record.steps():
            for seat in range(game.min_players):
                layout = table.seen(game.observe(step.after, seat))
                if layout is not None:
                    laid += 1
                    assert table.problem(layout) is None
        final = game.observe(record.final(), 0)
        layout = table.seen(final)
        outcome = record.outcome()
        if layout is None or outcome is None:
            continue
        points = table.scores(layout)[0].points
        if game.id == "mythicals":
            assert points == outcome.totals[0]
        elif game.id == "ancient-cards":
            assert points == record.final().points[-1][0]
        elif game.id == "ritos-ancestrais":
            bonus = sum(done.bonus for done in final.rituals[0])
            assert points == outcome.totals[0] - bonus
    assert laid > 50


def test_the_desk_of_tides_scores_a_round_as_the_game_does() -> None:
    table = desk("tides-of-madness")
    game, checked = table.game, 0
    for seed in range(30):
        for step in play(game, [bots.uniform] * 2, seed).steps():
            scored = {e.player: e.data["points"] for e in step.events if e.kind == "scored"}
            shown = {e.player: str(e.data["card"]) for e in step.events if e.kind == "revealed"}
            if scored and shown:  # nobody had anything to choose between the last card and that
                for seat, points in scored.items():
                    layout = table.seen(game.observe(step.before, seat))
                    assert layout is not None
                    layout = table.put(table.put(layout, 0, shown[seat]), 1, shown[1 - seat])
                    assert table.scores(layout)[0].points == points
                    checked += 1
    assert checked > 5


# -- what is still to come ------------------------------------------------------------------------


def test_counted_odds_agree_with_counting_every_deal() -> None:
    table = desk("ancient-cards")
    layout = table.lay(("ia", "ia", "cthulhu"))
    pool = {"ia": 2, "cthulhu": 1, "rlyeh": 2}
    odds = Future(table, layout, 2, pool).finish()
    assert odds.exact
    cards = [rune for rune, n in pool.items() for _ in range(n)]
    deals = list(itertools.combinations(range(len(cards)), 2))
    points = Counter(
        runes_score(Counter([*layout.areas[0], *(cards[i] for i in deal)])).points for deal in deals
    )
    assert dict(odds.chances) == pytest.approx({v: n / len(deals) for v, n in points.items()})
    assert isclose(odds.at_least(0), 1)
    assert odds.mean == pytest.approx(sum(v * n for v, n in points.items()) / len(deals))


@every_desk
def test_sampled_odds_hold_the_counted_ones_in_their_interval(table: Desk) -> None:
    layout = table.empty()
    counted = Future(table, layout, 2).finish()
    sampled = Future(table, layout, 2, seed=4, counted=0, samples=400)
    assert not sampled.step(10) and sampled.odds.samples == 10
    odds = sampled.finish()
    assert counted.exact and not odds.exact and odds.samples == 400
    exact = dict(counted.chances)
    inside = sum(
        low <= exact[value] <= high
        for (value, _), low, high in zip(odds.chances, odds.low, odds.high, strict=True)
    )
    assert inside >= len(odds.chances) - 1
    assert Future(table, layout, 2, seed=4, counted=0, samples=400).finish() == odds


def test_numbers_of_ways_and_shares() -> None:
    assert ways((7,) * 7, 7) == comb(13, 6)
    assert ways((1,) * 18, 5) == comb(18, 5)
    assert at_least_one(1, 18, 5) == Fraction(5, 18)
    assert at_least_one(3, 3, 9) == 1
    low, high = interval(0, 50)
    assert low == 0 and 0.05 < high < 0.1
    assert interval(0, 0) == (0.0, 1.0)
