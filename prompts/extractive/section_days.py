"""The day of the section of a text in which something stands, of its line in a chat or of its mail: minutes of many meetings in one file, a
log with a heading for each day, a thread."""

from __future__ import annotations

import re

from prompts.extractive.dates import Day, days
from prompts.months import DAY_OF_MONTH, MONTH, WEEKDAY_BEFORE, number_of
from prompts.regex import regex
from prompts.text_lines import line_start

OPENING = 200  # characters of a text in which it says of which time it is
LONGEST_LINE = 80  # characters of a line that says of when what stands below it is
MOST_WORDS = 6  # of such a line beside its date, where it is no heading
DEEPEST = 7  # the level of a line that is marked by nothing: below any heading
_HEADING = regex(r"(?P<marks>#{1,6})\s+(?P<title>\S[^\n]*)")
_HEADINGS = regex(r"^#{1,6}\s+(?P<title>\S[^\n]*)", re.MULTILINE)
_NO_YEAR = regex(rf"(?<![\d.])(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})", re.IGNORECASE)
_SHORT = regex(
    r"(?<![\d./-])(?P<day>\d{1,2})(?P<mark>[./])(?P<month>\d{1,2})(?P=mark)(?P<year>(?:20)?\d\d)(?![\d./-])"
)  # 8/10/26
CHAT_HEAD = regex(  # "[Wed 25.11. 09:05] Ada Holm: ", "2026-11-25 09:05 Ada: ", "[25 Nov 09:05] Ada: "
    rf"[\[(]?(?:{WEEKDAY_BEFORE})?(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<day>\d{{1,2}})[./](?P<month>\d{{1,2}})(?:[./](?P<year>(?:20)?\d\d)?)?|(?P<named>{DAY_OF_MONTH})),?[ T]{{1,2}}"
    r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]?[ \t]{0,3}(?:- )?[\w@][\w.'’-]{0,30}(?: [\w.'’-]{1,20}){0,2}(?: \([^()\n]{1,20}\))?: "
)
_TIMED = regex(r"[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?[ \t]{0,3}(?:- )?[\w@][^:\n]{0,60}: ")
_MAIL_HEAD = regex(
    r"^(?:(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|Datum|Gesendet|De|À|Objet|Envoyé) ?: [^\n]*\n){2,8}", re.MULTILINE
)
_SENT = regex(r"^(?:Date|Sent|Datum|Gesendet|Envoyé) ?: (?P<day>[^\n]{6,60})$", re.MULTILINE)
_DAY_LINE = regex(rf"^[ \t]*[-–—=*#]{{2,}} ?(?:{WEEKDAY_BEFORE})?(?P<day>[^\n]{{3,30}}?)[ \t]*[-–—=*#]*$", re.MULTILINE)
_ANY_YEAR = regex(r"\b20\d\d\b")
_WORD = regex(r"[^\W\d_]{2,}")
_RULE = regex(r"\W*\Z")
_ITEM = regex(r"\s*(?:[-*+•|>\[]|\d{1,3}[.)]|[a-z]\))\s*")


def mail_day(text: str, at: int) -> Day | None:
    """The day on which the mail was sent in which `at` stands, of several that are kept in one text, each below its head."""
    head = next(reversed([*_MAIL_HEAD.finditer(text, 0, max(at + 1, text.find("\n\n", at)))]), None)
    sent = _SENT.search(head.group()) if head is not None else None
    return _day_of(sent["day"]) if sent is not None else None


def before_mails(text: str) -> str:
    """What stands above the first mail of a text."""
    head = _MAIL_HEAD.search(text)
    return text[: head.start()] if head is not None else text


def chat_day(text: str, at: int, title: str = "") -> Day | None:
    """The day that the line of a chat begins with in which `at` stands; one without a year is of the year that its title names, or the
    lines above the first ones. None for a line of no chat, or where nothing tells the year."""
    begins = line_start(text, at)
    head = CHAT_HEAD.match(text, begins)
    if head is None:
        line = day_line_above(text, begins)
        return _day_of(line) or _in_year_named(text, line, title) if line else None
    if head["iso"]:
        return next(iter(days(head["iso"])), None)
    if head["named"]:
        return next(iter(days(head["named"])), None) or _in_year_named(text, head["named"], title)
    day, month = int(head["day"]), int(head["month"])
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    if head["year"]:
        return Day(2000 + int(head["year"]) % 100, month, day)
    year = _year_named(text, title)
    return Day(year, month, day) if year else None


def without_chat_head(line: str) -> str:
    """What a line of a chat says, without when and by whom; any other line as it is."""
    head = CHAT_HEAD.match(line) or _TIMED.match(line)
    return line[head.end() :] if head is not None else line


def day_line_above(text: str, begins: int) -> str:
    """Of a line of a chat that begins with a time alone, "[09:12] Ada: ...", the line with its day, "--- 25 Nov ---"; empty for others."""
    if _TIMED.match(text, begins) is None:
        return ""
    line = next(reversed([*_DAY_LINE.finditer(text, 0, begins)]), None)
    return line["day"] if line is not None else ""


def _in_year_named(text: str, line: str, title: str) -> Day | None:
    match, year = _NO_YEAR.search(line), _year_named(text, title)
    return Day(year, number_of(match["month"]), int(match["day"])) if match is not None and year else None


def _year_named(text: str, title: str) -> int:
    """The year that the title of a chat names, or the lines above the first ones; 0 where they name none."""
    opening = f"{title}\n{text[:OPENING]}"
    lines = (line for line in opening.split("\n") if CHAT_HEAD.match(line) is None)
    latest = next(filter(None, map(_day_of, lines)), None)
    found = _ANY_YEAR.search(opening) if latest is None else None
    return latest.year if latest is not None else int(found[0]) if found is not None else 0


def told_on(text: str, at: int, title: str = "") -> Day | None:
    """The day of the line of a chat, of the mail or of the section in which something stands."""
    return chat_day(text, at, title) or mail_day(text, at) or section_day(text, at)


def section_day(text: str, at: int) -> Day | None:
    """The day that the nearest heading above `at` names, or a short line below a rule or an empty line, such as "Thu 5 March 2026"; of
    headings only those that `at` stands below. None where none does."""
    below, end = DEEPEST + 1, text.rfind("\n", 0, at)
    while end >= 0:
        begins = line_start(text, end)
        line = text[begins:end].strip()
        if (heading := _HEADING.match(line)) is not None:
            level = len(heading["marks"])
            if level < below:
                if (day := _day_of(heading["title"]) or _day_beside(text, heading["title"], begins)) is not None:
                    return day
                below = level
        elif below > DEEPEST and _is_date_line(text, begins, line) and (day := _day_of(line)) is not None:
            return day
        end = begins - 1
    return None


def _day_beside(text: str, title: str, begins: int) -> Day | None:
    """The day of a heading that says no year, "minutes 12 Nov": that which is nearest to the day of the heading before it, or after it."""
    match = _NO_YEAR.search(title)
    if match is None or not 1 <= int(match["day"]) <= 31:
        return None
    others = [(one.start(), day) for one in _HEADINGS.finditer(text) if (day := _day_of(one["title"])) is not None]
    before = [day for start, day in others if start < begins]
    after = [day for start, day in others if start > begins]
    if not before and not after:
        return None
    near, month = before[-1] if before else after[0], number_of(match["month"])
    years = (near.year - 1, near.year, near.year + 1)
    return min((Day(year, month, int(match["day"])) for year in years), key=lambda one: abs(_count(one) - _count(near)))


def _count(day: Day) -> int:
    """Days, roughly, to tell which of several is nearest."""
    return day.year * 365 + day.month * 30 + day.day


def _is_date_line(text: str, begins: int, line: str) -> bool:
    """Whether a line stands apart and says hardly more than a date."""
    if not line or len(line) > LONGEST_LINE or line[-1] in ".,;" or _ITEM.match(line):
        return False
    above = text[line_start(text, max(0, begins - 1)) : max(0, begins - 1)]
    return _RULE.match(above) is not None and len(_WORD.findall(line)) <= MOST_WORDS


def _day_of(said: str) -> Day | None:
    """The latest day of a heading, with those in digits, "8/10/26", in which the day stands before the month."""
    found = days(said)
    found += [
        Day(2000 + int(match["year"]) % 100, int(match["month"]), int(match["day"]))
        for match in _SHORT.finditer(said)
        if 1 <= int(match["month"]) <= 12 and 1 <= int(match["day"]) <= 31
    ]
    return max(found, default=None)
