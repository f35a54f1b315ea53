"""What changed in the knowledge, as plain data: changes of documents and lines of tickets' histories, by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from tree.accounts.principal import Principal
from tree.ask.facts.changed_parts import beside_history
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.ask.snapshot.zones import moment_told
from tree.store.changes import published_changes
from tree.workspace import Workspace

HISTORY, FIRST_READ = "ticket", "first"  # beside How: a line of a ticket's history, and all that was read of a new source


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `at` is a moment in the viewer's zone, `place` where it can be seen; empty once it is gone."""

    at: datetime
    how: str  # one of How, HISTORY or FIRST_READ
    words: str
    source: str  # its name
    place: str = ""
    people: tuple[str, ...] = ()
    times: int = 1
    became: str = ""  # of a document: what happened to it, in words


@dataclass(frozen=True, slots=True)
class Activity:
    """`entries` come newest first; `known_since` is the moment from which on all is known, if that is after the first day."""

    entries: Sequence[Entry]
    known_since: datetime | None
    names: Mapping[str, str]  # of the sources that were looked at, by id

    def by_day(self) -> dict[date, list[Entry]]:
        days: dict[date, list[Entry]] = {}
        for entry in self.entries:
            days.setdefault(entry.at.date(), []).append(entry)
        return days

    def people(self) -> list[str]:
        """Whoever is named in the histories, the busiest first."""
        return [name for name, _ in Counter(name for entry in self.entries for name in entry.people).most_common()]


def find_activity(
    workspace: Workspace, principal: Principal, first: date, last: date, zone: tzinfo, source_id: str = "", place: str = ""
) -> Activity:
    """What changed from the first day to the last, in the sources that this person may see; in one of them, or below one place."""
    snapshot = open_snapshot(workspace, principal, [source_id] if source_id else None, [place] if place else ())
    names = {id_: source.name for id_, source in snapshot.sources.items()}
    begins, ends = datetime.combine(first, time(), zone), datetime.combine(last + timedelta(days=1), time(), zone)
    histories = list(find_histories(snapshot, begins, ends, zone, names))
    entries = [*_documents(snapshot, begins, ends, zone, names, [one.place for one in histories]), *histories]
    oldest = workspace.store.versions.known_since(names)
    is_cut = oldest is not None and oldest > begins.timestamp()
    return Activity(
        sorted(entries, key=lambda entry: entry.at, reverse=True),
        datetime.fromtimestamp(oldest, zone) if oldest is not None and is_cut else None,
        names,
    )


def _documents(
    snapshot: Snapshot, begins: datetime, ends: datetime, zone: tzinfo, names: Mapping[str, str], told: Sequence[str]
) -> Iterable[Entry]:
    """Changes of documents, as an answer to "what changed?" counts them: a ticket of which only its history tells (`told`, by place)
    is told by that. Those of a source that was added in this time may have been there for years: they are told as one."""
    found = published_changes(
        snapshot.workspace.database, snapshot.sources, begins.timestamp(), ends.timestamp() - 0.001, snapshot.version
    )
    inside = [one for one in found.documents if snapshot.scope.includes(one.place)]
    for change in (changed.change for changed in beside_history(snapshot, inside, told)):
        place = "" if change.how == "removed" else change.place
        at = datetime.fromtimestamp(change.at, zone)
        yield Entry(at, change.how, change.title, names[change.source_id], place, times=change.times, became=change.became)
    for source_id, read in found.first_read.items():
        if number := sum(snapshot.scope.includes(one.place) for one in read.documents):
            words = f"{number:,} document{'s' if number != 1 else ''}"
            yield Entry(datetime.fromtimestamp(read.moment, zone), FIRST_READ, words, names[source_id], f"{source_id}/")


def find_histories(
    snapshot: Snapshot, begins: datetime, ends: datetime, zone: tzinfo, names: Mapping[str, str]
) -> Iterable[Entry]:
    """Lines such as "Rafael: status from Open to Done", dated by the ticket's own history."""
    first, last = (begins - timedelta(days=1)).date(), ends.date()  # items are dated in UTC
    items = snapshot.index.items(snapshot.scope).find("event", first=first.isoformat(), last=last.isoformat())
    held = [one for one in items if one.item.is_history]
    nodes = snapshot.store.nodes.at({one.place for one in held}, snapshot.version)
    leaves = snapshot.store.leaves.by_key({node.leaf for node in nodes.values() if node.leaf})
    for one in held:
        node = nodes.get(one.place)
        leaf = leaves.get(node.leaf or "") if node is not None and node.leaf == one.leaf else None
        if node is None or leaf is None:
            continue
        at = moment_told(leaf.text[one.item.start : one.item.end], zone)
        if at is not None and begins <= at < ends:
            yield Entry(at, HISTORY, one.item.said, names[one.source_id], one.place, tuple(one.item.people))
