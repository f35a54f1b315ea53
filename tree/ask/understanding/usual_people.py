"""Questions for a register of people put in other words: "who sits in 2.14", "who joined in 2025", "who has been here longest".

Each is put as rows are usually asked for, and only where one register has the column, and the value, that are meant.
"""

from __future__ import annotations

import re
from datetime import date

from prompts.regex import regex
from tree.ask.facts.amounts import DATE, amount_of
from tree.ask.facts.described_row import REMARKS
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names

_NAMING = frozenset(
    "name|person|employee|colleague|full name|who|staff|member|staff member|mitarbeiter|mitarbeiterin|nom|collaborateur".split(
        "|"
    )
)
_ROOMS = frozenset("office|room|desk|floor|raum|büro|zimmer|platz|bureau".split("|"))
_TEAMS = frozenset("team|department|dept|unit|group|division|abteilung|gruppe|équipe|service".split("|"))
_SINCE = frozenset(
    "since|joined|joined on|start|start date|started|started on|hired|hired on|hire date|entry|entry date|first day|with us since|"
    "working since|eintritt|eintrittsdatum|seit|beginn|entrée|depuis".split("|")
)
_LEFT = frozenset("left|left on|until|end|end date|leaving|last day|status|active|austritt|bis|sortie".split("|"))
_GONE = regex(r"\b(?:left|leaves|leaving|gone|retired|until|starts|from|on leave|ausgeschieden|bis|ab)\b", re.IGNORECASE)
_PEOPLE = r"(?:people|persons|colleagues|employees|of us|staff|members)"
_SITS = regex(
    r"\A\W*(?:and )?who (?:sits|works|is|are|else sits|has (?:a|the|his|her) desk) (?:in|at|on) (?:the )?(?:(?:room|office|desk|floor) )?(?P<where>[\w.,/ -]{1,30}?)\W*\Z",
    re.IGNORECASE,
)
_WORKS = regex(
    rf"\A\W*(?:and )?(?:who(?: all)? (?:works|is working|belongs)|(?P<count>how many {_PEOPLE}) (?:work|are working|are(?: there)?|do we have|belong)) (?:in|for|at|on|to) (?:the |our )?(?:team |department )?(?P<team>[\w&/ -]{{2,40}}?)(?: team| department)?\W*\Z",
    re.IGNORECASE,
)
_JOINED = regex(
    rf"\A\W*(?:and )?(?:who(?: all)?|(?P<count>how many {_PEOPLE})) (?:has |have )?(?:joined|started|came|(?:was|were) hired|began)(?: (?:us|here|with us|to us|working here|the company))? (?P<when>(?:in|since|this|last|after|before|during)\b[^?\n]{{2,40}}?)\W*\Z",
    re.IGNORECASE,
)
_NEWEST = regex(
    r"\A\W*(?:and )?who (?:(?:has )?(?:joined|started|came)(?: (?:us|here))? (?:last|most recently)|(?:is|are)(?: (?:the|our))? (?:newest|latest|most recent)(?: (?:colleague|employee|hire|member|team member|person))?)\W*\Z",
    re.IGNORECASE,
)
_LONGEST = regex(
    r"\A\W*(?:and )?who (?:has|have) (?:been|worked)(?: (?:working )?(?:here|with us|for us|in the company|in the team))? (?:the )?longest(?: here| with us)?\W*\Z",
    re.IGNORECASE,
)


def people_in_usual_words(question: str, names: Names, facts: FactIndex, today: date) -> str | None:
    """None where it asks for something else, not one register is meant, or its cells do not tell it for all: a room "2.14/2.15", a day
    that is to come or is not told, a remark that somebody left."""
    is_newest = _NEWEST.match(question) is not None
    if is_newest or _LONGEST.match(question):
        found = _columns(names, _SINCE, is_of_now=True)
        which = "latest" if is_newest else "earliest"
        is_told = len(found) == 1 and _are_past_days(*found[0], facts, today)
        return f"which {found[0][0].naming} in {found[0][0].file} has the {which} {found[0][1]}" if is_told else None
    if asked := _JOINED.match(question):
        found = _columns(names, _SINCE)
        is_told = len(found) == 1 and _are_past_days(*found[0], facts, today)
        return _rows(*found[0], asked["when"], asked["count"]) if is_told else None
    for form, columns, part in ((_SITS, _ROOMS, "where"), (_WORKS, _TEAMS, "team")):
        asked = form.match(question)
        value = folded(asked[part]) if asked is not None else ""
        found = [
            (table, label)
            for table, label in _columns(names, columns, is_of_now=True)
            if value in names.values_of(folded(label), table.collection)
        ]
        if (
            asked is not None
            and len(found) == 1
            and _is_alone(*found[0], value, facts)
            and _are_all_here(found[0][0], facts, today)
        ):
            return _rows(*found[0], asked[part].strip(), asked.groupdict().get("count"))
    return None


def _rows(table: Table, label: str, value: str, count: str | None) -> str:
    return f"{'how many' if count else 'which'} rows of {table.file} have {label} {value}"


def _are_past_days(table: Table, label: str, facts: FactIndex, today: date) -> bool:
    """Whether each row has a day in a column, and none lies ahead."""
    told = [amount_of(value) for _, value in facts.values(table.collection, (folded(label),))]
    return (
        len(told) == facts.count(table.collection, folded(table.naming))
        and all(one is not None and one.unit == DATE for one in told)
        and _are_all_here(table, facts, today)
    )


def _is_ahead(value: str, today: date) -> bool:
    day, now = amount_of(value), amount_of(today.isoformat())
    return day is not None and now is not None and day.unit == DATE and day.number > now.number


def _is_alone(table: Table, label: str, value: str, facts: FactIndex) -> bool:
    """Whether no other cell of a column has the value among others: "Support / Sales", "Customer Support"."""
    others = {folded(said) for _, said in facts.values(table.collection, (folded(label),))} - {value}
    return not any(set(value.split()) <= set(re.findall(r"[\w.]+", other)) for other in others)


def _are_all_here(table: Table, facts: FactIndex, today: date) -> bool:
    """Whether nobody in a register is said to have left, or to come."""
    for label in table.columns:
        values = [value.strip() for _, value in facts.values(table.collection, (folded(label),))]
        if not REMARKS.isdisjoint(folded(label).split()) and any(map(_GONE.search, values)):
            return False
        if folded(label) in _SINCE and any(_is_ahead(one, today) for one in values):
            return False
    return True


def _columns(names: Names, called: frozenset[str], *, is_of_now: bool = False) -> list[tuple[Table, str]]:
    """The columns that are called so, in registers of people. `is_of_now`: not of those that may hold people who have left."""
    return [
        (table, label)
        for table in names.tables.values()
        if folded(table.naming) in _NAMING and (folded(table.naming), table.collection) in names.held_by_people
        for label in table.columns
        if folded(label) in called and not (is_of_now and any(folded(other) in _LEFT for other in table.columns))
    ]
