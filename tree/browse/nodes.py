"""The nodes that a person may see: the names of their sources, and what is at a place."""

from __future__ import annotations

from hashlib import blake2b

from prompts.records import SummaryRecord
from prompts.taxonomy import UNCLASSIFIED, name_of
from tree.accounts.principal import Principal
from tree.store.nodes import Node
from tree.store.places import places_above
from tree.workspace import Workspace

LONGEST_PLACE = 8_000  # characters


def sources_shown(workspace: Workspace, principal: Principal) -> dict[str, str]:
    """The names of the sources this person may see, by id."""
    return {source.id: source.name for source in principal.visible(workspace.store.sources.askable(principal.chat_id))}


def newest_shown(workspace: Workspace, principal: Principal) -> int:
    """The number of the newest version, as this person is shown it: it counts the versions of the sources they may see."""
    return workspace.store.versions.total(sources_shown(workspace, principal))


def state_shown(workspace: Workspace, principal: Principal) -> str:
    """Another text whenever the tree is another one for this person, or is marked otherwise: a version, the sources they may see, what
    cannot be read."""
    sources = sorted(sources_shown(workspace, principal))
    failing = workspace.store.failures.state(sources)
    return blake2b(repr((newest_shown(workspace, principal), sources, failing)).encode(), digest_size=9).hexdigest()


def find_node(workspace: Workspace, principal: Principal, place: str, version: int | None = None) -> Node | None:
    """The node at a place, or what it stands for where a folder holds nothing but one thing."""
    node = workspace.store.nodes.get(place, version) if 0 < len(place) <= LONGEST_PLACE else None
    while node is not None and node.kind == "pass":
        node = workspace.store.nodes.get(node.target or "", version)
    return node if node is not None and node.source_id in sources_shown(workspace, principal) else None


def nearest_above(workspace: Workspace, principal: Principal, place: str) -> Node | None:
    """The innermost node that is still in the tree where `place` was; None when not even its source is known."""
    for shorter in places_above(place[:LONGEST_PLACE]):
        if (node := find_node(workspace, principal, shorter)) is not None:
            return node
    return None


def type_names(record: SummaryRecord | None) -> list[str]:
    """The content types of a record in words."""
    return [name_of(type_id) for type_id in record.content_types if type_id != UNCLASSIFIED] if record else []
