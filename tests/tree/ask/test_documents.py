"""Questions for documents as things: where one is, who wrote it and when, which there are, which is the newest."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tests.tree.ask.worlds import HIDDEN, VISIBLE, Step, World
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.ask.understanding.document_question import read_document_question

PLAN = "# Fire plan for the mill\n\nAuthor: Odile Kern\nOwner: Bram Voss\nVersion: 4\nLast updated: 3 March 2026\n\nEverybody leaves by the east stairs.\n"
HANDBOOK = "# Handbook of the mill\n\nEdition 7, valid from 1 February 2026. Edited by Odile Kern, miller.\n\nThe sluice is opened at six. Flour is weighed twice.\n"
PRICES = "what,price\nflour,2\nbran,1\n"
PAGE = (
    "<html><head><title>Sluice rules</title></head><body><h1>Sluice rules</h1><p>Nobody opens the sluice alone.</p></body></html>"
)
DAYS = {"fire plan.md": 5, "handbook.md": 9, "prices.csv": 2, "sluice.html": 7, "note.md": 1}  # of October 2026


def _changed(docs: Following, name: str, day: int) -> None:
    moment = datetime(2026, 10, day, 12, tzinfo=UTC).timestamp()
    os.utime(docs.folder / name, (moment, moment))


@pytest.fixture
def docs(tmp_path: Path, each_database) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


@pytest.fixture
def mill(docs: Following) -> Following:
    docs.write("safety/fire plan.md", PLAN)
    docs.write("handbook.md", HANDBOOK)
    docs.write("sales/prices.csv", PRICES)
    docs.write("sluice.html", PAGE)
    docs.write("sales/note.md", "# A note\n\nThe printer is in the hall. The stone was dressed.\n\n## Weighing flour\n\nTwice.\n")
    for name, day in DAYS.items():
        [path] = docs.folder.rglob(name)
        _changed(docs, str(path.relative_to(docs.folder)), day)
    return docs


def test_where_a_document_is(mill: Following) -> None:
    for question in (
        "where is the fire plan?",
        "wheres the fire plan",
        "where do I find the fire plan",
        "which folder is the fire plan in",
        "open the fire plan please",
        "which folder has the fire plan",
        "link to the fire plan",
        "path of the fire plan",
        "show me the fire plan document",
        "do you know where the fire plan is?",
        "FIRE PLAN LOCATION",
    ):
        answer = answered(mill, question)
        assert answer.verdict == "complete" and "**Fire plan for the mill** is in safety › fire plan.md" in answer.text, (
            question,
            answer.text,
        )
        assert answer.citations[0].document_id == "safety/fire plan.md"


def test_what_is_no_document_is_not_looked_for_as_one(mill: Following) -> None:
    mill.write("printer.md", "# Printer\n\nIt is replaced in May.\n")
    answer = answered(mill, "where is the printer")
    assert "hall" in answer.text and "is in Docs" not in answer.text
    for question in (
        "where is the sluice",
        "who owns the mill",
        "how long is the fire plan",
        "open sluices",
        "documents not about flour",
    ):
        assert read_document_question(question, date(2026, 11, 30)) is None, question


@pytest.mark.parametrize(
    "question",
    [
        "which documents changed this week",
        "how many documents are there",
        "which files mention flour",
        "what is in the folder safety",
        "documents about flour or bran",
        "documents about flour since May",
        "who did not write the fire plan",
        "where is it",
        "who wrote this document",
        "which documents were not written by Odile",
        "what is the last page of the handbook",
        "how long is the contract with the bakery",
    ],
)
def test_questions_of_others_are_left_to_them(question: str) -> None:
    assert read_document_question(question, date(2026, 11, 30)) is None


def test_what_a_document_states_of_itself_leads_and_its_files_time_is_told_beside(mill: Following) -> None:
    for question, lead in (
        ("who wrote the fire plan", "**Odile Kern** (author)"),
        ("who maintains the fire plan?", "**Bram Voss** (owner)"),
        ("what version is the fire plan", "**4** (version)"),
        ("when was the fire plan last updated", "**3 March 2026** (last updated)"),
        ("how old is the fire plan", "**3 March 2026** (last updated, "),
    ):
        answer = answered(mill, question)
        assert answer.verdict == "complete" and answer.text.startswith(lead), (question, answer.text)
    assert "The file was last changed on 5 October 2026." in answer.text
    answer = answered(mill, "who last changed the fire plan")
    assert answer.verdict == "partial" and "does not say who changed it last" in answer.text
    assert "The file was last changed on 5 October 2026." in answer.text


def test_what_its_first_sentence_says_is_told_word_for_word(mill: Following) -> None:
    for question, lead in (
        ("who is the author of the handbook", "Edited by Odile Kern, miller."),
        ("which edition is the handbook", "Edition 7, valid from 1 February 2026."),
    ):
        answer = answered(mill, question)
        assert answer.verdict == "complete" and answer.text.startswith(lead), (question, answer.text)


def test_what_nothing_states_is_said_so(mill: Following) -> None:
    answer = answered(mill, "who wrote the sluice.html file")
    assert answer.verdict == "partial" and "“Sluice rules” does not say who wrote it" in answer.text
    answer = answered(mill, "how long is the handbook")
    assert answer.verdict == "complete" and "words" in answer.text


def test_documents_about_something(mill: Following) -> None:
    answer = answered(mill, "do we have a document about fire?")
    assert answer.verdict == "complete" and "by its title or name:\n\n- **Fire plan" in answer.text
    answer = answered(mill, "which files are about the sluice")
    assert answer.text.index("**Sluice rules**") < answer.text.index("say most") < answer.text.index("**Handbook")
    mill.write(
        "ways.md",
        "# Ways\n\n" + "".join(f"## {name}\n\n{'It is done so. ' * 250}\n\n" for name in ("Grinding", "Weighing flour")),
    )
    answer = answered(mill, "where can I read about weighing flour")
    assert answer.verdict == "partial" and "a heading in" in answer.text and "**Ways** › Weighing flour" in answer.text
    answer = answered(mill, "find the page on east stairs")
    assert answer.verdict == "partial" and "No document is called “east stairs”" in answer.text and "Fire plan" in answer.text
    assert answered(mill, "documents about zeppelins").verdict != "complete"


def test_documents_of_a_form(mill: Following) -> None:
    assert answered(mill, "list all csv files").text.startswith("**1 CSV file** (.csv):\n\n- **prices.csv**")
    assert answered(mill, "how many web pages do we have").text.startswith("**1 web page**")
    assert answered(mill, "how many markdown files are in the folder sales").text.startswith("**1 Markdown file** in sales")
    answer = answered(mill, "which spreadsheets are there")
    assert (
        answer.verdict == "complete"
        and answer.text.startswith("**No spreadsheets**")
        and "1 table is kept as text" in answer.text
    )
    assert answered(mill, "latest pdf").text.startswith("**No PDFs** (.pdf)")
    assert answered(mill, "csv files from sales").text.startswith("**1 CSV file** in sales")
    assert answered(mill, "how many pdfs do we have in the folder zeppelins").verdict != "complete"


def test_documents_in_order(mill: Following) -> None:
    answer = answered(mill, "newest document")
    assert answer.verdict == "complete" and answer.text.startswith("**Handbook of the mill** was changed last, on 9 October 2026")
    assert answered(mill, "which document was changed last?").text.startswith("**Handbook of the mill**")
    assert answered(mill, "oldest file in sales").text.startswith("**A note** was changed longest ago in sales")
    assert answered(mill, "latest csv").text.startswith("**prices.csv** was changed last")
    assert answered(mill, "largest file").text.startswith("**Handbook of the mill** is the largest, 147 bytes")
    text = answered(mill, "recently changed documents").text
    assert text.startswith("**5 documents**, the newest first") and text.index("Handbook") < text.index("Sluice") < text.index(
        "Fire plan"
    )
    assert answered(mill, "the 2 oldest files").text.count("\n- ") == 2


def test_where_all_files_were_copied_the_days_they_state_decide(docs: Following) -> None:
    for number in (3, 7, 5):
        docs.write(f"minutes/2026-0{number}-11 board.md", f"# Board {number}\n\nThe board met. Item {number}.\n")
    answer = answered(docs, "newest document")
    assert answer.verdict == "partial" and "within an hour" in answer.text
    assert answer.text.index("Board 7") < answer.text.index("Board 5") < answer.text.index("Board 3")


def test_documents_by_somebody(mill: Following) -> None:
    for question in ("documents by Odile Kern", "which documents were written by odile", "what documents did Odile Kern write"):
        answer = answered(mill, question)
        assert answer.verdict == "partial" and "**Fire plan for the mill**, safety" in answer.text, (question, answer.text)
    assert "Fire plan" in answered(mill, "which documents are maintained by Bram Voss").text
    assert "name" not in answered(mill, "documents by Peter Quell").text.partition("\n")[0]


def test_whoever_only_a_first_sentence_names_is_found(mill: Following) -> None:
    answer = answered(mill, "documents by Odile Kern")
    assert answer.text.startswith("**2 documents**") and "(Edited by Odile Kern, miller.)" in answer.text
    mill.write("visit.md", "# A visit\n\nThe report was written by Odile Kern before it burned. Nobody has it.\n")
    assert "A visit" not in answered(mill, "documents by Odile Kern").text


def test_of_very_many_titles_some_are_told_and_it_is_said(docs: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tree.ask.direct.named_documents.MOST_CALLED", 3)
    for number in range(6):
        docs.write(f"plan {number}.md", f"# Fire plan {number}\n\nA text.\n")
    answer = answered(docs, "documents about fire")
    assert answer.verdict == "partial" and answer.text.startswith("**More than 2 documents**") and "and others" in answer.text
    monkeypatch.setattr("tree.ask.direct.named_documents.MOST_NAMED", 2)
    answer = answered(docs, "documents about fire")
    assert answer.verdict == "partial" and "No document is called" not in answer.text


def test_two_documents_of_one_name_are_both_told(mill: Following) -> None:
    mill.write("old/fire plan.md", PLAN.replace("for the mill", "for the barn").replace("Odile Kern", "Ines Falk"))
    answer = answered(mill, "where is the fire plan")
    assert answer.verdict == "partial" and answer.text.startswith("**2 documents** are called so")
    assert "mill" in answer.text and "barn" in answer.text and "marked as superseded" in answer.text
    answer = answered(mill, "who wrote the fire plan")
    assert answer.verdict == "partial" and "Odile Kern" in answer.text and "There is also Fire plan for the barn" in answer.text
    (mill.folder / "old").rename(mill.folder / "barn")
    answer = answered(mill, "who wrote the fire plan")
    assert answer.verdict == "partial" and "Odile Kern" in answer.text and "Ines Falk" in answer.text
    assert answered(mill, "who wrote the fire plan for the barn").verdict != "none"


def test_a_document_that_was_deleted_or_renamed_is_not_where_it_was(mill: Following) -> None:
    assert answered(mill, "where is the fire plan").verdict == "complete"
    (mill.folder / "safety/fire plan.md").rename(mill.folder / "evacuation.md")
    answer = answered(mill, "where is the fire plan")
    assert "evacuation.md" in answer.text and "safety" not in answer.text
    (mill.folder / "evacuation.md").unlink()
    for question in (
        "where is the fire plan",
        "who wrote the fire plan",
        "documents about fire",
        "documents by Odile Kern",
        "list all markdown files",
    ):
        assert "Fire plan" not in answered(mill, question).text, question


def test_it_is_told_as_it_was(mill: Following) -> None:
    mill.sync()
    then = time.time()
    time.sleep(0.01)
    (mill.folder / "safety/fire plan.md").rename(mill.folder / "evacuation.md")
    mill.write("handbook.md", HANDBOOK.replace("Odile Kern", "Ines Falk"))
    mill.sync()

    def asked(question: str) -> str:
        *_, answer = ask(mill.workspace, question, principal=OPERATOR, as_of=then)
        assert isinstance(answer, Answer)
        return answer.text

    assert "safety › fire plan.md" in asked("where is the fire plan")
    assert "Odile Kern" in asked("who wrote the handbook")
    assert asked("list all markdown files").startswith("**3 Markdown files**")
    assert asked("newest document").startswith("**Handbook of the mill** was changed last, on 9 October 2026")


def test_nothing_is_told_of_a_source_that_somebody_may_not_see(tmp_path: Path) -> None:
    world = World(tmp_path, [*HIDDEN, *VISIBLE])
    world.take(Step("h1", "put", 1, "# Crane plan\n\nAuthor: Ines Falk\n\nThe zeppelin is sold.\n"))
    world.take(Step("m1", "put", 1, "# Winch manual\n\nAuthor: Maren Oduya\n\nThe winch is shut.\n"))
    for question in (
        "where is the crane plan", "who wrote the crane plan", "documents about the crane", "documents about the zeppelin",
        "documents by Ines Falk", "newest document", "list all markdown files", "how many markdown files are there",
    ):  # fmt: skip
        told = str(world.answered(question)[-1]["answer"])
        assert "Crane" not in told and "zeppelin is" not in told and "Ines" not in told.replace("by Ines", ""), (question, told)
    assert "**1 Markdown file**" in str(world.answered("how many markdown files are there")[-1]["answer"])
    assert "Winch manual" in str(world.answered("where is the winch manual")[-1]["answer"])
    world.close()


def test_a_title_that_is_markup_or_very_long_is_told_as_words(docs: Following) -> None:
    docs.write("one.md", "# [Evil](https://evil.example) <script>alert(1)</script> **plan**\n\nA text.\n")
    docs.write("two.md", f"# {'Endless ' * 60} manual\n\nAnother text.\n")
    answer = answered(docs, "where is the evil plan")
    assert "<script" not in answer.text and "](https" not in answer.text and "one.md" in answer.text
    answer = answered(docs, "where is the endless manual")
    assert "two.md" in answer.text and len(answer.text) < 250


def test_tickets_are_no_documents(tmp_path: Path) -> None:
    world = World(tmp_path, VISIBLE)
    world.take(Step("m1", "put", 1, "# Winch manual\n\nThe winch is shut.\n"))
    world.take(Step("t1", "put", 1, row=("GWY-1", "Winch manual is wrong", "Bug", "Done", "", "Low", "", "2026-05-03", "")))
    told = str(world.answered("where is the winch manual")[-1]["answer"])
    assert "note\\-1.md" in told and "wrong" not in told
    world.close()


@pytest.mark.parametrize(
    ("head", "author"),
    [
        ("Odile Kern, 12 May 2026", "Odile Kern, 12 May 2026"),
        ("Text: Odile and Bram. Edition 5, January 2026.", "Text: Odile and Bram."),
        ("Written by Odile Kern, checked by Bram.", "Written by Odile Kern, checked by Bram."),
    ],
)
def test_whoever_wrote_the_page_about_something(docs: Following, head: str, author: str) -> None:
    docs.write(
        "dressing-stones.txt",
        f"DRESSING THE STONES - how we do it\n{head}\n\nThe stones are dressed twice a year, in March and in October.\n",
    )
    docs.sync()
    answer = answered(docs, "Who wrote the page about dressing stones?")
    assert (answer.verdict, answer.text.partition(" [1]")[0]) == ("complete", author)


def test_the_last_update_at_the_head_of_a_page_is_its_date(docs: Following) -> None:
    docs.write(
        "stones.md",
        "# Dressing the stones\n\nStarted April 2026, last update 6 October 2026.\n\nThey are dressed twice a year.\n",
    )
    docs.sync()
    answer = answered(docs, "When was the page on dressing stones last updated?")
    assert answer.verdict == "complete" and "last update 6 October 2026" in answer.text.partition("[1]")[0]


def test_what_it_means_here_is_a_meaning(docs: Following) -> None:
    docs.write(
        "words.md",
        "# Words\n\n| Word | What it means here |\n| --- | --- |\n| Damsel | the rod that shakes the shoe |\n| Bin, the | where grain waits |\n",
    )
    docs.sync()
    assert answered(docs, "whats a damsel").text.startswith("**Damsel**: the rod that shakes the shoe")
    assert answered(docs, "What is the bin?").text.startswith("**Bin, the**: where grain waits")
