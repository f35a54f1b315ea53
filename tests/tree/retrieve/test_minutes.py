"""Decisions and actions of minutes that nothing labels: told in passing, by people who were there, in English and German."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingestion.sources import Sources
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.retrieve.minutes import _AT_START, minutes_of
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


Lines = Callable[[str], list[str]]


@contextmanager
def _asked(folder: Path, texts: dict[str, str]) -> Iterator[Lines]:
    """Gives the lines of the list in an answer over these files."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in texts.items():
        (docs / name).write_text(text, encoding="utf-8")
    workspace = open_workspace(folder / "home")
    sources = Sources(workspace.database)
    source = sources.add("folder", "Club", {"path": str(docs)})
    sync(workspace, sources, source, None, open_folder(path=str(docs)))

    def lines(question: str) -> list[str]:
        answer = next(event for event in ask(workspace, question, principal=OPERATOR) if isinstance(event, Answer))
        return [line[2:].replace("\\", "") for line in answer.text.split("\n") if line.startswith("- ")]

    yield lines
    workspace.close()


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Lines]:
    with _asked(tmp_path, {"harbour.md": HARBOUR, "rat.md": RAT, "table.md": TABLE, "essay.md": ESSAY}) as lines:
        yield lines


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


ABOUT = "# Highlights\n\n- Fully automated release\n- Notify maintainers and users of new releases\n- Use it with any gate\n"
STEERING = """# Steering meeting, 9 October 2026

### Present

* Ida Moss (chair)
* Bram Teller

### Lamps on the pier

* **Ida**: they go out when it rains, and nobody knows why that is.
* **Bram**: they should be replaced by others before the winter comes.

##### Resolution

* The old lamps stay until spring.
* Bram Teller is going to create a plan for new ones.

### Any other business

* Painting of the gate
  * No objections, we have consensus.
* Breaking chains
  * General agreement it is a good idea
* New ropes
  * Defer to next time.
* `winch.lock` is loose, agreed to leave it till later.

**Next steps**

* Seek a volunteer for the fair

### Parking at the slipway

Action: Ask the town again (Ida to respond.)

### Meeting tool

For now we'll switch over to the radio.
"""


@pytest.fixture(scope="module")
def steering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lines]:
    with _asked(tmp_path_factory.mktemp("steering"), {"steering.md": STEERING, "about.md": ABOUT}) as lines:
        yield lines


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was decided about lamps?", ["The old lamps stay until spring.", "create a plan for new ones"]),
        ("What was decided about painting the gate?", ["No objections, we have consensus"]),
        ("What was decided about breaking chains?", ["General agreement it is a good idea"]),
        ("What was decided about ropes?", ["Defer to next time"]),
        ("What was decided about winch.lock?", ["agreed to leave it till later"]),
        ("What was decided about parking?", ["Ask the town again"]),
        ("What was decided about the meeting tool?", ["switch over to the radio"]),
        ("What are the next steps for the fair?", ["Seek a volunteer for the fair"]),
        ("What must Bram do?", ["create a plan for new ones"]),
        ("What does Ida have to do?", ["Ask the town again"]),
    ],
)
def test_what_was_decided_is_found_by_the_headings_and_items_above_it(steering: Lines, question: str, said: list[str]) -> None:
    found = steering(question)
    assert len(found) == len(said) and all(any(one in line for line in found) for one in said)


def test_what_anybody_is_to_do_at_any_time_was_not_decided(steering: Lines) -> None:
    assert not any("Notify" in line for line in steering("What was decided about paying maintainers by letter?"))


def test_people_are_found_where_one_expression_of_all_their_names_would_find_them() -> None:
    told = """Present: Ida Moss, Per Lund, Jan of Tarn, Dr. Wren Abbot
- Ida, Per and Wren Abbot  print signs. Per Lundgren goes home. Ida and nobody else stays.
* **Wren** locks up, and Ida Moss Per
Ida and Per Lund and Idas are late, Jan of Tarn and Per, und Abbot
1. Per, Ida, Moss, nobody; Ida
Jan und Lund bauen; Dr. Wren Abbot and Ida  """
    minutes = minutes_of(told, "")
    assert minutes is not None
    one = "|".join(re.escape(name) for name in sorted(minutes.there, key=len, reverse=True))
    begins = _AT_START.pattern.removesuffix("(?=[A-Z])")
    whole = re.compile(rf"{begins}(?P<who>(?:{one})(?:(?:, | and | und )(?:{one}))*) +", re.MULTILINE)
    for first in range(0, len(told), 7):
        for last in (len(told), len(told) - 1, first + 60):
            expected = [match.span("who") for match in whole.finditer(told, first, last)]
            assert list(minutes._people_at_start(first, min(last, len(told)))) == expected
    assert len(list(whole.finditer(told))) > 8


CLOSED = """# Weekly 18 November 2026

**There:** Ida Moss, Per Lund

### Ropes
They are old. Per stops the sale of ropes from 18 December. Decided.

### Hours
The slip is closed on 25 December only. 26 December from 10 to 16. **Decided.**

### Nights
Should we lock the gate at night? Ida for it, Per against. Not decided.
"""


def test_what_stands_before_decided_was_decided(tmp_path) -> None:
    with _asked(tmp_path, {"weekly.md": CLOSED}) as lines:
        found = lines("What did we decide on 18 November?")
    assert len(found) == 2 and "Per stops the sale of ropes" in found[0] and "26 December from 10 to 16" in found[1]


@pytest.mark.parametrize("line", ["Action: Sanna writes to the port, until 4 December.", "Action item: Sanna calls the port."])
def test_a_labelled_action_is_of_whoever_was_there_and_does_it(tmp_path: Path, line: str) -> None:
    following = Following(tmp_path)
    following.write(
        "meetings/2026-11-24.md", f"# Weekly, 24 November 2026\nPresent: Imke, Sanna, Lev.\n\n- The freeze begins.\n- {line}\n"
    )
    following.write(
        "outage.md",
        "# Outage, 8 October 2026\n\n## Actions\n\n| action | owner | state |\n|---|---|---|\n| Write a runbook | Sanna | done |\n",
    )
    following.sync()
    answer = following.ask("What does Sanna have to do?")
    assert "the port" in answer.text and "all of it is done" not in answer.text, answer.text
    following.workspace.close()
