"""The write side: what a source holds now becomes the next versions of its tree."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from filelock import FileLock, Timeout
from sqlalchemy.engine import Connection

from connectors.base import (
    AccessLost,
    Batch,
    ConfigurationError,
    Connector,
    CredentialsError,
    Document,
    Failure,
    Problem,
)  # fmt: skip
from ingestion import sources as table
from ingestion.connection import open_connector
from ingestion.sources import Sources
from ingestion.units import cut
from tree.builder import Records, build, rebuild
from tree.database import StoreError
from tree.leaves import LeafDocument
from tree.models import Source
from tree.store import Node, StaleBase, Store
from tree.workspace import Workspace

GUARD_DOCUMENTS = 10  # a drop of more than this many documents ...
GUARD_SHARE = 0.10  # ... that is also more than this share of the source waits for an admin,
GUARD_SECONDS = 30  # reported one after the other, what went missing within this time is one drop
TRIES = 20  # to publish against other writers


log = logging.getLogger("knowledge-tree")


class Cancelled(Exception):
    """The sync was asked to stop; what it had published stays, and the next one goes on from there."""


@dataclass(slots=True)
class Synced:
    """What one sync did."""

    looked_at: int = 0
    put: int = 0
    removed: int = 0
    failed: int = 0
    withheld: int = 0
    decisions: dict[str, int] = field(default_factory=dict)
    version: int = 0


def sync(
    workspace: Workspace,
    sources: Sources,
    source: Source,
    hints: Collection[str] | None = None,
    connector: Connector | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    approved: bool = False,
    guard_seconds: float = GUARD_SECONDS,
) -> Synced:
    """Brings one tree in step with its source; with hints, only what they name is looked at.

    Raises ConnectorError or StoreError with words for a person, after noting them on the source.
    """
    with _alone(workspace, source):
        sources.started(source.id)
        try:
            with _connected(sources, source, connector) as connected:
                run = _Run(workspace, sources, source, approved, 0 if hints is None else guard_seconds)
                for batch in connected.fetch(sources.checkpoint(source.id), hints):
                    run.apply(batch)
                    if is_cancelled():
                        raise Cancelled
                if hints is None:
                    run.take_census(connected.census())
                else:
                    run.finish()
        except Cancelled:
            sources.ended(source.id, "stopped", "Stopped; the next sync goes on from here.")
            raise
        except AccessLost as error:
            sources.ended(source.id, "lost", str(error))
            raise
        except (ConfigurationError, CredentialsError, StoreError) as error:
            sources.ended(source.id, "failed", str(error))
            raise
        sources.ended(source.id, "ready")
        return run.result


@contextmanager
def _alone(workspace: Workspace, source: Source) -> Iterator[None]:
    """One sync of a source at a time, over all processes: nothing is read twice."""
    folder = workspace.home / "locks"
    folder.mkdir(exist_ok=True)
    try:
        with FileLock(folder / f"{source.id}.lock", timeout=3600):
            yield
    except Timeout as error:
        raise StoreError(f"Another sync of “{source.name}” has been running for an hour. Stop it, then try again.") from error


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


class _Run:
    """One sync under way."""

    def __init__(self, workspace: Workspace, sources: Sources, source: Source, approved: bool, guard_seconds: float) -> None:
        self.workspace = workspace
        self.sources = sources
        self.source = source
        self.approved = approved
        self.result = Synced()
        # a watch reports a large drop bit by bit: what it reported just before counts with it
        self.lately = workspace.store.dropped_since(source.id, time.time() - guard_seconds) if guard_seconds else 0
        self.size = workspace.store.count_documents(source.id) + self.lately
        self.missing = {document_id for _, document_id in sources.withheld(source.id)}  # of those the tree knows

    def apply(self, batch: Batch) -> None:
        """One batch, its failures and its checkpoint become true together."""
        documents, faults = _cut_each(batch.documents)
        failures = [*batch.failures, *faults]
        closed = {failure.id for failure in batch.failures if failure.problem.kind == "access"}
        unreadable = {failure.id for failure in failures} - closed
        self.missing -= {document.id for document in documents} | unreadable
        gone = self._let_go({*batch.gone, *closed}, documents)
        now = time.time()

        def also(connection: Connection) -> None:
            table.set_checkpoint(connection, self.source.id, {**batch.checkpoint, **{fault.id: None for fault in faults}})
            table.clear_failures(connection, self.source.id, [*(d.id for d in documents), *batch.gone])
            table.set_failures(connection, self.source.id, failures, now)

        self._publish(documents, gone | unreadable, also)
        self.result.looked_at += batch.looked_at or len(batch.documents) + len(batch.failures)
        self.result.failed += len(failures)
        self.sources.progressed(self.source.id, self.result.looked_at, batch.total)

    def take_census(self, present: Iterable[str]) -> None:
        """Finds what the source no longer has, and forgets the failures of what is no longer there."""
        present = set(present)
        known = self.workspace.store.document_ids(self.source.id)
        failed = {failure.document_id for failure in self.sources.failures(self.source.id)}
        self.missing = (self.missing | known) - present
        forgotten = failed - present - known
        self.finish(forgotten | self.missing)

    def finish(self, forgotten: Iterable[str] = ()) -> None:
        """Whatever is missing leaves the tree, unless so much of it is that it looks like a fault."""
        missing = self.workspace.store.documents(self.source.id, self.missing).keys()
        gone = set(missing)
        if not self._fits():
            prints = self.workspace.store.fingerprints(self.source.id)
            elsewhere = {fingerprint for id_, fingerprint in prints.items() if id_ not in missing}
            moved = {id_ for id_ in missing if prints[id_] in elsewhere}
            self.missing -= moved
            gone = missing if self._fits() else moved
        withheld = missing - gone

        def also(connection: Connection) -> None:
            table.set_checkpoint(connection, self.source.id, dict.fromkeys(forgotten))
            table.clear_failures(connection, self.source.id, set(forgotten) - withheld)
            table.set_withheld(connection, self.source.id, withheld)

        self._publish([], gone, also)
        self.result.withheld = len(withheld)

    def _let_go(self, ids: set[str], arrived: Sequence[LeafDocument]) -> set[str]:
        """Which of the documents missing in a batch to remove with it."""
        known = self.workspace.store.documents(self.source.id, ids)
        here = {document.fingerprint for document in arrived}
        self.missing |= {id_ for id_, document in known.items() if document.fingerprint not in here}
        return ids if self._fits() else ids - self.missing

    def _fits(self) -> bool:
        """Whether as many documents may be missing without anybody being asked: the drop guard."""
        dropped = self.lately + len(self.missing)
        return self.approved or dropped <= GUARD_DOCUMENTS or dropped <= GUARD_SHARE * self.size

    def _publish(self, documents: Sequence[LeafDocument], gone: set[str], also: Callable[[Connection], None]) -> None:
        store = self.workspace.store
        for attempt in range(TRIES):
            base = self.sources.get(self.source.id).published
            change, decisions = build(store, self.source.id, self.source.name, base, self.workspace.reader, documents, gone)
            change.dropped = 0 if self.approved else len(change.gone & self.missing)
            try:
                version = store.publish(change, also)
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
                self.workspace.index.catch_up()
            return


def _cut_each(documents: Iterable[Document]) -> tuple[list[LeafDocument], list[Failure]]:
    """Documents as leaves. A fault of ours in one of them is noted for that one and stops no other."""
    done: list[LeafDocument] = []
    faults: list[Failure] = []
    for document in documents:
        try:
            done.append(cut(document))
        except Exception as error:  # noqa: BLE001  (listed for people, logged for us, and tried again with the next look)
            log.exception("%s could not be cut", document.id)
            reason = f"The app failed to divide this document ({type(error).__name__}): a fault of the app. Please report it."
            faults.append(Failure(document.id, document.title, Problem("unreadable", reason), document.path))
    return done, faults


# ---------------------------------------------------------------- verify


@dataclass(frozen=True, slots=True)
class Verified:
    """A live tree held against one made from nothing out of the same documents."""

    source: str
    live_hash: str
    rebuilt_hash: str
    differing: tuple[str, ...]  # places
    nodes: int

    @property
    def is_equal(self) -> bool:
        return not self.differing


def verify(workspace: Workspace, source: Source) -> Verified:
    store = workspace.store
    live = {node.place: node for node in store.all_nodes(source.id)}
    with workspace.database.read() as connection:
        made = rebuild(source.id, source.name, stored_documents(store, source.id), Records(workspace.reader, connection))
    differing = sorted(place for place in live.keys() | made.keys() if live.get(place) != made.get(place))
    root = f"{source.id}/"
    return Verified(source.name, _hash(live.get(root)), _hash(made.get(root)), tuple(differing), len(live))


def _hash(node: Node | None) -> str:
    return node.hash if node else ""


def stored_documents(store: Store, source_id: str) -> Iterable[LeafDocument]:
    """Every live document with its leaves, in the order in which they were published."""
    for row in store.documents(source_id).values():
        texts = store.leaves(key for *_, key in row.outline)
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
        )
