"""Questions in German and French over texts in English: what says the same is looked for in the index too."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wie melde ich mich für einen Kurs an?", "Register by mail"),
        ("À quelle heure les pompiers sont arrivés ?", "Fire brigade on site"),
        ("Warum war die Lieferung verspätet?", "delivery was late"),
    ],
)
def test_what_an_english_text_says_is_found(docs: Following, question: str, told: str) -> None:
    docs.write("courses.md", "# Courses\n\nRegister by mail with Rhoda Venn seven days before the course. Lunch is paid.\n")
    docs.write(
        "fire.md", "# Fire in hall 2\n\n| Time | What |\n|---|---|\n| 09:41 | Smoke seen |\n| 10:03 | Fire brigade on site |\n"
    )
    docs.write("paint.md", "# Paint\n\nThe delivery was late because the ferry did not run. We were given a discount of 5 %.\n")
    docs.write("other.md", "# Car park\n\nVisitors park behind the mill. The gate shuts at eight.\n")
    answer = answered(docs, question)
    assert answer.verdict != "none"
    assert told in answer.text


def test_what_nothing_says_is_not_found(docs: Following) -> None:
    docs.write("courses.md", "# Courses\n\nRegister by mail with Rhoda Venn seven days before the course. Lunch is paid.\n")
    assert answered(docs, "Wer leitet die Werkstatt?").verdict == "none"
