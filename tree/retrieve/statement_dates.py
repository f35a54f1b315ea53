"""When something was said or happened: by the statement itself, the comment or section it stands in, or its document.

Dates without a year, a weekday or "today" are read by the date around them; nothing is guessed without one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prompts.extractive.dates import Day, days
from prompts.line_pattern import LinePattern
from prompts.months import MONTH, number_of
from prompts.regex import regex

_NAME = rf"((?=[A-ZÄÖÜ]){MONTH})"
_DAY_MONTH = regex(rf"(?<![\d.,:])(\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? {_NAME}\b\.?(?!,? \d{{4}})")
_MONTH_DAY = regex(rf"\b{_NAME}\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?!,? \d{{4}}|[:.]\d)")
_DECIDED_ON = regex(
    r"\b(?:decided|agreed|approved|adopted|accepted|rejected|ratified|voted|chosen|selected|signed|confirmed)\b(?:(?! to\b| that\b)[^.;:\n]){0,40}? on "
    r"((?:[A-Z][a-z]{2,8},? )?(?:the )?[^.;:,\n]{4,24})", re.IGNORECASE
)  # fmt: skip
_LEADING = regex(
    r"\W{0,6}(?:(?:On )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?"
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_NAME}\.?(?:,? \d{{4}})?|{_NAME}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)\b"
)
_CLOCK = regex(r"\W{0,6}(?:at )?\d{1,2}:\d\d\b", re.IGNORECASE)
_WRITTEN = regex(r"[^\n#,][^\n,]{0,60}, (\d{4}-\d\d-\d\d)(?: \d\d:\d\d(?: UTC)?)?")
_LABELLED = LinePattern(
    r"^(?:[-*+] +)?(?:\*\*|__)?(?:Date|Decided|Decided on|Decision date|Meeting date|Created|When|Day)(?:\*\*|__)?:(?:\*\*|__)? *(\S(?:(?![.;|·] +(?:\*\*|__)?[A-Z][a-z]{2,20}(?: [a-z]{2,12})?:)[^\n]){0,80})",
    "date|decided|created|when|day",
    re.MULTILINE | re.IGNORECASE,
)
_OTHER_DAY = regex(  # a day that something else is measured by: "sailings after 27 September"
    rf"\b(?:after|before|until|till|by|for|from|since|valid) (?:the )?(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_NAME}\b\.?(?:,? \d{{4}})?)",
    re.IGNORECASE,
)
_ROW = regex(r"^[ \t]*\|[^\n]*", re.MULTILINE)  # of a table, whose days are of what stands in it
HEAD = 400  # characters at the beginning of a document in which it says of when it is
LINES_BACK = 40  # above a line that begins with a time, to the one that begins with a day


@dataclass(frozen=True, slots=True)
class Dating:
    """What a leaf says of when it is: `place` is where it stands, `headings` those above it, the document's title first."""

    text: str
    headings: Sequence[str]
    place: str = ""

    def around(self, sections: Sequence[str], first: bool) -> str:
        """The date of a statement below these headings of the leaf, the outermost first, by what stands around it.

        `first` says whether the leaf begins its document, whose opening lines then tell the date.
        """
        for heading in reversed(sections):
            if (written := _WRITTEN.fullmatch(heading.strip())) is not None:
                return written[1]
        for heading in (*reversed(sections), *reversed(self.headings)):
            if found := _latest(heading):
                return found
        if (labelled := _LABELLED.search(self.text, 0, 2_000)) and (found := _latest(labelled[1])):
            return found
        opening = _latest(_ROW.sub("", self.text[:HEAD].split("\n## ", 1)[0])) if first else ""
        return opening or _latest(self.place.rpartition("#")[0] or self.place)


def decided_on(said: str, around: str) -> str:
    """The day of a decision: the one it says it was made on, else that around it."""
    if (leading := _LEADING.match(said)) and (found := _first(leading.group(), around)):
        return found
    match = _DECIDED_ON.search(said)
    return (_first(match[1], around) if match else "") or around


def happened_on(text: str, start: int, said: str, around: str) -> str:
    """The day of an event: the first it names; that of the lines above, where it begins with a time; else that around it."""
    if found := _first(_OTHER_DAY.sub(" ", said), around):
        return found
    if _CLOCK.match(said):
        above = text[:start].rsplit("\n", LINES_BACK)[1:]
        for line in reversed(above):
            if (leading := _LEADING.match(line)) and (found := _first(leading.group(), around)):
                return found
    return around


def due_on(said: str, around: str) -> str:
    """A date that something is due on, as ISO 8601; empty where it names none."""
    return _first(said, around)


def _latest(text: str) -> str:
    found = [day for day in days(text) if day.month <= 12]
    exact = [day for day in found if day.day] or found
    return str(max(exact)) if exact else ""


def _first(text: str, around: str) -> str:
    """The first date of a text that is exact to the day, one without a year by the date around it."""
    exact = [day for day in days(text) if day.day]
    if exact:
        return str(exact[0])
    if not around:
        return ""
    found = [(match.start(), int(match[1]), match[2]) for match in _DAY_MONTH.finditer(text)]
    found += [(match.start(), int(match[2]), match[1]) for match in _MONTH_DAY.finditer(text)]
    for _, day, name in sorted(found):
        if 1 <= day <= 31:
            return str(_near(int(around[:4]), int(around[5:7]), number_of(name), day))
    return ""


def _near(year: int, around: int, month: int, day: int) -> Day:
    """The day without a year that is nearest to the month around it."""
    if month - around > 6:
        return Day(year - 1, month, day)
    return Day(year + 1, month, day) if around - month > 6 else Day(year, month, day)
