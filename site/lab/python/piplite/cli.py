"""``%pip`` in a cell."""

from .piplite import SENTENCE


async def get_transformed_code(_argv: list[str]) -> str:
    """Python code in place of the magic: it says why nothing happens."""
    return f"print({SENTENCE!r})"
