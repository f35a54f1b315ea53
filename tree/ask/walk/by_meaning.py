"""What a leaf says to a question that shares no word with it, where its meaning says that it is near."""

from __future__ import annotations

from collections.abc import Iterator

from prompts.records import LeafAnswer, Quote
from prompts.sentences import sentences
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView
from tree.retrieve.leaf_parts import parts_of

STANDS_OUT = (
    5.0  # deviations above what leaves are like the question on the whole: of questions on something else 1 in 20 reach it
)
LEAST_SHARE = 0.8  # of how like it the nearest leaf of all is
MOST_QUOTED, LONGEST_QUOTED = 3, 420  # sentences; characters of them together
REASON = "Near to the question in meaning, though it does not use its words."


def near_in_meaning(view: SnapshotView, opened: OpenedLeaf, answer: LeafAnswer) -> LeafAnswer:
    """The answer of a leaf; in place of none, the segment that is near to the question in meaning."""
    likeness, node = view.scent.likeness, opened.node
    like = likeness.of(node.source_id, node.leaf or "") if likeness is not None and answer.verdict == "none" else None
    if likeness is None or like is None or like.share < LEAST_SHARE or likeness.stands_out(like) < STANDS_OUT:
        return answer
    parts = parts_of(opened.text.text, opened.text.heading)
    if like.part >= len(parts):
        return answer
    quotes = tuple(_quotes(opened.text.text, parts[like.part].start, parts[like.part].end))
    return LeafAnswer("partial", quotes, answer.coverage, REASON) if quotes else answer


def _quotes(text: str, first: int, last: int) -> Iterator[Quote]:
    """The first sentences of a segment, as many as are read at a glance."""
    room = LONGEST_QUOTED
    inside = [(start, end) for start, end in sentences(text) if first <= start < last]
    for start, end in inside[:MOST_QUOTED]:
        end = min(end, start + room)
        room -= end - start
        if end > start:
            yield Quote(text=" ".join(text[start:end].split()), start=start, end=end)
