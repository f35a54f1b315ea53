"""Sentences on another time than asked: what was so once, what holds on one day, what was said otherwise later."""

from __future__ import annotations

import re

from prompts.extractive.asked_values import DATE, NUMBER_OF_WHAT
from prompts.extractive.candidates import ALL_WORDS, PLAIN, Candidate, LeafQuestion
from prompts.extractive.dates import days, is_of_another_year
from prompts.extractive.document_lines import is_of_printing
from prompts.extractive.kinds import asks_how_often
from prompts.extractive.neighbours import was_until
from prompts.extractive.passages import written_by
from prompts.extractive.replaced_values import is_replaced
from prompts.extractive.tenses import TASK
from prompts.language import terms
from prompts.months import DAY_OF_MONTH, MONTH, WEEKDAY, WEEKDAY_BEFORE, number_of
from prompts.question import Word
from prompts.records import LeafText
from prompts.regex import regex
from prompts.shorter_questions import words_of_time

_ONCE = regex(r"\W{0,3}(?:before|until|prior to|formerly|previously|in (?:older|earlier|previous|former)) ", re.IGNORECASE)


def was_so_once(one: Candidate) -> bool:
    """ "Before version 7 ... were" says nothing of now."""
    asked = one.question
    return asked.kind in PLAIN and _ONCE.match(one.said) is not None and _ONCE.search(asked.low) is None


_ASKS_BEFORE = regex(
    r"\b(?:old|former|formerly|previous|previously|earlier|originally|initially|before|used to|until|back then)\b", re.IGNORECASE
)
_NOW = regex(r"\b(?:now|nowadays|currently|today|these days|at present|by now)\b", re.IGNORECASE)
_WAS = regex(r"\b(?:was|were|did|had|took|used to|instead of|from)\b", re.IGNORECASE)


def says_only_how_it_is_now(one: Candidate) -> bool:
    """ "A search now takes 3 seconds" does not say how long it took with the old engine."""
    if one.question.is_of_now or _ASKS_BEFORE.search(one.question.low) is None or _NOW.search(one.said) is None:
        return False
    return _ASKS_BEFORE.search(one.said) is None and _WAS.search(one.said) is None


_EVENT = regex(r"\b(?:was|were|did|had|\w{2,}[^\We]ed)\b")
_HABIT = regex(r"\b(?:is|are|be|do|does|has|have|must|should|may|can|will|gets?|every|each|per)\b")


def happened_once(one: Candidate) -> bool:
    """ "On 2 October I rotated the yearly key" is no answer to how often keys are rotated."""
    asked = one.question
    is_of_habit = asked.kind == "count" and asked.is_of_now and asks_how_often(asked.text)
    return is_of_habit and DATE.search(one.said) is not None and bool(_EVENT.search(one.said)) and not _HABIT.search(one.said)


_LAST = regex(
    rf"\b(?:(?:the|our|my|its|your) (?:last|latest|most recent)(?! (?:(?:{MONTH})|week|month|year|quarter|day|night|time|name|one)\b)|last(?= [a-z]+(?:ed|en|t)\b))\b"
)


def may_not_be_last(one: Candidate) -> bool:
    """When something was done last is said by the newest of all texts, and not by one that says when it was done."""
    asked = one.question
    return asked.kind == "when" and _LAST.search(asked.low) is not None and _LAST.search(one.said.casefold()) is None


_DATES_AND_DAYS = regex(rf"\b(?:{MONTH}|\d{{1,4}}|{WEEKDAY}s?)\b", re.IGNORECASE)
_LABELLED = regex(r"\W*(?P<label>[^:\n]{3,60}): (?=\D)")
_CLAUSE = regex(
    r"\b(?:is|are|was|were|will|moves?|moved|starts?|ends?|begins?|goes|comes?|has|have|stays?|wurde|wird|ist|est|sera)\b"
)


def says_it_of_what_follows(one: Candidate) -> bool:
    """ "Harbour meeting: the crane moves on 4 May" says when the crane moves; of the meeting only the label is."""
    label = _LABELLED.match(one.said) if one.question.kind == "when" else None
    if label is None or one.value_at < label.end() or not _CLAUSE.search(one.said, label.end(), one.value_at):
        return False
    own = frozenset(terms(one.said[label.end() :]))
    return not any(word.is_in(own) for word in _undated(one.question))


_TO_DO = regex(  # "Tell Dermot by 3 December whether ..."
    rf"\W*(?:please )?(?P<does>tell|send|give|return|reply|book|order|register|hand|let|write|ask|ring|report|submit|sign|bring|answer|mail|call)\b[^.;:\n]{{0,40}}?\bby\b"
    rf"[^.;:\n]{{0,20}}(?:\d{{1,2}}\.? (?:{MONTH})|{WEEKDAY})",
    re.IGNORECASE,
)
_ASKS_BY_WHEN = regex(r"\b(?:by when|deadline|until when|latest|last day|have to|must|need to|should)\b")


def is_task(one: Candidate) -> bool:
    """ "Petra: tell customers about the new price by 27 November" says when Petra has to, and not when the price is new."""
    if one.question.kind != "when":
        return False
    asked = frozenset(terms(one.question.text))
    if (told := _TO_DO.match(one.said)) is not None and one.value_at < told.end():
        return asked.isdisjoint(terms(told["does"])) and _ASKS_BY_WHEN.search(one.question.low) is None
    if (task := TASK.match(one.said)) is None:
        return False
    return asked.isdisjoint(terms(f"{task['who']} {task['does']}"))


_DENIED = regex(
    r"\b(?:can(?:no|['’])t|cannot|won['’]t|(?:is|are|does|do)n['’]t|not(?! (?:later|before|until|till|only|just)\b)|no longer|never)\b[^.;,:!?\n]{0,40}\Z",
    re.IGNORECASE,
)


_NO_DAY = regex(rf"\bno {WEEKDAY}\b", re.IGNORECASE)


def says_when_it_is_not(one: Candidate) -> bool:
    """ "The nurse cannot do the Wednesday" says no day of the vaccination."""
    before = max(0, one.value_at - 60)
    return one.question.kind == "when" and (
        _DENIED.search(one.said, before, one.value_at) is not None or _NO_DAY.search(one.said, before) is not None
    )


_ASKS_SINCE = regex(r"\A\W*(?:since|from) when\b")
_SAYS_SINCE = regex(
    r"\b(?:since|from|start\w*|join\w*|beg[aiu]n\w*|bec[ao]me\w*|(?:took|takes?) over|in post|ago|introduced|founded|as of|with effect|valid|seit|ab|depuis|dès)\b",
    re.IGNORECASE,
)


def says_no_beginning(one: Candidate) -> bool:
    """ "Horace, whose certificate ended in 1999" does not say since when Horace helps."""
    asked = one.question
    return asked.kind == "when" and _ASKS_SINCE.match(asked.low) is not None and _SAYS_SINCE.search(one.said) is None


_ASKS_OF_NOW = regex(r"\b(?:at the moment|right now|just now|for the moment|for the time being|these days)\b")
_SAYS_NOW = regex(
    r"\b(?:at the moment|right now|now|currently|at present|for the moment|for the time being|temporarily|until|since|from|as of|this (?:week|month|year)|no longer|\d{4})\b",
    re.IGNORECASE,
)


def need_not_be_so_now(one: Candidate) -> bool:
    """What a handbook allows at all need not be so "at the moment"."""
    return (
        one.question.kind == "yes_no" and _ASKS_OF_NOW.search(one.question.low) is not None and _SAYS_NOW.search(one.said) is None
    )


_EACH_WEEKDAY = regex(rf"\b{WEEKDAY}s\b|\bon an? {WEEKDAY}\b")
_ONE_WEEKDAY = regex(rf"\b{WEEKDAY},? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?(?:{MONTH})\b", re.IGNORECASE)


def is_of_one_day(one: Candidate) -> bool:
    """ "When do we open on Saturdays?": not what was open on Saturday 18 July."""
    return _EACH_WEEKDAY.search(one.question.low) is not None and _ONE_WEEKDAY.search(one.said) is not None


def has_only_the_time(one: Candidate) -> bool:
    """Below a heading on opening hours, "Puppy hour: second Saturday" says nothing of when it is open on Saturdays."""
    if one.question.kind not in ("when", "who"):
        return False
    others = _undated(one.question)
    if one.question.kind == "who":  # "decides within three weeks" does not say who is away this week
        time = words_of_time(one.question.low)
        others = [word for word in others if word.whole not in time]
    return 0 < len(others) < len(one.question.needed) and not any(word.is_in(one.terms) for word in others)


_IS_WHO = regex(r"\W*who(?:['’]s| is| are) ")
_DOES_WHO = regex(r"\W*who(?:['’]s| (?!was\b|has\b)[a-z]+s\b| are\b| can\b)")
_THAT_DAY = regex(r"\b(?:on )?that (?:day|night|morning|evening|week)\b|\ban dem (?:tag|abend)\b|\bce jour-là\b", re.IGNORECASE)
_WAS = regex(r"\b(?:was|were|had been|used to)\b(?! (?:made|given|appointed|named|elected|chosen|asked)\b)")


_WAS_UNTIL = regex(
    r"\b(?:was|were|had|led|ran|held|owned)\b[^.;\n]{0,60}\b(?:until|till)\b(?! (?:further|now|today))", re.IGNORECASE
)


def was_so_until(one: Candidate) -> bool:
    """ "Until 4 May the gate was closed"; of who is something, also what only says who was: "The keys were with Ida to 4 May"."""
    if _DOES_WHO.match(one.question.low) and _THAT_DAY.search(one.said):
        return True  # who drove it on one day does not say who drives it
    if one.question.kind == "who" and one.question.is_of_now and _WAS_UNTIL.search(one.said) is not None:
        return True
    is_past = one.question.kind == "who" and _IS_WHO.match(one.question.low) and _WAS.search(one.said, 0, one.value_at)
    return one.question.is_of_now and (was_until(one.said) or bool(is_past))


_MOVED_DAY = regex(r"\bfrom the \d{1,2}(?:st|nd|rd|th) to the \d{1,2}(?:st|nd|rd|th)\b(?! (?:of\b|[A-Z]))")
_FROM_TO = regex(r"\bfrom (?:when|which day|what day)\b.{0,40}\b(?:to|until|till)\b|\bbetween which\b")
_HOW_MUCH = regex(r"\bhow (?:many|much|long|often|big|large|high|old)\b|\bnumber of\b")
_IN_MONTH = regex(
    rf"\b(?:in|during|from|since|last|of) (?:early |late |mid[- ]?)?(?P<month>{MONTH})(?! \d{{1,2}}\b)", re.IGNORECASE
)
_MONTH_SAID = regex(rf"(?<![\w])(?=[A-Z])(?:{MONTH})(?!(?<=May) (?:be|have|not|also|do|I|we|you)\b)")
_STAMPED = regex(r"\W{0,4}\d{1,2}[:.]\d\d\b")
_DAY_STAMPED = regex(
    rf"\W{{0,4}}\[(?:{WEEKDAY_BEFORE})?(?:[\d./-]{{5,10}}|{DAY_OF_MONTH}),? \d{{1,2}}[:.]\d\d(?::\d\d)?\]"
)  # of a line of a chat
_LONGEST_STAMP = 8  # characters
_HOW_LONG_KEPT = regex(
    r"\bhow long\b(?: \w+){1,3}? (?:keep|store|retain|hold on to|save)\b|\bhow long\b.{1,60}\b(?:kept|stored|retained|saved|archived)\b"
)
_KEPT = regex(
    r"\b(?:keep|keeps|kept|keeping|stor\w+|retain\w*|retention|delet\w+|remov\w+|archiv\w+|purg\w+|destroy\w*|dispos\w+|eras\w+|sav(?:e|es|ed|ing)|thrown? away|aufbewahr\w*|gelöscht|löschen|conserv\w+|supprim\w+)\b"
)


def lacks_an_end(one: Candidate) -> bool:
    return _FROM_TO.search(one.question.low) is not None and len(DATE.findall(one.said)) < 2


_MONTHS = regex(rf"\b({MONTH})\.?(?: \d{{4}})? ?(?:to|until|till|through|and|bis|[-–]) ?({MONTH})\b", re.IGNORECASE)


def is_of_other_month(one: Candidate) -> bool:
    """Whether a month is asked about, and the sentence was said in another, or says a day of another alone."""
    months = {number_of(match["month"]) for match in _IN_MONTH.finditer(one.question.text)}
    if not months:
        return False
    span = _MONTHS.search(one.said)
    if span is not None and one.question.kind == "count" and not {number_of(span[1]), number_of(span[2])} <= months:
        return True  # "26 from July to September" is not of July
    said = _months_in(one.said) or _months_in(one.passage.heading)  # "11,870 visitors in May" below "2 June 2026" is not of June
    author = written_by(one.question.leaf, one.passage.start)
    told = said or ({int(author[1][5:7])} if author is not None else set())
    return bool(told) and months.isdisjoint(told)


def _months_in(text: str) -> set[int]:
    return {day.month for day in days(text)} | {number_of(match.group()) for match in _MONTH_SAID.finditer(text)}


_IN_WHOLE_MONTH = regex(rf"\b(?:in|during) (?P<month>{MONTH})(?! \d{{1,2}}\b)", re.IGNORECASE)


def is_of_one_day_of_month(one: Candidate) -> bool:
    """ "How many bookings did we take in October?": a number below the title of an incident on 17 October is not that of the month."""
    month = _IN_WHOLE_MONTH.search(one.question.text) if one.question.kind == "count" else None
    if month is None or (asked := number_of(month["month"])) in {
        number_of(said.group()) for said in _MONTH_SAID.finditer(one.said)
    }:
        return False
    return any(
        day.day and day.month == asked for heading in (*one.question.leaf.heading, one.passage.heading) for day in days(heading)
    )


_USUALLY_OPEN = regex(r"\b(?:do|does)\b.{1,60}\b(?:open|close)\b|\bopening (?:hours|times?)\b|\bclosing times?\b")
_HOLIDAY = regex(
    r"\b(?:christmas|xmas|easter|new year|holidays?|bank holiday|boxing day|good friday|weihnacht\w*|ostern|silvester|noël)\b",
    re.IGNORECASE,
)
_AGAIN = regex(r"\b(?:again|re-?opens?)\b", re.IGNORECASE)


def is_of_one_closing(one: Candidate) -> bool:
    """ "When do the stores open?": not that they close on 24 December and open again on 4 January."""
    low = one.question.low
    if one.question.kind != "when" or _USUALLY_OPEN.search(low) is None or _DATES_AND_DAYS.search(low) or _HOLIDAY.search(low):
        return False
    return (_HOLIDAY.search(one.said) or (DATE.search(one.said) and _AGAIN.search(one.said))) is not None


_OF_A_DAY = regex(
    rf"\b(?:\d{{1,2}}[:.]\d\d|\d{{1,2}} ?(?:am|pm|uhr|h|o['’]clock)|noon|midnight|dawn|dusk|{WEEKDAY}s?|daily|every day|always)\b",
    re.IGNORECASE,
)


def says_no_opening(one: Candidate) -> bool:
    """ "When does the museum open?": not that crates may be opened after four hours."""
    is_asked = one.question.kind == "when" and _USUALLY_OPEN.search(one.question.low) is not None
    return is_asked and DATE.search(one.said) is None and _OF_A_DAY.search(one.said) is None


def has_only_a_stamp(one: Candidate) -> bool:
    """Whether the time that it has is when the line of a log happened, "07:31 newsletter goes out", which has not all that is asked."""
    if one.question.kind == "when" and one.question.is_of_now and (stamp := _DAY_STAMPED.match(one.said)) is not None:
        return one.value_at < stamp.end()  # when it was written is not when it is
    is_stamped = one.question.kind == "when" and _STAMPED.match(one.said) is not None and one.value_at < _LONGEST_STAMP
    return is_stamped and one.own_share < ALL_WORDS


def says_when_it_was_printed(one: Candidate) -> bool:
    """Whether the opening of a text says when it was printed or exported, and not when something is."""
    is_asked = one.question.kind != "when" or is_of_printing(one.question.low, 0)
    return not is_asked and is_of_printing(one.said, one.passage.start)


def says_from_which_to_which(one: Candidate) -> bool:
    """Whether it says between which days of a month something was moved, "from the 1st to the 3rd", and not when."""
    if one.question.kind != "when" or (moved := _MOVED_DAY.search(one.said)) is None:
        return False
    rest = f"{one.said[: moved.start()]} {one.said[moved.end() :]}"
    return DATE.search(rest) is None


def does_not_say_how_long_kept(one: Candidate) -> bool:
    """Whether it is asked how long something is kept, and no word here is of keeping or deleting."""
    return _HOW_LONG_KEPT.search(one.question.low) is not None and _KEPT.search(one.with_heading) is None


def was_said_otherwise_later(one: Candidate) -> bool:
    """Whether a later comment names another day, or another number: "New date: 31 January", and months later "31 March"."""
    asked = one.question
    form = DATE if asked.kind == "when" else NUMBER_OF_WHAT if _HOW_MUCH.search(asked.low) else None
    if form is None:
        return False
    day, mine = _commented(asked.leaf, one.passage.start), set(form.findall(one.said))
    return any(
        _commented(asked.leaf, other.start) > day and _differs(mine, other.text, form)
        for other in asked.found
        if other.start > one.passage.start
        and other.kind in ("text", "item")
        and (asked.kind == "when" or any(word.is_in(other.distinct) for word in asked.needed))
    )


def _differs(mine: set[str], said: str, form: re.Pattern[str]) -> bool:
    """Whether a sentence has other values of a form, or says that another has taken the place of one of these."""
    others = set(form.findall(said))
    return bool(others) and (not mine & others or any(is_replaced(value, said) for value in mine))


def _commented(leaf: LeafText, start: int) -> str:
    """The day of the comment that stands there; empty for what is none, as the description above them."""
    by = written_by(leaf, start)
    return by[1] if by is not None else ""


def _undated(question: LeafQuestion) -> list[Word]:
    """The words of a question that are no days, months or years."""
    dated = frozenset(terms(" ".join(_DATES_AND_DAYS.findall(question.low))))
    return [word for word in question.needed if word.whole not in dated]


_YEAR_SAID = regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SEVERAL_YEARS = regex(r"(?P<first>(?:19|20)\d\d)(?: and| to| or|,|/| ?[-–])(?: in)? ?(?P<last>(?:19|20)\d\d)\b")


def is_of_several_years(one: Candidate) -> bool:
    """ "31 complaints of 2024 and 2025" does not say how many there were in 2025."""
    asked = set(_YEAR_SAID.findall(one.question.low))
    if one.question.kind != "count" or len(asked) != 1:
        return False
    joined = (set(match.groups()) for match in _SEVERAL_YEARS.finditer(one.said))
    return any(asked < years for years in joined)


def is_of_year_not_asked(one: Candidate) -> bool:
    """ "57 callouts in 2025" on a page on 2026 does not say how many there were in 2026."""
    above = (one.passage.heading, *reversed(one.question.leaf.heading))
    asked = set(_YEAR_SAID.findall(one.question.low))
    return one.question.kind == "count" and len(asked) == 1 and is_of_another_year(asked, one.said, above)


_UNTOLD_DAY = regex(
    r"\b(?:from|since|after|before|until|till|by) (?:that|this very) (?:date|day|moment|point)(?: on(?:wards?)?)?\b",
    re.IGNORECASE,
)


def leaves_day_unsaid(one: Candidate) -> bool:
    """ "Five years for anything delivered from that date" says not from which."""
    return one.question.kind in ("count", "when", "yes_no", "open") and _UNTOLD_DAY.search(one.said) is not None


_HABITUAL = regex(
    r"\A\W*(?:when|how often|on (?:which|what) days?) (?:are|is|do|does)\b(?![^?]*\b(?:next|coming|this|today|tomorrow)\b)"
)
_WENT_WRONG = regex(
    r"\b(?:failed|fails|broke|broken|was cancelled|were cancelled|was missed|were missed|did not|didn['’]t|was late|were late|crashed)\b",
    re.IGNORECASE,
)


def tells_of_failure(one: Candidate) -> bool:
    """ "2026-09-08 Backup failed" does not say when backups are made."""
    asked = one.question
    return (
        _HABITUAL.match(asked.low) is not None
        and _WENT_WRONG.search(one.said) is not None
        and _WENT_WRONG.search(asked.low) is None
    )
