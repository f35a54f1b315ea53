"""A word is looked for in the forms that the index does not bring together."""

from __future__ import annotations

from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.snapshot.snapshot import open_snapshot
from tree.retrieve.scent import score_leaves


def test_a_page_that_says_kept_is_found_by_keep(docs: Following) -> None:
    docs.write("rule.md", "# Rule\n\nThe lists of the lock are kept for 30 days.\n")
    docs.write("other.md", "# Rope\n\nThe lists of the rope are blue.\n")
    docs.sync()
    snapshot = open_snapshot(docs.workspace, OPERATOR)
    scent = score_leaves(snapshot.store, snapshot.index, "How long do we keep the lists?", snapshot.version, snapshot.scope)
    best = max(scent.leaves, key=lambda place: scent.leaves[place])
    assert best.endswith("rule.md")
