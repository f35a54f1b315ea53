"""Each number in an answer leads to the passage that what stands before it was taken from, of all that its citation quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.ingestion.workspaces import Following
from tree.ask.cited_text import CitedText, stripped
from tree.ask.snapshot.answer import BEHIND, MarkAt, with_passages, without_asides
from tree.ask.snapshot.direct_answer import Line

BILGE = """# Empty the bilge

## Prerequisites

- The **key** of the [engine room](rooms.md).
- A second person, who stays at
  the hatch.

## Steps

1. Open the hatch.
2. Start the hand pump:

   ```sh
   pump --hand
   ```

3. Close the hatch.
4. Tell the bridge.
"""
GATES = "\n".join(f"| Gate {number} | {number + 20} tonnes |" for number in range(12))
ANCHOR = """# Anchor

The anchor was bought by the harbour in March.

The crew liked the winter.

The anchor is repaired by Maren Oduya every June.
"""


@pytest.fixture
def boat(tmp_path: Path) -> Following:
    following = Following(tmp_path)
    following.write("bilge.md", BILGE)
    following.write("gates.md", f"# Gates\n\n| Gate | Holds |\n|---|---|\n{GATES}\n")
    following.write("anchor.md", ANCHOR)
    following.write("paint.md", "# Paint\n\nThe paint of the hull needs:\n\n- a dry week\n- two coats\n- a brush for each\n")
    for number in range(6):
        following.write(f"notes/{number}.md", f"# Note {number}\n\nThe hall was swept on day {number}.\n")
    following.sync()
    return following


def said_and_quoted(text: str, marks: Sequence[Mapping[str, Any]], answer: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What stands before each number since the one before, and the passages behind it."""
    citations = {one["number"]: one for one in answer["citations"]}
    before = 0
    for mark in marks:
        shown = f"[{mark['number']}]"
        assert text[mark["start"] :].startswith(shown)
        yield (
            text[before : mark["start"]].strip(),
            [citations[mark["number"]]["passages"][at]["text"] for at in mark["passages"]],
        )
        before = mark["start"] + len(shown)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]{2,}", re.sub(r"\]\([^)]*\)", "]", text.lower().replace("\\", "")))


def test_what_is_needed_first_and_each_step_have_their_own_passage(boat: Following) -> None:
    answer = boat.ask("How do I empty the bilge?").as_json()
    told = list(said_and_quoted(answer["answer"], answer["marks"], answer))
    assert len(told) == 6 and answer["answer"].count("[1]") == 6
    for (said, quoted), begins in zip(told, ("The key", "A second", "Open", "Start", "Close", "Tell"), strict=True):
        assert begins in said and len(quoted) == 1
        assert [
            word
            for word in words(said.replace("```text", "").replace("```sh", "").removeprefix("Before you start:"))
            if word not in ("sh", "text")
        ] == [word for word in words(quoted[0]) if word not in ("sh", "text")]
    for step in answer["steps"]:
        for said, quoted in said_and_quoted(step["text"], step["marks"], answer):
            assert set(words(quoted[0])) - {"sh"} <= set(words(said)), "the same where they are gone through one by one"


def test_what_is_said_for_when_a_step_fails_has_its_passage(boat: Following) -> None:
    boat.write("bilge.md", f"{BILGE}\n## If it goes wrong\n\nRing the yard and leave the hatch.\n")
    boat.sync()
    answer = boat.ask("How do I empty the bilge?").as_json()
    failing = [
        quoted
        for step in answer["steps"]
        for text, marks in zip(step["failing"], step["failing_marks"], strict=True)
        for _, quoted in said_and_quoted(text, marks, answer)
    ]
    assert failing and all(quoted == ["Ring the yard and leave the hatch."] for quoted in failing)


def test_rows_lists_and_prose_have_the_passage_that_they_were_taken_from(boat: Following) -> None:
    for question, told in (
        ("What does Gate 3 hold? What does Gate 11 hold?", {"23 tonnes": "| Gate 3 | 23 tonnes |", "31 tonnes": "| Gate 11 | 31 tonnes |"}),
        ("Who bought the anchor and who repairs the anchor?", {"bought by": "The anchor was bought by the harbour in March.", "repaired by": "The anchor is repaired by Maren Oduya every June."}),
        ("What does the paint of the hull need?", {"two coats": "two coats"}),
    ):  # fmt: skip
        answer = boat.ask(question).as_json()
        found = list(said_and_quoted(answer["answer"], answer["marks"], answer))
        assert all(quoted for _, quoted in found), "no number without a passage"
        for said, passage in told.items():
            behind = [quoted for before, quoted in found if said in before]
            assert behind and all(len(quoted) == 1 and passage in quoted[0] for quoted in behind), question


def test_a_line_that_shows_no_number_adds_its_passage_to_the_number_before() -> None:
    written = CitedText()
    written.add(Line("\n`x[1]` holds. [1]", 1), 4, 2)
    written.add(Line(" [2]", 2), 5, 0)
    written.add(Line("", 1), 4, 7)
    written.add(Line(" And more."))
    assert str(written) == "\n`x[1]` holds. [4] [5] And more.", "what it quotes has its own brackets"
    text, marks = stripped(str(written), written.marks)
    assert marks == (MarkAt(4, text.index("[4]"), (2, 7)), MarkAt(5, text.index("[5]"), (0,)))


def test_the_passages_stand_behind_the_numbers_of_what_is_drawn() -> None:
    text = "Passages that may help:\n\nOne [1] two [2].\n\n*It breaks off here.*"
    marks = [MarkAt(1, text.index("[1]"), (3, 4)).as_json(), MarkAt(2, text.index("[2]")).as_json()]
    asides = [{"says": "partial", "start": 0, "end": 23}, {"says": "cut", "start": text.index("\n\n*"), "end": len(text)}]
    answer = {"answer": text, "verdict": "partial", "marks": marks, "asides": asides}
    assert without_asides(answer, cut=" \u2026", has_passages=True) == f"One [1{BEHIND}3,4] two [2{BEHIND}]. \u2026"
    assert without_asides(answer, cut=" \u2026") == "One [1] two [2]. \u2026", "what is copied has none"
    del answer["marks"]
    assert without_asides(answer, has_passages=True).startswith("One [1] two [2].")
    assert with_passages("So [1].", marks[:0]) == "So [1]."
