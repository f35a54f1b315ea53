"""The folder connector: what belongs to it, what changed, what is gone and what is only out of reach."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors import connect
from connectors.base import AccessLost, Batch, ConfigurationError, Container
from connectors.folder import FolderConfig, FolderConnector
from connectors.formats.file import Task, examine
from connectors.formats.parsed import Options, Parsed
from connectors.listing import Closed, Listing, decode_id, encode_id
from connectors.sandbox import Limits, Sandbox
from tests import reading
from tests.connectors.test_contract import documents, failures, gone, move
from tests.connectors.work import breaks, killed_by

Open = Callable[..., FolderConnector]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "team"
    folder.mkdir()
    return folder


@pytest.fixture
def open_folder(root: Path) -> Iterator[Open]:
    opened: list[FolderConnector] = []

    def open_with(**settings: object) -> FolderConnector:
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
    found, lost, closed = connector._look(checkpoint, None)
    (root / "a.md").unlink()
    connector._look = lambda *_: (found, lost, closed)  # type: ignore[method-assign]
    batches = fetch(connector, checkpoint)
    assert gone(batches) == ["a.md"] and [document.id for document in documents(batches)] == ["b.md"]


def writes_while_read(name: str, data: bytes, options: Options) -> Parsed:
    raise AssertionError("a file that is changing is not parsed")


def test_a_file_that_keeps_changing_is_tried_again_later(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(root, "a.log")
    monkeypatch.setattr("connectors.formats.file.state_of", lambda status: str(time.perf_counter_ns()))
    outcome = examine(Task("a.log", str(path), Options(), parse=writes_while_read))
    assert outcome.status == "later" and "being written" in outcome.problem.reason


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


class ClosedListing(Listing):
    """A folder in which one subfolder may not be listed, also for a test that runs as root."""

    def all(self) -> Iterator[object]:
        return (Closed("closed") if item.id.startswith("closed/") else item for item in super().all())

    def at(self, relative: str) -> Iterator[object]:
        return iter([Closed("closed")]) if relative.startswith("closed") else super().at(relative)


def test_files_in_a_closed_folder_are_failures_and_never_gone(root: Path, open_folder: Open) -> None:
    put(root, "a.md"), put(root, "closed/b.md")
    connector, checkpoint = open_folder(), {}
    fetch(connector, checkpoint)
    connector.listing = ClosedListing(str(root))
    batches = fetch(connector, checkpoint)
    assert [(failure.id, failure.problem.kind) for failure in failures(batches)] == [("closed/b.md", "closed")]
    assert gone(fetch(connector, checkpoint, ["closed/b.md", "closed"])) == [] and not failures(fetch(connector, checkpoint))
    assert ids(connector) == ["a.md", "closed/b.md"]
    connector.listing = Listing(str(root))
    assert [document.id for document in documents(fetch(connector, checkpoint))] == ["closed/b.md"]


def test_a_census_that_knows_nothing_of_a_closed_folder_refuses(root: Path, open_folder: Open) -> None:
    put(root, "closed/b.md")
    connector = open_folder()
    connector.listing = ClosedListing(str(root))
    with pytest.raises(AccessLost, match="closed"):
        ids(connector)


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
    with Sandbox(limits=Limits(seconds=2, megabytes=1_024)) as sandbox:
        connector = FolderConnector(FolderConfig(path=root), sandbox, breaks)
        checkpoint: dict[str, str] = {}
        batches = fetch(connector, checkpoint)
        assert len(documents(batches)) == 40
        found = {failure.id: failure.problem for failure in failures(batches)}
        assert {id: problem.kind for id, problem in found.items()} == {
            "slow.md": "limit", "greedy.md": "limit", "deadly.md": "damaged",
        }  # fmt: skip
        assert "2 seconds" in found["slow.md"].reason and "1,024 MB" in found["greedy.md"].reason
        assert not failures(fetch(connector, checkpoint))


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
