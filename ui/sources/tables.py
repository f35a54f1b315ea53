"""The lists of a source as tables: what could not be read, what left it, what is missing."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ingestion.source_status import describe_stale
from ingestion.sources import Missing
from ingestion.words import ago
from tree.store.models import FailureRow, Tombstone
from ui.shared.tables import long_table, short_table

PROBLEMS = {
    "unreadable": "Not readable", "encrypted": "Locked", "damaged": "Damaged", "empty": "Empty", "too large": "Too large",
    "needs OCR": "Pictures of text", "unsupported": "Unknown format", "limit": "Over a limit", "access": "No access",
    "closed": "No permission", "partial": "In part",
}  # fmt: skip
REMOVED = {
    "gone": "Deleted, moved or hidden",  # a server that hides something says the same as of what never was
    "hidden": "Access lost",
    "emptied": "Emptied",
    "here": "Still there",
}


def failures_table(failures: Sequence[FailureRow], key: str, now: float | None = None) -> None:
    """What could not be read, with the reason, since when, how often it was tried, and whether the tree keeps it."""
    now = time.time() if now is None else now
    rows = [(document_name(failure.title, failure.document_id), _reason(failure, now)) for failure in failures]
    long_table(("Document", "Reason, and what to do"), rows, key)


def _reason(failure: FailureRow, now: float) -> str:
    tried = "tried once" if failure.tries == 1 else f"tried {failure.tries} times"
    said = f"{PROBLEMS.get(failure.kind, failure.kind)}. {failure.reason} (First seen {ago(now - failure.since)}, {tried}.)"
    return " ".join(filter(None, (said, describe_stale(failure, now))))


def problems_table(documents: Sequence[Mapping[str, Any]], key: str) -> None:
    """What is missing of documents that were read only in part, as `DocumentRows.with_problems` returns them."""
    rows = [
        (
            document_name(document["title"], document["id"]),
            " ".join(f"{PROBLEMS.get(p.get('kind', ''), 'In part')}. {p.get('reason', '')}" for p in document["problems"]),
        )
        for document in documents
    ]
    long_table(("Document", "What is missing, and what to do"), rows, key)


def names_table(documents: Sequence[tuple[str, str]], key: str) -> None:
    """Documents as (title, id)."""
    short_table(("Document",), [(document_name(title, id_),) for title, id_ in documents], key)


def tombstones_table(tombstones: Sequence[Tombstone], now: float, key: str) -> None:
    """What left a source, why and when."""
    rows = [(gone.title, REMOVED.get(gone.verdict, gone.verdict), ago(now - gone.since)) for gone in tombstones]
    short_table(("Document", "Reason", "When"), rows, key)


def missing_table(missing: Sequence[Missing], key: str) -> None:
    """What a full rescan would remove, and why."""
    short_table(("Document", "Reason"), [(gone.title, REMOVED.get(gone.presence, gone.presence)) for gone in missing], key)


def document_name(title: str, document_id: str) -> str:
    """The title, with the path where that says more; a ticket's number in its server's database says nothing."""
    return title if document_id == title or document_id.isdecimal() else f"{title} ({document_id})"
