"""Pages that say in paragraphs what is to be done are told as such, in their order."""

from __future__ import annotations

import pytest

from prompts.extractive.told_sections import told_sections
from prompts.records import LeafText
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

PAGE = """{title}

First put the trolley over the grate and chock both wheels, or it rolls away.

Undo the nut until the blade is loose and knock the pin out from below. Fit the new blade with a NEW pin. Never use an old pin.

Old blades go in the green skip.
"""
MIXER = """# Mixer M4: switching on, using, switching off

## On

1. Check that the bowl is locked.
2. Turn the red switch.
3. Wait for the lamp.

## Bowls

Bowls are washed by hand.

## Off

Stop the arm, lower the bowl and pull the plug. Put the cover on.
"""


@pytest.mark.parametrize("name", ["changing-mower-blades.txt", "blades.txt"])
@pytest.mark.parametrize(
    "title", ["Changing mower blades - written down by Ole for the third time", "Changing mower blades     O. Brandt, rev. 3"]
)
def test_a_page_without_steps_is_told_by_its_title(docs: Following, title: str, name: str) -> None:
    docs.write(name, PAGE.format(title=title))
    docs.write("stores.md", "# Stores\n\nMower blades come from Hald, six weeks. Blades are on shelf 4.\n")
    first = answered(docs, "How do I change the blades of a mower?").text.split("More passages")[0]
    assert "chock both wheels" in first and "NEW pin" in first and first.index("chock") < first.index("NEW pin")


def test_a_page_that_says_nothing_to_do_is_not(docs: Following) -> None:
    docs.write("mowers.txt", "Changing mower blades\n\nThe old blades were from 1990.\n\nThe new ones are from 2020.\n")
    told = answered(docs, "How do I change the blades of a mower?").text.split("More passages")[0]
    assert "The old blades were from 1990. The new ones" not in " ".join(told.split())
    leaf = LeafText((docs.folder / "mowers.txt").read_text(), ("mowers.txt",))
    assert told_sections(leaf) == () and told_sections(LeafText(PAGE.format(title="Changing blades"), ("blades.txt",)))


def test_off_is_the_section_on_switching_off(docs: Following) -> None:
    docs.write("mixer.md", MIXER)
    told = answered(docs, "I am the last one, how do I switch off the mixer?").text.split("More passages")[0]
    assert "pull the plug" in told and "red switch" not in told
    told = answered(docs, "switching on the mixer").text.split("More passages")[0]
    assert "red switch" in told and "pull the plug" not in told


def test_what_is_to_be_done_stands_in_the_order_of_its_page(docs: Following) -> None:
    docs.write(
        "parcels.md",
        "# Parcels\n\n## Receiving\n\nThe driver rings at the gate. Open the parcel from the driver with two people.\n\n"
        "Count the bottles against the delivery note.\n\nFile the delivery note of a parcel of bottles from the driver in the blue folder.\n",
    )
    docs.write("gate.md", "# Gate\n\nThe gate is green.\n")
    told = answered(docs, "how do I receive a parcel of bottles from the driver").text.split("More passages")[0]
    assert told.index("two people") < told.index("blue folder")
