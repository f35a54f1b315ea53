"""What stands in the same paragraph as the sentence that answered the question before: "and who is responsible?"."""

from __future__ import annotations

from prompts.extractive import as_text
from prompts.extractive.passages import passages, quote
from prompts.language import terms
from prompts.question import PUTTING, analyse
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.earlier import Earlier

LONGEST_APART = 400  # characters between the two sentences


def answer_beside(snapshot: Snapshot, question: str, before: Earlier) -> DirectAnswer | None:
    """The sentence beside what was told first that has every word of this question; None where there is none, or that text has changed."""
    asked = set(terms(question)) - PUTTING
    if not asked or analyse(question).kind == "why" or not before.cited or not before.leaves:
        return None
    node = snapshot.store.nodes.get(before.cited[0], snapshot.version)
    leaf = snapshot.store.leaves.get(node.leaf) if node is not None and node.leaf == before.leaves[0] else None
    if node is None or leaf is None or node.source_id not in snapshot.sources:
        return None
    found = [one for one in passages(leaf.as_read()) if one.kind in ("text", "item")]
    told = next((one for one in found if as_text(quote(leaf.text, one.start, one.end)) in before.answer), None)
    if told is None:
        return None
    for one in found:
        first, last = min(one.end, told.end), max(one.start, told.start)
        is_beside = one is not told and 0 <= last - first < LONGEST_APART and "\n" not in leaf.text[first:last]
        if is_beside and asked <= one.distinct:
            said = quote(leaf.text, one.start, one.end)
            step = Step(
                "register", node.place, node.hash, node.title, reason="It stands beside what answers the question before."
            )
            return DirectAnswer(step, (Line(f"{as_text(said)} [1]", 1, node, leaf, said),), "partial")
    return None
