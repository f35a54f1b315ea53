"""How far a leaf deals with a question: what it has of it, and what nothing that was indexed has."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.language import terms
from prompts.records import LeafAnswer, LeafText, Question

LEAF = LeafText(
    "The crew tested the cooling of the turbine in the third week. The report was filed by the harbour office.", ("Cooling",)
)


def asked(text: str, unknown: tuple[str, ...] = ()) -> LeafAnswer:
    words = frozenset(word for name in unknown for word in terms(name))
    weights = {word: 6.0 if word in words else 3.0 for word in terms(text)}
    return ExtractiveReader().answer(Question(text, weights, words), LEAF)


def test_a_question_on_this_text_is_answered() -> None:
    assert asked("When did the crew test the cooling of the turbine?").verdict != "none"


def test_a_question_of_words_that_nothing_has_is_not_answered_from_those_it_shares() -> None:
    text = "Which crew of Vasconcelos tested the cooling of the Zamboanga gallery?"
    assert asked(text, ("Vasconcelos", "Zamboanga")).verdict == "none"
    assert asked(text).coverage > asked(text, ("Vasconcelos", "Zamboanga")).coverage


def test_words_that_stand_together_count_by_number_however_long_the_question() -> None:
    long = "We read the minutes on lamps, ropes, paint and the price of a pilot; who tested the cooling of the turbine in the third week?"
    assert asked(long).coverage > 0.65  # by their share of the question it would be 0.55


def test_a_thing_that_is_known_and_nothing_asked_of_it_that_is_known_is_not_found() -> None:
    assert asked("What colour is the turbine of the crew?", ("colour",)).verdict == "none"
    assert asked("What is the weight of the turbine?").verdict == "none"
    assert asked("Why did the crew test the cooling of the turbine?").verdict == "partial"


def test_an_irregular_form_is_the_same_word() -> None:
    leaf = LeafText("The lead of the assessment is Ilse Marchetti.", ("Assessment",))
    weights = dict.fromkeys(terms("Who led the assessment?"), 3.0)
    assert ExtractiveReader().answer(Question("Who led the assessment?", weights), leaf).verdict == "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which crane of the harbour is green?", "The crane of the harbour is green."),  # says no more than the question
        (
            "What paint is used for the harbour crane?",
            "This paint of the crane is used in the guide to the harbour.",
        ),  # of itself
        (
            "Which boats do not pay harbour dues?",
            "All boats in the harbour pay 3 harbour dues to the Guild.",
        ),  # not what is asked
        ("Who owned the crane before May?", "The crane has been owned by Ada Solberg since May."),
        ("When did the crane fall over?", "The crane fell over last Friday."),  # a day of no date
        ("How does the crane lift the boats?", "The crane and the boats that it can lift are listed below."),
    ],
)
def test_what_only_shares_the_words_is_not_called_an_answer(question: str, text: str) -> None:
    leaf = LeafText(text, ("Harbour",))
    answer = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf)
    assert answer.verdict != "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "What is the maximum size of a harbour log?",
            "The maximum size of a harbour log is the size in bytes after which it is turned.",
        ),  # no number
        (
            "What is the maximum size of a harbour log?",
            "The maximum size of a harbour log is told with 300 features of it.",
        ),  # of other things
        ("How often are harbour bells rung?", "A harbour bell is abstract and will never be rung directly."),
        ("Who maintains the harbour crane?", "The harbour crane is known to run under Lunar OS and other systems."),
        (
            "Who maintains the harbour crane?",
            "Jason Kirt brought a new rope from town so that the harbour crane may run.",
        ),  # runs, of the crane
        ("Should I paint the harbour crane?", "The harbour crane will take the last paint and hold it for the winter."),
        ("Where are the harbour logs written?", "Write the times of the harbour to a file in the Cache or `logs-dir`"),
        ("Where is the harbour crane?", "Its names in the yard are harbour-crane-specified in the Books."),
    ],
)
def test_a_sentence_without_the_number_the_person_or_the_advice_asked_for_is_no_answer(question: str, text: str) -> None:
    assert asked_of(text, question) != "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the maximum size of a harbour log?", "The maximum size of a harbour log is 20 MB."),
        ("Who maintains the harbour crane?", "The harbour crane is maintained by Ilse Marchetti."),
        ("Who maintains the harbour crane?", "Ilse Marchetti also runs the harbour crane."),
        ("How often are harbour bells rung?", "The harbour bells are rung every hour."),
        ("Should I paint the harbour crane?", "You should paint the harbour crane before the winter."),
    ],
)
def test_one_that_has_it_is(question: str, text: str) -> None:
    assert asked_of(text, question) == "complete"


def asked_of(text: str, question: str) -> str:
    leaf = LeafText(text, ("Yard",))
    return ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf).verdict


def test_what_a_setting_does_is_what_stands_first_below_its_name() -> None:
    text = "## timeout\n\n*Default*: 3\n\nHow many seconds a boat is waited for.\n\n## -b, --bell\n\nRings the large bell once.\n\nIt is loud.\n"
    leaf = LeafText(text, ("Settings",))

    def told(question: str) -> list[str]:
        answer = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf)
        return [quote.text for quote in answer.quotes] if answer.verdict == "complete" else []

    assert told("What does timeout do?") == ["How many seconds a boat is waited for."]
    assert told("what does the bell option do") == told("what does --bell mean?") == ["Rings the large bell once."]
    assert told("What does the harbour do?") == []


def test_a_log_of_changes_comes_after_what_says_how_it_is() -> None:
    question = "How do I protect the crane with a password?"
    worth = []
    for title in ("4.2.5 (2026-12-23)", "Crane"):
        leaf = LeafText("The crane asks for a password once you protect it with one.", (title,))
        answer = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf)
        worth.append(max(excerpt.worth for excerpt in answer.excerpts))
    assert worth[0] < worth[1]


def test_a_text_whose_title_is_asked_about_is_near_though_its_sentences_say_little_of_it() -> None:
    text = "Reported by the office.\n\n**2026-09-07 Ida:** Other grease in the bearing.\n\n**2026-09-21 Bo:** The reference weight is back."
    question = "How did Ida get rid of the drift of the harbour scales?"
    asked_of_it = Question(question, dict.fromkeys(terms(question), 3.0) | dict.fromkeys(terms("drift harbour scales"), 4.0))
    reader = ExtractiveReader()
    assert reader.answer(asked_of_it, LeafText(text, ("Harbour scales drift",))).verdict == "partial"
    assert reader.answer(asked_of_it, LeafText(text, ("Ferry timetable",))).verdict == "none"


def test_a_plate_with_a_serial_number_is_no_number_plate() -> None:
    text = "The plate with the serial number of the winch is below its drum."
    question = "Where is the serial number plate of the winch?"
    assert asked_of(text, question) != "none"
    assert (
        asked_of("The van of the harbour with its plate is blue.", "What is the number plate of the van of the harbour?")
        == "none"
    )


def test_a_time_that_is_only_said_is_no_word_that_is_missing() -> None:
    leaf = LeafText(
        "The drill of the lifeboat was held on 14 April, and the aim of the drill was kept.\n\nBoats pay by length.", ("Minutes",)
    )
    verdicts = []
    for last in ("this spring", "with Vasco"):
        question = f"What was the aim of the drill {last}?"
        weights = dict.fromkeys(terms(question), 3.0) | dict.fromkeys(terms("spring Vasco"), 5.0)
        verdicts.append(ExtractiveReader().answer(Question(question, weights), leaf).verdict)
    assert verdicts == ["partial", "none"]


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        (
            "The queue is drained by hand.\n\nDrain the queue of certctl first.",
            "who wrote drain-queue.md for certctl",
            "drain-queue.md",
        ),
        ("The lamps burn all night in the hall.", "does drain-queue.md speak of the lamps", "drain-queue.md"),
    ],
)
def test_a_reason_tells_a_word_once_and_not_as_both_there_and_missing(text: str, asked: str, told: str) -> None:
    """The name of a file is several terms, of which some may stand there and others not."""
    weights = dict.fromkeys(terms(asked), 3.0)
    reason = ExtractiveReader().answer(Question(asked, weights), LeafText(text, ("Notes",))).reason
    assert reason.count(told) == 1, reason
