"""The builder: from changed documents to the next version of a tree, touching only what stands above the change.

`Builder.change` works out the new rows against the live tree; `rebuild` makes the whole tree from nothing by the same
rules. Both give the same nodes, because the shape depends on the set of documents alone (tree.store.shape) and a record on
exactly what it was made from.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.records import Child, LeafText, Reader, SummaryRecord
from tree.store import places, shape
from tree.store.documents import StoredDocument
from tree.store.errors import DamagedTree
from tree.store.forms import digest, leaf_key, record_hash, stored
from tree.store.leaves import Container, Leaf, LeafDocument
from tree.store.models import DocumentRow, NodeRow, ReadingRow, RecordRow, table_of
from tree.store.nodes import COLUMNS, Node
from tree.store.publishing import Change
from tree.store.record_rows import read_records
from tree.store.statements import in_parts
from tree.store.store import Store

FIRST_PAGE, LARGEST_PAGE = 16, 256  # items read from the store at once: most often a run and what follows it is all


class Fault(NamedTuple):
    """Why something of ours has no result: an error by its name, and where it happened."""

    name: str
    trace: str


ReadAll = Callable[[Sequence[LeafText]], Sequence[SummaryRecord]]
TryAll = Callable[[Sequence[LeafText]], Sequence[SummaryRecord | Fault]]

_document = table_of(DocumentRow)
_node = table_of(NodeRow)
_reading = table_of(ReadingRow)
_record = table_of(RecordRow)
_NODES = sa.select(*(_node.c[name] for name in COLUMNS))
_READING_BY_OTHERS = (
    sa.select(_reading.c.key)
    .where(
        _reading.c.key == sa.bindparam("key"),
        _reading.c.record == sa.bindparam("record"),
        _reading.c.reader != sa.bindparam("own"),
        sa.exists().where(_record.c.hash == _reading.c.record),
    )
    .limit(1)
)
_READINGS = sa.select(_reading.c.key, _reading.c.reader, _reading.c.record, _reading.c.by_model, _reading.c.made_at).where(
    _reading.c.key.in_(sa.bindparam("keys", expanding=True)),
    sa.or_(_reading.c.by_model, _reading.c.reader == sa.bindparam("own")),
    sa.exists().where(_record.c.hash == _reading.c.record),
)


# ---------------------------------------------------------------- decisions, each made once


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


def read_ahead(store: Store, reader: Reader, documents: Sequence[LeafDocument], try_all: TryAll) -> ReadAhead:
    """Reads the leaves of these documents that were never read."""
    keys, leaves = {}, {}
    for document in documents:
        for leaf in document.leaves:
            keys[id(leaf)] = key = leaf_input(leaf, document.kind)
            leaves[key] = (leaf, document.kind)
    with store.database.read() as connection:
        known = Records(reader, connection).stored(leaves)
    unread = [key for key in leaves if key not in known]
    results = dict(zip(unread, try_all([leaf.as_read(kind) for leaf, kind in map(leaves.__getitem__, unread)]), strict=True))
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
        self._looked_up: dict[str, str] = {}  # records of leaves by key

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
        key = branch_input(title, children)
        return self._made_by(place, key, "summarize", lambda: self.reader.summarize(title, self._as_children(children)))

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
        if self.standing is None and (hash_ := self.stored([key]).get(key)) is not None:
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
        """Whether a reader other than ours, a model or ours of an earlier release, made this record of this input."""
        if self.connection is None or record is None:
            return False
        return self.connection.scalar(_READING_BY_OTHERS, {"key": key, "record": record, "own": self._own}) is not None

    def stored(self, keys: Iterable[str]) -> dict[str, str]:
        """The best record known of each input, as its hash."""
        if self.connection is None:
            return {}
        rows = [row for some in in_parts(keys) for row in self.connection.execute(_READINGS, {"keys": some, "own": self._own})]
        rows.sort(key=lambda row: (row.reader in self.models, row.by_model, row.made_at))
        return {row.key: row.record for row in rows}

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


# ---------------------------------------------------------------- making nodes


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes finished nodes, from the leaves up: every node it returns has its hash and its record."""

    source_id: str
    records: Records

    def leaf(self, place: str, slot: str, position: str, leaf: Leaf, key: str, document: LeafDocument) -> Node:
        record = self.records.of_leaf(place, leaf, document.kind)
        hash_ = digest("leaf", leaf.title, document.title, document.url, key)
        return Node(
            self.source_id, place, None, None, 0, slot, position, "leaf", leaf.title, hash_, record, 1, 0,
            document_id=document.id, leaf=key,
        )  # fmt: skip

    def branch(
        self, place: str, slot: str, position: str, kind: str, title: str, children: Sequence[Node], level: int = 0
    ) -> Node:
        """A node over its children; a folder with one child is a pass: it stands for that child."""
        if kind == "folder" and len(children) == 1:
            return self._pass(place, slot, position, title, children[0])
        record = self.records.of_branch(place, title, children)
        hash_ = digest("branch", title, [child.hash for child in children])
        leaves = sum(child.leaves for child in children)
        height = 1 + max(child.height for child in children)
        return Node(self.source_id, place, None, None, level, slot, position, kind, title, hash_, record, leaves, height)

    def _pass(self, place: str, slot: str, position: str, title: str, child: Node) -> Node:
        hash_ = digest("pass", title, [child.hash])
        return Node(
            self.source_id, place, None, None, 0, slot, position, "pass", title, hash_, child.record, child.leaves, child.height,
            target=child.place,
        )  # fmt: skip

    def run(self, container: str, level: int, children: Sequence[Node]) -> Node:
        first, last = children[0], children[-1]
        title = f"{_first_title(first)} … {_last_title(last)}"
        place = places.run_place(container, level, first.slot)
        return self.branch(place, first.slot, first.position, "run", title, children, level)


def _first_title(node: Node) -> str:
    return node.title.partition(" … ")[0] if node.kind == "run" else node.title


def _last_title(node: Node) -> str:
    return node.title.rpartition(" … ")[2] if node.kind == "run" else node.title


def _under(node: Node, parent: str, container: str, level: int) -> Node:
    return replace(node, parent=parent, container=container, level=level)


def _weight(node: Node) -> bytes:
    return shape.weight(node.slot)


# ---------------------------------------------------------------- from nothing


def arranged(maker: Maker, container: str, items: list[Node]) -> tuple[list[Node], list[Node]]:
    """The children a container gets for its ordered items, and every node made or placed below it on the way."""
    placed: list[Node] = []
    level = 0
    while len(items) > shape.FANOUT:
        level_above: list[Node] = []
        for group in shape.runs(items, _weight):
            group = [_under(node, "", container, level) for node in group]
            run = maker.run(container, level + 1, group)
            placed += [replace(node, parent=run.place) for node in group]
            level_above.append(run)
        items, level = level_above, level + 1
    children = [_under(node, container, container, level) for node in items]
    return children, placed + children


def document_nodes(
    maker: Maker, place: str, slot: str, position: str, document: LeafDocument, keys: Sequence[str]
) -> tuple[Node, list[Node]]:
    """A document's own node and all nodes inside it. A heading that holds all of its surroundings adds no node."""
    below: list[Node] = []

    def grow(place: str, slot: str, position: str, kind: str, title: str, entries: list[_Entry], depth: int) -> Node:
        if len(entries) == 1:
            leaf, key = entries[0]
            return replace(maker.leaf(place, slot, position, leaf, key, document), title=title)
        while len(groups := _grouped(entries, depth)) == 1:
            depth += 1
        items = [
            grow(places.below(place, own), own, f"{number:06d}", "heading", step.title, group, depth + 1)
            for number, (step, group) in enumerate(groups)
            for own in [places.escape(step.id)]
        ]
        children, placed = arranged(maker, place, items)
        below.extend(placed)
        return maker.branch(place, slot, position, kind, title, children)

    entries = list(zip(document.leaves, keys, strict=True))
    node = grow(place, slot, position, "document", document.title, entries, 0)
    return replace(node, document_id=document.id), below


_Entry = tuple[Leaf, str]  # a leaf and its key


def _grouped(entries: list[_Entry], depth: int) -> list[tuple[Container, list[_Entry]]]:
    """A document's leaves by their container at `depth`, in order; a leaf that ends there stands for itself."""
    groups: dict[tuple[bool, str], tuple[Container, list[_Entry]]] = {}
    for number, (leaf, key) in enumerate(entries):
        deeper = len(leaf.path) > depth
        step = leaf.path[depth] if deeper else Container(leaf.slot, leaf.title)
        name = (True, step.id) if deeper else (False, f"{step.id}\0{number}")
        groups.setdefault(name, (step, []))[1].append((leaf, key))
    return _told_apart(list(groups.values()))


def _told_apart(groups: list[tuple[Container, list[_Entry]]]) -> list[tuple[Container, list[_Entry]]]:
    taken: set[str] = set()
    apart = []
    for step, group in groups:
        unique, copies = step.id, 1
        while unique in taken:
            copies += 1
            unique = f"{step.id}~{copies}"
        taken.add(unique)
        apart.append((Container(unique, step.title), group))
    return apart


def rebuild(source_id: str, title: str, documents: Iterable[LeafDocument], records: Records) -> dict[str, Node]:
    """The whole tree of a source from nothing, by place: what the live tree must equal, node for node."""
    maker = Maker(source_id, records)
    nodes: list[Node] = []
    items: dict[str, dict[str, Node]] = defaultdict(dict)
    titles = _Titles()
    for document in documents:
        container = _container(source_id, document, titles)
        if not document.leaves:
            continue
        slot = document_slot(document)
        keys = [leaf_key(leaf) for leaf in document.leaves]
        node, below = document_nodes(maker, container + slot, slot, _position(document, slot), document, keys)
        items[container][node.position] = node
        nodes += below
    for container in sorted(_with_parents(items, source_id), key=places.depth_of, reverse=True):
        ordered = [items[container][position] for position in sorted(items[container])]
        children, placed = arranged(maker, container, ordered)
        nodes += placed
        if container == places.root_place(source_id):
            nodes += [maker.branch(container, "", "", "root", title, children)] if children else []
        else:
            node = folder_node(maker, container, titles.heads.get(container) or titles.steps[container], children)
            items[places.parent_container(container)][node.position] = node
    return {node.place: node for node in nodes}


def folder_node(maker: Maker, container: str, step: Container, children: Sequence[Node]) -> Node:
    slot = f"{places.escape(step.id)}/"
    return maker.branch(container, slot, places.natural_order(step.id, slot), "folder", step.title, children)


def document_slot(document: LeafDocument | StoredDocument) -> str:
    """A file's name, when its id is its path; else the whole id."""
    above = "".join(f"{step.id}/" for step in document.path)
    return places.escape(document.id.removeprefix(above))


def _position(document: LeafDocument, slot: str) -> str:
    return places.natural_order(document.order or document.id.rpartition("/")[2], slot)


class _Titles:
    """What containers are called, by place: as the document says that heads one, else as all that lie in it say."""

    def __init__(self) -> None:
        self.heads: dict[str, Container] = {}
        self.steps: dict[str, Container] = {}


def _container(source_id: str, document: LeafDocument, titles: _Titles) -> str:
    """The place of the innermost container of a document; notes in `titles` what every one on the way is called."""
    place = places.root_place(source_id)
    for step in document.path:
        place = places.container_place(place, step.id)
        titles.steps[place] = step
    if document.heads and document.path:
        titles.heads[place] = Container(document.path[-1].id, document.title)
    return place


def _with_parents(containers: Iterable[str], source_id: str) -> set[str]:
    root = places.root_place(source_id)
    found: set[str] = set()
    for place in containers:
        while place not in found:
            found.add(place)
            if place != root:
                place = places.parent_container(place)
    return found


# ---------------------------------------------------------------- against the live tree


# Statements are made once: putting one together takes three times as long as running it.
_AT: sa.BindParameter[str] = sa.bindparam("position")
_NUMBER = sa.bindparam("number", type_=sa.Integer)
_LEVEL = sa.and_(
    _node.c.source_id == sa.bindparam("source"), _node.c.container == sa.bindparam("container"),
    _node.c.level == sa.bindparam("level"), _node.c.live_to.is_(None),
)  # fmt: skip
_ITEMS_FROM = _NODES.where(_LEVEL, _node.c.position >= _AT).order_by(_node.c.position).limit(_NUMBER)
_ITEMS_AFTER = _NODES.where(_LEVEL, _node.c.position > _AT).order_by(_node.c.position).limit(_NUMBER)
_ITEMS_TO_THE_END = _NODES.where(_LEVEL, _node.c.position >= _AT).order_by(_node.c.position)
_ITEMS_BETWEEN = _ITEMS_TO_THE_END.where(_node.c.position < sa.bindparam("end"))
_BEFORE = (
    sa.select(_node.c.position, _node.c.slot)
    .where(_LEVEL, _node.c.position < _AT)
    .order_by(_node.c.position.desc())
    .limit(_NUMBER)
)
_PLACE_AT = sa.select(_node.c.place).where(_LEVEL, _node.c.position == _AT)
_PLACES_ABOVE = sa.select(_node.c.place).where(
    _node.c.source_id == sa.bindparam("source"), _node.c.container == sa.bindparam("container"),
    _node.c.level > sa.bindparam("level"), _node.c.live_to.is_(None),
)  # fmt: skip

_INSIDE = sa.select(_node.c.place, _node.c.position).where(
    _node.c.source_id == sa.bindparam("source"), _node.c.live_to.is_(None),
    # an "or" alone would read the whole source; all that begins alike is found by an index
    _node.c.place >= sa.bindparam("place"), _node.c.place < sa.bindparam("end"),
    sa.or_(
        _node.c.place == sa.bindparam("place"),
        sa.and_(_node.c.place >= sa.bindparam("first"), _node.c.place < sa.bindparam("last")),
        _node.c.place >= sa.bindparam("run"),
    ),
)  # fmt: skip


class _Items:
    """The ordered items of one level of a container: what is stored, with the changes laid over it."""

    def __init__(
        self, connection: Connection, source_id: str, container: str, level: int, changes: Mapping[str, Node | None]
    ) -> None:
        self._connection = connection
        self._of = {"source": source_id, "container": container, "level": level}
        self.changes = changes
        self._changed = sorted(changes)

    def since(self, position: str) -> Iterator[Node]:
        """Items from a position on, in order."""
        index = bisect_left(self._changed, position)
        for node in self._stored_since(position):
            while index < len(self._changed) and self._changed[index] <= node.position:
                changed = self.changes[self._changed[index]]
                if changed is not None:
                    yield changed
                index += 1
            if node.position not in self.changes:
                yield node
        yield from (changed for place in self._changed[index:] if (changed := self.changes[place]) is not None)

    def _stored_since(self, position: str) -> Iterator[Node]:
        query, size = _ITEMS_FROM, FIRST_PAGE
        while True:
            rows = self._connection.execute(query, {**self._of, "position": position, "number": size}).all()
            yield from (Node(*row) for row in rows)
            if len(rows) < size:
                return
            query, size, position = _ITEMS_AFTER, min(2 * size, LARGEST_PAGE), rows[-1].position

    def stored_before(self, position: str) -> Iterator[tuple[str, str]]:
        """(position, slot) of the stored items before a position, the nearest first."""
        size = FIRST_PAGE
        while True:
            rows = self._connection.execute(_BEFORE, {**self._of, "position": position, "number": size}).tuples().all()
            yield from rows
            if len(rows) < size:
                return
            size, position = min(2 * size, LARGEST_PAGE), rows[-1][0]

    def stored_between(self, first: str, end: str | None) -> list[Node]:
        """Stored nodes from `first` up to, not including, `end`."""
        bound = {**self._of, "position": first}
        if end is None:
            rows = self._connection.execute(_ITEMS_TO_THE_END, bound)
        else:
            rows = self._connection.execute(_ITEMS_BETWEEN, {**bound, "end": end})
        return [Node(*row) for row in rows.all()]


class Builder:
    """Works out one change of one source's tree against its live rows, inside one read of the database."""

    def __init__(self, connection: Connection, source_id: str, title: str, base: int, records: Records) -> None:
        self.connection = connection
        self.source_id = source_id
        self.title = title
        self.change = Change(source_id, base)
        self.maker = Maker(source_id, records)
        self._items: dict[str, dict[str, Node | None]] = defaultdict(dict)  # changes of level 0, by container
        self._titles = _Titles()
        self._beheaded: set[str] = set()  # containers whose head left them
        self._shown: list[str] = []

    def build(self, documents: Sequence[LeafDocument], gone: Iterable[str], live: Mapping[str, StoredDocument]) -> Change:
        """`live` holds the stored rows of all documents named here that are in the tree now."""
        self.maker.records.read_ahead(documents)
        for document in sorted(documents, key=lambda document: document.id):
            self._put_document(document, live.get(document.id))
        for document_id in gone:
            if (row := live.get(document_id)) is not None:
                self._remove_document(row)
                self.change.gone.add(document_id)
                self._shown.append(row.title)
        for container in sorted(_with_parents(self._items, self.source_id), key=places.depth_of, reverse=True):
            self._restructure(container)
        self.change.records, self.change.readings = self.maker.records.take()
        self.change.titles = tuple(self._shown[:5])
        return self._settled()

    # ---- documents

    def _put_document(self, document: LeafDocument, before: StoredDocument | None) -> None:
        container = _container(self.source_id, document, self._titles)
        slot = document_slot(document)
        place, position = container + slot, _position(document, slot)
        keys = [leaf_key(leaf) for leaf in document.leaves]
        row = stored(self.source_id, place, document, keys)
        if row == before:
            return  # its nodes stand as they are, and so do those above
        if before is not None:
            self._remove_document(before)
        self._shown.append(document.title)
        self.change.added += before is None
        self.change.documents[document.id] = row
        self.change.leaves.update(zip(keys, document.leaves, strict=True))
        if document.leaves:
            node, below = document_nodes(self.maker, place, slot, position, document, keys)
            for inside in below:
                self._put(inside)
            self._items[container][position] = node

    def _remove_document(self, row: StoredDocument) -> None:
        container = row.place[: len(row.place) - len(document_slot(row))]
        if row.heads:
            self._beheaded.add(container)
        for place, position in self._placed(row.place):
            self.change.drop.add(place)
            if place == row.place:
                self._items[container].setdefault(position, None)

    def _placed(self, place: str) -> list[tuple[str, str]]:
        """(place, position) of a document's node and of every node inside it."""
        ends = {"first": f"{place}#", "last": f"{place}$", "run": f"{place}|", "end": f"{place}}}"}
        bound = {"source": self.source_id, "place": place, **ends}
        return [tuple(row) for row in self.connection.execute(_INSIDE, bound)]

    # ---- containers

    def _restructure(self, container: str) -> None:
        """Gives a container its children anew after a change of its items, and passes the change on upwards."""
        changes: Mapping[str, Node | None] = self._items.pop(container, {})
        level = 0
        while True:
            items = _Items(self.connection, self.source_id, container, level, changes)
            first = list(islice(items.since(""), shape.FANOUT + 1))
            if len(first) <= shape.FANOUT:
                break
            changes = self._rechunk(container, level, items)
            level += 1
        for position, node in changes.items():
            if node is None:
                self._drop_at(container, level, position)
        self._drop_levels_above(container, level)
        children = [self._put(_under(node, container, container, level)) for node in first]
        self._pass_on(container, children)

    def _rechunk(self, container: str, level: int, items: _Items) -> dict[str, Node | None]:
        """Groups the items around each change anew; returns what that changes among the runs, by position."""
        above = _Items(self.connection, self.source_id, container, level + 1, {})
        changed = sorted(items.changes)
        out: dict[str, Node | None] = {}
        done = ""  # everything before this position is right
        index = 0
        while index < len(changed):
            begin = max(self._restart(items, changed[index]), done)
            end: str | None = None
            before: list[Node] = []
            for segment in shape.segments(items.since(begin), _weight):
                start = segment[0].position
                while index < len(changed) and changed[index] < start:
                    index += 1
                unchanged = index == len(changed) or changed[index] > segment[-1].position
                if before and unchanged and before[-shape.REACH].position > changed[index - 1]:
                    end = start  # no change within reach, so it began a segment before, and what follows is the same
                    break
                for group in shape.divided(segment, _weight):
                    group = [_under(node, "", container, level) for node in group]
                    run = self.maker.run(container, level + 1, group)
                    for node in group:
                        self._put(replace(node, parent=run.place))
                    out[run.position] = run
                before = segment
            else:
                index = len(changed)
            for run in above.stored_between(begin, end):
                out.setdefault(run.position, None)
            done = end or ""
        for position in changed:
            if items.changes[position] is None:
                self._drop_at(container, level, position)
        return out

    def _restart(self, items: _Items, position: str) -> str:
        """Where the last segment begins that a change at `position` cannot have moved, or the beginning."""
        back = shape.segments(items.stored_before(position), lambda item: shape.weight(item[1]))
        segment = next(islice(back, 1, None), None)
        return segment[0][0] if segment else ""

    def _pass_on(self, container: str, children: list[Node]) -> None:
        root = places.root_place(self.source_id)
        before = self._live(container)
        if not children:
            if before is not None:
                self.change.drop.add(container)
                if container != root:
                    self._items[places.parent_container(container)].setdefault(before.position, None)
            return
        if container == root:
            self._put(self.maker.branch(container, "", "", "root", self.title, children))
            return
        if before is not None and container not in self._beheaded and container not in self._titles.heads:
            node = self.maker.branch(container, before.slot, before.position, "folder", before.title, children)
        else:
            step = self._titles.heads.get(container) or self._titles.steps.get(container) or self._step_of(container)
            node = folder_node(self.maker, container, step, children)
        self._items[places.parent_container(container)][node.position] = node

    def _step_of(self, container: str) -> Container:
        """A container as one of the documents in it gives it that are in the tree already."""
        [(first, last)] = places.ranges_below(container)
        inside = sa.and_(_document.c.place >= first, _document.c.place < last)
        query = sa.select(_document.c.path, _document.c.document_id).where(
            inside, _document.c.source_id == self.source_id, _document.c.live_to.is_(None)
        )
        depth = places.depth_of(container) - 2
        for path, document_id in self.connection.execute(query):
            if document_id not in self.change.gone and document_id not in self.change.documents:
                return Container(*path[depth])
        raise LookupError(f"nothing lies in {container}")

    # ---- collecting

    def _put(self, node: Node) -> Node:
        self.change.put[node.place] = node
        return node

    def _drop_at(self, container: str, level: int, position: str) -> None:
        bound = {"source": self.source_id, "container": container, "level": level, "position": position}
        self.change.drop.update(self.connection.scalars(_PLACE_AT, bound))

    def _drop_levels_above(self, container: str, level: int) -> None:
        bound = {"source": self.source_id, "container": container, "level": level}
        self.change.drop.update(self.connection.scalars(_PLACES_ABOVE, bound))

    def _live(self, place: str) -> Node | None:
        query = _NODES.where(_node.c.source_id == self.source_id, _node.c.place == place, _node.c.live_to.is_(None))
        row = self.connection.execute(query).first()
        return Node(*row) if row else None

    def _settled(self) -> Change:
        """Leaves out what is put exactly as it already stands."""
        change = self.change
        change.drop -= change.put.keys()
        added = list(change.put)
        for start in range(0, len(added), 500):
            some = added[start : start + 500]
            query = _NODES.where(_node.c.source_id == self.source_id, _node.c.place.in_(some), _node.c.live_to.is_(None))
            for row in self.connection.execute(query):
                node = Node(*row)
                if change.put[node.place] == node:
                    del change.put[node.place]
        return change


def build(
    store: Store,
    source_id: str,
    title: str,
    base: int,
    reader: Reader,
    documents: Sequence[LeafDocument],
    gone: Iterable[str] = (),
    read_all: ReadAll | None = None,
    models: Collection[str] = (),
    ahead: ReadAhead = NOT_AHEAD,
) -> tuple[Change, Mapping[str, int]]:
    """The change that brings a tree from version `base` to these documents, and how often the reader was asked.

    `read_all` reads many leaves at once, as the reader would one by one. `models` as in Records.
    """
    gone = list(gone)
    live = store.documents.by_id(source_id, [*(document.id for document in documents), *gone])
    with store.database.read() as connection:
        records = Records(reader, connection, read_all, models, ahead=ahead)
        change = Builder(connection, source_id, title, base, records).build(documents, gone, live)
    return change, dict(records.decisions)
