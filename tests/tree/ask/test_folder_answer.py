"""Folders and files by their paths: counted, placed, described."""

from __future__ import annotations

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("docs"))
    for number in range(3):
        following.write(f"run_books/pumps/pump {number}.md", f"# Pump {number}\n\nThe standby pump {number} has a valve.\n")
    following.write("run_books/alarms.md", "# What an alarm means\n\nA lamp is lit.\n")
    following.write("meetings/may/minutes.md", "# Minutes\n\nWe talked about the lid.\n")
    following.write("meetings/june/minutes.md", "# Minutes\n\nWe talked about the mast.\n")
    following.write("work/tide.md", "# Tide\n\nIt comes in twice a day.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "lead", "number"),
    [
        ("How many files are in run_books?", "**4 files** are in run\\_books", 4),
        ("how many documents are in the folder run_books/pumps", "**3 documents** are in run\\_books/pumps", 3),
        ("How many files does Meetings have?", "**2 files** are in meetings", 2),
        ("how many files are there in the pumps folder?", "**3 files** are in run\\_books/pumps", 3),
        ("How many PDFs are in work?", "**0 pdfs** are in work", 0),
        ("Which folder is alarms.md in?", "**run\\_books** holds alarms.md", 1),
        ("where is tide.md", "**work** holds tide.md", 1),
        (
            "In which folder do I find the file minutes.md?",
            "\n- **meetings/june** holds minutes.md [1]\n- **meetings/may** holds",
            2,
        ),
    ],
)
def test_files_are_counted_and_placed(docs, question, lead, number) -> None:
    answer = docs.ask(question)
    assert answer.text.strip().startswith(lead.strip())
    assert (answer.verdict, len(answer.citations)) == ("complete", number)


@pytest.mark.parametrize(
    "question",
    ["How many files are in the harbour?", "How many files are in run_books and work?", "where is mast.md", "where is the pump?"],
)
def test_what_is_not_there_is_not_counted(docs, question) -> None:
    assert docs.ask(question).verdict != "complete"


def test_a_path_names_a_branch(docs) -> None:
    text = docs.ask("What is in the folder run_books/pumps?").text
    assert text.startswith("**pumps** is a folder of 3 parts")
    assert docs.ask("give me an overview of meetings/may").text.startswith("**Minutes**\n\n- We talked about the lid.")


def test_only_the_branch_that_is_asked_in_is_counted(docs) -> None:
    assert docs.ask("How many files are in pumps?", places=[f"{docs.source.id}/meetings/"]).verdict != "complete"


def test_of_a_folder_only_the_branches_are_counted_that_are_asked_in(docs) -> None:
    root = f"{docs.source.id}/run_books/"
    within = [f"{root}alarms.md", f"{root}pumps/pump 1.md", f"{docs.source.id}/meetings/"]
    answer = docs.ask("How many files are in run_books?", places=within)
    assert answer.text.startswith("**2 files** are in run\\_books") and len(answer.citations) == 2


def test_of_a_large_folder_the_first_are_told_and_all_are_counted_as_of_each_version(tmp_path) -> None:
    docs = Following(tmp_path)
    for number in range(30):
        docs.write(f"Straße/note {number:02}.md", f"# Note {number}\n\nThe value is {number}.\n")
    docs.write("Straße/drawn.PDF.md", "# Drawn\n\nA plan.\n")
    docs.sync()
    before = docs.workspace.store.versions.newest()
    (docs.folder / "Straße" / "note 07.md").unlink()
    docs.sync()
    told = docs.ask("How many files are in STRASSE?")
    assert told.text.startswith("**30 files** are in Straße") and told.text.endswith("… and 10 more.")
    assert len(told.citations) == 20 and "note 07" not in told.text
    store, place = docs.workspace.store, f"{docs.source.id}/Straße/"
    assert [store.documents.below([place], version)[0] for version in (before, store.versions.newest())] == [31, 30]
    assert store.documents.below([place], before, ending=".pdf.md", first=1)[0] == 1
    [drawn] = store.documents.below([place], before, first=1)[1]
    assert drawn.title == "Drawn" and store.documents.below([place], before, but_kind=drawn.kind) == (0, [])
    docs.workspace.close()


def test_two_folders_are_told_side_by_side(tmp_path) -> None:
    docs = Following(tmp_path)
    docs.write("engines/diesel.md", "# Diesel\n\nThe diesel drives both shafts.\n")
    docs.write("engines/spare.md", "# Spare\n\nThe spare engine stands in a crate.\n")
    docs.write("sails/jib.md", "# Jib\n\nThe jib is patched at the clew.\n")
    docs.write("sails/main.md", "# Main\n\nThe main has three reefs.\n")
    docs.write("crew.md", "# Crew\n\nFour people.\n")
    docs.sync()
    for question in ("Give me an overview of engines and sails", "Summarise the folders engines and sails"):
        answer = docs.ask(question)
        assert answer.verdict == "complete", question
        assert all(word in answer.text for word in ("both shafts", "in a crate", "at the clew", "three reefs")), question
        assert len(answer.citations) == 4 and "Four people" not in answer.text
        assert [f"[{number}]" in answer.text for number in range(1, 6)] == [True, True, True, True, False]
    assert "both shafts" not in docs.ask("Give me an overview of sails and ropes").text
    docs.workspace.close()


def test_a_folder_may_be_called_it(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("it/printers.md", "# Printers\n\nThe printer stands in the hall.\n")
    following.write("it/badges.md", "# Badges\n\nBadges are cut on Monday.\n")
    following.write("crew/rota.md", "# Rota\n\nThe rota hangs in the galley.\n")
    following.write("crew/boats.md", "# Boats\n\nThere are two boats.\n")
    following.sync()
    told = following.ask("What is in the folder it?").text
    assert "Printers" in told and "Badges" in told and "Rota" not in told
    assert "rota hangs" in following.ask("What is in this folder?").text
    following.workspace.close()


def test_the_last_of_a_kind_is_the_one_with_the_latest_day(tmp_path) -> None:
    docs = Following(tmp_path)
    for day, said in (("2026-03-02", "The crane was hired."), ("2026-05-04", "The crane went back."), ("2999-01-01", "To come.")):
        docs.write(f"meetings/{day}.md", f"# Crew, {day}\n\n{said} Everybody was there.\n")
    docs.sync()
    text = docs.ask("summarise the last meeting").text
    docs.workspace.close()
    assert text.replace("\\", "").startswith("**Crew, 2026-05-04**") and "went back" in text


def test_what_all_of_it_is_about_is_told_of_each_source(tmp_path) -> None:
    docs = Following(tmp_path)
    docs.write("pump.md", "# Pump\n\nThe pump empties the bilge.\n")
    docs.sync()
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "crane.md").write_text("# Crane\n\nThe crane lifts the mast.\n")
    more = docs.sources.add("folder", "More", {"path": str(tmp_path / "more")})
    sync(docs.workspace, docs.sources, more)
    answer = docs.ask("what is this about?", sources=None)
    docs.workspace.close()
    assert answer.verdict == "complete" and "empties the bilge" in answer.text and "lifts the mast" in answer.text
