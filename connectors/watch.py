"""Watches a folder and hands over what changed in it, once it has stopped changing.

What it says are hints: they may name too much (hidden files, a folder for what is in it), and what they miss is
caught by the rescan that is due every few minutes. Nothing is read here; the connector looks for itself.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)  # fmt: skip
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from connectors.listing import encode_id

EVENTS = [
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent, FileClosedEvent, FileCreatedEvent, FileDeletedEvent,
    FileModifiedEvent, FileMovedEvent,
]  # fmt: skip  # not: opened and closed without writing, which our own reading causes
MOST_PENDING = 2_000  # changed paths; for more of them a rescan is cheaper
BURST = 8_000  # events within a second: half of what Linux queues before it drops some
CLOCK_NANOSECONDS = 2_000_000_000  # the coarsest clock of a file system: FAT counts in steps of two seconds
LOOK_SECONDS = 1.0  # how often the folder itself is looked at
NETWORK = ("nfs", "cifs", "smb", "sshfs", "9p", "vboxsf", "davfs", "afp", "glusterfs", "ceph", "virtiofs", "drvfs")
NO_EVENTS = "This is a network drive, which does not report changes: it is looked through every {seconds:g} seconds instead."
TOO_MANY = (
    "The system allows no more watched folders (inotify limit), so the folder is looked through every {seconds:g} seconds "
    "instead. To be quicker, raise fs.inotify.max_user_watches and max_user_instances."
)
NOT_WATCHABLE = "The system cannot watch this folder ({reason}), so it is looked through every {seconds:g} seconds instead."
AWAY = "The folder is not there now. It is watched again as soon as it is back."


@dataclass(frozen=True, slots=True)
class Hints:
    """What to do now: look at `paths`, look through everything, or know that the folder is gone."""

    paths: frozenset[str] = frozenset()  # ids of files and folders that may have changed
    rescan: bool = False
    lost: bool = False


Signature = tuple[int, int, int, int] | None  # when modified, when changed in any way (ns), size in bytes, inode


@dataclass(slots=True)
class _Pending:
    """A path that has changed: since when, and how it looked when that was last noticed."""

    since: float
    noticed: float
    signature: Signature
    moved: bool  # reported together with others: they are to be handed over together


@dataclass
class Watch:
    """Watches the folder `root` until closed. `poll` is for one thread; `close` may be called from any.

    A file that never stops changing (a log) is handed over every `cap_seconds`. `polling="auto"` looks the folder
    through instead of waiting for events on network drives and where the system's limits are reached.
    """

    root: str | os.PathLike[str]
    polling: bool | Literal["auto"] = "auto"
    settle_seconds: float = 0.7
    cap_seconds: float = 10.0
    rescan_seconds: float = 300.0
    poll_seconds: float = 5.0
    skipped: Collection[str] = ()  # relative paths of folders whose changes do not matter
    observer: Callable[[], BaseObserver] = Observer  # a test gives one that fails
    note: str = field(default="", init=False)  # why it is slower than usual, for people

    def __post_init__(self) -> None:
        self.folder = os.path.abspath(os.path.expanduser(self.root))
        self._changed = threading.Condition()
        self._pending: dict[str, _Pending] = {}
        self._rescan_due = False
        self._lost = False
        self._told_lost = False
        self._closed = False
        self._identity: tuple[int, int] | None = None
        self._burst = (0.0, 0)
        self._source: _Events | _Looking | None = None
        self._next_look = 0.0
        self._next_rescan = 0.0

    # ------------------------------------------------------------ for those who use it

    def start(self) -> Self:
        """Begins to watch; what changes from now on is handed over by `poll`. Start it before the first full fetch."""
        self._next_rescan = time.monotonic() + self.rescan_seconds
        self._look_at_root(first=True)
        return self

    def poll(self, timeout: float | None = None) -> Hints | None:
        """The next hints; None after `timeout` seconds without any, or when closed."""
        until = None if timeout is None else time.monotonic() + timeout
        while not self._closed:
            now = time.monotonic()
            if now >= self._next_look:
                self._look_at_root()
            if now >= self._next_rescan:
                self._check_limit()
            with self._changed:
                if hints := self._ready(time.monotonic()):
                    return hints
                now = time.monotonic()
                if until is not None and now >= until:
                    return None
                self._changed.wait(max(0.01, self._patience(now, until)))
        return None

    def close(self) -> None:
        """Stops watching and wakes whoever waits in `poll`."""
        self._closed = True
        with self._changed:
            self._changed.notify_all()
        self._stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ what is ready to be handed over

    def _ready(self, now: float) -> Hints | None:
        if self._lost and not self._told_lost:
            self._told_lost = True
            self._pending.clear()
            return Hints(lost=True)
        if self._lost:
            return None
        if len(self._pending) > MOST_PENDING:
            self._pending.clear()
            self._rescan_due = True
        if self._rescan_due or now >= self._next_rescan:
            self._rescan_due = False
            self._next_rescan = now + self.rescan_seconds
            return Hints(rescan=True)
        paths = self._settled(now)
        return Hints(paths=frozenset(encode_id(path.replace(os.sep, "/")) for path in paths)) if paths else None

    def _settled(self, now: float) -> list[str]:
        """The paths that have stopped changing, taken off the list. A folder waits for what is in it."""
        restless = {path for path, pending in self._pending.items() if not self._is_settled(path, pending, now)}
        busy = {folder for path in restless for folder in _ancestors(path)}
        done = [
            path
            for path, pending in self._pending.items()
            if path not in restless and (path not in busy or now - pending.since > self.cap_seconds)
        ]
        for path in done:
            del self._pending[path]
        folders = set(done)
        return [path for path in done if folders.isdisjoint(_ancestors(path))]  # a folder's hint covers what is in it

    def _is_settled(self, path: str, pending: _Pending, now: float) -> bool:
        if now - pending.noticed < self._settle(pending) and now - pending.since < self.cap_seconds:
            return False
        signature = _signature(os.path.join(self.folder, path))
        if signature != pending.signature and now - pending.since < self.cap_seconds:
            pending.signature, pending.noticed = signature, now
            return False
        return True

    def _settle(self, pending: _Pending) -> float:
        """What is gone only waits for being replaced; the system reports what was moved away half a second late."""
        gone = pending.signature is None and not pending.moved
        return 0.6 * self.settle_seconds if gone else self.settle_seconds

    def _patience(self, now: float, until: float | None) -> float:
        """How long nothing can become ready."""
        times = [self._next_look, self._next_rescan]
        times += [] if until is None else [until]
        times += [
            min(pending.noticed + self._settle(pending), pending.since + self.cap_seconds) for pending in self._pending.values()
        ]
        return min(times) - now

    # ------------------------------------------------------------ what the sources of events call

    def _notice(self, paths: Collection[str]) -> None:
        now, moved = time.monotonic(), len(paths) > 1
        with self._changed:
            for path in paths:
                if (relative := self._relative(path)) is None:
                    continue
                signature = _signature(path)
                if held := self._pending.get(relative):
                    held.noticed, held.signature, held.moved = now, signature, held.moved or moved
                else:
                    self._pending[relative] = _Pending(now, now, signature, moved)
                self._count(now)
            self._changed.notify_all()

    def _count(self, now: float) -> None:
        """Notices bursts in which the system may have dropped events."""
        since, count = self._burst
        self._burst = (since, count + 1) if now - since < 1.0 else (now, 1)
        if self._burst[1] == BURST:
            self._rescan_due = True

    def _relative(self, path: str) -> str | None:
        relative = os.path.relpath(path, self.folder)
        if relative == "." or relative.startswith(".."):
            return None
        return None if any(relative == skip or relative.startswith(f"{skip}{os.sep}") for skip in self.skipped) else relative

    # ------------------------------------------------------------ the folder itself

    def _look_at_root(self, first: bool = False) -> None:
        """Notices that the folder went away, came back, or is another one than before (a drive was changed)."""
        self._next_look = time.monotonic() + LOOK_SECONDS
        identity = _identity(self.folder)
        if identity == self._identity and not first:
            return
        self._identity = identity
        self._stop()
        if identity is None:
            self._lost, self._told_lost, self.note = True, False, AWAY
            return
        self._lost = False
        self._begin()
        self._rescan_due = not first
        if self._closed:  # meanwhile, by another thread
            self._stop()

    def _begin(self) -> None:
        self.note = ""
        polling = self.polling
        if polling == "auto" and _on_network(self.folder):
            polling, self.note = True, NO_EVENTS.format(seconds=self.poll_seconds)
        if polling is not True:
            try:
                self._source = _Events(self)
                return
            except OSError as error:
                if not os.path.isdir(self.folder):
                    self._identity = None
                    self._lost, self._told_lost, self.note = True, False, AWAY
                    return
                self.note = self._why_slower(error)
        self._source = _Looking(self)

    def _why_slower(self, error: OSError) -> str:
        words = TOO_MANY if error.errno in (errno.ENOSPC, errno.EMFILE) else NOT_WATCHABLE
        return words.format(seconds=self.poll_seconds, reason=error.strerror or error)

    def _check_limit(self) -> None:
        """New subfolders may have used up what the system allows since the folder was first watched."""
        if isinstance(self._source, _Events):
            try:
                self._source.probe()
            except OSError as error:
                self.note = self._why_slower(error)
                self._source = _Looking(self)

    def _stop(self) -> None:
        source, self._source = self._source, None
        if source:
            source.stop()


class _Events(FileSystemEventHandler):
    """Changes as the system reports them. Raises OSError where it cannot."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.observer: Any = watch.observer()
        self.observer.schedule(self, watch.folder, recursive=True, event_filter=EVENTS)
        self.observer.start()
        self.probe()

    def probe(self) -> None:
        """Raises OSError where the system's limit is reached: watchdog leaves subfolders out without a word then."""
        with tempfile.TemporaryDirectory(prefix="knowledge-tree-") as folder:
            try:
                self.observer.unschedule(self.observer.schedule(FileSystemEventHandler(), folder))
            except OSError:
                self.stop()
                raise

    def on_any_event(self, event: FileSystemEvent) -> None:
        self.watch._notice([os.fsdecode(path) for path in (event.src_path, event.dest_path) if path])

    def stop(self) -> None:
        self.observer.stop()
        if self.observer.is_alive():
            self.observer.join(5)


class _Looking:
    """Changes as found by looking through the folder again and again."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.stopped = threading.Event()
        self.seen = dict(_look_through(watch.folder))
        self.fresh: set[str] = set()  # changed so shortly before they were looked at that a second change might not show
        self.thread = threading.Thread(target=self._run, name="watch by looking", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        pause = self.watch.poll_seconds
        while not self.stopped.wait(pause):
            began = time.monotonic()
            self._compare()
            pause = max(self.watch.poll_seconds, 3 * (time.monotonic() - began))  # a slow drive is left in peace

    def _compare(self) -> None:
        root = self.watch.folder
        if not os.path.isdir(root):  # the watch itself says so; what cannot be seen has not been deleted
            return
        began = time.time_ns()
        now = dict(_look_through(root))
        until = time.time_ns() + CLOCK_NANOSECONDS
        changed = {path for path in self.seen.keys() | now.keys() if self.seen.get(path) != now.get(path)} | self.fresh
        self.fresh = {path for path, found in now.items() if found and began - CLOCK_NANOSECONDS < found[0] < until}
        self.seen = now
        if changed:
            self.watch._notice(changed)

    def stop(self) -> None:
        self.stopped.set()
        if self.thread is not threading.current_thread():
            self.thread.join(5)


def _look_through(root: str) -> Iterable[tuple[str, Signature]]:
    """Every file below the folder with what changes when it does."""
    folders = [root]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif (signature := _signature(entry.path)) is not None:
                        yield entry.path, signature
        except OSError:  # gone or closed meanwhile: the connector says what that means
            continue


def _signature(path: str) -> Signature:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _identity(root: str) -> tuple[int, int] | None:
    try:
        status = os.stat(root)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if os.path.isdir(root) else None


def _ancestors(path: str) -> Iterable[str]:
    while path := os.path.dirname(path):
        yield path


def _on_network(root: str) -> bool:
    """Whether Linux says that the folder lies on a kind of file system that other machines change without events."""
    if not sys.platform.startswith("linux"):
        return False
    best, kind = "", ""
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as mounts:
            for line in mounts:
                _, place, name, *_ = line.split(" ")
                place = place.encode("latin-1", "replace").decode("unicode_escape") if "\\" in place else place
                if (root == place or root.startswith(place.rstrip("/") + "/")) and len(place) >= len(best):
                    best, kind = place, name
    except OSError:
        return False
    return any(word in kind for word in NETWORK)
