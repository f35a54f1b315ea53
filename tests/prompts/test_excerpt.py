"""What a model is shown of a long passage: what speaks to the question, and whole where it has steps, rows or code."""

from __future__ import annotations

from prompts.excerpt import LONG, excerpt
from prompts.language import terms

FILLER = "The harbour office keeps its records in oak cabinets along the northern wall. "
ASKED = dict.fromkeys(terms("Who repaired the pump?"), 2.0)


def test_a_passage_of_common_length_is_shown_as_it_stands() -> None:
    text = (FILLER * 40)[:LONG]
    assert excerpt(text, ASKED) == text


def test_of_a_long_one_what_speaks_to_the_question_is_kept_with_its_neighbours() -> None:
    said = "Ana Roy came on Monday. She repaired the pump within an hour. It has run since. "
    text = f"The log of May. {FILLER * 30}{said}{FILLER * 30}".strip()
    shown = excerpt(text, ASKED)
    assert said.strip() in shown
    assert shown.startswith("The log of May.") and len(shown) <= LONG * 1.1
    assert shown.endswith(" …") and shown.count("…") <= 3


def test_only_what_stands_in_the_text_and_the_sign_of_a_gap_is_shown() -> None:
    text = "\n\n".join(f"Paragraph {number} says little. {FILLER}The pump was {number}." for number in range(40))
    pieces = [piece.strip() for piece in excerpt(text, ASKED).split("…")]
    assert len(pieces) > 1 and all(piece in text for piece in pieces)
    places = [text.find(piece) for piece in pieces if piece]
    assert places == sorted(places)


def test_a_text_with_steps_rows_or_code_is_shown_whole() -> None:
    steps = "\n".join(f"{number}. Turn valve number {number} to the left and wait for the light." for number in range(1, 20))
    for part in (steps, "| valve | place |\n|---|---|\n| 1 | hall |", "```\nvalve --all\n```"):
        text = f"{FILLER * 20}\n\nDo this in order:\n\n{part}\n\n{FILLER * 20}"
        assert excerpt(text, ASKED) == text
