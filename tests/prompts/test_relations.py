"""Sentences with the words of a question that say something else than it asks."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.relations import turns
from prompts.language import terms
from prompts.records import LeafText, Question


def verdict(question: str, text: str, title: str = "Harbour") -> str:
    return ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), LeafText(text, (title,))).verdict


@pytest.mark.parametrize(
    ("question", "text"),
    [
        # what is asked about stands only in the condition
        (
            "Within how many hours can a booking be cancelled?",
            "If you cancel the whole booking, you may not make another booking until 24 hours have passed.",
        ),
        (
            "Where are heavy parcels stored at the island?",
            "When a parcel is stored as heavy, a copy of its label goes to the office in `Room 4` of the island.",
        ),
        (
            "Does the harbour use the island radio channel?",
            "You should try using the island radio channel when there is a storm that the harbour is not aware of.",
        ),
        # more than one is not one of the things that can be had
        (
            "Can a booking have more than one parking permit?",
            "For bookings of large groups you can have a parking permit printed in bulk.",
        ),
        # numbers and names in the address that a link leads to
        ("How many parcels are in the public store?", "See this [example](https://x.example/4.3) of a signed parcel from the public store."),
        ("Where do the harbour charts come from?", "Harbour charts should be updated, check the [plan](https://x.example/wiki/Plan)."),
        ("Where do the harbour charts come from?", "The harbour charts are printed in `Hall 3`."),
        ("How many parcels are in the public store?", "The public store runs release 4.3.1 parcels."),
        # one harbour master is no number of harbours; what may be is not what must be
        ("How many harbours are there?", "Harbours: one harbour approval is enough for a ferry."),
        ("Which stamp must harbour passes have?", "The harbour passes may have the `Blue` stamp of the guild."),
        # a publisher is not publishing; what is founded is not found
        ("Can a ferry have a planner of the route?", "The ferry can have the planning of the route done at night."),
        ("Who founded the harbour?", "Global Notes: The file found at the harbour is read first."),
        ("Who founded the harbour guild?", "The harbour guild can be found by asking Ada Solberg."),
        # how long something took is no age
        ("How old is Captain Solberg?", "Captain Solberg on the harbour: 23 cars turned away in three weeks."),
        # of two things neither is told from the other
        (
            "What takes precedence, harbour arguments or the harbour file?",
            "What the harbour arguments or the harbour file say takes precedence over `Tide` settings.",
        ),
        # a heading farther up has the word, and two words with capitals are no person
        (
            "Who is the berth manager of the harbour crane?",
            "## Manager of berths\n\n### Crane\n\nSet the Continuous Lifting service up for the harbour crane.",
        ),
    ],
)  # fmt: skip
def test_a_sentence_that_says_something_else_is_not_called_an_answer(question: str, text: str) -> None:
    assert verdict(question, text) != "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many hours is a ticket valid?", "When a ticket is bought online, it is valid for 24 hours."),
        (
            "How often do crews fetch the tide list?",
            "Crews fetch the tide list every 5 minutes, and once more when the check of the gate closes.",
        ),
        ("Within how many hours can a booking be cancelled?", "A booking can be cancelled within 24 hours."),
        ("Where do the harbour charts come from?", "The harbour charts come from the office in `Hall 3`."),
        ("Who founded the harbour?", "The harbour was founded by Ada Solberg."),
        ("How old is Captain Solberg?", "Captain Solberg is 61 years old."),
        # "at least" is no thing, and the words before the verb say what is counted
        ("For how many days are harbour passes valid at least?", "Harbour passes are valid for a minimum of 12 days."),
        ("How many day/night berths are there?", "There are ten different berths for day/night ships."),
        ("Where are the harbour charts?", "The harbour charts are on [the shelf](https://x.example) in `Hall 3`."),
    ],
)
def test_a_sentence_that_says_what_is_asked_is_an_answer(question: str, text: str) -> None:
    assert verdict(question, text) == "complete"


def test_the_name_of_a_range_of_sections_is_no_heading_of_each_of_them() -> None:
    asked = "When were the cranes of the shipyard painted?"
    question = Question(asked, dict.fromkeys(terms(asked), 3.0))
    text = "Four cranes were painted on 3 May 2026."
    assert ExtractiveReader().answer(question, LeafText(text, ("Harbour", "Shipyard \u2026 Ferries"))).verdict != "complete"
    assert ExtractiveReader().answer(question, LeafText(text, ("Harbour", "Shipyard"))).verdict == "complete"


LIST = "The main differences between the day berth and the night berth are:\n\n- The gate is locked.\n- The lamp is lit.\n"


def test_a_list_that_a_line_with_all_words_leads_up_to_is_the_answer() -> None:
    question = "What is the difference between the day berth and the night berth?"
    answer = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), LeafText(LIST, ("Harbour",)))
    assert answer.verdict == "complete" and answer.quotes[0].text.endswith("The lamp is lit.")


CREW = "## Crane team\n\nIt meets on Mondays.\n\n### Members\n\n- Ada Solberg\n- Ole Brandt\n"


def test_a_list_below_headings_that_say_the_question_is_the_answer() -> None:
    question = "Who are the members of the crane team?"
    answer = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), LeafText(CREW, ("Harbour",)))
    assert answer.verdict == "complete" and answer.quotes[0].text.endswith("Ole Brandt")
    assert verdict("Who are the members of the diving team?", CREW) != "complete"
    assert verdict("Who were the former members of the crane team?", CREW) != "complete"


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference in price between the day berth and the night berth?",
        "Which differences are there never between the day berth and the night berth?",
    ],
)
def test_a_list_of_something_else_is_no_answer(question: str) -> None:
    assert verdict(question, LIST) != "complete"


def test_how_often_is_told_by_a_frequency_and_not_by_any_number() -> None:
    text = "The tide list of crew 7 is read by the 4 gates. The tide list of the crew is drawn up every spring."
    answer = ExtractiveReader().answer(
        Question("How often is the tide list drawn up?", dict.fromkeys(terms("tide list drawn"), 3.0)),
        LeafText(text, ("Harbour",)),
    )
    assert "every spring" in answer.quotes[0].text


def test_what_another_sort_of_the_thing_does_is_no_answer() -> None:
    text = "The idle pumps check (every 15 minutes) whether there are active pumps.\n\n"
    assert verdict("How often do the active pumps check?", text) != "complete"
    assert verdict("How often do the active pumps check?", text + "Active pumps check the bilge once every hour.") == "complete"
    assert verdict("How often do the idle pumps check?", text) == "complete"


def test_what_was_planned_is_not_what_holds() -> None:
    asked = "when should the crane have gone live?"
    assert not turns(asked, "The crane goes live on 3 May.")
    assert turns(asked, "The crane was to go live on 3 April.") and turns(asked, "It goes live on 3 May instead of 3 April.")
    assert turns("when should i call the crane?", "Call the crane before 8:00, it should be free.")


def test_that_there_are_none_is_not_said_by_what_some_of_them_did() -> None:
    asked = "which flag means that no boats were counted?"
    assert turns(asked, "Flag 5: No boats were counted.")
    assert not turns(asked, "Flag 1: Boats were counted and some of the boats failed.")
