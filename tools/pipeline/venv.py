"""The project's own virtual environment, made from the hashed lock."""

from __future__ import annotations

import shutil
import sys
import venv

from tools.pipeline.paths import REQUIREMENTS, VENV, VENV_PYTHON
from tools.pipeline.steps import BuildError, run, step

# pip's own telling of a registry out of reach, in the words it has used over the years
UNREACHABLE = (
    "NewConnectionError",
    "Could not fetch URL",
    "Temporary failure in name",
    "Failed to",
)


def ensure() -> None:
    """Make the venv, or make it again when the lock or this Python has changed."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this is where a person finds out
        raise BuildError("This Python is too old: version 3.11 or newer is needed.")

    def make() -> None:
        shutil.rmtree(VENV, ignore_errors=True)
        venv.create(VENV, with_pip=True)
        try:
            run(
                VENV_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--no-deps", "--require-hashes", "-r", REQUIREMENTS,
                what="Installing requirements.lock",
            )  # fmt: skip
        except BuildError as error:
            if any(words in str(error) for words in UNREACHABLE):
                raise BuildError(
                    "The Python package registry cannot be reached; connect and try again."
                ) from error
            raise

    step("venv", [REQUIREMENTS], [VENV / "pyvenv.cfg"], make, salt=sys.version)
