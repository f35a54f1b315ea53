"""In which forms a question asks how something is done, and what of it is kept."""

from __future__ import annotations

import pytest

from prompts.chat_wording import in_full_words
from prompts.question import analyse, weigh
from prompts.records import Question


@pytest.mark.parametrize(
    "question",
    ["The kiln is cold. steps?", "Kiln is cold, what should we check?", "How can a guest get a key?", "How could the new clerk open the safe?"],
)  # fmt: skip
def test_more_forms_ask_how_something_is_done(question: str) -> None:
    assert analyse(question).kind == "how_to"


@pytest.mark.parametrize("question", ["How can the kiln be cold?", "How many steps?", "What can be checked by the guard?"])
def test_others_do_not(question: str) -> None:
    assert analyse(question).kind != "how_to"


def test_what_somebody_wants_to_do_is_kept_where_the_question_itself_names_nothing() -> None:
    for question in ("I want to swap my shift, what are the steps?", "We have to move the kiln. What do we do first?"):
        assert in_full_words(question) == question
    assert in_full_words("I have to tell the board, when is the next audit?") == "when is the next audit?"


def test_what_somebody_asks_is_part_of_a_question_how_that_is_handled() -> None:
    asked = {word.whole for word in weigh(Question("A guest asks what photos we hold of him. How do we handle that?"))}
    assert {"guest", "photo"} <= asked
    assert "guest" not in {word.whole for word in weigh(Question("A guest asks what the tour costs"))}
