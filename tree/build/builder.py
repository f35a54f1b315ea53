"""The builder: from changed documents to the next version of a tree, touching only what stands above the change.

`build` works out the new rows against the live tree; `rebuild` makes the whole tree from nothing by the same
rules. Both give the same nodes, because the shape depends on the set of documents alone (tree.store.shape) and a record on
exactly what it was made from.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from prompts.records import Reader
from tree.build.maker import Maker, arranged, document_nodes, folder_node, under, weight_of
from tree.build.placing import Titles, container_of, document_slot, position_of, with_parents
from tree.build.records import NOT_AHEAD, ReadAhead, ReadAll, Records
from tree.store import places, shape
from tree.store.documents import StoredDocument
from tree.store.forms import leaf_key, stored
from tree.store.leaves import Container, LeafDocument
from tree.store.live_tree import LiveTree
from tree.store.nodes import Node
from tree.store.publishing import Change
from tree.store.store import Store


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
    rows = store.documents.by_id(source_id, [*(document.id for document in documents), *gone])
    with store.database.read() as connection:
        records = Records(reader, connection, read_all, models, ahead=ahead)
        change = Builder(LiveTree(connection, source_id), title, base, records).build(documents, gone, rows)
    return change, dict(records.decisions)


def rebuild(source_id: str, title: str, documents: Iterable[LeafDocument], records: Records) -> dict[str, Node]:
    """The whole tree of a source from nothing, by place: what the live tree must equal, node for node."""
    maker = Maker(source_id, records)
    nodes: list[Node] = []
    items: dict[str, dict[str, Node]] = defaultdict(dict)
    titles = Titles()
    for document in documents:
        container = container_of(source_id, document, titles)
        if not document.leaves:
            continue
        slot = document_slot(document)
        keys = [leaf_key(leaf) for leaf in document.leaves]
        node, below = document_nodes(maker, container + slot, slot, position_of(document, slot), document, keys)
        items[container][node.position] = node
        nodes += below
    for container in sorted(with_parents(items, source_id), key=places.depth_of, reverse=True):
        ordered = [items[container][position] for position in sorted(items[container])]
        children, placed = arranged(maker, container, ordered)
        nodes += placed
        if container == places.root_place(source_id):
            nodes += [maker.branch(container, "", "", "root", title, children)] if children else []
        else:
            node = folder_node(maker, container, titles.heads.get(container) or titles.steps[container], children)
            items[places.parent_container(container)][node.position] = node
    return {node.place: node for node in nodes}


# ---------------------------------------------------------------- against the live tree


class _Items:
    """The ordered items of one level of a container: what is stored, with the changes laid over it."""

    def __init__(self, live: LiveTree, container: str, level: int, changes: Mapping[str, Node | None]) -> None:
        self.stored = live.level(container, level)
        self.changes = changes
        self._changed = sorted(changes)

    def since(self, position: str) -> Iterator[Node]:
        """Items from a position on, in order."""
        index = bisect_left(self._changed, position)
        for node in self.stored.since(position):
            while index < len(self._changed) and self._changed[index] <= node.position:
                changed = self.changes[self._changed[index]]
                if changed is not None:
                    yield changed
                index += 1
            if node.position not in self.changes:
                yield node
        yield from (changed for place in self._changed[index:] if (changed := self.changes[place]) is not None)


class Builder:
    """Works out one change of one source's tree against its live rows, inside one read of the database."""

    def __init__(self, live: LiveTree, title: str, base: int, records: Records) -> None:
        self.live = live
        self.source_id = source_id = live.source_id
        self.title = title
        self.change = Change(source_id, base)
        self.maker = Maker(source_id, records)
        self._items: dict[str, dict[str, Node | None]] = defaultdict(dict)  # changes of level 0, by container
        self._titles = Titles()
        self._beheaded: set[str] = set()  # containers whose head left them
        self._shown: list[str] = []

    def build(self, documents: Sequence[LeafDocument], gone: Iterable[str], rows: Mapping[str, StoredDocument]) -> Change:
        """`rows` holds those of all documents named here that are in the tree now."""
        self.maker.records.read_ahead(documents)
        for document in sorted(documents, key=lambda document: document.id):
            self._put_document(document, rows.get(document.id))
        for document_id in gone:
            if (row := rows.get(document_id)) is not None:
                self._remove_document(row)
                self.change.gone.add(document_id)
                self._shown.append(row.title)
        for container in sorted(with_parents(self._items, self.source_id), key=places.depth_of, reverse=True):
            self._restructure(container)
        self.change.records, self.change.readings = self.maker.records.take()
        self.change.titles = tuple(self._shown[:5])
        return self._settled()

    # ---- documents

    def _put_document(self, document: LeafDocument, before: StoredDocument | None) -> None:
        container = container_of(self.source_id, document, self._titles)
        slot = document_slot(document)
        place, position = container + slot, position_of(document, slot)
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
        for place, position in self.live.positions_of_document(row.place):
            self.change.drop.add(place)
            if place == row.place:
                self._items[container].setdefault(position, None)

    # ---- containers

    def _restructure(self, container: str) -> None:
        """Gives a container its children anew after a change of its items, and passes the change on upwards."""
        changes: Mapping[str, Node | None] = self._items.pop(container, {})
        level = 0
        while True:
            items = _Items(self.live, container, level, changes)
            first = list(islice(items.since(""), shape.FANOUT + 1))
            if len(first) <= shape.FANOUT:
                break
            changes = self._rechunk(container, level, items)
            level += 1
        for position, node in changes.items():
            if node is None:
                self.change.drop.update(items.stored.places_at(position))
        self.change.drop.update(items.stored.places_above())
        children = [self._put(under(node, container, container, level)) for node in first]
        self._pass_on(container, children)

    def _rechunk(self, container: str, level: int, items: _Items) -> dict[str, Node | None]:
        """Groups the items around each change anew; returns what that changes among the runs, by position."""
        above = self.live.level(container, level + 1)
        changed = sorted(items.changes)
        out: dict[str, Node | None] = {}
        groups: dict[str, list[Node]] = {}  # of each run, by its position
        done = ""  # everything before this position is right
        index = 0
        while index < len(changed):
            begin = max(self._restart(items, changed[index]), done)
            end: str | None = None
            before: list[Node] = []
            for segment in shape.segments(items.since(begin), weight_of):
                start = segment[0].position
                while index < len(changed) and changed[index] < start:
                    index += 1
                unchanged = index == len(changed) or changed[index] > segment[-1].position
                if before and unchanged and before[-shape.REACH].position > changed[index - 1]:
                    end = start  # no change within reach, so it began a segment before, and what follows is the same
                    break
                for group in shape.divided(segment, weight_of):
                    groups[group[0].position] = [under(node, "", container, level) for node in group]
                before = segment
            else:
                index = len(changed)
            for run in above.between(begin, end):
                out[run.position] = None
            done = end or ""
        for run, group in zip(self.maker.runs(container, level + 1, groups.values()), groups.values(), strict=True):
            for node in group:
                self._put(replace(node, parent=run.place))
            out[run.position] = run
        for position in changed:
            if items.changes[position] is None:
                self.change.drop.update(items.stored.places_at(position))
        return out

    def _restart(self, items: _Items, position: str) -> str:
        """Where the last segment begins that a change at `position` cannot have moved, or the beginning."""
        back = shape.segments(items.stored.slots_before(position), lambda item: shape.weight(item[1]))
        segment = next(islice(back, 1, None), None)
        return segment[0][0] if segment else ""

    def _pass_on(self, container: str, children: list[Node]) -> None:
        root = places.root_place(self.source_id)
        before = self.live.node(container)
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
        depth = places.depth_of(container) - 2
        for document_id, path in self.live.paths_below(container):
            if document_id not in self.change.gone and document_id not in self.change.documents:
                return path[depth]
        raise LookupError(f"nothing lies in {container}")

    # ---- collecting

    def _put(self, node: Node) -> Node:
        self.change.put[node.place] = node
        return node

    def _settled(self) -> Change:
        """Leaves out what is put exactly as it already stands."""
        change = self.change
        change.drop -= change.put.keys()
        for node in self.live.nodes(list(change.put)):
            if change.put[node.place] == node:
                del change.put[node.place]
        return change
