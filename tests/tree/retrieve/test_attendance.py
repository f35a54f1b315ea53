"""Who was at a meeting, as the heads of minutes say it."""

from __future__ import annotations

import pytest

from tree.retrieve.attendance import attendance


def told(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one in attendance(text):
        found[one.role] = (*found.get(one.role, ()), *one.people)
    return found


def test_who_led_and_who_wrote_is_said_in_brackets() -> None:
    text = "# Lamp council, 3 March 2026\n\nPresent: Ada Byron (chair), Ben Marsh (minutes), Cy. Guest: Dora Quill (item 2). Apologies: Eli.\n\nLamps."
    assert told(text) == {
        "present": ("Ada Byron", "Ben Marsh", "Cy", "Dora Quill"),
        "chair": ("Ada Byron",),
        "minute taker": ("Ben Marsh",),
        "absent": ("Eli",),
    }


@pytest.mark.parametrize(
    ("line", "role", "people"),
    [
        ("**Present:** Ada Byron and Ben Marsh", "present", ("Ada Byron", "Ben Marsh")),
        ("Anwesend: Ada Byron, Ben Marsh und Cy Noll", "present", ("Ada Byron", "Ben Marsh", "Cy Noll")),
        ("Entschuldigt: Ada Byron", "absent", ("Ada Byron",)),
        ("- Chair: Ada Byron", "chair", ("Ada Byron",)),
        ("Leitung: Ada Byron", "chair", ("Ada Byron",)),
        ("Protokoll: Ben Marsh", "minute taker", ("Ben Marsh",)),
        ("written down by Ben Marsh", "minute taker", ("Ben Marsh",)),
        ("Ada Byron chaired.", "chair", ("Ada Byron",)),
        ("There: Ada Byron. Apologies Ben Marsh.", "absent", ("Ben Marsh",)),
        ("Present: Ada Byron, Ben Marsh (excused)", "absent", ("Ben Marsh",)),
        ("Present: Ada Byron (for Ben Marsh), Cy Noll (for the crew)", "absent", ("Ben Marsh",)),
        (
            "Present: Ada Byron. Apologies: Ben Marsh; Cy Noll, who wrote\nQuorum is three members.",
            "absent",
            ("Ben Marsh", "Cy Noll"),
        ),
        ("Present: Dr A. Byron, B. Marsh (chair)", "present", ("Byron", "Marsh")),
        ("Present: Ada Byron. Ben Marsh and Cy Noll excused. Minutes: Ada.", "absent", ("Ben Marsh", "Cy Noll")),
        ("There: Ada Byron. Ben was ill.", "absent", ("Ben",)),
        ("| Attendees | Ada Byron, Ben Marsh |", "present", ("Ada Byron", "Ben Marsh")),
        ("## Attendees\n- Ada Byron\n- Ben Marsh\n", "present", ("Ada Byron", "Ben Marsh")),
        ("Present: Ada Byron,\nBen Marsh\n\nDora Quill brings tea.", "present", ("Ada Byron", "Ben Marsh")),
    ],
)
def test_it_is_read_from_many_forms(line: str, role: str, people: tuple[str, ...]) -> None:
    assert told(f"# Lamp council\n\n{line}\n")[role] == people


def test_a_name_is_told_in_full_where_the_head_gives_it_once() -> None:
    assert told("Present: Ada Byron, Ben Marsh. Minutes: Ben.")["minute taker"] == ("Ben Marsh",)
    assert told("Present: Ada Byron, Ben Marsh, Ben Oak. Minutes: Ben.")["minute taker"] == ("Ben",), "one of two"


def test_the_next_meeting_is_a_sentence() -> None:
    text = "Present: Ada Byron.\n\nLamps were counted. Next meeting: Thursday 2 April, in the tower. Bring tea."
    [one] = [one for one in attendance(text) if one.role == "next meeting"]
    assert text[one.start : one.end] == "Next meeting: Thursday 2 April, in the tower."


@pytest.mark.parametrize(
    "text", ["Present: nobody yet", "The gifts: Lamps, Ropes, Bells", "Missing: all of them", "Next meeting: 2 April."]
)
def test_what_names_nobody_who_was_there_tells_of_none(text: str) -> None:
    assert attendance(text) == []


def test_a_label_on_the_next_line_is_nobody() -> None:
    text = "# Weekly, 3 May 2026\n\nAttendees: Ada Byron, Ben Marsh\nChair: Ada Byron\nNotes: Ben Marsh\nPlace: Tower\n\nNotes: Budget is tight.\n"
    assert told(text) == {"present": ("Ada Byron", "Ben Marsh"), "chair": ("Ada Byron",), "minute taker": ("Ben Marsh",)}


def test_the_next_one_may_be_said_without_a_noun() -> None:
    text = "there: Ada Byron\n\nNext: 18 Nov 09:00 (short)\n"
    assert [text[one.start : one.end] for one in attendance(text) if one.role == "next meeting"] == ["Next: 18 Nov 09:00 (short)"]
