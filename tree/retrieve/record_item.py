"""An item of a record: a decision, an action or an event, and how people and states are read from words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from prompts.regex import regex
from tree.retrieve.attendance import Role
from tree.retrieve.item_cues import DONE, FULL_NAME, IN_FORCE, PAST, may_be_first_name
from tree.retrieve.text_facts import plain

HANDLES = regex(
    r"\W{0,6}(?:(?:DONE|TODO|OPEN)\W{1,6})?(?P<who>@[A-Za-z0-9][\w-]{0,38}(?:(?:, | and | & |, and )@[A-Za-z0-9][\w-]{0,38})*)"
)

HONORIFICS = frozenset(("captain", "dr", "prof", "mr", "ms", "mrs"))  # before a name, folded
Sort = Literal["decision", "action", "event"]
# a point of minutes or of a chat, looked through where no decision is on record; a comment on a ticket, for what changed; who was at
# a meeting
Kept = Sort | Literal["point", "comment"] | Role


@dataclass(frozen=True, slots=True)
class RecordItem:
    """A decision, an action, an event, or a point of minutes. [start, end) of the leaf's text is where it stands, `said` is how it is told.

    `day` is when it was decided, noted or happened: a day or a month as ISO 8601, empty where that is not known. `topic` are
    the terms of what is said and of the headings in the leaf above it. `state` is done or open, of a decision superseded or in force, where that is said.
    """

    sort: Kept
    start: int
    end: int
    said: str
    topic: str
    day: str = ""
    due: str = ""
    people: tuple[str, ...] = ()
    state: str = ""
    is_history: bool = False  # an event that is a line of a ticket's history, or a comment
    is_assigned: bool = False  # an action that somebody took on or that has a day, not an instruction to whoever reads it
    is_listed: bool = False  # it stands in a list, a table or a section of its sort, and not in a sentence among others
    titled: int = 0  # characters of what is said that are the title of its document, and what parts it from the rest

    @property
    def words(self) -> str:
        """What is said, without the title of its document."""
        return self.said[self.titled :]


def people_in(text: str) -> tuple[str, ...]:
    """Names in a list of people."""
    found = ((name, name.split()[0].casefold()) for name in FULL_NAME.findall(plain(text)))
    return tuple(name for name, first in found if may_be_first_name(first) and not any(map(str.isdigit, name)))


def handles_in(said: str) -> tuple[str, ...]:
    """The people with whose handles a statement begins: "@jane and @tom to review"."""
    match = HANDLES.match(said)
    return tuple(re.findall(r"@([\w-]+)", match["who"])) if match is not None else ()


def standing(status: str) -> str:
    """Whether a decision still holds, by its status."""
    return "superseded" if PAST.search(status) else "in force" if IN_FORCE.match(status) else ""


def state_of(text: str) -> str:
    words = text.casefold().split()
    return "" if not words else "done" if words[0].strip(".,:;") in DONE else "open"
