"""Sentences that say that somebody has taken somebody else's place: "Cora takes over as lead from Jon", "Cora is my deputy now"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prompts.extractive.section_days import without_chat_head
from prompts.language import terms
from prompts.months import MONTH
from prompts.question import Word
from prompts.regex import regex

_NAME = regex(r"\b[A-ZÀ-Þ][a-zß-ÿ'’-]+\b")
_NO_NAME = regex(
    rf"(?:{MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|The|This|That|These|From|Since|Until|As|At|In|On|For|With|By|And|But|Or|So|If|When|Now|New|Today|Tomorrow|Yesterday|He|She|It|We|They|You|My|Our|Lead|Leader|Deputy|Owner|Team|Head|Contact|Decision|Decided|Please|Ok|Yes|No)\Z",
    re.IGNORECASE,
)
_NEW = regex(  # that it is so now, and was not before
    r"\b(?:now|new|from now on|from today|at once|as of|with immediate effect|becomes?|became|succeeds?|succeeded|replaces?|replaced|instead of|in place of"
    r"|(?:takes?|took|taking|taken) (?:it |this |that |them |these )?over|(?:goes|moves?|moved|passes|passed) (?:over )?(?:from|to)|hands? over|handed over|ab sofort|übernimmt)\b",
    re.IGNORECASE,
)
_OVER_BEFORE = r"(?:(?:takes?|took|taking|taken|goes|moves?|moved|passes|passed|handed|changes|changed)\b[^.;\n]{0,60}\bfrom|instead of|in place of|rather than|succeeds?|succeeded|replaces?|replaced|follows?|no longer|not)"
_OVER_AFTER = r"(?:hands? (?:it |this |that |them )?over|handed (?:it |this |that |them )?over|leaves|left|is leaving|has left|steps? down|stepped down|gives? (?:it )?up|gave (?:it )?up|stops|is no longer|no longer)"
_BESIDES = regex(r"[(;]|\b(?:since|until|before|formerly|previously)\b", re.IGNORECASE)
_OWN = regex(r"\b(?:I|my|me|mine|myself)\b")
_OBJECT = regex(
    r"\b(?:takes?|took|taking|taken|hands?|handed) over (?:the|an?|our|my|his|her|their|all) (?P<what>[\w'’-]+(?: [\w'’-]+)?)",
    re.IGNORECASE,
)
_BEING = frozenset("is are as becomes become became new my our his her their be".split())  # noqa: SIM905 - read as text
_WORD = regex(r"[\w'’-]+")
NEAR = 3  # words between what somebody is and the word that says that they are it
_SECOND = frozenset(terms("deputy substitute vice assistant stand-in"))


def names_in(text: str) -> frozenset[str]:
    """The words of a text that may be of names."""
    return frozenset(match.group() for match in _NAME.finditer(text) if _NO_NAME.match(match.group()) is None)


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody is, or does, of a thing: the words of a question for it, and what a table or a label calls it."""

    words: Sequence[Word]
    relation: str
    thing: frozenset[str]  # terms by which the question names what it is a role of

    def is_in(self, text: str) -> bool:
        there = frozenset(terms(text))
        return not there.isdisjoint(terms(self.relation)) or any(word.is_in(there) for word in self.words)

    @property
    def is_second(self) -> bool:
        return not _SECOND.isdisjoint(terms(self.relation))


def is_succeeded(person: str, said: str, role: Role) -> bool:
    """Whether a sentence on a thing, or by somebody of what is theirs, says that somebody else has now the role that this person had."""
    body = without_chat_head(said)
    is_own = not role.thing <= set(terms(body))
    if (is_own and _OWN.search(body) is None) or _NEW.search(body) is None or _takes_over_other(body, role):
        return False
    others = {name for name in names_in(body) - _names_of(person) if role.thing.isdisjoint(terms(name))}
    if not others:
        return False
    return names_as_over(person, body) or (_has_role(body, role) and _names_of(person).isdisjoint(names_in(body)))


def is_succeeded_for_sure(person: str, said: str, role: Role) -> bool:
    """Whether it says so of just this role and of this person: "Cora is the new lead" may be of a part of it."""
    is_second = not _SECOND.isdisjoint(terms(said))
    return names_as_over(person, said) and _has_role(said, role) and is_second == role.is_second


def _names_of(person: str) -> frozenset[str]:
    """The words of the name of whoever has it, without those before them: "Team Quay, since 1 June (before: Team Chart)"."""
    return names_in(_BESIDES.split(person, maxsplit=1)[0])


def names_as_over(person: str, said: str) -> bool:
    """Whether it is said of a person that they have it no more: "from Jon", "Jon hands over"."""
    names = "|".join(re.escape(name) for name in sorted(_names_of(person)))
    if not names:
        return False
    before = rf"\b{_OVER_BEFORE} (?:(?:[Tt]he|[Tt]eam|[Cc]rew) ){{0,2}}(?:{names})\b"
    after = rf"\b(?:{names})(?: (?:{names}))? {_OVER_AFTER}\b"
    return re.search(f"{before}|{after}", said) is not None


def _takes_over_other(body: str, role: Role) -> bool:
    """Whether what is taken over is something else: "takes over the stand-ups"."""
    match = _OBJECT.search(body)
    return match is not None and not role.is_in(match["what"]) and role.thing.isdisjoint(terms(match["what"]))


def _has_role(body: str, role: Role) -> bool:
    """Whether somebody is said to be it, "as lead", "is my deputy", or to do it with the thing: "leads Search"."""
    said = _WORD.findall(body)
    for at, word in enumerate(said):
        if role.is_in(word) and (
            not _BEING.isdisjoint(one.casefold() for one in said[max(0, at - NEAR) : at])
            or not role.thing.isdisjoint(terms(" ".join(said[at + 1 : at + 1 + NEAR])))
        ):
            return True
    return False
