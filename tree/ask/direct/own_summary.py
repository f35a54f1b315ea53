"""What a document says of itself in short: the section that it calls its summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from prompts.extractive import as_text
from prompts.extractive.passages import passages
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import Line
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.store import Store

MOST_LEAVES = 3  # at the beginning of a document, in which it sums itself up
MOST_SENTENCES, LONGEST = 8, 900  # of that section, in characters
_SUMMARY = regex(
    r"(?:\d[\d.]{0,6} )?(?:(?:executive|management) )?(?:summary|abstract|overview|in short|in brief|at a glance|tl;?dr)\W*",
    re.IGNORECASE,
)


def own_summary(store: Store, children: Sequence[Node], version: int) -> list[Line]:
    """The first sentences below such a heading, cited as number 1; nothing where a document has none.

    `children` are the nodes right below the document, in order.
    """
    nodes: list[Node] = []
    for child in children[:MOST_LEAVES]:
        nodes += store.nodes.first_leaves(child, version, MOST_LEAVES - len(nodes)) if len(nodes) < MOST_LEAVES else []
    leaves = store.leaves.by_key(node.leaf for node in nodes if node.leaf)
    for node in nodes:
        leaf = leaves.get(node.leaf or "")
        if leaf is not None and (spans := _spans(leaf)):
            said = [Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end) for start, end in spans]
            return [
                Line(f"{as_text(one.text)}{end}", 1, node, leaf, one) for one, end in zip(said, _ends(len(said)), strict=True)
            ]
    return []


def _ends(number: int) -> list[str]:
    """What stands behind each of so many sentences: a space, and at last the number of all and the end of the paragraph."""
    return [" "] * (number - 1) + [" [1]\n\n"]


def _spans(leaf: Leaf) -> list[tuple[int, int]]:
    """The sentences that are told: those of the section but its tables."""
    found = list(passages(leaf.as_read()))
    begins = next(
        (at for at, one in enumerate(found) if one.kind == "heading" and _SUMMARY.fullmatch(one.text.strip("#* "))), len(found)
    )
    section = takewhile(lambda one: one.kind != "heading" or one.text.endswith(":"), found[begins + 1 :])
    told = [one for one in section if one.kind in ("text", "item", "heading")][:MOST_SENTENCES]
    return [(one.start, one.end) for one in told if one.end - told[0].start <= LONGEST]
