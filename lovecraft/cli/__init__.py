"""The command line: list, rules, play, replay, score, arena, ladder, balance, bench.

Whatever is refused ends with exit code 2 and one sentence on standard error.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from lovecraft import __version__
from lovecraft.cli import arena, balance, bench, ladder, listing, play, replay, rules, score
from lovecraft.core.errors import LovecraftError
from lovecraft.i18n import LANGUAGES, text

COMMANDS = (listing, rules, play, replay, score, arena, ladder, balance, bench)
REFUSED = 2


class _Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(REFUSED, f"{self.prog}: {_one_line(message)}\n")


def parser(lang: str = "en") -> argparse.ArgumentParser:
    """The parser of all commands, its help in ``lang``."""
    top = _Parser(prog="lovecraft", description=text("cli.help", lang))
    top.add_argument("--version", action="version", version=f"lovecraft {__version__}")
    common = _Parser(add_help=False)
    common.add_argument("--lang", choices=LANGUAGES, default=lang, help=text("cli.help.lang", lang))
    common.add_argument("--json", action="store_true", help=text("cli.help.json", lang))
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )
    for command in COMMANDS:
        words = text(f"cli.help.{command.NAME}", lang)
        sub = commands.add_parser(
            command.NAME, parents=[common], help=_literal(words), description=words
        )
        command.arguments(sub, lambda key, lang=lang: _literal(text(f"cli.help.{key}", lang)))
        sub.set_defaults(run=command.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    _never_fail_on_a_character()
    args = parser(_language(given)).parse_args(given)
    try:
        code: int = args.run(args)
        if sys.stdout:  # none when the caller has closed it
            sys.stdout.flush()
        return code
    except LovecraftError as refused:
        return _refuse(refused.text(args.lang))
    except FileNotFoundError as missing:
        return _refuse(text("cli.error.no-file", args.lang, file=missing.filename))
    except BrokenPipeError:  # a reader such as `head` has left: not our error
        _drop_output()
        return 0
    except OSError as failed:
        if failed.filename is None:  # it is the output that failed, such as on a full disk
            _drop_output()
        return _refuse(
            text(
                "cli.error.file",
                args.lang,
                file=failed.filename or "-",
                reason=failed.strerror or str(failed),
            )
        )
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _refuse(sentence: str) -> int:
    _tell(sentence)
    return REFUSED


def _tell(sentence: str) -> None:
    print(f"lovecraft: {_one_line(sentence)}", file=sys.stderr)


def _drop_output() -> None:
    """Let nothing more be written, so that closing standard output cannot fail once more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line(words: str) -> str:
    """Words that quote foreign input, without line breaks and control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words)


def _literal(words: str) -> str:
    """Help that argparse shows as it stands: a percent sign is one."""
    return words.replace("%", "%%")


def _never_fail_on_a_character() -> None:
    """Characters that a terminal or pipe cannot carry are escaped instead of raising."""
    for standard, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(standard, io.TextIOWrapper):
            standard.reconfigure(errors=errors)


def _language(given: list[str]) -> str:
    """The language asked for on the command line or in LOVECRAFT_LANG, English otherwise.

    The parser refuses another one on the command line; one in the environment is only told of.
    """
    asked = None
    for at, word in enumerate(given):
        if word == "--lang" and at + 1 < len(given):
            asked = given[at + 1]
        elif word.startswith("--lang="):
            asked = word.partition("=")[2]
    wanted = asked or os.environ.get("LOVECRAFT_LANG") or "en"
    if wanted in LANGUAGES:
        return wanted
    if asked is None:
        _tell(text("cli.error.language", "en", language=wanted[:40], languages=LANGUAGES))
    return "en"
