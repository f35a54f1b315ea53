"""Writes the answer: what answers outright, or else the best passages; made of quotes and a few fixed words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive.answer import fit_of
from prompts.extractive.markdown import as_text
from prompts.extractive.passages import quote, shortened
from prompts.extractive.rendering import Point, body_of, dots_after, highlighted, listed, marked, shown
from prompts.extractive.rivals import COMPARED, dated, newest
from prompts.extractive.statements import procedures
from prompts.language import terms
from prompts.question import QuestionAnalysis, Word, analyse, weigh
from prompts.records import Cited, Evidence, Excerpt, LeafText, LogicUnit, Question, Quote

NOTHING = "I found nothing in the sources that answers this."
CLOSEST = "The closest I found:"
PASSAGES = "Passages that may help:"
MORE = "More passages:"  # what stands below is folded where that can be done
BEFORE = "Before you start:"
DIFFER = "Statements differ:"

NEAR = 0.3  # of strength, for another statement to be weighed against the best
MOST_SHOWN, MOST_FOLDED = 3, 3  # passages
BESIDE = 1.2  # of worth that a passage may be behind the best, to be shown beside it
SCENTED = 2.2  # what the scent of a leaf is worth, beside what a sentence in it is
FITTING = 0.62  # of a procedure, for its steps to be what may help
ALIKE = 0.8  # of the words of two passages that say the same
_MOST_PLACES = 3
_MOST_STEPS = 20
_LONGEST_HINT = 240
_SCENT_OF_STEPS = 0.3  # what the scent of a leaf counts beside how well its procedure fits


def compose(question: Question, evidence: Sequence[Evidence]) -> Iterator[Cited]:
    asked = analyse(question.text)
    carrying = weigh(question)
    speaking = [e for e in evidence if e.answer.verdict != "none" and e.answer.quotes]
    if not speaking:
        yield from _nothing(evidence)
        return
    if stated := [e for e in speaking if e.answer.is_stated]:
        yield from _stated(stated)
        return
    direct = [e for e in speaking if e.answer.verdict == "complete"]
    if asked.kind == "how_to" and direct and (procedure := _procedure(carrying, direct)):
        yield from _how_to(procedure)
    elif direct:
        yield from _outright(asked, direct)
    elif asked.kind == "how_to" and (procedure := _procedure(carrying, speaking, FITTING)):
        yield Cited(f"{PASSAGES}\n\n")
        yield Cited(f"**{as_text(Point(0, procedure[0].leaf, procedure[0].quote, 0.0).place)}**\n\n")
        yield from _how_to(procedure)
    else:
        yield from _passages(speaking)


# ---------------------------------------------------------------- what answers outright


def _outright(asked: QuestionAnalysis, direct: Sequence[Evidence]) -> Iterator[Cited]:
    """The statement that answers; where a newer one says otherwise, that, and the older as such."""
    ranked = sorted(direct, key=lambda e: (-round(e.answer.strength, 1), -e.score))
    points = [_point(e, asked) for e in ranked]
    best = max(point.worth for point in points)
    rivals = [point for point in points if point.worth >= best - NEAR]
    lead, older = newest(rivals, asked.kind) if asked.kind in COMPARED else (rivals[0], None)
    if older is not None and (lead.day is None or older.day is None):
        yield Cited(f"{DIFFER}\n", is_gap=True)
        yield from listed([lead, older])
        return
    yield from shown(lead)
    if older is not None:
        yield Cited(f"\n\nUntil {lead.day.in_words if lead.day else 'then'}: ")
        yield from shown(older)


def _point(e: Evidence, asked: QuestionAnalysis) -> Point:
    said = e.answer.quotes[0]
    return Point(e.number, e.leaf, said, e.answer.strength, dated(e.leaf, said, asked.kind))


def _stated(stated: Sequence[Evidence]) -> Iterator[Cited]:
    """Named facts, each below the name of the thing it is a fact of."""
    for at, e in enumerate(stated[:_MOST_PLACES]):
        yield Cited(("\n\n" if at else "") + f"**{as_text(e.leaf.heading[0])}**\n")
        for said in e.answer.quotes:
            yield Cited("\n- ")
            yield Cited(f"{as_text(said)} [{e.number}]", e.number, said)


# ---------------------------------------------------------------- the best passages


def _passages(speaking: Sequence[Evidence]) -> Iterator[Cited]:
    """The best passages, the best sentence of each marked, with their places; those far behind below the others."""
    ranked = _ranked(speaking)
    near = [point for point, _ in ranked if point.worth >= ranked[0][0].worth - BESIDE]
    number = min(len(near), MOST_SHOWN)
    yield Cited(PASSAGES)
    for point, best in ranked[:number]:
        yield Cited("\n\n")
        yield from highlighted(point, best)
    if folded := ranked[number : number + MOST_FOLDED]:
        yield Cited(f"\n\n{MORE}")
        for point, best in folded:
            yield Cited("\n\n")
            yield from highlighted(point, best)


def _ranked(speaking: Sequence[Evidence]) -> list[tuple[Point, tuple[int, int]]]:
    """The excerpts of all leaves with their best sentences, best first, none twice."""
    most = max((e.score for e in speaking), default=1.0) or 1.0
    found = [
        (Point(e.number, e.leaf, one.quote, one.worth + SCENTED * e.score / most), one.best)
        for e in speaking
        for one in (e.answer.excerpts or _quotes_as_excerpts(e))
    ]
    found.sort(key=lambda pair: (-pair[0].worth, pair[0].number, pair[0].quote.start))
    kept: list[tuple[Point, tuple[int, int]]] = []
    taken: list[set[str]] = []
    for point, best in found:
        mine = set(terms(point.quote.text))
        if any(len(mine & other) > ALIKE * max(1, min(len(mine), len(other))) for other in taken if other and mine):
            continue
        kept.append((point, best))
        taken.append(mine)
    return kept


def _quotes_as_excerpts(e: Evidence) -> Iterator[Excerpt]:
    """The quotes of a model, in the order in which it gave them."""
    return (Excerpt(said, (said.start, said.end), e.answer.coverage - at) for at, said in enumerate(e.answer.quotes))


def _nothing(evidence: Sequence[Evidence]) -> Iterator[Cited]:
    yield Cited(NOTHING)
    near = [e for e in evidence if e.answer.quotes]
    if near:
        yield Cited(f"\n\n{CLOSEST}\n")
        for e in near[:_MOST_PLACES]:
            said = next((q for q in e.answer.quotes if "\n" not in e.leaf.text[q.start : q.end]), e.answer.quotes[0])
            said = quote(e.leaf.text, *shortened(e.leaf.text, said.start, said.end, _LONGEST_HINT))
            place = " \u203a ".join(dict.fromkeys(e.leaf.heading))
            yield Cited(f"\n- **{as_text(place)}**: " if place else "\n- ")
            yield Cited(f"{as_text(said)}{dots_after(e.leaf, said)} [{e.number}]", e.number, said)


# ---------------------------------------------------------------- procedures


@dataclass(slots=True)
class _Step:
    number: int
    leaf: LeafText
    unit: LogicUnit
    quote: Quote


def _procedure(carrying: list[Word], speaking: Sequence[Evidence], least: float = 0.0) -> list[_Step]:
    """The steps of the best evidence that has any, with those that follow them in other leaves that were read."""
    speaking = [e for e in speaking if _fit(carrying, e) >= least]
    by_evidence = [(e, _steps(e)) for e in sorted(speaking, key=lambda e: -_fit(carrying, e))]
    first = next(((e, steps) for e, steps in by_evidence if steps), None)
    if first is None:
        return []
    start, steps = first
    title = start.leaf.heading[:1]
    near = [e for e, _ in by_evidence if e is not start and e.leaf.heading[:1] == title]
    while onward := next((more for e in near for more in [_onward(e, steps[-1])] if more), None):
        steps += onward
    unique: dict[str, _Step] = {}
    for step in steps:
        unique.setdefault(step.quote.text, step)
    return list(unique.values())[:_MOST_STEPS]


def _fit(carrying: list[Word], e: Evidence) -> float:
    """How well the procedure in a leaf fits, and how promising the leaf was."""
    return max((fit_of(units, carrying, e.leaf) for units in procedures(e.leaf)), default=0.0) + _SCENT_OF_STEPS * e.score


def _onward(e: Evidence, last: _Step) -> list[_Step]:
    """The steps of another leaf of the document that take up where the last one stops."""
    if last.unit.step is None or e.leaf is last.leaf or not last.unit.links:
        return []
    for units in procedures(e.leaf):
        if units[0].step == last.unit.step + 1:
            return [_Step(e.number, e.leaf, unit, quote(e.leaf.text, unit.start, unit.end)) for unit in units]
    return []


def _steps(e: Evidence) -> list[_Step]:
    units = {unit.start: unit for unit in e.leaf.units if unit.kind == "step"}
    steps = [_Step(e.number, e.leaf, units[q.start], q) for q in e.answer.quotes if q.start in units]
    # numbered lines without a word, such as the numbers of footnotes, are no procedure
    return steps if any(any(map(str.isalpha, body_of(step.leaf, step.quote, ""))) for step in steps) else []


def _how_to(steps: list[_Step]) -> Iterator[Cited]:
    """What is needed first, and the steps in order; nothing between them."""
    needed = dict.fromkeys((need, step.number) for step in steps for need in step.unit.prerequisites)
    if needed:
        yield Cited(f"{BEFORE}\n")
        for need, number in needed:
            yield Cited(f"\n- {as_text(need)} [{number}]", number)
        yield Cited("\n\n")
    for at, step in enumerate(steps, 1):
        marker = f"{at}. "
        body = body_of(step.leaf, step.quote, " " * len(marker))
        yield Cited(
            f"\n{marker}{marked(body, step.number)}" if at > 1 else f"{marker}{marked(body, step.number)}",
            step.number,
            step.quote,
        )
