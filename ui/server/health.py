"""Whether the app works, for whoever watches over it, and in figures how it does: never what is in it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingestion.tasks.waking import board_of
from tree.accounts.principal import MONITORING
from tree.store.database import StoreError
from tree.store.language_model import EMBEDDING
from ui.server.guard import METRICS, visitor_of
from ui.server.http import METHODS, not_allowed
from ui.server.prometheus import CONTENT_TYPE, Metric, as_text, counter, gauge
from ui.server.tools import Tools, tools


class Shared(NamedTuple):
    """What is known of workers that share their tasks."""

    workers: int  # that live, on all machines
    unwatched: int  # sources that wait for one that has room to watch them


class Supervised(Protocol):
    """The worker, as far as others ask after it."""

    restarts: int

    @property
    def is_alive(self) -> bool: ...


Trouble = Literal["database", "disk", "worker", "unwatched"]
DEGRADED: tuple[Trouble, ...] = ("unwatched",)  # all works, some of it later than it should: a restart mends nothing
LATE_SECONDS = 5.0  # between two looks at the workers that share their tasks
ROOM_BYTES = 1 << 20  # that must fit on the disk: a published change is mostly smaller
ROOM_SECONDS = 5.0  # between two tries
_worker: Supervised | None = None
_shared: tuple[float, Shared | None] = (-LATE_SECONDS, None)  # when it was looked up, and what was found
_room: dict[Path, tuple[float, bool]] = {}  # of the data folder: when it was tried last, and whether it had room


def watch(worker: Supervised | None) -> None:
    """From now on this one is asked after. None where the app is stopping."""
    global _worker
    _worker = worker


def routes() -> list[Route]:
    return [Route("/health", health, methods=METHODS), Route(METRICS, metrics, methods=METHODS)]


def health(request: Request) -> Response:
    """Open to everybody: one word. 200 only while questions can be answered and sources are followed, if not all at once."""
    if request.method not in ("GET", "HEAD"):
        return not_allowed()
    wrong = trouble()
    return _told(wrong or "ok", 503 if wrong and wrong not in DEGRADED else 200)


def trouble() -> Trouble | None:
    """What keeps the app from answering or from following its sources, the worst first; None where nothing does."""
    if not _is_readable():
        return "database"
    if not _has_room(tools().workspace.home):
        return "disk"
    shared = workers_that_share()
    if not has_worker() and (shared is None or not shared.workers):  # one of another app, or of none, does as well
        return "worker"
    return "unwatched" if shared is not None and shared.unwatched else None


def has_worker() -> bool:
    """Whether the worker of this app runs and was heard."""
    return _worker is not None and _worker.is_alive


def restarts() -> int:
    """How often the worker died and was started again."""
    return _worker.restarts if _worker else 0


def metrics(request: Request) -> Response:
    principal = visitor_of(request).look_again()
    if not principal.is_admin and principal != MONITORING:
        return _told("Only an admin or the token for metrics can read this.", 403)
    if request.method not in ("GET", "HEAD"):
        return not_allowed()
    try:
        text = as_text(_measured(tools()))
    except StoreError:
        return _told("database", 503)
    return Response(text, headers={"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"})


def _is_readable() -> bool:
    try:
        tools().workspace.database.check_readable()
    except StoreError:
        return False
    return True


def _has_room(home: Path) -> bool:
    """Whether a little more can be written to the data folder. Tried now and then only: everybody may ask."""
    global _room
    asked_at, had_room = _room.get(home, (-ROOM_SECONDS, True))
    if time.monotonic() - asked_at < ROOM_SECONDS:
        return had_room
    try:
        with tempfile.TemporaryFile(dir=home, buffering=0) as file:  # a quota or a mount without writing tells no free bytes
            has_room = file.write(bytes(ROOM_BYTES)) == ROOM_BYTES
    except OSError:
        has_room = False
    _room = {home: (time.monotonic(), has_room)}
    return has_room


def workers_that_share() -> Shared | None:
    """Where workers share their tasks, how they do; None with a data folder alone. Looked up now and then only."""
    global _shared
    board = board_of(tools().workspace.database)
    if board is None:
        return None
    if time.monotonic() - _shared[0] > LATE_SECONDS:
        try:
            _shared = time.monotonic(), Shared(board.count_workers(), board.count_unwatched())
        except StoreError:  # of the tasks, which the worker makes anew
            return None
    return _shared[1]


def _told(word: str, status: int) -> Response:
    return PlainTextResponse(word, status, {"Cache-Control": "no-store"})


def _measured(opened: Tools) -> Iterator[Metric]:
    yield from _of_sources(opened)
    yield from _of_questions(opened)
    yield gauge("knowledge_tree_sessions", "Browsers that are signed in.", ({}, opened.accounts.sessions.count()))
    yield gauge("knowledge_tree_worker_up", "Whether the worker lives.", ({}, int(has_worker())))
    yield counter("knowledge_tree_worker_restarts_total", "How often the worker died and was started again.", ({}, restarts()))
    yield from _of_tasks(opened)
    told = [({"file": name}, size) for name, size in file_sizes(opened).items()]
    yield gauge("knowledge_tree_file_bytes", "The database and the search index with their logs.", *told)
    free = shutil.disk_usage(opened.workspace.home).free
    yield gauge("knowledge_tree_disk_free_bytes", "What is left of the disk with the data folder.", ({}, free))
    yield from _of_model(opened)


def _of_sources(opened: Tools) -> Iterator[Metric]:
    """Sources are told by their ids: a name may say what they are about."""
    sources, store, now = opened.sources.all(), opened.workspace.store, time.time()
    states = Counter("paused" if source.paused else source.state for source in sources)
    yield gauge("knowledge_tree_sources", "Sources by state.", *(({"state": state}, states[state]) for state in sorted(states)))
    documents = [({"source": source.id}, store.documents.count(source.id)) for source in sources]
    yield gauge("knowledge_tree_documents", "Documents that can be asked.", *documents)
    lags = [({"source": s.id}, round(max(0.0, now - s.synced_at), 1)) for s in sources if s.synced_at]
    yield gauge("knowledge_tree_lag_seconds", "Since the tree was last known to be what the source is.", *lags)
    failures = [({"source": source.id}, store.failures.count([source.id])) for source in sources]
    yield gauge("knowledge_tree_failures", "Documents that cannot be read at the moment.", *failures)


def _of_tasks(opened: Tools) -> Iterator[Metric]:
    """Where workers share them."""
    if (board := board_of(opened.workspace.database)) is None:
        return
    told = sorted((queue.partition(" ")[0], state, number) for (queue, state), number in board.counts().items())
    each = [({"queue": queue, "state": state}, number) for queue, state, number in told]
    yield gauge("knowledge_tree_tasks", "Tasks that are not done, by queue and state.", *each)
    yield gauge("knowledge_tree_workers", "Worker processes that live, on all machines.", ({}, board.count_workers()))


def _of_questions(opened: Tools) -> Iterator[Metric]:
    waiting = opened.answers.count_unfinished()
    yield gauge("knowledge_tree_questions_unfinished", "Questions that are being answered or wait to be.", ({}, waiting))
    yield opened.answers.seconds.as_metric(
        "knowledge_tree_question_seconds", "From question to answer since the app started, by verdict or how it ended.", "verdict"
    )


def _of_model(opened: Tools) -> Iterator[Metric]:
    calls, tokens = Counter[str](), Counter[str]()
    for spent in opened.workspace.model.spent(days=1):  # of today, in UTC
        if spent.purpose == EMBEDDING:
            continue
        calls[spent.purpose] += spent.calls
        tokens["input"] += spent.input_tokens
        tokens["output"] += spent.output_tokens
    of_purposes = [({"purpose": purpose}, calls[purpose]) for purpose in ("question", "upgrade")]
    yield gauge("knowledge_tree_model_calls_today", "Calls of the language model since midnight UTC.", *of_purposes)
    of_kinds = [({"kind": kind}, tokens[kind]) for kind in ("input", "output")]
    yield gauge("knowledge_tree_model_tokens_today", "Tokens of the language model since midnight UTC.", *of_kinds)


def file_sizes(opened: Tools) -> dict[str, int]:
    """Bytes of the database ("knowledge") and of the search index ("search"), with their logs."""
    return {"knowledge": opened.workspace.database.size(), "search": _size(opened.workspace.home / "search.db")}


def _size(path: Path) -> int:
    return sum(os.stat(file).st_size for file in (path, path.with_name(f"{path.name}-wal")) if file.exists())
