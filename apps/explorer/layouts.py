"""Layouts in an address: ``own:dagon.azathoth;other:hastur;kept:1``."""

from __future__ import annotations

from typing import Any

from lovecraft.explain.desks import Desk, Layout, desk
from lovecraft.games.ritos_ancestrais import InvalidEdition
from lovecraft.games.ritos_ancestrais.edition import HOUSE

LONGEST = 2_000
EDITION = "edition"


def spelled(table: Desk, layout: Layout) -> str:
    """A layout as a part of an address; empty areas and knobs at rest are left out."""
    parts = [f"{EDITION}:{table.edition}"] if table.edition not in ("", HOUSE) else []
    parts += [
        f"{area.id}:{'.'.join(lying)}"
        for area, lying in zip(table.areas, layout.areas, strict=True)
        if lying
    ]
    parts += [
        f"{knob.id}:{setting}"
        for knob, setting in zip(table.knobs, layout.knobs, strict=True)
        if setting != knob.values[0]
    ]
    return ";".join(parts)


def href(game_id: str, observation: Any) -> str:
    """Where the laboratory shows what an observing seat has before it; empty if it cannot."""
    table = desk(game_id, getattr(observation.setup, EDITION, ""))
    layout = table.seen(observation)
    return f"#/{game_id}/what-if/{spelled(table, layout)}" if layout and any(layout.areas) else ""


def desk_of(game_id: str, text: str, edition: str = "") -> Desk:
    """The desk that an address is about: of the edition it names, else of the one given."""
    head, _, rest = text[:LONGEST].partition(":")
    named = rest.partition(";")[0] if head == EDITION else edition if not text else ""
    try:
        return desk(game_id, named)
    except InvalidEdition:
        return desk(game_id)


def read(table: Desk, text: str) -> Layout | None:
    """The layout that an address names, or None for what is none of this desk."""
    layout = table.empty()
    areas = {area.id: at for at, area in enumerate(table.areas)}
    knobs = {knob.id: at for at, knob in enumerate(table.knobs)}
    for part in text[:LONGEST].split(";"):
        name, colon, value = part.partition(":")
        if not colon:
            return None
        if name == EDITION:
            if value != table.edition:
                return None
            continue
        if name in areas:
            area = table.areas[areas[name]]
            pieces = tuple(value.split("."))
            if any(piece not in area.pieces for piece in pieces):
                return None
            layout = table.with_area(layout, areas[name], pieces)
        elif name in knobs:
            known = {str(v): v for v in table.knobs[knobs[name]].values}
            if value not in known:
                return None
            layout = table.turn(layout, knobs[name], known[value])
        else:
            return None
    return None if table.problem(layout) else layout
