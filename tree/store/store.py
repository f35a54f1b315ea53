"""The store of the trees: what reads their rows, one for each kind. It is written to by publishing and forgetting."""

from __future__ import annotations

from tree.store.database import Database
from tree.store.document_rows import DocumentRows
from tree.store.failure_rows import FailureRows
from tree.store.leaf_rows import LeafRows
from tree.store.node_rows import NodeRows
from tree.store.record_rows import RecordRows
from tree.store.source_rows import SourceRows
from tree.store.version_rows import VersionRows


class Store:
    """Whoever wants rows of the trees is handed this, or the one kind that they read.

    What takes a version reads what was live then; without one, what is live now.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.versions = VersionRows(database)
        self.sources = SourceRows(database)
        self.failures = FailureRows(database)
        self.nodes = NodeRows(database)
        self.documents = DocumentRows(database)
        self.leaves = LeafRows(database)
        self.records = RecordRows(database)
