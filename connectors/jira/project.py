"""A project as a document: what it is for, who leads it, its components and versions. It heads all of its tickets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from connectors.base import Document, Fact, Locator, Problem, Reference, Section
from connectors.jira import adf, wiki
from connectors.jira.places import project_step
from connectors.jira.ticket import FIRST, fingerprint
from connectors.jira.values import mappings, name_of, one_line, person

Json = Mapping[str, Any]

PREFIX = "project/"


def document_id(project: str) -> str:
    return f"{PREFIX}{project}"


def document(project: Json, site: str) -> Document:
    id, key = str(project["id"]), one_line(project.get("key"))
    title = f"{one_line(project.get('name')) or key} ({key})"
    found = Document(
        id=document_id(id),
        title=title,
        path=(project_step(id),),
        sections=tuple(section for section in _sections(project) if section.text.strip()),
        fingerprint="",
        kind="project",
        url=f"{site}/browse/{key}",
        order=FIRST,
        metadata={name: value for name, value in {"key": key, "lead": person(project.get("lead"))}.items() if value},
        aliases=tuple(filter(None, (key, one_line(project.get("name"))))),
        heads=True,
        facts=tuple(_leads(project)),
    )
    return replace(found, fingerprint=fingerprint(found))


def unseen(key: str, site: str) -> Document:
    """Stands for a chosen project that the account does not see (any more), so that its absence is told."""
    reason = (
        f"The account of this source does not see the project {key}, so its tickets cannot be read. Ask an "
        "administrator of the project for access, or take the project out of this source."
    )
    found = Document(
        id=document_id(key),
        title=f"Project {key}",
        path=(project_step(key),),
        sections=(Section(reason),),
        fingerprint="",
        kind="project",
        url=f"{site}/browse/{key}",
        order=FIRST,
        metadata={"key": key},
        aliases=(key,),
        problems=(Problem("access", reason),),
        heads=True,
    )
    return replace(found, fingerprint=fingerprint(found))


def _sections(project: Json) -> Iterator[Section]:
    facts = {
        "Key": one_line(project.get("key")),
        "Lead": person(project.get("lead")),
        "Category": name_of(project.get("projectCategory")),
    }
    yield Section("\n".join(f"- {name}: {value}" for name, value in facts.items() if value))
    about = project.get("description")
    text = adf.to_markdown(about) if isinstance(about, Mapping) else wiki.to_markdown(about) if isinstance(about, str) else ""
    yield Section(text.strip(), Locator(("Description",)))
    yield Section("\n".join(f"- {line}" for line in _components(project)), Locator(("Components",)))
    yield Section("\n".join(f"- {line}" for line in _versions(project)), Locator(("Versions",)))


def _components(project: Json) -> Iterator[str]:
    return (_component(one) for one in mappings(project.get("components")))


def _component(component: Json) -> str:
    lead = person(component.get("lead"))
    words = (name_of(component), f" (lead: {lead})" if lead else "", ": ", one_line(component.get("description")))
    return "".join(words).rstrip(": ")


def _leads(project: Json) -> Iterator[Fact]:
    """Who leads each of its components."""
    for one in mappings(project.get("components")):
        if (lead := person(one.get("lead"))) and (name := name_of(one)):
            subject, somebody = Reference("component", name, name), Reference("person", lead, lead)
            yield Fact(subject, "lead", lead, somebody, quote=f"- {_component(one)}")


def _versions(project: Json) -> Iterator[str]:
    for one in mappings(project.get("versions")):
        date = one_line(one.get("releaseDate"))
        state = "archived" if one.get("archived") is True else "released" if one.get("released") is True else "not released"
        words = (name_of(one), f" ({state}{f' {date}' if date else ''})", ": ", one_line(one.get("description")))
        yield "".join(words).rstrip(": ")
