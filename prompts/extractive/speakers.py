"""Who says what in a conversation, and in the comments of a ticket."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from prompts.extractive.passages import Passage, written_by
from prompts.line_pattern import LinePattern
from prompts.months import DAY_OF_MONTH, WEEKDAY_BEFORE
from prompts.records import LeafText
from prompts.regex import regex
from prompts.sentences import TEXTS_KEPT

FEWEST_TURNS = 2
SHARE = 0.25  # of the lines with text that begin a turn

_TIME = (
    rf"[\[(]?(?:{WEEKDAY_BEFORE})?(?:\d{{1,4}}[-./:]\d{{1,2}}(?:[-./:, T]{{1,2}}\d{{1,4}}){{0,5}}|{DAY_OF_MONTH},? \d{{1,2}}:\d\d(?::\d\d)?)"
    r"(?:Z|[ ]?UTC|[ ]?[AaPp][Mm])?[\])]?"
)
_NAME = r"(?(early)[\w@]|[A-Z@])[\w.'’-]{0,30}(?: [\w.'’-]{1,20}){0,2}"  # behind a time, a name may be a small one
_TURN = LinePattern(  # a time has its first digit within 15 characters: to try every weekday on each line takes longer
    rf"^[ \t]{{0,3}}(?:[-*] )?[*_]{{0,2}}(?:(?=[^\d\n]{{0,15}}\d)(?P<early>{_TIME})[ \t]{{1,3}}(?:- )?)?[*_]{{0,2}}(?P<name>{_NAME})(?(early)(?: \([^()\n]{{1,20}}\))?|)[*_]{{0,2}}"
    rf"(?::[*_]{{0,2}}[ \t]{{1,3}}|(?(early)[ \t]{{0,3}}\n|(?!))|,?[ \t]{{1,3}}(?:at )?(?P<late>{_TIME}):?[ \t]{{0,3}}(?:\n|\Z))",
    (": ", ":\t", ":*", ":_", *"0123456789"),
    re.MULTILINE,
)
_OTHER_DIGIT = regex(r"[^\x00-\x7f](?<=\d)")  # of another script: `_TURN` knows of it, its words do not
_LABELS = frozenset(  # what stands before a colon and is nobody
    """note warning tip important caution example see status owner owners author date type priority key lead name title version
    severity impact cause reason result decision decided action actions todo time place where when who what why how question answer
    summary description steps expected actual environment url link present apologies attendees agenda subject from to cc sent re
    fwd default required optional input output step part item target goal scope risk""".split()  # noqa: SIM905
)
_FIRST_PERSON = regex(r"\b(?:I|I'm|I've|I'll|we|We|my|My|our|Our|us|me)\b")


@lru_cache(TEXTS_KEPT)
def turns_of(text: str) -> Turns:
    return Turns(text)


class Turns:
    """The turns of a conversation: where each begins, where its words begin, and who speaks."""

    def __init__(self, text: str) -> None:
        turns = _TURN.finditer(text) if text.isascii() or not _OTHER_DIGIT.search(text) else _TURN.whole.finditer(text)
        matches = [match for match in turns if match["name"].split()[0].casefold() not in _LABELS]
        names = Counter(match["name"] for match in matches)
        is_timed = all(match["early"] or match["late"] for match in matches)
        is_conversation = len(names) > 1 and (
            is_timed or (len(names) <= max(3, len(matches) // 2 + 1) and max(names.values()) > 1)
        )
        lines = sum(1 for line in text.split("\n") if line.strip()) if is_conversation else 0
        found = [(match.start(), match.end(), match["name"]) for match in matches]
        self.turns = found if is_conversation and len(found) >= max(FEWEST_TURNS, SHARE * lines) else []
        self._starts = [start for start, *_ in self.turns]

    def spoken(self, passage: Passage) -> Passage:
        """The passage with its speaker, without the name and time that stand before what is said."""
        at = bisect_right(self._starts, passage.start) - 1
        if at < 0 or passage.kind == "heading":
            return passage
        _, begins, name = self.turns[at]
        if passage.start >= begins:
            return replace(passage, speaker=name)
        if passage.end <= begins:
            return replace(passage, kind="heading", speaker=name)  # the name alone
        return replace(passage, start=begins, text=passage.text[begins - passage.start :], speaker=name)


def with_speakers(leaf: LeafText, found: list[Passage]) -> list[Passage]:
    """The passages of a text each with who says it, where it is a conversation."""
    turns = turns_of(leaf.text)
    return [turns.spoken(passage) for passage in found] if turns.turns else found


def with_authors(leaf: LeafText, found: list[Passage]) -> list[Passage]:
    """Those sentences of comments that speak of "I" or "we" with who wrote them."""
    return [
        replace(passage, speaker=author[0])
        if _FIRST_PERSON.search(passage.text) and (author := written_by(leaf, passage.start)) is not None
        else passage
        for passage in found
    ]
