"""What the tree page shows, as plain data: rows of branches, and a node's record traced down to its leaves."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote as in_address

from ingestion.source_status import describe_stale, describe_status
from prompts.records import LogicUnit, Quote, SummaryRecord
from prompts.taxonomy import UNCLASSIFIED, name_of, taxonomy
from tree.accounts.principal import Principal
from tree.ask.direct.overview import traced_to_leaf
from tree.ask.snapshot.answer import passage
from tree.browse.nodes import sources_shown, type_names
from tree.retrieve.index import SearchScope
from tree.retrieve.index_entries import as_name
from tree.store.document_rows import DocumentRows
from tree.store.documents import StoredDocument
from tree.store.leaves import Leaf
from tree.store.models import FailureRow
from tree.store.nodes import Node
from tree.store.source_rows import SourceRows
from tree.workspace import Workspace
from ui.shared.markup import title_of, without_markdown

MOST_LEVELS = 200  # asked for at once
KIND_WORDS = {
    "root": "Source", "folder": "Folder", "document": "Document", "heading": "Section", "run": "Group", "leaf": "Passage",
}  # fmt: skip
UNIT_WORDS = {
    "step": "Step", "term": "Term", "faq": "Question", "decision": "Decision", "issue": "Issue", "event": "Event",
    "reference": "Reference", "passage": "Passage",
}  # fmt: skip

Row = dict[str, Any]


# ---------------------------------------------------------------- branches


def root_rows(workspace: Workspace, principal: Principal, version: int | None = None) -> list[Row]:
    """One row for each source that has a tree."""
    names = sources_shown(workspace, principal)
    roots = workspace.store.nodes.roots(version)
    return rows(workspace, [roots[id_] for id_ in names if id_ in roots])


def rows(workspace: Workspace, nodes: Sequence[Node]) -> list[Row]:
    """One row of the explorer for each node."""
    records = workspace.store.records.by_hash(node.record for node in nodes)
    return [
        {
            "place": node.place,
            "title": title_of(node.kind, node.title),
            "kind": node.kind,
            "leaves": node.leaves,
            "types": type_names(records.get(node.record))[:1],
        }
        for node in nodes
    ]


def levels(workspace: Workspace, principal: Principal, places: Iterable[str], version: int | None = None) -> dict[str, list[Row]]:
    """The children of these places that are in the tree; "" are the sources themselves."""
    shown = sources_shown(workspace, principal)
    wanted = list(dict.fromkeys(places))
    nodes = workspace.store.nodes.at([place for place in wanted if place], version)
    found: dict[str, list[Row]] = {}
    for place in wanted:
        if not place:
            found[place] = root_rows(workspace, principal, version)
        elif place in nodes and nodes[place].source_id in shown:
            found[place] = rows(workspace, workspace.store.nodes.children(nodes[place].place, version))
    return found


# ---------------------------------------------------------------- a node's record


def record_view(
    workspace: Workspace, node: Node, mark: tuple[int, int] | None = None, stale: FailureRow | None = None
) -> dict[str, Any]:
    """All that is shown of one node; `mark` is a span of a leaf's text to point out, as start and end.

    `stale` is given where the node's document cannot be read now and the tree has it as it was last read.
    """
    store = workspace.store
    record = store.records.get(node.record) or SummaryRecord()
    document = _document(store.documents, node)
    tracer = _Tracer(workspace)
    return {
        "place": node.place,
        "title": title_of(node.kind, node.title),
        "kind": node.kind,
        "kind_words": KIND_WORDS.get(node.kind, "Branch"),
        "path": [{"place": step.place, "title": step.title, "kind": step.kind} for step in store.nodes.path(node.place)],
        "leaves": node.leaves,
        "children": len(store.nodes.children(node.place)) if node.kind != "leaf" else 0,
        "types": _types(record),
        "summary": _summary(record, tracer, node),
        "made_by": store.records.made_by(node.record),
        "lists": [
            {"heading": heading, "quotes": [tracer.view(node, quote) for quote in quotes]}
            for heading, quotes in (
                ("Critical actions", record.critical_actions),
                ("Decisions", record.decisions),
                ("Noteworthy events", record.events),
            )
            if quotes
        ],
        "about": list(record.about),
        "document": _document_view(document, node),
        "problems": [problem.get("reason", "") for problem in document.problems] if document else [],
        **_freshness(store.sources, node),
        "stale": f"{describe_stale(stale, time.time())} {stale.reason}" if stale else "",
        "text": _text_view(workspace, node, mark),
    }


def _freshness(sources: SourceRows, node: Node) -> dict[str, Any]:
    """When the tree last matched its source (seconds since 1970), and a note where it may not match now."""
    source = next((source for source in sources.askable() if source.id == node.source_id), None)
    if source is None:
        return {"as_of": None, "note": ""}
    status = describe_status(source, time.time())
    is_current = source.synced_at is not None and status.tone in ("ok", "busy")
    return {"as_of": source.synced_at, "note": "" if is_current else f"{source.name}: {status.in_one_line}"}


def _types(record: SummaryRecord) -> list[dict[str, str]]:
    described = {kind.id: kind.description for kind in taxonomy().types}
    return [{"name": name_of(id_), "description": described.get(id_, "")} for id_ in record.content_types if id_ != UNCLASSIFIED]


def _document(documents: DocumentRows, node: Node) -> StoredDocument | None:
    return documents.get(node.source_id, node.document_id) if node.document_id else None


def _document_view(document: StoredDocument | None, node: Node) -> dict[str, str] | None:
    if document is None:
        return None
    here = f"/files/{in_address(document.source_id, safe='')}/{in_address(document.id)}"
    original = document.url if re.match(r"https?://", document.url) else here
    return {"title": document.title, "kind": document.kind, "id": document.id, "original": original}


def _summary(record: SummaryRecord, tracer: _Tracer, node: Node) -> list[dict[str, Any]]:
    """The summary in segments; those quoted from a leaf name it."""
    made: list[dict[str, Any]] = []
    rest = record.summary
    for quote in record.quotes:
        found = _as_quoted(rest, quote.says or quote.text)
        if not found:
            continue
        before, _, after = rest.partition(found)
        if before.strip():
            made.append({"text": without_markdown(before)})
        made.append(tracer.view(node, quote))
        rest = after
    if rest.strip():
        made.append({"text": without_markdown(rest)})
    return made


def _as_quoted(summary: str, text: str) -> str:
    """The quote as it stands in the summary, where a long one is cut short with an ellipsis."""
    if text in summary:
        return text
    start = summary.find(text[:40])
    end = summary.find("…", start)
    return summary[start : end + 1] if 0 <= start < end and text.startswith(summary[start:end].rstrip()) else ""


class _Tracer:
    """Follows quotes down to their leaves; each place is read once for all quotes of a node."""

    def __init__(self, workspace: Workspace) -> None:
        self._store = workspace.store
        self._children: dict[str, list[Node]] = {}
        self._records: dict[str, SummaryRecord] = {}

    def _children_of(self, node: Node) -> list[Node]:
        if node.place not in self._children:
            self._children[node.place] = self._store.nodes.children(node.place)
        return self._children[node.place]

    def _record_of(self, node: Node) -> SummaryRecord | None:
        if node.record not in self._records:
            self._records |= self._store.records.by_hash([node.record])
        return self._records.get(node.record)

    def view(self, node: Node, quote: Quote) -> dict[str, Any]:
        """A quote with the leaf it came from; nothing to click where it stands in the node itself."""
        seen: dict[str, Any] = {"text": without_markdown(quote.says or quote.text)}
        if node.kind == "leaf":
            return seen | {"start": quote.start, "end": quote.end}
        traced = traced_to_leaf(node, quote, self._children_of, self._record_of)
        if traced is not None:
            leaf, span = traced
            seen |= {"place": leaf.place, "title": leaf.title, "start": span.start, "end": span.end}
        return seen


# ---------------------------------------------------------------- a leaf's text


def _text_view(workspace: Workspace, node: Node, mark: tuple[int, int] | None) -> dict[str, Any] | None:
    leaf = workspace.store.leaves.get(node.leaf) if node.leaf else None
    if leaf is None:
        return None
    if (units := workspace.store.records.units(node.record)) is not None:
        leaf = replace(leaf, units=units)  # as the model cut them
    whole = passage(leaf, 0, len(leaf.text))
    return {
        "locator": whole.locator,
        "page": whole.page,
        "heading": [step for step in leaf.heading if step != node.title],
        "properties": [{"name": name, "value": value} for name, value in leaf.properties],
        "characters": len(leaf.text),
        "parts": list(_parts(workspace, node, leaf, mark)),
    }


def _parts(workspace: Workspace, node: Node, leaf: Leaf, mark: tuple[int, int] | None) -> Iterable[dict[str, Any]]:
    """The text cut at the boundaries of its units, nothing left out."""
    links = _linked_places(workspace, node, leaf)
    at = 0
    for number, unit in enumerate(leaf.units):
        start, end = max(at, unit.start), max(at, unit.end)
        if leaf.text[at:start].strip():
            yield _part(leaf, at, start, mark)
        if leaf.text[start:end].strip():
            yield _part(leaf, start, end, mark) | _unit(unit, number, leaf, links)
        at = end
    if leaf.text[at:].strip():
        yield _part(leaf, at, len(leaf.text), mark)


def _part(leaf: Leaf, start: int, end: int, mark: tuple[int, int] | None) -> dict[str, Any]:
    text = leaf.text[start:end]
    first, last = start + len(text) - len(text.lstrip("\n")), end - len(text) + len(text.rstrip())
    cuts = [first, last]
    if mark is not None:
        cuts[1:1] = sorted(min(max(edge, first), last) for edge in mark)
    segments = [
        [leaf.text[a:b], mark is not None and mark[0] <= a < mark[1]] for a, b in zip(cuts, cuts[1:], strict=False) if a < b
    ]
    where = passage(leaf, first, last)
    return {"text": segments, "locator": where.locator, "fixed": _is_laid_out(text)}


def _is_laid_out(text: str) -> bool:
    """Tables and code, whose lines must not be wrapped."""
    lines = text.strip().splitlines()
    return "```" in text or sum(line.lstrip().startswith("|") for line in lines) >= 2


def _unit(unit: LogicUnit, number: int, leaf: Leaf, places: Mapping[str, str]) -> dict[str, Any]:
    label = UNIT_WORDS.get(unit.kind, "Passage")
    return {
        "number": number,
        "kind": unit.kind,
        "label": f"{label} {unit.step}" if unit.step else label,
        "header": unit.header,
        "prerequisites": list(unit.prerequisites),
        "links": [_link(link.kind, link.to, leaf, places) for link in unit.links],
    }


def _link(kind: str, to: str, leaf: Leaf, places: Mapping[str, str]) -> dict[str, Any]:
    if kind == "next" and to.isdigit() and int(to) < len(leaf.units):
        following = leaf.units[int(to)]
        label = f"step {following.step}" if following.step else following.header
        return {"kind": kind, "text": label, "unit": int(to)}
    if kind == "url" and re.match(r"https?://", to):
        return {"kind": kind, "text": to, "href": to}
    return {"kind": kind, "text": to} | ({"place": places[to]} if to in places else {})


def _linked_places(workspace: Workspace, node: Node, leaf: Leaf) -> dict[str, str]:
    """Where the names that a leaf mentions are in the tree, for those of which there is exactly one."""
    names = {link.to for unit in leaf.units for link in unit.links if link.kind in ("file", "key", "heading")}
    if not names:
        return {}
    spelled = {name: [as_name(name), as_name(name.rstrip("/").rpartition("/")[2])] for name in names}
    found: dict[str, set[str]] = {}
    for name, place in workspace.index.named([s for both in spelled.values() for s in both if s], SearchScope((node.source_id,))):
        found.setdefault(name, set()).add(place)
    linked = {}
    for name, forms in spelled.items():
        places = next((found[form] for form in forms if form in found), set())
        if len(places) > 1:
            places = {place for place in places if place.endswith("/" + name.strip("./"))}
        if len(places) == 1 and (target := next(iter(places))) != node.place:
            linked[name] = target
    return linked
