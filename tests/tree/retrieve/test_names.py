"""Names are found in a question as whole words, the longest first, and never outside the scope they were made for."""

from __future__ import annotations

import time

import pytest

from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.retrieve.names import Names, tokens
from tree.store.leaves import Entity, Fact


def _row(name: str, relation: str = "Keeper", value: str = "Ines Falk") -> Fact:
    return Fact(Entity("row", name, name), relation, value, 0, 1, Entity("person", value, value), row=1, group="Parts")


def _names(*facts: Fact) -> Names:
    return Names(indexed({"s/a": facts}))


def _found(names: Names, question: str) -> list[str]:
    return [mention.text for mention in names.find(tokens(question))]


def test_the_longest_name_is_taken() -> None:
    names = _names(_row("Berth"), _row("Berth Board"), _row("Berth Board Reader"))
    assert _found(names, "Who keeps the berth board reader, the berth board and the berth?") == [
        "berth board reader",
        "berth board",
        "berth",
    ]


@pytest.mark.parametrize(
    "question", ["Who keeps the turnstiles?", "Who keeps turn-stile?", "Who keeps myturnstile?", "Turnstile2?"]
)
def test_a_name_is_not_found_within_a_word(question: str) -> None:
    assert "Ines Falk" not in _found(_names(_row("Turnstile")), question) and not _found(_names(_row("Turnstile")), question)


@pytest.mark.parametrize("put", ["José Ölund", "jose olund", "JOSE ÖLUND", "Jose\u0301 O\u0308lund"])
def test_case_and_accents_do_not_matter(put: str) -> None:
    [mention] = _names(_row("Turnstile", value="José Ölund")).find(tokens(f"What does {put} keep?"))
    assert mention.names == {"jose olund"} and mention.objects == {"person"}


def test_a_name_that_two_people_bear_stands_for_both() -> None:
    names = _names(_row("Turnstile", value="Maren Oduya"), _row("Berth", value="Maren Falk"))
    [mention] = names.find(tokens("What does Maren keep?"))
    assert mention.names == {"maren oduya", "maren falk"}


@pytest.mark.parametrize("name", ["Open", "The", "How many", "is", "a", "When"])
def test_words_of_any_question_are_no_names(name: str) -> None:
    assert not _found(_names(_row(name)), f"{name} of the tickets are there, and why?")


@pytest.mark.parametrize(
    "name", ["C++ (.*)+$", "'; DROP TABLE fact; --", "<b>Board</b>", "a|b|c[d]", "\u202eBoard\u202c", "100% _ %", "\x00Board"]
)
def test_a_name_may_hold_any_characters(name: str) -> None:
    names = _names(_row(name), _row("Turnstile"))
    assert "Turnstile" in _found(names, f"Who keeps {name} and Turnstile?")


def test_ten_thousand_names_are_found_in_a_moment() -> None:
    facts = [fact for number in range(10_000) for fact in ticket(f"GWY-{number}", ("assignee", f"Ada Number{number}", "person"))]
    began = time.process_time()
    names = _names(*facts)
    assert time.process_time() - began < 5
    question = "Who is assigned to GWY-77, and what does Ada Number9999 do? " * 100
    began = time.process_time()
    found = names.find(tokens(question[:8_000]))
    assert time.process_time() - began < 1
    assert [mention.text for mention in found[:2]] == ["GWY-77", "Ada Number9999"]


def test_a_name_one_edit_away_is_near() -> None:
    names = _names(_row("Turnstile"))
    assert [names.near(word) for word in ("turnstyle", "turnstil", "trunstile", "turn", "turnsstyle")] == [["turnstile"]] * 3 + [
        [],
        [],
    ]
