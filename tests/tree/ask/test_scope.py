"""What each source that somebody may not see would give away, were it looked at."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from prompts.extractive import ExtractiveReader
from prompts.records import Question, Reader
from prompts.stop import Stop
from prompts.usage import Usage
from tests.ingestion.workspaces import Following
from tests.tree.ask.worlds import HIDDEN, VISIBLE, Step, World
from tree.ask.ask import Earlier
from tree.retrieve.index import Index, SearchScope
from tree.store.forgetting import forget_before

CRANE = "# The crane\n\nOwner: Maren Oduya\n\nThe crane stands at the berth. It is shut at night.\n"
SECRET = "# The crane\n\nOwner: Ines Falk\n\nThe crane is sold to the zeppelin merger. It is shut in May.\n"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    opened = World(tmp_path, [*HIDDEN, *VISIBLE])
    yield opened
    opened.close()


def test_an_alias_for_what_only_others_have_is_none(world: World) -> None:
    (world.workspace.home / "aliases.yaml").write_text("FALCON: zeppelin merger\nHOIST: crane\n")
    world.take(Step("h1", "put", 1, SECRET))
    world.take(Step("m1", "put", 1, CRANE))
    assert "zeppelin" not in str(world.answered("Where is FALCON?"))
    assert "stands for crane" in str(world.answered("Where is the HOIST?"))
    world.take(Step("m1", "put", 2, SECRET))
    assert "stands for zeppelin merger" in str(world.answered("Where is FALCON?"))


class Rewriting(ExtractiveReader):
    """Remembers what it is told of the chat before a question."""

    told: tuple[str, ...] = ()

    def for_query(self, usage: Usage, stop: Stop) -> Reader:
        return self

    def rewrite(self, question: Question) -> str:
        self.told = question.history
        return question.text


def test_what_an_answer_cited_is_nothing_to_somebody_who_may_see_it_no_more(world: World) -> None:
    world.take(Step("h1", "put", 1, SECRET))
    world.take(Step("m1", "put", 1, CRANE))
    world.take(Step("m1", "put", 2, "# Winches\n\nThe winch is shut in winter, as all of it is.\n"))
    [leaf] = [node for node in world.workspace.store.nodes.of_source("h1") if node.kind == "leaf"]
    before, gone = (
        Earlier("Where is the crane?", (place,), "It is sold.", (leaf.leaf or "",)) for place in (leaf.place, "h1/gone.md")
    )
    for question in ("When is it shut?", "Who owns it?", "Why?"):
        reader = Rewriting()
        assert world.answered(question, earlier=[before]) == world.answered(question, earlier=[gone]), question
        world.answered(question, earlier=[before], reader=reader)
        assert reader.told == ("asked: Where is the crane?",)


def test_old_versions_of_one_source_are_kept_whatever_another_does(world: World) -> None:
    store = world.workspace.store
    world.take(Step("m1", "put", 1, CRANE))
    then = time.time()
    for number in range(4):
        world.take(Step("h1", "put", number, f"{SECRET} Part {number}."))
    forget_before(store.database, None)
    assert store.versions.newest_by(then, VISIBLE) == 1 and store.versions.newest_by(then, HIDDEN) == 0
    assert "at night" in str(world.answered("When is the crane shut?", as_of=then))
    assert store.versions.known_since(VISIBLE) is not None and store.versions.known_since(VISIBLE) < then


def test_a_version_is_numbered_by_those_that_can_be_seen(world: World) -> None:
    store, numbers = world.workspace.store, {}
    for number in range(3):
        world.take(Step("h1", "put", number, SECRET))
        world.take(Step("m1", "put", number, CRANE))
        world.take(Step("t1", "put", number, row=("GWY-1", f"Crane {number}", "Bug", "Done", "", "Low", "", "2026-05-03", "")))
        numbers[store.versions.total(VISIBLE)] = store.versions.newest()
    assert list(numbers) == [2, 4, 6] and store.versions.count(VISIBLE) == {"m1": 3, "t1": 3}
    assert {total: store.versions.number_of(VISIBLE, total) for total in numbers} == numbers
    assert store.versions.number_of(VISIBLE, 7) is None
    forget_before(store.database, None)
    assert store.versions.number_of(VISIBLE, 6) == numbers[6] and store.versions.number_of(VISIBLE, 2) is None
    world.take(Step("m1", "put", 7, CRANE))
    assert store.versions.count(VISIBLE) == {"m1": 4, "t1": 3}


def test_the_order_in_which_leaves_came_into_the_index_makes_no_difference(world: World) -> None:
    scope = SearchScope(VISIBLE)
    for number in (5, 3, 1, 4, 2, 0):
        world.take(Step("m1", "put", number, CRANE))
    found = world.workspace.index.search(["crane"], scope, 3)
    world.lose_index()
    world.workspace.index.catch_up()
    assert found == world.workspace.index.search(["crane"], scope, 3)
    assert [hit.place for hit in found] == sorted(hit.place for hit in found) and "area-0/note-0" in found[0].place


def test_what_was_deleted_and_forgotten_before_it_was_indexed_leaves_the_index(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """Though another source keeps its first version, so that the oldest number that is kept says nothing."""
    world.take(Step("t1", "put", 1, row=("GWY-1", "Crane", "Bug", "Done", "", "Low", "", "2026-05-03", "")))
    world.take(Step("m1", "put", 1, CRANE))
    world.take(Step("m1", "put", 2, SECRET))
    shared, store = world.workspace, world.workspace.store
    world.workspace = replace(
        shared, index=Index(store, shared.home / "unused.db")
    )  # of a process that is killed after it published
    world.take(Step("m1", "delete", 2))
    world.workspace.index.close()
    world.workspace = shared
    forget_before(store.database, None)
    shared.index.catch_up()
    assert shared.index.version() == store.versions.newest() and not shared.index.search(["zeppelin"], SearchScope(VISIBLE), 5)
    assert "contradicts" not in caplog.text


def test_a_source_that_was_not_read_to_its_end_is_told_of_also_before_its_turn_has_come(docs: Following) -> None:
    docs.write("pump.md", "# Pump\n\nThe pump is serviced by Maren.\n")
    docs.sync()
    added = docs.sources.add("folder", "Archive", {"path": str(docs.folder)})
    assert docs.ask("Who services the pump?").notes == (
        "Archive is still being read for the first time, so this may miss something.",
    )
    docs.sources.pause(added.id, True)
    assert docs.ask("Who services the pump?").notes == (
        "Archive is paused and was not read to its end, so this may miss something.",
    )


def test_what_is_counted_while_a_source_is_read_for_the_first_time_is_not_called_answered(docs: Following) -> None:
    docs.write("pumps.csv", "Pump,State\nP-1,on\nP-2,off\n")
    docs.sync()
    assert docs.ask("How many pumps are there?").verdict == "complete"
    docs.sources.add("folder", "Archive", {"path": str(docs.folder)})
    for question in ("How many pumps are there?", "Which pumps are on?"):
        answer = docs.ask(question)
        assert answer.verdict == "partial" and "read for the first time" in answer.notes[0], answer
