"""A plain static host: gzip for text types, a validator, ten minutes of caching; no other header.

GitHub Pages does the same, so what works here works there.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
GZIPPED = {".html", ".js", ".mjs", ".css", ".json", ".webmanifest", ".svg", ".wasm"}


@functools.lru_cache(maxsize=256)
def _body(path: Path, _modified: int, packed: bool) -> tuple[bytes, str]:
    data = path.read_bytes()
    tag = hashlib.sha256(data).hexdigest()[:20]
    return (
        gzip.compress(data, 6, mtime=0) if packed else data
    ), f'"{tag}{"-gz" if packed else ""}"'


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    root: Path
    base: str
    max_age: int
    sent: Callable[[str, int], None]  # told of each body: path and bytes

    def _file(self) -> Path | None:
        path = unquote(urlsplit(self.path).path)
        if not path.startswith(self.base):
            return None
        target = (self.root / path[len(self.base) :]).resolve()
        if target.is_dir():
            target /= "index.html"
        return target if target.is_relative_to(self.root) and target.is_file() else None

    def do_GET(self) -> None:
        target = self._file()
        if target is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        packed = target.suffix in GZIPPED and "gzip" in self.headers.get("Accept-Encoding", "")
        body, tag = _body(target, target.stat().st_mtime_ns, packed)
        same = self.headers.get("If-None-Match") == tag
        self.send_response(HTTPStatus.NOT_MODIFIED if same else HTTPStatus.OK)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", f"max-age={self.max_age}")
        if not same:
            kind = TYPES.get(target.suffix, "application/octet-stream")
            self.send_header("Content-Type", kind)
            self.send_header("Vary", "Accept-Encoding")
            if packed:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not same and self.command == "GET":
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)
                self.sent(urlsplit(self.path).path, len(body))

    do_HEAD = do_GET  # noqa: N815 - the name http.server looks for

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def make(
    root: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    base: str = "/",
    max_age: int = 600,
    sent: Callable[[str, int], None] = lambda _path, _size: None,
) -> Server:
    settings = {"root": root.resolve(), "base": base, "max_age": max_age}
    return Server(
        (host, port), type("SiteHandler", (Handler,), settings | {"sent": staticmethod(sent)})
    )


@contextlib.contextmanager
def serving(
    root: Path, *, base: str = "/", sent: Callable[[str, int], None] = lambda _path, _size: None
) -> Iterator[str]:
    """Serve in the background; yields the address."""
    server = make(root, base=base, sent=sent)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}{base}"
    finally:
        server.shutdown()
        server.server_close()
