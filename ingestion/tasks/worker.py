"""A worker of many on one PostgreSQL: it takes tasks from the engine, any number of workers side by side.

One worker of procrastinate for each group of queues shares this process: a look at everything in a source takes long, and a few of
them are enough; a new source and what somebody waits for must not stand behind them; and what mostly waits, such as a watch, takes no
place from any.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import procrastinate
import psycopg
from procrastinate.exceptions import JobAborted, ProcrastinateException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.retry import BaseRetryStrategy, RetryDecision

from connectors.base import Cancelled, ConnectorError
from ingestion import turns
from ingestion.connection import open_connector
from ingestion.embedder import Embedder
from ingestion.sources import Sources
from ingestion.tasks.board import GROUPS, PLAN, PLAN_QUEUE, STALLED_SECONDS, WATCHES, TaskBoard
from ingestion.tasks.connectors import Connecting, OpenConnectors
from ingestion.tasks.guarded import Guard
from ingestion.tasks.layout import cannot_be_reached, in_schema, lay_out
from ingestion.tasks.plan import CHANGES, LOOKS, NEW, QUIET, REMOVE, SYNC, UPGRADE, WATCH, is_upgrading, plan
from ingestion.tasks.source_tasks import Elsewhere, SourceTasks, seconds_to_wait
from ingestion.tidying import Clock, remove, tidy
from ingestion.upgrade import Upgrader
from tree.store.database import StoreError
from tree.store.errors import MovedAway, Unreachable
from tree.store.locks import Taken, held
from tree.store.reach import Server
from tree.workspace import Workspace

AT_ONCE = {NEW: turns.AT_ONCE, LOOKS: 3, CHANGES: 6}  # of each worker
QUIET_AT_ONCE = 64  # of all others but watches: none of them is many at once, but for sources that are removed together
WATCHED_AT_ONCE = (
    400  # sources that one worker watches: three threads and three open files each. Others are looked at now and then
)
HEARTBEAT_SECONDS = 4.0
LOOK_SECONDS = 5.0  # for tasks whose time has come: those that are due now are told of at once
BEGIN_AGAIN_SECONDS = 2.0  # after the database could not be reached
GOODBYE_SECONDS = 8.0
STOP_SECONDS = 0.25  # between two looks whether this worker is to end
FAULT = "Something went wrong inside the app; it is written in worker.log. The app tries again by itself."
EVERY = {PLAN: "* * * * * */5", "vectors": "* * * * * */15", "tidy": "7 * * * *", "digests": "* * * * *"}  # the sixth: seconds
FOLDER_NAME = "folder.name"  # in the data folder
KEEP_HOURS = 72  # of tasks that failed or were cancelled

log = logging.getLogger("knowledge-tree")


class Leaving(Exception):
    """This worker ends: another one goes on with the task."""


class Later(BaseRetryStrategy):
    """Whatever fails is tried again, later each time."""

    def __init__(self, board: TaskBoard) -> None:
        self.board = board

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        seconds = 0.0 if isinstance(exception, Leaving) else seconds_to_wait(exception, job.attempts)
        return RetryDecision(retry_at=self.board.moment(time.time() + seconds))


class Jobs(JobManager):
    """The tasks of the engine. What is to be tried again while another of its key waits already is over: that one does the same.

    Two processes can come to want the same: a plan that failed for want of the database, and the next one of the clock.
    """

    async def retry_job(self, job: Job, *given: Any, **named: Any) -> None:
        try:
            await super().retry_job(job, *given, **named)
        except UniqueViolation:
            await self.finish_job(job, Status.FAILED, delete_job=True)


class Run(NamedTuple):
    """One task as it is run."""

    id: int
    queue: str
    arguments: dict[str, Any]
    is_told_to_stop: Callable[[], bool]


class TaskWorker:
    """Takes tasks until `stopping` is set."""

    longest_round = 90.0  # seconds: it needs a thread and, for at most twenty seconds, a word of the database

    def __init__(
        self,
        opened: Workspace,
        sources: Sources,
        board: TaskBoard,
        connecting: Connecting = open_connector,
        send_digests: Callable[[Callable[[], bool]], object] | None = None,
        watched_at_once: int = WATCHED_AT_ONCE,
    ) -> None:
        self.workspace, self.sources, self.board, self.send_digests = opened, sources, board, send_digests
        self.stopping = threading.Event()
        self.looked_round_at = time.monotonic()
        self._leaving = threading.Event()  # the tasks of this run of the engine's workers
        self._opened = OpenConnectors(sources, connecting)
        self._guard = Guard(self._look_after)
        self._of_sources = SourceTasks(opened, sources, board, self._opened, self._guard)
        self._embedder = Embedder(opened)
        self._clock = Clock()
        self._running: set[int] = set()
        self._ids: set[int] = set()  # of the engine's workers that have run in this process
        self._doubtful: set[int] = set()
        self._checked = 0.0
        self._vectors = f"vectors {_name_of(opened)}"
        self._at_once = {**AT_ONCE, WATCHES: watched_at_once}

    def run(self) -> None:
        """Returns when `stopping` is set. Where the database goes away, it begins again as soon as that is back. Raises MovedAway."""
        self._guard.start()
        try:
            while not self.stopping.is_set():
                self._leaving.clear()
                self.looked_round_at = time.monotonic()
                try:
                    assert self.workspace.database.backend.server is not None
                    lay_out(self.workspace.database.backend.server)
                    asyncio.run(self._serve(self.workspace.database.backend.server))
                except MovedAway:
                    raise
                except StoreError as error:
                    log.error("tasks: %s", error)
                except (ProcrastinateException, psycopg.Error) as error:
                    log.error("tasks: %s", cannot_be_reached(error.__cause__ or error))
                self._leaving.set()
                if self.stopping.wait(BEGIN_AGAIN_SECONDS):
                    break
        finally:
            self._leaving.set()
            self._guard.stop()
            self._opened.close_idle(0)
            self._of_sources.close()

    async def _serve(self, server: Server) -> None:
        loop = asyncio.get_running_loop()
        # a task has a thread, also one that waits: there are as many as tasks, and one for this worker itself
        loop.set_default_executor(ThreadPoolExecutor(sum(self._at_once.values()) + QUIET_AT_ONCE + 1, "task"))
        connector = procrastinate.PsycopgConnector(
            kwargs=server.arguments, configure=partial(_tell, in_schema(server)), min_size=1, max_size=6
        )
        app = self._app(connector)
        async with app.open_async():
            groups = [*(([queue], number) for queue, number in self._at_once.items()), (self._quiet_queues(), QUIET_AT_ONCE)]
            assert len(groups) == GROUPS
            workers = [asyncio.create_task(self._worker(app, queues, number)) for queues, number in groups]
            self.board.wake()
            stopped = asyncio.create_task(self._until_stopped())
            try:
                await asyncio.wait([*workers, stopped], return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._leaving.set()
                for worker in workers:
                    worker.cancel()
                ended = await asyncio.gather(*workers, return_exceptions=True)
                stopped.cancel()
                ended += await asyncio.gather(stopped, return_exceptions=True)
            for error in ended:
                if isinstance(error, Exception):
                    raise error

    async def _until_stopped(self) -> None:
        looking = asyncio.ensure_future(asyncio.to_thread(self._look_round))
        while not self.stopping.is_set():
            if looking.done():
                await looking  # which may have found that everything has gone elsewhere
                looking = asyncio.ensure_future(asyncio.to_thread(self._look_round))
            await asyncio.sleep(STOP_SECONDS)

    def _look_round(self) -> None:
        """In a thread as tasks have them: where none is left for this, this worker does nothing any more, and gives no sign of life."""
        self.looked_round_at = time.monotonic()
        try:
            self.workspace.database.data_version()
        except Unreachable as error:
            log.debug("tasks: %s", error)  # each task says so, and is tried again

    async def _worker(self, app: procrastinate.App, queues: list[str], number: int) -> None:
        await app.run_worker_async(
            queues=queues,
            concurrency=number,
            name=queues[0],
            fetch_job_polling_interval=LOOK_SECONDS,
            abort_job_polling_interval=LOOK_SECONDS,
            shutdown_graceful_timeout=GOODBYE_SECONDS,
            delete_jobs="successful",
            install_signal_handlers=False,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=STALLED_SECONDS,
        )

    def _quiet_queues(self) -> list[str]:
        return [PLAN_QUEUE, QUIET, self._vectors, *(["digests"] if self.send_digests is not None else [])]

    def _look_after(self) -> None:
        """Connectors that nobody uses; and tasks that have ended here while the database could not be told."""
        self._opened.close_idle()
        if time.monotonic() - self._checked > STALLED_SECONDS and self._ids:
            self._checked = time.monotonic()
            try:
                doubtful = self.board.begun_by(self._ids) - self._running
                self.board.release(doubtful & self._doubtful)  # a task that is just beginning, or ending, is seen once
                self._doubtful = doubtful
            except StoreError as error:
                log.warning("tasks: %s", error)

    # ---- the tasks

    def _app(self, connector: procrastinate.PsycopgConnector) -> procrastinate.App:
        app = procrastinate.App(connector=connector)
        app.job_manager = Jobs(connector)
        kinds: dict[str, Callable[[Run], object]] = {
            PLAN: self._plan, SYNC: self._sync, WATCH: self._watch, REMOVE: self._remove, UPGRADE: self._upgrade,
            "vectors": self._make_vectors, "tidy": self._tidy, "digests": self._send_digests,
        }  # fmt: skip
        queues = {PLAN: PLAN_QUEUE, WATCH: WATCHES, "vectors": self._vectors, "digests": "digests"}
        for kind, work in kinds.items():
            queue = queues.get(kind, QUIET)
            task = app.task(name=kind, queue=queue, pass_context=True, retry=Later(self.board))(partial(self._run, work))
            if kind in EVERY and (kind != "digests" or self.send_digests is not None):
                # whoever looks round is never waited for: a worker that dies at it would keep all others from it
                key = queue if kind == "vectors" else kind
                lock = None if kind == PLAN else key
                app.periodic(cron=EVERY[kind], periodic_id=key, lock=lock, queueing_lock=key, queue=queue)(task)
        return app

    def _run(self, work: Callable[[Run], object], context: procrastinate.JobContext, **arguments: Any) -> None:
        """One task, in a thread of its own. What it failed at is noted for the Admin page; the engine tries it again."""
        task_id = context.job.id
        assert task_id is not None
        self._running.add(task_id)
        self._ids.add(context.job.worker_id or 0)
        try:
            work(Run(task_id, context.job.queue, arguments, lambda: self._leaving.is_set() or context.should_abort()))
        except Exception as error:
            if self._leaving.is_set():
                raise Leaving from error
            if context.should_abort():
                raise JobAborted from error
            self._note_failure(task_id, context.job.task_name, arguments, error)
            raise
        finally:
            self._running.discard(task_id)

    def _note_failure(self, task_id: int, kind: str, arguments: dict[str, Any], error: Exception) -> None:
        try:
            if isinstance(error, ConnectorError | StoreError):
                log.warning("%s %s: %s", kind, arguments.get("source_id", ""), error)
                self.board.note_failure(task_id, str(error))
            elif not isinstance(error, Elsewhere):
                # a fault of ours must not end what is done for a source: it is noted, shown, and tried again
                log.exception("%s failed", kind)
                self.board.note_failure(task_id, FAULT)
                if kind == SYNC:
                    self.sources.ended(arguments["source_id"], "failed", FAULT)
        except StoreError as unreachable:
            log.error("tasks: %s", unreachable)

    def _plan(self, run: Run) -> None:
        with suppress(Taken), held(self.workspace.database.locks.lock("plan")):
            plan(self.workspace, self.sources, self.board, lambda source: self._opened.traits(source).is_watched)

    def _sync(self, run: Run) -> None:
        given = run.arguments
        self._of_sources.sync(given["source_id"], run.queue, run.is_told_to_stop, given.get("look_at"))

    def _watch(self, run: Run) -> None:
        self._of_sources.watch(run.arguments["source_id"], run.is_told_to_stop)

    def _remove(self, run: Run) -> None:
        remove(self.workspace, self.sources, run.arguments["source_id"])

    def _upgrade(self, run: Run) -> None:
        """As long as a model is set: what was published since is read by it too."""
        upgrader = Upgrader(self.workspace)
        with self._guard.ending(lambda: run.is_told_to_stop() or not is_upgrading(self.workspace), upgrader.stopping.set):
            upgrader.run()
        if run.is_told_to_stop():
            raise Cancelled

    def _make_vectors(self, run: Run) -> None:
        """Of this data folder, which keeps its own: every machine has to have them."""
        while not run.is_told_to_stop() and self._embedder.beat():
            pass

    def _tidy(self, run: Run) -> None:
        tidy(self.workspace, self.sources, self._clock)
        self.board.delete_old(KEEP_HOURS)

    def _send_digests(self, run: Run) -> None:
        if self.send_digests is not None:
            self.send_digests(run.is_told_to_stop)


async def _tell(server: Server, connection: psycopg.AsyncConnection[Any]) -> None:
    is_autocommit = connection.autocommit
    await connection.set_autocommit(True)
    await connection.execute(server.telling)
    await connection.set_autocommit(is_autocommit)


def _name_of(opened: Workspace) -> str:
    """Of a data folder, the same for all who work on it, in whatever container, and another one for each folder."""
    path = opened.home / FOLDER_NAME
    if not path.exists():
        with NamedTemporaryFile("w", dir=opened.home, prefix=f".{FOLDER_NAME}-") as draft:
            draft.write(uuid.uuid4().hex[:8])
            draft.flush()
            with suppress(FileExistsError):  # another worker was first
                os.link(draft.name, path)
    return path.read_text("utf-8").strip()
