"""Times as questions put them become spans of days."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.timespans import FIRST, find_span

TODAY = date(2026, 6, 17)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in May 2026", "2026-05-01", "2026-05-31"),
        ("in May", "2026-05-01", "2026-05-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("on 29 February 2024", "2024-02-29", "2024-02-29"),
        ("on 29 February", "2024-02-29", "2024-02-29"),
        ("on 2024-02-29", "2024-02-29", "2024-02-29"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("in the fourth quarter of 2025", "2025-10-01", "2025-12-31"),
        ("for the last quarter of 2025", "2025-10-01", "2025-12-31"),
        ("in Q1 2024", "2024-01-01", "2024-03-31"),
        ("since Monday", "2026-06-15", "9999-12-31"),
        ("yesterday", "2026-06-16", "2026-06-16"),
        ("between 3 June and 10 June 2026", "2026-06-03", "2026-06-10"),
        ("between 3 and 10 June 2026", "2026-06-03", "2026-06-10"),
        ("from the 3rd to the 10th of June", "2026-06-03", "2026-06-10"),
        ("3–10 June 2026", "2026-06-03", "2026-06-10"),
        ("between 30 December 2025 and 2 January 2026", "2025-12-30", "2026-01-02"),
        ("before 1 January 2026", "1970-01-01", "2025-12-31"),
        ("after 31 December 2025", "2026-01-01", "9999-12-31"),
        ("last month", "2026-05-01", "2026-05-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("this week", "2026-06-15", "2026-06-17"),
        ("on May 3rd", "2026-05-03", "2026-05-03"),
        ("on April 24, 2025", "2025-04-24", "2025-04-24"),
        ("Sept. 5th, 2025", "2025-09-05", "2025-09-05"),
        ("since april 2", "2026-04-02", "9999-12-31"),
        ("between April 2 and May 3rd", "2026-04-02", "2026-05-03"),
        ("in April 12 tickets were closed", "2026-04-01", "2026-04-30"),
        ("last week", "2026-06-08", "2026-06-14"),
    ],
)
def test_a_time_is_a_span_of_days(text: str, first: str, last: str) -> None:
    span = find_span(f"Which tickets were created {text}?", TODAY)
    assert span is not None
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "text",
    ["Which tickets may be closed?", "What may I change?", "How do I march through it?", "Which tickets are open?", "on 31 June 2026",
     "on 29 February 2025", "on 2026-13-01", "on 0 May 2026", "in December 9999"],
)  # fmt: skip
def test_what_is_no_time_gives_none(text: str) -> None:
    assert find_span(text, TODAY) is None


def test_the_last_day_of_a_year_has_a_week_and_a_month_before_it() -> None:
    for text, first, last in (("last month", "2025-12-01", "2025-12-31"), ("last week", "2025-12-22", "2025-12-28"),
                              ("yesterday", "2025-12-31", "2025-12-31"), ("in December", "2025-12-01", "2025-12-31")):  # fmt: skip
        span = find_span(text, date(2026, 1, 1))
        assert span is not None and (span.first.isoformat(), span.last.isoformat()) == (first, last), text


@given(st.text(alphabet="0123456789 -/,.abcdefghijklmnoprstuvyMJ", max_size=60), st.dates(date(1971, 1, 1), date(2100, 1, 1)))
def test_no_text_fails_and_no_span_is_turned_round(text: str, today: date) -> None:
    for put in (
        text,
        f"between {text} and {text}",
        f"since {text}",
        f"last {text} days",
        f"on {text} May 9999",
        f"after {text} December 9999",
    ):
        span = find_span(put, today)
        assert span is None or span.first <= span.last


def test_the_first_and_the_last_day_there_is_have_nothing_beside_them() -> None:
    for text in ("after 31 December 9999", "before 1 January 0001"):
        span = find_span(text, TODAY)
        assert span is not None and span.words in text and not span.words.startswith(("after", "before"))


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("what is due in december 26", date(2026, 12, 1), date(2026, 12, 31)),
        ("what is due on december 26", date(2026, 12, 26), date(2026, 12, 26)),
        ("what is due in december 9", date(2026, 12, 9), date(2026, 12, 9)),
    ],
)
def test_a_short_year_behind_a_month_is_one(said: str, first: date, last: date) -> None:
    found = find_span(said, date(2026, 11, 26))
    assert found is not None and (found.first, found.last) == (first, last)


def test_the_end_of_a_month_is_its_last_day() -> None:
    span = find_span("due by the end of february 2027", date(2026, 11, 26))
    assert span is not None and (span.first, span.last) == (FIRST, date(2027, 2, 28))
