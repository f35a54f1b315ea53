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
