"""Whether a document still holds: by its status, or by what replaced it; and what holds no more does not lead."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered


@pytest.fixture
def log(docs: Following) -> Following:
    docs.write(
        "adr/AD-03-ropes.md", "# AD-03: Hemp ropes\n\nStatus: superseded by AD-09\n\nEvery boat gets four ropes of hemp.\n"
    )
    docs.write(
        "adr/AD-09-ropes.md",
        "# AD-09: Nylon ropes\n\nStatus: accepted\nSupersedes: AD-03\n\nEvery boat gets six ropes of nylon.\n",
    )
    docs.write("adr/AD-10-paint.md", "# AD-10 Paint of the hull\n\nStatus: in force\n\nThe hull is painted red.\n")
    docs.write(
        "adr/AD-14-paint.md", "# AD-14 Paint, once more\n\n*Decided 3 May 2026. Replaces AD-10.*\n\nThe hull is painted blue.\n"
    )
    docs.write("adr/AD-15-oars.md", "# AD-15 Oars\n\nOars are made of ash.\n")
    return docs


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("is decision AD-03 still valid", "**No**: AD-03: Hemp ropes – Status: superseded by AD-09"),
        ("Does AD-03 still apply?", "**No**: AD-03: Hemp ropes – Status: superseded by AD-09"),
        ("is AD-09 in force?", "**Yes**: AD-09: Nylon ropes – Status: accepted"),
        ("Is AD-10 still current?", "**No**: AD-10 Paint of the hull – AD-14 Paint, once more: Replaces AD-10"),
        ("was AD-03 superseded?", "AD-03: Hemp ropes – Status: superseded by AD-09"),
        ("what replaced AD-10?", "AD-10 Paint of the hull – AD-14 Paint, once more: Replaces AD-10"),
    ],
)
def test_the_status_answers(log: Following, question: str, told: str) -> None:
    answer = answered(log, question)
    assert answer.verdict == "complete"
    assert answer.text.replace("\\", "").startswith(told)


@pytest.mark.parametrize("question", ["is AD-15 still valid?", "Is AD-99 still valid?", "is the ferry ticket still valid?"])
def test_nothing_is_claimed_without_one(log: Following, question: str) -> None:
    assert answered(log, question).verdict != "complete"


def test_what_holds_leads(log: Following) -> None:
    text = answered(log, "how many ropes per boat did we settle on").text
    assert "six ropes of nylon" in text
    assert "four ropes" not in text or text.index("six ropes") < text.index("four ropes")


def test_a_section_of_a_log_that_holds_no_more_says_nothing_of_the_next(docs: Following) -> None:
    docs.write(
        "log.md",
        "# Decisions of the club\n\n## Lamps of oil\n\nStatus: replaced\n\nThe jetty is lit by lamps of oil.\n\n"
        "## Lamps of gas\n\nStatus: accepted\n\nThe jetty is lit by lamps of gas, for they stand in the wind.\n",
    )
    text = answered(docs, "which lamps is the jetty lit by").text
    assert "lamps of gas" in text
    assert "lamps of oil" not in text or text.index("lamps of gas") < text.index("lamps of oil")
