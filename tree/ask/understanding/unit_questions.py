"""Questions for the units of an organisation in the words in which people ask: "who ran the Works before Pelle?", "who is Ida's
boss?", "which team is she in?". Each is put as facts answer it, and only where they do."""

from __future__ import annotations

import re

from prompts.regex import regex
from prompts.timespans import NOW_WORDS
from tree.ask.facts.attribute import find_attribute
from tree.retrieve.fact_index import FactIndex
from tree.retrieve.names import Names, tokens
from tree.retrieve.units import COLLEAGUE, FORMER_LEAD, LEAD, MEMBER, UNIT

_LONGEST = 120  # characters of such a question
_NOW = regex(rf"\b(?:{NOW_WORDS}|now|today)\b", re.IGNORECASE)
_HEAD = r"(?:(?:team )?lead(?:er)?|head|boss|manager|superior)"
_BEFORE_THEM = regex(
    r"\A\W*(?:(?:and|but|so|ok|okay)\b[\s,]*)*who (?:was|had|did|ran|led|has)(?: (?:it|that|this|in charge|the (?:lead|head|boss|one)))?"
    r" before(?: (?:him|her|them|that|then))?\W*\Z",
    re.IGNORECASE,
)
_LED_BEFORE = regex(
    rf"\A\W*(?:and )?who (?:led|ran|headed|managed|was (?:the )?{_HEAD} of|was in charge of) (?:the )?(?P<unit>[^?\n]{{2,60}}?)"
    rf"(?: team)? before(?: (?P<whom>[^?\n]{{2,40}}?))?\W*\Z"
    rf"|\A\W*(?:and )?who (?:was|is) the (?:former|previous|last|old) {_HEAD} of (?:the )?(?P<of>[^?\n]{{2,60}}?)\W*\Z",
    re.IGNORECASE,
)
_TEAM = r"(?:team|crew|group|department|unit)"
_TEAM_OF = regex(
    rf"\A\W*(?:and )?(?:which|what) {_TEAM} (?:is|does) (?P<who>[^?\n]{{2,50}}?) (?:in|on|part of|a member of|belong to|work (?:in|for|with)|sit in)\W*\Z"
    rf"|\A\W*(?:and )?(?:which|what)(?: is|['’]s) (?P<whose>[^?\n]{{2,50}}?)['’]s? {_TEAM}\W*\Z",
    re.IGNORECASE,
)
_BOSS_OF = regex(
    rf"\A\W*(?:and )?who(?: is|['’]s) (?P<whose>[^?\n]{{2,50}}?)['’]s? {_HEAD}\W*\Z"
    rf"|\A\W*(?:and )?who(?: is|['’]s) the {_HEAD} of (?P<of>[^?\n]{{2,50}}?)\W*\Z"
    rf"|\A\W*(?:and )?(?:who|whom) does (?P<who>[^?\n]{{2,50}}?) report to\W*\Z"
    rf"|\A\W*(?:and )?who (?:leads|runs|heads) (?:the {_TEAM} (?:of (?P<in>[^?\n]{{2,50}}?)|(?P<that>[^?\n]{{2,50}}?) (?:is|works) in)|(?P<own>[^?\n]{{2,50}}?)['’]s? {_TEAM})\W*\Z",
    re.IGNORECASE,
)
_WHO_IS_IN = regex(
    r"\A\W*(?:and )?who(?: all)?(?: is|['’]s| are| works| sits| belongs)(?: all)? (?:in|on|to|part of|a member of) (?:the )?(?P<unit>[^?\n]{2,60}?)(?: (?:team|crew))?\W*\Z"
    r"|\A\W*(?:and )?(?:(?:who|what|list|show|name)(?: are|['’]re)? )?(?:all )?(?:the )?(?:members|people|staff) (?:of|in|on) (?:the )?(?P<of>[^?\n]{2,60}?)(?: (?:team|crew))?\W*\Z",
    re.IGNORECASE,
)


def asked_of_unit(question: str, names: Names, facts: FactIndex, before: str = "") -> str | None:
    """The question as facts answer it; None where it asks for something else, or nothing is known. `before`: the one before it in
    the chat, which says whose lead "it" was."""
    if len(question) > _LONGEST:
        return None
    said = _NOW.sub("", question)
    if (asked := _LED_BEFORE.match(said)) and " and " not in (asked["whom"] or ""):  # and what else is asked for
        return _told(f"who is the {FORMER_LEAD} of {asked['unit'] or asked['of']}", FORMER_LEAD, names, facts)
    if before and _BEFORE_THEM.match(said):
        told = find_attribute(_NOW.sub("", before), names, facts)
        units = {
            one.fact.subject.name
            for one in (told.facts if told else ())
            if (one.fact.subject.kind, one.fact.relation) == (UNIT, LEAD)
        }
        return _told(f"who is the {FORMER_LEAD} of {units.pop()}", FORMER_LEAD, names, facts) if len(units) == 1 else None
    if asked := _TEAM_OF.match(said):
        person = asked["who"] or asked["whose"]
        _, relation, full = next(iter(_units_of(person, names, facts)), ("", MEMBER, person))
        return _told(f"which team has the {relation} {full}", relation, names, facts)
    if asked := _BOSS_OF.match(said):
        units = {unit for unit, _, _ in _units_of(next(filter(None, asked.groups()), ""), names, facts)}
        return _told(f"who is the {LEAD} of {units.pop()}", LEAD, names, facts, but=asked) if len(units) == 1 else None
    if (asked := _WHO_IS_IN.match(said)) and _is_a_name(unit := asked["unit"] or asked["of"], names):
        return _told(f"who are the {MEMBER}s of {unit}", MEMBER, names, facts)
    return None


def _is_a_name(text: str, names: Names) -> bool:
    """Whether this is a name and nothing else: "the firmware team", and not "the firmware team for the next week"."""
    said = [token for token in tokens(text) if token.folded != "the"]
    return any(one.last - one.first == len(said) for one in names.find(said))


def _units_of(person: str, names: Names, facts: FactIndex) -> list[tuple[str, str, str]]:
    """Each unit that somebody is in, as it is called, with the relation that says so, and the name in full."""
    found = tokens(person)
    mentions = names.find(found)
    if len(mentions) != 1 or "person" not in mentions[0].objects or mentions[0].last - mentions[0].first != len(found):
        return []
    stated = [one.fact for one in facts.with_value(sorted(mentions[0].names))]
    return [
        (one.subject.name, one.relation, one.value)
        for one in stated
        if one.subject.kind == UNIT and one.relation in (MEMBER, COLLEAGUE)
    ]


def _told(asked: str, relation: str, names: Names, facts: FactIndex, but: re.Match[str] | None = None) -> str | None:
    """The question, where facts of this relation answer it; `but`: whoever leads a unit is not their own boss."""
    found = find_attribute(asked, names, facts)
    if found is None or not all((one.fact.subject.kind, one.fact.relation) == (UNIT, relation) for one in found.facts):
        return None
    own = {token.folded for group in (but.groups() if but else ()) if group for token in tokens(group)}
    return None if own and any(own <= {token.folded for token in tokens(one.fact.value)} for one in found.facts) else asked
