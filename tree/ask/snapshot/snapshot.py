"""What one question sees: a version, a scope, the nodes to start from, and how fresh that is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from typing import NamedTuple

from tree.accounts.principal import Principal
from tree.retrieve.index import Index, SearchScope
from tree.retrieve.scent import Scent, score_leaves
from tree.store.documents import DocumentHead
from tree.store.errors import Overtaken, Vanished
from tree.store.models import Source
from tree.store.nodes import Node
from tree.store.places import root_place
from tree.store.store import Store
from tree.store.troubles import NONE, Troubles, count_troubles
from tree.workspace import Workspace

# Why names folders of the server and addresses of accounts, which are not for whoever asks.
FOR_ADMINS = "An admin sees why on the page Sources."


class Unreachable(NamedTuple):
    """A source that could not be reached. `is_noted`: a note of the answer says so, as it might have changed that."""

    source_id: str
    name: str
    is_noted: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one question sees: one version of the trees of some sources, and the index that follows it."""

    workspace: Workspace
    index: Index
    version: int
    scope: SearchScope
    sources: Mapping[str, Source]  # by id, in the order in which they were added
    tops: tuple[Node, ...]  # to start from: the roots of the sources, or the branches the question is asked in
    as_of: float | None = None  # seconds since 1970, where an older version was wanted
    asked_in: tuple[str, ...] = ()  # places the question was narrowed to
    zone: tzinfo = UTC  # in which the days of whoever asks begin
    asked_by: str = ""  # the name of whoever asks; empty where that is nobody who is signed in
    is_final: bool = False  # of the last try: what was changed meanwhile is left out
    _scents: dict[tuple[str, SearchScope, int], Scent] = field(default_factory=dict, compare=False, repr=False)

    def scent_of(self, text: str) -> Scent:
        """What retrieval says of the leaves for these words: looked for once for each state of the index, however many parts of an answer
        ask for it."""
        key = text, self.scope, self.index.version()
        if key not in self._scents:
            self._scents[key] = score_leaves(self.store, self.index, text, self.version, self.scope)
        self.check_current(self._scents[key])
        return self._scents[key]

    @property
    def store(self) -> Store:
        return self.workspace.store

    def versions(self) -> dict[str, int]:
        """How many versions each of its sources has had: what is told of the version, whose number counts all sources."""
        key = ("versions", self.version, *self.sources)
        return self.store.database.unchanged(key, lambda: self.store.versions.count(self.sources, self.version))

    def check_kept(self) -> None:
        """Raises Vanished where its version was forgotten meanwhile: branches that were replaced since are gone then, or about to
        be, and what was read is not all that there was. Its row goes before the branches do."""
        of = {top.source_id for top in self.tops}
        if of - self.store.versions.count(of, self.version).keys():
            raise Vanished("What was asked about was changed and forgotten meanwhile. Ask again.")

    def check_current(self, scent: Scent) -> None:
        """Raises Overtaken where the index has gone on to a later version, in which leaves that the question finds are others: they
        have no score here, and what they have replaced would be told in their place."""
        if scent.overtaken and not self.is_final and self.as_of is None and self.index.version() > self.version:
            raise Overtaken("What was asked about was changed meanwhile. Ask again.")

    def documents(self, nodes: Iterable[Node]) -> dict[tuple[str, str], DocumentHead]:
        """The documents that these leaves are of, by source and id."""
        return {
            (source_id, id_): document
            for source_id, ids in _by_source(nodes).items()
            for id_, document in self.store.documents.heads(source_id, ids, self.version).items()
        }


def _by_source(nodes: Iterable[Node]) -> dict[str, list[str]]:
    """The ids of the documents that these leaves are of, by source."""
    ids: dict[str, list[str]] = {}
    for node in nodes:
        ids.setdefault(node.source_id, []).append(node.document_id or "")
    return ids


def open_snapshot(
    workspace: Workspace,
    principal: Principal,
    source_ids: Sequence[str] | None = None,
    places: Sequence[str] = (),
    as_of: float | None = None,
    zone: tzinfo = UTC,
) -> Snapshot:
    """The newest version, or the one published last by `as_of`, of what this person may see; without tops where there is
    nothing to ask.

    Source ids that are not known are passed over, and so are places that are not in the tree.
    """
    store = workspace.store
    visible = principal.visible(store.sources.askable(principal.chat_id))
    sources = {source.id: source for source in visible if source_ids is None or source.id in source_ids}
    if as_of is None:
        version = workspace.index.catch_up()
        index = workspace.index.serving(sources, version)
    else:
        version = store.versions.newest_by(as_of, sources)
        index = workspace.index.as_of(tuple(sources), version)
    roots = store.nodes.with_ancestors(map(root_place, sources), version)
    tops = [roots[place] for place in map(root_place, sources) if place in roots]
    if places:
        nodes = store.nodes.at(places, version)
        tops = [nodes[place] for place in places if place in nodes and nodes[place].source_id in sources]
        sources = {top.source_id: sources[top.source_id] for top in tops}
    scope = SearchScope(tuple(sources), tuple(store.nodes.named_below([top.place for top in tops], version)) if places else ())
    return Snapshot(
        workspace,
        index,
        version,
        scope,
        sources,
        tuple(tops),
        as_of,
        tuple(places),
        zone,
        principal.name if principal.person_id else "",
    )


# ---------------------------------------------------------------- freshness


def narrowed_to(snapshot: Snapshot, place: str) -> Snapshot | None:
    """The same, asked in one branch or document; None where that is no part of it, or is gone."""
    node = snapshot.store.nodes.get(place, snapshot.version)
    if node is None or node.source_id not in snapshot.sources or not snapshot.scope.includes(place):
        return None
    scope = SearchScope((node.source_id,), tuple(snapshot.store.nodes.named_below([place], snapshot.version)))
    sources = {node.source_id: snapshot.sources[node.source_id]}
    return replace(snapshot, scope=scope, sources=sources, tops=(node,), asked_in=(place,))


def as_of(snapshot: Snapshot) -> float | None:
    """The moment for which all of it is known, in seconds since 1970: of several sources, that of the one seen longest ago."""
    if snapshot.as_of is not None:
        return snapshot.as_of
    moments = [source.synced_at for source in snapshot.sources.values() if source.synced_at is not None]
    return min(moments, default=None)


def now(snapshot: Snapshot) -> datetime:
    """The moment that is asked about, in the zone of whoever asks."""
    return datetime.now(snapshot.zone) if snapshot.as_of is None else datetime.fromtimestamp(snapshot.as_of, snapshot.zone)


def today(snapshot: Snapshot) -> date:
    """The day that "since Monday" and "overdue" are reckoned from."""
    return now(snapshot).date()


def freshness_notes(snapshot: Snapshot, needed: Collection[str]) -> Iterator[str]:
    """What a person should know of how fresh and how whole the sources are, a sentence each. That a source cannot be reached is
    told of those that are `needed`, by id: of those that might have changed the answer."""
    for source in snapshot.sources.values():
        if source.is_unreachable:
            yield from [_unreachable_note(source)] if source.id in needed else ()
        elif source.synced_at is None:  # also before its turn has come
            how = "is paused and was not read to its end" if source.paused else "is still being read for the first time"
            yield f"{source.name} {how}, so this may miss something."
        if missing := troubles_of(snapshot, source.id).missing:
            yield f"{missing} documents went missing from {source.name} at once; nothing was taken from them."
    if snapshot.as_of is None and _is_behind(snapshot):
        yield "What changed in the last moments is still being indexed; it may be missing here."
    if snapshot.as_of is not None and not snapshot.tops:
        yield "Nothing had been read at that time, or it is no longer kept."


def _unreachable_note(source: Source) -> str:
    if source.synced_at is not None:
        return f"{source.name} cannot be reached now, so this is what it held on {when(source.synced_at)}. {FOR_ADMINS}"
    return f"{source.name} cannot be reached now, and was not read to its end before, so this may miss something. {FOR_ADMINS}"


def unreachable_sources(snapshot: Snapshot, needed: Collection[str]) -> tuple[Unreachable, ...]:
    """Those that cannot be reached now; of those that are `needed`, by id, `freshness_notes` tell it."""
    return tuple(Unreachable(one.id, one.name, one.id in needed) for one in snapshot.sources.values() if one.is_unreachable)


def stale_notes(snapshot: Snapshot, nodes: Iterable[Node]) -> dict[tuple[str, str], str]:
    """Of documents of these leaves that cannot be read now, since when, and of when what is cited from them is; by source and id."""
    return {
        (source_id, id_): f"could not be read since {when(since)}; this is what it said on {when(read_at)}"
        for source_id, ids in _by_source(nodes).items()
        if troubles_of(snapshot, source_id).unreadable
        for id_, (since, read_at) in snapshot.store.failures.stale(source_id, ids).items()
        if snapshot.as_of is None or snapshot.as_of >= since
    }


def troubles_of(snapshot: Snapshot, source_id: str) -> Troubles:
    """What is wrong with the documents of a source now."""
    return count_troubles(snapshot.workspace.database).get(source_id, NONE)


def _is_behind(snapshot: Snapshot) -> bool:
    """Whether the index has not followed what these sources published; that of others is not told."""
    indexed = snapshot.index.version()
    behind = snapshot.store.versions.touched_between(indexed, snapshot.version) if indexed < snapshot.version else set()
    return not behind.isdisjoint(snapshot.sources)


def partly_read_notes(snapshot: Snapshot) -> Iterator[str]:
    for source in snapshot.sources.values():
        if partly := troubles_of(snapshot, source.id).partly:
            which = "1 document" if partly == 1 else f"{partly} documents"
            yield f"{which} of {source.name} could be read only in part. An admin sees on the page Sources which and why."


def when(seconds: float | None) -> str:
    return "an unknown day" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%-d %B %Y, %H:%M UTC")
