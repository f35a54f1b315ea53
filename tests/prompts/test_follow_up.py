"""What a question takes over from the chat before it."""

from __future__ import annotations

import pytest

from prompts.follow_up import FADING, FOLLOWING, OTHERWISE, ChatContext, chat_context

CHAT = ["What is the retry limit of the booking gateway?", "Who set the timeout?"]


def test_the_first_question_takes_over_nothing() -> None:
    assert chat_context("And why is it so?", []) == ChatContext()


@pytest.mark.parametrize("question", ["And who changed it?", "why?", "Since when?", "What about the ferry terminal lights?"])
def test_a_question_that_points_or_says_little_follows_the_one_before(question) -> None:
    carried = chat_context(question, CHAT)
    assert carried.follows == CHAT[-1]
    assert carried.words["timeout"] == FOLLOWING
    assert carried.words["gateway"] == pytest.approx(FOLLOWING * FADING)


def test_a_question_of_its_own_takes_over_less_and_follows_nothing() -> None:
    carried = chat_context("Which harbour master approved the winter schedule change?", CHAT)
    assert carried.follows == ""
    assert carried.words["timeout"] == OTHERWISE


def test_a_word_said_again_is_the_questions_own() -> None:
    assert "timeout" not in chat_context("And what about the timeout there?", CHAT).words


def test_names_come_from_the_chat_only_where_the_question_has_none() -> None:
    chat = ["What is GWY-12 about?", "Is it urgent?"]
    assert chat_context("Who is assigned to it?", chat).names.keys == ("GWY-12",)
    assert chat_context("And the status?", chat).names.keys == ("GWY-12",)
    assert chat_context("Who is assigned to GWY-40?", chat).names is None
    assert chat_context("When is the failover test?", chat).names is None
    assert chat_context("How many open bugs are there per team?", chat).names is None  # "there" points at nothing
    assert chat_context("Who was there?", chat).names.keys == ("GWY-12",)
    assert chat_context("Which harbour master approved the winter schedule change?", chat).names is None
