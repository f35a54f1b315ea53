"""What a worker does for one source: a sync, or watching it and noting what has changed.

A sync looks at everything where that is due or asked for, or where the sync before it came to no end, else at what was named.
Before it ends it sees what is wanted next, and defers that. While somebody else has the source, or the source asks for patience,
it is tried again later.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from connectors.base import Cancelled, Connector, ConnectorError, Limited, Resumable, Watched, Watching, WatchReport
from ingestion.pool import children
from ingestion.sources import Sources
from ingestion.sync import is_running, sync
from ingestion.tasks.board import TaskBoard
from ingestion.tasks.connectors import OpenConnectors
from ingestion.tasks.guarded import Guard
from ingestion.tasks.plan import NEW, SYNC, is_first, queue_of, sync_key
from ingestion.turns import is_over
from tree.store.errors import StoreError, Unreachable
from tree.store.models import UNREACHABLE, Source
from tree.workspace import Workspace

TRY_AGAIN_SECONDS = 30.0  # for single documents that were busy
REACHED_SECONDS = 2.0  # after the database could not be reached: that this is written down says that it can be again
ELSEWHERE_SECONDS = 2.0  # until a source is looked at again that another program reads
LONGEST_WAIT = 3_600.0  # whatever the other side, or a clock that was set, says
POLL_SECONDS = 1.0  # that a watch waits for something to happen before it is asked whether it is still wanted
UNFINISHED = (*UNREACHABLE, "syncing", "stopped")  # states of a source whose last sync came to no end
RESUME_SECONDS = 300.0  # after which a watch takes up what others have read, though nothing was published

log = logging.getLogger("knowledge-tree")


class Elsewhere(Exception):
    """Another program brings this source in step now."""


class SourceTasks:
    """The tasks of one worker; each may be called by many threads, for different sources."""

    def __init__(self, workspace: Workspace, sources: Sources, board: TaskBoard, opened: OpenConnectors, guard: Guard) -> None:
        self.workspace, self.sources, self.board, self.opened, self.guard = workspace, sources, board, opened, guard
        self.children = children()
        self._seen: tuple[float, dict[str, Source]] = (-math.inf, {})
        self._seeing = threading.Lock()

    def close(self) -> None:
        """Ends the child processes that all syncs share."""
        self.children.close()

    # ---- a sync

    def sync(self, source_id: str, queue: str, is_told_to_stop: Callable[[], bool], look_at: float | None) -> None:
        """`look_at` is when everything is to be looked at next (seconds since 1970), None for now. Raises ConnectorError,
        StoreError, Elsewhere, and Cancelled where it was told to stop."""
        source = self._wanted(source_id)
        if source is None:
            return
        now, rescan = time.time(), self.opened.traits(source).rescan_seconds
        is_due = source.requested_at is not None or look_at is None or not now < look_at <= now + max(rescan, LONGEST_WAIT)
        is_look = is_due or source.state in UNFINISHED
        if source.requested_at is None and source.wait_until is not None and now < source.wait_until:
            self._defer(source, look_at, at=min(source.wait_until, now + LONGEST_WAIT))
        elif is_look and queue != queue_of(source, is_look=True):
            self._defer(source, None, at=None)
        else:
            self._sync(source, is_look, is_told_to_stop, self._turn() if queue == NEW else lambda: False)
            self._go_on(source_id, now + rescan if is_look or look_at is None else look_at)

    def _turn(self) -> Callable[[], bool]:
        """Says whether the turn that begins now is over."""
        began = time.monotonic()
        return lambda: is_over(time.monotonic() - began, lambda: self.board.waiting(NEW))

    def _sync(self, source: Source, is_look: bool, is_told_to_stop: Callable[[], bool], gives_way: Callable[[], bool]) -> None:
        if is_running(self.workspace, source.id):
            raise Elsewhere
        given = self.sources.hints(source.id)
        named = None if is_look else {*given, *self.sources.failures_to_try_again(source.id)}
        if named is not None and not named:
            return
        unwanted = self._unwanted(source, self._seen_now)

        def is_ended() -> bool:
            return is_told_to_stop() or unwanted()

        try:
            with self._connector(source) as connector, self.guard.closing(connector, is_ended):
                done = sync(
                    self.workspace, self.sources, source, named, connector, is_ended, gives_way=gives_way, children=self.children
                )
        except Cancelled:
            if is_told_to_stop():
                raise
            return  # paused, removed, or set up differently: whoever did that has asked for what comes next
        except StoreError:
            if self.sources.find(source.id) is None:
                return  # removed while it was read
            raise
        if done.is_whole:
            self.sources.drop_hints(source.id, given)

    @contextmanager
    def _connector(self, source: Source) -> Iterator[Connector]:
        try:
            with self.opened.of(source) as connector:
                yield connector
        except ConnectorError as error:
            self.sources.failed(source.id, error)  # it may have failed before the sync began
            raise

    def _go_on(self, source_id: str, look_at: float) -> None:
        """What comes next for a source, as it stands now."""
        source = self._wanted(source_id)
        if source is None:
            return
        if source.requested_at is not None or source.state == "waiting":
            self._defer(source, None, at=None)
        elif self.sources.hints(source_id):
            self._defer(source, look_at, at=None)
        elif self.sources.failures_to_try_again(source_id):
            self._defer(source, look_at, at=min(look_at, time.time() + TRY_AGAIN_SECONDS))
        elif source.chat_id is None:  # files of a chat are read once, and not followed
            self._defer(source, look_at, at=look_at)

    def _defer(self, source: Source, look_at: float | None, at: float | None) -> None:
        is_look = look_at is None or look_at == at
        arguments: dict[str, Any] = {"source_id": source.id, "asked": source.requested_at, "look_at": look_at}
        self.board.defer(SYNC, sync_key(source.id), queue_of(source, is_look), at=at, is_first=is_first(source), **arguments)

    # ---- a watch

    def watch(self, source_id: str, is_told_to_stop: Callable[[], bool]) -> None:
        """Notes what changes, until it is told to stop or the source is not what it was. Raises ConnectorError, StoreError."""
        source = self._wanted(source_id)
        if source is None or not self.opened.traits(source).is_watched:
            return
        unwanted = self._unwanted(source, self._seen_lately)
        connector = self.opened.make(source)
        try:
            if isinstance(connector, Watched):
                with self.guard.closing(connector, lambda: is_told_to_stop() or unwanted()):
                    self._follow(source, connector, connector.watch(), lambda: is_told_to_stop() or unwanted())
        except Cancelled:
            pass
        except ConnectorError as error:
            self.sources.failed(source_id, error)
            raise
        finally:
            connector.close()
        if is_told_to_stop():
            raise Cancelled

    def _follow(self, source: Source, connector: Connector, watch: Watching, is_over: Callable[[], bool]) -> None:
        resumed: tuple[int, float] = (-1, 0.0)
        try:
            if not isinstance(connector, Resumable):
                self.sources.request_sync(source.id)  # what changed while nobody watched
            while not is_over():
                now = self._seen_lately(source.id)
                if now is None:
                    return
                if isinstance(connector, Resumable):
                    if now.synced_at is None:
                        self.guard.wait(POLL_SECONDS)
                        continue
                    if now.published != resumed[0] or time.monotonic() - resumed[1] > RESUME_SECONDS:
                        connector.resume(self.sources.checkpoint(source.id))
                        resumed = now.published, time.monotonic()
                self._note(now, watch.poll(POLL_SECONDS))
        finally:
            watch.close()

    def _note(self, source: Source, changes: WatchReport | None) -> None:
        if changes is None:
            return
        if changes.rescan or changes.lost:  # a full look tells apart what was lost and what was deleted
            self.sources.request_sync(source.id)
        elif changes.paths:
            self.sources.hint(source.id, changes.paths)
        elif source.state == "ready":
            self.sources.nothing_new(source.id)

    # ---- what they share

    def _wanted(self, source_id: str) -> Source | None:
        source = self.sources.find(source_id)
        return None if source is None or source.paused or source.removing else source

    def _seen_now(self, source_id: str) -> Source | None:
        """Asked often: it is read again only after a write."""
        return self.workspace.database.unchanged(("source", source_id), lambda: self.sources.find(source_id))

    def _seen_lately(self, source_id: str) -> Source | None:
        """As it stood a second ago, for hundreds of watches that ask every second: one look is for all of them."""
        with self._seeing:
            if time.monotonic() - self._seen[0] > POLL_SECONDS / 2:
                self._seen = time.monotonic(), {source.id: source for source in self.sources.all()}
            return self._seen[1].get(source_id)

    def _unwanted(self, source: Source, seen: Callable[[str], Source | None]) -> Callable[[], bool]:
        """Whether a source was paused, removed or set up differently since."""

        def is_so() -> bool:
            now = seen(source.id)
            return now is None or now.paused or now.removing or (now.config, now.secret) != (source.config, source.secret)

        return is_so


def seconds_to_wait(error: BaseException, tries: int) -> float:
    """Until a task that failed is tried again."""
    if isinstance(error, Limited):
        return max(1.0, min(LONGEST_WAIT, error.until - time.time()))
    if isinstance(error, Elsewhere):
        return ELSEWHERE_SECONDS
    if isinstance(error, Unreachable):
        return REACHED_SECONDS
    if isinstance(error, Cancelled):
        return 0.0
    return float(min(60, 2 ** min(tries + 1, 6)))
