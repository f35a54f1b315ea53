"""The board of tasks, as the pages, the commands and the workers see it: what waits, what runs, what failed and why."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, LiteralString, TypeVar

import procrastinate
import psycopg
from procrastinate import exceptions

from ingestion.tasks.layout import cannot_be_reached, in_schema, lay_out
from ingestion.turns import Waiting
from tree.store.database import StoreError
from tree.store.errors import Unreachable
from tree.store.reach import Reach, Server

State = Literal["failed", "running", "waiting", "cancelled"]
Status = Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborted"]
PLAN, PLAN_QUEUE = "plan", "plan"
WATCHES = "watches"  # a queue: each of them keeps a thread for as long as it is wanted, so they have a number of their own
STALLED_SECONDS = 15.0  # without a sign of life: then the tasks of a worker are another's
LONGEST_REASON = 500  # characters
SHOWN = 100  # of each state, watches apart: one for each source would hide what else runs
GROUPS = 5  # of queues: a process has a worker of the engine for each
LATE_SECONDS = 60.0  # that a watch waits for a worker: then no worker has room for it

_ALL = """
SELECT job.id, job.task_name, job.queueing_lock, job.queue_name, job.status::text, extract(epoch FROM job.scheduled_at - now())::float8 AS due_in,
       job.attempts, job.args, job.abort_requested, failure_reason.sentence,
       (SELECT extract(epoch FROM max(at) - now())::float8 FROM procrastinate_events WHERE job_id = job.id) AS since
FROM procrastinate_jobs job LEFT JOIN failure_reason ON failure_reason.job_id = job.id
"""
_STANDING = (
    _ALL + "WHERE job.status IN ('todo', 'doing') AND job.queueing_lock IS NOT NULL ORDER BY job.status::text = 'doing', job.id"
)
_STATE = """CASE WHEN job.status = 'doing' THEN 'running' WHEN job.status IN ('cancelled', 'aborted') THEN 'cancelled'
WHEN job.status = 'failed' OR failure_reason.sentence <> '' THEN 'failed' ELSE 'waiting' END"""
_SHOWN = f"""
WITH each AS (
    SELECT *, row_number() OVER (PARTITION BY state, state = 'running' AND queue_name = '{WATCHES}' ORDER BY CASE state WHEN 'waiting' THEN due_in END NULLS FIRST, since DESC, id DESC) AS place
    FROM (SELECT whole.*, {_STATE.replace("job.", "whole.").replace("failure_reason.", "whole.")} AS state
          FROM ({_ALL} WHERE job.status <> 'succeeded' AND job.task_name <> '{PLAN}') AS whole) AS told
) SELECT id, task_name, queueing_lock, queue_name, status, due_in, attempts, args, abort_requested, sentence, since
FROM each WHERE place <= %s
ORDER BY array_position(ARRAY['failed', 'running', 'cancelled', 'waiting'], state), place
"""
_COUNTS = f"""
SELECT job.queue_name, {_STATE} AS state, count(*) FROM procrastinate_jobs job
LEFT JOIN failure_reason ON failure_reason.job_id = job.id
WHERE job.status <> 'succeeded' AND job.task_name <> '{PLAN}' GROUP BY 1, 2
"""
_LATE = """
SELECT count(*) FROM procrastinate_jobs job WHERE status = 'todo' AND queue_name = %s AND (scheduled_at IS NULL OR scheduled_at <= now())
AND NOT EXISTS (SELECT FROM procrastinate_events WHERE job_id = job.id AND at > now() - make_interval(secs => %s))
"""
_ONE = _ALL + "WHERE job.id = %s"
_PUT_OFF = """
SELECT job.queueing_lock, extract(epoch FROM max(event.at) - now())::float8 FROM procrastinate_jobs job
JOIN procrastinate_events event ON event.job_id = job.id
WHERE job.status IN ('cancelled', 'aborted') AND event.type IN ('cancelled', 'aborted') AND job.queueing_lock IS NOT NULL
AND event.at > now() - make_interval(secs => %s) GROUP BY 1
"""
_STALLED = """
SELECT job.id, EXISTS (SELECT FROM procrastinate_jobs other WHERE other.queueing_lock = job.queueing_lock AND other.status = 'todo')
FROM procrastinate_jobs job LEFT JOIN procrastinate_workers worker ON worker.id = job.worker_id
WHERE job.status = 'doing' AND (worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %s))
"""
_OLD = """
DELETE FROM procrastinate_jobs job WHERE status NOT IN ('todo', 'doing')
AND NOT EXISTS (SELECT FROM procrastinate_events WHERE job_id = job.id AND at > now() - make_interval(hours => %s))
"""
_WAITING = """
SELECT count(*) FILTER (WHERE priority > 0), count(*) FILTER (WHERE priority <= 0) FROM procrastinate_jobs
WHERE status = 'todo' AND queue_name = %s AND (scheduled_at IS NULL OR scheduled_at <= now())
"""
_WORKERS = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => %s)"
_TELL = """
SELECT pg_notify('procrastinate_queue_v1#' || queue_name, json_build_object('type', 'job_inserted', 'job_id', id)::text)
FROM procrastinate_jobs WHERE id = %s
"""
_REASON = """
INSERT INTO failure_reason (job_id, sentence) SELECT id, %s FROM procrastinate_jobs WHERE id = %s
ON CONFLICT (job_id) DO UPDATE SET sentence = excluded.sentence
"""

log = logging.getLogger("knowledge-tree")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the engine. Times are seconds since 1970 by the clock of this machine: the server, which has its own, is asked how
    far off they are."""

    id: int
    kind: str
    key: str  # no two of the same wait at once; empty for one that has none
    queue: str
    status: Status
    due_at: float | None  # not begun before
    tries: int  # that failed, or whose worker died
    arguments: Mapping[str, Any]
    is_to_stop: bool
    reason: str  # of the last failure
    since: float  # when it came to stand as it stands

    @property
    def state(self) -> State:
        """As people see it: what is tried again after it failed has failed."""
        if self.status == "doing":
            return "running"
        if self.status in ("cancelled", "aborted"):
            return "cancelled"
        return "failed" if self.status == "failed" or self.reason else "waiting"


class TaskBoard:
    """Safe to use from many threads. Every method raises StoreError where the database cannot be reached."""

    def __init__(self, server: Server, clock: Callable[[], float] | None = None) -> None:
        self._server, self._clock = server, clock or (lambda: time.time())  # looked up anew: a history of the truth bench sets it
        self._engine = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())  # never opened: connections are ours
        self._mutex = threading.Lock()
        self._ahead = 0.0  # seconds that the server's clock is ahead of ours
        self._reach = Reach(in_schema(server))
        self._connection: psycopg.Connection[Any] | None = None

    def close(self) -> None:
        with self._mutex:
            self._end()

    # ---- what is to be done

    def defer(
        self,
        kind: str,
        key: str,
        queue: str,
        *,
        at: float | None = None,
        alone: bool = True,
        is_first: bool = False,
        **arguments: Any,
    ) -> bool:
        """Has it done by whichever worker is free, not before the moment `at`; False where one of this key waits already. With
        `alone` no two of one key run at once; what `is_first` goes before all others of its queue."""
        return self._do(lambda connection: self._defer(connection, kind, key, queue, at, alone, is_first, arguments))

    def moment(self, at: float) -> datetime:
        """By the clock of the server, which hands out what is due; that of a machine may be wrong."""
        return datetime.fromtimestamp(at + self._ahead, UTC)

    def wake(self) -> None:
        """Has some worker look round at once for what is wanted; where that fails, it is looked at a few seconds later anyway."""
        try:
            self.defer(PLAN, PLAN, PLAN_QUEUE, alone=False)
        except StoreError as error:
            log.warning("tasks: %s", error)

    def begin_anew(self, task: Task, queue: str | None = None, is_first: bool = False, **arguments: Any) -> bool:
        """One that does not run is done at once, whatever it waited for; False where it runs, or is gone."""

        def work(connection: psycopg.Connection[Any]) -> bool:
            with connection.transaction():
                deleted = "DELETE FROM procrastinate_jobs WHERE id = %s AND status <> 'doing'"
                if not connection.execute(deleted, (task.id,)).rowcount:
                    return False
                given = {**task.arguments, **arguments}
                self._defer(connection, task.kind, task.key, queue or task.queue, None, task.kind != PLAN, is_first, given)
            return True

        return self._do(work)

    def cancel(self, task_id: int) -> bool:
        """Ends one that waits, and has one that runs stop; False where there is none such."""
        return self._do(lambda connection: self._engine.job_manager.cancel_job_by_id(task_id, abort=True, connection=connection))

    def note_failure(self, task_id: int, sentence: str) -> None:
        self._do(lambda connection: connection.execute(_REASON, (sentence[:LONGEST_REASON], task_id)))

    # ---- what stands

    def standing(self) -> dict[str, Task]:
        """What waits or runs, by its key; of two with one key the one that runs."""
        return {task.key: task for task in self._tasks(_STANDING)}

    def shown(self) -> list[Task]:
        """What is not done, for people: of each state, watches apart, the latest; those that failed first, of what waits what is due
        first."""
        return self._tasks(_SHOWN, SHOWN)

    def counts(self) -> dict[tuple[str, State], int]:
        """How many there are of all that is not done, by queue and state."""
        rows = self._do(lambda connection: connection.execute(_COUNTS).fetchall())
        return {(queue, state): number for queue, state, number in rows}

    def task(self, task_id: int) -> Task | None:
        return next(iter(self._tasks(_ONE, task_id)), None)

    def waiting(self, queue: str) -> Waiting:
        """What is due in a queue and runs nowhere yet; what is first counts as unpublished."""
        return Waiting(*self._do(lambda connection: connection.execute(_WAITING, (queue,)).fetchall()[0]))

    def put_off(self, seconds: float) -> dict[str, float]:
        """When somebody cancelled a task, by its key, as far as that was within so many seconds."""
        ago = self._do(lambda connection: connection.execute(_PUT_OFF, (seconds,)).fetchall())
        now = self._clock()
        return {key: now + at for key, at in ago}

    def count_workers(self) -> int:
        """The processes that live."""
        return -(-self._do(lambda connection: int(connection.execute(_WORKERS, (STALLED_SECONDS,)).fetchall()[0][0])) // GROUPS)

    def count_unwatched(self) -> int:
        """The sources whose watch has waited for a minute though it is due: no worker has room for it."""
        return self._do(lambda connection: int(connection.execute(_LATE, (WATCHES, LATE_SECONDS)).fetchall()[0][0]))

    # ---- what dead workers left, and what is over

    def take_back(self) -> int:
        """What a dead worker had begun waits again. Returns how many tasks that were."""
        left = self._do(lambda connection: connection.execute(_STALLED, (STALLED_SECONDS,)).fetchall())
        for task_id, waits in left:
            self._release(task_id, waits)
        return len(left)

    def begun_by(self, workers: Collection[int]) -> set[int]:
        """The tasks that these workers of the engine have begun, by what is written down."""
        begun = "SELECT id FROM procrastinate_jobs WHERE status = 'doing' AND worker_id = ANY(%s)"
        return {id_ for (id_,) in self._do(lambda connection: connection.execute(begun, (list(workers),)).fetchall())}

    def release(self, task_ids: Iterable[int]) -> None:
        """These run no more, whatever stands of them."""
        for task_id in task_ids:
            self._release(task_id, False)

    def delete_old(self, hours: int) -> None:
        """Of those that failed or were cancelled longer ago; of dead workers nothing is left either."""

        def work(connection: psycopg.Connection[Any]) -> None:
            connection.execute(_OLD, (hours,))
            connection.execute("DELETE FROM procrastinate_workers WHERE last_heartbeat < now() - interval '1 day'")

        self._do(work)

    def _release(self, task_id: int, waits: bool) -> None:
        def work(connection: psycopg.Connection[Any]) -> None:
            with suppress(psycopg.errors.RaiseException):  # it has ended meanwhile
                if not waits:
                    with suppress(psycopg.errors.UniqueViolation):  # another one of its key has come to wait meanwhile
                        connection.execute("SELECT procrastinate_retry_job_v2(%s, now(), NULL, NULL, NULL)", (task_id,))
                        connection.execute(_TELL, (task_id,))
                        return
                connection.execute("SELECT procrastinate_finish_job_v1(%s, 'failed', true)", (task_id,))

        self._do(work)

    # ---- the connection

    def _defer(
        self, connection: psycopg.Connection[Any], kind: str, key: str, queue: str, at: float | None, alone: bool,
        is_first: bool, arguments: Mapping[str, Any],
    ) -> bool:  # fmt: skip
        if at is not None:
            [(now,)] = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchall()
            self._ahead = now - self._clock()
        when = None if at is None else self.moment(at)
        deferrer = self._engine.configure_task(
            kind, queue=queue, lock=key if alone else None, queueing_lock=key, schedule_at=when, priority=int(is_first),
            connection=connection,
        )  # fmt: skip
        try:
            with connection.transaction():
                deferrer.defer(**arguments)
        except exceptions.AlreadyEnqueued:
            return False
        return True

    def _tasks(self, query: LiteralString, *values: object) -> list[Task]:
        rows, now = self._do(lambda connection: connection.execute(query, values).fetchall()), self._clock()
        return [
            Task(
                id_,
                kind,
                key or "",
                queue,
                status,
                None if due_in is None else now + due_in,
                tries,
                arguments,
                is_to_stop,
                reason or "",
                0.0 if since is None else now + since,
            )
            for id_, kind, key, queue, status, due_in, tries, arguments, is_to_stop, reason, since in rows
        ]

    def _do(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        """With the connection, which is made anew where it has ended since it was used last."""
        with self._mutex:
            is_old = self._connection is not None
            try:
                return work(self._connected())
            except (psycopg.OperationalError, exceptions.ConnectorException) as error:
                self._end()
                if not is_old:
                    raise _explained(error) from error
            except psycopg.errors.UndefinedTable:  # somebody has deleted the tables: they are made again
                self._end()
            try:
                return work(self._connected())
            except (psycopg.Error, exceptions.ConnectorException) as error:
                self._end()
                raise _explained(error) from error

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            connection = self._reach.connect()
            connection.autocommit = True
            try:
                lay_out(self._server)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _explained(error: Exception) -> StoreError:
    return Unreachable(cannot_be_reached(error.__cause__ or error))
