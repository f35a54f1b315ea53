"""A value of a table is told with what its row says of when it holds."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

TABLE = "# Fares\n\n| What | Fare | {head} |\n|---|---|---|\n| Night ferry | 40 euro | {said} |\n| Day ferry | 12 euro | |\n"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("Condition", "booked a week ahead; otherwise 55 euro"),
        ("Conditions", "members of the club"),
        ("Unless", "it is a holiday, then 60 euro"),
        ("Note", "only on weekdays"),
        ("Remarks", "within the zone, else 48 euro"),
        ("Valid", "May to October"),
    ],
)
def test_the_condition_in_a_row_belongs_to_its_value(docs: Following, head: str, said: str) -> None:
    docs.write("fares.md", TABLE.format(head=head, said=said))
    answer = answered(docs, "What is the fare of the night ferry?")
    assert answer.verdict == "complete" and answer.text.startswith("**40 euro**") and said in answer.text
    assert ";" not in answered(docs, "What is the fare of the day ferry?").text


@pytest.mark.parametrize(("head", "said"), [("Note", "painted blue"), ("Colour", "blue, only at the bow"), ("Remark", "see B9")])
def test_another_cell_is_not_told(docs: Following, head: str, said: str) -> None:
    docs.write("fares.md", TABLE.format(head=head, said=said))
    assert said not in answered(docs, "What is the fare of the night ferry?").text
