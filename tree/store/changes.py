"""What changed between two moments: the documents that were added, changed, moved or removed, from the versions that are kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.regex import regex
from prompts.ticket_keys import TICKET_KEY
from tree.store.database import Database
from tree.store.models import DocumentRow, Source, Version, table_of
from tree.store.statements import in_parts

How = Literal["added", "changed", "moved", "removed"]

_document = table_of(DocumentRow)
_version, _source = table_of(Version), table_of(Source)
_COLUMNS = tuple(_document.c[name] for name in ("id", "source_id", "document_id", "title", "place", "kind", "fingerprint"))


_KEY = regex(TICKET_KEY)


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What became of a document between two moments. `at` is when that was known here last, in seconds since 1970.

    `rows` are the rows of the document before and after, as far as there are any, for `leaves_before_and_after`.
    """

    source_id: str
    document_id: str
    title: str
    place: str
    kind: str  # of the document
    how: How
    at: float
    times: int = 1  # how often it changed
    rows: tuple[int | None, int | None] = (None, None)
    acts: tuple[str, ...] = ()  # what happened to it, in the order in which it did, each once

    @property
    def became(self) -> str:
        """As it is told, "changed" or "removed and added again": that it was gone meanwhile is no mere change."""
        acts = [act for act in self.acts if act != "added"]
        if self.how != "changed" or "removed" not in acts:
            return self.how
        return f"{', '.join(acts[:-1])} and {acts[-1]}"


@dataclass(frozen=True, slots=True)
class _Step:
    """A row of a document that began or ended at a version."""

    row: Any
    number: int
    at: float
    began: bool


@dataclass(frozen=True, slots=True)
class PublishedChanges:
    """`first_read`: of each source that was added in this time, when it was read and what it had then. What
    it had on other days is not known; what became of it since is among the changes."""

    documents: Sequence[DocumentChange]
    first_read: Mapping[str, FirstRead]


@dataclass(frozen=True, slots=True)
class FirstRead:
    """`moment`: when a source had been read once, or of one of which that is not known, when its reading began. `documents`
    are those that it had then."""

    moment: float
    documents: Sequence[DocumentChange]


def published_changes(
    database: Database, sources: Mapping[str, Source], first: float, last: float, version: int
) -> PublishedChanges:
    """As `changes_between`, but that a new source was read is no change of its documents: these were there before."""
    fresh = {id_: source for id_, source in sources.items() if source.created_at >= first}
    found = changes_between(database, [id_ for id_ in sources if id_ not in fresh], first, last, version)
    first_read: dict[str, FirstRead] = {}
    for id_, source in fresh.items():
        whole = min(last, source.first_read_at or last)
        came = changes_between(database, [id_], first, whole, version)
        if came:
            first_read[id_] = FirstRead(whole if source.first_read_at else min(one.at for one in came), came)
        if source.first_read_at is not None:
            found += changes_between(database, [id_], whole, last, version)
        else:
            found += [replace(one, how="changed", times=one.times - 1) for one in came if one.times > 1]
    return PublishedChanges(sorted(found, key=lambda change: (-change.at, change.place)), first_read)


def changes_between(
    database: Database, source_ids: Sequence[str], first: float, last: float, version: int
) -> list[DocumentChange]:
    """The net changes of documents published in [first, last] (seconds since 1970) up to `version`, the last known first."""
    steps: defaultdict[tuple[str, str], list[_Step]] = defaultdict(list)
    with database.read() as connection:
        for step in _steps(connection, source_ids, first, last, version):
            steps[step.row.source_id, step.row.document_id].append(step)
        changes = [change for found in steps.values() if (change := _net(found)) is not None]
        gone = _gone_tickets(connection, changes)
    changes = [replace(one, title=_by_key(one)) if (one.source_id, one.document_id) in gone else one for one in changes]
    return sorted(_with_moves(changes, steps), key=lambda change: (-change.at, change.place))


def leaves_before_and_after(database: Database, changes: Iterable[DocumentChange]) -> dict[str, tuple[list[str], list[str]]]:
    """Of each document (by its place) the keys of its leaves before and after, in their order; none before it was there."""
    pairs = {change.place: change.rows for change in changes if change.rows[1] is not None}
    ids = [id_ for pair in pairs.values() for id_ in pair if id_ is not None]
    outlines: dict[int, list[str]] = {}
    with database.read() as connection:
        for some in in_parts(map(str, ids)):
            query = sa.select(_document.c.id, _document.c.outline).where(_document.c.id.in_(map(int, some)))
            outlines.update((id_, [key for *_, key in outline]) for id_, outline in connection.execute(query))
    return {place: (outlines.get(before or 0, []), outlines.get(after or 0, [])) for place, (before, after) in pairs.items()}


def _steps(connection: Connection, source_ids: Sequence[str], first: float, last: float, version: int) -> Iterator[_Step]:
    within = sa.and_(_version.c.published_at.between(first, last), _version.c.number <= version)
    for column, began in ((_document.c.live_from, True), (_document.c.live_to, False)):
        query = sa.select(*_COLUMNS, _version.c.number, _version.c.published_at).join(_version, _version.c.number == column)
        for row in connection.execute(query.where(within, _document.c.source_id.in_(source_ids))):
            yield _Step(row, row.number, row.published_at, began)


def _net(steps: Sequence[_Step]) -> DocumentChange | None:
    """None where it came and went in between."""
    began = sorted((step for step in steps if step.began), key=lambda step: step.number)
    ended = sorted((step for step in steps if not step.began), key=lambda step: step.number)
    was_there = bool(ended) and (not began or ended[0].number <= began[0].number)
    is_there = bool(began) and (not ended or began[-1].number >= ended[-1].number)
    if not was_there and not is_there:
        return None
    last = max(steps, key=lambda step: (step.number, step.began))
    rows = (ended[0].row.id if was_there else None, began[-1].row.id if is_there else None)
    how: How = "changed" if was_there and is_there else "added" if is_there else "removed"
    row = began[-1].row if is_there else ended[-1].row
    return DocumentChange(
        row.source_id,
        row.document_id,
        row.title,
        row.place,
        row.kind,
        how,
        last.at,
        len({step.number for step in steps}),
        rows,
        tuple(dict.fromkeys(_acts(began, ended))),
    )


def _gone_tickets(connection: Connection, changes: Sequence[DocumentChange]) -> set[tuple[str, str]]:
    """(source, document) of tickets, and files of tickets, that changed and are not there now."""
    of_jira = sa.select(_source.c.id).where(_source.c.kind == "jira", _source.c.id.in_({one.source_id for one in changes}))
    sources = set(connection.execute(of_jira).scalars())
    changed = {(one.source_id, one.document_id) for one in changes if one.source_id in sources}
    there: set[tuple[str, str]] = set()
    for some in in_parts(sorted({document for _, document in changed})):
        query = sa.select(_document.c.source_id, _document.c.document_id)
        found = connection.execute(
            query.where(_document.c.source_id.in_(sources), _document.c.document_id.in_(some), _document.c.live_to.is_(None))
        )
        there.update((source, document) for source, document in found)
    return changed - there


def _by_key(change: DocumentChange) -> str:
    """A ticket, or a file of one, by its key alone: one that is gone need not have been deleted, but may be kept from those who saw it."""
    key = _KEY.search(change.title) or _KEY.search(change.place)
    if change.kind == "ticket":
        return key.group() if key is not None else "A ticket"
    return f"A file of {key.group()}" if key is not None else "A file of a ticket"


def _acts(began: Sequence[_Step], ended: Sequence[_Step]) -> Iterator[str]:
    came, went = ({step.number: step.row.fingerprint for step in those} for those in (began, ended))
    removed = None  # its content when it was removed last
    for number in sorted(came.keys() | went.keys()):
        if number not in came:
            removed = went[number]
            yield "removed"
        elif number in went:
            yield "changed"
        else:
            yield "added" if removed is None else "added again"
            if removed not in (None, came[number]):
                yield "changed"


def _with_moves(changes: Sequence[DocumentChange], steps: dict[tuple[str, str], list[_Step]]) -> Iterator[DocumentChange]:
    """What was removed in one place and added in another with the same content was moved."""

    def content(change: DocumentChange) -> tuple[str, str]:
        last = max(steps[change.source_id, change.document_id], key=lambda step: step.number)
        return change.source_id, last.row.fingerprint

    gone = {content(change) for change in changes if change.how == "removed"}
    came = {content(change) for change in changes if change.how == "added"}
    for change in changes:
        if change.how == "added" and content(change) in gone:
            yield replace(change, how="moved", rows=(None, None))
        elif not (change.how == "removed" and content(change) in came):
            yield change
