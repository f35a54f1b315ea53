"""Decisions and actions of minutes that nothing labels: told in passing, by people who were there, in English and German."""

from __future__ import annotations

import pytest

from ingestion.sources import Sources
from ingestion.sync import sync
from tests.reading import open_folder
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.workspace import open_workspace

HARBOUR = """# Harbour club committee, 2 October 2026

In attendance: Ida Moss, Per Lund, Wren Abbot

- The slipway is closed from November to March. Per locks the chain on the 31st.
- Fuel: three suppliers were compared. We will buy from Tarn Oil, two cents cheaper.
- Ida reports that the winter list is full.
- Moorings: the committee chose to let visitors stay three nights. Wren to print new signs by 20 October.
- A second crane was discussed, nothing was decided.
- Wren might paint the hut.
"""
RAT = """# Sitzung Gartenverein, 4. Oktober 2026

Anwesend: Jutta Kern, Olaf Preis

TOP 1: Es wurde beschlossen, den Brunnen im Frühjahr zu sanieren.
Olaf holt zwei Angebote ein (bis 30. Oktober).
Jutta berichtet von der Ernte.
TOP 2: Über den Zaun wurde noch nicht entschieden.
TOP 3: Der Vorstand beschließt, das Tor abends zu schließen.
"""
TABLE = """# Review of the sorter, 6 October 2026

Participants: Ana Sol, Kit Rowe

| Topic | Notes | Outcome | Who | By when |
|---|---|---|---|---|
| Belt speed | Jams above 2 m/s | Run it at 1.8 m/s | Kit | 12 October |
| Lamps | Waiting for parts | none yet | | |
"""
ESSAY = """# How a weir works

The weir will hold back the water. Ida Moss wrote about it. Per locks open the gates. From January on it is opened by hand.
"""


@pytest.fixture
def told(tmp_path):
    """The lines of an answer over these four texts."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("harbour.md", HARBOUR), ("rat.md", RAT), ("table.md", TABLE), ("essay.md", ESSAY)):
        (folder / name).write_text(text, encoding="utf-8")
    workspace = open_workspace(tmp_path / "home")
    sources = Sources(workspace.database)
    source = sources.add("folder", "Club", {"path": str(folder)})
    sync(workspace, sources, source, None, open_folder(path=str(folder)))

    def lines(question: str) -> list[str]:
        answer = next(event for event in ask(workspace, question, principal=OPERATOR) if isinstance(event, Answer))
        return [line[2:].replace("\\", "") for line in answer.text.split("\n") if line.startswith("- ")]

    yield lines
    workspace.close()


def test_decisions_are_told_that_no_label_names(told) -> None:
    found = told("List all decisions")
    for words in (
        "buy from Tarn Oil",
        "let visitors stay",
        "den Brunnen im Frühjahr",
        "Belt speed: Run it at 1.8 m/s",
        "das Tor abends",
    ):
        assert sum(words in line for line in found) == 1, words
    assert not [
        line for line in found if any(word in line for word in ("crane", "Zaun", "Lamps", "winter list", "weir", "by hand"))
    ]


def test_actions_are_of_people_who_were_there(told) -> None:
    found = told("List all actions")
    for words in ("Per locks the chain", "Wren to print new signs", "Olaf holt zwei Angebote", "Belt speed"):
        assert sum(words in line for line in found) == 1, words
    assert not [line for line in found if any(word in line for word in ("reports", "berichtet", "might", "open the gates"))]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was decided about visitors?", "let visitors stay"),
        ("Was wurde zum Brunnen beschlossen?", "den Brunnen im Frühjahr"),
        ("Welche Aufgaben hat Olaf?", "zwei Angebote"),
        ("What actions does Kit have?", "Belt speed"),
    ],
)
def test_they_are_found_by_topic_and_person(told, question, words) -> None:
    [line] = told(question)
    assert words in line
