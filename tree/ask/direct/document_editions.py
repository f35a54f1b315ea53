"""Which edition of a document a question means: "the expenses policy" is "Expenses policy 2026", and not the "Expenses" that it replaced."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from prompts.extractive import as_text
from prompts.extractive.editions import edition_of, is_newer_title
from prompts.extractive.passages import passages, quote
from prompts.extractive.standing import is_superseded
from prompts.language import terms
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of, text_in_place

LOOKED_AT = 12  # leaves, the most promising
IN_ITS_PLACE = "\n\nThis document is marked as superseded. A newer edition: "


def newest_called(snapshot: Snapshot, called: Set[str]) -> str:
    """The title of the newest edition that holds, of the document with just these words in its title; empty where none has."""
    found = [
        (edition.number, title)
        for title, opened in _titles(snapshot, " ".join(sorted(called)))
        if (edition := edition_of(title)) is not None and edition.words == called and not _is_over(opened)
    ]
    return max(found)[1] if found else ""


def is_title(snapshot: Snapshot, called: Set[str]) -> bool:
    """Whether a document has just these words for its title."""
    return any(set(terms(title)) == called for title, _ in _titles(snapshot, " ".join(sorted(called))))


def with_newer_edition(snapshot: Snapshot, direct: DirectAnswer) -> DirectAnswer:
    """What a superseded document says of itself, above the newer edition of it that stands, and not called answered; as it is where there
    is none."""
    told = next((one for one in direct.lines if one.leaf is not None and one.node is not None and one.quote is not None), None)
    if direct.verdict != "complete" or told is None or told.leaf is None or told.node is None or told.quote is None:
        return direct
    title = told.leaf.as_read().title
    if not title or not is_superseded(text_in_place(told.node, told.leaf), told.quote.start):
        return direct
    for other, opened in _titles(snapshot, title):
        is_other = document_of(opened.node) != document_of(told.node)
        first = next((one for one in passages(opened.text) if one.kind != "heading"), None)
        if is_other and first is not None and is_newer_title(other, title) and not _is_over(opened):
            number = max(line.number or 0 for line in direct.lines) + 1
            said = quote(opened.leaf.text, first.start, first.end)
            beside = Line(f"**{as_text(other)}** [{number}]", number, opened.node, opened.leaf, said)
            return replace(direct, lines=(*direct.lines, Line(IN_ITS_PLACE), beside), verdict="partial")
    return direct


def _titles(snapshot: Snapshot, words: str) -> Iterator[tuple[str, OpenedLeaf]]:
    """The titles of the documents that have most of these words, each with one of its leaves."""
    view, told = SnapshotView.of(snapshot, words), set[tuple[str, str | None]]()
    for opened in view.open_leaves(view.best_nodes(LOOKED_AT)):
        if opened.leaf.heading and document_of(opened.node) not in told:
            told.add(document_of(opened.node))
            yield opened.leaf.heading[0], opened


def _is_over(opened: OpenedLeaf) -> bool:
    return is_superseded(opened.text, 0)
