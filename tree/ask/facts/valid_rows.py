"""Who has a valid certificate: rows of people whose column of until when it is valid has a day that is not over."""

from __future__ import annotations

import re
from datetime import date

from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import Span
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names

_ASKS = regex(
    r"\A\W*(?:and |so )?(?:who|which (?:people|persons|colleagues|employees|staff))(?:['’]s got| all)? (?:(?:currently|still|now) )?(?:has|have|holds?|got)(?: got)? (?:an? |any |the |their )?(?:(?:currently|still) )?(?P<state>valid|current|expired) (?P<what>[\w -]{2,60}?)(?: (?:now|at the moment|right now|currently|today))?\W*\Z",
    re.IGNORECASE,
)
_UNTIL = frozenset("until till expires expiry expiring".split())  # in the name of a column
_PAPERS = frozenset(
    terms(
        "certificate certification sign-off signoff sign off training licence license permit card qualification pass briefing course"
    )
)
_VALID = frozenset(terms("valid until till expires expiry expiring of date"))
_PEOPLE = frozenset("name person employee staff member colleague who".split())  # the column that names the rows


def read_valid(text: str, names: Names, facts: FactIndex, today: date) -> SetQuestion | None:
    """None where it is not asked, or not one column of one table of people says until when such a thing is valid."""
    asked = _ASKS.match(text)
    what = frozenset(terms(asked["what"])) - _PAPERS if asked is not None else frozenset()
    if asked is None or not what:
        return None
    held = [(table, label) for table in names.tables.values() for label in table.columns if _is_until(label, what, table)]
    if len(held) != 1:
        return None
    [(table, label)] = held
    is_over = asked["state"].casefold() == "expired"
    span = (
        Span(date(1970, 1, 1), date.fromordinal(today.toordinal() - 1), 0, 0, "") if is_over else Span(today, date.max, 0, 0, "")
    )
    # of somebody with several such rows one may have been renewed
    has_several = facts.count(table.collection, folded(label)) > len(names.values_of(folded(table.naming), table.collection))
    words = f"{label} {'before' if is_over else 'from'} today{'' if is_over else ' on'}"
    return SetQuestion(
        "list", (Condition((folded(label),), span=span, words=words),), noun="rows", collection=table.collection,
        called=table.called, naming=table.named_by, is_guess=is_over and has_several,
    )  # fmt: skip


def _is_until(label: str, what: frozenset[str], table: Table) -> bool:
    """Whether a column says until when just this is valid, of people."""
    is_of_people = not _PEOPLE.isdisjoint(folded(table.naming).split())
    own = frozenset(terms(label))
    return is_of_people and not _UNTIL.isdisjoint(folded(label).split()) and what <= own and own - _VALID - _PAPERS <= what
