"""Walking games and searching rules: what is said is what the engine does."""

from __future__ import annotations

import random

import pytest
from support import positions, random_record

from lovecraft import games
from lovecraft.core import CHANCE, CHANCE_MOVES, AnyGame, IllegalAction, UnknownName
from lovecraft.explain.search import entries, search, words_of
from lovecraft.explain.walk import Walk, phase_of, seats_in_words
from lovecraft.i18n import LANGUAGES, text

every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.id)

RARE = {
    # they need an empty row, or a pile that ends at that very moment
    "ritos-ancestrais": {
        *(("return", then) for then in ("act", "shuffle", "discard", "over")),
        # the last: two cards too many, with a limit that another cult has lowered
        *(("discard", then) for then in ("act", "shuffle", "over", "discard")),
        *(("act", then) for then in ("act", "shuffle")),
    }
}


@every_game
def test_the_map_of_phases_is_how_games_go(game: AnyGame) -> None:
    declared = {(phase.id, then) for phase in game.phases for then in phase.then}
    seen = set()
    for seed in range(24):
        before = ""
        for state in positions(game, seed):
            phase = phase_of(game, state)
            movers = game.to_move(state)
            assert (phase.who == "nobody") == (movers == ())
            assert (phase.who == "chance") == (movers == CHANCE_MOVES)
            assert phase.who == "all" or len(movers) <= 1
            if before:
                seen.add((before, phase.id))
            before = phase.id
    assert seen <= declared
    assert declared - seen <= RARE.get(game.id, set())
    for phase in game.phases:
        assert all(rule in game.rules for rule in phase.rules)
        for lang in LANGUAGES:
            assert text(phase.name, lang)


@every_game
def test_every_scene_tells_what_may_be_done_and_why_nothing_else(game: AnyGame) -> None:
    rng = random.Random(5)
    walk = Walk(random_record(game, 7))
    assert len(walk) == len(walk.record.moves) + 1
    for at in sorted(rng.sample(range(len(walk)), 12)):
        scene = walk[at]
        movers = game.to_move(scene.state)
        assert [mover.seat for mover in scene.movers] == [p for p in movers if p != CHANCE]
        for mover in scene.movers:
            legal = [choice.action for choice in mover.legal]
            assert tuple(legal) == game.legal_actions(scene.state, mover.seat)
            refused = [c.action for refusal in mover.refused for c in refusal.choices]
            assert set(game.candidates(scene.state, mover.seat)) <= {*legal, *refused}
            for refusal in mover.refused:
                assert refusal.rule in game.rules
                with pytest.raises(IllegalAction) as raised:
                    game.apply(scene.state, mover.seat, refusal.choices[0].action)
                assert (raised.value.rule, raised.value.message) == (refusal.rule, refusal.why)
        for waiting in scene.waiting:
            assert waiting.seat not in movers and waiting.rule in game.rules
        if scene.move is not None:
            after, events = game.apply(scene.state, *scene.move)
            assert (scene.after, scene.events) == (after, events)
        for lang in LANGUAGES:
            lines = seats_in_words(game, scene.state, (0,))
            assert all(text(line, lang, walk.record.names) for line in lines)
    with pytest.raises(IndexError):
        walk[len(walk)]


@every_game
def test_every_rule_and_card_is_found_by_its_title_in_every_language(game: AnyGame) -> None:
    for entry in entries(game.id):
        for lang in LANGUAGES:
            title = text(entry.title, lang)
            same = {text(hit.entry.title, lang) for hit in search(title, lang, game.id)[:2]}
            assert title in same
            assert all(text(words, lang) for words in entry.words)


@pytest.mark.parametrize(
    ("query", "lang", "found"),
    [
        ("rlyeh", "en", "tides-of-madness/rlyeh"),
        ("R'LYEH", "ro", "tides-of-madness/rlyeh"),
        ("pontuacao mistica", "pt", "ancient-cards/sum"),
        ("pontuacao mistica", "ro", "ancient-cards/sum"),
        ("curinga", "pt", "mythicals/joker"),
        ("limite de la mano", "es", "ritos-ancestrais/hand-limit"),
    ],
)
def test_accents_case_and_the_readers_language_do_not_stand_in_the_way(
    query: str, lang: str, found: str
) -> None:
    assert found in {hit.entry.id for hit in search(query, lang)}


def test_titles_come_first_and_all_words_must_match() -> None:
    first = search("majority", "en")[0].entry
    assert first.id == "tides-of-madness/majority"
    assert search("majority xyzzy") == [] == search("  ’’ ")
    assert words_of("Pontuação, R’lyeh!") == ("pontuacao", "rlyeh")
    assert {hit.entry.game for hit in search("joker", "en", "mythicals")} == {"mythicals"}
    with pytest.raises(UnknownName):
        search("joker", "en", "chess")
