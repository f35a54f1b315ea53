""" "What changed today?", "What changed since Monday in runbooks?": documents from the versions that are kept, tickets from their
history, as a dated list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from prompts.extractive import as_text
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.facts.branches import narrowed
from tree.ask.facts.changed_parts import ChangedDocument, beside_history
from tree.ask.facts.told_facts import FactCitations, line, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, now
from tree.ask.snapshot.trail import Step
from tree.ask.snapshot.zones import beginning, end, moment_told
from tree.ask.understanding.change_question import ChangeQuestion, read_change_question
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import TICKET, StoredFact, folded
from tree.retrieve.index import SearchScope
from tree.retrieve.item_index import StoredItem
from tree.store.changes import DocumentChange, FirstRead, published_changes
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

SHOWN = 25  # changes told one by one
MOST_PARTS = 3  # of a document that are named
_LINK = regex(  # the whole of a line: "GWY-1 Gate: This issue blocks GWY-2, by Ada Wren"
    r"(?P<own>[A-Z][A-Z0-9_]{1,20}-\d{1,9})\b[^\n]{0,300}?: This issue [a-z ]{3,40} (?P<other>[A-Z][A-Z0-9_]{1,20}-\d{1,9})(?:, by [^,;>\n]{2,80})?$"
)


def answer_changes(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for what changed; None where a question asks for something else."""
    moment = now(snapshot)
    question = read_change_question(understanding.text, snapshot, moment.date())
    if question is None:
        return None
    first = beginning(question.first, snapshot.zone)
    last = end(question.last, snapshot.zone) if question.last < moment.date() else moment.timestamp()
    scope = SearchScope(snapshot.scope.sources, narrowed(snapshot.scope.places, question.places))
    published = published_changes(snapshot.workspace.database, snapshot.sources, first, last, snapshot.version)
    changes = [one for one in published.documents if scope.includes(one.place) and question.how in (None, one.how)]
    history = _history(question, snapshot, scope) if question.with_tickets and question.how is None else []
    comments = [(one.place, one.item) for one in history if one.item.sort == "comment"]
    fresh = {
        id_: replace(read, documents=inside)
        for id_, read in published.first_read.items()
        if (inside := [one for one in read.documents if scope.includes(one.place)])
    }
    found = _Changes(
        snapshot,
        tuple(beside_history(snapshot, changes, [one.place for one in history if one.item.sort == "event"], comments)),
        history,
        fresh,
        first,
        _created(question, snapshot, scope, changes) if question.with_tickets and question.how is None else (),
    )
    if question.branch and not question.names_time and not (found.documents or found.history or found.created):
        return None  # what a text says of "what changed in 3.4.1" may be meant
    return _told(question, found)


def _history(question: ChangeQuestion, snapshot: Snapshot, scope: SearchScope) -> list[StoredItem]:
    """Lines of the history of tickets and comments on them in these days, the last first; a link, which both of its tickets tell, once."""
    beside = timedelta(days=0 if snapshot.zone in (UTC, ZoneInfo("UTC")) else 1)  # items are dated in UTC
    first, last = (question.first - beside).isoformat(), (question.last + beside).isoformat()
    items = snapshot.index.items(scope)
    found = [one for one in items.find("event", first=first, last=last) if one.item.is_history]
    found += items.find("comment", first=first, last=last)
    if beside:
        told = _moments(
            snapshot, [one for one in found if not question.first.isoformat() < one.item.day < question.last.isoformat()]
        )
        found = [one for one in found if (day := told.get(_key(one), question.first)) and question.first <= day <= question.last]
    return list(_links_once(sorted(found, key=lambda one: (one.item.day, one.place, one.item.start), reverse=True)))


def _created(
    question: ChangeQuestion, snapshot: Snapshot, scope: SearchScope, changes: Sequence[DocumentChange]
) -> Sequence[StoredFact]:
    """When tickets were created in these days, without those that are told as new documents."""
    facts, told = snapshot.index.facts(snapshot.scope), {document_around(one.place) for one in changes}
    first, after = folded(question.first.isoformat()), folded(question.last.isoformat()) + "~"
    keys = facts.holding(TICKET, ["created"], " AND f.match >= ? AND f.match < ?", [first, after])
    found = facts.current(keys, TICKET, ["created"])
    return [one for one in found if scope.includes(one.place) and document_around(one.place) not in told]


def _links_once(found: Sequence[StoredItem]) -> Iterator[StoredItem]:
    told: set[tuple[str, str, str, tuple[str, ...]]] = set()
    for one in found:
        if match := _LINK.match(one.item.said):
            if (match["other"], match["own"], one.item.day, one.item.people) in told:
                continue
            told.add((match["own"], match["other"], one.item.day, one.item.people))
        yield one


def _key(one: StoredItem) -> tuple[str, int]:
    return one.place, one.item.start


def _moments(snapshot: Snapshot, items: Sequence[StoredItem]) -> dict[tuple[str, int], date | None]:
    """The day of each of these lines in the zone of whoever asks."""
    leaves = snapshot.store.leaves.by_key({one.leaf for one in items})
    told = {_key(one): moment_told(leaves[one.leaf].text[one.item.start :], snapshot.zone) for one in items if one.leaf in leaves}
    return {key: moment.date() if moment is not None else None for key, moment in told.items()}


# ---------------------------------------------------------------- telling


@dataclass(frozen=True, slots=True)
class _Changes:
    """What is told: changes of documents, lines of histories; from `first` on, in seconds since 1970."""

    snapshot: Snapshot
    documents: Sequence[ChangedDocument]
    history: Sequence[StoredItem]
    fresh: Mapping[str, FirstRead]  # sources that were added in this time, by id
    first: float
    created: Sequence[StoredFact] = ()  # of tickets


def _told(question: ChangeQuestion, found: _Changes) -> DirectAnswer:
    number = len(found.documents) + len(found.history) + len(found.created)
    branch = f" in {as_text(question.branch)}" if question.branch else ""
    step = Step(
        "register",
        "",
        "",
        f"{number} change{'' if number == 1 else 's'}",
        reason="The versions that are kept were held against each other.",
    )
    what = {
        None: "change",
        "added": "new document",
        "removed": "removed document",
        "moved": "moved document",
        "changed": "change",
    }[question.how]
    ending = ":\n" if number else "."
    lines = [
        Line(f"**{number or 'No'} {what}{'' if number == 1 else 's'}**{branch} {question.said}{_bound(question, found)}{ending}")
    ]
    entries = sorted(
        [*_document_lines(found), *_history_lines(found), *_created_lines(found)], key=lambda entry: entry[0], reverse=True
    )
    numbers: dict[str, int] = {}
    for _, text, node, leaf, quote in entries[:SHOWN]:
        if node is None or leaf is None:
            lines.append(Line(f"\n- {text}"))
            continue
        cited = numbers.setdefault(node.place, len(numbers) + 1)
        lines.append(Line(f"\n- {text} [{cited}]", cited, node, leaf, quote))
    if number > SHOWN:
        lines.append(Line(f"\n\n… and {number - SHOWN} more."))
    lines += [Line(f"\n\n{note}") for note in _notes(found)]
    return DirectAnswer(step, tuple(lines), "complete" if _is_known(question, found, number) else "partial")


def _bound(question: ChangeQuestion, found: _Changes) -> str:
    """From when on changes are known, where that is a moment of the first day."""
    moments = {f"{datetime.fromtimestamp(read.moment, found.snapshot.zone):%H:%M %Z}" for read in found.fresh.values()}
    if not moments or not _begins_on_first_day(question, found):
        return ""
    return ", since the sources were read first" + (f" ({moments.pop()})" if len(moments) == 1 else "")


def _begins_on_first_day(question: ChangeQuestion, found: _Changes) -> bool:
    """Whether the sources that are new had been read, as far as that is known, by the end of the first day asked for."""
    sources = found.snapshot.sources
    zone = found.snapshot.zone
    moments = [
        datetime.fromtimestamp(read.moment, zone).date() for id_, read in found.fresh.items() if sources[id_].first_read_at
    ]
    return len(moments) == len(found.fresh) and all(moment <= question.first for moment in moments)


def _is_known(question: ChangeQuestion, found: _Changes, number: int) -> bool:
    """Whether all that changed in this time is told: versions are kept since then, or since the sources were added on the first
    day; or it is of tickets that have a history. That nothing changed since a moment ago is no answer."""
    oldest = found.snapshot.store.versions.known_since(found.snapshot.scope.sources)
    if found.fresh and number and _begins_on_first_day(question, found):
        return True
    if found.fresh or (oldest is not None and oldest > found.first):
        return bool(found.history) and all(found.snapshot.sources[id_].kind == "jira" for id_ in found.fresh)
    return True


_Entry = tuple[str, str, Node | None, Leaf | None, Quote | None]  # when, text, what it cites


def _document_lines(found: _Changes) -> Iterator[_Entry]:
    for changed in found.documents[:SHOWN]:
        change, leaf = changed.change, changed.leaf
        moment = datetime.fromtimestamp(change.at, found.snapshot.zone)
        said = f"**{_clock(moment)}**: {as_text(change.title)} was {change.became}"
        names = list(dict.fromkeys(changed.parts))
        parts = f" ({as_text(', '.join(names[:MOST_PARTS]))}{', …' if len(names) > MOST_PARTS else ''})" if names else ""
        quote = None
        if leaf is not None:
            start, end = changed.span
            quote = Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
        came = f": “{as_text(changed.came)}”" if changed.came else ""
        yield moment.isoformat(), f"{said}{parts}{came}", changed.node, leaf, quote


def _history_lines(found: _Changes) -> Iterator[_Entry]:
    store, version = found.snapshot.store, found.snapshot.version
    wanted = {one.place: one.leaf for one in found.history[:SHOWN]}
    nodes = store.nodes.at(wanted, version)
    leaves = store.leaves.by_key({node.leaf for node in nodes.values() if node.leaf})
    for one in found.history[:SHOWN]:
        node = nodes.get(one.place)
        if node is None or node.leaf != wanted[one.place] or node.leaf not in leaves:
            continue
        leaf = leaves[node.leaf]
        said = leaf.text[one.item.start : one.item.end]
        heading = said.find("\n") if one.item.sort == "comment" else -1  # who wrote it, and when: the quote is what is below
        start = one.item.end - len(said[heading + 1 :].lstrip())
        quote = Quote(text=" ".join(leaf.text[start : one.item.end].split()), start=start, end=one.item.end)
        moment = moment_told(said, found.snapshot.zone)
        clock, when = ("", readable(one.item.day)) if moment is None else (moment.isoformat(), _clock(moment))
        yield clock, f"**{when}**: {as_text(one.item.said)}", node, leaf, quote


def _created_lines(found: _Changes) -> Iterator[_Entry]:
    cited = FactCitations(found.snapshot.store, found.snapshot.version).cite(found.created[:SHOWN])
    for fact in found.created[:SHOWN]:
        if fact.place in cited:
            told = line("", 1, fact, cited)
            day = readable(fact.fact.value[:10])
            yield fact.fact.value, f"**{day}**: {as_text(fact.fact.subject.name)} was created", told.node, told.leaf, told.quote


def _clock(moment: datetime) -> str:
    return f"{readable(moment.date().isoformat())}, {moment:%H:%M %Z}"


def _notes(found: _Changes) -> Iterator[str]:
    for id_, read in found.fresh.items():
        source = found.snapshot.sources[id_]
        day = readable(datetime.fromtimestamp(source.created_at, found.snapshot.zone).date().isoformat())
        count = len(read.documents)
        documents = "1 document was" if count == 1 else f"{count} documents were"
        besides = " besides the history of its tickets" if source.kind == "jira" else ""
        yield f"{as_text(source.name)} was added on {day}: {documents} read for the first time, and nothing older is known{besides}."
    oldest = found.snapshot.store.versions.known_since(found.snapshot.scope.sources)
    if not found.fresh and oldest is not None and oldest > found.first:
        day = readable(datetime.fromtimestamp(oldest, found.snapshot.zone).date().isoformat())
        yield f"What changed in documents before {day} is not known here."
