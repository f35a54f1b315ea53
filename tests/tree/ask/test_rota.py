"""Who is on duty at a time is told by the row that holds then, below the changes that name it."""

from __future__ import annotations

from datetime import date

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.direct import rota_answer

ROTA = """# Beacon watch ("the lamp phone"), spring 2027

The lamp phone is handed over on Monday at 07:00.

| Week | From | Watch | Stand-in |
|---|---|---|---|
| 9 | 1 March | Ana Sol | Ben Marsh |
| 10 | 8 March | Zoe Tarn | Ana Sol |
| 11 | 15 March | Ben Marsh | Zoe Tarn |
| 12 | 22 March | Ana Sol | Ben Marsh |
"""
CHANGES = "\n## Changes\n\n- 2 March: Ana and Zoe swap weeks 9 and 10.\n- 5 March: in week 10 Ben takes the watch after all.\n- 6 March: The kettle is broken.\n"


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rota_answer, "today", lambda _: date(2027, 3, 10))


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who has the lamp phone this week?", "Zoe Tarn"),
        ("who has the lamp phone next week", "Ben Marsh"),
        ("Who was on beacon watch last week?", "Ana Sol"),
        ("Who is on beacon watch in week 12?", "Ana Sol"),
        ("who is on beacon watch in the week from 15 march", "Ben Marsh"),
        ("Who has the lamp phone today?", "Zoe Tarn"),
    ],
)
def test_the_row_that_holds_then_is_told(docs: Following, question: str, who: str) -> None:
    docs.write("watch.md", ROTA)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and f"Watch: {who}" in answer.text, answer.text


def test_changes_that_name_the_row_stand_above_it_the_newest_first_and_nothing_is_called_answered(docs: Following) -> None:
    docs.write("watch.md", ROTA + CHANGES)
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial"
    places = [answer.text.index(one) for one in ("Ben takes the watch", "Ana and Zoe swap", "Watch: Zoe Tarn")]
    assert places == sorted(places) and "kettle" not in answer.text
    assert answered(docs, "Who has the lamp phone in week 11?").verdict == "complete"


def test_what_the_rota_is_not_of_or_a_time_that_it_has_not_is_not_told_from_it(docs: Following) -> None:
    docs.write("watch.md", ROTA)
    for question in (
        "Who has the fire bell this week?",
        "Who has the lamp phone in week 30?",
        "Who has the lamp phone on 2 June 2027?",
    ):
        assert answered(docs, question).verdict != "complete", question
