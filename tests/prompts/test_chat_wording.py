"""Questions as they are typed in a chat: what is only said of the asking goes, what is asked stays letter by letter."""

from __future__ import annotations

import pytest

from prompts.chat_wording import in_full_words


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whats the fare to Holm", "what's the fare to Holm"),
        ("Which gates arent open, and who didnt sign", "Which gates aren't open, and who didn't sign"),
        ("gates per status pls", "gates per status"),
        ("How many gates are shut, and which ones are they?", "How many gates are shut?"),
        ("How many lamps are out according to the list of 20 May 2026?", "How many lamps are out?"),
        ("who signs according to the old policy?", "who signs according to the old policy?"),
        ("wat r the fares n wen do u open", "what are the fares and when do you open"),
        ("y does the gate hav its own key", "why does the gate have its own key"),
        ("wots the fone nr of the yard", "what's the phone nr of the yard"),
        ("fee if he calls off b4 pickup w/o notice", "fee if he calls off before pickup without notice"),
        ("the R version, grade N and u-bolts", "the R version, grade N and u-bolts"),
        ("list the gates, thank you so much!", "list the gates"),
        ("plz show the rota", "show the rota"),
        ("hi all, who's on duty?", "who's on duty?"),
        ("Hello! can you tell me pls where the keys are", "where the keys are"),
        ("does anyone know when the kiosk shuts?", "when the kiosk shuts?"),
        ("quick question: is the gate open", "is the gate open"),
        ("ok so why did it stop?", "why did it stop?"),
        (
            "morning all, sorry to ask twice, i know the rota was changed - could somebody tell me who opens the lock this week? thx",
            "who opens the lock this week",
        ),
        (
            "hi, I have to tell the mayor why it drags on: how often was the opening of the pier moved?",
            "how often was the opening of the pier moved?",
        ),
        ("I can't find the form, where is the form for expenses kept?", "where is the form for expenses kept?"),
        ("We are trying to plan the summer - does anyone know when the kiosk opens?", "when the kiosk opens?"),
        ("could you please list all open gates for me?", "list all open gates for me?"),
        ("sorry to bother you all but how many seats has the big hall", "how many seats has the big hall"),
    ],
)
def test_it_is_put_as_it_would_be_in_a_sentence(typed, meant) -> None:
    assert in_full_words(typed) == meant


@pytest.mark.parametrize(
    "question",
    [
        "hello",
        "hi there",
        "thanks",
        "pls",
        "ok",
        "What does ISNT stand for?",  # a name
        "What is the TIA?",
        "Which ids does `dont` have?",
        "Where is whats.txt?",
        "What does the sign “Thanks for waiting” mean?",
        "Who answers when somebody says hello?",
        "Do you know the way?",
        "I replaced the battery of the crane: when does the warranty end?",  # of what is only said before
        "I know the crane was moved, but where is it now?",
        "The kiosk was sold, who runs the kiosk now?",
        "We heard of two floods. When was the first one?",
        "Is there a ferry? I have to know when the last ferry leaves",
        "Can you list several owners on one form?",  # whether one can, and no request
        "Wer leitet Team Quay?",
    ],
)
def test_what_is_asked_stays_as_it_is(question) -> None:
    assert in_full_words(question) == question


def test_what_somebody_would_like_to_know_is_the_question() -> None:
    asked = "hello, i have to plan the next sprint with Ada and would like to know who has the most open tickets"
    assert in_full_words(asked) == "who has the most open tickets"
    leaning = "I wrote to Ada and would like to know who told her"
    assert in_full_words(leaning) == leaning


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("how many visitors did we have in may", "how many visitors did we have in May"),
        ("decisions since march", "decisions since March"),
        ("the 4 may meeting", "the 4 May meeting"),
        ("visitors may 2026", "visitors May 2026"),
        ("what may i bring", "what may i bring"),
        ("who of them may enter", "who of them may enter"),
        ("in may we had guests", "in may we had guests"),
        ("may 12 people come in", "may 12 people come in"),
    ],
)
def test_a_month_has_its_capital(typed: str, read: str) -> None:
    """Without it "may" is the verb, which tells no time."""
    assert in_full_words(typed) == read
