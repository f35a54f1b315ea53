"""Which actions stand: those of a list that holds and not of one that another took the place of, each once, and without what is done
where it is asked what is to be done."""

from __future__ import annotations

from collections.abc import Sequence

from prompts.extractive.standing import is_superseded
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import text_in_place
from tree.ask.snapshot.standing_documents import standing_only
from tree.retrieve.fact_index import folded
from tree.retrieve.item_index import StoredItem

MOST_LOOKED_INTO = 500  # leaves; of more it is not looked up whether they hold


def holding(items: Sequence[StoredItem], snapshot: Snapshot) -> tuple[list[StoredItem], bool]:
    """Those that hold, and whether there are any: else what superseded documents, or superseded parts of one, say is all there is."""
    if not 0 < len({one.place for one in items}) <= MOST_LOOKED_INTO:
        return list(items), True
    cited = FactCitations(snapshot.store, snapshot.version).cite(items)
    texts = {place: text_in_place(node, leaf) for place, (node, leaf) in cited.items()}
    kept = [one for one in items if one.place not in texts or not is_superseded(texts[one.place], one.item.start)]
    kept, is_any = standing_only(snapshot, kept, lambda one: one.place) if kept else ([], False)
    return (kept, True) if kept and is_any else (list(items), False)


def may_be_one(one: StoredItem, other: StoredItem) -> bool:
    """Whether two items with the same words can be one: neither is done, due or somebody's where the other is not, or on another day."""
    mine, its = one.item, other.item
    if mine.state and its.state and mine.state != its.state:
        return False
    if mine.sort != "action" or its.sort != "action":
        return True
    is_half_done = "done" in (mine.state, its.state) and mine.state != its.state
    is_due_otherwise = bool(mine.due and its.due) and mine.due != its.due
    names, others = _names(one), _names(other)
    return not is_half_done and not is_due_otherwise and not (names and others and names.isdisjoint(others))


def _names(one: StoredItem) -> set[str]:
    return {word for person in one.item.people for word in folded(person).split()}
