"""What lives as long as the server: the opened data folder and the worker beside it."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO, Any
from urllib.parse import SplitResult, urlsplit

import anyio.to_thread
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ingestion.digest_mailer import DigestMailer
from prompts.engine.state import EMBEDDING_ENGINE
from tree import logs
from tree.engine_keeper import EngineKeeper, model_of_embeddings
from tree.garbage import collect_seldom
from tree.mail import PUBLIC_ADDRESS, mail_settings
from tree.store.database import StoreError
from ui.server import health, tools
from ui.server.guard import Guard
from ui.server.heaps import share_heaps
from ui.server.page_base import PageBase

CODE = Path(__file__).resolve().parents[2]
LOG_BYTES = 1_000_000  # of worker.log; one older part is kept beside it
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # seconds before a worker that died is started again
STEADY_SECONDS = 60  # after a worker that ran for so long, the next wait is short again
SHUTDOWN_SECONDS = 12
# How long one thread keeps the interpreter while others want it. A page asks the database a hundred times, and each time gives the
# interpreter away: with Python's 5 ms it waits that long for each thread that is busy, and draws in seconds among fifty people.
SWITCH_SECONDS = 0.0005
ENDS_WITH_INPUT = "KNOWLEDGE_TREE_ENDS_WITH_INPUT"  # in the environment: whoever started us holds our standard input

log = logging.getLogger("knowledge-tree")


def lifespan(load: Callable[[], None]) -> Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]:
    """What is opened and started with the server, and closed with it. `load` imports what every page needs, so that nobody waits for it."""
    return asynccontextmanager(partial(_lives, load))


async def _lives(load: Callable[[], None], _app: Any) -> AsyncIterator[dict[str, Any]]:
    share_heaps()
    logs.set_up()
    _look_at_hosts()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        opened = await anyio.to_thread.run_sync(tools.tools)
        await anyio.to_thread.run_sync(opened.chats.running.sign_on)
        await anyio.to_thread.run_sync(opened.chats.running.interrupt_running)
        await anyio.to_thread.run_sync(opened.chat_files.discard_left)
        worker = WorkerProcess(opened.workspace.home, {PUBLIC_ADDRESS: public_address()})
        worker.start()
        health.watch(worker)
        keepers = [
            EngineKeeper(opened.workspace),
            EngineKeeper(opened.workspace, wanted=model_of_embeddings, name=EMBEDDING_ENGINE),
        ]
        for keeper in keepers:
            keeper.start()
        await anyio.to_thread.run_sync(_offer_setup, opened)
        mailer = _mailer(opened)
        await anyio.to_thread.run_sync(_settle, load)
        if os.environ.get(ENDS_WITH_INPUT):
            threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    except (StoreError, OSError) as error:
        print(f"Knowledge Tree cannot start: {error}", file=sys.stderr, flush=True)
        # uvicorn would print a stack trace instead of the line above
        os._exit(1)
    try:
        yield {}
    finally:
        health.watch(None)
        if mailer is not None:
            await anyio.to_thread.run_sync(mailer.stop)
        for keeper in keepers:
            await anyio.to_thread.run_sync(keeper.stop)
        await anyio.to_thread.run_sync(worker.stop)
        await anyio.to_thread.run_sync(tools.close)


def _settle(load: Callable[[], None]) -> None:
    """Keeps what is loaded by then out of all collections of garbage."""
    load()
    collect_seldom()


def _mailer(opened: tools.Tools) -> DigestMailer | None:
    """Started where a server for e-mail is named, unless the workers send them. Raises MailError for settings that are no good."""
    settings = mail_settings()
    if settings is None or opened.workspace.database.backend.server is not None:
        return None
    mailer = DigestMailer(opened.workspace, opened.chats, opened.accounts, settings, public_address())
    mailer.start()
    return mailer


def public_address() -> str:
    """Where people reach the app, for links in what is sent."""
    return os.environ.get(PUBLIC_ADDRESS, own_address()).rstrip("/")


def _offer_setup(opened: tools.Tools) -> None:
    """Without an admin nobody can sign in: a link is printed that makes the first one."""
    if not opened.accounts.people.has_admin():
        is_shared = opened.workspace.database.backend.server is not None  # by several apps: each prints a link that works
        link = f"{public_address()}/link/{opened.accounts.links.for_setup(beside=is_shared)}"
        print(f"\nNobody can sign in yet. Open this link to set up the first admin:\n\n  {link}\n", flush=True)


def own_address() -> str:
    """Where we listen, as seen from this machine."""
    host = str(st.get_option("server.address") or "127.0.0.1")
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{host}:{st.get_option('server.port')}"


def _end_with_input() -> None:
    """However whoever started us ended, its end of our standard input closes then."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


# Whatever a document or a library may try: nothing is fetched from, sent to or framed by another host.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; connect-src 'self' data: blob:; "
    "worker-src 'self' blob:; frame-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)


# Of every reply. The opener: Streamlit takes messages from pages of its makers' hosts, on which anybody can put one.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def middleware() -> list[Middleware]:
    """Streamlit checks the host of the websocket only, which the routes need as much, and takes every port of this machine
    for its own origin, which the websocket must not."""
    allowed = st.get_option("server.allowedHosts")
    origins = st.get_option("server.corsAllowedOrigins")
    hosts = [Middleware(Hosts, allowed=tuple(allowed))] if allowed else []
    return [*hosts, Middleware(SameOrigin, others=tuple(origins)), Middleware(Policy), Middleware(Guard), Middleware(PageBase)]


ALLOWED_HOSTS = "STREAMLIT_SERVER_ALLOWED_HOSTS"
MOST_NAMES = 20  # that are told; whoever makes up more of them fills no log


def _look_at_hosts() -> None:
    for name in st.get_option("server.allowedHosts"):
        if "/" in name or re.search(r"[^:]:\d+$", name):
            log.warning("%s: %r is no host name, so nobody gets in by it. Write tree.example.org, without https:// and port.",
                        ALLOWED_HOSTS, name)  # fmt: skip


class Hosts:
    """Answers to the host names that it is told and to no other, and says for each of the others once where it can be allowed."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self.app = app
        self.allowed = ", ".join(allowed)
        self._gate = TrustedHostMiddleware(_nothing, allowed_hosts=list(allowed), www_redirect=False)
        self._told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal: list[Message] = []

        async def refuse(message: Message) -> None:
            refusal.append(message)

        await self._gate(scope, receive, refuse)
        if not refusal:
            await self.app(scope, receive, send)
            return
        name = Headers(scope=scope).get("host", "")[:100]
        if name not in self._told and len(self._told) < MOST_NAMES:
            self._told.add(name)
            log.warning("Refused %r: it is none of the host names that the app answers to (%s). To allow it, add it to %s.",
                        name, self.allowed, ALLOWED_HOSTS)  # fmt: skip
        words = f"The app does not answer to this host name. Whoever runs it can add the name to {ALLOWED_HOSTS}."
        await PlainTextResponse(words, 400, {"X-Content-Type-Options": "nosniff"})(scope, receive, send)


async def _nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Stands where the app would: whoever comes here is let in."""


SAFE = frozenset(("GET", "HEAD", "OPTIONS"))  # methods that change nothing
SIGNED = "/hooks/"  # what comes here shows by a signature where it is from


class SameOrigin:
    """Refuses a websocket that a page of another origin opens, and a form that it sends.

    `others` are origins that are trusted (scheme://host:port).
    """

    def __init__(self, app: ASGIApp, others: Sequence[str] = ()) -> None:
        self.app = app
        self.others = {_address(urlsplit(origin)) for origin in others}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self._is_ours(scope):
            await send({"type": "websocket.close", "code": 1008})
            return
        changes = scope["type"] == "http" and scope["method"] not in SAFE and not scope["path"].startswith(SIGNED)
        if changes and not self._is_ours(scope):
            await PlainTextResponse("This was sent by a page of another site.", 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is None:  # a browser always says it
            return True
        try:
            given = urlsplit(origin)
            if given.scheme == "http" and scope["scheme"] in ("https", "wss"):
                return False  # whoever is between us and a browser can put a page there
            return _address(given) in self.others or _address(given)[1:] == _address(given, headers.get("host", ""))[1:]
        except ValueError:  # brackets that hold no address
            return False


_PORTS = {"http": 80, "https": 443}


def _address(origin: SplitResult, host: str = "") -> tuple[str, str, int | None]:
    """Scheme, host and port of an origin; with `host` ("name:port") of that under the origin's scheme."""
    named = urlsplit(f"//{host}") if host else origin
    try:
        port = named.port
    except ValueError:  # no number
        port = -1
    return origin.scheme, (named.hostname or "").lower(), _PORTS.get(origin.scheme) if port is None else port


class Policy:
    """Gives every reply the headers above, and every page of HTML the content security policy."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Security-Policy", POLICY)
            await send(message)

        await self.app(scope, receive, with_policy if scope["type"] == "http" else send)


class WorkerProcess:
    """Runs `python -m ingestion.worker` as a child and starts it again should it die.

    Its standard input stays open as long as we live: when it closes, however we ended, the child ends too.
    """

    def __init__(self, home: Path, environment: Mapping[str, str] | None = None) -> None:
        """`environment` is what the child sees besides our own."""
        self.home = home
        self._environment = {**os.environ, **(environment or {})}
        self.restarts = 0  # after it died
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="worker", daemon=True)
        self._log = _WorkerLog(home / "worker.log", maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", errors="replace")

    def start(self) -> None:
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return (child := self._child) is not None and child.poll() is None

    def stop(self) -> None:
        self._stopping.set()
        if (child := self._child) is not None and child.stdin is not None:
            child.stdin.close()
        self._thread.join(SHUTDOWN_SECONDS)
        if (child := self._child) is not None and child.poll() is None:
            child.kill()
            child.wait()
        self._log.close()

    def _keep(self) -> None:
        wait = FIRST_WAIT
        while not self._stopping.is_set():
            lived = self._run_once()
            if self._stopping.is_set():
                return
            self.restarts += 1
            wait = FIRST_WAIT if lived > STEADY_SECONDS else min(LONGEST_WAIT, wait * 2)
            self._write(f"The worker ended by itself; it is started again in {wait:.0f} s.")
            self._stopping.wait(wait)

    def _run_once(self) -> float:
        began = time.monotonic()
        command = [sys.executable, "-m", "ingestion.worker", "--home", str(self.home)]
        try:
            child = subprocess.Popen(
                command, cwd=CODE, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._write(f"The worker could not be started: {error}")
            return 0.0
        self._child = child
        if self._stopping.is_set() and child.stdin is not None:
            child.stdin.close()
        self._copy(child.stderr)
        child.wait()
        return time.monotonic() - began

    def _copy(self, lines: IO[bytes] | None) -> None:
        for line in lines or ():
            self._write(line.decode("utf-8", "replace").rstrip()[:4_000])

    def _write(self, line: str) -> None:
        if logs.is_json():  # whoever collects lines reads them all in one place
            print(
                line if line.startswith("{") else json.dumps({"logger": "worker", "message": line}), file=sys.stderr, flush=True
            )
        self._log.emit(logging.LogRecord("worker", logging.INFO, "", 0, line, None, None))


class _WorkerLog(RotatingFileHandler):
    """Where it cannot be written, as on a full disk, that is said in one line, and once until it can be again."""

    _is_failing = False

    def emit(self, record: logging.LogRecord) -> None:
        self._has_failed = False
        super().emit(record)
        self._is_failing = self._has_failed

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not self._is_failing:
            log.error("worker.log cannot be written: %s", sys.exception())
        self._has_failed = True
