"""Questions for who did somebody's job before, and who stands in for somebody, in the words in which people ask: "whose job did Ida
take over?", "who covers for Per?". Each is put as facts answer it, and only where they do."""

from __future__ import annotations

import re

from prompts.regex import regex
from prompts.timespans import NOW_WORDS
from tree.ask.facts.attribute import find_attribute
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names, tokens
from tree.retrieve.predecessors import PREDECESSOR, STAND_IN
from tree.retrieve.units import DEPUTY, LEAD, UNIT

LONGEST = 120  # characters of such a question
_NOW = regex(rf"\b(?:{NOW_WORDS}|now|today)\b", re.IGNORECASE)
_JOB = r"(?:job|role|post|position|place|office|seat|work)"
_WHO = r"(?P<{0}>[^?\n]{{2,50}}?)"
_LED_IN = r"\A\W*(?:(?:and|but|so|ok|okay)\b[\s,]*)*"
_BEFORE = regex(
    rf"{_LED_IN}(?:who (?:did|had|held|was doing|was in) {_WHO.format('whose')}['’]?s? {_JOB} before(?: (?:him|her|them|that|then))?"
    rf"|who (?:was|came|did (?:it|that|this)|did (?:that|this|the) {_JOB}|(?:had|held) (?:it|that|this|the)(?: {_JOB})?) before {_WHO.format('before')}"
    rf"|whose {_JOB} did {_WHO.format('took')} (?:take over|get|inherit)|who did {_WHO.format('did')} (?:take over from|follow|succeed|replace)"
    rf"|who(?: is|['’]s| was) {_WHO.format('pre')}['’]?s? predecessor|who(?: is|['’]s| was) the predecessor of {_WHO.format('of')}"
    rf"|wer war vor {_WHO.format('vor')}(?: da)?|wer hat(?:te)? (?:den job|die stelle|das) vor {_WHO.format('hatte')}(?: gemacht)?|wessen nachfolger(?:in)? ist {_WHO.format('nach')})\W*\Z",
    re.IGNORECASE,
)
_STANDS_IN = regex(
    rf"{_LED_IN}(?:who(?: is|['’]s|s)?(?: currently| now)? (?:covers?|covering|stands? in|standing in|fills? in|filling in|deputi[sz]es|deputi[sz]ing|steps in|replaces|replacing)(?: for)? {_WHO.format('for')}"
    rf"|who(?: is|['’]s) {_WHO.format('whose')}['’]?s? (?:stand-?in|deputy|substitute|replacement|cover)|who(?: is|['’]s) the (?:stand-?in|deputy|substitute|replacement) (?:of|for) {_WHO.format('of')}"
    rf"|wer vertritt {_WHO.format('wen')})(?: (?:when|while|whilst|during|as long as|until|if|wenn|solange|this|for)\b[^?\n]{{0,60}})?\W*\Z",
    re.IGNORECASE,
)


def asked_of_predecessor(question: str, names: Names, facts: FactIndex) -> str | None:
    """The question as facts answer it; None where it asks for something else, or nothing is known."""
    said = _NOW.sub("", question).strip() if len(question) <= LONGEST else ""
    for pattern, relation in ((_BEFORE, PREDECESSOR), (_STANDS_IN, STAND_IN)):
        if (match := pattern.match(said)) is None:
            continue
        person = _in_full(next(filter(None, match.groups())), names)
        if not person:
            return None
        asked = f"who is the {relation} of {person}"
        if _says(asked, ("person", relation), names, facts):
            return asked
        units = _led_by(person, names, facts) if relation == STAND_IN else set()
        asked = f"who is the {DEPUTY} of {units.pop()}" if len(units) == 1 else ""
        return asked if asked and _says(asked, (UNIT, DEPUTY), names, facts) else None
    return None


def _in_full(said: str, names: Names) -> str:
    """The one person these words name; empty where they name nobody, more than that, or one of several."""
    found = tokens(said)
    mentions = names.find(found) or names.find(tokens(said.removesuffix("s")))  # "renskes job"
    if (
        len(mentions) != 1
        or "person" not in mentions[0].objects | mentions[0].kinds
        or mentions[0].last - mentions[0].first != len(found)
    ):
        return ""
    full = [name for name in mentions[0].names if " " in name]
    return full[0].title() if len(full) == 1 else ""


def _led_by(person: str, names: Names, facts: FactIndex) -> set[str]:
    """One name of each unit that somebody leads: a line that says so may give it several."""
    stated = facts.with_value(sorted(names.full(folded(person)) or {folded(person)}))
    return set(
        {
            (one.place, one.fact.start): one.fact.subject.name
            for one in stated
            if (one.fact.subject.kind, one.fact.relation) == (UNIT, LEAD)
        }.values()
    )


def _says(asked: str, relation: tuple[str, str], names: Names, facts: FactIndex) -> bool:
    """Whether facts of just this relation answer it."""
    found = find_attribute(asked, names, facts)
    return found is not None and all((one.fact.subject.kind, one.fact.relation) == relation for one in found.facts)
