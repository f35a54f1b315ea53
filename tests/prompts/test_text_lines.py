"""Where the line around a place of a text begins and ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prompts.text_lines import line_end, line_start


@given(st.text(alphabet="ab\n", max_size=12), st.data())
def test_the_line_around_a_place_is_the_one_that_splitting_gives(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    before = text[:at].count("\n")
    assert text[line_start(text, at) : line_end(text, at)] == text.split("\n")[before]


def test_a_line_begins_not_before_the_first_place() -> None:
    assert line_start("one two\nthree", 6, 4) == 4
    assert line_start("one two\nthree", 10, 4) == 8
