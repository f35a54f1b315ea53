"""The lists of a source as tables: what could not be read, what left it, what is missing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from ingestion.sources import Missing
from ingestion.words import ago
from tree.store.models import FailureRow, Tombstone
from ui.shared.tables import text_table

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


def failures_table(failures: Iterable[FailureRow], key: str, now: float | None = None) -> None:
    """What could not be read, with the reason, since when, and how often it was tried."""
    now = time.time() if now is None else now
    rows = [
        (
            document_name(failure.title, failure.document_id),
            f"{PROBLEMS.get(failure.kind, failure.kind)}. {failure.reason}" + _kept(failure, now),
            ago(now - failure.since),
            "once" if failure.tries == 1 else f"{failure.tries} times",
        )
        for failure in failures
    ]
    text_table(("Document", "Reason, and what to do", "First seen", "Tried"), rows, key, wide="Reason, and what to do")


def _kept(failure: FailureRow, now: float) -> str:
    """What the tree has of it nevertheless, in words."""
    return "" if failure.read_at is None else f" Last read {ago(now - failure.read_at)}; the text of then is kept."


def problems_table(documents: Iterable[Mapping[str, Any]], key: str) -> None:
    """What is missing of documents that were read only in part, as `Store.documents_with_problems` returns them."""
    rows = [
        (
            document_name(document["title"], document["id"]),
            " ".join(f"{PROBLEMS.get(p.get('kind', ''), 'In part')}. {p.get('reason', '')}" for p in document["problems"]),
        )
        for document in documents
    ]
    text_table(("Document", "What is missing, and what to do"), rows, key, wide="What is missing, and what to do")


def names_table(documents: Iterable[tuple[str, str]], key: str) -> None:
    """Documents as (title, id)."""
    text_table(("Document",), [(document_name(title, id_),) for title, id_ in documents], key)


def tombstones_table(tombstones: Iterable[Tombstone], now: float, key: str) -> None:
    """What left a source, why and when."""
    rows = [(gone.title, REMOVED.get(gone.verdict, gone.verdict), ago(now - gone.since)) for gone in tombstones]
    text_table(("Document", "Reason", "When"), rows, key)


def missing_table(missing: Iterable[Missing], key: str) -> None:
    """What a full rescan would remove, and why."""
    text_table(("Document", "Reason"), [(gone.title, REMOVED.get(gone.verdict, gone.verdict)) for gone in missing], key)


def document_name(title: str, document_id: str) -> str:
    """The title, with the path where that says more; a ticket's number in its server's database says nothing."""
    return title if document_id == title or document_id.isdecimal() else f"{title} ({document_id})"
