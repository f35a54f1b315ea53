"""Of passages that all speak of the subject, the one that holds what is asked for leads: the cause for "why", the newest state for
"is it ... yet", the span for "how long"."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.language import terms
from prompts.records import LeafText, Property, Question
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

SINKING = """# Report: the barge at Holm lock

Written by Ida Marsh, 12 May 2026.

In short: the barge Otter sank in the lock at noon. Nobody was hurt and the lock was shut for two days.

## Timeline

- 11:40 the Otter enters the lock
- 12:05 the Otter is on the ground

## Root cause

A rivet of the hull had been set with the wrong hammer by the yard.
"""
RAILS = """# Rails of brass

Status: accepted

The rails of the barge are made of brass.

## Why

Iron rusts within a year.
"""


def leads(text: str, first: str, other: str) -> bool:
    return first in text and (other not in text or text.index(first) < text.index(other))


@pytest.mark.parametrize("question", ["why did the Otter sink", "What was the reason the barge sank at Holm?"])
def test_the_cause_leads_and_not_the_summary(docs: Following, question: str) -> None:
    docs.write("sinking.md", SINKING)
    docs.write("rails.md", RAILS)
    assert leads(answered(docs, question).text, "A rivet of the hull", "In short")


def test_why_something_was_chosen_stands_below_why(docs: Following) -> None:
    docs.write("sinking.md", SINKING)
    docs.write("rails.md", RAILS)
    assert leads(answered(docs, "why did we take brass for the rails of the barge?").text, "Iron rusts", "A rivet")


@pytest.mark.parametrize(
    "question", ["Is the mast of the Otter painted already?", "Has the mast been painted yet?", "is the mast painted?"]
)
def test_the_newest_state_leads(docs: Following, question: str) -> None:
    docs.write(
        "a.md", "# Round, 4 May 2026\n\nThe mast of the Otter has to be painted; Ben gets a quote for the mast of the Otter.\n"
    )
    docs.write("b.md", "# Round, 18 May 2026\n\nBen reports: mast is painted, two coats. The rope is lost.\n")
    assert leads(answered(docs, question).text, "two coats", "has to be painted")


def test_a_name_of_small_words_is_looked_for(docs: Following) -> None:
    docs.write("facts.txt", "Our get-up takes 3 hours with eight people. We need two washing machines.\n")
    docs.write("notes.txt", "The ferry takes 40 minutes.\n\nThe get-up takes 5 hours in the small hall.\n")
    docs.write("leave.md", "# Leave\n\nAfter a get-up that ends late there are 11 hours of rest.\n")
    answer = answered(docs, "how long does our get-up take")
    assert "3 hours" in answer.text and "5 hours" in answer.text
    assert not answer.text.startswith("After")


def test_of_how_a_ticket_stands_the_newest_comment_leads() -> None:
    head = "- Key: GWY-7\n- Status: In Progress\n- Created: 2026-05-01\n\n## Description\n\nSeventy litres are in it, and fifty are allowed.\n\n"
    said = (
        "## Comments\n\n### Ida Marsh, 2026-05-02 09:00 UTC\n\nTwenty litres were let out. It is 50 now.\n\n"
        "### Ben Okoro, 2026-05-09 09:00 UTC\n\n63 again. Who fills it?\n\n## Links\n\n- relates to GWY-9 Tank of the gate leaks (To Do)\n"
    )
    leaf = LeafText(head + said, ("GWY-7 Tank of the gate is too full",), kind="ticket", properties=(Property("Type", "Bug"),))
    question = "is the tank of the gate back within the limit?"
    asked = Question(question, dict.fromkeys(terms(question), 3.0))
    excerpts = ExtractiveReader().answer(asked, leaf).excerpts
    assert excerpts and "63 again" in excerpts[0].quote.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what was decided in the end about the rail of the barge, brass or iron", "Iron rusts"),
        ("which rail did they take after all for the barge?", "Iron rusts"),
    ],
)
def test_what_a_ticket_came_to_is_told_by_the_newest_comment_that_speaks_of_it(question: str, said: str) -> None:
    text = (
        "- Key: GWY-8\n- Status: In Progress\n- Created: 2026-05-01\n\n## Description\n\nThe barge needs a rail.\n\n## Comments\n\n"
        "### Ida Marsh, 2026-05-02 09:00 UTC\n\nAn iron rail of the barge costs 60, a brass one 90.\n\n"
        "### Ben Okoro, 2026-05-06 09:00 UTC\n\nIron rusts on the barge, so brass it is for the rail.\n\n"
        "### Ida Marsh, 2026-05-09 09:00 UTC\n\nOrdered today, it comes in June.\n"
    )
    leaf = LeafText(text, ("GWY-8 Rail of the barge",), kind="ticket", properties=(Property("Type", "Task"),))
    excerpts = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf).excerpts
    assert excerpts and said in excerpts[0].quote.text, [one.quote.text for one in excerpts]


def test_the_introduction_of_a_procedure_that_a_step_leads_to_takes_no_number(docs: Following) -> None:
    docs.write("tank.md", "# Clean the tank\n\n1. Drain it, see [Drain](drain.md).\n2. Scrub it.\n3. Fill it.\n")
    docs.write("drain.md", "# Drain\n\nNever open it without gloves.\n\n1. Open the cock.\n2. Wait for the lamp.\n")
    docs.write("other.md", "# Kiosk\n\nThe kiosk opens at nine.\n")
    text = answered(docs, "How do I clean the tank?").text
    assert "Never open it without gloves" in text
    assert "1. Open the cock" in text and "2. Wait for the lamp" in text


def test_of_a_number_that_grows_the_newest_that_is_said_leads(docs: Following) -> None:
    docs.write("a.md", "# Round, 4 May 2026\n\nRegatta: 1,400 tickets sold, and a few are left.\n")
    docs.write("plan.md", "# Plan of the seats\n\nReason: 2,000 tickets for the regatta are sold on the old one.\n")
    docs.write("b.md", "# Round, 18 May 2026\n\nBen reported 2,150 regatta tickets. The rope is lost.\n")
    answer = answered(docs, "how many regatta tickets have been sold so far")
    assert answer.verdict != "complete"
    assert leads(answer.text, "2,150", "1,400") and leads(answer.text, "1,400", "2,000")
