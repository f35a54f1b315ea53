"""An answer that needs no leaf to be read for it: told from records or from what a source says of its documents."""

from __future__ import annotations

from dataclasses import dataclass

from prompts.records import Quote, Verdict
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


@dataclass(frozen=True, slots=True)
class StatedValue:
    """What a direct answer says of what, in the words of the fact."""

    subject: str
    value: str


@dataclass(frozen=True, slots=True)
class DirectAnswer:
    """What is told, and the step of the trail that says from where; there is none to what says nothing of the sources."""

    step: Step | None
    lines: tuple[Line, ...]
    verdict: Verdict = "complete"
    chart: Chart | None = None  # of the numbers in it
    may_be_outdated: bool = False  # a text states it, and a later one may say otherwise
    stated: StatedValue | None = None  # where it is one value
