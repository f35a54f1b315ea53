"""Faults are data: which requests they meet, when, how often, and what happens to those.

A fault is set on `site.faults` or with `POST /simulator/faults`, and everything in it is optional:

    {"path": "*/search/jql", "method": "POST", "skip": 6, "count": 1, "status": 429, "headers": {"Retry-After": "5"}}

`skip` lets that many matching requests pass first; `count` is how many it meets (without it: all); `since` and
`until` are times of the site's clock.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import fnmatch
import json
import socket
import struct
import threading
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jira_simulator.model.clock import Clock

Kind = Literal["", "html login", "empty", "half json", "wrong json", "truncate", "reset", "hang", "captcha"]
Paging = Literal[
    "", "expired token", "same token", "empty page", "short page", "last with token", "clamp", "total shrinks", "total grows"
]
LOGIN = (
    "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action='/sso/login'>"
    "<label>Email <input name='user'></label><button>Continue</button></form></body></html>"
)


@dataclass
class Fault:
    """`kind` and `paging` name what a server does wrong; `status`, `headers`, `body` give an answer of one's own."""

    name: str = ""
    path: str = "*"  # with * and ?; matched against the path with the context, without the query
    method: str = "*"
    contains: str = ""  # something that stands in the query or in the body: a ticket's id
    body_above: int = 0  # bytes of the body: for what happens to large batches only
    skip: int = 0
    count: int | None = None
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None  # text as it is; anything else as JSON
    kind: Kind = ""
    delay: float = 0  # real seconds before the answer begins
    dribble: float = 0  # real seconds between the bytes of the answer
    paging: Paging = ""
    met: int = 0  # how many requests it has met

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Fault:
        """Raises ValueError for a member that a fault does not have."""
        if unknown := set(data) - {each.name for each in fields(cls)}:
            raise ValueError(
                f"A fault has no {', '.join(sorted(unknown))}; it has: {', '.join(each.name for each in fields(cls))}."
            )
        times = {name: dt.datetime.fromisoformat(data[name]) for name in ("since", "until") if data.get(name)}
        return cls(**{**data, **times})

    def as_json(self) -> dict[str, Any]:
        return {name: value.isoformat() if isinstance(value, dt.datetime) else value for name, value in asdict(self).items()}


class FaultList:
    """The faults of a site. Each request meets at most one that answers for the server, and one of paging."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.all: list[Fault] = []
        self._lock = threading.Lock()

    def set(self, fault: Fault | None = None, **members: Any) -> Fault:
        """`faults.set(path="*/myself", status=503, count=2)`."""
        added = fault or Fault(**members)
        with self._lock:
            self.all.append(added)
        return added

    def clear(self, name: str | None = None) -> None:
        with self._lock:
            self.all = [each for each in self.all if name is not None and each.name != name]

    def meet(self, method: str, path: str, query: str = "", body: str = "") -> list[Fault]:
        """The faults this request meets; they are counted."""
        said = f"{query} {body}"
        now = self.clock.true()
        found: list[Fault] = []
        with self._lock:
            for fault in self.all:
                if any(bool(each.paging) == bool(fault.paging) for each in found):
                    continue
                if not self._applies(fault, method, path, now) or fault.contains not in said or len(body) < fault.body_above:
                    continue
                if fault.skip:
                    fault.skip -= 1
                    continue
                fault.met += 1
                found.append(fault)
        return found

    @staticmethod
    def _applies(fault: Fault, method: str, path: str, now: dt.datetime) -> bool:
        return (
            (fault.count is None or fault.met < fault.count)
            and fault.method in ("*", method)
            and fnmatch.fnmatchcase(path, fault.path)
            and (fault.since is None or fault.since <= now)
            and (fault.until is None or now < fault.until)
        )


class FaultyServer:
    """Wraps the application: lets the faults of the site happen to its answers, and never to `/simulator`."""

    def __init__(self, app: ASGIApp, board: FaultList) -> None:
        self.app = app
        self.board = board

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_control(scope["path"]):
            await self.app(scope, receive, send)
            return
        body = await _whole(receive)
        met = self.board.meet(scope["method"], scope["path"], scope["query_string"].decode(), body.decode("utf-8", "replace"))
        scope["simulator.paging"] = next((each.paging for each in met if each.paging), "")
        fault = next((each for each in met if not each.paging), None)
        again = _again(body, receive)
        if fault is None:
            await self.app(scope, again, send)
        else:
            await _befall(fault, self.app, scope, again, send)


def is_control(path: str) -> bool:
    """The control interface: no fault meets it and no log tells of it."""
    return path == "/simulator" or path.startswith("/simulator/")


async def _whole(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives the body once more, and then waits for whatever the connection says next."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


async def _befall(fault: Fault, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    if fault.delay:
        await asyncio.sleep(fault.delay)
    if fault.kind == "reset":
        _reset(scope)
    elif fault.kind == "hang":
        while (await receive())["type"] != "http.disconnect":
            continue
    else:
        status, headers, body = _canned(fault) or await _answered(app, scope, receive)
        await _deliver(fault, status, headers, body, send)


def _canned(fault: Fault) -> tuple[int, dict[str, str], bytes] | None:
    """The answer that comes instead of the server's own; None where that is used."""
    json_type = {"content-type": "application/json;charset=UTF-8"}
    match fault.kind:
        case "html login":
            return fault.status or 200, {"content-type": "text/html;charset=UTF-8", **fault.headers}, LOGIN.encode()
        case "empty":
            return fault.status or 200, {**json_type, **fault.headers}, b""
        case "wrong json":
            return fault.status or 200, {**json_type, **fault.headers}, b'["this is not what was asked for"]'
        case "captcha":
            denied = {"X-Authentication-Denied-Reason": "CAPTCHA_CHALLENGE; login-url=https://jira.example.com/login.jsp"}
            return fault.status or 403, {"content-type": "text/html;charset=UTF-8", **denied, **fault.headers}, LOGIN.encode()
    if fault.status is None and fault.body is None:
        return None
    if isinstance(fault.body, str):
        return fault.status or 200, {"content-type": "text/html;charset=UTF-8", **fault.headers}, fault.body.encode()
    body = json.dumps({"errorMessages": [], "errors": {}} if fault.body is None else fault.body)
    return fault.status or 200, {**json_type, **fault.headers}, body.encode()


async def _answered(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[int, dict[str, str], bytes]:
    """What the server would have said."""
    parts: list[bytes] = []
    start: Message = {}

    async def collect(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, collect)
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, b"".join(parts)


async def _deliver(fault: Fault, status: int, headers: dict[str, str], body: bytes, send: Send) -> None:
    if fault.kind == "half json":
        body = body[: len(body) // 2]
    given = {name.lower(): value for name, value in {**headers, **fault.headers}.items()}
    given["content-length"] = str(len(body))
    raw = [(name.encode(), value.encode()) for name, value in given.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    if fault.kind == "truncate":  # the length promises more than comes; the server then closes the connection
        await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
        return
    if fault.dribble:
        for byte in body:
            await send({"type": "http.response.body", "body": bytes([byte]), "more_body": True})
            await asyncio.sleep(fault.dribble)
        body = b""
    await send({"type": "http.response.body", "body": body})


def _reset(scope: Scope) -> None:
    """Ends the connection with a TCP reset. `server` puts the transports into the scope's state."""
    transport: asyncio.Transport = scope["simulator.transport"]()
    line: socket.socket = transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
