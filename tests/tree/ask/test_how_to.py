"""How a way to do something is told: the right procedure, whole, in order, and none in place of another."""

from __future__ import annotations

import pytest

from prompts.extractive.pages import says_what_to_do
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

PUMP = """# PumpPressureLow

## Meaning

The pressure of a pump fell below two bar.

## Diagnosis

1. Read the gauge of the pump:

   ```sh
   gauge read --pump 3
   ```

2. Look for water below the seal.
4. Listen for a whistle at the valve.

## Mitigation

The fall may have a variety of causes, including:

- A worn seal
- A valve that is stuck

1. Close the inlet.

If the seal is worn:

2. Put in a new seal.
3. Open the inlet.

If the pressure does not come back, call the workshop.

## Resources

See the handbook of the maker.
"""
TANK = """# TankLevelHigh

## Mitigation

1. Open the drain.
2. Wait for the level to fall, also where PumpPressureLow was seen.
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("built"))
    following.write("alerts/pump.md", PUMP)
    following.write("alerts/tank.md", TANK)
    for number in range(9):
        following.write(f"notes/{number}.md", f"# Note {number}\n\nThe hall was swept on day {number}.\n")
    following.sync()
    return following.closed()


@pytest.fixture
def docs(built, tmp_path):
    following = built.copied(tmp_path)
    yield following
    following.workspace.close()


def _places(text: str, *words: str) -> list[int]:
    assert all(word in text for word in words), text
    return [text.index(word) for word in words]


@pytest.mark.parametrize(
    "question", ["What do I do when PumpPressureLow fires?", "how do i fix PumpPressureLow", "PumpPressureLow: what should I do?"]
)
def test_of_an_alert_all_that_its_page_says_to_do_is_told_in_order(docs, question: str) -> None:
    answer = docs.ask(question)
    said = (
        "**Diagnosis**",
        "1. Read the gauge",
        "gauge read --pump 3",
        "2. Look for water",
        "3. Listen for",
        "**Mitigation**",
        "Close the inlet",
    )
    places = _places(answer.text, *said, "If the seal is worn:", "new seal", "Open the inlet", "call the workshop")
    assert places == sorted(places) and answer.verdict == "complete"
    assert "drain" not in answer.text and "maker" not in answer.text


def test_a_list_of_causes_is_not_told_as_steps(docs) -> None:
    assert "A valve that is stuck" not in docs.ask("What do I do when PumpPressureLow fires?").text


def test_the_part_of_the_page_that_is_asked_for_is_enough(docs) -> None:
    text = docs.ask("How do I diagnose PumpPressureLow?").text
    assert "Read the gauge" in text and "Close the inlet" not in text


def test_steps_of_another_procedure_are_not_told_in_place_of_none(docs) -> None:
    answer = docs.ask("How do I fix PumpSpeedHigh?")
    assert answer.verdict != "complete"
    assert "1. " not in answer.text


def test_a_page_of_several_leaves_is_read_for_what_it_says_to_do(docs) -> None:
    filler = "".join(
        f"The boiler of hall {number} makes steam for the laundry, and has done so since week {number}. " for number in range(60)
    )
    steps = "".join(f"{number}. Turn handle {number} by a quarter.\n" for number in range(1, 5))
    docs.write(
        "boiler.md",
        f"# BoilerTooHot\n\n## Meaning\n\nBoilerTooHot is seen.\n\n{filler}\n\n## Background\n\n{filler}\n\n## Mitigation\n\n{filler}\n\n{steps}",
    )
    docs.sync()
    places = _places(docs.ask("how do i fix BoilerTooHot").text, *(f"{number}. Turn handle {number}" for number in range(1, 5)))
    assert places == sorted(places)


def test_steps_that_are_headings_are_told_with_their_titles(docs) -> None:
    docs.write(
        "lathe.md",
        "# Starting the lathe\n\n## Step 1: Check the belt\n\nIt must be dry.\n\n## Step 2: Close the hood\n\nThe lamp goes green.\n",
    )
    docs.sync()
    text = docs.ask("How do I start the lathe?").text
    assert "1. **Check the belt** It must be dry." in text and "2. **Close the hood** The lamp goes green." in text


def test_long_code_in_a_step_stays_one_piece(docs) -> None:
    code = "\n".join(f"valve set --number {number} --open half --wait until-still" for number in range(20))
    docs.write("valves.md", f"# Balancing the valves\n\n1. Set them:\n\n   ```sh\n{code}\n   ```\n\n2. Write down the day.\n")
    docs.sync()
    assert docs.ask("How do I balance the valves?").text.count("```text") == 1


def test_the_steps_of_the_opposite_are_no_answer(docs) -> None:
    docs.write("press.md", "# Starting the old oil press\n\n1. Close the hood.\n2. Pull the lever.\n")
    docs.sync()
    assert docs.ask("How do I start the old oil press?").verdict == "complete"
    assert docs.ask("How do I stop the old oil press?").verdict != "complete"


def test_a_slip_of_the_pen_does_not_cut_a_procedure(docs) -> None:
    docs.write(
        "press.md", "# Cleaning the carpet of the north hall\n\n1. Close the hood.\n2. Pull the lever.\n3. Fill the cup.\n"
    )
    docs.sync()
    answer = docs.ask("How do I clean the carpat of the north hall?")
    assert "Close the hood" in answer.text and "Fill the cup" in answer.text


def test_a_list_of_properties_is_no_procedure(tmp_path):
    following = Following(tmp_path)
    following.write(
        "seal.md",
        "# seal\n\n## Settings\n\n### Install seals\n\n* Default: false\n* Type: Boolean\n\nWhen set, seals are kept.\n",
    )
    for number in range(6):
        following.write(f"other{number}.md", f"# Valve {number}\n\nThe valve has a spring.\n")
    following.sync()
    assert following.ask("How do I install seals?").verdict != "complete"


@pytest.mark.parametrize(
    ("heading", "says"),
    [
        ("Steps", True),
        ("Next steps", True),
        ("Diagnosis and steps", True),
        ("Mitigation", True),
        ("Rails and wooden steps", False),
    ],
)
def test_a_heading_says_what_to_do_where_steps_are_not_its_topic(heading: str, says: bool) -> None:
    assert says_what_to_do(heading) is says


LANTERNS = """# Lanterns

## Access

To add a keeper or check a keeper:

1. Open the register.
2. Press the button with the plus.

## Crossing

1. Keepers add their names to the list at the quay.
2. Open the gate of the lantern room.
3. Leave the keys with the crew.
"""


def test_the_line_above_the_steps_says_what_they_are_for(tmp_path):
    following = Following(tmp_path)
    following.write("lanterns.md", LANTERNS)
    for number in range(6):
        following.write(f"other{number}.md", f"# Valve {number}\n\nThe valve has a spring.\n")
    following.sync()
    answer = following.ask("How do I add a keeper?")
    assert "Press the button" in answer.text and "Open the gate" not in answer.text


@pytest.fixture(scope="module")
def boat(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("boat"))
    following.write(
        "pump.md",
        "# The bilge pump\n\n## Start the pump\n\n1. Open the sea cock.\n2. Press the green button.\n3. Wait for the lamp.\n\n"
        "## Turn on the night alarm\n\n1. Open the panel.\n2. Set switch A to 1.\n",
    )
    following.write(
        "crew.md",
        "# Crew list\n\n## Adding a sailor\n\n1. Open the book at the letter.\n2. Write name and cabin.\n\n"
        "## Set up a radio\n\n1. Screw the antenna on.\n2. Choose channel 12.\n",
    )
    following.write("fuel.md", "# Night refuelling\n\n1. Put the fire blanket on deck.\n2. Connect the hose.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "step"),
    [
        ("How do I launch the pump?", "Open the sea cock"),
        ("How do I activate the night alarm?", "Set switch A"),
        ("How can I register a sailor?", "Write name and cabin"),
        ("How do I install a radio?", "Screw the antenna"),
        ("How do I configure a radio?", "Screw the antenna"),
        ("How do I start the night refuelling?", "Connect the hose"),
    ],
)
def test_another_verb_for_the_same_finds_the_steps(boat, question, step) -> None:
    answer = boat.ask(question)
    assert answer.verdict == "complete" and step in answer.text and answer.text.startswith("1. ")


@pytest.mark.parametrize(
    "question",
    [
        "How do I stop the pump?", "How do I shut down the pump?", "How do I restart the pump?", "How do I turn off the night alarm?",
        "How do I turn the night alarm off?", "How do I disable the night alarm?", "How do I delete a sailor?", "How do I remove a sailor?",
        "How do I uninstall a radio?", "How do I cancel the night refuelling?",
    ],
)  # fmt: skip
def test_a_verb_for_the_opposite_never_does(boat, question) -> None:
    assert boat.ask(question).verdict != "complete"


def test_what_is_needed_first_is_told_once(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "bilge.md",
        "# Empty the bilge\n\n## Prerequisites\n\n- The key of the engine room.\n- A second person.\n\n## Steps\n\n"
        "1. Open the hatch.\n2. Start the hand pump. Before it is dry.\n3. Close the hatch.\n",
    )
    following.sync()
    text = following.ask("How do I empty the bilge?").text
    assert text.startswith("Before you start:\n\n- The key of the engine room.") and text.count("second person") == 1
    assert "1. Open the hatch." in text and "Prerequisites" not in text


def test_before_you_start_is_said_once(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "bilge.md",
        "# Empty the bilge\n\nBefore you start, check that the hose is not frozen.\n\n"
        "1. Open the hatch.\n2. Start the hand pump.\n3. Close the hatch.\n",
    )
    following.sync()
    text = following.ask("How do I empty the bilge?").text
    assert text.startswith("Before you start:\n\n- check that the hose is not frozen.") and text.count("Before you start") == 1


def test_one_sentence_that_says_it_leads_over_steps_for_something_else(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "keys.md",
        "# Rules of the quay\n\n## Keys\n\nA lost badge is reported to the gate (4300) within an hour.\n\n## When something has happened\n\n"
        "1. Call me.\n2. Write down what you lost and when, and whether a badge was near it.\n3. Wait.\n",
    )
    following.sync()
    assert (
        "A lost badge is reported to the gate"
        in following.ask("What do I do when a badge is lost?").text.split("More passages")[0]
    )


LAUNCH = """# The day of a launch

Nobody goes aboard before the slip is signed off. That takes a key for the winch.

## In the shed

1. Count the wedges.
2. Grease the rails.

## On the slip

1. Knock out the wedges.
2. Let go of the winch.

## Afterwards

1. Look for water in the bilge.
2. Sign the log.

Never leave a boat at the quay overnight.

## Who pays

The owner does.
"""
RELAUNCH = """# Haul a boat out

1. Drain the bilge.
2. Do it backwards as in "On the slip", step 2, of [the launch](launch.md).
3. Wash the keel. See [the launch](launch.md).
"""


@pytest.fixture
def slip(tmp_path):
    following = Following(tmp_path)
    following.write("launch.md", LAUNCH)
    following.write("haul.md", RELAUNCH)
    for number in range(9):
        following.write(f"notes/{number}.md", f"# Note {number}\n\nThe hall was swept on day {number}.\\n")
    following.sync()
    yield following
    following.workspace.close()


def test_all_parts_of_what_the_title_says_are_told_in_order(slip) -> None:
    text = slip.ask("How do we do a launch?").text
    places = _places(text, "Count the wedges", "Knock out the wedges", "Look for water")
    assert places == sorted(places)


def test_what_must_or_must_not_be_done_is_told_with_the_steps(slip) -> None:
    text = slip.ask("How do we do a launch?").text
    places = _places(text, "Count the wedges", "Sign the log", "Never leave a boat")
    assert places == sorted(places) and "The owner does" not in text


def test_a_step_that_names_a_part_of_another_page_leads_to_that_part(slip) -> None:
    answer = slip.ask("How do I haul a boat out?")
    assert "Knock out the wedges" in answer.text and "Count the wedges" not in answer.text, answer.text


EVACUATION = "# Leaving the hall\n\n1. Close the gas tap at the door.\n2. Walk to the lamp post.\n3. Count everybody.\n"


@pytest.mark.parametrize(
    "link",
    [
        "follow [this procedure](evac.md)",
        "work through [the page on leaving](evac.md#leaving-the-hall)",
        "do as [this page](evac.md) says",
    ],
)
def test_the_steps_to_which_a_sentence_sends_whoever_it_happens_to(docs: Following, link: str) -> None:
    docs.write(
        "siren.md",
        f"# Siren\n\nThe siren stands on the roof and sounds every Monday for a test.\n\nWhen the siren sounds, {link}.\n",
    )
    docs.write("evac.md", EVACUATION)
    answer = answered(docs, "What do I do when the siren sounds?")
    assert answer.verdict == "partial"
    told = [answer.text.find(one) for one in ("When the siren sounds", "1. Close the gas tap", "2. Walk", "3. Count everybody")]
    assert -1 not in told and told == sorted(told)


@pytest.mark.parametrize("link", ["see [the history](evac.md)", "think of [last year](evac.md)"])
def test_a_link_that_is_only_beside_it_gives_no_steps(docs: Following, link: str) -> None:
    docs.write("siren.md", f"# Siren\n\nWhen the siren sounds, everybody is alarmed; {link}.\n")
    docs.write("evac.md", EVACUATION)
    assert "Close the gas tap" not in answered(docs, "What do I do when the siren sounds?").text.split("More passages")[0]


def test_another_procedure_that_stands_above_the_steps_is_not_told_before_them(docs: Following) -> None:
    docs.write("failover.md", "# Failover\n\n1. Fence the old machine.\n2. Promote the standby.\n")
    docs.write(
        "restore.md",
        "# Restore the ledger\n\nUse this when the ledger is lost. If only the machine is gone, do a [failover](failover.md) instead.\n\n"
        "1. Stop the writers.\n2. Load the copy of the night.\n3. Start the writers.\n",
    )
    answer = answered(docs, "How do I restore the ledger?")
    assert answer.verdict == "complete" and "1. Stop the writers" in answer.text and "Fence the old machine" not in answer.text


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Call the embassy first. The number is 0351 213.", True),
        ("Before you do anything, call the embassy.", True),
        ("First of all: call the embassy.", True),
        ("The first passport of a child is free.", False),
        ("We had four such cases.", False),
    ],
)
def test_what_is_done_before_the_first_step_is_told_with_the_steps(docs: Following, said: str, is_told: bool) -> None:
    docs.write(
        "passport.md",
        f"# What to do when a customer loses the passport\n\n{said}\n\n1. Report the loss to the police.\n2. Send a scan to the embassy.\n3. Book an appointment.\n",
    )
    answer = answered(docs, "What do I do when a customer loses the passport?")
    assert answer.verdict == "complete" and "1. Report the loss to the police." in answer.text
    assert (said in answer.text) is is_told


@pytest.mark.parametrize("heading", ("You need", "What you'll need", "Needed", "You will need first"))
def test_what_is_needed_stands_below_a_heading_of_its_own(docs: Following, heading: str) -> None:
    docs.write(
        "deploy.md",
        f"# Deploying Gangway to production\n\nWe deploy on Tuesdays.\n\n### {heading}\n\n* a release tag signed off by Ida\n"
        "* a second engineer awake\n\n### Do it\n\n1. Announce it in the channel.\n2. Stage it and wait.\n3. Roll out.\n",
    )
    text = answered(docs, "How do I deploy to production?").text
    assert text.startswith("Before you start:\n\n- a release tag signed off by Ida"), text
    assert "1. Announce it in the channel." in text
