"""Questions for tickets by a date in other words: "what's due next week", "anything due by Friday?", "what got done in June".

Each is put as a question for tickets, and only where tickets have such dates.
"""

from __future__ import annotations

import re
from datetime import date

from prompts.coming_times import find_coming
from prompts.regex import regex
from prompts.timespans import NOW_WORDS, find_span
from tree.ask.facts.collection_question import read_collections
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.retrieve.fact_index import TICKET, folded
from tree.retrieve.names import tokens

_THINGS = r"(?:tickets?|issues?|tasks?|cards?|things?|ones)"
_DUE = regex(
    rf"\A\W*(?:and )?(?:(?:is|are)(?: there)? )?(?:any |what |which |the |my )?(?:{_THINGS} |anything |something |everything |what(?:['’]?s)? |deadlines? |due dates? )?"
    rf"(?:that )?(?:do we have |have we got |are there |is |are |have to be done |has to be done |must be done |needs? to be done )*(?:due )?"
    rf"(?P<when>[^?!\n]{{2,60}}?)\W*\Z",
    re.IGNORECASE,
)  # fmt: skip
_SAYS_DUE = regex(r"\b(?:due|deadlines?|(?:has|have|must|needs?)(?: to)? be done)\b", re.IGNORECASE)
_DUE_LABELS = frozenset(("due", "deadline", "deadlines"))
_OVERDUE = regex(
    r"\A\W*(?:and )?(?:what(?:['’]?s| is| are|s)|is anything|anything|which (?:ones|things) are) (?:still |all )?overdue\W*\Z",
    re.IGNORECASE,
)
_FINISHED = regex(
    r"\A\W*(?:and )?what (?:(?:was|were|got|has been|have been|all was)|(?:have|has|did) (?P<who>[^?\n]{1,60}?)) "
    r"(?:get |got )?(?:done|finish(?:ed)?|complete[d]?|close[d]?|resolve[d]?|deliver(?:ed)?|ship(?:ped)?)(?P<when> [^?!\n]{2,60}?)\W*\Z",
    re.IGNORECASE,
)
_HOW_MANY = regex(
    rf"\A\W*(?:and )?how many (?P<what>(?:[a-z]+ )?(?:{_THINGS}|bugs?|stories|incidents?)) (?:did|have|has) (?P<who>we|you|they|everybody|the team) "
    r"(?:get |got )?(?:close[d]?|finish(?:ed)?|resolve[d]?|complete[d]?|fix(?:ed)?|get done|got done)(?P<when> [^?!\n]{2,60}?)\W*\Z",
    re.IGNORECASE,
)
_WE = frozenset(("we", "you", "they", "people", "everybody", "everyone", "the team", "anyone", "anybody"))
_AS_OF = regex(  # the day on which it is asked, said besides: "today, on 27 November 2026", "as of 27/11/2026"
    rf"(?:(?<=[\w)])[\s,;(–-]{{1,4}}|\A)(?:(?:as of|as at|as on)(?: today)?|(?:{NOW_WORDS}|today|now)(?:[,;]? ?(?:on|as of|which is|that is|i\.e\.))?)[\s,:(–-]{{1,3}}(?P<day>[^?!\n]{{6,20}}?)\)?(?:(?=\W{{0,10}}\Z)|(?P<rest>[,:]\s+))",
    re.IGNORECASE,
)
_ON = regex(r"(?<=[\w)])[\s,]{1,3}on (?P<day>[^?!\n]{6,20}?)(?=\W{0,10}\Z)", re.IGNORECASE)
_STATE = regex(
    r"\b(?:overdue|past (?:its|their|the|your|our)|still|in force|valid|open (?:actions?|tickets?|issues?|items?))\b",
    re.IGNORECASE,
)


def without_todays_date(question: str, day: date) -> str:
    """A question without the date of the day on which it is asked, where that is said to be now; as it is for any other."""
    said = _AS_OF.search(question) or (_ON.search(question) if _STATE.search(question) else None)
    span = find_span(said["day"], day) if said is not None else None
    if said is None or span is None or (span.first, span.last) != (day, day) or not _is_all(said["day"], span.start, span.end):
        return question
    return f"{question[: said.start()]}{question[said.end() :]}"


def tickets_by_date(question: str, snapshot: Snapshot) -> str | None:
    """None where it is no such question, or no ticket has the date that it asks for."""
    if (asked := _FINISHED.match(question)) is not None:
        return _finished(asked["who"] or "", asked["when"].strip(), snapshot)
    if (asked := _HOW_MANY.match(question)) is not None:
        listed = _finished("", asked["when"].strip(), snapshot)
        return listed.replace("which tickets", f"how many {asked['what']}", 1) if listed else None
    if _OVERDUE.match(question):
        return None if _has(snapshot, "due") else _due_elsewhere("overdue", snapshot)
    if _SAYS_DUE.search(question) and (asked := _DUE.match(question)) is not None:
        return _due(asked["when"].strip(), snapshot)
    return None


def _due(when: str, snapshot: Snapshot) -> str | None:
    span = find_coming(when, today(snapshot))
    if span is None or not _is_all(when, span.start, span.end):
        return None
    return f"which open tickets are due {span.words}" if _has(snapshot, "due") else _due_elsewhere(f"due {span.words}", snapshot)


def _due_elsewhere(state: str, snapshot: Snapshot) -> str | None:
    """Where no ticket has a date: of the one register that has such a column, or else of the actions on record."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    tables = [table for table in names.tables.values() if any(_DUE_LABELS & set(folded(one).split()) for one in table.columns)]
    called = dict.fromkeys((table.file.rpartition(".")[0] or table.file).replace("_", " ").replace("-", " ") for table in tables)
    asked = [f"which {noun if noun.endswith('s') else f'items in the {noun}'} are {state}" for noun in called]
    fitting = [one for one in asked if any(part.conditions for part in read_collections(one, names, facts, day))]
    if len(fitting) == 1:
        return fitting[0]
    has_actions = snapshot.index.items(snapshot.scope).count_sorts().get("action", 0) > 0
    is_of_state = state == "overdue"
    return f"which {'' if is_of_state else 'open '}action items are {state}" if not fitting and has_actions else None


def _finished(who: str, when: str, snapshot: Snapshot) -> str | None:
    span = find_span(when, today(snapshot))
    if span is None or not _is_all(when, span.start, span.end) or not _has(snapshot, "resolved"):
        return None
    said = f"resolved {span.words}"
    if not who or who.casefold() in _WE:
        return f"which tickets were {said}"
    found = tokens(who)
    mentions = snapshot.index.names(snapshot.scope).find(found)
    words = [token for token in found if token.folded != "the"]
    if len(mentions) != 1 or mentions[0].last - mentions[0].first != len(words):
        return None
    return f"which tickets {'assigned to' if 'person' in mentions[0].objects else 'of'} {who} were {said}"


def _is_all(text: str, start: int, end: int) -> bool:
    """Whether nothing is said beside the time."""
    return not any(map(str.isalnum, text[:start] + text[end:]))


def _has(snapshot: Snapshot, relation: str) -> bool:
    return snapshot.index.facts(snapshot.scope).holds_any(TICKET, (relation,))
