"""Sentences on what is planned, refused, doubted, allowed or so on a condition, where what was done or what is so is asked."""

from __future__ import annotations

import re

from prompts.extractive.asked_values import LIGHT
from prompts.extractive.candidates import Candidate
from prompts.extractive.cues import ACTION_PART
from prompts.language import terms
from prompts.regex import regex

_IRREGULAR = (
    "bought|paid|sent|written|wrote|made|took|taken|given|gave|got|built|sold|brought|found|done|run|ran|begun|began|cut|put|set|met|left|lost|won|held|kept|"
    "spent|told|seen|chosen|chose|gone|went|come|came|become|became|drawn|drew|known|shown|lent|read|hired"
)
_DONE = rf"(?:\w{{1,20}}[^\We]ed|{_IRREGULAR})"
_ASKS_DONE = regex(
    rf"\b(?:did|was|were)\b|\b(?:has|have|had|['’]ve)\b(?! to\b)[^?\n]{{0,80}}?\b{_DONE}\b"
    rf"|\A\W*(?:and )?(?:who|what|when|where|(?:which|how many|how much)(?: [\w-]+){{0,3}}) {_DONE}\b"
)
_ASKS_PLAN = regex(
    r"\b(?:will|shall|should|would|could|might|must|supposed|expected|scheduled|due|going to|to be|plan\w*|propos\w*|promis\w*|suggest\w*|consider\w*|"
    r"refus\w*|declin\w*|intend\w*|decid\w*|agree\w*|want\w*|ask\w*|hop(?:e|es|ed|ing)|try|tried|offer\w*|threat\w*|almost|nearly|deadline|target)\b"
)
_MEANS = (
    r"(?:propos|plan|promis|suggest|consider|contemplat|recommend|refus|declin|intend|hop|want|offer|threaten|request|demand|"
    r"pledg|vow|aim|expect|agre|decid|fail|tri|discuss|ask)"
)
_ONLY_MEANT = regex(  # what stands behind it is not done yet
    r"\b(?:[Ww]ill|[Ss]hall|[Ss]hould|[Ww]ould|[Cc]ould|[Mm]ight|may|[Mm]ust|[Cc]annot|(?:is|are|was|were|be|been|has|have|needs?|ought|going|about|yet|still|due|likely) to"
    r"|[Tt]o be)\b(?! (?:later|then)\b)|['’]ll\b"
    rf"|(?<!\bthe )(?<!\bour )(?<!\ba )\b{_MEANS}(?:e|es|ed|ned|ied|s|ing|ning)?\b(?= (?:[\w'’-]+ ){{0,2}}?(?:to|that|[a-z]{{2,20}}ing)\b)"
    rf"|\b(?:[Aa]lmost|[Nn]early)\b(?= {_DONE}\b)"
)
_PROPOSED = regex(
    r"\b(?:propos(?:ed|es)|suggest(?:ed|s)|want(?:ed|s) to|would (?:like|prefer) to|hop(?:ed|es) to|offered to)\b", re.IGNORECASE
)
_ASKS_PROPOSAL = regex(r"\b(?:propos\w*|suggest\w*|want\w*|lik(?:e|es)|prefer\w*|hop(?:e|es|ed|ing)|offer\w*)\b")
_NONE_HAD_MORE = regex(
    r"\b(?:none|nobody|no[- ]one|no \w+|never|neither)\b[^.;\n]{0,80}?\b(?:more|less|fewer|longer|over|above|under|below)(?: than)? \W{0,3}\Z",
    re.IGNORECASE,
)
_ASKS_MORE = regex(
    r"\b(?:more|less|fewer|longer|over|above|under|below|at most|at least|max\w*|min\w*|most|least|limit\w*|may|can|allow\w*)\b"
)
_DENIES = regex(r"(?:\A|: )\W{0,3}(?:no|nope|not yet|nein|non)[,.;]", re.IGNORECASE)
_CLAUSE_END = regex(r"[,;:.!?(]\s|\b(?:because|since|so that|although|but)\b")
_LONGEST_CLAUSE = 120  # characters
_DOUBTED = regex(
    r"\b(?:might|maybe|perhaps|possibly|presumably|not (?:quite )?(?:sure|certain)|unsure|unclear|unconfirmed|not (?:yet )?confirmed|no idea|"
    r"i (?:think|guess|believe|suppose)|(?:ask\w*|wonder\w*|check\w*) (?:\w+ )?if)\b",
)
_WHETHER = regex(r"\bwhether\b")
_ASKS_DOUBT = regex(
    r"\b(?:might|maybe|perhaps|possibl[ey]|presumably|sure|certain|unsure|unclear|confirm\w*|think|thinks|guess|believe|suppose|ask\w*|wonder\w*|check\w*|whether)\b"
)
_TO_THE_END = 12  # characters behind a doubt that stands at the end of a sentence
_CONDITION = regex(
    r"(?<!\bas )(?<!\beven )\b(?:if|unless|provided|assuming)\b(?! (?:not|any|possible|needed|necessary|required|applicable)\b)",
)
_ON_CONDITION = regex(
    r"(?:\[[^\]\n]{1,30}\])?[^:\n\w]{0,4}(?:[^:\n]{1,40}: )?\W{0,3}(?:if|unless|provided|assuming|subject to)\b"
)
_ASKS_CONDITION = regex(
    r"\b(?:if|unless|provided|assuming|in case|when (?!will\b|is\b|are\b|does\b|do\b|was\b|were\b|did\b|can\b))\b."
)
_LIMIT = regex(
    r"\b(?:must|may|should|shall|can|cannot|ought|allowed)\b(?: ?not| never| no)?\b[^.;\n]{0,50}?\b(?:more than|less than|longer than|exceed|over|above|below|under|at most|beyond)\b"
)
_AT_MOST = regex(r"\b(?:at most|up to|no more than|not more than|maximum(?: of)?|max\.?)\W{0,3}\Z", re.IGNORECASE)
_THERE_ARE = regex(
    r"\bhow many\b.{1,60}\b(?:are|is) (?:there|in|at|on|left|here|kept|held)\b|\bhow many\b.{1,60}\b(?:do|does) .{1,40} have\b"
)
_ASKS_AMOUNT = regex(r"\bhow (?:much|many|high|big|large|old|expensive)\b|\b(?:price|cost|fee|rent|amount|number) of\b")
_ASKS_LIMIT = regex(
    r"\b(?:may|must|can|could|should|allow\w*|limit\w*|max\w*|min\w*|cap|budget|ceiling|at most|most|at least|least|up to|permit\w*|need\w*|requir\w*)\b"
)


def is_only_meant(one: Candidate) -> bool:
    """ "Ken will order 20 chairs", "Ken refused to order 20 chairs": what is planned, proposed, refused or nearly done is not done, nor what
    stands in a list of actions."""
    low = one.question.low
    if _ASKS_DONE.search(low) is None or _ASKS_PLAN.search(low) is not None:
        return False
    if _DENIES.search(one.said) is not None or ACTION_PART.fullmatch(one.passage.heading.strip()) is not None:
        return True
    is_verb_elsewhere = not _unsaid(one)
    for meant in _ONLY_MEANT.finditer(one.said):
        behind = _clause(one.said, meant.end())
        governed = terms(behind)
        if not is_verb_elsewhere and _has_asked(one, governed):
            return True
        doing = [term for term in governed if not term.endswith("ly")][: 2 if " to " in f"{behind} "[:30] else 1]
        if _has_asked(one, doing):
            return True
    return False


def is_proposal(one: Candidate) -> bool:
    """ "Ken proposed to close the gate on 4 May": when it is closed was decided elsewhere, if at all."""
    if _ASKS_PROPOSAL.search(one.question.low) is not None:
        return False
    has_place = one.question.kind != "who" and one.value_at > 0  # of what is asked for: else all of the sentence may be it
    proposed = _PROPOSED.search(one.said, 0, one.value_at) if has_place else _PROPOSED.search(one.said)
    return proposed is not None and _has_asked(one, terms(_clause(one.said, proposed.end())))


def is_doubted(one: Candidate) -> bool:
    """ "I think the gate is closed, not sure": a guess, or that somebody has asked, is no answer."""
    low, said = one.question.low, one.said.casefold()
    if _ASKS_DOUBT.search(low) is not None:
        return False
    doubts = [*_DOUBTED.finditer(said), *(_WHETHER.finditer(said) if one.question.kind != "who" else ())]
    return any(
        len(said.rstrip()) - doubt.end() <= _TO_THE_END or _has_asked(one, terms(_clause(said, doubt.end()))) for doubt in doubts
    )


def is_on_condition(one: Candidate) -> bool:
    """ "If the test is passed, the gate is closed on 4 May" says neither that it was closed nor for sure when it will be."""
    asked, said = one.question, one.said.casefold()
    if _ASKS_CONDITION.search(asked.low) is not None:
        return False
    if asked.kind == "when" and _ON_CONDITION.match(said) is not None:
        return True
    return asked.kind in ("when", "yes_no") and _ASKS_DONE.search(asked.low) is not None and _CONDITION.search(said) is not None


def is_limit(one: Candidate) -> bool:
    """ "Rent must not be more than 400 EUR" does not say what the rent is."""
    low = one.question.low
    if _THERE_ARE.search(low) is not None and _ASKS_LIMIT.search(low) is None and _AT_MOST.search(one.said, 0, one.value_at):
        return True  # "at most 4 vials" are not the vials that are there
    return _ASKS_AMOUNT.search(low) is not None and _ASKS_LIMIT.search(low) is None and _LIMIT.search(one.said) is not None


def is_only_no_more(one: Candidate) -> bool:
    """ "None of the sites had more than four bookings" says of none how many it had."""
    asked = one.question
    if asked.kind != "count" or _ASKS_MORE.search(asked.low) is not None:
        return False
    return _NONE_HAD_MORE.search(one.said, 0, one.value_at) is not None


def _clause(said: str, start: int) -> str:
    """What stands from there to the end of its part of a sentence."""
    end = _CLAUSE_END.search(said, start, start + _LONGEST_CLAUSE)
    return said[start : end.start() if end is not None else start + _LONGEST_CLAUSE]


def _has_asked(one: Candidate, said: list[str]) -> bool:
    """Whether a word of the question is among these."""
    there = frozenset(said)
    return any(word.is_in(there) for word in one.question.needed) or not there.isdisjoint(one.question.terms - LIGHT)


def _unsaid(one: Candidate) -> bool:
    """Whether a word of the question stands nowhere in the sentence: it may be that for what was done."""
    said = {part for word in one.question.needed if word.is_in(one.terms) for part in (word.whole, *word.parts, *word.others)}
    return bool(one.question.terms - LIGHT - one.terms - said)


_ASKS_HOW_IT_WENT = regex(r"\bhow (?:long|much|many|often)\b[^?]{0,40}? (?:did|was|were)\b|\bhow (?:long|much|many) did\b")
_POSSIBLE = regex(r"\b(?:can|could|may|might|will|would|shall)\b(?! not\b)")
_HAPPENED = regex(rf"\b(?:was|were|took|lasted|{_DONE})\b")


def is_only_possible(one: Candidate) -> bool:
    """ "We can go back within seventy minutes" does not say how long it took."""
    before = one.said[: one.value_at]
    return (
        _ASKS_HOW_IT_WENT.search(one.question.low) is not None and bool(_POSSIBLE.search(before)) and not _HAPPENED.search(before)
    )
