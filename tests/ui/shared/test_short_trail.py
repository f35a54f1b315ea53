"""A walk in one or two lines."""

from __future__ import annotations

from typing import Any

import pytest

from ui.shared import short_trail


def step(kind: str, title: str, *above: str, reason: str = "") -> dict[str, Any]:
    path = ["Team", *above, title]
    return {"kind": kind, "place": "/".join(path), "title": title, "path": path, "reason": reason, "options": [], "chosen": []}


def told(*steps: dict[str, Any], cited: tuple[str, ...] = (), quoting: bool = True) -> list[str]:
    return ["".join(part["words"] for part in line) for line in short_trail.lines(steps, cited, quoting)]


RESTORE = step("read", "Restore", "runbooks", reason="Speaks of restore, database.")
BACKUP = step("read", "Backup", "reports", reason="Speaks of database: “nightly”.")
AUDIT = step("read", "Audit", "security")


def test_it_says_where_the_answer_is_from_why_and_where_else_it_was_looked() -> None:
    steps = [step("choose", "Team"), RESTORE, step("back", "reports"), BACKUP, AUDIT]
    assert told(*steps, cited=(RESTORE["place"],)) == [
        "Found in Restore (runbooks). Speaks of restore, database.",
        "Also looked in reports and security: 2 more passages read, none of them cited.",
    ]


@pytest.mark.parametrize(
    ("steps", "cited", "heading"),
    [
        ([RESTORE, BACKUP, AUDIT], (RESTORE["place"],), "Found in Restore"),
        ([RESTORE, BACKUP, AUDIT], (RESTORE["place"], AUDIT["place"]), "Found in Restore and 1 more passage"),
        ([RESTORE, BACKUP, AUDIT], (), "Looked in runbooks, reports and 1 other branch"),
        ([step("register", "Who does what", reason="Its owner is stated.")], (), "Looked up in Who does what"),
        ([step("register", "3 of 80 tickets") | {"place": ""}], (), "Looked up 3 of 80 tickets"),
        ([], (), ""),
    ],
)
def test_a_few_words_say_where_it_was_found(steps: list[dict[str, Any]], cited: tuple[str, ...], heading: str) -> None:
    assert short_trail.heading(steps, cited) == heading


def test_passages_are_links_to_the_tree() -> None:
    [line] = short_trail.lines([RESTORE], {RESTORE["place"]})
    assert {"words": "Restore", "place": RESTORE["place"]} in line


def test_of_many_passages_a_few_are_named() -> None:
    many = [step("read", f"Page {number}", f"part {number}", reason="It fits.") for number in range(5)]
    places = tuple(one["place"] for one in many)
    assert told(*many, cited=places) == ["Found in Page 0 (part 0), Page 1 (part 1) and 3 more passages. The first: it fits."]
    assert told(*many) == ["Looked in part 0, part 1 and 3 other branches: 5 passages read, none of them answers it."]
    assert told(*many[:2], cited=places) == ["Found in Page 0 (part 0) and Page 1 (part 1). The first: it fits."]


def test_a_passage_read_twice_is_counted_once() -> None:
    assert told(RESTORE, RESTORE) == ["Looked in runbooks: 1 passage read, which does not answer it."]


def test_without_a_walk_the_last_step_is_told() -> None:
    assert told(step("register", "Who does what", reason="Its owner is stated.")) == [
        "Looked up in Who does what. Its owner is stated."
    ]
    assert told(step("register", "3 of 80 tickets") | {"place": ""}) == ["Looked up 3 of 80 tickets."]
    assert told(step("choose", "Team", reason="Nothing here speaks to it.")) == ["Looked in Team. Nothing here speaks to it."]
    assert told() == []


def test_rows_that_stand_above_the_passages_are_told_first() -> None:
    rows = step("register", "1 of 11 rows of who.md", reason="Every one of them was held against: Crew Weir.")
    assert told(RESTORE, rows, cited=(RESTORE["place"], rows["place"])) == [
        "Looked up in 1 of 11 rows of who.md. Every one of them was held against: Crew Weir.",
        "Found in Restore (runbooks). Speaks of restore, database.",
    ]


def test_nothing_is_repeated_of_passages_that_have_changed() -> None:
    quoting = BACKUP | {"said": "Speaks of database"}
    assert told(quoting, cited=(BACKUP["place"],), quoting=False) == ["Found in Backup (reports). Speaks of database"]
    of_before = told(BACKUP, cited=(BACKUP["place"],), quoting=False)
    assert of_before == ["Found in Backup (reports)."], "nobody knows what of its reason is quoted"


def test_long_titles_are_cut_short() -> None:
    long = step(
        "read", "Winter timetable of all routes and what the ports were told about it", "runbooks of the ports and of the ships"
    )
    [line] = told(long, cited=(long["place"],))
    assert line == "Found in Winter timetable of all routes and what the … (runbooks of the ports and of …)."
