"""A server of embeddings for tests: real HTTP in OpenAI's form and in Ollama's, vectors by what words mean, and bad manners.

Each group of synonyms has an axis of its own, every other word one by its own letters; so what a vector is, is known before.
"""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from pydantic import SecretStr

from prompts.language import terms
from prompts.model import ModelSettings

MODEL, KEY = "test-embedder", "sk-embed-0123456789"
SYNONYMS = (
    {"broken", "defective", "faulty"}, {"send", "return", "ship"}, {"thing", "item", "goods"}, {"money", "refund", "reimbursement"},
    {"holiday", "vacation", "leave"}, {"boss", "supervisor", "manager"},
)  # fmt: skip
AXIS = {term: number for number, group in enumerate(SYNONYMS) for word in group for term in terms(word)}
Manner = Literal[
    "well", "refuses the key", "is busy", "fails", "hangs up", "is slow", "is no such server", "too many", "sends words"
]


@dataclass
class EmbeddingServer:
    """`received` are the texts of each request; `behave` is how it answers from now on."""

    url: str = ""
    size: int = 64
    longest: int = 2_000  # characters of a text
    manner: Manner = "well"
    wants_key: bool = False
    refuses: str = ""  # texts with these words
    fail_after: int | None = None  # requests, after which it hangs up
    received: list[list[str]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def settings(self) -> ModelSettings:
        key = SecretStr(KEY if self.wants_key else "")
        return ModelSettings(provider="openai-compatible", model=MODEL, base_url=self.url, api_key=key, timeout=5)

    @property
    def texts(self) -> list[str]:
        return [text for request in self.received for text in request]

    def vector(self, text: str) -> list[float]:
        found = [0.0] * self.size
        for word in terms(text):
            axis = AXIS.get(word)
            found[axis if axis is not None else len(SYNONYMS) + zlib.crc32(word.encode()) % (self.size - len(SYNONYMS))] += (
                1.0 if axis is not None else 0.3
            )
        return found if any(found) else [1.0] * self.size

    def reply(self, path: str, body: dict[str, Any], key: str) -> tuple[int, object]:
        texts = body["input"]
        self.received.append(texts)
        if self.manner == "refuses the key" or self.wants_key and key != f"Bearer {KEY}":
            return 401, {"error": {"message": f"Incorrect API key provided: {key}."}}
        if self.manner == "is busy":
            return 429, {"error": {"message": "Rate limit reached."}}
        if self.manner == "fails":
            return 503, {"error": {"message": "Loading model."}}
        if self.manner == "is slow":
            self.released.wait(30)
        if self.manner == "sends words":
            return 200, {"data": [{"embedding": "none"} for _ in texts]}
        if any(len(text) > self.longest for text in texts):
            return 500, {"error": {"code": 500, "message": "input (3002 tokens) is too large to process."}}
        if self.refuses and any(self.refuses in text for text in texts):
            return 400, {"error": {"message": "This text is refused."}}
        vectors = [self.vector(text) for text in texts]
        if path == "/api/embed":
            return 200, {"model": body["model"], "embeddings": vectors}
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        return 200, {"data": data[::-1] if self.manner == "well" else data[1:]}


@contextmanager
def embedding() -> Iterator[EmbeddingServer]:
    """A server that runs while inside."""
    one = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if one.manner == "hangs up" or one.fail_after is not None and len(one.received) >= one.fail_after:
                self.close_connection = True
                return
            if one.manner == "is no such server" or self.path not in ("/v1/embeddings", "/api/embed"):
                self._send(200, b"<html>Sign in</html>")
                return
            status, reply = one.reply(self.path, body, self.headers.get("Authorization", ""))
            self._send(status, json.dumps(reply).encode())

        def _send(self, status: int, said: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    one.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield one
    finally:
        one.released.set()
        server.shutdown()
        server.server_close()
