"""What the tree is narrowed to: passages of a kind of content, passages with decisions, actions or events, counted by branch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from prompts.language import terms
from prompts.taxonomy import UNCLASSIFIED, name_of
from tree.accounts.principal import Principal
from tree.browse.nodes import newest_shown, sources_shown
from tree.browse.search import LONGEST_SEARCH
from tree.retrieve.index import SearchScope
from tree.retrieve.record_item import Sort
from tree.store.store import Store
from tree.workspace import Workspace
from ui.explorer import view as tree_view

SORTS: tuple[Sort, ...] = ("decision", "action", "event")
ALL_OPEN = 40  # passages of which all branches on the way are shown open at once
KEPT = 16  # filters of which the matches are kept


@dataclass(frozen=True, slots=True)
class Filter:
    """Passages of this type (an id of the taxonomy) that have an item of one of these sorts with all of these words."""

    type: str = ""
    sorts: tuple[Sort, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.type or self.sorts)


@dataclass(frozen=True, slots=True)
class Matches:
    """The passages that match: by the place of each branch how many there are below it, of each passage what it says."""

    counts: Mapping[str, int] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)

    def rows(self, rows: Sequence[tree_view.Row]) -> list[tree_view.Row]:
        """Those rows of a level that lead to a match, with how many and with what is said there."""
        return [
            row | {"leaves": self.counts[row["place"]], "said": self.said.get(row["place"], "")}
            for row in rows
            if row["place"] in self.counts
        ]


def read_filter(type_: str, has: Sequence[str], text: str) -> Filter:
    """A filter as an address writes it; what is no sort is passed over."""
    return Filter(type_, tuple(sort for sort in SORTS if sort in has), " ".join(text[:LONGEST_SEARCH].split()))


def narrowed(workspace: Workspace, principal: Principal, filter_: Filter) -> dict[str, Any]:
    """What the explorer shows of a filter: how many passages match, the levels to begin with and the branches open in them,
    and how many passages there are for each choice."""
    matches = find_matches(workspace, principal, filter_)
    version = newest_shown(workspace, principal)
    levels = _levels(workspace, principal, matches, workspace.store.versions.newest()) if filter_ else {}
    return {
        "version": version,
        "matches": len(matches.said),
        "levels": levels,
        "open": [place for place in levels if place],
        "choices": choices(workspace, principal, filter_),
    }


def _levels(workspace: Workspace, principal: Principal, matches: Matches, version: int) -> dict[str, list[tree_view.Row]]:
    """The sources that have matches; where these are few, all branches down to them."""
    levels: dict[str, list[tree_view.Row]] = {}
    wanted = [""]
    while wanted:
        found = {place: matches.rows(rows) for place, rows in tree_view.levels(workspace, principal, wanted, version).items()}
        levels |= found
        below = [row["place"] for rows in found.values() for row in rows if row["kind"] != "leaf"]
        wanted = below if len(matches.said) <= ALL_OPEN else []
    return levels


def choices(workspace: Workspace, principal: Principal, filter_: Filter) -> dict[str, Any]:
    """How many passages have each sort of item, and are of each type, beside what else is chosen."""
    scope = SearchScope(tuple(sources_shown(workspace, principal)))
    if not scope.sources:
        return {"sorts": dict.fromkeys(SORTS, 0), "types": []}
    items = workspace.index.items(scope)
    sorts, types = items.count_sorts(filter_.type), items.count_types(filter_.sorts, terms(filter_.text))
    named = [{"id": id_, "name": name_of(id_), "count": count} for id_, count in types.items() if id_ != UNCLASSIFIED]
    return {
        "sorts": {sort: sorts.get(sort, 0) for sort in SORTS},
        "types": sorted(named, key=lambda one: (-one["count"], one["name"])),
    }


def find_matches(workspace: Workspace, principal: Principal, filter_: Filter) -> Matches:
    """Kept for the version that the index holds: every branch that is opened asks for them."""
    if not filter_:
        return Matches()
    workspace.index.catch_up()
    key = workspace.index.version(), tuple(sources_shown(workspace, principal)), filter_
    kept = _kept.setdefault(workspace.store, {})
    if (matches := kept.get(key)) is None:
        matches = kept[key] = _matches(workspace, *key)
        for old in list(kept)[:-KEPT]:
            kept.pop(old, None)
    return matches


_kept: WeakKeyDictionary[Store, dict[tuple[int, tuple[str, ...], Filter], Matches]] = WeakKeyDictionary()


def _matches(workspace: Workspace, version: int, sources: tuple[str, ...], filter_: Filter) -> Matches:
    if not sources:
        return Matches()
    said = workspace.index.items(SearchScope(sources)).passages(filter_.type, filter_.sorts, terms(filter_.text))
    above = workspace.store.nodes.with_ancestors(said, version)
    counts: Counter[str] = Counter()
    for place in said:
        step = above.get(place)
        while step is not None:
            counts[step.place] += 1
            step = above.get(step.parent or "")
    return Matches(dict(counts), {place: words for place, words in said.items() if place in above})
