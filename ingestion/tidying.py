"""What is deleted for its age, and what a removed source left."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from ingestion.sources import Sources
from prompts.regex import regex
from tree.store.forgetting import compact_upgrades, forget_before, forget_source
from tree.workspace import Workspace

KEEP_DAYS = 30  # versions older than this are forgotten
TIDY_SECONDS = 3600
JUMP_SECONDS = 3600  # by which the clock may be set while we run; more, and no age is believed
FOLLOWING = "follow-"  # before the id of a source: the lock of whoever follows it; the id alone is that of whoever syncs it
OF_SOURCE = regex(rf"(?:{FOLLOWING})?(s[0-9a-f]{{17}}|[0-9a-f]{{8}})")  # names of locks; the shorter ids are of earlier releases

log = logging.getLogger("knowledge-tree")


def _elapsed() -> float:
    """Seconds since the machine was started, sleep included where the system counts it."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Clock:
    """The time of day, and whether somebody has set it since this was made. `elapsed` counts on while the machine sleeps."""

    def __init__(self, now: Callable[[], float] = time.time, elapsed: Callable[[], float] = _elapsed) -> None:
        self.now = now
        self._elapsed = elapsed
        self._offset = now() - elapsed()

    def has_jumped(self) -> bool:
        return abs(self.now() - self._elapsed() - self._offset) > JUMP_SECONDS


def tidy(workspace: Workspace, sources: Sources, clock: Clock) -> None:
    if clock.has_jumped():
        log.warning("The clock was set by more than an hour: nothing is deleted for its age until the app is started again.")
        return
    now = clock.now()
    forget_before(workspace.database, now - KEEP_DAYS * 86_400)
    compact_upgrades(workspace.database, now - TIDY_SECONDS)
    workspace.model.fold_spending()
    sources.forget_tombstones(now - KEEP_DAYS * 86_400)
    _forget_locks(workspace, sources)


def remove(workspace: Workspace, sources: Sources, source_id: str) -> None:
    """Deletes what was read from a source that is being removed, and then the source."""
    forget_source(workspace.database, source_id)
    sources.delete(source_id)
    workspace.index.catch_up()
    _forget_locks(workspace, sources)


def _forget_locks(workspace: Workspace, sources: Sources) -> None:
    """Those of sources that are gone. One that is still held, as by a sync that has not noticed yet, stays until the next time."""
    locks = workspace.database.locks
    of = {name: found[1] for name in locks.names() if (found := OF_SOURCE.fullmatch(name)) is not None}
    if not of:
        return
    there = sources.ids()  # asked for after the locks: none of these is of a source that was added meanwhile
    for name, source_id in of.items():
        if source_id not in there:
            locks.forget(name)
