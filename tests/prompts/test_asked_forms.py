"""What is asked for by its form is told apart from what cannot be it."""

from __future__ import annotations

import pytest

from prompts.extractive.asked_forms import asks_for_form, has_asked_form


@pytest.mark.parametrize(
    ("question", "has", "has_not"),
    [
        ("what is Ada's phone number", ("Ada: 020 7946 0018", "call me on 4629"), ("Ada has T-213", "the visit costs £310")),
        ("How much does a lab coat cost?", ("A coat is 31 euros.", "coat: £12", "Coats are free.", "rent_month_eur: 3850"), ("Coats hang in room 12.", "size: 44")),
        ("what rent do we pay for the hall", ("The hall is let for EUR 900.", "the rent is nine hundred"), ("The lease ends in 2028.",)),
        ("What time does the party start?", ("It starts at 19:30.", "from seven on", "at noon", "doors 1830"), ("Friday 10 July 2026, at the boathouse.",)),
        ("what colour is the cat", ("She is a black cat.", "colour: moss"), ("The cat sleeps in the shed.",)),
        ("how heavy is the crane", ("The crane weighs 4 t.", "four tonnes"), ("bought in 2020, serviced 2025-09-15",)),
    ],
)  # fmt: skip
def test_only_what_could_be_it_has_the_form(question: str, has: tuple[str, ...], has_not: tuple[str, ...]) -> None:
    assert asks_for_form(question)
    assert [one for one in has if not has_asked_form(question, one)] == []
    assert [one for one in has_not if has_asked_form(question, one)] == []


@pytest.mark.parametrize(
    "question",
    [
        "who pays the fee?",
        "what is included in the price?",
        "can we cut costs?",
        "how many coats are there?",
        "which cost centre?",
    ],
)
def test_other_questions_ask_for_none(question: str) -> None:
    assert not asks_for_form(question)
