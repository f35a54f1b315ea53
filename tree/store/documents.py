"""What the row of a document holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tree.store.leaves import Container


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's row: all of it but the leaves' text."""

    source_id: str
    id: str
    title: str
    kind: str
    url: str
    path: tuple[Container, ...]
    order: str
    place: str
    fingerprint: str
    metadata: Mapping[str, str]
    aliases: tuple[str, ...]
    problems: tuple[Mapping[str, str], ...]
    outline: tuple[tuple[str, str, tuple[Container, ...], str], ...]
    heads: bool = False


class DocumentHead(NamedTuple):
    """What a document's row tells of it on the outside, without the outline of its leaves, which may be long."""

    source_id: str
    id: str
    place: str
    title: str
    kind: str
    url: str
    path: tuple[Container, ...]
    heads: bool  # it is the last container of its path, which bears its title
    metadata: Mapping[str, str]
