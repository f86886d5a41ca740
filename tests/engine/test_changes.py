"""What would have changed a score: every step is legal, and scores as it says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft.explain import changes
from lovecraft.games.ancient_cards.cards import HAND_SIZE, RUNES
from lovecraft.games.ancient_cards.scoring import score
from lovecraft.games.mythicals.cards import TOKENS
from lovecraft.games.ritos_ancestrais.edition import HOUSE_EDITION
from lovecraft.games.ritos_ancestrais.scoring import Performed
from lovecraft.games.tides_of_madness.sheet import Side
from lovecraft.i18n import LANGUAGES, Seat, msg, text


def told(found: changes.WhatIf, lang: str = "en") -> list[tuple[str, int, int]]:
    return [(text(c.step, lang, ("Ana", "Ion")), c.line, c.total) for c in found.changes]


def hands(*runes: str) -> dict[str, int]:
    return {rune: runes.count(rune) for rune in runes}


FULL = hands("ia", "ia", "ia", "cthulhu", "cthulhu", "fhtagn", "rlyeh")


def test_one_rune_more_or_less_in_a_full_hand_is_an_exchange() -> None:
    rounds = [[FULL, FULL, FULL], [FULL, FULL, FULL]]
    found = changes.ancient_cards(rounds, 0, 0, "ia")
    assert (found.line, found.total) == (2, 12 - 3)
    # Iä for a lone rune costs nothing; for a Cthulhu it would cost the pair's point
    assert told(found) == [("Iä instead of R’lyeh", 4, 11), ("Cthulhu instead of Iä", 1, 9)]
    # level at 9, third rounds equal: two steps that would have decided
    assert [c.winners for c in found.changes] == [(Seat(0),), None]
    assert found.margin == msg("changes.less-points", n=1, player=Seat(0))


def test_an_unfinished_hand_may_grow_and_nobody_wins_yet() -> None:
    found = changes.ancient_cards([[{"ia": 2}, {}, {}], [{}, {}, {}]], 0, 0, "ia")
    assert told(found) == [("One Iä more", 2, 2), ("One Iä less", 0, 0)]
    assert found.margin is None and all(c.winners is None for c in found.changes)


def test_seven_different_runes_are_lost_by_any_exchange() -> None:
    all_seven = dict.fromkeys(RUNES, 1)
    found = changes.ancient_cards([[all_seven] * 3, [FULL] * 3], 0, 1, None)
    assert found.line == 5 and [c.line for c in found.changes] == [0]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(RUNES), min_size=6 * HAND_SIZE, max_size=6 * HAND_SIZE), st.data())
def test_the_margin_is_what_it_says(cards: list[str], data: st.DataObject) -> None:
    piles = [hands(*cards[i : i + HAND_SIZE]) for i in range(0, len(cards), HAND_SIZE)]
    rounds = [piles[:3], piles[3:]]
    rnd = data.draw(st.integers(0, 2))
    rune = data.draw(st.sampled_from(sorted(rounds[0][rnd])))
    found = changes.ancient_cards(rounds, 0, rnd, rune)
    totals = [sum(score(pile).points for pile in own) for own in rounds]
    assert found.total == totals[0]
    assert found.margin is not None
    n = dict(found.margin.params)["n"]
    gap = totals[1] - totals[0]
    assert isinstance(n, int) and n in (abs(gap), abs(gap) + 1)
    lines = [c.line for c in found.changes]
    assert lines == sorted(lines, reverse=True) or found.changes[-1].line == found.line


def sides(*cards: str) -> tuple[Side, Side]:
    return Side((), tuple(cards[:5])), Side((), tuple(cards[5:]))


TIDES = sides(
    "hastur", "necronomicon", "pnakotic-manuscripts", "innsmouth", "shub-niggurath",
    "dagon", "cthulhu", "azathoth", "dreamlands", "rlyeh",
)  # fmt: skip


def test_a_card_of_tides_changes_with_the_cards_beside_it() -> None:
    found = changes.tides_of_madness([TIDES], 0, 0, "hastur")
    assert found.line == 6  # two manuscripts
    best = found.changes[0]
    assert best.line == 9 and "unaussprechlichen-kulten" in str(best.step)
    assert all("hastur" not in str(dict(c.step.params).get("other")) for c in found.changes)
    gone = changes.tides_of_madness([TIDES], 0, 0, "hastur", gone=["unaussprechlichen-kulten"])
    assert "unaussprechlichen-kulten" not in str(gone.changes)


def test_shub_niggurath_could_have_lain_on_another_card() -> None:
    found = changes.tides_of_madness([TIDES], 0, 0, "shub-niggurath")
    assert any(c.step.key == "changes.after" for c in found.changes)


def test_cards_kept_for_later_rounds_are_left_alone() -> None:
    second = (Side(("innsmouth",), ("yog-sothoth",)), Side(("dagon",), ("elder-things",)))
    found = changes.tides_of_madness([TIDES, second], 0, 0, "hastur")
    for change in found.changes:
        given = dict(change.step.params)
        assert msg("card.tides-of-madness.innsmouth") != given.get("other")
        assert msg("card.tides-of-madness.dagon") != given.get("card")


def test_a_token_for_the_other_player_may_decide() -> None:
    places = {"red-7": (0, 2), "blue-10": (1, 0), "green-2": (0, 0)}
    found = changes.mythicals(places, "red-7", of_markers=True, finished=True)
    assert (found.line, found.total) == (2, 11)
    assert [(c.line, c.winners) for c in found.changes] == [
        (1, (Seat(0), Seat(1))),
        (0, (Seat(1),)),
    ]
    assert found.margin == msg("changes.less-points", n=1, player=Seat(0))
    running = changes.mythicals(places, "red-7", of_markers=True, finished=False)
    assert running.margin is None and all(c.winners is None for c in running.changes)


def test_every_token_can_be_asked_about_and_be_told_in_every_language() -> None:
    places = {token.id: (i % 2, i % 3) for i, token in enumerate(TOKENS[:8])}
    for token in list(places):
        for lang in LANGUAGES:
            found = changes.mythicals(places, token, False, True)
            assert all(words for words, _, _ in told(found, lang))
            assert found.margin and text(found.margin, lang, ("Ana", "Ion"))


def test_end_bonuses_follow_hand_rituals_and_cult() -> None:
    edition = HOUSE_EDITION
    with_end = [c.id for c in edition.cards if any(e.kind == "end_bonus" for e in c.effects)]
    rituals = tuple(Performed(ritual.id) for ritual in edition.rituals[:2])
    players = [
        changes.Follower(rituals, tuple(with_end), 2),
        changes.Follower(rituals[:1], (), 0),
    ]
    for at in range(len(with_end)):
        found = changes.ritos_ancestrais(edition, players, 0, at, True, True)
        assert any(c.line != found.line for c in found.changes)
    first = changes.ritos_ancestrais(edition, players, 0, 0, False, True)
    assert any(c.line == 0 for c in first.changes)


def test_all_cards_of_a_tides_round_can_be_asked_about() -> None:
    for seat, side in enumerate(TIDES):
        for card in (*side.played, None):
            found = changes.tides_of_madness([TIDES], 0, seat, card, finished=True)
            assert len(found.changes) <= changes.SHOWN + 1
