"""One line per source on every page: its state, what changed lately, what stands in the way."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

from ingestion.source_status import describe_status
from ingestion.words import ago, counted
from tree.store.models import Source, Version
from ui.server.tools import Tools
from ui.server.upgrades import in_words, upgrade_progress

NEWS_SECONDS = 600  # a change is shown for this long
FRESH_SECONDS = 0.9  # many open pages share one look at the database


class StatusBoard:
    """The state of all sources, looked up at most about once a second however many ask, and counted only where anything was written
    since. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: list[tuple[dict[str, Any], str]] = []  # each with its words for whoever is not an admin
        self._workspace: object = None
        self._read_at = 0.0

    def sources(self, tools: Tools) -> list[dict[str, Any]]:
        """A line for each source that whoever looks may see, as `status_line` makes it. Raises StoreError.

        What there is to do is told to admins alone: it is theirs, and it names folders of the server and accounts.
        """
        visible, is_admin = {source.id for source in tools.visible_sources()}, tools.principal.is_admin
        return [line if is_admin else line | {"words": words} for line, words in self._all(tools) if line["id"] in visible]

    def _all(self, tools: Tools) -> list[tuple[dict[str, Any], str]]:
        with self._lock:
            if self._workspace is not tools.workspace or time.monotonic() - self._read_at > FRESH_SECONDS:
                sources = tools.sources.all()
                counts = tools.workspace.database.unchanged("counts of sources", lambda: [_counts(tools, one) for one in sources])
                by_id = {one.source_id: one for one in counts}
                self._lines = [_line_of(tools, source, by_id.get(source.id) or _counts(tools, source)) for source in sources]
                self._workspace, self._read_at = tools.workspace, time.monotonic()
            return self._lines


class _Counts(NamedTuple):
    """What a line says of a source that only changes when something is written."""

    source_id: str
    documents: int
    unreadable: int
    awaiting_approval: int
    stale: int
    newest: Version | None


def _counts(tools: Tools, source: Source) -> _Counts:
    store = tools.workspace.store
    newest = next(iter(store.versions.with_changes(limit=1, source_id=source.id)), None)
    unreadable, awaiting_approval = store.failures.count([source.id]), len(tools.sources.awaiting_approval(source.id))
    stale = len(tools.sources.stale(source.id)) if unreadable else 0
    return _Counts(source.id, store.documents.count(source.id), unreadable, awaiting_approval, stale, newest)


def _line_of(tools: Tools, source: Source, found: _Counts) -> tuple[dict[str, Any], str]:
    now = time.time()
    line = status_line(source, found.documents, found.unreadable, found.awaiting_approval, found.newest, now, found.stale)
    status = describe_status(
        source, now, awaiting_approval=found.awaiting_approval, stale=found.stale, unreadable=found.unreadable
    )
    upgrades = in_words(upgrade_progress.of_source(tools.workspace, source.id))
    return line | {"upgrades": upgrades}, _short(status.label, status.sentence, "")


def status_line(
    source: Source, documents: int, unreadable: int, awaiting_approval: int, newest: Version | None, now: float, stale: int = 0
) -> dict[str, Any]:
    """A source as the status line draws it and `/api/status` answers. `tone` is as in SourceStatus."""
    status = describe_status(source, now, awaiting_approval=awaiting_approval, stale=stale, unreadable=unreadable)
    detail = ", ".join(filter(None, (counted(documents, "document"), f"{unreadable} unreadable" if unreadable else "")))
    return {
        "id": source.id,
        "name": source.name,
        "kind": source.kind,
        "state": "paused" if source.paused else source.state,
        "tone": status.tone,
        "label": status.label,
        "words": _short(status.label, status.sentence, status.to_do if status.tone in ("warning", "error") else ""),
        "detail": detail,
        "news": _news(source, documents, newest, now),
        "progress": status.share,
        "documents": documents,
        "unreadable": unreadable,
        "awaiting_approval": awaiting_approval,
        "version": source.published,
        "synced_at": source.synced_at,
        "changed_at": source.changed_at,
    }


def _short(label: str, sentence: str, to_do: str) -> str:
    """A line for a narrow sidebar: what there is to do comes instead of the details."""
    return f"{label}. {to_do or sentence}".rstrip()


def _news(source: Source, documents: int, newest: Version | None, now: float) -> str:
    if newest is None or now - newest.published_at > NEWS_SECONDS:
        return ""
    if source.first_read_at is not None and newest.published_at <= source.first_read_at:  # the last of the parts it came in
        return f"{counted(documents, 'document')} read for the first time {ago(now - source.first_read_at)}"
    parts = [
        f"{counted(number, 'document')} {what}"
        for number, what in ((newest.added, "added"), (newest.changed, "changed"), (newest.removed, "removed"))
        if number
    ]
    titles = ", ".join(str(title) for title in newest.titles[:2])
    return f"{', '.join(parts)} {ago(now - newest.published_at)}" + (f": {titles}" if titles else "") if parts else ""
