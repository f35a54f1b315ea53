"""What is of another year, another kind or another form than asked for is not told as what may help."""

from __future__ import annotations

import pytest

from prompts.extractive.dates import is_of_another_year, years_asked
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

MINUTES = "# Meeting, 15 April 2026\n\nEaster: 1,934 passengers over the four days, up 11 per cent.\n"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("how many passengers did we carry over easter 2024", "none"),
        ("how many passengers did we carry over easter 2026", "partial"),
        ("how many passengers did we carry over easter", "partial"),
    ],
)
def test_a_number_of_another_year_is_none(docs: Following, question: str, verdict: str) -> None:
    docs.write("april.md", MINUTES)
    docs.write("signals.md", "# Signals\n\nThe signals were mended in 2024.\n")
    assert (answered(docs, question).verdict == "none") is (verdict == "none")


@pytest.mark.parametrize(
    ("said", "above", "is_another"),
    [
        ("The ferry carries 90.", ("Ships", "Fleet, 2026"), True),
        ("The ferry carries 90.", ("2024", "Fleet, 2026"), False),
        ("The ferry carries 90.", ("Ships", "Fleet"), False),
        ("In 2024 the ferry carried 90.", ("Fleet, 2026",), False),
        ("Since 2019 the ferry carries 90.", ("Fleet, 2026",), False),
        ("From 2019 to 2026 the ferry carried 90.", ("Fleet",), False),
        ("The year before it was 80.", ("Fleet, 2025",), False),
    ],
)
def test_of_which_year_something_is_said(said: str, above: tuple[str, ...], is_another: bool) -> None:
    assert is_of_another_year(years_asked("how many did the ferry carry in 2024"), said, above) is is_another


@pytest.mark.parametrize("question", ["when was Hob Tunnel built", "Hob Tunnel phone number", "how heavy is the Hob Tunnel"])
def test_a_row_without_what_is_asked_is_not_told(docs: Following, question: str) -> None:
    docs.write(
        "limits.md",
        "# Limits\n\n| Place | Steam | Why |\n|---|---|---|\n| Hob Tunnel | 15 | narrow |\n| Wyke Bridge | 20 | weak |\n",
    )
    assert "1 of 2 rows" not in answered(docs, question).text


def test_a_code_that_nothing_has_is_not_another(docs: Following) -> None:
    docs.write(
        "partitions.md", "# Partitions\n\nA job in the gpu-b200 partition can run for 24 hours, one in gpu for 36 hours.\n"
    )
    assert answered(docs, "how long can a job run in the gpu-a100 partition").verdict == "none"
    assert answered(docs, "how long can a job run in the gpu-b200 partition").verdict != "none"


def test_a_kind_that_is_no_row_of_the_other_kinds_is_a_guess(docs: Following) -> None:
    rows = "\n".join(
        f"W{at},{kind},{state}"
        for at, (kind, state) in enumerate(
            (("Tank wagon", "overdue"), ("Salt van", "overdue"), ("Open saloon", "done"), ("Cattle wagon", "done"))
        )
    )
    docs.write("carriages-and-wagons.csv", f"id,kind,next_exam\n{rows}\n")
    assert answered(docs, "which wagons are overdue for their next exam").verdict == "partial"
    docs.write("keys-and-badges.csv", "id,kind,state\nK1,Room key,lost\nK2,Master key,here\nB1,Day badge,lost\n")
    assert answered(docs, "which keys are lost").verdict == "complete"


def test_a_row_that_is_open_is_no_open_day(docs: Following) -> None:
    rows = "\n".join(
        f"2026-0{at}-11,fan off in hall {at},{state}" for at, state in enumerate(("open", "done", "open", "done"), 1)
    )
    docs.write("incidents.csv", f"date,what,status\n{rows}\n")
    docs.write("meeting.md", "# Meeting\n\nOpen Day is on 13 June. Ole looks for six volunteers for the foyer.\n")
    told = answered(docs, "when is the open day").text
    assert told.index("13 June") < (told.find("rows of incidents") if "rows of incidents" in told else len(told))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("when is the potters' evening", "complete"),
        ("when is the potters' evening and where", "partial"),
        ("when is the potters' evening, and with whom?", "partial"),
        ("when is the choir evening and in which room", "complete"),
    ],
)
def test_half_of_what_is_asked_is_no_answer(docs: Following, question: str, verdict: str) -> None:
    docs.write(
        "evenings.md",
        "# Evenings\n\nThe potters' evening is every Tuesday at 19:00.\n\nThe choir evening is every Monday at 20:00 in room 4.\n",
    )
    assert answered(docs, question).verdict == verdict


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("what was decided about the cooling of the hall in the meeting of 15 April", True),
        ("what was decided about the cooling of the hall in the meeting of 7 May", False),
        ("what was decided about the cooling of the hall in the meeting in April", True),
        ("what was decided about the cooling of the hall in the meeting in March", False),
        ("what was decided about the cooling of the hall", True),
    ],
)
def test_minutes_of_another_meeting_are_not_told(docs: Following, question: str, is_told: bool) -> None:
    docs.write(
        "april.md",
        "# Meeting, 15 April 2026\n\nCooling of the hall: no more than ten machines until the second chiller is there.\n",
    )
    assert ("ten machines" in answered(docs, question).text.split("The closest")[0]) is is_told


def test_where_something_goes_is_told_with_what_it_goes_into(docs: Following) -> None:
    docs.write(
        "waste.md",
        "# Waste\n\n| Waste | Container | Where |\n|---|---|---|\n| Gels with dye | black tub | beside the imager |\n| Broken glass | blue bucket | at the door |\n",
    )
    told = answered(docs, "where do gels with dye go").text
    assert "beside the imager" in told and "black tub" in told
    assert "black tub" not in answered(docs, "where are the gels with dye").text.split("More passages")[0]


def test_hours_that_are_asked_for_are_told_where_they_stand(docs: Following) -> None:
    docs.write(
        "rules.md",
        "# House rules\n\nThe early shift begins at 02:30. The shop opens at 06:00 from Tuesday to Saturday; on Sundays from 07:00 to 11:00.\n",
    )
    docs.write("oven.md", "# Oven\n\nIt needs six hours to cool. If you open it earlier the stones crack.\n")
    assert "07:00 to 11:00" in answered(docs, "opening hours on sundays").text.split("More passages")[0]
    assert answered(docs, "opening hours of the museum").verdict == "none"
