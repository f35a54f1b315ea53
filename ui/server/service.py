"""What lives as long as the server: the opened data folder and the worker beside it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import anyio.to_thread

from ingestion.digest_mailer import DigestMailer
from prompts.engine.state import EMBEDDING_ENGINE
from tree import logs
from tree.engine_keeper import EngineKeeper, model_of_embeddings
from tree.garbage import collect_seldom, loading
from tree.mail import PUBLIC_ADDRESS, mail_settings
from tree.store.database import StoreError
from ui.server import health, tools
from ui.server.address import check_base_path, public_address
from ui.server.heaps import share_heaps
from ui.server.middleware import look_at_hosts
from ui.server.worker_process import WorkerProcess

# How long one thread keeps the interpreter while others want it. A page asks the database a hundred times, and each time gives the
# interpreter away: with Python's 5 ms it waits that long for each thread that is busy, and draws in seconds among fifty people.
SWITCH_SECONDS = 0.0005
ENDS_WITH_INPUT = "KNOWLEDGE_TREE_ENDS_WITH_INPUT"  # in the environment: whoever started us holds our standard input


def lifespan(load: Callable[[], None]) -> Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]:
    """What is opened and started with the server, and closed with it. `load` imports what every page needs, so that nobody waits for it."""
    return asynccontextmanager(partial(_lives, load))


async def _lives(load: Callable[[], None], _app: Any) -> AsyncIterator[dict[str, Any]]:
    share_heaps()
    logs.set_up()
    look_at_hosts()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        check_base_path()
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
    with loading():
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


def _offer_setup(opened: tools.Tools) -> None:
    """Without an admin nobody can sign in: a link is printed that makes the first one."""
    if not opened.accounts.people.has_admin():
        is_shared = opened.workspace.database.backend.server is not None  # by several apps: each prints a link that works
        link = f"{public_address()}/link/{opened.accounts.links.for_setup(beside=is_shared)}"
        print(f"\nNobody can sign in yet. Open this link to set up the first admin:\n\n  {link}\n", flush=True)


def _end_with_input() -> None:
    """However whoever started us ended, its end of our standard input closes then."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
