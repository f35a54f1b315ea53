"""The connectors of a worker: used again, closed when nobody uses them, and remembered by the next one of their source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingestion.tasks.connectors import OpenConnectors
from tests.ingestion.workspaces import Following


class Learning:
    """Knows what it has looked at."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.is_closed = False

    def remember(self, other: Learning) -> None:
        assert other.is_closed
        self.known = other.known

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def connecting(*_: Any) -> Any:
    return Learning()


def test_what_a_connector_knew_that_nobody_used_for_long_is_remembered_by_the_next_one(docs: Following) -> None:
    opened = OpenConnectors(docs.sources, connecting)
    with opened.of(docs.source) as first:
        first.known.add("a ticket")
    opened.close_idle(0)
    with opened.of(docs.source) as second:
        assert second is not first and first.is_closed and second.known == {"a ticket"}
    opened.close_idle(0)
    docs.sources.configure(docs.source.id, {"path": str(docs.folder), "hidden": True})
    with opened.of(docs.source) as other:
        assert other.known == set(), "it is another source now"


def test_one_that_has_failed_is_not_remembered(docs: Following) -> None:
    opened = OpenConnectors(docs.sources, connecting)
    with pytest.raises(ZeroDivisionError), opened.of(docs.source) as first:
        first.known.add("nonsense")
        raise ZeroDivisionError
    opened.close_idle(0)
    with opened.of(docs.source) as second:
        assert second.known == set()
