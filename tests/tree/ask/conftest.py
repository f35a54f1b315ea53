"""An empty folder that a test fills, and its answers after a sync."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tree.ask.ask import ask
from tree.ask.snapshot.answer import Answer


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def answered(docs: Following, question: str) -> Answer:
    docs.sync()
    *_, answer = ask(docs.workspace, question)
    assert isinstance(answer, Answer)
    return answer
