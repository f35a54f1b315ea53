"""Items of a list that begin with a thing in bold: what stands behind their labels is said of that thing."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

SITES = """# Sites

- **lamp-us**: Ohio, 8 lamps, software 15.8, cleaned on Wednesday. Owner: Mohammed Farsi.
- **lamp-eu**: Kiel, 12 lamps, software 16.4, cleaned on Tuesday. Owner: Lena Ortmann.
- **loft**: Kiel, 3 lamps, cleaned at any time.
"""
SILENT = """# Bell is silent

**Symptoms**: alert `BellQueueHigh`, no ring for ten minutes.

## Steps

1. Look at the rope. Is it torn?
2. Ring by hand.
3. Call the harbour master.
"""
REPORT = """# Report: lamp out, 3 May 2026

Written by Ida Marsh, 4 May 2026.

The lamp was out for an hour.

Actions
- [x] Write the hours down (GWY-3) - Bram
- [ ] Second lamp in the loft - Mohammed, by 30 June 2026
- [x] Tell the pilots - Ines Quiroga
"""


@pytest.mark.parametrize(("question", "who"), [("who owns lamp-us", "Mohammed Farsi"), ("owner of lamp-eu", "Lena Ortmann")])
def test_an_owner_is_that_of_its_item(docs: Following, question: str, who: str) -> None:
    docs.write("sites.md", SITES)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and who in answer.text and answer.text.count("**") == 2, answer.text


@pytest.mark.parametrize("question", ["who owns the loft", "who is the owner of sites"])
def test_nobody_owns_what_says_no_owner(docs: Following, question: str) -> None:
    docs.write("sites.md", SITES)
    assert answered(docs, question).verdict != "complete"


def test_small_words_tell_names_with_hyphens_apart(docs: Following) -> None:
    docs.write("sites.md", SITES)
    text = answered(docs, "which software runs on lamp-us").text
    assert "15.8" in text and ("16.4" not in text or text.index("15.8") < text.index("16.4"))


@pytest.mark.parametrize(
    "question",
    ["BellQueueHigh", "alert BellQueueHigh", "what to do when BellQueueHigh fires", "bell is silent", "Bell is silent?"],
)
def test_a_page_is_found_by_the_alert_that_it_is_for_or_its_title(docs: Following, question: str) -> None:
    docs.write("silent.md", SILENT)
    docs.write("sites.md", SITES)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and "1. Look at the rope" in answer.text and "3. Call the harbour" in answer.text, (
        answer.text
    )


def test_a_title_that_is_no_procedure_is_asked_for_as_it_is(docs: Following) -> None:
    docs.write("sites.md", SITES)
    docs.write("round.md", "# Lamp round\n\n1. The lamps are clean.\n2. Per buys oil.\n")
    assert answered(docs, "lamp round").verdict != "complete"


@pytest.mark.parametrize(
    ("question", "told", "left"),
    [
        ("open actions of the report about the lamp", "Second lamp", "pilots"),
        ("what does Mohammed still have to do", "Second lamp", "pilots"),
        ("what did Ines have to do", "pilots", "Second lamp"),
    ],
)
def test_a_box_says_who_and_by_when_at_the_end_of_its_line(docs: Following, question: str, told: str, left: str) -> None:
    docs.write("report.md", REPORT)
    text = answered(docs, question).text
    assert told in text and left not in text, text


def test_what_a_row_leaves_blank_is_not_told(docs: Following) -> None:
    docs.write("sources.csv", "part,first source,second source\nrope,Holm,Marsh\nMarsh,Quay,-\n")
    text = answered(docs, "second source of rope").text
    assert "Marsh" in text and "**-**" not in text and "**\\-**" not in text
