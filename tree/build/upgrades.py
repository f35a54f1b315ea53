"""Upgrades: what the chosen model is given to read of the trees, and the records that it made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.engine import Connection

from prompts.records import Child, LeafText, Reader, Reading
from tree.build.records import Records, as_children, branch_input, leaf_input
from tree.store.database import Database
from tree.store.document_rows import read_kinds
from tree.store.errors import SourceRemoved, StaleBase
from tree.store.language_model import Labels
from tree.store.leaf_rows import read_leaves
from tree.store.leases import Leases, drop_leases, leased_places
from tree.store.node_rows import live_children, live_with_ancestors
from tree.store.nodes import Node
from tree.store.publishing import Change, publish
from tree.store.readings import insert_reading
from tree.store.record_rows import read_records
from tree.store.settings import read_setting, save_setting
from tree.store.source_rows import read_published
from tree.store.turn_rows import read_cited_places
from tree.store.unread_nodes import UnreadNodes, free_nodes, is_unsettled

CITED_TURNS = 300  # of the questions asked last: what they cite is upgraded first
TRIES = 5  # to publish against other writers
STATE = "upgrades"  # of the row that holds how they go


@dataclass(frozen=True, slots=True)
class Job:
    """One input for the model: a leaf's text, or the records of a branch's children."""

    node: Node
    key: str
    label: str  # of the reader that is to read it
    leaf: LeafText | None
    children: tuple[Child, ...] = ()


class Upgrades:
    """What the upgrades of all trees read and write. Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.unread = UnreadNodes(database)
        self.leases = Leases(database)

    # ---- what is to be done

    def jobs(self, source_id: str, labels: Labels, places: Collection[str], only_ready: bool = True) -> list[Job]:
        """What the model is to be shown of these places, as far as nobody has read them or is at it; of branches only
        those that are ready: everything below them is settled."""
        found = []
        with self.database.read() as connection:
            nodes = free_nodes(connection, source_id, labels, places)
            texts = read_leaves(connection, (node.leaf for node in nodes if node.leaf))
            kinds = _kinds(connection, source_id, nodes)
            for node in nodes:
                if node.leaf:
                    leaf, kind = texts[node.leaf], kinds[node.document_id or ""]
                    found.append(Job(node, leaf_input(leaf, kind), labels.read, leaf.as_read(kind)))
                    continue
                family = live_children(connection, node.place)
                if not only_ready or not is_unsettled(connection, source_id, labels, [child.place for child in family]):
                    children = as_children(family, read_records(connection, [child.record for child in family]))
                    found.append(Job(node, branch_input(node.title, family), labels.summarize, None, tuple(children)))
        return found

    def cited(self) -> Counter[str]:
        """How often each place, or one below it, was cited in the answers given last."""
        with self.database.read() as connection:
            times = read_cited_places(connection, CITED_TURNS)
            above = live_with_ancestors(connection, times)
        found: Counter[str] = Counter()
        for place, number in times.items():
            node = above.get(place)
            while node is not None:
                found[node.place] += number
                node = above.get(node.parent or "")
        return found

    # ---- what came of it

    def keep(self, job: Job, reading: Reading, also: Callable[[Connection], None]) -> bool:
        """Stores a reading the moment it is there. Not where the source was removed meanwhile; returns whether it was."""
        return self.keep_all([(job, reading)], also)

    def keep_all(self, made: Sequence[tuple[Job, Reading]], also: Callable[[Connection], None]) -> bool:
        """The same for all that one call brought, of one source: each is stored under its own input."""
        with self.database.write() as connection:
            also(connection)
            for job, reading in made:
                if read_published(connection, job.node.source_id) is None:
                    return False
                units = None if job.leaf is None or reading.units == job.leaf.units else reading.units
                decision = "summarize" if job.leaf is None else "read"
                insert_reading(connection, job.key, job.label, decision, reading.record, units)
            return True

    def publish(self, source_id: str, reader: Reader, labels: Labels, jobs: Sequence[Job]) -> bool:
        """Gives the nodes of these jobs, and of the same inputs in other places, the records that were made, and all above
        them records of those.

        Returns False where other writers were always faster: nothing is lost, and it may be tried again.
        """

        def also(connection: Connection) -> None:
            drop_leases(connection, jobs)

        for _ in range(TRIES):
            with self.database.read() as connection:
                base = read_published(connection, source_id)
                if base is None:
                    return True
                places = {job.node.place for job in jobs} | leased_places(connection, source_id, jobs)
                change = _better(connection, source_id, base, reader, labels, places)
            try:
                publish(self.database, change, also)
                return True
            except SourceRemoved:
                return True
            except StaleBase:
                continue
        return False

    # ---- how they go

    def note_state(self, state: Mapping[str, Any]) -> None:
        """For whoever shows it, in whatever process."""
        with self.database.write() as connection:
            save_setting(connection, STATE, dict(state))

    def state(self) -> tuple[dict[str, Any], float]:
        """What was noted last, and when, in seconds since 1970."""
        with self.database.read() as connection:
            row = read_setting(connection, STATE)
        return ({}, 0.0) if row is None else (row.value, row.changed_at)


def _kinds(connection: Connection, source_id: str, nodes: Iterable[Node]) -> dict[str, str]:
    """The kinds of the documents that these leaves stand in, by id."""
    return read_kinds(connection, source_id, (node.document_id for node in nodes if node.leaf and node.document_id is not None))


def _better(connection: Connection, source_id: str, base: int, reader: Reader, labels: Labels, places: Collection[str]) -> Change:
    """The change that gives the nodes at these places, and all above them, the best records known now.

    Documents, shape and hashes stay as they are: nothing but records is new.
    """
    nodes = live_with_ancestors(connection, places)
    texts = read_leaves(connection, (node.leaf for node in nodes.values() if node.leaf))
    kinds = _kinds(connection, source_id, nodes.values())
    records = Records(reader, connection, models=labels)
    change = Change(source_id, base, is_upgrade=True)
    for node in sorted(nodes.values(), key=lambda node: _steps_up(node, nodes), reverse=True):
        if node.leaf:
            record = records.of_leaf(node.place, texts[node.leaf], kinds[node.document_id or ""])
        else:
            children = [change.put.get(child.place, child) for child in live_children(connection, node.place)]
            record = children[0].record if node.kind == "pass" else records.of_branch(node.place, node.title, children)
        if record != node.record:
            change.put[node.place] = replace(node, record=record)
    change.records, change.readings = records.take()
    return change


def _steps_up(node: Node, nodes: Mapping[str, Node]) -> int:
    steps = 0
    while node.parent is not None and (above := nodes.get(node.parent)) is not None:
        node, steps = above, steps + 1
    return steps
