"""What one question sees: a version, a scope, the nodes to start from, and how fresh that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tree.retrieve.index import Index, SearchScope
from tree.store.models import Source
from tree.store.rows import Node, StoredDocument
from tree.workspace import Workspace


@dataclass(slots=True)
class Pinned:
    """What one question sees: a version, a scope, the nodes to start from."""

    workspace: Workspace
    index: Index
    version: int
    scope: SearchScope
    sources: dict[str, Source]
    tops: list[Node]
    as_of: float | None
    asked_in: tuple[str, ...] = ()  # places the question was narrowed to
    keys: tuple[str, ...] = ()  # of tickets, in the question
    named: list[Node] = field(default_factory=list)  # what it names that there is

    def document(self, node: Node) -> StoredDocument | None:
        found = self.workspace.store.documents(node.source_id, [node.document_id or ""], self.version)
        return found.get(node.document_id or "")


def pin(workspace: Workspace, source_ids: Sequence[str] | None, places: Sequence[str], as_of: float | None) -> Pinned:
    store = workspace.store
    sources = {source.id: source for source in store.sources() if source_ids is None or source.id in source_ids}
    if as_of is None:
        version = workspace.index.catch_up()
        index = workspace.index.serving(sources, version)
    else:
        version, index = store.version_at(as_of), Index(store, None)
        index.load(sources, version)
    roots = {id_: root for id_, root in store.roots(version).items() if id_ in sources}
    tops = [roots[id_] for id_ in sources if id_ in roots]
    if places:
        nodes = store.nodes(places, version)
        tops = [nodes[place] for place in places if place in nodes and nodes[place].source_id in sources]
        sources = {top.source_id: sources[top.source_id] for top in tops}
    scope = SearchScope(tuple(sources), tuple(store.named_below([top.place for top in tops], version)) if places else ())
    return Pinned(workspace, index, version, scope, sources, tops, as_of, tuple(places))


# ---------------------------------------------------------------- freshness


def as_of(tree: Pinned) -> float | None:
    """The moment for which all of it is known: of several sources, that of the one seen longest ago."""
    if tree.as_of is not None:
        return tree.as_of
    moments = [source.synced_at for source in tree.sources.values() if source.synced_at is not None]
    return min(moments, default=None)


def notes_on(tree: Pinned) -> Iterator[str]:
    for source in tree.sources.values():
        if source.state in ("lost", "failed", "limited"):
            yield f"{source.name} cannot be reached now, so this is what it held on {when(source.synced_at)}: {source.message}"
        elif source.state == "syncing" and source.synced_at is None:
            yield f"{source.name} is still being read for the first time, so this may miss something."
        if missing := tree.workspace.store.count_undecided(source.id):
            yield f"{missing} documents went missing from {source.name} at once; nothing was taken from them."
    if tree.as_of is None and tree.index.version() < tree.version:
        yield "What changed in the last moments is still being indexed; it may be missing here."
    if tree.as_of is not None and tree.version == 0:
        yield "Nothing had been read at that time, or it is no longer kept."


def unread(tree: Pinned, node: Node) -> str:
    """Of a document that cannot be read now, since when, and of when what is cited from it is; else nothing."""
    found = tree.workspace.store.unread(node.source_id, [node.document_id or ""]).get(node.document_id or "")
    if found is None or (tree.as_of is not None and tree.as_of < found[0]):
        return ""
    since, read_at = found
    return f"could not be read since {when(since)}; this is what it said on {when(read_at)}"


def partly_read(tree: Pinned) -> Iterator[str]:
    for source in tree.sources.values():
        if partly := len(tree.workspace.store.documents_with_problems(source.id)):
            which = "1 document" if partly == 1 else f"{partly} documents"
            yield f"{which} of {source.name} could be read only in part; Sources says which and why."


def moment(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def when(seconds: float | None) -> str:
    return "an unknown day" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%-d %B %Y, %H:%M UTC")
