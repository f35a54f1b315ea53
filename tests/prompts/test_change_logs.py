"""A log of changes is told from other documents by its headings, and counts less unless changes are asked for."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.change_logs import asks_for_changes, is_beside_changes, is_log_in_terms
from prompts.language import terms
from prompts.records import LeafText, Question


@pytest.mark.parametrize(
    "headings",
    [("Changelog", "2.1"), ("Release notes",), ("Pump", "2.1.0 (2024-03-01)"), ("History",), ("Version 5.2.1 — 2020-07-23",)],
)
def test_logs_of_changes(headings: tuple[str, ...]) -> None:
    assert is_beside_changes("How do I stop the pump?", headings)
    assert not is_beside_changes("Since when does the pump stop by itself?", headings)


def test_other_pages_are_none() -> None:
    assert not is_beside_changes("How do I stop the pump?", ("Pump", "Changing the oil"))
    assert is_log_in_terms(f" {' '.join(terms('Pump Release notes 2024'))} ")
    assert not is_log_in_terms(f" {' '.join(terms('Pump Oil change'))} ")
    assert is_log_in_terms(f" {' '.join(terms('Version 5.2.1 — 2020-07-23 Pump'))} ")
    assert not is_log_in_terms(f" {' '.join(terms('Version 5.2 of the pump'))} ")
    assert not is_beside_changes("How do I stop the pump?", ("Security policy", "Version 2.1"))


@pytest.mark.parametrize("text", ["What was fixed in 2.1?", "When was the valve added?", "Is the lever deprecated?"])
def test_questions_for_changes(text: str) -> None:
    assert asks_for_changes(text)


def test_nothing_in_a_log_answers_what_is_not_asked_of_changes() -> None:
    text = "- The pump of the lock stops after 20 minutes."
    question = Question("When does the pump of the lock stop?", dict.fromkeys(terms("pump lock stop"), 3.0))
    reader = ExtractiveReader()
    assert reader.answer(question, LeafText(text, ("Lock pump",))).verdict == "complete"
    assert reader.answer(question, LeafText(text, ("Lock pump", "Changelog"))).verdict != "complete"
