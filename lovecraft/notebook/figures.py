"""What there is to see of a state, an observation, a score sheet, a record: figures to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lovecraft.core import CHANCE, AnyGame, Event, Record, ScoreSheet
from lovecraft.core.events import ended
from lovecraft.core.options import label
from lovecraft.i18n import Seat
from lovecraft.notebook.pieces import Chip, Line, Piece, Writer

MANY = 24
"""How many legal actions are listed before the rest is only counted."""


class Block(NamedTuple):
    """Lines under a heading; a folded block shows its heading first."""

    heading: str
    lines: tuple[Line, ...]
    folded: bool = False


class Figure(NamedTuple):
    """A title, a note beside it (who is to move, who has won), and blocks of lines."""

    title: str
    blocks: tuple[Block, ...]
    note: str = ""


def observation(game: AnyGame, seen: Any, lang: str, names: Sequence[str] = ()) -> Figure:
    """What one seat knows, and what it can do."""
    write = Writer(game, lang, names)
    lines = write.lines(game.in_words(seen))
    actions = _actions(write, seen)
    title = write.words("notebook.seen-by", game=game.name, player=Seat(seen.player))
    return Figure(title, (Block("", (*lines, *actions)),))


def state(game: AnyGame, state: Any, lang: str, names: Sequence[str] = ()) -> Figure:
    """A whole position: what all see first, then what each seat alone knows and can do."""
    write = Writer(game, lang, names)
    seats = range(state.setup.players)
    seen = [game.observe(state, p) for p in seats]
    views = [write.lines(game.in_words(one)) for one in seen]
    common = tuple(line for line in views[0] if all(line in view for view in views))
    blocks = [Block("", common)] if common else []
    for p, view in zip(seats, views, strict=True):
        own = tuple(line for line in view if line not in common)
        if lines := (*own, *_actions(write, seen[p])):
            blocks.append(Block(write.words("notebook.knows", player=Seat(p)), lines))
    return Figure(write.words(game.name), tuple(blocks), whose_turn(write, state))


def sheet(game: AnyGame, sheet: ScoreSheet, lang: str, names: Sequence[str] = ()) -> Figure:
    """The lines of a score, their points first, and the sum."""
    write = Writer(game, lang, names)
    lines = [
        Line(str(line.points), (*write.pieces(line.text), *_others(write, line.cards, line.text)))
        for line in sheet.lines
    ]
    total = Line(str(sheet.points), (write.words("notebook.total"),))
    return Figure(write.words("notebook.score", game=game.name), (Block("", (*lines, total)),))


def record(record: Record, lang: str) -> Figure:
    """A game as played: who, with which options, how it ended, and move by move what happened."""
    game = record.game
    write = Writer(game, lang, record.names)
    steps = tuple(record.steps())
    final = steps[-1].after if steps else record.start()
    head = [
        Line(
            write.words("notebook.players"),
            tuple(Chip("", f"{player.name} · {player.kind}") for player in record.players),
        )
    ]
    for option in game.options:
        value = record.options[option.name]
        if value != option.default:
            named = label(game.id, option.name, value) if isinstance(value, str) else None
            shown = write.words(named) if named else str(value).lower()
            head.append(Line(write.words(label(game.id, option.name)), (shown,)))
    outcome = game.outcome(final)
    if outcome:
        totals = tuple(
            f"{name}: {points}" + (" · " if i + 1 < len(outcome.totals) else "")
            for i, (name, points) in enumerate(zip(write.names, outcome.totals, strict=True))
        )
        head.append(Line(write.words("notebook.total"), totals))
    told = tuple(
        Line(str(step.at) if i == 0 else "", pieces)
        for step in steps
        for i, pieces in enumerate(map(write.pieces, (e.text for e in step.events)))
    )
    moves = Block(write.words("notebook.moves", n=len(steps)), told, folded=True)
    blocks = (Block("", tuple(head)), *((moves,) if told else ()))
    return Figure(write.words(game.name), blocks, whose_turn(write, final))


def events(
    game: AnyGame, told: Sequence[Event], lang: str, names: Sequence[str] = ()
) -> tuple[Line, ...]:
    """What happened, each with the title of its rule as the label."""
    write = Writer(game, lang, names)
    return tuple(
        Line(
            write.words(game.rules[event.rule].title) if event.rule in game.rules else "",
            write.pieces(event.text),
        )
        for event in told
    )


def _actions(write: Writer, seen: Any) -> tuple[Line, ...]:
    """The legal actions of an observation in words, if there are any."""
    if not seen.actions:
        return ()
    described = [write.game.describe(action) for action in seen.actions]
    line = write.list(write.words("notebook.actions", n=len(described)), described[:MANY])
    if (rest := len(described) - MANY) > 0:
        more: Piece = write.words("notebook.more", n=rest)
        return (line._replace(pieces=(*line.pieces, more)),)
    return (line,)


def whose_turn(write: Writer, state: Any) -> str:
    """Who is to move, or how it ended, in words."""
    outcome = write.game.outcome(state)
    if outcome:
        return write.words(ended(outcome, "").text)
    movers = write.game.to_move(state)
    if CHANCE in movers:
        return write.words("notebook.chance")
    return write.words("notebook.to-move", n=len(movers), players=tuple(map(Seat, movers)))


def _others(write: Writer, cards: Sequence[str], told: Any) -> tuple[Chip, ...]:
    """The cards of a score line that its words do not name."""
    named = {piece.name for piece in write.pieces(told) if isinstance(piece, Chip)}
    chips = [
        piece
        for card in dict.fromkeys(cards)
        for piece in write.pieces(write.game.card_name(card))
        if isinstance(piece, Chip)
    ]
    return tuple(chip for chip in chips if chip.name not in named)
