"""Firefox and WebKit as Debian ships them, driven over the protocols they speak themselves.

Playwright drives builds of its own of the two, which cannot be had from a package registry. A few
commands are enough here: Firefox takes them as Marionette's JSON over a socket, WebKit as W3C
WebDriver over HTTP from its driver.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.pipeline.steps import BuildError

START = 60.0  # seconds for a browser to come up
CALL = 120.0  # seconds for a command

PACKAGES = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def program(kind: str, *names: str) -> str:
    """The path of a program. Raises BuildError that names the package to install."""
    for name in names:
        if found := shutil.which(name):
            return found
    raise BuildError(
        f"{kind} is not installed: on Debian, `apt-get install {PACKAGES[kind]} xvfb` brings it."
    )


@contextlib.contextmanager
def _process(*command: str, env: dict[str, str] | None = None) -> Iterator[None]:
    """A program and all it starts, ended when done."""
    running = subprocess.Popen(
        command,
        env={**os.environ, **(env or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGTERM)
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()


# -- Firefox ------------------------------------------------------------------------------------

# Nothing of its own goes out: only the site's requests are to be seen.
_PREFERENCES = {
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.enabled": False,
}


class Firefox:
    """Marionette: ``[0, id, command, arguments]`` there, ``[1, id, error, value]`` back."""

    def __init__(self, port: int) -> None:
        self._number = 0
        until = time.monotonic() + START
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), CALL)
                break
            except OSError as error:
                if time.monotonic() > until:
                    raise BuildError("Firefox did not come up.") from error
                time.sleep(0.1)
        self._buffer = b""
        self._read()  # it says hello
        self.call("WebDriver:NewSession", capabilities={})
        self.call("WebDriver:SetTimeouts", script=int(CALL * 1000), pageLoad=int(CALL * 1000))

    def _read(self) -> Any:
        while b":" not in self._buffer:
            self._receive()
        length, _, self._buffer = self._buffer.partition(b":")
        while len(self._buffer) < int(length):
            self._receive()
        text, self._buffer = self._buffer[: int(length)], self._buffer[int(length) :]
        return json.loads(text)

    def _receive(self) -> None:
        got = self._socket.recv(1 << 16)
        if not got:
            raise BuildError("Firefox has gone away.")
        self._buffer += got

    def call(self, command: str, **arguments: Any) -> Any:
        self._number += 1
        text = json.dumps([0, self._number, command, arguments]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, value = self._read()
        if error:
            raise BuildError(f"Firefox: {command}: {error['message']}")
        return value.get("value", value) if isinstance(value, dict) else value

    def go(self, url: str) -> None:
        self.call("WebDriver:Navigate", url=url)

    def run(self, code: str, *given: Any) -> Any:
        return self.call("WebDriver:ExecuteScript", script=code, args=list(given))


@contextlib.contextmanager
def firefox() -> Iterator[Firefox]:
    binary = program("firefox", "firefox-esr", "firefox")
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = {**_PREFERENCES, "marionette.port": port}
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in settings.items()]
        (Path(folder) / "user.js").write_text("".join(lines), encoding="utf-8")
        with _process(
            binary, "--headless", "--marionette", "--no-remote", "--profile", folder,
            env={"HOME": folder, "MOZ_HEADLESS_WIDTH": "390", "MOZ_HEADLESS_HEIGHT": "844"},
        ):  # fmt: skip
            yield Firefox(port)


# -- WebKit -------------------------------------------------------------------------------------


class WebKit:
    """W3C WebDriver."""

    def __init__(self, port: int) -> None:
        self._root = f"http://127.0.0.1:{port}/session"
        until = time.monotonic() + START
        browser = {"binary": _mini_browser(), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": browser}}}
        while True:
            try:
                made = self._ask("POST", "", wanted)
                break
            except OSError as error:
                if time.monotonic() > until:
                    raise BuildError("WebKit did not come up.") from error
                time.sleep(0.2)
        self._root += "/" + made["sessionId"]
        milliseconds = int(CALL * 1000)
        self._ask("POST", "/timeouts", {"script": milliseconds, "pageLoad": milliseconds})

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 - the driver on this machine
            self._root + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=CALL) as answer:  # noqa: S310
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            raise BuildError(f"WebKit: {path}: {told.get('message')}") from error

    def call(self, command: str, **arguments: Any) -> Any:
        return self._ask("POST", "/" + command, arguments)

    def go(self, url: str) -> None:
        self.call("url", url=url)

    def run(self, code: str, *given: Any) -> Any:
        return self.call("execute/sync", script=code, args=list(given))

    def close(self) -> None:
        with contextlib.suppress(OSError, BuildError):
            self._ask("DELETE", "")


def _mini_browser() -> str:
    for path in sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), reverse=True):
        return str(path)
    raise BuildError("webkit is not installed: WebKit's MiniBrowser is missing.")


@contextlib.contextmanager
def webkit() -> Iterator[WebKit]:
    driver = program("webkit", "WebKitWebDriver")
    shown = shutil.which("Xvfb")
    if not shown:
        raise BuildError("Xvfb is missing, and WebKit needs a screen: `apt-get install xvfb`.")
    port, display = free_port(), f":{90 + os.getpid() % 900}"
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        _process(shown, display, "-screen", "0", "390x844x24", "-nolisten", "tcp"),
        _process(
            driver, f"--port={port}",
            env={"DISPLAY": display, "HOME": folder, "XDG_DATA_HOME": folder,
                 "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"},
        ),
    ):  # fmt: skip
        page = WebKit(port)
        try:
            yield page
        finally:
            page.close()


BROWSERS = {"firefox": firefox, "webkit": webkit}
