"""What is wanted becomes tasks: our tables are held against what waits or runs, and what is missing is deferred.

It is done every few seconds by whichever worker is free, and at once where somebody has asked for something. So nothing is lost
with the engine's rows: whatever was wanted is deferred again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

from ingestion.sources import Sources
from ingestion.sync import note_waiting
from ingestion.tasks.board import WATCHES, Task, TaskBoard
from tree.store.models import Source
from tree.workspace import Workspace

SYNC, WATCH, REMOVE, UPGRADE = "sync", "watch", "remove", "upgrade"
NEW = "new"  # the first look at everything in a source, of which nobody can ask anything before
LOOKS = "looks"  # at everything in a source: they take long, and each worker does a few at once
CHANGES = "changes"  # what was named, and files that somebody waits for in a chat
QUIET = "background"  # what mostly waits
PUT_OFF_SECONDS = 900.0  # a task that somebody cancelled is not begun again before


def plan(workspace: Workspace, sources: Sources, board: TaskBoard, is_watched: Callable[[Source], bool]) -> int:
    """Returns how many tasks were deferred, or brought forward."""
    board.take_back()
    standing, put_off = board.standing(), board.put_off(PUT_OFF_SECONDS)
    hinted, done = sources.hinted(), 0
    for source in [*sources.all(), *sources.of_chats(to_be_read=True)]:
        if source.paused:
            continue
        if source.chat_id is None and watch_key(source.id) not in standing and is_watched(source):
            at = _not_before(put_off, watch_key(source.id))
            done += board.defer(WATCH, watch_key(source.id), WATCHES, at=at, source_id=source.id)
        done += _plan_sync(workspace, source, sources, hinted, board, standing, put_off)
    for source_id in sources.removing():
        done += board.defer(REMOVE, f"{REMOVE} {source_id}", QUIET, source_id=source_id)
    if UPGRADE not in standing and is_upgrading(workspace):
        done += board.defer(UPGRADE, UPGRADE, QUIET, at=_not_before(put_off, UPGRADE))
    return done


def _plan_sync(
    workspace: Workspace, source: Source, sources: Sources, hinted: Collection[str], board: TaskBoard, standing: Mapping[str, Task],
    put_off: Mapping[str, float],
) -> bool:  # fmt: skip
    """One task of a source waits or runs; what comes to be wanted while it runs, it sees when it ends."""
    task, asked = standing.get(sync_key(source.id)), source.requested_at
    if task is None:
        is_newer = asked is not None and asked > put_off.get(sync_key(source.id), 0.0)
        at = None if is_newer else _not_before(put_off, sync_key(source.id))
        return board.defer(
            SYNC, sync_key(source.id), queue_of(source, is_look=True), at=at, is_first=is_first(source), source_id=source.id,
            asked=asked,
        )  # fmt: skip
    if task.status == "doing":
        return False
    if task.due_at is None or task.due_at <= time.time():
        if task.queue == NEW:
            note_waiting(workspace, sources, source)
        return False
    if asked is not None and asked != task.arguments.get("asked"):  # later than what it waits for, which may be in vain
        return board.begin_anew(task, queue_of(source, is_look=True), is_first(source), asked=asked)
    is_limited = source.wait_until is not None and source.wait_until > time.time()
    if source.id in hinted and not task.tries and not is_limited:
        return board.begin_anew(task, CHANGES)
    return False


def sync_key(source_id: str) -> str:
    return f"{SYNC} {source_id}"


def watch_key(source_id: str) -> str:
    return f"{WATCH} {source_id}"


def queue_of(source: Source, is_look: bool) -> str:
    if not is_look or source.chat_id is not None:
        return CHANGES
    return NEW if source.synced_at is None else LOOKS


def is_first(source: Source) -> bool:
    """Whether nothing of it can be asked yet: then it goes before those that were read in part."""
    return source.published == 0


def is_upgrading(workspace: Workspace) -> bool:
    """Whether a model is set that is to read what was published."""
    try:
        choice = workspace.model.choice()
    except ValueError:  # in the environment; the page shows it
        return False
    return choice.settings is not None and choice.upgrades


def _not_before(put_off: Mapping[str, float], key: str) -> float | None:
    return put_off[key] + PUT_OFF_SECONDS if key in put_off else None
