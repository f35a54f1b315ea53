"""What else is said of the same thing: before an answer is told, leaves that may say otherwise are read, and the newest leads."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace

from prompts.extractive.asked_values import AMOUNT
from prompts.extractive.rendering import Point, shown
from prompts.extractive.rivals import COMPARED, dated, newest
from prompts.question import Kind, analyse
from prompts.records import LeafAnswer, Quote, Reader
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.scent import score_leaves
from tree.store.nodes import Node

FEW_WORDS = 4  # of a question that is a name alone
_ARTICLE = re.compile(r"\A\W*(?:(?:and|so|the|our|a|an|der|die|das|unser|unsere|le|la|notre)\b\s*)+", re.IGNORECASE)


def stating_leaves(
    view: SnapshotView, reader: Reader, read: Container[str], most: int = Budget().beside
) -> Iterator[tuple[OpenedLeaf, LeafAnswer]]:
    """Of the best leaves that were not read, those that answer the question outright; nothing where answers are not compared."""
    if reader.model_label or analyse(view.question.text).kind not in COMPARED:
        return
    places = [place for place in view.best_leaves() if place not in read][:most]
    nodes = view.store.nodes(places, view.version)
    for place in places:
        if place in nodes and nodes[place].kind == "leaf":
            opened = view.open_leaf(nodes[place])
            answer = reader.answer(view.question, opened.text)
            if answer.verdict == "complete" and not answer.is_stated:
                yield opened, answer


def with_newer(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer) -> DirectAnswer:
    """A fact that a table or a label states, below what a later document says otherwise; as it is where none does."""
    first = next((line for line in direct.lines if line.leaf is not None and line.node is not None), None)
    understanding = _asking_how_much(understanding, first)
    kind = analyse(understanding.text).kind
    if kind not in COMPARED - {"definition"} or first is None or first.leaf is None or first.quote is None or first.node is None:
        return direct
    known = first.leaf.as_read()
    day = dated(known, first.quote, kind)
    if day is None:
        return direct
    told = Point(1, known, first.quote.model_copy(update={"text": first.text}), 1.0, day)
    others = list(_others(snapshot, understanding, first.node, kind))
    lead, older = newest([told, *(point for point, _ in others)], kind)
    if lead is told or older is None or lead.day is None:
        return direct
    opened = {id(point): one for point, one in others}
    rest = direct.lines if older is told else tuple(_lines(older, opened[id(older)]))
    node = opened[id(lead)].node
    step = Step("register", node.place, node.hash, node.title, reason=f"It is newer than what “{first.node.title}” says.")
    return replace(direct, step=step, lines=(*_lines(lead, opened[id(lead)]), Line(f"\n\nUntil {lead.day.in_words}: "), *rest))


def _asking_how_much(understanding: Understanding, told: Line | None) -> Understanding:
    """A name alone, or "what is it?", of which an amount is told, asks how much that is."""
    asked = analyse(understanding.text)
    name = (
        asked.subject
        if asked.kind == "definition"
        else understanding.text
        if len(understanding.text.split()) <= FEW_WORDS
        else ""
    )
    name = _ARTICLE.sub("", name).strip(" ?.!")
    if not name or told is None or asked.kind not in ("definition", "open") or not AMOUNT.search(told.text):
        return understanding
    return replace(understanding, text=f"How much is the {name}?")


def _lines(point: Point, opened: OpenedLeaf) -> Iterator[Line]:
    return (Line(one.text, one.number, opened.node, opened.leaf, one.quote) for one in shown(point))


def _others(snapshot: Snapshot, understanding: Understanding, told: Node, kind: Kind) -> Iterator[tuple[Point, OpenedLeaf]]:
    """What other documents state, each with a number of its own."""
    store, index, version, scope = snapshot.store, snapshot.index, snapshot.version, snapshot.scope
    scent = score_leaves(store, index, understanding.text, version, scope)
    view = SnapshotView(store, index, scent, scope, version, {})
    for number, (opened, answer) in enumerate(stating_leaves(view, snapshot.workspace.reader, ()), 2):
        if document_of(opened.node) != document_of(told):
            said: Quote = answer.quotes[0]
            yield Point(number, opened.text, said, answer.strength, dated(opened.text, said, kind)), opened
