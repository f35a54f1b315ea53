"""Puts a site on an address: the application, and `running`, which serves it in a thread while a block runs."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from jira_simulator.control_api import control_routes
from jira_simulator.faults import FaultyServer, is_control
from jira_simulator.rest.routes import routes
from jira_simulator.site import Site
from jira_simulator.tls import Certificate, make_certificate


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request in the log. Who asked is a kind of credentials, never the credentials. `status` 0: no answer was given.

    It stands there before whoever asked sees the answer, and after the answer was made.
    """

    at: datetime
    method: str
    path: str
    query: str
    auth: str
    status: int = 0
    body: Any = None

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "at": self.at.isoformat()}


def application(site: Site) -> ASGIApp:
    """The site as an ASGI application: log, then faults, then control interface and Jira."""
    inner = Starlette(routes=[*control_routes(site), *routes(site)])
    return Logged(FaultyServer(inner, site.faults), site)


class Logged:
    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_control(scope["path"]):
            await self.app(scope, receive, send)
            return
        query, at, is_logged = scope["query_string"].decode(), self.site.clock.now(), False

        def log(status: int) -> None:
            nonlocal is_logged
            is_logged = True
            body = scope.get("simulator.body")
            self.site.log.append(LoggedRequest(at, scope["method"], scope["path"], query, _credentials(scope), status, body))

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                log(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            if not is_logged:
                log(0)


class TrackedConnection(H11Protocol):
    """An HTTP connection that faults can break: its transport is found by the addresses of its two ends."""

    transports: ClassVar[dict[Any, asyncio.Transport]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn always has a Transport
        super().connection_made(transport)
        self.transports[self.server, self.client] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.transports.pop((self.server, self.client), None)
        super().connection_lost(exc)


def with_transports(app: ASGIApp) -> ASGIApp:
    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["simulator.transport"] = lambda: TrackedConnection.transports[tuple(scope["server"]), tuple(scope["client"])]
        await app(scope, receive, send)

    return called


def configured(site: Site, host: str, port: int, certificate: Certificate | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        with_transports(application(site)),
        host=host,
        port=port,
        http=TrackedConnection,
        ws="none",
        timeout_keep_alive=75,  # seconds, as in front of Jira; a client on a busy machine pauses for longer than uvicorn's five
        lifespan="off",
        log_level="critical",  # a truncated answer is no news here
        access_log=False,
        date_header=False,  # the site has a clock of its own
        server_header=False,
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate.certificate if certificate else None,
        ssl_keyfile=certificate.key if certificate else None,
    )


@contextmanager
def running(
    site: Site, host: str = "127.0.0.1", port: int = 0, tls: bool = False, certificate: Certificate | None = None
) -> Iterator[str]:
    """Serves the site in a thread while the block runs, and gives the address to configure a connector with.

    `site.url` is the address without the context path; for Data Center the address given has it (`/jira`).
    With `tls` it speaks HTTPS with a certificate that it has signed itself; `site.certificate` is the file with which a
    client trusts it. `certificate` serves one of your own.
    """
    with ExitStack() as stack:
        if tls and certificate is None:
            certificate = make_certificate(Path(stack.enter_context(TemporaryDirectory(prefix="jira-simulator-"))), host)
        stack.enter_context(_serving(site, host, port, certificate))
        yield site.url + site.context


@contextmanager
def _serving(site: Site, host: str, port: int, certificate: Certificate | None) -> Iterator[None]:
    listener = socket.create_server((host, port))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does so for its own sockets only: 40 ms a request
    site.url = f"{'https' if certificate else 'http'}://{host}:{listener.getsockname()[1]}"
    site.certificate = certificate.certificate if certificate else None
    serving = _Served(configured(site, host, port, certificate))
    thread = threading.Thread(target=serving.run, args=([listener],), name="simulator-jira", daemon=True)
    thread.start()
    serving.ready.wait(10)
    site.webhooks.start()
    try:
        yield
    finally:
        site.webhooks.stop()
        serving.stop()
        thread.join(10)


class _Served(uvicorn.Server):
    """A server that stops when it is told to, instead of looking ten times a second whether it should."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def main_loop(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        await self.on_tick(0)
        self.ready.set()
        await self._stopping.wait()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)


def _credentials(scope: Scope) -> str:
    """`basic`, `bearer` or `none`: all the log may know of them."""
    given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    return given.partition(b" ")[0].decode("latin-1").lower() or "none"
