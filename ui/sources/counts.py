"""How much a source holds, in numbers and words."""

from __future__ import annotations

from collections.abc import Mapping

from ingestion.words import counted
from tree.store.models import Source
from tree.store.rows import Store

_slow: dict[tuple[str, int], dict[str, int]] = {}


def counts(store: Store, source: Source) -> dict[str, int]:
    """Documents, passages, places, depth, and documents read only in part; looked up once for each published version."""
    key = (f"{store.database.home}/{source.id}", source.published)
    if key not in _slow:
        root = store.node(f"{source.id}/")
        for old in [known for known in _slow if known[0] == key[0]]:
            _slow.pop(old, None)
        _slow[key] = {
            "documents": store.count_documents(source.id),
            "leaves": root.leaves if root else 0,
            "nodes": store.count_nodes(source.id),
            "depth": root.height if root else 0,
            "partly": len(store.documents_with_problems(source.id)),
        }
    return _slow[key]


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
