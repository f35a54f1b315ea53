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
from prompts.months import WEEKDAY_BEFORE, weekday_of
from prompts.regex import regex
from prompts.synonyms import same_as
from prompts.written_days import DAY, WEEK_WORD, day_written, monday_near
from tree.ask.direct.rota_lists import lists_of_days
from tree.ask.direct.rota_question import RotaQuestion
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.table_rows import rows_of_tables
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.places import document_around

FEWEST_ROWS, FEWEST_ENDED = 3, 2  # of a rota, and of one whose rows all say their last day too
MANY_DUTIES = 3  # columns
MOST_UNNAMED = 40  # tables that are looked at of those that only have a column of days: their pages may still have the words
MOST_SPEAKING = 200  # leaves that have a word of what is asked about
HALF_A_YEAR = 183  # days within which a week that is asked for by its number lies
LONGEST_DUTY = 31  # days that a row holds
FEWEST_DAYS = 4  # of a week, in a table that is the same each week
MOST_GAPS = 0.2  # of the rows of a rota, behind which one is: the house is closed at Christmas
NOTE_COLUMNS, NOTE_WORDS = 2, 3  # more than that have a table below which a note stands, and the note
LONGEST_GAP = 3  # days from the last day of a row to the first of the next: Friday to Monday
_DAYS = regex(  # of a week: the month stands behind its last day, and behind its first where that is in another
    r"(?P<first>\d{1,2})\.? ?(?P<month>[A-Z][a-z]{2,8})?\.? ?(?:–|-|to|bis) ?(?P<last>\d{1,2})\.? ?(?P<until>[A-Z][a-z]{2,8}\.?(?: \d{4})?)"
)
_TIMES = frozenset(  # in the names of columns
    "from date dates day days week weeks wk starting starts start begin begins since shift von ab datum tag woche kw kalenderwoche jour semaine du".split()
)
_WRITTEN = frozenset("issued published updated changed created entered added posted approved".split())  # of when a row was
_ENDINGS = frozenset(("until", "till", "to", "due", "by", "end", "bis", "jusqu'à"))  # columns of no beginning
_WEEK_CELL = regex(  # "52", "W52", "52 (21 - 27 Dec)"
    rf"(?:(?:{WEEK_WORD}|w) ?)?(?P<number>\d{{1,2}})(?: ?\((?P<days>[^()]{{4,40}})\))?", re.IGNORECASE
)
INITIALS = 2  # letters: "SA" may be somebody's
_SHORT_YEAR = regex(r"(?<=[A-Za-z]{3}) (\d\d)\Z")  # "25 Dec 26"
_BESIDE_DAY = regex(  # the weekday before a date, and a note behind it: "Wed 9/12 (Christmas lunch)"
    rf"\A{WEEKDAY_BEFORE}|(?<=[\w.]) ?\([^()\d][^()]*\)\Z",
    re.IGNORECASE,
)
_LETTERS = regex(r"[^\W\d_]+")
_COUNTED = regex(r"(?<=[^\W\d_]{3})\d{1,2}\b")
_WEEK_COLUMNS = frozenset(("week", "wk", "kw", "cw", "calendar week", "kalenderwoche", "semaine", "week no", "woche"))
_ROTAS = frozenset(terms("rota roster dienstplan notdienst bereitschaft astreinte"))  # as pages are called
_DUTIES = frozenset(terms("call duty standby phone pager"))  # and what people call that
_ONCALL = frozenset(terms("oncall"))  # as files are called


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
    is_one_of: bool = False  # the table has several rows of this time, one for each duty
    is_listed: bool = False  # it is of just its day, in a table of days on which something happens
    days: int = 7  # for which a row of its table usually holds

    @property
    def first(self) -> StoredFact:
        return next(iter(self.cells.values()))


@dataclass(frozen=True, slots=True)
class Called:
    """By which words a row is called, in terms of the index."""

    heading: str  # of its table, as written; empty where that is the title of the page
    own: frozenset[str]  # of the heading, the columns and the row
    title: frozenset[str]  # of the title of the page and where it lies
    page: frozenset[str]  # all words of the page


@dataclass(frozen=True, slots=True)
class FoundRow:
    row: RotaRow
    heading: str  # of its table
    own: frozenset[str]  # terms by which its own table is called
    is_alone: bool  # it is the only table of its page
    is_sure: bool = False  # all that is asked about is what it is called by


def best_rows(found: Iterable[FoundRow], asked: RotaQuestion) -> list[FoundRow]:
    """The rows whose own table is called by most of what is asked about. Where a page has several tables, one that is called by less
    than half of it is another's."""
    rows = [(one, [is_said(word, one.own) for word in asked.words], [word in one.own for word in asked.words]) for one in found]
    rows = [row for row in rows if _is_of_page(row[0].row, row[1], row[0].is_alone) or 2 * sum(row[1]) >= len(asked.words)]
    rows = [(one, said, exact) for one, said, exact in rows if all(said) or not one.row.is_listed]
    best = max(((sum(said), sum(exact)) for _, said, exact in rows), default=None)
    return [
        replace(one, is_sure=all(said) or (one.is_alone and not one.row.is_one_of))
        for one, said, exact in rows
        if (sum(said), sum(exact)) == best
    ]


def _is_of_page(row: RotaRow, said: Sequence[bool], is_alone: bool) -> bool:
    """Whether the only table of a page is of what the page speaks of: not one with a column for each duty, none of which is asked for."""
    duties = [name for name in row.columns if name not in row.times and name not in REMARKS]
    return is_alone and (any(said) or row.is_one_of or len(duties) < MANY_DUTIES)


def are_of_one_time(found: Sequence[FoundRow], asked: RotaQuestion) -> bool:
    """Whether this is one row, or all are rows that one table has of the time that is asked about."""
    is_long = asked.last is not None
    tables = {(one.row.first.fact.group, document_around(one.row.first.place), None if is_long else one.row.day) for one in found}
    return len(found) == 1 or (len(tables) == 1 and all(one.row.is_one_of for one in found))


def tells_of(said: str, day: date) -> bool:
    """Whether a cell says something of just this day: "Sat 5 Dec: Ann, for Bo"."""
    is_day = _begins(said.strip(), day) is not None
    return not is_day and any(day_written(match, day) == day for match in DAY.finditer(said))


def rota_tables(snapshot: Snapshot, asked: RotaQuestion) -> tuple[list[Table], list[Table]]:
    """Those that are called by what is asked about, by their page, its folders or their columns; and of the others, those with a
    column of times in documents that speak of it."""
    named: list[Table] = []
    others: list[Table] = []
    for table in snapshot.index.names(snapshot.scope).tables.values():
        if len(table.columns) < 2:
            continue
        called = called_by_table(table)
        if any(is_said(word, called) for word in asked.words):
            named.append(table)
        elif not _TIMES.isdisjoint(_LETTERS.findall(" ".join(table.columns).casefold())):
            others.append(table)
    speaking = documents_with(snapshot, asked.words) if others else set[str]()
    return named, [table for table in others if table.place in speaking][:MOST_UNNAMED]


def documents_with(snapshot: Snapshot, words: Iterable[str]) -> set[str]:
    """The places of the documents that have one of these terms, or another word for it, and most of it: so many leaves are looked at."""
    wanted = dict.fromkeys(one for word in words for one in (word, *same_as(word)))
    hits = snapshot.index.search(list(wanted), snapshot.scope, MOST_SPEAKING) if wanted else []
    return {document_around(hit.place) for hit in hits}


def called_by_table(table: Table) -> set[str]:
    """The terms by which a table is called: of its page and the folders that lies in ("oncall/rota.md"), its headings and columns."""
    path = table.place.partition("/")[2]
    return _called(f"{path} {table.title} {' '.join(table.headings)} {' '.join(table.columns)}")


def in_known_words(asked: RotaQuestion, tables: Sequence[Table]) -> RotaQuestion:
    """What is asked in those of its words by which one of the tables, or a column of it, is called: "the Penstow outpost" where a column
    is called Penstow."""
    known = {word for table in tables for word in asked.words if is_said(word, called_by_table(table))}
    return replace(asked, words=frozenset(known))


def duty_terms(name: str) -> set[str]:
    """The terms of the name of a column, also without their numbers: "night2" is a night."""
    return set(terms(name)) | set(terms(_COUNTED.sub("", name)))


def _called(names: str) -> set[str]:
    called = duty_terms(names)
    called |= set(terms("call")) if _ONCALL & called else set()
    return called if _ROTAS.isdisjoint(called) else called | _DUTIES


def rows_then(snapshot: Snapshot, tables: Sequence[Table], asked: RotaQuestion) -> Iterator[FoundRow]:
    """The rows that hold then, of the tables that are a rota of what is asked about."""
    on_page = Counter(table.place for table in snapshot.index.names(snapshot.scope).tables.values())
    for document, lines in rows_of_tables(snapshot.index.facts(snapshot.scope), tables):
        rows = _then(lines, asked)
        for row, called in zip(rows, called_by(snapshot, rows), strict=True):
            if all(is_said(word, called.page) for word in asked.words):
                is_alone = on_page[document] == 1
                yield FoundRow(row, called.heading, called.own | called.title if is_alone else called.own, is_alone)


def entries_then(snapshot: Snapshot, text: str, asked: RotaQuestion) -> Iterator[FoundRow]:
    """The entries that hold then, of lists of days below what is asked about. `text`: of the question."""
    for _, lines in lists_of_days(snapshot, text):
        rows = _then(lines, asked)
        for row, called in zip(rows, called_by(snapshot, rows), strict=True):
            yield FoundRow(row, called.heading, called.own if called.heading else called.own | called.title, is_alone=False)


def _then(lines: Sequence[Mapping[str, StoredFact]], asked: RotaQuestion) -> list[RotaRow]:
    """The row of a table that holds then, or the rows where it has one for each duty; none where it is no rota.

    A table of days on which something happens is none, but has rows of just the day that is asked about.
    """
    columns = tuple(dict.fromkeys(name for cells in lines for name in cells))
    if (weekly := _of_weekday(lines, asked, columns)) is not None:
        return weekly
    if (weekly := _of_column_of_weekday(lines, asked, columns)) is not None:
        return weekly
    rows, usual = read_rota(lines, asked.day, columns)
    if asked.week:
        of_week = [
            row for row in rows if row.week == str(asked.week) or (not row.week and row.day.isocalendar().week == asked.week)
        ]
        return _each(row for row in of_week if abs((row.day - asked.day).days) <= HALF_A_YEAR)
    if asked.last is not None:
        return [replace(row, is_one_of=True) for row in rows if row.day <= asked.last and asked.day <= last_day(row, usual)]
    last = max((row.day for row in rows if row.day <= asked.day), default=None)
    chosen = [row for row in rows if row.day == last]
    if not rows and asked.is_day:
        listed = (_row(cells, asked.day, columns) for cells in lines)
        return [replace(row, is_one_of=True, is_listed=True) for row in listed if row is not None and row.day == asked.day]
    return _each(
        row for row in chosen if (asked.day <= row.until if row.until is not None else (asked.day - row.day).days < usual)
    )


def last_day(row: RotaRow, usual: int) -> date:
    """On which a row holds, in a rota whose rows usually hold for so many days."""
    return row.until or row.day + timedelta(days=min(usual - 1, (date.max - row.day).days))


def _each(rows: Iterable[RotaRow]) -> list[RotaRow]:
    found = list(rows)
    return [replace(row, is_one_of=len(found) > 1) for row in found]


def read_rota(lines: Sequence[Mapping[str, StoredFact]], near: date, columns: tuple[str, ...]) -> tuple[list[RotaRow], int]:
    """The rows of a rota in the order of their days, a day without a year being that nearest to `near`, and for how many days one
    usually holds; none of a table that is no rota. A rota has one row for each day, or as many for each, one for every duty."""
    lines = [cells for cells in lines if not _is_note(cells, columns)]
    rows = sorted(filter(None, (_row(cells, near, columns) for cells in lines)), key=lambda row: row.day)
    at_once = Counter(row.day for row in rows)
    firsts = [next(row for row in rows if row.day == day) for day in at_once]
    steps = Counter((after.day - before.day).days for before, after in pairwise(firsts))
    fewest = FEWEST_ENDED if all(row.until is not None for row in rows) else FEWEST_ROWS
    if len(firsts) < fewest or len(rows) < len(lines) or max(steps) > LONGEST_DUTY:
        return [], 0
    [(_, alike)] = Counter(at_once.values()).most_common(1)
    [(usual, times)] = steps.most_common(1)
    is_even = len(at_once) == len(rows) or 2 * alike >= len(at_once)
    gaps = sum(_has_gap(before, after) for before, after in pairwise(firsts))
    if not is_even or 2 * times < len(firsts) - 1 or gaps > (len(firsts) - 1) * MOST_GAPS:
        return [], 0  # days on which something happens, or when each of some people is away
    if all(before.until == after.day for before, after in pairwise(rows)):  # on its last day a row hands over to the next one
        rows = [replace(row, until=row.until - timedelta(days=1)) if row.until is not None else row for row in rows]
    return [replace(row, days=usual) for row in rows], usual


def _is_note(cells: Mapping[str, StoredFact], columns: Sequence[str]) -> bool:
    """Whether a line below a table says something in its first cell alone: "Swap among yourselves and tell the office"."""
    said = [cell.fact.value for cell in cells.values() if any(map(str.isalnum, cell.fact.value))]
    return len(columns) > NOTE_COLUMNS and len(said) == 1 and len(said[0].split()) > NOTE_WORDS


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
    if len({at for at, _, _ in days}) < len(days) and any(
        _begins(one.fact.value.strip(), asked.day) for one in lines[0].values()
    ):
        return None  # the weekday stands beside the date
    found = [(name, cells) for at, name, cells in days if at == asked.day.weekday()]
    return (
        [RotaRow(cells, asked.day, "", frozenset((name,)), columns, is_weekly=True) for name, cells in found]
        if len(found) == 1
        else []
    )


def _of_column_of_weekday(
    lines: Sequence[Mapping[str, StoredFact]], asked: RotaQuestion, columns: tuple[str, ...]
) -> list[RotaRow] | None:
    """The cells of the day of the week, of a table that has a column for each: "| Mon | Tue | Wed |"; None for any other."""
    days = [name for name in columns if weekday_of(name) is not None]
    others = [name for name in columns if name not in days]
    if len(days) < FEWEST_DAYS or len(others) > 1 or asked.week or asked.last is not None:
        return None
    meant = [name for name in days if weekday_of(name) == asked.day.weekday()]
    rows = [{name: cells[name] for name in (*others, *meant) if name in cells} for cells in lines] if len(meant) == 1 else []
    told = [cells for cells in rows if meant[0] in cells]
    return [
        RotaRow(cells, asked.day, "", frozenset(others), (*others, *meant), is_weekly=True, is_one_of=len(told) > 1)
        for cells in told
    ]


def _has_gap(before: RotaRow, after: RotaRow) -> bool:
    """Whether a row ends more than a weekend before the next begins, or after that."""
    return before.until is not None and not 0 <= (after.day - before.until).days <= LONGEST_GAP


def called_by(snapshot: Snapshot, rows: Sequence[RotaRow]) -> Iterator[Called]:
    """By which words each row is called; none for one whose text is gone."""
    cited = FactCitations(snapshot.store, snapshot.version).cite(row.first for row in rows)
    texts = {place: frozenset(terms(leaf.text)) for place, (_, leaf) in cited.items()}
    scopes = {place: tuple(scopes_of(leaf.as_read())) for place, (_, leaf) in cited.items()}
    for row in rows:
        place = row.first.place
        if place not in cited:
            yield Called("", frozenset(), frozenset(), frozenset())
            continue
        leaf = cited[place][1]
        path = document_around(place).partition("/")[2]
        headings = next((one.headings for one in scopes[place] if one.start <= row.first.fact.start < one.end), leaf.heading)
        caption = folded(row.first.fact.group)  # below it stand the names of the parts into which a long table is cut
        at = next((at for at, one in enumerate(headings) if folded(one) == caption), len(headings) - 1)
        heading = headings[at] if at > 0 else ""  # the title is that of all tables of a page
        cells = " ".join(f"{cell.fact.relation} {cell.fact.value}" for cell in row.cells.values())
        own, title = f"{heading} {cells}", f"{path} {' '.join(leaf.heading[:1])}"
        page = _called(f"{path} {' '.join(leaf.heading)} {leaf.title} {own}")
        yield Called(heading, frozenset(_called(own)), frozenset(_called(title)), texts[place] | page)


def is_said(word: str, there: Set[str]) -> bool:
    return word in there or not there.isdisjoint(same_as(word))


def _row(cells: Mapping[str, StoredFact], near: date, columns: tuple[str, ...]) -> RotaRow | None:
    said = {name: cell.fact.value.strip() for name, cell in cells.items()}
    begins = {name: day for name, one in said.items() if (day := _begins(one, near)) is not None}
    begins = {name: day for name, day in begins.items() if _WRITTEN.isdisjoint(name.split())}
    days = [day for name, day in begins.items() if not _is_ending(name)]
    weeks = [
        (name, match) for name, one in said.items() if name in _WEEK_COLUMNS and (match := _WEEK_CELL.fullmatch(one)) is not None
    ]
    week = weeks[0][1]["number"] if weeks else ""
    if not days and week:
        days = [day] if (day := monday_near(int(week), near)) is not None else []
    of_week = (name for name, one in said.items() if len(one) > INITIALS and weekday_of(one) is not None)
    times = frozenset((*begins, *of_week, *(name for name, _ in weeks)))
    ends = [day for name, day in begins.items() if _is_ending(name)]
    ends += [day for one in said.values() if (day := _ends(one, near)) is not None]
    return RotaRow(cells, min(days), week, times, columns, max(ends, default=None)) if days else None


def _is_ending(name: str) -> bool:
    """Whether a column is of last days: "until", "week_to", "To (incl.)"."""
    return not _ENDINGS.isdisjoint(_LETTERS.findall(name))


def _begins(said: str, near: date) -> date | None:
    """The day that a cell is, or the first of those that it names: "20 – 27 Nov", "27 Nov - 4 Dec", "48 (20 – 27 Nov)"."""
    said = _SHORT_YEAR.sub(r" 20\1", _BESIDE_DAY.sub("", said))
    if (week := _WEEK_CELL.fullmatch(said)) is not None and week["days"]:
        said = week["days"]
    if (span := _DAYS.fullmatch(said)) is not None:
        said = f"{span['first']} {span['month'] or span['until']}"
    match = DAY.fullmatch(said)
    return day_written(match, near) if match is not None else None


def _ends(said: str, near: date) -> date | None:
    """The last of the days that a cell names: "28–29 November"."""
    if (week := _WEEK_CELL.fullmatch(said)) is not None and week["days"]:
        said = week["days"]
    span = _DAYS.fullmatch(said)
    match = DAY.fullmatch(f"{span['last']} {span['until']}") if span is not None else None
    return day_written(match, near) if match is not None else None
