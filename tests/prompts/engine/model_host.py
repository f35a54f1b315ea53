"""A host of models for tests: real HTTP, redirects and headers as Hugging Face sends them, and what hosts do wrong."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

REPOSITORY, FILE = "team/tiny-GGUF", "tiny-q4.gguf"
RESOLVE, RAW, API, STORE = (
    f"/{REPOSITORY}/resolve/main/{FILE}",
    f"/{REPOSITORY}/raw/main/{FILE}",
    f"/api/models/{REPOSITORY}",
    "/store",
)


@dataclass
class ModelHost:
    """`content` is the file. `hangs_up_after` bytes of each reply the connection ends, so many times."""

    content: bytes = b"GGUF" + bytes(range(256)) * 4_000
    url: str = ""
    tells: Literal["headers", "pointer", "nothing"] = "headers"
    status: int = 200
    hangs_up_after: int | None = None
    hang_ups: int = 0
    takes_ranges: bool = True
    sends: bytes | None = None  # something else than what was promised
    waits: threading.Event | None = None  # before the second half is sent
    requests: list[str] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@contextmanager
def serving(host: ModelHost) -> Iterator[ModelHost]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Handler,), {"host": host}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    host.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    host: ModelHost

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(is_head=True)

    def do_GET(self) -> None:
        self._answer(is_head=False)

    def _answer(self, is_head: bool) -> None:
        host = self.host
        host.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}".strip())
        if host.status != 200:
            self._send(host.status)
        elif self.path == RESOLVE:
            told = (
                {"X-Linked-Etag": f'"{host.sha256}"', "X-Linked-Size": str(len(host.content))} if host.tells == "headers" else {}
            )
            self._send(302, b"", {"Location": f"{host.url}{STORE}", **told})
        elif self.path == RAW and host.tells == "pointer":
            pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{host.sha256}\nsize {len(host.content)}\n"
            self._send(200, pointer.encode())
        elif self.path == API:
            self._send(200, b'{"tags": ["gguf", "license:apache-2.0"]}')
        elif self.path == STORE and not is_head:
            self._file()
        else:
            self._send(404)

    def _file(self) -> None:
        host = self.host
        content = host.content if host.sends is None else host.sends
        asked = self.headers.get("Range", "")
        begins = int(asked.removeprefix("bytes=").rstrip("-")) if asked and host.takes_ranges else 0
        rest = content[begins:]
        self.send_response(206 if begins else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        if host.hangs_up_after is not None and host.hang_ups > 0:
            host.hang_ups -= 1
            rest = rest[: host.hangs_up_after]
        half = len(rest) // 2
        self.wfile.write(rest[:half])
        self.wfile.flush()
        if host.waits is not None:
            host.waits.wait(20)
        self.wfile.write(rest[half:])

    def _send(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
