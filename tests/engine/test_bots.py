"""The bots that think: slices, budgets, fairness, exact rounds, known blunders, hints, ladder."""

from __future__ import annotations

import gc
import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support import random_record

from lovecraft import bots, games
from lovecraft.bots import Budget, exact
from lovecraft.bots.advice import advise, review, settled
from lovecraft.bots.blunders import blunders
from lovecraft.bots.exact import Node, ancient_cards, tides_of_madness
from lovecraft.bots.exact.mythicals import EndSolver, reveals
from lovecraft.bots.guides.ancient_cards import after_rounds, standing
from lovecraft.bots.guides.tides_of_madness import promise
from lovecraft.bots.search import Guide, Search, softmax
from lovecraft.bots.thinking import Assessment
from lovecraft.core import (
    CHANCE_MOVES,
    AnyGame,
    InvalidOption,
    Record,
    UnknownName,
    play,
)
from lovecraft.games.mythicals.actions import Action as MythicalsAction
from lovecraft.games.mythicals.cards import DAWN_UNIT, TOKEN_UNIT, units
from lovecraft.games.mythicals.rulebook import AFTER_CLAIM, EVERY_TURN
from lovecraft.games.tides_of_madness.cards import BIT, ICONS, NONE, pack
from lovecraft.games.tides_of_madness.state import Act, State
from lovecraft.i18n import LANGUAGES, text
from lovecraft.ladder import elo, ladder

TIDES = games.get("tides-of-madness")
RUNES = games.get("ancient-cards")
MYTHICALS = games.get("mythicals")
MODIFY_OPTIONS = (AFTER_CLAIM, EVERY_TURN)
THINKERS = [level for level, made in bots.LEVELS.items() if made.budget]
every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=games.GAMES.keys())


def decisions(game: AnyGame, seed: int, least: int = 2) -> Iterator[tuple[Any, int, Any]]:
    """State, seat and observation of every decision with a choice in a random game."""
    for step in random_record(game, seed).steps():
        for seat in game.to_move(step.before):
            if seat >= 0:
                seen = game.observe(step.before, seat)
                if len(seen.actions) >= least:
                    yield step.before, seat, seen


def first(game: AnyGame, seed: int) -> Any:
    return next(decisions(game, seed))[2]


# -- thinking in slices ---------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("level", THINKERS)
def test_slices_come_to_the_same_choice_as_thinking_through(game: AnyGame, level: str) -> None:
    budget = Budget(iterations=40)
    for seed in range(3):
        seen = first(game, seed)
        thought = bots.think(level, game, seen, random.Random(seed), budget)
        with pytest.raises(RuntimeError):
            assert thought.choice
        slices = 1
        while not thought.step(0):
            slices += 1
        assert slices > 1
        assert thought.choice == bots.make(level, game, budget)(seen, random.Random(seed))
        assert thought.step()  # nothing more to do


@every_game
@pytest.mark.parametrize("level", THINKERS)
def test_the_clock_ends_the_thinking(game: AnyGame, level: str) -> None:
    """A clock that ticks each time it is looked at: nothing here depends on the machine."""
    ticks = iter(range(10**6))
    seen = first(game, 1)
    budget = Budget(seconds=4.0, clock=lambda: float(next(ticks)))
    thought = bots.think(level, game, seen, random.Random(0), budget).finish()
    assert thought.choice in seen.actions
    assert next(ticks) < 20


def test_thinking_leaves_the_collector_as_it_was() -> None:
    thought = bots.think("adept", RUNES, first(RUNES, 1), random.Random(0), Budget(iterations=30))
    assert gc.isenabled()
    thought.step(0)
    assert gc.isenabled()
    gc.disable()
    try:
        thought.finish()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_budget_is_needed_and_known() -> None:
    seen = first(RUNES, 0)
    with pytest.raises(ValueError, match="limit"):
        next(Search(RUNES, seen, random.Random(0)).running(Budget()))
    for level in ("greedy", "deep-blue"):
        with pytest.raises(UnknownName):
            bots.think(level, RUNES, seen, random.Random(0))
    assert Budget(seconds=2, iterations=50).nodes == Budget(iterations=50).nodes
    assert Budget(seconds=2).times(10).seconds == 20


@every_game
@pytest.mark.parametrize("level", THINKERS)
def test_whole_games_with_little_thought(game: AnyGame, level: str) -> None:
    for players in {game.min_players, min(3, game.max_players)}:
        agents = [bots.make(level, game, Budget(iterations=3))] * players
        first_time = play(game, agents, "whole")
        assert first_time.outcome() is not None
        assert play(game, agents, "whole") == first_time


def test_what_lies_face_down_changes_nothing() -> None:
    """A choice made at the same time is judged the same, whoever laid a card down first."""
    budget = Budget(iterations=30)
    for game in (TIDES, RUNES):
        for level in THINKERS:
            bot = bots.make(level, game, budget)
            for state, seat, seen in list(decisions(game, 4))[:12]:
                movers = game.to_move(state)
                if len(movers) < 2:
                    continue
                choice = bot(seen, random.Random(5))
                for other in movers:
                    if other != seat:
                        action = game.legal_actions(state, other)[-1]
                        state = game.advance(state, other, action)
                assert bot(game.observe(state, seat), random.Random(5)) == choice


def test_priors_and_widening_choose_what_to_try() -> None:
    """With a prior an action of no promise need not be tried; without one all are, in time."""
    seen = next(o for _, _, o in decisions(RUNES, 3, least=5))
    favourite = seen.actions[2]
    prior = Guide(prior=lambda o: {action: float(action == favourite) for action in o.actions})
    for guide, most in ((prior, 1), (Guide(widen=0.5), 4), (Guide(), len(seen.actions))):
        search = Search(RUNES, seen, random.Random(0), guide)
        for _ in range(12):
            search.iterate()
        tried = [estimate for estimate in search.estimates() if estimate.visits]
        assert sum(estimate.visits for estimate in tried) == search.iterations == 12
        assert len(tried) <= most if guide.prior or guide.widen else len(tried) == most
        assert search.choice() in {estimate.action for estimate in tried}
    assert softmax({"a": 1.0, "b": 3.0}, 0.1)["b"] == pytest.approx(1)


# -- exact rounds ---------------------------------------------------------------------------------


def last_rounds(number: int, cards: int, seed: int = 0) -> Iterator[State]:
    """Positions of the last round of random games with so many cards in each hand."""
    rng = random.Random(seed)
    while number:
        state = TIDES.start(TIDES.setup(2, {"shub_stays": rng.random() < 0.3}))
        while movers := TIDES.to_move(state):
            if movers == CHANCE_MOVES:
                state = TIDES.advance(state, -1, TIDES.draw(state, rng))
            elif state.round == 2 and state.phase == "pick" and state.hands[0].bit_count() == cards:
                yield state
                number -= 1
                break
            else:
                joint = tuple(rng.choice(TIDES.legal_actions(state, p)) for p in movers)
                state = TIDES.advance_together(state, joint)


def share_of_first(game: AnyGame, state: Any) -> float:
    shares = game.outcome(state).payoffs  # type: ignore[union-attr]
    return 0.5 + (shares[0] - shares[1]) / 2


def best_response(game: AnyGame, solver: Any, state: Any, seat: int) -> float:
    """The first seat's share when ``seat`` answers the solver's mixtures as well as can be.

    Walks the game itself, with none of the solver's tables: every line that the other seat's
    mixture allows, everything for ``seat``.
    """

    @cache
    def walk(state: Any) -> float:
        movers = game.to_move(state)
        if not movers or movers == CHANCE_MOVES:
            return share_of_first(game, state)
        node: Node = solver.node(state)
        pick = max if seat == 0 else min
        if len(movers) == 1:
            (mover,) = movers
            values = [walk(game.advance(state, mover, action)) for action in node.choices[mover]]
            if mover == seat:
                return pick(values)
            weights = node.mixtures[mover]
            return sum(w * v for w, v in zip(weights, values, strict=True))
        answers = []
        for action in node.choices[seat]:
            value = 0.0
            for weight, other in zip(node.mixtures[1 - seat], node.choices[1 - seat], strict=True):
                if weight:
                    joint = (action, other) if seat == 0 else (other, action)
                    value += weight * walk(game.advance_together(state, joint))
            answers.append(value)
        return pick(answers)

    return walk(state)


def check_tides(number: int, cards: int, seed: int) -> None:
    for state in last_rounds(number, cards, seed):
        solver = tides_of_madness.RoundSolver(state)
        node = solver.node(state)
        up, down = (best_response(TIDES, solver, state, seat) for seat in (0, 1))
        assert up - down < 1e-9
        assert down - 1e-9 <= node.share <= up + 1e-9


@pytest.mark.parametrize(("number", "cards"), [(6, 4), (12, 3), (12, 2), (4, 1)])
def test_nothing_beats_the_solved_last_round_of_tides(number: int, cards: int) -> None:
    check_tides(number, cards, cards)


@pytest.mark.long
def test_nothing_beats_500_solved_last_rounds_of_tides() -> None:
    check_tides(500, 4, 11)
    check_tides(20, 5, 12)


def rune_rounds(number: int, cards: int, seed: int) -> Iterator[Any]:
    """Positions of the third round of two players with so many cards in each hand."""
    rng = random.Random(seed)
    for n in range(number):
        state = RUNES.start(RUNES.setup(2, {"keep_play_area": n % 3 == 0}))
        while True:
            movers = RUNES.to_move(state)
            if movers == CHANCE_MOVES:
                state = RUNES.advance(state, -1, RUNES.draw(state, rng))
                continue
            if state.round == 2 and state.pick == 7 - cards:
                break
            joint = tuple(rng.choice(RUNES.legal_actions(state, p)) for p in movers)
            state = RUNES.advance_together(state, joint)
        yield state


def check_runes(number: int, cards: int, seed: int) -> None:
    for state in rune_rounds(number, cards, seed):
        solver = ancient_cards.RoundSolver(state, after_rounds)
        node = solver.node(state)
        up, down = (best_response(RUNES, solver, state, seat) for seat in (0, 1))
        assert up - down < 1e-9
        assert down - 1e-9 <= node.share <= up + 1e-9


@pytest.mark.parametrize(("number", "cards"), [(4, 4), (8, 3), (8, 2)])
def test_nothing_beats_the_solved_third_round_of_runes(number: int, cards: int) -> None:
    check_runes(number, cards, cards)


@pytest.mark.long
def test_nothing_beats_500_solved_third_rounds_of_runes() -> None:
    check_runes(500, 4, 21)


def test_masters_solve_what_is_small_and_say_so() -> None:
    (state,) = last_rounds(1, 4, 7)
    for seat in (0, 1):
        seen = TIDES.observe(state, seat)
        thought = bots.think("master", TIDES, seen, random.Random(0)).finish()
        assert thought.exact
        assert all(a.spread == 0 and a.lead is not None for a in thought.assessments)
        assert sum(a.weight for a in thought.assessments) == pytest.approx(1)
        played = [a for a in thought.assessments if a.weight]
        best = max(a.value for a in thought.assessments)
        assert all(a.value == pytest.approx(best) for a in played)
        # one iteration pays for no solution: the search takes its place
        little = bots.think("master", TIDES, seen, random.Random(0), Budget(iterations=1))
        assert not little.finish().exact


def test_what_cannot_be_solved_is_left_to_the_search() -> None:
    rng = random.Random(0)
    for seed in range(8):
        for _, _, seen in decisions(RUNES, seed):
            task = exact.task(RUNES, seen, rng)
            if seen.setup.players > 2 or None in seen.hands:
                assert task is None
    assert exact.task(MYTHICALS, first(MYTHICALS, 0), rng) is None
    with pytest.raises(ValueError, match="two players"):
        ancient_cards.RoundSolver(RUNES.start(RUNES.setup(3)), after_rounds)
    with pytest.raises(ValueError, match="last round"):
        tides_of_madness.RoundSolver(TIDES.start(TIDES.setup(2)))


def short_piles(number: int, pile: int, seed: int) -> Iterator[Any]:
    """Positions of random games of Mythicals with so many cards in the pile."""
    rng = random.Random(seed)
    while number:
        options = {"gift_duplicates": rng.random() < 0.8, "modify": rng.choice(MODIFY_OPTIONS)}
        state = MYTHICALS.start(MYTHICALS.setup(2, options))
        while movers := MYTHICALS.to_move(state):
            if movers == CHANCE_MOVES:
                state = MYTHICALS.advance(state, -1, MYTHICALS.draw(state, rng))
            elif state.pile == pile and state.phase != "draw" and rng.random() < 0.4:
                yield state
                number -= 1
                break
            else:
                (mover,) = movers
                action = rng.choice(MYTHICALS.legal_actions(state, mover))
                state = MYTHICALS.advance(state, mover, action)


def expectimax(state: Any) -> float:
    """The first seat's share by the rules alone: every action, every order of the pile."""

    @cache
    def walk(state: Any) -> float:
        movers = MYTHICALS.to_move(state)
        if not movers:
            return share_of_first(MYTHICALS, state)
        if movers == CHANCE_MOVES:
            orders = list(permutations([*units(state.unseen), DAWN_UNIT], 3))
            return sum(
                walk(MYTHICALS.advance(state, -1, MythicalsAction("reveal", "", sum(order))))
                for order in orders
            ) / len(orders)
        values = [
            walk(MYTHICALS.advance(state, movers[0], action))
            for action in MYTHICALS.legal_actions(state, movers[0])
        ]
        return min(values) if movers[0] else max(values)

    return walk(state)


def small(state: Any, tokens: int, rng: random.Random) -> Any:
    """The position with few tokens left on the board, the others gone."""
    kept = rng.sample([unit for unit in TOKEN_UNIT.values() if state.board & unit], tokens)
    return state._replace(board=sum(kept), locked=state.locked & sum(kept))


@pytest.mark.parametrize(("number", "pile", "tokens"), [(12, 3, 4), (3, 6, 2)])
def test_short_piles_are_solved_as_by_brute_force(number: int, pile: int, tokens: int) -> None:
    rng = random.Random(pile)
    found = set()
    for state in short_piles(number, pile, pile):
        few = small(state, min(tokens, state.board.bit_count()), rng)
        for lead in (0, 4):
            at = few._replace(stacks=((), few.stacks[1]) if lead else few.stacks)
            solver = EndSolver(at)
            shares = solver.shares()
            for action in MYTHICALS.legal_actions(at, at.player):
                after = MYTHICALS.advance(at, at.player, action)
                if action in shares:
                    assert shares[action] == pytest.approx(expectimax(after), abs=1e-9)
            best = (min if at.player else max)(shares.values())
            assert best == pytest.approx(expectimax(at), abs=1e-9)
            found.add(best)
    assert len(found) > 2  # not all of them decided


def test_reveals_of_a_short_pile_have_the_odds_of_a_shuffled_one() -> None:
    (state,) = short_piles(1, 6, 2)
    unseen = sum(units(state.unseen)[:5])
    for pile, cards in ((6, 5), (3, 2)):
        found = reveals(sum(units(unseen)[:cards]), pile)
        assert sum(likely for _, likely in found) == pytest.approx(1)
        with_dawn = sum(likely for reveal, likely in found if reveal.amount & DAWN_UNIT)
        assert with_dawn == pytest.approx(3 / pile)


def test_masters_solve_short_piles_bit_by_bit() -> None:
    for state in short_piles(3, 6, 9):
        seen = MYTHICALS.observe(state, state.player)
        thought = bots.think("master", MYTHICALS, seen, random.Random(0), Budget(iterations=9000))
        slices = 1
        while not thought.step(0):
            slices += 1
        assert thought.exact
        assert {a.action for a in thought.assessments} == set(seen.actions)
        shares = EndSolver(state).shares()
        for assessed in thought.assessments:
            share = shares.get(assessed.action, shares[seen.actions[0]])
            assert assessed.value == pytest.approx(1 - share if state.player else share)
            assert assessed.visits == assessed.spread == 0
        best = max(a.value for a in thought.assessments)
        assert sum(a.weight for a in thought.assessments if a.value == best) == pytest.approx(1)
        # too little for a solution: half of it is searched
        little = bots.think("master", MYTHICALS, seen, random.Random(0), Budget(iterations=4))
        assert little.finish().choice in seen.actions


def test_both_mad_counts_as_a_draw() -> None:
    share = tides_of_madness.final_share
    assert share(50, (9, 9)) == 0.5
    assert share(50, (9, 8)) == 0.0
    assert share(-50, (8, 10)) == 1.0
    assert (share(3, (0, 8)), share(0, (0, 0)), share(-1, (8, 0))) == (1.0, 0.5, 0.0)


# -- estimates ------------------------------------------------------------------------------------


def test_standings_promise_shares_of_one_victory() -> None:
    for totals in ((0, 0), (3, 5), (7, 7, 2), (1, 2, 3, 4, 5, 6, 7)):
        for rounds in (1, 2):
            shares = standing(totals, rounds)
            assert sum(shares) == pytest.approx(1)
            order = sorted(range(len(totals)), key=totals.__getitem__)
            assert sorted(shares) == pytest.approx([shares[p] for p in order])
    assert standing((4, 4), 1) == pytest.approx((0.5, 0.5))
    assert after_rounds(((3, 2), (1, 2), (2, 2))) == (0.5, 0.5)
    assert after_rounds(((3, 2), (2, 2), (1, 2))) == (0.0, 1.0)  # level: the third round decides


def test_promises_are_fair_to_both_seats() -> None:
    a, b, c, d = (pack(ids) for ids in (["dagon"], ["hastur"], ["azathoth"], ["dreamlands"]))
    for rnd in (0, 1):
        for lead in (-12, 0, 7):
            one = promise(rnd, lead, (2, 5), (a, b), (c, d))
            other = promise(rnd, -lead, (5, 2), (b, a), (d, c))
            assert one + other == pytest.approx(1)
            assert promise(rnd, lead + 5, (2, 5), (a, b), (c, d)) > one


# -- blunders -------------------------------------------------------------------------------------


def tides_state(**changes: Any) -> State:
    """A last round with four cards in each hand, nothing decided before."""
    plain = State(
        setup=TIDES.setup(2),
        round=2,
        phase="pick",
        movers=(0, 1),
        hands=(NONE, NONE),
        tableaus=((), ()),
        picks=(NONE, NONE),
        keeps=(NONE, NONE),
        fresh=(NONE, NONE),
        removed=NONE,
        madness=(0, 0),
        doubled=NONE,
        choice=None,
        suit=None,
        points=((10, 10), (10, 10)),
    )
    return plain._replace(**changes)


def row(*cards: str) -> tuple[int, ...]:
    return tuple(BIT[card] for card in cards)


@pytest.mark.parametrize("level", THINKERS)
def test_nyarlathotep_is_not_let_go_by(level: str) -> None:
    """Its 13 points decide for whoever gets it: taking it wins, anything else loses."""
    state = tides_state(
        tableaus=(
            row("azathoth", "miskatonic-university", "unaussprechlichen-kulten", "hastur"),
            row("dagon", "yog-sothoth", "shub-niggurath", "innsmouth"),
        ),
        hands=(
            pack(["nyarlathotep", "cthulhu", "dreamlands"]),
            pack(["elder-things", "necronomicon", "pnakotic-manuscripts"]),
        ),
        removed=pack(["deep-ones", "great-race-of-yith", "mountains-of-madness", "rlyeh"]),
        madness=(4, 5),
        points=((17, 9), (14, 17)),
    )
    node = tides_of_madness.RoundSolver(state).node(state)
    found = {
        act.what: share for act, (share, _) in zip(node.choices[0], node.against(0), strict=True)
    }
    assert found == {"nyarlathotep": 1.0, "cthulhu": 0.0, "dreamlands": 0.0}
    for seed in range(3):
        bot = bots.make(level, TIDES, Budget(iterations=300))
        choice = bot(TIDES.observe(state, 0), random.Random(seed))
        assert choice == Act("pick", "nyarlathotep")


@pytest.mark.parametrize("level", THINKERS)
def test_the_ninth_madness_is_not_taken(level: str) -> None:
    """Eight madness by the end of the round already; one card in hand bears no icon."""
    state = tides_state(
        tableaus=(
            row("dagon", "rlyeh", "deep-ones", "hastur", "azathoth"),
            row("cthulhu", "innsmouth", "elder-things", "nyarlathotep", "unaussprechlichen-kulten"),
        ),
        hands=(
            pack(["necronomicon", "mountains-of-madness"]),
            pack(["yog-sothoth", "pnakotic-manuscripts"]),
        ),
        madness=(5, 0),
        points=((30, 0), (30, 0)),
    )
    # an icon will come with the second hand: with the Necronomicon too that would be ten, less one
    # healed: nine
    for seed in range(3):
        bot = bots.make(level, TIDES, Budget(iterations=200))
        choice = bot(TIDES.observe(state, 0), random.Random(seed))
        assert choice == Act("pick", "mountains-of-madness")


@pytest.mark.parametrize("level", THINKERS)
def test_a_madness_too_many_is_healed(level: str) -> None:
    state = tides_state(
        phase="choose",
        movers=(0,),
        tableaus=(
            row("dagon", "rlyeh", "deep-ones", "hastur", "azathoth", "innsmouth", "necronomicon"),
            row("cthulhu", "elder-things", "nyarlathotep", "yog-sothoth", "shub-niggurath")
            + row("mountains-of-madness", "unaussprechlichen-kulten"),
        ),
        madness=(9, 1),
        points=((40, 0), (40, 0)),
    )
    bot = bots.make(level, TIDES, Budget(iterations=50))
    assert bot(TIDES.observe(state, 0), random.Random(0)) == Act("choose", "heal")


def test_what_the_checker_calls_a_blunder() -> None:
    """Random play commits all three kinds; the named moves are what the checker says they are."""
    kinds = set()
    for game in (TIDES, MYTHICALS):
        bot = bots.make("random", game)
        for seed in range(3, 15):
            record = play(game, [bot, bot], f"blunders/{seed}")
            steps = tuple(record.steps())
            for blunder in blunders(record):
                kinds.add(blunder.kind)
                step = steps[blunder.at]
                move = step.move
                assert blunder.player == move.player
                assert 0.25 <= blunder.cost <= 1
                if blunder.kind == "thirteen":
                    assert move.action.target != "black-13"
                    assert record.outcome().winners != (move.player,)  # type: ignore[union-attr]
                elif blunder.kind == "nyarlathotep":
                    assert step.before.hands[move.player] & BIT["nyarlathotep"]
                    assert move.action.what != "nyarlathotep"
                else:
                    icons = sum(step.before.tableaus[move.player], BIT[move.action.what]) & ICONS
                    assert step.before.madness[move.player] + icons.bit_count() >= 9
    assert kinds == {"thirteen", "nyarlathotep", "ninth"}
    unfinished = play(TIDES, [bots.make("random", TIDES)] * 2, 0).upto(30)
    assert blunders(unfinished) == ()
    assert blunders(play(RUNES, [bots.make("random", RUNES)] * 2, 0)) == ()


def test_masters_commit_no_blunders() -> None:
    """A few games here, many with ``python -m tools.blunders`` (docs/strength.md).

    600 iterations are what it takes for the whole last round of Tides of Madness to be solved.
    """
    for game, iterations, number in ((TIDES, 600, 1), (MYTHICALS, 30, 3)):
        bot = bots.make("master", game, Budget(iterations=iterations))
        for seed in range(number):
            assert blunders(play(game, [bot, bot], f"none/{seed}")) == ()


# -- hints and reviews ----------------------------------------------------------------------------


@every_game
def test_hints_are_told_in_every_language(game: AnyGame) -> None:
    for seed in range(4):
        all_of_them = list(decisions(game, seed))
        for _, _, seen in all_of_them[:: max(6, len(all_of_them) // 6)]:
            hints = advise(game, seen, Budget(iterations=12))
            assert {hint.action for hint in hints} == set(seen.actions)
            values = [hint.value for hint in hints]
            assert values == sorted(values, reverse=True)
            assert sum(hint.weight for hint in hints) == pytest.approx(1)
            for hint in hints:
                assert 0 <= hint.value <= 1 and hint.spread >= 0
                for lang in LANGUAGES:
                    told = text(hint.why, lang, ["Ana", "Ion", "Ira", "Una", "Eva", "Ada", "Ugo"])
                    assert told.endswith(".") and "{" not in told
            assert advise(game, seen, Budget(iterations=12)) == hints


@every_game
def test_a_review_finds_every_decision_and_its_regret(game: AnyGame) -> None:
    record = play(game, [bots.make("random", game)] * 2, "review")
    judged = review(record, Budget(iterations=5))
    chosen = [
        (at, move.player)
        for at, (move, state) in enumerate(
            zip(record.moves, (step.before for step in record.steps()), strict=True)
        )
        if move.player >= 0 and len(game.legal_actions(state, move.player)) > 1
    ]
    assert [(j.at, j.player) for j in judged] == chosen
    for judgement in judged:
        assert judgement.regret == judgement.hints[0].value - judgement.chosen.value >= 0
        assert judgement.chosen.action == record.moves[judgement.at].action
    assert len(review(record, Budget(iterations=1), seat=0)) == sum(p == 0 for _, p in chosen)


def test_a_lucky_first_visit_is_no_best_hint() -> None:
    found = [
        Assessment("good", 0.60, 0.02, 400, 1.0),
        Assessment("lucky", 1.00, 0.35, 1, 0.0),
        Assessment("bad", 0.20, 0.10, 12, 0.0),
        Assessment("never", 0.00, math.inf, 0, 0.0),
    ]
    good, lucky, bad, never = settled(found)
    assert good.value == pytest.approx(0.60, abs=0.01)
    assert good.value > lucky.value > bad.value == never.value > 0.20
    deals = [a._replace(visits=7) for a in found]
    assert settled(deals) == tuple(deals)
    solved = [a._replace(visits=0, spread=0.0) for a in found]
    assert settled(solved) == tuple(solved)


def test_a_review_looks_at_what_was_played() -> None:
    """Of a thousand actions most are never tried, but the one that was played is."""
    ritos = games.get("ritos-ancestrais")
    record = play(ritos, [bots.make("random", ritos)] * 2, "many")
    judged = review(record.upto(60), Budget(iterations=40), seat=0)
    wide = [j for j in judged if len(j.hints) > 40]
    assert wide
    for judgement in wide:
        assert any(not hint.visits for hint in judgement.hints)
        assert judgement.chosen.visits >= 5
        assert judgement.spread < 1


def test_the_masters_own_solved_moves_have_no_regret() -> None:
    (state,) = last_rounds(1, 4, 3)
    solver = tides_of_madness.RoundSolver(state)
    node = solver.node(state)
    for seat in (0, 1):
        hints = advise(TIDES, TIDES.observe(state, seat), Budget(seconds=5))
        for hint in hints:
            assert hint.exact and hint.visits == 0
            if hint.weight:
                assert hint.value == pytest.approx(node.share if seat == 0 else 1 - node.share)


# -- the ladder -----------------------------------------------------------------------------------


def test_elo_of_known_rates() -> None:
    # 10 to 1 is 400 points; one virtual draw pulls it in a little
    ((zero, _), (rating, wide)) = elo([[0, 1000], [10000, 0]], [[0, 11000], [11000, 0]])
    assert zero == 0
    assert rating == pytest.approx(400, abs=1)
    assert 0 < wide < 20
    ratings = elo([[0, 5, 0], [5, 0, 5], [10, 5, 0]], [[0, 10, 10], [10, 0, 10], [10, 10, 0]])
    assert ratings[0][0] < ratings[1][0] < ratings[2][0]


def test_budgets_in_names() -> None:
    assert bots.named("greedy").budget is None
    assert bots.named("master") == bots.LEVELS["master"]
    assert bots.named("adept@2.5s").budget == Budget(seconds=2.5)
    assert bots.named("adept@70").budget == Budget(iterations=70)
    for wrong in ("greedy@5", "adept@", "adept@0", "adept@-1s", "adept@x", "master@nans"):
        with pytest.raises(InvalidOption) as refused:
            bots.make(wrong, RUNES)
        assert refused.value.place == "bots"
    with pytest.raises(UnknownName):
        bots.named("deep-blue@3s")
    seen = first(RUNES, 2)
    bot, same = bots.make("adept@30", RUNES), bots.make("adept", RUNES, Budget(iterations=30))
    assert bot(seen, random.Random(1)) == same(seen, random.Random(1))


def test_a_ladder_can_be_interrupted(tmp_path: Path) -> None:
    levels = ["random", "greedy", "adept@3"]
    log = tmp_path / "games.jsonl"
    whole = ladder(RUNES, levels, 4, "seed", log=log)
    assert [row["bot"] for row in whole["levels"]] == levels
    assert whole["levels"][0]["elo"] == 0
    assert all(pair["games"] == 4 for pair in whole["pairs"])
    lines = log.read_text().splitlines(keepends=True)
    assert len(lines) == whole["games"] == 12
    log.write_text("".join(lines[:5]))
    again = ladder(RUNES, levels, 4, "seed", log=log)
    assert len(log.read_text().splitlines()) == 12
    assert again["pairs"] == whole["pairs"]
    four = ladder(RUNES, [*levels, "master@2"], 4, "seed", players=4)
    assert four["games"] == 4
    assert sum(row["win_rate"] for row in four["levels"]) == pytest.approx(1)
    twice = ladder(RUNES, ["random", "greedy"], 2, "seed", players=3)
    assert twice["pairs"][0]["games"] == 4


def test_everybody_follows_everybody_in_a_ladder(tmp_path: Path) -> None:
    levels = ["random", "greedy", "adept@1"]
    log = tmp_path / "games.jsonl"
    ladder(RUNES, levels, 12, "seed", players=3, log=log)
    tables = [json.loads(line)["bots"] for line in log.read_text().splitlines()]
    follows = Counter((t[i - 1], t[i]) for t in tables for i in range(3))
    assert follows == dict.fromkeys(permutations(levels, 2), 6)
    assert Counter(t[0] for t in tables) == dict.fromkeys(levels, 4)


@pytest.mark.parametrize("levels", [[], ["greedy"], ["greedy", "random", "greedy"]])
def test_a_ladder_needs_different_levels(levels: list[str]) -> None:
    with pytest.raises(InvalidOption) as refused:
        ladder(RUNES, levels, 2, "seed")
    assert refused.value.place == "bots"
    assert str(refused.value) == "bots: A ladder compares at least two bots, each named once."


def test_a_record_of_thinkers_replays() -> None:
    record = play(TIDES, [bots.make("adept", TIDES, Budget(iterations=4))] * 2, 1)
    assert Record.loads(record.dumps(), games.get) == record
