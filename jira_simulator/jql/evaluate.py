"""Says which issues a query selects: what each clause asks of an issue, in the caller's eyes and time zone."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import Any
from zoneinfo import ZoneInfo

from jira_simulator.adf import wiki_of
from jira_simulator.jql.dates import moment_of
from jira_simulator.jql.fields import DATES, FILTERS, KEYS, NUMBERS, TEXTS, FieldCatalogue, SearchField, is_empty_word
from jira_simulator.jql.history import HistorySearch
from jira_simulator.jql.parse import Clause, Every, Expression, JqlError, Not, Order, Query, Some, Value, parse
from jira_simulator.model.clock import milliseconds
from jira_simulator.model.records import Body, Ticket
from jira_simulator.model.store import SiteStore
from jira_simulator.model.visibility import Caller, sees_ticket, visible_comments

Test = Callable[[Ticket], bool]
MOST_NESTED_FILTERS = 10
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, ">": lambda a, b: a > b, "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b,
}  # fmt: skip
ORDERED = (">", "<", ">=", "<=")


class Evaluator:
    """Compiles the expressions of one caller's query at one moment. Raises JqlError for what the site does not have."""

    def __init__(self, site: SiteStore, caller: Caller, depth: int = 0) -> None:
        self.site = site
        self.caller = caller
        self.depth = depth  # of saved filters that name saved filters
        self.now = site.clock.now()
        self.zone = ZoneInfo(caller.user.zone if caller.user else site.clock.zone)
        self.fields = FieldCatalogue(site, caller)
        self.history = HistorySearch(self.fields, self._moment)

    def test(self, query: Query) -> Test:
        """Whether the query selects an issue that the caller sees."""
        where = self._compiled(query.where) if query.where else lambda ticket: True
        return lambda ticket: sees_ticket(self.site, self.caller, ticket) and where(ticket)

    def sort_key(self, order: tuple[Order, ...]) -> Callable[[Ticket], list[list[Any]]]:
        """Comparable, and plain enough to be written into a page token; the id makes every order total."""
        readers = [self._sorting(each.field) for each in order]
        return lambda ticket: (
            [[value is not None, value if value is not None else 0] for value in (read(ticket) for read in readers)]
            + [[True, int(ticket.id)]]
        )

    def _compiled(self, expression: Expression) -> Test:
        match expression:
            case Not(inner):
                test = self._compiled(inner)
                return lambda ticket: not test(ticket)
            case Every(parts):
                tests = [self._compiled(each) for each in parts]
                return lambda ticket: all(test(ticket) for test in tests)
            case Some(parts):
                tests = [self._compiled(each) for each in parts]
                return lambda ticket: any(test(ticket) for test in tests)
        return self._clause(expression)

    def _clause(self, clause: Clause) -> Test:
        name = clause.field.lower()
        if clause.operator.startswith("was") or clause.operator == "changed":
            return self.history.compiled(clause)
        if name in DATES:
            return self._date(clause, DATES[name])
        if name == "worklogdate":
            return self._worklog_date(clause)
        if name in TEXTS:
            return self._text(clause, lambda ticket: self._texts(ticket, name), may_be_empty=name != "text")
        if name in KEYS:
            return self._key(clause)
        if name in FILTERS:
            return self._filter(clause)
        field = self.fields.find(clause.field)
        if clause.operator in ("~", "!~") and field.texts:
            return self._text(clause, lambda ticket: map(str, field.read(ticket)))
        if clause.operator in ORDERED and field.rank:
            return self._compared(clause, field, field.rank)
        return self._among(clause, field)

    # ------------------------------------------------------------ fields with a set of values

    def _among(self, clause: Clause, field: SearchField) -> Test:
        operator = clause.operator
        if operator not in ("=", "!=", "in", "not in", "is", "is not"):
            raise JqlError("operator for field", operator, clause.field)
        empties = [is_empty_word(each) or _is_unresolved(clause, each) for each in clause.values]
        asks_empty = any(empties)
        if operator in ("is", "is not") and not asks_empty:
            raise JqlError("operator for field", operator, clause.field)
        named = [each for each, is_empty in zip(clause.values, empties, strict=True) if not is_empty]
        wanted = {found for each in named for found in field.resolve(each)}
        negated, read = operator in ("!=", "not in", "is not"), field.read

        def test(ticket: Ticket) -> bool:
            values = set(read(ticket))
            if negated:  # a field without a value is not "other than x"
                return bool(values) and not (values & wanted)
            return bool(values & wanted) or (asks_empty and not values)

        return test

    def _compared(self, clause: Clause, field: SearchField, rank: Callable[[Any], Any]) -> Test:
        """priority > Low; for versions the order in their project; an issue without a value is in neither part."""
        bounds = [rank(each) for each in field.resolve(clause.values[0])]
        compare, read = COMPARISONS[clause.operator], field.read
        return lambda ticket: any(compare(rank(value), bound) for value in read(ticket) for bound in bounds)

    def _key(self, clause: Clause) -> Test:
        if clause.operator in ("=", "!=", "in", "not in"):
            return self._among(clause, SearchField(lambda ticket: (ticket.id,), self.fields.ticket))
        if clause.operator not in COMPARISONS:
            raise JqlError("operator for field", clause.operator, clause.field)
        (wanted,) = self.fields.ticket(clause.values[0])
        bound, compare = _key_order(self.site.tickets[wanted]), COMPARISONS[clause.operator]
        return lambda ticket: compare(_key_order(ticket), bound)

    def _filter(self, clause: Clause) -> Test:
        """filter = "My open issues": what that saved query selects, for whoever asks now."""
        if clause.operator not in ("=", "!=", "in", "not in"):
            raise JqlError("operator for field", clause.operator, clause.field)
        if self.depth >= MOST_NESTED_FILTERS:
            raise JqlError("filter circle", clause.values[0].text)
        tests = [Evaluator(self.site, self.caller, self.depth + 1)._saved(each) for each in clause.values]
        positive = clause.operator in ("=", "in")
        return lambda ticket: any(test(ticket) for test in tests) == positive

    def _saved(self, value: Value) -> Test:
        for each in self.site.filters.values():
            is_named = value.text == each.id or value.text.lower() == each.name.lower()
            if is_named and (each.shared or each.owner == self.caller.account):
                return self.test(parse(each.jql))
        raise JqlError("value id" if value.text.isdecimal() else "value", value.text, "filter")

    # ------------------------------------------------------------ texts, dates

    def _text(self, clause: Clause, read: Callable[[Ticket], Iterable[str]], may_be_empty: bool = True) -> Test:
        if clause.operator in ("is", "is not") and may_be_empty:
            wants = clause.operator == "is"
            return lambda ticket: (not "".join(read(ticket)).strip()) == wants
        if clause.operator not in ("~", "!~"):
            raise JqlError("operator for field", clause.operator, clause.field)
        pattern = _words(clause.values[0].text)
        positive = clause.operator == "~"

        def test(ticket: Ticket) -> bool:
            text = " ".join(read(ticket))
            return all(each.search(text) for each in pattern) == positive

        return test

    def _texts(self, ticket: Ticket, name: str) -> Iterable[str]:
        if name in ("text", "summary"):
            yield ticket.summary
        if name in ("text", "description"):
            yield _wiki(ticket.description)
        if name in ("text", "environment"):
            yield _wiki(ticket.environment)
        if name in ("text", "comment"):
            yield from (_wiki(each.body) for each in visible_comments(self.site, self.caller, ticket))
        if name == "worklogcomment":
            yield from (_wiki(each.comment) for each in ticket.worklogs)

    def _date(self, clause: Clause, name: str) -> Test:
        if clause.operator in ("is", "is not"):
            wants_none = clause.operator == "is"
            return lambda ticket: (getattr(ticket, name) is None) == wants_none
        if clause.operator not in (*COMPARISONS, "in", "not in"):
            raise JqlError("operator for field", clause.operator, clause.field)
        moments = [self._moment(each, clause.field) for each in clause.values]
        bounds: list[Any] = (
            [each.astimezone(self.zone).date().isoformat() for each in moments] if name == "due" else list(moments)
        )
        if clause.operator in ("in", "not in"):
            positive = clause.operator == "in"
            return lambda ticket: getattr(ticket, name) is not None and (getattr(ticket, name) in bounds) == positive
        bound, compare = bounds[0], COMPARISONS[clause.operator]
        return lambda ticket: getattr(ticket, name) is not None and compare(getattr(ticket, name), bound)

    def _worklog_date(self, clause: Clause) -> Test:
        if clause.operator not in COMPARISONS:
            raise JqlError("operator for field", clause.operator, clause.field)
        bound = self._moment(clause.values[0], clause.field).astimezone(self.zone).date()
        compare = COMPARISONS[clause.operator]
        return lambda ticket: any(compare(each.started.astimezone(self.zone).date(), bound) for each in ticket.worklogs)

    def _moment(self, value: Value, field: str) -> dt.datetime:
        return moment_of(value, field, self.now, self.zone, self.site.switches.jql_truncates_milliseconds)

    # ------------------------------------------------------------ order

    def _sorting(self, written: str) -> Callable[[Ticket], Any]:
        """What an order by that field goes by. Raises JqlError for fields that cannot be sorted."""
        name, site = written.lower(), self.site
        if name in DATES:
            field = DATES[name]
            return lambda t: None if (moment := getattr(t, field)) is None else moment if field == "due" else milliseconds(moment)
        if name in KEYS:
            return lambda t: int(t.id) if name == "id" else _key_order(t)
        if name in NUMBERS:
            return NUMBERS[name]
        match name:
            case "summary":
                return lambda t: t.summary.lower()
            case "description" | "environment":
                return lambda t: _wiki(getattr(t, name)).lower() or None
            case "project":
                return lambda t: site.projects[t.project].key
            case "status":
                return lambda t: list(site.statuses).index(t.status)
            case "statuscategory":
                return lambda t: ("new", "indeterminate", "done").index(site.category(t))
            case "issuetype" | "type":
                return lambda t: site.issuetypes[t.issuetype].name
            case "priority":
                return lambda t: None if t.priority is None else -list(site.priorities).index(t.priority)
            case "resolution":
                return lambda t: None if t.resolution is None else list(site.resolutions).index(t.resolution)
            case "assignee" | "reporter" | "creator":
                return lambda t: None if (who := getattr(t, name)) is None else site.users[who].display_name
            case "component":
                return lambda t: min((site.components[each].name.lower() for each in t.components), default=None)
            case "fixversion":
                return lambda t: max((list(site.versions).index(each) for each in t.fix_versions), default=None)
            case "affectedversion":
                return lambda t: max((list(site.versions).index(each) for each in t.versions), default=None)
            case "labels":
                return lambda t: " ".join(sorted(t.labels)).lower() or None
            case "parent":
                return lambda t: _key_order(site.tickets[t.parent]) if t.parent in site.tickets else None
            case "level":
                return lambda t: site.levels[t.security].name if t.security else None
            case "rank":
                return site.rank
            case "sprint":
                return lambda t: max(t.sprints, default=None)
        if field_found := self.fields.custom(written):
            custom = self.fields.find(written)
            if field_found.kind == "number":
                return lambda t: max((float(each) for each in custom.read(t)), default=None)
            return lambda t: max((str(each).lower() for each in custom.read(t)), default=None)
        raise JqlError("order field" if self.fields.is_known(written) else "field", written)


def _is_unresolved(clause: Clause, value: Value) -> bool:
    return clause.field.lower() == "resolution" and value.text.lower() == "unresolved" and not value.function


def _key_order(ticket: Ticket) -> str:
    prefix, _, number = ticket.key.rpartition("-")
    return f"{prefix}-{int(number):09d}"


def _wiki(body: Body | None) -> str:
    return wiki_of(body) if body else ""


def _words(text: str) -> list[re.Pattern[str]]:
    """A quoted phrase is searched as it stands; of other words each must be there; * stands for the rest of a word."""
    phrases = re.findall(r'"([^"]+)"', text)
    rest = re.sub(r'"[^"]+"', " ", text)
    parts = [*phrases, *re.findall(r"[\w*?'-]+", rest)]
    return [
        re.compile(r"\b" + re.escape(each).replace(r"\*", r"\w*").replace(r"\?", r"\w") + r"\b", re.IGNORECASE) for each in parts
    ]
