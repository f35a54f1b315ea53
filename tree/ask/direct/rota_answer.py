"""Who is on duty at a time: the row of a rota that holds then, below what its page says has changed since.

A rota is a table with a column of days, each row of which holds until the day of the next, or that of so many days. Where the page
states changes that name the row, by its day or its week, these are told first, and what they make of the row is left to the reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from prompts.extractive import as_text
from prompts.extractive.passages import Passage, passages, quote
from prompts.extractive.procedures import scopes_of
from prompts.language import terms
from prompts.months import MONTH, number_of, weekday_of
from prompts.other_languages import in_english
from prompts.records import Quote
from prompts.synonyms import same_as
from prompts.timespans import NOW_WORDS, day_of, find_span
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.told_facts import FactCitations, line
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import Leaf
from tree.store.places import document_around

FEWEST_ROWS = 3  # of a rota
MOST_UNNAMED = 40  # tables that are looked at of those that only have a column of days: their pages may still have the words
MOST_REMARKS = 5
LONGEST_HEAD = 40  # characters of a line in which it says when it was written
HALF_A_YEAR = 183  # days within which a week that is asked for by its number lies
LONGEST_DUTY = 31  # days that a row holds
FEWEST_DAYS = 4  # of a week, in a table that is the same each week
LONGEST_GAP = 3  # days from the last day of a row to the first of the next: Friday to Monday
_DAY = re.compile(
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
_WEEK_WORD = "(?:week|wk|kw|cw|kalenderwoche|semaine)"  # before its number
_WEEK_CELL = re.compile(  # "52", "W52", "52 (21 - 27 Dec)"
    rf"(?:(?:{_WEEK_WORD}|w) ?)?(?P<number>\d{{1,2}})(?: ?\((?P<days>[^()]{{4,40}})\))?", re.IGNORECASE
)
_WHO = re.compile(r"\A\W*(?:and |so |then )?(?:who|whose)\b", re.IGNORECASE)
_WEEKEND = re.compile(r"\b(?:(?:on|at|over|for) )?(?:the |this |(?P<next>next ))?week-?end\b", re.IGNORECASE)
_NAMED_WEEKEND = re.compile(  # "the weekend of 5/6 December"
    rf"(?:\b(?:of|on) )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: ?(?:/|-|–|and|&|\+) ?\d{{1,2}}(?:st|nd|rd|th|\.)?)?(?: of)? (?P<month>{MONTH})",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\bnext week\b", re.IGNORECASE)
WEEK = re.compile(
    rf"\b(?:in |of |for )?(?:calendar )?{_WEEK_WORD} (?:no\.? ?)?(?P<number>\d{{1,2}})\b(?!:)(?: (?:of |in )?(?P<year>20\d\d))?",
    re.IGNORECASE,
)
_WEEK_COLUMNS = frozenset(("week", "wk", "kw", "cw", "calendar week", "kalenderwoche", "semaine", "week no", "woche"))
_WEEKS = re.compile(
    rf"\b{_WEEK_WORD}s? (?P<numbers>\d{{1,2}}(?:(?:, ?| and | to | ?- ?| or )(?:{_WEEK_WORD} )?\d{{1,2}}){{0,5}})\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:chang\w+|swap\w*|takes?|took|exchang\w+|instead|tausch\w*|übernimmt|échang\w+|prend)\b", re.IGNORECASE
)
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+")
_NUMBERS = re.compile(r"(?<![\d:.,-])\d{1,2}(?![\d:-]|[.,]\d)")
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
_SMALL = frozenset("on of the at in for and a".split())  # words of a column's name that a question may leave out
_PEOPLE = re.compile(r"\W*[A-ZÀ-Þ][^\d]{1,60}\Z|\W*\Z")  # in a cell
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
_ABSENT = re.compile(
    r"\b(?:leave|away|ill|sick|holidays?|vacation|absent|replac\w+|instead|takes? over|takes? (?:her|his|their|my)|covers? for|Urlaub|krank|vertritt|vertreten|congé|malade)\b",
    re.IGNORECASE,
)
_LIMITED = re.compile(r"\b(?:valid|from|until|till|closed|ab|bis|gültig|geschlossen)\b[^.\n]{0,60}\d|\b20\d\d\b", re.IGNORECASE)
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


def answer_from_rota(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "who is on call this week?"; None where no table, or more than one, says it."""
    text = understanding.text
    asked = read_rota_question(text, today(snapshot)) or read_rota_question(in_english(text), today(snapshot))
    if asked is None:
        return None
    named, others = rota_tables(snapshot, asked)
    found = _best(_rows_then(snapshot, named, asked), asked) or _best(_rows_then(snapshot, others, asked), asked)
    if len(found) != 1:
        return None
    [chosen] = found
    row, place = chosen.row, chosen.row.first.place
    cited = FactCitations(snapshot.store, snapshot.version).cite([row.first])
    if place not in cited:
        return None
    node, leaf = cited[place]
    remarks = list(_remarks(leaf, row))
    step = Step(
        "register", node.place, node.hash, node.title, reason="The row of this rota holds at the time that is asked about."
    )
    of_day = [] if asked.week else [cell for cell in row.cells.values() if _tells_of(cell.fact.value, asked.day)]
    lines = [Line("Changes that name this row:\n")] if remarks or of_day else []
    for cell in of_day:
        lines.append(line(f"\n- {as_text(cell.fact.value)} [1]", 1, cell, cited))
    for one in remarks:
        lines.append(Line(f"\n- {as_text(one.text)} [1]", 1, node, leaf, one))
    cells, is_whole = _asked_of(row, asked, text)
    absences = _absences(leaf, cells, remarks)
    if absences and not lines:
        lines.append(Line("Changes that may be of this row:\n"))
    for one in absences:
        lines.append(Line(f"\n- {as_text(one.text)} [1]", 1, node, leaf, one))
    is_whole = is_whole and not (row.is_weekly and _LIMITED.search(" ".join((*leaf.heading, leaf.title, leaf.text))))
    if not cells:
        return None
    told = " · ".join(f"{as_text(cell.fact.relation)}: {_held_by(cell.fact.value)}" for cell in cells)
    told = told if chosen.is_sure or not chosen.heading else f"{as_text(chosen.heading)}: {told}"  # it may be another's
    said = f"\n\nThe table itself: {told}" if lines else f"**{told}**"
    lines.append(line(f"{said} [1]", 1, row.first, cited))
    return DirectAnswer(
        step, tuple(lines), "complete" if chosen.is_sure and is_whole and not (remarks or of_day or absences) else "partial"
    )


def _held_by(value: str) -> str:
    return as_text(value) if any(map(str.isalnum, value)) else "nobody"


def _asked_of(row: RotaRow, asked: RotaQuestion, text: str) -> tuple[list[StoredFact], bool]:
    """Of a row with a column for each duty those that are asked about, behind the cells that say when; all of it where none is called
    so, and nothing where the cell is empty. And whether a column is called by all that is asked about."""
    said = set(folded(text).replace("-", " ").split())
    duties = {name: set(terms(name)) for name in row.columns if name not in row.times and name not in REMARKS}
    chosen = [name for name in duties if said >= set(re.findall(r"[^\W\d_]+", name)) - _SMALL]  # "standby 2" by "standby"
    wanted = asked.words & set().union(*duties.values())
    is_whole = True
    if not chosen and wanted:
        shares = {name: len(wanted & there) for name, there in duties.items()}
        chosen = [name for name, share in shares.items() if share == max(shares.values())]
        is_whole = max(shares.values()) == len(wanted)
    if not chosen:
        held = [name for name in duties if name not in row.cells or _PEOPLE.match(row.cells[name].fact.value)]
        return list(row.cells.values()), not held or held[0] in row.cells  # who comes first is nobody
    told = [row.cells[name] for name in chosen if name in row.cells]
    held = [name for name in duties if name not in row.cells or _PEOPLE.match(row.cells[name].fact.value)]
    if len(held) < 2 <= len(duties) or not all(_PEOPLE.match(cell.fact.value) for cell in told):
        return list(row.cells.values()), True  # no column for each duty: "goods: lamps" says not who received them
    kept = [cell for name, cell in row.cells.items() if name in row.times or name in REMARKS]
    return (told + kept if told else []), is_whole


def _best(found: Iterable[_Found], asked: RotaQuestion) -> list[_Found]:
    """The rows whose own table is called by most of what is asked about. Where a page has several tables, one that is called by less
    than half of it is another's."""
    rows = [(one, [is_said(word, one.own) for word in asked.words], [word in one.own for word in asked.words]) for one in found]
    rows = [row for row in rows if row[0].is_alone or 2 * sum(row[1]) >= len(asked.words)]
    best = max(((sum(said), sum(exact)) for _, said, exact in rows), default=None)
    return [replace(one, is_sure=one.is_alone or all(said)) for one, said, exact in rows if (sum(said), sum(exact)) == best]


def _tells_of(said: str, day: date) -> bool:
    """Whether a cell says something of just this day: "Sat 5 Dec: Ann, for Bo"."""
    is_day = _begins(said.strip(), day) is not None
    return not is_day and any(_day(match, day) == day for match in _DAY.finditer(said))


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
        match = _DAY.search(span.words) if span.first == span.last else None
        day = (_day(match, now) if match is not None else None) or min(max(now, span.first), span.last)
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


def _rows_then(snapshot: Snapshot, tables: Sequence[Table], asked: RotaQuestion) -> Iterator[_Found]:
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
    match = _DAY.fullmatch(said)
    return _day(match, near) if match is not None else None


def days_named(text: str, near: date) -> Iterator[date]:
    """The days that a text names; one without a year is that which is nearest."""
    return (day for match in _DAY.finditer(text) if (day := _day(match, near)) is not None)


def _ends(said: str, near: date) -> date | None:
    """The last of the days that a cell names: "28–29 November"."""
    if (week := _WEEK_CELL.fullmatch(said)) is not None and week["days"]:
        said = week["days"]
    span = _DAYS.fullmatch(said)
    match = _DAY.fullmatch(f"{span['last']} {span['until']}") if span is not None else None
    return _day(match, near) if match is not None else None


def _day(match: re.Match[str], near: date) -> date | None:
    """A day as it is written; one without a year that which is nearest."""
    if match["year"]:
        return day_of(int(match["year"]), int(match["number"]), int(match["iso"]))
    month, day = number_of(match["month"]), int(match["day"])
    return day_of(int(match["of"]), month, day) if match["of"] else _nearest(month, day, near)


def _remarks(leaf: Leaf, row: RotaRow) -> Iterator[Quote]:
    """What the page says besides of this row, by its day, a day of its week, or the number of its week: the newest first."""
    text = leaf.as_read()
    own: list[tuple[str, Passage]] = []
    for passage in passages(text):
        is_of_row = _names(passage.text, row) and _may_change(passage, row)  # not until when the next rota is made
        if passage.kind in ("text", "item") and (is_of_row or _numbers(passage, row)):
            begins = leaf.text.rfind("\n", 0, passage.start) + 1  # a change of several sentences is dated at the head of its line
            first = _DAY.search(leaf.text[begins : begins + LONGEST_HEAD])
            day = _day(first, row.day) if first is not None else None
            own.append((day.isoformat() if day is not None else "", passage))
    own.sort(key=lambda one: one[0], reverse=True)
    return (quote(leaf.text, one.start, one.end) for _, one in own[:MOST_REMARKS])


def _absences(leaf: Leaf, cells: Iterable[StoredFact], told: Sequence[Quote]) -> list[Quote]:
    """What the page says of somebody in these cells being away, or of who takes their place, but for what is `told` anyway."""
    people = {word for cell in cells for word in _NAME.findall(_DAY.sub(" ", cell.fact.value)) if len(word) > 2}
    text = leaf.as_read()
    found = [
        quote(leaf.text, one.start, one.end)
        for one in passages(text)
        if one.kind in ("text", "item") and _ABSENT.search(one.text) and not people.isdisjoint(_NAME.findall(one.text))
    ]
    known = {one.start for one in told}
    return [one for one in found if one.start not in known][:MOST_REMARKS]


def _may_change(passage: Passage, row: RotaRow) -> bool:
    """Whether it tells of a change, or names somebody who stands in the row."""
    people = {word for cell in row.cells.values() for word in _NAME.findall(_DAY.sub(" ", cell.fact.value))}
    is_change = _CHANGES.search(passage.heading) is not None or _CHANGES.search(passage.text) is not None
    return is_change or not people.isdisjoint(_NAME.findall(passage.text))


def _numbers(passage: Passage, row: RotaRow) -> bool:
    """Whether a change gives the number of the week alone: "Ida takes 48, Per takes 53"."""
    is_change = _CHANGES.search(passage.heading) is not None or _CHANGES.search(passage.text) is not None
    return bool(row.week) and is_change and row.week in _NUMBERS.findall(_DAY.sub(" ", passage.text))


def _names(said: str, row: RotaRow) -> bool:
    lead = _DAY.match(said.lstrip("*_ "))
    rest = (
        said.lstrip("*_ ")[lead.end() :] if lead is not None else said
    )  # the day on which it was written is not what it is about
    days = (day for match in _DAY.finditer(rest) if (day := _day(match, row.day)) is not None)
    if any(0 <= (day - row.day).days < 7 for day in days):
        return True
    return bool(row.week) and any(row.week in re.findall(r"\d+", one["numbers"]) for one in _WEEKS.finditer(said))
