"""A source is tried in a process of its own before it is added."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from connectors.base import ConfigurationError
from ingestion.connection import UPLOADS, check_aside, open_connector


def test_a_check_aside_sees_what_the_connector_sees(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / ("a" * 250)).write_text("Text.\n")
    (docs / ".knowledgeignore").write_text("*a*a*a*a*a*a*a*ab\n")
    found = check_aside(tmp_path / "home", "folder", {"path": str(docs)}, {}, seconds=20)
    assert found is not None and found.documents == 1


def test_a_check_aside_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no folder"):
        check_aside(tmp_path / "home", "folder", {"path": str(tmp_path / "nowhere")}, {}, seconds=20)


@pytest.fixture(params=["in the data folder", "on another disk"])
def kept(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder of uploaded files, by the way that the app itself names it."""
    uploads = tmp_path / "home" / UPLOADS
    uploads.parent.mkdir()
    if request.param == "on another disk":
        (tmp_path / "large").mkdir()
        uploads.symlink_to(tmp_path / "large")
    kept = uploads / "chat-0a1b2c3d-x"
    kept.mkdir(parents=True)
    (kept / "salary.md").write_text("# Salary\n\nWords.\n")
    return kept


def test_what_others_gave_the_app_cannot_be_added_as_a_source(kept: Path, tmp_path: Path) -> None:
    home, link = tmp_path / "home", tmp_path / "link"
    link.symlink_to(kept)
    (home / "..mine").mkdir()
    paths = [home, home / "..mine", kept.parent, kept, kept.resolve(), kept / "salary.md", kept / ".." / kept.name, link]
    for kind, path in ((kind, path) for kind in ("folder", "pdf") for path in paths):
        with pytest.raises(ConfigurationError, match="own data folder"):
            open_connector(home, kind, {"path": str(path)}, is_new=True)
    with pytest.raises(ConfigurationError, match="own data folder"):
        check_aside(home, "folder", {"path": str(kept)}, {}, seconds=20)


def test_what_was_added_before_reads_the_apps_own_files_only_as_the_app_made_it(kept: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with closing(open_connector(home, "folder", {"path": str(kept)})) as connector:
        assert list(connector.census()) == ["salary.md"]
    for kind, path in (("pdf", kept), ("folder", kept.parent), ("folder", home), ("pdf", kept / "salary.md")):
        with pytest.raises(ConfigurationError, match="own data folder"):
            open_connector(home, kind, {"path": str(path)})


def test_a_folder_around_the_data_folder_is_read_without_it(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nWords.\n")
    with closing(open_connector(tmp_path / "home", "folder", {"path": str(tmp_path)}, is_new=True)) as connector:
        assert list(connector.census()) == ["note.md"]
