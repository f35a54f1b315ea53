"""Who did somebody's job before, and who stands in for whom, is read only where a line says it outright."""

from __future__ import annotations

import pytest

from tree.retrieve.predecessors import PREDECESSOR, STAND_IN, predecessor_facts


def told(text: str) -> list[tuple[str, str, str]]:
    return [
        (fact.subject.name, fact.relation, fact.value)
        for fact in predecessor_facts(text)
        if fact.relation in (PREDECESSOR, STAND_IN)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "- **Ida Holm** – head of the loft (since May 2021; before her Otto Reyl, retired)",
        "**Ida Holm**, warden since 1 April 2021. Before her Otto Reyl; he still brings tea.",
        "Quality: Ida Holm, since 1 February 2025, follows Otto Reyl (retired).",
        "- Ida Holm – lamps and ropes. Until April 2025 this was Otto Reyl, who keeps a key.",
        "Ida Holm leitet die Werft seit 2021, vor ihr Otto Reyl.",
        "Dr. Ida Holm succeeds Dr. Otto Reyl.",
    ],
)
def test_who_did_the_job_before(line: str) -> None:
    assert told(f"# Who is who\n\n{line}\n") == [("Ida Holm", PREDECESSOR, "Otto Reyl")]


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("Deputy: Ida Holm, on leave 1 May 2026 to 30 June 2026; until then Per Lund stands in.", "Per Lund, until 30 June 2026"),
        ("Lead: Otto Reyl. Deputy: Ida Holm, away for a while; meanwhile Per Lund covers.", "Per Lund"),
        ("Per Lund stands in for Ida Holm.", "Per Lund"),
        ("Per Lund vertritt Ida Holm.", "Per Lund"),
    ],
)
def test_who_stands_in(line: str, who: str) -> None:
    assert told(line) == [("Ida Holm", STAND_IN, who)]


@pytest.mark.parametrize(
    "line",
    [
        "Per Lund covers for Ida Holm on Friday.",
        "Before her holiday Ida Holm met Otto Reyl.",
        "| Ida Holm | before her Otto Reyl |",
        "Ida Holm left before Otto Reyl came.",
        "Ida Holm replaces Otto Reyl in week 7.",
    ],
)
def test_what_is_of_a_day_or_says_something_else_is_not_read(line: str) -> None:
    assert told(line) == []


def test_it_is_told_of_both() -> None:
    [_, other] = predecessor_facts("Dr. Ida Holm succeeds Dr. Otto Reyl.")
    assert (other.subject.name, other.relation, other.value) == ("Otto Reyl", "successor", "Ida Holm")


@pytest.mark.parametrize(
    "line",
    [
        "| Warden | Ida Holm, acting from 15 June to 30 November 2026 for Otto Reyl (leave) | 41 |",
        "Warden: Ida Holm, acting until 30 November 2026 for Otto Reyl.",
    ],
)
def test_who_acts_for_somebody_stands_in_and_comes_after(line: str) -> None:
    assert told(line) == [("Otto Reyl", STAND_IN, "Ida Holm, until 30 November 2026"), ("Ida Holm", PREDECESSOR, "Otto Reyl")]
