"""Questions about a whole folder, document or source, answered from that branch's own record, its children as sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.language import terms
from prompts.question import QuestionAnalysis
from prompts.records import Quote, SummaryRecord
from prompts.regex import regex
from prompts.ticket_keys import TICKET_KEY
from prompts.timespans import find_span
from tree.ask.direct.folder_answer import folder_node
from tree.ask.direct.own_summary import own_summary
from tree.ask.direct.thing_answer import ABOUT
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, beside, renumbered
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import without_runs
from tree.ask.snapshot.trail import LONGEST_SUMMARY, ShownOption, Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.index_entries import as_name
from tree.store.nodes import Node
from tree.store.places import depth_of
from tree.store.store import Store

EVERYTHING = frozenset(
    [
        "here",
        "this",
        "it",
        "everything",
        "all",
        "workspace",
        "this workspace",
        "the workspace",
        "these documents",
        "the documents",
        "documents",
        "folder",
        "source",
        "sources",
        "this folder",
        "this source",
        "this branch",
        "the tree",
        "tree",
        "knowledge tree",
    ]
)
_ABOUT_ALL = "The question is about all of “{title}”, and its record knows what is below it."
_AND = regex(r",? and |, ?| & | sowie | und ")
_FOLDERS = regex(r"\b(?:the|both|folders?|directories|directory|branches)\b", re.IGNORECASE)
_FOLDER = regex(r"\b(?:folder|directory) (?:called |named )?[\"'`]?(\w+)", re.IGNORECASE)
_ITS_FOLDER = regex(r"\b(\w{1,60})[\"'`]? (?:folder|directory)\b", re.IGNORECASE)
_MEETINGS = frozenset(terms("meeting meetings minutes protokoll sitzung besprechung"))
_MEETING_WORD = r"\b(?:meetings?|weekly|daily|retro\w*|stand-?up|sitzung|besprechung|sync|jour fixe|board|council|guild|committee|round|steering)\b"
_DISCUSSED = regex(
    r"\A\W*(?:(?:and|so) )?(?:what (?:was|were|got|has been|did (?:we|they|you)) (?:discussed?|talked? about|said|covered?|on the agenda)"
    r"|what (?:happened|came up|came out|was new))(?: (?:at|in|on|of|from|during))?"
    rf" (?:the |our )?(?P<meeting>[^?\n]{{0,80}}{_MEETING_WORD}[^?\n]{{0,40}}?)\W*\Z"
    r"|\A\W*(?:the )?minutes (?:of|from) (?:the |our )?(?P<minutes>[^?\n]{3,100}?)\W*\Z",
    re.IGNORECASE,
)
_KEYED = regex(rf"{TICKET_KEY}(?![\w-])")
_LAST = regex(r"\b(?:last|latest|newest|most recent)\b", re.IGNORECASE)
MOST_TOGETHER = 4  # branches that are told side by side
MOST_CANDIDATES = 200  # documents whose names have the longest word of a subject
CHILDREN_DESCRIBED = 24  # a run is described by its own children
MOST_OF_ONE = (
    2  # words of a title, for one of them to name it: "the contracts" are not the ticket "Extend the contract with Hook"
)
FEW = 10  # children of which two quotes each are shown


def describe_subject(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for a question about a whole branch; None when it is not about one, or not about one there is."""
    meeting = _DISCUSSED.match(understanding.text)
    if meeting is not None:
        node = _described(snapshot, meeting["meeting"] or f"minutes {meeting['minutes']}")
        return _describe(snapshot, node) if node is not None else None
    if (key := _key_alone(understanding)) and (node := _subject(snapshot, key)) is not None:
        return _describe(snapshot, node)
    if understanding.analysis.kind != "overview" and not _asks_for_file(understanding):
        return None
    if several := _subjects(snapshot, understanding.analysis):
        return _describe_each(snapshot, several)
    if (
        as_name(understanding.analysis.subject) in EVERYTHING
        and 2 <= len(snapshot.tops) <= MOST_TOGETHER
        and not understanding.chat.points
    ):
        return _describe_each(snapshot, snapshot.tops)
    node = _called_like_a_pronoun(snapshot, understanding) or _subject(snapshot, understanding.analysis)
    return _describe(snapshot, node) if node is not None else None


def _key_alone(understanding: Understanding) -> QuestionAnalysis | None:
    """What is asked for by no more than the key of a ticket that is kept as a file: "PL-451", "tell me about PL-451"."""
    keys, asked = understanding.analysis.keys, ABOUT.match(understanding.text)
    said = asked["subject"] if asked is not None else understanding.text.strip(" \t?.!")
    is_alone = len(keys) == 1 and said.casefold().removeprefix("the ").removeprefix("ticket ") == keys[0].casefold()
    return replace(understanding.analysis, subject=keys[0]) if is_alone else None


def _describe(snapshot: Snapshot, node: Node) -> DirectAnswer | None:
    return describe_branch(snapshot.store, node, snapshot.version, _ABOUT_ALL.format(title=node.title))


def _called_like_a_pronoun(snapshot: Snapshot, understanding: Understanding) -> Node | None:
    """The folder "it", where one is called so and the question says that it means a folder."""
    named = _FOLDER.search(understanding.text) or _ITS_FOLDER.search(understanding.text)
    if named is None or as_name(understanding.analysis.subject) not in EVERYTHING:
        return None
    return folder_node(snapshot, named[1])


def _subjects(snapshot: Snapshot, analysis: QuestionAnalysis) -> list[Node]:
    """The branches that an overview of several names: "runbooks and incidents"; none where one of them is not there."""
    bare = _FOLDERS.sub(" ", analysis.subject).strip()
    parts = [part.strip() for part in _AND.split(bare) if part.strip()]
    if not 2 <= len(parts) <= MOST_TOGETHER:
        return []
    found = [_subject(snapshot, replace(analysis, subject=part, files=(), keys=(), phrases=())) for part in parts]
    nodes = [node for node in found if node is not None]
    return nodes if len({node.place for node in nodes}) == len(parts) else []


def _describe_each(snapshot: Snapshot, nodes: Sequence[Node]) -> DirectAnswer | None:
    told = [_describe(snapshot, node) for node in nodes]
    if any(one is None for one in told):
        return None
    lines: list[Line] = []
    for one in filter(None, told):
        lines += beside(one.lines, lines)
    first = next(filter(None, told))
    return DirectAnswer(
        first.step, tuple(lines), "complete" if all(one and one.verdict == "complete" for one in told) else "partial"
    )


def _asks_for_file(understanding: Understanding) -> bool:
    """Whether a file is named, and nothing is asked of it but what it is: "What does the file refunds.md do?"."""
    text, files = understanding.text, [file for file in understanding.analysis.files if " " not in file]
    for file in files:
        text = text.replace(file, " ")
    return bool(files) and set(terms(text)) <= _ABOUT_FILE


_ABOUT_FILE = frozenset(terms("file document do say contain about describe explain tell cover purpose content page"))


def describe_branch(store: Store, node: Node, version: int, reason: str) -> DirectAnswer | None:
    """What a branch's record says, with its children as sources; None where none of it can be cited."""
    children = without_runs(
        store.nodes.children(node.place, version), lambda child: store.nodes.children(child.place, version), CHILDREN_DESCRIBED
    )
    records = store.records.by_hash([node.record, *(child.record for child in children)])
    record = records.get(node.record, SummaryRecord())
    lines = tuple(_lines(store, node, record, children, records, version))
    shown = tuple(
        ShownOption(
            child.place, child.title, child.kind, records[child.record].summary[:LONGEST_SUMMARY], 0.0, "",
            records[child.record].content_types[:3],
        )
        for child in children
    )  # fmt: skip
    path = tuple(above.title for above in store.nodes.path(node.place, version) if above.kind != "run")
    step = Step("overview", node.place, node.hash, node.title, path, shown, (), reason, "complete", node.kind)
    return DirectAnswer(step, lines) if any(line.number for line in lines) else None


def _subject(snapshot: Snapshot, analysis: QuestionAnalysis) -> Node | None:
    """The branch that an overview is asked of."""
    subject, tops, store = as_name(analysis.subject).rstrip("/"), snapshot.tops, snapshot.store
    if (subject in EVERYTHING or (not subject and not analysis.files)) and len(tops) == 1:
        return tops[0]
    for top in tops:
        if as_name(top.title) == subject or (
            subject and len(tops) == 1 and set(subject.split()) <= set(re.findall(r"\w+", top.title.casefold()))
        ):
            return top
    found = folder_node(snapshot, analysis.subject) if "/" in subject else None
    names = [subject, *(as_name(name) for name in (*analysis.files, *analysis.keys, *analysis.phrases))]
    nodes = store.nodes.at((place for _, place in snapshot.index.named(names, snapshot.scope)), snapshot.version)
    found = found or min(nodes.values(), key=lambda node: (node.kind == "leaf", depth_of(node.place), node.place), default=None)
    found = found or folder_node(snapshot, analysis.subject) or _described(snapshot, analysis.subject)
    while found is not None and found.kind == "pass":
        found = store.nodes.get(found.target or "", snapshot.version)
    return found


def _described(snapshot: Snapshot, subject: str) -> Node | None:
    """The one document whose title and path have every word of the subject, and a date in the time it names; of "the last meeting"
    the one with the latest date until today."""
    is_last = _LAST.search(subject) is not None
    span = None if is_last else find_span(subject, today(snapshot))
    bare = _LAST.sub(" ", subject) if span is None else f"{subject[: span.start]} {subject[span.end :]}"
    wanted = set(terms(bare))
    words = [word for word in re.findall(r"\w+", bare) if not _MEETINGS.issuperset(terms(word))]
    longest = max(words, key=len, default="")
    is_meeting = not wanted.isdisjoint(_MEETINGS)
    beginnings = [longest[: max(4, len(longest) - 2)]] if len(longest) >= 4 else []
    if not beginnings and is_meeting:
        beginnings = ["minut", "meeti", "protok"]
    places = {place for one in beginnings for place in snapshot.index.containing(one, snapshot.scope, MOST_CANDIDATES)}
    nodes = snapshot.store.nodes.at(places, snapshot.version)
    if is_meeting and (is_last or span is not None):  # in a folder "minutes", that of the day
        nodes = {one.place: one for node in nodes.values() for one in _documents_of(snapshot, node)}
    fitting = [
        node
        for node in nodes.values()
        if wanted <= _called(node)
        and not (_KEYED.match(node.title) and 2 * len(wanted) <= len(set(terms(node.title))))  # a ticket on a part of it
        and (len(wanted) > 1 or is_last or span is not None or len(set(terms(node.title))) <= MOST_OF_ONE)
        and (span is None or any(span.has(str(day)) for day in days(f"{node.title} {node.place}") if day.day))
    ]
    if is_last:
        below = (one for node in fitting for one in _documents_of(snapshot, node))
        dated = {node.place: (day, node) for node in below if (day := _day_of(node, snapshot))}
        latest = max((day for day, _ in dated.values()), default="")
        fitting = [node for day, node in dated.values() if day == latest]
    return fitting[0] if len(fitting) == 1 else None


def _called(node: Node) -> set[str]:
    """The terms of a node's title and place; minutes are of a meeting, whatever they are called."""
    called = set(terms(f"{node.title} {node.place.replace('/', ' ')}"))
    return called if called.isdisjoint(_MEETINGS) else called | _MEETINGS


def _documents_of(snapshot: Snapshot, node: Node) -> Iterator[Node]:
    """The documents of a branch, at most so many; itself where it is one."""
    left = [node]
    for _ in range(MOST_CANDIDATES):
        if not left:
            return
        one = left.pop()
        if one.kind in ("folder", "run"):
            left += snapshot.store.nodes.children(one.place, snapshot.version)
        elif one.kind in ("document", "leaf"):
            yield one


def _day_of(node: Node, snapshot: Snapshot) -> str:
    """The latest day until today that the name or the path of a document has; empty where it has none."""
    named = (str(day) for day in days(f"{node.title} {node.place}") if day.day)
    return max((day for day in named if day <= str(today(snapshot))), default="")


def _lines(
    store: Store, node: Node, record: SummaryRecord, children: Sequence[Node], records: dict[str, SummaryRecord], version: int
) -> Iterator[Line]:
    number = 0
    if not children:
        yield Line(f"**{as_text(node.title)}**\n\n")
        quotes = (*record.quotes, *record.decisions, *record.critical_actions, *record.events)
        for quote in {one.text: one for one in quotes}.values():
            if (line := _line(store, node, quote, 1, "- ", version)) is not None:
                yield line
        return
    if node.kind == "document" and (own := own_summary(store, children, version)):
        number = 1
        yield from own
    kinds = {"root": "source", "folder": "folder", "document": "document"}
    parts = f"{len(children)} parts" if len(children) > 1 else "one part"
    yield Line(f"**{as_text(node.title)}** is a {kinds.get(node.kind, 'branch')} of {parts} with {node.leaves} passages.\n\n")
    for child in children:
        below = records.get(child.record, SummaryRecord())
        lead = f"- **{as_text(child.title)}**: "
        is_cited = False
        for quote in below.quotes[: 2 if len(children) <= FEW else 1]:
            line = _line(store, child, quote, number + 1, lead if not is_cited else "", version, end=" ")
            if line is not None:
                number, is_cited = number + 1, True
                yield line
        yield Line("\n" if is_cited else f"- **{as_text(child.title)}**\n")
    for heading, quotes in (("Decisions", record.decisions), ("Noteworthy", record.events), ("To do", record.critical_actions)):
        found = [line for quote in quotes[:4] if (line := _line(store, node, quote, number + 1, "- ", version)) is not None]
        if found:
            yield Line(f"\n**{heading}**\n\n")
            for line in found:
                number += 1
                yield Line(renumbered(line.text, line.number, number), number, line.node, line.leaf, line.quote)


def _line(store: Store, node: Node, quote: Quote, number: int, lead: str, version: int, end: str = "\n") -> Line | None:
    traced = traced_to_leaf(
        node,
        quote,
        lambda one: store.nodes.children(one.place, version),
        lambda one: store.records.get(one.record),
    )
    if traced is None:
        return None
    leaf_node, found = traced
    leaf = store.leaves.get(leaf_node.leaf or "")
    return Line(f"{lead}{as_text(quote.text)} [{number}]{end}", number, leaf_node, leaf, found) if leaf else None


def traced_to_leaf(
    node: Node,
    quote: Quote,
    children_of: Callable[[Node], Sequence[Node]],
    record_of: Callable[[Node], SummaryRecord | None],
) -> tuple[Node, Quote] | None:
    """The leaf, and the span in it, from which a branch's quote was taken."""
    while node.kind != "leaf":
        children = children_of(node)
        if quote.child is None or quote.child >= len(children):
            return None
        node = children[quote.child]
        record = record_of(node)
        match = _same(record, quote.text) if record else None
        if match is None:
            return None
        quote = match
    return node, quote


def _same(record: SummaryRecord, text: str) -> Quote | None:
    quotes = [*record.quotes, *record.critical_actions, *record.decisions, *record.events]
    return next((q for q in quotes if q.text == text), None) or next(
        (q for q in quotes if text in q.text or q.text in text), None
    )
