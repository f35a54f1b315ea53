"""What the steps of a procedure lead to, what it needs first, where these are documents, and the rest of an alert's page: read for whoever
tells the steps."""

from __future__ import annotations

from collections.abc import Iterator

from prompts.extractive import ExtractiveReader
from prompts.extractive.pages import is_alert, is_how_to, names_page
from prompts.extractive.procedures import Part
from prompts.extractive.unfolding import TARGET, headings_of, leads_to, procedures_of
from prompts.question import weigh
from prompts.records import Evidence, LeafAnswer
from tree.ask.snapshot.snapshot_view import OpenedLeaf, ReadLeaf, SnapshotView
from tree.ask.snapshot.trail import Step
from tree.ask.walk.protocol import WalkProgress
from tree.retrieve.index_entries import as_name
from tree.store.nodes import Node

MOST = 3  # documents
LEAVES = 6  # of a document that are looked at for its steps
READ = LeafAnswer("partial", (), 0.0, "What a step leads to.")


def unfold(progress: WalkProgress) -> Iterator[Step]:
    """Reads the procedures that the steps which answer the question link to, one level deep and beside the budget."""
    view = progress.view
    if not is_how_to(view.question.text):
        return
    yield from _pages(progress)
    found = 0
    for read in [one for one in progress.read if one.answer.verdict == "complete"]:
        for node in _sections(view, read):
            if found < MOST and node.place not in progress.places_read:
                found += 1
                yield view.step("link", node, reason=f"A step of “{read.node.title}” leads here.")
                yield progress.add(view.open_leaf(node), READ, view.scent.of(node.place), True)
        for target in _targets(read):
            if found == MOST:
                return
            opened = _opened(view, read, target)
            if opened is None:
                continue
            found += 1
            known = next((one for one in progress.read if one.leaf.text == opened.leaf.text), None)
            if known is not None and known.answer.verdict == "none":
                yield progress.judge_again(known, READ)
            elif known is None:
                yield view.step("link", opened.node, reason=f"A step of “{read.node.title}” leads here.")
                yield progress.add(opened, READ, view.scent.of(opened.node.place), True)


def _pages(progress: WalkProgress) -> Iterator[Step]:
    """Reads the rest of the page of an alert, where one of its leaves answers the question: its meaning, diagnosis and remedy."""
    view = progress.view
    words = weigh(view.question)
    for read in [one for one in progress.read if one.answer.verdict == "complete" and is_alert(one.text)][:1]:
        if read.node.document_id is None or not names_page(words, read.text):
            continue
        inside = view.store.nodes.of_document(read.node.source_id, read.node.document_id, view.version)
        silent = [one for one in progress.read if one.node.document_id == read.node.document_id and one.answer.verdict == "none"]
        for known in silent:
            yield progress.judge_again(known, READ)
        for node in [one for one in inside if one.kind == "leaf" and one.place not in progress.places_read][:LEAVES]:
            opened = view.open_leaf(node)
            yield view.step("link", node, reason=f"It is of the same page as “{read.node.title}”.")
            answer = ExtractiveReader().answer(view.question, opened.text)
            yield progress.add(opened, answer if answer.verdict == "complete" else READ, view.scent.of(node.place), True)


def _sections(view: SnapshotView, read: ReadLeaf) -> list[Node]:
    """The other leaves of the same document with a heading that a quoted step refers to."""
    parts = [Part(unit.start, unit.end) for unit in read.quoted_units]
    named = {as_name(name.replace("-", " ")) for part in parts for name in headings_of(read.text, part)}
    if not named or read.node.document_id is None:
        return []
    inside = view.store.nodes.of_document(read.node.source_id, read.node.document_id, view.version)
    titles = {one.place: {as_name(title.replace("-", " ")) for title in view.path(one)[-1].split(" \u2026 ")} for one in inside}
    return [one for one in inside if one.kind == "leaf" and one.place != read.node.place and named & titles[one.place]]


def _targets(read: ReadLeaf) -> list[str]:
    """The files that the quoted steps link to, and those that are needed first."""
    quoted = read.quoted_units
    needed = [target for unit in quoted for need in unit.prerequisites for target in TARGET.findall(need)]
    return list(dict.fromkeys([*needed, *(link.to for unit in quoted for link in unit.links if link.kind == "file")]))


def _opened(view: SnapshotView, read: ReadLeaf, target: str) -> OpenedLeaf | None:
    """The leaf of the linked document that says what to do, else its first; none of the document that links to it."""
    path, _, anchor = target.partition("#")
    name = as_name(path.rpartition("/")[2])
    places = [place for _, place in view.index.named([name], view.scope)] if name else []
    for node in view.store.nodes.at(places, view.version).values():
        if (
            node.document_id
            and node.document_id != read.node.document_id
            and leads_to(target, read.node.document_id or "", _as_evidence(node, read))
        ):
            leaves = [
                one for one in view.store.nodes.of_document(node.source_id, node.document_id, view.version) if one.kind == "leaf"
            ]
            opened = [view.open_leaf(one) for one in leaves[:LEAVES]]
            return next((one for one in opened if procedures_of(one.text, anchor)), opened[0] if opened else None)
    return None


def _as_evidence(node: Node, read: ReadLeaf) -> Evidence:
    return Evidence(0, read.text, READ, 0.0, document=node.document_id or "")
