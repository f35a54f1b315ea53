"""Two data folders that differ in one source alone, and everything that is answered from the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa

from connectors.base import Batch, Container, Document, Failure, Problem, Section
from ingestion.sources import Sources
from ingestion.sync import sync
from tests.tree.ask.ticket_rows import Tickets
from tree.accounts.principal import Principal
from tree.ask.ask import Answer, Earlier, Restart, TextPiece, ask, step_json
from tree.store.models import Source, table_of
from tree.workspace import open_workspace

SOURCES = {"m1": ("Manual", "folder"), "t1": ("Site", "jira"), "h1": ("Vault", "folder"), "h2": ("Board", "jira")}
VISIBLE, HIDDEN = ("m1", "t1"), ("h1", "h2")
SOMEBODY = Principal("somebody", "Somebody", only=frozenset(VISIBLE))
_MOMENT = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d(?: UTC)?")

Action = Literal["put", "delete", "fail", "mend"]


@dataclass(frozen=True)
class Step:
    """What happens at a source before its next sync; `number` says to which of its documents."""

    source: str
    action: Action
    number: int
    text: str = ""  # of a file
    row: tuple[str, ...] = ()  # of a ticket


@dataclass
class Feed:
    """A connector that yields what a test puts into it."""

    documents: dict[str, Document] = field(default_factory=dict)
    failing: set[str] = field(default_factory=set)

    def put(self, step: Step) -> None:
        id_ = _id(step)
        if step.action == "put":
            self.documents[id_] = _ticket(step) if step.row else _file(id_, step.text)
        elif step.action == "delete":
            self.documents.pop(id_, None)
            self.failing.discard(id_)
        elif step.action == "fail" and id_ in self.documents:
            self.failing.add(id_)
        else:
            self.failing.discard(id_)

    def fetch(self, checkpoint: Mapping[str, str], hints: object = None) -> Iterator[Batch]:
        read = tuple(one for id_, one in self.documents.items() if id_ not in self.failing)
        failed = tuple(
            Failure(id_, self.documents[id_].title, Problem("damaged", "It is damaged.")) for id_ in sorted(self.failing)
        )
        yield Batch(read, failed)

    def census(self) -> Iterator[str]:
        return iter(list(self.documents))

    def close(self) -> None:
        pass


def _id(step: Step) -> str:
    return str(step.number) if SOURCES[step.source][1] == "jira" else f"area-{step.number % 3}/note-{step.number}.md"


def _file(id_: str, text: str) -> Document:
    folder, _, name = id_.partition("/")
    title = text.partition("\n")[0].removeprefix("# ")
    return Document(id_, title, (Container(folder, folder),), (Section(text),), repr(text), "markdown", aliases=(name, name[:-3]))


def _ticket(step: Step) -> Document:
    return Tickets()._document(step.number, *step.row)


class World:
    """A data folder with some of the sources, each fed by the test."""

    def __init__(self, home: Path, ids: Sequence[str], url: str | None = None) -> None:
        self.workspace = open_workspace(home, url=url)
        self.sources = Sources(self.workspace.database)
        self.feeds = {id_: Feed() for id_ in ids}
        for id_ in ids:
            name, kind = SOURCES[id_]
            row = {
                "id": id_,
                "name": name,
                "kind": kind,
                "config": {},
                "created_at": 1_000_000_000.0 + 10 * list(SOURCES).index(id_),
            }
            with self.workspace.database.write() as connection:
                connection.execute(sa.insert(table_of(Source)).values(row))

    def close(self) -> None:
        self.workspace.close()

    def take(self, step: Step) -> None:
        if step.source in self.feeds:
            self.feeds[step.source].put(step)
            sync(self.workspace, self.sources, self.sources.get(step.source), None, self.feeds[step.source])

    def lose_index(self) -> None:
        self.workspace.index.close()
        for file in self.workspace.home.glob("search.db*"):
            file.unlink()

    def answered(self, question: str, **options: Any) -> list[Any]:
        """The whole stream of events, without times."""
        return [_plain(event) for event in ask(self.workspace, question, principal=SOMEBODY, **options)]


def _plain(event: object) -> Any:
    if isinstance(event, Answer):
        told = event.as_json() | {"as_of": None}
        told["usage"] = told["usage"] | {"seconds": 0}
    elif isinstance(event, TextPiece):
        told = {"text": event.text}
    elif isinstance(event, Restart):
        told = {"restart": event.why}
    else:
        told = step_json(event)  # type: ignore[arg-type]  # there is no other event
    return json.loads(_MOMENT.sub("TIME", json.dumps(told, ensure_ascii=False)))


def turn(question: str, events: Sequence[Any], also: Sequence[str] = ()) -> Earlier:
    """A turn of a chat with its answer; `also` are places that it cited when its reader saw more."""
    answer = events[-1]
    cited = [*also, *(one["place"] for one in answer["citations"])]
    return Earlier(question, tuple(cited), answer["answer"], tuple(one["leaf"] for one in answer["citations"]))
