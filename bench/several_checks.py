"""What must be so of a data folder with several sources, held against the worlds that they follow."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from bench.integrity import dangling, index_differences, left_behind, tables_with
from bench.processes import citations_that_do_not_stand, command, shown, start
from bench.several_worlds import SIZES, SeveralFolder, SeveralPdfs, SeveralTickets, SeveralWorld
from bench.truth import Wrong
from bench.worlds import Made
from ingestion.sources import Sources
from ingestion.sync import verify
from prompts.extractive import ExtractiveReader
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.retrieve.index import Index, SearchScope
from tree.store.models import Source
from tree.workspace import Workspace, open_workspace

REST_SECONDS = 0.5
INDEX_SECONDS = 90  # within which another process has written the index


@dataclass(slots=True)
class Entry:
    """A source of the app, and the world it follows."""

    world: SeveralWorld
    name: str
    known: dict[str, str]  # documents and their words when all was last in step
    is_paused: bool = False
    may_be_emptied: bool = False  # an admin has agreed to what went missing while its files were empty


class Checked:
    """A data folder, the worlds that its sources follow, and what must be so between them."""

    def __init__(self, place: Path, chance: Random, sizes: Sequence[int] = SIZES) -> None:
        self.place = place
        self.home = place / "home"
        self.chance = chance
        self.numbers = Made()
        self.has_forgotten = False
        self.worlds: list[SeveralWorld] = [
            SeveralFolder(place, chance, self.numbers, "one", sizes),
            SeveralFolder(place, chance, self.numbers, "two", sizes),
            SeveralPdfs(place, chance, self.numbers, "papers", sizes),
            SeveralTickets(chance, self.numbers, sizes),
        ]
        self.entries: dict[str, Entry] = {}
        self.open()

    def open(self) -> None:
        self.workspace: Workspace = open_workspace(self.home)
        self.sources = Sources(self.workspace.database)

    def close(self) -> None:
        self.workspace.close()
        for world in self.worlds:
            world.close()

    # ---- what must be so

    def check_references(self) -> None:
        if found := dangling(self.home):
            raise Wrong(f"it refers to what is not there: {'; '.join(found[:3])}")

    def check_what_stands(self) -> None:
        """What has not changed since all was last in step is there, whatever could not be read meanwhile."""
        there = self._live_texts()
        for id_, entry in self.entries.items():
            standing = entry.world.standing()
            lost = {id for id, word in entry.known.items() if standing.get(id) == word and word not in there.get((id_, id), "")}
            if lost and not self._were_emptied(id_, entry, lost):
                first = sorted(lost)[0]
                gone = {one.document_id: one.verdict for one in self.sources.tombstones(id_)}
                told = f"{len(lost)} of {len(entry.known)}: {', '.join(f'{one} {gone.get(one)}' for one in sorted(lost))}"
                raise Wrong(f"{first} of {entry.name} ({entry.known[first]}) stands as it stood, and is not in the tree ({told})")

    def _were_emptied(self, source_id: str, entry: Entry, lost: set[str]) -> bool:
        """Whether these are files that have no bytes now: an edit of a few of them, or of the only one, but not of all."""
        emptied = {tombstone.document_id for tombstone in self.sources.tombstones(source_id) if tombstone.verdict == "emptied"}
        return lost <= emptied and (entry.may_be_emptied or 2 * len(lost) <= len(entry.known) or len(entry.world.standing()) == 1)

    def _live_texts(self) -> dict[tuple[str, str], str]:
        store = self.workspace.store
        texts: dict[tuple[str, str], str] = {}
        for id_ in self.entries:
            nodes = [node for node in store.nodes.of_source(id_) if node.leaf]
            leaves = store.leaves.by_key(node.leaf for node in nodes if node.leaf)
            for node in nodes:
                if node.leaf in leaves:
                    key = (id_, node.document_id or "")
                    texts[key] = f"{texts.get(key, '')}\n{leaves[node.leaf].text}"
        return texts

    def check(self) -> None:
        self.check_references()
        gone = self.gone()
        for id_ in self.entries:
            self._check_source(self.sources.get(id_), gone)
        if found := left_behind(self.home):
            raise Wrong("; ".join(found[:3]))
        for entry in self.entries.values():
            entry.world.came_back.clear()
        self._check_index(gone)
        self._check_answers(gone)
        if self.has_forgotten:
            self.forget_now()
            self.has_forgotten = False
            if found := tables_with(self.home, gone):
                raise Wrong(f"all that is old was forgotten, and is still stored: {'; '.join(found)}")

    def forget_now(self) -> None:
        """As `python -m ingestion forget 0` does, in a process of its own."""
        child = start("forget 0", command, str(self.home), str(self.place), ["forget", "0"])
        child.process.join(INDEX_SECONDS)
        if child.process.exitcode != 0:
            child.kill()
            raise Wrong(f"to forget what is old did not end well within {INDEX_SECONDS} s")
        self.has_forgotten = True

    def gone(self) -> set[str]:
        """Words that are in nothing the app may show now."""
        present = {word for entry in self.entries.values() for word in entry.world.words.values()}
        kept = {word for entry in self.entries.values() if entry.is_paused for word in entry.known.values()}
        return self.numbers.words() - present - kept - self._maybe_there()

    def _maybe_there(self) -> set[str]:
        """What a paused source may have read before it was paused."""
        paused = [entry for entry in self.entries.values() if entry.is_paused]
        return self.numbers.words() if paused else set()

    def dead(self) -> set[str]:
        """Words that are gone and cannot come back."""
        present = {word for world in self.worlds for word in world.words.values()}
        return self.gone() - present - {word for world in self.worlds for word in world.returning}

    def _check_source(self, source: Source, gone: set[str]) -> None:
        entry = self.entries[source.id]
        proof = replace(self.workspace, reader=ExtractiveReader())
        verified = verify(proof, source)
        if not verified.is_equal:
            raise Wrong(f"the tree of {entry.name} is not what its documents make: {', '.join(verified.differing[:3])}")
        store, world = self.workspace.store, entry.world
        nodes = store.nodes.of_source(source.id)
        if not entry.is_paused:
            known = {id_ for id_ in store.documents.ids(source.id) if world.has_word(id_)}
            if known != world.words.keys():
                missing, more = sorted(world.words.keys() - known), sorted(known - world.words.keys())
                raise Wrong(f"{entry.name}: missing {missing}, too many {more}; {self._told_of(source.id, [*missing, *more])}")
            entry.known = dict(world.words)
            waiting = {tombstone.document_id for tombstone in self.sources.awaiting_approval(source.id)}
            if back := waiting & known:
                raise Wrong(f"{sorted(back)[0]} of {entry.name} is there, and an admin is asked whether it is gone")
            if kept := self.sources.stale(source.id):
                raise Wrong(f"{kept[0].title} of {entry.name} can be read, and is marked as kept: {kept[0].reason}")
            self.check_what_stands()
        leaves = "\n".join(leaf.text for leaf in store.leaves.by_key(node.leaf for node in nodes if node.leaf).values())
        records = "\n".join(record.model_dump_json() for record in store.records.by_hash(node.record for node in nodes).values())
        for place, material in (("leaves", leaves), ("records", records), ("titles", "\n".join(node.title for node in nodes))):
            if left := [word for word in gone if word in material]:
                raise Wrong(f"{left[0]} is gone and still in the {place} of {entry.name}")

    def _told_of(self, source_id: str, ids: Collection[str]) -> str:
        """What the app says of documents that are wrong."""
        failures = [
            f"{row.document_id} {row.kind} {time.time() - row.since:.0f} s ago: {row.reason}"
            for row in self.sources.failures(source_id)
            if row.document_id in ids
        ]
        tombstones = [f"{row.document_id} {row.verdict}" for row in self.sources.tombstones(source_id) if row.document_id in ids]
        return f"not read: {failures}, missing: {tombstones}"

    def _check_index(self, gone: set[str]) -> None:
        index, store = self.workspace.index, self.workspace.store
        deadline = time.monotonic() + INDEX_SECONDS
        while found := self._index_differences():
            if (self._is_at_rest() and (found := self._index_differences())) or time.monotonic() > deadline:
                raise Wrong(f"the index is not a fresh one: {'; '.join(found)}")
        for id_, entry in self.entries.items():
            if entry.is_paused:
                continue
            for document, word in entry.known.items():
                places = [hit.place for hit in index.search([word], SearchScope((id_,)), 40)]
                if document not in {node.document_id for node in store.nodes.at(places).values()}:
                    raise Wrong(f"{word} of {document} is not found in {entry.name} by the search index")
        everywhere = SearchScope(tuple(self.entries))
        for word in gone:
            if index.search([word], everywhere, 1):
                raise Wrong(f"{word} is gone and still in the search index")

    def _index_differences(self) -> list[str]:
        self.workspace.index.catch_up()
        with closing(Index(self.workspace.store, self.place / "fresh.db")) as fresh:
            fresh.catch_up()
        try:
            found = index_differences(self.home / "search.db", self.place / "fresh.db")
        except (
            sqlite3.DatabaseError
        ) as error:  # damaged: whoever has it open reads what it remembers of it, until it opens it anew
            self.workspace.index.close()
            found = [f"{error}"]
        for part in self.place.glob("fresh.db*"):
            part.unlink()
        return found

    def _is_at_rest(self) -> bool:
        """Whether nothing has been published for a moment, and nobody else is writing the index."""
        before = self.workspace.store.versions.newest()
        time.sleep(REST_SECONDS)
        index = self.workspace.index
        return before == self.workspace.store.versions.newest() == index.catch_up() == index.version()

    def _check_answers(self, gone: set[str]) -> None:
        there = self._live_texts()
        present = {
            (word, entry.name)
            for id_, entry in self.entries.items()
            for document, word in entry.known.items()
            if not entry.is_paused or word in there.get((id_, document), "")  # it may have read an edit before it was paused
        }
        for word, name in self._some(sorted(present), 1):
            answer = self._ask(f"What did we decide to call {word}?").as_json()
            if not any(word in quoted["text"] for citation in answer["citations"] for quoted in citation["passages"]):
                told = f"{answer['verdict']}: {answer['answer'][:400]!r} {answer['notes']}"
                raise Wrong(f"the answer about {word} of {name} does not quote it: {told}")
            if wrong := citations_that_do_not_stand(self.workspace.store, answer):
                raise Wrong(f"the answer about {word} cites what does not stand: {wrong[0]}")
        for word in self._some(sorted(gone), 1):
            answer = self._ask(f"What is {word}?").as_json()
            if word in shown(answer):
                raise Wrong(f"{word} is gone and still answered from")

    def _ask(self, question: str) -> Answer:
        *_, answer = ask(self.workspace, question, principal=OPERATOR)
        assert isinstance(answer, Answer)
        return answer

    def _some(self, items: list[Any], number: int) -> Iterator[Any]:
        yield from self.chance.sample(items, min(number, len(items)))
