"""The state of a source in words: one wording for the status line, the page of sources and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ingestion.words import ago, counted, duration
from tree.store.models import FailureRow, Source

Tone = Literal["ok", "busy", "idle", "warning", "error"]
ASK_ALREADY = "You can ask questions already; what is not read yet is missing from answers."
WORKER_SECONDS = 20  # after which a requested sync that has not begun means that no worker runs


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """`label` is a few words, `sentence` the details, `to_do` what somebody can do where something is to be done.

    `share` is how much of the running sync is done, between 0 and 1; None while that is not known.
    """

    tone: Tone
    label: str
    sentence: str
    to_do: str = ""
    share: float | None = None

    @property
    def in_one_line(self) -> str:
        """ "Up to date. Checked 3 s ago." with what there is to do, if anything."""
        return " ".join(filter(None, (f"{self.label}.", self.sentence, self.to_do)))


def is_busy(source: Source) -> bool:
    """Whether a sync is running, waits for its turn, or is requested."""
    return not source.paused and (source.state in ("syncing", "waiting") or source.requested_at is not None)


def describe_status(
    source: Source,
    now: float,
    *,
    seconds_left: float | None = None,
    awaiting_approval: int = 0,
    stale: int = 0,
    unreadable: int = 0,
    is_running: bool = True,
) -> SourceStatus:
    """The state of a source at the moment `now` (seconds since 1970).

    `seconds_left` is how long the running sync will take, where that is known; `awaiting_approval` how many missing documents wait
    for a confirmation; `unreadable` how many could not be read, and `stale` how many of these are kept as they were; `is_running` is
    False where the process of a sync that began was ended, and where none is that one that waits could wait for.
    """
    as_of = f"The tree holds what was there {ago(now - source.synced_at)}." if source.synced_at else "Nothing has been read yet."
    if source.paused:
        return SourceStatus("idle", "Paused", f"Changes are not read until you resume. {as_of}")
    if source.state == "syncing" and is_running and source.is_unreachable:
        return SourceStatus("warning", "Trying again", f"It could not be read before. {as_of}", source.message)
    if source.state == "syncing" and is_running:
        return _syncing(source, seconds_left)
    if source.state == "waiting" and is_running:
        return _waiting(source)
    if source.requested_at is not None and now - source.requested_at > WORKER_SECONDS:
        to_do = "Restart the app. If that does not help, look into worker.log in the data folder."
        return SourceStatus("error", "Sync not started", f"A sync was requested and no worker has started it. {as_of}", to_do)
    if source.state == "lost":
        return SourceStatus("warning", "Cannot be read now", as_of, source.message)
    if source.state == "limited":
        until = f"until {datetime.fromtimestamp(source.wait_until):%H:%M}" if source.wait_until else "for now"
        return SourceStatus("warning", f"Rate limited {until}", f"The server asked the app to wait. {as_of}", source.message)
    if source.state == "failed":
        return SourceStatus("error", "Sync failed", as_of, source.message or "The app tries again by itself.")
    if source.requested_at is not None or source.synced_at is None:
        return SourceStatus("busy", "Waiting to sync", "It starts in a moment.")
    if source.state in ("stopped", "syncing"):
        return SourceStatus("idle", "Sync interrupted", f"The next sync continues where this one ended. {as_of}")
    checked = f"Checked {ago(now - source.synced_at)}."
    if awaiting_approval:
        to_do = f"{counted(awaiting_approval, 'document')} went missing at once. Confirm the deletion, or check again."
        return SourceStatus("warning", "Confirmation needed", checked, to_do)
    if stale:
        to_do = f"{counted(stale, 'document')} cannot be read now, kept as last read. The app tries again by itself."
        others = unreadable - stale
        to_do += f" {counted(others, 'other')} could not be read." if others > 0 else ""
        return SourceStatus("warning", "Partly up to date", checked, to_do)
    return SourceStatus("ok", f"Up to date, but {unreadable:,} could not be read" if unreadable else "Up to date", checked)


def _waiting(source: Source) -> SourceStatus:
    others = "Other new sources are being read before it"
    label, to_do = "Waiting for its turn", ASK_ALREADY if source.published else ""
    if not source.total:
        return SourceStatus("busy", label, f"{others}.", to_do)
    done = min(source.done, source.total)
    sentence = f"{done:,} of {source.total:,} documents checked. {others} goes on."
    return SourceStatus("busy", label, sentence, to_do, done / source.total)


def _syncing(source: Source, seconds_left: float | None) -> SourceStatus:
    to_do = ASK_ALREADY if source.synced_at is None else ""
    if not source.total:
        return SourceStatus("busy", "Syncing", "Listing the documents …", to_do)
    done = min(source.done, source.total)
    left = f", {duration(seconds_left)} left" if seconds_left is not None and done < source.total else ""
    return SourceStatus("busy", "Syncing", f"{done:,} of {source.total:,} documents checked{left}.", to_do, done / source.total)


def describe_stale(failure: FailureRow, now: float) -> str:
    """What is to be known of a document that cannot be read now and that the tree still has; empty where it has it not."""
    if failure.read_at is None:
        return ""
    return f"Cannot be read now. Kept as it was read {ago(now - failure.read_at)}."
