"""Where and as of when a question is asked, as it is kept."""

from __future__ import annotations

import time

import pytest

from ui.server.scope import QuestionScope, parse_scope

HOUR = 3_600


@pytest.mark.parametrize(
    "scope",
    [QuestionScope(), QuestionScope(source="a1"), QuestionScope(place="a1/on:2026;in:x/"), QuestionScope(as_of="2026-03-01"),
     QuestionScope(source="a1", as_of="2026-03-01"), QuestionScope(place="a1/at:b;/", as_of="2026-03-01"),
     QuestionScope(zone="Europe/Berlin"), QuestionScope(source="a1", as_of="2026-03-01", zone="America/New_York")],
)  # fmt: skip
def test_a_scope_is_read_as_it_was_written(scope: QuestionScope) -> None:
    assert parse_scope(scope.as_text()) == scope


@pytest.mark.parametrize("written", ["nonsense", "on:;", "on:yesterday;", "on:2026-13-01;", "x:y"])
def test_what_is_none_is_everything_as_it_is_now(written: str) -> None:
    assert parse_scope(written) == QuestionScope()


def test_a_day_counts_to_its_end_and_never_into_the_future() -> None:
    assert QuestionScope(as_of="1970-01-01").moment == pytest.approx(86_400, abs=1)
    assert QuestionScope(as_of="2999-01-01").moment <= time.time() and QuestionScope().moment is None


def test_a_day_ends_at_midnight_of_whoever_asked() -> None:
    ends = {
        zone: QuestionScope(as_of="1970-01-02", zone=zone).moment for zone in ("", "Asia/Tokyo", "America/New_York", "nowhere")
    }
    assert ends == {
        "": pytest.approx(48 * HOUR, abs=1), "Asia/Tokyo": pytest.approx(39 * HOUR, abs=1),
        "America/New_York": pytest.approx(53 * HOUR, abs=1), "nowhere": ends[""],
    }  # fmt: skip
