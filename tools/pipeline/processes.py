"""A browser's processes as Linux shows them: how much memory they use, and how to slow them down.

Chromium's own CPU throttling slows the page's thread alone, and Python runs in a worker. Stopping
all of the browser's processes for part of the time slows everything alike, as `cpulimit` does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

SLICE = 0.005  # seconds in which the browser runs between two pauses
RESCAN = 20  # slices after which new processes are looked for

PROC = Path("/proc")


def _parents() -> dict[int, int]:
    found = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                # the name in brackets may hold spaces
                rest = (folder / "stat").read_text().rpartition(")")[2].split()
                found[int(folder.name)] = int(rest[1])
    return found


def below(mark: str) -> list[int]:
    """The processes of this user's browser with `mark` in its command line, and their children."""
    parents = _parents()
    tree = set()
    for pid in parents:
        with contextlib.suppress(OSError):
            line = (PROC / str(pid) / "cmdline").read_bytes().decode("utf-8", "replace")
            if mark in line and "chrom" in line.split("\0")[0]:
                tree.add(pid)
    while grown := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= grown
    return sorted(tree)


def _is_renderer(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"--type=renderer" in (PROC / str(pid) / "cmdline").read_bytes()
    return False


def _proportional(pid: int) -> int:
    """Proportional set size in bytes: shared pages are split among those who share them."""
    with contextlib.suppress(OSError):
        for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def renderer_memory(mark: str) -> int:
    """Bytes of the largest renderer: the page, its worker and Python are in one process."""
    return max((_proportional(pid) for pid in below(mark) if _is_renderer(pid)), default=0)


@contextlib.contextmanager
def slowed(mark: str, rate: float) -> Iterator[None]:
    """The browser with `mark` in its command line gets one part in `rate` of its time."""
    if rate <= 1:
        yield
        return
    done = threading.Event()

    def send(pids: list[int], what: signal.Signals) -> None:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, what)

    def brake() -> None:
        pids: list[int] = []
        turn = 0
        while not done.wait(SLICE):
            if turn % RESCAN == 0:
                pids = below(mark)
            turn += 1
            send(pids, signal.SIGSTOP)
            done.wait(SLICE * (rate - 1))
            send(pids, signal.SIGCONT)

    thread = threading.Thread(target=brake, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        send(below(mark), signal.SIGCONT)
