"""The day of the section of a text, or of a line of a chat, in which something stands."""

from __future__ import annotations

import pytest

from prompts.extractive.dates import Day
from prompts.extractive.rivals import dated
from prompts.extractive.section_days import before_mails, chat_day, mail_day, section_day
from prompts.records import LeafText, Quote
from prompts.sentences import sentences

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


THREAD = """Thread with the mill, collected by Ada, 20 November 2026, oldest first

From: Ada Holm
To: Mill
Date: Tue, 6 Oct 2026 10:20
Subject: Flour, 19 January

We need flour on 19 January 2027.

---

Von: Mill
An: Ada Holm
Gesendet: Do, 8 Okt 2026 15:41
Betreff: AW: Flour

Gladly.
"""


def test_the_day_of_a_mail_of_several_in_one_text() -> None:
    assert [mail_day(THREAD, THREAD.index(word)) for word in ("Thread with", "Flour, 19", "We need", "Gladly")] == [
        None, Day(2026, 10, 6), Day(2026, 10, 6), Day(2026, 10, 8),
    ]  # fmt: skip
    assert before_mails(THREAD).endswith("oldest first\n\n") and before_mails("no mail") == "no mail"


@pytest.mark.parametrize(
    ("opening", "day"),
    [
        (
            "In force from 1 August 2026. It replaces the rules of 1 September 2024.\nOwner: Ada. Next review: May 2028.",
            Day(2026, 8, 1),
        ),
        ("Term: Monday 1 February to Friday 28 May 2027.\nVersion 3, 19 November 2026, Ada.", Day(2026, 11, 19)),
        ("Ada Holm, 3 March 2026", Day(2026, 3, 3)),
        ("Valid until 31 December 2027. Written on 2 May 2026.", Day(2026, 5, 2)),
    ],
)
def test_a_document_is_dated_by_when_it_was_made(opening: str, day: Day) -> None:
    text = f"# Rules\n\n{opening}\n\n## Fees\n\nTen euro.\n"
    leaf = LeafText(text, ("Rules", "Rules"))
    start = text.index("Ten")
    assert dated(leaf, Quote(text="Ten euro.", start=start, end=start + 9), "count") == day


def test_a_line_of_a_chat_whose_month_is_written_out_is_of_its_day() -> None:
    text = "copied on 28 Nov 2026\n\n[23 Nov 14:10] Ada: battery is in\n[24 Nov 11:31] Ben: The meeting is moved\n"
    assert str(chat_day(text, text.index("[24"))) == "2026-11-24"
    assert [text[start:end] for start, end in sentences(text)][1:] == [
        "[23 Nov 14:10] Ada: battery is in",
        "[24 Nov 11:31] Ben: The meeting is moved",
    ]
