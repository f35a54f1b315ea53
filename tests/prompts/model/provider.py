"""A model server for tests: real HTTP, the OpenAI wire format, sensible replies, and every bad manner servers have.

`python -m tests.prompts.model.provider --port 8100` serves it for trying by hand, and says how to point the app at it.
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from prompts.model.material import tokens_in
from tests.prompts.model.sensible import reply_to

MODEL = "test-model"
KEY = "sk-test-0123456789"
TRICKLE_SECONDS = 0.05
CHUNK = 9  # characters of a streamed piece
FLOODS = {"floods": ("content", 100), "floods thoughts": ("reasoning_content", 100), "floods at once": ("content", 500_000)}

Refusal = tuple[int, dict[str, Any], Mapping[str, str]]


def error(status: int, message: str, code: str = "", type_: str = "invalid_request_error", **headers: str) -> Refusal:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"error": {"message": message, "type": type_, "code": code or None, "param": None}}, named


@dataclass(frozen=True)
class Manner:
    """How a server behaves. `refuse` looks at a request and says no, or None to go on."""

    wrap: Callable[[str], str] = str
    refuse: Callable[[Mapping[str, Any]], Refusal | None] = lambda body: None
    reply: Callable[[dict[str, Any]], dict[str, Any]] = dict  # changes the fields of a form
    put_in: Literal["content", "reasoning_content"] = "content"
    thoughts: str = ""
    finish: str = "stop"
    refusal: str = ""
    usage: Literal["told", "untold", "cut at 1,000"] = "told"
    raw: bytes = b""  # sent instead of a reply, as a web page
    raw_type: str = "text/html"
    waits: bool = False  # answers nothing until the client goes away
    tokens_per_second: float | None = None  # reads and writes so many, and replies when it is through
    stream: Literal["whole", "cut", "error", "stalls", "hangs up", "nothing", "floods", "floods thoughts", "floods at once"] = (
        "whole"
    )
    endless: bool = False  # writes in form until the limit of tokens, and for ever without one
    trickles: bool = False  # a reply comes a byte at a time and never ends
    hangs_up: bool = False  # within a reply that is sent whole
    stream_pieces: tuple[str, ...] = ()


def _wants(body: Mapping[str, Any], *kinds: str) -> bool:
    asked = (body.get("response_format") or {}).get("type", "text")
    return asked in kinds or ("tools" in kinds and bool(body.get("tools")))


_NO_SCHEMA = error(400, "response_format of type json_schema is not supported by this server")
_NO_TOOLS = error(400, "this model does not support tools")
_NO_OBJECT = error(400, "'response_format.type' must be 'json_schema' or 'text'")


def _misquoted(fields: dict[str, Any]) -> dict[str, Any]:
    """Every quote of a reply replaced by one that stands nowhere."""
    moon = ["It is the moon."]
    passages = [{**one, "quotes": moon} if one["quotes"] else one for one in fields.get("passages", ())]
    return fields | ({"quotes": moon} if fields.get("quotes") else {}) | ({"passages": passages} if passages else {})


MANNERS: dict[str, Manner] = {
    "ok": Manner(),
    "thinks in a field of its own": Manner(thoughts="First I look at the passage."),
    "tells no usage": Manner(usage="untold"),
    "fences its JSON": Manner(wrap=lambda text: f"```json\n{text}\n```"),
    "thinks aloud": Manner(wrap=lambda text: f"<think>Is {{this}} it? I believe so.</think>\n{text}"),
    "thinks, talks and fences": Manner(wrap=lambda text: f"<think>Hm.</think>Here you are:\n```json\n{text}\n```\nAnything else?"),
    "talks around its JSON": Manner(wrap=lambda text: f"Sure! The reply is {text} and I hope that helps."),
    "leaves a trailing comma": Manner(wrap=lambda text: text[:-1] + ",}" if text.endswith("}") else text),
    "puts the reply among its thoughts": Manner(put_in="reasoning_content"),
    "refuses schemas": Manner(refuse=lambda body: _NO_SCHEMA if _wants(body, "json_schema") else None),
    "refuses tools": Manner(refuse=lambda body: _NO_TOOLS if _wants(body, "tools") else None),
    "refuses schemas and tools": Manner(
        refuse=lambda body: _NO_SCHEMA if _wants(body, "json_schema") else _NO_TOOLS if _wants(body, "tools") else None
    ),
    "refuses all but text": Manner(
        refuse=lambda body: _NO_OBJECT if _wants(body, "json_schema", "json_object") else _NO_TOOLS if _wants(body, "tools") else None
    ),
    "refuses everything": Manner(refuse=lambda body: error(400, "there is something about this request")),
    "refuses a temperature": Manner(
        refuse=lambda body: error(400, "temperature is not supported") if "temperature" in body else None
    ),
    "invents a verdict": Manner(reply=lambda fields: {**fields, "question": "mostly"} if {"adds", "passages"} & fields.keys() else fields),
    "breaks its JSON off": Manner(wrap=lambda text: text[: len(text) // 2], finish="length"),
    "writes prose only": Manner(wrap=lambda text: "I would rather talk about it."),
    "declines": Manner(refusal="I cannot help with that."),
    "filters": Manner(wrap=lambda text: "", finish="content_filter"),
    "refuses the key": Manner(
        refuse=lambda body: error(401, f"Incorrect API key provided: {KEY}.", "invalid_api_key", "authentication_error")
    ),
    "has no credit": Manner(refuse=lambda body: error(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota")),
    "finds it too long": Manner(
        refuse=lambda body: error(400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded")
    ),
    "finds it too long, as llama.cpp": Manner(
        refuse=lambda body: error(
            400, "request (9024 tokens) exceeds the available context size (8192 tokens), try increasing it", type_="exceed_context_size_error"
        )
    ),
    "writes on and on": Manner(endless=True),
    "trickles": Manner(trickles=True),
    "says the same again and again": Manner(wrap=lambda text: text + text * 2_000, finish="length"),
    "names what it was not shown": Manner(
        reply=lambda fields: {**fields, "choices": [{"option": 99, "likelihood": 9, "reason": ""}]} if "choices" in fields else fields
    ),
    "quotes what does not stand there": Manner(
        reply=_misquoted
    ),
    "does not know the model": Manner(refuse=lambda body: error(404, "The model `x` does not exist", "model_not_found")),
    "is behind a login": Manner(raw=b"<html><body>Please sign in</body></html>"),
    "sends no choices": Manner(raw=b'{"id": "r-1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}', raw_type="application/json"),
    "sends braces without end": Manner(raw=b'{"a":' * 50_000 + b"1" + b"}" * 50_000, raw_type="application/json"),
    "nests its JSON without end": Manner(wrap=lambda text: '{"a":' * 5_000 + "1" + "}" * 5_000),
    "is busy": Manner(refuse=lambda body: error(429, "Slow down", "rate_limit_exceeded", retry_after="0")),
    "is busy for long": Manner(refuse=lambda body: error(429, "Slow down", "rate_limit_exceeded", retry_after="45")),
    "fails": Manner(refuse=lambda body: error(500, "Internal error", type_="server_error")),
    "is slow": Manner(waits=True),
    "cuts long prompts": Manner(usage="cut at 1,000"),
    "hangs up within a reply": Manner(hangs_up=True),
    "breaks a stream off": Manner(stream="cut"),
    "hangs up within a stream": Manner(stream="hangs up"),
    "breaks a stream off at once": Manner(stream="nothing"),
    "fails within a stream": Manner(stream="error"),
    "floods a stream": Manner(stream="floods"),
    "floods a stream with thoughts": Manner(stream="floods thoughts"),
    "floods a stream at once": Manner(stream="floods at once"),
    "writes far more than it may": Manner(reply=lambda fields: {"more": "word " * 500_000, **fields}),
    "stalls within a stream": Manner(stream="stalls"),
    "thinks aloud in pieces": Manner(stream_pieces=("<th", "ink>Is it {so}?</", "thi", "nk>")),
}  # fmt: skip


@dataclass
class Received:
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def way(self) -> str:
        """Which output mode it was: schema, tool, json, plain or stream."""
        if self.body.get("stream"):
            return "stream"
        if self.body.get("tools"):
            return "tool"
        return {"json_schema": "schema", "json_object": "json"}.get(
            (self.body.get("response_format") or {}).get("type", ""), "plain"
        )

    @property
    def prompt(self) -> str:
        return "\n\n".join(str(message.get("content") or "") for message in self.body.get("messages", ()))


@dataclass
class Provider:
    """`received` counts every request for a reply. `behave` sets the manners of what comes."""

    models: list[dict[str, Any]] = field(default_factory=lambda: [{"id": MODEL, "object": "model", "max_model_len": 32_768}])
    extra: dict[str, Any] = field(default_factory=dict)  # other addresses: path to reply
    received: list[Received] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)  # a request is here
    left: threading.Event = field(default_factory=threading.Event)  # a client went away before its reply was over
    at_once: int = 0
    most_at_once: int = 0
    said: Callable[[str, str], dict[str, Any] | str] = reply_to
    gate: threading.Barrier | None = None  # requests wait here for each other
    url: str = ""
    _manner: Manner = MANNERS["ok"]
    _times: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def behave(self, manner: str | Manner, times: int | None = None) -> None:
        """From now on, or for so many requests and then well again."""
        self._manner = MANNERS[manner] if isinstance(manner, str) else manner
        self._times = times

    def next_manner(self) -> Manner:
        with self._lock:
            if self._times is None:
                return self._manner
            if self._times == 0:
                return MANNERS["ok"]
            self._times -= 1
            return self._manner

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            with self._lock:
                self.at_once -= 1


@contextmanager
def serving(provider: Provider, port: int = 0) -> Iterator[Provider]:
    """The server on this machine, on a free port unless one is given, in threads of its own."""
    ours, theirs = socket.socketpair()
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Bound", (_Handler,), {"provider": provider, "closing": theirs}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    provider.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield provider
    finally:
        ours.close()
        server.shutdown()
        server.server_close()
        thread.join(5)
        theirs.close()


class _Handler(BaseHTTPRequestHandler):
    provider: Provider
    closing: socket.socket
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/v1/models":
            manner = self.provider.next_manner()
            if manner.raw:
                self._send(200, manner.raw, {"Content-Type": manner.raw_type})
            elif refused := manner.refuse({}):
                self._json(refused[0], refused[1], refused[2])
            else:
                self._json(200, {"object": "list", "data": self.provider.models})
        else:
            self._json(200, self.provider.extra[path]) if path in self.provider.extra else self._json(404, {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path in self.provider.extra:
            self._json(200, self.provider.extra[self.path])
            return
        if "messages" not in body:  # an address of another server
            self._json(404, {})
            return
        with self.provider.counted():
            self.provider.received.append(
                Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            )
            self.provider.arrived.set()
            if self.provider.gate is not None:
                self.provider.gate.wait(10)
            self._reply(body, self.provider.next_manner())

    def _reply(self, body: dict[str, Any], manner: Manner) -> None:
        if manner.waits:
            self._until_left()
        elif manner.raw:
            self._send(200, manner.raw, {"Content-Type": manner.raw_type})
        elif refused := manner.refuse(body):
            self._json(refused[0], refused[1], refused[2])
        elif manner.trickles:
            self._trickle(is_stream=bool(body.get("stream")))
        elif manner.endless and "max_tokens" not in body:
            self._until_left()
        else:
            system, user = (message["content"] for message in body["messages"][:2])
            found = self.provider.said(system, user)
            if manner.endless:
                found, manner = '{"summary": "' + "on and " * body["max_tokens"], replace(manner, finish="length", stream="cut")
            text = found if isinstance(found, str) else json.dumps(manner.reply(found), ensure_ascii=False)
            if manner.tokens_per_second is not None:
                tokens = _usage(body, manner.wrap(text), manner)["total_tokens"]
                select.select([self.closing], [], [], tokens / manner.tokens_per_second)
            if body.get("stream"):
                self._stream(text, body, manner)
            else:
                whole = json.dumps(self._whole(manner.wrap(text), body, manner)).encode()
                missing = 100 if manner.hangs_up else 0
                self.close_connection = self.close_connection or manner.hangs_up
                self._send(200, whole, {"Content-Type": "application/json"}, missing)

    def _trickle(self, is_stream: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while not select.select([self.connection, self.closing], [], [], TRICKLE_SECONDS)[0]:
                self._event({"content": "on "}) if is_stream else self._chunk(b" ")
        except OSError:  # the client went away
            pass
        self.close_connection = True

    # ---- whole replies

    def _whole(self, text: str, body: Mapping[str, Any], manner: Manner) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": None, manner.put_in: text}
        if manner.thoughts:
            message["reasoning_content"] = manner.thoughts
        finish = manner.finish
        if manner.refusal:
            message |= {"content": None, "refusal": manner.refusal}
        elif body.get("tools"):
            call = {"name": body["tools"][0]["function"]["name"], "arguments": text}
            message |= {"content": None, "tool_calls": [{"id": "call-1", "type": "function", "function": call}]}
            finish = "tool_calls" if finish == "stop" else finish
        choice = {"index": 0, "message": message, "finish_reason": finish}
        whole = {"id": "r-1", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice]}
        return whole if manner.usage == "untold" else {**whole, "usage": _usage(body, text, manner)}

    # ---- streams

    def _stream(self, text: str, body: Mapping[str, Any], manner: Manner) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for piece in manner.stream_pieces:
                self._event({"content": piece})
            if manner.stream == "nothing":
                self._event({"role": "assistant", "content": ""})
                self._chunk(b"")
                return
            shown = text if manner.stream == "whole" else text[: len(text) // 2]
            for at in range(0, len(shown), CHUNK):
                self._event({"content": shown[at : at + CHUNK]})
            while manner.stream in FLOODS:  # until the client goes away
                self._event({FLOODS[manner.stream][0]: "On and on. " * FLOODS[manner.stream][1]})
            if manner.stream == "stalls":
                self._until_left()
                return
            if manner.stream == "hangs up":  # without the empty chunk that ends a reply
                self.close_connection = True
                return
            if manner.stream == "error":
                self._chunk(b'data: {"error": {"message": "the engine died", "type": "server_error"}}\n\n')
            elif manner.stream == "whole":
                self._event({}, "stop")
                if manner.usage != "untold":
                    self._event(None, usage=_usage(body, text, manner))
                self._chunk(b"data: [DONE]\n\n")
            self._chunk(b"")
        except (BrokenPipeError, ConnectionResetError):
            self.provider.left.set()
            self.close_connection = True

    def _event(self, delta: dict[str, str] | None, finish: str | None = None, usage: dict[str, Any] | None = None) -> None:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        event = {"id": "r-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL, "choices": choices}
        if usage:
            event["usage"] = usage
        self._chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _until_left(self) -> None:
        """Waits until the client closes its end, or the test is over."""
        readable, _, _ = select.select([self.connection, self.closing], [], [], 20)
        if self.connection in readable:
            self.provider.left.set()
        self.close_connection = True

    def _json(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, data: bytes, headers: Mapping[str, str], missing: int = 0) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data) + missing)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _usage(body: Mapping[str, Any], text: str, manner: Manner) -> dict[str, Any]:
    given = sum(tokens_in(str(message.get("content") or "")) for message in body["messages"])
    given = min(given, 1_000) if manner.usage == "cut at 1,000" else given
    made = tokens_in(text)
    details = {"cached_tokens": 100 if given > 400 else 0}
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made, "prompt_tokens_details": details}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.prompts.model.provider", description="Serve the model of the tests.")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--manner", choices=sorted(MANNERS), default="ok", help="how it behaves")
    parser.add_argument("--tokens-per-second", type=float, help="how many it reads and writes; without it, it replies at once")
    options = parser.parse_args()
    provider = Provider()
    provider.behave(replace(MANNERS[options.manner], tokens_per_second=options.tokens_per_second))
    with serving(provider, options.port):
        print(f"export KNOWLEDGE_TREE_MODEL=openai-compatible:{MODEL}", f"KNOWLEDGE_TREE_MODEL_URL={provider.url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"{len(provider.received)} requests")


if __name__ == "__main__":
    main()
