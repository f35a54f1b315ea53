"""The store of the tree: reads what is live at a version, publishes the next one, forgets old ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.engine import Connection

from prompts.records import LogicUnit, SummaryRecord
from tree.store import forgetting, publishing
from tree.store.database import Database
from tree.store.errors import SourceRemoved, StaleBase, Vanished
from tree.store.forms import LeafContents, as_leaf, contents, hash_of
from tree.store.leaves import Container, Leaf
from tree.store.models import (
    HAS_PROBLEMS,
    DocumentRow,
    FailureRow,
    LeafRow,
    NodeRow,
    ReadingRow,
    RecordRow,
    Source,
    Version,
    table_of,
)
from tree.store.nodes import COLUMNS, Change, DocumentHead, Node, StoredDocument, StoredFacts, joined
from tree.store.places import escape, is_container, ranges_below, root_place
from tree.store.recent_records import RecentRecords
from tree.store.source_rows import SourceRows
from tree.store.statements import as_pattern, in_parts, is_like

BRANCHES_KEPT = 50_000  # in memory

_node = table_of(NodeRow)
_document = table_of(DocumentRow)
_leaf = table_of(LeafRow)
_record = table_of(RecordRow)
_reading = table_of(ReadingRow)
_source = table_of(Source)
_version = table_of(Version)
_failure = table_of(FailureRow)
_NODES = sa.select(*(_node.c[name] for name in COLUMNS))

_RECENT = RecentRecords()


def _at(table: sa.Table, version: int | sa.BindParameter[int] | None) -> sa.ColumnElement[bool]:
    """Rows live at `version`; None is now."""
    if version is None:
        return table.c.live_to.is_(None)
    return sa.and_(table.c.live_from <= version, sa.or_(table.c.live_to.is_(None), table.c.live_to > version))


_LISTED: sa.BindParameter[Any] = sa.bindparam("listed", expanding=True)


@cache
def _nodes_by(column: str, pinned: bool) -> sa.Select[Any]:
    """Nodes by values of a column. Made once: putting a statement together takes three times as long as running it."""
    return _NODES.where(_node.c[column].in_(_LISTED), _at(_node, sa.bindparam("version") if pinned else None))


@cache
def _above(pinned: bool) -> sa.Select[Any]:
    """The nodes at the listed places and all above them."""
    live = _at(_node, sa.bindparam("version") if pinned else None)
    step = sa.select(_node.c.id, _node.c.parent)
    climb = step.where(_node.c.place.in_(_LISTED), live).cte("climb", recursive=True)
    climb = climb.union(step.where(_node.c.place == climb.c.parent, live))
    return _NODES.where(_node.c.id.in_(sa.select(climb.c.id)))


_HEADS = sa.select(
    *(_document.c[name] for name in ("source_id", "document_id", "place", "title", "kind", "url", "path", "heads", "meta"))
)


@cache
def _heads(pinned: bool) -> sa.Select[Any]:
    """The heads of the listed documents of a source."""
    live = _at(_document, sa.bindparam("version") if pinned else None)
    return _HEADS.where(_document.c.source_id == sa.bindparam("source"), _document.c.document_id.in_(_LISTED), live)


_LEAVES_BY_KEY = sa.select(_leaf.c.key, _leaf.c.text, _leaf.c.data).where(_leaf.c.key.in_(_LISTED))
_RECORDS_BY_HASH = sa.select(_record.c.hash, _record.c.data).where(_record.c.hash.in_(_LISTED))
_UNITS = TypeAdapter(tuple[LogicUnit, ...])


def _bound(listed: list[str], version: int | None) -> dict[str, Any]:
    return {"listed": listed} if version is None else {"listed": listed, "version": version}


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


class Store:
    """Reads the tree at a pinned version number; publishes the next one. Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._branches: tuple[int, dict[str, Node]] = (0, {})  # of one version
        self._sources = SourceRows()

    # ---- versions

    def newest(self) -> int:
        """The number a question pins: everything published up to now."""
        with self.database.read() as connection:
            return connection.scalar(sa.select(sa.func.max(_version.c.number))) or 0

    def newest_change(self, source_ids: Iterable[str]) -> int:
        """The number of the version in which documents of these sources changed last; upgrades of records since then do not count."""
        changes = sa.and_(_version.c.upgrade.is_(False), _version.c.source_id.in_(list(source_ids)))
        query = sa.select(_version.c.number).where(changes).order_by(_version.c.number.desc()).limit(1)
        with self.database.read() as connection:
            return connection.scalar(query) or 0

    def oldest_kept(self, source_ids: Iterable[str] | None = None) -> int:
        """The version from which on everything is kept, of these sources or of all: what was before it has been forgotten."""
        own = sa.true() if source_ids is None else _version.c.source_id.in_(list(source_ids))
        firsts = sa.select(sa.func.min(_version.c.number)).where(own).group_by(_version.c.source_id)
        cut = sa.select(sa.func.max(_version.c.number)).where(_version.c.number.in_(firsts), _version.c.ordinal > 1)
        with self.database.read() as connection:
            return connection.scalar(cut) or connection.scalar(sa.select(sa.func.min(_version.c.number)).where(own)) or 0

    def versions(self, since: int = 0, limit: int = 50, source_id: str | None = None) -> list[Version]:
        """Changes of documents, the newest first; upgrades of records are left out."""
        changes = sa.and_(_version.c.number > since, _version.c.upgrade.is_(False))
        query = sa.select(_version).where(changes).order_by(_version.c.number.desc()).limit(limit)
        if source_id is not None:
            query = query.where(_version.c.source_id == source_id)
        with self.database.read() as connection:
            return [Version(**row._mapping) for row in connection.execute(query)]

    def sources(self, chat_id: str | None = None) -> list[Source]:
        """Every source of the team that may be asked, in the order they were added; with the files of this chat. To be changed
        by nobody."""
        with self.database.read() as connection:
            return self._sources.read(connection, chat_id)

    def touched_between(self, first: int, last: int) -> set[str]:
        """Ids of the sources that were changed or removed after the first of two versions, up to the last."""
        query = sa.select(_version.c.source_id).where(_version.c.number > first, _version.c.number <= last)
        with self.database.read() as connection:
            return set(connection.scalars(query.distinct()))

    def count_failures(self, source_ids: Iterable[str]) -> int:
        query = sa.select(sa.func.count()).where(_failure.c.source_id.in_(list(source_ids)))
        with self.database.read() as connection:
            return connection.scalar(query) or 0

    def failures(self, source_id: str, by: float | None = None, limit: int = 500) -> list[FailureRow]:
        """The documents that cannot be read, or could not `by` that moment; the newest failures first, and at most so many."""
        query = sa.select(_failure).where(
            _failure.c.source_id == source_id, _failure.c.since <= by if by is not None else sa.true()
        )
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(_failure.c.since.desc(), _failure.c.document_id).limit(limit))
            return [FailureRow(**row._mapping) for row in rows]

    def stale(self, source_id: str, document_ids: Iterable[str]) -> dict[str, tuple[float, float]]:
        """Which of these documents are kept as they were last read because they cannot be read now: since when that is so,
        and when they were last known to say this (seconds since 1970)."""
        found: dict[str, tuple[float, float]] = {}
        own = sa.and_(_failure.c.source_id == source_id, _failure.c.read_at.is_not(None))
        columns = (_failure.c.document_id, _failure.c.since, _failure.c.read_at)
        with self.database.read() as connection:
            for some in in_parts(document_ids):
                rows = connection.execute(sa.select(*columns).where(own, _failure.c.document_id.in_(some)))
                found.update((row.document_id, (row.since, row.read_at)) for row in rows)
        return found

    # ---- nodes

    def node(self, place: str, version: int | None = None) -> Node | None:
        return self.nodes([place], version).get(place)

    def nodes(self, places: Iterable[str], version: int | None = None) -> dict[str, Node]:
        found: dict[str, Node] = {}
        parts = list(in_parts(places))
        if not parts:
            return found
        with self.database.read() as connection:
            for some in parts:
                rows = connection.execute(_nodes_by("place", version is not None), _bound(some, version)).all()
                found.update((row.place, Node(*row)) for row in rows)
        return found

    def children(self, place: str, version: int | None = None) -> list[Node]:
        """A node's children in order, a pass replaced by what it stands for and titled "Folder / Child"."""
        return self.families([place], version)[place]

    def families(self, places: Iterable[str], version: int | None = None) -> dict[str, list[Node]]:
        """The children of each of these places, as `children` gives them."""
        families: dict[str, list[Node]] = {place: [] for place in places}
        if not families:
            return families
        with self.database.read() as connection:
            for some in in_parts(families):
                for row in connection.execute(_nodes_by("parent", version is not None), _bound(some, version)).all():
                    families[row.parent].append(Node(*row))
        for place, family in families.items():
            families[place] = self._seen_through(sorted(family, key=lambda node: node.position), version)
        return families

    @staticmethod
    def children_by(connection: Connection, place: str) -> list[Node]:
        """A node's live children in order, as they are stored: what its record is made of."""
        rows = connection.execute(_nodes_by("parent", False), _bound([place], None)).all()
        return sorted((Node(*row) for row in rows), key=lambda node: node.position)

    def _seen_through(self, rows: list[Node], version: int | None) -> list[Node]:
        while passes := {row.target: row for row in rows if row.kind == "pass" and row.target}:
            targets = self.nodes(passes, version)
            rows = [joined(row, targets[row.target]) if row.target in targets and row.kind == "pass" else row for row in rows]
        return rows

    def path(self, place: str, version: int | None = None) -> list[Node]:
        """From the source's root down to the node, passes left out. Empty when there is no such node."""
        above = self.ancestors([place], version)
        path: list[Node] = []
        step: str | None = place
        while step is not None and (node := above.get(step)) is not None:
            if node.kind != "pass":
                path.append(node)
            step = node.parent
        return path[::-1]

    def ancestors(self, places: Iterable[str], version: int | None = None) -> dict[str, Node]:
        """The nodes at these places and every node above them, by place, passes included."""
        branches = self._branches_at(version)
        wanted = list(places)
        found = self.nodes((place for place in wanted if place not in branches), version)
        found |= {place: branches[place] for place in wanted if place in branches}
        if missing := self._climb(found, branches):
            with self.database.read() as connection:
                for some in in_parts(missing):
                    rows = connection.execute(_above(version is not None), _bound(some, version)).all()
                    branches.update((row.place, Node(*row)) for row in rows)
            self._climb(found, branches)
        return found

    @staticmethod
    def _climb(found: dict[str, Node], branches: Mapping[str, Node]) -> set[str]:
        """Adds to the found nodes those above them that are known; returns the places that are not."""
        missing: set[str] = set()
        waiting = list(found.values())
        while waiting:
            place = waiting.pop().parent
            if place is None or place in found:
                continue
            if (node := branches.get(place)) is None:
                missing.add(place)
            else:
                found[place] = node
                waiting.append(node)
        return missing

    def _branches_at(self, version: int | None) -> dict[str, Node]:
        """The branches of one pinned version that were looked up already: every question climbs to the same ones."""
        if version is None:
            return {}
        known, branches = self._branches
        if known != version or len(branches) > BRANCHES_KEPT:
            branches = {}
            self._branches = version, branches
        return branches

    def inside(self, source_id: str, document_id: str, version: int | None = None) -> list[Node]:
        """The nodes of one document, in the order of their places."""
        where = (_node.c.source_id == source_id, _node.c.document_id == document_id, _at(_node, version))
        with self.database.read() as connection:
            return [Node(*row) for row in connection.execute(_NODES.where(*where).order_by(_node.c.place))]

    def first_leaves(self, node: Node, version: int | None = None, limit: int = 3) -> list[Node]:
        """The first leaves below a node, in order."""
        if node.kind == "leaf":
            return [node]
        found: list[Node] = []
        for child in self.children(node.place, version):
            found += self.first_leaves(child, version, limit - len(found))
            if len(found) >= limit:
                break
        return found

    def named_below(self, places: Iterable[str], version: int | None = None) -> list[str]:
        """These places with runs replaced by what they group: every place whose name tells what is below it."""
        found: list[str] = []
        for node in self.nodes(places, version).values():
            if node.kind == "run":
                found += self.named_below([child.place for child in self.children(node.place, version)], version)
            else:
                found.append(node.place)
        return found

    def all_nodes(self, source_id: str, version: int | None = None) -> list[Node]:
        query = _NODES.where(_node.c.source_id == source_id, _at(_node, version))
        with self.database.read() as connection:
            return [Node(*row) for row in connection.execute(query)]

    def roots(self, version: int | None = None) -> dict[str, Node]:
        """Each source's root by source id; a source without readable documents has none."""
        with self.database.read() as connection:
            ids = list(connection.scalars(sa.select(_source.c.id)))
        roots = self.nodes(map(root_place, ids), version)
        return {root.source_id: root for root in roots.values()}

    def count_nodes(self, source_id: str, version: int | None = None) -> int:
        query = sa.select(sa.func.count()).where(_node.c.source_id == source_id, _node.c.kind != "pass", _at(_node, version))
        with self.database.read() as connection:
            return connection.scalar(query) or 0

    # ---- documents, leaves, records

    def documents(
        self, source_id: str, ids: Iterable[str] | None = None, version: int | None = None
    ) -> dict[str, StoredDocument]:
        query = sa.select(_document).where(_document.c.source_id == source_id, _at(_document, version))
        query = query.order_by(_document.c.live_from, _document.c.document_id)
        with self.database.read() as connection:
            if ids is None:
                return {row.document_id: _as_document(row) for row in connection.execute(query)}
            found: dict[str, StoredDocument] = {}
            for some in in_parts(ids):
                rows = connection.execute(query.where(_document.c.document_id.in_(some)))
                found.update((row.document_id, _as_document(row)) for row in rows)
            return found

    def document_heads(self, source_id: str, ids: Iterable[str], version: int | None = None) -> dict[str, DocumentHead]:
        found: dict[str, DocumentHead] = {}
        with self.database.read() as connection:
            for some in in_parts(ids):
                rows = connection.execute(_heads(version is not None), {**_bound(some, version), "source": source_id})
                found.update((head.id, head) for head in map(_as_head, rows))
        return found

    def folders(self, source_ids: Sequence[str], version: int) -> list[str]:
        """The places of all folders of these sources. What they are called is in them."""
        here = sa.and_(_node.c.source_id.in_(source_ids), _node.c.kind.in_(("folder", "pass")), _node.c.live_from <= version)
        live, since_ended = (
            sa.select(_node.c.place).where(here, when) for when in (_node.c.live_to.is_(None), _node.c.live_to > version)
        )
        with self.database.read() as connection:
            return sorted({*connection.scalars(live), *connection.scalars(since_ended)})

    def documents_below(
        self, tops: Sequence[str], version: int, ending: str = "", but_kind: str = "", first: int = 20
    ) -> tuple[int, list[DocumentHead]]:
        """How many documents lie at or below these places, and so many of them in the order of their places: of those whose id ends so,
        in small letters, and that are not of this kind."""
        spans = [span for top in tops if is_container(top) for span in ranges_below(top)]
        themselves = _document.c.place.in_([top for top in tops if not is_container(top)])
        inside = sa.or_(themselves, *(sa.and_(_document.c.place >= start, _document.c.place < end) for start, end in spans))
        meant = sa.and_(inside, _at(_document, version), _document.c.kind != but_kind)
        if ending:
            meant = sa.and_(meant, sa.func.lower(_document.c.document_id).endswith(ending, autoescape=True))
        with self.database.read() as connection:
            number = connection.scalar(sa.select(sa.func.count()).select_from(_document).where(meant)) or 0
            rows = connection.execute(_HEADS.where(meant).order_by(_document.c.place).limit(first))
            return number, [_as_head(row) for row in rows]

    def documents_called(self, source_ids: Sequence[str], name: str, version: int | None = None) -> list[StoredDocument]:
        """Those whose place ends with this name, whatever the case of its letters."""
        return self._placed(source_ids, f"%/{as_pattern(escape(name))}", version)

    def _placed(self, source_ids: Sequence[str], pattern: str, version: int | None) -> list[StoredDocument]:
        query = sa.select(_document).where(_document.c.source_id.in_(source_ids), _at(_document, version))
        query = query.where(is_like(_document.c.place, pattern)).order_by(_document.c.source_id, _document.c.place)
        with self.database.read() as connection:
            return [_as_document(row) for row in connection.execute(query)]

    def facts(self, source_ids: Sequence[str], kind: str, version: int | None = None) -> list[StoredFacts]:
        """Of all documents of a kind."""
        query = sa.select(_document.c.place, _document.c.title, _document.c.meta)
        query = query.where(_document.c.source_id.in_(source_ids), _document.c.kind == kind, _at(_document, version))
        with self.database.read() as connection:
            return [StoredFacts(*row) for row in connection.execute(query)]

    def document_ids(self, source_id: str) -> set[str]:
        query = sa.select(_document.c.document_id).where(_document.c.source_id == source_id, _at(_document, None))
        with self.database.read() as connection:
            return set(connection.scalars(query))

    def names_at(self, places: Sequence[str], version: int | None = None) -> Iterator[tuple[str, str, list[str], str]]:
        """(place, source id, names, web address) of the folders and documents at these places; runs have no name."""
        titled = sa.select(_node.c.place, _node.c.source_id, _node.c.title)
        titled = titled.where(
            _node.c.place.in_(places), _node.c.kind.in_(("folder", "pass", "document", "leaf")), _at(_node, version)
        )
        called = sa.select(_document.c.place, _document.c.source_id, _document.c.title, _document.c.aliases, _document.c.url)
        called = called.where(_document.c.place.in_(places), _at(_document, version))
        with self.database.read() as connection:
            rows = [(place, source, [title], "") for place, source, title in connection.execute(titled)]
            rows += [(place, source, [title, *aliases], url) for place, source, title, aliases, url in connection.execute(called)]
        yield from rows

    def documents_with_problems(self, source_id: str) -> list[dict[str, Any]]:
        """Documents of which a part could not be read, with the reasons."""
        columns = (_document.c.document_id, _document.c.title, _document.c.problems)
        query = sa.select(*columns).where(_document.c.source_id == source_id, _at(_document, None))
        query = query.where(HAS_PROBLEMS).order_by(_document.c.title)
        with self.database.read() as connection:
            return [{"id": id_, "title": title, "problems": problems} for id_, title, problems in connection.execute(query)]

    def fingerprints(self, source_id: str) -> dict[str, str]:
        """The fingerprint of every live document of a source."""
        query = sa.select(_document.c.document_id, _document.c.fingerprint).where(
            _document.c.source_id == source_id, _at(_document, None)
        )
        with self.database.read() as connection:
            return dict(connection.execute(query).tuples().all())

    def held_elsewhere(self, source_id: str, fingerprints: Iterable[str], but_in: Collection[str]) -> set[str]:
        """Those of these fingerprints that a live document of a source has which is not among those named."""
        query = sa.select(_document.c.document_id, _document.c.fingerprint)
        query = query.where(_document.c.source_id == source_id, _at(_document, None))
        with self.database.read() as connection:
            rows = (
                row
                for some in in_parts(fingerprints)
                for row in connection.execute(query.where(_document.c.fingerprint.in_(some)))
            )
            return {fingerprint for id_, fingerprint in rows if id_ not in but_in}

    def count_documents(self, source_id: str) -> int:
        query = sa.select(sa.func.count()).where(_document.c.source_id == source_id, _at(_document, None))
        with self.database.read() as connection:
            return connection.scalar(query) or 0

    def leaves(self, keys: Iterable[str]) -> dict[str, Leaf]:
        wanted = list(keys)
        if not wanted:
            return {}
        with self.database.read() as connection:
            return self.leaves_by(connection, wanted)

    def leaf(self, key: str) -> Leaf:
        """Raises Vanished where it is not there any more."""
        found = self.leaves([key]).get(key)
        if found is None:
            raise Vanished("What this was to be answered from has just been deleted. Ask again.")
        return found

    @staticmethod
    def leaves_by(connection: Connection, keys: Iterable[str]) -> dict[str, Leaf]:
        found: dict[str, Leaf] = {}
        for some in in_parts(keys):
            rows = connection.execute(_LEAVES_BY_KEY, _bound(some, None)).all()
            found.update((key, as_leaf(text, data)) for key, text, data in rows)
        return found

    @staticmethod
    def above_by(connection: Connection, places: Iterable[str]) -> dict[str, Node]:
        """The live nodes at these places and all above them, by place."""
        found: dict[str, Node] = {}
        for some in in_parts(places):
            found.update((row.place, Node(*row)) for row in connection.execute(_above(False), _bound(some, None)))
        return found

    def leaf_texts(self, keys: Iterable[str]) -> dict[str, tuple[str, list[str]]]:
        """Text and heading path (the leaf's own title last) by key."""
        return {key: (found.text, found.headings) for key, found in self.leaf_contents(keys).items()}

    def leaf_contents(self, keys: Iterable[str]) -> dict[str, LeafContents]:
        """What the search index needs of leaves, by key."""
        found: dict[str, LeafContents] = {}
        with self.database.read() as connection:
            for some in in_parts(keys):
                rows = connection.execute(_LEAVES_BY_KEY, _bound(some, None)).all()
                found.update((key, contents(text, data)) for key, text, data in rows)
        return found

    def records(self, hashes: Iterable[str]) -> dict[str, SummaryRecord]:
        with self.database.read() as connection:
            return self.records_by(connection, hashes)

    def altered(self, hashes: Iterable[str]) -> set[str]:
        """Those of these records that are not what they were when they were stored, or are not there."""
        wanted = set(hashes)
        sound: set[str] = set()
        with self.database.read() as connection:
            for some in in_parts(wanted):
                query = sa.select(_record.c.hash, _record.c.data, _record.c.units).where(_record.c.hash.in_(some))
                sound |= {row.hash for row in connection.execute(query) if hash_of(row.data, row.units) == row.hash}
        return wanted - sound

    def drop_records(self, hashes: Iterable[str]) -> None:
        """Deletes these records; whoever refers to them makes them again."""
        with self.database.write() as connection:
            for some in in_parts(hashes):
                connection.execute(sa.delete(_record).where(_record.c.hash.in_(some)))
        _RECENT.clear()

    @staticmethod
    def records_by(connection: Connection, hashes: Iterable[str]) -> dict[str, SummaryRecord]:
        wanted = list(hashes)
        found = {hash_: record for hash_ in wanted if (record := _RECENT.get(hash_)) is not None}
        for some in in_parts(hash_ for hash_ in wanted if hash_ not in found):
            rows = connection.execute(_RECORDS_BY_HASH, _bound(some, None))
            found.update((hash_, _RECENT.keep(hash_, SummaryRecord.model_validate_json(data))) for hash_, data in rows.all())
        return found

    def units_of(self, record: str) -> tuple[LogicUnit, ...] | None:
        """The logic units a model made with a leaf's record; None where the leaf's own hold."""
        with self.database.read() as connection:
            units = connection.scalar(sa.select(_record.c.units).where(_record.c.hash == record))
        return None if units is None else _UNITS.validate_json(units)

    def made_by(self, record: str) -> str:
        """The model that made a record, as provider:model; empty where none did."""
        by_model = sa.and_(_reading.c.record == record, _reading.c.by_model)
        with self.database.read() as connection:
            label = connection.scalar(sa.select(_reading.c.reader).where(by_model).order_by(_reading.c.made_at.desc()))
        return (label or "").rpartition(" ")[0]  # without the version of the prompt

    # ---- publishing

    def publish(self, change: Change, also: Callable[[Connection], None] | None = None) -> int:
        """Writes a change as the next version, with whatever must be true together with it. Returns its number.

        Raises StaleBase when the tree is no longer at `change.base`, or a record or text that the change refers to is not
        there any more; SourceRemoved. A change of nothing makes no version.
        """
        with self.database.write() as connection:
            query = sa.select(_source.c.published).where(_source.c.id == change.source_id, _source.c.removing.is_(False))
            published = connection.scalar(query)
            if published is None:
                raise SourceRemoved("This source has been removed.")
            if published != change.base:
                raise StaleBase(change.source_id)
            if change:
                published = publishing.write(connection, change)
            if also is not None:
                also(connection)
            return published

    # ---- forgetting

    def forget_before(self, moment: float | None) -> int:
        """Deletes what only versions published before `moment` (seconds since 1970) could see; with None, all but what the
        newest version sees, whatever the clock said. Of each source the last version by then stays. Returns how many rows went."""
        gone = forgetting.forget_before(self.database, moment)
        _RECENT.clear()
        return gone

    def kept_versions(self, source_ids: Iterable[str], until: int) -> list[tuple[str, int, int]]:
        """(source, its oldest version, how many it has up to this one): differs once any of them has been forgotten."""
        query = sa.select(_version.c.source_id, sa.func.min(_version.c.number), sa.func.count())
        query = query.where(_version.c.source_id.in_(list(source_ids)), _version.c.number <= until)
        with self.database.read() as connection:
            rows = connection.execute(query.group_by(_version.c.source_id).order_by(_version.c.source_id))
            return [(source_id, first, number) for source_id, first, number in rows]

    def dangling(self, source_id: str) -> list[str]:
        """Places of live nodes whose record or text is not there."""
        query = sa.select(_node.c.place).where(
            _node.c.source_id == source_id,
            _node.c.live_to.is_(None),
            sa.or_(
                ~sa.exists().where(_record.c.hash == _node.c.record),
                sa.and_(_node.c.leaf.is_not(None), ~sa.exists().where(_leaf.c.key == _node.c.leaf)),
            ),
        )
        with self.database.read() as connection:
            return list(connection.scalars(query.order_by(_node.c.place)))

    def compact_upgrades(self, moment: float) -> int:
        """Makes one of upgrades that follow each other and were published before `moment`: a day of them is thousands of
        versions between which no document changed. Returns how many versions went."""
        return forgetting.compact_upgrades(self.database, moment)

    def forget_source(self, source_id: str) -> None:
        """Deletes everything of a source, old versions included. That is a version too: whoever follows the tree sees it."""
        forgetting.forget_source(self.database, source_id)
