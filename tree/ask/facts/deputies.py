"""Who stands in for somebody who leads a unit: the deputy that is stated of the unit."""

from __future__ import annotations

import re

from prompts.regex import regex
from tree.ask.facts.attribute import Attribute
from tree.ask.facts.leading_roles import DEPUTIES, is_of_leading
from tree.ask.facts.unfit_forms import PERSON_LABELS
from tree.retrieve.fact_index import TICKET, FactIndex, StoredFact, folded
from tree.retrieve.names import Names

MOST_DEPUTIES = 1_000  # facts that are looked through
_NOBODY = frozenset("vacant tbd none nobody open unbesetzt offen vacante".split())
_ASKS = regex(
    r"\A\W*(?:and )?(?:(?:who(?:['’]?s| is| are)|what is) )?(?:(?:the )?(?:deputy|stand-in|substitute) (?:of|for) (?P<of>[^?\n]{2,60}?)|(?P<whose>[^?\n]{2,60}?)['’]s? (?:deputy|stand-in|substitute)"
    r"|who (?:stands in|deputi[sz]es|fills in|covers) for (?P<covered>[^?\n]{2,60}?))\W*\Z",
    re.IGNORECASE,
)
_WHEN_AWAY = regex(  # "who covers first aid if Ida's away", "who do I ask when Per is off"
    r"\A\W*(?:and )?who (?:covers|stands in|takes over|(?:do|can|should) (?:i|we) (?:ask|ring|call|contact|go to))\b[^?\n]{0,40}? ?\b(?:if|when|while) "
    r"(?P<who>[^\W\d_][^?\n]{1,40}?)(?:['’]s| is) (?:away|off|out|ill|sick|absent|not (?:there|here|in)|on (?:leave|holiday)|unavailable)\W*\Z",
    re.IGNORECASE,
)


def in_words_of_deputies(text: str) -> str:
    """The question who covers for somebody, where it is asked who does when they are away; any other as it is."""
    asked = _WHEN_AWAY.match(text)
    return f"who covers for {asked['who']}?" if asked is not None else text


def is_of_whose(fact: StoredFact) -> bool:
    """Whether it says whose row it is: who leads what the row is called, or has that role."""
    return is_of_leading(fact) or folded(fact.fact.relation) in PERSON_LABELS


def is_of_no_lead(attribute: Attribute) -> bool:
    """Whether it says who is the deputy of a unit by way of somebody who does something in it, and does not lead it."""
    is_deputy = any(_names_deputy(fact) for fact in attribute.facts)
    return is_deputy and bool(attribute.way) and not any(map(is_of_leading, attribute.way))


def find_deputy(text: str, names: Names, facts: FactIndex) -> Attribute | None:
    """The deputy that stands beside a name, or that of the unit that somebody leads. None where it asks for something else, nobody is
    called so, or there is none, or several."""
    asked = _ASKS.match(text)
    who = folded(next(filter(None, asked.groups()), "")) if asked is not None else ""
    of_it = [fact for fact in facts.about([who]) if _names_deputy(fact) and fact.fact.row] if who else []
    if len({folded(fact.fact.value) for fact in of_it}) == 1:
        return Attribute(tuple(of_it[:1]), subject=who)
    full = {name for name in names.full(who) if " " in name} or ({who} if " " in who else set())
    if not full and who:
        full = {one for fact in _of_people(facts) if (one := folded(fact.fact.subject.name)).split()[:1] == [who]}
    if len(full) != 1:
        return None
    [person] = full
    beside = [
        fact for fact in facts.about([person]) if _names_deputy(fact) and (fact.fact.row or fact.fact.subject.kind == "person")
    ]
    if len({folded(fact.fact.value) for fact in beside}) == 1:
        return Attribute(tuple(beside[:1]), subject=person)
    rows = {fact.line: fact for fact in facts.with_value([person]) if fact.fact.row and is_of_whose(fact)}
    in_rows = [fact for fact in facts.lines(rows) if _names_deputy(fact)]
    if len({folded(fact.fact.value) for fact in in_rows}) == 1:
        return Attribute(tuple(in_rows[:1]), way=(rows[in_rows[0].line],), subject=person)
    leading = [fact for fact in facts.with_value([person]) if is_of_leading(fact) and not fact.fact.row]
    units = {folded(fact.fact.subject.name): fact for fact in reversed(leading)}
    found = [fact for fact in facts.about(units) if _names_deputy(fact) and not fact.fact.row]
    if len({folded(fact.fact.value) for fact in found}) != 1:
        return None
    return Attribute(tuple(found), way=(units[folded(found[0].fact.subject.name)],), subject=person)


def _of_people(facts: FactIndex) -> list[StoredFact]:
    """Who stands in for whom, where a line about somebody says it."""
    return [fact for fact in facts.with_relation(["deputy"], TICKET, MOST_DEPUTIES) if fact.fact.subject.kind == "person"]


def _names_deputy(fact: StoredFact) -> bool:
    named = folded(fact.fact.value).split()[:1]
    relation = folded(fact.fact.relation)
    is_deputy = relation in DEPUTIES or relation.split()[:1] == ["deputy"]  # "Deputy / who covers"
    return is_deputy and not fact.fact.until and bool(named) and _NOBODY.isdisjoint(named)
