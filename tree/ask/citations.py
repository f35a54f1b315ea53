"""The citations of an answer: what was quoted, with its document, where that stands, and whether it can be read now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from prompts.records import Quote
from tree.ask.snapshot.answer import Citation, Passage, passage
from tree.ask.snapshot.snapshot import Snapshot, stale_notes
from tree.store.documents import DocumentHead
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import container_place, root_place

Cited = tuple[int, Node, Leaf, list[Quote]]  # the number in the answer, and what it stands for


def make_citations(snapshot: Snapshot, cited: Sequence[Cited]) -> tuple[Citation, ...]:
    """One for each number. An answer may have hundreds, so what they need is looked up for all of them at once."""
    nodes = [node for _, node, _, _ in cited]
    documents = snapshot.documents(nodes)
    notes = stale_notes(snapshot, nodes)
    ways = {key: _way(document) for key, document in documents.items()}
    titles = _titles(snapshot, ways.values())
    made = []
    for number, node, leaf, quotes in cited:
        key = node.source_id, node.document_id or ""
        document = documents.get(key)
        passages = tuple(_passage(leaf, quote) for quote in quotes) or (passage(leaf, 0, len(leaf.text)),)
        made.append(Citation(
            number, snapshot.sources[node.source_id].name, node.source_id, key[1], document.title if document else node.title,
            tuple(titles.get(place, title) for place, title in ways.get(key, {}).items()),
            document.kind if document else "", dict(document.metadata) if document else {}, document.url if document else "",
            node.place, node.leaf or "", passages, notes.get(key, ""),
        ))  # fmt: skip
    return tuple(made)


def _passage(leaf: Leaf, quote: Quote) -> Passage:
    """What was quoted; a quote with an empty span is of the header above the leaf."""
    if quote.end:
        return passage(leaf, quote.start, quote.end)
    return replace(passage(leaf, 0, 0), text=quote.text, locator="title", line=None)


def _way(document: DocumentHead) -> dict[str, str]:
    """The containers of a document, without one that it heads itself: their places, and what it calls them."""
    place, way = root_place(document.source_id), {}
    for step in document.path[: len(document.path) - document.heads]:
        place = container_place(place, step.id)
        way[place] = step.title
    return way


def _titles(snapshot: Snapshot, ways: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """What the containers at these places are called in the tree."""
    nodes = snapshot.store.nodes.with_ancestors((place for way in ways for place in way), snapshot.version)
    return {place: node.title for place, node in nodes.items()}
