"""A name that is misspelt: what is known of the one near to it is shown as that; of a name that nobody has it is said."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tests.tree.ask.test_usual_words import site as site


@pytest.mark.parametrize(
    ("question", "near"),
    [
        ("what is jo lindkwist working on", "Lindqvist"),
        ("which tickets does marren have", "Maren"),
        ("open tickets of maren oduja", "Oduya"),
    ],
)
def test_what_the_near_name_has_is_shown_and_not_called_answered(site, question, near) -> None:
    answer = site.ask(question)
    assert answer.verdict == "partial"
    assert answer.text.startswith("Nothing has the name") and f"If {near} is meant" in answer.text
    assert "of 4 tickets" in answer.text or "tickets**" in answer.text
    assert answer.did_you_mean


@pytest.mark.parametrize(
    ("question", "name"), [("open tickets of zebulon", "zebulon"), ("which bugs does Quintus have?", "Quintus")]
)
def test_of_a_name_that_nobody_has_it_is_said(site, question, name) -> None:
    answer = site.ask(question)
    assert answer.verdict == "none"
    assert f"Nobody and nothing is called “{name}”" in answer.text


def test_words_that_are_no_names_are_left_alone(site) -> None:
    assert "is called" not in site.ask("why do the turnstiles hibernate?").text


@pytest.mark.parametrize(
    "question", ["when does the contract of Otter Quay renew", "how many berths has the harbour at Otter Quay"]
)
def test_a_noun_that_occurs_nowhere_is_left_out_and_said(docs: Following, question: str) -> None:
    docs.write("clubs.csv", "club,renewal,berths\nOtter Quay,2027-01-10,40\nSeal Bay,2027-03-01,12\nHeron Point,2027-05-20,9\n")
    answer = answered(docs, question)
    assert answer.verdict == "partial" and "occurs nowhere. Of Otter Quay" in answer.text, answer.text


def test_a_name_that_nothing_has_is_said_to_be_none_beside_others_of_its_kind(docs: Following) -> None:
    docs.write(
        "teams.md",
        "# Teams\n\nTeam Quay keeps the boats. Ida Holm leads it.\n\nTeam Shore keeps the lamps and an anchor. Bo Lund leads it.\n",
    )
    absent = answered(docs, "Who leads Team Anchor?")
    assert absent.verdict == "none" and "Team Quay and Team Shore" in absent.text and not absent.citations, absent.text
    assert answered(docs, "Who leads Team Quay?").verdict != "none"
    docs.write(
        "people.md",
        "# People\n\nIda Holm sails. Ida Berg paints. Frau Lund is Bo's sister.\n\n| Name | Phone |\n|---|---|\n| Bo Lund | 4407 |\n",
    )
    assert "Nothing here is called" in answered(docs, "What does Ida Meier paint?").text
    assert "Nothing here is called" not in answered(docs, "What is the phone of Ida Lund?").text  # somebody is called Lund
