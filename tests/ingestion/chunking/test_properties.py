"""What a document says of itself belongs to each of its leaves."""

from __future__ import annotations

import pytest

from connectors.base import Document
from connectors.formats import parse_bytes
from ingestion.chunking.chunker import MOST, leaves
from ingestion.chunking.properties import says_nothing_else

PARTS = "\n\n".join(
    f"## Part {part}\n\n" + "\n\n".join(f"Pump {part}.{n} runs at {n} bar, and somebody looks at it each day." for n in range(90))
    for part in "AB"
)


def document(text: str, name: str = "pumps.md") -> Document:
    parsed = parse_bytes(name, text.encode())
    return Document(name, parsed.title or name, (), parsed.sections, "", kind=parsed.kind, metadata=parsed.metadata)


def properties(text: str, name: str = "pumps.md") -> dict[str, str]:
    found = {leaf.properties for leaf in leaves(document(text, name))}
    assert len(found) == 1  # every leaf has the same
    return dict(found.pop())


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("Owner: Team Keel (Iris Vale). Last reviewed: 3 May 2026.", {"Owner": "Team Keel (Iris Vale)", "Last reviewed": "3 May 2026"}),
        ("**Status:** accepted · **Date:** 2026-05-03", {"Status": "accepted", "Date": "2026-05-03"}),
        ("- Author: Iris Vale\n- Version: 3.1", {"Author": "Iris Vale", "Version": "3.1"}),
        ("By Iris Vale", {"Author": "Iris Vale"}),
        ("Iris Vale, 3 May 2026", {"Author": "Iris Vale", "Date": "3 May 2026"}),
        ("| | |\n|---|---|\n| Owner | Iris Vale |\n| Severity | 2 |", {"Owner": "Iris Vale", "Severity": "2"}),
        ("Published by Quay Press on 2026-05-03 under water.", {"Publisher": "Quay Press", "Date": "2026-05-03"}),
        ("| Date | Status |\n|---|---|\n| 1 May | wet |", {}),
        ("The status: nobody knows it yet.", {}),
    ],
)  # fmt: skip
def test_lines_at_the_head_are_in_every_leaf(head: str, expected: dict[str, str]):
    assert properties(f"# Pumps\n\n{head}\n\n{PARTS}\n") == expected


def test_so_are_front_matter_and_the_head_of_a_mail():
    assert properties(f"---\ntitle: Pumps\nauthor: Iris Vale\nlast_reviewed: 2026-05-03\ndraft: false\n---\n\n{PARTS}") == {
        "Author": "Iris Vale",
        "Last reviewed": "2026-05-03",
    }
    mail = f"From: Iris Vale <iris@quay.example>\nTo: Ops <ops@quay.example>\nSubject: Pumps\nDate: Sun, 03 May 2026 08:00:00 +0000\n\n{PARTS}"
    assert properties(mail, "pumps.eml")["From"] == "Iris Vale <iris@quay.example>"


def test_a_section_of_one_line_says_it_too():
    assert properties(f"# Pumps\n\n## Status\n\nsuperseded by 0009\n\n{PARTS}") == {"Status": "superseded by 0009"}


def test_a_byline_is_no_leaf_of_its_own():
    text = f"# Pumps\n\nOwner: Team Keel\nLast reviewed: 3 May 2026\n\n{PARTS}\n\nPublished by Quay Press on 2026-05-04.\n"
    found = leaves(document(text))
    assert not [leaf for leaf in found if says_nothing_else(leaf.text)]
    assert found[0].text.startswith("Owner: Team Keel\nLast reviewed: 3 May 2026\n\n## Part A\n\nPump A.0 runs")
    assert found[-1].text.endswith("\n\nPublished by Quay Press on 2026-05-04.")
    assert max(len(leaf.text) for leaf in found) <= MOST


def test_every_place_in_a_leaf_with_a_byline_is_still_known():
    first = leaves(document(f"# Pumps\n\nOwner: Team Keel\n\n{PARTS}\n"))[0]
    assert [(piece.start, piece.label) for piece in first.pieces] == [(0, ""), (first.text.index("Pump A.0"), "Part A")]
    assert first.pieces[0].end == first.pieces[1].start and first.pieces[-1].end == len(first.text)


def test_the_text_of_a_ticket_and_of_a_mailbox_says_nothing_of_itself():
    parsed = document("# T\n\nOwner: Iris Vale\n")
    ticket = Document("1", "PIER-7 Gate", (), parsed.sections, "", kind="ticket", metadata={"type": "Bug", "status": "Done"})
    assert [tuple(leaf.properties) for leaf in leaves(ticket)] == [(("Type", "Bug"), ("Status", "Done"))]
