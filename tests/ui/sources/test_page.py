"""The sources page: states in words, adding, uploading, removing, and names of files that are only names."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.reading import read
from tests.ui.opened import add_folder, open_tools, page, words
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server import tools, uploads
from ui.sources import adding as source_adding
from ui.sources import page as sources_page
from ui.sources.card import seconds_left

NOW = 1_800_000_000.0


@pytest.fixture
def opened(monkeypatch, tmp_path):
    yield open_tools(monkeypatch, tmp_path / "home")
    tools.close()


def a_source(**values) -> Source:
    row = {
        "id": "a",
        "name": "Docs",
        "kind": "folder",
        "config": {"path": "/docs"},
        "created_at": NOW,
        "state": "ready",
        "synced_at": NOW - 5,
    }
    return Source(**{**row, **values})


def test_the_time_left_goes_by_the_progress_that_was_seen():
    source = a_source(state="syncing", done=200, total=400)
    assert seconds_left(source, (NOW - 20, 100), NOW) == pytest.approx(40)
    assert seconds_left(source, (NOW - 1, 100), NOW) is None


# ---------------------------------------------------------------- the page


def test_without_sources_the_page_offers_the_sample_and_the_ways_to_add(opened):
    app = page("sources").run()
    assert not app.exception
    assert "No sources yet" in words(app)
    app.button(key="sample").click().run()
    assert [source.name for source in opened.sources.all()] == ["Sample workspace"]
    assert "is added" in words(app)
    assert "sample" not in {button.key for button in app.button}


def test_a_source_shows_its_counts_and_its_unreadable_documents(opened, tmp_path):
    add_folder(opened, tmp_path / "docs", {"a.md": "# One\n\nA page about harbours.\n", "empty.md": "", "broken.pdf": "no pdf"})
    app = page("sources").run()
    assert not app.exception
    assert "1 document · 1 passage" in words(app)
    assert "2 documents could not be read" in {expander.label for expander in app.expander}
    assert "Up to date, but 2 could not be read" in words(app)


def test_names_and_reasons_of_documents_are_shown_letter_by_letter(opened, tmp_path):
    evil = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) <b>.md"
    source = add_folder(opened, tmp_path / "docs", {evil: "", "a.md": "# A\n\nWords.\n"})
    app = page("sources").run()
    app.session_state[f"failures_{source.id}"] = True
    app.run()
    [name] = app.table[0].value["Document"]
    assert r"\<img src" in name and r"\[x\]\(javascript" in name and r"\<b\>" in name
    assert app.table[0].value["Reason, and what to do"][0].startswith("Empty")


def test_a_document_that_cannot_be_read_any_more_is_listed_with_what_the_tree_keeps(opened, tmp_path):
    source = add_folder(opened, tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nWords about rule {n}.\n" for n in range(5)})
    (tmp_path / "docs/0.md").write_bytes(b"\0\1\2\xff" * 500)
    read(opened.workspace, opened.sources, opened.sources.get(source.id))
    app = page("sources").run()
    app.session_state[f"failures_{source.id}"] = True
    app.run()
    assert "1 document is still in the tree as last read" in words(app)
    assert "Kept as it was read" in app.table[0].value["Reason, and what to do"][0]


def test_a_name_with_markup_is_shown_letter_by_letter(opened, tmp_path):
    (tmp_path / "x").mkdir()
    opened.sources.add("folder", "<img src=x> [a](http://evil.example) **b** :red[c] $x$", {"path": str(tmp_path / "x")})
    app = page("sources").run()
    heading = next(element.value for element in app.markdown if "####" in str(element.value))
    assert r"\<img src\=x\>" in heading or r"\<img src=x\>" in heading
    assert r"\[a\]\(http" in heading and r"\*\*b\*\*" in heading and r"\$x\$" in heading


def test_a_test_says_what_is_wrong_with_a_path_and_adds_nothing(opened, tmp_path):
    app = page("sources").run()
    for written, said in (
        ("", "Enter the path first"),
        ("docs", "Enter the full path"),
        (str(tmp_path / "none"), "There is no folder"),
        (str(opened.workspace.home), "own data folder"),
    ):
        app.text_input(key="folder_path").set_value(written).run()
        app.button(key="folder_test").click().run()
        assert said in app.error[0].value.replace("\\", ""), written
    app.button(key="folder_add").click().run()
    assert opened.sources.all() == []


def test_a_folder_is_tested_and_added_under_its_own_name(opened, tmp_path):
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook/a.md").write_text("# A")
    app = page("sources").run()
    app.text_input(key="folder_path").set_value(f' "{tmp_path}/handbook/" ').run()
    app.button(key="folder_test").click().run()
    assert "1 file" in app.success[0].value
    app.text_area(key="folder_exclude").set_value("drafts/\n\n *.tmp ").run()
    app.button(key="folder_add").click().run()
    source = opened.sources.all()[0]
    assert (source.name, source.kind) == ("handbook", "folder")
    assert source.config == {"path": str(tmp_path / "handbook"), "exclude": ["drafts/", "*.tmp"]}


def test_the_same_path_is_not_added_twice(opened, tmp_path):
    add_folder(opened, tmp_path / "docs", {"a.md": "# A\n\nWords.\n"})
    app = page("sources").run()
    app.text_input(key="folder_path").set_value(str(tmp_path / "docs")).run()
    app.button(key="folder_add").click().run()
    assert "already the source “Docs”" in app.error[0].value.replace("\\", "")


def test_a_password_is_saved_encrypted_and_never_shown(opened, tmp_path):
    (tmp_path / "papers").mkdir()
    app = page("sources").run()
    app.text_input(key="pdf_path").set_value(str(tmp_path / "papers")).run()
    app.text_input(key="pdf_password").set_value("open sesame").run()
    app.button(key="pdf_add").click().run()
    source = opened.sources.all()[0]
    assert opened.sources.secrets(source) == {"passwords": "open sesame"}
    assert b"sesame" not in source.secret
    app.session_state[sources_page.DIALOG] = ("settings", source.id)
    app.run()
    assert "sesame" not in words(app) and "sesame" not in {field.value for field in app.text_input if field.key != "pdf_password"}


def test_pause_resume_and_sync_are_asked_for(opened, tmp_path):
    source = add_folder(opened, tmp_path / "docs", {"a.md": "# A\n\nWords.\n"})
    app = page("sources").run()
    app.button(key=f"sync_{source.id}").click().run()
    assert opened.sources.get(source.id).requested_at is not None
    app.button(key=f"pause_{source.id}").click().run()
    assert opened.sources.get(source.id).paused
    assert app.button(key=f"sync_{source.id}").disabled
    app.button(key=f"pause_{source.id}").click().run()
    assert not opened.sources.get(source.id).paused


def test_removing_asks_first_and_says_what_goes(opened, tmp_path):
    source = add_folder(opened, tmp_path / "docs", {"a.md": "# A\n\nWords.\n"})
    app = page("sources").run()
    app.session_state[sources_page.DIALOG] = ("remove", source.id)
    app.run()
    assert "1 document" in words(app) and "The files themselves stay" in words(app)
    assert "answers that rest on it are no longer shown" in words(app)
    app.button(key="remove_confirmed").click().run()
    assert opened.sources.all() == [] and opened.sources.removing() == [source.id]
    assert (tmp_path / "docs/a.md").exists()


def test_trying_again_reads_a_document_anew(opened, tmp_path):
    source = add_folder(opened, tmp_path / "docs", {"a.md": "# A\n\nWords.\n", "empty.md": ""})
    opened.sources.read_again(source.id, ["empty.md"])
    assert "empty.md" not in opened.sources.checkpoint(source.id) and "a.md" in opened.sources.checkpoint(source.id)
    read(opened.workspace, opened.sources, opened.sources.get(source.id))
    assert [failure.tries for failure in opened.sources.failures(source.id)] == [2]


def test_documents_that_went_missing_at_once_are_listed_until_somebody_says_that_they_are_gone(opened, tmp_path):
    source = add_folder(opened, tmp_path / "docs", {f"page-{n}.md": f"# Page {n}\n\nWords about rule {n}.\n" for n in range(20)})
    for n in range(15):
        (tmp_path / f"docs/page-{n}.md").unlink()
    read(opened.workspace, opened.sources, opened.sources.get(source.id))
    app = page("sources").run()
    assert "15 documents went missing at once" in words(app)
    app.button(key=f"approve_{source.id}").click().run()
    assert "went missing" not in words(app)
    assert opened.sources.awaiting_approval(source.id) == []
    assert opened.workspace.store.documents.count(source.id) == 5


# ---------------------------------------------------------------- paths and uploads


def test_a_path_is_whole_or_it_is_none(monkeypatch):
    monkeypatch.setenv("HOME", "/home/jane")
    assert source_adding.read_path("~/docs") == Path("/home/jane/docs")
    assert source_adding.read_path(" '/srv/a/../docs/' ") == Path("/srv/docs")
    for nothing in ("", "  ", "docs", "./docs", "/a\0b", "~nobody-of-that-name/x"):
        assert source_adding.read_path(nothing) is None


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/etc/passwd", "passwd"),
        (".bashrc", "bashrc"),
        ("..", "_"),
        ("", "_"),
        ("a\0b\n.md", "a_b_.md"),
        ("CON.md", "_CON.md"),
        ("~$draft.docx", "$draft.docx"),
        ("<img src=x onerror=alert(1)>.md", "_img src=x onerror=alert(1)_.md"),
        ("übersicht ü.md", "übersicht ü.md"),
    ],
)
def test_an_uploaded_name_is_never_a_path(name, safe):
    assert uploads.safe_name(name) == safe


def test_a_long_name_keeps_its_extension():
    name = uploads.safe_name("ü" * 500 + ".pdf")
    assert name.endswith(".pdf") and len(name.encode()) <= uploads.LONGEST_NAME


class Sent(io.BytesIO):
    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


def test_uploads_stay_below_the_data_folder_and_replace_what_has_their_name(tmp_path):
    folder = uploads.make_folder(tmp_path, "../../Hand book")
    assert folder.parent == tmp_path / "uploads"
    uploads.save(folder, [Sent("../a.md", b"one"), Sent("b.md", b"two")])
    uploads.save(folder, [Sent("a.md", b"newer")])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a.md": b"newer", "b.md": b"two"}


def test_an_upload_that_cannot_be_written_says_so_and_leaves_nothing(tmp_path):
    folder = uploads.make_folder(tmp_path, "x")
    (folder / "a.md").mkdir()
    with pytest.raises(StoreError, match="could not be stored"):
        uploads.save(folder, [Sent("a.md", b"one")])
    assert [path.name for path in folder.iterdir()] == ["a.md"]


def test_uploaded_files_become_a_source_and_go_with_it(opened):
    app = page("sources").run()
    app.file_uploader[0].upload("note.md", b"# Note\n\nWords.\n", "text/markdown").run()
    app.button(key="upload").click().run()
    source = opened.sources.all()[0]
    folder = Path(source.config["path"])
    assert source.name == "Uploaded files" and (folder / "note.md").read_bytes() == b"# Note\n\nWords.\n"
    app.session_state[sources_page.DIALOG] = ("remove", source.id)
    app.run()
    assert "The uploaded files are deleted too" in words(app)
    app.button(key="remove_confirmed").click().run()
    assert not folder.exists()


def test_only_the_apps_own_copies_are_ever_deleted(opened, tmp_path):
    source = add_folder(opened, tmp_path / "docs", {"a.md": "# A\n\nWords.\n"})
    uploads.delete(opened.workspace.home, source)
    uploads.delete(
        opened.workspace.home, a_source(config={"path": str(opened.workspace.home / "uploads" / ".." / ".." / "docs")})
    )
    uploads.delete(opened.workspace.home, a_source(config={"path": str(opened.workspace.home / "uploads")}))
    kept = uploads.make_folder(opened.workspace.home, "Papers")
    uploads.delete(opened.workspace.home, a_source(kind="pdf", config={"path": str(kept)}))
    assert kept.exists(), "the app makes no such source of uploaded files"
    assert (tmp_path / "docs/a.md").exists() and opened.workspace.home.exists()
