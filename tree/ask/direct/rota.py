"""The rows of a rota: a table with a column of days, each row of which holds until the day of the next, or that of so many days."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from prompts.extractive.procedures import scopes_of
from prompts.language import terms
from prompts.months import MONTH, number_of, weekday_of
from prompts.synonyms import same_as
from prompts.timespans import NOW_WORDS, day_of, find_span
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.places import document_around

FEWEST_ROWS = 3  # of a rota
MOST_UNNAMED = 40  # tables that are looked at of those that only have a column of days: their pages may still have the words
HALF_A_YEAR = 183  # days within which a week that is asked for by its number lies
LONGEST_DUTY = 31  # days that a row holds
FEWEST_DAYS = 4  # of a week, in a table that is the same each week
LONGEST_GAP = 3  # days from the last day of a row to the first of the next: Friday to Monday
DAY = re.compile(
    rf"(?<!\d)(?:(?P<year>\d{{4}})-(?P<number>\d\d)-(?P<iso>\d\d)|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})\.?(?:,? (?P<of>\d{{4}}))?)(?!\d)",
    re.IGNORECASE,
)
_DAYS = re.compile(  # of a week: the month stands behind its last day, and behind its first where that is in another
    r"(?P<first>\d{1,2})\.? ?(?P<month>[A-Z][a-z]{2,8})?\.? ?(?:–|-|to|bis) ?(?P<last>\d{1,2})\.? ?(?P<until>[A-Z][a-z]{2,8}\.?(?: \d{4})?)"
)
_TIMES = frozenset(
    terms("from date day week wk starting start begin since shift von ab datum tag woche kw kalenderwoche jour semaine du date")
)
_ENDINGS = frozenset(("until", "till", "to", "due", "by", "end", "bis", "jusqu'à"))  # columns of no beginning
WEEK_WORD = "(?:week|wk|kw|cw|kalenderwoche|semaine)"  # before its number
_WEEK_CELL = re.compile(  # "52", "W52", "52 (21 - 27 Dec)"
    rf"(?:(?:{WEEK_WORD}|w) ?)?(?P<number>\d{{1,2}})(?: ?\((?P<days>[^()]{{4,40}})\))?", re.IGNORECASE
)
_WHO = re.compile(r"\A\W*(?:and |so |then )?(?:who|whose)\b", re.IGNORECASE)
_WEEKEND = re.compile(r"\b(?:(?:on|at|over|for) )?(?:the |this |(?P<next>next ))?week-?end\b", re.IGNORECASE)
_NAMED_WEEKEND = re.compile(  # "the weekend of 5/6 December"
    rf"(?:\b(?:of|on) )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: ?(?:/|-|–|and|&|\+) ?\d{{1,2}}(?:st|nd|rd|th|\.)?)?(?: of)? (?P<month>{MONTH})",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\bnext week\b", re.IGNORECASE)
WEEK = re.compile(
    rf"\b(?:in |of |for )?(?:calendar )?{WEEK_WORD} (?:no\.? ?)?(?P<number>\d{{1,2}})\b(?!:)(?: (?:of |in )?(?P<year>20\d\d))?",
    re.IGNORECASE,
)
_WEEK_COLUMNS = frozenset(("week", "wk", "kw", "cw", "calendar week", "kalenderwoche", "semaine", "week no", "woche"))
_PUT = frozenset(
    terms(
        "who whose has have is are was will be the in on at of from for this next last week today tomorrow now current currently it does do beginning starting work works working tonight"
    )
)
_ROTAS = frozenset(terms("rota roster dienstplan notdienst bereitschaft astreinte"))  # as pages are called
_DUTIES = frozenset(terms("call duty standby"))  # and what people call that
_ONCALL = frozenset(terms("oncall"))  # as files are called
_ON_DUTY = re.compile(  # "it on call week 52"
    r"\A\W*(?:and )?(?!(?:what|when|where|how|why|which|is|are|does|do|can|may|must|list|show)\b)[\w'’ -]{0,40}\b(?:on[- ]?call|stand-?by|on duty)\b",
    re.IGNORECASE,
)
_ELSE = re.compile(  # not who is on duty at one time
    r"\b(?:not|else|except|besides|since|until|till|before|after|this (?:month|year|quarter)|in 20\d\d|last week-?end)\b|n['’]t\b|\bfrom\b.{1,40}\bto\b",
    re.IGNORECASE,
)
_RANKS = re.compile(r"\b(?:most|fewest|least|tickets?)\b", re.IGNORECASE)  # not who is on duty
_FEAST = re.compile(
    r"\b(?:(?:over|at|on|in|during|for|an|über|à) )?(?:(?:the )?(?:christmas|xmas|x-mas|weihnachten|noël)(?: (?:week|day|eve))?|(?P<year>new year(?:['’]?s)?(?: (?:week|day|eve))?|silvester))\b(?! party)",
    re.IGNORECASE,
)
_FEASTS = ((12, 25), (12, 31))  # Christmas, and the last day of a year: month and day
_WEEKDAY_ALONE = re.compile(
    r"(?:(?:on|at|this) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:morning|evening|night|afternoon))?", re.IGNORECASE
)
_PAST = re.compile(r"\b(?:was|were|had|did|last|ago|war|hatte|était)\b", re.IGNORECASE)
_NOW = re.compile(rf"\b(?:{NOW_WORDS}|now)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RotaQuestion:
    """Who is on duty then."""

    day: date
    week: int  # by its number, 0 where it is asked for by a day
    words: frozenset[str]  # terms of what the duty is called


@dataclass(frozen=True, slots=True)
class RotaRow:
    """A row of a rota, which holds from a day on."""

    cells: Mapping[str, StoredFact]  # by column, folded
    day: date
    week: str  # its number, where it says one
    times: frozenset[str]  # the columns that say when
    columns: tuple[str, ...]  # of the table, in their order, those among them that are empty here
    until: date | None = None  # its last day, where the table says it
    is_weekly: bool = False  # it is the same each week

    @property
    def first(self) -> StoredFact:
        return next(iter(self.cells.values()))


@dataclass(frozen=True, slots=True)
class _Found:
    row: RotaRow
    heading: str  # of its table
    own: frozenset[str]  # terms by which its own table is called
    is_alone: bool  # it is the only table of its page
    is_sure: bool = False  # all that is asked about is what it is called by


def best_rows(found: Iterable[_Found], asked: RotaQuestion) -> list[_Found]:
    """The rows whose own table is called by most of what is asked about. Where a page has several tables, one that is called by less
    than half of it is another's."""
    rows = [(one, [is_said(word, one.own) for word in asked.words], [word in one.own for word in asked.words]) for one in found]
    rows = [row for row in rows if row[0].is_alone or 2 * sum(row[1]) >= len(asked.words)]
    best = max(((sum(said), sum(exact)) for _, said, exact in rows), default=None)
    return [replace(one, is_sure=one.is_alone or all(said)) for one, said, exact in rows if (sum(said), sum(exact)) == best]


def tells_of(said: str, day: date) -> bool:
    """Whether a cell says something of just this day: "Sat 5 Dec: Ann, for Bo"."""
    is_day = _begins(said.strip(), day) is not None
    return not is_day and any(day_written(match, day) == day for match in DAY.finditer(said))


def read_rota_question(text: str, now: date) -> RotaQuestion | None:
    """None where it does not ask who, or not of a time. A day without a year is that which is nearest: at the end of December "the
    week of 4 January" is next week."""
    if not (_WHO.match(text) or _ON_DUTY.match(text)) or _RANKS.search(text) or _ELSE.search(text):
        return None
    if (feast := _FEAST.search(text)) is not None:
        words = _words(text[: feast.start()] + text[feast.end() :])
        day = _nearest(*_FEASTS[bool(feast["year"])], now)
        return RotaQuestion(day, 0, words) if words and day is not None else None
    if (weekend := _WEEKEND.search(text)) is not None:
        rest = text[: weekend.start()] + text[weekend.end() :]
        if (named := _NAMED_WEEKEND.search(rest)) is not None:
            day = _nearest(number_of(named["month"]), int(named["day"]), now)
            words = _words(rest[: named.start()] + rest[named.end() :])
            return RotaQuestion(day, 0, words) if words and day is not None else None
        words = _words(rest)
        saturday = now + timedelta(days=max(0, 5 - now.weekday()) + 7 * bool(weekend["next"]))
        return RotaQuestion(saturday, 0, words) if words else None
    span, week = find_span(text, now), WEEK.search(text)
    if week is not None:
        rest = text[: week.start()] + text[week.end() :]
        day = _monday_of(int(week["year"]), int(week["number"])) if week["year"] else now
        return RotaQuestion(day, int(week["number"]), _words(rest)) if _words(rest) and day is not None else None
    if span is not None and _WEEKDAY_ALONE.fullmatch(span.words) and span.first < now and not _PAST.search(text):
        span = replace(span, first=span.first + timedelta(days=7), last=span.last + timedelta(days=7))  # the one to come
    if span is not None and span.last >= span.first:
        match = DAY.search(span.words) if span.first == span.last else None
        day = (day_written(match, now) if match is not None else None) or min(max(now, span.first), span.last)
        rest = text[: span.start] + text[span.end :]
    elif (said := _NEXT.search(text) or _NOW.search(text)) is not None:
        day = now + timedelta(days=7 * bool(_NEXT.search(text)))
        rest = text[: said.start()] + text[said.end() :]
    else:
        return None
    return RotaQuestion(day, 0, _words(rest)) if _words(rest) else None


def _nearest(month: int, day: int, near: date) -> date | None:
    """The day of that name nearest to another; None where no year around it has one."""
    found = (day_of(year, month, day) for year in range(near.year - 1, near.year + 2))
    return min((one for one in found if one is not None), key=lambda one: abs((one - near).days), default=None)


def _words(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - _PUT


def rota_tables(snapshot: Snapshot, asked: RotaQuestion) -> tuple[list[Table], list[Table]]:
    """Those that are called by what is asked about, by their page, its folders or their columns; and of the others, those with a
    column of times."""
    named: list[Table] = []
    others: list[Table] = []
    for table in snapshot.index.names(snapshot.scope).tables.values():
        if len(table.columns) < 2:
            continue
        path = table.place.partition("/")[2]  # with the folders it lies in: "oncall/rota.md"
        called = _called(f"{path} {table.title} {' '.join(table.headings)} {' '.join(table.columns)}")
        if any(is_said(word, called) for word in asked.words):
            named.append(table)
        elif not _TIMES.isdisjoint(terms(" ".join(table.columns))):
            others.append(table)
    return named, others[:MOST_UNNAMED]


def _called(names: str) -> set[str]:
    called = set(terms(names))
    called |= set(terms("call")) if _ONCALL & called else set()
    return called if _ROTAS.isdisjoint(called) else called | _DUTIES


def rows_then(snapshot: Snapshot, tables: Sequence[Table], asked: RotaQuestion) -> Iterator[_Found]:
    """The rows that hold then, of the tables that are a rota of what is asked about."""
    on_page = Counter(table.place for table in snapshot.index.names(snapshot.scope).tables.values())
    for document, lines in lines_of(snapshot, tables):
        for row in _then(lines, asked):
            heading, own, page = called_by(snapshot, row)
            if all(is_said(word, page) for word in asked.words):
                yield _Found(row, heading, own, on_page[document] == 1)


def lines_of(snapshot: Snapshot, tables: Sequence[Table]) -> Iterator[tuple[str, list[Mapping[str, StoredFact]]]]:
    """The place of each document with some of these tables, and the lines of those that are called the same there, by column."""
    by_caption: dict[str, set[str]] = {}  # with the documents they stand in
    for table in tables:
        caption = folded(table.headings[-1] if table.headings else table.title)
        by_caption.setdefault(caption, set()).add(table.place)
    for caption, places in by_caption.items():
        rows: dict[str, dict[tuple[str, int], dict[str, StoredFact]]] = {place: {} for place in places}
        for fact in snapshot.index.facts(snapshot.scope).in_category([caption]):
            if fact.fact.row and (lines := rows.get(document_around(fact.place))) is not None:
                lines.setdefault(fact.line, {})[folded(fact.fact.relation)] = fact
        for document, lines in rows.items():
            yield document, list(lines.values())


def _then(lines: Sequence[Mapping[str, StoredFact]], asked: RotaQuestion) -> list[RotaRow]:
    """The row of a table that holds then, or the rows; none where it is no rota."""
    columns = tuple(dict.fromkeys(name for cells in lines for name in cells))
    if (weekly := _of_weekday(lines, asked, columns)) is not None:
        return weekly
    rows, usual = read_rota(lines, asked.day, columns)
    if asked.week:
        of_week = [
            row for row in rows if row.week == str(asked.week) or (not row.week and row.day.isocalendar().week == asked.week)
        ]
        return [row for row in of_week if abs((row.day - asked.day).days) <= HALF_A_YEAR]
    chosen = [row for row in rows if row.day <= asked.day][-1:]
    return [row for row in chosen if (asked.day <= row.until if row.until is not None else (asked.day - row.day).days < usual)]


def read_rota(lines: Sequence[Mapping[str, StoredFact]], near: date, columns: tuple[str, ...]) -> tuple[list[RotaRow], int]:
    """The rows of a rota in the order of their days, a day without a year being that nearest to `near`, and for how many days one
    usually holds; none of a table that is no rota."""
    rows = sorted(filter(None, (_row(cells, near, columns) for cells in lines)), key=lambda row: row.day)
    steps = Counter((after.day - before.day).days for before, after in pairwise(rows))
    if len(rows) < FEWEST_ROWS or len(rows) < len(lines) or min(steps) < 1 or max(steps) > LONGEST_DUTY:
        return [], 0
    [(usual, times)] = steps.most_common(1)
    if 2 * times < len(rows) - 1 or any(_has_gap(before, after) for before, after in pairwise(rows)):
        return [], 0  # days on which something happens, or when each of some people is away
    return rows, usual


def _of_weekday(lines: Sequence[Mapping[str, StoredFact]], asked: RotaQuestion, columns: tuple[str, ...]) -> list[RotaRow] | None:
    """The row of the day of the week, of a table that is the same each week; None for any other."""
    days = [
        (at, name, cells)
        for cells in lines
        for name, cell in cells.items()
        if (at := weekday_of(cell.fact.value.strip())) is not None
    ]
    if len(days) < max(FEWEST_DAYS, len(lines)) or len({name for _, name, _ in days}) != 1 or asked.week:
        return None
    found = [(name, cells) for at, name, cells in days if at == asked.day.weekday()]
    return (
        [RotaRow(cells, asked.day, "", frozenset((name,)), columns, is_weekly=True) for name, cells in found]
        if len(found) == 1
        else []
    )


def _has_gap(before: RotaRow, after: RotaRow) -> bool:
    """Whether a row ends more than a weekend before the next begins, or after that."""
    return before.until is not None and not 0 <= (after.day - before.until).days <= LONGEST_GAP


def called_by(snapshot: Snapshot, row: RotaRow) -> tuple[str, frozenset[str], frozenset[str]]:
    """The heading of the row's table; the terms of that heading, the columns and the row; and those of the page."""
    cited = FactCitations(snapshot.store, snapshot.version).cite([row.first])
    if row.first.place not in cited:
        return "", frozenset(), frozenset()
    leaf = cited[row.first.place][1]
    path = document_around(row.first.place).partition("/")[2]
    headings = next(
        (one.headings for one in scopes_of(leaf.as_read()) if one.start <= row.first.fact.start < one.end), leaf.heading
    )
    heading = headings[-1] if len(headings) > 1 else ""  # the title is that of all tables of a page
    own = " ".join(
        (heading, *(cell.fact.relation for cell in row.cells.values()), *(cell.fact.value for cell in row.cells.values()))
    )
    page = _called(f"{path} {' '.join(leaf.heading)} {leaf.title} {own}")
    return heading, frozenset(_called(own)), frozenset(page | set(terms(leaf.text)))


def is_said(word: str, there: Set[str]) -> bool:
    return word in there or not there.isdisjoint(same_as(word))


def _row(cells: Mapping[str, StoredFact], near: date, columns: tuple[str, ...]) -> RotaRow | None:
    said = {name: cell.fact.value.strip() for name, cell in cells.items()}
    begins = {name: day for name, one in said.items() if (day := _begins(one, near)) is not None}
    days = [day for name, day in begins.items() if name not in _ENDINGS]
    weeks = [
        (name, match) for name, one in said.items() if name in _WEEK_COLUMNS and (match := _WEEK_CELL.fullmatch(one)) is not None
    ]
    week = weeks[0][1]["number"] if weeks else ""
    if not days and week:
        days = [day] if (day := monday_near(int(week), near)) is not None else []
    times = frozenset((*begins, *(name for name, _ in weeks)))
    ends = [day for name, day in begins.items() if name in _ENDINGS]
    ends += [day for one in said.values() if (day := _ends(one, near)) is not None]
    return RotaRow(cells, min(days), week, times, columns, max(ends, default=None)) if days else None


def monday_near(week: int, near: date) -> date | None:
    """The Monday of an ISO week, of the year in which it is nearest."""
    found = (_monday_of(year, week) for year in range(near.year - 1, near.year + 2))
    return min((one for one in found if one is not None), key=lambda one: abs((one - near).days), default=None)


def _monday_of(year: int, week: int) -> date | None:
    """None where that year has no such week: not every year has a week 53."""
    try:
        return date.fromisocalendar(year, week, 1)
    except ValueError:
        return None


def _begins(said: str, near: date) -> date | None:
    """The day that a cell is, or the first of those that it names: "20 – 27 Nov", "27 Nov - 4 Dec", "48 (20 – 27 Nov)"."""
    if (week := _WEEK_CELL.fullmatch(said)) is not None and week["days"]:
        said = week["days"]
    if (span := _DAYS.fullmatch(said)) is not None:
        said = f"{span['first']} {span['month'] or span['until']}"
    match = DAY.fullmatch(said)
    return day_written(match, near) if match is not None else None


def days_named(text: str, near: date) -> Iterator[date]:
    """The days that a text names; one without a year is that which is nearest."""
    return (day for match in DAY.finditer(text) if (day := day_written(match, near)) is not None)


def _ends(said: str, near: date) -> date | None:
    """The last of the days that a cell names: "28–29 November"."""
    if (week := _WEEK_CELL.fullmatch(said)) is not None and week["days"]:
        said = week["days"]
    span = _DAYS.fullmatch(said)
    match = DAY.fullmatch(f"{span['last']} {span['until']}") if span is not None else None
    return day_written(match, near) if match is not None else None


def day_written(match: re.Match[str], near: date) -> date | None:
    """A day as it is written; one without a year that which is nearest."""
    if match["year"]:
        return day_of(int(match["year"]), int(match["number"]), int(match["iso"]))
    month, day = number_of(match["month"]), int(match["day"])
    return day_of(int(match["of"]), month, day) if match["of"] else _nearest(month, day, near)
