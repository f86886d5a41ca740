"""Greedy play of rites: what the hand can grow to, and what a card in the cult still brings.

A hand is worth its best ritual, discounted by the cards missing for it, and a little for every
other card. A card in the cult is worth its effects over the turns still to come, which are
estimated from the leader's points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import inf, tanh

from lovecraft.games.ritos_ancestrais.cards import DRAWS, GOAL, ROW, SYMBOLS
from lovecraft.games.ritos_ancestrais.edition import Effect
from lovecraft.games.ritos_ancestrais.game import PASS, hand_limit
from lovecraft.games.ritos_ancestrais.scoring import Performed, counted
from lovecraft.games.ritos_ancestrais.state import Observation, State
from lovecraft.games.ritos_ancestrais.tables import (
    COUNTS,
    FIELD,
    SIZE,
    SIZE_BASE,
    Action,
    Bundle,
    Counts,
    Cult,
    Tables,
    tables,
    unpack,
)

PACE = 2.8
"""Points that a player makes per turn, to guess how long the game will last."""

GROWING = {"ritual": 0.5, "different-ritual": 0.5, "cult-card": 0.5, "cult-symbol": 0.2}
"""How fast what an end bonus counts becomes more, per turn."""

OF_ONE_KIND = 0.2
"""How fast if it counts only one ritual or symbol, as a part of that."""

HAND_LEFT = 1.5
"""Cards that are left in a hand at the end."""

NEARNESS = (1.0, 0.78, 0.48, 0.26, 0.12, 0.05, 0.02, 0.01, 0.0)
"""What a ritual is worth with so many cards missing."""

LAST_NEARNESS = (1.0, 0.35, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SPARE = 0.7
"""What a card is worth that the best ritual does not use."""

IN_HAND = 0.5
"""How much of a card's worth in the cult counts while it is still in the hand."""

A_TURN = 1.25
"""What a card must be worth in the cult to be worth more than in a ritual."""

TEMPO = 0.8
"""What waiting for another turn leaves of a hand's worth."""

CROWDED = 0.5
"""Cards of the next turn's draws that will be in the way, if the hand is full."""

COLLECTING, WAYS = 1.4, 0.65
"""Turns lost on a ritual that can be paid in one way only, and the power of the number of ways by
which they are fewer."""

RETURNED = 0.8
"""How much of a card not yet collected one is that comes back: it is no free choice."""

CHOSEN = 0.8
"""How far the way to pay for a ritual that gives most is the one that is taken."""

BLEND = 5.0
"""How much the best ritual counts among all, in :func:`rate`: the power of a mean."""

FASTER = 1.5
"""What a point per turn more is worth for each turn to come."""

PER_TURN = {"hand_limit": 0.05, "row_refresh": 0.3, "row_peek": 0.02, "rival_hand_limit": 0.12}
"""What other effects bring per turn and card."""

LAST_TURN = 5.0
"""Points that another player is expected to make in a last turn."""

SWING = 4.0
"""How far that can miss."""

AT_STAKE, DECIDED = 4.0, 50.0
"""How much it can matter who starts the end: while others still play, and when they do not."""

Plan = Callable[[Action, Observation], float]
"""Something added to the worth of an action, to play in a certain way."""


def mixed(action: Action, observation: Observation) -> float:
    """Nothing added: cult and rituals as they seem best."""
    return 0.0


def values(observation: Observation, plan: Plan = mixed) -> dict[Action, float]:
    """Worth of each legal action."""
    view = View.seen(observation)
    return {
        action: view.worth(action) + plan(action, observation) for action in observation.actions
    }


class View:
    """What a seat sees and its own hand, with what every valuation needs worked out once.

    ``cults`` are packed, ``sizes`` the numbers of cards in the hands, ``done`` each seat's rituals.
    """

    def __init__(
        self,
        edition: str,
        player: int,
        hand: Bundle,
        cults: tuple[Cult, ...],
        points: tuple[int, ...],
        sizes: tuple[int, ...],
        done: tuple[tuple[Performed, ...], ...],
        last: bool,
    ) -> None:
        self.edition, self.player, self.hand = edition, player, hand
        self.cults, self.points, self.sizes, self.done, self.last = cults, points, sizes, done, last
        self.t = t = tables(edition)
        self.cult = cults[player]
        self.counts = hand & COUNTS
        self.go_on = 0.0 if last else self._goes_on()
        self.turns = max(1.0, (GOAL - max(points)) / PACE) * self.go_on
        self._cards: dict[str, float] = {}
        self._lost: dict[str, float] = {}
        self._limits: dict[Cult, int] = {}
        self._rituals: dict[tuple[str, Counts], float] = {}
        self.rivals = any(cult & t.rival_mask for p, cult in enumerate(cults) if p != player)

    @classmethod
    def seen(cls, o: Observation) -> View:
        """The view of who observes."""
        t = tables(o.setup.edition)
        cults, sizes = tuple(map(t.cult, o.cults)), tuple(hand.number for hand in o.hands)
        hand, done = t.pack(o.hand), o.rituals
        return cls(o.setup.edition, o.player, hand, cults, o.points, sizes, done, bool(o.last))

    @classmethod
    def of(cls, state: State, player: int) -> View:
        """The view of a seat; it depends on nothing that the seat does not see."""
        sizes = tuple([hand >> SIZE_BASE & SIZE for hand in state[5]])
        return cls(
            state[0][1], player, state[5][player], state[6], state[7], sizes, state[17], state[15]
        )

    def _goes_on(self) -> float:
        """How likely this is not the last turn: nobody later in the round reaches the goal."""
        chance = 1.0
        for points in self.points[self.player + 1 :]:
            chance *= 1 - _reaches(GOAL - points)
        return chance

    def hand_worth(self, counts: Counts, cult: Cult, last: bool = False) -> float:
        return hand_worth(self.edition, counts, cult & self.t.points_mask, last or self.last)

    def card_worth(self, card: str) -> float:
        """What a card would still bring in the cult; 0 if its name lies there."""
        try:
            return self._cards[card]
        except KeyError:
            self._cards[card] = worth = self._card_worth(card)
            return worth

    def _card_worth(self, card: str) -> float:
        t, bit = self.t, self.t.bit_of[card]
        if bit & self.cult:
            return 0.0
        relevant = self.cult & (t.points_mask | t.return_mask | t.draw_mask)
        lasting = _lasting(self.edition, card, relevant, self.turns, self.rivals)
        if not bit & t.end_mask:
            return lasting
        done = [performed.ritual for performed in self.done[self.player]]
        cult = (*t.cult_cards(self.cult), card)
        total = 0.0
        for e in t.edition.cards[t.index[card]].effects:
            if e.kind == "end_bonus":
                number: float = counted(t.edition, e, done, cult, self.sizes[self.player] - 1)
                if self.turns:
                    number = self._grown(e, number)
                total += min(e.cap, e.amount * number)
        return total + lasting

    def _grown(self, e: Effect, number: float) -> float:
        """What an end bonus may count at the end of the game."""
        per = e.per or ""
        if per == "hand-card":
            return HAND_LEFT
        more = self.turns * GROWING[per]
        if e.ritual or e.symbol:
            more *= OF_ONE_KIND
        most = {"different-ritual": len(self.t.rituals), "cult-symbol": len(SYMBOLS)}
        return min(most.get(per, inf), number + more)

    # -- decisions ------------------------------------------------------------------------------

    def worth(self, action: Action) -> float:
        """The worth of a legal action."""
        do, what, cards = action
        if do == "draw":
            return self._draw(what)
        if do == "refresh":
            return self._refresh()
        if do == "play":
            return self._play(what)
        if do == "ritual":
            # payments with the same symbols differ only in the names they give away
            used = self.t.pack(cards) & COUNTS
            return self._perform(what, used) - sum(map(self._regret, cards))
        if do == "pass":
            return self._after(self.counts, self.cult, self.sizes[self.player])
        return self._take_back(cards) if do == "return" else self._put_away(what)

    def options(self) -> Iterator[tuple[float, Action]]:
        """What can be done as a turn's action, with its worth; of performances the cheapest."""
        for action in self.t.plays(self.hand, self.cult):
            yield self._play(action.what), action
        yield from self.performances()
        yield self.worth(PASS), PASS

    def performances(self) -> Iterator[tuple[float, Action]]:
        """The rituals that can be performed with their worth, each paid for with the cards that are
        missed least among those of the same symbols."""
        t = self.t
        cheapest: dict[int, list[tuple[float, str]]] = {}
        for way, _ in t.payable(self.counts, self.cult & t.pay_mask):
            worth, used = self._perform(t.rituals[way.ritual], way.counts), 0
            for symbol, number in _needs(way.counts):
                if symbol not in cheapest:
                    cards = t.cards(self.hand & t.symbol_mask[symbol])
                    cheapest[symbol] = sorted((self._regret(card), card) for card in cards)
                for regret, card in cheapest[symbol][:number]:
                    worth -= regret
                    used += t.bit_of[card]
            yield worth, way.actions[used]

    def _draw(self, card: str) -> float:
        t = self.t
        counts = self.counts + (t.unit_of[card] & COUNTS)
        worth = self.go_on * self.hand_worth(counts, self.cult)
        if self.go_on < 1:
            worth += (1 - self.go_on) * self.hand_worth(counts, self.cult, last=True)
        if not self.hand & 15 * t.bit_of[card]:
            worth += IN_HAND * max(0.0, self.card_worth(card) - A_TURN)
        return worth

    def _refresh(self) -> float:
        """The row that may come: the best symbol is likely to be among six cards."""
        after = sorted(
            self.hand_worth(self.counts + (1 << FIELD * s), self.cult) for s in range(len(SYMBOLS))
        )
        chance = 1 - (1 - 1 / len(SYMBOLS)) ** ROW
        return chance * after[-1] + (1 - chance) * after[-2]

    def _play(self, card: str) -> float:
        t, size = self.t, self.sizes[self.player] - 1
        counts = self.counts - (t.unit_of[card] & COUNTS)
        return self._after(counts, self.cult | t.bit_of[card], size, self.card_worth(card), card)

    def _perform(self, ritual: str, used: Counts) -> float:
        """A ritual paid with so many cards of each symbol."""
        key = (ritual, used)
        if key not in self._rituals:
            t = self.t
            number = _number(used)
            points = t.ritual_points(t.ritual_index[ritual], used, self.cult)
            back = min(t.returned(ritual, self.cult), number)
            size = self.sizes[self.player] - (number - back)
            self._rituals[key] = self._after(
                self.counts - used, self.cult, size, points + back * SPARE, "", ritual, points
            )
        return self._rituals[key]

    def _regret(self, card: str) -> float:
        """A name for the cult is worth more in hand than discarded."""
        try:
            return self._lost[card]
        except KeyError:
            self._lost[card] = lost = 0.2 * max(0.0, self.card_worth(card) - A_TURN)
            return lost

    def _after(
        self,
        counts: Counts,
        cult: Cult,
        size: int,
        gain: float = 0.0,
        played: str = "",
        ritual: str = "",
        points: int = 0,
    ) -> float:
        """The worth of what an action leaves, with what it gains."""
        reached = self.points[self.player] + points
        ending = self.last or reached >= GOAL
        ends = 0.0
        if ending or self.go_on < 1:
            ends = self._end_points(cult, size, played, ritual)
        # who plays in the last round, or reaches the goal now, has no further turn
        if ending:
            return gain + ends + (0.0 if self.last else self._ending(reached + ends))
        # the next turn brings more cards, and those beyond the limit are lost
        overflow = size + CROWDED - self._hand_limit(cult)
        after = TEMPO * hand_worth(self.edition, counts, cult & self.t.points_mask, False)
        if overflow > 0:
            after -= SPARE * overflow
        # if somebody later in the round ends the game, it is because that wins
        return gain + self.go_on * after + (1 - self.go_on) * (ends - AT_STAKE)

    def _ending(self, final: float) -> float:
        """Whether to start the end now with so many points: sure if nobody plays after this."""
        me = self.player
        others = [p for p in range(len(self.points)) if p != me]
        lead = min(final - self._stands(p) - (LAST_TURN if p > me else 0.0) for p in others)
        if others[-1] < me:
            return DECIDED if lead > 0 else -DECIDED
        return AT_STAKE * tanh(lead / SWING)

    def _stands(self, p: int) -> float:
        """The points of another seat if the game ended now, its hand size breaking ties."""
        done = [performed.ritual for performed in self.done[p]]
        return self.points[p] + self._bonuses(self.cults[p], done, self.sizes[p])

    def _hand_limit(self, cult: Cult) -> int:
        """Of this seat, if its cult were this one."""
        matters = cult & (self.t.limit_mask | self.t.protect_mask)
        if matters not in self._limits:
            me = self.player
            cults = (*self.cults[:me], cult, *self.cults[me + 1 :])
            self._limits[matters] = hand_limit(self.t, cults, me)
        return self._limits[matters]

    def _end_points(self, cult: Cult, hand: int, played: str, ritual: str) -> float:
        """End bonuses of the cards that lie there already, after the last action."""
        done = [performed.ritual for performed in self.done[self.player]]
        if ritual:
            done.append(ritual)
        hand = min(hand, self._hand_limit(cult))
        return self._bonuses(cult, done, hand, played)  # the card just played: its own worth

    def _bonuses(self, cult: Cult, done: list[str], hand: int, but: str = "") -> float:
        """End bonuses, and what a hand of this size counts in a tie."""
        t = self.t
        if not cult & t.end_mask:
            return 0.01 * hand
        lying = t.cult_cards(cult)
        return 0.01 * hand + sum(
            min(e.cap, e.amount * counted(t.edition, e, done, lying, hand))
            for bit, effects in t.end_effects
            if cult & bit and bit != t.bit_of.get(but)
            for e in effects
        )

    def _take_back(self, cards: tuple[str, ...]) -> float:
        back = self.t.pack(cards) & COUNTS
        keep = sum(max(0.0, self.card_worth(card) - A_TURN) for card in set(cards))
        return self.hand_worth(self.counts + back, self.cult) + IN_HAND * keep

    def _put_away(self, card: str) -> float:
        t = self.t
        left = self.hand_worth(self.counts - (t.unit_of[card] & COUNTS), self.cult)
        if (self.hand & 15 * t.bit_of[card]) > t.bit_of[card]:
            return left
        return left - IN_HAND * max(0.0, self.card_worth(card) - A_TURN)


def _reaches(needed: int) -> float:
    """How likely a player scores so many points in one turn."""
    return max(0.0, min(0.7, (11 - needed) * 0.1))


@lru_cache(maxsize=1 << 15)
def hand_worth(key: str, counts: Counts, cult: Cult, last: bool) -> float:
    """What so many cards of each symbol are worth with a cult."""
    hand = unpack(counts)
    size = sum(hand)
    nearness = LAST_NEARNESS if last else NEARNESS
    spare = 0.0 if last else SPARE
    best = spare * size
    for bound, points, asked, needs in _ways(key, cult, last):
        if bound + spare * size <= best:
            break
        missing = 0
        for symbol, number in needs:
            if number > hand[symbol]:
                missing += number - hand[symbol]
        worth = points * nearness[missing] + spare * (size - asked + missing)
        if worth > best:
            best = worth
    return best


@lru_cache(maxsize=1 << 9)
def _ways(
    key: str, cult: Cult, last: bool
) -> list[tuple[float, int, int, tuple[tuple[int, int], ...]]]:
    """All ways to pay for rituals, best first: the most they can add to a hand, points, cards, and
    the number of each symbol."""
    t: Tables = tables(key)
    found = []
    for r in range(len(t.rituals)):
        for counts, points in t.worths(r, cult).items():
            needs = _needs(counts)
            asked = _number(counts)
            found.append((_bound(points, asked, last), points, asked, needs))
    return sorted(found, key=lambda way: -way[0])


@lru_cache(maxsize=1 << 10)
def _bound(points: int, asked: int, last: bool) -> float:
    """The most that a ritual adds to a hand, however many of its cards are missing."""
    nearness, spare = (LAST_NEARNESS, 0.0) if last else (NEARNESS, SPARE)
    return max(points * nearness[m] - spare * (asked - m) for m in range(asked + 1))


@lru_cache(maxsize=1 << 12)
def _needs(counts: Counts) -> tuple[tuple[int, int], ...]:
    """The symbols of packed counts with their numbers."""
    return tuple((s, n) for s, n in enumerate(unpack(counts)) if n)


@lru_cache(maxsize=1 << 12)
def _number(counts: Counts) -> int:
    """How many cards packed counts have."""
    return sum(unpack(counts))


@lru_cache(maxsize=1 << 13)
def _lasting(key: str, card: str, cult: Cult, turns: float, rivals: bool) -> float:
    """What a card in the cult brings over so many turns, end bonuses left out.

    ``cult`` are the cards there that matter to it, ``rivals`` whether another cult lowers limits.
    """
    t = tables(key)
    total = 0.0
    for e in t.edition.cards[t.index[card]].effects:
        if e.kind == "protect":
            total += (0.15 if rivals else 0.03) * turns
        else:
            total += PER_TURN.get(e.kind, 0.0) * max(1, e.amount) * turns
    bit = t.bit_of[card]
    if bit & (t.points_mask | t.return_mask | t.draw_mask):
        total += FASTER * turns * (rate(key, cult | bit) - rate(key, cult))
    return total


@lru_cache(maxsize=1 << 13)
def rate(key: str, cult: Cult) -> float:
    """Points per turn that a cult allows: by its best rituals, given the draws and the collecting.

    A ritual takes the turns that its cards take to draw, and some more the fewer ways there are to
    pay for it.
    """
    t = tables(key)
    draws = DRAWS + t.amount("draw_extra", cult & t.draw_mask)
    total = 0.0
    for r, name in enumerate(t.rituals):
        worths = t.worths(r, cult)
        points = worths.values()
        mean = CHOSEN * max(points) + (1 - CHOSEN) * sum(points) / len(points)
        asked = min(map(_number, worths))
        cards = asked - RETURNED * min(asked, t.returned(name, cult))
        turns = max(1.0, cards / draws) + COLLECTING / len(worths) ** WAYS
        total += (mean / turns) ** BLEND
    return float((total / len(t.rituals)) ** (1 / BLEND))
