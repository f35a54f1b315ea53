"""The title of a page that says what to do, typed alone: "queue stuck" asks what to do then."""

from __future__ import annotations

import re

from prompts.extractive.pages import has_headed_steps
from prompts.language import terms
from prompts.regex import regex
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.index_entries import as_name
from tree.store.leaves import Leaf

FEWEST_WORDS, MOST_WORDS = 2, 8
_ASKS = regex(
    r"\A\W*(?:what|who|whom|whose|when|where|why|how|which|is|are|was|were|does|do|did|can|could|may|must|should|will|has|have|show|list|summari[sz]e|tell|open|tickets?)\b",
    re.IGNORECASE,
)


def page_in_usual_words(question: str, snapshot: Snapshot) -> str | None:
    """None where it asks anything more, or no page, or more than one, that has steps below such a heading as "Steps" is called so."""
    name = question.strip(" ?!.`\"'")
    if not FEWEST_WORDS <= len(name.split()) <= MOST_WORDS or _ASKS.match(name) or not terms(name):
        return None
    pages = pages_called(name, snapshot)
    return f"What to do: {name}?" if len(pages) == 1 and any(has_headed_steps(leaf.as_read()) for leaf in pages[0]) else None


def pages_called(name: str, snapshot: Snapshot) -> list[list[Leaf]]:
    """Of each document that is called just so its leaves."""
    places = [place for _, place in snapshot.index.named([as_name(name.strip(" ?!.`\"'"))], snapshot.scope)]
    nodes = snapshot.store.nodes.at(places, snapshot.version).values()
    pages: list[list[Leaf]] = []
    for source_id, document_id in {(node.source_id, node.document_id): None for node in nodes if node.document_id}:
        inside = snapshot.store.nodes.of_document(source_id, document_id or "", snapshot.version)
        pages.append([*snapshot.store.leaves.by_key(one.leaf for one in inside if one.leaf).values()])
    return pages
