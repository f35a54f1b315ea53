"""What a release brought, and which one is the latest, is told from the sections of a log of releases."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.direct.release_answer import _HEADING

LOG = """# Releases of the tide gauge

## 4.0.0 (not released yet, 2024-11-01)

- Gauges talk to each other

## 3.2.0 (20 October 2024)

- Alarm by text message
- Fixed: the lamp stayed dark at noon

## 3.1.1 - 2024-09-04

- Fixed: wrong zone

## [3.1.0] 1 September 2024

- Second display
"""
HANDBOOK = "# Yard handbook\n\n## 3.1 Ropes\n\nRopes hang on the wall.\n\n## 3.2 Knots\n\nTie them twice.\n"


@pytest.fixture
def log(docs: Following) -> Following:
    docs.write("gauge/CHANGELOG.md", LOG)
    docs.write("handbook.md", HANDBOOK)
    return docs


@pytest.mark.parametrize(
    ("question", "told", "left"),
    [
        ("what is new in 3.2.0?", "Alarm by text message", "Second display"),
        ("release notes 3.1.1", "wrong zone", "Alarm"),
        ("what changed in version 3.1.0", "Second display", "Alarm"),
        ("latest release", "Alarm by text message", "Gauges talk"),
        ("latest gauge release", "Alarm by text message", "Gauges talk"),
        ("what is the latest version of the tide gauge?", "Alarm by text message", "Gauges talk"),
        ("when was 3.1.1 released?", "**4 September 2024**", "Alarm"),
        ("what did we release in September 2024", "Second display", "Alarm"),
    ],
)
def test_the_section_is_told(log: Following, question: str, told: str, left: str) -> None:
    answer = answered(log, question)
    assert told in answer.text and left not in answer.text, answer.text
    assert answer.verdict == ("partial" if "did we release" in question else "complete")  # there may be releases in no log


@pytest.mark.parametrize("question", ["what is new in 3.9.9", "latest release of the crane", "what is new in the yard handbook"])
def test_what_no_log_says_is_not_told_from_one(log: Following, question: str) -> None:
    assert "display" not in answered(log, question).text.split("\n")[0]
    assert answered(log, question).verdict != "complete"


def test_a_log_by_months_is_told_for_the_month(docs: Following) -> None:
    docs.write(
        "site/changes.md",
        "# Tide site - what changed\n\n### October 2024\n\n- 22 Oct: new map\n\n### September 2024\n\n- 3 Sept: new font\n",
    )
    answer = answered(docs, "what changed in the tide site in October 2024?")
    assert answer.verdict == "complete" and "new map" in answer.text and "new font" not in answer.text, answer.text
    assert "new" not in answered(docs, "what changed in the tide site in August 2024?").text.split("\n")[0]


@pytest.mark.parametrize(
    ("heading", "question", "verdict", "said"),
    [
        ("5.1.0 (planned for 12 May 2025, released 3 June 2025)", "when was 5.1.0 released", "complete", "**3 June 2025**"),
        ("5.8.1 - hotfix for 5.8.0 of 1 July 2026", "when was 5.8.1 released", "none", ""),
        ("5.4.0-rc1 (20 November 2026)", "latest release", "complete", "**5.0.0"),
        ("5.4.0 - 5 October 2026 (beta)", "latest release", "complete", "**5.0.0"),
        ("5.4.0 - 2090-01-01", "what is new in 5.4.0", "partial", "**5.4.0"),
        ("5.4.0", "latest release", "partial", "**5.0.0"),
    ],
)
def test_a_day_is_one_of_a_release_that_is_out(docs: Following, heading: str, question: str, verdict: str, said: str) -> None:
    docs.write("log.md", f"# Changelog of the gate\n\n## {heading}\n\n- New lamp\n\n## 5.0.0 - 2025-02-01\n\n- Old lamp\n")
    answer = answered(docs, question)
    assert answer.verdict == verdict or (verdict == "none" and answer.verdict != "complete"), answer.text
    assert answer.text.startswith(said)


def test_what_is_known_or_removed_is_told_under_its_heading(docs: Following) -> None:
    docs.write("log.md", "# Changelog\n\n## 5.0.0 - 2025-02-01\n\n- New lamp\n\n### Removed\n\n- The old rope\n")
    text = answered(docs, "what is new in 5.0.0").text
    assert text.index("New lamp") < text.index("*Removed*") < text.index("The old rope")


def test_numbered_chapters_are_no_releases(docs: Following) -> None:
    docs.write("handbook.md", HANDBOOK)
    assert answered(docs, "what is new in 3.1").verdict != "complete"
    assert answered(docs, "latest version").verdict != "complete"


MINUTES = """# Rope loft

## 10 October 2024

Present: Ana Sol, Ben Marsh

- A new loom, 3 euro. Turned down.

## 24 October 2024

Present: Ana Sol, Ben Marsh

- Two spools are bought.
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("loft/minutes.md", MINUTES),
        ("loft/changes.md", MINUTES),  # of a meeting about changes
        ("loft/holidays.md", "# Holidays of the loft\n\n## 24 October 2024\n\nBen is away with two spools.\n"),
    ],
)
def test_sections_by_day_are_changes_only_in_a_log_of_changes(docs: Following, name: str, text: str) -> None:
    docs.write(name, text)
    for question in ("What was added to the loft in October 2024?", "What has changed in the loft since 1 October 2024?"):
        answer = answered(docs, question)
        assert answer.verdict != "complete" and "spools" not in answer.text.split("\n")[0], answer.text


def test_sections_by_day_of_a_log_of_changes_are_told(docs: Following) -> None:
    docs.write("loft/changes.md", "# Loft: changes\n\n## 24 October 2024\n\n- Two spools are bought.\n")
    answer = answered(docs, "What has changed in the loft since 1 October 2024?")
    assert answer.verdict == "complete" and "spools" in answer.text, answer.text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("chat.txt", "[2024-10-22 09:00] Ana Sol: 3.2.0 is rolled back, everybody is on 3.1.1 again\n"),
        ("chat.txt", "[2024-10-22 09:00] Ana Sol: the boats are back on 3.1.1\n"),
        ("chat.txt", "[2024-10-22 09:00] Ana Sol: 3.2.0 broke the horn, so we pulled it\n"),
        ("minutes.md", "# Weekly, 25 October 2024\n\nPresent: Ana Sol, Ben Marsh\n\n- We had to roll back 3.2.0.\n"),
    ],
)
def test_a_release_that_was_taken_back_is_told_below_what_says_so(log: Following, name: str, said: str) -> None:
    log.write(name, said)
    for question in ("latest release", "what is new in 3.2.0?", "when was 3.2.0 released?"):
        answer = answered(log, question)
        assert answer.verdict == "partial" and answer.text.startswith("Said later:"), answer.text
    assert answered(log, "what is new in 3.1.1?").verdict == "complete"


@pytest.mark.parametrize(
    "said",
    [
        "[2024-10-22 09:00] Ana Sol: 3.2.0 is not rolled back",
        "[2024-10-22 09:00] Ana Sol: shall we roll back 3.2.0?",
        "[2024-10-22 09:00] Ana Sol: 3.2.0 mends the rollback of alarms",
        "[2024-10-02 09:00] Ana Sol: 3.2.0 is withdrawn until the horn works",
        "[2024-10-22 09:00] Ana Sol: 2.9 is withdrawn, 3.2.0 is there",
    ],
)
def test_what_does_not_take_a_release_back_leaves_it_as_it_is(log: Following, said: str) -> None:
    log.write("chat.txt", f"{said}\n")
    assert answered(log, "latest release").verdict == "complete"


@pytest.mark.parametrize("beside", ["delayed to 20 October 2024, no date yet", "postponed", "on hold", "date to be announced"])
def test_a_release_that_is_delayed_is_not_out(docs: Following, beside: str) -> None:
    docs.write("log.md", f"# Changelog of the gate\n\n## 5.4.0 ({beside})\n\n- New lamp\n\n## 5.0.0 - 2025-02-01\n\n- Old lamp\n")
    assert answered(docs, "what is new in 5.4.0").verdict == "partial"
    assert answered(docs, "latest release").text.startswith("**5.0.0")


@pytest.mark.parametrize(
    ("heading", "version"),
    [
        ("5.3.0 (24 November 2026)", "5.3.0"),
        ("[2.1.0] - 2026-10-01", "2.1.0"),
        ("Version 3.2, 4 May 2026", "3.2"),
        ("v1.2.3", "v1.2.3"),
        ("2026.24 (not released 2026-12-01)", "2026.24"),
        ("Release 4.2 – 3 March 2026", "4.2"),
        ("5.1 Backups", None),
        ("5.1. Backups", None),
        ("10.0.0.1 is the gateway", None),
    ],
)
def test_a_heading_that_is_a_version(heading: str, version: str | None) -> None:
    match = _HEADING.match(heading)
    assert (match["version"] if match is not None else None) == version


def test_what_was_fixed_or_added_is_told_from_below_that_heading(docs: Following) -> None:
    docs.write(
        "CHANGELOG.md",
        "# Changelog\n\n## 4.2.0 - 2026-11-10\n\n### Added\n\n- Export of tides.\n\n### Fixed\n\n- The total was wrong.\n\n"
        "## 4.1.0 - 2026-09-15\n\n### Changed\n\n- Sessions last 12 hours.\n\n### Removed\n\n- The old lamp.\n",
    )
    fixed = answered(docs, "What was fixed in 4.2.0?")
    assert fixed.verdict == "complete" and "The total" in fixed.text and "Export" not in fixed.text
    added = answered(docs, "What was added in 4.2.0?")
    assert added.verdict == "complete" and "Export" in added.text and "The total" not in added.text
    none = answered(docs, "What was fixed in 4.1.0?")
    assert none.verdict == "partial" and "Sessions last 12 hours" in none.text
    assert answered(docs, "What is new in 4.1.0?").verdict == "complete"
