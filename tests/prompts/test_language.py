"""Words, sentences, phrases and names."""

from __future__ import annotations

import time
from unicodedata import category

import pytest
from hypothesis import example, given, settings

from prompts.language import STOPWORDS, named, terms, visible, words
from prompts.phrases import entities, keyphrases
from prompts.sentences import sentences
from tests.prompts.texts import ADVERSARIAL, texts


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def test_numbers_without_a_dot_and_days_begin_entries_of_a_list():
    assert said("Jammed\n1 switch it off\n2 open the flap\nof the front\n3 close it") == [
        "Jammed", "switch it off", "open the flap\nof the front", "close it"
    ]  # fmt: skip
    assert said("We have\n2 vans and\n3 cars") == ["We have\n2 vans and\n3 cars"]
    assert said("Dates:\n11 January ring comes\n18 January crane is ready\n2 Feb lifting") == [
        "Dates:", "11 January ring comes", "18 January crane is ready", "2 Feb lifting"
    ]  # fmt: skip
    assert said("We met on\n11 January and spoke.") == ["We met on\n11 January and spoke."]


def test_a_term_is_the_same_however_the_word_is_written():
    assert terms("M\u00fcnchen munchen MU\u0308NCHEN") == ["munchen"] * 3
    assert terms("refunds refund Refunding") == ["refund"] * 3


def test_an_identifier_stays_whole_and_gives_its_parts():
    assert terms("PAY-231") == ["pay231", "pay", "231"]
    assert terms("LeafText") == ["leaftext", "leaf", "text"]
    assert terms("max_retry_count")[1:] == ["max", "retri", "count"]


def test_a_number_is_one_term_and_a_version_is_found_by_its_beginning():
    assert terms("10,000") == ["10000"]
    assert terms("v2.9.1") == ["2p9", "2p9p1", "2"]
    assert terms("4.0.0 v5") == ["4p0", "4p0p0", "4", "v5", "5"], "release 4 is 4.0.0"
    assert terms("2.9 3.4.2026 0.0.1") == ["2p9", "3p4", "3p4p2026", "0p0", "0p0p1"], "no number, date or first release is one"
    assert terms("2.9")[0] in terms("2.9.1")


def test_stopwords_are_no_terms():
    assert terms("What is the of and?") == []
    assert "the" in STOPWORDS


def test_scripts_without_spaces_give_pairs_of_characters():
    assert terms("\u77e5\u8bc6\u6811") == ["\u77e5\u8bc6", "\u8bc6\u6811"]
    assert said("\u77e5\u8bc6\u3002\u6811\u3002") == ["\u77e5\u8bc6\u3002", "\u6811\u3002"]


@given(texts)
@example("A-A 0")
@example("\u0e3b \u30a2\u30fb\u30a2 \ud7a4")
def test_terms_are_letters_with_their_marks_and_digits_only(text: str):
    assert all(term and all(char == "_" or category(char)[0] in "LNM" for char in term) for term in terms(text))
    by_word = [term for word in words(text) for term in word]
    assert terms(text)[: len(by_word)] == by_word  # behind them are pairs over a space between two runs without spaces


@given(texts)
def test_sentences_stand_in_order_without_outer_space_and_lose_no_word(text: str):
    last = 0
    for start, end in sentences(text):
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        last = end


def test_sentences_respect_the_blocks_of_a_text():
    text = "# Title\nA wrapped\nline. Mr. Smith left, e.g. early. Why?\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nls\npwd\n```\n"
    assert said(text) == [
        "Title", "A wrapped\nline.", "Mr. Smith left, e.g. early.", "Why?", "one", "two", "| a | b |", "| 1 | 2 |", "ls\npwd"
    ]  # fmt: skip


def test_each_turn_of_a_conversation_stands_alone():
    assert said("Ana: See you then\nBen Lee: Fine, bye") == ["Ana: See you then", "Ben Lee: Fine, bye"]


def test_names_keys_dates_and_addresses_are_told_apart():
    text = "On 3 March 2026 Ana Lopez fixed PAY-231 in v2.1.0 (ana@example.com, https://example.com/x). Uses UTF-8 and max_count."
    found = [(e.kind, e.text) for e in entities(text)]
    assert found == [
        ("date", "3 March 2026"), ("name", "Ana Lopez"), ("key", "PAY-231"), ("version", "v2.1.0"), ("email", "ana@example.com"),
        ("url", "https://example.com/x"), ("code", "max_count"),
    ]  # fmt: skip
    assert all(text[e.start : e.end] == e.text for e in entities(text))


def test_key_phrases_are_what_a_text_repeats():
    text = "The ledger export runs at night. The ledger export writes one file. Nobody reads the ledger export by hand."
    assert keyphrases(text, 3)[0] == "ledger export"


@pytest.mark.parametrize("name", ADVERSARIAL)
@pytest.mark.parametrize("function", [terms, sentences, keyphrases, entities])
def test_no_text_takes_long(function, name: str):
    start = time.process_time()
    function(ADVERSARIAL[name])
    assert time.process_time() - start < 2.0


@settings(max_examples=50)
@given(texts)
def test_phrases_and_names_never_fail(text: str):
    assert len(keyphrases(text, 5)) <= 5
    assert all(text[e.start : e.end] == e.text for e in entities(text))


@pytest.mark.parametrize("unit", ["!", "?!", "...a", "\u2026", ". ", "\u3002."])
def test_runs_of_marks_that_end_sentences_are_divided_in_linear_time(unit) -> None:
    start = time.process_time()
    sentences("x " + unit * (100_000 // len(unit)))
    assert time.process_time() - start < 5  # with a look at the whole run from each of its marks: minutes


def test_a_run_of_marks_ends_one_sentence() -> None:
    text = 'Really?! Yes... "No." Wait!!! Go on'
    assert [text[start:end] for start, end in sentences(text)] == ["Really?!", "Yes...", '"No."', "Wait!!!", "Go on"]


@pytest.mark.parametrize(
    ("spaced", "unspaced"),
    [
        ("서울의 예산", "서울의예산"),  # Korean
        ("北京 的 预算", "北京的预算"),  # Chinese
        ("東京 の 予算", "東京の予算"),  # Japanese
        ("งบประมาณ ของ กรุงเทพ", "งบประมาณของกรุงเทพ"),  # Thai
        ("ງົບ ປະມານ", "ງົບປະມານ"),  # Lao
    ],
)
def test_scripts_that_need_no_spaces_are_found_with_and_without_them(spaced: str, unspaced: str) -> None:
    def asked(question: str) -> set[str]:
        return {term for word in words(question) for term in word}

    assert asked(unspaced) <= set(terms(f"In {spaced} stands what it is."))
    several = {term for term in asked(spaced) if len(term) > 1}
    assert several and several <= set(terms(f"In {unspaced} stands what it is."))


def test_characters_that_steer_a_terminal_or_turn_a_name_around_are_shown_as_escapes() -> None:
    assert (
        visible("a\x1b[31mb\u202egpj.exe\nnext\tcolumn \u0645\u06cc\u200c\u062e")
        == "a\\u001b[31mb\\u202egpj.exe\nnext\tcolumn \u0645\u06cc\u200c\u062e"
    )


def test_a_name_loses_them() -> None:
    assert named("in\x00voice\u202e\u200e.md") == "invoice.md" and named("two\x85lines") == "two lines"
    assert named("\u202e\x00") == "\\u202e\\u0000" and named("plain name") == "plain name"


def test_what_announces_a_note_is_no_sentence():
    text = (
        '> [!NOTE]\n> It is not kept.\n\n!!! warning\n    Hot.\n\n!!! tip "Two hands"\n    Use both.\n\n:::info\nCold.\n:::\n\n'
        ".. note::\n   Wet.\n\n[TIP]\n----\nDry.\n----\n"
    )
    assert [text[start:end] for start, end in sentences(text)] == [
        "It is not kept.", "Hot.", '"Two hands"', "Use both.", "Cold.", "Wet.", "Dry.",
    ]  # fmt: skip


def test_the_number_of_a_point_is_no_sentence() -> None:
    text = "**3. On-call.** Since Monday the rota is Carla's. It is 12. Nobody else."
    assert [text[start:end] for start, end in sentences(text)] == [
        "**3. On-call.**",
        "Since Monday the rota is Carla's.",
        "It is 12.",
        "Nobody else.",
    ]


def test_a_fence_is_one_sentence_with_its_blank_lines():
    code = "import crane\n\n\ndef lift(load):\n    crane.up(load)\n\nlift(5)"
    assert said(f"Lift it so\n\n```python\n{code}\n```\n\nThen wait.") == ["Lift it so", code, "Then wait."]
    long = "\n\n".join(f"lift({number}, height=12)" for number in range(200))
    assert max(map(len, said(f"```\n{long}\n```"))) <= 1_200  # only what is far too long is cut
