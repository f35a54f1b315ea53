"""The title of a page that says what to do, typed alone: "queue stuck" asks what to do then."""

from __future__ import annotations

import re

from prompts.extractive.pages import has_headed_steps
from prompts.language import terms
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.index_entries import as_name

FEWEST_WORDS, MOST_WORDS = 2, 8
_ASKS = re.compile(
    r"\A\W*(?:what|who|whom|whose|when|where|why|how|which|is|are|was|were|does|do|did|can|could|may|must|should|will|has|have|show|list|summari[sz]e|tell|open|tickets?)\b",
    re.IGNORECASE,
)


def page_in_usual_words(question: str, snapshot: Snapshot) -> str | None:
    """None where it asks anything more, or no page, or more than one, that has steps below such a heading as "Steps" is called so."""
    name = question.strip(" ?!.`\"'")
    if not FEWEST_WORDS <= len(name.split()) <= MOST_WORDS or _ASKS.match(name) or not terms(name):
        return None
    places = [place for _, place in snapshot.index.named([as_name(name)], snapshot.scope)]
    pages = [node for node in snapshot.store.nodes.at(places, snapshot.version).values() if node.document_id]
    if len({(node.source_id, node.document_id) for node in pages}) != 1:
        return None
    inside = snapshot.store.nodes.of_document(pages[0].source_id, pages[0].document_id or "", snapshot.version)
    leaves = snapshot.store.leaves.by_key(one.leaf for one in inside if one.leaf)
    return f"What to do: {name}?" if any(has_headed_steps(leaf.as_read()) for leaf in leaves.values()) else None
