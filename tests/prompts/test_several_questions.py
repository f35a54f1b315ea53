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
        (
            "Who leads each crew and how many gates does each crew own?",
            ("Who leads each crew?", "How many gates does each crew own?"),
        ),
        ("Who are the keepers, and what do they do?", ("Who are the keepers?", "What do they do?")),
        ("Which colour is used, and can it be changed?", ("Which colour is used?", "Can it be changed?")),
        ("Which pump is used and can the pump be replaced?", ("Which pump is used?", "Can the pump be replaced?")),
        ("Which store is used and can SQLite be replaced?", ("Which store is used?", "Can SQLite be replaced?")),
        ("Who owns the weir, and does it have a limit?", ("Who owns the weir?", "Does it have a limit?")),
        ("Is the weir open, and is the sluice locked?", ("Is the weir open?", "Is the sluice locked?")),
        ("Where are the keys kept? Can I copy them?", ("Where are the keys kept?", "Can I copy them?")),
        ("Wer leitet die Schleuse und wann ist die Probe?", ("Wer leitet die Schleuse?", "Wann ist die Probe?")),
        ("Was kostet die Fahrt, und wie lange gilt sie?", ("Was kostet die Fahrt?", "Wie lange gilt sie?")),
        ("Welches Tor ist offen, und kann man es schließen?", ("Welches Tor ist offen?", "Kann man es schließen?")),
        ("Qui garde le phare et quand est la visite ?", ("Qui garde le phare?", "Quand est la visite?")),
        ("Où est le quai et peut-on y dormir ?", ("Où est le quai?", "Peut-on y dormir?")),
        ("Comment ouvrir la vanne et combien de temps faut-il ?", ("Comment ouvrir la vanne?", "Combien de temps faut-il?")),
    ],
)
def test_each_of_several_questions(text: str, parts: tuple[str, ...]) -> None:
    assert each_question(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Who decided what and when?",
        "Which gates do we have and how much water does each hold?",
        "Which gates do we have, and how wide is each of them?",
        "which gates do we have and what do they keep back",
        "Welche Schleusen haben wir und wie viel Wasser fasst jede?",
        "Quelles écluses avons-nous et combien coûte chacune ?",
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
        "Who washes the deck and does the laundry on Sundays?",
        "Who leads it and has the largest crew?",
        "Which gates are open and can be closed by hand?",
        "Which gate is used and is the default one?",
        "Who keeps the lock and is the owner of the boat?",
        "Wer weiß, wann die Probe ist und wo sie stattfindet?",
        "Was ist der Unterschied zwischen einem Wehr und einer Schleuse und wann ist es offen?",
        "Qui est la personne qui garde le phare et qui dirige le port ?",
        "",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    assert each_question(text) == (text,)


def test_somebody_on_several_days_of_a_month_is_asked_for_on_each() -> None:
    assert each_question("Who is on call on 25, 26 and 28 December?") == tuple(
        f"Who is on call on {day} December?" for day in (25, 26, 28)
    )


@pytest.mark.parametrize(
    "question",
    [
        "Who is on call on 24, 25, 26 and 28 December?",  # more than are answered one by one: none of them is left out
        "Who is on call on 24th, 25th, 26th and 28th December?",
        "Who is on call between 25 and 28 December?",
        "How many were there on 25 and 26 December?",
    ],
)
def test_other_days_stay_one_question(question: str) -> None:
    assert each_question(question) == (question,)
