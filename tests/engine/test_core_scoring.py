"""Score sheets and the ladder that ranks and breaks ties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovecraft.core import Event, Key, Outcome, ScoreLine, ScoreSheet, standings
from lovecraft.core.events import ended
from lovecraft.i18n import msg, text


def test_a_sheet_is_worth_its_lines() -> None:
    lines = tuple(ScoreLine(points, "r", msg("core.nothing")) for points in (3, -1, 0))
    assert ScoreSheet(lines).points == 2
    assert ScoreSheet(()).points == 0


@pytest.mark.parametrize(
    ("keys", "ranks", "winners", "tiebreak"),
    [
        ([("points", (3, 2, 1))], (1, 2, 3), (0,), None),
        ([("points", (1, 1, 1))], (1, 1, 1), (0, 1, 2), None),
        ([("points", (5, 5)), ("a", (0, 1)), ("b", (9, 0))], (2, 1), (1,), "a"),
        ([("points", (5, 5)), ("a", (1, 1)), ("b", (0, 9))], (2, 1), (1,), "b"),
        ([("points", (5, 5)), ("a", (1, 1)), ("b", (2, 2))], (1, 1), (0, 1), None),
        # the first key cuts one of three, the second decides between the rest
        ([("points", (5, 5, 5)), ("a", (1, 1, 0)), ("b", (0, 1, 9))], (2, 1, 3), (1,), "b"),
        # the first key cuts one, the second nobody more
        ([("points", (5, 5, 5)), ("a", (1, 1, 0)), ("b", (3, 3, 9))], (1, 1, 3), (0, 1), "a"),
        # those behind on points do not win by any later key, nor count as a tie-break
        ([("points", (5, 4, 4)), ("a", (0, 9, 8))], (1, 2, 3), (0,), None),
        ([("points", (-2, -1))], (2, 1), (1,), None),
    ],
)
def test_the_ladder(
    keys: list[tuple[str, tuple[int, ...]]],
    ranks: tuple[int, ...],
    winners: tuple[int, ...],
    tiebreak: str | None,
) -> None:
    outcome = standings([Key(name, f"rule-{name}", values) for name, values in keys])
    assert outcome == Outcome(keys[0][1], ranks, winners, tiebreak, f"rule-{tiebreak or 'points'}")


@given(
    st.integers(2, 7).flatmap(
        lambda n: st.lists(
            st.tuples(*[st.integers(0, 2)] * n),
            min_size=1,
            max_size=3,
        )
    )
)
def test_winners_are_those_with_the_best_ladder(columns: list[tuple[int, ...]]) -> None:
    outcome = standings([Key(str(i), str(i), values) for i, values in enumerate(columns)])
    ladders = list(zip(*columns, strict=True))
    best = max(ladders)
    assert outcome.winners == tuple(p for p, ladder in enumerate(ladders) if ladder == best)
    for p, own in enumerate(ladders):
        assert outcome.ranks[p] == 1 + sum(other > own for other in ladders)
    level = [p for p, total in enumerate(columns[0]) if total == max(columns[0])]
    assert (outcome.tiebreak is not None) == (len(outcome.winners) < len(level))
    if outcome.tiebreak:  # without the deciding key more would have been level
        shorter = standings([Key("", "", c) for c in columns[: int(outcome.tiebreak)]])
        assert set(shorter.winners) > set(outcome.winners)
    assert sum(outcome.payoffs) == pytest.approx(1)
    assert {p for p, share in enumerate(outcome.payoffs) if share} == set(outcome.winners)


def test_nobody_may_win() -> None:
    lost = Outcome((3, 4), (1, 1), ())
    assert lost.payoffs == (0, 0)
    event = ended(lost, "game/lost")
    assert (event.kind, event.player, event.rule) == ("ended", -1, "game/lost")
    assert text(event.text) == "Nobody wins the game."


def test_the_end_is_told_with_names_and_the_rule_that_decided() -> None:
    plain = ended(Outcome((5, 6), (2, 1), (1,)), "game/end")
    assert (plain.rule, plain.data) == ("game/end", {"winners": [1], "totals": [5, 6]})
    assert text(plain.text, names=("Ana", "Ion")) == "Ion wins the game."
    assert text(plain.text) == "Player 2 wins the game."
    rule = "ancient-cards/tie-third-round"
    tied = ended(Outcome((5, 5), (2, 1), (1,), "third-round", rule), "ancient-cards/end")
    assert tied.rule == rule
    assert text(tied.text, names=("Ana", "Ion")) == (
        "Ion wins the game. On a tie, the one who scored more in the third round wins."
    )
    both = ended(Outcome((5, 5, 5), (1, 1, 3), (0, 1), "third-round", rule), "ancient-cards/end")
    assert text(both.text, names=("Ana", "Ion")).startswith("Ana, Ion share the victory. On a tie")


def test_a_secret_is_for_its_owner_only() -> None:
    event = Event(
        "drawn", 1, "r", msg("core.nothing"), {"n": 1}, {"card": "x"}, msg("core.nobody-won")
    )
    own = event.seen_by(1)
    assert own.data == {"n": 1, "card": "x"} and own.text == msg("core.nobody-won")
    for other in (0, 2, -1, None):
        told = event.seen_by(other)
        assert told.data == {"n": 1} and told.text == msg("core.nothing")
    for seen in (own, event.seen_by(0)):
        assert seen.secret == {} and seen.secret_text is None
    plain = Event("passed", -1, "r", msg("core.nothing"))
    assert plain.seen_by(0) == plain
    told_only = Event("looked", 0, "r", msg("core.nothing"), secret_text=msg("core.nobody-won"))
    assert told_only.seen_by(0).text == msg("core.nobody-won")
    assert told_only.seen_by(1).secret_text is None
