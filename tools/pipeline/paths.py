"""Where things lie."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
STAMPS = CACHE / "stamps"
VENV = CACHE / "venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
DOWNLOADS = CACHE / "downloads"
PYODIDE = CACHE / "pyodide"  # the runtime, unpacked from npm
NPM = CACHE / "npm"  # other packages from npm, one folder each
WORK = CACHE / "work"  # intermediate products: packs, wheels, the snapshot
DIST = ROOT / "dist" / "site"

SITE = ROOT / "site"
NODE_TOOLS = ROOT / "tools" / "node"
RUNTIME_LOCK = SITE / "runtime.lock.json"
REQUIREMENTS = ROOT / "requirements.lock"
