"""One rule for every connector: what cannot be read now stays as it was last read, until its absence is confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from connectors.base import ConnectorError
from ingestion.sources import Sources
from ingestion.sync import Synced, sync, verify
from tests.connectors.test_contract import WORLDS, World
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.workspace import Workspace, open_workspace

NOTES = 14


class Kept:
    """A world and the tree that follows it."""

    def __init__(self, root: Path, world: World) -> None:
        self.world = world
        self.workspace: Workspace = open_workspace(root / "home")
        self.sources = Sources(self.workspace.database)
        self.id = self.sources.add("folder", "Source", {}).id
        self.ids = [world.write(f"note{number}", f"The colour of box {number} is shade{number}.") for number in range(NOTES)]
        self.sync()

    def sync(self) -> Synced:
        return sync(self.workspace, self.sources, self.sources.get(self.id), connector=self.world.connector)

    def documents(self) -> set[str]:
        return self.workspace.store.documents.ids(self.id) - self.world.given

    def ask(self, question: str) -> Answer:
        return next(event for event in ask(self.workspace, question, principal=OPERATOR) if isinstance(event, Answer))


@pytest.fixture(params=WORLDS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    with closing(request.param(tmp_path)) as world:
        kept = Kept(tmp_path, world)
        yield kept
        kept.workspace.close()


def test_a_source_that_is_broken_as_a_whole_loses_nothing_says_so_and_mends(kept: Kept) -> None:
    kept.world.break_all()
    for _ in range(2):
        with pytest.raises(ConnectorError):
            kept.sync()
        assert kept.documents() == set(kept.ids)
    assert kept.sources.get(kept.id).state in ("lost", "failed") and kept.sources.get(kept.id).message
    answer = kept.ask("What is the colour of box 7?")
    assert "shade7" in answer.text and any("cannot be reached" in note for note in answer.notes)
    kept.world.mend_all()
    kept.sync()
    assert kept.sources.get(kept.id).state == "ready" and kept.documents() == set(kept.ids)
    assert not kept.sources.stale(kept.id) and verify(kept.workspace, kept.sources.get(kept.id)).is_equal


def test_what_is_truly_deleted_is_gone(kept: Kept) -> None:
    kept.world.delete(kept.ids[3])
    kept.sync()
    assert kept.documents() == {*kept.ids} - {kept.ids[3]}
    assert "shade3" not in kept.ask("What is the colour of box 3?").text.split()


def test_one_document_that_cannot_be_read_stays_and_the_answer_says_so(kept: Kept) -> None:
    kept.world.garble(kept.ids[3])
    kept.sync()
    assert kept.documents() == set(kept.ids) and kept.sources.get(kept.id).state == "ready"
    assert [row.document_id for row in kept.sources.stale(kept.id)] == [kept.ids[3]]
    assert kept.ask("What is the colour of box 3?").citations[0].note
