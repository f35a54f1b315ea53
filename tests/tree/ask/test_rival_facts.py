"""Two documents that state different values of the same thing: the newest leads, or both are told."""

from __future__ import annotations

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

TABLE = "| System | Owner | Retries |\n|---|---|---|\n| Ledger | {owner} | {retries} |\n"


def test_the_newest_of_two_tables_leads_and_the_older_is_told_as_until_when(docs: Following) -> None:
    docs.write("one.md", "# Systems of 10 January 2026\n\n" + TABLE.format(owner="Ana Solberg", retries=3))
    docs.write("two.md", "# Systems of 2 April 2026\n\n" + TABLE.format(owner="Carla Wu", retries=3))
    answer = answered(docs, "Who owns Ledger?")
    assert answer.verdict == "complete" and answer.text.startswith("**Carla Wu**")
    assert "Until 2 April 2026: **Ana Solberg**" in answer.text
    assert "Until" not in answered(docs, "How many retries does Ledger have?").text  # both say the same


def test_where_no_date_decides_both_are_told_and_nothing_is_called_answered(docs: Following) -> None:
    docs.write("one.md", "# Systems\n\n" + TABLE.format(owner="Ana Solberg", retries=3))
    docs.write("two.md", "# More systems\n\n" + TABLE.format(owner="Carla Wu", retries=3))
    answer = answered(docs, "Who owns Ledger?")
    assert answer.verdict == "partial" and answer.text.startswith("Statements differ:")
    assert "Ana Solberg" in answer.text and "Carla Wu" in answer.text
