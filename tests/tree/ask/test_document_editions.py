"""A document that another edition has replaced is not taken for the one that holds."""

from __future__ import annotations

import pytest

from prompts.extractive.editions import is_newer_title
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered


@pytest.mark.parametrize(
    ("title", "other", "is_so"),
    [
        ("Mooring policy 2026", "Mooring", True),
        ("Mooring policy 2026", "Mooring policy 2025", True),
        ("Mooring policy 2026", "Mooring policy 2027", False),
        ("Mooring policy", "Mooring", False),
        ("Slipway policy 2026", "Mooring", False),
        ("Policy 2026", "Guide", False),
    ],
)
def test_the_title_of_a_newer_edition(title: str, other: str, is_so: bool) -> None:
    assert is_newer_title(title, other) == is_so


def test_who_owns_the_edition_that_holds(docs: Following) -> None:
    docs.write("mooring.md", "# Mooring\n\nStatus: superseded by the mooring policy of 2026.\n\nOwner: Ida Holm\n\nTie twice.\n")
    assert "Ida Holm" in answered(docs, "Who owns the mooring policy?").text
    docs.write("mooring-2026.md", "# Mooring policy 2026\n\nOwner: Cora Vale\n\nTie three times.\n")
    told = answered(docs, "Who owns the mooring policy?")
    assert told.verdict == "complete" and "Cora Vale" in told.text and "Ida Holm" not in told.text, told.text
    old = answered(docs, "Who owns mooring?")
    assert old.verdict == "partial" and "Mooring policy 2026" in old.text, old.text


def test_of_several_editions_the_newest_and_the_one_of_a_year(docs: Following) -> None:
    for year, owner in ((2025, "Per Lund"), (2026, "Zoe Tarn")):
        docs.write(f"leave-{year}.md", f"# Leave policy {year}\n\nOwner: {owner}\n\n25 days.\n")
    now = answered(docs, "Who owns the leave policy?")
    assert now.verdict == "complete" and "Zoe Tarn" in now.text and "Per Lund" not in now.text
    assert "Per Lund" in answered(docs, "Who owns the leave policy 2025?").text


def test_what_a_superseded_record_says_of_itself_is_so(docs: Following) -> None:
    docs.write("slates.md", "# Use of slates\n\nStatus: superseded by 0012\n\nAuthor: Ida Holm\n\nEach boat has one.\n")
    assert answered(docs, "Who is the author of use of slates?").verdict == "complete"
    docs.write("travel.md", "# Travel\n\nOwner: Ida Holm\n\nBook early.\n")
    assert answered(docs, "Who owns the travel policy?").verdict == "complete"
