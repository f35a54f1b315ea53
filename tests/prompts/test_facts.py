"""Named facts of a ticket, or of anything else that has some: what is asked outright is answered outright."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.passages import written_by
from prompts.language import terms
from prompts.records import Evidence, LeafAnswer, LeafText, LogicUnit, Question

TICKET = LeafText(
    "- Type: Bug\n- Status: In Progress\n- Priority: High\n- Assignee: Maren Oduya\n- Reporter: Tomas Reyl\n- Created: 2026-03-02\n"
    "- Sprint: Harbour 4\n- Fix versions: 2.4, 2.5\n- Story Points: 5\n- Resolution: none\n\n"
    "## Description\n\nThe gate scanner freezes when the status light is assigned to two lanes.\n\n"
    "## Comments\n\n### Ines Falk, 2026-03-04 09:10 UTC\n\nI verified the workaround at gate two.\n\n"
    "## Links\n\n- is blocked by GWY-9 New firmware (To Do)\n\n"
    "## History\n\n- 2026-03-03 08:00 UTC status: To Do -> In Progress, by Maren Oduya\n",
    ("GWY-12 Gate scanner freezes",),
)


def answered(question: str, leaf: LeafText = TICKET) -> LeafAnswer:
    return ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the status of GWY-12?", ["Status: In Progress", "Resolution: none"]),
        ("Who is assigned to GWY-12?", ["Assignee: Maren Oduya"]),
        ("Who is working on the gate scanner that freezes?", ["Assignee: Maren Oduya"]),
        ("Who reported GWY-12?", ["Reporter: Tomas Reyl"]),
        ("When was GWY-12 created?", ["Created: 2026-03-02"]),
        ("How urgent is GWY-12?", ["Priority: High"]),
        ("Is GWY-12 done?", ["Status: In Progress", "Resolution: none"]),
        ("Which sprint and fix version does GWY-12 have?", ["Sprint: Harbour 4", "Fix versions: 2.4, 2.5"]),
        ("How many story points has GWY-12?", ["Story Points: 5"]),
        ("What is GWY-12 blocked by?", ["is blocked by GWY-9 New firmware (To Do)"]),
        ("What was the status of GWY-12 before?", ["2026-03-03 08:00 UTC status: To Do -> In Progress, by Maren Oduya"]),
    ],
)
def test_what_a_fact_says_outright_is_answered_with_that_fact(question, said) -> None:
    found = answered(question)
    assert found.is_stated and found.verdict == "complete"
    assert [quote.text for quote in found.quotes] == said
    assert all(TICKET.text[quote.start : quote.end] == quote.text for quote in found.quotes)


@pytest.mark.parametrize(
    "question",
    ["What is the status of the ticket machine at pier nine?", "Who is assigned to GWY-13?", "Why does the gate scanner freeze?"],
)
def test_a_fact_of_something_else_is_no_answer(question) -> None:
    assert not answered(question).is_stated


@pytest.mark.parametrize("question", ["Who created tickets?", "Who created most of the tickets?", "Who reported the bug?"])
def test_no_thing_is_named_by_what_kind_it_is_of(question) -> None:
    ticket = LeafText("Type: Bug\nReporter: Tomas Reyl\nStatus: Done", ("GWY-14 Bug in tickets at sea",))
    assert not ExtractiveReader().answer(Question(question, {}), ticket).is_stated


def test_an_answer_from_facts_is_only_those_facts() -> None:
    question = Question("Who is assigned to GWY-12?", {"assign": 2.0, "gwy-12": 5.0})
    other = LeafText("GWY-12 was assigned to the wrong lane for weeks, as Nadia Brandt saw.", ("Notes",))
    evidence = [Evidence(n, leaf, ExtractiveReader().answer(question, leaf), 1.0) for n, leaf in ((1, other), (2, TICKET))]
    text = "".join(piece.text for piece in ExtractiveReader().compose(question, evidence))
    assert text == "**GWY\\-12 Gate scanner freezes**\n\n- Assignee: Maren Oduya [2]"


def test_a_comment_is_told_with_who_wrote_it_and_when() -> None:
    question = Question("Who verified the workaround of GWY-12?", {"verifi": 3.0, "workaround": 3.0, "gwy-12": 5.0})
    found = ExtractiveReader().answer(question, TICKET)
    text = "".join(piece.text for piece in ExtractiveReader().compose(question, [Evidence(1, TICKET, found, 1.0)]))
    assert "Ines Falk wrote on 2026-03-04: I verified the workaround at gate two. [1]" in text


def test_what_stands_below_the_comments_was_not_written_by_the_last_of_their_authors() -> None:
    assert written_by(TICKET, TICKET.text.index("I verified")) == ("Ines Falk", "2026-03-04")
    assert written_by(TICKET, TICKET.text.index("New firmware")) is None
    below = LeafText(
        "More of it.\n\n## Links\n\n- relates to GWY-9 New firmware", ("GWY-12", "Comments", "Ines Falk, 2026-03-04")
    )
    assert written_by(below, 0) == ("Ines Falk", "2026-03-04")
    assert written_by(below, below.text.index("relates")) is None


def test_the_facts_at_the_head_are_no_answer_to_a_title_that_asks() -> None:
    facts = "- Type: Decision\n- Status: To Do\n- Assignee: Maren Oduya\n- Sprint: Harbour 4"
    unit = LogicUnit(kind="faq", header="GWY-20 Who is the second person for the gates?", start=0, end=len(facts))
    leaf = LeafText(f"{facts}\n\n## Description\n\nInes Falk is the second person for the gates.", (unit.header,), (unit,))
    found = answered("Who is the second person for the gates?", leaf)
    assert [quote.text for quote in found.quotes][0] == "Ines Falk is the second person for the gates."
    assert all("Type: Decision" not in quote.text for quote in found.quotes)
