"""What the next full look at a source would remove, without removing it."""

from __future__ import annotations

from contextlib import closing

from ingestion.connection import open_connector
from ingestion.sources import Missing, Sources
from ingestion.sync import confirmed_missing
from tree.store.models import Source
from tree.workspace import Workspace


def preview(workspace: Workspace, sources: Sources, source: Source) -> list[Missing]:
    """Raises ConnectorError, as a sync would, when the source cannot be seen."""
    known = workspace.store.documents.ids(source.id)
    with closing(open_connector(workspace.home, source.kind, source.config, sources.secrets(source))) as connector:
        gone = confirmed_missing(connector, known - set(connector.census()))
    documents = workspace.store.documents.by_id(source.id, gone)
    missing = (Missing(id_, document.title, gone[id_], document.fingerprint) for id_, document in documents.items())
    return sorted(missing, key=lambda document: document.title)
