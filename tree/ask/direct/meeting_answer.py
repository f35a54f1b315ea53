"""Who was at a meeting, who led it or took its minutes, when it was and when the next one is: told from the heads of minutes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.language import terms
from prompts.months import NUMBERS
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.direct.meeting_moved import moved_later
from tree.ask.direct.written_lines import with_lines_above
from tree.ask.facts.told_facts import FactCitations, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.meeting_question import Asked, MeetingQuestion, read_meeting_question
from tree.ask.understanding.understand import Understanding
from tree.retrieve.attendance import Role
from tree.retrieve.fact_index import folded
from tree.retrieve.item_index import StoredItem, is_within
from tree.retrieve.names import Names
from tree.retrieve.record_item import HONORIFICS, Kept
from tree.retrieve.statement_dates import due_on
from tree.store.leaves import Leaf
from tree.store.nodes import Node

MOST_NEAR = 2  # meetings that are told where there was none at the time that is asked about
MOST_TOLD = 8  # meetings
_ROLES: Mapping[Asked, tuple[Role, ...]] = {
    "chair": ("chair",),
    "minute taker": ("minute taker",),
    "next meeting": ("next meeting",),
    "present": ("present", "absent", "chair", "minute taker"),
    "absent": ("absent", "present"),
    "was there": ("present", "absent", "chair", "minute taker"),
    "held": ("present", "chair", "minute taker", "absent"),
}
_THERE_TOO: tuple[Role, ...] = ("chair", "minute taker")
LONGEST_TITLE = 80  # characters
_PARAGRAPH = regex(r"[^\n]+(?:\n(?![ \t]*(?:[-*+#|]|\d+[.)]|\n))[^\n]+)*")
_SENTENCE = regex(r"(?<=[.!?])\s+(?=[A-Z])")
_OF_MEETING = regex(
    r"\bwe (?:will |shall |next )?meet\b|\b(?:next|last) (?:one|meeting|time|date|session)\b|\bnächste\w* (?:sitzung|treffen|termin)|\bprochaine réunion",
    re.IGNORECASE,
)
OPENING_LINES = 3  # of a text that is called by its file's name
_MINUTES = regex(r"\b(?:minutes|protokoll|procès-verbal)\b", re.IGNORECASE)
_OF_MINUTES = regex(r"\b(?:minutes|meeting|protokoll|sitzung|besprechung|procès-verbal|réunion)\b", re.IGNORECASE)
_FILE = regex(r"\.[a-z]{2,4}\Z")
_OF_ANY = frozenset(
    terms(
        "meeting meetings minutes group notes of the weekly monthly quarterly regular committee team protokoll sitzung "
        f"monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun {' '.join(NUMBERS)}"
    )
)  # in the title of minutes
_WAS_THERE: tuple[tuple[Role, str], ...] = (("absent", "**No**: {} was not there"), ("present", "**Yes**: {} was there"))


@dataclass(frozen=True, slots=True)
class _Meeting:
    """What the minutes of one meeting say at their head."""

    day: str  # as ISO 8601
    node: Node
    leaf: Leaf
    items: Sequence[StoredItem]

    @property
    def title(self) -> str:
        """With its day, where that is not in it; of a text that is called by its file's name the line it begins with."""
        title = self.leaf.heading[0] if self.leaf.heading else self.leaf.title
        if _FILE.search(title) or not _OF_MINUTES.search(title):
            title = _opening_title(self.leaf.text, title)
        if (named := days(title)) and self.day not in map(str, named):  # of another meeting of the same text
            above = self.leaf.text.rfind("\n#", 0, self.items[0].item.start)
            title = self.leaf.text[above:].lstrip("# \n").split("\n", 1)[0][:LONGEST_TITLE] if above >= 0 else title
        return as_text(title if self.day[:4] in title else f"{title}, {readable(self.day)}")

    def is_called(self, terms_: Collection[str]) -> bool:
        """Whether its title has no word more than these, but for its day and for words such as "group" and "minutes"."""
        return all(term in terms_ or term in _OF_ANY or term[0].isdigit() for term in terms(self.title))

    def people(self, role: Kept) -> list[str]:
        return list(dict.fromkeys(name for one in self.items if one.item.sort == role for name in one.item.people))

    def present(self) -> list[str]:
        """Who was there, with whoever was in the chair or took the minutes, who need not be listed once more."""
        names, excused = self.people("present"), self.people("absent")
        others = (name for role in _THERE_TOO for name in self.people(role))
        return [*names, *(name for name in dict.fromkeys(others) if not any(map(partial(_are_one, name), (*names, *excused))))]

    def quote(self, *roles: Kept) -> Quote:
        """What says it, from its first to its last word."""
        spans = [(one.item.start, one.item.end) for one in self.items if one.item.sort in roles]
        start, end = min(first for first, _ in spans), max(last for _, last in spans)
        return Quote(text=" ".join(self.leaf.text[start:end].split()), start=start, end=end)


def _opening_title(text: str, title: str) -> str:
    """Of the lines that a text opens with the one that says that these are minutes, and of which meeting; else its title, or where that is
    the name of its file the first line."""
    lines = [" ".join(line.split())[:LONGEST_TITLE] for line in text.lstrip("# \n\t").split("\n", OPENING_LINES)[:OPENING_LINES]]
    lines = [line for line in lines if any(map(str.isalnum, line))] or [title]  # a rule is none
    said = next((line for line in lines if _MINUTES.search(line) and days(line)), "")
    return said or (lines[0] if _FILE.search(title) else title)


def answer_meeting(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "who was at the board in May?"; None where it asks for something else, or no minutes say it."""
    now, names = today(snapshot), snapshot.index.names(snapshot.scope)
    question = read_meeting_question(understanding.text, names, now)
    meetings = _meetings(question, snapshot) if question is not None else []
    if question is None or not meetings:
        return _at_other_times(question, snapshot) if question is not None and question.span is not None else None
    if question.asked in ("held", "next meeting"):  # when the review of a test was is not when the test was
        meetings = [one for one in meetings if one.is_called(question.called)]
    if not meetings:
        return None
    meetings = list(_meant(question, meetings))
    step = Step(
        "register",
        meetings[0].node.place,
        meetings[0].node.hash,
        meetings[0].node.title,
        reason="The minutes say it at their head.",
    )
    told = list(_told(question, meetings[:MOST_TOLD], names, now))
    if question.asked == "next meeting" and told and not told[0].is_sure:
        later = _later_minutes(question, snapshot, meetings[0])
        coming = [one for meeting in later for one in _next_said_later(meeting, now)][:MOST_TOLD]
        told = coming or ([_next(meetings[0], now, later[0])] if later else told)
    if not told:
        return None
    lines = [line for number, one in enumerate(told, 1) for line in _numbered(number, one, is_listed=len(told) > 1)]
    if question.asked == "held" and not question.is_last and len(meetings) > 1:
        lines = [Line(f"**{len(meetings)} meetings** of which minutes are on file:\n"), *lines]
    if len(meetings) > MOST_TOLD:
        lines.append(Line(f"\n\n… and {len(meetings) - MOST_TOLD} earlier ones."))
    is_one = question.span is not None or question.asked == "held" or len(meetings) == 1
    answer = DirectAnswer(step, tuple(lines), "complete" if is_one and all(one.is_sure for one in told) else "partial")
    is_coming = question.asked == "next meeting" and len(told) == 1 and told[0].is_sure
    return _held_against_later(question, told[0], answer, snapshot) if is_coming else answer


def _at_other_times(question: MeetingQuestion, snapshot: Snapshot) -> DirectAnswer | None:
    """Of a meeting of which there are minutes, but none of that time: those nearest to it. Who was at another is not who was at that one."""
    held = _meetings(replace(question, asked="held", span=None), snapshot) if question.called and question.span else []
    held = [one for one in held if one.is_called(question.called)]
    if not held or question.span is None:
        return None
    first, last = question.span.first, question.span.last
    if then := [one for one in held if is_within(one.day, first.isoformat(), last.isoformat())]:
        return _untold(question, then)
    near = sorted(held, key=lambda one: abs((date.fromisoformat(one.day) - first).days))[:MOST_NEAR]
    reason = "Minutes of this meeting are on file, but none of the time that is asked about."
    step = Step("register", near[0].node.place, near[0].node.hash, near[0].node.title, reason=reason)
    lines = [Line(f"No minutes of {as_text(question.said)} are on file. The nearest:\n")]
    for number, one in enumerate(sorted(near, key=lambda one: one.day), 1):
        quote = one.quote(*{item.item.sort for item in one.items})
        lines.append(Line(f"\n- **{readable(one.day)}**: {one.title} [{number}]", number, one.node, one.leaf, quote))
    return DirectAnswer(step, tuple(lines), "partial")


def _untold(question: MeetingQuestion, meetings: Sequence[_Meeting]) -> DirectAnswer:
    """Of meetings whose minutes do not say what is asked: "all except Ada" does not list who was there."""
    what = {"present": "list who was there", "was there": "list who was there", "chair": "say who chaired it"}.get(
        question.asked, "say it"
    )
    lines: list[Line] = []
    for number, one in enumerate(meetings, 1):
        excused = one.people("absent")
        beside = f". Not there: {as_text(', '.join(excused))}" if excused else ""
        quote = one.quote(*{item.item.sort for item in one.items})
        mark = "\n- " if len(meetings) > 1 else ""
        lines.append(Line(f"{mark}{one.title} does not {what}{beside} [{number}]", number, one.node, one.leaf, quote))
    first = meetings[0].node
    reason = "The minutes of this meeting do not say it at their head."
    return DirectAnswer(Step("register", first.place, first.hash, first.title, reason=reason), tuple(lines), "partial")


# ---------------------------------------------------------------- the meetings


def _meetings(question: MeetingQuestion, snapshot: Snapshot) -> list[_Meeting]:
    """Those that are called so and were then, the newest first."""
    roles = _ROLES[question.asked]
    index = snapshot.index.items(snapshot.scope)
    found = [one for role in roles for one in index.find(role, question.called)]
    found = [one for one in found if len(one.item.day) == len("2026-01-31") and all(one.has(term) for term in question.called)]
    if question.span is not None:
        first, last = question.span.first.isoformat(), question.span.last.isoformat()
        found = [one for one in found if is_within(one.item.day, first, last)]
    cited = FactCitations(snapshot.store, snapshot.version).cite(found)
    together: dict[tuple[str, str], list[StoredItem]] = {}  # a text may have the minutes of several days
    for one in found:
        if one.place in cited:
            together.setdefault((one.place, one.item.day), []).append(one)
    meetings = [_Meeting(day, *cited[place], items) for (place, day), items in together.items()]
    main = roles[0]
    if question.asked not in ("held", "absent"):
        meetings = [one for one in meetings if any(item.item.sort == main for item in one.items)]
    return sorted(meetings, key=lambda one: (one.day, one.title), reverse=True)


def _later_minutes(question: MeetingQuestion, snapshot: Snapshot, last: _Meeting) -> list[_Meeting]:
    """Those of meetings that are called so after the last one whose minutes say when the next is, the newest first."""
    held = _meetings(replace(question, asked="held"), snapshot)
    return [one for one in held if one.day > last.day and one.is_called(question.called)]


def _meant(question: MeetingQuestion, meetings: Sequence[_Meeting]) -> Sequence[_Meeting]:
    """All of the time that is asked about; else those of the newest day."""
    is_all = (question.span is not None or question.asked == "held") and not question.is_last
    return meetings if is_all else [one for one in meetings if one.day == meetings[0].day]


# ---------------------------------------------------------------- telling


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    meeting: _Meeting
    quote: Quote
    is_sure: bool = True


def _numbered(number: int, said: _Said, *, is_listed: bool) -> Iterator[Line]:
    mark = "\n- " if is_listed else ""
    yield Line(f"{mark}{said.text} [{number}]", number, said.meeting.node, said.meeting.leaf, said.quote)


def _told(question: MeetingQuestion, meetings: Sequence[_Meeting], names: Names, now: date) -> Iterator[_Said]:
    for one in meetings:
        if question.asked == "present":
            yield _present(one, question.is_count)
        elif question.asked == "absent":
            yield from _absent(one)
        elif question.asked == "was there":
            yield from _was_there(one, question, names)
        elif question.asked == "next meeting":
            yield _next(one, now)
        elif question.asked == "held":
            yield _Said(f"**{readable(one.day)}**: {one.title}", one, one.quote(one.items[0].item.sort))
        else:
            people = as_text(", ".join(one.people(question.asked)))
            label = "chair" if question.asked == "chair" else "minutes"
            yield _Said(f"**{people}** ({label}): {one.title}", one, one.quote(question.asked))


def _unmarked(text: str) -> str:
    """Without marks of bold, of which a sentence may have only the second: "Next meeting:** 21 January"."""
    return " ".join(text.replace("**", "").replace("__", "").split())


def _held_against_later(question: MeetingQuestion, said: _Said, answer: DirectAnswer, snapshot: Snapshot) -> DirectAnswer:
    """The day of a coming meeting below what is said since of moving it."""
    told = date.fromisoformat(due_on(said.quote.text, said.meeting.day))
    later = moved_later(snapshot, question.called, told, date.fromisoformat(said.meeting.day))
    return with_lines_above(answer, later, "It was moved since, it seems:", "The minutes before said:")


def _present(one: _Meeting, is_count: bool) -> _Said:
    people, excused = one.present(), one.people("absent")
    beside = f". Not there: {as_text(', '.join(excused))}" if excused else ""
    counted = f"**{len(people)} people**, " if is_count else ""
    listed = as_text(", ".join(people))
    return _Said(
        f"{counted}{one.title}: {listed if is_count else f'**{listed}**'}{beside}", one, one.quote("present", *_THERE_TOO)
    )


def _absent(one: _Meeting) -> Iterator[_Said]:
    if excused := one.people("absent"):
        yield _Said(f"**{as_text(', '.join(excused))}**: not there, {one.title}", one, one.quote("absent"))
    elif one.people("present"):
        said = f"{one.title} names nobody who was absent. There were: {as_text(', '.join(one.people('present')))}"
        yield _Said(said, one, one.quote("present"), is_sure=False)


def _was_there(one: _Meeting, question: MeetingQuestion, names: Names) -> Iterator[_Said]:
    """Nothing where nobody known is asked for, and the minutes do not name them."""
    who = as_text(question.person)
    for role, told in _WAS_THERE:
        matching = [
            name for name in (one.present() if role == "present" else one.people(role)) if _is_one_of(name, question.people)
        ]
        if matching:
            is_sure = any(" " in name or len({each for each in names.full(folded(name)) if " " in each}) < 2 for name in matching)
            is_sure = is_sure and (question.is_known or len(matching) == 1)
            beside = _THERE_TOO if role == "present" else ()
            yield _Said(f"{told.format(as_text(matching[0]))}, {one.title}", one, one.quote(role, *beside), is_sure)
            return
    if question.is_known:
        there = as_text(", ".join(one.present()))
        yield _Said(
            f"**No**: {who} is not among those who were there, {one.title}: {there}", one, one.quote("present", *_THERE_TOO)
        )


def _are_one(name: str, other: str) -> bool:
    """Whether two names of one list are of one person: "M. Olubanje", "Olubanje"."""
    one, two = (set(folded(said).split()) - HONORIFICS for said in (name, other))
    one, two = ({word for word in words if len(word) > 1} or words for words in (one, two))
    return bool(one & two) and (one <= two or two <= one)


def _is_one_of(name: str, people: frozenset[str]) -> bool:
    own = set(folded(name).split()) - HONORIFICS
    meant = [set(full.split()) - HONORIFICS for full in people]
    return bool(own) and any(own <= full or full <= own for full in meant)


def _next_said_later(meeting: _Meeting, now: date) -> Iterator[_Said]:
    """What minutes say in the middle of a text of meetings that are to come: "The last one this year is on 15 December"."""
    for match in _PARAGRAPH.finditer(meeting.leaf.text):
        said = match.group().strip()
        coming = [one for one in _SENTENCE.split(said) if due_on(one, meeting.day) >= now.isoformat()]
        if coming and _OF_MEETING.search(said):
            start = match.start() + match.group().index(said)
            quote = Quote(text=" ".join(said.split()), start=start, end=start + len(said))
            yield _Said(f"{as_text(_unmarked(quote.text))} – {meeting.title}", meeting, quote, is_sure=False)


def _next(one: _Meeting, now: date, later: _Meeting | None = None) -> _Said:
    quote = one.quote("next meeting")
    day = due_on(quote.text, one.day)
    is_past = day < now.isoformat()
    after = (
        f"{later.title} does not say so plainly when the next one is"
        if later is not None
        else "no minutes after these are on file"
    )
    beside = f" That day is past, and {after}." if day and is_past else ""
    return _Said(f"**{as_text(_unmarked(quote.text))}** – {one.title}.{beside}", one, quote, is_sure=bool(day) and not is_past)
