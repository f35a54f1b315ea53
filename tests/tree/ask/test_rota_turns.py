"""When it is somebody's turn is told by the rows of rotas in which they stand, below what has changed since."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from prompts.language import terms
from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.direct.rota import rota_tables
from tree.ask.direct.rota_question import RotaQuestion
from tree.ask.direct.rota_turns import candidate_tables
from tree.ask.direct.turn_question import months_from, read_period, read_turn_question
from tree.ask.snapshot.snapshot import open_snapshot

WATCH = (
    ("Ana Sol", "Ben Marsh"), ("Zoe Tarn", "Ana Sol"), ("Ben Marsh", "Zoe Tarn"), ("Ana Sol", "Ben Marsh"), ("Zoe Tarn", "Ana Sol"),
)  # fmt: skip


@pytest.fixture
def monday() -> date:
    """Of this week: the second of the rota."""
    today = datetime.now(UTC).date()
    return today - timedelta(days=today.weekday())


@pytest.fixture
def docs(tmp_path, monday: date) -> Iterator[Following]:
    following = Following(tmp_path)
    rows = [
        f"{(monday + timedelta(days=7 * at)).isoformat()},{who},{other},{'Storm week' if at == 1 else ''}"
        for at, (who, other) in enumerate(WATCH, -1)
    ]
    following.write("oncall/rota.csv", "\n".join(["week_starting,primary,secondary,note", *rows]) + "\n")
    following.write(
        "plan.md",
        "# Plan\n\n| Action | Owner | Due |\n|---|---|---|\n| Paint the mast | Ana Sol | 4 May 2026 |\n| Buy rope | Ida Brink | 6 May 2026 |\n",
    )
    following.sync()
    yield following
    following.workspace.close()


def week(monday: date, ahead: int) -> str:
    day = monday + timedelta(days=7 * ahead)
    return f"{day.day} {day:%B %Y}"


def test_when_somebody_is_on_duty(docs: Following, monday: date) -> None:
    answer = docs.ask("When is Ben on call?")
    assert answer.verdict == "complete" and answer.text.startswith("**2 turns** of Ben Marsh from today on:")
    assert f"**week of {week(monday, 1)}**: primary (Storm week)" in answer.text
    assert f"**week of {week(monday, 2)}**: secondary" in answer.text


@pytest.mark.parametrize(
    ("question", "ahead", "duty"),
    [
        ("Which weeks is Ben the primary?", 1, "primary"),
        ("In which weeks does Ben Marsh have secondary?", 2, "secondary"),
        ("when is ben next on call", 1, "primary"),
        ("When is Zoe next secondary?", 1, "secondary"),
        ("when's zoe the primary", 3, "primary"),
    ],
)
def test_one_turn(docs: Following, monday: date, question: str, ahead: int, duty: str) -> None:
    answer = docs.ask(question)
    assert answer.verdict == "complete" and f"**week of {week(monday, ahead)}**: " in answer.text and duty in answer.text


def test_how_many(docs: Following) -> None:
    assert docs.ask("How many weeks is Ana the primary?").text.startswith("**2 turns** of Ana Sol:")
    assert docs.ask("How many primary weeks did Ana have?").text.startswith("**1 turn** of Ana Sol until today:")


def test_who_has_no_turn(docs: Following) -> None:
    told = docs.ask("When was Zoe secondary?")
    assert told.verdict == "none" and "has no turn of Zoe as secondary until today" in told.text


@pytest.mark.parametrize(
    "question",
    ["When is Ida on call?", "When is Ana on holiday?", "when is the rope bought", "Which weeks does Ida have primary?"],
)
def test_what_no_rota_says_is_not_made_of_other_tables(docs: Following, question: str) -> None:
    assert docs.ask(question).verdict != "complete"


def test_a_swap_is_told_first_to_both(docs: Following, monday: date) -> None:
    day = monday - timedelta(days=3)
    docs.write(
        "chat.txt",
        f"{day.isoformat()} 09:10 Ben Marsh: could someone take my primary week, the one from {week(monday, 1)}?\n"
        f"{day.isoformat()} 09:14 Zoe Tarn: I take it, you do mine from {week(monday, 3)}\n",
    )
    docs.sync()
    for who in ("Ben", "Zoe"):
        answer = docs.ask(f"When is {who} the primary?")
        assert answer.verdict == "partial" and answer.text.startswith("Said of changes at these times:")
        assert "I take it" in answer.text and "The table itself: " in answer.text


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("in this quarter", date(2026, 10, 1), date(2026, 12, 31)),
        ("next quarter", date(2027, 1, 1), date(2027, 3, 31)),
        ("last month", date(2026, 10, 1), date(2026, 10, 31)),
        ("next month", date(2026, 12, 1), date(2026, 12, 31)),
        ("this year", date(2026, 1, 1), date(2026, 12, 31)),
        ("next week", date(2026, 11, 30), date(2026, 12, 6)),
        ("in January 2027", date(2027, 1, 1), date(2027, 1, 31)),
    ],
)
def test_the_time_that_is_asked_about(said: str, first: date, last: date) -> None:
    period, rest = read_period(f" is Ben {said} on call", date(2026, 11, 27), is_past=False)
    assert (period.first, period.last) == (first, last) and "Ben" in rest and said not in rest


def test_months_of_the_year_before_and_after() -> None:
    assert months_from(2026, 0, 1) == (date(2025, 12, 1), date(2025, 12, 31))
    assert months_from(2026, 13, 3) == (date(2027, 1, 1), date(2027, 3, 31))


@pytest.mark.parametrize(
    "question",
    [
        "When is Ben not on call?",
        "When isn't Ben on call?",
        "In which weeks is Ben neither primary nor secondary?",
        "Which weeks does Ben have no on call?",
        "When is Ben both primary and secondary?",
        "When is Ben on call with Zoe?",
        "When is Ben on call until October?",
        "When is Ben on call the week after next?",
        "When is Ben on call for the second time?",
        "When is Ben on call on Fridays?",
        "When is the day of the primary?",
        "How many days is Ana on call?",
    ],
)
def test_another_question_is_not_answered_by_all_turns(docs: Following, question: str) -> None:
    assert docs.ask(question).verdict != "complete"


def test_the_day_and_the_week_that_are_asked_about(docs: Following, monday: date) -> None:
    at = monday + timedelta(days=7)
    assert docs.ask(f"When is Ben on call in week {at.isocalendar().week}?").text.startswith(f"**week of {week(monday, 1)}**")
    told = docs.ask(f"When is Ben secondary on {at.day} {at:%B}?")
    assert told.verdict == "none" and "no turn of Ben as secondary on" in told.text
    assert docs.ask("When was Ana last on call?").text.startswith(f"**week of {week(monday, 0)}**")


def test_a_cell_that_only_mentions_somebody_is_shown_as_it_is(tmp_path, monday: date) -> None:
    cells = ("Ana Sol", "Ben Marsh", "Ana Sol, instead of Ben Marsh", "Ben Marsh until Wed, then Ana Sol", "Zoe Tarn / Ana Sol")
    rows = "".join(f"| {monday + timedelta(days=7 * at)} | {cell} |\n" for at, cell in enumerate(cells))
    following = Following(tmp_path)
    following.write("rota.md", f"# On-call rota\n\n| Week of | Primary |\n|---|---|\n{rows}")
    following.sync()
    ben = following.ask("When is Ben primary?")
    assert ben.verdict == "partial" and "instead of Ben Marsh" in ben.text and "until Wed" in ben.text
    zoe = following.ask("When is Zoe primary?")
    assert zoe.verdict == "complete" and zoe.text.startswith(f"**week of {week(monday, 4)}**: Zoe Tarn, primary")
    following.workspace.close()


def test_a_rota_that_another_has_replaced_is_left_out(tmp_path, monday: date) -> None:
    following = Following(tmp_path)
    for name, head, at in (("v1", "Status: superseded by rota-v2.md\n\n", 0), ("v2", "", 1)):
        rows = "".join(f"| {monday + timedelta(days=7 * of)} | {WATCH[(of + at) % 5][0]} |\n" for of in range(5))
        following.write(f"oncall/rota-{name}.md", f"# On-call rota {name}\n\n{head}| Week of | Primary |\n|---|---|\n{rows}")
    following.sync()
    answer = following.ask("When is Ben primary?")
    assert answer.verdict == "complete" and answer.text.startswith(f"**week of {week(monday, 1)}**")
    assert following.ask("Who is primary this week?").text.startswith("**Primary: Zoe Tarn")
    following.write("oncall/rota-v2.md", "# On-call rota v2\n\nNot made yet.\n")
    following.sync()
    for question in ("When is Ben primary?", "Who is primary this week?"):
        alone = following.ask(question)
        assert alone.verdict == "partial" and "marked as superseded" in alone.text
    following.workspace.close()


def test_tables_of_other_things_are_not_read_for_a_turn(tmp_path) -> None:
    following = Following(tmp_path)
    for at in range(6):
        rows = "".join(f"2026-01-{day:02d},thing {day},Ana Sol\n" for day in range(1, 29))
        following.write(f"log{at}.csv", f"date,item,who\n{rows}")
    following.write("party.md", "# Party\n\nThe summer party is on 12 June 2027.\n")
    following.write(
        "oncall/rota.md",
        "# On-call rota\n\n| Week of | Primary |\n|---|---|\n| 2026-11-02 | Ana Sol |\n| 2026-11-09 | Ben Marsh |\n| 2026-11-16 | Ana Sol |\n",
    )
    following.sync()
    now = date(2026, 11, 5)
    snapshot = open_snapshot(following.workspace, OPERATOR)
    party, turns = read_turn_question("When is the summer party?", now), read_turn_question("When is Ana on call?", now)
    assert party is not None and candidate_tables(snapshot, party, now) == []
    assert turns is not None and [table.title for table in candidate_tables(snapshot, turns, now)] == ["On-call rota"]
    named, others = rota_tables(snapshot, RotaQuestion(now, 0, frozenset(terms("call"))))
    assert [table.title for table in named] == ["On-call rota"] and others == []
    following.workspace.close()


def test_turns_on_one_day_of_the_week_of_whatever_duty_and_on_all_of_the_rota(tmp_path) -> None:
    following = Following(tmp_path)
    first = date(2099, 11, 2)  # a Monday
    keepers = ("Ana Sol", "Ben Marsh", "Zoe Tarn", "Ana Sol", "Ben Marsh", "Ana Sol")
    rows = "".join(f"| {first + timedelta(days=at)} | {who} | {keepers[at - 1]} |\n" for at, who in enumerate(keepers))
    following.write("desk.md", f"# Desk rota\n\n| Date | Early | Late |\n|---|---|---|\n{rows}")
    following.write("party.md", "# Party\n\nThe party is on Saturday 7 November 2099; Ana Sol brings the lamps.\n")
    following.sync()
    on_saturday = following.ask("Which Saturdays is Ana on the desk?")
    assert on_saturday.verdict == "complete" and on_saturday.text.startswith("**7 November 2099**: Ana Sol, early")
    assert "has no turn of Zoe on a Saturday" in following.ask("Which Saturdays is Zoe on the desk?").text
    every = following.ask("What shifts has Ana got in November?")
    assert every.verdict == "complete" and every.text.startswith("**5 turns** of Ana Sol in November:")
    assert following.ask("How often is Ana down for the desk on the rota?").verdict == "partial"  # twice on one day
    counted = following.ask("How often is Ben down for the late desk on the printed rota?")
    assert counted.verdict == "complete" and counted.text.startswith("**2 turns** of Ben Marsh:")
    following.workspace.close()


def test_who_took_the_notes_of_a_day_is_no_duty(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "".join(f"| {(date(2026, 11, 16) + timedelta(days=at)):%a %d %b} | Ana Sol | |\n" for at in range(10))
    following.write("rota.md", f"# Rota 16 Nov to 25 Nov 2026\n\n| Day | Early | Note |\n|---|---|---|\n{rows}")
    following.write(
        "minutes.md", "# Desk meeting, 14 September 2026\n\nPresent: Ana Sol (chair), Zoe Tarn (notes)\n\nNothing else.\n"
    )
    following.sync()
    assert following.ask("Who took the notes on 14 September 2026?").text.startswith("**Zoe Tarn** (minutes)")
    following.workspace.close()
