"""QR codes drawn on the device, for a share link that another phone reads off the screen."""

from __future__ import annotations

from importlib.util import find_spec

from markupsafe import Markup

from lovecraft.core import LovecraftError
from lovecraft.i18n import msg

LARGEST = 25
"""The largest version drawn: 117 modules across, which a phone still reads off another."""

QUIET = 4
"""Modules left free around the code, as the standard asks."""


class NotDrawn(LovecraftError):
    """A link that no readable QR code can hold."""


def ready() -> bool:
    """Whether codes can be drawn yet: what draws them is not part of the memory snapshot, it comes
    with the library a moment after the boot."""
    return find_spec("segno") is not None


def svg(words: str) -> Markup:
    """An SVG picture of the code, black on white in any theme. Raises NotDrawn."""
    import segno  # only here: see ready

    try:
        code = segno.make(words, error="l", micro=False, boost_error=False)
    except segno.DataOverflowError:
        raise NotDrawn(msg("score.qr.too-long")) from None
    if int(code.version) > LARGEST:
        raise NotDrawn(msg("score.qr.too-long"))
    path = "".join(_runs(code.matrix))
    size = len(code.matrix) + 2 * QUIET
    return Markup(  # noqa: S704 - numbers only
        f'<svg viewBox="0 0 {size} {size}" shape-rendering="crispEdges" aria-hidden="true">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{path}"/></svg>'
    )


def _runs(matrix: tuple[bytearray, ...]) -> list[str]:
    """The dark modules as one rectangle per run of a row."""
    found = []
    for y, row in enumerate(matrix):
        x = 0
        while x < len(row):
            start = x
            while x < len(row) and row[x] & 1:
                x += 1
            if x > start:
                found.append(f"M{start + QUIET} {y + QUIET}h{x - start}v1h-{x - start}z")
            x += 1
    return found
