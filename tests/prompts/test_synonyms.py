"""Words with which documents say the same as a question: they count less than its own, and stand in for what occurs nowhere."""

from __future__ import annotations

from prompts.language import terms
from prompts.question import Word
from prompts.synonyms import for_unknown, same_as, with_synonyms

FOLDER, HARBOUR = terms("folder quay")


def test_a_word_has_those_of_its_lines_and_not_itself() -> None:
    assert set(same_as(FOLDER)) == set(terms("directory"))
    assert same_as(HARBOUR) == ()


def test_a_word_is_worth_as_much_as_before_and_another_for_it_half() -> None:
    words = with_synonyms([Word(FOLDER, (), 4.0), Word(HARBOUR, (), 3.0)])
    assert sum(word.weight for word in words if word.is_in({FOLDER})) == 4.0
    assert sum(word.weight for word in words if word.is_in(set(terms("directories")))) == 2.0
    assert [word for word in words if word.whole == HARBOUR] == [Word(HARBOUR, (), 3.0)]


def test_only_a_word_that_occurs_nowhere_is_replaced() -> None:
    words = [Word(FOLDER, (), 4.0), Word(HARBOUR, (), 3.0)]
    assert for_unknown(words, frozenset()) == words
    assert for_unknown(words, frozenset((FOLDER, HARBOUR))) == [Word(FOLDER, (), 4.0, same_as(FOLDER)), words[1]]
