"""Facts as they are told: cited from the leaf that states them, dates and labels in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from prompts.months import IN_ENGLISH, number_of
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import Line
from tree.retrieve.fact_index import StoredFact
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.store import Store

ISO = regex(r"(\d{4})-(\d\d)-(\d\d)(?:T[\d:.]+(?:[+-]\d\d:?\d\d|Z)?)?\Z")
OF_MAIL = regex(  # the form of RFC 5322, that the head of a mail has
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) \d\d:\d\d(?::\d\d)?"
    r" (?:[+-]\d{4}|[A-Z]{1,5})(?: \([^()]*\))?\Z"
)


class Stated(Protocol):
    """A fact or an item of the index."""

    @property
    def place(self) -> str: ...
    @property
    def leaf(self) -> str: ...


@dataclass(frozen=True, slots=True)
class FactCitations:
    """Where facts are cited from: the leaves at the pinned version."""

    store: Store
    version: int

    def cite(self, facts: Iterable[Stated]) -> dict[str, tuple[Node, Leaf]]:
        """Node and leaf of each place; without those that are not, at this version, what the fact or item was taken from."""
        wanted = {fact.place: fact.leaf for fact in facts}
        nodes = self.store.nodes.at(wanted, self.version)
        leaves = self.store.leaves.by_key({node.leaf for node in nodes.values() if node.leaf})
        return {
            place: (node, leaves[node.leaf])
            for place, node in nodes.items()
            if node.leaf == wanted[place] and node.leaf in leaves
        }


def small(label: str) -> str:
    """A label within a sentence."""
    return label if label[1:2].isupper() or label.partition(" ")[0] in IN_ENGLISH else label[:1].lower() + label[1:]


def readable(value: str) -> str:
    """A date in words; anything else as it is."""
    match = ISO.match(day_sent(value))
    return f"{int(match[3])} {IN_ENGLISH[int(match[2]) - 1]} {match[1]}" if match and 1 <= int(match[2]) <= 12 else value


def day_sent(value: str) -> str:
    """The day in the date of a mail's head, as 2026-11-03; anything else as it is."""
    sent = OF_MAIL.match(value)
    return f"{sent[3]}-{number_of(sent[2]):02}-{int(sent[1]):02}" if sent else value


def line(text: str, number: int, fact: StoredFact, cited: dict[str, tuple[Node, Leaf]]) -> Line:
    node, leaf = cited[fact.place]
    start, end = (fact.fact.start, fact.fact.end) if fact.fact.end else (0, len(leaf.text.split("\n", 1)[0]))
    words = " ".join(leaf.text[start:end].split())
    return Line(text, number, node, leaf, Quote(text=words, start=start, end=end))


def listed(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
