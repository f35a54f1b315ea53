"""An empty folder that a test fills, and its answers after a sync."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Earlier, ask
from tree.ask.snapshot.answer import Answer


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def answered(docs: Following, question: str, earlier: Sequence[Earlier] = ()) -> Answer:
    docs.sync()
    *_, answer = ask(docs.workspace, question, earlier=earlier, principal=OPERATOR)
    assert isinstance(answer, Answer)
    return answer
