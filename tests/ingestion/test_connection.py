"""A source is tried in a process of its own before it is added."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.base import ConfigurationError
from ingestion.connection import check_aside


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
