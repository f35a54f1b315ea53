"""The work on a text grows with its length and no faster, whatever the text is: runs, lines without end, near-misses."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence

import pytest

from connectors.base import Document, Markup, Section
from connectors.formats import parse_bytes
from connectors.formats.parsed import Unreadable
from ingestion.chunking.chunker import cut
from ingestion.chunking.links import links
from prompts.extractive import ExtractiveReader, as_text
from prompts.extractive.facts import spans
from prompts.language import terms
from prompts.phrases import entities, keyphrases
from prompts.question import analyse
from prompts.records import Child, LeafText
from prompts.sentences import sentences

SIZE = 20_000  # characters: what is quadratic takes minutes
SECONDS = 2.5  # of processor time: an ordinary text takes a fiftieth
RUNS = (
    "!", "?", "?!", ".", "...a", ". ", "a. ", "-", "=", "*", "_", "#", "# ", ">", "> ", "|", "| ", "`", "~", "[", "[]", "[a](", "(", "<", "<a ",
    "</", "&", "&amp;", "\\", "/", ":", "::", ": ", ";", ",", "'", '"', "a", "A", "Aa", "A ", "A1-", "AB-1", "1", "1.", "1,", "1.2.", "a.b", "a@",
    "a@b.", "v1.", "_a", "a_", "Aa_", "http://", "https://a", "2024-", "2024-01-01 ", "Jan ", "May 1, ", " ", "\t", "\n", "\n ", "- ", "1. ", "  - a\n",
    "| a ", "|-", "**a", "**a** ", "Note: ", "Q: ", "Step 1 ", "If a, ", "\u3002", "\uff01", "\u4e2d", "\ud55c\uae00", "\u0e01", "\u00e9", "\x00",
    "\u200b", "\u202e", "{", "}", "{{", "$", "%", "^", "+", "@", "Dear Sir ", "See PAY-1: ", "word, ",
)  # fmt: skip


# what stands before a run and after it, so that a pattern begins to match, and fails at the end
AROUND = (("", ""), ("", " x"), ("- x", "y\n"), ("# Step 1 ", "."), ("| a ", "x"))


def _within(work: Callable[[str], object], around: Sequence[tuple[str, str]] = AROUND[:2]) -> list[str]:
    """The runs on which the work takes too long."""
    slow = []
    for before, after in around:
        for unit in RUNS if before == "" else (" ", "\t", "-", ".", "*", "a", "|", "- "):
            text = before + (unit * (SIZE // len(unit) + 1))[:SIZE] + after
            start = time.process_time()
            work(text)
            if (took := time.process_time() - start) > SECONDS:
                slow.append(f"{before!r} and a run of {unit!r}: {took:.1f} s")
    return slow


@pytest.mark.parametrize("work", [sentences, terms, keyphrases, entities, as_text, links, spans, analyse])
def test_what_is_found_in_a_run_is_found_in_linear_time(work: Callable[[str], object]) -> None:
    assert not _within(work, AROUND)


@pytest.mark.parametrize("markup", ["markdown", "plain", "code"])
def test_a_document_that_is_one_run_is_cut_in_linear_time(markup: Markup) -> None:
    assert not _within(
        lambda text: cut(Document("x.md", "X", (), (Section(text, markup=markup),), "f", kind="markdown")), AROUND[1:]
    )


def test_a_leaf_that_is_one_run_is_read_and_summarized_in_linear_time() -> None:
    reader = ExtractiveReader()

    def work(text: str) -> None:
        record = reader.read(LeafText(text, ("x",))).record
        reader.summarize("x", [Child("x", "leaf", record), Child("y", "leaf", record)])

    assert not _within(work, AROUND[1:])


@pytest.mark.parametrize(
    "name", ["x.md", "x.txt", "x.rst", "x.org", "x.html", "x.yaml", "x.csv", "x.py", "x.go", "x.rtf", "x.eml", "x.mbox", "x.xml"]
)
def test_a_file_that_is_one_run_is_parsed_in_linear_time(name: str) -> None:
    def work(text: str) -> None:
        with contextlib.suppress(Unreadable):
            parse_bytes(name, text.encode("utf-8"))

    assert not _within(work, AROUND[1:])
