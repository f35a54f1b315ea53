"""Rotas that are written as a list, "16 Nov Ada, 23 Nov Ben", as the lines of a table: who begins on each of the days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from prompts.regex import regex
from prompts.written_days import DAY
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import Entity, Fact
from tree.store.nodes import Node
from tree.store.places import document_around

LOOKED_AT = 8  # leaves, the most promising, in which such a list may stand
FEWEST = 3  # entries of a list
_NAME = r"[A-ZÀ-Þ][\w'’.-]{1,30}(?: (?:(?:and|&|\+|und|et) )?[A-ZÀ-Þ][\w'’.-]{1,30}){0,3}"
_WHO = regex(rf"(?: ?[:–—-] ?| )(?P<who>{_NAME})(?![^\W\d_])")
_BETWEEN = regex(r"[\s,;.·|*•–-]{0,12}(?:(?:and|und|et|then) )?")  # two entries


def lists_of_days(snapshot: Snapshot, text: str) -> Iterator[tuple[str, list[Mapping[str, StoredFact]]]]:
    """The place of each document with such a list, and its entries with when and who; `text` is the question."""
    view = SnapshotView.of(snapshot, text)
    for opened in view.open_leaves(view.best_nodes(LOOKED_AT)):
        for number, entries in enumerate(_lists(opened.leaf.text), 1):
            yield (
                document_around(opened.node.place),
                [_as_cells(opened.node, number, at, one) for at, one in enumerate(entries, 1)],
            )


def spans_beside(text: str, start: int) -> list[tuple[int, int]]:
    """Where the lists of a text stand, if there is one at `start`; else nothing."""
    spans = [(entries[0][0].start(), entries[-1][1].end()) for entries in _lists(text)]
    return spans if any(first <= start < last for first, last in spans) else []


def _lists(text: str) -> Iterator[list[tuple[re.Match[str], re.Match[str]]]]:
    """The lists of a text, each as its days with the names behind them."""
    entries: list[tuple[re.Match[str], re.Match[str]]] = []
    for day in DAY.finditer(text):
        who = _WHO.match(text, day.end())
        if who is None:
            continue
        if entries and _BETWEEN.fullmatch(text, entries[-1][1].end(), day.start()) is None:
            if len(entries) >= FEWEST:
                yield entries
            entries = []
        entries.append((day, who))
    if len(entries) >= FEWEST:
        yield entries


def _as_cells(node: Node, number: int, row: int, entry: tuple[re.Match[str], re.Match[str]]) -> Mapping[str, StoredFact]:
    day, who = entry
    subject = Entity("row", f"{number}/{row}", day.group())
    said = (("From", day.group()), ("Who", who["who"]))
    return {
        folded(name): StoredFact(
            Fact(subject, name, value, day.start(), who.end(), group=str(number), row=row),
            node.place,
            node.source_id,
            node.leaf or "",
        )
        for name, value in said
    }
