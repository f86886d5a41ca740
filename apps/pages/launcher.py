"""The launcher: which game, what to do with it, and what was left open."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import NamedTuple

from apps.companion.session import PREFIX as SCORES
from apps.shell import THEMES, RemovingPage, Shell
from apps.store import DAMAGED
from apps.table.session import PREFIX as TABLES
from lovecraft import games
from lovecraft.i18n import LANGUAGES, NATIVE_NAMES, Message, msg

SHOWN = 8


class Left(NamedTuple):
    """Something left open: where it goes on, what it is, who plays, when it was last touched."""

    key: str
    href: str
    game: Message
    kind: Message
    names: tuple[str, ...]
    updated: int


class Launcher(RemovingPage):
    """Games, open sessions, language and theme."""

    title = msg("app.title")

    def __init__(self, shell: Shell, companions: Container[str], boards: Container[str]) -> None:
        super().__init__(shell)
        self.companions = companions
        self.boards = boards

    def html(self) -> str:
        return self.shell.render(
            "launcher.html",
            games=list(games.GAMES.values()),
            companions=self.companions,
            boards=self.boards,
            left=self.left()[:SHOWN],
            removing=self.removing,
            damaged=self.shell.store.keys(DAMAGED),
            languages=[(lang, NATIVE_NAMES[lang]) for lang in LANGUAGES],
            themes=THEMES,
        )

    def left(self) -> list[Left]:
        """Sessions and unfinished games, the latest first."""
        found = []
        for prefix, kind in ((TABLES, "table"), (SCORES, "score")):
            for key in self.shell.store.keys(prefix):
                entry = self.shell.store.get(key) or {}
                game = str(entry.get("game"))
                if game not in games.GAMES or entry.get("finished"):
                    continue
                names = entry.get("names")
                updated = entry.get("updated")
                found.append(
                    Left(
                        key,
                        f"#/{game}/{kind}/{key.removeprefix(prefix)}",
                        games.GAMES[game].name,
                        msg(f"app.{kind}"),
                        tuple(map(str, names)) if isinstance(names, list) else (),
                        updated if isinstance(updated, int) else 0,
                    )
                )
        return sorted(found, key=lambda one: -one.updated)

    def remove(self, key: str) -> None:
        if key.startswith((TABLES, SCORES)):
            self.shell.store.remove(key)

    def on_export_damaged(self) -> None:
        """Hand over the texts of what could not be read."""
        store = self.shell.store
        texts = {key: store.text(key) for key in store.keys(DAMAGED)}
        self.shell.tell(
            download={
                "name": "lovecraft-damaged.json",
                "text": json.dumps(texts, ensure_ascii=False, indent=2),
                "type": "application/json",
            }
        )

    def on_forget_damaged(self) -> None:
        """The person does not want it."""
        for key in self.shell.store.keys(DAMAGED):
            self.shell.store.remove(key)
