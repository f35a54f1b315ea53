"""The day of the section of a text, or of a line of a chat, in which something stands."""

from __future__ import annotations

import pytest

from prompts.extractive.dates import Day
from prompts.extractive.section_days import chat_day, section_day

TEXT = """Written by Ada in 2024.

=====
Thu 5 March 2026   after the storm
there: Ada, Ben

1) One. Moved on 7 May 2026.

-----
Minutes, 12 May 2026
Two. The talk of 3 May 2026 was long, and
20 July 2026 is a Monday.

## 8/10/26
Three

### Money
Four

## minutes 12 Nov
Six

## Next steps
Five
"""


@pytest.mark.parametrize(
    ("word", "day"),
    [("Written", None), ("One", Day(2026, 3, 5)), ("Two", Day(2026, 5, 12)), ("Monday", Day(2026, 5, 12)), ("Three", Day(2026, 10, 8)),
     ("Four", Day(2026, 10, 8)), ("Five", None), ("Six", Day(2026, 11, 12))],
)  # fmt: skip
def test_the_nearest_heading_or_line_that_is_a_date(word: str, day: Day | None) -> None:
    assert section_day(TEXT, TEXT.index(word)) == day


CHAT = "Export 23.11.26 - 27.11.26\n[Wed 25.11. 09:05] Ada: one\n2025-01-02 10:00 Ben: two\n[3/2/27, 09:05] Cy Orr: three\nfour\n"


@pytest.mark.parametrize(
    ("word", "day"), [("one", Day(2026, 11, 25)), ("two", Day(2025, 1, 2)), ("three", Day(2027, 2, 3)), ("four", None)]
)
def test_the_day_of_a_line_of_a_chat(word: str, day: Day | None) -> None:
    assert chat_day(CHAT, CHAT.index(word)) == day


def test_a_chat_may_have_a_line_for_each_day() -> None:
    chat = "#ops export 2026-11-26 18:00\n\n--- 16 Nov ---\n[09:12] Ada: one\n[09:20] Ben: two\n\n=== Tue 24.11.2026 ===\n07:30 Cy: three\n"
    assert [chat_day(chat, chat.index(word)) for word in ("one", "two", "three")] == [Day(2026, 11, 16)] * 2 + [Day(2026, 11, 24)]
    assert chat_day("[09:12] Ada: one\n", 10) is None
