"""Who wrote, keeps or changed a document, when, its version and its length: what it states of itself leads, its file's own time is told
beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from prompts.extractive import as_text
from prompts.extractive.dates import Day, days
from prompts.extractive.passages import beginning
from prompts.regex import regex
from tree.ask.direct.contact_answer import AUTHORS, MORE, OWNERS, stated_of_itself
from tree.ask.direct.document_head import TIMED, said_at_head
from tree.ask.direct.named_documents import begun, changed_told, title_told
from tree.ask.facts.told_facts import FactCitations, line, listed, readable, small
from tree.ask.snapshot.direct_answer import Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.understanding.document_question import Asked
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.documents import DocumentHead

LONGEST_VALUE = 200  # characters
MOST_COUNTED = 400  # leaves whose words are counted
WRITTEN_BY = (*AUTHORS[:3], "created by", "prepared by", "drafted by", "compiled by", *AUTHORS[6:])
_MADE_BY = (*WRITTEN_BY, "from")  # as mails say it
_CHANGED_BY = ("last edited by", "last changed by", "last updated by", "last modified by", "changed by", "updated by", "edited by", "modified by", "revised by", "editor")  # fmt: skip
_CHANGED = ("last updated", "last update", "last changed", "last modified", "last edited", "last revised", "updated", "updated on", "revised", "revised on", "revision date", "date of revision", "state", "stand", "as of")  # fmt: skip
_MADE = ("date", "date written", "written", "written on", "created on", "issued", "issued on", "date of issue", "published", "published on", "datum")  # fmt: skip
_REVIEWED = ("last reviewed", "last review", "reviewed", "reviewed on", "review date", "date of review")
_APPROVED = ("approved", "approved on", "date of approval", "approval date", "signed off")
_LABELS: dict[
    Asked, tuple[tuple[str, ...], ...]
] = {  # the first of which something is stated answers; what stands behind it only helps
    "author": (_MADE_BY, (*OWNERS, "editor", "last edited by")),
    "owner": (OWNERS, _MADE_BY),
    "editor": (_CHANGED_BY, (*_MADE_BY, *OWNERS)),
    "approver": (("approved by", "approver", "signed off by", "released by", "decided by"), (*_MADE_BY, *OWNERS)),
    "reviewer": (("reviewed by", "reviewer", "last reviewed by"), (*_MADE_BY, *OWNERS)),
    "updated": (_CHANGED, (*_REVIEWED, *_MADE, "written by")),
    "written": ((*_MADE, "written by"), (*_CHANGED, *_REVIEWED, "created")),
    "reviewed": (_REVIEWED, (*_CHANGED, *_MADE)),
    "approved": (_APPROVED, _MADE),
    "age": ((*_CHANGED, *_MADE, "written by"), _REVIEWED),
    "version": (("version", "version no", "version number", "revision", "edition", "issue"), _CHANGED),
}
_NOT_SAID: dict[Asked, str] = {
    "author": "who wrote it", "owner": "who owns or maintains it", "editor": "who changed it last", "approver": "who approved it",
    "reviewer": "who reviewed it", "updated": "when it was last updated", "written": "when it was written",
    "reviewed": "when it was reviewed", "approved": "when it was approved", "age": "how old it is", "version": "which version it is",
}  # fmt: skip
_VERSION = regex(r"\b(?:version|revision|edition|rev\.?|v)[ .]?(\d[\w.]{0,10})", re.IGNORECASE)
_DAYS_OF_MONTH, _DAYS_OF_YEAR = 30.44, 365.25


def told_of_one(snapshot: Snapshot, document: DocumentHead, asked: Asked) -> tuple[list[Line], bool]:
    """What is known of it, and whether that is what was asked for."""
    if asked == "length":
        return _length(snapshot, document)
    stated = stated_of_itself(snapshot, document.title, document.place)
    cited = FactCitations(snapshot.store, snapshot.version).cite(stated)
    stated = [fact for fact in stated if fact.place in cited]
    first, second = (_first(stated, labels, asked in TIMED) for labels in _LABELS[asked])
    lines: list[Line] = []
    called = _by_its_name(document, asked) if asked in ("version", "written", "age", "updated") else ""
    head = said_at_head(snapshot, document, asked) if not first and not (called and asked == "version") else None
    if first:
        lines.append(line(f"{_said(snapshot, first, asked)}, {title_told(document)} [1]", 1, first[0], cited))
    elif head is not None and head[1]:
        lines.append(Line(f"{as_text(head[0][2].text)} [1]\n\n*{title_told(document)}*", 1, *head[0]))
    elif called:
        where = begun(snapshot, [document]).get(document.place)
        words = f"**{as_text(called)}**, by its title or the name of its file: {title_told(document)}"
        lines.append(Line(f"{words} [1]", 1, *where) if where else Line(words))
    else:
        lines += _unsaid(snapshot, document, asked)
        if second:
            number = len([one for one in lines if one.number]) + 1
            lines.append(line(f"\n\n{_said(snapshot, second, asked)} [{number}]", number, second[0], cited))
        elif head is not None:
            number = len([one for one in lines if one.number]) + 1
            lines.append(Line(f"\n\nAt its beginning stands: {as_text(head[0][2].text)} [{number}]", number, *head[0]))
    if (asked in TIMED or asked == "editor") and (changed := changed_told(snapshot, document)):
        lines.append(Line(f"\n\nThe file was last changed on {changed}."))
    return lines, bool(first) or (head is not None and head[1]) or (asked == "version" and bool(called))


def _unsaid(snapshot: Snapshot, document: DocumentHead, asked: Asked) -> Iterator[Line]:
    where = begun(snapshot, [document]).get(document.place)
    words = f"“{title_told(document)}” does not say {_NOT_SAID[asked]}"
    yield Line(f"{words} [1].", 1, *where) if where else Line(f"{words}.")


def _first(stated: Sequence[StoredFact], labels: Sequence[str], is_of_time: bool) -> list[StoredFact]:
    """What is stated under the first of these labels; of times what has one."""
    for label in labels:
        found = [fact for fact in stated if folded(fact.fact.relation) == label]
        found = [fact for fact in found if _days(fact)] if is_of_time else found
        if found:
            return found if not is_of_time else found[:1]
    return []


def _days(fact: StoredFact) -> list[Day]:
    return days(readable(fact.fact.value))


def _said(snapshot: Snapshot, found: Sequence[StoredFact], asked: Asked) -> str:
    values = list(
        dict.fromkeys(as_text(beginning(MORE.split(readable(fact.fact.value), maxsplit=1)[0], LONGEST_VALUE)) for fact in found)
    )
    label = as_text(small(found[0].fact.relation))
    ago = f", {_ago(max(_days(found[0])), today(snapshot))}" if asked == "age" and _days(found[0]) else ""
    return f"**{listed(values)}** ({label}{ago})"


def _ago(day: Day, now: date) -> str:
    """ "9 months ago", as far as the day is known."""
    passed = (now - date(day.year, day.month, day.day or 1)).days
    if passed < 0:
        return "to come"
    for size, one in ((_DAYS_OF_YEAR, "year"), (_DAYS_OF_MONTH, "month"), (1, "day")):
        if (number := int(passed / size)) >= 1:
            return f"{number} {one}{'s' if number > 1 else ''} ago"
    return "today"


def _by_its_name(document: DocumentHead, asked: Asked) -> str:
    """The version or the day that its title or its file's name says."""
    for name in (document.title, document.id.rpartition("/")[2].replace("_", " ")):
        if asked == "version" and (match := _VERSION.search(name)) is not None:
            return f"version {match[1].rstrip('.')}"
        if asked != "version" and (found := days(name)):
            return max(found).in_words
    return ""


def _length(snapshot: Snapshot, document: DocumentHead) -> tuple[list[Line], bool]:
    nodes = [one for one in snapshot.store.nodes.of_document(document.source_id, document.id, snapshot.version) if one.leaf]
    said = [f"{number} {unit}" for unit in ("pages", "rows") if (number := document.metadata.get(unit, ""))]
    if len(nodes) <= MOST_COUNTED:
        words = sum(
            len(leaf.text.split()) for leaf in snapshot.store.leaves.by_key({one.leaf for one in nodes if one.leaf}).values()
        )
        said.append(f"about {words:,} words")
    if size := size_told(document.metadata.get("size", "")):
        said.append(size)
    where = begun(snapshot, [document]).get(document.place)
    if where is None or not said:
        return [], False
    return [Line(f"**{said[0]}**{''.join(f', {more}' for more in said[1:])}: {title_told(document)} [1]", 1, *where)], True


def size_told(said: str) -> str:
    """ "41 KB" for "41851"; empty where that is no number."""
    if not said.isdecimal():
        return ""
    size = int(said)
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if size >= least:
            return f"{size / least:.1f}".removesuffix(".0") + f" {unit}" if size < 10 * least else f"{size // least} {unit}"
    return f"{size} bytes"
