"""Found by `panel.io.pyodide` before it would reach for pandas; this build makes no requests."""


def patch_all() -> None:
    """Nothing to patch."""
