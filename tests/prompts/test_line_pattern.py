"""What is looked for on the lines with a word is what would be found in the whole text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingestion.chunking import links
from prompts.extractive import speakers
from prompts.line_pattern import LinePattern
from tree.retrieve import attendance, item_cues, minutes, statement_dates, units

ROOT = Path(__file__).parents[2]
PARTS = (attendance, links, item_cues, minutes, speakers, statement_dates, units)
TOLD = """We agreed to close the gate.
The council agreed
to nothing. AGREED: open on 3 May.

- Décidé et agreed that \u017fo it is, a\u017f agreed on.
Nobody agreed to it! agreed"""


def spans(pattern: LinePattern | re.Pattern[str], text: str, first: int, last: int) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text, first, last)]


@pytest.mark.parametrize("text", [TOLD, TOLD.replace("\u017f", "s"), TOLD.replace("A", "\u0130"), "agreed", "", "\n\nagreed\n"])
def test_lines_with_a_word_give_what_the_whole_text_gives(text: str) -> None:
    pattern = LinePattern(r"(?:^|(?<=[.!] ))[^\n.!]{0,30}?\bagreed\b(?=\s|\Z|:)", "agreed", re.MULTILINE | re.IGNORECASE)
    for first in range(len(text) + 1):
        for last in (len(text), max(first, len(text) - 7), first + 20):
            assert spans(pattern, text, first, last) == spans(pattern.whole, text, first, last)


def test_a_text_without_a_word_is_not_looked_through() -> None:
    pattern = LinePattern(r"(?P<all>\w+)", "gate|tide")
    assert pattern.search("The pump stopped.\nNobody knows why.") is None
    found = pattern.search("The pump stopped.\nThe gate is shut.")
    assert found is not None and found.start() == len("The pump stopped.\n")


@pytest.mark.parametrize(
    ("name", "pattern"),
    [(name, one) for part in PARTS for name, one in vars(part).items() if isinstance(one, LinePattern)],
)
def test_every_such_pattern_names_the_words_it_needs(name: str, pattern: LinePattern) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "sample").rglob("*.md"))]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "tests/tree/retrieve").glob("test_*.py")]
    for text in texts:
        assert spans(pattern, text, 0, len(text)) == spans(pattern.whole, text, 0, len(text)), name
