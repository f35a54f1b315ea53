"""The alerts and procedures of `bench howto` in small: invented pages with what is hard about real ones, asked and judged as there.

What is read of them and how an answer is judged is the bench's own code, so that a fall of its figures is seen here first.
"""

from __future__ import annotations

from random import Random

import pytest

from bench.howto import absent, figures, judged, questions
from bench.judging import Gold, answered
from tests.ingestion.workspaces import Following

FILES = {
    # another alert is named, and the title is the name
    "alerts/BoilerPressureLow.md": "# BoilerPressureLow\n\n## Meaning\n\nThe pressure of a boiler is below four bar. It often comes with "
    "BoilerWaterLost.\n\n## Impact\n\nThe dryers stand still.\n\n## Diagnosis\n\n1. Read the gauge at the boiler.\n2. Look for steam below the "
    "valve.\n\n## Mitigation\n\n1. Close the drain cock.\n2. Open the feed by a quarter turn.\n",
    # the title is the name in other words, and the page is for others too
    "alerts/dryer-fan.md": "# DryerFan Is Stuck\n\n## Meaning\n\nA fan of the dryer has not turned for a minute.\n\n## Alert\n\n"
    "DryerFanStuck, at times with DryerDoorOpen.\n\n## Mitigation\n\n1. Switch the dryer off.\n2. Turn the fan by hand.\n3. Switch the dryer on.\n",
    # a remedy without steps, one part of the page empty
    "alerts/BoilerWaterLost.md": "# BoilerWaterLost\n\n## Meaning\n\nA boiler has lost ten litres in an hour.\n\n## Diagnosis\n\nTODO\n\n"
    "## Mitigation\n\nShut the main valve and ring the fitter.\n",
    # a remedy that is another page
    "alerts/ConveyorSlow.md": "# ConveyorSlow\n\n## Meaning\n\nThe belt moves slower than the ovens bake.\n\n## Mitigation\n\n"
    "1. Lift the trays from the belt.\n2. Tighten it, see [the belt](../belt.md).\n3. Start at the lowest speed.\n",
    # nearly the same name
    "alerts/ConveyorMotorSlow.md": "# ConveyorMotorSlow\n\n## Meaning\n\nThe motor turns below its speed.\n\n## Diagnosis\n\n"
    "1. Hold a hand to the casing.\n2. Read the ammeter.\n\n## Mitigation\n\n1. Oil both bearings.\n2. Leave it off for ten minutes.\n",
    # it holds no more
    "alerts/GasSmell.md": "# GasSmellReported [Deprecated]\n\n## Meaning\n\nSomebody has pressed the yellow button.\n\n## Diagnosis\n\n"
    "1. Walk along the pipe.\n2. Read the meter at the end.\n\n## Mitigation\n\nOpen all windows and doors.\n",
    "belt.md": "# Runbook: the belt\n\n## Prerequisites\n\n- The long spanner.\n\n## Tightening the belt\n\n1. Loosen both nuts.\n"
    "2. Pull the roller back by a hand.\n3. Fasten both nuts.\n",
    "belt-cleaning.md": "# Runbook: clean the belt\n\n1. Let it run empty.\n2. Hold the scraper to it.\n3. Wipe the roller.\n",
    "flour.md": "# Flour\n\n## How to change a flour silo\n\nFollow these steps:\n\n1. Close the slide of the empty silo.\n2. Move the hose over.\n"
    "3. Open the slide of the full one.\n4. Write the hour on the board.\n\n## What flour we have\n\n1. Rye.\n2. Spelt.\n3. Wheat.\n",
    "rst/oven.rst": "Ovens\n=====\n\nLighting an oven\n----------------\n\nFollow these steps:\n\n#. Open the flap.\n#. Press the lighter for ten seconds.\n"
    "#. Close the flap.\n",
}  # fmt: skip
LEFT_OUT = {
    "alerts/SteamTrapBlocked.md": "# SteamTrapBlocked\n\n## Meaning\n\nA trap holds water.\n\n## Mitigation\n\n1. Tap it.\n2. Drain it.\n",
    "yeast.md": "# Yeast\n\n## Growing the yeast starter\n\n1. Weigh it.\n2. Feed it.\n3. Cover it.\n",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("bakery"))
    for path, text in FILES.items():
        following.write(path, text)
    following.sync()
    asked = [*questions(FILES, Random(3), 20), *absent(FILES, LEFT_OUT, Random(3))]
    yield [judged(one, answered(following.workspace, Gold(one.question, one.kind))) for one in asked]
    following.workspace.close()


def test_every_alert_and_procedure_is_asked_for(told) -> None:
    kinds = [one.asked.kind for one in told]
    assert (kinds.count("alert"), kinds.count("procedure"), kinds.count("absent")) == (6, 4, 2)


def test_nothing_is_missed(told) -> None:
    assert not [(one.asked.question, one.answer.verdict, one.answer.text) for one in told if one.is_missed]
    row = figures(told)
    assert [row[name] for name in ("right", "steps", "needed", "unfolded", "alerts", "absent")] == [1.0] * 6
    assert row["invented"] == 0


def test_what_holds_no_more_is_told_and_not_called_answered(told) -> None:
    [gas] = [one for one in told if one.asked.path == "alerts/GasSmell.md"]
    others = [one.answer.verdict for one in told if one.asked.kind != "absent" and one is not gas]
    assert gas.answer.verdict == "partial" and others == ["complete"] * len(others)
