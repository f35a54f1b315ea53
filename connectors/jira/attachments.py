"""The files attached to a ticket: those of a kind with text become documents below it, the others are named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from connectors.base import Container, Document, Problem
from connectors.formats import PARSER_VERSION, parse_bytes
from connectors.formats.parsed import Options, Parsed, Unreadable
from connectors.formats.sniff import ADVICE, BY_EXTENSION, BY_NAME, OLD_OFFICE
from connectors.jira.config import JiraConfig
from connectors.jira.ticket import Ticket, fingerprint
from connectors.jira.values import author, iso, one_line

Json = Mapping[str, Any]

MOST_NAMED = 5  # files in a sentence
_ID = re.compile(r"(\d+)/attachment-(\d+)")


@dataclass(frozen=True, slots=True)
class File:
    """An attachment that is a document."""

    ticket: str  # id
    id: str
    name: str
    size: int
    metadata: Mapping[str, str]

    @property
    def document_id(self) -> str:
        return document_id(self.ticket, self.id)


@dataclass(frozen=True, slots=True)
class Task:
    """A file to read, for the sandbox."""

    name: str
    data: bytes
    options: Options


def document_id(ticket: str, attachment: str) -> str:
    return f"{ticket}/attachment-{attachment}"


def parts_of(id: str) -> tuple[str, str] | None:
    """The ticket and the attachment, if it is the id of one."""
    match = _ID.fullmatch(id)
    return (match[1], match[2]) if match else None


def files(ticket: Ticket, config: JiraConfig) -> tuple[list[File], tuple[Problem, ...]]:
    """The files of a ticket that are read as documents, and words about those that are not."""
    if not config.attachments:
        return [], ()
    readable: list[File] = []
    large: list[str] = []
    others: list[str] = []
    for one in ticket.attachments:
        id, name = one_line(one.get("id")), one_line(one.get("filename")) or "unnamed"
        told = one.get("size")
        size = told if isinstance(told, int) else 0
        if not id.isdigit() or not _has_text(name, one_line(one.get("mimeType"))):
            others.append(name)
        elif size > config.attachment_bytes:
            large.append(name)
        else:
            about = {"ticket": ticket.key, "author": author(one), "created": iso(one.get("created")), "size": str(size)}
            readable.append(File(ticket.id, id, name, size, about))
    problems = []
    if large:
        reason = f"{_named(large)}: larger than {config.attachment_megabytes:g} MB, the limit set for this source."
        problems.append(Problem("too large", reason))
    if others:
        problems.append(Problem("unsupported", f"{_named(others)}: files of this kind are not read."))
    return readable, tuple(problems)


def read(task: Task) -> Parsed | Problem:
    """The content of a file, or why there is none."""
    try:
        return parse_bytes(task.name, task.data, task.options)
    except Unreadable as unreadable:
        return unreadable.problem


def document(file: File, parsed: Parsed, path: tuple[Container, ...], site: str) -> Document:
    """A file as a document below its ticket."""
    found = Document(
        id=file.document_id,
        title=parsed.title or file.name,
        path=path,
        sections=parsed.sections,
        fingerprint="",
        kind=parsed.kind,
        url=f"{site}/secure/attachment/{file.id}/{quote(file.name, safe='')}",
        order=file.name,
        metadata={**parsed.metadata, **file.metadata},
        aliases=(file.name,),
        problems=parsed.problems,
    )
    return replace(found, fingerprint=f"{fingerprint(found)}/{PARSER_VERSION}")


def _has_text(name: str, kind: str) -> bool:
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    if extension in ADVICE or extension in OLD_OFFICE:
        return False
    return extension in BY_EXTENSION or name.lower() in BY_NAME or kind.startswith("text/")


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
