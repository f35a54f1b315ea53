"""Backup and restore: taken under writes, whole or not at all, and nobody gets more by it than they had."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import threading
from hashlib import sha256
from pathlib import Path

import pytest

from ingestion.__main__ import main
from ingestion.backup import back_up, restore
from ingestion.connection import UPLOADS
from ingestion.sources import Sources
from ingestion.sync import verify
from tests.ingestion.workspaces import Following
from tree.accounts.accounts import open_accounts
from tree.store.database import StoreError
from tree.workspace import open_workspace

ROOT = Path(__file__).parents[2]
PASSWORD = "a heron on the slipway"
WRITER = """
import sys
from pathlib import Path
from ingestion.sources import Sources
from ingestion.sync import sync
from tree.workspace import open_workspace
home, docs = map(Path, sys.argv[1:])
opened = open_workspace(home)
sources = Sources(opened.database)
[source] = sources.all()
number = 0
while True:
    number += 1
    (docs / f"{number % 7}.md").write_text(f"# Note {number % 7}\\n\\nThe pump stands by gate {number}.\\n")
    sync(opened, sources, sources.get(source.id))
    print(opened.store.nodes.get(f"{source.id}/").hash, flush=True)
"""


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    for number in range(7):
        following.write(f"{number}.md", f"# Note {number}\n\nThe pump stands by gate {number}.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    """Of a data folder with one source that was read."""
    folder = tmp_path_factory.mktemp("archive")
    following = Following(folder)
    following.write("pump.md", "# Pump\n\nThe pump stands by gate 7.\n")
    following.sync()
    following.workspace.close()
    back_up(following.workspace.home, folder / "backup.tar.gz")
    return folder / "backup.tar.gz"


def members(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as opened:
        return {head.name: opened.extractfile(head).read() for head in opened}


def written(path: Path, files: dict[str, bytes], **changed: tarfile.TarInfo) -> Path:
    """An archive with these files in this order."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            head = changed.get(name, tarfile.TarInfo(name))
            head.size = len(data) if head.isreg() else 0
            archive.addfile(head, io.BytesIO(data))
    return path


def listed(files: dict[str, bytes], **values) -> dict[str, bytes]:
    """The files with a manifest that names them."""
    entries = {name: {"size": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()}
    told = {"format": 1, "made_at": 0.0, "home": "/nowhere", "files": entries} | values
    return {**files, "manifest.json": json.dumps(told).encode()}


def test_a_backup_under_writes_is_a_state_that_was_there(docs, tmp_path) -> None:
    people = open_accounts(docs.workspace.database).people
    people.add("ada@example.org", "Ada", PASSWORD, is_admin=True)
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(docs.workspace.home), str(docs.folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    published = [docs.workspace.store.nodes.get(f"{docs.source.id}/").hash]
    moved_on = threading.Semaphore(0)

    def listen() -> None:
        for line in process.stdout:
            published.append(line.strip())
            moved_on.release()

    listening = threading.Thread(target=listen)
    listening.start()
    try:
        for number in range(2):
            assert moved_on.acquire(timeout=60), "the writer goes on while backups are taken"
            back_up(docs.workspace.home, tmp_path / f"{number}.tar.gz")
        assert moved_on.acquire(timeout=60)
    finally:
        process.kill()
        process.wait()
        listening.join()
    for number in range(2):
        home = tmp_path / f"restored {number}"
        restore(tmp_path / f"{number}.tar.gz", home)
        opened = open_workspace(home)
        [source] = Sources(opened.database).all()
        assert verify(opened, source).is_equal
        assert opened.store.nodes.get(f"{source.id}/").hash in published
        assert opened.store.nodes.dangling(source.id) == []
        assert open_accounts(opened.database).people.signed_in_with("ada@example.org", PASSWORD).name == "Ada"
        opened.close()


def test_what_was_ended_or_used_since_does_not_come_back(docs, tmp_path, capsys) -> None:
    accounts = open_accounts(docs.workspace.database)
    person = accounts.people.add("ada@example.org", "Ada", PASSWORD, is_admin=True)
    session, link = accounts.sessions.start(person.id), accounts.links.for_reset(person.id)
    token, _ = (accounts.tokens.add(person.id, name) for name in ("leaked", "kept"))
    back_up(docs.workspace.home, tmp_path / "b.tar.gz")
    accounts.tokens.end(person.id, accounts.tokens.of(person.id)[0].id)
    assert main(["restore", str(tmp_path / "b.tar.gz"), "--home", str(tmp_path / "new")]) == 0
    assert "2 API tokens ended: " in capsys.readouterr().out
    opened = open_workspace(tmp_path / "new")
    again = open_accounts(opened.database)
    assert again.sessions.find(session) is None and again.links.look(link) is None
    assert again.tokens.principal(token, again.people) is None and again.tokens.of(person.id) == []
    assert again.audit.entries()[0].action == "backup restored"
    assert Sources(opened.database).all()[0].requested_at, "what was deleted at the source meanwhile is seen at once"
    opened.close()


def test_uploads_and_aliases_move_with_the_folder(tmp_path) -> None:
    home = tmp_path / "home"
    opened = open_workspace(home)
    kept = home / UPLOADS / "minutes-x1"
    kept.mkdir(parents=True)
    (kept / "März.md").write_text("# March\n\nThe quay was cleaned.\n", "utf-8")
    (kept / ".half.part").write_text("half")
    (kept / "link.md").symlink_to("/etc/hostname")
    (home / "aliases.csv").write_text("alias,name\nquayside,Quay\n")
    sources = Sources(opened.database)
    source = sources.add("folder", "Minutes", {"path": str(kept)})
    done = back_up(home, tmp_path / "b.tar.gz")
    assert done.files == 1 and not done.has_key
    assert set(members(tmp_path / "b.tar.gz")) == {"knowledge.db", "aliases.csv", "uploads/minutes-x1/März.md", "manifest.json"}
    opened.close()
    restore(tmp_path / "b.tar.gz", tmp_path / "new")
    again = open_workspace(tmp_path / "new")
    path = Path(Sources(again.database).get(source.id).config["path"])
    assert path == tmp_path / "new" / UPLOADS / "minutes-x1"
    assert (path / "März.md").read_text("utf-8").startswith("# March") and (tmp_path / "new" / "aliases.csv").exists()
    again.close()


def test_saved_passwords_need_the_key(tmp_path, capsys) -> None:
    home = tmp_path / "home"
    opened = open_workspace(home)
    Sources(opened.database).add("folder", "Locked", {"path": str(tmp_path)}, {"passwords": "sesame"})
    opened.close()
    for flags, name in ((["--with-key"], "with.tar.gz"), ([], "without.tar.gz")):
        assert main(["backup", str(tmp_path / name), "--home", str(home), *flags]) == 0
    assert f"keep a copy of {home / 'secret.key'}" in capsys.readouterr().err
    assert main(["restore", str(tmp_path / "with.tar.gz"), "--home", str(tmp_path / "with")]) == 0
    assert "cannot be read" not in capsys.readouterr().err
    assert main(["restore", str(tmp_path / "without.tar.gz"), "--home", str(tmp_path / "without")]) == 0
    assert "of “Locked” cannot be read: put secret.key" in capsys.readouterr().err
    assert b"sesame" not in gzip.decompress((tmp_path / "without.tar.gz").read_bytes())
    again = open_workspace(tmp_path / "with")
    sources = Sources(again.database)
    assert sources.secrets(sources.all()[0]) == {"passwords": "sesame"}
    again.close()


def test_a_backup_says_when_there_was_no_key_to_take_along(tmp_path, capsys, monkeypatch) -> None:
    home = tmp_path / "home"
    open_workspace(home).close()
    assert main(["backup", str(tmp_path / "a.tar.gz"), "--home", str(home), "--with-key"]) == 0
    assert "There is no key in it: no password or token was saved yet." in capsys.readouterr().err
    monkeypatch.setenv("KNOWLEDGE_TREE_KEY", "k" * 43 + "=")
    assert main(["backup", str(tmp_path / "b.tar.gz"), "--home", str(home), "--with-key"]) == 0
    assert "There is no key in it: it is in KNOWLEDGE_TREE_KEY" in capsys.readouterr().err


def test_nobody_else_may_read_a_backup_or_what_was_restored(archive, tmp_path) -> None:
    assert archive.stat().st_mode & 0o077 == 0
    restore(archive, tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "new").rglob("*.db"))


def test_nothing_is_overwritten(docs, archive, tmp_path) -> None:
    with pytest.raises(StoreError, match="exists already"):
        back_up(docs.workspace.home, archive)
    with pytest.raises(StoreError, match="outside"):
        back_up(docs.workspace.home, docs.workspace.home / "backup.tar.gz")
    with pytest.raises(StoreError, match="is a data folder already"):
        restore(archive, docs.workspace.home)
    with pytest.raises(StoreError, match="not empty"):
        restore(archive, docs.folder)
    assert not (docs.folder / "knowledge.db").exists()


def test_a_folder_that_is_none_is_not_backed_up(tmp_path) -> None:
    with pytest.raises(StoreError, match="is not a data folder"):
        back_up(tmp_path / "nothing", tmp_path / "b.tar.gz")
    assert os.listdir(tmp_path) == []


def test_a_damaged_archive_restores_nothing(archive, tmp_path) -> None:
    data = archive.read_bytes()
    for number, harmed in enumerate(
        (b"", b"no archive", data[: len(data) // 2], data[:-40], data[:900] + bytes(64) + data[964:])
    ):
        broken = tmp_path / f"broken {number}.tar.gz"
        broken.write_bytes(harmed)
        with pytest.raises(StoreError, match="is damaged"):
            restore(broken, tmp_path / "new")
        assert not [path for path in (tmp_path / "new").iterdir() if path.name != "locks"]
    restore(archive, tmp_path / "new")


def test_an_archive_whose_files_are_not_those_it_lists_restores_nothing(archive, tmp_path) -> None:
    good = members(archive)
    manifest = good.pop("manifest.json")
    more = {**good, "uploads/x/more.md": b"more", "manifest.json": manifest}
    other = {"knowledge.db": good["knowledge.db"][:-1] + b"x", "manifest.json": manifest}
    for files in (more, other, good, {"manifest.json": manifest}, {"manifest.json": manifest, **good}):
        with pytest.raises(StoreError, match="damaged"):
            restore(written(tmp_path / "bad.tar.gz", files), tmp_path / "new")
    with pytest.raises(StoreError, match="newer release"):
        restore(written(tmp_path / "bad.tar.gz", listed(good, format=2)), tmp_path / "new")
    with pytest.raises(StoreError, match="damaged"):
        restore(written(tmp_path / "bad.tar.gz", listed({"knowledge.db": bytes(4096)})), tmp_path / "new")
    assert not (tmp_path / "new" / "knowledge.db").exists()


@pytest.mark.parametrize(
    "name",
    ["../outside.md", "uploads/../../outside.md", "/tmp/outside.md", "uploads/x/../../../outside.md", "uploads/./x/a.md",
     "search.db", "uploads/a.md", "uploads//a.md", "locks/database.lock", "uploads/x/", "knowledge.db-wal"],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(archive, tmp_path, name) -> None:
    files = {key: data for key, data in members(archive).items() if key != "manifest.json"}
    bad = written(tmp_path / "bad.tar.gz", listed({**files, name: b"planted"}))
    with pytest.raises(StoreError, match="does not belong in a backup|damaged"):
        restore(bad, tmp_path / "deep" / "new")
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == b"planted"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE])
def test_only_plain_files_are_restored(archive, tmp_path, kind) -> None:
    files = {key: data for key, data in members(archive).items() if key != "manifest.json"}
    head = tarfile.TarInfo("uploads/x/a.md")
    head.type, head.linkname = kind, "/etc/passwd"
    bad = written(tmp_path / "bad.tar.gz", listed({"uploads/x/a.md": b"", **files}), **{"uploads/x/a.md": head})
    with pytest.raises(StoreError, match="does not belong in a backup"):
        restore(bad, tmp_path / "new")


def test_the_commands_say_what_happened(docs, tmp_path, capsys) -> None:
    archive = str(tmp_path / "b.tar.gz")
    assert main(["backup", archive, "--home", str(docs.workspace.home)]) == 0
    assert main(["restore", archive, "--home", str(tmp_path / "new")]) == 0
    said = capsys.readouterr()
    assert "holds 1 source again" in said.out and "secret.key" not in said.err, "nothing was encrypted yet"
    assert main(["verify", "--home", str(tmp_path / "new")]) == 0
    assert main(["restore", archive, "--home", str(tmp_path / "new")]) == 1
    assert main(["restore", str(tmp_path / "none.tar.gz"), "--home", str(tmp_path / "other")]) == 1
    assert "No such file" in capsys.readouterr().err
