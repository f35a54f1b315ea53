"""A small folder, read into a data folder of its own, and the page on top of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from tests.reading import read
from tests.ui.people import tools_of
from tree.store.models import Source
from ui.server import tools as opened
from ui.server.tools import Tools

DOCUMENTS = {
    "runbooks/restore.md": (
        "# Restore the orders database\n\n"
        "## How to restore the orders database\n\n"
        "Before you start: ask Yusuf for the key.\n\n"
        "1. Stop the importer with `gate stop`.\n"
        "2. Restore the newest snapshot with `snap restore orders`.\n"
        "3. Start the importer again.\n"
    ),
    "decisions/0007-queue.md": (
        "# 0007: Message queue\n\n- Date: 2026-03-04\n- Status: accepted\n\n"
        "## Decision\n\nWe decided to use Postgres tables as the message queue, because one database is enough for us.\n"
    ),
    "glossary.md": "# Glossary\n\n**Drift**: the time between a change in a source and its arrival in the tree.\n",
    "notes/page.html": "<html><body><h1>Cellar</h1><p>The spare keys hang in the cellar.</p><script>steal()</script></body></html>",
}


@pytest.fixture(autouse=True, scope="session")
def _components_looked_for_once() -> Iterator[None]:
    """Each page that is opened would look for components of Streamlit in all packages that are installed: 60 ms, and a third of
    what these tests take of a processor."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder that the app opens."""
    folder = tmp_path / "home"
    monkeypatch.setenv("KNOWLEDGE_TREE_HOME", str(folder))
    yield folder
    opened.close()


@pytest.fixture
def tools(home: Path) -> Tools:
    """As an admin works with them."""
    return tools_of()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "team"
    for name, text in DOCUMENTS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


@pytest.fixture
def source(tools: Tools, folder: Path) -> Source:
    """The folder, read."""
    added = tools.sources.add("folder", "Team", {"path": str(folder)})
    read(tools.workspace, tools.sources, added)
    return tools.sources.get(added.id)


def read_again(tools: Tools, source: Source) -> None:
    read(tools.workspace, tools.sources, tools.sources.get(source.id))
