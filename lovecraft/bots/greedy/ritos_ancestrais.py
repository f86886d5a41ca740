"""Greedy play of rites: what the hand can grow to, and what a card in the cult still brings.

A hand is worth its best ritual, discounted by the cards missing for it, and a little for every
other card. A card in the cult is worth its effects over the turns still to come, which are
estimated from the leader's points.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import inf, tanh

from lovecraft.games.ritos_ancestrais.cards import DRAWS, GOAL, ROW, SYMBOLS
from lovecraft.games.ritos_ancestrais.edition import Effect
from lovecraft.games.ritos_ancestrais.game import hand_limit
from lovecraft.games.ritos_ancestrais.scoring import counted
from lovecraft.games.ritos_ancestrais.state import Observation
from lovecraft.games.ritos_ancestrais.tables import (
    COUNTS,
    FIELD,
    Action,
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
    view = _View(observation)
    worth = {
        "draw": view.draw,
        "refresh": view.refresh,
        "play": view.act,
        "ritual": view.act,
        "pass": view.act,
        "return": view.take_back,
        "discard": view.put_away,
    }
    return {
        action: worth[action.do](action) + plan(action, observation)
        for action in observation.actions
    }


class _View:
    """An observation with what every valuation needs worked out once."""

    def __init__(self, o: Observation) -> None:
        self.o = o
        self.t = t = tables(o.setup.edition)
        self.hand = o.hand
        self.counts = t.pack(o.hand) & COUNTS
        self.cult = t.cult(o.cults[o.player])
        self.cults = tuple(t.cult(cult) for cult in o.cults)
        self.go_on = 0.0 if o.last else self._goes_on()
        self.turns = max(1.0, (GOAL - max(o.points)) / PACE) * self.go_on
        self._worth: dict[str, float] = {}
        self._lost: dict[str, float] = {}
        self._rituals: dict[tuple[str, Counts], float] = {}
        self.rivals = any(cult & t.rival_mask for p, cult in enumerate(self.cults) if p != o.player)

    def _goes_on(self) -> float:
        """How likely this is not the last turn: nobody later in the round reaches the goal."""
        chance = 1.0
        for p in range(self.o.player + 1, self.o.setup.players):
            chance *= 1 - _reaches(GOAL - self.o.points[p])
        return chance

    def hand_worth(self, counts: Counts, cult: Cult, last: bool = False) -> float:
        last = last or bool(self.o.last)
        return hand_worth(self.o.setup.edition, counts, cult & self.t.points_mask, last)

    def card_worth(self, card: str) -> float:
        """What a card would still bring in the cult; 0 if its name lies there."""
        if card not in self._worth:
            self._worth[card] = self._card_worth(card)
        return self._worth[card]

    def _card_worth(self, card: str) -> float:
        t, o = self.t, self.o
        if t.bit_of[card] & self.cult:
            return 0.0
        entry = t.edition.cards[t.index[card]]
        done = [performed.ritual for performed in o.rituals[o.player]]
        cult = (*o.cults[o.player], card)
        total = 0.0
        for e in entry.effects:
            if e.kind == "end_bonus":
                number: float = counted(t.edition, e, done, cult, len(self.hand) - 1)
                if self.turns:
                    number = self._grown(e, number)
                total += min(e.cap, e.amount * number)
            elif e.kind == "protect":
                total += (0.15 if self.rivals else 0.03) * self.turns
            else:
                total += PER_TURN.get(e.kind, 0.0) * max(1, e.amount) * self.turns
        key, relevant = o.setup.edition, t.points_mask | t.return_mask | t.draw_mask
        if t.bit_of[card] & relevant:
            more = rate(key, (self.cult | t.bit_of[card]) & relevant)
            total += FASTER * self.turns * (more - rate(key, self.cult & relevant))
        return total

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

    def draw(self, action: Action) -> float:
        t = self.t
        counts = self.counts + (t.unit_of[action.what] & COUNTS)
        worth = self.go_on * self.hand_worth(counts, self.cult)
        if self.go_on < 1:
            worth += (1 - self.go_on) * self.hand_worth(counts, self.cult, last=True)
        if action.what not in self.hand:
            worth += IN_HAND * max(0.0, self.card_worth(action.what) - A_TURN)
        return worth

    def refresh(self, action: Action) -> float:
        """The row that may come: the best symbol is likely to be among six cards."""
        after = sorted(
            self.hand_worth(self.counts + (1 << FIELD * s), self.cult) for s in range(len(SYMBOLS))
        )
        chance = 1 - (1 - 1 / len(SYMBOLS)) ** ROW
        return chance * after[-1] + (1 - chance) * after[-2]

    def act(self, action: Action) -> float:
        t = self.t
        if action.do != "ritual":
            return self._after(action)
        # payments with the same symbols differ only in the names they give away
        used = t.pack(action.cards) & COUNTS
        key = (action.what, used)
        if key not in self._rituals:
            self._rituals[key] = self._after(action)
        return self._rituals[key] - sum(map(self._regret, action.cards))

    def _regret(self, card: str) -> float:
        """A name for the cult is worth more in hand than discarded."""
        if card not in self._lost:
            self._lost[card] = 0.2 * max(0.0, self.card_worth(card) - A_TURN)
        return self._lost[card]

    def _after(self, action: Action) -> float:
        t, o = self.t, self.o
        counts, cult, size, gain, points = self.counts, self.cult, len(self.hand), 0.0, 0
        if action.do == "play":
            counts -= t.unit_of[action.what] & COUNTS
            cult |= t.bit_of[action.what]
            size -= 1
            gain = self.card_worth(action.what)
        elif action.do == "ritual":
            used = t.pack(action.cards) & COUNTS
            points = t.ritual_points(t.ritual_index[action.what], used, cult)
            back = min(t.returned(action.what, cult), len(action.cards))
            counts -= used
            size -= len(action.cards) - back
            gain = points + back * SPARE
        ends = self._end_points(cult, action, size)
        # who plays in the last round, or reaches the goal now, has no further turn
        if o.last:
            return gain + ends
        if o.points[o.player] + points >= GOAL:
            return gain + ends + self._ending(o.points[o.player] + points + ends)
        # the next turn brings more cards, and those beyond the limit are lost
        overflow = max(0.0, size + CROWDED - self._hand_limit(cult))
        after = TEMPO * self.hand_worth(counts, cult) - SPARE * overflow
        # if somebody later in the round ends the game, it is because that wins
        return gain + self.go_on * after + (1 - self.go_on) * (ends - AT_STAKE)

    def _ending(self, final: float) -> float:
        """Whether to start the end now with so many points: sure if nobody plays after this."""
        o = self.o
        others = [p for p in range(o.setup.players) if p != o.player]
        lead = min(final - self._stands(p) - (LAST_TURN if p > o.player else 0.0) for p in others)
        if others[-1] < o.player:
            return DECIDED if lead > 0 else -DECIDED
        return AT_STAKE * tanh(lead / SWING)

    def _stands(self, p: int) -> float:
        """The points of another seat if the game ended now, its hand size breaking ties."""
        o, t = self.o, self.t
        done = [performed.ritual for performed in o.rituals[p]]
        hand = o.hands[p].number
        return (
            o.points[p]
            + 0.01 * hand
            + sum(
                min(e.cap, e.amount * counted(t.edition, e, done, o.cults[p], hand))
                for card in o.cults[p]
                for e in t.edition.cards[t.index[card]].effects
                if e.kind == "end_bonus"
            )
        )

    def _hand_limit(self, cult: Cult) -> int:
        me = self.o.player
        return hand_limit(self.t, (*self.cults[:me], cult, *self.cults[me + 1 :]), me)

    def _end_points(self, cult: Cult, action: Action, hand: int) -> float:
        """End bonuses of the cards that lie there already, after the last action."""
        t, o = self.t, self.o
        done = [performed.ritual for performed in o.rituals[o.player]]
        if action.do == "ritual":
            done.append(action.what)
        lying = t.cult_cards(cult)
        hand = min(hand, self._hand_limit(cult))
        skip = action.what if action.do == "play" else ""  # counted as its own worth
        return 0.01 * hand + sum(
            min(e.cap, e.amount * counted(t.edition, e, done, lying, hand))
            for card in lying
            if card != skip
            for e in t.edition.cards[t.index[card]].effects
            if e.kind == "end_bonus"
        )

    def take_back(self, action: Action) -> float:
        back = self.t.pack(action.cards) & COUNTS
        keep = sum(max(0.0, self.card_worth(card) - A_TURN) for card in set(action.cards))
        return self.hand_worth(self.counts + back, self.cult) + IN_HAND * keep

    def put_away(self, action: Action) -> float:
        t = self.t
        left = self.hand_worth(self.counts - (t.unit_of[action.what] & COUNTS), self.cult)
        if self.hand.count(action.what) > 1:
            return left
        return left - IN_HAND * max(0.0, self.card_worth(action.what) - A_TURN)


def _reaches(needed: int) -> float:
    """How likely a player scores so many points in one turn."""
    return max(0.0, min(0.7, (11 - needed) * 0.1))


@lru_cache(maxsize=1 << 17)
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


@cache
def _ways(
    key: str, cult: Cult, last: bool
) -> list[tuple[float, int, int, tuple[tuple[int, int], ...]]]:
    """All ways to pay for rituals, best first: the most they can add to a hand, points, cards, and
    the number of each symbol."""
    t: Tables = tables(key)
    nearness, spare = (LAST_NEARNESS, 0.0) if last else (NEARNESS, SPARE)
    found = []
    for r in range(len(t.rituals)):
        for counts in t.standing(r, cult & t.pay_mask):
            needs = tuple((s, n) for s, n in enumerate(unpack(counts)) if n)
            asked = sum(n for _, n in needs)
            points = t.ritual_points(r, counts, cult)
            bound = max(points * nearness[m] - spare * (asked - m) for m in range(asked + 1))
            found.append((bound, points, asked, needs))
    return sorted(found, key=lambda way: -way[0])


@lru_cache(maxsize=1 << 14)
def rate(key: str, cult: Cult) -> float:
    """Points per turn that a cult allows: by its best rituals, given the draws and the collecting.

    A ritual takes the turns that its cards take to draw, and some more the fewer ways there are to
    pay for it.
    """
    t = tables(key)
    draws = DRAWS + t.amount("draw_extra", cult & t.draw_mask)
    total = 0.0
    for r, name in enumerate(t.rituals):
        ways = t.standing(r, cult & t.pay_mask)
        points = [t.ritual_points(r, counts, cult) for counts in ways]
        mean = CHOSEN * max(points) + (1 - CHOSEN) * sum(points) / len(points)
        asked = min(sum(unpack(counts)) for counts in ways)
        cards = asked - RETURNED * min(asked, t.returned(name, cult))
        turns = max(1.0, cards / draws) + COLLECTING / len(ways) ** WAYS
        total += (mean / turns) ** BLEND
    return float((total / len(t.rituals)) ** (1 / BLEND))
