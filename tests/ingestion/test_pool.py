"""Many documents at once, in children: the same leaves and records, in the same order, as one by one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from connectors.base import Document, Section
from connectors.sandbox import Sandbox, Stopped
from ingestion.chunking.chunker import cut
from ingestion.pool import LARGE, Pool, ReadEach, Tried, children
from prompts.extractive import ExtractiveReader
from prompts.records import LeafText, Reading, SummaryRecord
from tree.build.unread import Fault, Unread
from tree.retrieve.leaf_entry import leaf_entry
from tree.store.forms import contents_of

PARAGRAPH = "The pump {n} stopped on 3 May. We decided to replace it. Restart the motor before you open the valve.\n\n"


class NotingReader(ExtractiveReader):
    """Remembers what it was asked, which it could not in another process."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, leaf: LeafText) -> Reading:
        self.asked.append(leaf.text)
        return super().read(leaf)


def test_what_children_import_holds_no_database() -> None:
    """To import it takes a child longer than all the rest, and each build begins with several."""
    told = "import sys, ingestion.pool; print({'sqlalchemy', 'sqlmodel'} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "set()\n"


def documents(count: int) -> list[Document]:
    texts = ["".join(PARAGRAPH.format(n=n * 10 + line) for line in range(1 + n * 7 % 60)) for n in range(count)]
    return [Document(f"{n}.md", f"Pump {n}", (), (Section(text),), str(n), "markdown") for n, text in enumerate(texts)]


def leaf_texts(count: int) -> list[LeafText]:
    cuts = [cut(document) for document in documents(count)]
    return [LeafText(leaf.text, leaf.heading, leaf.units, "markdown") for one in cuts for leaf in one.leaves]


def test_children_cut_as_we_do_and_keep_the_order() -> None:
    with Pool(ExtractiveReader(), few=0) as pool:
        done, faults = pool.chunk(documents(40))
    assert done == [cut(document) for document in documents(40)] and not faults


def test_children_read_as_we_do_and_keep_the_order() -> None:
    leaves = leaf_texts(40)
    with Pool(ExtractiveReader(), few=0) as pool:
        assert pool.read(leaves) == [ExtractiveReader().read(leaf).record for leaf in leaves]


def test_a_document_that_cannot_be_cut_is_listed_and_stops_no_other() -> None:
    given = documents(12)
    given[5] = Document("broken.md", "Broken", (), (Section(None),), "5")  # type: ignore[arg-type]
    with Pool(ExtractiveReader(), few=0) as pool:
        done, faults = pool.chunk(given)
    assert [document.id for document in done] == [document.id for document in given if document.id != "broken.md"]
    assert [fault.id for fault in faults] == ["broken.md"] and "Please report it" in faults[0].problem.reason


def test_any_other_reader_is_asked_here() -> None:
    reader = NotingReader()
    with Pool(reader, few=0) as pool:
        pool.read(leaf_texts(9))
    assert reader.asked == [leaf.text for leaf in leaf_texts(9)]


class NoSandbox(Sandbox):
    """Where no child may be started."""

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        raise AssertionError("a child would have been started")


class FailingReader(ExtractiveReader):
    """Has a fault that one text brings out."""

    def read(self, leaf: LeafText) -> Reading:
        if "poison" in leaf.text:
            raise IndexError("a fault of ours")
        return super().read(leaf)


def with_poison(leaves: list[LeafText]) -> list[LeafText]:
    return [*leaves[:1], replace(leaves[1], text="The poison is here."), *leaves[2:]]


def unread(count: int) -> list[Unread]:
    cuts = [cut(document) for document in documents(count)]
    return [Unread(leaf, one.kind, f"s/{one.id}") for one in cuts for leaf in one.leaves]


def test_a_fault_in_reading_one_leaf_is_told_in_its_place() -> None:
    leaves = unread(4)
    leaves[1] = leaves[1]._replace(leaf=replace(leaves[1].leaf, text="The poison is here."))
    with Pool(FailingReader()) as pool:
        tried, read = pool.try_to_read(leaves), pool.read(with_poison(leaf_texts(4)))
    assert [type(result.record) for result in tried] == [SummaryRecord, Fault, *[SummaryRecord] * (len(leaves) - 2)]
    assert read[1].summary == "The poison is here." and read[2:] == [result.record for result in tried[2:]]


def test_children_work_out_what_the_index_notes_as_we_do() -> None:
    leaves = unread(40)
    with Pool(ExtractiveReader(), few=0) as pool:
        tried = pool.try_to_read(leaves)
    for one, made in zip(leaves, tried, strict=True):
        record = ExtractiveReader().read(one.leaf.as_read(one.kind)).record
        assert made == Tried(record, leaf_entry(contents_of(one.leaf), record, one.place))


def test_a_fault_in_reading_one_leaf_comes_back_from_a_child() -> None:
    leaves = with_poison(leaf_texts(4))
    with children() as sandbox:
        [(_, results)] = sandbox.map(ReadEach(FailingReader()), [leaves])
    assert isinstance(results[1], Fault) and results[1].name == "IndexError" and isinstance(results[2], SummaryRecord)


def test_a_few_documents_start_no_child() -> None:
    with Pool(ExtractiveReader(), NoSandbox()) as pool:
        assert len(pool.chunk(documents(3))[0]) == 3


def test_a_large_document_is_cut_in_a_child_that_can_be_stopped() -> None:
    text = "".join(PARAGRAPH.format(n=n) for n in range(900))
    assert len(text) > LARGE
    with Pool(ExtractiveReader(), NoSandbox()) as pool, pytest.raises(AssertionError, match="a child"):
        pool.chunk([Document("1.md", "Large", (), (Section(text),), "1", "markdown")])


class StoppingSandbox(Sandbox):
    """Where each input takes too long."""

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        return ((task, Stopped("time", "It took longer than 120 seconds.")) for task in tasks)


def test_a_leaf_whose_reading_is_stopped_is_not_read_here_and_keeps_its_opening() -> None:
    [leaf, *_] = leaf_texts(1)
    with Pool(ExtractiveReader(), StoppingSandbox(), few=0) as pool:
        [record] = pool.read([leaf])
    assert record.summary and leaf.text.startswith(record.summary) and record.quotes[0].text == record.summary


def test_a_document_whose_cutting_is_stopped_is_listed() -> None:
    with Pool(ExtractiveReader(), StoppingSandbox(), few=0) as pool:
        done, faults = pool.chunk(documents(2))
    assert not done and [fault.id for fault in faults] == ["0.md", "1.md"]
