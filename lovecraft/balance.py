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
) -> Json:
    """Play, and compare with the figures an edition should keep.

    ``games`` games between two greedy bots, then a quarter as many of each plan (``ritual``: never
    a cult card; ``cult``: a cult card whenever possible; ``cult-first``: four cult cards first)
    against the greedy bot's mixed play, seats swapped, and for each card at most a fifth as many
    once more without it (:func:`card_figures`). Returns ``first_player`` (rate with
    interval), ``turns``, ``rituals`` (times per player and game), ``cards`` (see
    :func:`card_figures`), ``plans``, ``checks`` (name → whether the figure is kept) and ``passed``.
    Intervals are 95 %; a check compares the figure itself, so few games prove nothing either way.
    Raises UnknownName for another game, InvalidOption for an unknown edition or a number of games
    below one.
    """
    if game_id != GAME:
        raise UnknownName(msg("ritos-ancestrais.error.no-balance", game=str(game_id)[:40]))
    if games < 1:
        raise InvalidOption(msg("error.games-number"), "games")
    edition = _key(edition)
    quarter = max(2, games // 4)
    most = max(1, games // 5)
    total = games + quarter * len(PLANS) + 1
    played = []
    mixed = player()
    for n in range(games):
        played.append(_play(edition, (mixed, mixed), f"{seed}/{n}"))
        if progress:
            progress(n + 1, total)
    plans: list[dict[str, Any]] = []
    for number, (name, plan) in enumerate(PLANS.items()):
        other, share = player(plan), 0.0
        for n in range(quarter):
            seat = n % 2
            agents = (other, mixed) if seat == 0 else (mixed, other)
            share += _play(edition, agents, f"{seed}/{name}/{n // 2}").outcome.payoffs[seat]
            if progress:
                progress(games + quarter * number + n + 1, total)
        plans.append({"plan": name, "games": quarter, **_rate(share, quarter)})
    first = sum(one.outcome.payoffs[0] for one in played)
    turns = sorted(one.final.turn for one in played)
    t = tables(edition)

    def again(n: int, seat: int, card: str) -> float:
        agents = [mixed, mixed]
        agents[seat] = player(refusing(card))
        return _play(edition, tuple(agents), f"{seed}/{n}").outcome.payoffs[seat]

    cards = card_figures(edition, played, again, most)
    if progress:
        progress(total, total)
    done = Counter(r.ritual for one in played for seat in one.final.done for r in seat)
    first_player, median = _rate(first, games), statistics.median(turns)
    checks = verdicts(first_player["rate"], median, cards, plans)
    return {
        "game": GAME,
        "edition": edition,
        "games": games,
        "seed": str(seed),
        "bots": "greedy",
        "first_player": first_player,
        "turns": {
            "median": median,
            "mean": round(statistics.mean(turns), 2),
            "low": turns[len(turns) // 20],
            "high": turns[-1 - len(turns) // 20],
        },
        "points": round(statistics.mean(p for one in played for p in one.outcome.totals), 2),
        "cult_cards": round(
            statistics.mean(c.bit_count() for one in played for c in one.final.cults), 2
        ),
        "rituals": {name: round(done[name] / games / 2, 3) for name in t.rituals},
        "cards": cards,
        "plans": plans,
        "checks": checks,
        "passed": all(checks.values()),
    }


def _key(edition: str) -> str:
    """The key of an edition given by key or id."""
    setup = games.get(GAME).setup(2, {"edition": edition})
    return str(setup.edition)


def verdicts(
    first_player: float,
    turns: float,
    cards: Sequence[Mapping[str, Any]],
    plans: Sequence[Mapping[str, Any]],
) -> dict[str, bool]:
    """Which figures an edition keeps: the first player's rate, the median of turns, the rows of
    cards and of plans as in :func:`report`. A card that nobody played has no lift to judge."""
    lifts = [card["lift"] for card in cards if card["lift"] is not None]
    pure = [row["rate"] for row in plans if row["plan"] in ("ritual", "cult")]
    return {
        "first-player": FIRST_PLAYER[0] <= first_player <= FIRST_PLAYER[1],
        "turns": TURNS[0] <= turns <= TURNS[1],
        "every-card-played": all(card["played"] >= LEAST_PLAYED for card in cards),
        "no-card-decides": all(lift <= MOST_LIFT for lift in lifts),
        "no-plan-dominates": all(rate <= MOST_PLAN for rate in pure),
    }


def refusing(card: str) -> greedy.Plan:
    """Mixed play that never plays one card to the cult."""

    def plan(action: Action, observation: Observation) -> float:
        return -_FORCE if action.do == "play" and action.what == card else 0.0

    return plan


def card_figures(
    edition: str,
    played: Sequence[Played],
    again: Callable[[int, int, str], float],
    most: int,
) -> list[dict[str, Any]]:
    """A row for each card, over games of two.

    ``drawn``: games in which somebody was dealt or drew it; ``played``: in which share of those it
    lies in a cult at the end; ``pairs``: cults it lay in whose games were played again, at most
    ``most`` of them, the earliest first; ``lift``: the mean of what the owner won in the game less
    what the same seat won when it refused the card, all else equal, with its interval (``low``,
    ``high``; normal, 95 %). ``again(n, seat, card)`` plays the n-th game once more like that and
    returns the seat's payoff. All three are None without a pair.
    """
    rows = []
    for card, bit in tables(edition).bit_of.items():
        drawn = [n for n, one in enumerate(played) if card in one.drawn]
        owned = [
            (n, seat)
            for n in drawn
            for seat, cult in enumerate(played[n].final.cults)
            if cult & bit
        ]
        gained = [
            played[n].outcome.payoffs[seat] - again(n, seat, card) for n, seat in owned[:most]
        ]
        row: dict[str, Any] = {
            "card": card,
            "drawn": len(drawn),
            "played": round(len({n for n, _ in owned}) / len(drawn), 4) if drawn else 0.0,
            "pairs": len(gained),
            "lift": None,
            "low": None,
            "high": None,
        }
        if gained:
            lift = statistics.mean(gained)
            spread = statistics.stdev(gained) if len(gained) > 1 else 1.0
            margin = 1.96 * spread / len(gained) ** 0.5
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
