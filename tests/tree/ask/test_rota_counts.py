"""Who has most turns of a rota is counted over its rows, with what is said of changes."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

NIGHTS = ["Ana", "Ana", "Ben", "Zoe", "Ana", "Ben", "Zoe", "Ana", "Ben", "Ana"]


@pytest.fixture
def rota(docs: Following) -> Following:
    first = date(2026, 12, 1)
    rows = [f"{first + timedelta(days=at)},Ben,{name}," for at, name in enumerate(NIGHTS)]
    docs.write("rota/watch_rota_2026-12.csv", "\n".join(["date,lamp_early,watch_night,remarks", *rows]) + "\n")
    return docs


def test_most_turns_are_counted_by_person(rota: Following) -> None:
    answer = answered(rota, "who has the most watch nights in December and how many?")
    assert answer.verdict == "complete" and answer.text.startswith("**Ana** with **5** of 10 rows in December")
    fewest = answered(rota, "Who has the fewest watch nights in December?")
    assert fewest.verdict == "partial" and fewest.text.startswith("**Zoe** with **2**")  # who has none does not stand there


def test_a_change_makes_the_number_unsure(rota: Following) -> None:
    rota.write(
        "chat.txt",
        "[20/11/2026 10:02] Zoe: I take the watch night on 1 December from Ana, swapped, the rota is not changed yet\n",
    )
    answer = answered(rota, "Who has the most watch nights in December?")
    assert answer.verdict == "partial" and "Said of changes" in answer.text


@pytest.mark.parametrize(
    "question",
    (
        "Who has the most watch nights in March?",
        "Who has the most harbour nights in December?",
        "Who has the most watch weeks in December?",
    ),
)
def test_what_the_rota_does_not_tell_is_not_called_the_answer(rota: Following, question: str) -> None:
    assert answered(rota, question).verdict != "complete"


@pytest.mark.parametrize("question", ("Who has the most nights on the watch?", "who has most nights as watch in Q4 2026?"))
def test_without_a_time_or_in_a_quarter_all_rows_are_counted(rota: Following, question: str) -> None:
    answer = answered(rota, question)
    assert answer.text.startswith("**Ana** with **5** of 10 rows"), answer.text


@pytest.mark.parametrize("question", ("How often is Ben on the night watch?", "How many nights is Ben on watch?"))
def test_how_often_somebody_stands_there_is_of_all_of_the_rota(docs: Following, question: str) -> None:
    first = date.today() - timedelta(days=4)
    rows = [f"{first + timedelta(days=at)},{name}," for at, name in enumerate(NIGHTS)]
    docs.write("rota/watch_rota.csv", "\n".join(["date,watch_night,remarks", *rows]) + "\n")
    assert answered(docs, question).text.startswith("**3 turns** of Ben:")


def test_one_turn_is_counted_too(docs: Following) -> None:
    rows = [f"{date.today() + timedelta(days=at)},{name}," for at, name in enumerate(["Ana", "Ben", "Zoe", "Ana"])]
    docs.write("rota/watch_rota.csv", "\n".join(["date,watch_night,remarks", *rows]) + "\n")
    assert answered(docs, "How often is Ben on the night watch?").text.startswith("**1 turn** of Ben:")


def test_what_is_far_away_is_nobody_who_is_away(docs: Following) -> None:
    nights = [("Bruno Falk", ""), ("Ida Holm", "swapped with Bruno"), ("Bruno Falk", ""), ("Zoe Lark", "")]
    rows = [f"{date(2026, 12, 1 + at)},{name},{note}" for at, (name, note) in enumerate(nights)]
    docs.write("rota/watch_rota_2026-12.csv", "\n".join(["date,watch_night,remarks", *rows]) + "\n")
    docs.write(
        "lamps.md", "# Lamps\n\nReminders for far-away piers stand on a list (known weakness, Bruno Falk has a ticket for it).\n"
    )
    told = answered(docs, "Who has the most watch nights in December?").text
    assert told.startswith("**Bruno Falk** with **2**") and "far" not in told, told
