"""What says later that a decision no longer holds, in whatever words: "the decision of 24 September no longer counts", "the summer party
is cancelled", "we do not buy the blue van after all"."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from prompts.extractive.contests import denies
from prompts.extractive.dates import Day, days
from prompts.extractive.later_entries import says_change
from prompts.extractive.passages import Passage, passages, quote
from prompts.extractive.rendering import Point, shown
from prompts.extractive.rivals import dated, is_said_then
from prompts.language import terms
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.retrieve.item_index import StoredItem

MOST_LOOKED_INTO = 12  # leaves, the most promising
_UNDONE = regex(
    r"\bdecision\b[^.\n]{0,60}\b(?:no longer (?:counts?|holds?|applies|valid|stands)|is off|not valid any ?more|(?:is|was|has been) (?:withdrawn|reversed|revoked|cancell?ed|overturned|taken back|dropped|void))\b"
    r"|\b(?:withdrew|reversed|revoked|overturned|took back|cancell?ed|take back|reverse|revoke) (?:the|that|this|our|its) (?:[\w-]+ ){0,3}decision\b|\bdecided otherwise\b|\bBeschluss\b[^.\n]{0,60}\b(?:gilt nicht mehr|aufgehoben)\b",
    re.IGNORECASE,
)

_GIVEN_UP = regex(
    r"\b(?:cancel\w*|called off|(?:is|are|was|were) off|withdrawn|given up|dropped|abandoned|postponed|put off|taken back|no longer|instead(?! of)|abgesagt|verschoben)\b",
    re.IGNORECASE,
)


def undone(text: str, decisions: Sequence[StoredItem], topic: Sequence[str], snapshot: Snapshot) -> tuple[Line, ...]:
    """The newest such sentence about this topic after the newest of these decisions, as lines of an answer; nothing where there is none."""
    newest = max((one.item.day for one in decisions if one.item.day), default="")
    after = max(days(newest), default=None)
    if after is None or not topic:
        return ()
    view = SnapshotView.of(snapshot, text)
    decided = {term for one in decisions for term in terms(one.item.said)} - set(topic)
    found: list[tuple[Day, Point, int]] = []
    opened = view.open_leaves(view.best_nodes(MOST_LOOKED_INTO))
    for number, one in enumerate(opened):
        named = set(terms(" ".join(one.leaf.heading)))
        for passage in passages(one.text):
            is_undone = _UNDONE.search(passage.text) is not None and set(topic) <= named | passage.distinct
            is_changed = _is_changed(passage, set(topic), decided) and is_said_then(one.text, passage.start)
            if passage.kind not in ("text", "item") or not (is_undone or is_changed):
                continue
            said = quote(one.text.text, passage.start, passage.end)
            day = dated(one.text, said, "yes_no")
            if day is not None and day > after:
                found.append((day, Point(number, one.text, said, 1.0, day), number))
    if not found:
        return ()
    _, point, at = max(found, key=lambda one: one[0])
    lead = [
        Line(one.text, 1, opened[at].node, opened[at].leaf, one.quote)
        for one in shown(Point(1, point.leaf, point.quote, 1.0, point.day))
    ]
    return (*lead, Line("\n\n"))


def _is_changed(passage: Passage, topic: Set[str], decided: Set[str]) -> bool:
    """Whether a sentence with the whole topic, itself or in the heading right above it, says that it is cancelled or given up; or, in a word of
    what was decided or with two words of the topic, that it is moved or replaced, or denies it: "not yet here" does not deny that it is
    bought, nor do "new chairs instead of the benches" change when the canteen opens."""
    if passage.text.endswith("?") or not topic <= passage.distinct | set(terms(passage.heading)):
        return False
    is_of_it = not decided or not decided.isdisjoint(passage.distinct)
    if _GIVEN_UP.search(passage.text) is not None or (denies(passage.text) and is_of_it):
        return True
    return says_change(passage.text) and (is_of_it or len(topic) > 1)
