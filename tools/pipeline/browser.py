"""Finds a Chromium, or gets one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tools.pipeline.paths import VENV_PYTHON
from tools.pipeline.steps import BuildError, say

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# No request of the browser's own reaches the network: only the site's are to be seen.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def _installed() -> Path | None:
    named = os.environ.get("CHROMIUM")
    if named:
        if not Path(named).exists():
            raise BuildError(f"CHROMIUM names {named}, which does not exist.")
        return Path(named)
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    return None


def _playwrights_own() -> Path | None:
    code = (
        "from playwright.sync_api import sync_playwright as s\n"
        "with s() as p: print(p.chromium.executable_path)"
    )
    done = subprocess.run(
        [VENV_PYTHON, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    path = Path(done.stdout.strip() or "/nonexistent")
    return path if done.returncode == 0 and path.exists() else None


def find() -> Path:
    """Installed, or Playwright's, or Debian's when we may install it."""
    found = _installed() or _playwrights_own()
    if found:
        return found
    apt = shutil.which("apt-get")
    if apt and hasattr(os, "geteuid") and os.geteuid() == 0:
        say("· installing Chromium")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in ([apt, "update", "-qq"], [apt, "install", "-y", "-qq", "chromium"]):
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=False)
        found = _installed()
        if found:
            return found
    raise BuildError(
        "No Chromium was found: install chromium or Google Chrome, or name one in CHROMIUM."
    )
