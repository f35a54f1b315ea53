"""What a document says of itself as a whole: author, publisher, date, status, owner.

It stands in what its format keeps beside the text (front matter, mail headers, the fields of a ticket), and in lines at the
head or the end of the text: "Owner: Team Keel", a byline, "Published by ...". It belongs to every leaf of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from connectors.base import Document, Section
from prompts.records import Property
from prompts.regex import regex
from prompts.sentences import term_of

MOST = 8
LONGEST = 120  # characters of a value
LONGEST_LINE = 400
HEAD_LINES, END_LINES = 12, 3  # that are looked at
OF_TICKETS = ("type", "status", "priority", "assignee", "epic", "parent")
WITHOUT_HEAD = frozenset(("ticket", "mailbox"))  # kinds whose texts are of several people, or state their fields typed

_NAMES = {
    "Author": "author|authors|written by|authored by|prepared by|compiled by|creator",
    "Publisher": "publisher|published by",
    "Date": "date|published|published on|date published|publication date|pubdate|sent",
    "Status": "status",
    "Owner": "owner|owners|owned by|maintainer|maintainers|maintained by|kept by|document owner|responsible",
    "Last reviewed": "last reviewed|last review|reviewed|reviewed on|last_reviewed|review date",
    "Last updated": "last updated|last update|updated|last modified|last change|last changed|last_updated|lastmod",
    "Approved by": "approved by|approver|approvers",
    "Deciders": "deciders|decision makers",
    "Version": "version",
    "Severity": "severity",
    "From": "from",
    "To": "to",
    "Classification": "classification|confidentiality",
}  # fmt: skip
_NAMED = {spelled: name for name, spellings in _NAMES.items() for spelled in spellings.split("|")}
_IN_TEXT = {spelled: name for spelled, name in _NAMED.items() if name not in ("From", "To")}
_LABELS = "|".join(sorted((re.escape(one) for one in _IN_TEXT if "_" not in one), key=len, reverse=True))
_LABELLED = regex(
    rf"(?:(?<![^\n])[-*+ \t]{{0,4}}|(?<=[.;|·] ))[*_]{{0,2}}(?P<label>{_LABELS})[*_]{{0,2}}:[*_]{{0,2}}[ \t]+"
    r"(?P<value>[^\s|:][^\n|]{0,200})",
    re.IGNORECASE,
)
_PAIR = regex(rf"\|[ *_]{{0,4}}(?P<label>{_LABELS})[ *_:]{{0,4}}\|[ \t]*(?P<value>[^\s|][^\n|]{{0,200}})\|?\s*\Z", re.IGNORECASE)
_PERSON = r"[A-Z][\w'’.-]{1,30}(?: (?:de|van|von|der|la|le|of))?(?: [A-Z][\w'’.-]{1,30}){1,3}"
_DAY = r"(?:\d{4}-\d\d-\d\d|\d{1,2}\.? [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_BYLINE = regex(rf"[*_]{{0,2}}(?:[Bb]y )?(?P<author>{_PERSON})[*_]{{0,2}}(?:,| [|·–-]) (?P<date>{_DAY})\b")
_BY = regex(rf"[*_]{{0,2}}By (?P<author>{_PERSON}(?:(?:,| and|, and) {_PERSON}){{0,3}})[*_.]{{0,3}}\Z")
_WRITTEN = regex(rf"\b[Ww]ritten by (?P<author>{_PERSON})|\b[Aa]uthored by (?P<other>{_PERSON})")
_PUBLISHED = regex(
    rf"\b[Pp]ublished by (?P<publisher>[^\n.;]{{2,80}}?)(?= on {_DAY}| in \d{{4}}| under |[.;,\n]|\Z)(?: on (?P<date>{_DAY}))?"
)
_OWNER = regex(rf"(?<![^\n])Owner (?P<owner>{_PERSON})")
_NO_VALUES = frozenset(("true", "false", "yes", "no", "none", "unknown", "tbd", "n/a", *_NAMED))
_SENTENCE_END = regex(r"\.(?=\s+[A-Z*_\[(]|\s*\Z)|;(?=\s)| · ")
_ITEM = regex(r"(?:[-*+•]|\d{1,3}[.)]) ")
_MARKS = regex(r"[*_`]{1,3}|\A[-+>] |\[(?=[^\[\]]{1,100}\]\()|\]\([^()\s]{0,300}\)")
_ROW = regex(r"\|[^|\n]{0,60}\|[^|\n]{0,300}\|?\s*\Z")


def properties_of(document: Document) -> tuple[Property, ...]:
    """What a document says of itself, each name once; what its format keeps comes before what its text says."""
    found: dict[str, str] = {}
    for name, value in (*_kept(document.metadata, document.kind), *_written(document)):
        if (words := _short(value)) and len(found) < MOST:
            found.setdefault(name, words)
    return tuple(Property(name, value) for name, value in found.items())


def says_of_document(label: str) -> bool:
    """Whether what stands behind a label is said of the whole document: "Owner", "Last reviewed"."""
    return label.casefold() in _IN_TEXT


def says_nothing_else(text: str) -> bool:
    """Whether a text is nothing but what a document says of itself, and headings."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    said = [line for line in lines if _is_statement(line)]
    return bool(said) and all(line in said or _ROW.match(line) for line in lines)


def _is_statement(line: str) -> bool:
    if len(line) > LONGEST_LINE:
        return False
    if match := _LABELLED.match(line):
        return not (end := _SENTENCE_END.search(match["value"])) or not match["value"][end.end() :].strip()
    if _BY.match(line):
        return True
    byline = _BYLINE.match(line)
    if byline is not None:
        return not line[byline.end() :].strip(" .*_")
    return bool(_PUBLISHED.search(line)) and ". " not in line


# ---------------------------------------------------------------- where it is said


def _kept(metadata: Mapping[str, str], kind: str) -> Iterator[tuple[str, str]]:
    if kind == "ticket":
        for key in OF_TICKETS:
            yield key.capitalize(), metadata.get(key, "")
        return
    for key, value in metadata.items():
        if name := _NAMED.get(key.casefold().replace("-", " ")):
            yield name, value


def _written(document: Document) -> Iterator[tuple[str, str]]:
    if document.kind in WITHOUT_HEAD:
        return
    told = [section for section in document.sections if section.text.strip() and section.markup != "code"]
    if not told:
        return
    if len(told[0].locator.heading) <= 1:
        yield from _said(_lines(told[0])[:HEAD_LINES])
    for section in told:
        lines = _lines(section)
        if len(lines) == 1 and section.locator.heading and (name := _IN_TEXT.get(section.locator.heading[-1].casefold())):
            yield name, lines[0]  # "## Status" with one word below it
    yield from _said(_lines(told[-1])[-END_LINES:])


def _lines(section: Section) -> list[str]:
    return [line.strip()[:LONGEST_LINE] for line in section.text.splitlines() if line.strip()]


def _said(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        yield from _labelled(line)
        if found := _PAIR.match(line):
            yield _IN_TEXT[found["label"].casefold()], found["value"]
        if found := _BYLINE.match(line):
            yield "Author", found["author"]
            yield "Date", found["date"]
        elif found := _BY.match(line):
            yield "Author", found["author"]
        if " by " in line and (found := _WRITTEN.search(line)):
            yield "Author", found["author"] or found["other"]
        if "ublished by " in line and (found := _PUBLISHED.search(line)):
            yield "Publisher", found["publisher"]
            yield "Date", found["date"] or ""
        if found := _OWNER.match(line):
            yield "Owner", found["owner"]


def _labelled(line: str) -> Iterator[tuple[str, str]]:
    """ "Owner: Team Keel. Last reviewed: 3 May" says two things."""
    at = 0
    first = _LABELLED.match(line)
    if first is None and (_ITEM.match(line) or term_of(line)):
        return  # an item of a list is of what it begins with: "- **prod-eu**: Frankfurt. Owner: Jane Doe"
    while ":" in line and (match := _LABELLED.search(line, at)):
        end = _SENTENCE_END.search(match["value"])
        yield _IN_TEXT[match["label"].casefold()], match["value"][: end.start()] if end else match["value"]
        at = match.start("value") + (end.start() if end else len(match["value"]))


def _short(value: str) -> str:
    words = " ".join(_MARKS.sub("", value).split()).strip(" .,;")
    if words.casefold() in _NO_VALUES:
        return ""
    if len(words) <= LONGEST:
        return words
    cut = words.rfind(" ", LONGEST // 2, LONGEST)
    return f"{words[: cut if cut > 0 else LONGEST].rstrip(' ,;')}…"
