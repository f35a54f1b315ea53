"""Which parts of a document a change was about: the passages that are new, or the headings over the lines that are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prompts.extractive.facts import spans
from prompts.extractive.passages import passages
from prompts.regex import regex
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.record_item import RecordItem
from tree.store.changes import DocumentChange, leaves_before_and_after
from tree.store.leaves import Leaf
from tree.store.nodes import Node

_HEADING = regex(r"#{1,6} (.+)")
_COMMENT = regex(r"(?P<author>.{1,80}), \d{4}-\d\d-\d\d \d\d:\d\d(?: UTC)?")  # the heading of one
_OF_TICKETS = frozenset(("History", "Links"))  # headings over lines that no person has written
_TOLD_KINDS = frozenset(("text", "item", "row"))  # of passages whose words are told
LONGEST_TOLD = 240  # characters of what is new in a document
MOST_READ = 60  # changes of which the texts before and after are held against each other


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A change with what can be shown of it: `span` are the new lines in the leaf's text, `parts` the names of what changed."""

    change: DocumentChange
    node: Node | None = None
    leaf: Leaf | None = None
    span: tuple[int, int] = (0, 0)
    parts: tuple[str, ...] = ()
    is_of_facts: bool = False  # nothing changed but named facts, links and lines of a history
    came: str = ""  # the first new sentences, with "…" where there are more; never what was there before


def find_changed_parts(snapshot: Snapshot, changes: Sequence[DocumentChange]) -> Iterator[ChangedDocument]:
    store, version = snapshot.store, snapshot.version
    outlines = leaves_before_and_after(snapshot.workspace.database, changes[:MOST_READ])
    texts = store.leaves.by_key({key for pair in outlines.values() for keys in pair for key in keys})
    for change in changes:
        before, after = outlines.get(change.place, ((), ()))
        nodes = {}
        if change.how != "removed":
            nodes = {
                node.leaf: node
                for node in store.nodes.of_document(change.source_id, change.document_id, version)
                if node.kind == "leaf" and node.leaf
            }
        yield _changed(change, before, after, nodes, texts)


def beside_history(
    snapshot: Snapshot, changes: Sequence[DocumentChange], told: Iterable[str], commented: Iterable[tuple[str, RecordItem]] = ()
) -> Iterator[ChangedDocument]:
    """The changes of documents without tickets of which nothing changed but what their history says, or the comments that are told
    beside them. `told` are the places of the tickets whose history tells of these days, `commented` places with a comment."""
    known: dict[str, set[str]] = {place.partition("#")[0]: set() for place in told}
    for place, item in commented:
        known.setdefault(place.partition("#")[0], set()).update(f"comment by {name}" for name in item.people)
    for changed in find_changed_parts(snapshot, changes):
        place = changed.change.place
        is_told = changed.is_of_facts or (changed.parts and known.get(place, set()).issuperset(changed.parts))
        if not (is_told and changed.change.kind == "ticket" and place in known):
            yield changed


def _changed(
    change: DocumentChange, before: Sequence[str], after: Sequence[str], nodes: Mapping[str, Node], texts: Mapping[str, Leaf]
) -> ChangedDocument:
    new = [key for key in after if key not in before and key in nodes]
    keys = new or list(nodes)
    leaf = texts.get(keys[0]) if keys else None
    if leaf is None:
        return ChangedDocument(change)
    node = nodes[keys[0]]
    if change.how != "changed":
        return ChangedDocument(change, node, leaf, (0, len(leaf.text)))
    olds = [texts[key] for key in before if key in texts]
    said = _new_sentences(olds, [texts[key] for key in new if key in texts]) if olds and change.kind != "ticket" else ""
    if len(nodes) > 1:
        named = tuple(nodes[key].title for key in keys) if before else ()
        return ChangedDocument(change, node, leaf, (0, len(leaf.text)), named, came=said)
    if not olds:
        return ChangedDocument(change, node, leaf, (0, len(leaf.text)))
    own = _OF_TICKETS if change.kind == "ticket" else frozenset()
    came = list(_lines(leaf.text, {line for old in olds for _, line in _all_lines(old.text)}, own))
    gone = [one for old in olds for one in _lines(old.text, {line for _, line in _all_lines(leaf.text)}, own)]
    names = (_name(heading) for _, _, heading in (*came, *gone) if heading not in ("", change.title))
    headings = tuple(dict.fromkeys(names))
    span = (came[0][0], _end_of_block(came)) if came else (0, len(leaf.text))
    return ChangedDocument(change, node, leaf, span, headings, not came and not gone, said)


def _new_sentences(before: Sequence[Leaf], after: Sequence[Leaf]) -> str:
    """The first sentences that stand in none of the texts before, as far as they are short enough to be told in a line."""
    old = {passage.text for leaf in before for passage in passages(leaf.as_read())}
    new = [one.text for leaf in after for one in passages(leaf.as_read()) if one.kind in _TOLD_KINDS and one.text not in old]
    told: list[str] = []
    for sentence in new:
        if sum(map(len, told)) + len(sentence) > LONGEST_TOLD:
            break
        told.append(" ".join(sentence.split()))
    return " ".join(told) + (" …" if told and len(told) < len(new) else "")


def _all_lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line.strip()
        at += len(line) + 1


def _name(heading: str) -> str:
    """What stands below a heading, in words."""
    match = _COMMENT.fullmatch(heading)
    return f"comment by {match['author']}" if match else heading


def _lines(text: str, known: Iterable[str], left_out: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Start, end and heading of the lines of prose that are not known, without those below some headings."""
    named, heading = spans(text), ""
    for at, line in _all_lines(text):
        if match := _HEADING.match(line):
            heading = match[1]
        if (
            line
            and line not in known
            and not match
            and heading not in left_out
            and not any(first <= at < last for first, last in named)
        ):
            yield at, at + len(line), heading


def _end_of_block(lines: Sequence[tuple[int, int, str]]) -> int:
    """The end of the lines below the same heading as the first."""
    return max(end for _, end, heading in lines if heading == lines[0][2])
