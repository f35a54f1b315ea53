"""What could not be read beside what was read: documents of the same folders that a walk went through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tree.ask.snapshot.snapshot import Snapshot, troubles_of
from tree.ask.snapshot.trail import Step
from tree.store.places import container_place, document_around, is_container, root_place

MOST = 20  # that are kept with an answer


class Unread(NamedTuple):
    """A document that cannot be read, or only as it was last read. `folder` is the place of what it lies in."""

    source_id: str
    title: str
    folder: str
    reason: str


def unread_nearby(snapshot: Snapshot, steps: Sequence[Step], cited: Sequence[str] = ()) -> tuple[Unread, ...]:
    """Documents that cannot be read in the folders and epics of the passages that were read, and of those at the places
    `cited`; only of the sources that were asked."""
    at = [step.place for step in steps if step.kind in ("read", "named", "overview") and step.place]
    folders = {folder_around(place) for place in (*at, *cited)}
    found: list[Unread] = []
    for source_id in snapshot.sources:
        if troubles_of(snapshot, source_id).unreadable and any(folder.startswith(root_place(source_id)) for folder in folders):
            found += [one for one in _failing(snapshot, source_id) if one.folder in folders]
    return tuple(found[:MOST])


def unread_documents(snapshot: Snapshot) -> tuple[Unread, ...]:
    """All that cannot be read of the sources that were asked, source by source."""
    some = (source_id for source_id in snapshot.sources if troubles_of(snapshot, source_id).unreadable)
    return tuple(one for source_id in some for one in _failing(snapshot, source_id))


def _failing(snapshot: Snapshot, source_id: str) -> Iterable[Unread]:
    failures = snapshot.store.failures.newest(source_id, snapshot.as_of)
    known = snapshot.store.documents.heads(source_id, [one.document_id for one in failures], snapshot.version)
    for one in failures:
        head = known.get(one.document_id)
        folder = folder_around(head.place) if head is not None else _folder(source_id, one.document_id)
        yield Unread(source_id, head.title if head is not None else one.title, folder, one.reason)


def _folder(source_id: str, document_id: str) -> str:
    """Where a document would be that was never read: the id of a file is its path."""
    place = root_place(source_id)
    for step in document_id.split("/")[:-1]:
        place = container_place(place, step)
    return place


def folder_around(place: str) -> str:
    """The place of what a passage's document lies in; a container's is its own."""
    place = document_around(place).partition("|")[0]
    return place if is_container(place) else place[: place.rindex("/") + 1]
