"""The walk without a model: several levels are shown at once where few leaves lead on, one where many do."""

from __future__ import annotations

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.snapshot.snapshot_view import OUTLINE
from tree.ask.snapshot.trail import Step


def _chosen_from(docs: Following, question: str) -> list[Step]:
    return [step for step in answered(docs, question).trail if step.kind == "choose"]


def _fill(docs: Following, areas: int, notes: int, telling: int) -> None:
    """So many notes in each area, of which so many tell of a gearbox."""
    for area in range(areas):
        for number in range(notes):
            said = f"The gearbox of hall {area} was oiled by shift {number}." if number < telling else f"Nothing on day {number}."
            docs.write(f"area {area}/note {number}.md", f"# Note {area} {number}\n\n{said}\n")


def test_where_few_leaves_lead_on_they_are_shown_at_once_with_the_way_to_them(docs: Following) -> None:
    _fill(docs, areas=3, notes=30, telling=2)
    [step, *_] = _chosen_from(docs, "Which shift oiled the gearbox?")
    assert {option.kind for option in step.options} == {"leaf"} and len(step.options) == 6
    assert all(option.path and option.path[0].startswith("area ") for option in step.options)
    assert set(step.chosen) <= {option.place for option in step.options}


def test_where_many_lead_on_branches_are_chosen_first(docs: Following) -> None:
    _fill(docs, areas=4, notes=12, telling=12)
    steps = _chosen_from(docs, "Which shift oiled the gearbox?")
    assert {option.kind for option in steps[0].options} != {"leaf"}
    assert all(len(step.options) <= OUTLINE for step in steps)


def test_where_nothing_leads_on_further_than_one_level_all_children_are_shown(docs: Following) -> None:
    for number in range(6):
        docs.write(
            f"note {number}.md", f"# Note {number}\n\nThe gearbox was oiled by shift {number}.\n" if number < 2 else "Nothing.\n"
        )
    [step] = _chosen_from(docs, "Which shift oiled the gearbox?")
    assert len(step.options) == 6 and len(step.chosen) == 2


def test_the_trail_tells_why_a_sentence_with_all_that_is_asked_for_is_not_the_answer(docs: Following) -> None:
    docs.write("gate.md", "# Gate\n\nSometimes Ida Holm closed the gate of the quay.\n")
    docs.write("quay.md", "# Quay\n\nThe quay was painted.\n")
    answer = answered(docs, "Who closed the gate of the quay?")
    assert answer.verdict == "partial"
    told = {step.title: step.near_miss for step in answer.trail if step.kind == "read"}
    assert told["Gate"] == "says it of some of them only" and not told.get("Quay")
    assert any(step["near_miss"] for step in answer.as_json()["trail"])
