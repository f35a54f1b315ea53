"""Says which tickets a JQL query means: what each clause asks of a ticket, in the caller's eyes and time zone."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import Any
from zoneinfo import ZoneInfo

from jira_simulator.adf import wiki_of
from jira_simulator.jql.parse import Clause, Every, Expression, JqlError, Not, Order, Query, Some, Value
from jira_simulator.model.clock import milliseconds
from jira_simulator.model.records import Body, Ticket
from jira_simulator.model.store import NotOnSite, SiteStore
from jira_simulator.model.visibility import Caller, sees_project, sees_ticket, visible_comments

Test = Callable[[Ticket], bool]
DATES = {"updated": "updated", "updateddate": "updated", "created": "created", "createddate": "created", "resolved": "resolved",
         "resolutiondate": "resolved", "statuscategorychangeddate": "status_changed", "due": "due", "duedate": "due"}  # fmt: skip
PEOPLE = ("assignee", "reporter", "creator")
TEXTS = ("text", "summary", "description", "comment", "environment")
KEYS = ("key", "issuekey", "id", "issue")
EMPTY = ("empty", "null", "unresolved")
STEP = re.compile(r"([+-]?\d+)([wdhm])")
STEPS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, ">": lambda a, b: a > b, "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b,
}  # fmt: skip


class Evaluator:
    """Compiles the expressions of one caller's query at one moment. Raises JqlError for what the site does not have."""

    def __init__(self, site: SiteStore, caller: Caller) -> None:
        self.site = site
        self.caller = caller
        self.now = site.clock.now()
        self.zone = ZoneInfo(caller.user.zone if caller.user else site.clock.zone)

    def test(self, query: Query) -> Test:
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
        if name in DATES:
            return self._date(clause, DATES[name])
        if name in TEXTS:
            return self._text(clause, name)
        if name in KEYS:
            return self._key(clause)
        read, resolve = self._reader(name, clause.field)
        return self._among(clause, read, resolve)

    # ------------------------------------------------------------ fields with a set of values

    def _reader(self, name: str, written: str) -> tuple[Callable[[Ticket], Iterable[Any]], Callable[[Value], Iterable[Any]]]:
        """How the values of a field are read from a ticket, and what an operand means for it."""
        site = self.site
        match name:
            case "project":
                return lambda t: (t.project,), self._project
            case "issuetype" | "type":
                return lambda t: (t.issuetype,), lambda v: self._named("issuetypes", written, v)
            case "status":
                return lambda t: (t.status,), lambda v: self._named("statuses", written, v)
            case "statuscategory":
                return lambda t: (site.category(t),), lambda v: (_category(v, written),)
            case "priority":
                return lambda t: _one(t.priority), lambda v: self._named("priorities", written, v)
            case "resolution":
                return lambda t: _one(t.resolution), lambda v: self._named("resolutions", written, v)
            case "labels":
                return lambda t: t.labels, lambda v: (v.text,)
            case "component":
                return lambda t: t.components, lambda v: self._named("components", written, v)
            case "fixversion":
                return lambda t: t.fix_versions, lambda v: self._named("versions", written, v)
            case "affectedversion":
                return lambda t: t.versions, lambda v: self._named("versions", written, v)
            case "assignee" | "reporter" | "creator":
                return lambda t: _one(getattr(t, name)), self._person
            case "parent":
                both = site.personality == "cloud" and site.switches.cloud_parent_is_epic
                return lambda t: _one(t.parent or (t.epic if both else None)), self._ticket
            case "level":
                return lambda t: _one(t.security), self._level
            case "sprint":
                return lambda t: t.sprints, self._sprint
        if self._is_field(name, site.epic_field, "epic link"):
            return lambda t: _one(t.epic), self._ticket
        if self._is_field(name, site.sprint_field, "sprint"):
            return lambda t: t.sprints, self._sprint
        for field in site.fields.values():
            if field.custom and self._is_field(name, field.id, field.name.lower()):
                return lambda t, field_id=field.id: _one(_plain_custom(t.custom.get(field_id))), lambda v: (v.text,)
        raise JqlError("field", written)

    @staticmethod
    def _is_field(name: str, field_id: str, words: str) -> bool:
        return name in (words, field_id, f"cf[{field_id.removeprefix('customfield_')}]")

    def _among(self, clause: Clause, read: Callable[[Ticket], Iterable[Any]], resolve: Callable[[Value], Iterable[Any]]) -> Test:
        operator = clause.operator
        if operator not in ("=", "!=", "in", "not in", "is", "is not"):
            raise JqlError("operator for field", operator, clause.field)
        asks_empty = any(_is_empty(each) for each in clause.values)
        if operator in ("is", "is not") and not asks_empty:
            raise JqlError("operator for field", operator, clause.field)
        wanted = {found for each in clause.values if not _is_empty(each) for found in resolve(each)}
        negated = operator in ("!=", "not in", "is not")

        def test(ticket: Ticket) -> bool:
            values = set(read(ticket))
            if negated:  # a field without a value is not "other than x"
                return bool(values) and not (values & wanted)
            return bool(values & wanted) or (asks_empty and not values)

        return test

    def _project(self, value: Value) -> Iterable[str]:
        site, caller = self.site, self.caller
        try:
            project = site.project(value.text)
        except NotOnSite:
            project = None
        if project is None or not sees_project(site, caller, project):
            if caller.user is None and site.switches.anonymous_project_search == "empty":
                return ()
            raise JqlError("value", value.text, "project")
        return (project.id,)

    def _named(self, kind: str, written: str, value: Value) -> Iterable[str]:
        things = getattr(self.site, kind).values()
        found = [each.id for each in things if value.text == each.id or value.text.lower() == each.name.lower()]
        if not found:
            raise JqlError("value", value.text, written)
        return found

    def _person(self, value: Value) -> Iterable[str]:
        if value.function:
            if value.text.lower() != "currentuser":
                raise JqlError("function", value.text)
            return (self.caller.account or "",)
        try:
            return (self.site.user(value.text).account_id,)
        except NotOnSite:
            return (value.text,)  # Jira takes an unknown person for one without tickets

    def _ticket(self, value: Value) -> Iterable[str]:
        try:
            ticket = self.site.find(value.text)
        except NotOnSite:
            raise JqlError("issue", value.text) from None
        if not sees_ticket(self.site, self.caller, ticket):
            raise JqlError("issue", value.text)
        return (ticket.id,)

    def _level(self, value: Value) -> Iterable[str]:
        return [each.id for each in self.site.levels.values() if value.text in (each.id, each.name)]

    def _sprint(self, value: Value) -> Iterable[int]:
        states = {"opensprints": "active", "closedsprints": "closed", "futuresprints": "future"}
        sprints = self.site.sprints.values()
        if value.function:
            if value.text.lower() not in states:
                raise JqlError("function", value.text)
            return [each.id for each in sprints if each.state == states[value.text.lower()]]
        found = [each.id for each in sprints if value.text in (str(each.id), each.name)]
        if not found:
            raise JqlError("value", value.text, "sprint")
        return found

    # ------------------------------------------------------------ keys, texts, dates

    def _key(self, clause: Clause) -> Test:
        if clause.operator in ("=", "!=", "in", "not in"):
            return self._among(clause, lambda ticket: (ticket.id,), self._ticket)
        if clause.operator not in COMPARISONS:
            raise JqlError("operator for field", clause.operator, clause.field)
        (wanted,) = self._ticket(clause.values[0])
        bound, compare = _key_order(self.site.tickets[wanted]), COMPARISONS[clause.operator]
        return lambda ticket: compare(_key_order(ticket), bound)

    def _text(self, clause: Clause, name: str) -> Test:
        if clause.operator in ("is", "is not") and name != "text":
            wants = clause.operator == "is"
            return lambda ticket: (not "".join(self._texts(ticket, name)).strip()) == wants
        if clause.operator not in ("~", "!~"):
            raise JqlError("operator for field", clause.operator, clause.field)
        pattern = _words(clause.values[0].text)
        positive = clause.operator == "~"
        return lambda ticket: all(each.search(" ".join(self._texts(ticket, name))) for each in pattern) == positive

    def _texts(self, ticket: Ticket, name: str) -> Iterable[str]:
        if name in ("text", "summary"):
            yield ticket.summary
        if name in ("text", "description"):
            yield _wiki(ticket.description)
        if name in ("text", "environment"):
            yield _wiki(ticket.environment)
        if name in ("text", "comment"):
            yield from (_wiki(each.body) for each in visible_comments(self.site, self.caller, ticket))

    def _date(self, clause: Clause, name: str) -> Test:
        if clause.operator in ("is", "is not"):
            wants_none = clause.operator == "is"
            return lambda ticket: (getattr(ticket, name) is None) == wants_none
        if clause.operator not in COMPARISONS:
            raise JqlError("operator for field", clause.operator, clause.field)
        bound, compare = self._moment(clause.values[0], clause.field), COMPARISONS[clause.operator]
        if name == "due":
            day = bound.astimezone(self.zone).date().isoformat()
            return lambda ticket: ticket.due is not None and compare(ticket.due, day)
        return lambda ticket: getattr(ticket, name) is not None and compare(getattr(ticket, name), bound)

    def _moment(self, value: Value, field: str) -> dt.datetime:
        """What a date operand means: epoch milliseconds, a date in the account's zone, or a step from now."""
        minute = self.now.replace(second=0, microsecond=0)
        if value.function:
            return self._date_function(value, minute)
        if not value.quoted and re.fullmatch(r"-?\d+", value.text):
            moment = dt.datetime.fromtimestamp(int(value.text) / 1000, dt.UTC)
            return moment.replace(second=0, microsecond=0) if self.site.switches.jql_truncates_milliseconds else moment
        if steps := _step(value.text):
            return minute + steps
        for form in ("%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%Y-%m-%d", "%Y/%m/%d"):
            try:
                return dt.datetime.strptime(value.text, form).replace(tzinfo=self.zone).astimezone(dt.UTC)
            except ValueError:
                continue
        raise JqlError("date", value.text, field)

    def _date_function(self, value: Value, minute: dt.datetime) -> dt.datetime:
        local = minute.astimezone(self.zone)
        midnight = local.replace(hour=0, minute=0)
        starts = {
            "now": local,
            "startofday": midnight,
            "endofday": midnight + dt.timedelta(days=1),
            "startofweek": midnight - dt.timedelta(days=local.weekday()),
            "startofmonth": midnight.replace(day=1),
            "startofyear": midnight.replace(month=1, day=1),
        }
        if value.text.lower() not in starts:
            raise JqlError("function", value.text)
        step = _step(value.arguments[0]) if value.arguments else None
        return (starts[value.text.lower()] + (step or dt.timedelta())).astimezone(dt.UTC)

    # ------------------------------------------------------------ order

    def _sorting(self, written: str) -> Callable[[Ticket], Any]:
        name, site = written.lower(), self.site
        if name in DATES:
            field = DATES[name]
            return lambda t: None if (moment := getattr(t, field)) is None else moment if field == "due" else milliseconds(moment)
        if name in KEYS:
            return lambda t: int(t.id) if name == "id" else _key_order(t)
        match name:
            case "summary":
                return lambda t: t.summary.lower()
            case "project":
                return lambda t: site.projects[t.project].key
            case "status":
                return lambda t: list(site.statuses).index(t.status)
            case "issuetype" | "type":
                return lambda t: site.issuetypes[t.issuetype].name
            case "priority":
                return lambda t: None if t.priority is None else -list(site.priorities).index(t.priority)
            case "assignee" | "reporter" | "creator":
                return lambda t: None if (who := getattr(t, name)) is None else site.users[who].display_name
            case "rank":
                return lambda t: int(t.id)
        raise JqlError("order field", written)


def _one(value: Any) -> tuple[Any, ...]:
    return () if value is None else (value,)


def _is_empty(value: Value) -> bool:
    return value.text.lower() in EMPTY and not value.quoted


def _category(value: Value, written: str) -> str:
    names = {"to do": "new", "new": "new", "2": "new", "in progress": "indeterminate", "indeterminate": "indeterminate",
             "4": "indeterminate", "done": "done", "3": "done"}  # fmt: skip
    if value.text.lower() not in names:
        raise JqlError("value", value.text, written)
    return names[value.text.lower()]


def _key_order(ticket: Ticket) -> str:
    prefix, _, number = ticket.key.rpartition("-")
    return f"{prefix}-{int(number):09d}"


def _wiki(body: Body | None) -> str:
    return wiki_of(body) if body else ""


def _plain_custom(value: Any) -> Any:
    return (value.get("value") or value.get("name")) if isinstance(value, dict) else None if value is None else str(value)


def _step(text: str) -> dt.timedelta | None:
    parts = text.split()
    if not parts or not all(STEP.fullmatch(each) for each in parts):
        return None
    sign = -1 if parts[0].startswith("-") else 1
    amounts = [(abs(int(number)), STEPS[unit]) for number, unit in (STEP.fullmatch(each).groups() for each in parts)]  # type: ignore[union-attr]
    return sign * sum((dt.timedelta(**{unit: number}) for number, unit in amounts), dt.timedelta())


def _words(text: str) -> list[re.Pattern[str]]:
    """A quoted phrase is searched as it stands; of other words each must be there; * stands for the rest of a word."""
    phrases = re.findall(r'"([^"]+)"', text)
    rest = re.sub(r'"[^"]+"', " ", text)
    parts = [*phrases, *re.findall(r"[\w*?'-]+", rest)]
    return [
        re.compile(r"\b" + re.escape(each).replace(r"\*", r"\w*").replace(r"\?", r"\w") + r"\b", re.IGNORECASE) for each in parts
    ]
