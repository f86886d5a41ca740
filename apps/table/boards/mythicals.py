"""The table of Mythicals, drawn from one seat's observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.table.boards.base import Around, Board, Step
from lovecraft.core import Event
from lovecraft.games.mythicals import actions
from lovecraft.games.mythicals.actions import Action, colour_word
from lovecraft.games.mythicals.cards import (
    COLOUR_MASK,
    COLOURS,
    DOUBLES,
    EMPTY,
    TOKEN,
    TOKEN_UNIT,
    TOKENS,
    Bundle,
    Token,
    cards,
    count,
)
from lovecraft.games.mythicals.state import (
    CLAIM,
    DEAL,
    DRAW,
    MODIFY,
    OVER,
    TAKE,
    Observation,
    dawn_chance,
    marker_supply,
    shown_stacks,
    stack_sheet,
)
from lovecraft.i18n import Message, msg

OTHERS = "others"


class CardView(NamedTuple):
    """A creature card; ``gift`` when it would go to the other player."""

    id: str
    colour: str
    value: str
    fresh: bool = False
    gift: bool = False


class Group(NamedTuple):
    """The cards of one colour that lie together."""

    colour: str
    cards: tuple[CardView, ...]


class TokenView(NamedTuple):
    """A token on the board (``owner`` None) or claimed."""

    token: Token
    markers: int
    locked: bool
    owner: int | None
    lit: bool
    fresh: bool
    cost: Message


class SeatView(NamedTuple):
    """A player: cards held, tokens claimed (None: covered), points as far as they lie open."""

    number: int
    name: str
    me: bool
    turn: bool
    groups: tuple[Group, ...]
    stack: tuple[TokenView | None, ...]
    points: int | None


class Way(NamedTuple):
    """One thing to do with the token that has been touched."""

    spelled: Any
    kind: str
    number: int
    cards: tuple[CardView, ...]
    legal: bool


class MythicalsBoard(Board):
    """The other player, the board, the own cards, and what can be drawn or done."""

    template = "table/mythicals.html"
    open = True

    def stages(
        self, before: Observation, after: Observation, events: Sequence[Event]
    ) -> list[Step]:
        """Every action of the other player, and every reveal, is seen by itself."""
        if before.phase == DEAL:
            return [Step(self.stage(after), after, 0)]
        if after.actions:  # the person is to act: nothing to wait for
            return [Step(self.stage(after), after, 0)]
        own = events[0].player == after.player and events[0].kind != "revealed"
        milliseconds = 100 if own else 1200
        return [Step(self.stage(after), after, milliseconds)]

    def stage(self, seen: Observation) -> str:
        return seen.phase if seen.actions or seen.phase == OVER else OTHERS

    def touched(self, seen: Observation, piece: str) -> Action | None:
        """A token: open it where there are payments or changes to choose from."""
        if piece not in TOKEN or any(action.target == piece for action in seen.actions):
            return None
        return Action("lock", piece) if seen.phase == MODIFY else Action("claim", piece, EMPTY)

    def context(self, seen: Observation, stage: str, around: Around) -> dict[str, Any]:
        me = seen.player
        fresh = _fresh(around.news)
        opened = around.opened if around.opened in TOKEN and seen.actions else ""
        board = {token.id: self._token(seen, token, fresh) for token in TOKENS}
        rows = [[board[f"{colour}-{points}"] for colour in COLOURS] for points in (2, 4, 7, 10)]
        for row, special in zip(rows, ("any-2", "any-4", "any-7", "black-13"), strict=True):
            row.append(board[special])
        return {
            "seats": [self._seat(seen, p, around, fresh, board) for p in (1 - me, me)],
            "rows": rows,
            "reserve": self._groups(seen, seen.reserve, fresh["reserve"], seen.phase == DRAW),
            "revealed": self._groups(seen, seen.revealed, (), seen.phase == TAKE),
            "signs": _signs(around.names),
            "dawn": seen.dawn,
            "pile": seen.pile,
            "chance": round(100 * dawn_chance(seen.pile)) if not seen.dawn else 0,
            "supply": marker_supply(seen.markers),
            "opened_token": board[opened] if opened else None,
            "ways": self._ways(seen, opened) if opened else (),
            "told": [event.text for event in around.news if _telling(event, me)][-4:],
            "sheets": [(p, stack_sheet(seen, p)) for p in range(2)] if seen.phase == OVER else (),
            "colour_word": colour_word,
        }

    def piece(self, seen: Observation, action: Action) -> str:
        """The pile, a colour, a token, or the button that passes."""
        if action.kind in ("draw", "take"):
            return f"{action.kind}-{action.target}"
        return "pass" if action.kind == "pass" else f"token-{action.target}"

    def points(self, seen: Observation) -> int:
        """Those of the claimed tokens with their markers."""
        return stack_sheet(seen, seen.player).points

    def chapter_ends(self, before: Observation, after: Observation) -> bool:
        """When the turn comes back to the first seat."""
        return before.turn != after.turn == 0

    def _token(self, seen: Observation, token: Token, fresh: dict[Any, Any]) -> TokenView:
        unit = TOKEN_UNIT[token.id]
        owner = next((p for p, stack in enumerate(seen.stacks) if token.id in stack), None)
        return TokenView(
            token,
            count(seen.markers, unit),
            bool(seen.locked & unit),
            owner,
            any(action.target == token.id for action in seen.actions),
            token.id in fresh["tokens"],
            msg(f"mythicals.cost.{token.cost}", n=token.size, colour=colour_word(token.colour)),
        )

    def _seat(
        self,
        seen: Observation,
        p: int,
        around: Around,
        fresh: dict[Any, Any],
        board: dict[str, TokenView],
    ) -> SeatView:
        shown = seen.stacks if seen.phase == OVER else shown_stacks(seen)
        stack = tuple(board[token] if token else None for token in shown[p])
        return SeatView(
            p,
            around.names[p],
            p == seen.player,
            p == seen.turn and seen.phase != OVER,
            self._groups(seen, seen.hands[p], fresh[p]),
            stack,
            None if None in stack else stack_sheet(seen, p).points,
        )

    def _groups(
        self, seen: Observation, bundle: Bundle, fresh: Sequence[str], draws: bool = False
    ) -> tuple[Group, ...]:
        found = []
        for colour in COLOURS:
            if there := bundle & COLOUR_MASK[colour]:
                own = seen.hands[seen.player] + there
                gifts = (own & DOUBLES) >> 1 if draws and seen.setup.gift_duplicates else EMPTY
                if not seen.actions:
                    gifts = EMPTY
                found.append(Group(colour, _views(there, fresh, gifts)))
        return tuple(found)

    def _ways(self, seen: Observation, token: str) -> tuple[Way, ...]:
        """Payments to claim a token with, or what can be changed about it."""
        legal = [action for action in seen.actions if action.target == token]
        if seen.phase == CLAIM:
            return tuple(
                Way(actions.to_json(action), action.kind, 0, _views(action.amount), True)
                for action in legal
            )
        every = [*(Action("reinforce", token, n) for n in (1, 2)), Action("lock", token)]
        return tuple(
            Way(actions.to_json(action), action.kind, action.amount, (), action in legal)
            for action in every
        )


def _views(
    bundle: Bundle, fresh: Sequence[str] = (), gifts: Bundle = EMPTY
) -> tuple[CardView, ...]:
    new, given = Counter(fresh), Counter(cards(gifts))
    views = []
    for card in cards(bundle):
        colour = next(colour for colour in COLOURS if card.startswith(colour))
        value = card.removeprefix(colour)
        views.append(CardView(card, colour, value, new[card] > 0, given[card] > 0))
        new[card] -= 1
        given[card] -= 1
    return tuple(views)


def _signs(names: Sequence[str]) -> list[str]:
    """What stands for each player where there is room for little: first letters that differ."""
    for length in (1, 2, 3):
        signs = [name[:length] for name in names]
        if len({sign.casefold() for sign in signs}) == len(signs):
            return signs
    return [str(p + 1) for p in range(len(names))]


def _fresh(news: Sequence[Event]) -> dict[Any, Any]:
    """What has changed: cards per seat and in the reserve, tokens."""
    found: dict[Any, list[Any]] = {0: [], 1: [], "reserve": [], "tokens": []}
    for event in news:
        if event.kind in ("took", "gift"):
            place = found[event.player]
        elif event.kind == "reserved":
            place = found["reserve"]
        elif event.kind in ("claimed", "reinforced", "locked"):
            found["tokens"].append(event.data["token"])
            continue
        else:
            continue
        listed: Any = event.data["cards"]
        place.extend(listed)
    return found


def _telling(event: Event, me: int) -> bool:
    """Whether the person needs to be told: what others did, and what followed by chance."""
    if event.player == me or event.kind == "begins":
        return event.kind in ("revealed", "dawn", "gift", "begins")
    return event.kind not in ("drew", "revealed", "passed", "dealt")


BOARD = MythicalsBoard()
