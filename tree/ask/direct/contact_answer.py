"""Whom to ask about what the chat was about: "who do I ask about it?" after an answer from a document.

What facts state of the thing by its name is told by them. Else it is whoever the document names as its owner or contact; one
who only wrote it, or stands in its first lines, is shown as that, and is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prompts.extractive import as_text
from prompts.records import Quote, Verdict
from prompts.regex import regex
from prompts.sentences import sentences_by_kind
from tree.ask.direct.fact_answer import told_from_facts
from tree.ask.facts.told_facts import FactCitations, line, readable, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact, folded
from tree.retrieve.names import tokens
from tree.store.documents import StoredDocument
from tree.store.leaves import FILE, Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

_ASKED = regex(
    r"\A\W*(?:and |so |but |then |ok(?:ay)?,? )?who(?:m|'s|s)? (?:(?:do|can|should|could|would|must|shall) (?:i|we|you|one|somebody|people)"
    r" (?:best )?(?:ask|contact|call|talk to|speak (?:to|with)|turn to|go to|write to|reach|e-?mail|ping|bother)"
    r"|to (?:ask|contact|call|talk to|turn to)"
    r"|(?:is |are )?(?:the )?(?:responsible|in charge|owners?|owns?|contact(?: person)?|maintainers?|maintains?|keepers?|keeps|looks? after|takes? care)"
    r"|knows (?:more|most|all)?)\b(?: (?:for|of|about|on|regarding|with))?(?: (?P<it>it|this|that|them|these|those|there|here))?"
    r"(?: (?:page|document|file|runbook|guide|topic|thing|process|procedure|policy))?(?: (?:here|there|about it|if i have questions))?\W*\Z",
    re.IGNORECASE,
)
OWNERS = (
    "owner", "owners", "owned by", "owning team", "contact", "contacts", "contact person", "first person to ask", "maintainer", "maintainers",
    "maintained by", "responsible", "responsible person", "responsible team", "keeper", "kept by", "in charge", "point of contact", "team",
    "questions to", "questions", "ansprechpartner", "ansprechpartnerin", "zuständig", "verantwortlich", "assignee", "lead",
)  # fmt: skip
AUTHORS = ("author", "authors", "written by", "reporter", "editor", "last edited by", "autor", "autorin", "verfasser")
MORE = regex(r"; |(?<=\w\w)\. ")  # after a name: what else the line says
_SAYS_OWNER = regex(rf"\W*(?:{'|'.join(OWNERS[:18])})\b", re.IGNORECASE)
FIRST_LINES = 400  # characters of a document, in which whoever keeps it may be named


def answer_contact(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for a question about whom to ask that points at the chat; None for any other, and where nobody is named."""
    asked = _ASKED.match(understanding.question)
    if asked is None or not understanding.chat.follows or not understanding.likely:
        return None
    [place] = understanding.likely[:1]
    node = snapshot.store.nodes.get(place, snapshot.version)
    if node is None or node.document_id is None:
        return None
    document = snapshot.store.documents.get(node.source_id, node.document_id, snapshot.version)
    if document is None:
        return None
    if document.kind == "ticket":
        return _of_ticket(snapshot, document)
    stated = stated_of_itself(snapshot, document.title, document_around(node.place))
    for labels, is_owner in ((OWNERS, True), (AUTHORS, False)):
        if found := [fact for label in labels for fact in stated if folded(fact.fact.relation) == label]:
            return _told(snapshot, document, found[:1], is_owner)
    return _named_at_head(snapshot, document, node)


def stated_of_itself(snapshot: Snapshot, title: str, place: str) -> list[StoredFact]:
    """What a document states of itself now, as one of the files and by its title."""
    facts = snapshot.index.facts(snapshot.scope)
    found = [*facts.of_things([place], FILE), *facts.about([folded(title)])]
    return [fact for fact in found if document_around(fact.place) == place and not fact.fact.row and not fact.fact.until]


def _of_ticket(snapshot: Snapshot, document: StoredDocument) -> DirectAnswer | None:
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    sources, key = FactCitations(snapshot.store, snapshot.version), document.title.partition(" ")[0]
    ways = (f"Who is assigned to {key}?", f"Who reported {key}?")
    told = (told_from_facts(text, names, facts, sources, today(snapshot)) for text in ways)
    return next((one for one in told if one is not None), None)


def _told(snapshot: Snapshot, document: StoredDocument, found: Sequence[StoredFact], is_owner: bool) -> DirectAnswer | None:
    cited = FactCitations(snapshot.store, snapshot.version).cite(found)
    if found[0].place not in cited:
        return None
    [fact] = found
    node = cited[fact.place][0]
    reason = f"“{document.title}”, which the chat is about, states its {fact.fact.relation}."
    step = Step("register", node.place, node.hash, node.title, reason=reason)
    value = MORE.split(readable(fact.fact.value), maxsplit=1)[0]
    said = f"**{as_text(value)}** ({as_text(small(fact.fact.relation))}), {as_text(document.title)} [1]"
    lines = [line(said, 1, fact, cited)]
    if not is_owner:
        lines.append(Line("\n\nNobody is named there as its owner or contact."))
    return DirectAnswer(step, tuple(lines), "complete" if is_owner else "partial")


def _named_at_head(snapshot: Snapshot, document: StoredDocument, node: Node) -> DirectAnswer | None:
    """The sentence among the first lines of a document that names a person who is known."""
    first = next(iter(snapshot.store.nodes.first_leaves(_top(snapshot, node), snapshot.version)), None)
    leaf = snapshot.store.leaves.get(first.leaf) if first is not None and first.leaf else None
    if first is None or leaf is None:
        return None
    names = snapshot.index.names(snapshot.scope)
    for start, end in _sentences(leaf):
        if any("person" in one.objects for one in names.find(tokens(leaf.text[start:end]))):
            quote = Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
            step = Step("register", first.place, first.hash, first.title, reason="Its first lines name a person.")
            said = f"{as_text(quote.text)} [1]\n\n*{as_text(document.title)}*"
            verdict: Verdict = "complete" if _SAYS_OWNER.match(quote.text) else "partial"
            return DirectAnswer(step, (Line(said, 1, first, leaf, quote),), verdict)
    return None


def _top(snapshot: Snapshot, node: Node) -> Node:
    """The node of the whole document."""
    place = document_around(node.place)
    return snapshot.store.nodes.at([place], snapshot.version).get(place, node)


def _sentences(leaf: Leaf) -> Iterator[tuple[int, int]]:
    """Of the first lines that are prose."""
    for start, end, kind in sentences_by_kind(leaf.text[:FIRST_LINES]):
        if kind not in ("heading", "row"):
            yield start, end
