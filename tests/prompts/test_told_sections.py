"""Sections and paragraphs that say in sentences what is to be done, and what they are called."""

from __future__ import annotations

import pytest

from prompts.extractive.acts import act_of, likeness
from prompts.extractive.nearest import nearest
from prompts.extractive.told_sections import told_sections, told_sentences
from prompts.question import weigh
from prompts.records import LeafText, LogicUnit, Question

TEXT = """## Bent nib

Bring the pen to the bench. Apply wax to both sides.

## Ink

Ink is made of soot. It was first bought in spring, using the large jar.

**A pen has been lost.** Ask in the reading room first.

**How does one get a new pen?** At the counter, with the old cap.

Ruled paper: fetch it yourself, write the sheets down.

Present: Ada, the two clerks, and Tom.

## Scraping

1. Hold the knife flat.
2. Then draw it over the page.
"""
_KNIFE = TEXT.index("1. Hold")
_DRAW = TEXT.index("2. Then")
STEPS = (
    LogicUnit(kind="step", header="Scraping: Hold the knife flat", start=_KNIFE, end=_DRAW, step=1),
    LogicUnit(kind="step", header="Scraping: Then draw it over the page", start=_DRAW, end=len(TEXT), step=2),
)
LEAF = LeafText(text=TEXT, heading=("Scribes",), units=STEPS, name="scribes")


def test_what_says_to_do_something_is_found_by_its_heading_or_label() -> None:
    found = {one.title: TEXT[one.parts[0].start : one.parts[0].end] for one in told_sections(LEAF)}
    assert {*found} == {"Bent nib", "A pen has been lost", "How does one get a new pen?", "Ruled paper"}
    assert found["Bent nib"] == "Bring the pen to the bench. Apply wax to both sides."
    assert found["Ruled paper"].endswith("write the sheets down.")


def test_a_sentence_is_called_by_what_it_says_to_do() -> None:
    [one] = told_sentences(
        LeafText("We rise at six. Fill your lamp with oil from the jug. It lasts a night.", ("Days",)), {"fill"}
    )
    assert one.title == "Fill your lamp"
    assert [*told_sentences(LEAF, {"hold"})] == [*told_sentences(LEAF, frozenset())] == []


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("a nib is bent, what should I check?", "Bent nib"),
        ("How can a clerk get a new pen later on?", "How does one get a new pen?"),
    ],
)
def test_it_is_as_near_as_its_name(question: str, title: str) -> None:
    near, one = nearest(weigh(Question(question)), LEAF, question)
    assert near >= 0.8 and one is not None and one.title == title


def test_the_name_of_the_document_alone_says_nothing_of_a_section() -> None:
    question = "how do I greet the scribes?"
    assert nearest(weigh(Question(question)), LEAF, question)[0] == 0.0


def test_a_state_is_what_a_verb_undoes_and_no_verb() -> None:
    assert (act_of("Locked account"), act_of("Lock an account")) == ("", "lock")
    assert likeness(act_of("Shut down the kiln"), act_of("Switching off")) == "same"
    assert likeness(act_of("Switch on the kiln"), act_of("Shut down the kiln")) == "opposite"
