"""How leaves, records and documents are written into their rows, read from them, and hashed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields
from hashlib import sha256
from typing import Any, NamedTuple

from prompts.records import LogicUnit, Property, SummaryRecord
from tree.store.documents import StoredDocument
from tree.store.leaves import FILE, Entity, Fact, Leaf, LeafDocument, Piece


def digest(*parts: object) -> str:
    """A fingerprint of JSON-like parts, 32 hexadecimal digits."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


_PIECE = tuple(f.name for f in fields(Piece))
_FACT_FIELDS = 10  # that are stored: the table of a row is read from the text


def leaf_data(leaf: Leaf) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": leaf.title,
        "heading": list(leaf.heading),
        "pieces": [{name: getattr(piece, name) for name in _PIECE} for piece in leaf.pieces],
        "units": [unit.model_dump(exclude_defaults=True) for unit in leaf.units],
    }
    if leaf.facts:
        data["facts"] = _facts_data(leaf)
    if leaf.properties:
        data["properties"] = [list(one) for one in leaf.properties]
    return data


def _facts_data(leaf: Leaf) -> list[list[Any]]:
    return [_fact_data(fact, leaf.heading[:1]) for fact in leaf.facts]


def _fact_data(fact: Fact, title: Sequence[str]) -> list[Any]:
    """A fact without what is known anyway: the title of its document as its subject, a name that is an id as well."""
    [subject, relation, value, start, end, object_, *rest] = astuple(fact)[:_FACT_FIELDS]
    if fact.group == FILE:
        subject = (fact.subject.kind,) if (fact.subject.id,) == (fact.subject.name,) == tuple(title) else subject
        object_ = object_[:2] if object_ and object_[1] == object_[2] else object_
    return [subject, relation, value, start, end, object_, *rest]


def facts_from(data: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The facts in a leaf's stored data."""
    title = data["heading"][:1]
    return tuple(
        Fact(_entity(subject, title), relation, value, start, end, _entity(object_, title) if object_ else None, *rest)
        for subject, relation, value, start, end, object_, *rest in data.get("facts", ())
    )


def _entity(stored: Sequence[str], title: Sequence[str]) -> Entity:
    kind, *named = stored
    id_, name, *_ = [*named, *named] if named else [*title, *title]
    return Entity(kind, id_, name)


def properties_from(data: Mapping[str, Any]) -> tuple[Property, ...]:
    return tuple(Property(*one) for one in data.get("properties", ()))


class LeafContents(NamedTuple):
    """A leaf as it is searched."""

    text: str
    headings: list[str]  # the leaf's own title last
    facts: tuple[Fact, ...]  # those its source stated
    properties: tuple[Property, ...]


def contents(text: str, data: Mapping[str, Any]) -> LeafContents:
    return LeafContents(text, [*data["heading"], data["title"]], facts_from(data), properties_from(data))


def contents_of(leaf: Leaf) -> LeafContents:
    """The same of a leaf that is not stored yet."""
    stated = facts_from({"heading": leaf.heading, "facts": _facts_data(leaf)})
    return LeafContents(storable(leaf.text), [*leaf.heading, leaf.title], stated, leaf.properties)


def leaf_key(leaf: Leaf) -> str:
    return digest(leaf.text, leaf_data(leaf))


def record_hash(record: SummaryRecord, units: Sequence[LogicUnit] | None = None) -> str:
    """Of a record and the units a model made with it, if any."""
    return hash_of(record_json(record), None if units is None else units_json(units))


def hash_of(record: str, units: str | None) -> str:
    written = record if units is None else f"{record}\n{units}"
    return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def units_json(units: Sequence[LogicUnit]) -> str:
    return f"[{','.join(unit.model_dump_json(exclude_defaults=True) for unit in units)}]"


def record_json(record: SummaryRecord) -> str:
    return record.model_dump_json(exclude_defaults=True)


def as_leaf(text: str, data: Mapping[str, Any]) -> Leaf:
    return Leaf(
        slot="",
        title=data["title"],
        text=text,
        heading=tuple(data["heading"]),
        pieces=tuple(Piece(**piece) for piece in data["pieces"]),
        units=tuple(LogicUnit.model_validate(unit) for unit in data["units"]),
        facts=facts_from(data),
        properties=properties_from(data),
    )


def stored(source_id: str, place: str, document: LeafDocument, keys: Sequence[str]) -> StoredDocument:
    """The row of a document whose leaves have these keys."""
    outline = tuple((leaf.slot, leaf.title, leaf.path, key) for leaf, key in zip(document.leaves, keys, strict=True))
    return StoredDocument(
        source_id,
        document.id,
        document.title,
        document.kind,
        document.url,
        document.path,
        document.order,
        place,
        document.fingerprint,
        dict(document.metadata),
        document.aliases,
        tuple(dict(problem) for problem in document.problems),
        outline,
        document.heads,
    )


def document_row(document: StoredDocument, number: int) -> dict[str, Any]:
    return {
        "source_id": document.source_id,
        "document_id": document.id,
        "live_from": number,
        "title": document.title,
        "kind": document.kind,
        "url": document.url,
        "path": [list(step) for step in document.path],
        "order": document.order,
        "place": document.place,
        "fingerprint": document.fingerprint,
        "meta": dict(document.metadata),
        "aliases": list(document.aliases),
        "problems": [dict(problem) for problem in document.problems],
        "outline": [[slot, title, [list(c) for c in path], key] for slot, title, path, key in document.outline],
        "heads": document.heads,
    }


def storable(text: str) -> str:
    """SQLite holds UTF-8; a lone surrogate from a broken file becomes a visible escape."""
    return text.encode("utf-8", "backslashreplace").decode()
