"""What the first sentences of a document say of it: "Edition 7, valid from 1 February 2026. Edited by Ada Holm, deputy manager."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts.extractive.dates import days
from prompts.language import terms
from prompts.months import MONTH
from prompts.records import Quote
from prompts.regex import regex
from prompts.sentences import sentences_by_kind
from tree.ask.direct.named_documents import heads_at
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.understanding.document_question import Asked
from tree.retrieve.fact_index import folded
from tree.retrieve.names import tokens
from tree.store.documents import DocumentHead
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

FIRST_LINES = 600  # characters of a document in which it says who wrote it, and when
LONGEST = 300  # characters of such a sentence

_MADE = r"(?:re)?written|edited|compiled|drafted|prepared|put together|issued|authored|created"
_BYLINE = (  # "Ida Holm, 12 May 2026" as a line of its own
    rf"\A\W*(?-i:[A-Z][\w.'’-]{{1,20}}(?: [A-Z][\w.'’-]{{0,20}}){{1,2}})(?:,| [-–—]) (?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.? (?:{MONTH})\.? \d{{4}}|(?:{MONTH}) \d{{4}})\W*\Z"
)
_CHANGED = r"(?:last )?(?:updated|update|changed|edited|revised|rewritten|amended|modified|gone over)"
_SURE: dict[Asked, re.Pattern[str]] = {  # of times also a date has to stand there
    "author": regex(rf"\A\W*(?:by|text:|words:|text by) (?-i:[A-Z])|\b(?:{_MADE}|authors?|maintained and written)(?: by\b|:)", re.IGNORECASE),
    "owner": regex(r"\b(?:own(?:ed|er)|maintain(?:ed|er)|keeps this|kept|looked after|looks after this)(?: by\b|:| (?:of )?(?:this|the) (?:page|document|list))", re.IGNORECASE),
    "editor": regex(rf"\b{_CHANGED} (?:[\w ]{{0,30}}?)?by\b", re.IGNORECASE),
    "approver": regex(r"\b(?:approved|adopted|signed off|released)(?: [\w ]{0,30}?)? by\b", re.IGNORECASE),
    "reviewer": regex(r"\breviewed(?: [\w ]{0,30}?)? (?:by|with)\b", re.IGNORECASE),
    "updated": regex(rf"\b{_CHANGED}\b|\b(?:status|state|as) of\b", re.IGNORECASE),
    "written": regex(rf"\b(?:{_MADE}|published|dated|edition of|date of issue)\b", re.IGNORECASE),
    "reviewed": regex(r"\b(?:reviewed|last review|review of)\b", re.IGNORECASE),
    "approved": regex(r"\b(?:approved|adopted|signed off)\b", re.IGNORECASE),
    "age": regex(rf"\b(?:{_MADE}|{_CHANGED}|published|dated|edition of)\b", re.IGNORECASE),
    "version": regex(r"\A\W*(?:this is )?(?:version|edition|revision|issue|v)[ .:]*\d", re.IGNORECASE),
}  # fmt: skip
_LINE, _IS_BYLINE = regex(r"[^\n]+"), regex(_BYLINE, re.IGNORECASE)
_MADE_BY = regex(rf"\W*(?:{_MADE}) by\b", re.IGNORECASE)
_OF_ANOTHER = regex(r"\b(?:withdrawn|supersed\w+|replac\w+|instead of|previous|former|next|see)\b", re.IGNORECASE)
_OF_OTHER_THINGS = regex(  # a whole sentence tells of the work, but for "This page was last updated on 3 May 2026"
    r"\A(?!\W*this (?:page|document|file|version|edition|list|plan|policy|guide|handbook|report)\b).*"
    r"\b(?:is|are|was|were|will|must|may|can|should|have|has|had|do|does|did|before|after|until|if|when|who|which|we|you|they)\b",
    re.IGNORECASE | re.DOTALL,
)
MOST_MENTIONING = 60  # documents that are looked into for who wrote them
MOST_WORDS = 24  # of a sentence that says who wrote a document, or when
TIMED = frozenset(("updated", "written", "reviewed", "approved", "age"))


def said_at_head(snapshot: Snapshot, document: DocumentHead, asked: Asked) -> tuple[tuple[Node, Leaf, Quote], bool] | None:
    """The first sentence that answers, and whether it does by its form: one that only names a person, or a date, may tell it too."""
    top = snapshot.store.nodes.get(document.place, snapshot.version)
    first = next(iter(snapshot.store.nodes.first_leaves(top, snapshot.version, 1)), None) if top is not None else None
    leaf = snapshot.store.leaves.get(first.leaf or "") if first is not None else None
    if first is None or leaf is None:
        return None
    said = [(start, end, leaf.text[start:end]) for start, end in sentences_at_head(leaf)]
    for is_sure in (True, False):
        for start, end, text in said:
            if _answers(snapshot, text, asked, is_sure):
                return (first, leaf, Quote(text=" ".join(text.split()), start=start, end=end)), is_sure
    return None


def documents_headed_by(
    snapshot: Snapshot, name: str, asked: Asked, endings: tuple[str, ...]
) -> Iterator[tuple[DocumentHead, tuple[Node, Leaf, Quote]]]:
    """Documents whose first sentences name somebody as who wrote or keeps them; none where very many mention the name."""
    mentioned = list(dict.fromkeys(document_around(place) for place, _ in snapshot.index.mentioning(terms(name), snapshot.scope)))
    if len(mentioned) > MOST_MENTIONING:
        return
    wanted = set(folded(name).split())
    for document in heads_at(snapshot, mentioned, endings):
        found = said_at_head(snapshot, document, asked)
        if (
            found is not None
            and found[1]
            and wanted <= set(folded(found[0][2].text).split())
            and document.kind not in ("mail", "mailbox")
        ):
            yield document, found[0]


def _answers(snapshot: Snapshot, text: str, asked: Asked, is_sure: bool) -> bool:
    if asked in TIMED and not days(text):
        return False
    if is_sure:
        return says_by_its_form(text, asked)
    if asked in TIMED:
        return True
    names = snapshot.index.names(snapshot.scope)
    found = names.find(tokens(text)) if asked in ("author", "owner") else []
    return any("person" in one.objects and one.last - one.first > 1 for one in found)  # "All" may be a person too, to a mail


def says_by_its_form(text: str, asked: Asked) -> bool:
    """Whether a first sentence is one about its document, and says what is asked for."""
    if asked in ("author", "written", "age") and _IS_BYLINE.match(text):
        return True
    is_note = len(text.split()) <= MOST_WORDS and _OF_ANOTHER.search(text) is None and _OF_OTHER_THINGS.match(text) is None
    return is_note and _SURE[asked].search(text) is not None


def _opens_with_name(text: str) -> bool:
    return _IS_BYLINE.match(text) is not None or _MADE_BY.match(text) is not None


def sentences_at_head(leaf: Leaf) -> Iterator[tuple[int, int]]:
    """Of the first lines, those that are prose."""
    for start, end, kind in sentences_by_kind(leaf.text[:FIRST_LINES]):
        if kind in ("heading", "row") or end - start > LONGEST:
            continue
        byline = next((one for one in _LINE.finditer(leaf.text, start, end) if _opens_with_name(one.group())), None)
        yield byline.span() if byline is not None else (start, end)
