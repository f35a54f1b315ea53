"""The folder connector: what belongs to it, what changed, what is gone and what is only out of reach."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors import connect
from connectors.base import AccessLost, Batch, Cancelled, ConfigurationError, Container
from connectors.folder import LARGE_BYTES, FolderConfig, FolderConnector
from connectors.formats.file import Read, Task, examine, read_file
from connectors.formats.parsed import Options, Parsed
from connectors.listing import Disk, decode_id, encode_id
from connectors.sandbox import Limits, Sandbox
from tests import reading
from tests.connectors.test_contract import documents, failures, gone, move
from tests.connectors.work import breaks, commands, killed_by, recorded, sleeps

Open = Callable[..., FolderConnector]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "team"
    folder.mkdir()
    return folder


@pytest.fixture
def open_folder(root: Path) -> Iterator[Open]:
    opened: list[FolderConnector] = []

    def open_with(**settings: Any) -> FolderConnector:
        opened.append(reading.open_folder(root, **settings))
        return opened[-1]

    yield open_with
    for connector in opened:
        connector.close()


def put(root: Path, relative: str, text: str = "Text.\n", age: float = 60) -> Path:
    """A file that has not been touched for a while."""
    path = root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def ids(connector: FolderConnector) -> list[str]:
    return list(connector.census())


def fetch(connector: FolderConnector, checkpoint: dict[str, str], hints: list[str] | None = None) -> list[Batch]:
    batches = []
    for batch in connector.fetch(dict(checkpoint), hints):
        batches.append(batch)
        move(checkpoint, batch)
    return batches


# ---------------------------------------------------------------- what belongs to it


def test_hidden_files_and_folders_are_left_out_by_default(root: Path, open_folder: Open) -> None:
    put(root, "a.md"), put(root, ".secret.md"), put(root, ".git/config.md")
    assert ids(open_folder()) == ["a.md"]
    assert set(ids(open_folder(hidden=True))) == {"a.md", ".secret.md", ".git/config.md"}


def test_include_and_exclude_patterns_are_those_of_gitignore(root: Path, open_folder: Open) -> None:
    put(root, "a.md"), put(root, "b.txt"), put(root, "drafts/c.md"), put(root, "old/keep.md"), put(root, "old/drop.md")
    connector = open_folder(include=["*.md"], exclude=["drafts/", "old/*", "!old/keep.md"])
    assert ids(connector) == ["a.md", "old/keep.md"]


def test_an_ignore_file_rules_its_folder_and_the_inner_one_wins(root: Path, open_folder: Open) -> None:
    put(root, ".knowledgeignore", "*.log\n/private/\n")
    put(root, "a.log"), put(root, "private/b.md"), put(root, "sub/private/c.md"), put(root, "sub/d.log")
    put(root, "sub/.knowledgeignore", "!d.log\n")
    assert ids(open_folder()) == ["sub/d.log", "sub/private/c.md"]


def test_a_hint_obeys_the_ignore_files_too(root: Path, open_folder: Open) -> None:
    put(root, ".knowledgeignore", "private/\n")
    put(root, "private/b.md")
    assert fetch(open_folder(), {}, ["private/b.md", "private"]) == [] or not documents(fetch(open_folder(), {}, ["private"]))


def test_a_changed_ignore_file_given_as_a_hint_takes_files_out(root: Path, open_folder: Open) -> None:
    put(root, "sub/a.md"), put(root, "sub/b.md")
    checkpoint: dict[str, str] = {}
    fetch(open_folder(), checkpoint)
    put(root, "sub/.knowledgeignore", "b.md\n")
    assert gone(fetch(open_folder(), checkpoint, ["sub/.knowledgeignore"])) == ["sub/b.md"]


def test_lock_files_of_open_documents_are_left_out(root: Path, open_folder: Open) -> None:
    put(root, "~$plan.docx"), put(root, "plan.md.swp"), put(root, "plan.md")
    assert ids(open_folder()) == ["plan.md"]


def test_links_are_not_followed_wherever_they_point(root: Path, tmp_path: Path, open_folder: Open) -> None:
    outside = tmp_path / "outside"
    put(outside, "secret.md")
    put(root, "inside/real.md")
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "again").symlink_to(root / "inside")
    (root / "loop").symlink_to(root)
    connector = open_folder()
    assert ids(connector) == ["inside/real.md"]
    for hint in ("link.md", "folder", "folder/secret.md", "again/real.md", "loop/inside/real.md"):
        assert documents(fetch(connector, {}, [hint])) == []


def test_a_file_replaced_by_a_link_is_not_read(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "secret.md", "Secret.\n")
    (root / "a.md").symlink_to(tmp_path / "secret.md")
    assert examine(Task("a.md", str(root / "a.md"), Options())).status == "vanished"


@pytest.mark.parametrize("hint", ["../secret.md", "sub/../../secret.md", "/etc/passwd", "a\0b", "./a.md", "x" * 5000, "//a.md"])
def test_a_crafted_hint_reaches_nothing(root: Path, tmp_path: Path, open_folder: Open, hint: str) -> None:
    put(tmp_path, "secret.md"), put(root, "sub/a.md")
    batches = fetch(open_folder(), {}, [hint])
    assert not documents(batches) and not failures(batches)


def test_a_pipe_in_the_folder_does_not_stall(root: Path, open_folder: Open) -> None:
    os.mkfifo(root / "pipe.md")
    put(root, "a.md")
    assert [document.id for document in documents(fetch(open_folder(), {}))] == ["a.md"]
    assert examine(Task("pipe.md", str(root / "pipe.md"), Options())).status == "vanished"


@pytest.mark.parametrize(
    "name", ["new\nline.md", "emoji 🎉.md", "50% #1?.md", "a" * 240 + ".md", "[x]*.md", " blank .md", "ünï.md"]
)
def test_odd_names_are_ids(root: Path, open_folder: Open, name: str) -> None:
    put(root, f"sub/{name}")
    connector = open_folder()
    [document] = documents(fetch(connector, {}))
    assert document.id == f"sub/{name}" and "\n" not in document.title
    assert documents(fetch(connector, {}, [document.id])) == [document]


def test_a_name_that_is_not_unicode_has_a_reversible_id(root: Path, open_folder: Open) -> None:
    with open(os.path.join(os.fsencode(root), b"caf\xe9.md"), "w") as file:
        file.write("Text.\n")
    connector = open_folder()
    [document] = documents(fetch(connector, {}))
    assert document.id == "caf\ufffde9.md" and document.id.encode()
    assert [found.id for found in documents(fetch(connector, {}, [document.id]))] == [document.id]


@pytest.mark.parametrize("raw", [b"caf\xe9", b"\xff\xfe\xef\xbf\xbd", "\ufffde9".encode(), "a\ufffd".encode(), b"\xc3\xa9\xc3"])
def test_ids_and_names_map_to_each_other(raw: bytes) -> None:
    name = os.fsdecode(raw)
    assert decode_id(encode_id(name)) == name and encode_id(name).encode()


# ---------------------------------------------------------------- what a document says about itself


def test_a_document_knows_its_place_names_and_age(root: Path, open_folder: Open) -> None:
    put(root, "ops/runbooks/restart.md", "# Restarting\n\nDo it.\n")
    [document] = documents(fetch(open_folder(), {}))
    assert document.path == (Container("ops", "ops"), Container("runbooks", "runbooks"))
    assert document.title == "Restarting" and document.aliases == ("restart.md", "restart")
    assert document.metadata["size"] == "21" and document.metadata["modified"].startswith("20")


# ---------------------------------------------------------------- what changed


def test_a_touch_costs_a_stamp_and_no_document(root: Path, open_folder: Open) -> None:
    path = put(root, "a.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    before = checkpoint["a.md"]
    os.utime(path, (1, 1))
    assert not documents(fetch(connector, checkpoint)) and checkpoint["a.md"] != before


def test_an_unchanged_file_is_not_opened(root: Path, open_folder: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md")
    time.sleep(0.01)
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    monkeypatch.setattr(connector.sandbox, "map", lambda function, tasks: (_ for _ in [list(tasks)] if _))
    assert [batch.looked_at for batch in fetch(connector, checkpoint)] == [1]


def test_an_edit_that_keeps_size_and_time_is_seen(root: Path, open_folder: Open) -> None:
    path = put(root, "a.md", "aaaa\n")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    status = path.stat()
    path.write_text("bbbb\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert [document.sections[0].text for document in documents(fetch(connector, checkpoint))] == ["bbbb"]


def test_two_edits_within_one_tick_of_the_clock_are_both_seen(root: Path, open_folder: Open) -> None:
    put(root, "a.md", age=0)
    checkpoint: dict[str, str] = {}
    fetch(open_folder(), checkpoint)
    assert checkpoint["a.md"].startswith("~")
    batches = fetch(open_folder(), checkpoint)
    assert not documents(batches) and sum(batch.looked_at for batch in batches) == 1


def test_a_failure_is_not_tried_again_until_the_file_or_a_limit_changes(root: Path, open_folder: Open) -> None:
    put(root, "big.docx", "x" * 3_000_000)
    checkpoint: dict[str, str] = {}
    assert failures(fetch(open_folder(max_file_megabytes=1), checkpoint))[0].problem.kind in ("too large", "damaged")
    assert not failures(fetch(open_folder(max_file_megabytes=1), checkpoint))
    assert failures(fetch(open_folder(max_file_megabytes=5), checkpoint))


def test_a_text_above_the_limit_is_read_up_to_it(root: Path, open_folder: Open) -> None:
    put(root, "big.txt", "A line of text.\n" * 100_000)
    [document] = documents(fetch(open_folder(max_file_megabytes=1), {}))
    assert document.problems[0].kind == "limit" and "1 MB" in document.problems[0].reason
    assert 900_000 < sum(len(section.text) for section in document.sections) <= 1_000_000


def test_characters_above_the_limit_are_left_out_and_said(root: Path, open_folder: Open) -> None:
    put(root, "big.txt", "A line of text.\n" * 10_000)
    [document] = documents(fetch(open_folder(max_characters=1_000), {}))
    assert sum(len(section.text) for section in document.sections) in (999, 1_000)
    assert [problem.kind for problem in document.problems] == ["limit"] and "1,000 characters" in document.problems[0].reason


@pytest.mark.parametrize("hints", [None, ["a.txt", "b.md"]])
def test_a_large_file_keeps_no_small_one_waiting(root: Path, open_folder: Open, hints: list[str] | None) -> None:
    put(root, "a.txt", "A long line of a log.\n" * (LARGE_BYTES // 20)), put(root, "b.md")
    batches = fetch(open_folder(), {}, hints)
    assert [[document.id for document in batch.documents] for batch in batches if batch.documents] == [["b.md"], ["a.txt"]]


def test_a_renamed_folder_given_as_hints_moves_its_files(root: Path, open_folder: Open) -> None:
    put(root, "old/a.md"), put(root, "old/deep/b.md"), put(root, "older.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    (root / "old").rename(root / "new")
    batches = fetch(connector, checkpoint, ["old", "new"])
    assert sorted(gone(batches)) == ["old/a.md", "old/deep/b.md"]
    assert sorted(document.id for document in documents(batches)) == ["new/a.md", "new/deep/b.md"]
    assert sorted(key for key in checkpoint if key != ".") == ["new/a.md", "new/deep/b.md", "older.md"]


def test_a_file_that_becomes_a_folder_is_gone(root: Path, open_folder: Open) -> None:
    put(root, "a")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    (root / "a").unlink()
    put(root, "a/b.md")
    batches = fetch(connector, checkpoint, ["a"])
    assert gone(batches) == ["a"] and [document.id for document in documents(batches)] == ["a/b.md"]


def test_a_file_that_vanishes_between_listing_and_reading_is_gone(root: Path, open_folder: Open) -> None:
    put(root, "a.md"), put(root, "b.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    put(root, "a.md", "New.\n"), put(root, "b.md", "New.\n")
    look = connector._look(checkpoint, None)
    (root / "a.md").unlink()
    connector._look = lambda *_: look  # type: ignore[method-assign]
    batches = fetch(connector, checkpoint)
    assert gone(batches) == ["a.md"] and [document.id for document in documents(batches)] == ["b.md"]


def disturbed(disturb: Callable[[Path], object]) -> Callable[[str, int], Read]:
    """Reads files to which somebody does this whenever they have just been read."""

    def reading(path: str, limit: int) -> Read:
        read = read_file(path, limit)
        disturb(Path(path))
        return Read(read.before, read.data, os.stat(path))

    return reading


def is_never_parsed(name: str, data: bytes, options: Options) -> Parsed:
    raise AssertionError("a file that is changing is not parsed")


def test_a_file_that_is_written_anew_all_the_time_is_tried_again_later(root: Path) -> None:
    path = put(root, "a.log", "0\n")
    task = Task("a.log", str(path), Options(), parse=is_never_parsed)
    outcome = examine(task, disturbed(lambda path: path.write_text(f"{len(path.read_text())}\n" * 9)))
    assert outcome.status == "later" and outcome.problem and "being written" in outcome.problem.reason


def test_of_a_file_that_grows_without_pause_what_stands_in_it_is_read(root: Path) -> None:
    path = put(root, "a.log", "one line\nhalf of ano")

    def grow(path: Path) -> None:
        with path.open("a") as file:
            file.write("ther\nand half of ano")

    outcome = examine(Task("a.log", str(path), Options()), disturbed(grow))
    assert outcome.status == "read" and outcome.parsed and outcome.state.startswith("~")
    assert [section.text for section in outcome.parsed.sections] == ["one line\nhalf of another\nand half of another"]


# ---------------------------------------------------------------- out of reach is not gone


def test_an_emptied_mount_point_is_access_lost(root: Path, open_folder: Open) -> None:
    put(root, "a.md"), put(root, "b.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    shutil.rmtree(root)
    root.mkdir()
    checkpoint["."] = "another device"
    with pytest.raises(AccessLost, match="drive"):
        fetch(connector, checkpoint)
    with pytest.raises(AccessLost, match="drive"):
        fetch(connector, checkpoint, ["a.md"])


def test_the_last_file_of_a_folder_can_be_deleted(root: Path, open_folder: Open) -> None:
    put(root, "a.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    (root / "a.md").unlink()
    assert gone(fetch(connector, checkpoint, ["a.md"])) == ["a.md"]
    assert ids(connector) == []


class FailingDisk(Disk):
    """Answers with an error where a test says so: root may do everything, also in tests."""

    def __init__(self, **errors: int) -> None:
        self.errors = errors  # the end of a path: errno

    def _fail(self, path: str) -> None:
        for end, number in self.errors.items():
            if path.rstrip("/").endswith(end):
                raise OSError(number, os.strerror(number), path)

    def entries(self, path: str) -> list[os.DirEntry[str]]:
        self._fail(path)
        return super().entries(path)

    def status(self, path: str) -> os.stat_result:
        for folder in Path(path).parents:
            self._fail(str(folder))
        return super().status(path)

    def beginning(self, path: str, most: int) -> bytes:
        self._fail(path)
        return super().beginning(path, most)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ESTALE, errno.ENAMETOOLONG])
def test_a_subfolder_that_cannot_be_looked_into_is_listed_and_what_lies_in_it_stays(
    root: Path, open_folder: Open, number: int
) -> None:
    put(root, "a.md"), put(root, "b.md"), put(root, "shut/c.md"), put(root, "shut/deep/d.md")
    checkpoint: dict[str, str] = {}
    fetch(open_folder(), checkpoint)
    (root / "b.md").unlink()
    connector = open_folder(disk=FailingDisk(shut=number))
    batches = fetch(connector, checkpoint)
    assert {failure.id: failure.problem.kind for failure in failures(batches)} == {
        "shut/": "closed", "shut/c.md": "closed", "shut/deep/d.md": "closed",
    }  # fmt: skip
    assert not failures(fetch(connector, checkpoint))
    assert set(ids(connector)) == {"a.md", "shut/"}
    known = ["b.md", "shut/c.md", "shut/deep/d.md"]
    assert connector.confirm(known) == {"b.md": "gone", "shut/c.md": "here", "shut/deep/d.md": "here"}
    assert gone(fetch(connector, checkpoint, [*known, "shut"])) == ["b.md"]
    connector = open_folder()
    batches = fetch(connector, checkpoint)
    assert {document.id for document in documents(batches)} == {"shut/c.md", "shut/deep/d.md"}
    assert "shut/" not in ids(connector)


def test_a_closed_subfolder_that_was_never_read_does_not_stop_the_census(root: Path, open_folder: Open) -> None:
    put(root, "a.md"), put(root, "lost+found/b.md")
    connector = open_folder(disk=FailingDisk(**{"lost+found": errno.EACCES}))
    [failure] = failures(fetch(connector, {}))
    assert failure.id == "lost+found/" and "not allowed" in failure.problem.reason
    assert ids(connector) == ["a.md", "lost+found/"]


def test_a_path_beyond_what_the_system_opens_is_listed(root: Path, open_folder: Open) -> None:
    put(root, "a.md")
    here = os.open(root, os.O_RDONLY)
    for _ in range(22):
        os.mkdir("d" * 200, dir_fd=here)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("deep.md", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    connector = open_folder()
    batches = fetch(connector, {})
    assert [document.id for document in documents(batches)] == ["a.md"]
    [failure] = failures(batches)
    assert failure.id.startswith("d" * 200) and "longer than the system opens" in failure.problem.reason
    assert set(ids(connector)) == {"a.md", failure.id}


def test_a_folder_whose_ignore_file_cannot_be_read_is_not_read_without_it(root: Path, open_folder: Open) -> None:
    put(root, "sub/.knowledgeignore", "private.md\n")
    put(root, "sub/private.md"), put(root, "a.md")
    batches = fetch(open_folder(disk=FailingDisk(**{"sub/.knowledgeignore": errno.EIO})), {})
    assert [document.id for document in documents(batches)] == ["a.md"]
    assert [failure.id for failure in failures(batches)] == ["sub/"]


def test_a_bad_line_of_an_ignore_file_is_listed_and_passed_over(root: Path, open_folder: Open) -> None:
    put(root, "sub/.knowledgeignore", "!\n*.log\n")
    put(root, "sub/a.md"), put(root, "sub/b.log")
    connector, checkpoint = open_folder(), {}
    batches = fetch(connector, checkpoint)
    assert [document.id for document in documents(batches)] == ["sub/a.md"]
    [failure] = failures(batches)
    assert failure.id == "sub/.knowledgeignore" and "“!” is passed over" in failure.problem.reason
    assert not failures(fetch(connector, checkpoint)) and set(ids(connector)) == {"sub/a.md", "sub/.knowledgeignore"}
    put(root, "sub/.knowledgeignore", "*.log\n")
    assert ids(connector) == ["sub/a.md"]
    assert gone(fetch(connector, checkpoint, ["sub/.knowledgeignore"])) == ["sub/.knowledgeignore"]


def test_an_ignore_file_that_is_a_pipe_does_not_stall(root: Path, open_folder: Open) -> None:
    put(root, "a.md")
    os.mkfifo(root / ".knowledgeignore")
    assert ids(open_folder()) == ["a.md"]


def test_a_pattern_made_to_stall_does_not(root: Path, open_folder: Open) -> None:
    put(root, ".knowledgeignore", "*a*a*a*a*a*a*a*ab\n")
    put(root, "a" * 250)
    began = time.monotonic()
    assert ids(open_folder()) == ["a" * 250]
    assert time.monotonic() - began < 2


def test_the_other_name_of_a_file_is_read_too_when_one_is_changed(root: Path, open_folder: Open) -> None:
    path = put(root, "one.md", "Old.\n")
    (root / "sub").mkdir()
    os.link(path, root / "sub/other.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    path.write_text("New.\n")
    changed = documents(fetch(connector, checkpoint, ["one.md"]))
    assert {document.id: document.sections[0].text for document in changed} == {"one.md": "New.", "sub/other.md": "New."}


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.xlsx"])
def test_a_file_of_no_bytes_is_damaged_unless_it_is_a_text(root: Path, open_folder: Open, name: str) -> None:
    put(root, name, ""), put(root, "a.md", "")
    kinds = {failure.id: failure.problem.kind for failure in failures(fetch(open_folder(), {}))}
    assert kinds == {name: "damaged", "a.md": "empty"}


# ---------------------------------------------------------------- closing it


class StallingDisk(Disk):
    """A drive that does not answer any more."""

    def __init__(self, stalls: str) -> None:
        self.stalls = stalls
        self.asked = threading.Event()

    def _stall(self, call: str) -> None:
        if call == self.stalls:
            self.asked.set()
            time.sleep(30)

    def entries(self, path: str) -> list[os.DirEntry[str]]:
        self._stall("list")
        return super().entries(path)

    def status(self, path: str) -> os.stat_result:
        self._stall("status")
        return super().status(path)


def cancelled_after(connector: FolderConnector, work: Callable[[], object], begun: Callable[[], object]) -> float:
    """Seconds from a close in another thread until `work` raised Cancelled."""
    closed_at: list[float] = []

    def close() -> None:
        begun()
        closed_at.append(time.monotonic())
        connector.close()

    closing = threading.Thread(target=close)
    closing.start()
    with pytest.raises(Cancelled):
        work()
    closing.join()
    return time.monotonic() - closed_at[0]


@pytest.mark.parametrize("work", ["check", "fetch", "hints", "census", "confirm"])
def test_closing_cancels_a_look_at_a_drive_that_does_not_answer(root: Path, open_folder: Open, work: str) -> None:
    put(root, "a.md")
    disk = StallingDisk("status" if work in ("hints", "confirm") else "list")
    connector = open_folder(disk=disk)
    ways: dict[str, Callable[[], object]] = {
        "check": connector.check,
        "fetch": lambda: list(connector.fetch({})),
        "hints": lambda: list(connector.fetch({}, ["a.md"])),
        "census": lambda: list(connector.census()),
        "confirm": lambda: connector.confirm(["a.md"]),
    }
    assert cancelled_after(connector, ways[work], lambda: disk.asked.wait(10)) < 1


def test_a_fetch_that_is_ended_after_each_batch_opens_no_file_twice(root: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    for number in range(150):
        put(root, f"{number}.md", str(record))
    connector, checkpoint, fetches = FolderConnector(FolderConfig(path=root), parse=recorded), dict[str, str](), 0
    while len(checkpoint) < 151:  # with the folder's own
        fetches += 1
        for batch in connector.fetch(dict(checkpoint)):
            connector.end_fetch()
            checkpoint.update({id: stamp for id, stamp in batch.checkpoint.items() if stamp is not None})
    connector.close()
    assert fetches > 1 and sorted(record.read_text().split()) == sorted(f"{number}.md" for number in range(150))


def test_closing_cancels_reading(root: Path) -> None:
    for number in range(40):
        put(root, f"{number}.md")
    connector = FolderConnector(FolderConfig(path=root), parse=sleeps)
    assert cancelled_after(connector, lambda: list(connector.fetch({})), lambda: time.sleep(2)) < 1
    connector.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_a_failure_until_it_has_it(root: Path, open_folder: Open) -> None:
    path = put(root, "a.md")
    path.chmod(0)
    connector, checkpoint = open_folder(), {}
    assert failures(fetch(connector, checkpoint))[0].problem.kind == "closed"
    assert not failures(fetch(connector, checkpoint))
    path.chmod(0o600)
    assert [document.id for document in documents(fetch(connector, checkpoint))] == ["a.md"]


# ---------------------------------------------------------------- setting it up


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_file_megabytes": 0}, "max_file_megabytes"),
        ({"colour": "red"}, "colour"),
        ({"path": None}, "path"),
    ],
)
def test_wrong_settings_are_named(root: Path, settings: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        connect("folder", {"path": str(root), **settings})


def test_a_check_says_what_is_wrong_with_the_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no folder"):
        connect("folder", {"path": str(tmp_path / "nowhere")}).check()
    put(tmp_path, "file.md")
    with pytest.raises(ConfigurationError, match="not a folder"):
        connect("folder", {"path": str(tmp_path / "file.md")}).check()


def test_an_unknown_connector_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="folder"):
        connect("telepathy", {})


# ---------------------------------------------------------------- files that break the reader


def test_a_file_that_breaks_its_reader_is_blamed_alone(root: Path) -> None:
    for number in range(40):
        put(root, f"note{number}.md")
    for name in ("slow.md", "greedy.md", "deadly.md"):
        put(root, name)
    with Sandbox(limits=Limits(seconds=5, megabytes=1_024)) as sandbox:
        connector = FolderConnector(FolderConfig(path=root), sandbox, breaks)
        checkpoint: dict[str, str] = {}
        batches = fetch(connector, checkpoint)
        assert len(documents(batches)) == 40
        found = {failure.id: failure.problem for failure in failures(batches)}
        assert {id: problem.kind for id, problem in found.items()} == {
            "slow.md": "limit", "greedy.md": "limit", "deadly.md": "damaged",
        }  # fmt: skip
        assert "5 seconds" in found["slow.md"].reason and "1,024 MB" in found["greedy.md"].reason
        assert not failures(fetch(connector, checkpoint))


def test_a_reader_that_answers_with_a_command_has_it_refused(root: Path, tmp_path: Path) -> None:
    put(root, "note.md")
    put(root, "taken-over.md", f"touch {tmp_path / 'ran'}")
    with Sandbox(workers=1) as sandbox:
        batches = fetch(FolderConnector(FolderConfig(path=root), sandbox, commands), {})
        [failure] = failures(batches)
        assert (failure.id, failure.problem.kind) == ("taken-over.md", "damaged")
        assert "no text of a file" in failure.problem.reason
        assert [document.id for document in documents(batches)] == ["note.md"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("content", ["deadly", "greedy"])
def test_a_file_whose_reader_had_too_little_memory_is_tried_again_less_and_less_often(root: Path, content: str) -> None:
    now = time.time()
    path = put(root, "big.md", content)
    with Sandbox(limits=Limits(seconds=20, megabytes=1_024)) as sandbox:
        connector = FolderConnector(FolderConfig(path=root), sandbox, killed_by, clock=lambda: now)
        checkpoint: dict[str, str] = {}
        [first] = failures(fetch(connector, checkpoint))
        assert first.again and first.problem.kind == "limit" and "damaged" not in first.problem.reason
        assert not failures(fetch(connector, checkpoint, ["big.md"]))  # not yet
        now += 61
        [second] = failures(fetch(connector, checkpoint, ["big.md"]))
        assert second.again and "10 minutes; so far 2 tries" in second.problem.reason
        now += 599
        assert not failures(fetch(connector, checkpoint))
        now += 2
        assert failures(fetch(connector, checkpoint))
        path.write_text("It was made smaller.")
        os.utime(path, (now - 60, now - 60))
        assert [document.id for document in documents(fetch(connector, checkpoint))] == ["big.md"]  # at once


# ---------------------------------------------------------------- where files can be opened in a browser


@pytest.mark.parametrize(
    ("published_at", "expected"),
    [
        ("https://example.org/docs/", {"guide/a b.md": "docs/guide/a%20b.md", "guide/index.md": "docs/guide/index.md", "README.md": "docs/README.md"}),
        ("https://example.org/{path}?plain=1", {"guide/a b.md": "guide/a%20b.md?plain=1", "guide/index.md": "guide/index.md?plain=1", "README.md": "README.md?plain=1"}),
        ("https://example.org/{page}/", {"guide/a b.md": "guide/a%20b/", "guide/index.md": "guide/", "README.md": ""}),
        ("https://example.org/{page}.html", {"guide/a b.md": "guide/a%20b.html", "guide/index.md": "guide/index.html", "README.md": "README.html"}),
    ],
)  # fmt: skip
def test_a_file_has_the_web_address_it_is_published_at(
    root: Path, open_folder: Open, published_at: str, expected: dict[str, str]
) -> None:
    for name in expected:
        put(root, name)
    found = documents(fetch(open_folder(published_at=published_at), {}))
    assert {document.id: document.url for document in found} == {
        id_: f"https://example.org/{address}" for id_, address in expected.items()
    }


def test_another_address_is_given_to_files_that_have_not_changed(root: Path, open_folder: Open) -> None:
    put(root, "a.md")
    checkpoint: dict[str, str] = {}
    assert [document.url for document in documents(fetch(open_folder(), checkpoint))] == [""]
    published = open_folder(published_at="https://example.org/docs")
    assert [document.url for document in documents(fetch(published, checkpoint))] == ["https://example.org/docs/a.md"]
    assert not documents(fetch(published, checkpoint))
    assert [document.url for document in documents(fetch(open_folder(), checkpoint))] == [""]


@pytest.mark.parametrize(
    "address", ["docs.example.org", "ftp://example.org/", "https://", "javascript:alert(1)", "https://a@b.org/"]
)
def test_what_is_no_web_address_is_refused(root: Path, address: str) -> None:
    with pytest.raises(ConfigurationError, match="no web address"):
        connect("folder", {"path": str(root), "published_at": address}, {})
