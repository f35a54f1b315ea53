"""Where the links of a text lead, beyond files and keys: labels, headings of other files, web addresses of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from prompts.language import terms
from prompts.records import Link
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.retrieve.index import as_address, as_name
from tree.store.rows import Node

MOST_LABELS = 10  # that are looked up for one leaf
MOST_SAYING = 60  # leaves that say a label, of which one may declare it


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
    for label in labels[:MOST_LABELS]:
        if (node := _by_label(view, label)) is not None:
            yield Target(node, label)


# ---------------------------------------------------------------- web addresses


def _by_address(view: SnapshotView, addresses: list[str]) -> Iterator[Target]:
    """The documents that are known under a web address, whatever it says after "?" or "#"."""
    written = {as_address(address): address for address in reversed(addresses)}
    places = {place: written[address] for address, place in view.index.at_addresses(written, view.scope)}
    for place, node in view.store.nodes(places, view.version).items():
        if (leaf := view.entry_leaf(node)) is not None:
            yield Target(leaf, places[place])


# ---------------------------------------------------------------- headings of other files


def _by_heading(view: SnapshotView, files: list[str]) -> Iterator[Target]:
    """ "guide.md#set-up" is the leaf under that heading, where the file has one."""
    for written in files:
        file, _, anchor = written.partition("#")
        named = view.index.named([as_name(file.rpartition("/")[2])], view.scope)
        for node in view.store.nodes([place for _, place in named], view.version).values():
            inside = view.store.inside(node.source_id, node.document_id or "", view.version) if node.document_id else []
            found = next((one for one in inside if one.kind == "leaf" and _slug(one.title) == _slug(anchor)), None)
            if found is not None:
                yield Target(found, written)


def _slug(heading: str) -> str:
    return "-".join(re.findall(r"\w+", heading.casefold().replace("_", "-")))


# ---------------------------------------------------------------- labels of reStructuredText


def _by_label(view: SnapshotView, label: str) -> Node | None:
    """The leaf below ".. _label:". A label at the end of a leaf is of the heading after it."""
    words = terms(label)
    saying = view.index.mentioning(words, view.scope)[:MOST_SAYING] if words else []
    declared = re.compile(rf"^[ \t]*\.\. _`?{re.escape(label)}`?:[ \t]*$", re.IGNORECASE | re.MULTILINE)
    texts = view.store.leaf_texts(key for _, key in saying)
    for place, key in saying:
        match = declared.search(texts[key][0]) if key in texts else None
        node = next(iter(view.store.nodes([place], view.version).values()), None) if match else None
        if match is not None and node is not None:
            is_followed = re.sub(r"\.\. _[^\n]*:", "", texts[key][0][match.end() :]).strip()
            return node if is_followed else _after(view, node)
    return None


def _after(view: SnapshotView, node: Node) -> Node | None:
    """The next leaf of the same document."""
    inside = [one for one in view.store.inside(node.source_id, node.document_id or "", view.version) if one.kind == "leaf"]
    leaves = view.store.leaves(one.leaf for one in inside if one.leaf)
    ordered = sorted((one for one in inside if one.leaf in leaves), key=lambda one: leaves[one.leaf or ""].begins)
    places = [one.place for one in ordered]
    following = ordered[places.index(node.place) + 1 :] if node.place in places else []
    return next(iter(following), None)
