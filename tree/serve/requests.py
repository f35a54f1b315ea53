"""What another program may ask: four requests that only read, answered as plain JSON for whoever asks.

The routes below /api/ and the MCP server are two ways to the same functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from prompts.records import SummaryRecord
from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.ask import LONGEST_QUESTION, Answer, AskError, Event, ask, check_question
from tree.ask.snapshot.zones import as_iso, end
from tree.browse.activity import find_activity
from tree.browse.nodes import LONGEST_PLACE, find_node, sources_shown, type_names
from tree.browse.search import LONGEST_SEARCH, search_tree
from tree.serve.replies import Change, Changes, DocumentAt, Found, FoundName, FoundPassage, Opened, Place, Sources
from tree.store.nodes import Node
from tree.workspace import Workspace

MOST_DAYS = 366  # of changes
MOST_PLACES = 20  # that a question is narrowed to
CHANGES, MOST_CHANGES = 100, 1_000  # told by default, and at most
WEEK = timedelta(days=7)
FAULT = "Something went wrong inside the app; it is written in its log."
FIRST_DAY, LAST_DAY = date(1971, 1, 1), date(9000, 1, 1)  # days before and after them can be reckoned with

Json = dict[str, Any]


class Refused(Exception):
    """It cannot be answered like this; the message says what to do."""


class NotThere(Refused):
    """There is no such source or place, as far as whoever asks may see."""


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AskRequest(Request):
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION, description="As one would put it to a colleague.")
    sources: list[str] | None = Field(None, description="Names or ids of sources to ask only; all by default.")
    places: list[str] = Field([], max_length=MOST_PLACES, description="Answer only from what is below these places.")
    as_of: date | None = Field(None, description="Answer from what was known at the end of this day, in UTC.")


class SearchRequest(Request):
    query: str = Field(min_length=1, max_length=LONGEST_SEARCH, description="Words, or a part of a name or ticket key.")


class OpenRequest(Request):
    place: str = Field(
        "", max_length=LONGEST_PLACE, description="As in a citation or a search result. Without it: the sources there are."
    )


class ChangesRequest(Request):
    since: date | None = Field(
        None, ge=FIRST_DAY, le=LAST_DAY, description="The first day, in UTC; by default a week before the last."
    )
    until: date | None = Field(None, ge=FIRST_DAY, le=LAST_DAY, description="The last day; today by default.")
    place: str = Field("", max_length=LONGEST_PLACE, description="Only what is below this place.")
    most: int = Field(CHANGES, ge=1, le=MOST_CHANGES, description="How many changes to tell at most, the newest.")


Model = TypeVar("Model", bound=Request)


def parse(model: type[Model], given: bytes | object) -> Model:
    """The request that was sent, as JSON or as what JSON holds. Raises Refused with the first thing that is wrong."""
    try:
        return model.model_validate_json(given) if isinstance(given, bytes) else model.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        raise Refused(f"{where}: {first['msg']}.") from error


# ---------------------------------------------------------------- ask


def ask_events(workspace: Workspace, principal: Principal, asked: AskRequest, stop: Stop) -> Callable[[], Iterator[Event]]:
    """Begins the answering when it is called. Raises Refused or AskError at once for what cannot be asked."""
    check_question(asked.question.strip())
    sources = _source_ids(workspace, principal, asked.sources)
    for place in asked.places:
        _node(workspace, principal, place)
    moment = None
    if asked.as_of is not None:
        moment = min(time.time(), end(asked.as_of, UTC))
    return lambda: ask(
        workspace, asked.question, principal=principal, sources=sources, places=asked.places, as_of=moment, stop=stop
    )


def last_answer(events: Iterable[Event]) -> Answer:
    """Raises AskError where the answering was stopped."""
    answers = [event for event in events if isinstance(event, Answer)]
    if not answers:
        raise AskError("The answering was stopped.")
    return answers[-1]


def _source_ids(workspace: Workspace, principal: Principal, named: Sequence[str] | None) -> list[str] | None:
    if named is None:
        return None
    known = sources_shown(workspace, principal)
    ids: list[str] = []
    for name in named:
        found = [id_ for id_, known_name in known.items() if name == id_ or name.casefold() == known_name.casefold()]
        if not found:
            raise NotThere(f"There is no source called “{name}”. There is: {', '.join(known.values()) or 'none yet'}.")
        ids += found
    return ids


# ---------------------------------------------------------------- look


def search(workspace: Workspace, principal: Principal, asked: SearchRequest) -> Json:
    """Places by their names, and passages by their words, best first."""
    if not asked.query.strip():
        raise Refused("query: give at least one word.")
    found = search_tree(workspace, principal, asked.query)
    passages = [FoundPassage(**{**row, "snippet": "".join(text for text, _ in row["snippet"])}) for row in found["passages"]]
    return asdict(Found([FoundName(**row) for row in found["names"]], passages))


def open_place(workspace: Workspace, principal: Principal, asked: OpenRequest) -> Json:
    """A node's summary, what is directly below it, and the text of a passage; without a place, the sources."""
    store = workspace.store
    if not asked.place:
        roots = store.nodes.roots()
        return asdict(Sources([_brief(roots[id_]) for id_ in sources_shown(workspace, principal) if id_ in roots]))
    node = _node(workspace, principal, asked.place)
    record = store.records.get(node.record) or SummaryRecord()
    leaf = store.leaves.get(node.leaf) if node.leaf else None
    told = Opened(
        *(node.place, node.title, node.kind),
        path=[_brief(step) for step in store.nodes.path(node.place)],
        leaves=node.leaves,
        types=type_names(record),
        about=list(record.about),
        summary=record.summary,
        document=_document(workspace, node),
        as_of=next((as_iso(source.synced_at) for source in store.sources.askable() if source.id == node.source_id), None),
        children=[_brief(child) for child in store.nodes.children(node.place)],
        text=leaf.text if leaf is not None else None,
    )
    return asdict(told)


def _node(workspace: Workspace, principal: Principal, place: str) -> Node:
    node = find_node(workspace, principal, place)
    if node is None:
        raise NotThere("There is no such place.")
    return node


def _brief(node: Node) -> Place:
    return Place(node.place, node.title, node.kind)


def _document(workspace: Workspace, node: Node) -> DocumentAt | None:
    found = workspace.store.documents.get(node.source_id, node.document_id) if node.document_id else None
    return None if found is None else DocumentAt(found.id, found.title, found.kind, found.url)


def changes(workspace: Workspace, principal: Principal, asked: ChangesRequest) -> Json:
    """What changed from the first day to the last, the newest first."""
    last = asked.until or datetime.now(UTC).date()
    first = asked.since or last - WEEK
    if not timedelta() <= last - first <= timedelta(days=MOST_DAYS):
        raise Refused(f"since, until: give a span of at most {MOST_DAYS} days.")
    if asked.place:
        _node(workspace, principal, asked.place)
    found = find_activity(workspace, principal, first, last, UTC, place=asked.place)
    told = [
        Change(entry.at.isoformat(timespec="seconds"), entry.how, entry.words, entry.source, entry.place, list(entry.people))
        for entry in found.entries[: asked.most]
    ]
    since = found.known_since.isoformat(timespec="seconds") if found.known_since else None
    return asdict(Changes(told, len(found.entries) - len(told), since))
