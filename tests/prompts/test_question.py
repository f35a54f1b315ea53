"""What a question asks for."""

from __future__ import annotations

import time

import pytest

from prompts.language import terms
from prompts.question import EVERYDAY_FACTOR, analyse, as_a_whole, one_slip, weigh
from prompts.records import Question
from prompts.synonyms import same_as


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I restart the ingest service?", "how_to"),
        ("What is idempotency?", "definition"),
        ("Who approved the budget?", "who"),
        ("who runs the kiosk now and since when", "who"),
        ("what do we have in the kiosk folder", "overview"),
        ("what do we have in stock", "open"),
        ("How do I limit how many boats a crane lifts?", "how_to"),
        ("When does the freeze begin?", "when"),
        ("How many people are on call?", "count"),
        ("Is the API public?", "yes_no"),
        ("Why was the release delayed?", "why"),
        ("What are the main risks?", "list"),
        ("What is the difference between a leaf and a branch?", "compare"),
        ("What is in the Payments folder?", "overview"),
        ("Summarise the onboarding folder", "overview"),
        ("What does Board minutes.pdf contain?", "overview"),
        ("refund approval limit", "open"),
        ("What made us keep the old crane?", "why"),
        ("What led you to sell the barge?", "why"),
        ("whats the reason for the detour", "why"),
        ("What makes a good knot?", "open"),
        ("what's the mooring fee for guests", "count"),
        ("What is the tug waiting for?", "open"),
        ("What is the winch used for?", "definition"),
    ],
)
def test_the_kind_of_a_question(question: str, kind: str):
    assert analyse(question).kind == kind


def test_what_an_overview_is_asked_of():
    assert analyse("What is in the Payments folder?").subject == "Payments"
    assert analyse("What does Board minutes.pdf contain?").subject == "Board minutes.pdf"


def test_ticket_keys_and_file_names_are_found():
    asked = analyse('What says PAY-231 in runbook.md and "Board minutes.pdf" on UTF-8 and covid-19?')
    assert asked.keys == ("PAY-231",)
    assert "runbook.md" in asked.files and "Board minutes.pdf" in asked.files


def test_the_newest_statement_is_asked_for():
    assert analyse("What is the latest refund limit?").latest
    assert not analyse("What is the refund limit?").latest


def test_words_that_only_put_the_question_weigh_little():
    weights = {word.whole: word.weight for word in weigh(Question("Please describe the ledger", {"describ": 3.0, "ledger": 3.0}))}
    assert weights["describ"] < weights["ledger"]


def test_one_slip_of_the_finger():
    assert one_slip("inport", "import") and one_slip("comand", "command") and one_slip("recieve", "receive")
    assert not one_slip("import", "import") and not one_slip("import", "export")


@pytest.mark.parametrize(
    "text", ["a" * 100_000, " " * 100_000, "(" * 100_000, '"' * 100_000, "A b " * 25_000, "a/" * 50_000, "what is " * 12_000]
)
def test_no_question_takes_long(text: str):
    start = time.process_time()
    analyse(text)
    weigh(Question(text))
    assert time.process_time() - start < 1.0


def test_what_something_is_called_is_no_way_of_doing_it() -> None:
    assert analyse("How are the branches of a boat named?").kind == "open"
    assert analyse("How are the branches of a boat tied?").kind == "how_to"


@pytest.mark.parametrize(("asked", "written"), [("organisation", "organization"), ("color", "colour"), ("catalogue", "catalog")])
def test_a_word_is_known_in_the_spelling_of_the_other_country(asked: str, written: str) -> None:
    [word] = [word for word in weigh(Question(f"Which {asked} has the crane?", {})) if word.whole in terms(asked)]
    assert word.is_in(set(terms(written)))
    assert set(terms(written)) <= set(same_as(word.whole))


def test_an_everyday_word_weighs_less_than_one_that_is_as_rare() -> None:
    weights = dict.fromkeys(("mooring", "moor", "rid", "instead"), 4.0)
    words = {word.whole: word.weight for word in weigh(Question("How do I get rid of the mooring?", weights))}
    assert words[terms("rid")[0]] == EVERYDAY_FACTOR * words[terms("mooring")[0]]


def test_a_german_compound_is_said_as_a_whole_only_in_both_of_its_parts() -> None:
    question = Question("Was kostet die Tageskarte?", {"tageskart": 3.0, "kostet": 2.0})
    [card] = [word for word in as_a_whole(question.text, weigh(question)) if word.whole == "tageskart"]
    assert card.is_in({"day", "card"}) and not card.is_in({"card"}) and not card.is_in({"day"})
    assert as_a_whole("What does the card cost?", weigh(question)) == weigh(question)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("A skipper on the phone wants to know how deep the outer berth is. What do I tell him?", "how deep the outer berth is"),
        ("ida asks why the crane / hoist is loud", "why the crane / hoist is loud"),
        ("The fee is 4 euros a night, is that right?", "The fee is 4 euros a night"),
        ("What do I tell a skipper who is late?", "What do I tell a skipper who is late?"),  # that is the question
        ("Who wants to know when the tide turns?", "Who wants to know when the tide turns?"),
        (
            "A skipper with a Hallberg 40 asks if he may moor",
            "A skipper with a Hallberg 40 asks if he may moor",
        ),  # it names the boat
    ],
)
def test_who_wants_to_know_is_no_word_of_a_question(question: str, plain: str) -> None:
    assert [word.whole for word in weigh(Question(question))] == [word.whole for word in weigh(Question(plain))]


def test_two_names_of_one_thing_and_the_days_of_a_month_are_known_by_either() -> None:
    crane, hoist = weigh(Question("crane / hoist"))
    assert crane.is_in({"hoist"}) and hoist.is_in({"crane"})
    assert any(word.is_in({"20"}) for word in weigh(Question("the regatta on the 20th")))
    assert not any(word.is_in({"hoist"}) for word in weigh(Question("crane/winch")))
