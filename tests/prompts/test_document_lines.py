"""What makes a line fit for a summary, and the summaries that come of it."""

from __future__ import annotations

import pytest

from prompts.extractive.document_lines import in_one_text, tells_of_document
from prompts.extractive.passages import passages
from prompts.extractive.read import read
from prompts.extractive.summarize import summarize
from prompts.extractive.types import content_types
from prompts.records import Child, LeafText


@pytest.mark.parametrize(
    "line",
    [
        "Written by Ann Lee, 21 May 2026.",
        "Owner: Team Keel",
        "**Author:** Bo Tan. Date: 11 April 2026.",
        "Held on Tuesday 27 January 2026, Mill Street.",
        "Controlled document A-07, rev. 6, 2 June 2026.",
        "As of 1 November 2026.",
        "present: Ann, Bo, Cy, Dee, Eve, Flo",
        "Ann, Bo, Cy, Dee, Eve, Flo",
        "From: Ann Lee <ann@keel.example>",
        "Stand: 8. Januar 2026, Bo Tan",
        "Présents : Ann Lee, Bo Tan.",
    ],
)
def test_what_tells_of_a_document_is_known(line: str):
    assert tells_of_document(line)


@pytest.mark.parametrize(
    "line",
    [
        "On Friday 15 May the compressor of the fridge stopped.",
        "Red: nitric acid.",
        "Keel began in 1994 as a two-room office of Ann Lee and Bo Tan.",
        "Raw data and reports: 10 years.",
        "Der Frost kam am 3. Januar und zerstörte die Pumpe.",
        "The wells are checked in March, in June, in September, in December, and after each flood by whoever is on duty.",
    ],
)
def test_what_tells_of_the_subject_is_kept(line: str):
    assert not tells_of_document(line)


def test_a_summary_leaves_out_who_wrote_it_and_who_was_there():
    text = (
        "Written by Ann Lee, 21 May 2026.\n\nPresent: Ann, Bo, Cy, Dee\n\nThe compressor of the cold room stopped in the night.\n"
    )
    assert read(LeafText(text, ("Cold room",))).record.summary == "The compressor of the cold room stopped in the night."


def test_where_nothing_else_is_said_it_is_told():
    assert read(LeafText("Owner: Team Keel\n", ("Cold room",))).record.summary == "Owner: Team Keel."


def test_a_table_is_summed_up_by_its_columns_and_rows():
    text = "| no | partner | ends |\n| --- | --- | --- |\n| 1 | Torf | 2028 |\n| 2 | Moor | 2029 |\n"
    record = read(LeafText(text, ("Contracts",))).record
    assert record.summary == "A table of 2 rows: no, partner, ends."
    assert record.content_types[0] == "data_table"


def test_of_a_table_a_branch_tells_the_title_alone():
    table = read(LeafText("| no | partner |\n| --- | --- |\n| 1 | Torf |\n", ("Contracts",))).record
    page = read(LeafText("Splitting an order to stay below a limit is visible.\n", ("Purchasing",))).record
    made = summarize("Office", [Child("Contracts", "leaf", table), Child("Purchasing", "leaf", page)])
    assert made.summary == "2 parts: Contracts; Purchasing. Splitting an order to stay below a limit is visible."


def test_parts_of_a_summary_end_before_the_next_begins():
    assert in_one_text(["heating dead", "He said “no.”", "", "Why?"]) == "heating dead. He said “no.” Why?"


@pytest.mark.parametrize(
    ("text", "title"), [("Samples are received until noon.", "Sample reception"), ("12 March: added salt.", "Kitchen")]
)
def test_words_of_other_trades_make_no_technical_type(text: str, title: str):
    leaf = LeafText(text, (title,))
    assert not {"code_example", "api_reference", "changelog"}.intersection(content_types(leaf, list(passages(leaf))))
