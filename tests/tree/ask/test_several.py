"""Several questions asked at once get an answer each, and are called answered only where all are."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.accounts.principal import OPERATOR
from tree.ask.ask import ask
from tree.ask.snapshot.answer import Answer, TextPiece
from tree.ask.snapshot.trail import Step


@pytest.fixture
def works(docs: Following) -> Following:
    docs.write(
        "crews.md",
        "# Crews\n\n| crew | lead | owns |\n|---|---|---|\n| Weir | Maren Oduya | Kestrel |\n| Lock | Tomas Reyl | Heron |\n",
    )
    docs.write(
        "glossary.md", "# Glossary\n\n**Kestrel**: the pump that drains the upper basin.\n\n**Heron**: the gate at the lock.\n"
    )
    docs.write("plan.md", "# Plan of July 2026\n\nSiren test on the north pier on Thursday 8 October 2026.\n")
    return docs


def test_each_is_answered_by_itself_with_numbers_that_go_on(works: Following) -> None:
    answer = answered(works, "Who is the lead of Weir and when is the siren test?")
    first, second = answer.text.split("**When is the siren test?**")
    assert first.startswith("**Who is the lead of Weir?**\n\n") and "Maren Oduya" in first and "[1]" in first
    assert "8 October" in second and "[2]" in second and "[1]" not in second
    assert [citation.number for citation in answer.citations] == [1, 2] and answer.verdict == "complete"
    assert [citation.title for citation in answer.citations] == ["Crews", "Plan of July 2026"]


def test_it_is_what_the_question_before_named(works: Following) -> None:
    answer = answered(works, "What is Kestrel, and who owns it?")
    first, second = answer.text.split("**Who owns it?**")
    assert "the pump that drains the upper basin" in first and "Weir" in second.split("Lock")[0]
    assert answer.verdict == "partial", "a table that only names it beside a crew is a passage that may help"


def test_one_that_nothing_answers_is_said_and_the_whole_is_not_called_answered(works: Following) -> None:
    answer = answered(works, "Who is the lead of Lock and what is our parental leave?")
    first, second = answer.text.split("**What is our parental leave?**")
    assert "Tomas Reyl" in first and second.strip().startswith("Nothing ")
    assert answer.verdict == "partial" and len(answer.citations) == 1
    nothing = answered(works, "What is our parental leave and who is the dentist?")
    assert nothing.verdict == "none" and not nothing.citations


def test_one_passage_that_answers_both_has_one_number(works: Following) -> None:
    works.write(
        "note.md", "# Siren\n\nSiren test: 8 October 2026, led by Ilse Brandt.\n\n**Siren keeper**: Ilse Brandt, since May.\n"
    )
    answer = answered(works, "What is Kestrel and what is Heron?")
    assert answer.verdict == "complete" and len(answer.citations) == 1 and answer.text.count("[1]") == 2
    assert {passage.text for passage in answer.citations[0].passages} > {"**Kestrel**: the pump that drains the upper basin."}


def test_the_pieces_are_the_text(works: Following) -> None:
    works.sync()
    *before, answer = ask(works.workspace, "Who is the lead of Weir? And when is the siren test?", principal=OPERATOR)
    assert isinstance(answer, Answer)
    assert "".join(event.text for event in before if isinstance(event, TextPiece)).strip() == answer.text
    assert answer.trail == tuple(event for event in before if not isinstance(event, TextPiece))


def test_what_nothing_answers_whole_is_asked_at_its_core_and_never_called_answered(works: Following) -> None:
    works.write(
        "boat.md",
        "# Notice of Thursday\n\nThe new boat can be fetched at Hove on Tuesday 15 December 2026.\n\nSigning it away needs a stamp.\n",
    )
    answer = answered(works, "When can the new boat be fetched, and by when do we have to pay in brass?")
    assert answer.verdict == "partial" and "15 December" in answer.text
    assert any("it is asked as “When can the new boat be fetched”" in step.reason for step in answer.trail)
    assert answer.question.endswith("in brass?")


@pytest.mark.parametrize(
    "question",
    [
        "When can the new boat be fetched, and by when do we have to pay in brass?",
        "When does the zebra of the quay sing, and by when do we have to pay in brass?",
    ],
)
def test_the_trail_is_of_all_ways_in_which_a_question_was_tried(works: Following, question: str) -> None:
    works.write("boat.md", "# Notice of Thursday\n\nThe new boat can be fetched at Hove on Tuesday 15 December 2026.\n")
    works.sync()
    *before, answer = ask(works.workspace, question, principal=OPERATOR)
    assert isinstance(answer, Answer)
    assert answer.trail == tuple(event for event in before if isinstance(event, Step))
    assert sum("it is asked as" in step.reason for step in answer.trail) >= 1
    assert answer.coverage["leaves_read"] == len({step.place for step in answer.trail if step.kind == "read"})


@pytest.mark.parametrize("question", ["what is the charm of the harbour", "what is the chart of the harbour"])
def test_no_part_of_a_word_is_offered_nor_anything_for_a_chart(works: Following, question) -> None:
    works.write("fees.md", "# Fees\n\nThe charge of a mooring is 12 euros. A part of it is for the harbour.\n")
    answer = answered(works, question)
    assert answer.did_you_mean == () and not any("charg" in step.title for step in answer.trail)


def test_a_word_that_occurs_nowhere_is_asked_for_as_it_is_written_elsewhere(works: Following) -> None:
    works.write("rules.md", "# Positions of boats\n\nThe position of a boat is kept for 30 days.\n")
    answer = answered(works, "how many days do we keep the postion")
    assert answer.verdict == "partial" and "30 days" in answer.text, "it is a guess, however well it answers"
    assert any(note.endswith("so this is told for “how many days do we keep the position”.") for note in answer.notes)
    assert [one.name for one in answer.did_you_mean] == ["position"]
