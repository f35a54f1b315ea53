"""Questions for a register of people, put as people put them."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

CREW = """name,role,team,office,since
Ida Holm,head of the yard,Yard,1.03,2019-09-01
Per Lund,rigger,Yard,1.04,2021-03-01
Ahmed Said,clerk,Office,0.05,2025-08-01
Zoe Tarn,clerk,Office,0.05,2023-06-01
"""


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("who sits in 0.05", {"Ahmed Said", "Zoe Tarn"}),
        ("Who is in room 1.04?", {"Per Lund"}),
        ("who works in the yard", {"Ida Holm", "Per Lund"}),
        ("how many people work in the office team?", {"Ahmed Said", "Zoe Tarn"}),
        ("who joined in 2025", {"Ahmed Said"}),
        ("how many colleagues started since 2023?", {"Ahmed Said", "Zoe Tarn"}),
        ("who is the newest colleague", {"Ahmed Said"}),
        ("who has been here longest?", {"Ida Holm"}),
    ],
)
def test_rows_of_the_register_are_told(docs: Following, question: str, people: set[str]) -> None:
    docs.write("crew.csv", CREW)
    answer = answered(docs, question)
    assert answer.verdict == "complete", answer.text
    assert {name for name in ("Ida Holm", "Per Lund", "Ahmed Said", "Zoe Tarn") if name in answer.text} == people


def test_with_people_who_may_have_left_or_two_registers_nothing_is_put_otherwise(docs: Following) -> None:
    docs.write("crew.csv", CREW.replace("since", "since,left").replace("2021-03-01", "2021-03-01,2024-05-31"))
    assert "of 4 rows" not in answered(docs, "who works in the yard").text
    docs.write("crew.csv", CREW)
    docs.write("guests.csv", CREW.replace("Yard", "Loft"))
    assert answered(docs, "who is the newest colleague").verdict != "complete"


def test_what_is_no_value_of_the_column_is_left_to_the_walk(docs: Following) -> None:
    docs.write("crew.csv", CREW)
    assert answered(docs, "who works in the kitchen").verdict != "complete"


STAFF = (
    "# Who is who\n\n| Name | Role | Phone | Deputy | Since |\n|---|---|---|---|---|\n"
    "| Ida Holm | Head of the yard | 210 | Per Lund | 1 March 2021 |\n| Per Lund | Rigger | 211 | Zoe Tarn | 1 May 2023 |\n"
    "| Zoe Tarn | Clerk | 212 | Ida Holm | 1 June 2024 |\n| Ahmed Said | Trainee | 213 | – | 1 September 2025 |\n"
)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who has worked here the longest?", "**Ida Holm** (earliest)"),
        ("who started last?", "**Ahmed Said** (latest)"),
        ("Who is Ida's deputy's deputy?", "**Zoe Tarn**, deputy of Per Lund"),
        ("who is the deputy of the deputy of Per Lund", "**Ida Holm**, deputy of Zoe Tarn"),
        ("Who is the deputy of Ida's deputy?", "**Zoe Tarn**, deputy of Per Lund"),
    ],
)
def test_days_as_they_are_written_and_a_relation_twice(docs: Following, question: str, lead: str) -> None:
    docs.write("who.md", STAFF)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(lead), answer.text


@pytest.mark.parametrize("question", ["who does not have a deputy?", "who doesn't have a deputy", "Which names have no deputy?"])
def test_who_has_none_is_told_by_an_empty_cell(docs: Following, question: str) -> None:
    docs.write("who.md", STAFF)
    answer = answered(docs, question)
    first = answer.text.partition("Passages that may help")[0]
    assert "Ahmed Said" in first and "Ida Holm" not in first


def test_of_somebody_without_a_deputy_there_is_no_deputy_of_that(docs: Following) -> None:
    docs.write("who.md", STAFF)
    assert answered(docs, "Who is the deputy of Ahmed Said's deputy?").verdict != "complete"
