"""Questions for what could not be read, and for a file that was not."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

DAMAGED = b"\0\1\2\xff" * 500


@pytest.fixture
def damaged(docs: Following) -> Following:
    docs.write("contracts/lease.md", "# Lease of the van\n\nThe van is leased until 31 August 2028.\n")
    (docs.folder / "contracts/guarantee.docx").write_bytes(DAMAGED)
    (docs.folder / "empty.md").write_bytes(b"")
    return docs


@pytest.mark.parametrize(
    "question",
    [
        "Which files could not be read?",
        "what could you not read",
        "Which documents can't you read?",
        "Are there any files that cannot be opened?",
        "which documents are unreadable?",
        "unreadable files",
    ],
)
def test_what_could_not_be_read_is_listed_with_the_reasons(damaged: Following, question: str) -> None:
    answer = answered(damaged, question)
    assert answer.verdict == "complete" and answer.text.startswith("**2 documents** could not be read:")
    assert "**guarantee.docx** (Docs): " in answer.text and "**empty.md** (Docs): This file is empty." in answer.text


def test_where_all_could_be_read_that_is_said(docs: Following) -> None:
    docs.write("lease.md", "# Lease\n\nThe van is leased.\n")
    assert answered(docs, "Which files could not be read?").text == "**Every document** that was found could be read."


@pytest.mark.parametrize("question", ["Which books are not read?", "What could not be decided?", "Which files mention the van?"])
def test_other_questions_are_not_for_that(damaged: Following, question: str) -> None:
    assert "could not be read:" not in answered(damaged, question).text


def test_a_file_that_is_named_and_could_not_be_read_is_told_as_that(damaged: Following) -> None:
    answer = answered(damaged, "What is in guarantee.docx?")
    assert answer.verdict == "none" and answer.text.startswith("“guarantee.docx” is in Docs, but could not be read. ")
    assert answered(damaged, "What is in lease.md?").verdict == "complete"
