"""What is said later of somebody who is away, or of who stands in: a chat in which they say that their leave is cancelled, a mail that
moves it, minutes in which somebody else takes over, and remarks beside the list itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date

from prompts.coming_times import find_coming
from prompts.extractive.dates import Day, days
from prompts.extractive.passages import Passage, passages, quote, written_by
from prompts.extractive.rivals import dated
from prompts.extractive.section_days import CHAT_HEAD, chat_day, told_on
from prompts.records import LeafText, Quote
from prompts.regex import regex
from prompts.timespans import day_of
from tree.ask.direct.written_days import days_named
from tree.ask.facts.request_states import DENIED
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.store.nodes import Node

LOOKED_AT = 12  # leaves, the most promising
MOST_TOLD = 4
LONGEST_LINE = 600  # characters
SHORTEST_NAME = 3  # letters
WEEKS_BEFORE = 60  # days before an absence within which one is meant that is said without a time
_LEAVE = regex(
    r"\b(?:(?:my|her|his|their|the|on|of|annual|parental|sick|['’]s) leave|leave request|holidays?|vacation|absences?|time off|days? off|urlaub|abwesenheit|ferien|congés?|vacances)\b",
    re.IGNORECASE,
)
_MOVED = r"mov(?:e|es|ed|ing)|postpone[ds]?|shift(?:s|ed)?|swap(?:s|ped)?|instead|another (?:day|week)|verschoben|stattdessen|reporté|déplacé"
_CHANGED = regex(
    rf"\b(?:{DENIED}|{_MOVED}|shorten(?:s|ed)?|extend(?:s|ed)?|prolonged|chang(?:e|es|ed)|no longer|not any ?more|after all|earlier|later|already|sooner|longer"
    r"|nicht mehr|doch|verlängert|verkürzt|prolongé|finalement)(?!\w)",
    re.IGNORECASE,
)
_ELSEWHEN = regex(rf"\b(?:{_MOVED})\b", re.IGNORECASE)
_THERE = regex(  # where somebody is away by the list
    r"\b(?:(?:am|is|are|be|was|['’]m|back) (?:\w+ )?(?:in|at) (?:the )?(?:office|work|yard|shop|desk)|here after all|back (?:already|early|earlier|sooner)|(?:am|is|be) (?:back|here) (?:again|already|today|now)"
    r"|(?:not|no longer) (?:going to be |be )?(?:away|off|absent|on leave|on holiday|going)|(?:isn|aren|won)['’]t (?:be )?(?:away|off|absent|on leave|on holiday|going)|doch da|im Büro|au bureau)\b",
    re.IGNORECASE,
)
_BACK = regex(r"\b(?:back|wieder da|zurück|de retour)\b(?P<when>[^.;\n]{2,30})", re.IGNORECASE)
_COVERS = regex(
    r"\b(?:cover(?:s|ed|ing)?|stand(?:s|ing)? in|fill(?:s|ing)? in|step(?:s|ping)? in|tak(?:e|es|ing) over|replac(?:e|es|ing)|stand-in|vertritt|vertrete|übernimmt|übernehme|Vertretung|remplace)\b",
    re.IGNORECASE,
)
_CANNOT = regex(r"\b(?:cannot|can ?not|can['’]?t|won['’]?t|will not|not able|unable|kann nicht|ne peux pas)\b", re.IGNORECASE)
_MYSELF = regex(
    r"\b(?:I|me|my|mine|ich|mir|mich|mein\w*|je|moi|mon|mes|ma)\b|\A\W*(?:holidays?|leave|vacation|back|not|no longer|cancel\w*|urlaub|congés?)\b",
    re.IGNORECASE,
)
_SENDER = regex(r"^(?:From|Von|De) ?: (?P<name>[^\n]{2,80})$", re.MULTILINE)
_IF = regex(r"\b(?:if|unless|whenever|anybody|anyone|falls|si)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody who is away from a day to a day, and who stands in by the list."""

    name: str
    first: date
    last: date
    cover: str = ""


@dataclass(frozen=True, slots=True)
class SaidOfAbsence:
    opened: OpenedLeaf
    quote: Quote
    day: Day


def said_of_absences(snapshot: Snapshot, absences: Sequence[Away], list_: Node, *, of_cover: bool) -> list[SaidOfAbsence]:
    """What contradicts these absences of a list, the newest first. `of_cover`: who stands in was asked for, and nothing else."""
    names = " ".join(dict.fromkeys(name for one in absences for name in (one.name, one.cover) if name))
    if not names:
        return []
    view = SnapshotView.of(snapshot, f"leave holiday away cancelled cover {names}")
    opened = view.open_leaves(view.best_nodes(LOOKED_AT))
    own = next((one for one in opened if document_of(one.node) == document_of(list_)), None)
    since = _day_of_title(own.text) if own is not None else None
    found: list[SaidOfAbsence] = []
    for one in opened:
        is_own = document_of(one.node) == document_of(list_)
        said = _said_in(one, absences, is_own=is_own, of_cover=of_cover)
        found += [line for line in said if is_own or since is None or line.day >= since]
    return sorted(found, key=lambda said: said.day, reverse=True)[:MOST_TOLD]


def _said_in(opened: OpenedLeaf, absences: Sequence[Away], *, is_own: bool, of_cover: bool) -> Iterator[SaidOfAbsence]:
    leaf, told = opened.text, set[int]()
    for passage in passages(leaf):
        begins, ends = _span_of(leaf, passage)
        head = CHAT_HEAD.match(leaf.text, begins)  # when it was written is not when somebody is away
        said = leaf.text[head.end() if head is not None else begins : ends]
        if passage.kind not in ("text", "item") or begins in told or ends - begins > LONGEST_LINE or _IF.search(said):
            continue
        written = _written_on(leaf, begins)
        if written is None and not is_own:
            continue  # a manual
        speaker = _words(f"{_author(leaf, begins)} {head.group() if head is not None else ''}")
        if any(_contradicts(said, speaker, written, one, of_cover=of_cover) for one in absences):
            told.add(begins)
            cut = quote(leaf.text, begins, ends)
            yield SaidOfAbsence(opened, cut, dated(leaf, cut, "when") or Day(0, 0))


def _contradicts(said: str, speaker: Set[str], written: date | None, one: Away, *, of_cover: bool) -> bool:
    """Whether what somebody says of the one who is away, or of themselves, is not as the list has it."""
    near = written or one.first
    is_theirs = _is_named(one.name, speaker) and _MYSELF.search(said) is not None
    if not (is_theirs or _is_named(one.name, _words(said)) or _is_named(one.cover, speaker)):
        return False
    times = _times(said, near)
    is_then = any(first <= one.last and one.first <= last for first, last in times)
    is_near = written is None or ((written - one.first).days >= -WEEKS_BEFORE and written <= one.last)
    if is_then or (is_near and (not times or _ELSEWHEN.search(said) is not None)):
        covers = _COVERS.search(said)
        if covers is not None and _is_other_cover(said, covers.end(), speaker, one, of_cover=of_cover):
            return True
        changed = _THERE.search(said) or (_CHANGED.search(said) if _LEAVE.search(said) else None)
        if changed is not None and (is_theirs or _is_named(one.name, _words(said[: changed.end()]))):
            return True
    is_of_them = is_theirs or _is_named(one.name, _words(said))
    is_back = (first for match in _BACK.finditer(said) for first, _ in _times(match["when"], near))
    return is_of_them and any(one.first < day <= one.last for day in is_back)


def _is_other_cover(said: str, at: int, speaker: Set[str], one: Away, *, of_cover: bool) -> bool:
    """Whether a line in which somebody stands in for the one who is away, before `at`, has somebody else than the list; or nobody."""
    is_for_them = _is_named(one.name, _words(said[at:])) or (
        _is_named(one.name, speaker) and _MYSELF.search(said, at) is not None
    )
    if of_cover and _is_named(one.cover, speaker) and _CANNOT.search(said):
        return True
    is_same = _is_named(one.cover, speaker | _words(said)) and not (_CANNOT.search(said) or _ELSEWHEN.search(said))
    return is_for_them and not is_same and bool(one.cover or of_cover)


def _times(said: str, near: date) -> list[tuple[date, date]]:
    """The days that a line names, of two the time between them; else "next week" of the day on which it was written."""
    named = list(days_named(said, near))
    if len(named) == 2 and named[0] <= named[1]:
        return [(named[0], named[1])]
    coming = find_coming(said, near) if not named else None
    return [(day, day) for day in named] or ([(coming.first, coming.last)] if coming is not None else [])


def _span_of(leaf: LeafText, passage: Passage) -> tuple[int, int]:
    """Of a chat the whole line, else the sentence."""
    if chat_day(leaf.text, passage.start) is None:
        return passage.start, passage.end
    ends = leaf.text.find("\n", passage.start)
    return leaf.text.rfind("\n", 0, passage.start) + 1, ends if ends >= 0 else len(leaf.text)


def _written_on(leaf: LeafText, at: int) -> date | None:
    """The day of a line of a chat, of a mail, of a comment or of minutes; None for what says no day."""
    by = written_by(leaf, at)
    parsed = told_on(leaf.text, at) or next(iter(days(by[1] if by is not None else leaf.stated("Date"))), None)
    parsed = parsed or next((day for heading in leaf.heading for day in days(heading)), None)
    return day_of(parsed.year, parsed.month, parsed.day or 1) if parsed is not None and parsed.month else None


def _author(leaf: LeafText, at: int) -> str:
    """The writer of a comment, or the sender of a mail, of several in one text of the last one above."""
    by = written_by(leaf, at)
    sender = next(reversed([*_SENDER.finditer(leaf.text, 0, at)]), None)
    return f"{sender['name'] if sender is not None else leaf.stated('From')} {by[0] if by is not None else ''}"


def _day_of_title(leaf: LeafText) -> Day | None:
    """The day on which a list was made, where its title says one."""
    return next((day for heading in leaf.heading[:1] for day in days(heading) if day.day), None)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W\d_]+", text)}


def _is_named(name: str, people: Set[str]) -> bool:
    """Whether words have somebody by the first or the last name."""
    return any(len(word) >= SHORTEST_NAME and word in people for word in _words(name))
