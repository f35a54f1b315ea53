"""Questions asked at once are told apart where each is one by itself, and nowhere else."""

from __future__ import annotations

import pytest

from prompts.several_questions import each_question


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Who leads the pump crew and when is the siren test?", ("Who leads the pump crew?", "When is the siren test?")),
        ("what is a weir, and who owns it?", ("What is a weir?", "Who owns it?")),
        ("Is the sluice open? And who decides that?", ("Is the sluice open?", "Who decides that?")),
        ("How many gates are there and what did the repair cost", ("How many gates are there?", "What did the repair cost?")),
        ("Which crews own a gate and which tickets are open?", ("Which crews own a gate?", "Which tickets are open?")),
        ("How do I drain it and how long does that take?", ("How do I drain it?", "How long does that take?")),
    ],
)
def test_each_of_several_questions(text: str, parts: tuple[str, ...]) -> None:
    assert each_question(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Who decided what and when?",
        "What happened and why?",
        "How do I find out who owns it and what it costs?",
        "What is the difference between what a weir does and what a sluice does?",
        "What are the gates and how many of each?",
        "The pump stands still. What do I do?",
        "Tell me what it is and who owns it",
        "Who is the keeper whose trial is near, and who is also accused of theft?",
        "Who leads the crews of Weir and Sluice?",
        "What is open and what is shut and who is there and when is it over?",
        "and who else was there?",
        "",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    assert each_question(text) == (text,)
