"""The reader that needs nothing: all five decisions made by counting words and quoting the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prompts.extractive.answer import answer
from prompts.extractive.choose import choose
from prompts.extractive.compose import compose, tell_procedure
from prompts.extractive.markdown import as_text
from prompts.extractive.read import read
from prompts.extractive.summarize import summarize
from prompts.records import (
    NO_NOTES,
    Child,
    Chosen,
    Cited,
    Evidence,
    LeafAnswer,
    LeafText,
    Notes,
    Option,
    Question,
    Reader,
    Reading,
    SummaryRecord,
)

__all__ = ["ExtractiveReader", "as_text", "tell_procedure"]


class ExtractiveReader(Reader):
    """Deterministic, instant and never instructed by what it reads. Everything it says of a text is a quote of it."""

    name = "extractive"
    version = "16"

    def read(self, leaf: LeafText) -> Reading:
        return read(leaf)

    def summarize(self, title: str, children: Sequence[Child]) -> SummaryRecord:
        return summarize(title, children)

    def choose(self, question: Question, options: Sequence[Option], notes: Notes = NO_NOTES) -> Chosen:
        return choose(question, options, notes)

    def answer(self, question: Question, leaf: LeafText, notes: Notes = NO_NOTES) -> LeafAnswer:
        return answer(question, leaf, notes)

    def compose(self, question: Question, evidence: Sequence[Evidence], notes: Notes = NO_NOTES) -> Iterator[Cited]:
        return compose(question, evidence)
