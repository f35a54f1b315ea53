"""The content types and what speaks for them."""

from __future__ import annotations

import pytest

from prompts.extractive.passages import passages
from prompts.extractive.types import content_types
from prompts.records import LeafText
from prompts.taxonomy import UNCLASSIFIED, ContentType, Taxonomy, name_of, taxonomy


def types(text: str, *heading: str, kind: str = "file") -> tuple[str, ...]:
    leaf = LeafText(text, heading, kind=kind)
    return content_types(leaf, list(passages(leaf)))


def test_there_are_more_than_fifty_types():
    assert 55 <= len(taxonomy().types) <= 75


def test_two_types_cannot_have_one_id():
    kind = ContentType(id="a", name="A", description="x")
    with pytest.raises(ValueError, match="id of its own"):
        Taxonomy(version=1, types=(kind, kind))


def test_names_are_for_people():
    assert name_of("how_to") == "How-to"
    assert name_of("gone_type") == "Gone type"


@pytest.mark.parametrize(
    ("expected", "leaf"),
    [
        ("glossary", ("Ledger: the book.\nRefund: money back.\nPayout: money out.\nEscrow: money kept.", "Glossary")),
        ("meeting_notes", ("Attendees: Ana, Ben.\n\n- Ben reports.\n- Ana agrees.", "Planning", "Meeting notes 2026-03-01")),
        ("runbook", ("1. Drain the node.\n2. Restart the kubelet.\n3. Check with kubectl get nodes.", "Runbook: node down")),
        ("faq", ("Is it free?\nYes.\nIs it open?\nYes.\nIs it fast?\nYes.", "Frequently asked questions")),
        ("release_notes", ("This release now supports PDF.", "Release notes 2.4")),
        ("acceptance_criteria", ("- [ ] The list loads.\n- [ ] The user can sort.", "PAY-7", "Acceptance criteria")),
    ],
)
def test_headings_and_structure_tell_the_type(expected: str, leaf: tuple[str, ...]):
    assert types(*leaf)[0] == expected


def test_the_kind_of_document_counts():
    assert "email" in types("Dear Ana,\nthe report is ready.\nBest regards\nBen", "Report", kind="email")


def test_without_evidence_nothing_is_claimed():
    assert types("Blue.", "x") == (UNCLASSIFIED,)
