"""Actions that minutes gather in one line: each with where it stands and whose it is."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tree.retrieve.inline_actions import inline_actions

THERE = {
    "Ana Sol": "Ana Sol", "Ana": "Ana Sol", "Sol": "Ana Sol", "Ben Marsh": "Ben Marsh", "Ben": "Ben Marsh", "Marsh": "Ben Marsh",
    "Bo Marsh": "Bo Marsh", "Bo": "Bo Marsh",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "Actions: Ana: posters by 6 Nov, tickets (by 20 Nov). Ben Marsh: ten stands, collect by 13 Nov.",
            [("Ana: posters by 6 Nov, tickets (by 20 Nov)", ("Ana Sol",)), ("Ben Marsh: ten stands, collect by 13 Nov", ("Ben Marsh",))],
        ),
        ("**Actions:** AS mail to guests; AS yard; tyres", [("AS mail to guests", ("Ana Sol",)), ("AS yard", ("Ana Sol",)), ("tyres", ())]),
        ("A: Ana lists / Ben keys by 23/10", [("Ana lists", ("Ana Sol",)), ("Ben keys by 23/10", ("Ben Marsh",))]),
        ("- Action items: Kit Vale: paint, e.g. red. Ana & Ben: ropes", [("Kit Vale: paint, e.g. red", ("Kit Vale",)), ("Ana & Ben: ropes", ("Ana Sol",))]),
    ],
)  # fmt: skip
def test_each_with_whoever_is_named_first(line: str, told: list[tuple[str, tuple[str, ...]]]) -> None:
    text = f"# Minutes\n\n{line}\nNext: Monday.\n"
    found = list(inline_actions(text, THERE, 0, len(text)))
    assert [(text[start:end], people) for start, end, people in found] == told


@pytest.mark.parametrize(
    "line",
    [
        "Actions: none.",
        "Actions from May were all done.",
        "Actions: see the board.",
        "BM: brings the lamp",  # what somebody says
        "A: It is open on Sundays.",  # an answer to a question
        "Actions: BM calls the yard",  # Ben or Bo Marsh
    ],
)
def test_a_line_that_names_nobody_first_lists_none(line: str) -> None:
    assert list(inline_actions(f"{line}\n", THERE, 0, len(line))) == []


def test_they_are_told_of_whoever_has_them(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "minutes.md",
        "# Yard meeting, 9 November 2026\n\nPresent: Ana Sol (chair), Ben Marsh, Zoe Tarn (notes)\n\n1 Ropes. All old.\n\n"
        "Actions: AS second offer for ropes by 8 Jan 2099; ZT keys. Ben: tyres\n",
    )
    following.sync()
    mine = following.ask("What does Ana have to do?")
    assert mine.verdict == "complete" and "**1 action** of Ana" in mine.text and "by 8 January 2099" in mine.text
    assert (
        "tyres" in following.ask("What are Ben's actions?").text and "keys" not in following.ask("What are Ben's actions?").text
    )
    following.workspace.close()
