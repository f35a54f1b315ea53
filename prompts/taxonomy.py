"""The kinds of content a team's knowledge is made of, as the data file beside this one lists them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

UNCLASSIFIED = "unclassified"

# What can be seen of a text without reading it; `prompts.extractive.types` finds them.
Sign = Literal[
    "steps", "bullets", "checkboxes", "table", "code", "some_code", "speakers", "log", "keyvalues", "mailhead",
    "questions", "definitions", "links", "money", "numbers", "dates", "versions", "emails", "placeholders",
]  # fmt: skip


class ContentType(BaseModel):
    """One type and what speaks for it, strongest first: kind of document, type of ticket, words of a heading, structure, text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    name: str = Field(min_length=1)
    description: str = Field(min_length=1)
    kinds: tuple[str, ...] = ()
    tickets: tuple[str, ...] = ()  # types of tickets, in small letters
    headings: tuple[str, ...] = ()
    signs: tuple[Sign, ...] = ()
    text: tuple[str, ...] = ()


class Taxonomy(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    types: tuple[ContentType, ...]

    @model_validator(mode="after")
    def _distinct(self) -> Taxonomy:
        ids = [kind.id for kind in self.types]
        if len(set(ids)) != len(ids) or UNCLASSIFIED in ids:
            raise ValueError("every content type needs an id of its own")
        for kind in self.types:
            if any(cue != cue.lower() for cue in (*kind.kinds, *kind.tickets, *kind.headings, *kind.text)):
                raise ValueError(f"the cues of {kind.id} must be in lower case")
        return self


@cache
def taxonomy() -> Taxonomy:
    return Taxonomy.model_validate(json.loads(Path(__file__).with_name("taxonomy.json").read_text("utf-8")))


def name_of(type_id: str) -> str:
    """The name people read; the id itself for one the taxonomy no longer has."""
    return _names().get(type_id, type_id.replace("_", " ").capitalize())


@cache
def _names() -> dict[str, str]:
    return {kind.id: kind.name for kind in taxonomy().types} | {UNCLASSIFIED: "Unclassified"}
