"""The words in which people ask for tickets, and what each says of them."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
from collections.abc import Iterable

from prompts.regex import regex

TICKETS = frozenset("ticket tickets issue issues card cards work".split())
SORTS = frozenset("epic story task bug incident ticket issue card sub-task subtask".split())  # one of these is spoken of
RECORDED = frozenset(
    "decision action event question risk".split()
)  # documents hold these too: a list of tickets would not be all
NEGATIONS = frozenset(
    "not no without except excluding never neither nor isn't aren't don't doesn't hasn't haven't wasn't non other".split()
)
OPEN = frozenset("open unresolved unfinished outstanding ongoing active pending remaining going".split())
CLOSED = frozenset("closed resolved finished completed done fixed solved shipped".split())
STATES = OPEN | CLOSED
NOBODY = frozenset("unassigned nobody noone".split())
# Words that change what is asked, though they carry no weight in a search.
TURNING = frozenset(
    """only both either never ever before after until between more most fewer few less again than over above below unless instead
    hardly always just first last longer per rather such once twice several repeatedly together""".split()
)
SOMEBODY = frozenset("he she him his her hers himself herself it its".split())  # whom or what the question does not name
# What a list of things is asked with, and words that add nothing to a condition beside them.
FILLERS = frozenset(
    """which what show list give me all the a an of are is was were be been there any in on at by for to from with and or that have has had
    do does did we our us i my you your please currently now right today's still so far exactly it them they their this these those who
    whom whose many much how number count total overview full complete comprehensive every each name names called tell can could would
    get got find see need know about being as whats whos""".split()
)
# Words about tickets that a condition has made use of, or that say no more than that tickets are meant.
TICKET_FILLERS = FILLERS | frozenset(
    """state states status resolution field value set equal equals priority component components version versions
    fix release sprint label labels epic epics project assigned assignee assignees reporter reported raised filed created opened updated
    changed resolved closed due date dates working works worked work belong belongs belonging part under team person people type kind
    kinds types one ones some same report raise file assign under responsible handle handles handling yet already labelled labeled tagged tag""".split()
)  # fmt: skip
# The words people use for a relation of tickets.
RELATIONS: dict[str, tuple[str, ...]] = {
    "assignee": ("assignee", "assigned", "assign", "working", "works", "responsible", "handles", "handling", "doing"),
    "reporter": ("reporter", "reported", "reports", "report", "raised", "filed", "reporting"),
    "creator": ("creator",),
    "status": ("status", "state"),
    "priority": ("priority", "prio", "urgent", "important"),
    "type": ("type", "kind"),
    "component": ("component", "components"),
    "fix version": ("version", "versions", "release", "fix"),
    "sprint": ("sprint", "sprints"),
    "epic": ("epic", "epics"),
    "parent": ("parent",),
    "label": ("label", "labels", "labelled", "labeled", "tagged", "tag"),
    "resolution": ("resolution",),
    "due": ("due", "deadline"),
    "created": ("created", "opened", "filed", "raised"),
    "updated": ("updated", "changed", "touched"),
    "resolved": ("resolved", "closed", "fixed", "done", "finished", "completed"),
    "project": ("project",),
}
HAVING = frozenset("has have got had holds carries on does".split())  # "who has GWY-303": whom it is assigned to
BY_WORD = {word: relation for relation, words in RELATIONS.items() for word in words}
MANY = frozenset(("component", "fix version", "affects version", "sprint", "label", "epic", "parent", "blocks", "is blocked by"))
# Words that say nothing without a condition on one of these relations.
NEEDED = {
    "assigned": {"assignee"}, "due": {"due", "overdue"}, "deadline": {"due", "overdue"}, "reported": {"reporter", "created"},
    "raised": {"reporter", "created"}, "filed": {"reporter", "created"}, "updated": {"updated"}, "changed": {"updated"},
}  # fmt: skip
DONE_BY = CLOSED | {"updated", "changed", "touched"}
ACTS = DONE_BY | frozenset("created opened made wrote added".split())  # who did them is not who it is assigned to
GROUPED_BY = {
    "person": "assignee", "people": "assignee", "assignee": "assignee", "assignees": "assignee", "who": "assignee", "reporter": "reporter",
    "status": "status", "state": "status", "priority": "priority", "component": "component", "components": "component", "type": "type",
    "types": "type", "version": "fix version", "versions": "fix version", "release": "fix version", "sprint": "sprint", "sprints": "sprint",
    "epic": "epic", "epics": "epic", "label": "label", "labels": "label", "project": "project", "month": "month", "months": "month",
}  # fmt: skip


_DUTIES = regex(
    r"\b(?:looks? after|takes? care of|handles?|(?:is|are|['’]s) (?:handling|dealing with)|deals? with|(?:is|are|['’]s) in charge of|(?:is|are) (?:the (?:one|person|team) )?responsible for|maintains)\b",
    re.IGNORECASE,
)


_HOLDS_UP = regex(
    r"\b(?:(?:(?:is|are) )?(?:holding (?:up|back)|standing in the way of|in the way of|stopping|delaying)|hold(?:s|ing)? (?:up|back)"
    r"|stands? in the way of|has to (?:be done|happen) before)\b",
    re.IGNORECASE,
)
_HELD_UP = regex(r"\b(?:held (?:up|back) by|stuck (?:on|behind)|waiting (?:for|on))\b", re.IGNORECASE)
_WHO_HAS = regex(
    r"\bwho (?:has(?: got)?|holds|is on|sits on)(?= (?:what(?:ever)?|the (?:things?|tickets?|ones?) (?:that|which)) (?:is |are )?block)",
    re.IGNORECASE,
)


_CHARGE = regex(
    r"\b(?:is in charge of|looks after|takes care of)(?= (?:the )?(?:epic |story |ticket |task )?[a-z][a-z0-9]{1,20}-\d)",
    re.IGNORECASE,
)
_WAITS = regex(r"\bwhat (?:does|do|did|must|has) (?P<who>.{1,80}?) (?:(?:to )?wait|depend) (?:for|on)\b", re.IGNORECASE)


def speaks_of_holding_up(text: str) -> bool:
    """Whether it is said in other words than those of facts that something blocks something: "hold" alone may be what a ship does."""
    return _HOLDS_UP.search(text) is not None


def in_words_of_owning(text: str) -> str:
    """Whoever looks after something, handles it or deals with it owns it: a row of a register may have a key like a ticket's."""
    return " ".join(_DUTIES.sub(" owns", text).split())


_ADDRESS = regex(r"\be-?mail(?: address)?\b|\bmail address\b", re.IGNORECASE)


def in_words_of_facts(text: str) -> str:
    """A question in the words of facts, where it says the same in others: "who looks after Almanac" asks who owns it, and what
    holds a ticket up blocks it."""
    said = _ADDRESS.sub("email", in_words_of_owning(_CHARGE.sub("has", text)))
    said = _HELD_UP.sub("blocked by", _HOLDS_UP.sub("blocks", said))
    said = _WAITS.sub(r"what is \g<who> blocked by", said)
    return _WHO_HAS.sub("who is assigned to", said)


_USES = regex(r"\b(?:do|does|did) .{2,80} (?<!in )use(?:d)?\b|\buse[sd]? by\b|\busing\b", re.IGNORECASE)
_USERS = regex(
    r"\b(?:us(?:e[sd]?|ed by|ers?)|teams?|owners?|owned by|owning|who|for|components?|systems?|products?|services?|departments?|customers?|clients?)\b",
    re.IGNORECASE,
)


def is_of_other(text: str, relations: Iterable[str]) -> bool:
    """Whether it is asked who uses something, and these relations say another thing: "which tool does Nordlys use?" asks for
    none of which Nordlys is the vendor."""
    return bool(_USES.search(text)) and not all(_USERS.search(one) for one in relations)
