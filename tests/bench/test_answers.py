"""Answers held against gold: how one is judged, and questions that are made from raw data."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.answer_table import measures
from bench.judging import Gold, judged, section_of
from bench.made.procedures import step_lists
from bench.made.raw_tickets import archives, has, read_archives
from bench.report import BEGIN, END
from tree.ask.snapshot.answer import Answer


def answer(text: str, verdict: str = "complete") -> Answer:
    return Answer(question="?", text=text, verdict=verdict)  # type: ignore[arg-type]


def test_the_lead_is_right_when_the_first_sentence_says_it() -> None:
    gold = Gold("How many fit on the Stella Thrale?", "table", lead=("610",))
    right = judged(gold, answer("**610** passengers, MV Stella Thrale [1]"))
    late = judged(gold, answer("**540** lane metres, MV Stella Thrale [1]\n\n- 610 passengers [2]"))
    assert (right.is_lead, right.exact, right.overlap) == (True, 1.0, 1.0)
    assert (late.is_lead, late.is_anywhere, late.exact) == (False, True, 0.0)


def test_a_list_is_right_when_it_is_the_same_set() -> None:
    gold = Gold("Which bugs are open?", "set", keys=frozenset(("GWY-1", "GWY-2")))
    same = "**2 of 9 tickets** (open):\n\n- GWY\\-2 Deck [1]\n- GWY\\-1 Ramp, see GWY\\-7 [2]"
    assert judged(gold, answer(same)).is_lead
    assert not judged(gold, answer(same.replace("GWY\\-2 ", "GWY\\-3 "))).is_anywhere
    assert not judged(gold, answer(same + "\n- GWY\\-4 Mast [3]")).is_anywhere
    assert not judged(gold, answer("**3 of 9 tickets** (open):\n\n- GWY\\-2 Deck [1]")).is_anywhere


def test_an_empty_set_is_told_as_none() -> None:
    gold = Gold("Which bugs are open?", "set", keys=frozenset())
    assert judged(gold, answer("**None of 9 tickets** (open).")).is_lead
    assert not judged(gold, answer("**1 of 9 tickets** (open):\n\n- GWY-1 Ramp [1]")).is_anywhere


def test_steps_have_to_be_all_there_and_in_their_order() -> None:
    gold = Gold("How is it done?", "procedure", steps=("Stop the pump.", "Open the *valve*.", "Wait."))
    assert judged(gold, answer("1. Stop the pump. [1]\n2. Open the valve. [1]\n3. Wait. [1]")).is_lead
    assert not judged(gold, answer("1. Open the valve.\n2. Stop the pump.\n3. Wait.")).is_lead


def test_what_nothing_answers_must_not_be_called_answered() -> None:
    gold = Gold("What colour is it?", "unanswerable", none=True)
    found = [judged(gold, answer("Blue.", verdict)) for verdict in ("complete", "partial", "none")]
    assert [one.is_lead for one in found] == [False, True, True]
    figures = measures(found)
    assert (figures["declined"], figures["unanswerable_green"], figures["green_right"]) == (1 / 3, 1 / 3, 0.0)


# ---------------------------------------------------------------- made questions


def ticket(number: int, **fields: object) -> dict[str, object]:
    person = {"name": "asta", "displayName": "Asta Molander"}
    given = {
        "summary": f"Lamp {number} flickers", "project": {"id": "1", "key": "LAMP", "name": "Lamps"}, "issuetype": {"id": "1", "name": "Bug"},
        "status": {"id": "1", "name": "Open", "statusCategory": {"key": "new"}}, "created": "2024-03-05T10:00:00.000+0000",
        "updated": "2024-03-06T10:00:00.000+0000", "reporter": person, "creator": person, "assignee": person,
        "components": [{"id": "5", "name": "Beacon"}], "priority": {"id": "2", "name": "High"},
    }  # fmt: skip
    return {"id": str(100 + number), "key": f"LAMP-{number}", "fields": {**given, **fields}}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw" / "lamps"
    folder.mkdir(parents=True)
    other = {"displayName": "Birk Solheim", "name": "birk"}
    rows = [ticket(number, **({"assignee": other, "components": []} if number % 3 == 0 else {})) for number in range(1, 10)]
    with gzip.open(folder / "LAMP.jsonl.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, rows)))
    (folder / "LAMP.project.json").write_text(json.dumps({"name": "Lamps", "components": [{"name": "Beacon"}]}))
    with tarfile.open(folder / "small-runbooks.tar.gz", "w:gz") as archive:
        for name in ("LampIsDark", "LampIsDim"):
            text = f"# {name}\n\n## Mitigation\n\n1. Switch the {name} lamp off.\n2. Change the bulb of {name}.\n3. Switch it on again.\n"
            member = tarfile.TarInfo(f"lamps/{name}.md")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return tmp_path / "raw"


def test_the_oracle_reads_raw_tickets(raw) -> None:
    tickets = read_archives(archives(raw))
    assert tickets.having(has("assignee", "Birk Solheim")) == {"LAMP-3", "LAMP-6", "LAMP-9"}
    assert tickets.projects == {"Beacon": ("Lamps",)}
    assert tickets.tickets["LAMP-1"].said["priority"] == ("High",)


def test_questions_are_made_asked_and_told(raw, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    assert main(["answers", "--made", "tickets", "procedures", "--data", str(raw), "--limit", "3", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "Jira tickets" in printed and "procedures, small-runbooks" in printed
    figures = json.loads((out / "figures.json").read_text())["answers"]["sets"]
    assert figures["Jira tickets"]["kinds"]["simple"]["lead"] > 0.8
    page = tmp_path / "figures.md"
    page.write_text(f"{BEGIN}\n\n<!-- figures of soak -->\n\nAn hour.\n\n{END}")
    assert main(["report", "--into", str(page), "--figures", str(out / "figures.json")]) == 0
    assert "An hour." in page.read_text() and "| Jira tickets |" in page.read_text()


def test_an_unknown_kind_of_made_questions_is_named(raw) -> None:
    with pytest.raises(SystemExit, match="no questions called poems"):
        main(["answers", "--made", "poems", "--data", str(raw)])


def test_steps_are_numbered_lists_outside_of_code() -> None:
    text = "# A\n\n1. One\n2. Two\n```\n1. no\n```\n3. Three\n\n# B\n\n1. Other\n"
    assert list(step_lists(text.splitlines())) == [["One", "Two", "Three"], ["Other"]]


def test_what_is_needed_first_and_one_case_among_several_are_no_steps_of_the_whole() -> None:
    text = "# A\n\n## Prerequisites\n\n1. A key\n2. A lamp\n\n## Way\n\n1. Go\n\n#### On ice\n\n1. Slide\n"
    assert list(step_lists(text.splitlines())) == [["Go"]]


def test_a_follow_up_is_asked_after_what_came_before_it(tmp_path, capsys) -> None:
    gold = tmp_path / "gold.yaml"
    gold.write_text(
        '- {q: "who is it assigned to?", kind: follow-up, earlier: ["What is the status of GWY-280?"], lead: ["Carla Nwosu"]}\n'
    )
    assert main(["answers", "--gold", str(gold), "--show", "all"]) == 0
    assert "Carla Nwosu" in capsys.readouterr().out


def test_a_folder_of_ones_own_is_asked_the_questions_of_a_file(tmp_path, capsys) -> None:
    folder, gold = tmp_path / "dock", tmp_path / "dock.yaml"
    folder.mkdir()
    (folder / "gate.md").write_text("# Gate\n\nThe gate is closed at 22:00.\n")
    gold.write_text(
        '- {q: "When is the gate closed?", kind: when, lead: ["22:00"]}\n- {q: "Who painted the mast?", kind: no, none: true}\n'
    )
    assert main(["answers", "--gold", str(gold), "--folder", str(folder), "--show", "all"]) == 0
    printed = capsys.readouterr().out
    assert "dock" in printed and "22:00" in printed
    with pytest.raises(SystemExit, match="--gold the questions"):
        main(["answers", "--folder", str(folder)])


def test_passages_of_the_first_section_are_told_apart_from_the_others() -> None:
    text = "Passages that may help:\n\nFirst. [1]\n\n- Second\n- Third [1]  \n*Manual \u203a Doors*\n\nElsewhere. [2]  \n*Manual*"
    assert section_of(text) == "First. [1]\n\n- Second\n- Third [1]  \n*Manual \u203a Doors*"
    assert section_of("It is open.\n\nMore.") == "It is open."
