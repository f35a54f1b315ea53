"""Where documents stand: their containers, their slots and their order."""

from __future__ import annotations

from collections.abc import Iterable

from tree.store import places
from tree.store.documents import StoredDocument
from tree.store.leaves import Container, LeafDocument


def document_slot(document: LeafDocument | StoredDocument) -> str:
    """A file's name, when its id is its path; else the whole id."""
    above = "".join(f"{step.id}/" for step in document.path)
    return places.escape(document.id.removeprefix(above))


def position_of(document: LeafDocument, slot: str) -> str:
    return places.natural_order(document.order or document.id.rpartition("/")[2], slot)


class Titles:
    """What containers are called, by place: as the document says that heads one, else as all that lie in it say."""

    def __init__(self) -> None:
        self.heads: dict[str, Container] = {}
        self.steps: dict[str, Container] = {}


def container_of(source_id: str, document: LeafDocument, titles: Titles) -> str:
    """The place of the innermost container of a document; notes in `titles` what every one on the way is called."""
    place = places.root_place(source_id)
    for step in document.path:
        place = places.container_place(place, step.id)
        titles.steps[place] = step
    if document.heads and document.path:
        titles.heads[place] = Container(document.path[-1].id, document.title)
    return place


def standing_of(source_id: str, document: LeafDocument) -> str:
    """Where the leaves of a document stand, as `places.standing` tells it."""
    place = container_of(source_id, document, Titles()) + document_slot(document)
    return place if len(document.leaves) == 1 else places.below(place, "")


def with_parents(containers: Iterable[str], source_id: str) -> set[str]:
    root = places.root_place(source_id)
    found: set[str] = set()
    for place in containers:
        while place not in found:
            found.add(place)
            if place != root:
                place = places.parent_container(place)
    return found
