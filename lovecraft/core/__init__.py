"""What every game shares: the contract, records, score sheets, rules with their source, errors."""

from lovecraft.core.errors import (
    IllegalAction,
    InvalidOption,
    InvalidRecord,
    InvalidSheet,
    LovecraftError,
    UnknownName,
)
from lovecraft.core.events import Event
from lovecraft.core.game import CHANCE, CHANCE_MOVES, NOBODY, AnyGame, Card, Game, not_to_move
from lovecraft.core.match import Agent, Match, play, stream
from lovecraft.core.options import Option
from lovecraft.core.phases import Phase
from lovecraft.core.playout import playout
from lovecraft.core.record import Move, Player, Record, Step
from lovecraft.core.rules import Rule, RuleBook
from lovecraft.core.scoring import Key, Outcome, ScoreLine, ScoreSheet, standings

__all__ = [
    "CHANCE",
    "CHANCE_MOVES",
    "NOBODY",
    "Agent",
    "AnyGame",
    "Card",
    "Event",
    "Game",
    "IllegalAction",
    "InvalidOption",
    "InvalidRecord",
    "InvalidSheet",
    "Key",
    "LovecraftError",
    "Match",
    "Move",
    "Option",
    "Outcome",
    "Phase",
    "Player",
    "Record",
    "Rule",
    "RuleBook",
    "ScoreLine",
    "ScoreSheet",
    "Step",
    "UnknownName",
    "not_to_move",
    "play",
    "playout",
    "standings",
    "stream",
]
