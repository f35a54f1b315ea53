"""JSON schemas of what the interface answers, made of the types whose JSON that is, so that no field is missing.

What the types cannot say, a sentence on each field, is in `WORDS`; a field without one is refused when the description is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from tree.ask.snapshot.answer import Answer, AsideAt, MarkAt, Restart, TextPiece
from tree.ask.snapshot.nearby import Unread
from tree.ask.snapshot.snapshot import Unreachable
from tree.serve.replies import Changes, Found, Opened, Sources
from tree.serve.requests import AskRequest

Json = dict[str, Any]
REFERENCE = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Coverage:
    """`Answer.coverage`."""

    leaves_read: int
    leaves_total: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class UsageOfModel:
    """`QueryContext.usage_json`."""

    model_calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None
    without_model: dict[str, int]
    losses: dict[str, int]
    model: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Closest:
    """`Answer.closest`."""

    place: str
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Error:
    error: str


TYPES: dict[str, Any] = {
    "Question": AskRequest, "Answer": Answer, "Text": TextPiece, "Restart": Restart, "Found": Found, "Opened": Opened,
    "Sources": Sources, "Changes": Changes, "Coverage": Coverage, "Usage": UsageOfModel, "Closest": Closest, "Error": Error,
}  # fmt: skip
NAMED: dict[str, Any] = {
    "AsideAt": AsideAt,
    "MarkAt": MarkAt,
    "Unread": Unread,
    "Unreachable": Unreachable,
}  # tuples, sent with their names
RENAMED = {"TextPiece": "Text", "AskRequest": "Question", "UsageOfModel": "Usage"}
_TEXT: Json = {"type": "string"}
# Where the JSON is not the type field by field: None leaves a field out
ADDED: dict[str, dict[str, Json | None]] = {
    "Answer": {
        "text": None,
        "answer": _TEXT,
        "version": {"type": "integer"},
        "coverage": {"$ref": f"{REFERENCE}Coverage"},
        "usage": {"$ref": f"{REFERENCE}Usage"},
        "closest": {"type": "array", "items": {"$ref": f"{REFERENCE}Closest"}},
    },
    "Citation": {"locator": _TEXT, "quote": _TEXT},
    "Step": {"heard": None, "said": _TEXT},
    "Coverage": {"characters_read": {"type": "integer"}},
}
OPTIONAL = {"Coverage": {"characters_read"}}  # beside the fields of requests that have a default

WORDS: dict[str, dict[str, str]] = {
    "Question": {},  # its fields say it themselves
    "Answer": {
        "question": "as it was asked",
        "answer": "Markdown; [1] is the citation with that number",
        "verdict": "complete: answered; partial: passages that may help; none: not found",
        "citations": "what the numbers in the text point at",
        "trail": "the steps of the search, in order",
        "version": "a number that rises with each change of a source that was asked",
        "versions": "how many versions each source had had, by its id",
        "as_of": "when what was read was last known to be what the sources hold, ISO 8601 in UTC",
        "coverage": "how much was read",
        "usage": "what the answer took",
        "notes": "what a reader should know of this answer: sources that cannot be reached, what was left unread",
        "asides": "parts of the text that say no more than the verdict, or that the text broke off",
        "marks": "where the numbers stand in the text, in order",
        "closest": "where to look when nothing answers the question",
        "cut": "whether the text broke off while it was written: asking again may bring the rest",
        "chart": "of the numbers in the text, where they make one",
        "did_you_mean": "the question spelt otherwise, where it is not answered",
        "sources": "ids of all that was asked; the trail, the notes and the counts may mention any of them",
        "rests_on": "ids of the sources that the text is made of",
        "unread": "documents that could not be read beside what was read",
        "unreachable": "sources that were asked as they were read before",
        "steps": "of the procedure that the text tells, one by one",
        "is_help": "whether the text says what can be asked here, and nothing of the sources",
    },
    "Citation": {
        "number": "by which the text names it",
        "source": "name of the source",
        "source_id": "id of the source",
        "document_id": "id of the document in its source",
        "title": "of the document",
        "path": "titles from the source down to the passage",
        "kind": "of the document: file, ticket ...",
        "facts": "what the source says of the document: a ticket's key, status, assignee ...",
        "url": "where the first passage can be opened; empty where nowhere",
        "place": "of the passage; `/api/open` opens it",
        "leaf": "fingerprint of the cited text as it was when it was cited",
        "passages": "what is quoted from it, word for word",
        "note": "what a reader should know of it, such as that it cannot be read now",
        "locator": "of the first passage: heading, page, line or comment",
        "quote": "the first passage",
    },
    "Passage": {
        "text": "word for word",
        "start": "of it in the cited text, in characters",
        "end": "of it in the cited text, in characters",
        "locator": "heading, page, line or comment",
        "page": "from 1, in a document that has pages",
        "line": "from 1, in a file that has lines",
        "url": "of this passage; empty where that of the citation is nearest",
    },
    "Step": {
        "kind": "what was done: named, choose, read, back, link, overview, register, chat, follow_up, names or meaning",
        "place": "where it was; empty for all sources",
        "hash": "fingerprint of what is below the place",
        "title": "of the place, or the question that is looked for next",
        "path": "titles from the source down to here",
        "options": "that there were to choose from",
        "chosen": "places of options, the best first",
        "reason": "why, with what it quotes",
        "said": "why, without what it quotes",
        "quote": "what the reason repeats of a document or of the chat",
        "verdict": "of a passage that was read: what it adds",
        "node_kind": "root, folder, document, heading, run or leaf",
        "standing": "how the question stands after this step, where a model has judged it",
        "near_miss": "of a passage that was read: why its best sentence is not the answer",
    },
    "ShownOption": {
        "place": "`/api/open` opens it",
        "title": "of the place",
        "kind": "root, folder, document, heading, run or leaf",
        "summary": "the beginning of what is known of all below it",
        "scent": "how much the words below it fit the question, from 0 to 1",
        "evidence": "words below it that fit",
        "content_types": "what is below it: ids of the taxonomy",
        "path": "titles between the branch and it, where several levels were shown at once",
        "why": "it was chosen",
    },
    "Coverage": {
        "leaves_read": "passages that were read",
        "leaves_total": "passages that there are in what was asked",
        "unreadable": "documents of these sources that cannot be read",
        "characters_read": "of the passages",
    },
    "Usage": {
        "model_calls": "requests to the language model; 0 where none is set",
        "input_tokens": "that the model read",
        "output_tokens": "that the model wrote",
        "cached_tokens": "of those that it read, how many it had read before",
        "cost": "in the currency of the prices that are set; null where none are",
        "without_model": "how many decisions the model was to make and did not, by reason or decision",
        "losses": "what of the model's replies was dropped, and how often",
        "model": "its name; of the reader without a model that one's",
        "seconds": "from the question to the answer",
    },
    "AsideAt": {"says": "what it says: a verdict, or `cut`", "start": "in the text, in characters", "end": "in the text, in characters"},
    "MarkAt": {
        "number": "of the citation",
        "start": "of `[number]` in the text, in characters",
        "passages": "which of the citation's passages are behind it, from 0; none where it is the passage as a whole",
    },
    "Closest": {"place": "`/api/open` opens it", "title": "of the passage", "path": "titles down to it"},
    "Chart": {"label": "what the names are", "names": "what each bar is of", "series": "their lengths"},
    "Series": {"label": "what the numbers are", "values": "one for each name; null where there is none"},
    "Correction": {"name": "the word as it is written where it stands", "question": "the question with it"},
    "Unread": {"source_id": "id of the source", "title": "of the document", "folder": "place of what it lies in", "reason": "why"},
    "Unreachable": {"source_id": "id of the source", "name": "of the source", "is_noted": "whether a note says so, as it may have changed the answer"},
    "StepText": {
        "title": "of the procedure",
        "number": "from 1; 0: what is needed first",
        "text": "Markdown with the numbers of its citations",
        "failing": "what the documents say for when it fails",
        "marks": "where the numbers stand in `text`",
        "failing_marks": "and in each of `failing`",
    },
    "Text": {"text": "the next piece of the answer's text, Markdown"},
    "Restart": {"why": "all text before is void, and comes anew"},
    "Error": {"error": "what to do"},
    "Found": {"names": "places whose name has the text, the best first", "passages": "that have its words, the best first"},
    "FoundName": {
        "place": "`/api/open` opens it", "title": "of the place", "kind": "root, folder, document, heading, run or leaf",
        "path": "titles from the source down to it", "leaves": "passages below it",
    },
    "FoundPassage": {
        "place": "`/api/open` opens it", "title": "of the passage", "kind": "leaf",
        "path": "titles from the source down to it", "leaves": "1", "snippet": "its best line",
    },
    "Place": {"place": "`/api/open` opens it", "title": "of the place", "kind": "root, folder, document, heading, run or leaf"},
    "Sources": {"children": "all that may be asked"},
    "Opened": {
        "place": "of it, or of what it holds alone", "title": "of the place", "kind": "root, folder, document, heading, run or leaf",
        "path": "from the source down to it", "leaves": "passages below it", "types": "what is in it, in words",
        "about": "names and subjects in it", "summary": "what all below it says", "document": "that it belongs to",
        "as_of": "when the source was last read whole, ISO 8601 in UTC", "children": "directly below it",
        "text": "of a passage, whole",
    },
    "DocumentAt": {"id": "in its source", "title": "of the document", "kind": "file, ticket ...", "url": "where it can be opened; may be empty"},
    "Changes": {
        "changes": "the newest first", "left_out": "how many more there are, older than these",
        "known_since": "from when on all is known, where that is after the first day, ISO 8601 in UTC",
    },
    "Change": {
        "at": "ISO 8601 in UTC", "how": "added, changed, moved or removed; ticket: a line of its history; first: all that was read of a new source",
        "title": "of the document, or what happened to it", "source": "name of the source", "place": "where it can be opened; empty once it is gone",
        "people": "whom the line names",
    },
}  # fmt: skip


class _Generator(GenerateJsonSchema):
    """Of what is sent: every field is there, whether it has a default or not."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return True

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Json:
        return self.generate_inner(schema["schema"])


def make_schemas() -> dict[str, Json]:
    """The component schemas of all that is asked and answered, by name."""
    made: dict[str, Json] = {}
    for name, of in TYPES.items():
        is_asked = name == "Question"
        adapter = TypeAdapter(of)
        schema = adapter.json_schema(
            ref_template=f"{REFERENCE}{{model}}",
            mode="validation" if is_asked else "serialization",
            schema_generator=GenerateJsonSchema if is_asked else _Generator,
        )
        made |= {RENAMED.get(key, key): value for key, value in schema.pop("$defs", {}).items()}
        made[name] = schema
    made = {name: _told(name, schema) for name, schema in made.items() if name in WORDS}
    return {name: made[name] for name in sorted(made)}


def _told(name: str, schema: Json) -> Json:
    """With the fields that are sent in place of those that the type has, and a sentence on each. Raises KeyError for a field that
    has none."""
    if not WORDS[name]:
        return {key: value for key, value in schema.items() if key not in ("title", "description")}
    added = ADDED.get(name, {})
    own = dict(zip(NAMED[name]._fields, schema["prefixItems"], strict=True)) if name in NAMED else schema["properties"]
    fields: Mapping[str, Json] = {key: value for key, value in (own | added).items() if value is not None}
    properties = {
        key: {part: said for part, said in value.items() if part != "title"} | {"description": WORDS[name][key]}
        for key, value in fields.items()
    }
    return {
        "type": "object",
        "required": [key for key in properties if key not in OPTIONAL.get(name, ())],
        "properties": properties,
    }


def references(schema: object) -> Iterator[str]:
    """The names of the schemas to which a schema refers."""
    if isinstance(schema, dict):
        if isinstance(of := schema.get("$ref"), str):
            yield of.removeprefix(REFERENCE)
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)
