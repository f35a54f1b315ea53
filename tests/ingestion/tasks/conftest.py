"""A folder whose tree is on PostgreSQL, in a database of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import new_database
from tests.ingestion.workspaces import Following
from tree.workspace import DATABASE_VARIABLE


@pytest.fixture
def docs(tmp_path, monkeypatch) -> Iterator[Following]:
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        following = Following(tmp_path)
        yield following
        following.workspace.close()
