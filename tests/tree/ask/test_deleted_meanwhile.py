"""A question goes on while what it is being answered from is deleted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from ingestion.sync import sync
from prompts.extractive import ExtractiveReader
from prompts.records import NO_NOTES, LeafAnswer, LeafText, Notes, Question
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, Restart, ask
from tree.ask.snapshot.snapshot import open_snapshot
from tree.ask.snapshot.trail import Step
from tree.store.errors import Vanished
from tree.store.forgetting import forget_before, forget_source
from tree.store.models import Version, table_of


class Interrupted(ExtractiveReader):
    """Does something else each time before it answers from a leaf."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.meanwhile = meanwhile

    def answer(self, question: Question, leaf: LeafText, notes: Notes = NO_NOTES) -> LeafAnswer:
        self.meanwhile()
        return super().answer(question, leaf, notes)


@pytest.fixture
def docs(tmp_path: Path, each_database) -> Following:
    docs = Following(tmp_path)
    docs.write("pump.md", "# Pump\n\nThe pump of the harbour is green.\n")
    docs.sync()
    return docs


def add(docs: Following, folder: Path) -> str:
    """Another source that tells of the same."""
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.md").write_text(f"# Pump {number}\n\nThe pump number {number} of the harbour is green.\n")
    source = docs.sources.add("folder", folder.name, {"path": str(folder)})
    sync(docs.workspace, docs.sources, source, connector=open_folder(folder))
    return source.id


def test_a_branch_that_is_replaced_and_forgotten_meanwhile_is_not_passed_over(docs: Following) -> None:
    for number in range(20):  # more than one branch holds
        docs.write(f"gate {number:02}.md", f"# Gate {number}\n\nThe pump number {number} stands by gate {number * 7}.\n")
    docs.sync()
    events, has_changed = [], False
    for event in ask(docs.workspace, "What stands by gate 126?", principal=OPERATOR):
        events.append(event)
        if not has_changed:  # after the first choice, and before the branch is opened
            has_changed = True
            docs.write("gate 18b.md", "# Another\n\nNothing stands here.\n")
            docs.sync("gate 18b.md")
            forget_before(docs.workspace.database, None)
    assert any(isinstance(event, Restart) for event in events)
    assert isinstance(events[-1], Answer) and "gate 126" in events[-1].text


def test_what_is_about_to_be_forgotten_counts_as_forgotten(docs: Following) -> None:
    """The row of a version goes before the branches that only it sees, which go some at a time."""
    seen = open_snapshot(docs.workspace, OPERATOR)
    seen.check_kept()
    docs.write("pump.md", "# Pump\n\nThe pump of the harbour is blue.\n")
    docs.sync()
    version = table_of(Version)
    with docs.workspace.database.write() as connection:
        connection.execute(sa.delete(version).where(version.c.number <= seen.version))
    with pytest.raises(Vanished):
        seen.check_kept()
    open_snapshot(docs.workspace, OPERATOR).check_kept()


def test_a_question_is_answered_from_what_is_left_when_a_source_is_removed_meanwhile(docs: Following, tmp_path: Path) -> None:
    other = add(docs, tmp_path / "other")

    def remove() -> None:
        if other in {source.id for source in docs.sources.all()}:
            docs.sources.mark_removing(other)
            forget_source(docs.workspace.database, other)

    *events, answer = ask(docs.workspace, "Which pump of the harbour is green?", reader=Interrupted(remove), principal=OPERATOR)
    assert isinstance(answer, Answer) and answer.verdict == "partial"
    assert {citation.document_id for citation in answer.citations} == {"pump.md"}
    again = next(at for at, event in enumerate(events) if isinstance(event, Restart))
    assert tuple(event for event in events[again:] if isinstance(event, Step)) == answer.trail, "what came before is void"
