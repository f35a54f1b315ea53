"""Lists of people, chats and weekly plans in plain text: each line is of one person, one message, one day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from prompts.extractive.numbered import numbered_things
from prompts.months import IN_ENGLISH, weekday_of
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.ask import Earlier

CONTACTS = """Karel Novak - head of the yard - ext 110 - karel.novak@yard.example
Rosa Lindner - quality - ext 112
Mina Ortega - rigger, safety officer - ext 120
Green Valley - second order - in the loft
"""
CHAT = """[20.11.2026 11:30] Mina: fire drill on 3 december 10:00
[23.11.2026 14:02] Karel: the blue boat is sold
[24.11.2026 07:50] Rosa: audit is on 12 and 13 january
"""
WEEK = """# Shifts of the yard

| Day | Early | Night |
|---|---|---|
| Monday | Mina | Jo |
| Tuesday | Rosa | Jo |
| Wednesday | Mina | - |
| Thursday | Rosa | Jo |
| Friday | Karel | - |
"""
GOALS = "# Goals of the yard\n\n- KR 1: ropes checked within 3 hours (now 4), 60 %\n- KR 4: lists of trainings complete, 40 %\n"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("extension of Rosa Lindner", "**112**, phone of Rosa Lindner"),
        ("phone of rosa", "**112**"),
        ("phone number of Mina Ortega", "**120**"),
        ("email of karel", "karel.novak@yard.example"),
        ("what is karel's e-mail address?", "karel.novak@yard.example"),
        ("who is the safety officer", "Mina Ortega"),
    ],
)
def test_what_a_line_says_of_somebody_is_theirs(docs: Following, question: str, told: str) -> None:
    docs.write("contacts.txt", CONTACTS)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and told in answer.text.replace("\\", ""), answer.text
    assert sum(name in answer.text.lower() for name in ("karel", "rosa", "mina")) == 1


@pytest.mark.parametrize("question", ["email of rosa", "role of Green Valley"])
def test_what_no_line_says_is_nobodys(docs: Following, question: str) -> None:
    docs.write("contacts.txt", CONTACTS)
    assert answered(docs, question).verdict != "complete"


def test_a_message_is_shown_without_those_before_it(docs: Following) -> None:
    docs.write("yard.txt", CHAT)
    text = answered(docs, "when is the audit").text
    assert (
        "12 and 13 january" in text.split("\n\n")[1 if text.startswith("Passages") else 0]
        and "fire drill" not in text.split("audit")[0]
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who has the night shift on tuesday", "**Night: Jo"),
        ("who works early on friday?", "**Early: Karel"),
        ("who has the night shift on wednesday", "**Night: nobody"),
    ],
)
def test_a_plan_of_weekdays_is_a_rota(docs: Following, question: str, told: str) -> None:
    docs.write("shifts.md", WEEK)
    assert answered(docs, question).text.startswith(told)


def test_tonight_is_a_day_of_the_week(docs: Following) -> None:
    docs.write("shifts.md", WEEK)
    now = datetime.now(UTC)
    rows = {row.split(" | ")[0].strip("| "): row for row in WEEK.splitlines() if row.startswith("| ")}
    row = rows.get(f"{now:%A}")
    answer = answered(docs, "who has the night shift today")
    if row is None:
        assert answer.verdict != "complete"
    else:
        night = row.strip("| ").split(" | ")[2]
        assert answer.text.startswith(f"**Night: {'nobody' if night == '-' else night}")


def test_the_number_of_something_else_is_no_answer(docs: Following) -> None:
    docs.write("goals.md", GOALS)
    answer = answered(docs, "how far is KR 4")
    assert answer.verdict != "complete" or "40 %" in answer.text


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("how far is KR 4", [("kr", "4")]),
        ("when does gate 3 open", [("gate", "3")]),
        ("which lamps cost more than 4", []),
        ("what happened on May 4", []),
        ("who is on call in week 52", []),
        ("is the tank 3 litres", []),
        ("who signs EUR 5000", []),
    ],
)
def test_things_with_a_number(question: str, things: list[tuple[str, str]]) -> None:
    assert [(one.word, one.number) for one in numbered_things(question)] == things


def test_weekdays() -> None:
    days = [datetime(2026, 11, 23, tzinfo=UTC) + timedelta(days=at) for at in range(7)]
    assert [weekday_of(f"{day:%A}") for day in days] == list(range(7)) == [weekday_of(f"{day:%a}.") for day in days]
    assert weekday_of("Mittwoch") == 2 and all(weekday_of(month) is None for month in IN_ENGLISH)


@pytest.mark.parametrize(
    "question", ["deputy of rosa", "whos the deputy of rosa?", "who stands in for Rosa Lindner", "stand-in of rosa"]
)
def test_who_stands_in_stands_beside_the_name(docs: Following, question: str) -> None:
    docs.write(
        "who.md",
        "# Who is who\n\n| Name | does | stand-in |\n|---|---|---|\n| Rosa Lindner | ropes | Karel Novak |\n| Jo Reed | nets | - |\n",
    )
    answer = answered(docs, question)
    assert answer.verdict == "complete" and "Karel Novak" in answer.text, answer.text
    assert answered(docs, "deputy of jo").verdict != "complete"


def test_who_stands_in_for_the_lead_of_a_house_is_beside_them_in_its_row(docs: Following) -> None:
    rows = "| Slip House | Rosa Lindner | Karel Novak |\n| Rope House | Jo Reed | Mina Ortega |\n"
    docs.write("houses.md", f"# Houses\n\n| House | Lead | Stands in |\n|---|---|---|\n{rows}")
    answer = answered(docs, "who stands in for rosa")
    assert answer.verdict == "complete" and answer.text.startswith("**Karel Novak**") and "Mina" not in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("phone number of Rosa Lindner", "The phone number of Rosa Lindner is 059 555 0977."),
        ("e-mail address of rosa lindner", "The e-mail address of Rosa Lindner is rosa@yard.example."),
        ("number plate of the van", "The number plate of the van is TW-AB 14."),
    ],
)
def test_what_can_be_told_by_its_form_is_not_found_where_nothing_has_it(docs: Following, question: str, said: str) -> None:
    page = "# The yard\n\nRosa Lindner looks after the ropes, with Per, since 4 May 2026. The van stands at the gate and is washed every Thursday.\n"
    docs.write("yard.md", page)
    answer = answered(docs, question)
    assert answer.verdict == "none", answer.text
    docs.write("yard.md", f"{page}\n{said}\n")
    assert answered(docs, question).verdict != "none"


def test_who_stands_in_is_said_behind_a_name(docs: Following) -> None:
    docs.write(
        "people.md",
        "# Who is who\n\n- Gerda Falk, technician, ext. 14. When she is away: Paul.\n- Hella Brandt, guard, ext. 21\n",
    )
    docs.write("words.md", "# Words\n\n**Owl** – our alarm box. Owner: Gerda.\n\n**Frog** – a pump. Owner: Paul.\n")
    answer = answered(docs, "who stands in for gerda when she's away")
    assert answer.verdict == "complete" and "Paul" in answer.text
    assert "21" in answered(docs, "phone of hella").text
    assert answered(docs, "who stands in for hella").verdict != "complete"


@pytest.mark.parametrize(
    "question", ["who is the stand-in for heron?", "deputy of heron", "who stands in for Heron", "Heron's stand-in?"]
)
def test_a_thing_has_a_stand_in_too(docs: Following, question: str) -> None:
    docs.write("systems.md", SYSTEMS)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith("**Karel Novak**"), answer.text


def test_and_for_another_thing_asks_the_same_of_it(docs: Following) -> None:
    """It does not ask what that is, though a glossary says so."""
    docs.write("systems.md", SYSTEMS)
    docs.write("glossary.md", "# Glossary\n\n**Heron**: the gate at the lock.\n\n**Kestrel**: the pump of the upper basin.\n")
    first = answered(docs, "who is the stand-in for heron?")
    earlier = [Earlier(first.question, tuple(one.place for one in first.citations), first.text)]
    answer = answered(docs, "and for kestrel?", earlier)
    assert answer.verdict == "complete" and answer.text.startswith("**Rosa Lindner**"), answer.text
    assert answered(docs, "what is kestrel?", earlier).text.startswith("**Kestrel**: the pump")


SYSTEMS = "# Systems\n\n| System | Owner | Stand-in |\n|---|---|---|\n| Heron | Rosa Lindner | Karel Novak |\n| Kestrel | Jo Reed | Rosa Lindner |\n"
