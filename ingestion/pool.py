"""Cuts and reads many documents at once, in child processes; a few are done right here, which is sooner."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from connectors.base import Document, Failure, Problem
from connectors.packing import pack_by_values, take_back
from connectors.sandbox import Limits, Sandbox, Stopped
from ingestion.chunking.chunker import cut
from prompts.extractive import ExtractiveReader
from prompts.records import LeafText, Link, LogicUnit, Property, Quote, Reader, SummaryRecord
from tree.build.unread import Fault, Unread
from tree.logs import trace_without_words
from tree.retrieve.fact_rows import FactRows
from tree.retrieve.leaf_entry import LeafEntry, leaf_entry
from tree.retrieve.name_counts import Named
from tree.store.forms import contents_of
from tree.store.leaves import Container, Entity, Fact, Leaf, LeafDocument, Piece

FEW_CHARACTERS = 150_000  # up to here the work is done before children would have started,
LARGE = 40_000  # characters of one document or leaf that only a child works on, which can be stopped
FEW_FOR_STARTED = 20_000  # and up to here before they would have sent it back
TASK_CHARACTERS = 8_000  # handed to a child at once: small, so that all end at about the same time;
TASKS = 24  # of many documents no more than about so many tasks are made: a child waits for us between two,
LARGEST_TASK = 40_000  # but none is larger than this
SECONDS = 120  # for one task
MOST_CHILDREN = 4
OPENING = 300  # characters

pack_by_values(Document, LeafDocument, Leaf, Piece, LeafText, Fact)
take_back(Container, Entity, FactRows, LeafEntry, Link, LogicUnit, Named, Property, Quote, SummaryRecord)

log = logging.getLogger("knowledge-tree")

Thing = TypeVar("Thing", Document, LeafText, Unread)


class Tried(NamedTuple):
    """What was made of a leaf, or the fault of ours that stopped it; and what the search index notes of it, where that was
    worked out as well."""

    record: SummaryRecord | Fault
    entry: LeafEntry | None = None


def children() -> Sandbox:
    """Of one sync, or of all that a worker does: those that one does not need are another's."""
    return Sandbox(min(os.cpu_count() or 1, MOST_CHILDREN), Limits(SECONDS), at_once=1)


class Pool:
    """The children of one sync, started by its first large batch. Results have the order of what was given."""

    def __init__(self, reader: Reader, sandbox: Sandbox | None = None, few: int = FEW_CHARACTERS) -> None:
        """A `sandbox` that is given stays open."""
        self.reader = reader
        self.few = few
        self._is_own = sandbox is None
        self._sandbox = sandbox or children()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_own:
            self._sandbox.close()

    def chunk(self, documents: Sequence[Document]) -> tuple[list[LeafDocument], list[Failure]]:
        """Documents as leaves. A fault of ours in one of them is noted for that one and stops no other."""
        done: list[LeafDocument] = []
        faults: list[Failure] = []
        results = self._map(chunk_each, documents, [sum(len(s.text or "") for s in document.sections) for document in documents])
        for document, result in zip(documents, results, strict=True):
            if isinstance(result, LeafDocument):
                done.append(result)
                continue
            faults.append(
                failure_of(document, "divide", Fault(result.why, result.reason) if isinstance(result, Stopped) else result)
            )
        return done, faults

    @property
    def reads_ahead(self) -> bool:
        """Whether leaves may be read before it is known whether they are needed: that costs nobody anything."""
        return type(self.reader) is ExtractiveReader

    def read(self, leaves: Sequence[LeafText]) -> list[SummaryRecord]:
        """What the reader makes of each leaf. Any other than the extractive one may count, pay or remember: it is asked here."""
        read_each = ReadEach(self.reader)
        sizes = [len(leaf.text) for leaf in leaves]
        results = self._map(read_each, leaves, sizes) if self.reads_ahead else read_each(leaves)
        return [_record_of(leaf, result) for leaf, result in zip(leaves, results, strict=True)]

    def try_to_read(self, leaves: Sequence[Unread]) -> list[Tried]:
        """The same, with a fault of ours in place of what it stopped: whose leaf it is can then be listed. Where leaves are read
        ahead, what the search index notes of each is worked out in the same go."""
        if not self.reads_ahead:
            return [Tried(result) for result in ReadEach(self.reader)([one.leaf.as_read(one.kind) for one in leaves])]
        given = [one._replace(leaf=replace(one.leaf, path=(), pieces=())) for one in leaves]  # what nobody reads stays here
        results = self._map(TryEach(self.reader), given, [len(one.leaf.text) for one in leaves])
        return [
            Tried(_opening_of(one.leaf.text, result.reason)) if isinstance(result, Stopped) else result
            for one, result in zip(leaves, results, strict=True)
        ]

    def _map(self, function: Callable[[Sequence[Thing]], list[Any]], things: Sequence[Thing], sizes: Sequence[int]) -> list[Any]:
        if sum(sizes) <= self.few and max(sizes, default=0) <= LARGE:
            return function(things)
        self.few = min(self.few, FEW_FOR_STARTED)
        made: list[Any] = [None] * len(things)
        spans = list(_spans(sizes, min(max(TASK_CHARACTERS, sum(sizes) // TASKS), LARGEST_TASK)))
        tasks = {id(task): (first, task) for first, last in spans for task in [things[first:last]]}
        for task, results in self._sandbox.map(function, [task for _, task in tasks.values()]):
            first, _ = tasks[id(task)]
            if isinstance(results, Stopped):
                results = [self._alone(function, thing) for thing in task]
            made[first : first + len(task)] = results
        return made

    def _alone(self, function: Callable[[Sequence[Thing]], list[Any]], thing: Thing) -> Any:
        """One of several of which one stopped the child."""
        results = self._sandbox.run(function, [thing])
        return results if isinstance(results, Stopped) else results[0]


def failure_of(document: Document, done: str, fault: Fault) -> Failure:
    """A document that a fault of ours kept from being done: listed for people, logged for us, and tried again."""
    log.error("the app failed to %s a document; Sources lists it:\n%s", done, fault.trace)
    reason = f"The app failed to {done} this document ({fault.name}): a fault of the app. Please report it."
    return Failure(document.id, document.title, Problem("unreadable", reason), document.path)


def _record_of(leaf: LeafText, result: SummaryRecord | Fault | Stopped) -> SummaryRecord:
    if isinstance(result, SummaryRecord):
        return result
    return _opening_of(leaf.text, result.trace if isinstance(result, Fault) else result.reason)


def _opening_of(text: str, why: str) -> SummaryRecord:
    """What is said of a leaf whose reading was stopped: its first sentence. It is found by all of its words all the same."""
    log.error("a leaf was not summarized:\n%s", why)
    start = len(text) - len(text.lstrip())
    end = start + len(text[start : start + OPENING].rstrip())
    quote = Quote(text=text[start:end], start=start, end=end)
    return SummaryRecord(summary=quote.text, quotes=(quote,) if quote.text else ())


def _spans(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Neighbours that together have no more than about so many characters."""
    first = size = 0
    for number, one in enumerate(sizes):
        if size and size + one > most:
            yield first, number
            first, size = number, 0
        size += one
    if first < len(sizes):
        yield first, len(sizes)


# ---------------------------------------------------------------- what the children do


def fault_of(error: Exception) -> Fault:
    return Fault(type(error).__name__, trace_without_words(error))


take_back(Fault, Tried)


def chunk_each(documents: Sequence[Document]) -> list[LeafDocument | Fault]:
    return [_cut(document) for document in documents]


def _cut(document: Document) -> LeafDocument | Fault:
    try:
        return cut(document)
    except Exception as error:  # noqa: BLE001  (listed for people, logged for us, and tried again with the next look)
        return fault_of(error)


class ReadEach:
    """Reads leaf by leaf; goes to the children with its reader."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def __call__(self, leaves: Sequence[LeafText]) -> list[SummaryRecord | Fault]:
        return [self._read(leaf) for leaf in leaves]

    def _read(self, leaf: LeafText) -> SummaryRecord | Fault:
        try:
            return self.reader.read(leaf).record
        except Exception as error:  # noqa: BLE001  (as with a document that cannot be cut)
            return fault_of(error)


class TryEach:
    """Reads leaf by leaf, and works out what the search index notes of each; goes to the children with its reader."""

    def __init__(self, reader: Reader) -> None:
        self._read_each = ReadEach(reader)

    def __call__(self, leaves: Sequence[Unread]) -> list[Tried]:
        return [self._try(one) for one in leaves]

    def _try(self, one: Unread) -> Tried:
        [record] = self._read_each([one.leaf.as_read(one.kind)])
        if isinstance(record, Fault):
            return Tried(record)
        try:
            return Tried(record, leaf_entry(contents_of(one.leaf), record, one.place, just_read=True))
        except Exception:  # noqa: BLE001  (it is worked out again where the index is written, and told there)
            return Tried(record)
