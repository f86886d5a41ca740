"""What every registered game must keep; no game is named here."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import positions, random_record, sample_setup, setups

from lovecraft import bots, games
from lovecraft.core import (
    CHANCE,
    CHANCE_MOVES,
    AnyGame,
    IllegalAction,
    InvalidOption,
    InvalidRecord,
    InvalidSheet,
    Player,
    Record,
    play,
    playout,
)
from lovecraft.i18n import LANGUAGES, text

every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=games.GAMES.keys())
seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)
FEW_ITERATIONS = bots.Budget(iterations=6)
"""With a budget of iterations a bot repeats its choice; on a clock it may not."""
junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=8),
    st.tuples(st.text(max_size=4), st.integers()),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@every_game
@given(seed=seeds)
@few
def test_random_games_end_and_replay_to_the_same_end(game: AnyGame, seed: int) -> None:
    record = random_record(game, seed)
    final = record.final()
    outcome = game.outcome(final)
    assert outcome is not None
    assert game.to_move(final) == ()
    n = len(record.players)
    assert len(outcome.totals) == len(outcome.ranks) == n
    assert sum(outcome.payoffs) == pytest.approx(1 if outcome.winners else 0)
    again = Record.loads(record.dumps(), games.get)
    assert again == record
    assert again.final() == final


@every_game
@given(seed=seeds)
@few
def test_playouts_end(game: AnyGame, seed: int) -> None:
    players, options = sample_setup(game, seed)
    end = playout(game, game.start(game.setup(players, options)), random.Random(seed))
    assert game.outcome(end) is not None


@every_game
@given(seed=seeds)
@few
def test_the_same_record_gives_the_same_states(game: AnyGame, seed: int) -> None:
    record = random_record(game, seed)
    first = [step.after for step in record.steps()]
    second = [step.after for step in record.steps()]
    assert first == second
    assert [hash(state) for state in first] == [hash(state) for state in second]


@every_game
@given(seed=seeds)
@few
def test_legal_means_legal_and_everything_else_names_its_rule(game: AnyGame, seed: int) -> None:
    for state in positions(game, seed):
        movers = game.to_move(state)
        assert (movers == ()) == (game.outcome(state) is not None)
        for player in range(state.setup.players):
            legal = game.legal_actions(state, player)
            if player in movers:
                assert legal and len(set(legal)) == len(legal)
                for action in legal:
                    assert game.why_not(state, player, action) is None
                    assert text(game.describe(action))
            else:
                assert legal == ()
                refused = game.why_not(state, player, None)
                assert refused is not None and refused.rule in game.rules


@every_game
@given(seed=seeds, nonsense=junk, player=st.integers(-2, 8))
@few
def test_any_nonsense_is_refused_in_words(
    game: AnyGame, seed: int, nonsense: object, player: int
) -> None:
    state = random_record(game, seed, seed % 40).final()
    try:
        legal = nonsense in game.legal_actions(state, player)
    except TypeError:
        legal = False
    if legal or (player == CHANCE and game.why_not(state, player, nonsense) is None):
        return
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, player, nonsense)
    assert refused.value.rule in game.rules
    for lang in LANGUAGES:
        assert refused.value.text(lang)


@every_game
@given(seed=seeds)
@few
def test_acting_together_is_acting_one_by_one_in_any_order(game: AnyGame, seed: int) -> None:
    rng = random.Random(seed)
    for state in positions(game, seed):
        movers = game.to_move(state)
        if len(movers) < 2:
            continue
        joint = tuple(rng.choice(game.legal_actions(state, p)) for p in movers)
        together = game.advance_together(state, joint)
        pairs = list(zip(movers, joint, strict=True))
        rng.shuffle(pairs)
        for player, action in pairs:
            assert player in game.to_move(state)
            state = game.advance(state, player, action)
        assert state == together


@every_game
@given(seed=seeds)
@few
def test_drawn_chance_is_possible_chance(game: AnyGame, seed: int) -> None:
    rng = random.Random(seed)
    for state in positions(game, seed):
        if game.to_move(state) == CHANCE_MOVES:
            assert game.why_not(state, CHANCE, game.draw(state, rng)) is None


@every_game
@given(seed=seeds)
@few
def test_json_round_trips(game: AnyGame, seed: int) -> None:
    for step in random_record(game, seed).steps():
        state = step.after
        plain = json.loads(json.dumps(game.state_to_json(state)))
        assert game.state_from_json(plain) == state
        action = json.loads(json.dumps(game.action_to_json(step.move.action)))
        assert game.action_from_json(action) == step.move.action
        for player in range(state.setup.players):
            seen = game.observe(state, player)
            plain = json.loads(json.dumps(game.observation_to_json(seen)))
            assert game.observation_from_json(plain) == seen


@every_game
@given(seed=seeds, nonsense=junk)
@few
def test_nonsense_json_is_refused(game: AnyGame, seed: int, nonsense: Any) -> None:
    for read in (game.state_from_json, game.observation_from_json):
        with pytest.raises(InvalidRecord):
            read(nonsense)
    try:
        action = game.action_from_json(nonsense, "x")
    except InvalidRecord as refused:
        assert refused.place.startswith("x")
    else:
        assert game.action_to_json(action) == nonsense


@every_game
@given(seed=seeds)
@few
def test_a_state_drawn_from_an_observation_looks_the_same(game: AnyGame, seed: int) -> None:
    rng = random.Random(seed)
    for state in positions(game, seed):
        for player in range(state.setup.players):
            seen = game.observe(state, player)
            assert seen.player == player
            assert seen.actions == game.legal_actions(state, player)
            imagined = game.resample(seen, rng)
            assert game.observe(imagined, player) == seen
            assert set(game.to_move(imagined)) == set(game.to_move(state))


@every_game
@given(seed=seeds)
@few
def test_imagined_states_can_be_played_to_the_end(game: AnyGame, seed: int) -> None:
    rng = random.Random(seed)
    state = random_record(game, seed, seed % 60).final()
    imagined = game.resample(game.observe(state, seed % state.setup.players), rng)
    assert game.outcome(playout(game, imagined, rng)) is not None


@every_game
@pytest.mark.parametrize("level", bots.LEVELS)
@given(seed=seeds)
@settings(max_examples=8, deadline=None)
def test_bots_choose_legally_and_cannot_see_what_is_hidden(
    game: AnyGame, level: str, seed: int
) -> None:
    rng = random.Random(seed)
    bot = bots.make(level, game, FEW_ITERATIONS)
    states = list(positions(game, seed))
    # those that think are slow
    stride = 1 if bots.LEVELS[level].budget is None else max(5, len(states) // 12)
    for at, state in enumerate(states):
        for player in game.to_move(state):
            if player == CHANCE or at % stride != seed % stride:
                continue
            seen = game.observe(state, player)
            choice = bot(seen, random.Random(seed))
            assert choice in seen.actions
            other = game.resample(seen, rng)  # the same to this seat, hidden cards permuted
            assert bot(game.observe(other, player), random.Random(seed)) == choice


@every_game
@given(seed=seeds)
@few
def test_events_follow_registered_rules_and_speak_every_language(game: AnyGame, seed: int) -> None:
    record = random_record(game, seed)
    for step in record.steps():
        assert step.events
        for event in step.events:
            assert event.rule in game.rules
            json.dumps([dict(event.data), dict(event.secret)])
            for lang in LANGUAGES:
                assert text(event.text, lang, record.names)
                if event.secret_text:
                    assert text(event.secret_text, lang, record.names)


@every_game
@given(seed=seeds)
@few
def test_events_tell_a_seat_nothing_it_may_not_know(game: AnyGame, seed: int) -> None:
    """Two games that look alike to a seat give it the same events for another's action."""
    rng = random.Random(seed)
    state = random_record(game, seed, seed % 50).final()
    for watcher in range(state.setup.players):
        seen = game.observe(state, watcher)
        other = game.resample(seen, rng)
        for player in game.to_move(state):
            if player in (CHANCE, watcher):
                continue
            for action in game.legal_actions(state, player):
                if action not in game.legal_actions(other, player):
                    continue
                after, events = game.apply(state, player, action)
                other_after, other_events = game.apply(other, player, action)
                if game.observe(after, watcher) == game.observe(other_after, watcher):
                    told = [event.seen_by(watcher) for event in events]
                    assert told == [event.seen_by(watcher) for event in other_events]


@every_game
def test_every_setup_plays(game: AnyGame) -> None:
    assert setups(game)
    for number, (players, options) in enumerate(setups(game)):
        agents = [bots.make("random", game)] * players
        assert play(game, agents, number, options=options).outcome() is not None


@every_game
@pytest.mark.parametrize("players", [-1, 0, 1, 8, 99, True, "2", None])
def test_wrong_player_counts_are_refused(game: AnyGame, players: Any) -> None:
    with pytest.raises(InvalidOption) as refused:
        game.setup(players)
    assert refused.value.place == "players"


@every_game
def test_unknown_options_are_refused_by_name(game: AnyGame) -> None:
    with pytest.raises(InvalidOption) as refused:
        game.setup(game.min_players, {"no-such-option": 1})
    assert "no-such-option" in str(refused.value)
    for option in game.options:
        with pytest.raises(InvalidOption) as refused:
            game.setup(game.min_players, {option.name: "no such value"})
        assert refused.value.place == f"options.{option.name}"


@every_game
@given(seed=seeds, at=st.integers(0, 10**6), data=st.data())
@few
def test_edited_records_are_refused_with_the_place(
    game: AnyGame, seed: int, at: int, data: st.DataObject
) -> None:
    """Any change to what a record says is refused, and the refusal names where."""
    whole = json.loads(random_record(game, seed).dumps())
    moves = whole["moves"]
    at %= len(moves)
    change = data.draw(st.sampled_from(["drop", "repeat", "seat", "action", "name", "result"]))
    if change == "drop":
        del moves[at]
    elif change == "repeat":
        moves.insert(at, moves[at])
    elif change == "seat":
        moves[at][0] = "chance" if moves[at][0] != "chance" else 0
    elif change == "action":
        others = [m[1] for m in moves if m[1] != moves[at][1]]
        moves[at][1] = data.draw(st.sampled_from(others))
    elif change == "name":
        whole["players"][0]["name"] += "x"
    else:
        whole["outcome"]["totals"][0] += 1
    with pytest.raises(InvalidRecord) as refused:
        Record.loads(json.dumps(whole), games.get)
    assert refused.value.place
    for lang in LANGUAGES:
        assert refused.value.text(lang)


@every_game
@given(seed=seeds)
@few
def test_a_record_can_begin_at_any_position(game: AnyGame, seed: int) -> None:
    """It replays and verifies like any other; each seat knows what the position says, no more."""
    rng = random.Random(seed)
    whole = random_record(game, seed)
    state = rng.choice(list(positions(game, seed)))
    record = Record.begin(game, whole.players, whole.options, state)
    assert record.start() == record.final() == state
    assert Record.loads(record.dumps(), games.get) == record
    for player in range(len(record.players)):
        again = Record.loads(record.dumps(), games.get).start()
        assert game.observe(again, player) == game.observe(state, player)
    agents = [bots.make("random", game)] * len(record.players)
    played = play(game, agents, seed, whole.players, whole.options, state)
    assert played.outcome() is not None
    assert Record.loads(played.dumps(), games.get) == played
    assert played.upto(0) == record


@every_game
@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_a_changed_position_is_refused_or_can_be_played(game: AnyGame, seed: int) -> None:
    """Whatever number, name or list is changed: what is not refused has all properties of a state.

    So no damaged or invented position can hang a bot or break a page later on.
    """
    rng = random.Random(seed)
    state = rng.choice(list(positions(game, seed)))
    record = Record.begin(game, *_seats(state), state)
    for _ in range(8):
        whole = record.to_json()
        _change_something(whole["position"], rng)
        try:
            other = Record.from_json(whole, games.get)
        except InvalidRecord as refused:
            # one mark in 256 stays the same by chance; then the whole digest tells
            assert refused.place.startswith(("position", "trace"))
            for lang in LANGUAGES:
                assert refused.text(lang)
        else:
            assert other == record  # only a number written differently passes the trace
        try:
            changed = game.state_from_json(whole["position"])
            changed = Record.begin(game, *_seats(state), changed).start()
        except InvalidRecord:
            continue
        for player in range(changed.setup.players):
            seen = game.observe(changed, player)
            assert game.observe(game.resample(seen, rng), player) == seen
        assert game.outcome(playout(game, changed, rng)) is not None


@every_game
def test_a_position_of_another_setup_is_refused(game: AnyGame) -> None:
    one, *others = setups(game)
    players = tuple(Player(f"P{i}") for i in range(one[0]))
    for n, options in others:
        with pytest.raises(InvalidRecord) as refused:
            Record.begin(game, players, one[1], game.start(game.setup(n, options)))
        assert refused.value.place == "position.setup"
    with pytest.raises(InvalidRecord) as refused:
        Record.begin(game, players, one[1], ())
    assert refused.value.place == "position"


def _seats(state: Any) -> tuple[tuple[Player, ...], dict[str, Any]]:
    """Players and options that go with a state."""
    options = state.setup._asdict()
    n = options.pop("players")
    return tuple(Player(f"P{i}") for i in range(n)), options


def _change_something(whole: Any, rng: random.Random) -> None:
    """Change one number, name or list somewhere in a JSON value, to what could stand there."""
    spots = list(_spots(whole))
    inside, key = rng.choice(spots)
    old = inside[key]
    alike = [i[k] for i, k in spots if type(i[k]) is type(old) and i[k] != old]
    if isinstance(old, bool):
        inside[key] = not old
    elif isinstance(old, int):
        inside[key] = rng.choice([old + 1, old - 1, -old, old ^ 1 << rng.randrange(60), 0, *alike])
    elif isinstance(old, list):
        inside[key] = rng.choice([old[:-1], old + old[-1:], old[::-1], [], *alike])
    elif isinstance(old, dict):
        old.pop(rng.choice(list(old)))
    else:
        inside[key] = rng.choice([None, "", 0, *alike])


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value, as its container and its key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        yield value, key
        if isinstance(item, (dict, list)):
            yield from _spots(item)


@every_game
@given(nonsense=st.recursive(junk, lambda inner: st.lists(inner, max_size=3)))
@few
def test_nonsense_sheets_are_refused_in_words(game: AnyGame, nonsense: Any) -> None:
    for sheet in (nonsense, {"game": game.id}, {"game": game.id, "players": nonsense}):
        with pytest.raises(InvalidSheet) as refused:
            game.score(sheet)
        for lang in LANGUAGES:
            assert refused.value.text(lang)


@every_game
def test_the_rulebook_speaks_every_language(game: AnyGame) -> None:
    assert len(game.rules) > 0
    for lang in LANGUAGES:
        assert text(game.name, lang)
        for rule in game.rules:
            assert text(rule.title, lang) and text(rule.text, lang)
        for card in game.cards:
            assert text(game.card_name(card.id), lang)
        for option in game.options:
            assert option.rule in game.rules
            assert option.default in option.values
