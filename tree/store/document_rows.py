"""The documents of the trees: by their ids, below places, by their names, and what is known of them. At a pinned version, or now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.documents import DocumentHead, StoredDocument
from tree.store.leaves import Container
from tree.store.models import HAS_PROBLEMS, DocumentRow, table_of
from tree.store.places import escape, is_container, ranges_below
from tree.store.statements import LISTED, as_pattern, bound_to, in_parts, is_like, live_at

FileValue = Literal["modified", "size"]

_document = table_of(DocumentRow)
_HEADS = sa.select(
    *(_document.c[name] for name in ("source_id", "document_id", "place", "title", "kind", "url", "path", "heads", "meta"))
)


@cache
def _heads(pinned: bool) -> sa.Select[Any]:
    """The heads of the listed documents of a source."""
    live = live_at(_document, sa.bindparam("version") if pinned else None)
    return _HEADS.where(_document.c.source_id == sa.bindparam("source"), _document.c.document_id.in_(LISTED), live)


def _documents_of(source_id: str, version: int | None) -> sa.Select[Any]:
    query = sa.select(_document).where(_document.c.source_id == source_id, live_at(_document, version))
    return query.order_by(_document.c.live_from, _document.c.document_id)


def _as_head(row: Sequence[Any]) -> DocumentHead:
    source, id_, place, title, kind, url, path, heads, metadata = row
    return DocumentHead(source, id_, place, title, kind, url, tuple(Container(*step) for step in path), heads, metadata)


def _as_document(row: sa.Row[Any]) -> StoredDocument:
    return StoredDocument(
        source_id=row.source_id,
        id=row.document_id,
        title=row.title,
        kind=row.kind,
        url=row.url,
        path=tuple(Container(*step) for step in row.path),
        order=row.order,
        place=row.place,
        fingerprint=row.fingerprint,
        metadata=row.meta,
        aliases=tuple(row.aliases),
        problems=tuple(row.problems),
        outline=tuple((slot, title, tuple(Container(*c) for c in path), key) for slot, title, path, key in row.outline),
        heads=row.heads,
    )


def _below(tops: Sequence[str], version: int, ending: str | tuple[str, ...], but_kind: str) -> sa.ColumnElement[bool]:
    """Documents at or below these places whose id ends so and that are not of this kind."""
    spans = [span for top in tops if is_container(top) for span in ranges_below(top)]
    themselves = _document.c.place.in_([top for top in tops if not is_container(top)])
    inside = sa.or_(themselves, *(sa.and_(_document.c.place >= start, _document.c.place < end) for start, end in spans))
    meant = sa.and_(inside, live_at(_document, version), _document.c.kind != but_kind)
    endings = [one for one in ((ending,) if isinstance(ending, str) else ending) if one]
    if not endings:
        return meant
    low = sa.func.lower(_document.c.document_id)
    return sa.and_(meant, sa.or_(*(low.endswith(one, autoescape=True) for one in endings)))


class DocumentRows:
    """Reads documents, without the text of their leaves. Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_source(self, source_id: str, version: int | None = None) -> dict[str, StoredDocument]:
        """All of a source, by id: first those that have been as they are the longest."""
        with self._database.read() as connection:
            rows = connection.execute(_documents_of(source_id, version))
            return {row.document_id: _as_document(row) for row in rows}

    def by_id(self, source_id: str, ids: Iterable[str], version: int | None = None) -> dict[str, StoredDocument]:
        """Those of a source that have these ids."""
        query = _documents_of(source_id, version)
        found: dict[str, StoredDocument] = {}
        with self._database.read() as connection:
            for some in in_parts(ids):
                rows = connection.execute(query.where(_document.c.document_id.in_(some)))
                found.update((row.document_id, _as_document(row)) for row in rows)
        return found

    def get(self, source_id: str, document_id: str, version: int | None = None) -> StoredDocument | None:
        return self.by_id(source_id, [document_id], version).get(document_id)

    def heads(self, source_id: str, ids: Iterable[str], version: int | None = None) -> dict[str, DocumentHead]:
        found: dict[str, DocumentHead] = {}
        with self._database.read() as connection:
            for some in in_parts(ids):
                rows = connection.execute(_heads(version is not None), {**bound_to(some, version), "source": source_id})
                found.update((head.id, head) for head in map(_as_head, rows))
        return found

    def below(
        self, tops: Sequence[str], version: int, ending: str | tuple[str, ...] = "", but_kind: str = "", first: int = 20
    ) -> tuple[int, list[DocumentHead]]:
        """How many documents lie at or below these places, and so many of them in the order of their places: of those whose id ends so,
        in small letters (or in one of these ways), and that are not of this kind."""
        meant = _below(tops, version, ending, but_kind)
        with self._database.read() as connection:
            number = connection.scalar(sa.select(sa.func.count()).select_from(_document).where(meant)) or 0
            rows = connection.execute(_HEADS.where(meant).order_by(_document.c.place).limit(first))
            return number, [_as_head(row) for row in rows]

    def by_file(
        self,
        tops: Sequence[str],
        version: int,
        of: FileValue,
        last_first: bool,
        ending: str | tuple[str, ...] = "",
        first: int = 20,
    ) -> list[DocumentHead]:
        """So many of the documents at or below these places in the order of what is known of their files, of those of which it is known:
        when they were changed, or how large they are. None of them is a ticket."""
        value = _document.c.meta[of].as_string()
        by = (sa.func.length(value), value) if of == "size" else (value,)  # a number as it is written
        order = [one.desc() if last_first else one.asc() for one in by]
        known = sa.and_(_below(tops, version, ending, "ticket"), value.is_not(None))
        with self._database.read() as connection:
            rows = connection.execute(_HEADS.where(known).order_by(*order, _document.c.place).limit(first))
            return [_as_head(row) for row in rows]

    def count_changed(self, tops: Sequence[str], version: int, first: str, last: str, ending: str | tuple[str, ...] = "") -> int:
        """How many of the documents that are no tickets have files that were changed between two moments, as their metadata write them."""
        changed = _document.c.meta["modified"].as_string()
        meant = sa.and_(_below(tops, version, ending, "ticket"), changed >= first, changed <= last)
        with self._database.read() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(_document).where(meant)) or 0

    def called(self, source_ids: Sequence[str], name: str, version: int | None = None) -> list[StoredDocument]:
        """Those whose place ends with this name, whatever the case of its letters."""
        query = sa.select(_document).where(_document.c.source_id.in_(source_ids), live_at(_document, version))
        query = query.where(is_like(_document.c.place, f"%/{as_pattern(escape(name))}"))
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(_document.c.source_id, _document.c.place))
            return [_as_document(row) for row in rows]

    def ids(self, source_id: str) -> set[str]:
        query = sa.select(_document.c.document_id).where(_document.c.source_id == source_id, live_at(_document, None))
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def with_problems(self, source_id: str) -> list[dict[str, Any]]:
        """Documents of which a part could not be read, with the reasons."""
        columns = (_document.c.document_id, _document.c.title, _document.c.problems)
        query = sa.select(*columns).where(_document.c.source_id == source_id, live_at(_document, None))
        query = query.where(HAS_PROBLEMS).order_by(_document.c.title)
        with self._database.read() as connection:
            return [{"id": id_, "title": title, "problems": problems} for id_, title, problems in connection.execute(query)]

    def fingerprints(self, source_id: str) -> dict[str, str]:
        """The fingerprint of every live document of a source."""
        query = sa.select(_document.c.document_id, _document.c.fingerprint).where(
            _document.c.source_id == source_id, live_at(_document, None)
        )
        with self._database.read() as connection:
            return dict(connection.execute(query).tuples().all())

    def held_elsewhere(self, source_id: str, fingerprints: Iterable[str], but_in: Collection[str]) -> set[str]:
        """Those of these fingerprints that a live document of a source has which is not among those named."""
        query = sa.select(_document.c.document_id, _document.c.fingerprint)
        query = query.where(_document.c.source_id == source_id, live_at(_document, None))
        with self._database.read() as connection:
            rows = (
                row
                for some in in_parts(fingerprints)
                for row in connection.execute(query.where(_document.c.fingerprint.in_(some)))
            )
            return {fingerprint for id_, fingerprint in rows if id_ not in but_in}

    def count(self, source_id: str) -> int:
        with self._database.read() as connection:
            return count_live(connection, source_id)


# ---------------------------------------------------------------- in a transaction of the caller's


def read_kinds(connection: Connection, source_id: str, ids: Iterable[str]) -> dict[str, str]:
    """The kinds of the live documents of a source that have these ids."""
    found: dict[str, str] = {}
    for some in in_parts(ids):
        query = sa.select(_document.c.document_id, _document.c.kind).where(
            _document.c.source_id == source_id, _document.c.document_id.in_(some), live_at(_document, None)
        )
        found |= dict(connection.execute(query).tuples().all())
    return found


def read_live_ids(connection: Connection, source_id: str, ids: Iterable[str]) -> set[str]:
    """Which of these documents the tree of a source has."""
    found: set[str] = set()
    for some in in_parts(ids):
        live = sa.and_(_document.c.source_id == source_id, _document.c.document_id.in_(some), live_at(_document, None))
        found.update(connection.scalars(sa.select(_document.c.document_id).where(live)))
    return found


def count_live(connection: Connection, source_id: str) -> int:
    live = sa.and_(_document.c.source_id == source_id, live_at(_document, None))
    return connection.scalar(sa.select(sa.func.count()).where(live)) or 0
