"""The one Panel component: it paints the HTML it is given and reports what people do to it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import param
from panel.custom import JSComponent

STATIC = Path(__file__).parent / "static"


class Screen(JSComponent):
    """View in, acts out.

    ``view`` holds ``html`` (the whole screen), ``page`` (the number of the page: when it changes,
    the reader is taken to the top), ``answered`` (the number of the last tap that has been dealt
    with) and ``prepared`` (true while the page shows its own copy).
    ``tap`` is ``[action, arguments, value or null, number]``.
    """

    view = param.Dict(default={})
    tap = param.List(default=[])

    _esm = STATIC / "screen.js"

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        properties: dict[str, Any] = super()._get_properties(doc)
        if sys.platform == "emscripten":
            # On the site the module is a file of its own: no blob, no compiling in the page.
            properties.update(esm="./screen.js", bundle="url")
        return properties
