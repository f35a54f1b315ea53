"""The record of a ticket: its type, what it is about, and what came of it."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.tickets import content_type
from prompts.records import LeafText, Property, SummaryRecord

TEXT = """- Key: PIER-7
- Type: Bug
- Status: Done (since 2026-05-12)
- Resolved: 2026-05-12 as Done
- Assignee: Maren Oduya
- Created: 2026-05-02

## Description

The gate stays shut when **two** carts stand before it. Drivers [wave at the camera](https://pier.example/camera) until somebody comes.

## Comments

### Maren Oduya, 2026-05-04 09:12 UTC

We decided to measure the distance with the second sensor. Restarted the controller at 10:40, without effect.

## Links

- blocks PIER-9 Open the new pier (To Do)

## History

- 2026-05-03 08:00 UTC status: To Do -> In Progress, by Maren Oduya
- 2026-05-05 08:00 UTC priority: Medium -> Highest; assignee: none -> Maren Oduya, by Iris Vale
- 2026-05-06 08:00 UTC This issue blocks PIER-9, by Iris Vale
- 2026-05-12 16:00 UTC status: In Progress -> Done, by Maren Oduya
"""


def read(text: str = TEXT, kind: str = "Bug", title: str = "PIER-7 Gate stays shut") -> SummaryRecord:
    return ExtractiveReader().read(LeafText(text, (title, title), kind="ticket", properties=(Property("Type", kind),))).record


def texts(quotes: tuple) -> list[str]:
    return [quote.text for quote in quotes]


@pytest.mark.parametrize(
    ("issue_type", "expected"),
    [
        ("Bug", "bug_report"), ("Story", "user_story"), ("User Story", "user_story"), ("Task", "task"), ("Sub-task", "task"),
        ("Technical task", "task"), ("Epic", "epic"), ("Initiative", "epic"), ("Incident", "incident_report"),
        ("New Feature", "feature_request"), ("Improvement", "feature_request"), ("Decision", "decision_record"),
        ("[System] Service request", "request"), ("Customer bug", "bug_report"), ("Major incident", "incident_report"),
        ("Test Execution", "test_results"), ("Fehler", "bug_report"), ("Unteraufgabe", "task"), ("Ferry", "task"), ("缺陷", "bug_report"),
    ],
)  # fmt: skip
def test_the_type_of_a_ticket_says_what_kind_of_content_it_is(issue_type: str, expected: str):
    assert content_type(issue_type) == expected
    assert read(kind=issue_type).content_types[0] == expected


def test_a_ticket_is_summed_up_by_its_title_and_description():
    summary = read().summary
    assert summary.startswith("Gate stays shut. The gate stays shut when two carts stand before it.")
    assert "Status" not in summary and "PIER-9" not in summary and "->" not in summary


def test_a_ticket_without_a_description_is_its_title():
    text = TEXT[: TEXT.index("## Description")] + TEXT[TEXT.index("## Links") :]
    record = read(text)
    assert (record.summary, record.quotes, record.decisions, record.critical_actions) == ("Gate stays shut.", (), (), ())


def test_the_history_tells_what_came_of_it_in_words():
    assert texts(read().events) == [
        "Restarted the controller at 10:40, without effect.",
        "PIER-7: Priority raised from Medium to Highest on 5 May 2026, by Iris Vale",
        "PIER-7: Done on 12 May 2026, by Maren Oduya",
    ]
    [*_, done] = read().events
    assert TEXT[done.start : done.end] == "- 2026-05-12 16:00 UTC status: In Progress -> Done, by Maren Oduya"


@pytest.mark.parametrize(
    ("line", "decided", "happened"),
    [
        ("status: To Do -> Won't Do", ["PIER-7: Won't Do on 9 May 2026, by Iris Vale"], []),
        ("status: Done -> In Progress", [], ["PIER-7: Reopened (Done to In Progress) on 9 May 2026, by Iris Vale"]),
        (
            "duedate: 2026-05-31 -> 2026-06-14",
            [],
            ["PIER-7: Due date moved from 31 May 2026 to 14 June 2026 on 9 May 2026, by Iris Vale"],
        ),
        ("Sprint: none -> Tide 3", [], []),
        ("status: To Do -> In Progress", [], []),
    ],
)
def test_only_what_people_want_to_know_is_told_of_a_change(line: str, decided: list[str], happened: list[str]):
    record = read(f"- Key: PIER-7\n- Type: Bug\n\n## History\n\n- 2026-05-09 08:00 UTC {line}, by Iris Vale\n")
    assert (texts(record.decisions), texts(record.events)) == (decided, happened)


def test_links_and_fields_are_no_actions():
    assert (
        read("- Key: PIER-7\n- Type: Bug\n\n## Links\n\n- must be done before PIER-9 Open the pier (To Do)\n").critical_actions
        == ()
    )


def test_a_decision_of_a_few_words_comes_with_what_was_decided():
    text = "- Key: PIER-7\n- Type: Task\n\n## Description\n\nDecided by the port today.\n"
    assert texts(read(text, "Task", "PIER-7 Carts stop at the white line").decisions) == [
        "Carts stop at the white line. Decided by the port today."
    ]


def test_a_part_of_a_long_ticket_has_its_type_and_no_status_lines():
    title = "PIER-7 Gate stays shut"
    lines = "\n".join(f"- 2026-05-{day:02} 08:00 UTC labels: none -> l{day}, by Iris Vale" for day in range(1, 29))
    leaf = LeafText(lines, (title, "History", "2026-05-01"), kind="ticket", properties=(Property("Type", "Story"),))
    record = ExtractiveReader().read(leaf).record
    assert record.content_types == ("user_story",)
    assert (record.summary, record.events) == ("", ())


def test_what_is_shown_has_no_markup():
    text = (
        "## Plan\n\n- [x] **Rotate** the [keys](https://a.example/k) before _Friday_ &amp; tell `ops <all>`.\n"
        "- You must read [the guide][g] first, <b>please</b>.\n\n[g]: https://a.example"
    )
    record = ExtractiveReader().read(LeafText(text, ("Plan", "Actions"))).record
    assert texts(record.critical_actions) == [
        "Rotate the keys before Friday & tell ops <all>.",
        "You must read the guide first, please.",
    ]
    assert "](" not in record.summary and "**" not in record.summary
