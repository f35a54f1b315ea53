""" "What changed today?", "What changed since Monday in runbooks?": documents from the versions that are kept, tickets from their
history, as a dated list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Quote
from prompts.timespans import Span, find_span
from tree.ask.facts.branches import branches_named, find_branch, narrowed
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS
from tree.ask.facts.told_facts import readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.index import SearchScope
from tree.retrieve.item_index import StoredItem
from tree.retrieve.names import tokens
from tree.store.changes import DocumentChange, How, changed_leaves, changes_between
from tree.store.leaves import Leaf
from tree.store.places import is_below
from tree.store.rows import Node
from tree.store.versions import known_since

SHOWN = 25  # changes told one by one
USUAL_DAYS = 7  # looked back, where a question says no time
_ASKED = re.compile(
    r"^(?:so )?(?:(?:what|anything)(?:'s| is| has| have| was| were)? (?:all |else )?(?:been )?(?:changed|new|different|added|removed|deleted|updated|edited)\b"
    r"|(?:what|which) (?:documents?|files?|pages?|things|docs) (?:(?:are|were|was|have|has|had) )?(?:been )?(?:changed|new|added|removed|deleted|updated|edited|moved)\b"
    r"|(?:(?:list|show|show me|give me) )?(?:the |all |all the )?(?:recent |latest |last )?changes\b)"
)
_PUT = FILLERS | frozenset(
    """changed changes change new different added removed deleted updated edited moved recent recently latest last documents document files
    file pages page docs things else been anything since today yesterday so far lately tickets ticket""".split()
)
_HOW: dict[How, frozenset[str]] = {
    "added": frozenset(("added", "new")),
    "removed": frozenset(("removed", "deleted")),
    "moved": frozenset(("moved",)),
    "changed": frozenset(("edited", "updated")),
}
_ONLY_DOCUMENTS = frozenset("documents document files file pages page docs".split())


@dataclass(frozen=True, slots=True)
class ChangeQuestion:
    """For what changed in a span of days, below these places or anywhere; `how` where only such changes are wanted."""

    first: date
    last: date
    said: str
    places: tuple[str, ...] = ()
    branch: str = ""
    how: How | None = None
    with_tickets: bool = True


def answer_changes(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for what changed; None where a question asks for something else."""
    now = datetime.now(UTC) if snapshot.as_of is None else datetime.fromtimestamp(snapshot.as_of, UTC)
    question = read_change_question(understanding.text, snapshot, now.date())
    if question is None:
        return None
    places = narrowed(snapshot.scope.places, question.places)
    first = datetime.combine(question.first, time(), UTC).timestamp()
    last = datetime.combine(question.last, time.max, UTC).timestamp() if question.last < now.date() else now.timestamp()
    changes = [
        change
        for change in changes_between(snapshot.store, snapshot.scope.sources, first, last, snapshot.version)
        if (not places or any(is_below(change.place, top) for top in places)) and question.how in (None, change.how)
    ]
    scope = SearchScope(snapshot.scope.sources, places)
    history = _history(question, snapshot, scope) if question.with_tickets and question.how is None else []
    return _told(question, _Changes(snapshot, changes, history, first))


def read_change_question(text: str, snapshot: Snapshot, today: date) -> ChangeQuestion | None:
    low = " ".join(text.casefold().split())
    if not _ASKED.match(low):
        return None
    found = tokens(text)
    span = find_span(text, today)
    used = {at for at, token in enumerate(found) if span is not None and token.start < span.end and token.end > span.start}
    branch = find_branch(found, used, lambda names: branches_named(snapshot, names))
    if branch is not None:
        used |= set(range(branch.first, branch.last))
    left = {token.text.casefold() for at, token in enumerate(found) if at not in used}
    if left & NEGATIONS or any(word not in _PUT and terms(word) for word in left):
        return None
    first, last, said = _days(span, today)
    how = next((how for how, words in _HOW.items() if words & left and not {"changed", "changes"} & left), None)
    return ChangeQuestion(
        first,
        last,
        said,
        branch.places if branch else (),
        branch.words if branch else "",
        how,
        not left & _ONLY_DOCUMENTS,
    )


def _days(span: Span | None, today: date) -> tuple[date, date, str]:
    if span is None:
        return today - timedelta(days=USUAL_DAYS), today, f"in the last {USUAL_DAYS} days"
    if span.last >= today and span.first < today:
        return span.first, today, f"since {readable(span.first.isoformat())}"
    if span.first == span.last:
        return span.first, span.last, f"on {readable(span.first.isoformat())}"
    return span.first, span.last, f"from {readable(span.first.isoformat())} to {readable(span.last.isoformat())}"


def _history(question: ChangeQuestion, snapshot: Snapshot, scope: SearchScope) -> list[StoredItem]:
    """Lines of the history of tickets in these days, the last first."""
    items = snapshot.index.items(scope).find("event", first=question.first.isoformat(), last=question.last.isoformat())
    found = [one for one in items if one.item.is_history]
    return sorted(found, key=lambda one: (one.item.day, one.place, one.item.start), reverse=True)


# ---------------------------------------------------------------- telling


@dataclass(frozen=True, slots=True)
class _Changes:
    """What is told: changes of documents, lines of histories; from `first` on, in seconds since 1970."""

    snapshot: Snapshot
    documents: Sequence[DocumentChange]
    history: Sequence[StoredItem]
    first: float

    def first_read(self) -> dict[str, int]:
        """Sources that were added in this time, by id, with how many documents were read for the first time."""
        added = {id_ for id_, source in self.snapshot.sources.items() if source.created_at >= self.first}
        counts = dict.fromkeys(added, 0)
        for change in self.documents:
            if change.source_id in added and change.how == "added":
                counts[change.source_id] += 1
        return {id_: count for id_, count in counts.items() if count}


def _told(question: ChangeQuestion, found: _Changes) -> DirectAnswer:
    fresh = found.first_read()
    told = {one.place.partition("#")[0] for one in found.history}
    documents = [
        change
        for change in found.documents
        if not (change.how == "added" and change.source_id in fresh) and not (change.kind == "ticket" and change.place in told)
    ]
    number = len(documents) + len(found.history)
    branch = f" in {as_text(question.branch)}" if question.branch else ""
    step = Step("register", "", "", f"{number} changes", reason="The versions that are kept were held against each other.")
    what = {
        None: "change",
        "added": "new document",
        "removed": "removed document",
        "moved": "moved document",
        "changed": "change",
    }[question.how]
    lines = [Line(f"**{number or 'No'} {what}{'' if number == 1 else 's'}**{branch} {question.said}{':' if number else '.'}\n")]
    entries = sorted([*_document_lines(documents, found), *_history_lines(found)], key=lambda entry: entry[0], reverse=True)
    numbers: dict[str, int] = {}
    for _, text, node, leaf, quote in entries[:SHOWN]:
        if node is None or leaf is None:
            lines.append(Line(f"\n- {text}"))
            continue
        cited = numbers.setdefault(node.place, len(numbers) + 1)
        lines.append(Line(f"\n- {text} [{cited}]", cited, node, leaf, quote))
    if number > SHOWN:
        lines.append(Line(f"\n\n… and {number - SHOWN} more."))
    lines += [Line(f"\n\n{note}") for note in _notes(found, fresh)]
    return DirectAnswer(step, tuple(lines), "complete" if _is_known(found, fresh) else "partial")


def _is_known(found: _Changes, fresh: dict[str, int]) -> bool:
    """Whether all that changed in this time is known: versions are kept since then, or it is of tickets that have a history."""
    oldest = known_since(found.snapshot.store, found.snapshot.scope.sources)
    if fresh or (oldest is not None and oldest > found.first):
        return bool(found.history) and all(found.snapshot.sources[id_].kind == "jira" for id_ in fresh)
    return True


_Entry = tuple[str, str, Node | None, Leaf | None, Quote | None]  # when, text, what it cites


def _document_lines(changes: Sequence[DocumentChange], found: _Changes) -> Iterator[_Entry]:
    store, version = found.snapshot.store, found.snapshot.version
    some = changes[:SHOWN]
    keys = changed_leaves(store, some)
    for change in some:
        moment = datetime.fromtimestamp(change.at, UTC)
        when = f"**{readable(moment.date().isoformat())}, {moment:%H:%M} UTC**"
        title = as_text(change.title)
        if change.how == "removed":
            yield moment.isoformat(), f"{when}: {title} was removed", None, None, None
            continue
        nodes = [node for node in store.inside(change.source_id, change.document_id, version) if node.kind == "leaf"]
        new = [node for node in nodes if node.leaf in keys.get(change.place, ())] or nodes
        leaf = store.leaves([new[0].leaf or ""]).get(new[0].leaf or "") if new else None
        passages = ""
        if change.how == "changed" and len(nodes) > 1 and keys.get(change.place):
            names = list(dict.fromkeys(node.title for node in new))[:3]
            passages = f" ({as_text(', '.join(names))}{', …' if len(new) > len(names) else ''})"
        quote = Quote(text=" ".join(leaf.text.split()), start=0, end=len(leaf.text)) if leaf else None
        yield moment.isoformat(), f"{when}: {title} was {change.how}{passages}", new[0] if leaf else None, leaf, quote


def _history_lines(found: _Changes) -> Iterator[_Entry]:
    store, version = found.snapshot.store, found.snapshot.version
    wanted = {one.place: one.leaf for one in found.history[:SHOWN]}
    nodes = store.nodes(wanted, version)
    leaves = store.leaves({node.leaf for node in nodes.values() if node.leaf})
    for one in found.history[:SHOWN]:
        node = nodes.get(one.place)
        if node is None or node.leaf != wanted[one.place] or node.leaf not in leaves:
            continue
        leaf = leaves[node.leaf]
        line = leaf.text[one.item.start : one.item.end]
        quote = Quote(text=" ".join(line.split()), start=one.item.start, end=one.item.end)
        clock = line.removeprefix("- ")[:16].replace(" ", "T")
        yield clock, f"**{readable(one.item.day)}, {clock[11:]} UTC**: {as_text(one.item.said)}", node, leaf, quote


def _notes(found: _Changes, fresh: dict[str, int]) -> Iterator[str]:
    for id_, count in fresh.items():
        source = found.snapshot.sources[id_]
        day = readable(datetime.fromtimestamp(source.created_at, UTC).date().isoformat())
        documents = "1 document was" if count == 1 else f"{count} documents were"
        besides = " besides the history of its tickets" if source.kind == "jira" else ""
        yield f"{as_text(source.name)} was added on {day}: {documents} read for the first time, and nothing older is known{besides}."
    oldest = known_since(found.snapshot.store, found.snapshot.scope.sources)
    if not fresh and oldest is not None and oldest > found.first:
        day = readable(datetime.fromtimestamp(oldest, UTC).date().isoformat())
        yield f"What changed in documents before {day} is not known here."
