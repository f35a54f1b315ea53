"""An answer that needs no leaf to be read for it: told from records or from what a source says of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from prompts.records import Aside, Quote, Verdict
from tree.ask.snapshot.chart import Chart
from tree.ask.snapshot.trail import Step
from tree.store.leaves import Leaf
from tree.store.nodes import Node


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of an answer's text, and what it cites: `number` stands in the text as [number]."""

    text: str
    number: int | None = None
    node: Node | None = None
    leaf: Leaf | None = None
    quote: Quote | None = None
    aside: Aside | None = None  # where it says no more than this of the answer
    is_mark: bool = False  # that what stands before it rests on no quote


@dataclass(frozen=True, slots=True)
class StatedValue:
    """What a direct answer says of what, in the words of the fact."""

    subject: str
    value: str
    relation: str = ""
    asked_of: str = ""  # the name by which the question names it, or whose it is


@dataclass(frozen=True, slots=True)
class DirectAnswer:
    """What is told, and the step of the trail that says from where; there is none to what says nothing of the sources."""

    step: Step | None
    lines: tuple[Line, ...]
    verdict: Verdict = "complete"
    chart: Chart | None = None  # of the numbers in it
    may_be_outdated: bool = False  # a text states it, and a later one may say otherwise
    is_set: bool = False  # rows of a table, or files
    stated: StatedValue | None = None  # where it is one value
    is_of_standing: bool = False  # documents that hold no more have been told apart already
    is_list: bool = False  # or a count, to which any source may add, though its step is at one place
    is_guess: bool = False  # a part of the question was not understood: passages that may help stand before it
    is_understood: bool = False  # all of the question was: passages stand below it and are folded

    @property
    def is_of_all(self) -> bool:
        """Whether any source that was asked might change it: what is at no place of the tree went through all of it."""
        return self.is_list or (self.step is not None and not self.step.place)


def beside(lines: Sequence[Line], told: Sequence[Line]) -> Iterator[Line]:
    """The lines of one answer as they stand below those of others, with numbers that go on from theirs."""
    before = max((line.number for line in told if line.number), default=0)
    for at, line in enumerate(lines):
        text = line.text if at or not told else f"\n\n{line.text}"
        number = line.number + before if line.number else None
        yield replace(line, text=renumbered(text, line.number, number), number=number)


def renumbered(text: str, number: int | None, other: int | None) -> str:
    """The text of a line with another number for its citation: the last one in it, since what it quotes may have brackets too."""
    before, mark, after = text.rpartition(f"[{number}]")
    return f"{before}[{other}]{after}" if mark and other is not None else text
