"""What was read that speaks against a sentence which is about to be called the answer: a newer line on the same with another value, a
later update of the same text, or the row of a table that has the words of the question too, and another amount of the same unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from prompts.extractive.asked_values import AMOUNT, DATE, FIRST_PERSON, LIGHT, people_in
from prompts.extractive.dates import Day, days
from prompts.extractive.document_lines import is_of_printing
from prompts.extractive.later_entries import says_change
from prompts.extractive.passages import Passage, headers_of_rows, passages, quote
from prompts.extractive.procedures import share_of
from prompts.extractive.refusals.words import begins_beside
from prompts.extractive.rendering import Point, place_above
from prompts.extractive.rivals import dated, is_said_then
from prompts.extractive.section_days import without_chat_head
from prompts.language import terms
from prompts.months import MONTH, number_of
from prompts.question import Kind, Word
from prompts.records import Evidence, LeafText
from prompts.regex import regex
from prompts.text_lines import line_end, line_start

ALL, HALF = 0.99, 0.5  # of the words of a question, by their weight
OPENING = 4  # words in which a sentence says what it is about
_TIME = regex(r"(?:second|minute|hour|day|week|month|year)s?|min|tage?n?|stunden?|wochen?|monate?n?|jahre?n?")
_UPDATE = regex(
    rf"(?m)^\W{{0,4}}(?:(?i:update|edit|news|added|changed|nachtrag|stand|neu)\b\W{{0,3}})?(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?P<month>{MONTH})\.?(?:,? (?P<year>\d{{4}}))?)\W{{1,4}}(?P<said>\S[^\n]*)"
)
_DAY_AND_MONTH = regex(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})", re.IGNORECASE)
_MOVES_DAY = regex(
    r"\b(?:mov(?:e[sd]?|ing)|postpon\w+|put (?:off|back)|push(?:ed|es)? back|shift(?:ed|s)?|delay\w*|brought forward|chang(?:ed?|es|ing)|reschedul\w+|instead of)\b",
    re.IGNORECASE,
)
_PHONE = regex(r"(?<![\w.-])\+?\d(?:[ ()/-]{0,2}\d){6,14}(?![\w-])")
_ISO_DAY = regex(r"\d{4}-\d\d-\d\d")
_OF_TIMES = frozenset(
    terms("date day when time from until to since start end begin week month year due planned term")
)  # of whatever the row is of
_ASKING_WHEN = frozenset(terms("time day date hour clock"))  # by which it is asked when
_CLOCK = regex(  # "9:30", "9 am", "at 9"
    r"(?<![\d.:,/])(?<!\d-)(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d)(?![\d:/]|[.-]\d\d(?!:))|(?= ?[ap]\.?m\b))"
    r"|\bat (?P<full>[01]?\d|2[0-3])(?!\d| ?[%€$£:./-]| ?(?:EUR|USD|GBP|CHF)| \w+s\b)",
    re.IGNORECASE,
)
_NOW = frozenset(terms("currently now today present presently nowadays"))
_OF_NUMBERS = frozenset(terms("number phone telephone call dial mobile line"))
_CURRENCY = r"EUR|USD|GBP|CHF|DKK|SEK|NOK|PLN|euros?|dollars?|pounds?|francs?|[€$£]"
_RATE = regex(
    rf"(?P<before>{_CURRENCY})? ?(?<![\d.,'’])(?P<number>\d[\d.,'’]{{0,12}}\d|\d) ?(?P<after>{_CURRENCY})?\W{{0,4}}(?:an?|per|each|every|je|pro|par) (?P<span>hour|day|night|week|weekend|month|year|stunde|tag|woche|monat|jahr)s?\b",
    re.IGNORECASE,
)
_DENIED = regex(
    r"\b(?:not|no longer|never|cancel\w*|called off|dropped|withdrawn|rejected|nicht|kein\w*|abgesagt|ne .{0,20} pas)\b|n['’]t\b",
    re.IGNORECASE,
)
_OF_ONCE = regex(r"\b(?:was|were|took|had|yesterday|last (?:week|month|year|time))\b", re.IGNORECASE)
_TAKES_PLACE = regex(
    r"\b(?:takes? place|taking place|go(?:es)? ahead|(?:is|are|will be) (?:on|held|back|happening)(?: again| after all)?(?=\W|\Z)|will happen|after all|findet (?:doch )?statt|a lieu)\b",
    re.IGNORECASE,
)
_SINCE = regex(
    rf"\b(?:since|as of|from|effective|seit|ab)\b[^.;\n]{{0,12}}?(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.? {MONTH}\.? \d{{4}}|{MONTH} \d{{4}})",
    re.IGNORECASE,
)
_CORRECTS = regex(
    r"\b(?:(?:right|correct(?:ed)?|actual|true|final|revised) (?:figures?|numbers?|counts?|totals?|amounts?|sums?)|corrections?|corrected|miscounted|recounted|counted again)\b",
    re.IGNORECASE,
)
FEWEST_SHARED = 2  # words of a sentence in another one that corrects its number
_BARE_NUMBER = regex(r"(?<![\w.,-])\d[\d.,]*")
_WITH_UNIT = regex(r"(?<![\w.,-])(\d[\d.,]*) ?(%|[a-zäöüé]{1,20})")


def denies(text: str) -> bool:
    """Whether it says that something is not so, or not any more."""
    return _DENIED.search(text) is not None


def contesting(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word], kind: Kind) -> Point | None:
    """The newest line that speaks against what is told, or a row that does; None where none does."""
    if _phones(told.quote.text) and any(word.whole in _OF_NUMBERS for word in carrying):
        found = [*_newer_lines(told, evidence, carrying, kind), *_other_numbers(told, evidence, carrying, kind)]
    else:
        found = [*_newer_lines(told, evidence, carrying, kind), *_updates(told, kind), *_rows(told, evidence, carrying, kind)]
        found += [*_rates_since(told, evidence, carrying), *(_reversals(told, evidence, carrying) if kind == "yes_no" else ())]
    return max(found, key=lambda point: point.day or (0, 0), default=None)


def _newer_lines(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word], kind: Kind) -> Iterator[Point]:
    """Lines with every word of the question, in however many sentences, that are dated later."""
    naming = _naming(carrying, kind)
    for e in evidence:
        spans = (_line_around(e.leaf.text, one) for one in passages(e.leaf) if one.kind in ("text", "item"))
        for start, end in dict.fromkeys(spans):
            line = e.leaf.text[start:end]
            if (
                is_of_printing(line, start)
                or share_of(naming, set(terms(line))) < ALL
                or (told.day is None and not _is_subject(naming, line))
                or not _says_otherwise(told.quote.text, line, naming, kind)
            ):
                continue
            said = quote(e.leaf.text, start, end)
            day = dated(e.leaf, said, kind)
            if _is_later(told, day, e.leaf, start):
                yield Point(e.number, e.leaf, said, told.worth, day)


def moved_from(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Point | None:
    """The newest sentence that moves a day that is told to another; None where there is none."""
    return max(_moved_from(told, evidence, carrying), key=lambda point: point.day or (0, 0), default=None)


def _moved_from(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Iterator[Point]:
    """Sentences that do, and have a word of the question: "we move the crane from 6 July to 21 September"."""
    mine = _all_days(told.quote.text)
    naming = [word for word in _naming(carrying, "when") if word.whole not in LIGHT]
    for e in evidence if mine else ():
        for passage in passages(e.leaf):
            if passage.kind not in ("text", "item") or _MOVES_DAY.search(passage.text) is None:
                continue
            days_there = _all_days(passage.text)
            is_of_it = any(word.is_in(passage.distinct) for word in naming) and told.quote.text not in passage.text
            if is_of_it and days_there & mine and days_there - mine:
                said = quote(e.leaf.text, passage.start, passage.end)
                yield Point(e.number, e.leaf, said, told.worth, dated(e.leaf, said, "when"))


def _all_days(text: str) -> set[object]:
    """Month and day of each date, with a year or without."""
    written = {(number_of(match["month"]), int(match["day"])) for match in _DAY_AND_MONTH.finditer(text)}
    return written | {(day.month, day.day) for day in days(text) if day.day}


def _naming(carrying: Sequence[Word], kind: Kind) -> Sequence[Word]:
    """The words of a question without those by which it asks when: "at what time is the round" names the round."""
    named = [word for word in carrying if word.whole not in _ASKING_WHEN] if kind == "when" else []
    return named or carrying


def _is_subject(naming: Sequence[Word], line: str) -> bool:
    """Whether a line is of what is asked about, and not of how it was once: of one word alone it begins with it, and asks nothing."""
    said = without_chat_head(line.strip())
    if _OF_ONCE.search(said) is not None and not says_change(said):
        return False  # "invoice 12 was paid after 45 days" is no rule
    begins = set(terms(" ".join(said.split()[:OPENING])))
    is_of_it = any(word.is_in(begins) for word in naming) and not begins_beside(said)
    return not said.endswith("?") and (len(naming) > 1 or is_of_it)


def _is_later(told: Point, day: Day | None, leaf: LeafText, at: int) -> bool:
    """Whether what was said on a day, at a place of a text, is newer than what is told; where nothing says of when that is, what somebody
    said on a day stands beside it, and not what a page says of itself."""
    if day is None:
        return False
    return day > told.day if told.day is not None else is_said_then(leaf, at)


def _reversals(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Iterator[Point]:
    """Later sentences with every word of the question that deny what is told, or tell what it denies: "we do not buy it after all"."""
    for e in evidence:
        for passage in passages(e.leaf):
            is_denied = share_of(carrying, passage.distinct) >= ALL and denies(passage.text) != denies(told.quote.text)
            if passage.kind in ("text", "item") and (is_denied or _is_turned(told.quote.text, passage, carrying)):
                said = quote(e.leaf.text, passage.start, passage.end)
                day = dated(e.leaf, said, "yes_no")
                if _is_later(told, day, e.leaf, passage.start):
                    yield Point(e.number, e.leaf, said, told.worth, day)


def _is_turned(told: str, passage: Passage, carrying: Sequence[Word]) -> bool:
    """Whether a sentence has all words of a question but the one for what is so, and says that it has changed, "the blue van is too dear; we
    rent one instead", or that what is told to be off takes place."""
    is_so = _TAKES_PLACE.search(passage.text) is not None and not denies(passage.text)
    is_other = is_so if denies(told) else says_change(passage.text) and not says_change(told)
    naming = [word for word in carrying if word.whole not in LIGHT]
    has = [word for word in naming if word.is_in(passage.distinct)]
    return is_other and len(has) >= max(1, len(naming) - 1) and (len(has) > 1 or _is_subject(has, passage.text))


def correcting(told: Point, evidence: Sequence[Evidence]) -> Point | None:
    """The newest correction of a number, of what was once as of what is now; None where there is none."""
    return max(_corrections(told, evidence), key=lambda point: point.day or (0, 0), default=None)


def _corrections(told: Point, evidence: Sequence[Evidence]) -> Iterator[Point]:
    """Later sentences with other numbers that say that they correct some, and have two words of what is told: "the right figures are 60
    parties moved and six refunded"."""
    numbers = set(_BARE_NUMBER.findall(told.quote.text))
    same = {term for term in terms(told.quote.text) if not term.isdigit()} - LIGHT
    for e in evidence:
        for passage in passages(e.leaf):
            if passage.kind not in ("text", "item") or _CORRECTS.search(passage.text) is None:
                continue
            others = set(_BARE_NUMBER.findall(passage.text))
            if len(same & passage.distinct) >= FEWEST_SHARED and others and numbers.isdisjoint(others):
                said = quote(e.leaf.text, passage.start, passage.end)
                day = dated(e.leaf, said, "count")
                if _is_later(told, day, e.leaf, passage.start):
                    yield Point(e.number, e.leaf, said, told.worth, day)


def _rates_since(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Iterator[Point]:
    """Sentences that say since when another price for the same span of time holds, "since 1 January: EUR 220 a week", below headings that
    have half of the question: of a page that says nothing of when it is, the price may be an old one."""
    mine, carrying = _rates(told.quote.text), [word for word in carrying if word.whole not in _NOW]
    for e in evidence if mine else ():
        outer = set(terms(" ".join(e.leaf.heading)))
        for passage in passages(e.leaf):
            begins = _SINCE.search(passage.text)
            if passage.kind not in ("text", "item") or begins is None or share_of(carrying, passage.distinct | outer) < HALF:
                continue
            others = _rates(passage.text)
            spans, day = {span for _, _, span in mine}, max(days(begins.group()), default=None)
            if {span for _, _, span in others} & spans and mine.isdisjoint(others) and day and (told.day or day) <= day:
                yield Point(e.number, e.leaf, quote(e.leaf.text, passage.start, passage.end), told.worth, day)


def _rates(text: str) -> set[tuple[str, str, str]]:
    """The prices in a text that are paid again and again: currency, number, and for what span of time."""
    return {
        ((match["before"] or match["after"] or "").casefold(), match["number"], match["span"].casefold().rstrip("s"))
        for match in _RATE.finditer(text)
        if match["before"] or match["after"]
    }


def _updates(told: Point, kind: Kind) -> Iterator[Point]:
    """Lines of the same text that begin with a later day than that of what is told, "Update 23 November: ...", and say something else of
    the same: a word of it, with another day or amount."""
    text = told.leaf.text
    heads = [(match, _order(match)) for match in _UPDATE.finditer(text)]
    own = next((order for match, order in heads if match.start() <= told.quote.start < match.end()), None)
    if own is None:
        return
    same = set(terms(told.quote.text)) - LIGHT - set(terms(" ".join(DATE.findall(told.quote.text))))
    for match, order in heads:
        said = quote(text, match.start(), match.end())
        if order > own and same & set(terms(match["said"])):
            mine, others = (set(DATE.findall(part)) for part in (told.quote.text, match["said"]))
            if _are_apart(mine, others) if kind == "when" else _differs(told.quote.text, match["said"], kind):
                yield Point(told.number, told.leaf, said, told.worth, told.day)


def _order(head: re.Match[str]) -> tuple[int, int, int]:
    """By which lines of one text are in order of time; a day without a year is in the same as the others."""
    if head["iso"]:
        year, month, day = map(int, head["iso"].split("-"))
        return year, month, day
    return int(head["year"] or 0), number_of(head["month"]), int(head["day"])


def _rows(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word], kind: Kind) -> Iterator[Point]:
    """Rows of tables that have as many words of the question as a sentence which leaves some to its headings."""
    own = share_of(carrying, set(terms(told.quote.text)))
    whole = share_of(carrying, set(terms(f"{place_above(told.leaf, told.quote.start)} {told.quote.text}")))
    if own >= ALL:
        return
    for e in evidence:
        found = list(passages(e.leaf))
        headers = headers_of_rows(e.leaf, found)
        title = " ".join(e.leaf.heading)
        for at, passage in enumerate(found):
            if passage.kind != "row" or share_of(carrying, set(terms(passage.text))) < own:
                continue
            header = found[headers[at]].text if at in headers else ""
            has_all = share_of(carrying, set(terms(f"{title} {header} {passage.text}"))) >= whole
            said_there = _of_what_is_asked(header, passage.text, carrying) if kind == "when" else passage.text
            if has_all and _differs(told.quote.text, said_there, kind):
                yield Point(e.number, e.leaf, quote(e.leaf.text, passage.start, passage.end), told.worth)


def _of_what_is_asked(header: str, row: str, carrying: Sequence[Word]) -> str:
    """The cells of a row without those whose columns are called by another time than is asked for: "last calibration"."""
    labels, cells = header.strip().strip("|").split("|"), row.strip().strip("|").split("|")
    if len(labels) != len(cells):
        return row
    named = [set(terms(label)) for label in labels]
    return " | ".join(
        cell
        for label, cell in zip(named, cells, strict=True)
        if label <= _OF_TIMES or any(word.is_in(label) for word in carrying) or not days(cell)
    )


def _other_numbers(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word], kind: Kind) -> Iterator[Point]:
    """Another phone number in a document that is called by all that the question names: "New evening phone"."""
    mine = _phones(told.quote.text)
    naming = [word for word in carrying if word.whole not in _OF_NUMBERS]
    for e in evidence if naming else ():
        if e.leaf is told.leaf or share_of(naming, set(terms(" ".join(e.leaf.heading[:1])))) < ALL:
            continue
        for passage in passages(e.leaf):
            if (others := _phones(passage.text)) and mine.isdisjoint(others):
                said = quote(e.leaf.text, passage.start, passage.end)
                yield Point(e.number, e.leaf, said, told.worth, dated(e.leaf, said, kind))


def _phones(text: str) -> set[str]:
    """The digits of the phone numbers in a text."""
    return {"".join(filter(str.isdigit, match.group())) for match in _PHONE.finditer(_ISO_DAY.sub(" ", text))}


def _line_around(text: str, passage: Passage) -> tuple[int, int]:
    return line_start(text, passage.start), line_end(text, passage.end)


def _says_otherwise(told: str, said: str, naming: Sequence[Word], kind: Kind) -> bool:
    """Whether there are other people, where it is asked who, or other days, times or amounts."""
    if kind == "who":
        people = _people(said)
        return _are_apart(_people(told), people) and _stand_together(naming, without_chat_head(said), people)
    return _differs(told, said, kind)


def _stand_together(naming: Sequence[Word], said: str, people: Set[str]) -> bool:
    """Whether no other word but a name stands between those of a question: whoever leads the demo of a team does not lead the team."""
    there, names = terms(said), set(terms(" ".join(people)))
    places = [at for at, term in enumerate(there) if any(word.is_in({term}) for word in naming)]
    between = there[places[0] : places[-1] + 1] if places else []
    return all(term in names or any(word.is_in({term}) for word in naming) for term in between)


def _differs(told: str, said: str, kind: Kind) -> bool:
    """Whether there are other days or times, or amounts of the same unit, and none that is told."""
    told, said = without_chat_head(told), without_chat_head(said)
    if kind == "when":
        whole = set(days(told)), set(days(said))
        others = _are_apart(*whole) if all(whole) else _are_apart(_days_of_year(told), _days_of_year(said))
        return others or _are_apart(times_of_day(told), times_of_day(said))
    if AMOUNT.search(told):
        return _are_apart(*({match.group() for match in AMOUNT.finditer(text)} for text in (told, said)))
    mine, other_amounts = (set(_WITH_UNIT.findall(text.casefold())) for text in (told, said))
    units = {_of_time(unit) for _, unit in mine}
    return _are_apart(mine, {(number, unit) for number, unit in other_amounts if _of_time(unit) in units})


def _people(line: str) -> frozenset[str]:
    """The words of the names in a line; whoever speaks in a chat is in it where they speak of themselves."""
    said = without_chat_head(line)
    return people_in(line if FIRST_PERSON.search(said) else said)


def times_of_day(text: str) -> set[tuple[int, int]]:
    """Hour and minute of each time of day, of which half a day it is left open: "at 5" may be 17:00."""
    return {(int(match["hour"] or match["full"]) % 12, int(match["minute"] or 0)) for match in _CLOCK.finditer(text)}


def _days_of_year(text: str) -> set[object]:
    """Month and day of each date; of those without a year only where none has one."""
    dated: set[object] = {(day.month, day.day) for day in days(text)}
    return dated or {(number_of(match["month"]), int(match["day"])) for match in _DAY_AND_MONTH.finditer(text)}


def _of_time(unit: str) -> str:
    """The units of time are one: "45 minutes" and "90 days" both say how long."""
    return "time" if _TIME.fullmatch(unit) else unit


def _are_apart(mine: Set[object], others: Set[object]) -> bool:
    return bool(mine and others) and mine.isdisjoint(others)
