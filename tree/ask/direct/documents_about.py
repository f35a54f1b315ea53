"""Which documents are about something: by their titles, by their headings, and those whose text says most about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prompts.extractive import as_text
from prompts.records import Quote
from tree.ask.direct.named_documents import (
    MOST_NAMED,
    documents_called,
    heads_at,
    parts_of,
    path_told,
    title_told,
    told,
    words_of,
)
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.retrieve.index import Hit
from tree.retrieve.index_entries import as_name
from tree.store.documents import DocumentHead
from tree.store.places import document_around

SHOWN = 15  # by their titles
MOST_BELOW = 8  # by their headings, and by their text
MOST_FOUND = 80  # leaves of which the best have all the words
LONGEST_HEADING = 80  # characters: a longer one is the first row of a table
LONGEST_QUOTE = 300  # characters


def documents_about(snapshot: Snapshot, said: str, wanted: Sequence[str], endings: tuple[str, ...]) -> DirectAnswer | None:
    """None where nothing has all the words."""
    called = documents_called(snapshot, said, True, endings)
    titled = called.documents
    lines: list[Line] = []
    words, total = as_text(said), len(titled)
    if titled:
        number = f"More than {total - 1}" if called.are_more else str(total)
        by = "their titles or names" if total > 1 else "its title or name"
        lines.append(Line(f"**{number} document{'s' if total > 1 else ''}** about “{words}” by {by}:\n"))
        lines += told(snapshot, titled[:SHOWN])
        if total > SHOWN or called.are_more:
            lines.append(Line("\n\n… and others." if called.are_more else f"\n\n… and {total - SHOWN} more."))
    known = {one.place for one in titled}
    headed = _headed(snapshot, said, known, endings)
    known |= {document.place for document, _ in headed}
    if headed:
        lead = "Under a heading of" if titled or called.are_more else f"No document is called “{words}”. It is a heading in"
        lines.append(Line(f"{chr(10) * 2 if lines else ''}{lead}:\n"))
        lines += _told_of_headings(snapshot, headed, _last(lines))
    saying = _saying(snapshot, wanted, known, endings)
    if saying:
        unsaid = "" if lines or called.are_more else f"No document is called “{words}”. "
        lead = f"{unsaid}These say most about {'it' if lines or unsaid else f'“{words}”'}:"
        lines.append(Line(f"{chr(10) * 2 if lines else ''}{lead}\n"))
        lines += told(snapshot, saying, _last(lines))
    if not any(line.number for line in lines):
        return None
    step = Step("register", "", "", f"“{said}”", reason="Titles, headings and texts were searched for all of these words.")
    return DirectAnswer(
        step, tuple(lines), "complete" if titled and not called.are_more else "partial", is_list=True, is_of_standing=True
    )


def _last(lines: Sequence[Line]) -> int:
    return max((line.number for line in lines if line.number), default=0)


def _headed(
    snapshot: Snapshot, said: str, known: set[str], endings: tuple[str, ...]
) -> list[tuple[DocumentHead, tuple[str, str]]]:
    """Documents with (heading, place of the leaf) that has all the words, the shortest headings first."""
    found = snapshot.index.headed_with(parts_of(said), snapshot.scope, MOST_NAMED) or []
    wanted = set(words_of(said))
    fitting = sorted(
        (len(name), name, place) for name, place in found if len(name) <= LONGEST_HEADING and wanted <= set(words_of(name))
    )
    by_document: dict[str, tuple[str, str]] = {}
    for _, name, place in fitting:
        if document_around(place) not in known:
            by_document.setdefault(document_around(place), (name, place))
    heads = {one.place: one for one in heads_at(snapshot, list(by_document)[: 4 * MOST_BELOW], endings)}
    return [(heads[place], by_document[place]) for place in by_document if place in heads][:MOST_BELOW]


def _told_of_headings(snapshot: Snapshot, headed: Sequence[tuple[DocumentHead, tuple[str, str]]], before: int) -> Iterator[Line]:
    nodes = snapshot.store.nodes.at([place for _, (_, place) in headed], snapshot.version)
    leaves = snapshot.store.leaves.by_key({node.leaf for node in nodes.values() if node.leaf})
    number = before
    for document, (heading, place) in headed:
        node = nodes.get(place)
        leaf = leaves.get(node.leaf or "") if node is not None else None
        if node is None or leaf is None:
            continue
        number += 1
        written = next((part for part in node.title.split(" … ") if as_name(part) == heading), heading)
        at = max(leaf.text.find(written), 0)
        end = at + len(leaf.text[at:].split("\n", 1)[0][:LONGEST_QUOTE])
        quote = Quote(text=" ".join(leaf.text[at:end].split()), start=at, end=end)
        text = f"\n- **{title_told(document)}** › {as_text(written)}, {path_told(snapshot, document)} [{number}]"
        yield Line(text, number, node, leaf, quote)


def _saying(snapshot: Snapshot, wanted: Sequence[str], known: set[str], endings: tuple[str, ...]) -> list[DocumentHead]:
    """Documents of which a passage has all the words, the best by search first."""
    hits = snapshot.index.search(list(wanted), snapshot.scope, MOST_FOUND)
    places = dict.fromkeys(document_around(hit.place) for hit in hits if _has_all(hit, wanted))
    left = [place for place in places if place not in known]
    heads = {one.place: one for one in heads_at(snapshot, left, endings)}
    return [heads[place] for place in left if place in heads][:MOST_BELOW]


def _has_all(hit: Hit, wanted: Sequence[str]) -> bool:
    return all(f" {word} " in hit.body or f" {word} " in hit.heading for word in wanted)
