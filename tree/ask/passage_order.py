"""Puts passages in order by how like the question they are in meaning, where a team has chosen a model for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prompts.extractive.compose import worth_in
from prompts.extractive.rendering import Point, place_above
from prompts.records import Evidence
from tree.retrieve.meaning import Meaning

OF_MEANING = 1.5  # of worth for each standard deviation by which a passage is more like the question than the others
MOST_COMPARED = 12  # passages, the best by their words; behind them hardly one leads, and a small machine reads some 15 a second
MOST_NEAR = 24  # of those that are compared where nothing is an answer, a sentence each
OF_WORTH = 6.0  # standard deviations of likeness for a worth of 1


def weigh_by_meaning(question: str, evidence: Sequence[Evidence], meaning: Meaning) -> tuple[Sequence[Evidence], str]:
    """The evidence with other worths of its passages, and why that was not done, where it should have been.

    What answers outright stays as it is: no likeness makes a statement truer.
    """
    if any(one.answer.verdict == "complete" for one in evidence):
        return evidence, ""
    most = max((one.score for one in evidence), default=0.0)
    passages = {(one.number, said.quote.start): (one, said) for one in evidence for said in one.answer.excerpts}
    best = sorted(passages, key=lambda place: -worth_in(*passages[place], most))[:MOST_COMPARED]
    compared = meaning.compare(question, [passages[place][1].quote.text for place in best])
    if not compared.scores:
        return evidence, compared.problem
    least = min(compared.scores)  # what the others are taken to be like it
    scores = dict(zip(best, compared.scores, strict=True))

    def weighed(one: Evidence) -> Evidence:
        excerpts = [
            replace(said, worth=said.worth + OF_MEANING * scores.get((one.number, said.quote.start), least))
            for said in one.answer.excerpts
        ]
        return replace(one, answer=replace(one.answer, excerpts=tuple(excerpts)))

    return [weighed(one) for one in evidence], ""


def nearest_first(question: str, points: Sequence[Point], meaning: Meaning) -> tuple[Sequence[Point], str]:
    """Passages, none of which answers a question, the first of them in the order of their likeness to it, by their best sentence with the
    headings above it, and of their worth; without a chosen model as they are. And why that was not done, where it should have been."""
    near, others = points[:MOST_NEAR], points[MOST_NEAR:]
    said = [f"{place_above(point.leaf, point.best[0])}\n{point.leaf.text[slice(*point.best)]}" for point in near]
    compared = meaning.compare(question, said)
    if not compared.scores:
        return points, compared.problem
    order = sorted(zip(near, compared.scores, strict=True), key=lambda one: -one[1] - OF_WORTH * one[0].worth)
    return [*(point for point, _ in order), *others], ""
