"""What was read that speaks against a sentence which is about to be called the answer: a newer line on the same with another value, a
later update of the same text, or the row of a table that has the words of the question too, and another amount of the same unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from prompts.extractive.asked_values import AMOUNT, DATE, LIGHT
from prompts.extractive.dates import days
from prompts.extractive.document_lines import is_of_printing
from prompts.extractive.passages import Passage, headers_of_rows, passages, quote
from prompts.extractive.procedures import share_of
from prompts.extractive.rendering import Point, place_above
from prompts.extractive.rivals import dated
from prompts.language import terms
from prompts.months import MONTH, number_of
from prompts.question import Kind, Word
from prompts.records import Evidence
from prompts.regex import regex

ALL, HALF = 0.99, 0.5  # of the words of a question, by their weight
_TIME = regex(r"(?:second|minute|hour|day|week|month|year)s?|min|tage?n?|stunden?|wochen?|monate?n?|jahre?n?")
_UPDATE = regex(
    rf"(?m)^\W{{0,4}}(?:(?i:update|edit|news|added|changed|nachtrag|stand|neu)\b\W{{0,3}})?(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?P<month>{MONTH})\.?(?:,? (?P<year>\d{{4}}))?)\W{{1,4}}(?P<said>\S[^\n]*)"
)
_DAY_AND_MONTH = regex(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})", re.IGNORECASE)
_PHONE = regex(r"(?<![\w.-])\+?\d(?:[ ()/-]{0,2}\d){6,14}(?![\w-])")
_ISO_DAY = regex(r"\d{4}-\d\d-\d\d")
_OF_TIMES = frozenset(
    terms("date day when time from until to since start end begin week month year due planned term")
)  # of whatever the row is of
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
_SINCE = regex(
    rf"\b(?:since|as of|from|effective|seit|ab)\b[^.;\n]{{0,12}}?(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.? {MONTH}\.? \d{{4}}|{MONTH} \d{{4}})",
    re.IGNORECASE,
)
_WITH_UNIT = regex(r"(?<![\w.,-])(\d[\d.,]*) ?(%|[a-zäöüé]{1,20})")


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
    if told.day is None:
        return
    for e in evidence:
        spans = (_line_around(e.leaf.text, one) for one in passages(e.leaf) if one.kind in ("text", "item"))
        for start, end in dict.fromkeys(spans):
            line = e.leaf.text[start:end]
            if (
                is_of_printing(line, start)
                or share_of(carrying, set(terms(line))) < ALL
                or not _differs(told.quote.text, line, kind)
            ):
                continue
            said = quote(e.leaf.text, start, end)
            day = dated(e.leaf, said, kind)
            if day is not None and day > told.day:
                yield Point(e.number, e.leaf, said, told.worth, day)


def _reversals(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Iterator[Point]:
    """Later sentences with every word of the question that deny what is told, or tell what it denies: "we do not buy it after all"."""
    denied = _DENIED.search(told.quote.text) is not None
    for e in evidence if told.day is not None else ():
        for passage in passages(e.leaf):
            if (
                passage.kind in ("text", "item")
                and share_of(carrying, passage.distinct) >= ALL
                and (_DENIED.search(passage.text) is not None) != denied
            ):
                said = quote(e.leaf.text, passage.start, passage.end)
                day = dated(e.leaf, said, "yes_no")
                if day is not None and told.day is not None and day > told.day:
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
    end = text.find("\n", passage.end)
    return text.rfind("\n", 0, passage.start) + 1, end if end >= 0 else len(text)


def _differs(told: str, said: str, kind: Kind) -> bool:
    """Whether there are days, or amounts of the same unit, and none that is told."""
    if kind == "when":
        whole = set(days(told)), set(days(said))
        return _are_apart(*whole) if all(whole) else _are_apart(_days_of_year(told), _days_of_year(said))
    if AMOUNT.search(told):
        return _are_apart(*({match.group() for match in AMOUNT.finditer(text)} for text in (told, said)))
    mine, others = (set(_WITH_UNIT.findall(text.casefold())) for text in (told, said))
    units = {_of_time(unit) for _, unit in mine}
    return _are_apart(mine, {(number, unit) for number, unit in others if _of_time(unit) in units})


def _days_of_year(text: str) -> set[object]:
    """Month and day of each date; of those without a year only where none has one."""
    dated: set[object] = {(day.month, day.day) for day in days(text)}
    return dated or {(number_of(match["month"]), int(match["day"])) for match in _DAY_AND_MONTH.finditer(text)}


def _of_time(unit: str) -> str:
    """The units of time are one: "45 minutes" and "90 days" both say how long."""
    return "time" if _TIME.fullmatch(unit) else unit


def _are_apart(mine: Set[object], others: Set[object]) -> bool:
    return bool(mine and others) and mine.isdisjoint(others)
