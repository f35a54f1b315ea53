"""What a table says in a column of remarks is told, and not called answered where one row alone says it."""

from __future__ import annotations

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

BOATS = "boat,berth,note\nHeron,4,old mooring\nOtter,7,\nSeal,9,wants paint\n"


def test_what_one_row_alone_remarks_may_be_so_of_others(docs: Following) -> None:
    docs.write("boats.csv", BOATS)
    answer = answered(docs, "which boats have the old mooring")
    assert answer.verdict == "partial" and "Heron" in answer.text, answer.text


def test_what_several_rows_remark_is_their_state(docs: Following) -> None:
    docs.write("boats.csv", BOATS.replace("7,", "7,old mooring"))
    answer = answered(docs, "which boats have the old mooring")
    assert answer.verdict == "complete" and "2 of 3" in answer.text, answer.text


def test_not_yet_is_none(docs: Following) -> None:
    docs.write("boats.csv", "boat,berth,inspection\nHeron,4,2026-03-01\nOtter,7,not yet\nSeal,9,2026-04-02\n")
    answer = answered(docs, "which boats have no inspection")
    assert answer.verdict == "complete" and "1 of 3" in answer.text and "Otter" in answer.text, answer.text


def test_a_total_that_cannot_be_reckoned_is_not_called_answered(docs: Following) -> None:
    docs.write("budget.csv", "department,2026,2027,head\nRopes,100,120,Ida\nNets,80,70,Per\nPaint,30,35,Kit\n")
    assert answered(docs, "total budget 2027").verdict != "complete"


def test_how_many_one_can_have_is_no_count_of_those_that_have_some(docs: Following) -> None:
    docs.write("clubs.csv", "club,plan,berths\nOtter Quay,Lane,40\nSeal Bay,Lane,12\nHeron Point,Olympic,9\n")
    assert answered(docs, "how many lanes can a club have").verdict != "complete"


def test_a_state_is_no_blank(docs: Following) -> None:
    docs.write("orders.csv", "order,state,harbour\nA-1,pending,Quay\nA-2,missing,Quay\nA-3,paid,Bay\nA-4,pending,Bay\n")
    answer = answered(docs, "which orders are pending")
    assert answer.verdict == "complete" and "2 of 4" in answer.text, answer.text
