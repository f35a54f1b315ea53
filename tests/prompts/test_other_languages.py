"""Questions in German and French are read like those in English, over texts in their language."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.dates import Day, days
from prompts.language import terms
from prompts.other_languages import GERMAN, language_of
from prompts.question import analyse, in_english_terms
from prompts.records import LeafText, Question
from prompts.sentences import sentences


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wer leitet die Werft?", "who"),
        ("Seit wann ist der Kran gesperrt?", "when"),
        ("Wie viele Boote liegen im Hafen?", "count"),
        ("Wie melde ich ein Boot an?", "how_to"),
        ("Warum ist der Kran gesperrt?", "why"),
        ("Wo liegt der Schlüssel?", "where"),
        ("Was ist ein Liegeplatz?", "definition"),
        ("Qui dirige le port ?", "who"),
        ("Combien coûte une place au port ?", "count"),
        ("Qu'est-ce qu'une amarre ?", "definition"),
    ],
)
def test_the_kind_of_a_question_is_known(question: str, kind: str) -> None:
    assert analyse(question).kind == kind


@pytest.mark.parametrize(
    "question", ["Who is Jean de la Croix?", "Was the crane moved?", "Comment on the plan", "What does die casting mean?"]
)
def test_english_with_words_of_another_language_is_english(question: str) -> None:
    assert analyse(question).kind != "open" or question.startswith("Comment")
    assert terms(question)


@pytest.mark.parametrize(
    ("question", "text", "verdict"),
    [
        ("Wer leitet die Werft?", "Die Werft wird von Jürgen Obermann geleitet.", "complete"),
        ("Wo liegt der Schlüssel der Werft?", "Der Schlüssel der Werft liegt im Tresor.", "complete"),
        ("Was kostet ein Liegeplatz?", "Ein Liegeplatz kostet 14,50 Euro.", "complete"),
        ("Warum ist der Kran gesperrt?", "Der Kran ist gesperrt, weil ein Seil gerissen ist.", "complete"),
        ("Welche Farbe hat der Kran?", "Der Kran ist gesperrt, weil ein Seil gerissen ist.", "none"),
        ("Qui dirige le port ?", "Le port est dirigé par Camille Rousselot.", "complete"),
    ],
)
def test_a_text_in_the_language_of_the_question_answers_it(question: str, text: str, verdict: str) -> None:
    asked = Question(question, dict.fromkeys(terms(question), 3.0), frozenset(set(terms(question)) - set(terms(text))))
    assert ExtractiveReader().answer(asked, LeafText(text, ("Hafen",))).verdict == verdict


def test_a_german_date_does_not_end_a_sentence() -> None:
    text = "Der Umzug beginnt am 18. Mai 2026. Er dauert lange."
    assert [text[start:end] for start, end in sentences(text)] == ["Der Umzug beginnt am 18. Mai 2026.", "Er dauert lange."]
    assert set(days("am 18. Mai 2026, am 3.10.2026, le 1er août 2026")) == {Day(2026, 5, 18), Day(2026, 10, 3), Day(2026, 8, 1)}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wie hoch ist die Miete der Halle?", "The rent of the hall is 900 euros a month."),
        ("Was kostet der Kran?", "The price of the kran is 900 euros."),
        ("Quel est le prix du contrat Lindmoor ?", "The Lindmoor contract has a price of 900 euros."),
    ],
)
def test_a_text_in_english_is_found_by_words_that_say_the_same(question: str, text: str) -> None:
    leaf = LeafText(text, ("Hall",))
    unknown = frozenset(term for term in terms(question) if term not in terms(text))
    weights = dict.fromkeys(terms(question), 3.0)
    assert ExtractiveReader().answer(Question(question, weights, unknown), leaf).verdict != "none"


@pytest.mark.parametrize("question", ["wer arbeitet an HER-12?", "was kostet der Kran", "Was bedeutet Derating?"])
def test_a_short_question_with_a_key_or_an_english_word_is_known_for_german(question: str) -> None:
    assert language_of(question) is GERMAN


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Pourquoi on n'a pas choisi les imprimantes mobiles ?", "We did not choose mobile printers: the battery is weak."),
        ("Wer kümmert sich um die Schichtpläne?", "Owner of the shift plan: Rhoda Venn."),
        ("Warum waren die Rechnungen verspätet?", "The invoices were late because the printer was broken."),
        ("Wie melde ich mich für die Kurse an?", "Register for a course with Rhoda Venn."),
        ("Quand est l'arrivée des pompiers ?", "15:03: fire brigade has arrived."),
    ],
)
def test_words_in_other_forms_and_of_two_parts_are_found_in_english(question: str, text: str) -> None:
    wanted = in_english_terms(question)
    assert len([some for some in wanted.values() if not set(some).isdisjoint(terms(text))]) >= 2


def test_a_small_word_is_no_form_of_a_longer_one() -> None:
    assert "sich" not in in_english_terms("Wer kümmert sich um das Tor?")
