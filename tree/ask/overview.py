"""Questions about a whole folder, document or source, answered from that branch's own record, its children as sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.question import Asked
from prompts.records import Quote, SummaryRecord
from tree.ask.snapshot_view import Seen, Step
from tree.retrieve.index import Index, SearchScope, as_name
from tree.store.leaves import Leaf
from tree.store.rows import Node, Store

EVERYTHING = frozenset(
    [
        "here",
        "this",
        "it",
        "everything",
        "all",
        "workspace",
        "this workspace",
        "the workspace",
        "these documents",
        "the documents",
        "documents",
        "folder",
        "source",
        "sources",
        "this folder",
        "this source",
        "this branch",
        "the tree",
        "tree",
        "knowledge tree",
    ]
)
LINES = 24  # children told of; a run is told of by its own children
FEW = 10  # children of which two quotes each are told


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    number: int | None = None
    node: Node | None = None
    leaf: Leaf | None = None
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class Overview:
    """What is told without a walk, and the step of the trail that says so."""

    step: Step
    lines: tuple[Line, ...]


def overview_of(
    store: Store,
    index: Index,
    asked: Asked,
    tops: Sequence[Node],
    scope: SearchScope,
    version: int,
) -> Overview | None:
    """None when the question is not about a whole branch, or not about one there is."""
    if asked.kind != "overview":
        return None
    node = _subject(store, index, asked, tops, scope, version)
    if node is None:
        return None
    return told_from(store, node, version, f"The question is about all of “{node.title}”, and its record knows what is below it.")


def told_from(store: Store, node: Node, version: int, reason: str) -> Overview | None:
    """What a branch's record says, with its children as sources; None where none of it can be cited."""
    children = _told(store, node, version)
    records = store.records([node.record, *(child.record for child in children)])
    record = records.get(node.record, SummaryRecord())
    lines = tuple(_lines(store, node, record, children, records, version))
    seen = tuple(
        Seen(c.place, c.title, c.kind, records[c.record].summary[:280], 0.0, "", records[c.record].content_types[:3])
        for c in children
    )
    path = tuple(n.title for n in store.path(node.place, version) if n.kind != "run")
    step = Step("overview", node.place, node.hash, node.title, path, seen, (), reason, "complete", node.kind)
    return Overview(step, lines) if any(line.number for line in lines) else None


def _subject(store: Store, index: Index, asked: Asked, tops: Sequence[Node], scope: SearchScope, version: int) -> Node | None:
    subject = as_name(asked.subject)
    if (subject in EVERYTHING or not subject) and len(tops) == 1:
        return tops[0]
    for top in tops:
        if as_name(top.title) == subject or (
            len(tops) == 1 and set(subject.split()) <= set(re.findall(r"\w+", top.title.casefold()))
        ):
            return top
    names = [subject, *(as_name(name) for name in (*asked.files, *asked.keys, *asked.phrases))]
    nodes = store.nodes((place for _, place in index.named(names, scope)), version)
    found = min(nodes.values(), key=lambda node: (node.kind == "leaf", node.place.count("/"), node.place), default=None)
    while found is not None and found.kind == "pass":
        found = store.node(found.target or "", version)
    return found


def _told(store: Store, node: Node, version: int) -> list[Node]:
    """The children to tell of, runs opened while there is room: a run is only there to keep branches small."""
    children = store.children(node.place, version)
    while any(child.kind == "run" for child in children):
        opened = [
            below for child in children for below in (store.children(child.place, version) if child.kind == "run" else [child])
        ]
        if len(opened) > LINES:
            break
        children = opened
    return children


def _lines(
    store: Store, node: Node, record: SummaryRecord, children: Sequence[Node], records: dict[str, SummaryRecord], version: int
) -> Iterator[Line]:
    number = 0
    if not children:
        for quote in (*record.quotes, *record.decisions, *record.critical_actions, *record.events):
            if (line := _line(store, node, quote, 1, "- ", version)) is not None:
                yield line
        return
    kinds = {"root": "source", "folder": "folder", "document": "document"}
    parts = f"{len(children)} parts" if len(children) > 1 else "one part"
    yield Line(f"**{as_text(node.title)}** is a {kinds.get(node.kind, 'branch')} of {parts} with {node.leaves} passages.\n\n")
    for child in children:
        below = records.get(child.record, SummaryRecord())
        lead = f"- **{as_text(child.title)}**: "
        told = False
        for quote in below.quotes[: 2 if len(children) <= FEW else 1]:
            line = _line(store, child, quote, number + 1, lead if not told else "", version, end=" ")
            if line is not None:
                number, told = number + 1, True
                yield line
        yield Line("\n" if told else f"- **{as_text(child.title)}**\n")
    for heading, quotes in (("Decisions", record.decisions), ("Noteworthy", record.events), ("To do", record.critical_actions)):
        found = [line for quote in quotes[:4] if (line := _line(store, node, quote, number + 1, "- ", version)) is not None]
        if found:
            yield Line(f"\n**{heading}**\n\n")
            for line in found:
                number += 1
                yield Line(line.text.replace(f"[{line.number}]", f"[{number}]"), number, line.node, line.leaf, line.quote)


def _line(store: Store, node: Node, quote: Quote, number: int, lead: str, version: int, end: str = "\n") -> Line | None:
    traced = traced_to_leaf(store, node, quote, version)
    if traced is None:
        return None
    leaf_node, found = traced
    leaf = store.leaves([leaf_node.leaf or ""]).get(leaf_node.leaf or "")
    return Line(f"{lead}{as_text(quote.text)} [{number}]{end}", number, leaf_node, leaf, found) if leaf else None


def traced_to_leaf(store: Store, node: Node, quote: Quote, version: int | None = None) -> tuple[Node, Quote] | None:
    """The leaf, and the span in it, from which a branch's quote was taken."""
    while node.kind != "leaf":
        children = store.children(node.place, version)
        if quote.child is None or quote.child >= len(children):
            return None
        node = children[quote.child]
        record = store.records([node.record]).get(node.record)
        match = _same(record, quote.text) if record else None
        if match is None:
            return None
        quote = match
    return node, quote


def _same(record: SummaryRecord, text: str) -> Quote | None:
    quotes = [*record.quotes, *record.critical_actions, *record.decisions, *record.events]
    return next((q for q in quotes if q.text == text), None) or next(
        (q for q in quotes if text in q.text or q.text in text), None
    )
