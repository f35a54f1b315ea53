"""What is said later of somebody who is away, or of who stands in: a chat in which they say that their leave is cancelled, a mail that
moves it, minutes in which somebody else takes over, and remarks beside the list itself."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import date

from prompts.coming_times import find_coming
from prompts.extractive.dates import days
from prompts.months import MONTH
from prompts.records import LeafText
from prompts.regex import regex
from prompts.timespans import day_of
from prompts.written_days import days_named
from tree.ask.direct.written_lines import WrittenLine, written_lines
from tree.ask.facts.request_states import DENIED
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView, document_of
from tree.store.nodes import Node

LOOKED_AT = 12  # leaves, the most promising
SHORTEST_NAME = 3  # letters
WEEKS_BEFORE = 60  # days before an absence within which one is meant that is said without a time
_LEAVE = r"(?:(?:(?:my|her|his|their|the|on|of|annual|parental|sick)|[\w-]+['’]s) leave|leave request|holidays?|vacation|absences?|time off|days? off|urlaub|abwesenheit|ferien|congés?|vacances)"
_MOVED = r"(?:mov(?:e|es|ed|ing)|postpon(?:e|es|ed|ing)|shift(?:s|ed|ing)?|swap(?:s|ped|ping)?|put (?:off|back)|verschieb\w*|verschoben|report(?:ée?|er)|déplacée?|déplace)"
_OTHER = rf"(?:{DENIED}|{_MOVED}|cancel+ing|withdraw(?:s|ing)?|shorten(?:s|ed|ing)?|extend(?:s|ed|ing)?|prolong(?:s|ed)?|chang(?:e|es|ed|ing)|verlänger\w*|verkürz\w*|prolongée?)"
_WHOSE = r"(?:(?:my|her|his|their|our|the|whole|all|own|a|annual|parental|of|for|mein\w*|den|mon|mes|ma|ses|[\w-]+['’]s) ){0,4}"
_WHEN = rf"(?: (?:from|on|of|for|until|till|in|next|this|week|the|to|and|request|\d[\w./:-]{{0,12}}|{MONTH}|[a-z]{{3,6}}day|vom|ab|bis|du|au|le)){{0,8}}"
_CHANGED = regex(  # "cancelled my holiday", "Ida's leave from 3 May is moved", and not "the audit is moved, for Ida is on holiday"
    rf"\b{_OTHER} {_WHOSE}{_LEAVE}\b"
    rf"|\b{_LEAVE}{_WHEN}[,:]?(?: (?:is|was|sont|sind|wurden|has|have|had|been|to|be|got|gets?|will|now|are|were|wird|wurde|ist|est|a|été|doesn['’]t|not)){{0,5}} {_OTHER}(?!\w)"
    rf"|\b{_LEAVE}\b[^.;!?\n]{{0,60}}\b(?:instead|another (?:day|week)|after all|no longer|not any ?more|days? (?:earlier|later|longer|shorter)|weeks? (?:earlier|later|longer|shorter)|nicht mehr|doch nicht|finalement)\b"
    rf"|\b(?:not|n['’]t|no longer) (?:\w+ ){{0,2}}(?:take|taking|going on|go on) {_WHOSE}{_LEAVE}\b|\bno (?:holidays?|leave|vacation) for\b",
    re.IGNORECASE,
)
_ELSEWHEN = regex(rf"\b(?:{_MOVED}|instead|another (?:day|week)|stattdessen)(?!\w)", re.IGNORECASE)
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
_IF = regex(r"\b(?:if|unless|whenever|anybody|anyone|falls|si)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody who is away from a day to a day, and who stands in by the list."""

    name: str
    first: date
    last: date
    cover: str = ""


def said_of_absences(snapshot: Snapshot, absences: Sequence[Away], list_: Node, *, of_cover: bool) -> list[WrittenLine]:
    """What contradicts these absences of a list. `of_cover`: who stands in was asked for, and nothing else."""
    names = " ".join(dict.fromkeys(name for one in absences for name in (one.name, one.cover) if name))
    if not names:
        return []
    view = SnapshotView.of(snapshot, f"leave holiday away cancelled cover {names}")
    opened = view.open_leaves(view.best_nodes(LOOKED_AT))
    own = [one for one in opened if document_of(one.node) == document_of(list_)]
    since = _day_of_title(own[0].text) if own else None
    return [
        line
        for one in opened
        for line in written_lines(one)
        if (one in own or (line.written is not None and (since is None or line.written >= since)))
        and not _IF.search(line.said)
        and any(_contradicts(line.said, _words(line.speaker), line.written, away, of_cover=of_cover) for away in absences)
    ]


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
        changed = _THERE.search(said) or _CHANGED.search(said)
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


def _day_of_title(leaf: LeafText) -> date | None:
    """The day on which a list was made, where its title says one."""
    return next((day_of(*day) for heading in leaf.heading[:1] for day in days(heading) if day.day), None)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W\d_]+", text)}


def _is_named(name: str, people: Set[str]) -> bool:
    """Whether words have somebody by the first or the last name."""
    return any(len(word) >= SHORTEST_NAME and word in people for word in _words(name))
