"""The end of a line of a list of actions: who does it, by when, whether it is done."""

from __future__ import annotations

import pytest

from tree.retrieve.action_line import ActionLine, read_action_line


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("raise the alarm – Hanne – done 13 October", ActionLine(("Hanne",), "", "done")),
        ("look at all lamps (9 piers) – Oskar Reyl – done", ActionLine(("Oskar Reyl",), "", "done")),
        ("order the cable - Emeka, Ines Falk - 30 November 2026", ActionLine(("Emeka", "Ines Falk"), "2026-11-30")),
        ("a second lamp – Emeka – end of November", ActionLine(("Emeka",))),
        ("ring the pilot (Maren) - still open", ActionLine(("Maren",), "", "open")),
        ("renew the licence ✔", ActionLine(state="done")),
        ("DONE: paint the mast", ActionLine(state="done")),
        ("paint the mast – twice if it has to be", ActionLine()),
        ("close the gate – not done", ActionLine(state="open")),
        ("tell the pilots what was done", ActionLine()),
        ("Reyl prüft die Lampe – erledigt", ActionLine(state="done")),
    ],
)
def test_the_fields_at_the_end_are_read(said, line) -> None:
    assert read_action_line(said, "2026-10-08") == line
