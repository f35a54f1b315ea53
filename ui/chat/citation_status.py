"""The status of a citation: is the cited passage still there, was it edited, was it removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from prompts.extractive.passages import where_said
from tree.ask.snapshot.answer import Passage, passage
from tree.store.document_rows import DocumentRows
from tree.store.documents import StoredDocument
from tree.store.leaves import Leaf
from tree.store.models import FailureRow
from tree.store.nodes import Node
from ui.server.tools import Tools

_AROUND = "[];:›,."  # what stands around the words of a header
State = Literal["current", "edited", "removed"]


@dataclass(frozen=True, slots=True)
class CitationStatus:
    """`passages` are the places of the cited words now; empty unless `state` is current. `document` is as it is now.

    `stale` is set where the document cannot be read now, and the tree has it as it was last read. `is_around` where the cited
    words stand and others beside them are new: a later comment may say otherwise.
    """

    state: State
    node: Node | None = None
    leaf: Leaf | None = None
    passages: tuple[Passage, ...] = ()
    document: StoredDocument | None = None
    stale: FailureRow | None = None
    is_around: bool = False


def citation_statuses(tools: Tools, citations: Sequence[Mapping[str, Any]]) -> list[CitationStatus]:
    """The status of each citation, in order; the citations are as `Answer.as_json` wrote them. Raises StoreError."""
    store = tools.workspace.store
    nodes = store.nodes.at({citation["place"] for citation in citations})
    sources = {source.id for source in tools.visible_sources()}
    there = {place: node for place, node in nodes.items() if node.source_id in sources}
    leaves = store.leaves.by_key({node.leaf for node in there.values() if node.leaf})
    documents = _documents(store.documents, [citation for citation in citations if citation["place"] in there])
    stale = {
        (row.source_id, row.document_id): row
        for source_id in {source_id for source_id, _ in documents}
        for row in tools.sources.stale(source_id)
    }
    made: list[CitationStatus] = []
    for citation in citations:
        of = (citation["source_id"], citation["document_id"])
        status = _status_of(citation, there.get(citation["place"]), leaves, documents.get(of))
        made.append(replace(status, stale=stale.get(of)) if status.node is not None else status)
    return made


def _documents(rows: DocumentRows, citations: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], StoredDocument]:
    wanted: dict[str, set[str]] = {}
    for citation in citations:
        wanted.setdefault(citation["source_id"], set()).add(citation["document_id"])
    return {(source, id_): found for source, ids in wanted.items() for id_, found in rows.by_id(source, ids).items()}


def _status_of(
    citation: Mapping[str, Any], node: Node | None, leaves: Mapping[str, Leaf], document: StoredDocument | None
) -> CitationStatus:
    if node is None:
        return CitationStatus("removed")
    leaf = leaves.get(node.leaf or "")
    if leaf is None:
        return CitationStatus("edited", node, document=document)
    spans = [_span(leaf, quoted, same=node.leaf == citation["leaf"]) for quoted in citation["passages"]]
    if any(span is None for span in spans):
        return CitationStatus("edited", node, leaf, document=document)
    passages = tuple(passage(leaf, *span) for span in spans if span is not None)
    return CitationStatus("current", node, leaf, passages, document, is_around=node.leaf != citation["leaf"])


def _span(leaf: Leaf, quoted: Mapping[str, Any], same: bool) -> tuple[int, int] | None:
    """Where the quoted words are in the leaf as it is now, white space aside."""
    if same:
        return quoted["start"], quoted["end"]
    words = quoted["text"].split()
    if not words:
        return None
    if quoted["start"] == quoted["end"]:  # of the header above the leaf, which is told as it was
        header = {word.strip(_AROUND) for word in leaf.as_read().header.split()}
        return (0, 0) if header.issuperset(word.strip(_AROUND) for word in words) else None
    return where_said(leaf.text, quoted["text"], near=quoted["start"], is_whole=True)
