"""Question sets given by path: a corpus that becomes a tree through the normal ingestion, and the questions asked of it."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from connectors.base import Batch, Check, Container, Document, Section
from connectors.formats import PARSER_VERSION, parse_bytes
from connectors.formats.parsed import Unreadable
from ingestion.sources import Sources
from ingestion.sync import sync
from prompts.extractive import ExtractiveReader
from tree.store.models import Source, table_of
from tree.store.nodes import Node
from tree.store.places import container_place, root_place
from tree.workspace import Workspace, database_url, open_workspace

QUESTIONS = ("questions.public.jsonl", "questions.jsonl")
UNANSWERABLE = frozenset({"null_query", "null", "adversarial", "unanswerable"})  # types that no text of the set answers
BATCH = 500  # documents of one publish
FINISHED = "finished.txt"  # in a data folder: what its tree was made of
LONGEST_ANSWER = 60  # characters; a longer one is never found word for word


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with what is known of its answer. `evidence` holds document ids of the corpus."""

    id: str
    text: str
    type: str
    answers: tuple[str, ...] = ()
    evidence: frozenset[str] = frozenset()
    scope: str = ""  # a folder ("meeting/") or a document's path; empty: the whole set
    earlier: tuple[str, ...] = ()  # what was asked in the same chat before

    @property
    def is_answerable(self) -> bool:
        return self.type not in UNANSWERABLE

    @property
    def half(self) -> str:
        """`tune` may be looked at while weights are chosen, `report` is what is told."""
        return "tune" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "report"


@dataclass(frozen=True)
class QuestionSet:
    name: str
    folder: Path
    questions: tuple[Asked, ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The documents in the order in which a folder would be read."""
        return sorted(_lines(self.folder / "corpus.jsonl"), key=lambda row: (row.get("path") or row["id"]).casefold())

    @cached_property
    def corpus_ids(self) -> dict[str, str]:
        """The corpus' own id of each document by the id it has in the tree: its path, where it has one."""
        return {row.get("path") or row["id"]: row["id"] for row in self.rows}

    @property
    def characters(self) -> int:
        return sum(len(row["text"]) for row in self.rows)


def load_sets(data: Path, names: Collection[str] = ()) -> list[QuestionSet]:
    """Every folder below `data` with a corpus and questions, by name. Raises SystemExit when one asked for is not there."""
    folders = {path.parent.name: path.parent for path in sorted(data.glob("*/corpus.jsonl"))}
    if not folders and (data / "corpus.jsonl").exists():
        folders = {data.name: data}
    if missing := set(names) - folders.keys():
        raise SystemExit(f"There is no set {', '.join(sorted(missing))} in {data}. There is: {', '.join(folders) or 'none'}.")
    return [
        QuestionSet(name, folder, tuple(_questions(folder))) for name, folder in folders.items() if not names or name in names
    ]


def _questions(folder: Path) -> Iterator[Asked]:
    path = next((folder / name for name in QUESTIONS if (folder / name).exists()), None)
    for row in _lines(path) if path else ():
        evidence = frozenset(row.get("evidence") or ())
        answers = tuple(str(answer) for answer in row.get("answers") or ())
        earlier = tuple(turn["text"] for turn in row.get("history") or () if turn.get("speaker") == "user")
        yield Asked(str(row["id"]), row["question"], row.get("type") or "", answers, evidence, row.get("scope") or "", earlier)


def has_exact_answer(asked: Asked) -> bool:
    """Whether an answer can be held word for word against what is given: short, and no mere yes or no; or nothing answers it."""
    return not asked.is_answerable or bool(exact_answers(asked))


def exact_answers(asked: Asked) -> tuple[str, ...]:
    return tuple(
        text
        for text in asked.answers
        if len(text) <= LONGEST_ANSWER and text.strip().rstrip(".").casefold() not in ("yes", "no", "maybe", "")
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def sampled(questions: Sequence[Asked], limit: int | None, draw: str = "sample") -> list[Asked]:
    """The same questions for every draw of that name, spread over all of them."""
    ranked = sorted(questions, key=lambda asked: hashlib.sha256(f"{draw} {asked.id}".encode()).digest())
    return ranked[:limit]


# ---------------------------------------------------------------- a corpus as a source


class CorpusConnector:
    """Yields the documents of a corpus as a folder of the same files would."""

    def __init__(self, rows: Sequence[Mapping[str, str]]) -> None:
        self.rows = rows

    def check(self) -> Check:
        return Check(f"{len(self.rows)} documents", len(self.rows))

    def fetch(self, checkpoint: Mapping[str, str], hints: Collection[str] | None = None) -> Iterator[Batch]:
        for start in range(0, len(self.rows), BATCH):
            some = self.rows[start : start + BATCH]
            yield Batch(tuple(_document(row) for row in some), total=len(self.rows), looked_at=len(some))

    def census(self) -> Iterator[str]:
        return (row.get("path") or row["id"] for row in self.rows)

    def close(self) -> None:
        """There is nothing to let go of."""


def _document(row: Mapping[str, str]) -> Document:
    path = row.get("path") or row["id"]
    *folders, name = path.split("/") if row.get("path") else [path]
    stem, extension = os.path.splitext(name)
    kind, title, metadata = "file", row.get("title") or "", {}
    sections: tuple[Section, ...] = (Section(row["text"], markup="plain"),)
    try:
        parsed = parse_bytes(name if extension else f"{name}.md", row["text"].encode())
        kind, sections, title, metadata = parsed.kind, parsed.sections, title or parsed.title, dict(parsed.metadata)
    except Unreadable:
        pass
    return Document(
        id=path,
        title=title or name,
        path=tuple(Container(folder, folder) for folder in folders),
        sections=tuple(sections),
        fingerprint=hashlib.sha256(row["text"].encode()).hexdigest(),
        kind=kind,
        metadata=metadata,
        aliases=tuple(dict.fromkeys((name, stem))),
    )


# ---------------------------------------------------------------- a set as a tree


@dataclass
class Planted:
    """A set in a data folder of its own."""

    set: QuestionSet
    workspace: Workspace
    source: Source

    @cached_property
    def leaves(self) -> list[Node]:
        nodes = self.workspace.store.nodes.of_source(self.source.id)
        return sorted((node for node in nodes if node.kind == "leaf"), key=lambda node: node.place)

    @cached_property
    def characters(self) -> int:
        texts = self.workspace.store.leaves.texts(node.leaf or "" for node in self.leaves)
        return sum(len(texts[node.leaf or ""][0]) for node in self.leaves)

    def places(self, asked: Asked) -> tuple[str, ...]:
        """The branch a question is asked in, as `ask` takes it."""
        if not asked.scope:
            return ()
        if not asked.scope.endswith("/"):
            document = self.workspace.store.documents.get(self.source.id, asked.scope)
            return (document.place,) if document else ()
        return (reduce(container_place, asked.scope.strip("/").split("/"), root_place(self.source.id)),)

    def corpus_id(self, node: Node) -> str:
        return self.set.corpus_ids.get(node.document_id or "", "")


def plant(questions: QuestionSet, home: Path) -> Planted:
    """Brings the set's corpus into the data folder `home`. A tree that a finished run left there is used as it is.

    Raises SystemExit where it is half made, of another corpus, or was read by another version of the readers.
    """
    made, finished = home / FINISHED, _made_of(questions)
    if home.exists() and any(home.iterdir()) and not (made.exists() and made.read_text() == finished):
        raise SystemExit(f"{home} is half made, or made of other texts or by another version. Delete it, or name another folder.")
    workspace = open_workspace(home, url=_own_database(questions.name, is_new=not made.exists()))
    sources = Sources(workspace.database)
    known = [source for source in sources.all() if source.name == questions.name]
    source = known[0] if known else _added(workspace, sources, questions.name)
    if not source.synced_at:
        sync(workspace, sources, source, connector=CorpusConnector(questions.rows))
    made.write_text(finished)
    return Planted(questions, workspace, sources.get(source.id))


def _own_database(name: str, is_new: bool) -> str | None:
    """The URL of the set's database beside the one that the environment names; None where trees are kept in data folders."""
    url = database_url()
    if url is None:
        return None
    import psycopg  # an extra, which most do without
    from psycopg.sql import SQL, Identifier

    given = sa.make_url(url)
    database = f"{given.database or 'bench'}_{name}"
    server = given.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(server, autocommit=True) as connection:
        if is_new:
            connection.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(database)))
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(database)))
    return given.set(database=database).render_as_string(hide_password=False)


def _made_of(questions: QuestionSet) -> str:
    """What a tree is made of and by: the texts, and the versions of what reads them."""
    texts = hashlib.sha256((questions.folder / "corpus.jsonl").read_bytes()).hexdigest()
    return f"parser {PARSER_VERSION}, reader {ExtractiveReader.version}, texts {texts}\n"


def _added(workspace: Workspace, sources: Sources, name: str) -> Source:
    """A source whose id comes from its name, so that the same set has the same places."""
    id_ = hashlib.sha256(name.encode()).hexdigest()[:8]
    row = {"id": id_, "name": name, "kind": "corpus", "config": {}, "created_at": time.time()}
    with workspace.database.write() as connection:
        connection.execute(sa.insert(table_of(Source)).values(row))
    return sources.get(id_)
