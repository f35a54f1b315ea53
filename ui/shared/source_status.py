"""How a source stands, in words for a person: its state, its counts, and what could not be read of it."""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from ingestion.sources import Missing
from tree.store.models import FailureRow, Source, Tombstone
from tree.store.rows import Store
from ui.shared.status import ago

Tone = Literal["green", "blue", "gray", "orange", "red"]
WORKER_SECONDS = 20  # after which a request that nobody takes up means that nothing is reading

KINDS = {
    "folder": ("Folder", ":material/folder:"),
    "pdf": ("PDFs", ":material/picture_as_pdf:"),
    "jira": ("Jira", ":material/confirmation_number:"),
}
PROBLEMS = {
    "unreadable": "Not readable", "encrypted": "Locked", "damaged": "Damaged", "empty": "Empty", "too large": "Too large",
    "needs OCR": "Pictures of text", "unsupported": "Unknown format", "limit": "Too much", "closed": "Not allowed", "access": "Not ours", "partial": "In part",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A state in words: a label with colour and icon, a sentence, and what to do where something is to be done."""

    tone: Tone
    icon: str
    label: str
    sentence: str
    to_do: str = ""
    share: float | None = None  # of the way, while it reads


def is_busy(source: Source) -> bool:
    """Whether something is going on, or about to."""
    return not source.paused and (source.state == "syncing" or source.requested_at is not None)


def told(source: Source, now: float, left: float | None = None, withheld: int = 0) -> Told:
    """`left` are the seconds that reading on will take, where that is known; `withheld` how many documents are missing."""
    as_of = f"as it was {ago(now - source.synced_at)}" if source.synced_at else ""
    if source.paused:
        known = f"What is known is {as_of}." if as_of else "Nothing was read yet."
        return Told("gray", ":material/pause_circle:", "Paused", f"Changes are not read until you resume. {known}")
    if source.state == "syncing":
        return _reading(source, left)
    if source.requested_at is not None and now - source.requested_at > WORKER_SECONDS:
        to_do = "Restart the app. If that does not help, look into worker.log in the data folder."
        return Told("red", ":material/error:", "Not being read", "Somebody asked for a sync, and nothing has begun it.", to_do)
    if source.state == "lost":
        known = f"Answers go on using it {as_of}, and say so." if as_of else "Nothing was read from it yet."
        return Told("orange", ":material/cloud_off:", "Cannot be reached", known, source.message)
    if source.state == "limited":
        until = f"until {datetime.fromtimestamp(source.wait_until):%H:%M}" if source.wait_until else "for now"
        return Told(
            "orange",
            ":material/hourglass_top:",
            f"Limited {until}",
            f"It asked us to wait. What is known is {as_of}." if as_of else "It asked us to wait.",
            source.message,
        )
    if source.state == "failed":
        known = f"It could not be read. What is known is {as_of}." if as_of else "It could not be read."
        return Told("red", ":material/error:", "Needs your help", known, source.message)
    if source.requested_at is not None or source.synced_at is None:
        return Told("blue", ":material/schedule:", "Waiting", "It is read in a moment.")
    if source.state == "stopped":
        return Told("gray", ":material/stop_circle:", "Stopped", f"The next sync goes on from here. What is known is {as_of}.")
    if withheld:
        return Told(
            "orange",
            ":material/help:",
            "Your word is needed",
            f"{_looked(source).capitalize()} {ago(now - source.synced_at)}: much of it went missing at once.",
        )
    return Told(
        "green",
        ":material/check_circle:",
        "In step",
        f"The tree is what the source holds, {_looked(source)} {ago(now - source.synced_at)}.",
    )


def _looked(source: Source) -> str:
    return "asked" if source.kind == "jira" else "looked at"


def _reading(source: Source, left: float | None) -> Told:
    first = source.synced_at is None
    label = "Reading" if first else "Looking for changes"
    if not source.total:
        return Told("blue", ":material/sync:", label, "Listing what there is …")
    done = min(source.done, source.total)
    sentence = f"{done:,} of {source.total:,} documents looked at" + (
        f", {lasting(left)} left" if left is not None and done < source.total else ""
    )
    to_do = "You can ask questions already; what is not read yet is missing from answers." if first else ""
    return Told("blue", ":material/sync:", label, sentence + ".", to_do, done / source.total)


def lasting(seconds: float) -> str:
    if seconds < 55:
        return "less than a minute"
    minutes = round(seconds / 60)
    if minutes >= 90:
        return f"about {minutes / 60:.0f} hours"
    return f"about {minutes} minutes" if minutes > 1 else "about a minute"


def time_left(source: Source, before: tuple[float, int] | None, now: float) -> float | None:
    """Seconds until all is looked at, going by the progress since `before` (moment, done)."""
    if before is None or not source.total or now - before[0] < 3 or source.done <= before[1]:
        return None
    return (source.total - source.done) * (now - before[0]) / (source.done - before[1])


# ---------------------------------------------------------------- counts


_slow: dict[tuple[str, int], dict[str, int]] = {}


def counts(store: Store, source: Source) -> dict[str, int]:
    """Documents, passages, places, depth, and documents read only in part; looked up once for each published version."""
    key = (f"{store.database.home}/{source.id}", source.published)
    if key not in _slow:
        root = store.node(f"{source.id}/")
        for old in [known for known in _slow if known[0] == key[0]]:
            _slow.pop(old, None)
        _slow[key] = {
            "documents": store.count_documents(source.id),
            "leaves": root.leaves if root else 0,
            "nodes": store.count_nodes(source.id),
            "depth": root.height if root else 0,
            "partly": len(store.documents_with_problems(source.id)),
        }
    return _slow[key]


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def counts_in_words(found: Mapping[str, int]) -> str:
    if not found["documents"]:
        return "Nothing in the tree yet"
    return " · ".join(
        (
            counted(found["documents"], "document", "documents"),
            counted(found["leaves"], "passage", "passages"),
            counted(found["nodes"], "place in the tree", "places in the tree"),
            counted(found["depth"], "level", "levels"),
        )
    )


# ---------------------------------------------------------------- tables


def failures_table(failures: Iterable[FailureRow], now: float | None = None) -> str:
    """What could not be read, as HTML in which every word of a document is only a word."""
    now = time.time() if now is None else now
    rows = [
        (
            _document(failure.title, failure.document_id),
            f"<b>{plain(PROBLEMS.get(failure.kind, failure.kind))}.</b> {plain(failure.reason)}",
            f'<span title="{plain(_moment(failure.since))}">{plain(ago(now - failure.since))}</span>',
            plain("once" if failure.tries == 1 else f"{failure.tries} times"),
        )
        for failure in failures
    ]
    return table(("Document", "Why, and what to do", "First seen", "Tried"), rows)


def problems_table(documents: Iterable[Mapping[str, Any]]) -> str:
    rows = [
        (
            _document(document["title"], document["id"]),
            "<br>".join(
                f"<b>{plain(PROBLEMS.get(p.get('kind', ''), 'In part'))}.</b> {plain(p.get('reason', ''))}"
                for p in document["problems"]
            ),
        )
        for document in documents
    ]
    return table(("Document", "What is missing, and what to do"), rows)


def names_table(documents: Iterable[tuple[str, str]]) -> str:
    return table(("Document",), [(_document(title, id_),) for id_, title in documents])


GONE = {
    "gone": "Deleted, moved away or hidden from us",  # a server that hides something says the same as of what never was
    "hidden": "There, but not ours to see any more",
    "emptied": "Saved with nothing in it",
    "here": "Still there",
}


def tombstones_table(tombstones: Iterable[Tombstone], now: float) -> str:
    rows = [(plain(gone.title), plain(GONE.get(gone.verdict, gone.verdict)), plain(ago(now - gone.since))) for gone in tombstones]
    return table(("Document", "What became of it", "When"), rows)


def missing_table(missing: Iterable[Missing]) -> str:
    return table(("Document", "What became of it"), [(plain(gone.title), plain(GONE[gone.verdict])) for gone in missing])


def _document(title: str, document_id: str) -> str:
    says_nothing = document_id == title or document_id.isdecimal()  # a ticket's number in its server's database
    below = "" if says_nothing else f"<br><small>{plain(document_id)}</small>"
    return f"{plain(title)}{below}"


def plain(text: str) -> str:
    return html.escape(text, quote=True)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%d %B %Y, %H:%M")


_STYLE = """<style>
.kt-table { width: 100%; border-collapse: collapse; font-size: 0.9rem; line-height: 1.45 }
.kt-table th { text-align: left; font-weight: 600; opacity: 0.75; font-size: 0.82rem; padding: 0.3rem 0.9rem 0.3rem 0 }
.kt-table td { vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-top: 1px solid rgba(128, 140, 138, 0.28); overflow-wrap: anywhere }
.kt-table td:first-child { min-width: 9rem }
.kt-table td:nth-child(3), .kt-table td:nth-child(4) { white-space: nowrap }
.kt-table small { opacity: 0.72 }
@media (max-width: 640px) {
  .kt-table thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden }
  .kt-table tr { display: block; padding: 0.5rem 0; border-top: 1px solid rgba(128, 140, 138, 0.28) }
  .kt-table td { display: block; border: 0; padding: 0.1rem 0 }
  .kt-table td:nth-child(3), .kt-table td:nth-child(4) { display: inline-block; font-size: 0.84rem; opacity: 0.8; margin-right: 0.8rem }
}
</style>"""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """HTML of cells that are HTML already."""
    head = "".join(f'<th scope="col">{plain(word)}</th>' for word in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'{_STYLE}<table class="kt-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
