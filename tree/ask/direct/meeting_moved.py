"""What is said later of a meeting whose day minutes name: a line of a chat, or a mail, that moves it or calls it off."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

from prompts.extractive.dates import days
from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import day_of
from tree.ask.direct.written_lines import WrittenLine, written_lines
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView

MOST_LOOKED_INTO = 1_000  # leaves with one of the rarest words that are looked for
_MEETING = terms("meeting meet sitting session call sync board committee sitzung treffen besprechung réunion")
_SAY_MOVED = tuple(
    terms(
        "moved moves moving postponed postpone cancelled cancel called rescheduled shifted brought delayed put verschoben verlegt abgesagt reporté annulé"
    )
)
_MOVED = regex(
    r"\b(?:mov(?:ed|es|ing)|postpon\w{1,4}|cancel\w{0,8}|called off|reschedul\w{1,4}|shifted|brought forward|delayed|put off"
    r"|verschoben|verlegt|abgesagt|reporté\w{0,2}|annulé\w{0,2})\b",
    re.IGNORECASE,
)
_MEETS = regex(
    r"\b(?:meet(?:s|ings?)?|sitting|session|call|sync|board|committee|sitzung|treffen|besprechung|réunion)\b", re.IGNORECASE
)


def moved_later(snapshot: Snapshot, called: Collection[str], told: date, minutes: date) -> list[WrittenLine]:
    """Lines written after these minutes that move what is called so (terms of its name), or a meeting on the day that is told."""
    by_name, by_day = [[term] for term in called] or [_MEETING], [terms(f"{told:%B}") or _MEETING]
    found = (snapshot.index.with_all([_SAY_MOVED, *words], snapshot.scope, MOST_LOOKED_INTO) for words in (by_name, by_day))
    nodes = snapshot.store.nodes.at({place for places in found for place in places or ()}, snapshot.version)
    leaves = [node for node in nodes.values() if node.kind == "leaf"]
    return [
        line
        for opened in SnapshotView.unscored(snapshot).open_leaves(leaves)
        for line in written_lines(opened)
        if (line.written is None or line.written > minutes) and _moves(line, called, told)
    ]


def _moves(line: WrittenLine, called: Collection[str], told: date) -> bool:
    if _MOVED.search(line.said) is None:
        return False
    is_named = bool(called) and set(called) <= set(terms(line.said))
    if is_named and line.written is not None and (len(called) > 1 or _MEETS.search(line.said) is not None):
        return True  # "if the site lead is away, surgery is cancelled" is of no leads' meeting
    named = {day_of(one.year, one.month, one.day or 1) for one in days(line.said) if one.year and one.month}
    is_of_day = told in named or re.search(rf"\b{told.day}(?:st|nd|rd|th|\.)? {told:%B}\b", line.said, re.IGNORECASE) is not None
    return is_of_day and _MEETS.search(line.said) is not None
