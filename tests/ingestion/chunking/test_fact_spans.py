"""Each stated fact is given the leaf, and the stretch of it, that has the line it names."""

from __future__ import annotations

from connectors.base import Fact, Reference
from ingestion.chunking.fact_spans import located

TICKET = Reference("ticket", "GWY-7", "GWY-7 Gate")
TEXTS = ("- Status: Done\n  - Assignee: Ines Falk\n", "# History\n\n- 1 May status: To Do -> Done\n- Status: Done")


def test_a_fact_goes_to_the_leaf_with_its_line_and_of_equal_lines_to_the_first() -> None:
    facts = [Fact(TICKET, "status", "Done", quote="- Status: Done"), Fact(TICKET, "assignee", "Ines Falk", quote="- Assignee: Ines Falk"),
             Fact(TICKET, "status", "To Do", until="2026-05-01", quote="- 1 May status: To Do -> Done")]  # fmt: skip
    first, second = located(facts, TEXTS)
    assert [TEXTS[0][fact.start : fact.end] for fact in first] == ["- Status: Done", "- Assignee: Ines Falk"]
    assert [TEXTS[1][fact.start : fact.end] for fact in second] == ["- 1 May status: To Do -> Done"]


def test_a_fact_without_a_line_stands_at_the_beginning() -> None:
    [fact], none = located([Fact(TICKET, "key", "GWY-7", quote="- Key: GWY-9")], TEXTS)
    assert (fact.start, fact.end) == (0, 0) and none == ()


def test_no_facts_and_no_leaves_give_nothing() -> None:
    assert located([], TEXTS) == [(), ()] and located([Fact(TICKET, "key", "GWY-7")], ()) == []
