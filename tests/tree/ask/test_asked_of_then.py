"""What is only said of now, in a draft, or of one of the things asked for, is not called the answer to a question of then, of what holds, or
of several."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def test_a_row_that_says_no_time_is_no_answer_on_a_month_that_is_over(docs: Following) -> None:
    docs.write("staff.csv", "name,post\nNora Tarn,warden\nBo Lund,driver\nIda Holm,cook\n")
    now, then = answered(docs, "Who is the warden?"), answered(docs, "Who was the warden in May 2026?")
    assert now.verdict == "complete" and "Nora Tarn" in now.text
    assert then.verdict != "complete"


def test_an_edition_of_the_year_that_is_asked_about_answers(docs: Following) -> None:
    docs.write("staff-2020.csv", "name,post\nNora Tarn,warden\nBo Lund,driver\nIda Holm,cook\n")
    assert answered(docs, "Who was the warden in May 2020?").verdict == "complete"


def test_what_held_before_leads_where_it_is_asked_of_before(docs: Following) -> None:
    docs.write("first.md", "# Access\n\nLast updated: 3 February 2026\n\nSafety officer: Rosa Quick, in the quay office.\n")
    docs.write(
        "2026.md", "# Access, second edition\n\nLast updated: 12 October 2026\n\nSafety officer: Nora Tarn, in the quay office.\n"
    )
    found = answered(docs, "Who was the safety officer in May 2026?")
    lead, _, _ = found.text.partition("[1]")
    assert "Rosa Quick" in lead and "Nora Tarn" not in lead


@pytest.mark.parametrize("question", ["What will a hot shower cost in 2099?", "price of a hot shower"])
def test_a_price_from_a_draft_is_told_as_that(docs: Following, question: str) -> None:
    docs.write("prices_2099_draft.csv", "item,price\nhot shower,4.50\nbed,30.00\nlunch,12.00\n")
    found = answered(docs, question)
    assert found.verdict == "partial" and "4.5" in found.text


def test_who_is_on_duty_on_several_days_is_told_for_each(docs: Following) -> None:
    first = datetime.now(UTC).date().replace(day=1) + timedelta(days=40)
    days = [first.replace(day=at) for at in range(1, 9)]
    docs.write("rota.csv", "date,on call\n" + "".join(f"{day.isoformat()},Person{day.day}\n" for day in days))
    found = answered(docs, f"who is on call on 2, 3 and 5 {first:%B}")
    assert found.verdict == "complete"
    assert [number for number in range(1, 9) if f"Person{number}" in found.text] == [2, 3, 5]


def test_two_numbers_are_asked_for(docs: Following) -> None:
    docs.write("boards.md", "# Boards\n\n37 red boards to swap.\n\nThe boards lie in the attic.\n")
    assert answered(docs, "How many red boards are to swap?").verdict == "complete"
    assert answered(docs, "How many red boards are to swap, and how many are there in all?").verdict != "complete"


def test_where_somebody_lives_is_not_what_they_do(docs: Following) -> None:
    docs.write("members.csv", "name,lives in,phone\nNora Tarn,Alder,1234\nBo Lund,Quay,4321\nIda Holm,Alder,9876\n")
    assert answered(docs, "What does Nora Tarn do for a living?").verdict != "complete"


@pytest.mark.parametrize("question", ["When did the north gate go live?", "When does the north gate go live?"])
def test_a_day_that_was_moved_elsewhere_is_told_with_the_other(docs: Following, question: str) -> None:
    docs.write(
        "2025-11-12-meeting.md",
        "# Meeting, 12 November 2025\n\nDays agreed: the south gate goes live on 2 February, the north gate goes live on 6 July.\n",
    )
    docs.write(
        "2026-05-13-meeting.md",
        "# Meeting, 13 May 2026\n\nNorth gate: moved from 6 July to 21 September, as the quay is being painted.\n",
    )
    found = answered(docs, question)
    assert found.verdict == "partial" and found.text.index("21 September") < found.text.index("2 February")


def test_whoever_has_it_since_then_had_it_not_before(docs: Following) -> None:
    docs.write("quay.md", "# Quay\n\nWarden: Nora Tarn (since 1 April 2026; before her Rosa Quick, who now runs the crane)\n")
    assert answered(docs, "Who is the warden of the quay?").verdict == "complete"
    assert answered(docs, "Who was the warden of the quay in May 2025?").verdict != "complete"
    assert answered(docs, "Who was warden of the quay before Rosa?").verdict != "complete"
