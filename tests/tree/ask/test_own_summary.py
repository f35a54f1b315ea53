"""An overview of a document begins with what the document says of itself in short."""

from __future__ import annotations

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

LONG = "\n\n".join(
    f"The {number}th lamp was opened, cleaned, measured and closed again by the keeper of that week." for number in range(90)
)


def test_an_overview_begins_with_the_section_that_sums_up(docs: Following) -> None:
    summary = (
        "Two lamps were dark. Three findings were made:\n\n| Lamp | State |\n|---|---|\n| 4 | dark |\n\nThe harbour may open."
    )
    docs.write(
        "lamps.md", f"# Inspection of lamps\n\nSigned by two.\n\n## 1 Management summary\n\n{summary}\n\n## 2 Lamps\n\n{LONG}\n"
    )
    answer = answered(docs, "Summarise the inspection of lamps")
    assert answer.text.startswith("Two lamps were dark. Three findings were made: The harbour may open. [1]")
    assert answer.citations[0].passages[0].text.startswith("Two lamps were dark.")


def test_what_is_typed_just_as_a_heading_is_answered_by_what_stands_below_it(docs: Following) -> None:
    docs.write(
        "guests.md",
        "# Guests\n\n## I left something on board\n\nRing the quay. Things are kept for 90 days.\n\n## Dogs\n\nOn a lead.\n",
    )
    answer = answered(docs, "i left something on board")
    assert answer.verdict == "complete" and answer.text.startswith("Ring the quay. Things are kept for 90 days.")
