"""Ritos Ancestrais: the state machine of drafting, cults and rituals."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from lovecraft.core.codec import Json
from lovecraft.core.errors import IllegalAction, InvalidOption, InvalidRecord, LovecraftError
from lovecraft.core.events import Event, ended
from lovecraft.core.game import CHANCE, CHANCE_MOVES, NOBODY, Card, Game, not_to_move
from lovecraft.core.options import Value
from lovecraft.core.rules import Rule
from lovecraft.core.scoring import Outcome
from lovecraft.games.ritos_ancestrais import edition as editions
from lovecraft.games.ritos_ancestrais import knowledge, position, scoring, sheet
from lovecraft.games.ritos_ancestrais import rulebook as rule
from lovecraft.games.ritos_ancestrais.cards import (
    DEAD_ROUNDS,
    DRAWS,
    GAME,
    GOAL,
    HAND_LIMIT,
    LEAST_HAND_LIMIT,
    MAX_PLAYERS,
    MIN_PLAYERS,
    ROW,
    START_HAND,
)
from lovecraft.games.ritos_ancestrais.edition import HOUSE, HOUSE_EDITION, Edition
from lovecraft.games.ritos_ancestrais.scoring import Performed
from lovecraft.games.ritos_ancestrais.state import (
    ACT,
    DEAL,
    DISCARD,
    DRAW,
    OVER,
    PHASES,
    RETURN,
    SHUFFLE,
    History,
    Layer,
    Observation,
    Setup,
    State,
)
from lovecraft.games.ritos_ancestrais.tables import (
    COUNTS,
    SIZE,
    SIZE_BASE,
    Action,
    Bundle,
    Tables,
    size,
    tables,
)
from lovecraft.i18n import Message, Seat, msg

_new = tuple.__new__
_SEATS = tuple((p,) for p in range(MAX_PLAYERS))
_ZEROS = tuple((0,) * n for n in range(MAX_PLAYERS + 1))
_NO_ROWS: tuple[tuple[tuple[()], ...], ...] = tuple(((),) * n for n in range(MAX_PLAYERS + 1))

PASS = Action("pass")
REFRESH = Action("refresh")
_JUST_PASS = (PASS,)


class RitosAncestrais(Game[Setup, State, Action, Observation]):
    """Draw two from the row, then build the cult or perform a ritual; 21 points start the end."""

    id = GAME
    min_players = MIN_PLAYERS
    max_players = MAX_PLAYERS
    options = rule.options(editions.editions())
    rules = rule.BOOK
    cards = tuple(Card(card.id, card.symbol) for card in HOUSE_EDITION.cards)
    phases = rule.PHASES
    setup_type = Setup
    state_type = State
    observation_type = Observation

    # -- editions -------------------------------------------------------------------------------

    def setup(self, players: int, options: Mapping[str, object] | None = None) -> Setup:
        """As the contract says; an edition may be named by its id alone."""
        given = dict(options or {})
        named = given.get("edition")
        if isinstance(named, str) and named not in editions.editions():
            try:
                given["edition"] = editions.find_edition(named).key
            except LovecraftError as unknown:
                raise InvalidOption(unknown.message, "options.edition") from None
        return super().setup(players, given)

    def attachment(self, setup: Setup, brief: bool = False) -> Json | None:
        """A record carries its edition; ``brief``: the digest of the one in the package."""
        edition = editions.find_edition(setup.edition)
        return edition.digest if brief and edition == HOUSE_EDITION else edition.to_json()

    def options_to_json(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """An earlier house edition is ``house`` in a record, which carries it."""
        earlier = str(options.get("edition")).startswith(f"{HOUSE}@")
        return {**options, "edition": HOUSE} if earlier else options

    def attach(self, value: Json, options: Mapping[str, Json]) -> Mapping[str, Json]:
        """Register the edition that a record carries, also an earlier house edition."""
        if isinstance(value, str):
            if value != HOUSE_EDITION.digest:
                raise InvalidRecord(msg("ritos-ancestrais.error.edition-version"))
            return options
        edition = editions.read_edition(value)
        if edition.key == HOUSE and edition != HOUSE_EDITION:
            edition = edition._replace(key=f"{HOUSE}@{edition.digest[:12]}")
            if options.get("edition", HOUSE) == HOUSE:
                options = {**options, "edition": edition.key}
        register_edition(edition)
        return options

    def card_name(self, card: str, edition: str | None = None) -> Message:
        """A card's name in an edition, or in the first registered one that has it."""
        return _naming(edition, card).card_name(card)

    def ritual_name(self, ritual: str, edition: str | None = None) -> Message:
        """A ritual's name in an edition, or in the first registered one that has it."""
        return _naming(edition, ritual).ritual_name(ritual)

    # -- playing --------------------------------------------------------------------------------

    def start(self, setup: Setup) -> State:
        tables(setup.edition)
        n = setup.players
        zeros, nothing = _ZEROS[n], _NO_ROWS[n]
        return State(
            setup=setup,
            phase=DEAL,
            seat=0,
            turn=1,
            left=0,
            hands=zeros,
            cults=zeros,
            points=zeros,
            row=(),
            deck=(),
            at=0,
            open=0,
            closed=0,
            used=0,
            passes=0,
            last=False,
            refreshed=False,
            done=nothing,
            gains=zeros,
            history=History((START_HAND,) * n, nothing, nothing, 0, (), 0, zeros),
        )

    def card_words(self, card: str, edition: str | None = None) -> tuple[Message, ...]:
        """A card's symbol and effects, in an edition or in the first one that has the card."""
        found = _naming(edition, card)
        it = found.cards[tables(found.key).index[card]]
        effects = (editions.effect_text(found, effect) for effect in it.effects)
        return (editions.symbol_name(it.symbol), *effects)

    def card_rules(self, card: str, edition: str | None = None) -> tuple[str, ...]:
        """The rules about a card, in an edition or in the first one that has the card."""
        found = _naming(edition, card)
        effects = found.cards[tables(found.key).index[card]].effects
        kinds = dict.fromkeys(effect.kind.replace("_", "-") for effect in effects)
        own = tuple(f"{GAME}/effect-{kind}" for kind in kinds)
        end = (rule.END_BONUS.id,) if "end-bonus" in kinds else ()
        return (*own, *end, rule.CULT.id, rule.CULT_SYMBOL.id, rule.SYMBOLS.id)

    def phase(self, state: State) -> str:
        return PHASES[state.phase]

    def candidates(self, state: State, player: int) -> tuple[Action, ...]:
        t = tables(state.setup.edition)
        hand, cult = state.hands[player], state.cults[player]
        performed = t.performances(hand, cult)
        payable = {action.what for action in performed}
        return (
            *t.draw_of,
            REFRESH,
            *(Action("play", card) for card in t.kinds),
            *performed,
            *(Action("ritual", ritual) for ritual in t.rituals if ritual not in payable),
            PASS,
            *self.legal_actions(state, player),
            *(Action("discard", card) for card in t.kinds),
        )

    def to_move(self, state: State) -> tuple[int, ...]:
        phase = state[1]
        if DRAW <= phase <= DISCARD:
            return _SEATS[state[2]]
        return NOBODY if phase == OVER else CHANCE_MOVES

    def legal_actions(self, state: State, player: int) -> tuple[Action, ...]:
        phase = state[1]
        if player != state[2]:
            return ()
        t = tables(state[0][1])
        if phase == DRAW:
            actions = tuple(map(t.draw, dict.fromkeys(state[8])))
            if state[6][player] & t.refresh_mask and _may_refresh(state):
                return (*actions, REFRESH)
            return actions
        hand = state[5][player]
        if phase == ACT:
            cult = state[6][player]
            plays = t.plays(hand, cult)
            return (*plays, *t.performances(hand, cult), PASS)
        if phase == DISCARD:
            return t.discards(hand)
        if phase == RETURN:
            return t.returns(state[13], t.returned(state[17][player][-1].ritual, state[6][player]))
        return ()

    def draw(self, state: State, rng: random.Random) -> Action:
        t = tables(state.setup.edition)
        pile = list(t.deck_cards if state.phase == DEAL else t.cards(_to_shuffle(t, state)))
        knowledge.shuffle(pile, rng)
        return Action("shuffle", "", tuple(pile))

    def advance(self, state: State, player: int, action: Action) -> State:
        phase = state[1]
        t = tables(state[0][1])
        if phase == DRAW:
            return _draw(t, state, action)
        if phase == ACT:
            return _act(t, state, action)
        if phase == DISCARD:
            return _discard(t, state, action)
        if phase == RETURN:
            return _take_back(t, state, action)
        return _deal(t, state, action) if phase == DEAL else _shuffled(t, state, action)

    def why_not(self, state: State, player: int, action: object) -> IllegalAction | None:
        if player == CHANCE:
            return _why_not_shuffle(state, action)
        if why := not_to_move(self, state, player):
            phase = state.phase
            forbids = {OVER: rule.VICTORY, DEAL: rule.DEAL, SHUFFLE: rule.RESHUFFLE}
            return IllegalAction(forbids.get(phase, rule.TURN).id, why)
        if not _well_formed(action):
            return IllegalAction(rule.ACTION.id, msg("ritos-ancestrais.error.no-action"))
        if action in self.legal_actions(state, player):
            return None
        return _refusal(tables(state.setup.edition), state, action)  # type: ignore[arg-type]

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != OVER:
            return None
        t = tables(state.setup.edition)
        totals = [points + _end_points(t, state, p) for p, points in enumerate(state.points)]
        return scoring.final_standings(totals, [size(hand) for hand in state.hands])

    # -- what happened --------------------------------------------------------------------------

    def events(self, before: State, player: int, action: Action, after: State) -> tuple[Event, ...]:
        return tuple(_events(before, player, action, after, self.outcome(after)))

    # -- knowing --------------------------------------------------------------------------------

    def observe(self, state: State, player: int) -> Observation:
        return knowledge.observe(state, player, self.legal_actions(state, player))

    def resample(self, observation: Observation, rng: random.Random) -> State:
        if observation.phase == "deal":
            return self.start(observation.setup)
        return knowledge.resample(observation, rng)

    # -- writing down ---------------------------------------------------------------------------

    def action_to_json(self, action: Action) -> Json:
        do, what, cards = action
        if do in ("draw", "play", "discard"):
            return {do: what}
        if do == "ritual":
            return {do: what, "cards": list(cards)}
        if do in ("return", "shuffle"):
            return {do: list(cards)}
        return do

    def action_from_json(self, value: Json, place: str = "") -> Action:
        for plain in (PASS, REFRESH):
            if value == plain.do:
                return plain
        if not isinstance(value, dict) or not value:
            raise InvalidRecord(msg("ritos-ancestrais.error.no-action"), place)
        do = next(iter(value))
        fields = {"ritual", "cards"} if do == "ritual" else {do}
        if do not in _VERBS or value.keys() != fields:
            raise InvalidRecord(msg("ritos-ancestrais.error.no-action"), place)
        if do in ("return", "shuffle"):
            cards = _names(value[do], f"{place}.{do}")
            return Action(do, "", cards if do == "shuffle" else tuple(sorted(cards)))
        if not isinstance(value[do], str):
            raise InvalidRecord(msg("error.json-kind", expected="string"), f"{place}.{do}")
        if do == "ritual":
            return Action(do, value[do], tuple(sorted(_names(value["cards"], f"{place}.cards"))))
        return Action(do, value[do])

    def describe(self, action: Action, setup: Setup | None = None) -> Message:
        """An action in words; with the setup, in the names of its edition."""
        edition = setup.edition if setup else None
        params: dict[str, object] = {}
        if action.do in ("draw", "play", "discard"):
            params["card"] = self.card_name(action.what, edition)
        elif action.do == "ritual":
            params["ritual"] = self.ritual_name(action.what, edition)
        if action.do in ("ritual", "return"):
            params["cards"] = tuple(self.card_name(card, edition) for card in action.cards)
        return msg(f"ritos-ancestrais.action.{action.do}", **params)

    def in_words(self, observation: Observation) -> tuple[Message, ...]:
        return tuple(_in_words(self, observation))

    def check_position(self, state: State) -> None:
        t = tables(state.setup.edition)
        inside = 0 <= state.seat < state.setup.players == len(state.cults)
        limit = hand_limit(t, state.cults, state.seat) if inside else 0
        position.check(t, state, self.start(state.setup), limit)

    def score(self, sheet_json: Json, lang: str = "en") -> Json:
        return sheet.score_sheet(sheet_json, lang)


def register_edition(edition: Edition) -> str:
    """Make an edition playable until the program ends; its key, the value of option ``edition``.

    Registering it again is no harm. Raises InvalidEdition if it calls itself ``house``.
    """
    registered = editions.register(edition)
    RitosAncestrais.options = rule.options(editions.editions())
    return registered.key


_VERBS = ("draw", "play", "discard", "ritual", "return", "shuffle")


def _naming(edition: str | None, name: str) -> Edition:
    """The edition that names a card or ritual: the one given, else the first that has it."""
    keys = editions.editions() if edition is None else (edition,)
    for key in keys:
        t = tables(key)
        if name in t.index or name in t.ritual_index:
            return t.edition
    return editions.find_edition(keys[0])


def _names(value: Json, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InvalidRecord(msg("error.json-kind", expected="[…]"), place)
    return tuple(value)


def _well_formed(action: object) -> bool:
    return (
        isinstance(action, Action)
        and type(action.do) is str
        and type(action.what) is str
        and type(action.cards) is tuple
        and all(type(card) is str for card in action.cards)
    )


# -- the moves; each takes an action known to be legal ------------------------------------------


def _to_shuffle(t: Tables, state: State) -> Bundle:
    """What the next shuffle mixes: the deck, later the discards."""
    return t.deck if state.phase == DEAL else state.open + state.closed


def _deal(t: Tables, state: State, action: Action) -> State:
    n = state.setup.players
    order = [t.index[card] for card in action[2]]
    hands = tuple(
        sum(t.unit[i] for i in order[START_HAND * p : START_HAND * (p + 1)]) for p in range(n)
    )
    dealt = START_HAND * n
    row = tuple(order[dealt : dealt + ROW])
    return state._replace(
        phase=DRAW, left=DRAWS, hands=hands, row=row, deck=tuple(order[dealt + ROW :])
    )


def _shuffled(t: Tables, state: State, action: Action) -> State:
    old = state.history
    deck = tuple([t.index[card] for card in action[2]])
    past = old.past
    if old.shuffles:
        # the old pile is used up, so all have seen what was put away face down before it was made
        past = (*past, sum(t.unit[i] for i in state.deck) - old.base)
    row = state.row + deck[: ROW - len(state.row)]
    at = len(row) - len(state.row)
    phase = DRAW if state.left and row else ACT
    history = old._replace(
        base=state.open, past=past, shuffles=old.shuffles + 1, peeks=_ZEROS[state.setup.players]
    )
    left = state.left if phase == DRAW else 0
    if phase == DRAW and state.cults[state.seat] & t.peek_mask:
        history = _looked(t, history, 0, state.seat, state.cults[state.seat], len(deck) - at)
    return state._replace(
        phase=phase, left=left, row=row, deck=deck, at=at, open=0, closed=0, history=history
    )


def _may_refresh(state: State) -> bool:
    """Before the first draw of the turn, once, while there are cards to turn up."""
    return (
        not state.refreshed
        and _undrawn(state)
        and bool(state.at < len(state.deck) or state.open or state.closed)
    )


def _undrawn(state: State) -> bool:
    t = tables(state.setup.edition)
    return state.left == DRAWS + t.amount("draw_extra", state.cults[state.seat] & t.draw_mask)


def _draw(t: Tables, state: State, action: Action) -> State:
    (setup, phase, seat, turn, left, hands, cults, points, row, deck, at, shown, closed, used,
     passes, last, refreshed, done, gains, history) = state  # fmt: skip
    if action[0] == "refresh":
        return _refresh(t, state)
    kind = t.index[action[1]]
    unit = t.unit[kind]
    hands = (*hands[:seat], hands[seat] + unit, *hands[seat + 1 :])
    gains = (*gains[:seat], gains[seat] + unit, *gains[seat + 1 :])
    place = row.index(kind)
    left -= 1
    flipped = 0
    if at < len(deck):
        row = (*row[:place], deck[at], *row[place + 1 :])
        at += 1
        flipped = 1
    else:
        row = row[:place] + row[place + 1 :]
        if shown or closed:
            phase = SHUFFLE
    if phase == DRAW and not (left and row):
        phase = ACT
        left = 0
    if cults[seat] & t.peek_mask or history[6] != _ZEROS[setup[0]]:
        cult = cults[seat] if phase == DRAW else 0
        history = _looked(t, history, flipped, seat, cult, len(deck) - at)
    return _new(State, (
        setup, phase, seat, turn, left, hands, cults, points, row, deck, at, shown, closed, used,
        passes, last, refreshed, done, gains, history,
    ))  # fmt: skip


def _refresh(t: Tables, state: State) -> State:
    deck, at = state.deck, state.at
    row = deck[at : at + ROW]
    at += len(row)
    shown = state.open + sum(t.unit[i] for i in state.row)
    phase = DRAW if len(row) == ROW else SHUFFLE
    history, cult = state.history, state.cults[state.seat]
    if cult & t.peek_mask or any(history.peeks):
        history = _looked(
            t, history, len(row), state.seat, cult if phase == DRAW else 0, len(deck) - at
        )
    return state._replace(phase=phase, row=row, at=at, open=shown, refreshed=True, history=history)


def _looked(t: Tables, history: History, flipped: int, seat: int, cult: int, pile: int) -> History:
    """How many cards on top each seat has looked at, after some were flipped; ``seat`` looks."""
    peeks = [max(0, number - flipped) for number in history.peeks]
    ahead = t.amount("row_peek", cult & t.peek_mask)
    peeks[seat] = max(peeks[seat], min(ahead, pile))
    return history._replace(peeks=tuple(peeks))


def _act(t: Tables, state: State, action: Action) -> State:
    (setup, phase, seat, turn, left, hands, cults, points, row, deck, at, shown, closed, used,
     passes, last, refreshed, done, gains, history) = state  # fmt: skip
    do = action[0]
    if do == "pass":
        passes += 1
        hand = hands[seat]
    elif do == "play":
        passes = 0
        card = action[1]
        hand = hands[seat] - t.unit_of[card]
        cults = (*cults[:seat], cults[seat] | t.bit_of[card], *cults[seat + 1 :])
        gained, history = _leave(t, gains[seat], history, seat, (card,))
        gains = (*gains[:seat], gained, *gains[seat + 1 :])
    else:
        passes = 0
        cult = cults[seat]
        ritual = t.ritual_index[action[1]]
        spent = t.pack(action[2])
        hand = hands[seat] - spent
        gained, history = _leave(t, gains[seat], history, seat, action[2])
        shown += spent
        worth = t.ritual_points(ritual, spent & COUNTS, cult)
        total = points[seat] + worth
        points = (*points[:seat], total, *points[seat + 1 :])
        last = last or total >= GOAL
        performed = Performed(action[1], worth - t.base_points[ritual])
        done = (*done[:seat], (*done[seat], performed), *done[seat + 1 :])
        if cult & t.return_mask:
            number = t.returned(action[1], cult)
            choices = t.returns(spent, min(number, len(action[2])))
            if len(choices) == 1:  # nothing to choose: none, all, or all alike
                back = t.pack(choices[0][2])
                hand += back
                shown -= back
                gained += back
            else:
                phase = RETURN
                used = spent
        gains = (*gains[:seat], gained, *gains[seat + 1 :])
    hands = (*hands[:seat], hand, *hands[seat + 1 :])
    after: State = _new(State, (
        setup, phase, seat, turn, left, hands, cults, points, row, deck, at, shown, closed, used,
        passes, last, refreshed, done, gains, history,
    ))  # fmt: skip
    return after if phase == RETURN else _acted(t, after)


def _take_back(t: Tables, state: State, action: Action) -> State:
    seat = state.seat
    back = t.pack(action.cards)
    hands = _with(state.hands, seat, state.hands[seat] + back)
    gains = _with(state.gains, seat, state.gains[seat] + back)
    return _acted(t, state._replace(hands=hands, gains=gains, open=state.open - back, used=0))


def _discard(t: Tables, state: State, action: Action) -> State:
    seat, old = state.seat, state.history
    unit = t.unit_of[action.what]
    layers, secrets = old.layers[seat], old.secrets[seat]
    if layers and not state.gains[seat] and layers[-1].pile == old.shuffles:
        top = layers[-1]
        layers = (*layers[:-1], top._replace(number=top.number + 1))
        secrets = (*secrets[:-1], secrets[-1] + unit)
    else:
        layers = (*layers, Layer(state.gains[seat], 1, old.shuffles))
        secrets = (*secrets, unit)
    history = old._replace(
        layers=_with(old.layers, seat, layers), secrets=_with(old.secrets, seat, secrets)
    )
    return _acted(
        t,
        state._replace(
            hands=_with(state.hands, seat, state.hands[seat] - unit),
            closed=state.closed + unit,
            gains=_with(state.gains, seat, 0),
            history=history,
        ),
    )


def _acted(t: Tables, state: State) -> State:
    """After the action: down to the hand limit, else the next turn."""
    seat = state[2]
    number = state[5][seat] >> SIZE_BASE & SIZE
    if number > t.certain_limit[state[0][0]] and number > hand_limit(t, state[6], seat):
        return state if state[1] == DISCARD else state._replace(phase=DISCARD)
    (setup, phase, seat, turn, left, hands, cults, points, row, deck, at, shown, closed, used,
     passes, last, _refreshed, done, gains, history) = state  # fmt: skip
    n = setup[0]
    seat += 1
    if seat == n:
        seat = 0
        if last or passes >= DEAD_ROUNDS * n:
            return state._replace(phase=OVER, left=0)
        turn += 1
    left = DRAWS
    cult = cults[seat]
    if cult & t.draw_mask:
        left += t.amount("draw_extra", cult & t.draw_mask)
    phase = DRAW
    if len(row) < ROW and (shown or closed):
        phase = SHUFFLE
    elif not row:
        phase = ACT
        left = 0
    elif cult & t.peek_mask:
        history = _looked(t, history, 0, seat, cult, len(deck) - at)
    return _new(State, (
        setup, phase, seat, turn, left, hands, cults, points, row, deck, at, shown, closed, used,
        passes, last, False, done, gains, history,
    ))  # fmt: skip


def _leave(
    t: Tables, gained: Bundle, history: History, seat: int, cards: Sequence[str]
) -> tuple[Bundle, History]:
    """Cards leave a hand openly: take each from what all saw arrive last, else from the unseen."""
    for card in cards:
        bit, unit = t.bit_of[card], t.unit_of[card]
        if gained & 15 * bit:
            gained -= unit
            continue
        layers = history.layers[seat]
        for i in range(len(layers) - 1, -1, -1):
            if layers[i].gained & 15 * bit:
                layer = layers[i]._replace(gained=layers[i].gained - unit)
                layers = (*layers[:i], layer, *layers[i + 1 :])
                history = history._replace(layers=_with(history.layers, seat, layers))
                break
        else:
            unseen = history.unseen
            history = _new(History, (_with(unseen, seat, unseen[seat] - 1), *history[1:]))
    return gained, history


def hand_limit(t: Tables, cults: Sequence[int], seat: int) -> int:
    """How many cards a seat may keep: its own cult, and the other cults unless it is protected."""
    cult = cults[seat]
    limit = HAND_LIMIT
    if cult & t.limit_mask:
        limit += t.amount("hand_limit", cult & t.limit_mask)
    if t.rival_mask and not cult & t.protect_mask:
        for p, other in enumerate(cults):
            if p != seat and other & t.rival_mask:
                limit -= t.amount("rival_hand_limit", other & t.rival_mask)
    return max(LEAST_HAND_LIMIT, limit)


def _with(values: tuple, seat: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:seat], value, *values[seat + 1 :])


def _end_points(t: Tables, state: State, seat: int) -> int:
    cult = state.cults[seat]
    if not cult & t.end_mask:
        return 0
    rituals = [performed.ritual for performed in state.done[seat]]
    lying, hand = t.cult_cards(cult), size(state.hands[seat])
    return sum(
        min(e.cap, e.amount * scoring.counted(t.edition, e, rituals, lying, hand))
        for bit, effects in t.end_effects
        if cult & bit
        for e in effects
    )


# -- why not ------------------------------------------------------------------------------------


def _refusal(t: Tables, state: State, action: Action) -> IllegalAction:
    """The rule that forbids an action of the seat to move which is not legal."""
    do, what, cards = action
    due = {DRAW: rule.DRAW, ACT: rule.ACTION, RETURN: rule.EFFECT_RETURN_USED}
    phases = {"draw": DRAW, "refresh": DRAW, "return": RETURN, "discard": DISCARD}
    if do not in (*_VERBS, "pass", "refresh") or do == "shuffle":
        return IllegalAction(rule.ACTION.id, msg("ritos-ancestrais.error.no-action"))
    if do != "refresh" and phases.get(do, ACT) != state.phase:
        phase = ("draw", "act", "return", "discard")[state.phase - DRAW]
        forbids = due.get(state.phase, rule.HAND_LIMIT)
        return IllegalAction(forbids.id, msg(f"ritos-ancestrais.error.first-{phase}"))
    cult, hand = state.cults[state.seat], state.hands[state.seat]
    if do == "refresh":
        key = "refresh-late" if cult & t.refresh_mask else "refresh-none"
        if cult & t.refresh_mask and state.phase == DRAW and _undrawn(state):
            key = "refresh-twice" if state.refreshed else "refresh-empty"
        return IllegalAction(rule.EFFECT_ROW_REFRESH.id, msg(f"ritos-ancestrais.error.{key}"))
    name = t.edition.card_name
    if do in ("draw", "play", "discard"):
        rules = {"draw": rule.DRAW, "play": rule.CULT, "discard": rule.HAND_LIMIT}
        if what not in t.index:
            return IllegalAction(rule.CARDS.id, msg("ritos-ancestrais.error.unknown-card"))
        if cards:
            return IllegalAction(rule.ACTION.id, msg("ritos-ancestrais.error.no-action"))
        if do == "draw":
            message = msg("ritos-ancestrais.error.not-in-row", card=name(what))
        elif not t.present(hand) & t.bit_of[what]:
            message = msg("ritos-ancestrais.error.not-in-hand", card=name(what))
        else:
            message = msg("ritos-ancestrais.error.same-name", card=name(what))
            return IllegalAction(rule.SAME_NAME.id, message)
        return IllegalAction(rules[do].id, message)
    if any(card not in t.index for card in cards):
        return IllegalAction(rule.CARDS.id, msg("ritos-ancestrais.error.unknown-card"))
    if do == "return":
        number = min(t.returned(state.done[state.seat][-1].ritual, cult), size(state.used))
        return IllegalAction(
            rule.EFFECT_RETURN_USED.id, msg("ritos-ancestrais.error.return", n=number)
        )
    if do == "pass":
        return IllegalAction(rule.ACTION.id, msg("ritos-ancestrais.error.no-action"))
    if what not in t.ritual_index:
        return IllegalAction(rule.RITUALS.id, msg("ritos-ancestrais.error.unknown-ritual"))
    held = t.cards(hand)
    for card in cards:
        if cards.count(card) > held.count(card):
            return IllegalAction(
                rule.RITUAL.id, msg("ritos-ancestrais.error.not-in-hand", card=name(card))
            )
    ritual = t.edition.rituals[t.ritual_index[what]]
    return IllegalAction(
        rule.PAYMENT.id,
        msg(
            "ritos-ancestrais.error.payment",
            ritual=t.edition.ritual_name(what),
            needs=editions.needs_text(ritual),
        ),
    )


def _why_not_shuffle(state: State, action: object) -> IllegalAction | None:
    dealing = state.phase == DEAL
    rule_id = rule.DEAL.id if dealing else rule.RESHUFFLE.id
    if not dealing and state.phase != SHUFFLE:
        return IllegalAction(rule_id, msg("ritos-ancestrais.error.no-shuffle"))
    t = tables(state.setup.edition)
    cards = _to_shuffle(t, state)
    if (
        not _well_formed(action)
        or action.do != "shuffle"  # type: ignore[attr-defined]
        or action.what  # type: ignore[attr-defined]
        or any(card not in t.index for card in action.cards)  # type: ignore[attr-defined]
        or sorted(action.cards) != sorted(t.cards(cards))  # type: ignore[attr-defined]
    ):
        return IllegalAction(rule_id, msg("ritos-ancestrais.error.shuffle", n=size(cards)))
    return None


# -- events -------------------------------------------------------------------------------------


def _events(
    before: State, player: int, action: Action, after: State, outcome: Outcome | None
) -> Iterator[Event]:
    t = tables(before.setup.edition)
    who = Seat(player)
    do, what, cards = action

    def event(kind: str, by: Rule, facts: Mapping[str, object], **params: object) -> Event:
        text = msg(f"ritos-ancestrais.event.{kind}", player=who, **params)
        return Event(kind, player, by.id, text, facts)

    if do == "shuffle":
        yield from _shuffle_events(t, before, after)
    elif do == "draw":
        yield event("drew", rule.DRAW, {"card": what}, card=t.edition.card_name(what))
    elif do == "refresh":
        gone = [t.kinds[i] for i in before.row]
        yield event("refreshed", rule.EFFECT_ROW_REFRESH, {"cards": gone})
    elif do == "play":
        yield event("played", rule.CULT, {"card": what}, card=t.edition.card_name(what))
    elif do == "ritual":
        yield from _ritual_events(t, before, player, action, after)
    elif do == "return":
        yield _returned(t, player, cards)
    elif do == "discard":
        yield Event(
            "discarded",
            player,
            rule.HAND_LIMIT.id,
            msg("ritos-ancestrais.event.discarded", player=who),
            {"number": 1},
            {"card": what},
            msg("ritos-ancestrais.event.you-discarded", card=t.edition.card_name(what)),
        )
    else:
        yield event("passed", rule.PASS, {})
    if do in ("draw", "refresh"):
        yield from _turned(t, after.deck[before.at : after.at], rule.REFILL)
    yield from _peeked(t, before, after)
    if after.phase == OVER and outcome:
        yield from _end_events(t, after, outcome)


def _ritual_events(
    t: Tables, before: State, player: int, action: Action, after: State
) -> Iterator[Event]:
    points = after.points[player] - before.points[player]
    yield Event(
        "performed",
        player,
        rule.RITUAL.id,
        msg(
            "ritos-ancestrais.event.performed",
            player=Seat(player),
            ritual=t.edition.ritual_name(action.what),
            cards=tuple(t.edition.card_name(card) for card in action.cards),
            n=points,
        ),
        {
            "ritual": action.what,
            "cards": list(action.cards),
            "points": points,
            "bonus": after.done[player][-1].bonus,
        },
    )
    if back := after.hands[player] - before.hands[player] + t.pack(action.cards):
        yield _returned(t, player, t.cards(back))
    if after.last and not before.last:
        text = msg("ritos-ancestrais.event.triggered", player=Seat(player), goal=GOAL)
        yield Event("triggered", player, rule.TRIGGER.id, text, {"points": after.points[player]})


def _returned(t: Tables, player: int, cards: Sequence[str]) -> Event:
    names = tuple(t.edition.card_name(card) for card in cards)
    text = msg("ritos-ancestrais.event.returned", player=Seat(player), cards=names)
    return Event("returned", player, rule.EFFECT_RETURN_USED.id, text, {"cards": list(cards)})


def _shuffle_events(t: Tables, before: State, after: State) -> Iterator[Event]:
    if before.phase == DEAL:
        for p, hand in enumerate(after.hands):
            yield Event(
                "dealt",
                p,
                rule.DEAL.id,
                msg("ritos-ancestrais.event.dealt", player=Seat(p), n=START_HAND),
                {"number": START_HAND},
                {"cards": list(t.cards(hand))},
                msg(
                    "ritos-ancestrais.event.you-dealt",
                    cards=tuple(t.edition.card_name(card) for card in t.cards(hand)),
                ),
            )
        yield from _turned(t, after.row, rule.ROW_SETUP)
        return
    number = len(after.deck)
    text = msg("ritos-ancestrais.event.shuffled", n=number)
    yield Event("shuffled", CHANCE, rule.RESHUFFLE.id, text, {"number": number})
    yield from _turned(t, after.deck[: after.at], rule.REFILL)


def _turned(t: Tables, numbers: Sequence[int], by: Rule) -> Iterator[Event]:
    if numbers:
        cards = [t.kinds[i] for i in numbers]
        names = tuple(t.edition.card_name(card) for card in cards)
        text = msg("ritos-ancestrais.event.turned", n=len(cards), cards=names)
        yield Event("turned", CHANCE, by.id, text, {"cards": cards})


def _peeked(t: Tables, before: State, after: State) -> Iterator[Event]:
    """The seat in turn looks at cards on the pile that it did not know before."""
    flipped = after.at - before.at if after.history.shuffles == before.history.shuffles else 0
    for p, number in enumerate(after.history.peeks):
        known = max(0, before.history.peeks[p] - flipped)
        if after.history.shuffles != before.history.shuffles:
            known = 0
        if number > known:
            cards = [t.kinds[i] for i in after.deck[after.at : after.at + number]]
            yield Event(
                "peeked",
                p,
                rule.EFFECT_ROW_PEEK.id,
                msg("ritos-ancestrais.event.peeked", player=Seat(p), n=number),
                {"number": number},
                {"cards": cards},
                msg(
                    "ritos-ancestrais.event.you-peeked",
                    n=number,
                    cards=tuple(t.edition.card_name(card) for card in cards),
                ),
            )


def _end_events(t: Tables, after: State, outcome: Outcome) -> Iterator[Event]:
    if not after.last:
        text = msg("ritos-ancestrais.event.dead-end")
        yield Event("dead-end", CHANCE, rule.DEAD_END.id, text)
    for p, cult in enumerate(after.cults):
        rituals = [performed.ritual for performed in after.done[p]]
        lines = scoring.end_sheet(
            t.edition, rituals, t.cult_cards(cult), size(after.hands[p])
        ).lines
        for line in lines:
            text = msg(
                "ritos-ancestrais.event.end-bonus",
                player=Seat(p),
                card=t.edition.card_name(line.cards[0]),
                n=line.points,
            )
            facts = {"card": line.cards[0], "points": line.points}
            yield Event("end-bonus", p, line.rule, text, facts)
    yield ended(outcome, rule.VICTORY.id)


# -- words --------------------------------------------------------------------------------------


def _in_words(game: RitosAncestrais, o: Observation) -> Iterator[Message]:
    edition = editions.find_edition(o.setup.edition)

    def named(cards: Sequence[str]) -> tuple[Message, ...]:
        counted = dict.fromkeys(cards)
        if not counted:
            return (msg("core.nothing"),)
        return tuple(
            msg("core.times", n=cards.count(card), thing=edition.card_name(card))
            for card in counted
        )

    yield msg("ritos-ancestrais.words.turn", turn=o.turn, player=Seat(o.seat))
    if o.last:
        yield msg("ritos-ancestrais.words.last")
    yield msg("ritos-ancestrais.words.row", cards=named(o.row), pile=o.pile, discards=o.discards)
    if o.peeked:
        yield msg("ritos-ancestrais.words.peeked", cards=named(o.peeked))
    for p, view in enumerate(o.hands):
        yield msg(
            "ritos-ancestrais.words.seat",
            player=Seat(p),
            points=o.points[p],
            cult=named(o.cults[p]),
            hand=view.number,
        )
        if p != o.player and view.gained:
            yield msg("ritos-ancestrais.words.known", player=Seat(p), cards=named(view.gained))
    yield msg("ritos-ancestrais.words.hand", cards=named(o.hand))


__all__ = ["Action", "Observation", "RitosAncestrais", "Setup", "State", "register_edition"]
