"""Ritos Ancestrais: an open draft row, a cult that helps, rituals that score; 2 to 4 players.

The cards and rituals are data: see :mod:`~lovecraft.games.ritos_ancestrais.edition` and
``docs/editions.md``.
"""

from lovecraft.games.ritos_ancestrais.edition import (
    Edition,
    InvalidEdition,
    find_edition,
    load_edition,
    read_edition,
)
from lovecraft.games.ritos_ancestrais.game import (
    Action,
    Observation,
    RitosAncestrais,
    Setup,
    State,
    register_edition,
)
from lovecraft.games.ritos_ancestrais.tables import Payment, payments

__all__ = [
    "Action",
    "Edition",
    "InvalidEdition",
    "Observation",
    "Payment",
    "RitosAncestrais",
    "Setup",
    "State",
    "find_edition",
    "load_edition",
    "payments",
    "read_edition",
    "register_edition",
]
