"""One line per source on every page: whether it is in step, what changed, what stands in the way."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import Any

from tree.store.models import Source, Version
from ui.shared.tools import Tools
from ui.shared.trail import counted
from ui.shared.upgrades import in_words, look

NEWS_SECONDS = 600  # a change is told for this long
FRESH_SECONDS = 0.9  # many open pages share one look at the database


def line() -> None:
    """Drawn at the foot of the sidebar; the browser asks for the words by itself."""
    from ui.shared import components

    components.status()


class Board:
    """How all sources stand, looked up at most about once a second however many ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: list[dict[str, Any]] = []
        self._seen_of: object = None
        self._at = 0.0

    def sources(self, tools: Tools) -> list[dict[str, Any]]:
        with self._lock:
            if self._seen_of is not tools or time.monotonic() - self._at > FRESH_SECONDS:
                self._seen = [_standing(tools, source) for source in tools.sources.all()]
                self._seen_of, self._at = tools, time.monotonic()
            return self._seen


def _standing(tools: Tools, source: Source) -> dict[str, Any]:
    store = tools.workspace.store
    newest = next(iter(store.versions(limit=1, source_id=source.id)), None)
    unreadable, withheld = store.count_failures([source.id]), len(tools.sources.withheld(source.id))
    words = told(source, store.count_documents(source.id), unreadable, withheld, newest, time.time())
    return words | {"upgrades": in_words(look.of_source(tools.workspace, source.id))}


def told(source: Source, documents: int, unreadable: int, withheld: int, newest: Version | None, now: float) -> dict[str, Any]:
    """A source in words. `tone` is ready, busy, held, lost, failed or idle."""
    tone, words = _words(source, documents, now)
    if withheld and tone == "ready":
        tone = "held"
        words = f"{counted(withheld, 'document')} missing: say under Sources whether they are gone"
    detail = ", ".join(filter(None, (counted(documents, "document"), f"{unreadable} unreadable" if unreadable else "")))
    syncing = source.state == "syncing" and not source.paused
    return {
        "id": source.id,
        "name": source.name,
        "kind": source.kind,
        "state": "paused" if source.paused else source.state,
        "tone": tone,
        "words": words,
        "detail": detail,
        "news": _news(newest, now),
        "progress": min(1.0, source.done / source.total) if syncing and source.total else None,
        "documents": documents,
        "unreadable": unreadable,
        "withheld": withheld,
        "version": source.published,
        "synced_at": source.synced_at,
        "changed_at": source.changed_at,
    }


def _words(source: Source, documents: int, now: float) -> tuple[str, str]:
    held = counted(documents, "document")
    if source.paused:
        return "idle", f"Paused · {held}"
    if source.state == "lost":
        return "lost", f"Cannot be reached. {source.message}".strip()
    if source.state == "limited":
        until = f"until {datetime.fromtimestamp(source.wait_until):%H:%M}" if source.wait_until else "for now"
        return "held", f"Limited {until} · {held}"
    if source.state == "failed":
        return "failed", source.message or "Could not be read; the app tries again by itself."
    if source.state == "syncing":
        doing = "Reading" if source.synced_at is None else "Looking for changes"
        count = f": {source.done:,} of {source.total:,}" if source.total else ""
        return "busy", f"{doing}{count} · {held}" if documents else f"{doing}{count}"
    if source.synced_at is None:
        return "busy", "Waiting to be read"
    return "ready", f"In step {ago(now - source.synced_at)} · {held}"


def _news(newest: Version | None, now: float) -> str:
    if newest is None or now - newest.published_at > NEWS_SECONDS:
        return ""
    parts = [
        f"{counted(number, 'document')} {what}"
        for number, what in ((newest.added, "added"), (newest.changed, "changed"), (newest.removed, "removed"))
        if number
    ]
    titles = ", ".join(str(title) for title in newest.titles[:2])
    return f"{', '.join(parts)} {ago(now - newest.published_at)}" + (f": {titles}" if titles else "") if parts else ""


def ago(seconds: float) -> str:
    seconds = max(0.0, seconds)
    if seconds < 90:
        return f"{seconds:.0f} s ago"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} min ago"
    if seconds < 129_600:
        return f"{seconds / 3_600:.0f} h ago"
    if seconds < 5_184_000:
        return f"{seconds / 86_400:.0f} days ago"
    return f"{seconds / 2_629_800:.0f} months ago" if seconds < 63_072_000 else f"{seconds / 31_557_600:.0f} years ago"
