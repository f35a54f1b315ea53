"""Weighs the passages that may help by how like the question they are in meaning, where a team has chosen a model for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prompts.records import Evidence
from tree.retrieve.meaning import Meaning

OF_MEANING = 1.5  # of worth for each standard deviation by which a passage is more like the question than the others


def weigh_by_meaning(question: str, evidence: Sequence[Evidence], meaning: Meaning) -> tuple[Sequence[Evidence], str]:
    """The evidence with other worths of its passages, and why that was not done, where it should have been.

    What answers outright stays as it is: no likeness makes a statement truer.
    """
    if any(one.answer.verdict == "complete" for one in evidence):
        return evidence, ""
    compared = meaning.compare(question, [said.quote.text for one in evidence for said in one.answer.excerpts])
    if not compared.scores:
        return evidence, compared.problem
    scores = iter(compared.scores)
    return [
        replace(
            one,
            answer=replace(
                one.answer,
                excerpts=tuple(replace(said, worth=said.worth + OF_MEANING * next(scores)) for said in one.answer.excerpts),
            ),
        )
        for one in evidence
    ], ""
