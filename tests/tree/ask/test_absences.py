"""Absences by the state of their request, and by what is said of them elsewhere: in chats, mails and minutes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

TODAY = datetime.now(UTC).date()
MONDAY = TODAY - timedelta(days=TODAY.weekday()) + timedelta(days=7)


def _day(days: int) -> str:
    day = MONDAY + timedelta(days=days)
    return f"{day.day} {day:%B %Y}"


def _requests(state: str, column: str = "Status") -> str:
    rows = f"| Ida Holm | {_day(0)} | {_day(2)} | {state} |\n| Bo Reed | {_day(1)} | {_day(3)} | {'approved' if column == 'Status' else 'yes'} |\n"
    return f"# Leave requests\n\n| Name | From | To | {column} |\n|---|---|---|---|\n{rows}"


@pytest.mark.parametrize(
    "state", ["rejected", "Declined by Per", "cancelled", "canceled on Monday", "withdrawn", "refused", "abgelehnt", "annulé"]
)
def test_what_was_not_granted_is_no_absence(docs: Following, state: str) -> None:
    docs.write("leave.md", _requests(state))
    answer = answered(docs, "who is away next week")
    assert answer.verdict == "complete" and "Bo Reed" in answer.text and "Ida" not in answer.text, answer.text
    answer = answered(docs, "when is Ida away")
    assert answer.verdict == "partial" and state in answer.text, answer.text


@pytest.mark.parametrize(("state", "column"), [("requested", "Status"), ("pending", "Status"), ("not approved yet", "Status"),
    ("no", "Approved"), ("", "Approved"), ("beantragt", "Status"), ("en attente", "Status")])  # fmt: skip
def test_what_waits_for_an_answer_is_told_with_its_state_and_not_claimed(docs: Following, state: str, column: str) -> None:
    docs.write("leave.md", _requests(state, column))
    for question in ("who is away next week", "when is Ida away"):
        answer = answered(docs, question)
        assert (
            answer.verdict == "partial"
            and "Ida Holm" in answer.text
            and f"{state})" in answer.text.replace("\\", "").replace("-)", ")")
        )
    assert answered(docs, "when is Bo away").verdict == "complete"


LIST = (
    "# Holidays\n\n| Name | From | To | Cover |\n|---|---|---|---|\n"
    f"| Ida Holm | {_day(0)} | {_day(2)} | Per Lund |\n| Bo Reed | {_day(1)} | {_day(3)} | Kit Abel |\n"
)
CHAT = f"[{TODAY.isoformat()} 09:00]"


@pytest.mark.parametrize(
    ("name", "text", "question"),
    [
        ("chat.txt", f"{CHAT} Ida Holm: I cancelled my holiday from {_day(0)}, I am in the office\n", "when is Ida away"),
        ("chat.txt", f"{CHAT} Ida: not going on holiday, the flight is gone\n", "who is away next week"),
        ("chat.txt", f"{CHAT} Ida: I moved my leave to {_day(14)}\n", "when is Ida away"),
        ("chat.txt", f"{CHAT} Ida: back on {_day(1)} already\n", "when is Ida away"),
        ("chat.txt", f"{CHAT} Per Lund: I can not cover for Ida, Jo Aske does\n", "who covers for Ida"),
        ("chat.txt", f"{CHAT} Jo Aske: I cover for Ida next week\n", "who covers for Ida"),
        ("mail.md", f"From: Ida Holm\nTo: all\nDate: {TODAY.day} {TODAY:%B %Y}\nSubject: leave\n\nMy holiday is postponed.\n", "when is Ida away"),
        ("mail.eml", f"From: Ida Holm <ida@yard.example>\nTo: all@yard.example\nDate: {TODAY:%a, %d %b %Y} 09:00:00 +0000\nSubject: leave\n\nMy holiday is postponed.\n", "when is Ida away"),
        ("minutes.md", f"# Weekly, {TODAY.day} {TODAY:%B %Y}\n\nPresent: Ida Holm, Per Lund\n\n- Ida's leave request was turned down.\n", "when is Ida away"),
        ("holidays.md", f"{LIST}\nIda's holiday from {_day(0)} is cancelled.\n", "when is Ida away"),
    ],
)  # fmt: skip
def test_what_is_said_against_an_absence_is_told_above_it(docs: Following, name: str, text: str, question: str) -> None:
    docs.write("holidays.md", LIST)
    docs.write(name, text)
    answer = answered(docs, question)
    assert answer.verdict == "partial" and answer.text.startswith("Said elsewhere:"), answer.text
    assert answer.text.index("The list itself") < answer.text.index(
        "**Ida Holm**" if "covers" not in question else "**Per Lund**"
    )


@pytest.mark.parametrize(
    "said",
    [
        f"Ida Holm: reminder, I am on holiday from {_day(0)}, back on {_day(3)}, Per covers for me",
        "Ida Holm: Jo is in the office next week, ask him",
        f"Ida Holm: my holiday in {MONDAY.year - 1} was cancelled, that one of {_day(-200)}",
        "Bo Reed: I cover for Kit next week",
        f"Ida Holm: see you later, I already have my holiday from {_day(0)}",
        f"Jo Aske: the audit of {_day(1)} is moved because Ida is on holiday",
        f"Jo Aske: during Ida's holiday the sale of {_day(1)} is cancelled",
        "Jo Aske: if Ida cancels her holiday, tell me",
        "Jo Aske: the harbour is closed next week, the audit is cancelled",
    ],
)
def test_what_does_not_contradict_an_absence_leaves_it_as_it_is(docs: Following, said: str) -> None:
    docs.write("holidays.md", LIST)
    docs.write("chat.txt", f"{CHAT} {said}\n")
    answer = answered(docs, "when is Ida away")
    assert answer.verdict == "complete" and answer.text.startswith("**Ida Holm**"), answer.text
    assert answered(docs, "who covers for Ida").verdict == "complete"
