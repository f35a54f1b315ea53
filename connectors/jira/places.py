"""Where each ticket lies: project / epic, or quarter without one / ticket with sub-tasks or files / ticket.

What is known of the tickets is kept as one row each in the checkpoint, because a ticket's place follows from its
parents and from what lies below it, and Jira does not say so of either of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any

from connectors.base import Container

DEEPEST = 12  # parents above each other; more are a mistake


@dataclass(frozen=True, slots=True)
class Row:
    """What is remembered of a ticket: enough for its place, and to see what a change of it changes elsewhere."""

    key: str = ""
    title: str = ""  # as others name it: key and summary
    status: str = ""
    project: str = ""  # id
    parent: str = ""  # id of the ticket it belongs to: epic, or parent of a sub-task
    quarter: str = ""  # of its creation: 2026 Q1
    epic: bool = False  # of a kind that others belong to
    holds: bool = False  # it has sub-tasks or files, by its own account
    links: tuple[str, ...] = ()  # ids of the tickets it names and that name it: linked ones and sub-tasks
    files: tuple[str, ...] = ()  # ids of the attachments that are documents
    former: tuple[str, ...] = ()  # keys it had before
    restricted: bool = False  # left out of the tree: it has a security level
    failed: bool = False  # could not be read the last time; the rest is as it was read before
    updated: int = 0  # milliseconds since 1970
    stamp: str = ""  # of the settings it was read with; empty: never read in full, only met as somebody's parent
    fingerprint: str = ""
    place: str = ""  # in short
    read: int = 0  # seconds since 1970
    later: bool = False  # its remote links are still to be read
    stale: bool = False  # it shows something of another ticket that has changed
    unsettled: bool = False  # read so soon after its update that another may have the same time, which counts whole seconds

    @property
    def is_document(self) -> bool:
        return bool(self.stamp) and not self.restricted and not (self.failed and not self.fingerprint)

    @property
    def face(self) -> tuple[str, str, bool]:
        """What other tickets show of this one."""
        return self.title, self.status, self.is_document

    def packed(self) -> str:
        """As one line; what is usual is left off at the end."""
        return json.dumps(astuple(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def unpacked(cls, text: str) -> Row:
        values = json.loads(text)[:_FIELDS]  # a longer row is from a later version of the app
        given: list[Any] = [tuple(value) if type(value) is list else value for value in values]
        return cls(*given)


_FIELDS = len(fields(Row))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document lies, and whether it gives the last container its title."""

    path: tuple[Container, ...]
    heads: bool = False

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr((self.path, self.heads)).encode()).hexdigest()[:8]


class Places:
    """The places of all tickets known, as a function of the set of their rows."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self._rows: dict[str, Row] = {}
        self._read: dict[str, str] = {}  # of rows that are as a checkpoint had them: their lines there
        self._below: dict[str, set[str]] = {}
        self._by_key: dict[str, set[str]] = {}
        self._by_former_key: dict[str, set[str]] = {}
        self._naming: dict[str, set[str]] = {}
        self.expected: frozenset[str] = frozenset()  # tickets that will be documents, though not read yet
        for id, row in rows.items():
            self.put(id, row)

    def follow(self, lines: Mapping[str, str]) -> None:
        """Makes the rows those of a checkpoint, by ticket. Of many thousand only those are unpacked that are not known to be the same."""
        self.expected = frozenset()
        for id in self._rows.keys() - lines.keys():
            self.drop(id)
        for id, line in lines.items():
            if self._read.get(id) != line:
                self.put(id, Row.unpacked(line))
                self._read[id] = line

    def __getitem__(self, id: str) -> Row:
        return self._rows[id]

    def __contains__(self, id: str) -> bool:
        return id in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def get(self, id: str) -> Row | None:
        return self._rows.get(id)

    def id_of(self, key: str) -> str | None:
        """The ticket with that key, now or before."""
        having = self._by_key.get(key) or self._by_former_key.get(key) or ()
        return max(having, key=lambda id: (len(id), id), default=None)  # the newest, should there be several

    def naming(self, id: str) -> set[str]:
        """The tickets that have this one among their links."""
        return set(self._naming.get(id, ()))

    def below(self, id: str) -> set[str]:
        """The documents that have this ticket as their parent."""
        return {child for child in self._below.get(id, ()) if self._rows[child].is_document}

    def with_all_below(self, ids: Iterable[str]) -> set[str]:
        """These tickets and whatever lies below them at any depth: their places follow from these."""
        found: set[str] = set()
        waiting = list(ids)
        while waiting:
            if (id := waiting.pop()) not in found:
                found.add(id)
                waiting += self._below.get(id, ())
        return found & self._rows.keys()

    def put(self, id: str, row: Row) -> None:
        self.drop(id)
        self._rows[id] = row
        for found, keys in self._sets(row):
            for key in keys:
                found.setdefault(key, set()).add(id)

    def drop(self, id: str) -> None:
        self._read.pop(id, None)
        if old := self._rows.pop(id, None):
            for found, keys in self._sets(old):
                for key in keys:
                    if (among := found.get(key)) is not None:
                        among.discard(id)
                        if not among:
                            del found[key]

    def _sets(self, row: Row) -> tuple[tuple[dict[str, set[str]], tuple[str, ...]], ...]:
        """Where a ticket is to be found, and under what."""
        return (
            (self._below, (row.parent,) if row.parent else ()), (self._naming, row.links),
            (self._by_key, (row.key,) if row.key else ()), (self._by_former_key, row.former),
        )  # fmt: skip

    # ------------------------------------------------------------ places

    def place(self, id: str) -> Place:
        """Of a ticket with a row. Raises KeyError."""
        row = self._rows[id]
        above = self.above(id)
        top = self._rows[above[0]] if above else row
        shown = next((self._rows[one] for one in above if self._is_ours(one)), row)
        steps = [project_step(shown.project)]
        if not top.epic:
            steps.append(Container(f"none {top.quarter}", f"No epic, {top.quarter}" if top.quarter else "No epic"))
        steps += [self._step(one) for one in above]
        heads = row.epic or row.holds or bool(self.below(id))
        return Place((*steps, self._step(id)) if heads else tuple(steps), heads)

    def inside(self, id: str) -> tuple[Container, ...]:
        """The path of what lies below a ticket."""
        place = self.place(id)
        return place.path if place.heads else (*place.path, self._step(id))

    def above(self, id: str) -> list[str]:
        """The parents of a ticket, the highest first; none where they go round in a circle."""
        above: list[str] = []
        at = self._rows[id].parent
        while at in self._rows:
            if at == id or at in above or len(above) == DEEPEST:
                return []
            above.insert(0, at)
            at = self._rows[at].parent
        return above

    def _is_ours(self, id: str) -> bool:
        row = self._rows[id]
        return row.is_document or (not row.stamp and id in self.expected)

    def _step(self, id: str) -> Container:
        """A ticket as a container. One of ours heads it and gives it its title; of another only this one is seen."""
        row = self._rows[id]
        title = "" if self._is_ours(id) else row.key if row.restricted else row.title
        return Container(id, title or f"Ticket {id}")


def project_step(id: str) -> Container:
    return Container(id, f"Project {id}")
