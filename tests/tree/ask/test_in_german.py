"""Registers and pages in German, asked in German or in English."""

from __future__ import annotations

from datetime import UTC

import pytest

from prompts.language import terms
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.accounts.principal import OPERATOR
from tree.ask.snapshot.snapshot import open_snapshot
from tree.ask.understanding.usual_spelling import with_compounds_apart

CREWS = "# Gruppen\n\n| Gruppe | Leitung | Leute |\n|---|---|---|\n| Werft | Ida Holm | 6 |\n| Segelboden | Per Lund | 9 |\n"
PUMP = "# Pumpe läuft nicht\n\n1. Stecker prüfen.\n2. Sieb reinigen.\n3. Ida rufen.\n"


@pytest.mark.parametrize("question", ["wer leitet die werft?", "who leads werft", "wer ist leiter der werft"])
def test_a_column_leitung_is_who_leads(docs: Following, question: str) -> None:
    docs.write("gruppen.md", CREWS)
    answer = answered(docs, question)
    assert "Ida Holm" in answer.text.split("\n")[0] and "Per Lund" not in answer.text.split("\n")[0], answer.text


@pytest.mark.parametrize("question", ["pumpe läuft nicht", "Pumpe läuft nicht!"])
def test_a_title_that_tells_of_a_trouble_asks_what_to_do(docs: Following, question: str) -> None:
    docs.write("pumpe.md", PUMP)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and "1. Stecker" in answer.text and "3. Ida" in answer.text


@pytest.mark.parametrize(
    ("question", "apart"),
    [
        ("wie viele Urlaubstage habe ich", "wie viele Urlaub tage habe ich"),
        ("wie viele Segel hat die Werft", "wie viele Segel hat die Werft"),
        ("how many Urlaubstage are there", "how many Urlaubstage are there"),
    ],
)
def test_compounds_that_occur_nowhere_are_taken_apart(docs: Following, question: str, apart: str) -> None:
    docs.write("urlaub.md", "# Urlaub\n\nJeder hat 30 Tage. Die Werft hat Segel.\n")
    docs.sync()
    read = with_compounds_apart(question, open_snapshot(docs.workspace, OPERATOR, None, (), None, UTC))
    assert read.count(" ") == apart.count(" ") and terms(read) == terms(apart)
