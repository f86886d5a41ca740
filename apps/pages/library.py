"""The games on this device: going on with them, replaying, files out and in."""

from __future__ import annotations

from apps.companion.session import today
from apps.shell import RemovingPage, Shell
from apps.table import archive
from apps.table.archive import Kept
from lovecraft import games
from lovecraft.core import LovecraftError, Record
from lovecraft.i18n import msg

SHOWN = 60
"""Games listed at once; the others can be found by the filter."""


class Library(RemovingPage):
    """Running and finished games, the latest first."""

    title = msg("games.title")

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.only = ""

    def html(self) -> str:
        every = archive.kept(self.shell.store)
        shown = self._chosen(every)
        return self.shell.render(
            "library.html",
            any=bool(every),
            games=list(games.GAMES.values()),
            sections=[
                (kind, [one for one in shown[:SHOWN] if one.finished == finished])
                for kind, finished in (("running", False), ("finished", True))
            ],
            number=len(shown),
            more=max(len(shown) - SHOWN, 0),
            removing=self.removing,
            day=today,
        )

    def _chosen(self, every: list[Kept]) -> list[Kept]:
        return [one for one in every if self.only in ("", one.game.id)]

    # -- what people do ---------------------------------------------------------------------------

    def on_game(self, game: str) -> None:
        """Only games of one kind, or all."""
        self.only = game if game in games.GAMES else ""

    def remove(self, key: str) -> None:
        if key in {one.key for one in archive.kept(self.shell.store)}:
            archive.remove(self.shell.store, key)

    def on_export(self, key: str) -> None:
        """One game as a record file."""
        open_ = {one.key for one in archive.kept(self.shell.store) if not one.secret}
        record = self._record(key) if key in open_ else None
        if record is not None:
            self._download(f"{record.game.id}-{key.partition('/')[2]}.json", record.dumps())

    def on_export_all(self) -> None:
        """All games that are listed, as one file."""
        chosen = self._chosen(archive.kept(self.shell.store))
        records = [record for one in chosen if (record := self._record(one.key)) is not None]
        if records:
            self._download("lovecraft-games.json", archive.to_file(records))

    def _record(self, key: str) -> Record | None:
        """A kept game, checked; one that is damaged is set aside, and that is said."""
        entry = self.shell.store.get(key)
        if entry is None:
            return None
        try:
            return Record.from_json(entry.get("record"), games.get)
        except LovecraftError:
            self.shell.store.set_aside(key)
            self.shell.notice = msg("app.error.damaged")
            return None

    def _download(self, name: str, words: str) -> None:
        self.shell.tell(download={"name": name, "text": words, "type": "application/json"})

    def on_import(self, words: str) -> None:
        """Take in the games of a file; those that are here already stay as they are."""
        try:
            records, refused = archive.from_file(words)
        except LovecraftError as wrong:
            self.shell.notice = msg("games.file.refused", reason=archive.told(wrong))
            return
        here = set(archive.marks(self.shell.store))
        taken = 0
        for record in records:
            mark = archive.mark(record.to_json())
            if mark not in here:
                archive.take_in(self.shell.store, record)
                here.add(mark)
                taken += 1
        known = len(records) - taken
        if refused:
            reason = archive.told(refused[0])
            self.shell.notice = msg("games.file.part", n=len(refused), taken=taken, reason=reason)
        elif known:
            self.shell.notice = msg("games.file.known", n=known, taken=taken)
        else:
            self.shell.notice = msg("games.file.taken", n=taken)
