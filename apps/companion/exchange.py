"""Sessions as files and as links: what leaves the device, and what is let in."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from apps.companion.session import Session, today
from apps.packing import pack, unpack
from lovecraft.core import LovecraftError
from lovecraft.core.record import parse_json
from lovecraft.i18n import fold, msg, text

FORMAT = "lovecraft-scores"
VERSION = 1
MOST_CHARACTERS = 4_000_000
MOST_SHEET = 200_000
"""Bytes of one session in a link, unpacked: many times what any sheet needs."""

TYPES = {"json": "application/json", "csv": "text/csv;charset=utf-8"}

if TYPE_CHECKING:
    from apps.companion.page import SheetPage

Pages = Mapping[str, "type[SheetPage]"]


class NotRead(LovecraftError):
    """A file or link that holds no session that could be shown."""


def session_json(session: Session) -> dict[str, Any]:
    """A session without its history of edits."""
    return {
        "game": session.game,
        "created": session.created,
        "date": session.date,
        "note": session.note,
        "sheet": session.sheet,
    }


def session_of(value: Any, pages: Pages) -> Session:
    """A new session with what another one holds. Raises NotRead."""
    try:
        page = pages[value["game"]]
        session = Session.read({**value, "done": [], "undone": []}, "")
        page.accept(session.sheet)
    except (ValueError, TypeError, LookupError, AttributeError, LovecraftError, RecursionError):
        raise NotRead(msg("score.not-a-sheet")) from None
    return session


# -- files --------------------------------------------------------------------------------------


def to_file(sessions: Iterable[Session]) -> str:
    """Sessions as the text of a JSON file."""
    found = [session_json(session) for session in sessions]
    value = {"format": FORMAT, "version": VERSION, "sessions": found}
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def from_file(words: str, pages: Pages) -> tuple[list[Session], int]:
    """The sessions of a file, and how many in it could not be read. Raises NotRead."""
    if len(words) > MOST_CHARACTERS:
        raise NotRead(msg("score.file.too-long"))
    try:
        value = parse_json(words)
    except LovecraftError:
        raise NotRead(msg("score.file.not-json")) from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise NotRead(msg("score.file.other"))
    if value.get("version") != VERSION:
        raise NotRead(msg("score.file.version"))
    entries = value.get("sessions")
    if not isinstance(entries, list):
        raise NotRead(msg("score.file.other"))
    sessions, refused = [], 0
    for entry in entries:
        try:
            sessions.append(session_of(entry, pages))
        except NotRead:
            refused += 1
    return sessions, refused


CSV_COLUMNS = ("date", "game", "session", "player", "total", "rank", "won", "finished", "note")


def to_csv(sessions: Iterable[Session], pages: Pages, lang: str) -> str:
    """One row per player and session; words in ``lang``, columns in English."""
    rows = [",".join(CSV_COLUMNS)]
    for session in sessions:
        page = pages[session.game]
        outcome, finished = page.result(session.sheet)
        for p, name in enumerate(page.shown_names(session.sheet, lang)):
            values = (
                session.date,
                text(page.game.name, lang),
                session.id,
                name,
                outcome.totals[p],
                outcome.ranks[p],
                int(finished and p in outcome.winners),
                int(finished),
                session.note,
            )
            rows.append(",".join(map(_cell, values)))
    return "\r\n".join(rows) + "\r\n"


def _cell(value: object) -> str:
    words = str(value)
    if not isinstance(value, int) and words[:1] in "=+-@\t\r" and words:
        words = "'" + words  # a spreadsheet must not run what somebody is called
    if any(c in words for c in ',"\r\n'):
        return '"' + words.replace('"', '""') + '"'
    return words


# -- BG Stats -----------------------------------------------------------------------------------

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""Where BG Stats takes a play: as URL-encoded JSON in a plain link that a person follows."""


def to_bg_stats(session: Session, page: type[SheetPage], lang: str) -> str:
    """A finished session as a link that opens it as a new play in BG Stats.

    Names, points, winners and the day go along; notes do not. The day's time is that of the
    sheet, or noon UTC when the day was entered by hand.
    """
    outcome, finished = page.result(session.sheet)
    day = today(session.created)
    moment = time.strftime("%H:%M:%S", time.gmtime(session.created / 1000))
    data = {
        "sourceName": text("app.title", "en"),
        "sourcePlayId": session.id,
        "playDate": f"{session.date} {moment if session.date == day else '12:00:00'}",
        "game": {
            "name": text(page.game.name, "en"),
            "sourceGameId": page.game.id,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "sourcePlayerId": fold(name),
                "name": name,
                "startPlayer": False,
                "score": str(outcome.totals[p]),
                "rank": outcome.ranks[p],
                # not optional: BG Stats on Android stops at a play without it
                "winner": finished and p in outcome.winners,
            }
            for p, name in enumerate(page.shown_names(session.sheet, lang))
        ],
    }
    return BG_STATS + quote(json.dumps(data, ensure_ascii=False, separators=(",", ":")), safe="")


# -- links --------------------------------------------------------------------------------------


def to_link(session: Session) -> str:
    """A whole session in letters that an address can hold."""
    return pack(session_json(session))


def from_link(letters: str, pages: Pages, game: str) -> Session:
    """The session of a link to this game's page. Raises NotRead when it is damaged."""
    try:
        value = unpack(letters, MOST_SHEET)
    except ValueError:
        raise NotRead(msg("score.link.damaged")) from None
    if not isinstance(value, dict) or value.get("game") != game:
        raise NotRead(msg("score.link.damaged"))
    try:
        return session_of(value, pages)
    except NotRead:
        raise NotRead(msg("score.link.damaged")) from None
