"""Misspelt words of the asking are read as they are meant; what a text has, or may be a name, stays as it is typed."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.snapshot.snapshot import open_snapshot
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
    ],
)
def test_a_word_that_is_written_apart_or_together(tmp_path, typed, read) -> None:
    following = Following(tmp_path)
    following.write(
        "yard.md",
        "# Yard\n\nThe weighbridge is old. The slew of the ring needs oil, its bolts are tight. A tar pot stands there.\n",
    )
    following.sync()
    snapshot = open_snapshot(following.workspace, OPERATOR)
    assert with_compounds_apart(with_words_joined(typed, snapshot), snapshot) == read
    following.workspace.close()
