"""Sets of tickets as an answer: counted, the first of them told one by one, grouped and drawn where that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from prompts.extractive import as_text
from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.thing_sets import SHOWN, Found, Group, extremes
from tree.ask.facts.told_facts import FactCitations, line, listed, readable
from tree.ask.snapshot.chart import Chart, chart_of
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, beside
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.narrowing import described
from tree.retrieve.fact_index import StoredFact


def tell_set(question: SetQuestion, found: Found, sources: FactCitations) -> DirectAnswer | None:
    step = _step(question, found)
    if not found.keys:
        lines = [Line(_none(question, found))]
        return DirectAnswer(step, (*lines, *beside(_held_up(question, found, sources), lines)))
    lines = [Line(_headline(question, found)), *(_grouped(found) if question.group else ()), Line("\n\n")]
    lines += list_things(question, found, sources)
    if len(found.keys) > SHOWN:
        lines.append(Line(f"\n\n… and {len(found.keys) - SHOWN} more."))
    lines += beside(_held_up(question, found, sources), lines)
    return DirectAnswer(step, tuple(lines), chart=_chart(question.group, found.groups))


def _held_up(question: SetQuestion, found: Found, sources: FactCitations) -> list[Line]:
    """The tickets that are not in the state asked for and blocked all the same."""
    if not found.held_up:
        return []
    number = len(found.held_up)
    said = "1 more is in another state and blocked" if number == 1 else f"{number} more are in other states and blocked"
    head = Line(f"{said} by a ticket that is not finished:\n")
    return [head, *list_things(question, replace(found, told=found.held_up), sources)]


def _step(question: SetQuestion, found: Found) -> Step:
    said, whole = _said(question), f"{found.total} {described(question.within, found.total)}"
    reason = f"Every one of {whole} was held against: {said}." if said else f"All {whole} were counted."
    return Step("register", "", "", f"{len(found.keys)} of {whole}", reason=reason)


def _said(question: SetQuestion) -> str:
    return ", ".join(condition.words for condition in question.conditions)


def list_things(question: SetQuestion, found: Found, sources: FactCitations) -> Iterator[Line]:
    """A line for each of the first tickets."""
    shown = list(found.told.values())
    proofs = [_proof(facts, question) for facts in shown]
    cited = sources.cite(fact for fact in proofs if fact is not None)
    number = 0
    for facts, proof in zip(shown, proofs, strict=True):
        if proof is not None and proof.place in cited:
            number += 1
            yield line(f"\n- {_ticket(facts, question)} [{number}]", number, proof, cited)


def _chart(relation: str, groups: Sequence[Group]) -> Chart | None:
    return chart_of(relation, [group.value for group in groups], {"tickets": [len(group.keys) for group in groups]})


def _proof(facts: Mapping[str, StoredFact], question: SetQuestion) -> StoredFact | None:
    """The fact of a ticket for which it was chosen; its key, where that is that it lacks something."""
    if question.shown in facts:
        return facts[question.shown]
    for condition in question.conditions:
        for relation in ("status",) if condition.relations == ("open",) else (condition.date, *condition.relations):
            if relation in facts and not condition.negated and relation != "type":
                return facts[relation]
    return facts.get("key")


def _none(question: SetQuestion, found: Found) -> str:
    if question.wanted == "all" and found.total:
        return f"**Yes: {'all' if found.total > 1 else 'the'} {found.total} {as_text(described(question.exceptions.within, found.total))}** ({as_text(question.conditions[-1].words)})."
    asked = f" ({as_text(_said(question))})" if question.conditions else ""
    if question.sizes is not None:
        return f"**None**: no {question.group} has {question.sizes.words} tickets{asked}."
    if question.within:
        whole = as_text(described(question.within, found.total))
        return f"**None** of the {found.total} {whole}{asked}." if found.total else f"There are no {whole} now."
    return f"**{'No: none' if question.wanted == 'any' else 'None'} of {found.total} tickets**{asked}."


def _headline(question: SetQuestion, found: Found) -> str:
    if question.wanted == "all":
        whole = as_text(described(question.exceptions.within, found.total))
        return f"**No: {len(found.keys)} of the {found.total} {whole}** ({as_text(question.conditions[-1].turned.words)}):"
    asked = f" ({as_text(_said(question))})" if question.conditions else ""
    of = f"Of the {found.total} {as_text(described(question.within, found.total))}" if question.within else ""
    if question.wanted in ("most", "least") and (groups := extremes(found.groups, question.wanted)):
        number, each = len(groups[0].keys), " each" if len(groups) > 1 else ""
        noun = "ticket" if number == 1 else "tickets"
        winners = f"**{as_text(listed([group.value for group in groups]))}** with {number} {noun}{each}{asked}."
        return f"{of}: {winners}" if of else winners
    if question.sizes is not None:
        each = f"with {question.sizes.words} tickets{' each' if len(found.groups) > 1 else ''}{asked}"
        return f"{of}: {_those(found)} {each}:" if of else f"{_those(found)} {each}:"
    if any(one.rank for one in question.conditions) and len(found.told) == 1 == len(found.keys):
        [told] = found.told.values()
        title = as_text(told["key"].fact.subject.name)
        return f"{of}: **{title}**{asked}" if of else f"**{title}**{asked}, of {found.total} tickets:"
    yes = "Yes: " if question.wanted == "any" else ""
    if of and question.wanted == "groups" and not asked:
        return f"The {of.removeprefix('Of the ')} by {question.group}:"
    if of:
        number = len(found.keys)
        return f"{of}, **{yes.lower()}{'all' if number == found.total else number}**{asked}:"
    return f"**{yes}{len(found.keys)} of {found.total} tickets**{asked}:"


def _those(found: Found) -> str:
    return f"**{as_text(listed([group.value for group in found.groups]))}**"


def _grouped(found: Found) -> Iterator[Line]:
    yield Line("\n\n| | tickets |\n| --- | --- |")
    for group in found.groups:
        yield Line(f"\n| {as_text(group.value)} | {len(group.keys)} |")


def _ticket(facts: Mapping[str, StoredFact], question: SetQuestion) -> str:
    """A ticket with its state, who has it, and the date that it was asked for by."""
    title = as_text(facts["key"].fact.subject.name)
    said = [as_text(facts[name].fact.value) for name in ("status",) if name in facts]
    said.append(as_text(facts["assignee"].fact.value) if "assignee" in facts else "nobody")
    if question.date in facts and question.date != question.shown:
        said.append(f"{question.date} {readable(facts[question.date].fact.value)}")
    told = f"**{readable(facts[question.shown].fact.value)}**: " if question.shown in facts else ""
    return f"{told}{title} ({', '.join(said)})"
