"""Whoever owns a thing is told by its own row, and not by the rows of what happened to it."""

from __future__ import annotations

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

CASES = """id,date,pump,owner,report
CASE-1,2026-02-03,Heron,Ines Falk,yes
CASE-2,2026-03-09,Heron,Tomas Reyl,no
CASE-3,2026-04-11,Otter,Ines Falk,no
"""
PUMPS = """pump,what_it_does,owner
Heron,lifts water,Maren Oduya
Otter,drains the yard,Tomas Reyl
"""


def test_the_row_of_a_thing_says_who_owns_it(docs: Following) -> None:
    docs.write("cases/case-register.csv", CASES)
    docs.write("pumps.csv", PUMPS)
    answer = answered(docs, "Who looks after Heron?")
    assert (answer.verdict, answer.text[:15]) == ("complete", "**Maren Oduya**")
    assert "Ines" not in answer.text and "Tomas" not in answer.text
    assert answered(docs, "Who owns CASE-2?").text.startswith("**Tomas Reyl**")


def test_owners_of_several_cases_are_no_owner_of_the_thing(docs: Following) -> None:
    docs.write("cases/case-register.csv", CASES)
    assert answered(docs, "Who looks after Heron?").verdict != "complete"
