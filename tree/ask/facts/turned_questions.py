"""Questions that ask the other way round than a column is stated ("whose deputy is Ida", "what did Ida report"), and those that ask
for more of a row than one cell of it says: when something was done that is only due, whether the thing that somebody has is ready."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from prompts.extractive.dates import days
from prompts.language import terms
from prompts.question import analyse
from prompts.regex import regex
from tree.ask.facts.attribute import LIGHT, Attribute
from tree.ask.facts.described_row import PLACES
from tree.ask.facts.leading_roles import DEPUTIES, LEADS
from tree.retrieve.fact_index import FactIndex, StoredFact, folded

_OF_WHOM = regex(  # who is it whose deputy, manager ... the one named is
    r"\A\W*(?:and )?(?:whose (?P<whose>[\w -]{2,40}?) (?:is|are|was|were) [^?]{2,60}|[^?]{2,60} (?:is|was) whose (?P<is_whose>[\w -]{2,40}?)"
    r"|who (?:has|have|had) [^?]{2,60} as (?:(?:an?|the|his|her|their) )?(?P<has_as>[\w -]{2,40}?)"
    r"|who(?:m)? (?:does|do|did|can|will) [^?]{2,60} (?P<does_for>stand in|fill in|step in|cover|deputi[sz]e|substitute|take over) for"
    r"|who(?:m|se)? (?:is|was) [^?]{2,60} (?P<is_of>[\w-]{2,30}) (?:of|for|to)"
    r"|who(?:m)? (?:does|do|did) [^?]{2,60} (?P<does>[\w-]{2,30}))\W*\Z",
    re.IGNORECASE,
)
_OF_WHAT = regex(  # what is it that the one named reported, is responsible for ...
    r"\A\W*(?:and )?(?:what|which)\b[^?]{0,40} (?:(?:does|do|did|has|have|had) [^?]{2,60} (?P<does>[\w-]{2,30})"
    r"|(?:is|are|was) [^?]{2,60} (?P<is_for>responsible|accountable|in charge|[\w-]{3,30}) (?:for|of))\W*\Z",
    re.IGNORECASE,
)
_IS_ROLE_OF = regex(
    r"\A\W*(?:is|was) [^?]{2,60}? (?:(?P<whose>[\w.-]{2,30})['’]s? [\w -]{2,40}|(?:an?|the) [\w -]{2,30} (?:of|for) (?P<of>[^?]{2,60}?))\W*\Z",
    re.IGNORECASE,
)
_STANDING_IN = frozenset(terms("stand stands fill step cover deputise deputize substitute take over"))
_DOER = regex(r"(?:\w+(?:er|or)|responsible|accountable)", re.IGNORECASE)  # the last word of the label of who does something
_NO_DOERS = frozenset("for number other order color paper member user folder letter water power".split())
_DONE = regex(r"\b(?:when (?:was|were|did)|(?:has|have|had|was|were) (?!to\b)[^?]{1,80} been)\b", re.IGNORECASE)
_YES_NO = regex(r"\A\W*(?:and )?(?:is|are|was|were|has|have|did)\b", re.IGNORECASE)
_DUTY = regex(r"\b(?:have to|must|should|need|needs|to be|supposed|meant)\b", re.IGNORECASE)
_DUE = frozenset(terms("due deadline"))
_TO_COME = _DUE | frozenset(terms("planned plan target next expected scheduled upcoming"))  # in the label of a day
_ASKS_OF_PAST = regex(r"\A\W*(?:and )?when (?:was|were|did|has|have|is|are)\b", re.IGNORECASE)
_BARE_DATES = frozenset("date day datum on when".split())
_STATES = frozenset("status state stage phase progress condition outcome stand zustand".split())
_INTENDED = frozenset("decision action task todo plan request proposal idea measure measures resolution".split())
_OF_DECIDING = frozenset(terms("decide agree resolve approve propose request plan"))
_OWNED = regex(r"['’]s? (?P<thing>[\w-]{2,30})(?P<rest>[^?]{0,80})", re.IGNORECASE)
_WHERE = regex(r"\A\W*(?:and )?where\b", re.IGNORECASE)
_PLACED = PLACES | frozenset("office desk seat building floor street address home base yard bay berth gate dock".split())
_BEFORE_MORE = frozenset("in of at on for since until and with from to by this today now currently as during per".split())


def turned(text: str, answer: Attribute, facts: FactIndex) -> Attribute | None:
    """The answer the right way round where the question is turned: who has the one named in the column, and not who stands in it beside
    the one named; None where nobody has."""
    if answer.is_reverse or not answer.facts or answer.is_crossed:
        return answer
    if (asked := _IS_ROLE_OF.match(text)) is not None and analyse(text).kind == "yes_no":
        of = set(terms(asked["whose"] or asked["of"]))
        people = all(_is_person_in(fact) for fact in answer.facts)
        return None if people and not any(_is_of_name(fact, of, facts) for fact in answer.facts) else answer
    for form in (_OF_WHOM, _OF_WHAT):
        match = form.match(text)
        said = set(terms(next(filter(None, match.groups()), ""))) if match is not None else set()
        if said and all(_is_doer(fact, said) for fact in answer.facts):
            return _the_other_way(answer, facts)
    return answer


def _is_person_in(fact: StoredFact) -> bool:
    return fact.fact.object is not None and fact.fact.object.kind == "person"


def _is_of_name(fact: StoredFact, said: set[str], facts: FactIndex) -> bool:
    """Whether what it is stated of is called so, itself or in another cell of its row."""
    return any(said <= set(terms(name)) for name in _names_beside(fact, facts))


def _names_beside(fact: StoredFact, facts: FactIndex) -> list[str]:
    beside = facts.lines([fact.line]) if fact.fact.row else []
    return [fact.fact.subject.name, *(cell.fact.value for cell in beside if cell.fact.relation != fact.fact.relation)]


def _is_doer(fact: StoredFact, said: set[str]) -> bool:
    """Whether it names who does what the question says: its "Reporter" where it asks what somebody reported."""
    label = folded(fact.fact.relation)
    if label in DEPUTIES and said & _STANDING_IN:
        return True
    last = re.split(r"[\W_]+", label)[-1]
    is_doer = (
        label in DEPUTIES or last in (LEADS | {"contact"}) - {"leads", "run"} or (_DOER.fullmatch(last) and last not in _NO_DOERS)
    )
    return bool(is_doer) and bool({_stem(term) for term in said} & {_stem(term) for term in terms(label)})


def _stem(term: str) -> str:
    """A verb and who does it as one: "report", "reporter"."""
    return term.removesuffix("e").removesuffix("er").removesuffix("or")


def _the_other_way(answer: Attribute, facts: FactIndex) -> Attribute | None:
    """The things in whose cells of the same column the one named stands; None where there are none, or several are called so."""
    subject = set(terms(answer.subject))
    full = {folded(name) for fact in answer.facts for name in _names_beside(fact, facts) if subject <= set(terms(name))}
    names = full - {folded(answer.subject)}
    if len(names) > 1:
        return None  # two people of that name
    names.add(folded(answer.subject))
    columns = {(fact.fact.group, folded(fact.fact.relation)) for fact in answer.facts}
    found = tuple(
        fact
        for fact in facts.with_value(sorted(names))
        if (fact.fact.group, folded(fact.fact.relation)) in columns and not fact.fact.until
    )
    return replace(answer, facts=found, way=(), is_reverse=True) if found else None


def says_less(text: str, answer: Attribute, facts: FactIndex) -> bool:
    """Whether what was found says less than what is asked: a day to come, the day of something else, or the name of the thing that is
    asked about."""
    if answer.is_reverse or not answer.facts:
        return False
    said = set(terms(text))
    is_of_done = (_DONE.search(text) or _YES_NO.match(text)) and _DUTY.search(text) is None and not said & _TO_COME
    if is_of_done and all(map(_is_to_come, answer.facts)):
        return True  # what is due has not been done
    beside = facts.lines(dict.fromkeys(fact.line for fact in answer.facts if fact.fact.row))
    return _is_of_other_day(text, said, answer.facts, beside) or _is_name_of_thing(text, answer.facts, beside)


def _is_to_come(fact: StoredFact) -> bool:
    label = set(terms(fact.fact.relation))
    return bool(label & _DUE) or bool(label & _TO_COME and any(days(fact.fact.value)))


def _is_of_other_day(text: str, said: set[str], found: Sequence[StoredFact], beside: Sequence[StoredFact]) -> bool:
    """Whether a bare date is taken for the day of what a row says has come of it since, or is to be done: when A-1 was ordered is not when
    it was delivered."""
    if not _ASKS_OF_PAST.match(text) or not all(fact.fact.row and folded(fact.fact.relation) in _BARE_DATES for fact in found):
        return False
    labels = {term for cell in beside for term in terms(cell.fact.relation)}
    states = {term for cell in beside if _is_in(cell, _STATES) for term in terms(cell.fact.value)}
    if said & states - labels:
        return True
    intended = {term for cell in beside if _is_in(cell, _INTENDED) for term in terms(cell.fact.value)[:1]}
    return bool(said & intended) and not said & _OF_DECIDING


def _is_name_of_thing(text: str, found: Sequence[StoredFact], beside: Sequence[StoredFact]) -> bool:
    """Whether more is asked of a thing that somebody has than what it is called: "is Ida's car ready", "where is Ida's car"."""
    values = {term for fact in found for term in terms(fact.fact.value)}
    for owned in _OWNED.finditer(text):
        thing = terms(owned["thing"])
        if not all(fact.fact.row and terms(fact.fact.relation) == thing for fact in found):
            continue
        if _WHERE.match(text) and not any(_is_in(fact, _PLACED) for fact in found):
            return True
        rest = owned["rest"].split()
        more = {term for word in rest for term in terms(word)} - LIGHT - set(thing)
        if more and rest[0].casefold() not in _BEFORE_MORE and not more & values:
            return True
    states = {term for cell in beside if _is_in(cell, _STATES) for term in terms(cell.fact.value)}
    is_of_state = any(_is_in(fact, _STATES) for fact in found)
    return bool(_YES_NO.match(text)) and not is_of_state and bool(set(terms(text)) & states - values - LIGHT)


def _is_in(fact: StoredFact, labels: frozenset[str]) -> bool:
    return not labels.isdisjoint(re.split(r"[\W_]+", folded(fact.fact.relation)))
