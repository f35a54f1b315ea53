"""What changes a row of a rota: lines of its page that name it by its day or its week, or tell of somebody in it being away, and lines
elsewhere, a mail or a ticket, on a swap of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import date

from prompts.extractive.dates import days
from prompts.extractive.passages import Passage, passages, quote, written_by
from prompts.extractive.section_days import day_line_above
from prompts.months import MONTH, WEEKDAY_BEFORE, number_of, weekday_of
from prompts.records import LeafText, Quote
from prompts.regex import regex
from prompts.text_lines import line_end, line_start
from prompts.timespans import day_of
from prompts.written_days import DAY, WEEK_WORD, day_written
from tree.ask.direct.rota import RotaRow
from tree.ask.direct.rota_letters import with_names
from tree.ask.direct.rota_lists import spans_beside
from tree.ask.direct.rota_question import feasts_in
from tree.ask.facts.described_row import REMARKS
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

MOST_REMARKS = 8
SHORTEST_NAME = 3  # letters by which somebody is found in what is said elsewhere
NEAR = 45  # days within which "the 30th" may be meant: of this month, or of the next
SHORTEST_OCCASION = 5  # letters of a word in a remark by which a row may be meant: "Christmas"
LOOKED_AT = 12  # leaves, the most promising, in which a swap may be told
MOST_REPLIES = 3  # lines of a chat below a question
DAYS_OF_REPLIES = 2
LONGEST_MESSAGE = 12  # lines of a chat that go on with a message, each indented
LONGEST_HEAD = 40  # characters of a line in which it says when it was written
_WEEKS = regex(
    rf"\b(?:{WEEK_WORD}s? |w)(?P<numbers>\d{{1,2}}(?:(?:, ?| and | to | ?[-/&] ?| or | with )(?:{WEEK_WORD} |w)?\d{{1,2}}){{0,5}})\b",
    re.IGNORECASE,
)
_CHANGES = regex(
    r"\b(?:chang\w+|swap\w*|takes?|took|exchang\w+|instead|for me|mine|yours|tausch\w*|übernimmt|échang\w+|prend)\b"
    r"|\b(?:can|could|would) (?:any|some)(?:one|body) (?:do|cover|have)\b|\b(?:could|can|would) (?:you )?(?:do|cover)\b|\byou could (?:do|cover|have)\b|\b(?:does|do) (?:the |my |your |his |her )?[\w-]+ (?:on|this|next)\b|\b(?:does|do|doing) (?:the |my |your |his |her )?(?:early|late|night|day|evening|morning|first|second|week|weekend)\b",
    re.IGNORECASE,
)
_CANNOT = regex(r"\b(?:cannot|can ?not|can['’]?t|kann nicht|ne peux pas)\b", re.IGNORECASE)
_LEFT_OPEN = regex(rf"{_CANNOT.pattern}|\bif you\b", re.IGNORECASE)
_AGREES = regex(
    r": (?:ok(?:ay)?|yes|yep|sure|fine|deal|done|great|perfect|thanks?|noted|no problem|of course|I (?:can|take|will|do|could)|I['’]ll)\b",
    re.IGNORECASE,
)  # in a chat
_RELATIVE = regex(
    r"\b(?:(?P<next>next week|nächste woche|la semaine prochaine)|this week|(?:the )?rest of the week|diese woche|cette semaine"
    r"|(?P<today>today|tonight|heute)|(?P<tomorrow>tomorrow|morgen)|(?:from|on|until|till) (?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b",
    re.IGNORECASE,
)
_WEEKDAY = regex(WEEKDAY_BEFORE)
_ORDINAL = regex(r"(?:\bthe |\b(?i:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6} |\()(\d{1,2})(?:st|nd|rd|th)\b(?! of)")
_POSSESSIVE = regex(r"['’]s?\Z")
_OF_DUTY = regex(r"\b(?:rota|roster|on[- ]?call|dut(?:y|ies)|shifts?|dienstplan|bereitschaft|astreinte)\b", re.IGNORECASE)
_UNTIL = regex(rf"\b(?:until|till|through|bis|jusqu['’]en)(?: the end of)? (?:{DAY.pattern}|(?P<alone>{MONTH}))", re.IGNORECASE)
_NAME = regex(r"\b[A-ZÀ-Þ][\w'’-]+")
_NUMBERS = regex(r"(?<![\d:.,-])\d{1,2}(?![\d:-]|[.,]\d)")
_OPEN_CELL = regex(  # of a rota: nobody yet
    r"\W*(?:(?:not|to be)(?: yet| still)? (?:filled|covered|assigned|decided|staffed|confirmed|announced|arranged)|unfilled|uncovered|vacant|open|gap|tb[acd]|n\.? ?n\.?|offen|unbesetzt|\?+)\W*\Z",
    re.IGNORECASE,
)
_ABSENT = regex(
    r"(?<![\w-])(?:leave|away|ill|sick|holidays?|vacation|absent|replac\w+|instead|takes? over|takes? (?:her|his|their|my)|cover(?:s|ing)?|step(?:s|ping)? in|stand(?:s|ing)? in|fill(?:s|ing)? in"
    r"|(?:goes|passes|is handed) to|Urlaub|krank|vertritt|vertreten|congé|malade)\b",
    re.IGNORECASE,
)


def remarks_on(leaf: Leaf, row: RotaRow) -> Iterator[Quote]:
    """What the page says besides of this row, by its day, a day of its week, or the number of its week: the newest first."""
    text = leaf.as_read()
    own: list[tuple[str, Passage]] = []
    lists = spans_beside(leaf.text, row.first.fact.start)
    for passage in passages(text):
        if any(passage.start < last and first < passage.end for first, last in lists):
            continue  # the rota itself, or another
        is_of_row = _names(passage.text, row) and _may_change(passage, row)  # not until when the next rota is made
        if passage.kind in ("text", "item") and (is_of_row or _numbers(passage, row)):
            begins = line_start(leaf.text, passage.start)  # a change of several sentences is dated at the head of its line
            first = DAY.search(leaf.text[begins : begins + LONGEST_HEAD])
            day = day_written(first, row.day) if first is not None else None
            own.append((day.isoformat() if day is not None else "", passage))
    own.sort(key=lambda one: one[0], reverse=True)
    return (quote(leaf.text, one.start, one.end) for _, one in own[:MOST_REMARKS])


def absences_in(leaf: Leaf, cells: Iterable[StoredFact], told: Sequence[Quote]) -> list[Quote]:
    """What the page says of somebody in these cells being away, or of who takes their place, but for what is `told` anyway."""
    people = _people(cells, SHORTEST_NAME)
    text = leaf.as_read()
    found = [
        quote(leaf.text, one.start, one.end)
        for one in passages(text)
        if one.kind in ("text", "item") and _ABSENT.search(one.text) and not people.isdisjoint(_NAME.findall(one.text))
    ]
    known = {one.start for one in told}
    return [one for one in found if one.start not in known][:MOST_REMARKS]


def is_open(value: str) -> bool:
    """Whether a cell says that nobody has the duty yet, "(not filled)"."""
    return _OPEN_CELL.match(value) is not None


def swaps_elsewhere(snapshot: Snapshot, row: RotaRow, page: str) -> list[tuple[Node, Leaf, Quote]]:
    """What other documents say of a change at the time of a row, with the name of somebody in it, or of a duty that nobody had yet.
    `page`: the text of the rota."""
    people = {name.casefold() for name in _people(row.cells.values(), SHORTEST_NAME, page)}
    people |= {word for name, cell in row.cells.items() if is_open(cell.fact.value) for word in name.split()}
    when = f"week {row.week}" if row.week else f"{row.day.day} {row.day:%B}"
    when = " ".join((when, *feasts_in(row.day, row.days)))
    return _swaps(snapshot, [(row, people)], when)


def swaps_at(snapshot: Snapshot, rows: Sequence[tuple[RotaRow, Set[str]]]) -> list[tuple[Node, Leaf, Quote]]:
    """What other documents say of changes at the times of some rows by or of somebody: with each row the words of the names, in small
    letters."""
    return _swaps(snapshot, rows, "week") if rows else []


def _swaps(snapshot: Snapshot, rows: Sequence[tuple[RotaRow, Set[str]]], when: str) -> list[tuple[Node, Leaf, Quote]]:
    names = sorted(set[str]().union(*(people for _, people in rows)))
    view = SnapshotView.of(snapshot, f"swap change takes instead {when} {' '.join(names)}")
    own = document_around(rows[0][0].first.place)
    opened = view.open_leaves([node for node in view.best_nodes(LOOKED_AT) if document_around(node.place) != own])
    found: dict[tuple[str, int], tuple[Node, Leaf, Quote]] = {}
    for row, people in rows:
        for one in opened:
            said = [passage for passage in passages(one.text) if _tells_swap(one.text, passage, row, people)]
            if any(_is_of(people, one.text, passage) for passage in said):
                for span in _told(one.leaf.text, said, row.day):
                    found.setdefault((one.node.place, span[0]), (one.node, one.leaf, quote(one.leaf.text, *span)))
    order = {place: at for at, place in enumerate(dict.fromkeys(place for place, _ in found))}
    return [said for _, said in sorted(found.items(), key=lambda one: (order[one[0][0]], one[0][1]))][:MOST_REMARKS]


def _tells_swap(leaf: LeafText, passage: Passage, row: RotaRow, people: Set[str]) -> bool:
    """Whether it tells of a change at the time of the row: "I take week 49", or, said by one of these people or of them, "I cannot next
    week"; in a line of a chat in however many sentences, and with the number of the week alone: "I do 48, she does my 50"."""
    begins, ends = _line(leaf.text, passage.start)
    in_chat = _stamp(leaf.text, begins) is not None
    said = leaf.text[begins:ends] if in_chat else passage.text
    if passage.kind not in ("text", "item"):
        return False
    if not _is_change(said) and not (_may_be_change(said, row) and _is_of(people, leaf, passage)):
        return False
    by_number = in_chat and bool(row.week) and row.week in _NUMBERS.findall(DAY.sub(" ", said))
    return by_number or _names(said, row) or _means(leaf, passage, row) or _lasts(leaf, passage, row) or _says_occasion(said, row)


def _says_occasion(said: str, row: RotaRow) -> bool:
    """Whether it says a word with a capital of a remark on the row: "over Christmas" beside "note: Christmas"."""
    remarks = (cell.fact.value for cell in row.cells.values() if folded(cell.fact.relation) in REMARKS)
    words = {word for remark in remarks for word in _NAME.findall(remark) if len(word) >= SHORTEST_OCCASION}
    return not words.isdisjoint(_NAME.findall(said))


def _may_be_change(said: str, row: RotaRow) -> bool:
    """Whether something that somebody of the row says, or that is said of them, may be of who takes it: that they are away, cannot, or a
    word of the duty."""
    duties = {name for name in row.columns if name not in row.times and name not in REMARKS}
    return bool(
        _ABSENT.search(said)
        or _CANNOT.search(said)
        or _OF_DUTY.search(said)
        or duties & set(re.findall(r"[\w-]+", said.casefold()))
    )


def _lasts(leaf: LeafText, passage: Passage, row: RotaRow) -> bool:
    """Whether it says that somebody is away until a day behind the beginning of the row, and was written before that ends."""
    until = _UNTIL.search(passage.text) if _ABSENT.search(passage.text) else None
    day = _written_on(leaf, passage, row) if until is not None else None
    if until is None or day is None or (day - row.day).days >= row.days:
        return False
    if until["alone"]:
        month = number_of(until["alone"])
        ends = day_of(day.year + (month < day.month), month, 1)
    else:
        written = DAY.search(until.group())
        ends = day_written(written, day) if written is not None else None
    return ends is not None and day <= ends and row.day < ends


def _is_of(people: Set[str], leaf: LeafText, passage: Passage) -> bool:
    """Whether it names one of these people, or is said by one."""
    words = f"{passage.text} {_author(leaf, passage)}".casefold()
    return not people.isdisjoint(_POSSESSIVE.sub("", word) for word in re.findall(r"[\w'’-]+", words))


def _author(leaf: LeafText, passage: Passage) -> str:
    """Who says it, "I take week 49": the sender of a mail, the writer of a comment, the speaker of a chat or whoever is named in the lines
    between its time and there, as the head of a mail that was put into a chat."""
    by = written_by(leaf, passage.start)
    begins = _beginning_of_message(leaf.text, passage.start)
    return f"{leaf.stated('From')} {by[0] if by is not None else ''} {leaf.text[begins : passage.start]}"


def _beginning_of_message(text: str, at: int) -> int:
    """Where the message of a chat begins that a line is of, by the day that it begins with; else where the line does."""
    line = begins = line_start(text, at)
    for _ in range(LONGEST_MESSAGE):
        if _stamp(text, begins) is not None:
            return begins
        if begins == 0 or not text[begins : begins + 1].isspace():
            break
        begins = line_start(text, begins - 1)
    return line


def _means(leaf: LeafText, passage: Passage, row: RotaRow) -> bool:
    """Whether it says "next week", "this week" or "the 30th", and means a day of the row."""
    said, numbers = _RELATIVE.search(passage.text), _ORDINAL.findall(passage.text)
    day = _written_on(leaf, passage, row) if said is not None or numbers else None
    if day is None:
        return False
    if said is not None and _is_meant(said, day, row):
        return True
    month = row.day.replace(day=1)
    meant = (day_of(month.year, month.month, int(number)) for number in numbers)
    return any(one is not None and 0 <= (one - row.day).days < row.days and abs((one - day).days) <= NEAR for one in meant)


def _is_meant(said: re.Match[str], day: date, row: RotaRow) -> bool:
    """Whether "next week", "today" or "from Thursday", written on a day, is in the time of the row."""
    if said["today"] or said["tomorrow"] or said["weekday"]:
        at = weekday_of(said["weekday"]) if said["weekday"] else None
        ahead = int(bool(said["tomorrow"])) if at is None else (at - day.weekday()) % 7
        return 0 <= (day - row.day).days + ahead < row.days
    since_monday = (row.day - day).days + day.weekday() - 7 * bool(said["next"])
    return 0 <= since_monday + 3 < 7


def _written_on(leaf: LeafText, passage: Passage, row: RotaRow) -> date | None:
    """The day on which a line of a chat, a comment or a mail was written; one without a year that nearest to the row."""
    begins = line_start(leaf.text, passage.start)
    if (stamp := _stamp(leaf.text, begins)) is not None:
        return day_written(stamp, row.day)
    by = written_by(leaf, passage.start)
    sent = next((parsed for parsed in days(by[1] if by is not None else leaf.stated("Date")) if parsed.day), None)
    return day_of(*sent) if sent is not None else None


def _stamp(text: str, begins: int) -> re.Match[str] | None:
    """The day at the beginning of a line of a chat: "[24.11. 07:20] Ada: ...", "[Tue 24.11. 07:20] Ada: ..."."""
    first = begins + (text[begins : begins + 1] == "[")
    weekday = _WEEKDAY.match(text, first)
    return DAY.match(text, weekday.end() if weekday is not None else first) or DAY.search(day_line_above(text, begins))


def _told(text: str, said: Sequence[Passage], near: date) -> Iterator[tuple[int, int]]:
    """The spans that are told of what is said: in a chat whole lines, and the next ones below one in which somebody asks, or cannot."""
    told: dict[int, int] = {}
    for passage in said:
        begins, ends = _line(text, passage.start)
        asked = _stamp(text, begins)
        if asked is None:
            told[passage.start] = passage.end
            continue
        told[begins] = ends
        asked_on = day_written(asked, near)
        is_asked, is_left = "?" in passage.text, _LEFT_OPEN.search(passage.text) is not None
        is_open = is_left or "?" in text[begins:ends]  # "I can't. Rukmini?"
        for at in range(MOST_REPLIES if is_asked or is_open else 0):
            is_first = at == 0 and "?" in text[begins:ends]
            begins, ends = _line(text, min(ends + 1, len(text)))
            if not (is_asked or is_first) and _AGREES.search(text, begins, ends) is None:
                break
            reply = _stamp(text, begins)
            replied_on = day_written(reply, near) if reply is not None else None
            if asked_on is None or replied_on is None or not 0 <= (replied_on - asked_on).days <= DAYS_OF_REPLIES:
                break
            told[begins] = ends
    return iter(sorted(told.items()))


def _line(text: str, at: int) -> tuple[int, int]:
    return line_start(text, at), line_end(text, at)


def _people(cells: Iterable[StoredFact], shortest: int = 1, page: str = "") -> set[str]:
    """The words of the names that stand in cells, of so many letters or more, and of those for which letters stand there by the text of
    the page; a remark names no one on duty."""
    values = (with_names(cell.fact.value.strip(), page) for cell in cells if folded(cell.fact.relation) not in REMARKS)
    return {word for value in values for word in _NAME.findall(DAY.sub(" ", value)) if len(word) >= shortest}


def _is_change(said: str) -> bool:
    return _CHANGES.search(said) is not None


def _may_change(passage: Passage, row: RotaRow) -> bool:
    """Whether it tells of a change, or names somebody who stands in the row."""
    is_change = _is_change(passage.heading) or _is_change(passage.text)
    return is_change or not _people(row.cells.values()).isdisjoint(_NAME.findall(passage.text))


def _numbers(passage: Passage, row: RotaRow) -> bool:
    """Whether a change gives the number of the week alone: "Ida takes 48, Per takes 53"."""
    is_change = _is_change(passage.heading) or _is_change(passage.text)
    return bool(row.week) and is_change and row.week in _NUMBERS.findall(DAY.sub(" ", passage.text))


def _names(said: str, row: RotaRow) -> bool:
    said = said.lstrip("*_[ ")
    lead = _stamp(said, 0)
    rest = said[lead.end() :] if lead is not None else said  # the day on which it was written is not what it is about
    days = (day for match in DAY.finditer(rest) if (day := day_written(match, row.day)) is not None)
    if any(0 <= (day - row.day).days < row.days for day in days):
        return True
    low = rest.casefold().replace("’", "'")
    if any(feast in low for feast in feasts_in(row.day, row.days)):
        return True
    return bool(row.week) and any(row.week in re.findall(r"\d+", one["numbers"]) for one in _WEEKS.finditer(said))
