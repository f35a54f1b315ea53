"""What says later that a decision no longer holds, in whatever words: "the decision of 24 September no longer counts"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.extractive.dates import Day, days
from prompts.extractive.passages import passages, quote
from prompts.extractive.rendering import Point, shown
from prompts.extractive.rivals import dated
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


def undone(text: str, decisions: Sequence[StoredItem], topic: Sequence[str], snapshot: Snapshot) -> tuple[Line, ...]:
    """The newest such sentence about this topic after the newest of these decisions, as lines of an answer; nothing where there is none."""
    newest = max((one.item.day for one in decisions if one.item.day), default="")
    after = max(days(newest), default=None)
    if after is None or not topic:
        return ()
    view = SnapshotView.of(snapshot, text)
    found: list[tuple[Day, Point, int]] = []
    opened = view.open_leaves(view.best_nodes(MOST_LOOKED_INTO))
    for number, one in enumerate(opened):
        named = set(terms(" ".join(one.leaf.heading)))
        for passage in passages(one.text):
            if (
                passage.kind not in ("text", "item")
                or not _UNDONE.search(passage.text)
                or not set(topic) <= named | passage.distinct
            ):
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
