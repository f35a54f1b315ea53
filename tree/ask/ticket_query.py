"""Questions for a set of tickets ("which bugs are open?"), answered from what their source says of each: all of them, counted.

Reading a few leaves can only ever find some. A question is parsed in this way only if every word of it is accounted
for by a condition on the tickets or by the way such a question is put; otherwise it is left to the walk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Quote
from tree.ask.direct_answer import DirectAnswer, Line
from tree.ask.snapshot import Snapshot
from tree.ask.trail import ShownOption, Step
from tree.ask.understanding import Understanding
from tree.store.rows import Node, Store, StoredFacts

SHOWN = 20  # tickets listed one by one
KIND = "ticket"
PEOPLE = ("assignee", "reporter")
FIELDS = ("status", "type", "priority", "sprint", "components", "labels", "fix versions", "project")
USUAL_STATUSES = {"To Do", "In Progress", "In Review", "Blocked"}  # which a team may have, and no ticket just now
_PUT = re.compile(
    r"\b(?:which|what|list|show|all|how many|any|are there|give me)\b.{0,200}\b(?:tickets?|issues?|bugs?|stor(?:y|ies)|tasks?|incidents?|work)\b"
    r"|\bwhat\b.{0,80}\bwork(?:s|ing) on\b|\b(?:open|unassigned|unresolved) (?:tickets?|issues?|bugs?|stor(?:y|ies)|tasks?)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(r"\b(?:report(?:ed)?|raised|filed|opened by|created by|written by)\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:open|unresolved|not (?:done|closed|resolved|finished)|still|working on|works on|left)\b", re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|resolved|done|finished|completed)\b", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:unassigned|assigned to nobody|nobody|no assignee)\b", re.IGNORECASE)
_PUTTING = frozenset(
    terms(
        "which what list show all how many any are there give me tickets issues work working on works assigned "
        "assignee to by reported reporter raised filed created opened open unresolved not done closed resolved finished completed still "
        "left unassigned nobody in of with have has is status state priority sprint component label version type currently now today do we"
    )
)


@dataclass(frozen=True, slots=True)
class Condition:
    """`fact` is the field of which one of `values` must be among the ticket's; no value: it must be empty.

    `values` are in small letters, `words` say the condition in the answer.
    """

    fact: str
    values: frozenset[str] = frozenset()
    words: str = ""

    def holds(self, facts: Mapping[str, str]) -> bool:
        known = _values(facts.get(self.fact, ""))
        return not known if not self.values else bool(self.values & {value.casefold() for value in known})


@dataclass(slots=True)
class _Parsed:
    conditions: list[Condition] = field(default_factory=list)
    rest: str = ""  # of the question, without what the conditions have used up


def query_tickets(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for a set of tickets; None when the question is not for one, or says more than their facts can tell.

    That no ticket fulfils the conditions is a complete answer too.
    """
    question, scope, version = understanding.text, snapshot.scope, snapshot.version
    if not _PUT.search(question):
        return None
    tickets = [ticket for ticket in snapshot.store.facts(scope.sources, KIND, version) if scope.includes(ticket.place)]
    parsed = _parse(question, tickets)
    if not tickets or not parsed.conditions or set(terms(parsed.rest)) - _PUTTING:
        return None
    found = [ticket for ticket in tickets if all(condition.holds(ticket.facts) for condition in parsed.conditions)]
    found.sort(key=lambda ticket: ticket.facts.get("updated", ""), reverse=True)
    return _listed(snapshot.store, parsed.conditions, found, len(tickets), version)


# ---------------------------------------------------------------- conditions


def _parse(question: str, tickets: Sequence[StoredFacts]) -> _Parsed:
    parsed = _Parsed(rest=question)
    person = "reporter" if _REPORTED.search(question) else "assignee"
    people = {name for ticket in tickets for fact in PEOPLE for name in _values(ticket.facts.get(fact, ""))}
    _take(parsed, person, people, _first_names(people))
    for name in FIELDS:
        values = {value for ticket in tickets for value in _values(ticket.facts.get(name, ""))}
        values |= USUAL_STATUSES if name == "status" else set()
        _take(parsed, name, values, {_plural(value): value for value in values} if name == "type" else {})
    if _NOBODY.search(parsed.rest):
        parsed.conditions.append(Condition("assignee", words="assigned to nobody"))
    if not any(condition.fact == "status" for condition in parsed.conditions):
        if _OPEN.search(parsed.rest):
            parsed.conditions.append(Condition("resolved", words="not resolved"))
        elif _CLOSED.search(parsed.rest):
            done = {ticket.facts["resolved"].casefold() for ticket in tickets if ticket.facts.get("resolved")}
            parsed.conditions.append(Condition("resolved", frozenset(done), "resolved"))
    return parsed


def _take(parsed: _Parsed, fact: str, values: Iterable[str], also: Mapping[str, str]) -> None:
    """Makes a condition of the values of a field that the question names, the longest first, and uses their words up."""
    called = {value: value for value in values} | dict(also)
    named: list[str] = []
    said = parsed.rest.casefold()
    likely = [name for name in called if len(name) > 1 and name.casefold() in said]  # of thousands of labels, say
    for name in sorted(likely, key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        if pattern.search(parsed.rest):
            parsed.rest = pattern.sub(" ", parsed.rest)
            named.append(called[name])
    if named:
        words = f"{fact} {' or '.join(dict.fromkeys(named))}"
        parsed.conditions.append(Condition(fact, frozenset(value.casefold() for value in named), words))


def _plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _first_names(people: Iterable[str]) -> dict[str, str]:
    """First names that only one person has."""
    by_first: dict[str, list[str]] = {}
    for name in people:
        by_first.setdefault(name.split()[0], []).append(name)
    return {first: names[0] for first, names in by_first.items() if len(names) == 1}


def _values(text: str) -> list[str]:
    return [value.strip() for value in text.split(", ") if value.strip()]


# ---------------------------------------------------------------- the list


def _listed(
    store: Store, conditions: Sequence[Condition], found: Sequence[StoredFacts], total: int, version: int
) -> DirectAnswer:
    shown = found[:SHOWN]
    nodes = store.nodes((ticket.place for ticket in shown), version)
    leaves = {place: next(iter(store.first_leaves(node, version, 1)), None) for place, node in nodes.items()}
    words = ", ".join(condition.words for condition in conditions)
    lines = list(_lines(store, conditions, shown, leaves))
    head = f"**{len(found) or 'None'} of {total} tickets** ({as_text(words)})" + (":\n" if found else ".")
    more = [Line(f"\n\n… and {len(found) - len(shown)} more.")] if len(found) > len(shown) else []
    options = tuple(ShownOption(ticket.place, ticket.title, "document", "", 0.0, "", ()) for ticket in shown)
    reason = f"The question is for all tickets that fulfil something ({words}), which their source says of each of them."
    step = Step(
        "register", "", "", f"{total} tickets", (), options, tuple(ticket.place for ticket in shown), reason, "complete", "root"
    )
    return DirectAnswer(step, (Line(head), *lines, *more))


def _lines(
    store: Store, conditions: Sequence[Condition], shown: Sequence[StoredFacts], leaves: Mapping[str, Node | None]
) -> Iterator[Line]:
    texts = store.leaves(node.leaf for node in leaves.values() if node is not None and node.leaf)
    number = 0
    for ticket in shown:
        node = leaves.get(ticket.place)
        leaf = texts.get(node.leaf or "") if node is not None else None
        if leaf is None:
            continue
        number += 1
        about = ", ".join(filter(None, (ticket.facts.get("status"), ticket.facts.get("assignee"))))
        quote = _evidence(leaf.text, [condition.fact for condition in conditions])
        said = f"\n- {as_text(ticket.title)}" + (f" ({as_text(about)})" if about else "")
        yield Line(f"{said} [{number}]", number, node, leaf, quote)


def _evidence(text: str, facts: Sequence[str]) -> Quote:
    """The line of the ticket that says what was asked for, else its first."""
    for fact in (*facts, "status"):
        if (match := re.search(rf"(?im)^- ({re.escape(fact)}: .+)$", text)) is not None:
            return Quote(text=match.group(1), start=match.start(1), end=match.end(1))
    end = text.find("\n") if "\n" in text else len(text)
    return Quote(text=text[:end], start=0, end=end)
