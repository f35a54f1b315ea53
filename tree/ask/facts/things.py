"""What a name stands for: a ticket, a component, a person, a team ..., with what is stated of it and which tickets are its."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from prompts.months import MONTH
from prompts.regex import regex
from tree.ask.facts.set_question import Condition
from tree.ask.facts.thing_sets import matching, open_among
from tree.retrieve.fact_index import FactIndex, StoredFact, folded, head_of
from tree.retrieve.names import Mention
from tree.retrieve.text_facts import DEFINITION, PART

Kind = Literal["ticket", "epic", "component", "version", "sprint", "project", "team", "person", "label", "thing"]
MOST_MEANT = 4  # things that one name may stand for
# Relations of tickets by whose values a thing is known, the most telling first.
_BY_RELATION: dict[str, Kind] = {
    "component": "component", "fix version": "version", "affects version": "version", "sprint": "sprint", "project": "project",
}  # fmt: skip
_REACHED = frozenset("extension phone telephone mobile mail email role team office place location".split())
_VALUES = frozenset(("status", "priority", "type", "resolution"))
_TIME = regex(
    rf"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|(?:week|kw|cw|wk|w)? ?\d[\d.:/ -]*|(?:\d{{1,2}} )?(?:{MONTH})(?: \d{{4}})?)s?",
    re.IGNORECASE,
)
_ROLES = ("lead", "engineer", "member", "name", "role", "who", "person", "supervisor", "deputy", "first", "own")
_SAID = frozenset(
    ("description", "definition", "purpose", "summary", "what it is", "what it does")
)  # sections that tell of the whole
_KEY = regex(r"[A-Z][A-Z0-9]+-\d+")  # of a ticket, in a table of them
_ASSIGNED = frozenset(("assignee", "reporter", "creator"))


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with a name, as the sources of a scope know it."""

    name: str  # as it is written there
    kind: Kind
    facts: tuple[StoredFact, ...] = ()  # stated of it, as it holds now
    places: tuple[StoredFact, ...] = ()  # where it is the value: whose engineer, whose owner it is
    tickets: tuple[Condition, ...] = ()  # that its tickets satisfy; empty where it has none

    def value(self, *relations: str) -> StoredFact | None:
        """The first fact of one of these relations (folded)."""
        return next((fact for name in relations for fact in self.facts if folded(fact.fact.relation) == name), None)


@dataclass(frozen=True, slots=True)
class Count:
    """How many tickets a thing has, and how many of them are open."""

    tickets: int
    open: int

    def __str__(self) -> str:
        return f"{self.tickets} {'ticket' if self.tickets == 1 else 'tickets'}, {self.open} open"


def things_named(mention: Mention, facts: FactIndex) -> list[Thing]:
    """What a name in a question stands for: one thing, or several where it is ambiguous."""
    exact = folded(mention.text)
    own = _called(exact, facts) if exact in mention.names else None
    if own is not None and own.kind != "thing":
        return [own]
    others = [thing for name in sorted(mention.names - {exact})[: 2 * MOST_MEANT] if (thing := _called(name, facts)) is not None]
    known = [thing for thing in others if thing.kind not in ("thing", "ticket", "epic")]  # a ticket is named by its whole key
    return (known or ([own] if own is not None else others))[:MOST_MEANT]


def counted(thing: Thing, facts: FactIndex, today: date) -> Count | None:
    """None where it has no tickets, or may not be asked for them."""
    all_ = matching(thing.tickets, facts, today) if thing.tickets else None
    if not all_:
        return None
    return Count(len(all_), len(open_among(all_, facts)))


def _called(name: str, facts: FactIndex) -> Thing | None:
    stated = [fact for fact in facts.about([name]) if not fact.fact.until]
    tickets = [fact for fact in stated if fact.fact.subject.kind == "ticket"]
    if tickets:
        return _ticket(tickets)
    used = facts.used_as(name)
    kind = _kind(name, used, stated)
    if kind is None:
        return None
    rows = facts.lines(fact.line for fact in stated if fact.fact.row)
    direct = [fact for fact in stated if not fact.fact.row and (fact.fact.group != PART or folded(fact.fact.relation) in _SAID)]
    cells = [fact for fact in rows if folded(head_of(fact.fact.value)) != name]
    if kind == "person":  # what stands under somebody's name is mostly something that they wrote
        direct, cells = (
            [fact for fact in some if _REACHED & set(folded(fact.fact.relation).split())] for some in (direct, cells)
        )
    has_role = kind != "thing" and any(
        map(_is_role, " ".join(relation for relation, *_ in used).split())
    )  # and is no more than in a log
    places = [fact for fact in facts.with_value([name], but_of="ticket") if _tells(fact, name)] if has_role else []
    written = next((value for _, _, object_, value in used if object_), "")
    written = written or next((fact.fact.subject.name for fact in stated), "") or next((value for *_, value in used), name)
    known = sorted((*direct, *cells), key=lambda fact: fact.fact.relation != DEFINITION)
    return Thing(head_of(written), kind, tuple(known), tuple(places), _tickets_of(name, kind, used))


def _ticket(stated: Sequence[StoredFact]) -> Thing:
    type_ = next((fact.fact.value for fact in stated if fact.fact.relation == "type"), "")
    kind: Kind = "epic" if folded(type_) == "epic" else "ticket"
    key = folded(stated[0].fact.subject.id)
    tickets = (Condition(("epic", "parent"), frozenset((key,)), words=f"epic {stated[0].fact.subject.id}"),)
    return Thing(stated[0].fact.subject.name, kind, tuple(stated), (), tickets if kind == "epic" else ())


def _kind(name: str, used: Sequence[tuple[str, str, str, str]], stated: Sequence[StoredFact]) -> Kind | None:
    of_tickets = {relation for relation, kind, _, _ in used if kind == "ticket"}
    for relation, kind in _BY_RELATION.items():
        if relation in of_tickets:
            return kind
    words = name.split()
    is_owner = any(relation.startswith("own") for relation, _, _, _ in used) and not of_tickets & _ASSIGNED
    people = {relation for relation, _, object_, _ in used if object_ == "person"}
    is_somebody = any(not relation.startswith("own") for relation in people)  # teams own as well as people do
    if len(words) > 1 and ("team" in (words[0], words[-1]) or (is_owner and not is_somebody)):
        return "team"
    if people:
        return "person"
    if of_tickets & _VALUES:
        return None  # a state or a priority is no thing
    return "thing" if stated else "label" if "label" in of_tickets else None


def _tickets_of(name: str, kind: Kind, used: Sequence[tuple[str, str, str, str]]) -> tuple[Condition, ...]:
    relation = {"person": "assignee", "version": "fix version", "team": "team"}.get(kind, str(kind))
    is_known = kind == "team" or any(one == relation and of == "ticket" for one, of, _, _ in used)
    written = next((value for one, _, _, value in used if one == relation), name)
    said = f"of {written}" if kind == "team" else f"{relation} {written}"
    return (Condition((relation,), frozenset((name,)), words=said),) if is_known else ()


def _tells(fact: StoredFact, name: str) -> bool:
    """Whether it says something that something else is called so: not the row that it names itself."""
    if fact.fact.until or _KEY.fullmatch(fact.fact.subject.id) or not any(map(_is_role, folded(fact.fact.relation).split())):
        return False
    is_time = (
        fact.fact.row and _TIME.fullmatch(folded(fact.fact.subject.name)) is not None
    )  # a row of a rota: nobody is its Monday
    return not is_time and folded(fact.fact.subject.name) != name and folded(head_of(fact.fact.subject.id)) != name


# ---------------------------------------------------------------- in one sentence


_OWN_ROLES = ("role", "position", "job title", "job", "title", "function", "funktion", "rolle", "poste")  # in a row on somebody


def statement(thing: Thing, facts: FactIndex, today: date) -> str:
    """What it is: "Turnstile: a component; Team Quay; 23 tickets, 4 open"."""
    said = [*_what(thing)]
    if (count := counted(thing, facts, today)) is not None:
        said.append(str(count))
    return f"{thing.name}: {'; '.join(said)}" if said else thing.name


def _what(thing: Thing) -> Iterator[str]:
    if thing.kind in ("ticket", "epic"):
        type_, project = thing.value("type"), thing.value("project")
        yield f"{a(folded(type_.fact.value) if type_ else 'ticket')}{f' of {project.fact.value}' if project else ''}"
        for name, none in (("status", ""), ("assignee", "nobody")):
            value = thing.value(name)
            if value is not None or none:
                yield value.fact.value if value is not None else f"assigned to {none}"
        return
    if thing.kind != "thing":
        yield a(thing.kind)
    elif (definition := thing.value(folded(DEFINITION), "what it does", "meaning")) is not None:
        yield " ".join(definition.fact.value.split())[:160]
    owner = next((fact for fact in thing.facts if folded(fact.fact.relation).startswith("own")), None)
    lead = thing.value("lead", "team lead", "leader")
    if owner is not None:
        yield owner.fact.value
    if lead is not None:
        yield f"lead {lead.fact.value}"
    if thing.kind == "person" and (role := thing.value(*_OWN_ROLES)) is not None and role.fact.value.strip():
        yield role.fact.value
    if thing.kind == "person":
        yield from list(dict.fromkeys(role_of(fact) for fact in ranked(thing.places)))[:2]
    if thing.kind == "team" and (
        owned := [fact.fact.subject.name for fact in thing.places if folded(fact.fact.relation).startswith("own")]
    ):
        yield f"owns {', '.join(dict.fromkeys(owned))}"


def ranked(places: Sequence[StoredFact]) -> list[StoredFact]:
    """Where somebody is named, what says most of who that is first."""

    def rank(fact: StoredFact) -> tuple[int, str]:
        words = folded(fact.fact.relation).split()
        return min(at for at, role in enumerate(_ROLES) if any(word.startswith(role) for word in words)), fact.place

    return sorted(places, key=rank)


def _is_role(word: str) -> bool:
    return word.startswith(_ROLES)


def role_of(fact: StoredFact) -> str:
    """ "lead of Team Quay"; the role itself, where a table names who has it."""
    relation, name = folded(fact.fact.relation), fact.fact.subject.name
    if relation in ("name", "person", "who"):
        return name
    label = fact.fact.relation[:-1] if relation in ("engineers", "members", "owners") else fact.fact.relation
    is_by_itself = " " in relation and fact.fact.subject.kind in ("section", "document")  # "Test lead", under any heading
    return f"{_small(label)} of {name}" if name and not is_by_itself else _small(label)


def a(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _small(label: str) -> str:
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]
