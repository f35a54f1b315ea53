"""What a line of a list of actions says beside the action, at its end: who does it, by when, and whether it is done.

"raise the alarm – Hanne – done 13 October", "order the cable (Emeka), by 30 November", "renew the licence ✔".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from prompts.regex import regex
from tree.retrieve.item_cues import FULL_NAME, IS_DONE
from tree.retrieve.record_item import people_in
from tree.retrieve.statement_dates import due_on

MOST_FIELDS = 4  # at the end of a line
MOST_WORDS = 6  # of one
_TICKED = regex(r"[✅✔☑]\ufe0f?\W*\Z")
_SEPARATOR = regex(r" [–—-]{1,2} |[;,] | (?=\()")
_DONE = regex(
    r"(?:already )?(?:done|finished|completed?|closed|resolved|shipped|erledigt|fertig|fait|terminée?)\b", re.IGNORECASE
)
_OPEN = regex(
    r"(?:still )?(?:open|to ?do|pending|in progress|ongoing|under way|started|blocked|overdue|waiting|not (?:yet )?(?:done|started|finished)|offen|en cours)\b",
    re.IGNORECASE,
)
_TIME = regex(  # that is no day: "end of November"
    r"(?:by |until |before |from )?(?:the )?(?:(?:end|start|beginning|middle|mid|early|late|next|this|first half|second half)\b|week \d|q[1-4]\b|asap\b|immediately\b|tbd\b|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)",
    re.IGNORECASE,
)
_ELSEWHERE = regex(r"(?:see|cf|siehe|voir|as in|like in|since|from)\b", re.IGNORECASE)  # a day, and not that by which it is due
_BETWEEN_PEOPLE = regex(r", | and | & |/| \+ | und | et ")


@dataclass(frozen=True, slots=True)
class ActionLine:
    people: tuple[str, ...] = ()
    due: str = ""  # as ISO 8601
    state: str = ""  # done or open, where that is said


def read_action_line(said: str, around: str) -> ActionLine:
    """The fields at the end of a line, the last first, as far as each is one; `around` is the date that the line is of."""
    found = ActionLine(state="done" if IS_DONE.match(said) or _TICKED.search(said) else "")
    for _ in range(MOST_FIELDS):
        *_, last = None, *_SEPARATOR.finditer(said)
        field = said[last.end() :].strip(" .;()") if last is not None else ""
        if last is None or not 0 < len(field.split()) <= MOST_WORDS:
            break
        if _DONE.match(field):
            found = replace(found, state="done")
        elif _OPEN.match(field):
            found = replace(found, state=found.state or "open")
        elif people := _people(field):
            found = replace(found, people=(*people, *found.people))
        elif not found.due and not _ELSEWHERE.match(field) and (due := due_on(field, around)):
            found = replace(found, due=due)
        elif not _TIME.match(field):
            break
        said = said[: last.start()]
    return found


def _people(field: str) -> tuple[str, ...]:
    """Whom a field names that holds nothing but names."""
    parts = _BETWEEN_PEOPLE.split(field)
    people = tuple(name for part in parts if FULL_NAME.fullmatch(part.strip()) for name in people_in(part))
    return people if len(people) == len(parts) else ()
