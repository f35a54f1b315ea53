"""Overviews of one thing with a name, and two or three side by side: from what is stated of them and from their tickets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from prompts.extractive import as_text
from prompts.records import Quote
from prompts.regex import regex
from prompts.sentences import sentences
from tree.ask.direct.set_answer import list_things
from tree.ask.facts.row_names import rows_called
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.thing_sets import SHOWN, Found, find_set
from tree.ask.facts.things import Count, Thing, counted, ranked, role_of, statement, things_named
from tree.ask.facts.told_facts import FactCitations, line, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens
from tree.retrieve.text_facts import DEFINITION
from tree.store.leaves import Leaf
from tree.store.nodes import Node

MOST_FACTS = 10  # told of one thing
MOST_COMPARED = 4
LONGEST_CELL = 160  # characters
LONGEST_NAME = 80  # characters of one that is all of a question
_TICKET_KEY = regex(r"(?<![\w-])[a-z][a-z0-9]{1,9}-\d{1,7}(?![\w-])", re.IGNORECASE)
ABOUT = regex(
    r"\A\W*(?:please |can you |could you )?(?:(?:tell me|what do (?:we|you) know|what is known|say|show me) (?:more |something |all |everything |a bit )?(?:about|of)"
    r"|describe|(?:give me |show me |i need )?(?:an? |the )?(?:short |brief |quick )?(?:overview|summary|profile|details|description) (?:of|on|about)"
    r"|info(?:rmation)? (?:on|about)|summari[sz]e|what(?:'s| is)(?= .{1,80} about\W*\Z)|what(?:'s| is) in(?= (?:the )?(?:release|version|sprint|epic)))"
    r" (?P<subject>.{1,120}?)(?: about)?[?.!\s]*\Z",
    re.IGNORECASE,
)
_WHO_IS_THE = regex(r"\A\W*who(?:['’]?s| is| are) (?:the|our) ", re.IGNORECASE)
_WHAT = regex(r"\A\W*(?:what|who)(?:'s| is| are) (?P<subject>.{1,120}?)[?.!\s]*\Z", re.IGNORECASE)
_COMPARING = regex(
    r"\b(?:compare[ds]?|comparison|differences?|differs?|different|versus|vs|side by side|in common)\b", re.IGNORECASE
)
_KINDS: dict[str, frozenset[str]] = {  # words for a kind of thing -> the kinds that are called so
    "ticket": frozenset(("ticket", "epic")), "issue": frozenset(("ticket", "epic")), "epic": frozenset(("epic",)),
    "component": frozenset(("component",)), "version": frozenset(("version",)), "release": frozenset(("version",)),
    "sprint": frozenset(("sprint",)), "project": frozenset(("project",)), "person": frozenset(("person",)), "team": frozenset(("team",)),
}  # fmt: skip
_BESIDE_KINDS = frozenset("the a an our of about".split())
_COMPARED = frozenset(
    """compare compared comparison difference differences differ differs different versus vs side by in common what is are the between and with to
    from of how do does please me show give table a an or against have has ticket tickets release releases version versions component components
    epic epics sprint sprints team teams person people can you could""".split()
)
# The order in which what differs between tickets is told.
_FIELDS = (
    "type", "status", "priority", "assignee", "reporter", "component", "fix version", "affects version", "epic", "parent", "sprint", "label",
    "resolution", "created", "updated", "resolved", "due", "blocks", "is blocked by", "relates to", "duplicates",
)  # fmt: skip
_FIELD = regex(r"\W*(?:\d{4}-\d\d-\d\d[ T]|[\w ]{1,30}:\s)")
_COMMENT = regex(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC\W*\Z")  # the head of one: who wrote it, and when
MOST_SENTENCES = 3  # of a ticket's text
_DEFINED = (folded(DEFINITION), "what it does", "what it is", "meaning", "description")
_NOT_TOLD = frozenset(("key", "former key", "category", "summary", "creator"))


def describe_thing(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "tell me about …" of a ticket, component, person, team, version, sprint, epic or project; for "what is …"
    of one that nothing defines; and for a name alone, as people put it into a search box."""
    if (asked := ABOUT.match(understanding.text)) is not None:
        return _described(snapshot, asked["subject"], False)
    asked = _WHAT.match(understanding.text)
    subject = asked["subject"] if asked is not None else understanding.text.strip(" \t?.!")
    if asked is None and len(subject) > LONGEST_NAME:
        return None
    return _described(
        snapshot, subject, True, asked is not None, asked is not None and _WHO_IS_THE.match(understanding.text) is not None
    )


def compare_things(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "compare A and B": a table of what is stated of each."""
    text = understanding.text
    if not _COMPARING.search(text):
        return None
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    text = _with_full_names(text, names)
    found = tokens(text)
    mentions = [
        one for one in names.find(found) if any(found[at].text.casefold() not in _COMPARED for at in range(one.first, one.last))
    ]
    inside = {at for one in mentions for at in range(one.first, one.last)}
    if any(token.text.casefold() not in _COMPARED for at, token in enumerate(found) if at not in inside):
        return None
    meant = [things_named(mention, facts) for mention in mentions]
    things = [some[0] for some in meant if len(some) == 1]
    if not 2 <= len(things) <= MOST_COMPARED or len(things) < len(mentions):
        return None
    return _compared(things, facts, FactCitations(snapshot.store, snapshot.version), day)


def _with_full_names(text: str, names: Names) -> str:
    """The question with the whole name for a word that only the name of one row has: "Nordhalm" for "Nordhalm Akku"."""
    found = tokens(text)
    taken = {at for one in names.find(found) for at in range(one.first, one.last)}
    for at in reversed(range(len(found))):
        word = found[at]
        if at in taken or word.text.casefold() in _COMPARED:
            continue
        full = {name for _, name in rows_called(word.text, names)}
        if len(full) == 1:
            text = f"{text[: word.start]}{full.pop()}{text[word.end :]}"
    return text


# ---------------------------------------------------------------- one thing


def _described(
    snapshot: Snapshot, subject: str, is_weak: bool, asks_what: bool = False, asks_who: bool = False
) -> DirectAnswer | None:
    """`is_weak`: what is written of it comes first; `asks_what`: its tickets alone do not say what it is; `asks_who`: of a team, that
    nobody is in, it is told by something else who it is."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    things = _meant(subject, names, facts)
    if not things or any(thing.kind in ("thing", "label") for thing in things):
        return None
    sources = FactCitations(snapshot.store, snapshot.version)
    if len(things) > 1:
        return _ambiguous(subject, things, facts, day)
    [thing] = things
    is_by_key = _TICKET_KEY.search(subject) is not None
    if asks_who and thing.kind == "team" and not any(one.fact.object and one.fact.object.kind == "person" for one in thing.facts):
        return None  # "the change manager", to whom an action went
    if is_weak and (thing.kind == "ticket" and not is_by_key or thing.value(*_DEFINED) is not None):
        return None  # that is told as it is written
    told = _told(thing, facts, sources, day)
    # that somebody, or something, has tickets does not say who or what that is
    is_bare = is_weak and (thing.kind == "person" and not thing.places or asks_what and not _stated(thing))
    return replace(told, verdict="partial") if told and is_bare else told


def _meant(subject: str, names: Names, facts: FactIndex) -> list[Thing]:
    """What the whole of a subject names."""
    found = tokens(subject)
    mentions = names.find(found)
    if len(mentions) != 1:
        return []
    beside = [token.text.casefold() for at, token in enumerate(found) if not mentions[0].first <= at < mentions[0].last]
    if not all(word in _KINDS or word in _BESIDE_KINDS for word in beside):
        return []
    kinds = [_KINDS[word] for word in beside if word in _KINDS]  # "component of GWY-3" asks for the component of a ticket
    return [thing for thing in things_named(mentions[0], facts) if all(thing.kind in some for some in kinds)]


def _ambiguous(subject: str, things: Sequence[Thing], facts: FactIndex, day: date) -> DirectAnswer:
    """Shown, not guessed."""
    step = Step("register", "", "", subject, reason=f"“{subject}” may be any of {len(things)}; ask with the whole name.")
    lines = [Line(f"“{as_text(subject)}” may be any of {len(things)}:\n")]
    lines += [Line(f"\n- {as_text(statement(thing, facts, day))}") for thing in things]
    return DirectAnswer(step, tuple(lines), "partial")


def _told(thing: Thing, facts: FactIndex, sources: FactCitations, day: date) -> DirectAnswer | None:
    stated = _stated(thing)
    found = _open_tickets(thing, facts, day)
    cited = sources.cite([*stated, *thing.facts[:1], *thing.places[:1]])
    said = statement(thing, facts, day).removeprefix(thing.name)
    numbers: dict[str, int] = {}
    lines = [Line(f"**{as_text(thing.name)}**{as_text(said)}\n")]
    said_of_it = list(_said_of_ticket(thing, facts, cited))
    lines += [*said_of_it, Line("\n")] if said_of_it else []
    for fact in stated:
        if fact.place in cited:
            number = numbers.setdefault(fact.place, len(numbers) + 1)
            lines.append(line(f"\n- {_sentence(fact, thing)} [{number}]", number, fact, cited))
    if found is not None:
        lines += _its_tickets(*found, sources)
    if not any(one.number for one in lines):
        return None
    first = next(one for one in lines if one.node is not None)
    node = first.node
    assert node is not None
    reason = f"What is stated of “{thing.name}” was put together, and its tickets counted."
    step = Step("register", node.place, node.hash, thing.name, reason=reason)
    return DirectAnswer(step, tuple(lines), is_list=found is not None)


def _said_of_ticket(thing: Thing, facts: FactIndex, cited: Mapping[str, tuple[Node, Leaf]]) -> Iterator[Line]:
    """What a ticket's own text says first, without what its fields and its history say anyway."""
    place = thing.facts[0].place if thing.kind in ("ticket", "epic") else ""
    if place not in cited:
        return
    node, leaf = cited[place]
    stated = [one.fact for one in facts.about([folded(thing.facts[0].fact.subject.id)]) if one.place == place]
    for start, end in list(_own_sentences(leaf.text, [(one.start, one.end) for one in stated]))[:MOST_SENTENCES]:
        said = " ".join(leaf.text[start:end].split())
        yield Line(f"\n{as_text(said)} [1]", 1, node, leaf, Quote(text=said, start=start, end=end))


def _own_sentences(text: str, stated: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text):
        if _COMMENT.search(text[start:end]):
            return
        is_field = any(first < end and start < last for first, last in stated) or _FIELD.match(text[start:end])
        if not is_field and len(text[start:end].split()) > 3:
            yield start, end


def _stated(thing: Thing) -> list[StoredFact]:
    """What is told of it, a relation and value once."""
    if thing.kind in ("ticket", "epic"):
        order = {relation: at for at, relation in enumerate(_FIELDS)}
        known = [fact for fact in thing.facts if folded(fact.fact.relation) in order]
        known.sort(key=lambda fact: order[folded(fact.fact.relation)])
    else:
        places = ranked(thing.places)
        known = [*places, *thing.facts] if thing.kind == "person" else [*thing.facts, *places]
    unique: dict[tuple[str, str, str], StoredFact] = {}
    for fact in known:
        unique.setdefault((folded(fact.fact.relation), folded(fact.fact.value), fact.fact.subject.name), fact)
    return list(unique.values())[: 2 * MOST_FACTS if thing.kind == "ticket" else MOST_FACTS]


def _sentence(fact: StoredFact, thing: Thing) -> str:
    if fact in thing.places:
        said = role_of(fact)
        return as_text(said[:1].upper() + said[1:])
    value = " ".join(readable(fact.fact.value).split())
    value = value if len(value) <= 3 * LONGEST_CELL else f"{value[: 3 * LONGEST_CELL]} …"
    since = f" (since {readable(fact.fact.since)})" if fact.fact.since else ""
    label = fact.fact.relation[:1].upper() + fact.fact.relation[1:]
    return f"{as_text(label)}: {as_text(value)}{since}"


def _open_tickets(thing: Thing, facts: FactIndex, day: date) -> tuple[SetQuestion, Found] | None:
    """Its open tickets; all of them where none is open, or where all of them are of interest."""
    if not thing.tickets:
        return None
    asked = SetQuestion("list", (Condition(("open",), words="open"),), within=thing.tickets)
    found = find_set(asked, facts, day)
    if found is None or not found.total:
        return None
    if not found.keys or thing.kind in ("epic", "version", "sprint"):
        asked = SetQuestion("list", thing.tickets)
        found = find_set(asked, facts, day)
    return (asked, found) if found is not None else None


def _its_tickets(asked: SetQuestion, found: Found, sources: FactCitations) -> Iterator[Line]:
    number = len(found.keys)
    noun = "ticket" if number == 1 else "tickets"
    yield Line(f"\n\n{number} {'open ' if asked.within else ''}{noun}:\n")
    yield from list_things(asked, found, sources)
    if number > SHOWN:
        yield Line(f"\n\n… and {number - SHOWN} more.")


# ---------------------------------------------------------------- side by side


@dataclass(frozen=True, slots=True)
class _Row:
    """What is told of one relation: for each thing the facts that say it."""

    label: str
    cells: tuple[tuple[StoredFact, ...], ...]

    @property
    def is_same(self) -> bool:
        said = [frozenset(folded(fact.fact.value) for fact in cell) for cell in self.cells]
        return len(set(said)) == 1


def _compared(things: Sequence[Thing], facts: FactIndex, sources: FactCitations, day: date) -> DirectAnswer | None:
    rows = list(_rows(things))
    cited = sources.cite(fact for row in rows for cell in row.cells for fact in cell)
    counts = [counted(thing, facts, day) for thing in things]
    if not any(all(row.cells) and not row.is_same for row in rows) and not any(counts):
        return None  # nothing in which they differ is stated of both
    names = [as_text(thing.name) for thing in things]
    lines = [Line(f"**{' and '.join((', '.join(names[:-1]), names[-1]))}** side by side:\n\n")]
    lines.append(Line(f"| | {' | '.join(names)} |\n|{' --- |' * (len(names) + 1)}"))
    lines += _of_kinds(things)
    lines += _of_counts(counts)
    for row in sorted(rows, key=lambda row: row.is_same):
        lines.append(Line(f"\n| {as_text(row.label)}{' (the same)' if row.is_same else ''} |"))
        for cell in row.cells:
            lines += [*_cell([fact for fact in cell if fact.place in cited], cited), Line(" |")]
    if any(counts):
        lines += _own_tickets(things, facts, day)
        lines += _listed(things, facts, sources, day)
    step = Step(
        "register", "", "", " and ".join(thing.name for thing in things), reason="What is stated of each was put side by side."
    )
    return DirectAnswer(step, tuple(lines))


def _rows(things: Sequence[Thing]) -> Iterator[_Row]:
    """A row for each relation that is stated of one of them, in the order of tickets' fields, the others after them."""
    labels: dict[str, str] = {}
    for thing in things:
        for fact in thing.facts:
            labels.setdefault(folded(fact.fact.relation), fact.fact.relation)
    order = {relation: at for at, relation in enumerate(_FIELDS)}
    for relation in sorted((one for one in labels if one not in _NOT_TOLD), key=lambda one: order.get(one, len(order))):
        cells = tuple(
            tuple(fact for fact in thing.facts if folded(fact.fact.relation) == relation and not _is_directive(fact))
            for thing in things
        )
        yield _Row(labels[relation][:1].upper() + labels[relation][1:], cells)


def _is_directive(fact: StoredFact) -> bool:
    """Whether a document has an instruction to what renders it in place of a value: ".. include:: options"."""
    return fact.fact.value.startswith(".. ")


def _of_kinds(things: Sequence[Thing]) -> Iterator[Line]:
    if len({thing.kind for thing in things}) > 1:
        yield Line(f"\n| What it is | {' | '.join(thing.kind for thing in things)} |")


def _of_counts(counts: Sequence[Count | None]) -> Iterator[Line]:
    if any(counts):
        yield Line(f"\n| Tickets | {' | '.join(str(one.tickets) if one else '0' for one in counts)} |")
        yield Line(f"\n| Open tickets | {' | '.join(str(one.open) if one else '0' for one in counts)} |")


def _cell(cell: Sequence[StoredFact], cited: Mapping[str, tuple[Node, Leaf]]) -> Iterator[Line]:
    for at, fact in enumerate(cell[:MOST_COMPARED]):
        value = " ".join(readable(fact.fact.value).split())
        value = value if len(value) <= LONGEST_CELL else f"{value[:LONGEST_CELL]} …"
        yield line(f"{';' if at else ''} {as_text(value)} [1]", 1, fact, dict(cited))


def _own_tickets(things: Sequence[Thing], facts: FactIndex, day: date) -> Iterator[Line]:
    """What each has in hand by type, for what has tickets."""
    groups = [_by_type(thing, facts, day) for thing in things]
    for type_ in dict.fromkeys(name for group in groups for name in group):
        yield Line(f"\n| {as_text(type_)} | {' | '.join(str(group.get(type_, 0)) for group in groups)} |")


def _listed(things: Sequence[Thing], facts: FactIndex, sources: FactCitations, day: date) -> Iterator[Line]:
    """The tickets of each, where they are what it consists of."""
    for thing in things:
        asked = SetQuestion("list", thing.tickets)
        if thing.kind in ("version", "sprint", "epic") and (found := find_set(asked, facts, day)) is not None:
            yield Line(f"\n\n**{as_text(thing.name)}**:\n")
            yield from list_things(asked, found, sources)
            if len(found.keys) > SHOWN:
                yield Line(f"\n\n… and {len(found.keys) - SHOWN} more.")


def _by_type(thing: Thing, facts: FactIndex, day: date) -> dict[str, int]:
    found = find_set(SetQuestion("groups", thing.tickets, "type"), facts, day) if thing.tickets else None
    return {group.value: len(group.keys) for group in found.groups} if found is not None else {}
