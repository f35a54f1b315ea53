"""Sets of tickets as an answer: counted, the first of them told one by one, grouped and drawn where that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prompts.extractive import as_text
from tree.ask.chart import Chart, chart_of
from tree.ask.direct_answer import DirectAnswer, Line
from tree.ask.fact_question import SetQuestion
from tree.ask.ticket_sets import SHOWN, Found, Group
from tree.ask.told_facts import Sources, line, listed
from tree.ask.trail import Step
from tree.retrieve.fact_index import StoredFact


def tell_tickets(question: SetQuestion, found: Found, sources: Sources) -> DirectAnswer | None:
    said = ", ".join(condition.words for condition in question.conditions)
    number = len(found.keys)
    reason = (
        f"Every one of {found.total} tickets was held against: {said}." if said else f"All {found.total} tickets were counted."
    )
    step = Step("register", "", "", f"{number} of {found.total} tickets", reason=reason)
    if not number:
        asked = f" ({as_text(said)})" if said else ""
        no = "No: none" if question.wanted == "any" else "None"
        return DirectAnswer(step, (Line(f"**{no} of {found.total} tickets**{asked}."),))
    shown = list(found.tickets.values())
    proofs = [_proof(facts, question) for facts in shown]
    cited = sources.cite(fact for fact in proofs if fact is not None)
    lines = [Line(_headline(question, found, said))]
    if question.group:
        lines += _grouped(found)
    lines.append(Line("\n\n" if question.group or len(shown) > 0 else ""))
    number = 0
    for facts, proof in zip(shown, proofs, strict=True):
        if proof is None or proof.place not in cited:
            continue
        number += 1
        lines.append(line(f"\n- {_ticket(facts)} [{number}]", number, proof, cited))
    if len(found.keys) > SHOWN:
        lines.append(Line(f"\n\n… and {len(found.keys) - SHOWN} more."))
    return DirectAnswer(step, tuple(lines), chart=_chart(question.group, found.groups))


def _chart(relation: str, groups: Sequence[Group]) -> Chart | None:
    return chart_of(relation, [group.value for group in groups], {"tickets": [len(group.tickets) for group in groups]})


def _proof(facts: Mapping[str, StoredFact], question: SetQuestion) -> StoredFact | None:
    """The fact of a ticket for which it was chosen; its key, where that is that it lacks something."""
    for condition in question.conditions:
        for relation in ("status",) if condition.relations == ("open",) else condition.relations:
            if relation in facts and not condition.negated and relation != "type":
                return facts[relation]
    return facts.get("key")


def _headline(question: SetQuestion, found: Found, said: str) -> str:
    if question.wanted in ("most", "least") and found.groups:
        groups = [group for group in found.groups if group.value not in ("none", "nobody")]
        if groups:
            best = (max if question.wanted == "most" else min)(len(group.tickets) for group in groups)
            winners = [group.value for group in groups if len(group.tickets) == best]
            noun = "ticket" if best == 1 else "tickets"
            each = " each" if len(winners) > 1 else ""
            return (
                f"**{as_text(listed(winners))}** with {best} {noun}{each} ({as_text(said)})."
                if said
                else f"**{as_text(listed(winners))}** with {best} {noun}{each}."
            )
    asked = f" ({as_text(said)})" if said else ""
    yes = "Yes: " if question.wanted == "any" else ""
    return f"**{yes}{len(found.keys)} of {found.total} tickets**{asked}:"


def _grouped(found: Found) -> Iterator[Line]:
    yield Line("\n\n| | tickets |\n| --- | --- |")
    for group in found.groups:
        yield Line(f"\n| {as_text(group.value)} | {len(group.tickets)} |")


def _ticket(facts: Mapping[str, StoredFact]) -> str:
    title = as_text(facts["key"].fact.subject.name)
    said = [as_text(facts[name].fact.value) for name in ("status",) if name in facts]
    said.append(as_text(facts["assignee"].fact.value) if "assignee" in facts else "nobody")
    return f"{title} ({', '.join(said)})"
