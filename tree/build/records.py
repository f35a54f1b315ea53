"""Records of leaves and branches: each input is read once, by a fingerprint of all that a reader is given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy.engine import Connection

from prompts.records import Child, LeafText, Reader, SummaryRecord
from tree.build.placing import standing_of
from tree.build.unread import Fault as Fault
from tree.build.unread import Unread
from tree.store.database import Database
from tree.store.errors import DamagedTree
from tree.store.forms import digest, record_hash
from tree.store.leaves import Leaf, LeafDocument
from tree.store.nodes import Node
from tree.store.readings import is_read_by_others, read_readings
from tree.store.record_rows import read_records

ReadAll = Callable[[Sequence[LeafText]], Sequence[SummaryRecord]]
TryAll = Callable[[Sequence[Unread]], Sequence[SummaryRecord | Fault]]


@dataclass(frozen=True, slots=True)
class ReadAhead:
    """What was looked up and read of leaves before their change is worked out."""

    keys: Mapping[int, str]  # the fingerprints of what a reader is given, by the identity of the leaf
    records: Mapping[str, SummaryRecord]  # of those that nobody had read, by these
    faults: Mapping[str, Fault]  # of those that could not be read, by these
    held: Sequence[LeafDocument]  # so that their leaves stay the ones that they were known by

    def fault_in(self, document: LeafDocument) -> Fault | None:
        return next((self.faults[key] for leaf in document.leaves if (key := self.keys[id(leaf)]) in self.faults), None)


NOT_AHEAD = ReadAhead({}, {}, {}, ())


def read_ahead(
    database: Database, reader: Reader, source_id: str, documents: Sequence[LeafDocument], try_all: TryAll
) -> ReadAhead:
    """Reads the leaves of these documents of a source that were never read."""
    keys, leaves = {}, {}
    for document in documents:
        place = standing_of(source_id, document)
        for leaf in document.leaves:
            keys[id(leaf)] = key = leaf_input(leaf, document.kind)
            leaves[key] = Unread(leaf, document.kind, place)
    with database.read() as connection:
        known = Records(reader, connection).stored(leaves)
    unread = [key for key in leaves if key not in known]
    results = dict(zip(unread, try_all([leaves[key] for key in unread]), strict=True))
    records = {key: result for key, result in results.items() if not isinstance(result, Fault)}
    faults = {key: result for key, result in results.items() if isinstance(result, Fault)}
    return ReadAhead(keys, records, faults, documents)


class Records:
    """Asks the reader, and remembers: an input that was ever read, in any tree, is not read again.

    What a model made of an input is better than what `reader` makes of it: by one of `models` (a model and a prompt each)
    before any other, the newest first.

    With `standing`, records by place, it proves them: one that another reader made of exactly this input holds, and else
    `reader` is asked again, as if nothing of its making were stored.
    """

    def __init__(
        self,
        reader: Reader,
        connection: Connection | None = None,
        read_all: ReadAll | None = None,
        models: Collection[str] = (),
        standing: Mapping[str, str] | None = None,
        ahead: ReadAhead = NOT_AHEAD,
    ) -> None:
        self.ahead = ahead
        self.reader = reader
        self.connection = connection
        self.models = models
        self.standing = standing
        self.read_all = read_all or (lambda leaves: [reader.read(leaf).record for leaf in leaves])
        self.decisions: dict[str, int] = defaultdict(int)  # how often the reader was really asked, by decision
        self.fresh: dict[str, SummaryRecord] = {}  # to be written with the next publish
        self.readings: dict[str, tuple[str, str, str]] = {}
        self._known: dict[str, SummaryRecord] = {}
        self._keyed: dict[int, tuple[Leaf, str]] = {}  # leaves that were looked up, by identity, with their keys
        self._looked_up: dict[str, str] = {}  # records by key, of branches also that there is none

    def of_leaf(self, place: str, leaf: Leaf, kind: str) -> str:
        if (keyed := self._keyed.get(id(leaf))) is not None:
            return self._looked_up.get(keyed[1]) or self.readings[keyed[1]][0]
        return self._made_by(place, leaf_input(leaf, kind), "read", lambda: self.reader.read(leaf.as_read(kind)).record)

    def read_ahead(self, documents: Iterable[LeafDocument]) -> None:
        """Finds what is known of these documents' leaves and has the others read, all in one go rather than leaf by leaf."""
        leaves = {}
        for document in documents:
            for leaf in document.leaves:
                key = self.ahead.keys.get(id(leaf)) or leaf_input(leaf, document.kind)
                self._keyed[id(leaf)] = (leaf, key)
                leaves[key] = (leaf, document.kind)
        self._looked_up |= self.stored(leaves)
        unknown = [key for key in leaves if key not in self._looked_up and key not in self.readings]
        unread = [key for key in unknown if key not in self.ahead.records]
        records = self.read_all([leaf.as_read(kind) for leaf, kind in map(leaves.__getitem__, unread)])
        made = {**self.ahead.records, **dict(zip(unread, records, strict=True))}
        for key in unknown:
            self._note(key, "read", made[key])

    def of_branch(self, place: str, title: str, children: Sequence[Node]) -> str:
        return self.of_branches([(place, title, children)])[0]

    def of_branches(self, branches: Sequence[tuple[str, str, Sequence[Node]]]) -> list[str]:
        """Of branches, given by their places, titles and children, none of which is below another: what is known of them is found in
        one go."""
        keys = [branch_input(title, children) for _, title, children in branches]
        if self.standing is None:
            self._looked_up |= dict.fromkeys(keys, "") | self.stored(keys)
        return [
            self._made_by(place, key, "summarize", partial(self._summarized, title, children))
            for key, (place, title, children) in zip(keys, branches, strict=True)
        ]

    def _summarized(self, title: str, children: Sequence[Node]) -> SummaryRecord:
        return self.reader.summarize(title, self._as_children(children))

    def take(self) -> tuple[dict[str, SummaryRecord], dict[str, tuple[str, str, str]]]:
        """What is new since the last take."""
        fresh, self.fresh = self.fresh, {}
        readings, self.readings = self.readings, {}
        return fresh, readings

    def _made_by(self, place: str, key: str, decision: str, make: Callable[[], SummaryRecord]) -> str:
        if self.standing is not None and self._is_by_others(key, self.standing.get(place)):
            return self.standing[place]
        known = self.readings.get(key)
        if known is not None:
            return known[0]
        if self.standing is None:
            found = self._looked_up if key in self._looked_up else self.stored([key])
            if hash_ := found.get(key):
                return hash_
        return self._note(key, decision, make())

    def _note(self, key: str, decision: str, record: SummaryRecord) -> str:
        self.decisions[decision] += 1
        hash_ = record_hash(record)
        self._known[hash_] = self.fresh[hash_] = record
        self.readings[key] = (hash_, decision, self._own)
        return hash_

    @property
    def _own(self) -> str:
        return f"{self.reader.name} {self.reader.version}"

    def _is_by_others(self, key: str, record: str | None) -> bool:
        if self.connection is None or record is None:
            return False
        return is_read_by_others(self.connection, key, record, self._own)

    def stored(self, keys: Iterable[str]) -> dict[str, str]:
        """The best record known of each input, as its hash."""
        if self.connection is None:
            return {}
        found = read_readings(self.connection, keys, self._own)
        found.sort(key=lambda reading: (reading.reader in self.models, reading.by_model, reading.made_at))
        return {reading.key: reading.record for reading in found}

    def _as_children(self, nodes: Sequence[Node]) -> list[Child]:
        self._load(node.record for node in nodes)
        return as_children(nodes, self._known)

    def _load(self, hashes: Iterable[str]) -> None:
        missing = [hash_ for hash_ in hashes if hash_ not in self._known]
        if missing and self.connection is not None:
            self._known.update(read_records(self.connection, missing))


def leaf_input(leaf: Leaf, kind: str) -> str:
    """The fingerprint of all that a reader is given to read a leaf of a document of this kind."""
    units = [unit.model_dump_json(exclude_defaults=True) for unit in leaf.units]
    given = (leaf.text, leaf.heading, leaf.title, units, kind)
    return digest("read", (*given, leaf.properties) if leaf.properties else given)


def branch_input(title: str, children: Sequence[Node]) -> str:
    """The fingerprint of all that a reader is given to summarize a branch."""
    return digest("summarize", [title, [(c.title, c.kind, c.record, c.leaves) for c in children]])


def as_children(nodes: Sequence[Node], records: Mapping[str, SummaryRecord]) -> list[Child]:
    """Raises DamagedTree when a record is not there."""
    if missing := [node.place for node in nodes if node.record not in records]:
        raise DamagedTree(f"The record of {missing[0]} is missing. Sync its source: that makes it again.")
    return [Child(node.title, node.kind, records[node.record], node.leaves) for node in nodes]
