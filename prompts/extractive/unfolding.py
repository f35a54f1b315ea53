"""Where a step leads: the procedure of another page, or of another part of its own, that a link in the step names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive.pages import is_alert, sections
from prompts.extractive.passages import quote
from prompts.extractive.procedures import Part, Procedure, procedures, scopes_of
from prompts.records import Evidence, LeafText, Quote
from prompts.regex import regex
from prompts.sentences import blocks

MOST_UNFOLDED = 2  # procedures that steps of one answer lead to
LONGEST_UNFOLDED = 10  # steps of one
LONGEST_OPENING = 400  # characters
TARGET = regex(r"\]\(\s*<?([^\s()<>]+)")  # of a link in Markdown
_ANCHOR = regex(r"\]\(#([^\s()<>]+)\)")
_SECTION = regex(r":ref:`([^`<>\n]+?) ?<[^`<>\n]+>`")  # as reStructuredText is read: with the title of the section
_NAMED = regex(r"[\"“„*_]([^\"“”„*_\n]{3,80})[\"”“*_]")  # a heading that is named
_ADDRESS = regex(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Leading:
    """A procedure that a step leads to, and what was read of its page."""

    evidence: Evidence
    procedure: Procedure

    @property
    def title(self) -> str:
        heading = self.evidence.leaf.heading
        return (
            self.procedure.title
            if self.procedure.title in heading[:1] or not heading
            else f"{heading[0]} › {self.procedure.title}"
        )


class Unfolding:
    """Tells each procedure once, and none of the documents that are told anyway unless a part of it is named."""

    def __init__(self, evidence: Sequence[Evidence], told: Sequence[str], titles: Sequence[str] = ()) -> None:
        self.evidence = evidence
        self._left = MOST_UNFOLDED
        self._told = set(told)
        self._titles = {_slug(title) for title in titles}

    def of(self, leaf: LeafText, document: str, part: Part) -> Iterator[Leading]:
        for name in headings_of(leaf, part):
            if self._left and (found := self._below(name, document)) is not None:
                self._left -= 1
                self._titles.add(_slug(name))
                yield found
        for target in targets_of(leaf, part):
            found = self._found(target, leaf, document, leaf.text[part.start : part.end]) if self._left else None
            if found is not None:
                self._left -= 1
                self._told.add(found.evidence.document)
                yield found

    def _below(self, name: str, document: str) -> Leading | None:
        """The steps below a heading of the same document."""
        near = [e for e in self.evidence if document and e.document == document] if _slug(name) not in self._titles else []
        found = ((e, one) for e in near for one in procedures(e.leaf) if len(one.steps) >= 2 and _slug(one.title) == _slug(name))
        return next((Leading(e, one) for e, one in found), None)

    def _found(self, target: str, leaf: LeafText, document: str, said: str) -> Leading | None:
        near = [e for e in self.evidence if e.leaf is not leaf and e.document not in self._told and leads_to(target, document, e)]
        return next((Leading(e, one) for e in near for one in procedures_of(e.leaf, target.partition("#")[2], said)), None)


def targets_of(leaf: LeafText, part: Part) -> list[str]:
    """The files that a part links to, as they are written, each once."""
    units = [unit for unit in leaf.units if unit.start < part.end and part.start < unit.end]
    said = leaf.text[part.start : part.end]
    return list(dict.fromkeys(link.to for unit in units for link in unit.links if link.kind == "file" and link.to in said))


def headings_of(leaf: LeafText, part: Part) -> list[str]:
    """The headings of its own document that a part refers to."""
    said = leaf.text[part.start : part.end]
    return list(dict.fromkeys([*_ANCHOR.findall(said), *(match[1].strip() for match in _SECTION.finditer(said))]))


def leads_to(target: str, document: str, e: Evidence) -> bool:
    """Whether a link in a document is to the document of what was read."""
    path = target.partition("#")[0]
    if not path or not e.document or _ADDRESS.match(target):
        return False
    there = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    stem = posixpath.splitext(e.document)[0]
    return e.document in (there, path) or stem in (there, path) or posixpath.basename(path) == posixpath.basename(e.document)


def procedures_of(leaf: LeafText, anchor: str = "", said: str = "") -> list[Procedure]:
    """What a page that is linked to says to do: below the heading that is named, by the link or in quotation marks in what is `said`
    beside it, else its steps; of an alert's page its remedy. Of several procedures none where no heading is named."""
    if is_alert(leaf):
        found = [one for one in sections(leaf) if one.parts]
        return found[-1:]
    steps = [one for one in procedures(leaf) if len(one.steps) >= 2]
    named = {_slug(name) for name in (anchor, *_NAMED.findall(said)) if name}
    scopes = [one for one in scopes_of(leaf) if one.headings and _slug(one.headings[-1]) in named]
    below = [one for one in steps for scope in scopes if scope.start <= one.steps[0].start < scope.end]
    if below or len(steps) > 1:
        return below[:1]
    return steps or list(sections(leaf))[:1]


def _slug(heading: str) -> str:
    return re.sub(r"\W+", "-", heading.casefold()).strip("-")


def opening_of(leaf: LeafText) -> Quote:
    """The beginning of what a page says below its title."""
    inside = [(start, end) for start, end, kind in blocks(leaf.text) if kind != "heading"]
    start, end = inside[0] if inside else (0, len(leaf.text))
    return quote(leaf.text, start, min(end, start + LONGEST_OPENING))
