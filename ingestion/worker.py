"""The worker: one process per data folder that keeps every tree in step with its source, and has a model upgrade it.

It runs beside the app, never inside it, because reading and cutting documents would make every page wait. What it is
to do stands in the database (requests, pauses, removals), so anybody may ask for it and nothing is lost when it dies.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # until all is loaded (`tree.garbage.loaded`)

import argparse
import logging
import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from filelock import FileLock, Timeout

from connectors.base import Cancelled, Connector, ConnectorError, Limited, Watched, Watching
from connectors.sandbox import Sandbox
from ingestion.connection import open_connector
from ingestion.digest_mailer import digest_mailer
from ingestion.embedder import Embedder
from ingestion.heartbeat import Heartbeat
from ingestion.pool import children
from ingestion.sources import Sources
from ingestion.sync import Synced, note_waiting, sync
from ingestion.tasks.waking import board_of
from ingestion.tidying import FOLLOWING, TIDY_SECONDS, Clock, remove, tidy
from ingestion.turns import Turns
from ingestion.upgrade import Upgrader
from tree import logs
from tree.garbage import collect_seldom, loaded
from tree.store.database import StoreError
from tree.store.locks import Taken
from tree.store.models import Source
from tree.workspace import Workspace, workspace

if TYPE_CHECKING:
    from ingestion.tasks.worker import TaskWorker

TICK_SECONDS = 0.2
RESCAN_SECONDS = 300  # for a connector that cannot watch
OTHERS_SECONDS = 1.0  # until a source that another worker follows is looked at again
TRY_AGAIN_SECONDS = 30  # for single documents that were busy
LONGEST_BACKOFF = 60
LONGEST_WAIT = 3600.0  # whatever the other side, or a clock that was set, says
GOODBYE_SECONDS = 10.0  # for all followers together

log = logging.getLogger("knowledge-tree")
T = TypeVar("T")
Connecting = Callable[[Path, str, Mapping[str, Any], Mapping[str, Any]], Connector]  # home, kind, config, secrets


class Worker:
    """Follows all sources, each in a thread of its own, upgrades them and makes their vectors in two more, until stopped."""

    longest_round = 900.0  # seconds; one round may remove a source with a million leaves

    def __init__(
        self,
        opened: Workspace,
        sources: Sources,
        only: str | None = None,
        connecting: Connecting = open_connector,
        turns: Turns | None = None,
        synced: Callable[[Source, Synced], None] = lambda *_: None,
    ) -> None:
        """`synced` is called after every look at a source, in its thread."""
        self.workspace = opened
        self.sources = sources
        self.only = only
        self.connecting = connecting
        self.stopping = threading.Event()
        self.looked_round_at = time.monotonic()
        self._followers: dict[str, _Follower] = {}
        self._leaving: list[_Follower] = []  # told to stop
        self._tidied = -math.inf
        self._clock = Clock()
        self._turns = turns or Turns()
        self._synced = synced
        self._children = children()

    def run(self) -> None:
        """Returns when `stopping` is set. Waits while another worker serves the same data folder."""
        lock = FileLock(self.workspace.home / "worker.lock")
        while not self.stopping.is_set():
            self.looked_round_at = time.monotonic()
            try:
                with lock.acquire(timeout=1):
                    self._serve()
            except Timeout:
                continue

    def _serve(self) -> None:
        upgrader, embedder = Upgrader(self.workspace, self.only), Embedder(self.workspace, self.only)
        beside = [
            threading.Thread(target=upgrader.run, name="upgrades", daemon=True),
            threading.Thread(target=embedder.run, name="vectors", daemon=True),
        ]
        for thread in beside:
            thread.start()
        try:
            while not self.stopping.wait(TICK_SECONDS):
                self.looked_round_at = time.monotonic()
                try:
                    self._look_round()
                except StoreError as error:
                    log.error("%s", error)
                    self.stopping.wait(5)
        finally:
            upgrader.stopping.set()
            embedder.stopping.set()
            leaving = [*self._leaving, *self._followers.values()]
            for follower in leaving:
                follower.stop()
            until = time.monotonic() + GOODBYE_SECONDS
            for thread in (*leaving, *beside):
                thread.join(timeout=max(0.0, until - time.monotonic()))
            self._children.close()

    def _sources_there(self) -> tuple[set[str], list[str]]:
        """The ids of the sources to be followed, and of those to be removed."""
        there = [*self.sources.all(), *self.sources.of_chats(to_be_read=True)]  # files of a chat are read once, and not followed
        return {source.id for source in there if self.only in (None, source.name, source.id)}, self.sources.removing()

    def _look_round(self) -> None:
        wanted, removing = self.workspace.database.unchanged("sources there", self._sources_there)
        for source_id in wanted & self._followers.keys():
            self._followers[source_id].interrupt_if_unwanted()
        for source_id in wanted - self._followers.keys():
            self._followers[source_id] = _Follower(
                self.workspace, self.sources, source_id, self.connecting, self._turns, self._children, self._synced
            )
            self._followers[source_id].start()
        for source_id in self._followers.keys() - wanted:
            follower = self._followers.pop(source_id)
            follower.stop()
            self._leaving.append(follower)  # nobody waits for it: what a removed source still does is not published
        self._leaving = [follower for follower in self._leaving if follower.is_alive()]
        for source_id in removing:
            remove(self.workspace, self.sources, source_id)
        if time.monotonic() - self._tidied > TIDY_SECONDS:
            self._tidied = time.monotonic()
            tidy(self.workspace, self.sources, self._clock)


class _Follower(threading.Thread):
    """Keeps one source in step: on request, on what its watch reports, and by a look at everything now and then."""

    def __init__(
        self,
        opened: Workspace,
        sources: Sources,
        source_id: str,
        connecting: Connecting,
        turns: Turns,
        children: Sandbox,
        synced: Callable[[Source, Synced], None],
    ) -> None:
        super().__init__(name=f"follow {source_id}", daemon=True)
        self.workspace = opened
        self.sources = sources
        self.source_id = source_id
        self.connecting = connecting
        self._turns, self._children, self._synced = turns, children, synced
        self._stopping = threading.Event()
        self._connector: Connector | None = None
        self._config: object = None
        self._watch: Watching | None = None
        self._rescan_at = 0.0
        self._again_at = 0.0
        self._backoff = 0.0
        self._waiting: tuple[float, float] | None = None  # until when, by the clock and by time that only goes on
        self._asking = False  # the other side, which may not answer
        self._is_closed = False
        self._lock = opened.database.locks.lock(f"{FOLLOWING}{source_id}")

    def stop(self) -> None:
        self._stopping.set()
        self._interrupt()

    @property
    def _source(self) -> Source:
        return self._unchanged("source", self.sources.get)

    def _unchanged(self, what: str, read: Callable[[str], T]) -> T:
        """Asked for five times a second: it is read again only after something was written."""
        return self.workspace.database.unchanged((what, self.source_id), lambda: read(self.source_id))

    def interrupt_if_unwanted(self) -> None:
        """Ends what is under way for a source that was paused, removed, or set up differently."""
        if self._asking and self._is_cancelled():
            self._interrupt()

    def _interrupt(self) -> None:
        if self._asking and (connector := self._connector) is not None:
            self._is_closed = True
            connector.close()

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                try:
                    self._step()
                except Cancelled:
                    self._let_go()
                except Limited as error:
                    log.warning("%s: %s", self.source_id, error)
                    self._rescan_at = time.monotonic() + min(LONGEST_WAIT, error.until - time.time())
                except (ConnectorError, StoreError) as error:
                    log.warning("%s: %s", self.source_id, error)
                    self._wait_longer()
                except Exception:
                    # a fault of ours must not end the following of a source: it is noted, shown, and tried again
                    log.exception("following %s failed", self.source_id)
                    self._note_fault()
                    self._wait_longer()
        finally:
            self._let_go()
            self._lock.release()

    def _step(self) -> None:
        if not self._is_ours():
            self._let_go()
            self._stopping.wait(OTHERS_SECONDS)
            return
        source = self._source
        if source.paused:
            self._let_go()
            self._stopping.wait(TICK_SECONDS)
            return
        if self._has_to_wait(source.wait_until) and source.requested_at is None:
            self._stopping.wait(TICK_SECONDS)
            return
        self._connect(source)
        given = self._unchanged("hints", self.sources.hints)
        hints = {*given, *self._seen_by_watch(source, 0 if given else TICK_SECONDS)}
        now = time.monotonic()
        if source.requested_at is not None or now >= self._rescan_at:
            self._rescan_at = now + getattr(self._connector, "rescan_seconds", RESCAN_SECONDS)
            self._look(source)
        elif hints:
            self._sync(source, hints)
            self.sources.drop_hints(self.source_id, given)
        elif now >= self._again_at:
            self._again_at = now + TRY_AGAIN_SECONDS
            if again := self.sources.failures_to_try_again(self.source_id):
                self._sync(source, again)

    def _is_ours(self) -> bool:
        """One worker of all that share the database follows a source; where it dies, the next one goes on."""
        if self._lock.is_held:
            return True
        try:
            self._lock.acquire()
        except Taken:
            return False
        return True

    def _has_to_wait(self, wait_until: float | None) -> bool:
        """Whether the other side has asked not to be asked yet; the clock may be set meanwhile, so it is read once."""
        if wait_until is None:
            self._waiting = None
            return False
        if self._waiting is None or self._waiting[0] != wait_until:
            self._waiting = wait_until, time.monotonic() + min(LONGEST_WAIT, wait_until - time.time())
        return time.monotonic() < self._waiting[1]

    def _connect(self, source: Source) -> None:
        settings = (source.config, source.secret)
        if self._connector is None or self._is_closed or settings != self._config:
            self._let_go()
            self._is_closed = False
            self._config = settings
            self._connector = self.connecting(self.workspace.home, source.kind, source.config, self.sources.secrets(source))
            self._rescan_at = 0.0
        if self._watch is None and isinstance(self._connector, Watched):
            self._watch = self._connector.watch()

    def _seen_by_watch(self, source: Source, seconds: float) -> set[str]:
        """What the watch has seen change; waits for it a moment."""
        if self._watch is None:
            self._stopping.wait(seconds)
            return set()
        try:
            with self._at_work():
                changes = self._watch.poll(seconds)
        except ConnectorError as error:
            self.sources.failed(self.source_id, error)
            raise
        if changes is None:
            return set()
        if not (changes.paths or changes.rescan or changes.lost) and source.state == "ready":
            self.sources.nothing_new(self.source_id)
        if changes.rescan or changes.lost:  # a full look tells apart what was lost and what was deleted
            self._rescan_at = 0.0
        return set(changes.paths)

    def _look(self, source: Source) -> None:
        """At everything; the first time in turn with others."""
        if source.synced_at is not None or source.chat_id is not None:
            self._sync(source, None)
            return
        with self._turns.turn(
            source.published > 0, self._is_cancelled, lambda: note_waiting(self.workspace, self.sources, source)
        ) as is_over:
            if not self._sync(source, None, is_over).is_whole:
                self._rescan_at = 0.0

    def _sync(self, source: Source, hints: set[str] | list[str] | None, gives_way: Callable[[], bool] = lambda: False) -> Synced:
        with self._at_work():
            done = sync(
                self.workspace, self.sources, source, hints, self._connector, self._is_cancelled, gives_way=gives_way,
                children=self._children,
            )  # fmt: skip
        self._backoff = 0.0
        self._synced(source, done)
        return done

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        self._asking = True
        try:
            yield
        finally:
            self._asking = False

    def _is_cancelled(self) -> bool:
        if self._stopping.is_set():
            return True
        source = self._source
        return source.paused or source.removing or (source.config, source.secret) != self._config

    def _wait_longer(self) -> None:
        self._backoff = min(LONGEST_BACKOFF, self._backoff * 2 or 2.0)
        self._rescan_at = time.monotonic() + self._backoff
        self._stopping.wait(min(self._backoff, 2.0))

    def _note_fault(self) -> None:
        try:
            self.sources.ended(
                self.source_id,
                "failed",
                "Something went wrong inside the app; it is written in worker.log. The app tries again by itself.",
            )
        except StoreError as error:
            log.error("%s", error)

    def _let_go(self) -> None:
        for held in (self._watch, self._connector):
            if held is not None and hasattr(held, "close"):
                held.close()
        self._watch = self._connector = None


def worker_of(opened: Workspace, connecting: Connecting = open_connector) -> Worker | TaskWorker:
    """With PostgreSQL one of many that share the sources, else the only one of its data folder."""
    sources, board = Sources(opened.database), board_of(opened.database)
    if board is None:
        return Worker(opened, sources, connecting=connecting)
    from ingestion.tasks.worker import TaskWorker  # its library is an extra, which most do without

    mailer = digest_mailer(opened)
    send = None if mailer is None else lambda is_told_to_stop: mailer.send_due(time.time(), is_told_to_stop)
    return TaskWorker(opened, sources, board, connecting, send)


def _stop_with_input(worker: Worker | TaskWorker) -> None:
    """Whoever started the worker holds its input open; when that ends, so does the worker."""
    sys.stdin.read()
    worker.stopping.set()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until told to stop, or until whoever started it is gone (its end of our standard input closes), unless it is to stay."""
    options = _parser().parse_args(arguments)
    logs.set_up(logging.INFO)
    heartbeat = Heartbeat(sys.stdout.buffer)
    if options.heartbeat:
        heartbeat.start()
    try:
        with workspace(options.home) as opened:
            worker = worker_of(opened)
            heartbeat.of(worker)
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: worker.stopping.set())
            if not options.stay:
                threading.Thread(target=partial(_stop_with_input, worker), daemon=True).start()
            collect_seldom()
            worker.run()
    except StoreError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ingestion.worker")
    parser.add_argument("--home")
    parser.add_argument(
        "--heartbeat", action="store_true", help="write an empty line to standard output every second while all is well"
    )
    parser.add_argument("--stay", action="store_true", help="go on when standard input ends: for a service that nobody holds")
    return parser


if __name__ == "__main__":
    loaded()
    sys.exit(main())
