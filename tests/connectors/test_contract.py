"""What every connector must keep. A connector takes part by one more line in `WORLDS`."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from connectors import connect
from connectors.base import AccessLost, Batch, Connector, Document, Failure


class FolderWorld:
    """A folder that a test can change."""

    def __init__(self, base: Path) -> None:
        self.root = base / "team"
        self.root.mkdir()
        self.connector: Connector = connect("folder", {"path": str(self.root)})

    def write(self, name: str, text: str) -> str:
        """Makes or changes a document; gives its id."""
        path = self.root / f"notes/{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {name}\n\n{text}\n")
        return f"notes/{name}.md"

    def spoil(self, name: str) -> str:
        """Makes a document that cannot be read."""
        (self.root / f"{name}.docx").write_bytes(b"PK\3\4 cut off")
        return f"{name}.docx"

    def delete(self, id: str) -> None:
        (self.root / id).unlink()

    def vanish(self) -> None:
        """The whole source is gone from sight."""
        shutil.rmtree(self.root)


WORLDS = [FolderWorld]


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FolderWorld]:
    world = request.param(tmp_path)
    yield world
    world.connector.close()


def run(world: FolderWorld, checkpoint: dict[str, str], hints: Collection[str] | None = None) -> list[Batch]:
    """Fetches and moves the checkpoint on."""
    batches = []
    for batch in world.connector.fetch(dict(checkpoint), hints):
        batches.append(batch)
        move(checkpoint, batch)
    return batches


def move(checkpoint: dict[str, str], batch: Batch) -> None:
    checkpoint.update({key: stamp for key, stamp in batch.checkpoint.items() if stamp is not None})
    for key in [key for key, stamp in batch.checkpoint.items() if stamp is None]:
        checkpoint.pop(key, None)


def documents(batches: list[Batch]) -> list[Document]:
    return [document for batch in batches for document in batch.documents]


def failures(batches: list[Batch]) -> list[Failure]:
    return [failure for batch in batches for failure in batch.failures]


def gone(batches: list[Batch]) -> list[str]:
    return [id for batch in batches for id in batch.gone]


def test_a_first_fetch_yields_everything_once(world: FolderWorld) -> None:
    written = {world.write(f"note{number}", f"Text {number}.") for number in range(60)}
    batches = run(world, {})
    ids = [document.id for document in documents(batches)]
    assert len(ids) == len(written) and set(ids) == written
    assert sum(batch.looked_at for batch in batches) == batches[-1].total == 60


def test_the_first_batch_is_small(world: FolderWorld) -> None:
    for number in range(60):
        world.write(f"note{number}", "Text.")
    assert len(run(world, {})[0].documents) <= 10


def test_the_text_of_a_document_arrives(world: FolderWorld) -> None:
    id = world.write("plan", "The launch is on Tuesday.")
    [document] = documents(run(world, {}))
    assert document.id == id and document.fingerprint and document.title
    assert "The launch is on Tuesday." in " ".join(section.text for section in document.sections)


def test_nothing_changed_means_nothing_yielded(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    world.spoil("broken")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    again = run(world, checkpoint)
    assert documents(again) == [] and failures(again) == [] and gone(again) == []


def test_an_edit_yields_that_document_alone(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "One.")
    checkpoint: dict[str, str] = {}
    [before] = [document for document in documents(run(world, checkpoint)) if document.id == id]
    world.write("risks", "One and two.")
    [after] = documents(run(world, checkpoint))
    assert after.id == id and after.fingerprint != before.fingerprint


def test_a_bad_document_is_a_failure_in_words_and_the_rest_is_read(world: FolderWorld) -> None:
    good, bad = world.write("plan", "Text."), world.spoil("broken")
    batches = run(world, {})
    assert [document.id for document in documents(batches)] == [good]
    [failure] = failures(batches)
    assert failure.id == bad and failure.problem.reason.endswith(".") and " " in failure.problem.reason


def test_a_census_names_everything_that_exists(world: FolderWorld) -> None:
    ids = {world.write("plan", "Text."), world.write("risks", "Text."), world.spoil("broken")}
    assert set(world.connector.census()) == ids


def test_a_deleted_document_is_gone_when_hinted(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.delete(id)
    assert gone(run(world, checkpoint, hints=[id])) == [id]
    assert id not in checkpoint and id not in set(world.connector.census())


def test_absence_alone_is_left_to_the_census(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.delete(id)
    assert gone(run(world, checkpoint)) == []
    assert id not in set(world.connector.census())


def test_a_hint_is_never_believed(world: FolderWorld) -> None:
    id = world.write("plan", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    batches = run(world, checkpoint, hints=[id, "never/was.md"])
    assert documents(batches) == [] and gone(batches) == []


def test_only_what_is_hinted_is_looked_at(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "Text.")
    assert [document.id for document in documents(run(world, {}, hints=[id]))] == [id]


def test_a_fetch_cut_off_after_any_batch_is_resumed_there(world: FolderWorld) -> None:
    written = {world.write(f"note{number}", f"Text {number}.") for number in range(50)}
    checkpoint: dict[str, str] = {}
    first = next(batches := world.connector.fetch({}))
    batches.close()
    move(checkpoint, first)
    rest = {document.id for document in documents(run(world, checkpoint))}
    assert rest == written - {document.id for document in first.documents}


def test_a_source_out_of_sight_is_access_lost_and_nothing_is_gone(world: FolderWorld) -> None:
    id = world.write("plan", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.vanish()
    for hints in (None, [id]):
        with pytest.raises(AccessLost, match=r"\w+ .*\."):
            run(world, checkpoint, hints)
    with pytest.raises(AccessLost):
        list(world.connector.census())


def test_what_comes_in_can_cross_a_process_border(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    world.spoil("broken")
    batches = run(world, {})
    assert pickle.loads(pickle.dumps(batches)) == batches


def test_a_check_says_what_it_sees(world: FolderWorld) -> None:
    world.write("plan", "Text.")
    check = world.connector.check()
    assert check.documents == 1 and check.message.endswith(".") and len(check.sample) == 1
