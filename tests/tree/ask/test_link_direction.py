"""Links between tickets are told the way they are asked for."""

from __future__ import annotations

from datetime import date

import pytest

from prompts.extractive.answer import answer
from prompts.records import LeafText, Question
from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.ask.facts.attribute import find_attribute
from tree.retrieve.names import Names

FACTS = indexed(
    {
        "s/1": ticket("QAY-1", ("is blocked by", "QAY-2", "ticket"), ("blocks", "QAY-3", "ticket"), ("assignee", "Ines Falk", "person"),
                      ("is duplicated by", "QAY-5", "ticket"), title="Paint the pier"),
        "s/2": ticket("QAY-2", ("blocks", "QAY-1", "ticket"), ("assignee", "Tomas Reyl", "person"), title="Buy paint"),
        "s/3": ticket("QAY-3", ("is blocked by", "QAY-1", "ticket"), ("assignee", "Mei Castel", "person"), title="Open the season"),
        "s/5": ticket("QAY-5", ("duplicates", "QAY-1", "ticket"), ("assignee", "Ewan Strand", "person"), title="Pier is rusty"),
    }
)  # fmt: skip
NAMES = Names(FACTS)
TODAY = date(2026, 6, 15)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What blocks QAY-1?", {"QAY-2"}),
        ("what is blocking QAY-1", {"QAY-2"}),
        ("What is QAY-1 blocked by?", {"QAY-2"}),
        ("What does QAY-1 block?", {"QAY-3"}),
        ("what is QAY-1 blocking", {"QAY-3"}),
        ("What is blocked by QAY-1?", {"QAY-3"}),
        ("What duplicates QAY-1?", {"QAY-5"}),
        ("What does QAY-5 duplicate?", {"QAY-1"}),
        ("Who is assigned to what blocks QAY-1?", {"Tomas Reyl"}),
        ("Who is assigned to what QAY-1 blocks?", {"Mei Castel"}),
        ("Who is assigned to what is blocked by QAY-1?", {"Mei Castel"}),
    ],
)
def test_only_the_links_that_go_the_way_asked_for_are_told(question: str, told: set[str]) -> None:
    found = find_attribute(question, NAMES, FACTS)
    assert found is not None
    said = {
        one.fact.subject.id if found.is_reverse else one.fact.object.id
        for one in found.facts
        if one.fact.object or found.is_reverse
    }
    assert said == told


def test_the_first_step_of_a_chain_is_no_answer_to_the_whole() -> None:
    leaf = LeafText(
        "- Type: Task\n- Status: Blocked\n- Assignee: Ines Falk\n- Priority: High\n\n## Links\n\n- is blocked by QAY-2 Buy paint (To Do)\n",
        ("QAY-1 Paint the pier",),
    )
    weights = {"paint": 3.0, "pier": 3.0, "block": 2.0, "work": 1.0}
    assert answer(Question("Who is working on what blocks the paint of the pier?", weights), leaf).verdict != "complete"
    assert answer(Question("What blocks the paint of the pier?", weights), leaf).is_stated
