"""The write side: what a source holds now becomes the next versions of its tree."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sqlalchemy.engine import Connection

from connectors.base import (
    LEAVING,
    AccessLost,
    Batch,
    Cancelled,
    Confirming,
    Connector,
    ConnectorError,
    Divisible,
    Failure,
    Presence,
)
from connectors.sandbox import Sandbox
from ingestion import sources as table
from ingestion.connection import open_connector
from ingestion.pool import Pool, failure_of
from ingestion.sources import Missing, Sources
from prompts.records import SummaryRecord
from tree.build.builder import build, rebuild
from tree.build.placing import standing_of
from tree.build.records import NOT_AHEAD, ReadAhead, Records, read_ahead
from tree.build.unread import Fault, Unread
from tree.retrieve.leaf_entry import Ahead, Given, LeafEntry
from tree.store.database import StoreError
from tree.store.errors import DamagedTree, SourceRemoved, StaleBase
from tree.store.leaves import LeafDocument
from tree.store.locks import Lock, Taken, take
from tree.store.models import FailureRow, Source
from tree.store.nodes import Node
from tree.store.publishing import Change, publish
from tree.store.store import Store
from tree.workspace import Workspace

GUARD_DOCUMENTS = 10  # about a drop of more than this many documents ...
GUARD_SHARE = 0.10  # ... that is also more than this share of the source, an admin is asked;
DROP_WINDOW = 30.0  # seconds; reported one after the other, what went missing within this time is one drop
FAULT_SECONDS = 3_600  # documents that fail in one way within this time are a fault of their source, not of each of them
TRIES = 20  # to publish against other writers
FAULT = "Something went wrong inside the app; its log tells where. The next sync tries again."
LOCK_SECONDS, LOCK_TICK_SECONDS = 3600.0, 0.2  # to wait for another sync of the same source, and to look again


log = logging.getLogger("knowledge-tree")


@dataclass(slots=True)
class Synced:
    """What one sync did."""

    looked_at: int = 0
    put: int = 0
    removed: int = 0
    failed: int = 0
    awaiting_approval: int = 0
    is_whole: bool = True  # False where it gave way to others: what is left is to be read
    decisions: dict[str, int] = field(default_factory=dict)
    version: int = 0


def sync(
    workspace: Workspace,
    sources: Sources,
    source: Source,
    hints: Collection[str] | None = None,
    connector: Connector | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    drop_window: float = DROP_WINDOW,
    before_publish: Callable[[], None] = lambda: None,
    gives_way: Callable[[], bool] = lambda: False,
    children: Sandbox | None = None,
) -> Synced:
    """Brings one tree in step with its source: reads what is new or changed, publishes it batch by batch and indexes it, and
    removes what the source no longer has.

    `hints` are the ids of documents that something says have changed, and only these are looked at; None looks at everything.
    Of what went missing within `drop_window` seconds before a sync with hints, so much at once is asked of an admin.
    `before_publish` is called between working out a change and publishing it, for tests.
    `gives_way` is asked after each batch of a look at everything: where it says so, the look ends with what it has begun, and the
    next sync goes on from there. `children` cut and read; without them the sync has its own.
    Raises Cancelled, or ConnectorError or StoreError with words for a person after noting them on the source. A fault of ours that
    is not of one document is noted there too.
    """
    with _alone(workspace, source, is_cancelled):
        sources.started(source.id, is_full=hints is None)
        try:
            if hints is None and workspace.store.nodes.dangling(source.id):
                repair(workspace, sources, source)
            with _connected(sources, source, connector) as connected, Pool(workspace.reader, children) as pool:
                run = _SyncRun(workspace, sources, source, connected, pool, is_cancelled, 0 if hints is None else drop_window)
                run.before_publish = before_publish
                run.result.is_whole = run.ingest(hints, gives_way)
                if hints is None and run.result.is_whole:
                    run.reconcile()
                run.check_unreadable()
        except Cancelled:
            sources.ended(source.id, "stopped", "Stopped; the next sync goes on from here.")
            raise
        except (ConnectorError, StoreError) as error:
            sources.failed(source.id, error)
            raise
        except Exception:
            sources.ended(source.id, "failed", FAULT)
            raise
        sources.ended(source.id, "ready" if run.result.is_whole else "waiting")
        run.result.awaiting_approval = len(sources.awaiting_approval(source.id))
        return run.result


@contextmanager
def _alone(workspace: Workspace, source: Source, is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """One sync of a source at a time, over all processes: nothing is read twice. Raises Cancelled while it waits."""

    def end_if_cancelled() -> None:
        if is_cancelled():
            raise Cancelled

    lock = lock_of(workspace, source.id)
    try:
        take(lock, LOCK_SECONDS, end_if_cancelled, LOCK_TICK_SECONDS)
    except Taken as error:
        raise StoreError(f"Another sync of “{source.name}” has been running for an hour. Stop it, then try again.") from error
    try:
        yield
    finally:
        lock.release()


def lock_of(workspace: Workspace, source_id: str) -> Lock:
    return workspace.database.locks.lock(source_id)


def is_running(workspace: Workspace, source_id: str) -> bool:
    """Whether some process is bringing this tree in step now; one that was killed is not, whatever the table says."""
    return workspace.database.locks.is_taken(source_id)


def note_waiting(workspace: Workspace, sources: Sources, source: Source) -> None:
    """A source is to be read for the first time, and others are before it: also one whose reading was killed says so."""
    if source.state != "waiting" and not is_running(workspace, source.id):
        sources.waits(source)


@contextmanager
def _connected(sources: Sources, source: Source, connector: Connector | None) -> Iterator[Connector]:
    """The connector as given, which stays open, or one made for this sync alone."""
    if connector is not None:
        yield connector
        return
    connector = open_connector(sources.database.home, source.kind, source.config, sources.secrets(source))
    try:
        yield connector
    finally:
        connector.close()


class _Prepared(NamedTuple):
    """A batch with its documents in chunks, those that could not be cut or read, and what was read of the others; with what the
    search index notes of leaves, by their identity."""

    batch: Batch
    documents: list[LeafDocument]
    faults: list[Failure]
    ahead: ReadAhead = NOT_AHEAD
    entries: Mapping[int, LeafEntry] = {}


class _SyncRun:
    """One sync under way."""

    def __init__(
        self,
        workspace: Workspace,
        sources: Sources,
        source: Source,
        connector: Connector,
        pool: Pool,
        is_cancelled: Callable[[], bool],
        drop_window: float,
    ) -> None:
        self.workspace = workspace
        self.sources = sources
        self.source = source
        self.connector = connector
        self.pool = pool
        self.is_cancelled = is_cancelled
        # a watch reports a large drop bit by bit: what it reported just before counts with it
        self.drops_since = time.time() - drop_window
        self.before_publish: Callable[[], None] = lambda: None
        self.result = Synced()
        self.failed: set[str] = set()  # in this sync

    def ingest(self, hints: Collection[str] | None, gives_way: Callable[[], bool] = lambda: False) -> bool:
        """Fetches what changed, in batches: each is chunked, summarized, published and indexed before the one after the next.

        Returns False where it gave way to others before everything was looked at.
        """
        is_whole = True
        batches = self.connector.fetch(self.sources.checkpoint(self.source.id, None if hints is None else len(hints)), hints)
        try:
            for prepared in self._prepare_ahead(batches):
                self._apply(prepared)
                if self.is_cancelled():
                    raise Cancelled
                if is_whole and isinstance(self.connector, Divisible) and gives_way():
                    is_whole = False
                    self.connector.end_fetch()
        except KeyboardInterrupt:
            self.connector.close()  # what is being fetched ahead would be waited for
            raise
        return is_whole

    def _prepare_ahead(self, batches: Iterator[Batch]) -> Iterator[_Prepared]:
        """Batches with their documents in chunks, which are read where nobody has read them; while one is published, the next is
        fetched, chunked and, where that costs nobody anything, read."""

        def following() -> _Prepared | None:
            batch = next(batches, None)
            if batch is None:
                return None
            batch = batch.settled()
            prepared = _Prepared(batch, *self.pool.chunk(batch.documents))
            return self._read(prepared) if self.pool.reads_ahead else prepared

        with ThreadPoolExecutor(1, "fetch") as executor:
            coming = executor.submit(following)
            while (prepared := coming.result()) is not None:
                coming = executor.submit(following)
                yield prepared if self.pool.reads_ahead else self._read(prepared)

    def _read(self, prepared: _Prepared) -> _Prepared:
        """With what was read. A document of which a leaf cannot be read is listed, like one that cannot be cut."""
        entries: dict[int, LeafEntry] = {}

        def try_all(leaves: Sequence[Unread]) -> list[SummaryRecord | Fault]:
            tried = self.pool.try_to_read(leaves)
            pairs = zip(leaves, tried, strict=True)
            entries.update((id(one.leaf), made.entry) for one, made in pairs if made.entry is not None)
            return [made.record for made in tried]

        ahead = read_ahead(self.workspace.database, self.workspace.reader, self.source.id, prepared.documents, try_all)
        if not ahead.faults:
            return prepared._replace(ahead=ahead, entries=entries)
        found = {document.id: ahead.fault_in(document) for document in prepared.documents}
        documents = [document for document in prepared.documents if found[document.id] is None]
        faults = [failure_of(one, "read", fault) for one in prepared.batch.documents if (fault := found.get(one.id)) is not None]
        return _Prepared(prepared.batch, documents, [*prepared.faults, *faults], ahead, entries)

    def reconcile(self) -> None:
        """Compares all ids that the source has with those of the tree: removes what is missing there, and reads what is
        missing here or could not be read before.

        The failures of what is gone are forgotten.
        """
        present = set(self.connector.census())
        known = self.workspace.store.documents.ids(self.source.id)
        failures = self.sources.failures(self.source.id)
        failed = {failure.document_id for failure in failures}
        again = {failure.document_id for failure in failures if failure.again} - self.failed
        if to_read := present - known - failed | again & present:
            self.ingest(to_read)
        self._let_go(confirmed_missing(self.connector, known - present), failed - known - present)

    def check_unreadable(self) -> None:
        """Looks at all documents that are kept though they cannot be read now. One that was emptied leaves the tree.

        Raises AccessLost where so many fail in one way that it is a fault of the source; they are read anew next time.
        """
        kept = self.sources.stale(self.source.id)
        if not kept:
            return
        live = self.workspace.store.documents.count(self.source.id)
        emptied = [row for row in kept if row.kind == "empty"]
        waiting = [row for row in emptied if not row.approved]
        # a look at everything too may come upon files of which a watch has seen some turn empty just before
        lately = self.sources.count_gone(self.source.id, "emptied", min(self.drops_since, time.time() - DROP_WINDOW))
        if _is_much(len(waiting) + lately, live + lately) or _are_most(len(waiting) + lately, live + lately):
            gone = [row.document_id for row in emptied if row.approved]
        else:
            gone, waiting = [row.document_id for row in emptied], []
        if gone:
            self._let_go_emptied(gone)
        if waiting:
            raise AccessLost(
                f"{len(waiting)} of {live} documents of “{self.source.name}” are empty all at once. They stay in the tree as "
                "they were last read. Put their text back; if they are meant to be empty, say so under Sources."
            )
        if fault := self._fault([row for row in kept if row.kind != "empty"], live):
            again = [row.document_id for row in fault if not row.again and row.kind != "closed"]
            self.sources.forget_stamps(self.source.id, again)
            raise AccessLost(
                f"{len(fault)} of {live} documents of “{self.source.name}” cannot be read now. They stay in the tree as they "
                f"were last read, and are tried again. What was said of “{fault[0].title}”: {fault[0].reason}"
            )

    def _fault(self, kept: Collection[FailureRow], live: int) -> list[FailureRow]:
        """The documents that cannot be read because their source is at fault: many of one kind, or all there are."""
        since = time.time() - FAULT_SECONDS
        for kind in {row.kind for row in kept}:
            of_kind = [row for row in kept if row.kind == kind]
            lately = [row for row in of_kind if row.since >= since]
            now = [row for row in of_kind if row.document_id in self.failed]
            if len(of_kind) == live > 1 or len(now) == self.result.looked_at > 1:
                return of_kind
            if kind != "closed" and _is_much(len(lately), live):  # the system itself says which files it has closed to us
                return lately
        return []

    def _let_go_emptied(self, ids: Collection[str]) -> None:
        """Documents that were read and have no text any more: edited to nothing. They stay listed as empty."""
        buried = self._missing(dict.fromkeys(ids, "emptied"))

        def also(connection: Connection) -> None:
            table.let_go_of(connection, self.source.id, ids)
            self._bury(connection, buried)

        self._publish([], set(ids), also)

    def _apply(self, prepared: _Prepared) -> None:
        """One batch, its failures and its checkpoint become true together. What could not be read stays as it was."""
        batch, documents, faults, ahead, entries = prepared
        failures = [*batch.failures, *faults]
        hidden = {failure.id for failure in batch.failures if failure.problem.kind == "access"}
        there = {failure.id for failure in failures if failure.problem.kind not in LEAVING}
        prints = {document.fingerprint for document in documents}
        buried = self._missing({**dict.fromkeys(batch.gone, "gone"), **dict.fromkeys(hidden, "hidden")}, prints)
        now = time.time()

        def also(connection: Connection) -> None:
            table.set_checkpoint(connection, self.source.id, {**batch.checkpoint, **{fault.id: None for fault in faults}})
            table.clear_failures(connection, self.source.id, [*(d.id for d in documents), *batch.gone])
            table.set_failures(connection, self.source.id, failures, now)
            table.clear_tombstones(connection, self.source.id, [*(d.id for d in documents), *there], prints)
            self._bury(connection, buried)

        self._publish(documents, {*batch.gone, *hidden}, also, ahead, entries)
        self.failed |= {failure.id for failure in failures}
        self.result.looked_at += batch.looked_at or len(batch.documents) + len(batch.failures)
        self.result.failed += len(failures)
        self.sources.progressed(self.source.id, self.result.looked_at, batch.total)

    def _missing(self, gone: Mapping[str, Presence], arriving: Collection[str] = ()) -> list[Missing]:
        """Those of them that the tree has, and that are not there, or arriving, under another id: those were moved."""
        if not gone:
            return []
        known = self.workspace.store.documents.by_id(self.source.id, gone)
        prints = {document.fingerprint for document in known.values()}
        elsewhere = self.workspace.store.documents.held_elsewhere(self.source.id, prints, gone) | set(arriving)
        return [
            Missing(id_, document.title, gone[id_], document.fingerprint)
            for id_, document in known.items()
            if document.fingerprint not in elsewhere
        ]

    def _let_go(self, missing: Mapping[str, Presence], forgotten: Collection[str]) -> None:
        """What is missing leaves the tree; that and what is forgotten is read anew should it come back."""
        buried = self._missing(missing)

        def also(connection: Connection) -> None:
            table.set_checkpoint(connection, self.source.id, dict.fromkeys([*missing, *forgotten]))
            table.clear_failures(connection, self.source.id, [*missing, *forgotten])
            self._bury(connection, buried)

        self._publish([], set(missing), also)

    def _bury(self, connection: Connection, missing: Collection[Missing]) -> None:
        if missing:
            table.set_tombstones(connection, self.source.id, missing, time.time())
            table.ask_about(connection, self.source.id, self.drops_since, GUARD_DOCUMENTS, GUARD_SHARE)

    def _publish(
        self,
        documents: Sequence[LeafDocument],
        gone: set[str],
        also: Callable[[Connection], None],
        ahead: ReadAhead = NOT_AHEAD,
        entries: Mapping[int, LeafEntry] = {},
    ) -> None:
        store = self.workspace.store
        for attempt in range(TRIES):
            base = self.sources.get(self.source.id).published
            try:
                change, decisions = build(
                    store, self.source.id, self.source.name, base, self.workspace.reader, documents, gone, self.pool.read,
                    self.workspace.model.labels() or (), ahead,
                )  # fmt: skip
                self.before_publish()
                version = publish(store.database, change, also)
            except DamagedTree:
                if attempt + 1 == TRIES:
                    raise
                repair(self.workspace, self.sources, self.source)
                continue
            except StaleBase:
                if attempt + 1 == TRIES:
                    raise StoreError(f"Other programs keep changing “{self.source.name}”. Stop them and sync again.") from None
                continue
            self.result.put += len(change.documents)
            self.result.removed += len(change.gone)
            self.result.version = version
            for decision, number in decisions.items():
                self.result.decisions[decision] = self.result.decisions.get(decision, 0) + number
            if change:
                self.workspace.index.catch_up(ahead=self._named(entries, ahead, documents, change))
            return

    def _named(
        self, entries: Mapping[int, LeafEntry], ahead: ReadAhead, documents: Iterable[LeafDocument], change: Change
    ) -> Ahead:
        """These entries by all that they are made of, where that is what was published: what a leaf says may have been known meanwhile."""
        named: dict[Given, LeafEntry] = {}
        for document in documents if entries else ():
            if (row := change.documents.get(document.id)) is not None:
                place = standing_of(self.source.id, document)
                for leaf, (*_, key) in zip(document.leaves, row.outline, strict=True):
                    record, *_ = change.readings.get(ahead.keys[id(leaf)], ("",))
                    if id(leaf) in entries and record:
                        named[Given(place, key, record)] = entries[id(leaf)]
        return named


def _is_much(number: int, of: int) -> bool:
    """Whether so many documents of a source are more than the drop guard lets pass."""
    return number > GUARD_DOCUMENTS and number > GUARD_SHARE * of


def _are_most(number: int, of: int) -> bool:
    """Whether these are more than half of a source's documents, however few it has."""
    return number > 1 and 2 * number > of


def confirmed_missing(connector: Connector, ids: Collection[str]) -> dict[str, Presence]:
    """What became of documents that a census did not name; those that are there after all are left out."""
    if not isinstance(connector, Confirming):
        return dict.fromkeys(ids, "gone")
    confirmed = connector.confirm(ids) if ids else {}
    return {id_: confirmed[id_] for id_ in ids if confirmed.get(id_, "here") != "here"}


# ---------------------------------------------------------------- verify


@dataclass(frozen=True, slots=True)
class Verified:
    """A live tree held against one made from nothing out of the same documents.

    Records are made again too, but for those that another reader made of exactly what is below their node: of them it is
    known only that nobody has changed them since.
    """

    source: str
    live_hash: str
    rebuilt_hash: str
    differing: tuple[str, ...]  # places
    nodes: int

    @property
    def is_equal(self) -> bool:
        return not self.differing


def verify(workspace: Workspace, source: Source) -> Verified:
    """Raises SourceRemoved where that has happened meanwhile."""
    for attempt in range(TRIES):
        before, held = _published(workspace, source), _verified(workspace, source)
        if held.is_equal or attempt + 1 == TRIES or _published(workspace, source) == before:
            break  # else what it was compared with may have been forgotten in the middle
    return held


def _published(workspace: Workspace, source: Source) -> int:
    found = next((one.published for one in workspace.store.sources.askable() if one.id == source.id), None)
    if found is None:
        raise SourceRemoved(f"“{source.name}” has been removed.")
    return found


def _verified(workspace: Workspace, source: Source) -> Verified:
    store = workspace.store
    version = store.versions.newest()
    live = {node.place: node for node in store.nodes.of_source(source.id, version)}
    standing = {place: node.record for place, node in live.items()}
    with workspace.database.read() as connection:
        records = Records(workspace.reader, connection, standing=standing)
        made = rebuild(source.id, source.name, stored_documents(store, source.id, version), records)
    altered = store.records.altered(standing.values())
    differing = {place for place in live.keys() | made.keys() if live.get(place) != made.get(place)}
    differing |= {place for place, record in standing.items() if record in altered}
    root = f"{source.id}/"
    return Verified(source.name, _hash(live.get(root)), _hash(made.get(root)), tuple(sorted(differing)), len(live))


def _hash(node: Node | None) -> str:
    return node.hash if node else ""


def repair(workspace: Workspace, sources: Sources, source: Source) -> int:
    """Makes again, out of the stored documents, what of the live tree is not what they make. Returns how many nodes changed.

    A document whose text is gone leaves the tree, and is read anew at the next look at everything.
    """
    store = workspace.store
    for _ in range(TRIES):
        base = sources.get(source.id).published
        live = {node.place: node for node in store.nodes.of_source(source.id)}
        standing = {place: node.record for place, node in live.items()}
        documents = list(stored_documents(store, source.id))
        lost = store.documents.ids(source.id) - {document.id for document in documents}
        with workspace.database.read() as connection:
            records = Records(workspace.reader, connection, standing=standing)
            made = rebuild(source.id, source.name, documents, records)
        altered = store.records.altered(standing.values())
        put = {place: node for place, node in made.items() if node != live.get(place) or node.record in altered}
        fresh, readings = records.take()
        needed = {node.record for node in put.values()}
        change = Change(
            source.id, base, put, live.keys() - made.keys(), gone=lost, is_upgrade=not lost,
            records={hash_: record for hash_, record in fresh.items() if hash_ in needed},
            readings={key: reading for key, reading in readings.items() if reading[0] in needed},
        )  # fmt: skip

        store.records.drop(altered)  # a row with the right name and another content would stand in the way

        def also(connection: Connection, lost: Collection[str] = frozenset(lost)) -> None:
            table.set_checkpoint(connection, source.id, dict.fromkeys(lost))

        try:
            publish(store.database, change, also)
        except StaleBase:
            continue
        workspace.index.catch_up()
        log.warning("%s: %d nodes were not what their documents make; they are made again", source.id, len(put))
        return len(put)
    raise StoreError(f"Other programs keep changing “{source.name}”. Stop them and sync again.")


def stored_documents(store: Store, source_id: str, version: int | None = None) -> Iterable[LeafDocument]:
    """Every live document with its leaves, in the order in which they were published; none of which a text is missing."""
    for row in store.documents.of_source(source_id, version).values():
        texts = store.leaves.by_key(key for *_, key in row.outline)
        if any(key not in texts for *_, key in row.outline):
            continue
        leaves = tuple(replace(texts[key], slot=slot, title=title, path=path) for slot, title, path, key in row.outline)
        yield LeafDocument(
            row.id,
            row.title,
            row.path,
            leaves,
            row.fingerprint,
            row.kind,
            row.url,
            row.order,
            row.metadata,
            row.aliases,
            row.problems,
            row.heads,
        )
