"""Documents by what they are called: by their titles, the names of their files and their headings; and how they are told in a list."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from prompts.extractive import as_text
from prompts.extractive.passages import beginning
from prompts.language import terms
from prompts.records import Quote
from tree.ask.facts.told_facts import readable
from tree.ask.snapshot.direct_answer import Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.index_entries import as_name
from tree.store.documents import DocumentHead
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

MOST_NAMED = 5_000  # names that have all the words
MOST_CALLED = 200  # documents of which the rows are read
LONGEST_TITLE = 120  # characters of a title that is told
_WORD = re.compile(r"[^\W_]+")

Begun = dict[str, tuple[Node, Leaf, Quote]]  # by the place of a document, its first leaf and the first line of that


@dataclass(frozen=True, slots=True)
class Called:
    """Documents that are called so; for sure where the words stand in a row in the title or the name of the file. Of very many some."""

    documents: tuple[DocumentHead, ...]
    is_sure: bool
    are_more: bool = False


def words_of(text: str) -> list[str]:
    """The terms of a name, also of those that a hyphen or a dot joins."""
    return [term for word in _WORD.findall(text) for term in terms(word)]


def parts_of(text: str) -> list[str]:
    """What each word of a text begins with in all of its forms: "polic" of "policies"."""
    found = []
    for word in _WORD.findall(text.casefold()):
        if own := terms(word):
            common = os.path.commonprefix([word, own[0]])
            found.append(
                common if common.isascii() else common[: next(at for at, char in enumerate(common) if not char.isascii())]
            )
    return list(dict.fromkeys(filter(None, found)))


def documents_called(snapshot: Snapshot, said: str, is_titled: bool, endings: tuple[str, ...] = ()) -> Called:
    """Those that are called just so; else, where the words can only be a title, those that have all of them in their title or name."""
    wanted = words_of(said)
    if not wanted:
        return Called((), False)
    found = snapshot.index.named_with(parts_of(said), snapshot.scope, MOST_NAMED)
    are_more = found is None
    if found is None:
        found = [one for one in snapshot.index.named([as_name(said)], snapshot.scope) if not one[1].endswith("/")]
    named = [(words, place) for name, place in found if set(wanted) <= set(words := words_of(name))]
    exact = {place for words, place in named if _is_called(words, wanted)}
    in_a_row = {place for words, place in named if _has_row(words, wanted)}
    anywhere = {place for _, place in named} if is_titled else set()
    for places, is_sure in ((exact, True), (in_a_row & anywhere, True), (anywhere, False)):
        if documents := heads_at(snapshot, sorted(places)[:MOST_CALLED], endings):
            return Called(tuple(documents), is_sure, len(places) > MOST_CALLED or (are_more and places is not exact))
    return Called((), False, are_more)


def _is_called(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether this is the whole name, but for the ending of a file."""
    return list(words) == list(wanted) or (
        len(words) == len(wanted) + 1 and list(words[:-1]) == list(wanted) and words[-1] in _ENDINGS
    )


_ENDINGS = frozenset("pdf docx doc xlsx xls pptx ppt odt od html htm md txt csv json yaml yml xml epub rtf rst eml adoc".split())


def _has_row(words: Sequence[str], wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return any(list(words[at : at + size]) == list(wanted) for at in range(len(words) - size + 1))


def heads_at(snapshot: Snapshot, places: Iterable[str], endings: tuple[str, ...] = ()) -> list[DocumentHead]:
    """The documents at these places of the scope that are no tickets and whose files end so, in the order of their places."""
    nodes = snapshot.store.nodes.at(places, snapshot.version).values()
    found = snapshot.documents(node for node in nodes if node.document_id is not None).values()
    return sorted(
        (
            one
            for one in found
            if one.kind != "ticket"
            and snapshot.scope.includes(one.place)
            and (not endings or one.id.casefold().endswith(endings))
        ),
        key=lambda one: one.place,
    )


# ---------------------------------------------------------------- telling


def title_told(document: DocumentHead) -> str:
    return as_text(beginning(document.title, LONGEST_TITLE))


def path_told(snapshot: Snapshot, document: DocumentHead) -> str:
    """The folders that it lies in and its file, with its source where there are several or it lies in no folder."""
    folders = [step.title for step in document.path[: len(document.path) - document.heads]]
    source = [snapshot.sources[document.source_id].name] if len(snapshot.sources) > 1 or not folders else []
    return as_text(" › ".join((*source, *folders, document.id.rpartition("/")[2])))


def changed_told(snapshot: Snapshot, document: DocumentHead) -> str:
    """The day on which its file was changed last, in the zone of whoever asks; empty where that is not known."""
    try:
        moment = datetime.fromisoformat(document.metadata.get("modified", ""))
    except ValueError:
        return ""
    return readable((moment.astimezone(snapshot.zone) if moment.tzinfo else moment).date().isoformat())


def begun(snapshot: Snapshot, documents: Iterable[DocumentHead]) -> Begun:
    """Where documents begin; without those that are gone."""
    tops = snapshot.store.nodes.at([one.place for one in documents], snapshot.version)
    first = {place: next(iter(snapshot.store.nodes.first_leaves(top, snapshot.version, 1)), None) for place, top in tops.items()}
    leaves = snapshot.store.leaves.by_key({node.leaf for node in first.values() if node is not None and node.leaf})
    found: Begun = {}
    for place, node in first.items():
        if node is not None and (leaf := leaves.get(node.leaf or "")) is not None:
            start = len(leaf.text) - len(leaf.text.lstrip())
            end = start + len(leaf.text[start:].split("\n", 1)[0])
            found[place] = node, leaf, Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
    return found


def told(snapshot: Snapshot, documents: Sequence[DocumentHead], before: int = 0, said: Sequence[str] = ()) -> Iterator[Line]:
    """A line of a list for each, cited from where it begins; `before` citations stand above, `said` is what else is told of each."""
    cited, number = begun(snapshot, documents), before
    for at, document in enumerate(documents):
        text = f"\n- **{title_told(document)}**, {path_told(snapshot, document)}{f' ({said[at]})' if said and said[at] else ''}"
        if document.place in cited:
            number += 1
            yield Line(f"{text} [{number}]", number, *cited[document.place])
        else:
            yield Line(text)


def documents_around(places: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(map(document_around, places)))
