"""What changed in a cited text since, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.chat.difference import AROUND, around_changes, difference


@pytest.mark.parametrize(
    ("before", "now", "parts"),
    [
        ("The test is on the 8th.", "The test is on the 15th.", [("The test is on the ", "same"), ("8th", "removed"), ("15th", "added"), (".", "same")]),
        ("One.", "One.", [("One.", "same")]),
        ("", "All new", [("All new", "added")]),
        ("All gone", "", [("All gone", "removed")]),
    ],
)  # fmt: skip
def test_words_that_were_added_and_removed_are_told(before, now, parts) -> None:
    assert difference(before, now) == parts


@given(
    st.lists(st.sampled_from(["pump", "valve", "8", "\n", " ", "é", "-"])),
    st.lists(st.sampled_from(["pump", "gate", "9", " ", "\n", "é"])),
)
def test_both_texts_can_be_read_out_of_the_difference(before, now) -> None:
    old, new = "".join(before), "".join(now)
    parts = difference(old, new)
    assert "".join(text for text, kind in parts if kind != "added") == old
    assert "".join(text for text, kind in parts if kind != "removed") == new


def test_what_is_far_from_a_change_is_left_out() -> None:
    far = "word " * 1_000
    parts = around_changes(difference(f"{far}on the 8th {far}", f"{far}on the 15th {far}"))
    said = "".join(text for text, _ in parts)
    assert "8th15th" in said and len(said) < 3 * AROUND and said.count("…") == 2
