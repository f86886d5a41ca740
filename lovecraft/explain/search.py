"""Search over rules, cards and rituals, in four languages at once, accents ignored."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from lovecraft import games
from lovecraft.explain.desks import RitosDesk, desk
from lovecraft.games.ritos_ancestrais.edition import HOUSE, needs_text
from lovecraft.i18n import LANGUAGES, Message, fold, msg, text

Kind = Literal["rule", "card", "ritual"]


class Entry(NamedTuple):
    """A rule, card or ritual: whose, its id, its title, what it says, its page in the site."""

    kind: Kind
    game: str
    id: str
    title: Message
    words: tuple[Message, ...]
    route: str


class Hit(NamedTuple):
    """An entry that was found; ``score`` ranks it, ``lang`` is the language that matched."""

    entry: Entry
    score: float
    lang: str


_WORD = re.compile(r"\w+")
_APOSTROPHES = re.compile("['’`´]")
OTHER_LANGUAGE = 0.5
"""What a match in another language than the reader's counts."""


def words_of(query: str) -> tuple[str, ...]:
    """A text as it is compared: lower case, without accents and apostrophes, word by word.

    >>> words_of("R’lyeh, Pontuação!")
    ('rlyeh', 'pontuacao')
    """
    return tuple(_WORD.findall(fold(_APOSTROPHES.sub("", query))))


@cache
def entries(game_id: str, edition: str = "") -> tuple[Entry, ...]:
    """Every rule and card of a game, and every ritual; of an edition, where the game has any.

    Raises InvalidEdition for an edition that there is not.
    """
    game, table = games.get(game_id), desk(game_id, edition)
    found = [
        Entry("rule", game_id, rule.id, rule.title, (rule.text,), f"#/{game_id}/rules/{rule.id}")
        for rule in game.rules
    ]
    for card in table.cards:
        name, words = table.piece_name(card.id), table.words(card.id)
        found.append(Entry("card", game_id, card.id, name, words, f"#/{game_id}/cards/{card.id}"))
    if isinstance(table, RitosDesk):
        head = "" if table.edition == HOUSE else f"edition:{table.edition};"
        for ritual in table.box.rituals:
            name = table.piece_name(ritual.id)
            words = (needs_text(ritual), msg("core.points", n=ritual.points))
            route = f"#/{game_id}/what-if/{head}rituals:{ritual.id}"
            found.append(Entry("ritual", game_id, ritual.id, name, words, route))
    return tuple(found)


@cache
def _index(
    game_id: str, lang: str, edition: str
) -> tuple[tuple[Entry, tuple[str, ...], tuple[str, ...]], ...]:
    return tuple(
        (
            entry,
            words_of(text(entry.title, lang)),
            words_of(" ".join(text(message, lang) for message in entry.words)),
        )
        for entry in entries(game_id, edition)
    )


def search(
    query: str, lang: str = "en", game: str | None = None, most: int = 30, edition: str = ""
) -> list[Hit]:
    """What all words of the query are found in, the best first.

    A word matches a word that begins with it, or (from three letters on) one that holds it. Titles
    count more than texts, whole words more than beginnings, the reader's language more than the
    others. ``edition`` says which cards and rituals a game with editions has (empty: the house's).
    Raises UnknownName for a game that there is not.
    """
    wanted = words_of(query)
    if not wanted:
        return []
    best: dict[tuple[str, str, str], Hit] = {}
    for game_id in (game,) if game else games.GAMES:
        for one in LANGUAGES:
            weight = 1.0 if one == lang else OTHER_LANGUAGE
            for entry, title, body in _index(games.get(game_id).id, one, edition):
                score = weight * _score(wanted, title, body)
                key = (entry.kind, entry.game, entry.id)
                if score and (key not in best or score > best[key].score):
                    best[key] = Hit(entry, score, one)
    return sorted(best.values(), key=lambda hit: -hit.score)[:most]


def _score(wanted: tuple[str, ...], title: tuple[str, ...], body: tuple[str, ...]) -> float:
    total = 0.0
    for word in wanted:
        found = max(10 * _best(word, title), _best(word, body))
        if not found:
            return 0.0
        total += found
    if wanted == title:
        total += 20
    return total + 1 / (1 + len(title))  # of two titles the shorter one is nearer


def _best(word: str, among: tuple[str, ...]) -> float:
    best = 0.0
    for other in among:
        if other == word:
            return 3.0
        if other.startswith(word):
            best = max(best, 2.0)
        elif len(word) > 2 and word in other:
            best = max(best, 1.0)
    return best
