"""How much a source holds, in numbers and words."""

from __future__ import annotations

from collections.abc import Mapping

from ingestion.words import counted
from tree.store.models import Source
from tree.store.store import Store

# By data folder and source: the version, and its counts. Any thread may read and replace an entry; none is ever gone through.
_counted: dict[str, tuple[int, dict[str, int]]] = {}


def counts(store: Store, source: Source) -> dict[str, int]:
    """Documents, passages, places, depth, and documents read only in part; looked up once for each published version."""
    key = f"{store.database.home}/{source.id}"
    version, found = _counted.get(key, (-1, {}))
    if version != source.published:
        root = store.nodes.get(f"{source.id}/")
        found = {
            "documents": store.documents.count(source.id),
            "leaves": root.leaves if root else 0,
            "nodes": store.nodes.count(source.id),
            "depth": root.height if root else 0,
            "partly": len(store.documents.with_problems(source.id)),
        }
        _counted[key] = source.published, found
    return found


def counts_in_words(found: Mapping[str, int]) -> str:
    if not found["documents"]:
        return "Nothing in the tree yet"
    return " · ".join(
        (
            counted(found["documents"], "document"),
            counted(found["leaves"], "passage"),
            counted(found["nodes"], "place in the tree", "places in the tree"),
            counted(found["depth"], "level"),
        )
    )
