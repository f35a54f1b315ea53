"""What is new of a ticket, whether it is late, and why its date was moved: from its fields, its history and its comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Quote, Verdict
from prompts.regex import regex
from tree.ask.direct.fact_answer import told_from_facts
from tree.ask.facts.answered import tickets_meant
from tree.ask.facts.described_ticket import ENOUGH
from tree.ask.facts.thing_sets import open_among
from tree.ask.facts.ticket_form import TicketForm, read_ticket_form
from tree.ask.facts.told_facts import FactCitations, line, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, beside
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.lead_passage import MAY_BE
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.index import SearchScope
from tree.retrieve.item_index import StoredItem
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

MOST_COMMENTS = 3  # that are told as news
MOST_CHANGES = 3  # of a history
LONGEST_COMMENT = 500  # characters that are told of one
_HEADING = regex(r"\n#{1,6} ")


def answer_of_ticket(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for these questions over one ticket."""
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    asked = read_ticket_form(understanding.text, names, facts)
    if asked is None:
        return None
    match asked.form:
        case "late":
            return _late(asked, facts, FactCitations(snapshot.store, snapshot.version), today(snapshot))
        case "news":
            return _news(asked, snapshot)
        case "why moved":
            return _why_moved(asked, snapshot)


def answer_of_tickets_meant(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """Where a question describes a ticket and several are called so, or one hardly, what is known of each: which one is meant was
    not said."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    meant = tickets_meant(understanding.text, names, facts, day)
    if meant is None or not (meant.is_called_ticket or len(terms(meant.words)) >= ENOUGH):
        return None
    sources = FactCitations(snapshot.store, snapshot.version)
    texts = [meant.put(key) for key in meant.keys]
    told = [
        answer_of_ticket(snapshot, replace(understanding, text=text)) or told_from_facts(text, names, facts, sources, day)
        for text in texts
    ]
    answers = [one for one in told if one is not None]
    if not answers:
        return None
    said = as_text(meant.words)
    head = f"“{said}” may be any of {len(meant.keys)} tickets:" if len(meant.keys) > 1 else f"“{said}” {MAY_BE}"
    lines = [Line(f"{head}\n")]
    for answer in answers:
        lines += beside(answer.lines, lines)
    return DirectAnswer(answers[0].step, tuple(lines), "partial")


# ---------------------------------------------------------------- late


def _late(asked: TicketForm, facts: FactIndex, sources: FactCitations, day: date) -> DirectAnswer | None:
    due, status = _now(asked, "due"), _now(asked, "status")
    lead = due or status
    cited = sources.cite([one for one in (due, status) if one is not None])
    if lead is None or any(one is not None and one.place not in cited for one in (due, status)):
        return None
    title = as_text(lead.fact.subject.name)
    said, verdict = _said_of_time(asked, title, facts, day)
    numbers: dict[str, int] = {}
    number = numbers.setdefault(lead.place, 1)
    lines = [line(f"{said} [{number}]", number, lead, cited)]
    if status is not None and status is not lead:
        number = numbers.setdefault(status.place, len(numbers) + 1)
        since = f" (since {readable(status.fact.since)})" if status.fact.since else ""
        lines.append(line(f"\n\nStatus: {as_text(status.fact.value)}{since} [{number}]", number, status, cited))
    node = cited[lead.place][0]
    reason = "The due date of the ticket was held against the day that is asked of."
    return DirectAnswer(Step("register", node.place, node.hash, node.title, reason=reason), tuple(lines), verdict)


def _said_of_time(asked: TicketForm, title: str, facts: FactIndex, day: date) -> tuple[str, Verdict]:
    due, resolved = _now(asked, "due"), _now(asked, "resolved")
    if not open_among({folded(asked.stated[0].fact.subject.id)}, facts):
        when = f", resolved on {readable(resolved.fact.value)}" if resolved is not None else ""
        by = f"; it was due on {readable(due.fact.value)}" if due is not None else ""
        is_late = due is not None and resolved is not None and resolved.fact.value[:10] > due.fact.value[:10]
        return f"**It is closed{', later than it was due' if is_late else ''}**: {title}{when}{by}", "complete"
    if due is None:
        return f"{title} has no due date", "partial"
    days = (day - date.fromisoformat(due.fact.value[:10])).days
    if days > 0:
        return f"**It is late, by {days} day{'s' * (days > 1)}**: {title} was due on {readable(due.fact.value)}", "complete"
    left = "today" if not days else f"in {-days} day{'s' * (days < -1)}"
    return f"**It is not late**: {title} is due on {readable(due.fact.value)}, {left}", "complete"


def _now(asked: TicketForm, relation: str) -> StoredFact | None:
    return next((one for one in asked.stated if folded(one.fact.relation) == relation and not one.fact.until), None)


# ---------------------------------------------------------------- news, and why it was moved


def _news(asked: TicketForm, snapshot: Snapshot) -> DirectAnswer | None:
    """The last comments and changes, the newest first."""
    comments, changes = _of_ticket(asked, snapshot)
    newest = sorted(
        [*comments[-MOST_COMMENTS:], *changes[-MOST_CHANGES:]],
        key=lambda one: (one.item.day, one.item.sort == "comment"),
        reverse=True,
    )
    title = as_text(asked.stated[0].fact.subject.name)
    status = _now(asked, "status")
    now = f", now {as_text(status.fact.value)}" if status is not None else ""
    return _told(f"**{title}**{now}; the newest first:\n", newest, snapshot, "complete")


def _why_moved(asked: TicketForm, snapshot: Snapshot) -> DirectAnswer | None:
    """The comments of the days on which the date was moved: they may say why, or not."""
    comments, changes = _of_ticket(asked, snapshot)
    moves = [one for one in asked.stated if folded(one.fact.relation) == "due" and one.fact.until]
    days = {one.fact.until[:10] for one in moves}
    about = [one for one in comments if one.item.day in days]
    if not about:
        return None
    title = as_text(asked.stated[0].fact.subject.name)
    dates = "; ".join(f"until {readable(one.fact.until)} it was due on {readable(one.fact.value)}" for one in moves)
    return _told(f"{title}: {dates}. Of these days:\n", about, snapshot, "partial")


def _of_ticket(asked: TicketForm, snapshot: Snapshot) -> tuple[list[StoredItem], list[StoredItem]]:
    """The comments on a ticket and the lines of its history, in the order of time."""
    place = document_around(asked.stated[0].place)
    items = snapshot.index.items(SearchScope(snapshot.scope.sources, (place,)))
    comments = sorted(items.find("comment"), key=lambda one: (one.item.day, one.place, one.item.start))
    changes = [one for one in items.find("event") if one.item.is_history]
    return comments, sorted(changes, key=lambda one: (one.item.day, one.place, one.item.start))


def _told(head: str, items: Sequence[StoredItem], snapshot: Snapshot, verdict: Verdict) -> DirectAnswer | None:
    cited = _cited(items, snapshot)
    lines = list(_lines(items, cited))
    if not lines:
        return None
    node = lines[0].node
    step = Step("register", node.place if node else "", node.hash if node else "", node.title if node else "",
                reason="The ticket has comments and a history, each line with its day.")  # fmt: skip
    return DirectAnswer(step, (Line(head), *lines), verdict)


def _cited(items: Sequence[StoredItem], snapshot: Snapshot) -> dict[str, tuple[Node, Leaf]]:
    """Node and leaf of each item that still stands as it was read."""
    wanted = {one.place: one.leaf for one in items}
    nodes = snapshot.store.nodes.at(wanted, snapshot.version)
    leaves = snapshot.store.leaves.by_key({node.leaf for node in nodes.values() if node.leaf})
    return {
        place: (node, leaves[node.leaf]) for place, node in nodes.items() if node.leaf == wanted[place] and node.leaf in leaves
    }


def _lines(items: Sequence[StoredItem], cited: dict[str, tuple[Node, Leaf]]) -> Iterator[Line]:
    numbers: dict[str, int] = {}
    for one in items:
        if one.place not in cited:
            continue
        node, leaf = cited[one.place]
        number = numbers.setdefault(one.place, len(numbers) + 1)
        start, end, said = (
            _whole_comment(one, leaf) if one.item.sort == "comment" else (one.item.start, one.item.end, one.item.words)
        )
        quote = Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
        day = f"**{readable(one.item.day)}**: " if one.item.day else ""
        yield Line(f"\n- {day}{as_text(said)} [{number}]", number, node, leaf, quote)


def _whole_comment(one: StoredItem, leaf: Leaf) -> tuple[int, int, str]:
    """Where what was written stands, and what is told of it: who wrote it, and all of it where it is short."""
    start = leaf.text.find("\n", one.item.start) + 1
    end = match.start() if (match := _HEADING.search(leaf.text, start)) is not None else len(leaf.text)
    start += len(leaf.text[start:end]) - len(leaf.text[start:end].lstrip())
    words = " ".join(leaf.text[start:end].split())
    words = words if len(words) <= LONGEST_COMMENT else f"{words[:LONGEST_COMMENT].rpartition(' ')[0]} …"
    return start, max(start, end), f"{', '.join(one.item.people)}: {words}"
