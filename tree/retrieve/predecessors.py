"""Who did somebody's job before, and who stands in for somebody, as a line says it outright: "Ada Byron – head of the lab (since May
2021; before her Cy Noll)", "Ben Marsh is on leave until June; until then Dora Quill stands in".

Only full names are read, and only where one line names both. These are facts of people, the entities of T-RAG (arXiv 2402.07483).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts.extractive.dates import days
from prompts.regex import regex
from tree.retrieve.units import PERSON_NAME
from tree.store.leaves import Entity, Fact

PREDECESSOR, STAND_IN = "predecessor", "stand-in"  # relations of a person
_REVERSE = {PREDECESSOR: "successor", STAND_IN: "stands in for"}  # the same, of the other
LONGEST = 600  # characters of a line that are read

_NAME = rf"(?<![\w'’-]){PERSON_NAME}"
_MARK = r"[*_]{0,2}"
_FIRST = regex(
    rf"[ \t]*(?:[-*+] +|\d{{1,2}}[.)] +)?(?:[A-Z][^:\n|]{{1,40}}:{_MARK} +)?{_MARK}(?:(?:Dr|Prof|Mr|Ms|Mrs)\.? )?(?P<holder>{PERSON_NAME})"
)
_TITLE = r"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.? )?"
_BEFORE = (
    regex(rf"\b[Bb]efore (?:him|her|them|that)(?:,? (?:it|this|that) was|,? (?:came|was)|[,:])? {_MARK}{_TITLE}(?P<before>{_NAME})"),
    regex(rf"\b(?:follows|followed|succeeds|succeeded|took the job over from|(?:is )?(?:the )?successor (?:of|to)) {_MARK}{_TITLE}(?P<before>{_NAME})"),
    regex(rf"\b[Uu]ntil [^.;\n]{{3,30}}? (?:this|it|that) was {_MARK}{_TITLE}(?P<before>{_NAME})"),
    regex(rf"\b(?:[Vv]or (?:ihm|ihr)(?: war es)?|Nachfolger(?:in)? von|folgt auf|[Aa]vant (?:lui|elle)|succède à) {_MARK}{_TITLE}(?P<before>{_NAME})"),
)  # fmt: skip
_STANDS_IN = r"(?:stands? in|covers?|is covering|takes? over|fills? in|steps in|deputi[sz]es|vertritt|remplace)"
_MEANWHILE = regex(
    rf"\b(?:[Uu]ntil then|[Mm]eanwhile|[Ii]n the meantime|[Dd]uring (?:that|this) time|[Ss]o long|[Bb]is dahin|[Ss]olange),? {_MARK}{_TITLE}(?P<other>{_NAME}){_MARK} {_STANDS_IN}\b"
)
_FOR = regex(
    rf"(?P<other>{_NAME}){_MARK}(?: \([^()\n]{{1,40}}\))? (?:{_STANDS_IN} (?:for )?|is the stand-in (?:for|of) |vertritt |remplace ){_MARK}{_TITLE}(?P<holder>{_NAME})"
)
_ACTING = regex(  # in a table of who does what too: "Ada Byron, acting until May for Cy Noll"
    rf"(?P<other>{_NAME}){_MARK},? \(?(?:acting|standing in|ad interim|kommissarisch)(?P<when>[^.;|()\n]{{0,60}}?) (?:for|für) {_MARK}{_TITLE}(?P<holder>{_NAME})"
)
# a line without one of these says nothing of it; on which lines there may be a name takes many times longer to find out
_TELLING = (
    "efore him", "efore her", "efore them", "efore that", "follows ", "followed ", "succeeds ", "succeeded ", "took the job over from ",
    "successor ", "ntil ", "or ihm", "or ihr", "Nachfolger", "folgt auf ", "vant lui", "vant elle", "succède à ",
    "stand in", "stands in", "cover", "take over", "takes over", "fill in", "fills in", "steps in", "deputi", "vertritt", "remplace",
    "is the stand-in ", "acting", "standing in", "ad interim", "kommissarisch",
)  # fmt: skip
_ON_A_DAY = regex(r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:today|tomorrow|tonight|week|shift)\b", re.IGNORECASE)
_NO_NAME = frozenset("The This That From Since Until Before After Ask Call See Team Crew Group New Old".split())


def predecessor_facts(text: str) -> list[Fact]:
    """Who held the job of somebody before, and who stands in for whom, in the order of the text."""
    words = [word for word in _TELLING if word in text]
    lines = _lines(text) if words else ()
    telling = ((start, line) for start, line in lines if any(word in line for word in words))
    return [fact for start, line in telling for fact in (*_acting(start, line), *_of_line(start, line))]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.splitlines(keepends=True):
        if not line.lstrip().startswith(("#", "```")):
            yield at, line.rstrip()[:LONGEST]
        at += len(line)


def _acting(start: int, line: str) -> Iterator[Fact]:
    for match in _ACTING.finditer(line):
        end = start + len(line)
        last = max((day for day in days(match["when"]) if day.day), default=None)
        value = f"{match['other']}, until {last.in_words}" if last is not None else match["other"]
        yield from _fact(match["holder"], STAND_IN, value, start, end, match["other"])
        yield from _fact(match["other"], PREDECESSOR, match["holder"], start, end)


def _of_line(start: int, line: str) -> Iterator[Fact]:
    if line.lstrip().startswith("|"):  # what stands in two cells is of two things
        return
    first = _FIRST.match(line)
    holder = first["holder"] if first is not None else ""
    if holder:
        for pattern in _BEFORE:
            if (match := pattern.search(line, first.end() if first is not None else 0)) is not None:
                yield from _fact(holder, PREDECESSOR, match["before"], start, start + len(line))
                break
        if (match := _MEANWHILE.search(line)) is not None:
            absent = _last_named(line, match.start()) or holder
            last = max((day for day in days(line[: match.start()]) if day.day), default=None)
            other = f"{match['other']}, until {last.in_words}" if last is not None else match["other"]
            yield from _fact(absent, STAND_IN, other, start, start + len(line), match["other"])
    for match in _FOR.finditer(line) if not _ON_A_DAY.search(line) else ():
        yield from _fact(match["holder"], STAND_IN, match["other"], start, start + len(line))


def _last_named(line: str, end: int) -> str:
    """Whom the sentence before speaks of: the name that stands last."""
    names = re.findall(_NAME, line[:end])
    return names[-1] if names else ""


def _fact(person: str, relation: str, value: str, start: int, end: int, other: str = "") -> Iterator[Fact]:
    other = other or value
    if person != other and not {person.split()[0], other.split()[0]} & _NO_NAME:
        holder, another = Entity("person", person, person), Entity("person", other, other)
        yield Fact(holder, relation, value, start, end, another)
        yield Fact(another, _REVERSE[relation], person, start, end, holder)
