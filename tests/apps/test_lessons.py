"""Each game's lesson is played through the engine as it is told, in every language."""

from __future__ import annotations

import pytest
from driving import Driver

from apps.table.lessons import LESSONS, Mine, Other, Read
from lovecraft import games
from lovecraft.core import CHANCE, Player, Record
from lovecraft.i18n import LANGUAGES, catalogue, text

every_lesson = pytest.mark.parametrize("game_id", LESSONS)


def _record(game_id: str) -> Record:
    game = games.get(game_id)
    lesson = LESSONS[game_id]
    record = Record.begin(game, tuple(map(Player, ("Ana", *lesson.opponents))))
    for step in lesson.steps:
        if not isinstance(step, Read):
            seat = step.seat if isinstance(step, Other) else 0
            record = record.with_move(seat, game.action_from_json(step.action))
    return record


def test_every_game_has_one() -> None:
    assert LESSONS.keys() == games.GAMES.keys()


@every_lesson
def test_a_lesson_is_a_game_that_the_rules_allow(game_id: str) -> None:
    record = _record(game_id)
    record.final()
    assert Record.loads(record.dumps(), games.get) == record


@every_lesson
def test_a_lesson_asks_for_choices_and_gives_reasons(game_id: str) -> None:
    game, lesson = games.get(game_id), LESSONS[game_id]
    state = _record(game_id).start()
    asked = [step for step in lesson.steps if not isinstance(step, Other)]
    assert 5 <= len(asked) <= 12
    choices = 0
    assert isinstance(lesson.steps[-1], Read)
    for step in lesson.steps:
        if not isinstance(step, Other):
            assert step.rule in game.rules
            for lang in LANGUAGES:
                assert 20 < len(text(step.text, lang)) < 330
        if not isinstance(step, Read):
            seat = step.seat if isinstance(step, Other) else 0
            action = game.action_from_json(step.action)
            if isinstance(step, Mine):
                choices += len(game.legal_actions(state, 0)) > 1
            elif seat == 0:  # what the table does for the learner leaves no choice
                assert game.legal_actions(state, 0) == (action,)
            else:
                assert seat in (CHANCE, *range(1, 1 + len(lesson.opponents)))
            state, _ = game.apply(state, seat, action)
    assert choices >= 5


def test_no_words_of_lessons_are_left_over() -> None:
    steps = [step for lesson in LESSONS.values() for step in lesson.steps]
    used = {step.text.key for step in steps if not isinstance(step, Other)}
    assert used == {key for key in catalogue("en") if key.startswith("lesson.")}


@every_lesson
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lesson_is_played_on_the_table_to_its_end(game_id: str, lang: str) -> None:
    game, lesson = games.get(game_id), LESSONS[game_id]
    driver = Driver(route=f"#/{game_id}/learn", lang=lang)
    driver.act("pace", value="instant")
    for number, step in enumerate(lesson.steps):
        if isinstance(step, Other):
            continue
        page = driver.page
        assert page.reached == number
        assert text(step.text, lang) in driver.words.replace("&#39;", "'")
        if number % 3 == 0:  # closed and opened again
            driver = driver.again()
            page = driver.page
            assert page.reached == number
        if isinstance(step, Mine):
            assert 'data-mark="lesson"' in driver.html
            before = page.session.at
            for other in page.seen.actions[:4]:
                if other != game.action_from_json(step.action):
                    driver.act("play", game.action_to_json(other), before)
                    assert page.session.at == before and driver.said
            driver.act("play", step.action, before)
        elif number < len(lesson.steps) - 1:
            driver.act("learn-on")
    assert driver.page.last
    assert f'href="#/{game_id}/table/new"' in driver.html
    assert not driver.shell.store.keys("table/")


@every_lesson
def test_a_lesson_goes_back_and_begins_again(game_id: str) -> None:
    driver = Driver(route=f"#/{game_id}/learn")
    driver.act("pace", value="instant")
    first = driver.page.reached
    for _ in range(3):
        step = driver.page.step
        if isinstance(step, Mine):
            driver.act("play", step.action, driver.page.session.at)
        else:
            driver.act("learn-on")
    third = driver.page.reached
    driver.act("learn-back")
    assert first < driver.page.reached < third
    driver.act("learn-again")
    assert driver.page.reached == first
    driver.act("learn-back")
    assert driver.page.reached == first


@every_lesson
def test_nonsense_moves_nothing_in_a_lesson(game_id: str) -> None:
    driver = Driver(route=f"#/{game_id}/learn")
    driver.act("pace", value="instant")
    reached, at = driver.page.reached, driver.page.session.at
    for name, args in (
        ("start", ()),
        ("new", ()),
        ("rematch", ()),
        ("export", ()),
        ("touch", ("<img src=x onerror=alert(1)>", at)),
        ("touch", ("see:nothing", at)),
        ("deal", ()),
        ("confirm", ()),
    ):
        if name != "deal" or isinstance(driver.page.step, Mine):
            driver.act(name, *args)
    assert (driver.page.reached, driver.page.session.at) == (reached, at)
    assert "<img" not in driver.html
    kept = driver.shell.settings | {f"lesson-{game_id}": 10**9}
    driver.shell.set(**kept)
    driver.open("#/")
    driver.open(f"#/{game_id}/learn")
    assert driver.page.reached == reached
