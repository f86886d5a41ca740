"""The command line, in this process and as a real one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovecraft import bench, bots, cli, games
from lovecraft.cli import score as score_command
from lovecraft.core import CHANCE, InvalidSheet, Record
from lovecraft.core.rules import SECTIONS
from lovecraft.i18n import LANGUAGES, text

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
EXAMPLE = {
    "game": "ancient-cards",
    "players": [
        {"name": "Ana", "rounds": [{"ia": 3, "cthulhu": 2, "fhtagn": 2}, {"rlyeh": 7}]},
        {"name": "Ion", "rounds": [{"ia": 7}, {"phnglui": 3, "mglwnafh": 2, "cthulhu": 2}]},
    ],
}


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process, with standard input as text or bytes."""
    monkeypatch.delenv("LOVECRAFT_LANG", raising=False)

    def command(*arguments: str, stdin: str | bytes = b"") -> Result:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), "utf-8"))
        try:
            code = cli.main(arguments)
        except SystemExit as left:  # argparse leaves this way
            code = left.code if isinstance(left.code, int) else 1
        return Result(code, *capsys.readouterr())

    return command


def refused(result: Result, *words: str) -> None:
    """Exit code 2, nothing on standard output, one line on the other that holds the words."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.endswith("\n") and result.err.count("\n") == 1
    assert result.err.startswith("lovecraft")
    assert "Traceback" not in result.err
    for word in words:
        assert word in result.err


# -- list, rules, help ----------------------------------------------------------------------------


def test_list(run: Any) -> None:
    result = run("list", "--json")
    assert (result.code, result.err) == (0, "")
    assert [game["id"] for game in result.json] == list(games.GAMES)
    runes = result.json[0]
    assert runes == {
        "id": "ancient-cards",
        "name": "Ancient Cards of H.P. Lovecraft",
        "players": {"min": 2, "max": 7},
        "options": [
            {
                "name": "copies",
                "label": "Cards of each rune",
                "default": 7,
                "values": [7, 8, 9, 10, 11, 12],
            },
            {
                "name": "keep_play_area",
                "label": "Play areas stay between rounds",
                "default": False,
                "values": [False, True],
            },
        ],
        "bots": list(bots.LEVELS),
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_list_in_words(run: Any, lang: str) -> None:
    lines = run("list", "--lang", lang).out.splitlines()
    assert len(lines) == len(games.GAMES)
    for line, game in zip(lines, games.GAMES.values(), strict=True):
        assert line.startswith(game.id)
        assert text(game.name, lang) in line
        assert str(game.max_players) in line


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_id", games.GAMES)
def test_rules(run: Any, lang: str, game_id: str) -> None:
    game = games.get(game_id)
    told = run("rules", game_id, "--lang", lang, "--json").json
    assert told["game"] == game_id
    assert [rule["id"] for rule in told["rules"]] == [rule.id for rule in game.rules]
    printed = run("rules", game_id, "--lang", lang)
    assert printed.code == 0
    for rule in told["rules"]:
        assert rule["source"] in ("seed", "published", "house")
        assert rule["section"] in SECTIONS
        assert rule["title"] and rule["text"]
        source = text(f"source.{rule['source']}", lang)
        assert f"\n{rule['title']} [{source}] ({rule['id']})\n  {rule['text']}\n" in printed.out
    # every rule is printed once, the sections in their order
    assert printed.out.count(f"({game_id}/") == len(game.rules)
    used = [s for s in SECTIONS if any(rule.section == s for rule in game.rules)]
    at = [printed.out.index("\n" + text(f"section.{s}", lang) + "\n-") for s in used]
    assert at == sorted(at)


def test_the_language_comes_from_the_argument_or_the_environment(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOVECRAFT_LANG", "pt")
    portuguese = run("rules", "ancient-cards").out
    assert "Distribuição" in portuguese
    assert run("rules", "ancient-cards", "--lang=ro").out.count("Împărțirea") == 1
    monkeypatch.setenv("LOVECRAFT_LANG", "x\nx")
    assert run("rules", "ancient-cards", "--lang", "pt") == Result(0, portuguese, "")
    told = run("rules", "ancient-cards", "--json")
    assert told.code == 0
    assert json.loads(told.out)["rules"][0]["title"] == "The runes"
    assert told.err.startswith("lovecraft: LOVECRAFT_LANG is “x\N{REPLACEMENT CHARACTER}x”")
    assert told.err.count("\n") == 1 and "en, pt, es, ro" in told.err
    monkeypatch.setenv("LOVECRAFT_LANG", "")
    assert run("rules", "ancient-cards").err == ""
    refused(run("rules", "ancient-cards", "--lang", "xx"), "xx")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_of_every_command(run: Any, lang: str) -> None:
    top = run("--help", "--lang", lang)
    assert top.code == 0
    assert text("cli.help", lang) in " ".join(top.out.split())
    for command in cli.COMMANDS:
        told = run(command.NAME, "--lang", lang, "--help")
        assert (told.code, told.err) == (0, "")
        for shown in (told, top):
            assert text(f"cli.help.{command.NAME}", lang) in " ".join(shown.out.split())


def test_version(run: Any) -> None:
    assert run("--version").out.startswith("lovecraft 0.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "COMMAND"),
        (("dance",), "dance"),
        (("list", "--nonsense"), "--nonsense"),
        (("list", "two\nlines"), "two"),
        (("rules",), "GAME"),
        (("rules", "chess"), "“chess”"),
        (("rules", "che\nss\x1b[2J"), "che"),
        (("rules", ""), "“”"),
        (("play", "chess"), "“chess”"),
        (("replay", "no-such-file.json"), "no-such-file.json"),
        (("replay", "no\nsuch\nfile.json"), "file.json"),
        (("score", "chess", "-"), "“chess”"),
        (("score", "ancient-cards"), "FILE"),
        (("score", "ancient-cards", "no-such-file.json"), "“no-such-file.json”"),
        (("score", "ancient-cards", "."), "“.”"),
        (("bench", "chess"), "“chess”"),
        (("arena", "chess"), "“chess”"),
    ],
)
def test_wrong_commands_are_refused_in_one_line(
    run: Any, arguments: tuple[str, ...], words: str
) -> None:
    refused(run(*arguments), words)


# -- play and replay ------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", games.GAMES)
def test_bots_play_every_game(run: Any, tmp_path: Path, game_id: str) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json", tmp_path / "three.json"]
    for file, seed in zip(files, ("7", "7", "8"), strict=True):
        result = run(
            "play", game_id, "--players", "greedy,random", "--seed", seed,
            "--record", str(file), "--json",
        )  # fmt: skip
        assert (result.code, result.err) == (0, "")
        summary = result.json
        assert summary["seed"] == seed
        assert (summary["game"], summary["finished"]) == (game_id, True)
        assert [player["kind"] for player in summary["players"]] == ["greedy", "random"]
        again = run("replay", str(file), "--json")
        assert again.json == {key: value for key, value in summary.items() if key != "seed"}
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()
    record = Record.loads(files[2].read_text("utf-8"), games.get)
    outcome = record.outcome()
    assert outcome is not None
    assert summary["moves"] == len(record.moves)
    assert tuple(player["total"] for player in summary["players"]) == outcome.totals
    assert summary["winners"] == [record.names[p] for p in outcome.winners]


def test_a_game_is_told_in_words_and_hides_what_it_must(run: Any) -> None:
    told = run("play", "ancient-cards", "--players", "random,random", "--seed", "3")
    lines = told.out.splitlines()
    assert lines[0] == "Player 1 is dealt 7 cards."
    assert "Player 1 lays a card face down." in lines
    assert not any(line.startswith("You lay") for line in lines)
    assert sum(" scores " in line for line in lines) == 6
    assert lines[-1].endswith(("wins the game.", "share the victory."))
    romanian = run("play", "ancient-cards", "--players", "random,random", "--seed", "3",
                   "--lang", "ro").out.splitlines()  # fmt: skip
    assert len(romanian) == len(lines)
    assert romanian[0] == "Jucătorul 1 primește 7 cărți."


def test_options_are_given_by_name(run: Any) -> None:
    result = run(
        "play", "ancient-cards", "--players", "random,random,random", "--json",
        "--option", "copies=9", "--option", "keep_play_area=TRUE",
    )  # fmt: skip
    assert result.json["options"] == {"copies": 9, "keep_play_area": True}


def test_without_a_seed_games_differ_and_tell_theirs(run: Any) -> None:
    first = run("play", "ancient-cards", "--json").json
    second = run("play", "ancient-cards", "--json").json
    assert first["seed"] != second["seed"]
    again = run("play", "ancient-cards", "--json", "--seed", first["seed"]).json
    assert again == first


def test_any_characters_make_a_seed(run: Any) -> None:
    for seed in ("", "ä 李", "\udcff", "{seed}", "0", "-1"):
        result = run("play", "ancient-cards", f"--seed={seed}", "--json")
        assert result.code == 0
        assert result.json["finished"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--players", "greedy"), "players: Ancient Cards of H.P. Lovecraft is for 2 to 7"),
        (("--players", ",".join(["random"] * 8)), "players: "),
        (("--players", ""), "“”"),
        (("--players", "random,deep-blue"), "“deep-blue”"),
        (("--players", "random,,random"), "“”"),
        (("--option", "copies=13"), "options.copies: “13”"),
        (("--option", "copies="), "options.copies: “”"),
        (("--option", "copies"), "“copies”"),
        (("--option", "=7"), "options.: "),
        (("--option", "colour=red"), "options.colour: "),
        (("--option", "keep_play_area=true", "--players", "random,random,random"),
         "options.keep_play_area: Keeping the play areas needs 63 cards"),
        (("--record", "/no/such/folder/x.json"), "/no/such/folder/x.json"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(run: Any, arguments: tuple[str, ...], words: str) -> None:
    refused(run("play", "ancient-cards", "--json", "--seed", "1", *arguments), words)


def test_a_person_plays_a_whole_game_at_the_terminal(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    result = run(
        "play", "ancient-cards", "--players", "human,greedy", "--seed", "5",
        "--record", str(file), stdin="1\n" * 21,
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    assert result.out.count("Player 1, it is your turn.") == 21
    assert "Round 1, pick 1 of 7" in result.out and "Round 3, pick 7 of 7" in result.out
    assert "You lay " in result.out  # the person sees the own secrets …
    assert "Player 2 lays a card face down." in result.out  # … and not those of the bot
    record = Record.loads(file.read_text("utf-8"), games.get)
    assert record.outcome() is not None
    for step in record.steps():
        if step.move.player == 0:
            assert step.move.action == record.game.legal_actions(step.before, 0)[0]


@pytest.mark.parametrize("leave", ["q\n", "Q\n", "quit\n", "exit\n", "", "1\n1\nq\n"])
def test_a_person_may_leave_and_the_record_is_kept(run: Any, tmp_path: Path, leave: str) -> None:
    file = tmp_path / "game.json"
    arguments = ("play", "ancient-cards", "--players", "human,greedy", "--record", str(file))
    result = run(*arguments, stdin=leave)
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("You left the game.\n")
    record = Record.loads(file.read_text("utf-8"), games.get)
    assert record.outcome() is None
    assert len(record.moves) == 1 + 2 * leave.count("1\n")
    told = run("replay", str(file), "--json").json
    assert (told["finished"], told["winners"]) == (False, [])


def test_an_interrupted_game_is_kept_too(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    file = tmp_path / "game.json"
    result = run("play", "ancient-cards", "--players", "human,greedy", "--record", str(file))
    assert result.code == 130
    assert len(Record.loads(file.read_text("utf-8"), games.get).moves) == 1


def test_nonsense_at_the_prompt_is_answered_with_what_is_possible(run: Any) -> None:
    nonsense = [
        "", " ", "0", "99", "-1", "1.5", "²", "9" * 5000, "hastur", "None", "ia ia",
        "{0}", "%s", "\x1b[A", "\ufeff",
    ]  # fmt: skip
    answers = "\n".join(nonsense).encode() + b"\n\xff\xfe\nq\n"
    result = run("play", "ancient-cards", "--players", "human,greedy", "--seed", "1", stdin=answers)
    assert result.code == 0
    assert result.out.count("Type a number from 1 to ") == len(nonsense) + 1
    assert "This is not one of the seven runes." in result.out
    assert result.out.count("it is your turn") == 1


def test_a_person_may_type_the_rune_itself(run: Any) -> None:
    arguments = ("play", "ancient-cards", "--players", "human,greedy", "--seed", "1")
    shown = run(*arguments, stdin="q\n").out
    first = shown.split("    1  ")[1].splitlines()[0]
    rune = next(
        card.id
        for card in games.get("ancient-cards").cards
        if text(f"card.ancient-cards.{card.id}") == first
    )
    told = run(*arguments, stdin=f"{rune}\nq\n")
    assert f"You lay {first} face down." in told.out
    absent = {"ia", "phnglui", "mglwnafh", "cthulhu", "rlyeh", "wgahnagl", "fhtagn"} - {
        step.removeprefix("card.ancient-cards.")
        for step in [f"card.ancient-cards.{c.id}" for c in games.get("ancient-cards").cards
                     if text(f"card.ancient-cards.{c.id}") in shown.split("Your hand: ")[1]]
    }  # fmt: skip
    for rune in sorted(absent)[:1]:
        assert "is not in this hand." in run(*arguments, stdin=f"{rune}\nq\n").out


def test_json_stays_json_when_a_person_plays(run: Any) -> None:
    result = run("play", "ancient-cards", "--players", "human,random", "--json", stdin="1\n" * 21)
    assert result.code == 0
    assert result.json["finished"] is True
    assert result.err.count("it is your turn") == 21


def test_two_people_at_one_terminal_see_no_secrets_told(run: Any) -> None:
    result = run("play", "ancient-cards", "--players", "human,human", stdin="1\n" * 42)
    assert result.code == 0
    assert "You lay" not in result.out
    assert result.out.count("Player 2, it is your turn.") == 21


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*/*.json")), ids=lambda file: file.stem)
def test_golden_games_are_told_again(run: Any, file: Path) -> None:
    if '"lovecraft-record"' not in file.read_text("utf-8"):
        refused(run("replay", str(file)), "record")
        return
    result = run("replay", str(file), "--lang", "es")
    assert (result.code, result.err) == (0, "")
    assert len(result.out.splitlines()) > 20
    piped = run("replay", "-", "--lang", "es", stdin=file.read_bytes())
    assert piped == result


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"", "line 1, column 1"),
        (b"\xff\xfe", "“-” is not UTF-8 text."),
        (b"{}", "record: “format” is missing."),
        (b"[]", "record: "),
        (b'{"format": "x"}', "“version” is missing"),
    ],
)
def test_damaged_records_are_refused(run: Any, source: bytes, words: str) -> None:
    refused(run("replay", "-", stdin=source), words)
    refused(run("replay", "-", "--json", stdin=source), words)


def test_an_edited_record_is_refused_with_its_move(run: Any, tmp_path: Path) -> None:
    golden = GOLDEN / "ancient-cards" / "two-players.json"
    value = json.loads(golden.read_text("utf-8"))
    value["moves"][3][1] = "hastur"
    file = tmp_path / "edited.json"
    file.write_text(json.dumps(value))
    refused(run("replay", str(file)), "moves[3][1]: This is not one of the seven runes.")
    assert run("replay", str(file), "--lang", "pt").err == (
        "lovecraft: moves[3][1]: Esta não é uma das sete runas.\n"
    )


# -- score ----------------------------------------------------------------------------------------


def identical(points: int, rune: str, n: int, words: str) -> dict[str, Any]:
    return {
        "points": points,
        "runes": [rune] * n,
        "rule": "ancient-cards/identical",
        "text": words,
    }


def test_score_of_the_example(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(EXAMPLE))
    result = run("score", "ancient-cards", str(file), "--json")
    assert (result.code, result.err) == (0, "")
    assert result.json == {
        "game": "ancient-cards",
        "finished": False,
        "players": [
            {
                "name": "Ana",
                "rounds": [
                    {
                        "points": 4,
                        "lines": [
                            identical(2, "ia", 3, "3 × Iä"),
                            identical(1, "cthulhu", 2, "2 × Cthulhu"),
                            identical(1, "fhtagn", 2, "2 × Fhtagn"),
                        ],
                    },
                    {"points": 10, "lines": [identical(10, "rlyeh", 7, "7 × R’lyeh")]},
                ],
                "total": 14,
                "rank": 1,
            },
            {
                "name": "Ion",
                "rounds": [
                    {"points": 10, "lines": [identical(10, "ia", 7, "7 × Iä")]},
                    {
                        "points": 4,
                        "lines": [
                            identical(2, "phnglui", 3, "3 × Ph’nglui"),
                            identical(1, "mglwnafh", 2, "2 × Mglw’nafh"),
                            identical(1, "cthulhu", 2, "2 × Cthulhu"),
                        ],
                    },
                ],
                "total": 14,
                "rank": 1,
            },
        ],
        "winners": ["Ana", "Ion"],
        "tiebreak": None,
    }
    assert run("score", "ancient-cards", "-", "--json", stdin=file.read_bytes()) == result
    with_mark = b"\xef\xbb\xbf" + file.read_bytes()
    assert run("score", "ancient-cards", "-", "--json", stdin=with_mark) == result


def rounds_of(*rounds: dict[str, int]) -> list[dict[str, int]]:
    return list(rounds)


def sheet(*players: tuple[Any, Any]) -> dict[str, Any]:
    return {
        "game": "ancient-cards",
        "players": [{"name": name, "rounds": rounds} for name, rounds in players],
    }


SEVEN, PAIRS = {"ia": 7}, {"ia": 2, "rlyeh": 2, "cthulhu": 2, "fhtagn": 1}
ALL = dict.fromkeys(("ia", "phnglui", "mglwnafh", "cthulhu", "rlyeh", "wgahnagl", "fhtagn"), 1)


def test_score_with_a_tie_broken_by_the_third_round(run: Any) -> None:
    tied = sheet(("Ana", [SEVEN, ALL, PAIRS]), ("Ion", [PAIRS, ALL, SEVEN]), ("Eva", [ALL] * 3))
    told = run("score", "ancient-cards", "-", "--json", stdin=json.dumps(tied)).json
    assert told["finished"] is True
    assert [player["total"] for player in told["players"]] == [18, 18, 15]
    assert [player["rank"] for player in told["players"]] == [2, 1, 3]
    assert told["winners"] == ["Ion"]
    assert told["tiebreak"] == "third-round"
    assert [line["points"] for line in told["players"][2]["rounds"][0]["lines"]] == [0] * 7 + [5]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_score_in_words(run: Any, lang: str) -> None:
    shared = json.dumps(sheet(("Ana", [SEVEN] * 3), ("Ion", [SEVEN] * 3)))
    result = run("score", "ancient-cards", "-", "--lang", lang, stdin=shared)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "Ana: 30"
    assert lines[1].strip() == text("core.points", lang, n=10)
    assert lines[2].split() == ["+10", "7", "×", "Iä"]
    assert lines[-1] == text("core.won", lang, n=2, winners=("Ana", "Ion"))
    told = run("score", "ancient-cards", "-", "--lang", lang, "--json", stdin=json.dumps(EXAMPLE))
    assert told.json["players"][0]["rounds"][0]["lines"][0]["text"] == "3 × Iä"


def test_names_are_data(run: Any) -> None:
    names = ["<script>alert(1)</script>", "{player} %s {0} \\n", "Ștefan “李” 👩\u200d🚀"]
    value = sheet(*((name, [ALL]) for name in names))
    told = run("score", "ancient-cards", "-", "--json", stdin=json.dumps(value))
    assert told.json["winners"] == names
    printed = run("score", "ancient-cards", "-", stdin=json.dumps(value, ensure_ascii=False))
    for name in names:
        assert f"{name}: 5\n" in printed.out


def test_names_are_trimmed(run: Any) -> None:
    value = json.dumps(sheet(("  Ana  Maria ", [ALL]), ("Ion", [ALL])))
    told = run("score", "ancient-cards", "-", "--json", stdin=value).json
    assert told["players"][0]["name"] == "Ana Maria"


def of_first(value: Any) -> dict[str, Any]:
    """A sheet whose first player's only round is this value."""
    return sheet(("Ana", [value]), ("Ion", [SEVEN]))


BAD_SHEETS: list[tuple[Any, str]] = [
    # not a sheet at all
    (None, "sheet: "),
    ([], "sheet: "),
    ("ancient-cards", "sheet: "),
    (7, "sheet: "),
    (True, "sheet: "),
    ({}, "sheet: “game” is missing."),
    ({"game": "ancient-cards"}, "sheet: “players” is missing."),
    ({"players": []}, "sheet: “game” is missing."),
    ({"game": "tides-of-madness", "players": []}, "game: This sheet is not for “ancient-cards”."),
    ({"game": None, "players": []}, "game: "),
    ({"game": ["ancient-cards"], "players": []}, "game: "),
    ({**EXAMPLE, "extra": 1}, "extra: Nothing of this name belongs here."),
    ({**EXAMPLE, "": 1}, "sheet: Nothing of this name belongs here."),
    ({**EXAMPLE, "x" * 5000: 1}, "x" * 40 + ": "),
    ({**EXAMPLE, "a\nb\x1b[2J": 1}, "a\N{REPLACEMENT CHARACTER}b"),
    # players
    ({"game": "ancient-cards", "players": None}, "players: "),
    ({"game": "ancient-cards", "players": {"Ana": []}}, "players: "),
    ({"game": "ancient-cards", "players": "Ana, Ion"}, "players: "),
    (sheet(), "players: There must be 2 to 7 entries here, not 0."),
    (sheet(("Ana", [SEVEN])), "players: There must be 2 to 7 entries here, not 1."),
    (sheet(*((f"P{i}", [SEVEN]) for i in range(8))), "players: There must be 2 to 7 entries"),
    ({"game": "ancient-cards", "players": ["Ana", "Ion"]}, "players[0]: "),
    ({"game": "ancient-cards", "players": [EXAMPLE["players"][0], None]}, "players[1]: "),
    ({"game": "ancient-cards", "players": [{"name": "Ana"}] * 2}, "players[0]: “rounds”"),
    ({"game": "ancient-cards", "players": [{"rounds": [SEVEN]}] * 2}, "players[0]: “name”"),
    ({"game": "ancient-cards", "players": [{"name": "A", "rounds": [SEVEN], "age": 3}] * 2},
     "players[0].age: "),
    # names
    (sheet(("Ana", [SEVEN]), ("", [SEVEN])), "players[1].name: A player needs a name."),
    (sheet((" \t ", [SEVEN]), ("Ion", [SEVEN])), "players[0].name: A player needs a name."),
    (sheet((None, [SEVEN]), ("Ion", [SEVEN])), "players[0].name: "),
    (sheet((5, [SEVEN]), ("Ion", [SEVEN])), "players[0].name: "),
    (sheet(("x" * 41, [SEVEN]), ("Ion", [SEVEN])), "players[0].name: A name has at most 40"),
    (sheet(("\x1b[31mAna", [SEVEN]), ("Ion", [SEVEN])), "players[0].name: "),
    (sheet(("\ud800", [SEVEN]), ("Ion", [SEVEN])), "players[0].name: "),
    (sheet(("Ana", [SEVEN]), ("Ana", [SEVEN])), "players[1].name: Two players are called Ana"),
    (sheet(("Ana", [SEVEN]), (" Ana ", [SEVEN])), "players[1].name: Two players are called Ana"),
    (sheet(("Jos\u00e9", [SEVEN]), ("Jose\u0301", [SEVEN])), "players[1].name: Two players"),
    # rounds
    (sheet(("Ana", None), ("Ion", [SEVEN])), "players[0].rounds: "),
    (sheet(("Ana", SEVEN), ("Ion", [SEVEN])), "players[0].rounds: "),
    (sheet(("Ana", []), ("Ion", [])), "players[0].rounds: There must be 1 to 3 entries here"),
    (sheet(("Ana", [SEVEN] * 4), ("Ion", [SEVEN] * 4)),
     "players[0].rounds: There must be 1 to 3 entries here, not 4."),
    (sheet(("Ana", [SEVEN] * 2), ("Ion", [SEVEN])),
     "players[1].rounds: This player has 1 round, the first player has 2."),
    (sheet(("Ana", [SEVEN]), ("Ion", [SEVEN] * 3)),
     "players[1].rounds: This player has 3 rounds, the first player has 1."),
    # runes
    (of_first(None), "players[0].rounds[0]: "),
    (of_first([3, 2, 2]), "players[0].rounds[0]: "),
    (of_first(7), "players[0].rounds[0]: "),
    (of_first({}), "players[0].rounds[0]: A round has 7 cards, but these add up to 0."),
    (of_first({"ia": 6}), "players[0].rounds[0]: A round has 7 cards, but these add up to 6."),
    (of_first({"ia": 7, "rlyeh": 1}), "players[0].rounds[0]: A round has 7 cards, but"),
    (of_first({"hastur": 7}), "players[0].rounds[0].hastur: There is no such rune"),
    (of_first({"IA": 7}), "players[0].rounds[0].IA: "),
    (of_first({"": 7}), "players[0].rounds[0].: "),
    (of_first({"ia": 8, "rlyeh": -1}), "players[0].rounds[0].ia: "),
    (of_first({"rlyeh": -1, "ia": 8}), "players[0].rounds[0].rlyeh: "),
    (of_first({"ia": 7.0}), "players[0].rounds[0].ia: This must be a whole number."),
    (of_first({"ia": True, "rlyeh": 6}), "players[0].rounds[0].ia: This must be a whole number."),
    (of_first({"ia": "7"}), "players[0].rounds[0].ia: "),
    (of_first({"ia": None, "rlyeh": 7}), "players[0].rounds[0].ia: "),
    (of_first({"ia": [7]}), "players[0].rounds[0].ia: "),
    (of_first({"ia": 10**400}), "players[0].rounds[0].ia: "),
    (of_first({"ia": -(10**400), "rlyeh": 10**400}), "players[0].rounds[0].ia: "),
    (sheet(("Ana", [SEVEN, ALL]), ("Ion", [SEVEN, {"ia": 3}])),
     "players[1].rounds[1]: A round has 7 cards, but these add up to 3."),
]  # fmt: skip


@pytest.mark.parametrize(("value", "words"), BAD_SHEETS)
def test_bad_sheets_are_refused_with_their_place(run: Any, value: Any, words: str) -> None:
    source = json.dumps(value)
    refused(run("score", "ancient-cards", "-", stdin=source), f"lovecraft: {words}")
    for lang in LANGUAGES:
        refused(run("score", "ancient-cards", "-", "--json", "--lang", lang, stdin=source),
                words.partition(": ")[0])  # fmt: skip


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"", "line 1, column 1"),
        (b"   \n ", "line 2, column 2"),
        (b"{", "line 1, column 2"),
        (b"{'game': 1}", "line 1, column 2"),
        (json.dumps(EXAMPLE).encode()[:-1], "not JSON"),
        (json.dumps(EXAMPLE).encode() * 2, "not JSON"),
        (b"\xff\xfe{\x00", "not UTF-8"),
        (b'{"game": "\xe9"}', "not UTF-8"),
        (b"PK\x03\x04", "line 1, column 1"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 39_000, "nested too deep"),
        (b" " * 200_001, "200000"),
        (json.dumps(of_first({"ia": 7})).replace("7", "NaN").encode(), "not JSON"),
        (json.dumps(of_first({"ia": 7})).replace("7", "1e999").encode(), "rounds[0].ia: "),
        (json.dumps(of_first({"ia": 7})).replace("7", "9" * 5000).encode(), "not JSON"),
        (json.dumps(of_first({"ia": 3})).replace("3", '3, "ia": 4').encode(), "“ia” stands twice"),
    ],
)
def test_what_is_no_json_sheet_is_refused(
    run: Any, tmp_path: Path, source: bytes, words: str
) -> None:
    piped = run("score", "ancient-cards", "-", stdin=source)
    refused(piped, words)
    file = tmp_path / "sheet.json"
    file.write_bytes(source)
    from_file = run("score", "ancient-cards", str(file), "--json")
    refused(from_file, words)
    assert from_file.err.replace(str(file), "-") == piped.err


def test_files_that_cannot_be_read_are_refused_by_name(run: Any, tmp_path: Path) -> None:
    refused(run("score", "ancient-cards", str(tmp_path)), str(tmp_path))
    missing = str(tmp_path / "no file.json")
    refused(run("score", "ancient-cards", missing), f"There is no file “{missing}”.")
    refused(run("score", "ancient-cards", str(tmp_path / "x" / "y")), "no file")
    below = tmp_path / "file"
    below.write_text("{}")
    refused(run("score", "ancient-cards", str(below / "sheet.json")), "sheet.json")
    refused(run("score", "ancient-cards", "x" * 5000), "xxx")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
WORDS = ("name", "rounds", "players", "tokens", "token", "markers", "kept", "played", "choice",
         "edition", "rituals", "cult", "hand", "dreamlands", "ia", "rlyeh", "fhtagn")  # fmt: skip


@pytest.mark.parametrize("game_id", games.GAMES)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_only_invalid_sheets_come_out_of_scoring(game_id: str, data: st.DataObject) -> None:
    """Shapes that look like sheets, of every game's words, filled with anything."""
    game = games.get(game_id)
    inner = json_values | st.dictionaries(st.sampled_from(WORDS), json_values, max_size=4)
    fields = st.dictionaries(st.sampled_from(WORDS), inner | st.lists(inner, max_size=3))
    value = data.draw(
        st.fixed_dictionaries(
            {"game": st.just(game_id)},
            optional={"players": st.lists(fields | inner, max_size=4), "rounds": inner},
        )
    )
    for sheet_ in (value, {**value, **data.draw(fields)}):
        try:
            result = game.score(sheet_)
        except InvalidSheet as error:
            for lang in LANGUAGES:
                assert error.text(lang)
        else:
            assert result["game"] == game_id
            json.dumps(result, allow_nan=False)


SAMPLES = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted((GOLDEN / "scores").glob("*.json"))
    if file.stem in games.GAMES
}


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every container and key in a JSON value."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    return [(value, key) for key in keys] + [spot for key in keys for spot in spots(value[key])]


@pytest.mark.parametrize("game_id", SAMPLES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_sample_sheets_are_scored_in_every_language(run: Any, game_id: str, lang: str) -> None:
    source = json.dumps(SAMPLES[game_id])
    told = run("score", game_id, "-", "--json", "--lang", lang, stdin=source)
    assert (told.code, told.err) == (0, "")
    assert told.json["game"] == game_id
    printed = run("score", game_id, "-", "--lang", lang, stdin=source)
    assert (printed.code, printed.err) == (0, "")
    assert len(printed.out.splitlines()) > 3


@pytest.mark.parametrize("game_id", SAMPLES)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_samples_with_damaged_spots_are_scored_or_refused(
    game_id: str, data: st.DataObject
) -> None:
    value = json.loads(json.dumps(SAMPLES[game_id]))
    leaves = [container[key] for container, key in spots(value)]
    for _ in range(data.draw(st.integers(1, 2))):
        container, key = data.draw(st.sampled_from(spots(value) or [({"": 0}, "")]))
        change = data.draw(st.sampled_from(["other", "any", "drop", "repeat", "more"]))
        if change == "drop":
            del container[key]
        elif change == "repeat" and isinstance(container, list):
            container.insert(key, container[key])
        elif change == "more" and isinstance(container, dict):
            container[data.draw(st.text(max_size=5))] = data.draw(json_values)
        elif change == "other":
            container[key] = json.loads(json.dumps(data.draw(st.sampled_from(leaves))))
        else:
            container[key] = data.draw(json_values)
    try:
        result = games.get(game_id).score(value)
    except InvalidSheet as error:
        assert error.place
        assert all(error.text(lang) for lang in LANGUAGES)
    else:
        json.dumps(result, allow_nan=False)


counts = st.dictionaries(st.sampled_from([*ALL, "hastur"]), st.integers(-1, 8), max_size=4)


@given(
    players=st.lists(
        st.tuples(st.text(max_size=3), st.lists(counts, min_size=1, max_size=3)),
        min_size=2,
        max_size=3,
    )
)
@settings(max_examples=150, deadline=None)
def test_a_sheet_is_scored_or_refused_by_what_it_says(
    players: list[tuple[str, list[dict[str, int]]]],
) -> None:
    good = (
        all(
            set(counts) <= set(ALL) and sum(counts.values()) == 7 and min(counts.values()) >= 0
            for _, rounds in players
            for counts in rounds
        )
        and len({len(rounds) for _, rounds in players}) == 1
    )
    try:
        result = games.get("ancient-cards").score(sheet(*players))
    except InvalidSheet as error:
        assert error.place
        assert not good or error.place.endswith(".name")
    else:
        assert good
        for player in result["players"]:
            assert player["total"] == sum(round_["points"] for round_ in player["rounds"])
            for round_ in player["rounds"]:
                assert round_["points"] == sum(line["points"] for line in round_["lines"])


def test_the_limit_of_a_sheet_is_far_above_a_real_one() -> None:
    full = sheet(*((f"{i}" * 40, [ALL] * 3) for i in range(7)))
    assert len(json.dumps(full, indent=8)) * 10 < score_command.MAX_CHARACTERS


# -- bench and arena ------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    monkeypatch.setattr(bench, "REPEATS", 3)
    monkeypatch.setattr(bench, "SAMPLE", 2)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("arguments", [(), ("ancient-cards",)])
def test_bench(run: Any, arguments: tuple[str, ...]) -> None:
    told = run("bench", *arguments, "--json").json
    assert set(told) == {"python", "implementation", "baseline", "games"}
    assert told["python"] == ".".join(map(str, sys.version_info[:3]))
    assert told["baseline"]["decisions_per_s"] > 0
    assert set(told["games"]) == set(arguments or games.GAMES)
    for game_id, row in told["games"].items():
        assert set(row) == {
            "players", "games_per_s", "decisions_per_game", "decisions_per_s",
            "round_playouts_per_s", "ratio_to_baseline",
        }  # fmt: skip
        assert row["players"] == games.get(game_id).min_players
        assert row["games_per_s"] > 0 and row["decisions_per_s"] > 0
        ratio = row["decisions_per_s"] / told["baseline"]["decisions_per_s"]
        assert row["ratio_to_baseline"] == pytest.approx(ratio, abs=2e-3)
        each = row["decisions_per_s"] / row["games_per_s"]
        assert row["decisions_per_game"] == pytest.approx(each, rel=0.01)
    runes = told["games"]["ancient-cards"]
    assert runes["decisions_per_game"] == 42
    assert runes["round_playouts_per_s"] > 0


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_bench_in_words(run: Any, lang: str) -> None:
    lines = run("bench", "ancient-cards", "--lang", lang).out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("Python 3.")
    assert lines[2].startswith("ancient-cards: ")


def test_arena(run: Any) -> None:
    arguments = ("arena", "ancient-cards", "--bots", "greedy, random,random", "--games", "31",
                 "--seed", "4", "--option", "copies=8", "--json")  # fmt: skip
    told = run(*arguments).json
    assert run(*arguments).json == told
    assert {key: told[key] for key in ("game", "games", "seed", "players", "options")} == {
        "game": "ancient-cards",
        "games": 31,
        "seed": "4",
        "players": 3,
        "options": {"copies": 8},
    }
    assert [bot["bot"] for bot in told["bots"]] == ["greedy", "random", "random"]
    for bot in told["bots"]:
        assert 0 <= bot["low"] <= bot["win_rate"] <= bot["high"] <= 1
        assert bot["wins"] <= 31 * bot["win_rate"] + 1e-9
        assert 0 <= bot["mean_points"] <= 30
    assert sum(bot["win_rate"] for bot in told["bots"]) == pytest.approx(1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_arena_in_words(run: Any, lang: str) -> None:
    one = run("arena", "ancient-cards", "--games", "1", "--lang", lang).out.splitlines()
    many = run("arena", "ancient-cards", "--games", "2", "--lang", lang).out.splitlines()
    assert len(one) == len(many) == 3
    assert one[0].startswith("1 ") and many[0].startswith("2 ")
    assert one[0].split()[1] != many[0].split()[1]
    assert one[1].split()[0] == "greedy"


def test_arena_swaps_the_seats_and_repeats_each_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    from lovecraft import arena

    played: list[tuple[list[Any], Any, Any]] = []
    real = arena.play

    def spy(game: Any, agents: Any, seed: Any, options: Any = None) -> Any:
        record = real(game, agents, seed, options=options)
        played.append((list(agents), seed, record.moves[0]))
        return record

    monkeypatch.setattr(arena, "play", spy)
    agents = {level: object() for level in ("greedy", "random")}
    makes = [bots.make(level, games.get("ancient-cards")) for level in agents]
    monkeypatch.setattr(bots, "make", lambda level, game: makes[list(agents).index(level)])
    arena.contest(games.get("ancient-cards"), ["greedy", "random"], 4, "s")
    assert [seats for seats, _, _ in played] == [makes, makes[::-1], makes, makes[::-1]]
    assert [seed for _, seed, _ in played] == ["s/0", "s/0", "s/1", "s/1"]
    assert played[0][2] == played[1][2] != played[2][2] == played[3][2]
    assert all(deal.player == CHANCE for _, _, deal in played)


@pytest.mark.parametrize("levels", [("greedy", "random"), ("random", "greedy", "random")])
def test_arena_credits_each_bot_with_what_it_has_played(levels: tuple[str, ...]) -> None:
    from lovecraft import arena
    from lovecraft.core import play

    game = games.get("ancient-cards")
    agents = [bots.make(level, game) for level in levels]
    n, number = len(levels), 2 * len(levels) + 1
    shares, points, wins = [0.0] * n, [0] * n, [0] * n
    for at in range(number):
        order = [(seat + at) % n for seat in range(n)]
        outcome = play(game, [agents[bot] for bot in order], f"7/{at // n}").outcome()
        assert outcome is not None
        for seat, bot in enumerate(order):
            shares[bot] += outcome.payoffs[seat]
            points[bot] += outcome.totals[seat]
            wins[bot] += outcome.winners == (seat,)
    told = arena.contest(game, levels, number, 7)["bots"]
    assert [bot["bot"] for bot in told] == list(levels)
    assert [bot["win_rate"] for bot in told] == pytest.approx([s / number for s in shares])
    assert [bot["mean_points"] for bot in told] == pytest.approx([p / number for p in points])
    assert [bot["wins"] for bot in told] == wins


def test_arena_between_equals_is_even(run: Any) -> None:
    told = run("arena", "ancient-cards", "--bots", "random,random", "--games", "100", "--json").json
    for bot in told["bots"]:
        assert bot["low"] < 0.5 < bot["high"]


def test_wilson_intervals() -> None:
    from lovecraft.arena import wilson

    assert wilson(0, 0) == (0.0, 1.0)
    # reference values of the score interval
    for wins, games_, low, high in [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (15, 20, 0.5313, 0.8881),
        (1.5, 3, 0.1253, 0.8747),
    ]:
        assert wilson(wins, games_) == pytest.approx((low, high), abs=6e-4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--games", "0"), "games: At least one game must be played."),
        (("--games", "-5"), "games: "),
        (("--games", "many"), "many"),
        (("--games", "1.5"), "1.5"),
        (("--bots", "greedy"), "players: "),
        (("--bots", ",".join(["random"] * 8)), "players: "),
        (("--bots", "greedy,human"), "“human”"),
        (("--bots", "greedy,deep-blue"), "“deep-blue”"),
        (("--bots", ""), "“”"),
        (("--option", "copies=3"), "options.copies"),
    ],
)
def test_arena_refuses(run: Any, arguments: tuple[str, ...], words: str) -> None:
    refused(run("arena", "ancient-cards", "--json", *arguments), words)


@pytest.mark.parametrize(
    "game_id", [g.id for g in games.GAMES.values() if g.max_players == 2] or ["ancient-cards"]
)
def test_arena_refuses_a_wrong_number_of_bots(run: Any, game_id: str) -> None:
    seats = games.get(game_id).max_players + 1
    refused(run("arena", game_id, "--bots", ",".join(["random"] * seats)), "players: ")


# -- as a real process ----------------------------------------------------------------------------


def process(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("LOVECRAFT_LANG", None)
    environment.update(more.pop("env", {}))
    return subprocess.run(
        [sys.executable, "-m", "lovecraft", *arguments],
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
        **more,
    )


def test_as_a_program() -> None:
    done = process("score", "ancient-cards", "-", "--json", input=json.dumps(EXAMPLE).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["winners"] == ["Ana", "Ion"]
    failed = process("score", "ancient-cards", "-", input=b"\xff")
    assert (failed.returncode, failed.stdout) == (2, b"")
    assert failed.stderr.decode() == "lovecraft: “-” is not UTF-8 text.\n"


def test_a_terminal_without_the_characters_gets_them_escaped() -> None:
    poor = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("rules", "ancient-cards", env=poor)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"R\\u2019lyeh" in done.stdout
    failed = process("rules", "schach \N{BLACK CHESS KING}", env=poor)
    assert failed.returncode == 2
    assert failed.stderr.count(b"\n") == 1 and b"\\u265a" in failed.stderr


@pytest.mark.parametrize(
    ("shell", "code", "error"),
    [
        ("{} list | head -n 1 > /dev/null", 0, ""),
        ("{} rules ancient-cards | true", 0, ""),
        ("{} list > /dev/full", 2, "No space left on device"),
        ("{} list >&-", 0, ""),
        ("{} score ancient-cards - <&-", 2, "line 1, column 1"),
        ("{} play ancient-cards --players human,greedy <&- > /dev/null", 0, ""),
        ("{} play ancient-cards --seed $(printf '\\377') > /dev/null", 0, ""),
        ("{} score ancient-cards $(printf 'x\\377.json')", 2, "There is no file"),
    ],
)
def test_pipes_and_closed_ends(shell: str, code: int, error: str) -> None:
    command = shell.format(f"{sys.executable} -m lovecraft")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in ("LOVECRAFT_LANG", "PYTHONUNBUFFERED"):  # output is kept back until the end
        environment.pop(name, None)
    done = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert error in done.stderr.decode()
    assert done.stderr.count(b"\n") == bool(error)
