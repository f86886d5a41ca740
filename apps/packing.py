"""Plain data in letters that an address can hold, and back: how whole sheets and games travel."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from lovecraft.core import LovecraftError
from lovecraft.core.record import parse_json


def pack(value: Any) -> str:
    """A JSON value, squeezed, in letters, digits, ``-`` and ``_``."""
    spelled = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    squeezed = zlib.compress(spelled.encode("utf-8", "replace"), 9)
    return base64.urlsafe_b64encode(squeezed).decode().rstrip("=")


def unpack(letters: str, most: int) -> Any:
    """The value of such letters, ``most`` bytes of it at the most.

    Raises ValueError for letters that were cut off, changed or never packed, and for what is
    longer.
    """
    try:
        squeezed = base64.b64decode(
            letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True
        )
        opener = zlib.decompressobj()
        spelled = opener.decompress(squeezed, most)
        if not opener.eof or opener.unused_data:
            raise ValueError("cut off or too long")
        return parse_json(spelled.decode("utf-8"))
    except (zlib.error, LovecraftError) as damaged:
        raise ValueError(str(damaged)) from damaged
