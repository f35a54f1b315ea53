"""What the scores of leaves are made of."""

import pytest

from tree.retrieve.scent import FEW, positions

TEXT = "".join(f" {term} " for term in "log login log log rotat relog log2 \u6771\u4eac caf\u00e9 log".split())
OTHERS = {f"other{number}" for number in range(FEW)}


@pytest.mark.parametrize("more", [set(), OTHERS], ids=["few", "many"])
def test_terms_are_found_whole_and_where_they_stand(more: set[str]) -> None:
    found = positions(TEXT, {"log", "rotat", "\u6771\u4eac", "caf", *more})
    assert found == [(0, "log"), (2, "log"), (3, "log"), (4, "rotat"), (7, "\u6771\u4eac"), (9, "log")]


@pytest.mark.parametrize("more", [set(), OTHERS], ids=["few", "many"])
def test_nothing_is_found_in_a_text_without_words(more: set[str]) -> None:
    assert positions("  ", {"log", *more}) == []
