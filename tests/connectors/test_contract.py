"""What every connector must keep. A connector takes part by one more line in `WORLDS`."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from connectors import connect
from connectors.base import LEAVING, AccessLost, Batch, Confirming, Connector, Document, Failure
from connectors.pdf import PdfConfig, PdfConnector
from jira_simulator import Clock, Site, running
from tests.connectors.test_pdf import pdf
from tests.reading import READER, open_folder


class FolderWorld:
    """A folder that a test can change."""

    given: frozenset[str] = frozenset()  # documents that are there before anything is written

    def __init__(self, base: Path) -> None:
        self.root = base / "team"
        self.root.mkdir()
        self.connector: Connector = open_folder(self.root)

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

    def garble(self, id: str) -> None:
        """Makes a document that was read one that cannot be read."""
        (self.root / id).write_bytes(b"\0\1\2\xff" * 500)

    def break_all(self) -> None:
        """The source answers, and what it answers is nothing that any document was."""
        self.whole = {path: path.read_bytes() for path in self.root.rglob("*.*")}
        for path in self.whole:
            path.write_bytes(b"")

    def mend_all(self) -> None:
        for path, data in self.whole.items():
            path.write_bytes(data)

    def vanish(self) -> None:
        """The whole source is gone from sight."""
        shutil.rmtree(self.root)

    def close(self) -> None:
        self.connector.close()


class PdfWorld(FolderWorld):
    """A folder of PDFs."""

    def __init__(self, base: Path) -> None:
        self.root = base / "papers"
        self.root.mkdir()
        self.connector: Connector = PdfConnector(PdfConfig(path=self.root), sandbox=READER)

    def write(self, name: str, text: str) -> str:
        path = self.root / f"notes/{name}.pdf"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pdf(lambda canvas: canvas.drawString(72, 700, f"{name}. {text}")))
        return f"notes/{name}.pdf"

    def spoil(self, name: str) -> str:
        (self.root / f"{name}.pdf").write_bytes(b"%PDF-1.7 cut off")
        return f"{name}.pdf"


class JiraWorld:
    """A Jira with one project, which is a document of its own."""

    given = frozenset({"project/10000"})

    def __init__(self, base: Path) -> None:
        self.site = Site(clock=Clock("2026-03-02T09:00:00+00:00"))
        self.site.add_token(self.site.add_user("Ann Lee", email="ann@example.com"), "token")
        self.site.add_project("GANG", "Gangway", project_id="10000")
        self.stack = ExitStack()
        url = self.stack.enter_context(running(self.site))
        self.connector: Connector = connect(
            "jira", {"url": url, "email": "ann@example.com", "projects": ["GANG"]}, {"token": "token"}
        )
        self.stack.callback(self.connector.close)
        self.ids: dict[str, str] = {}

    def write(self, name: str, text: str) -> str:
        self.site.clock.advance(1)
        if name in self.ids:
            self.site.edit(self.ids[name], description=text)
        else:
            self.ids[name] = self.site.create("GANG", name, description=text).id
        return self.ids[name]

    def spoil(self, name: str) -> str:
        """A file that is none of the kind its name says, at a ticket that is there already."""
        ticket = next(iter(self.ids.values()), None) or self.write("ticket", "Text.")
        return f"{ticket}/attachment-{self.site.attach(ticket, f'{name}.docx', b'PK cut off').id}"

    def delete(self, id: str) -> None:
        self.site.delete(id)

    def garble(self, id: str) -> None:
        self.site.faults.set(name="garbled", path="*/issue/bulkfetch", contains=id, kind="html login")
        self.site.faults.set(name="alone", path=f"*/issue/{id}*", kind="html login")
        self.site.clock.advance(1)
        self.site.edit(id, labels=["changed"])

    def break_all(self) -> None:
        self.site.clock.advance(1)
        for id in self.ids.values():
            self.site.edit(id, labels=["changed"])
        self.site.faults.set(name="broken", path="*/issue/bulkfetch", kind="html login")

    def mend_all(self) -> None:
        self.site.faults.clear("broken")

    def vanish(self) -> None:
        self.site.faults.set(status=403)  # a broken line would be tried again for seconds

    def close(self) -> None:
        self.stack.close()


World = FolderWorld | PdfWorld | JiraWorld
WORLDS = [FolderWorld, PdfWorld, JiraWorld]


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    world = request.param(tmp_path)
    yield world
    world.close()


def run(world: World, checkpoint: dict[str, str], hints: Collection[str] | None = None) -> list[Batch]:
    """Fetches and moves the checkpoint on. What was there before anything was written is left out."""
    batches = []
    for batch in world.connector.fetch(dict(checkpoint), hints):
        move(checkpoint, batch)
        written = tuple(document for document in batch.documents if document.id not in world.given)
        batches.append(replace(batch, documents=written))
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


def test_a_first_fetch_yields_everything_once(world: World) -> None:
    written = {world.write(f"note{number}", f"Text {number}.") for number in range(60)}
    batches = run(world, {})
    ids = [document.id for document in documents(batches)]
    assert len(ids) == len(written) and set(ids) == written
    assert sum(batch.looked_at for batch in batches) == batches[-1].total == 60 + len(world.given)


def test_the_first_batch_is_small(world: World) -> None:
    for number in range(60):
        world.write(f"note{number}", "Text.")
    assert len(run(world, {})[0].documents) <= 10


def test_the_text_of_a_document_arrives(world: World) -> None:
    id = world.write("plan", "The launch is on Tuesday.")
    [document] = documents(run(world, {}))
    assert document.id == id and document.fingerprint and document.title
    assert "The launch is on Tuesday." in " ".join(section.text for section in document.sections)


def test_nothing_changed_means_nothing_yielded(world: World) -> None:
    world.write("plan", "Text.")
    world.spoil("broken")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    again = run(world, checkpoint)
    assert documents(again) == [] and failures(again) == [] and gone(again) == []


def test_an_edit_yields_that_document_alone(world: World) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "One.")
    checkpoint: dict[str, str] = {}
    [before] = [document for document in documents(run(world, checkpoint)) if document.id == id]
    world.write("risks", "One and two.")
    [after] = documents(run(world, checkpoint))
    assert after.id == id and after.fingerprint != before.fingerprint


def test_a_bad_document_is_a_failure_in_words_and_the_rest_is_read(world: World) -> None:
    good, bad = world.write("plan", "Text."), world.spoil("broken")
    batches = run(world, {})
    assert [document.id for document in documents(batches)] == [good]
    [failure] = failures(batches)
    assert failure.id == bad and failure.problem.reason.endswith(".") and " " in failure.problem.reason


def test_a_census_names_everything_that_exists(world: World) -> None:
    ids = {world.write("plan", "Text."), world.write("risks", "Text."), world.spoil("broken")}
    assert set(world.connector.census()) == ids | world.given


def test_a_deleted_document_is_gone_when_hinted(world: World) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.delete(id)
    assert gone(run(world, checkpoint, hints=[id])) == [id]
    assert id not in checkpoint and id not in set(world.connector.census())


def test_what_cannot_be_read_is_never_called_gone(world: World) -> None:
    id = world.write("plan", "Text.")
    for number in range(5):
        world.write(f"risks {number}", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.garble(id)
    found = []
    for hints in (None, [id]):
        batches = run(world, checkpoint, hints)
        found += failures(batches)
        assert gone(batches) == []
    assert {failure.id for failure in found} == {id} and all(failure.problem.kind not in LEAVING for failure in found)
    assert id in set(world.connector.census())
    if isinstance(world.connector, Confirming):
        assert world.connector.confirm([id]).get(id, "here") == "here"


def test_absence_alone_is_left_to_the_census(world: World) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.delete(id)
    assert gone(run(world, checkpoint)) == []
    assert id not in set(world.connector.census())


def test_a_hint_is_never_believed(world: World) -> None:
    id = world.write("plan", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    batches = run(world, checkpoint, hints=[id, "never/was.md"])
    assert documents(batches) == [] and gone(batches) == []


def test_only_what_is_hinted_is_looked_at(world: World) -> None:
    world.write("plan", "Text.")
    id = world.write("risks", "Text.")
    assert [document.id for document in documents(run(world, {}, hints=[id]))] == [id]


def test_a_fetch_cut_off_after_any_batch_is_resumed_there(world: World) -> None:
    written = {world.write(f"note{number}", f"Text {number}.") for number in range(50)}
    checkpoint: dict[str, str] = {}
    done: set[str] = set()
    batches = world.connector.fetch({})
    while not done - world.given:
        batch = next(batches)
        move(checkpoint, batch)
        done |= {document.id for document in batch.documents}
    batches.close()
    rest = {document.id for document in documents(run(world, checkpoint))}
    assert rest == written - done


def test_a_source_out_of_sight_is_access_lost_and_nothing_is_gone(world: World) -> None:
    id = world.write("plan", "Text.")
    checkpoint: dict[str, str] = {}
    run(world, checkpoint)
    world.vanish()
    for hints in (None, [id]):
        with pytest.raises(AccessLost, match=r"\w+ .*\."):
            run(world, checkpoint, hints)
    with pytest.raises(AccessLost):
        list(world.connector.census())


def test_what_comes_in_can_cross_a_process_boundary(world: World) -> None:
    world.write("plan", "Text.")
    world.spoil("broken")
    batches = run(world, {})
    assert pickle.loads(pickle.dumps(batches)) == batches


def test_a_check_says_what_it_sees(world: World) -> None:
    world.write("plan", "Text.")
    check = world.connector.check()
    assert check.documents == 1 and check.message.endswith(".") and len(check.sample) == 1


def test_a_fetch_that_is_ended_hands_over_what_it_began_and_the_next_one_goes_on(world: World) -> None:
    written = {world.write(f"note{number}", f"Text {number}.") for number in range(120)}
    begun, checkpoint = [], dict[str, str]()
    for batch in world.connector.fetch({}):
        world.connector.end_fetch()
        move(checkpoint, batch)
        begun += [document.id for document in batch.documents if document.id not in world.given]
    assert len(begun) < len(written)
    rest = [document.id for document in documents(run(world, checkpoint))]
    assert sorted([*begun, *rest]) == sorted(written)
