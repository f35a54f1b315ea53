"""What was read leads on: by the names of documents that it says, and what is left to ask goes there."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.snapshot.said_names import said_names


def _films(docs: Following) -> None:
    docs.write("low-tide.md", "# Low Tide\n\nLow Tide is a drama starring Ada Quint. It was directed by Ole Brandt in Kiel.\n")
    docs.write("high-water.md", "# High Water\n\nHigh Water is a comedy starring Ben Sorrel, directed by Ines Valdor.\n")
    docs.write("brandt.md", "# Ole Brandt\n\nOle Brandt (1931-2002) grew up in Lübeck. He was born in Husum.\n")
    docs.write("valdor.md", "# Ines Valdor\n\nInes Valdor came to the screen late. She was born in Porto.\n")
    docs.write("quint.md", "# Ada Quint\n\nAda Quint has played in forty plays.\n")
    docs.write("sorrel.md", "# Ben Sorrel\n\nBen Sorrel has played in six plays.\n")
    for number in range(30):
        docs.write(f"other/{number}.md", f"# Person {number}\n\nPerson {number} was born in town {number} and likes plays.\n")


def test_the_second_step_is_found_by_the_name_that_the_first_says(docs: Following) -> None:
    _films(docs)
    found = answered(docs, "Where was the director of Low Tide born?")
    links = [step for step in found.trail if step.kind == "link"]
    assert links[0].title == "Ole Brandt" and links[0].reason == "“Low Tide” leads here: it names “Ole Brandt”."
    assert "born in Husum" in found.text, "what is left to ask, where he was born, is asked of his page"
    assert found.verdict == "partial", "that the name is the director's is not certain"


def test_of_two_things_each_leads_on_before_one_leads_twice(docs: Following) -> None:
    _films(docs)
    found = answered(docs, "Were the directors of Low Tide and High Water born in the same country?")
    assert {step.title for step in found.trail if step.kind == "link"} == {"Ole Brandt", "Ines Valdor"}


def test_a_page_that_said_nothing_is_asked_again_for_what_is_left(docs: Following) -> None:
    _films(docs)
    found = answered(docs, "Where was the director of Low Tide born?")
    assert [step.verdict for step in found.trail if step.kind == "read" and step.title == "Ole Brandt"] == ["none", "partial"]
    assert len({step.place for step in found.trail if step.kind == "read"}) == found.coverage["leaves_read"]


def test_a_word_of_the_question_or_of_every_page_leads_nowhere(docs: Following) -> None:
    docs.write("quay.md", "# Quay\n\nAll about quays.\n")
    docs.write("status.md", "# Status\n\nThe status of things.\n")
    for number in range(20):
        docs.write(f"notes/{number}.md", f"# Note {number}\n\nStatus of berth {number} at the Quay: the berth is free.\n")
    found = answered(docs, "What is the status of berth 7 at the quay?")
    assert not [step for step in found.trail if step.kind == "link"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It was directed by Ole Brandt in Kiel.", {"Ole Brandt", "Kiel", "Ole", "Brandt", "Ole Brandt in Kiel", "It"}),
        ("see Sovereign (album) and", {"Sovereign"}),
        ("The Trial (1962 Film) ended", {"The Trial", "The Trial (1962 Film)", "1962 Film", "Trial (1962 Film)"}),
        ("Bank of the West, J. Dory", {"Bank of the West", "J. Dory", "Bank of the West, J. Dory"}),
        ("One. Two", {"One", "Two"}),
        ("“Low Tide”, “High Water”", {"Low Tide", "High Water"}),
        ("nothing here", set()),
    ],
)
def test_names_begin_and_end_with_a_capital_or_a_number(text: str, said: set[str]) -> None:
    found = list(said_names(text))
    assert said <= {one.written for one in found}
    assert all(text[one.start : one.end] == one.written for one in found)
    assert not any("” " in one.written or " and" in one.written for one in found)
