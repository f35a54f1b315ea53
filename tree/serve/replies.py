"""What another program is told when it searches, opens a place or asks what changed: the JSON of these, field by field.

`ui/api/description.py` describes the interface by these types.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    place: str
    title: str
    kind: str


@dataclass(frozen=True, slots=True)
class FoundName(Place):
    path: str
    leaves: int


@dataclass(frozen=True, slots=True)
class FoundPassage(FoundName):
    snippet: str


@dataclass(frozen=True, slots=True)
class Found:
    names: list[FoundName]
    passages: list[FoundPassage]


@dataclass(frozen=True, slots=True)
class DocumentAt:
    id: str
    title: str
    kind: str
    url: str


@dataclass(frozen=True, slots=True)
class Sources:
    children: list[Place]


@dataclass(frozen=True, slots=True)
class Opened(Place):
    path: list[Place]
    leaves: int
    types: list[str]
    about: list[str]
    summary: str
    document: DocumentAt | None
    as_of: str | None
    children: list[Place]
    text: str | None


@dataclass(frozen=True, slots=True)
class Change:
    at: str
    how: str
    title: str
    source: str
    place: str
    people: list[str]


@dataclass(frozen=True, slots=True)
class Changes:
    changes: list[Change]
    left_out: int
    known_since: str | None
