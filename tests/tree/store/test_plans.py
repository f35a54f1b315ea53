"""No statement of a change or of a question reads a whole table: what it costs would grow with the size of the tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from tests.ingestion.workspaces import Following

LARGE = ("node", "document", "leaf", "record", "reading", "checkpoint")


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    for number in range(120):
        following.write(
            f"part {number % 5}/note {number}.md", f"# Pump {number}\n\nPump {number} stands beside gate {number * 7}.\n"
        )
    following.sync()
    yield following
    following.workspace.close()


@contextmanager
def _plans(docs) -> Iterator[list[str]]:
    """How SQLite went about every statement that is run meanwhile."""
    engine, plans = docs.workspace.database.backend.writing, []

    def explain(_connection: Any, cursor: Any, statement: str, parameters: Any, _context: Any, executemany: bool) -> None:
        if statement.startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
            first = parameters[0] if executemany else parameters
            rows = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", first).fetchall()
            plans.extend(f"{row[3]} for {statement}" for row in rows)

    sa.event.listen(engine, "before_cursor_execute", explain)
    try:
        yield plans
    finally:
        sa.event.remove(engine, "before_cursor_execute", explain)


def _reads_all(plan: str) -> bool:
    """A scan of a large table, or the same by way of an index of what has ended or of all nodes of a source. An index of the few
    documents that were read only in part may be gone through."""
    words = plan.split()
    is_of_few = "USING INDEX document_problems" in plan
    return (
        (words[0] == "SCAN" and words[1] in LARGE and not is_of_few)
        or "(live_to=?)" in plan
        or "node_live (source_id=?)" in plan
        or "node_kind" in plan
    )


def test_an_edit_and_following_it_read_only_what_they_change(docs) -> None:
    path = docs.write("part 3/note 8.md", "# Pump 8\n\nIt has been replaced.\n")
    with _plans(docs) as plans:
        docs.sync(path.relative_to(docs.folder).as_posix())
        docs.workspace.index.catch_up()
    assert plans and [plan for plan in plans if _reads_all(plan)] == []


def test_a_question_reads_only_what_lies_on_its_way(docs) -> None:
    with _plans(docs) as plans:
        answer = docs.ask("What stands beside gate 56?")
    assert answer.citations
    assert [plan for plan in plans if _reads_all(plan)] == []


def test_a_question_about_a_folder_reads_only_folders_and_what_is_shown(docs) -> None:
    with _plans(docs) as plans:
        counted = docs.ask("How many files are in part 3?")
        docs.ask("What is in the folder part 3?")
    assert counted.text.startswith("**24 files** are in part 3")
    assert [plan for plan in plans if _reads_all(plan) and "node_kind (source_id=? AND kind=?)" not in plan] == []
    assert not any(plan.startswith("SEARCH document USING INDEX document_id (source_id=?)") for plan in plans)


def test_how_much_a_source_holds_is_counted_without_reading_any_of_it(docs) -> None:
    store, source_id = docs.workspace.store, docs.source.id
    with _plans(docs) as plans:
        assert store.documents.count(source_id) == 120
        nodes = store.nodes.count(source_id)
    assert nodes == sum(node.kind != "pass" for node in store.nodes.of_source(source_id)) > 120
    # of partial indexes SQLite does not say that they cover a query; with these it reads no row
    assert [plan.split(" for ")[0] for plan in plans] == [
        "SEARCH document USING INDEX document_live (source_id=?)",
        "SEARCH node USING INDEX node_kind (source_id=?)",
    ]
