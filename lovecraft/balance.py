"""Is an edition of Ritos Ancestrais balanced? Measured over games between equal bots."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from lovecraft import games
from lovecraft.arena import wilson
from lovecraft.bots.greedy import ritos_ancestrais as greedy
from lovecraft.core.codec import Json
from lovecraft.core.errors import InvalidOption, UnknownName
from lovecraft.core.game import CHANCE_MOVES
from lovecraft.core.match import Agent, stream
from lovecraft.core.scoring import Outcome
from lovecraft.games.ritos_ancestrais.cards import GAME
from lovecraft.games.ritos_ancestrais.state import Observation, State
from lovecraft.games.ritos_ancestrais.tables import Action, tables
from lovecraft.i18n import msg

FIRST_PLAYER = (0.47, 0.53)
TURNS = (8, 14)
LEAST_PLAYED = 0.05
MOST_LIFT = 0.10
MOST_PLAN = 0.60
PURE = ("ritual", "cult")
"""The plans that must not dominate."""

ROUNDS = 4
"""How many rounds of games there are at most, while an interval lies across a bound."""

MORE_PAIRS = 4
"""How many times as many pairs a round allows a card as the round before."""

LEAST_PAIRS = 30
"""Pairs that a normal interval needs."""

_FORCE = 1e6
FIRST_CARDS = 4
"""How many cards the plan ``cult-first`` lays out before its first ritual."""


def ritual_only(action: Action, observation: Observation) -> float:
    """Never play to the cult."""
    return -_FORCE if action.do == "play" else 0.0


def cult_only(action: Action, observation: Observation) -> float:
    """Play to the cult whenever a card can be played."""
    return _FORCE if action.do == "play" else 0.0


def cult_first(action: Action, observation: Observation) -> float:
    """A cult of several cards first, then as it seems best."""
    small = len(observation.cults[observation.player]) < FIRST_CARDS
    return _FORCE if action.do == "play" and small else 0.0


PLANS = {"ritual": ritual_only, "cult": cult_only, "cult-first": cult_first}
"""Plans that are set against the mixed one."""


def player(plan: greedy.Plan = greedy.mixed) -> Agent:
    """The greedy bot with a plan."""

    def choose(observation: Any, rng: random.Random) -> Any:
        worth = greedy.values(observation, plan)
        best = max(worth.values())
        return rng.choice([action for action, value in worth.items() if value == best])

    return choose


class Played(NamedTuple):
    """A finished game: ``drawn`` are the cards that were dealt to or drawn by somebody."""

    final: State
    outcome: Outcome
    drawn: frozenset[str]


def _play(edition: str, agents: tuple[Agent, ...], seed: str) -> Played:
    game = games.get(GAME)
    state = game.start(game.setup(len(agents), {"edition": edition}))
    drawn: set[str] = set()
    turn = 0
    while movers := game.to_move(state):
        who = movers[0]
        rng = stream(seed, who, turn)
        turn += 1
        if movers == CHANCE_MOVES:
            dealt = not state.deck
            state = game.advance(state, who, game.draw(state, rng))
            if dealt:
                t = tables(state.setup.edition)
                drawn.update(card for hand in state.hands for card in t.cards(hand))
            continue
        action = agents[who](game.observe(state, who), rng)
        if action.do == "draw":
            drawn.add(action.what)
        state = game.advance(state, who, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("an unfinished game")
    return Played(state, outcome, frozenset(drawn))


def report(
    game_id: str,
    edition: str = "house",
    games: int = 1000,
    seed: object = 0,
    progress: Callable[[int, int], None] | None = None,
    rounds: int = ROUNDS,
) -> Json:
    """Play, and compare with the figures an edition should keep.

    A round is ``games`` games between two greedy bots; a quarter as many of each plan (``ritual``:
    never a cult card; ``cult``: a cult card whenever possible; ``cult-first``: four cult cards
    first) against the greedy bot's mixed play, seats swapped; and for each card at most a fifth as
    many once more without it (:func:`card_figures`), up to four times as many with each further
    round. While the interval of a figure lies across its bound there is another round, ``rounds``
    at most, in which only plans and cards that are not settled get games of their own.

    Returns ``games`` (in all) and ``rounds`` played, ``first_player`` (rate with interval),
    ``turns``, ``rituals`` (times per player and game), ``cards`` (see :func:`card_figures`),
    ``plans``, ``checks`` (see :func:`verdicts`) and ``passed``: True if every figure is kept, False
    if one is missed, else None. Intervals are 95 %. Raises UnknownName for another game,
    InvalidOption for an unknown edition or a number of games or rounds below one.
    """
    if game_id != GAME:
        raise UnknownName(msg("ritos-ancestrais.error.no-balance", game=str(game_id)[:40]))
    for name, number in (("games", games), ("rounds", rounds)):
        if number < 1:
            raise InvalidOption(msg("error.games-number"), name)
    measured = _Measurement(_key(edition), games, str(seed), progress)
    measured.play_round()
    while measured.rounds < rounds and not measured.settled():
        measured.play_round()
    return measured.report()


class _Measurement:
    """Games played so far, and the figures they give."""

    def __init__(
        self, edition: str, size: int, seed: str, progress: Callable[[int, int], None] | None
    ) -> None:
        self.edition, self.size, self.seed, self.progress = edition, size, seed, progress
        self.mixed = player()
        self.rounds = self.done = self.due = 0
        self.played: list[Played] = []
        self.gained: dict[str, list[float]] = {card: [] for card in tables(edition).kinds}
        self.won: dict[str, list[float]] = {plan: [] for plan in PLANS}
        self.first: dict[str, float] = {}
        self.cards: list[dict[str, Any]] = []
        self.plans: list[dict[str, Any]] = []

    def play_round(self) -> None:
        """As many games as a round has, for whatever is not settled yet."""
        cards = [row["card"] for row in self.cards if not _lift_settled(row)]
        plans = [row["plan"] for row in self.plans if not _plan_settled(row)]
        if not self.rounds:
            cards, plans = list(self.gained), list(PLANS)
        self.rounds += 1
        self.due += self.size + max(2, self.size // 4) * len(plans) + 1
        for n in range(len(self.played), len(self.played) + self.size):
            self.played.append(self._play((self.mixed, self.mixed), n))
            self._tell()
        for name in plans:
            other, won = player(PLANS[name]), self.won[name]
            for n in range(len(won), len(won) + max(2, self.size // 4)):
                agents = (self.mixed, other) if n % 2 else (other, self.mixed)
                game = self._play(agents, f"{name}/{n // 2}")
                won.append(game.outcome.payoffs[n % 2])
                self._tell()
        most = max(1, self.size // 5) * MORE_PAIRS ** (self.rounds - 1)
        for card in cards:
            pairs = self.gained[card]
            for n, seat in owners(self.edition, self.played, card)[len(pairs) : most]:
                pairs.append(self.played[n].outcome.payoffs[seat] - self._again(n, seat, card))
        self.cards = card_figures(self.edition, self.played, self.gained)
        self.first = _rate(sum(one.outcome.payoffs[0] for one in self.played), len(self.played))
        self.plans = [
            {"plan": name, "games": len(won), **_rate(sum(won), len(won))}
            for name, won in self.won.items()
        ]
        self._tell()

    def _play(self, agents: tuple[Agent, ...], name: object) -> Played:
        return _play(self.edition, agents, f"{self.seed}/{name}")

    def _again(self, n: int, seat: int, card: str) -> float:
        """What a seat wins in the n-th game if it refuses a card, all else equal."""
        agents = [self.mixed, self.mixed]
        agents[seat] = player(refusing(card))
        return self._play(tuple(agents), n).outcome.payoffs[seat]

    def _tell(self) -> None:
        self.done += 1
        if self.progress:
            self.progress(self.done, self.due)

    def settled(self) -> bool:
        """Whether no interval lies across its bound."""
        return (
            _beside(self.first, *FIRST_PLAYER)
            and all(_share_settled(row) and _lift_settled(row) for row in self.cards)
            and all(map(_plan_settled, self.plans))
        )

    def report(self) -> Json:
        """All figures, and which are kept."""
        finals = [one.final for one in self.played]
        turns = sorted(final.turn for final in finals)
        done = Counter(r.ritual for final in finals for seat in final.done for r in seat)
        median = statistics.median(turns)
        checks = verdicts(self.first, median, self.cards, self.plans)
        missed = False in checks.values()
        return {
            "game": GAME,
            "edition": self.edition,
            "games": len(self.played),
            "rounds": self.rounds,
            "seed": self.seed,
            "bots": "greedy",
            "first_player": self.first,
            "turns": {
                "median": median,
                "mean": round(statistics.mean(turns), 2),
                "low": turns[len(turns) // 20],
                "high": turns[-1 - len(turns) // 20],
            },
            "points": round(
                statistics.mean(p for one in self.played for p in one.outcome.totals), 2
            ),
            "cult_cards": round(
                statistics.mean(cult.bit_count() for final in finals for cult in final.cults), 2
            ),
            "rituals": {
                name: round(done[name] / len(finals) / 2, 3)
                for name in tables(self.edition).rituals
            },
            "cards": self.cards,
            "plans": self.plans,
            "checks": checks,
            "passed": False if missed else None if None in checks.values() else True,
        }


def _beside(row: Mapping[str, Any], *bounds: float) -> bool:
    """Whether an interval lies on one side of every bound."""
    return not any(row["low"] <= bound <= row["high"] for bound in bounds)


def _share_settled(row: Mapping[str, Any]) -> bool:
    low, high = wilson(row["played"] * row["drawn"], row["drawn"]) if row["drawn"] else (0.0, 1.0)
    return _beside({"low": low, "high": high}, LEAST_PLAYED)


def _lift_settled(row: Mapping[str, Any]) -> bool:
    """A normal interval needs some pairs; a card that nobody plays has none to wait for."""
    if row["pairs"] < LEAST_PAIRS:
        return not row["played"]
    return _beside(row, MOST_LIFT)


def _plan_settled(row: Mapping[str, Any]) -> bool:
    return row["plan"] not in PURE or _beside(row, MOST_PLAN)


def _key(edition: str) -> str:
    """The key of an edition given by key or id."""
    setup = games.get(GAME).setup(2, {"edition": edition})
    return str(setup.edition)


def verdicts(
    first_player: Mapping[str, float],
    turns: float,
    cards: Sequence[Mapping[str, Any]],
    plans: Sequence[Mapping[str, Any]],
) -> dict[str, bool | None]:
    """Which figures an edition keeps: the first player's rate, the median of turns, the rows of
    cards and of plans as in :func:`report`.

    True if the figure is within its bounds; False if it is not, nor is any of its interval; None,
    undecided, if it is not and its interval reaches them. The median and the shares of cards played
    are judged as they are. A card that nobody played has no lift to judge.
    """
    lifts = [row for row in cards if row["lift"] is not None]
    pure = [row for row in plans if row["plan"] in PURE]
    low, high = FIRST_PLAYER
    return {
        "first-player": _kept(first_player["rate"], first_player, low, high),
        "turns": TURNS[0] <= turns <= TURNS[1],
        "every-card-played": all(card["played"] >= LEAST_PLAYED for card in cards),
        "no-card-decides": _all([_kept(row["lift"], row, -1.0, MOST_LIFT) for row in lifts]),
        "no-plan-dominates": _all([_kept(row["rate"], row, 0.0, MOST_PLAN) for row in pure]),
    }


def _kept(figure: float, interval: Mapping[str, Any], low: float, high: float) -> bool | None:
    if low <= figure <= high:
        return True
    return None if interval["low"] <= high and interval["high"] >= low else False


def _all(kept: Sequence[bool | None]) -> bool | None:
    return False if False in kept else None if None in kept else True


def refusing(card: str) -> greedy.Plan:
    """Mixed play that never plays one card to the cult."""

    def plan(action: Action, observation: Observation) -> float:
        return -_FORCE if action.do == "play" and action.what == card else 0.0

    return plan


def owners(edition: str, played: Sequence[Played], card: str) -> list[tuple[int, int]]:
    """The games and seats in whose cult a card lies at the end, the earliest first."""
    bit = tables(edition).bit_of[card]
    return [
        (n, seat)
        for n, one in enumerate(played)
        for seat, cult in enumerate(one.final.cults)
        if cult & bit
    ]


def card_figures(
    edition: str, played: Sequence[Played], gained: Mapping[str, Sequence[float]]
) -> list[dict[str, Any]]:
    """A row for each card, over games of two.

    ``drawn``: games in which somebody was dealt or drew it; ``played``: in which share of those it
    lies in a cult at the end; ``pairs``: cults it lay in whose games were played again; ``lift``:
    the mean of ``gained``, what the owner won in the game less what the same seat won when it
    refused the card, all else equal, with its interval (``low``, ``high``; normal, 95 %). All
    three are None without a pair.
    """
    rows = []
    for card in tables(edition).kinds:
        drawn = sum(card in one.drawn for one in played)
        owned = len({n for n, _ in owners(edition, played, card)})
        pairs = gained[card]
        row: dict[str, Any] = {
            "card": card,
            "drawn": drawn,
            "played": round(owned / drawn, 4) if drawn else 0.0,
            "pairs": len(pairs),
            "lift": None,
            "low": None,
            "high": None,
        }
        if pairs:
            lift = statistics.mean(pairs)
            spread = statistics.stdev(pairs) if len(pairs) > 1 else 1.0
            margin = 1.96 * spread / len(pairs) ** 0.5
            row |= {
                "lift": round(lift, 4),
                "low": round(lift - margin, 4),
                "high": round(lift + margin, 4),
            }
        rows.append(row)
    return rows


def _rate(successes: float, number: int) -> dict[str, float]:
    low, high = wilson(successes, number)
    return {"rate": round(successes / number, 4), "low": round(low, 4), "high": round(high, 4)}
