"""Where the links of a text lead, beyond files and keys: labels, headings of other files, web addresses of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from prompts.records import Link
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.retrieve.index_entries import as_address, as_name
from tree.store.nodes import Node


class Target(NamedTuple):
    """A leaf or document that a link leads to, and the link as it is written."""

    node: Node
    written: str


def targets_of(view: SnapshotView, links: Iterable[Link]) -> Iterator[Target]:
    """The places that links lead to by another way than the name of a document or a key of a ticket."""
    links = list(dict.fromkeys(links))
    yield from _by_address(view, [link.to for link in links if link.kind == "url"])
    files = [link.to for link in links if link.kind == "file"]
    yield from _by_heading(view, [file for file in files if "#" in file])
    labels = [file for file in files if "/" not in file and "." not in file and "#" not in file]
    yield from _by_label(view, labels)


# ---------------------------------------------------------------- web addresses


def _by_address(view: SnapshotView, addresses: list[str]) -> Iterator[Target]:
    """The documents that are known under a web address, whatever it says after "?" or "#"."""
    written = {as_address(address): address for address in reversed(addresses)}
    places = {place: written[address] for address, place in view.index.at_addresses(written, view.scope)}
    for place, node in view.store.nodes.at(places, view.version).items():
        if (leaf := view.entry_leaf(node)) is not None:
            yield Target(leaf, places[place])


# ---------------------------------------------------------------- headings of other files


def _by_heading(view: SnapshotView, files: list[str]) -> Iterator[Target]:
    """ "guide.md#set-up" is the leaf under that heading, where the file has one."""
    for written in files:
        file, _, anchor = written.partition("#")
        named = view.index.named([as_name(file.rpartition("/")[2])], view.scope)
        for node in view.store.nodes.at([place for _, place in named], view.version).values():
            inside = (
                view.store.nodes.of_document(node.source_id, node.document_id or "", view.version) if node.document_id else []
            )
            found = next((one for one in inside if one.kind == "leaf" and _slug(one.title) == _slug(anchor)), None)
            if found is not None:
                yield Target(found, written)


def _slug(heading: str) -> str:
    return "-".join(re.findall(r"\w+", heading.casefold().replace("_", "-")))


# ---------------------------------------------------------------- labels of reStructuredText


def _by_label(view: SnapshotView, labels: list[str]) -> Iterator[Target]:
    """The leaf of the document that has a label whose title says what the label does, else the one that promises most."""
    written = {as_name(label): label for label in labels}
    places = {place: written[name] for name, place in view.index.named(written, view.scope)}
    for place, node in view.store.nodes.at(places, view.version).items():
        inside = view.store.nodes.of_document(node.source_id, node.document_id or "", view.version) if node.document_id else []
        said = set(_slug(places[place]).split("-"))
        titled = [one for one in inside if one.kind == "leaf" and set(_slug(one.title).split("-")) & said]
        best = max(titled, key=lambda one: len(set(_slug(one.title).split("-")) & said), default=view.entry_leaf(node))
        if best is not None:
            yield Target(best, places[place])
