"""What the kernel sets at its start, and what a person may call."""

_PIPLITE_DISABLE_PYPI = True
_PIPLITE_URLS: list[str] = []

SENTENCE = (
    "Nothing can be installed here: the lab works without a network and holds all it needs. "
    "On your own computer: pip install '.[notebooks]'."
)


async def install(*_requirements: object, **_options: object) -> None:
    """Refuse, in words."""
    raise RuntimeError(SENTENCE)
