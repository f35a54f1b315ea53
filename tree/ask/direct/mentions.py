"""Which documents mention something, and how many: all of them, counted by folder, from the words of the index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.language import terms
from prompts.other_languages import in_english
from prompts.records import Quote
from prompts.regex import regex
from prompts.sentences import sentences
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.store.documents import DocumentHead
from tree.store.nodes import Node

SHOWN = 20  # documents told one by one
MOST_FOLDERS = 15
_ONE = r"(?:files?|documents?|docs?|pages?|pdfs?|tickets?|issues?|runbooks?|places?|passages?|folders?)"
_NOUN = rf"(?P<noun>{_ONE}(?:(?:,| and| or|, and|/| &) ?{_ONE})*)"
_VERB = r"(?:mention(?:s|ed|ing)?|contain(?:s|ing)? the (?:word|term|name|phrase|string)s?|name(?:s)?|refer(?:s|ring)? to|reference|cite|talk(?:s|ing)? about|use the (?:word|term|name)|include the (?:word|term|name)|(?:say|says|have|has|contains?) (?:some|any)thing (?:about|on))"
_WHICH = regex(
    rf"\A\W*(?:please )?(?:in )?(?:(?:what|which|list|show me|show|give me|find|how many|count|name)(?: (?:are )?(?:all )?(?:the )?)|)(?:of the |all |our |my |the )?{_NOUN}"
    rf"(?: (?:that|which|do|does|there|are|is|in total))* {_VERB}(?: of)? (?P<subject>[^?!\n]{{2,80}}?)[?.!\s]*\Z",
    re.IGNORECASE,
)
_WHERE = regex(
    rf"\A\W*(?:where|in (?:which|what|how many) {_NOUN})"
    r" (?:is|are|do|does|did|was|were) (?P<subject>[^?!\n]{2,80}?) (?:mentioned|named|come up|turn up|show up|appear|occur)[?.!\s]*\Z",
    re.IGNORECASE,
)
_FOUND = regex(r"\A\W*where did\b.*\b(?:come|turn|show) up\W*\Z", re.IGNORECASE | re.DOTALL)  # where a thing was found again
_WO = regex(
    r"\A\W*(?:wo (?:kommt|kommen|taucht|tauchen|wird|werden) (?P<subject>[^?!\n]{2,60}?) (?:vor|auf|erwähnt|genannt))[?.!\s]*\Z",
    re.IGNORECASE,
)
_TOO_MUCH = regex(  # a clause, as of "which file names does it look for", and not the name of something
    r"\b(?:and|or|not|without|but|that|which|who|when|why|how|do|does|did|is|are|was|were|can|must|should|i|it|we|you|they)\b",
    re.IGNORECASE,
)
_IDENTIFIER = regex(r"_|[a-z][A-Z]|\w(?:::|\.)\w|\w/\w")
_ARTICLE = regex(r"\A(?:the (?:word|term|name|phrase|string)|the|a|an)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Mentioning:
    """A document that mentions it, and the leaves in which it does, best places first."""

    document: DocumentHead
    leaves: tuple[Node, ...]


def find_mentions(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "which files mention …"; None for any other question."""
    text = in_english(understanding.text)
    asked = _WO.match(understanding.text) or _WHICH.match(text) or _WHERE.match(text)
    if asked is None:
        return None
    subject = _ARTICLE.sub("", asked["subject"].strip()).strip(" \"'“”‘’`")
    is_quoted = asked["subject"].strip()[:1] in "\"'“‘`"
    if not is_quoted and _FOUND.match(text):
        return None
    if not terms(subject) or (not is_quoted and _TOO_MUCH.search(subject)):
        return None
    everything = _mentioning(snapshot, subject)
    noun = (asked.groupdict().get("noun") or "document").casefold()
    noun = noun if re.fullmatch(_ONE, noun) else "document"  # "files and tickets"
    return _told(snapshot, subject, noun, everything)


def mentions_instead(snapshot: Snapshot, keys: Sequence[str]) -> DirectAnswer | None:
    """For a question of which nothing was found but what it names ("THR-03"), which is no title of anything: who mentions it, in
    whatever language it is asked. None where nobody does."""
    for key in keys:
        if found := _mentioning(snapshot, key):
            number = "1 document mentions" if len(found) == 1 else f"{len(found)} documents mention"
            lead = f"Nothing that was read answers this, and nothing has the title {as_text(key)}. **{number}** it:\n"
            step = Step("register", "", "", f"“{key}”", reason=f"All passages were searched for “{key}”.")
            return DirectAnswer(step, (Line(lead), *_listed(snapshot, key, found)), "partial")
    return None


def occur(snapshot: Snapshot, keys: Sequence[str]) -> bool:
    """Whether one of these keys stands in some document."""
    return any(_mentioning(snapshot, key) for key in keys)


def _mentioning(snapshot: Snapshot, subject: str) -> list[_Mentioning]:
    """In the order of their paths."""
    held = dict(snapshot.index.mentioning(terms(subject), snapshot.scope))
    nodes = [node for node in snapshot.store.nodes.at(held, snapshot.version).values() if node.leaf == held[node.place]]
    if _IDENTIFIER.search(subject):  # the index takes sandboxPath and sandbox_path for the same
        nodes = _spelling(snapshot, subject, nodes)
    elif len(terms(subject)) > 1:  # and it has the words of a phrase wherever they stand
        nodes = list(_in_a_row(snapshot, subject, nodes))
    leaves: dict[tuple[str, str], list[Node]] = {}
    for node in sorted(nodes, key=lambda node: node.place):
        leaves.setdefault((node.source_id, node.document_id or ""), []).append(node)
    documents = snapshot.documents(nodes)
    return [_Mentioning(documents[key], tuple(some)) for key, some in leaves.items() if key in documents]


def _spelling(snapshot: Snapshot, subject: str, nodes: Sequence[Node]) -> list[Node]:
    """The nodes whose passage, or a heading above it, has the subject letter by letter; where none has, in other letters'
    case, or as a part of a longer name."""
    leaves = snapshot.store.leaves.by_key(node.leaf for node in nodes if node.leaf)
    whole = rf"(?<![A-Za-z0-9_]){re.escape(subject)}(?![A-Za-z0-9_])"
    for pattern in (re.compile(whole), re.compile(whole, re.IGNORECASE), re.compile(re.escape(subject), re.IGNORECASE)):
        found = [
            node
            for node in nodes
            if (leaf := leaves.get(node.leaf or "")) is not None
            and any(pattern.search(said) for said in (leaf.text, leaf.title, *leaf.heading))
        ]
        if found:
            return found
    return []


def _in_a_row(snapshot: Snapshot, subject: str, nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes whose passage, or a heading above it, has the words of the subject one after the other."""
    wanted = terms(subject)
    leaves = snapshot.store.leaves.by_key(node.leaf for node in nodes if node.leaf)
    for node in nodes:
        leaf = leaves.get(node.leaf or "")
        if leaf is not None and any(_has_row(terms(said), wanted) for said in (leaf.text, leaf.title, *leaf.heading)):
            yield node


def _has_row(said: Sequence[str], wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return any(list(said[at : at + size]) == list(wanted) for at, word in enumerate(said) if word == wanted[0])


def _told(snapshot: Snapshot, subject: str, noun: str, everything: Sequence[_Mentioning]) -> DirectAnswer:
    is_of_tickets = noun.startswith(("ticket", "issue"))
    is_of_files = noun.startswith(("file", "page", "pdf", "runbook", "folder"))
    found = [one for one in everything if not (is_of_files if one.document.kind == "ticket" else is_of_tickets)]
    if noun.startswith(("pdf", "runbook")):
        found = [one for one in found if noun.rstrip("s") in f"{one.document.id} {one.document.place}".casefold()]
    said, named = as_text(subject), "tickets" if is_of_tickets else "files" if is_of_files else "documents"
    reason = f"All passages were searched for “{subject}”, and those that have it counted by their documents."
    step = Step("register", "", "", f"“{subject}” in {len(found)} {named}", reason=reason)
    others = len(everything) - len(found)
    beside = f" ({others} other {'document does' if others == 1 else 'documents do'}.)" if others else ""
    if not found:
        return DirectAnswer(step, (Line(f"**None** of the {named} mentions “{said}”.{beside}"),))
    passages = sum(len(one.leaves) for one in found)
    number = f"{len(found)} {named if len(found) > 1 else named[:-1]}"
    verb = "mention" if len(found) > 1 else "mentions"
    lead = f"**{number}** {verb} “{said}”, in {passages} {'passages' if passages > 1 else 'passage'}.{beside}"
    return DirectAnswer(step, (Line(lead), *_by_folder(snapshot, found), Line("\n\n"), *_listed(snapshot, subject, found)))


def _by_folder(snapshot: Snapshot, found: Sequence[_Mentioning]) -> Iterator[Line]:
    counted = Counter(_folder(snapshot, one.document) for one in found)
    if len(counted) < 2:
        return
    yield Line("\n\n| in | documents |\n| --- | --- |")
    for folder, number in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FOLDERS]:
        yield Line(f"\n| {as_text(folder)} | {number} |")
    if len(counted) > MOST_FOLDERS:
        yield Line(
            f"\n| {len(counted) - MOST_FOLDERS} other folders | {sum(sorted(counted.values())[: len(counted) - MOST_FOLDERS])} |"
        )


def _folder(snapshot: Snapshot, document: DocumentHead) -> str:
    source = snapshot.sources[document.source_id].name
    if document.kind == "ticket":
        return source
    return " › ".join((source, *(step.title for step in document.path[: len(document.path) - document.heads])))


def _listed(snapshot: Snapshot, subject: str, found: Sequence[_Mentioning]) -> Iterator[Line]:
    shown = sorted(found, key=lambda one: (-len(one.leaves), one.document.place))[:SHOWN]
    leaves = snapshot.store.leaves.by_key(one.leaves[0].leaf for one in shown if one.leaves[0].leaf)
    wanted = set(terms(subject)[:1])
    for number, one in enumerate(shown, 1):
        node = one.leaves[0]
        leaf = leaves.get(node.leaf or "")
        if leaf is None:
            continue
        spans = [span for span in sentences(leaf.text) if wanted <= set(terms(leaf.text[span[0] : span[1]]))]
        start, end = spans[0] if spans else (0, len(leaf.text.split("\n", 1)[0]))
        quote = Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
        more = f" ({len(one.leaves)} passages)" if len(one.leaves) > 1 else ""
        yield Line(f"\n- {as_text(one.document.title)}{more} [{number}]", number, node, leaf, quote)
    if len(found) > SHOWN:
        yield Line(f"\n\n… and {len(found) - SHOWN} more.")
