"""A reader that counts what it is asked, and documents made of a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from prompts.records import Child, Cited, LeafAnswer, LeafText, Quote, Reader, Reading, SummaryRecord
from tree.store.leaves import Container, Leaf, LeafDocument


class CountingReader(Reader):
    """Reads by copying: a record holds the text itself, so that a word shows up wherever it has been carried to."""

    name = "counting"
    version = "1"

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def read(self, leaf: LeafText) -> Reading:
        self.asked["read"] += 1
        quote = Quote(text=leaf.text, start=0, end=len(leaf.text))
        return Reading(SummaryRecord(summary=leaf.text, quotes=(quote,)), leaf.units)

    def summarize(self, title: str, children: Sequence[Child]) -> SummaryRecord:
        self.asked["summarize"] += 1
        return SummaryRecord(summary=" ".join(child.record.summary for child in children))

    def choose(self, question, options, notes=()):
        raise NotImplementedError

    def answer(self, question, leaf, notes=()) -> LeafAnswer:
        raise NotImplementedError

    def compose(self, question, evidence) -> Iterator[Cited]:
        raise NotImplementedError


def document(path: str, *texts: str) -> LeafDocument:
    """A document of as many leaves as texts; a text "Heading/Sub: words" stands below these headings."""
    *folders, name = path.split("/")
    leaves = []
    for number, text in enumerate(texts):
        headings, colon, body = text.rpartition(": ")
        containers = tuple(Container(step, step) for step in headings.split("/")) if colon else ()
        leaves.append(Leaf(f"part {number}", f"part {number}", body, containers, (name,)))
    containers = tuple(Container(folder, folder) for folder in folders)
    return LeafDocument(path, name, containers, tuple(leaves), fingerprint="|".join(texts))
