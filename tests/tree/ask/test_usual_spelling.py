"""Misspelt words of the asking are read as they are meant; what a text has, or may be a name, stays as it is typed."""

from __future__ import annotations

from datetime import date

import pytest

from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.snapshot.corrections import find_corrections
from tree.ask.snapshot.snapshot import open_snapshot
from tree.ask.understanding.usual_dates import without_todays_date
from tree.ask.understanding.usual_spelling import spelt_as_usual, with_compounds_apart, with_words_joined


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("how much tar do we ned for a mast", "how much tar do we need for a mast"),
        ("what is open at the momment", "what is open at the moment"),
        ("which tikets are opne", "which tickets are open"),
        ("who keeps the ned", "who keeps the ned"),  # a text has it
        ("what does Tickat do", "what does Tickat do"),  # it may be a name
        ("what about the zzyzx", "what about the zzyzx"),
    ],
)
def test_only_what_no_text_has_is_read_otherwise(tmp_path, typed, read) -> None:
    following = Following(tmp_path)
    following.write("mast.md", "# Mast\n\nA mast takes two pots of tar.\n")
    if "keeps the ned" in typed:
        following.write("ned.md", "# Ned\n\nThe ned is an anchor.\n")
    following.sync()
    snapshot = open_snapshot(following.workspace, OPERATOR)
    assert spelt_as_usual(typed, snapshot) == read
    following.workspace.close()


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("do we buy a second weigh bridge", "do we buy a second weighbridge"),
        ("how tight are the slewring bolts", "how tight are the slew ring bolts"),
        ("where is the tar pot", "where is the tar pot"),  # both are words of the texts
        ("what does Slewring do", "what does Slewring do"),  # it may be a name
        ("which name has the Wifi", "which name has the wi-fi"),
        ("who answers an email", "who answers an email"),  # of e-mails nothing is there
    ],
)
def test_a_word_that_is_written_apart_or_together(tmp_path, typed, read) -> None:
    following = Following(tmp_path)
    following.write(
        "yard.md",
        "# Yard\n\nThe weighbridge is old. The slew of the ring needs oil, its bolts are tight. A tar pot stands there. The Wi-Fi is new.\n",
    )
    following.sync()
    snapshot = open_snapshot(following.workspace, OPERATOR)
    assert with_compounds_apart(with_words_joined(typed, snapshot), snapshot) == read
    following.workspace.close()


def test_every_misspelt_word_is_looked_for_as_it_is_written(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("gate.md", "# Gate\n\n## Visitors\n\nVisitors get a lanyard: a red one means that they are escorted.\n")
    following.sync()
    snapshot = open_snapshot(following.workspace, OPERATOR)
    [correction] = find_corrections("wat about a visiter with a red lanyerd", snapshot, with_words=True)
    assert correction.question == "wat about a visitor with a red lanyard"
    assert "escorted" in following.ask("wat does it mean if a visiter has a red lanyerd").text
    following.workspace.close()


def test_a_word_that_no_text_has_is_not_read_as_a_short_one_with_an_ending(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("boats.md", "# Boats\n\nThe database of the boats is seeded once a day.\n")
    following.sync()
    snapshot = open_snapshot(following.workspace, OPERATOR)
    assert find_corrections("what is the speed of the boats", snapshot, with_words=True) == ()
    following.workspace.close()


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Who owns the gate today, on 27 November 2026?", "Who owns the gate?"),
        ("As of 27 November 2026, who owns the gate?", "who owns the gate?"),
        ("what is overdue as of 2026-11-27", "what is overdue"),
        ("Which open actions are overdue on 27 November 2026?", "Which open actions are overdue?"),
        ("What changed on 27 November 2026?", "What changed on 27 November 2026?"),
        ("Who owned the gate on 27 November 2026?", "Who owned the gate on 27 November 2026?"),
        ("Who owns the gate as of 1 December 2026?", "Who owns the gate as of 1 December 2026?"),
    ],
)
def test_the_date_of_today_says_nothing_more(asked: str, read: str) -> None:
    assert without_todays_date(asked, date(2026, 11, 27)) == read
