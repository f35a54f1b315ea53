"""Times of deadlines lie ahead: the next Friday, the coming December."""

from __future__ import annotations

from datetime import date

import pytest

from prompts.coming_times import find_coming

TODAY = date(2026, 11, 26)  # a Thursday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("next week", "2026-11-30", "2026-12-06"),
        ("this week", "2026-11-23", "2026-11-29"),
        ("by friday", "1970-01-01", "2026-11-27"),
        ("before Friday", "1970-01-01", "2026-11-26"),
        ("on Monday", "2026-11-30", "2026-11-30"),
        ("on Thursday", "2026-11-26", "2026-11-26"),
        ("next Thursday", "2026-12-03", "2026-12-03"),
        ("tomorrow", "2026-11-27", "2026-11-27"),
        ("by the end of the month", "1970-01-01", "2026-11-30"),
        ("by end of next month", "1970-01-01", "2026-12-31"),
        ("next quarter", "2027-01-01", "2027-03-31"),
        ("next month", "2026-12-01", "2026-12-31"),
        ("in the next 10 days", "2026-11-26", "2026-12-06"),
        ("within two weeks", "2026-11-26", "2026-12-10"),
        ("in the next couple of weeks", "2026-11-26", "2026-12-10"),
        ("soon", "2026-11-26", "2026-12-10"),
        ("in December", "2026-12-01", "2026-12-31"),
        ("in March", "2027-03-01", "2027-03-31"),
        ("in July", "2026-07-01", "2026-07-31"),
        ("by 10 December", "1970-01-01", "2026-12-10"),
        ("last week", "2026-11-16", "2026-11-22"),
        ("that ended in March", "2026-03-01", "2026-03-31"),
    ],
)
def test_a_time_of_a_deadline_is_the_coming_one(text: str, first: str, last: str) -> None:
    span = find_coming(f"Which tickets are due {text}?", TODAY)
    assert span is not None and (str(span.first), str(span.last)) == (first, last)
    assert span.words.casefold() in text.casefold()


@pytest.mark.parametrize("text", ["nothing of the kind", "the next release", "within reach", "a few tickets"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert find_coming(text, TODAY) is None


@pytest.mark.parametrize("day", [date(2026, 12, 31), date(2027, 1, 1), date(2028, 2, 29)])
def test_a_month_ends_where_the_next_one_begins(day: date) -> None:
    this, following = find_coming("this month", day), find_coming("next month", day)
    assert this is not None and following is not None
    assert this.first <= day <= this.last and (following.first - this.last).days == 1


@pytest.mark.parametrize(
    ("said", "first"),
    [("next march", date(2027, 3, 1)), ("in next december", date(2026, 12, 1)), ("next november", date(2027, 11, 1))],
)
def test_the_next_month_of_a_name_has_not_begun(said: str, first: date) -> None:
    span = find_coming(f"which runs out {said}", date(2026, 11, 26))
    assert span is not None and span.first == first and span.last.month == first.month


@pytest.mark.parametrize("said", ["by the end of January 2027", "until the end of January 2027", "by end of January 2027"])
def test_the_end_of_a_month_is_its_last_day(said: str) -> None:
    span = find_coming(f"which offers expire {said}", date(2026, 11, 26))
    assert span is not None and span.last == date(2027, 1, 31)
